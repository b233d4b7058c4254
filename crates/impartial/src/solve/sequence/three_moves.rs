//! Subtraction games with three moves, 64 heaps a step.

use super::Period;
use semilinear::run::{Monitor, StopReason};

/// Heaps beyond which sums of two moves are no longer tried as periods.
const MOST_HEAPS: usize = 1 << 22;

/// The Grundy values of the game {a, b, c}, a < b < c: they are at most 3, and three bits a heap say which.
///
/// Heap n has value 0 when none of n − a, n − b, n − c has, else 1 when none of them has 1, and so on; as long as a step is not
/// longer than a, all of its heaps are settled by words of bits.
///
/// The last c values determine all that follow (Golomb 1966), so that values repeat for ever once c of them in a row have come again.
///
/// ```
/// use impartial::{run::Unlimited, solve::sequence::ThreeMoves};
/// let period = ThreeMoves::new([17, 42, 58]).unwrap().period_by_sums(&Unlimited).unwrap().unwrap();
/// // 25 divides 17 + 58.
/// assert_eq!((period.preperiod, period.period), (1365, 25));
/// ```
#[derive(Clone, Debug)]
pub struct ThreeMoves {
    moves: [usize; 3],
    /// Which heaps have value 0, 1 and 2.
    values: [Vec<u64>; 3],
    len: usize,
}

impl ThreeMoves {
    /// The game with these moves; `None` unless 0 < a < b < c.
    pub fn new(moves: [u32; 3]) -> Option<Self> {
        let [a, b, c] = moves;
        let moves = moves.map(|m| usize::try_from(m).ok());
        let [Some(x), Some(y), Some(z)] = moves else { return None };
        (0 < a && a < b && b < c).then_some(Self { moves: [x, y, z], values: Default::default(), len: 0 })
    }

    /// The value of a heap that was computed.
    pub fn value(&self, n: usize) -> Option<u32> {
        let has = |bits: &Vec<u64>| bits[n / 64] >> (n % 64) & 1 == 1;
        (n < self.len).then(|| self.values.iter().zip(0..).find(|(bits, _)| has(bits)).map_or(3, |(_, v)| v))
    }

    /// Computes the values of the heaps below `len`, and maybe some more.
    ///
    /// # Complexity
    /// O(1) for min(a, 64) heaps.
    pub fn extend(&mut self, len: usize) {
        while self.len < len {
            let (n, at) = (self.len, self.len % 64);
            let step = self.moves[0].min(64 - at);
            let mut rest = u64::MAX >> (64 - step);
            for bits in &mut self.values {
                let options = self.moves.iter().fold(0, |all, &m| all | before(bits, n, m));
                let new = rest & !options;
                rest &= !new;
                if at == 0 {
                    bits.push(new);
                } else {
                    bits[n / 64] |= new << at;
                }
            }
            self.len += step;
        }
    }

    /// The least preperiod and period, when a sum of two moves is a period; `None` when none of the three was seen to be one among
    /// the first four million heaps.
    pub fn period_by_sums(&mut self, monitor: &dyn Monitor) -> Result<Option<Period>, StopReason> {
        let [a, b, c] = self.moves;
        let mut len = 4 * c;
        while len <= MOST_HEAPS {
            self.extend(len);
            if let Some(sum) = [a + b, a + c, b + c].into_iter().find(|&p| self.repeats(p)) {
                let period = self.least(sum);
                return Ok(Some(Period { preperiod: self.preperiod(period), period, saltus: 0 }));
            }
            if len > 1 << 16 {
                monitor.check(len as u64, None)?;
            }
            len += len / 4;
        }
        Ok(None)
    }

    /// Whether the last c values are those p places earlier.
    fn repeats(&self, p: usize) -> bool {
        let c = self.moves[2];
        let Some(first) = self.len.checked_sub(c + p) else { return false };
        (0..c).step_by(64).all(|i| {
            let mask = u64::MAX >> (64 - (c - i).min(64));
            self.values.iter().all(|bits| (at(bits, first + i) ^ at(bits, first + p + i)) & mask == 0)
        })
    }

    /// The least period, given one that the last values have. The states on a cycle come again after its length, which divides every period.
    fn least(&self, period: usize) -> usize {
        let mut least = period;
        for q in 2..=period {
            // Only primes are left to divide it.
            while least.is_multiple_of(q) && self.repeats(least / q) {
                least /= q;
            }
        }
        least
    }

    /// The least heap from which on values have this period, given that the last ones have.
    fn preperiod(&self, period: usize) -> usize {
        let mut end = self.len - period;
        while end > 0 {
            let start = end.saturating_sub(64);
            let mask = u64::MAX >> (64 - (end - start));
            let differ =
                self.values.iter().fold(0, |all, bits| all | (at(bits, start) ^ at(bits, start + period))) & mask;
            if differ != 0 {
                return start + 64 - differ.leading_zeros() as usize;
            }
            end = start;
        }
        0
    }
}

/// The 64 bits from a place on; zeros beyond the end.
fn at(bits: &[u64], place: usize) -> u64 {
    let (word, shift) = (place / 64, place % 64);
    let get = |word: usize| bits.get(word).copied().unwrap_or(0);
    get(word) >> shift | (get(word + 1) << 1) << (63 - shift)
}

/// The 64 bits from n − m on; zeros before the beginning.
fn before(bits: &[u64], n: usize, m: usize) -> u64 {
    match n.checked_sub(m) {
        Some(place) => at(bits, place),
        None if m - n < 64 => at(bits, 0) << (m - n),
        None => 0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::solve::sequence::{Engine, Sequence};
    use proptest::prelude::*;
    use semilinear::run::Unlimited;

    #[test]
    fn three_moves_are_three_different_moves() {
        for moves in [[0, 1, 2], [1, 1, 2], [2, 1, 3], [1, 2, 2]] {
            assert!(ThreeMoves::new(moves).is_none());
        }
    }

    proptest! {
        #[test]
        fn values_and_periods_are_those_of_the_general_engine(a in 1_u32..90, b in 1_u32..90, c in 1_u32..90) {
            let moves = [a, a + b, a + b + c];
            let mut game = ThreeMoves::new(moves).unwrap();
            let found = game.period_by_sums(&Unlimited).unwrap();
            let [x, y, z] = moves;
            let mut sequence = Sequence::new(format!("subtract:{x},{y},{z}").parse().unwrap(), Engine::Auto);
            sequence.search(1 << 20, &Unlimited).unwrap();
            let period = sequence.proof().unwrap().period;
            for (n, value) in sequence.narrow().iter().enumerate().take(game.len) {
                prop_assert_eq!(game.value(n), Some(value));
            }
            if let Some(found) = found {
                prop_assert_eq!(found, period);
            } else {
                // Only then has no sum of two moves the period.
                prop_assert!([x + y, x + z, y + z].iter().all(|&sum| !(sum as usize).is_multiple_of(period.period)));
            }
        }
    }
}
