//! Wythoff's game: two heaps; take from one of them, or the same number from both.
//!
//! A position is a pair, not a sum. With φ = (1 + √5)/2 the P-positions of normal play are the pairs
//! (⌊kφ⌋, ⌊kφ²⌋) = (⌊kφ⌋, ⌊kφ⌋ + k) for k ≥ 0 (Wythoff 1907). In misère play the pairs of k = 0 and k = 1, (0,0)
//! and (1,2), give way to (2,2) and (0,1), which use the same differences 0, 1 and the same numbers 0, 1, 2, and all other pairs
//! stay. Everything is computed with integers: ⌊kφ⌋ = ⌊(k + ⌊√(5k²)⌋)/2⌋.

use num_bigint::BigUint;
use num_traits::One as _;

use crate::outcome::{Outcome, Play};

/// A position of Wythoff's game, the smaller heap first.
///
/// ```
/// use impartial::heap::Wythoff;
/// use impartial::outcome::{Outcome, Play};
/// let position = Wythoff::new(5_u32.into(), 3_u32.into());
/// assert_eq!(position.outcome(Play::Normal), Outcome::P);
/// let position = Wythoff::new(2_u32.into(), 2_u32.into());
/// assert_eq!(position.outcome(Play::Misere), Outcome::P);
/// ```
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Wythoff {
    small: BigUint,
    large: BigUint,
}

impl Wythoff {
    /// The position with these heaps, in any order.
    pub fn new(a: BigUint, b: BigUint) -> Self {
        if a <= b { Self { small: a, large: b } } else { Self { small: b, large: a } }
    }

    /// The heaps, the smaller one first.
    pub fn heaps(&self) -> [&BigUint; 2] {
        [&self.small, &self.large]
    }

    /// The outcome, exact for heaps of any size.
    ///
    /// # Complexity
    /// One integer square root.
    pub fn outcome(&self, play: Play) -> Outcome {
        Outcome::p_if(*self == with_difference(&(&self.large - &self.small), play))
    }

    /// Every winning move, sorted, without repeats: at most one in each of the three directions.
    ///
    /// # Complexity
    /// A few integer square roots.
    pub fn winning_moves(&self, play: Play) -> Vec<Self> {
        if self.outcome(play).is_p() {
            return Vec::new();
        }
        let diagonal = with_difference(&(&self.large - &self.small), play);
        let mut moves = Vec::new();
        if diagonal.small < self.small {
            moves.push(diagonal);
        }
        // A P-position that keeps one heap and makes the other one smaller.
        for (kept, other) in [(&self.small, &self.large), (&self.large, &self.small)] {
            let partner = partner(kept, play);
            if partner < *other {
                moves.push(Self::new(kept.clone(), partner));
            }
        }
        moves.sort_unstable();
        moves.dedup();
        moves
    }
}

impl Wythoff {
    /// The only P-position with a difference k between its heaps.
    ///
    /// ```
    /// use impartial::{heap::Wythoff, outcome::Play};
    /// assert_eq!(Wythoff::with_difference(&2_u8.into(), Play::Normal), Wythoff::new(3_u8.into(), 5_u8.into()));
    /// ```
    pub fn with_difference(k: &BigUint, play: Play) -> Self {
        with_difference(k, play)
    }
}

fn with_difference(k: &BigUint, play: Play) -> Wythoff {
    let small = match (play, u8::try_from(k)) {
        (Play::Misere, Ok(0)) => BigUint::from(2_u8),
        (Play::Misere, Ok(1)) => BigUint::ZERO,
        _ => golden_floor(k),
    };
    Wythoff { large: &small + k, small }
}

/// ⌊kφ⌋.
fn golden_floor(k: &BigUint) -> BigUint {
    (k + (k * k * 5_u8).sqrt()) / 2_u8
}

/// The number that stands beside n in a P-position. Every n stands in exactly one (Beatty's theorem).
fn partner(n: &BigUint, play: Play) -> BigUint {
    match (play, u8::try_from(n)) {
        (Play::Misere, Ok(0)) => return BigUint::one(),
        (Play::Misere, Ok(1)) => return BigUint::ZERO,
        (Play::Misere, Ok(2)) => return BigUint::from(2_u8),
        _ => {}
    }
    // n = ⌊kφ⌋ gives k = ⌈n/φ⌉, and n = ⌊kφ²⌋ = ⌊kφ⌋ + k gives k = ⌈n/φ²⌉. For n > 0 the ceilings are
    // ⌊n/φ⌋ + 1 and ⌊n/φ²⌋ + 1, and ⌊n/φ⌋ = ⌊nφ⌋ − n since 1/φ = φ − 1.
    if *n == BigUint::ZERO {
        return BigUint::ZERO;
    }
    let k = golden_floor(n) - n + 1_u8;
    if golden_floor(&k) == *n {
        return n + k;
    }
    // ⌊n/φ²⌋ = 2n − ⌊nφ⌋ − 1, since 1/φ² = 2 − φ is irrational.
    let k = n * 2_u8 - golden_floor(n);
    let small = golden_floor(&k);
    debug_assert!(&small + &k == *n, "Beatty's theorem");
    small
}

#[cfg(test)]
mod tests {
    use super::*;

    /// P-positions with heaps up to `n`, by the definition.
    fn by_definition(n: usize, play: Play) -> Vec<Vec<bool>> {
        let mut is_p = vec![vec![false; n + 1]; n + 1];
        for a in 0..=n {
            for b in 0..=n {
                let terminal = a == 0 && b == 0;
                let to_p = (0..a).any(|x| is_p[x][b])
                    || (0..b).any(|y| is_p[a][y])
                    || (1..=a.min(b)).any(|t| is_p[a - t][b - t]);
                is_p[a][b] = if terminal { play == Play::Normal } else { !to_p };
            }
        }
        is_p
    }

    #[test]
    fn outcomes_and_moves_agree_with_the_definition() {
        let n = 60;
        for play in [Play::Normal, Play::Misere] {
            let is_p = by_definition(n, play);
            for a in 0..=n {
                for b in a..=n {
                    let position = Wythoff::new(a.into(), b.into());
                    assert_eq!(position.outcome(play).is_p(), is_p[a][b], "({a},{b}) {play}");
                    let mut moves = Vec::new();
                    moves.extend((0..a).filter(|&x| is_p[x][b]).map(|x| (x, b)));
                    moves.extend((0..b).filter(|&y| is_p[a][y]).map(|y| (a, y)));
                    moves.extend((1..=a).filter(|&t| is_p[a - t][b - t]).map(|t| (a - t, b - t)));
                    let mut moves: Vec<_> = moves.iter().map(|&(x, y)| Wythoff::new(x.into(), y.into())).collect();
                    moves.sort();
                    moves.dedup();
                    assert_eq!(position.winning_moves(play), moves, "({a},{b}) {play}");
                }
            }
        }
    }

    #[test]
    fn huge_positions_are_exact() {
        // Pairs of consecutive Fibonacci numbers F(2i), F(2i+1) with F(1) = F(2) = 1 are P-positions.
        let (mut a, mut b) = (BigUint::one(), BigUint::from(2_u8));
        for i in 0..200 {
            let position = Wythoff::new(a.clone(), b.clone());
            assert_eq!(position.outcome(Play::Normal), Outcome::p_if(i % 2 == 0), "{a}, {b}");
            let sum = &a + &b;
            (a, b) = (b, sum);
        }
        let position = Wythoff::new(&a * 3_u8, &b * 7_u8);
        for next in position.winning_moves(Play::Normal) {
            assert_eq!(next.outcome(Play::Normal), Outcome::P);
        }
        assert!(!position.winning_moves(Play::Normal).is_empty());
    }
}
