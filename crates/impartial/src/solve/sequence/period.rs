//! Periods of Grundy sequences: found among the values, proved by a theorem.

use super::Moves;
use super::values::Lane;
use crate::solve::wide::{Loop, widest};

/// How a sequence repeats: g(n + period) = g(n) + saltus for all n ≥ preperiod.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Period {
    /// The least heap from which the equation holds.
    pub preperiod: usize,
    /// The least period.
    pub period: usize,
    /// What a period adds; 0 when the sequence is periodic.
    pub saltus: u32,
}

impl Period {
    /// The value of a heap, from the values below preperiod + period; `None` when it exceeds 64 bits.
    ///
    /// ```
    /// use impartial::solve::sequence::Period;
    /// let laskers_nim = Period { preperiod: 1, period: 4, saltus: 4 };
    /// assert_eq!(laskers_nim.value(&[0, 1, 2, 4, 3], 1_000_003), Some(1_000_004));
    /// ```
    pub fn value(&self, values: &[u32], heap: u64) -> Option<u64> {
        self.value_by(heap, |heap| values.get(heap).copied())
    }

    /// The value of a heap, from a function that knows the values below preperiod + period.
    pub(crate) fn value_by(&self, heap: u64, known: impl Fn(usize) -> Option<u32>) -> Option<u64> {
        let preperiod = self.preperiod as u64;
        let Some(past) = heap.checked_sub(preperiod) else {
            return known(usize::try_from(heap).ok()?).map(u64::from);
        };
        let (rounds, place) = (past / self.period as u64, past % self.period as u64);
        let first = known(usize::try_from(preperiod + place).ok()?)?;
        rounds.checked_mul(u64::from(self.saltus))?.checked_add(u64::from(first))
    }
}

/// The least period with saltus 0 that the known values prove (Guy and Smith 1956, for any number of heaps;
/// `docs/theory/periods.md`, Theorem 1): h·max(preperiod, 1) + h·period + t values are enough, where h is the largest
/// number of heaps that a move leaves (at least 1) and t the largest number of beans that it takes.
///
/// With N values these are the p and n₀ with max(n₀, 1) + p ≤ (N − t)/h =: r, that is, the p ≤ r for which the last
/// N − r values come again p places earlier. So the least p is found by a search for these values.
///
/// # Complexity
/// O(N) time, constant memory.
pub(crate) fn proved<L: Lane>(moves: &Moves, values: &[L]) -> Option<Period> {
    let code = moves.code().filter(|_| moves.tail.is_none())?;
    let room = values.len().checked_sub(code.last().unwrap_or(0))? / moves.most.max(1) as usize;
    let terms = Terms { len: values.len(), term: |n: usize| u64::from(values[n].into()) };
    let (preperiod, period) = terms.least_period(room, |fits| match terms.sample(room) {
        LOOKED_AT.. => least_shift(values, room, fits),
        _ => (1..=room).find(|&p| fits(p)),
    })?;
    (preperiod.max(1) + period <= room).then_some(Period { preperiod, period, saltus: 0 })
}

/// The least period of the differences of the values, and what it adds: how the known values may go on
/// arithmetically. Seen on at least three periods (of D differences, 2·preperiod + 4·period + 32 ≤ D), which proves
/// nothing. A longer period q that is seen often enough is a multiple of the least one p, for the last D/2 + p
/// differences have both periods, and then p is seen as early as q: so the least one decides.
pub(crate) fn observed<L: Lane>(values: &[L]) -> Option<Period> {
    let value = |n: usize| u64::from(values[n].into());
    // A difference as a natural number.
    let terms = Terms { len: values.len().checked_sub(1)?, term: |n: usize| (1 << 32) + value(n + 1) - value(n) };
    let half = terms.len.checked_sub(32)? / 2;
    let (preperiod, period) = terms.least_period(half, |fits| (1..=half).find(|&p| fits(p)))?;
    if preperiod + 2 * period > half {
        return None;
    }
    let saltus = u32::try_from(value(preperiod + period).checked_sub(value(preperiod))?).ok()?;
    Some(Period { preperiod, period, saltus })
}

/// How many places are looked at together, and how many values at each of them.
const PLACES: usize = 256;
const LOOKED_AT: usize = 8;

/// The least p ≤ `room` that fits, where what fits has the last [`LOOKED_AT`] values p places earlier.
fn least_shift<L: Lane>(values: &[L], room: usize, fits: impl Fn(usize) -> bool) -> Option<usize> {
    let mut p = 1;
    while let Some(from) = values.len().checked_sub(p + PLACES + LOOKED_AT).filter(|_| p <= room) {
        let places = p..p + PLACES;
        if widest(Again { values, from })
            && let Some(found) = places.clone().find(|&p| p <= room && fits(p))
        {
            return Some(found);
        }
        p = places.end;
    }
    (p..=room).find(|&p| fits(p))
}

/// Whether the last values stand at one of [`PLACES`] places: those that begin one after `from`, two after it, and so on.
struct Again<'a, L> {
    values: &'a [L],
    from: usize,
}

impl<L: Lane> Loop for Again<'_, L> {
    type Output = bool;

    #[inline(always)]
    fn run(self) -> bool {
        let Self { values, from } = self;
        let last: &[L; LOOKED_AT] = values.last_chunk().expect("more values than places");
        let rows: [&[L; PLACES]; LOOKED_AT] =
            std::array::from_fn(|i| values[from + i + 1..][..PLACES].try_into().expect("as many places"));
        // Bits instead of conditions, so that many places are one step.
        let place = |at: usize| (0..LOOKED_AT).fold(1_u8, |all, i| all & u8::from(rows[i][at] == last[i]));
        (0..PLACES).fold(0, |any, at| any | place(at)) != 0
    }
}

/// A sequence of natural numbers below 2³⁴.
struct Terms<F> {
    len: usize,
    term: F,
}

/// How much of the end of a sequence is looked for before all of it is.
const SAMPLE: usize = 64;

impl<F: Fn(usize) -> u64> Terms<F> {
    /// How much of the end is looked for before all of the last `len` − `room` terms are.
    fn sample(&self, room: usize) -> usize {
        self.len.saturating_sub(room).min(SAMPLE)
    }

    /// The least p ≥ 1, with its preperiod n₀, such that n₀ + p ≤ `room`: the last `len` − `room` terms come again p
    /// places earlier. `first` finds the least p ≤ `room` that fits as far as the sample goes.
    ///
    /// Windows of that length are told apart by their residues, as polynomials, modulo a prime; where these agree the terms
    /// are compared.
    fn least_period(
        &self,
        room: usize,
        first: impl FnOnce(&dyn Fn(usize) -> bool) -> Option<usize>,
    ) -> Option<(usize, usize)> {
        let (len, window) = (self.len, self.len.checked_sub(room)?);
        let sample = self.sample(room);
        let sample_fits = |p: usize| (1..=sample).all(|i| (self.term)(len - i) == (self.term)(len - p - i));
        let first = first(&sample_fits)?;
        let residue = |start: usize| {
            (start..start + window).rev().fold(0, |sum, n| Residue::plus(Residue::times(sum, BASE), (self.term)(n)))
        };
        let wanted = residue(room);
        let mut here = residue(room - first);
        // What the last term of a window counts once the window is moved.
        let leading = (0..window).fold(1, |power, _| Residue::times(power, BASE));
        for p in first..=room {
            let start = room - p;
            if here == wanted && sample_fits(p) && (start..start + window).all(|n| (self.term)(n) == (self.term)(n + p))
            {
                let before = (0..start).rev().take_while(|&n| (self.term)(n) == (self.term)(n + p)).count();
                return Some((start - before, p));
            }
            if let Some(next) = start.checked_sub(1) {
                let lost = Residue::times((self.term)(start + window - 1), leading);
                here = Residue::plus(Residue::times(here, BASE), (self.term)(next) + Residue::PRIME - lost);
            }
        }
        None
    }
}

/// A number without structure, for the polynomials.
const BASE: u64 = 0x1357_9bdf_0246_8ace;

/// Arithmetic modulo 2⁶¹ − 1.
struct Residue;

impl Residue {
    const PRIME: u64 = (1 << 61) - 1;

    /// a·b, for a, b below 2⁶¹.
    #[inline]
    fn times(a: u64, b: u64) -> u64 {
        let product = u128::from(a) * u128::from(b);
        #[allow(clippy::cast_possible_truncation)] // Both parts are below 2⁶¹.
        Self::plus(product as u64 & Self::PRIME, (product >> 61) as u64)
    }

    /// a + b, for a, b below 2⁶³.
    #[inline]
    fn plus(a: u64, b: u64) -> u64 {
        let sum = a + b;
        let folded = (sum & Self::PRIME) + (sum >> 61);
        if folded >= Self::PRIME { folded - Self::PRIME } else { folded }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// The definition, tried for every period and preperiod.
    fn by_definition(terms: &[u8], needed: impl Fn(usize, usize) -> usize) -> Option<(usize, usize)> {
        let len = terms.len();
        (1..=len).find_map(|p| {
            let fits = |n0: usize| (n0..len - p).all(|n| terms[n + p] == terms[n]);
            let preperiod = (0..=len - p).find(|&n0| fits(n0))?;
            (needed(preperiod, p) <= len).then_some((preperiod, p))
        })
    }

    fn repeated(head: Vec<u8>, block: &[u8], times: usize) -> Vec<u8> {
        let mut terms = head;
        for _ in 0..times {
            terms.extend(block);
        }
        terms
    }

    proptest! {
        #[test]
        fn the_least_shift_is_found_many_places_at_a_time(
            (head, block) in (prop::collection::vec(0_u8..2, 0..300), prop::collection::vec(0_u8..2, 1..500)),
            repeats in 1_usize..6,
        ) {
            let values: Vec<u8> = head.iter().chain(block.iter().cycle().take(block.len() * repeats + 7)).copied().collect();
            let len = values.len();
            for sample in [LOOKED_AT, 40] {
                let room = len.saturating_sub(sample);
                let fits = |p: usize| p + sample <= len && values[len - sample..] == values[len - sample - p..len - p];
                if len >= sample {
                    prop_assert_eq!(least_shift(&values, room, fits), (1..=room).find(|&p| fits(p)));
                }
            }
        }

        #[test]
        fn the_least_period_is_found(head in prop::collection::vec(0_u8..3, 0..8), block in prop::collection::vec(0_u8..3, 1..6), times in 1_usize..8, code in prop::sample::select(vec!["0.3", "0.07", "0.137", "0.3033", "0.8", "4.8"])) {
            let terms = repeated(head, &block, times);
            let moves = Moves::new(&code.parse().unwrap()).unwrap();
            let last = moves.digits_before(0) - 1;
            let needed = |n0: usize, p: usize| moves.most as usize * (n0.max(1) + p) + last;
            let found = proved(&moves, &terms).map(|f| (f.preperiod, f.period));
            prop_assert_eq!(found, by_definition(&terms, needed));
        }

        #[test]
        fn the_least_arithmetic_period_is_observed(head in prop::collection::vec(0_u8..3, 0..12), block in prop::collection::vec(0_u8..3, 1..9), times in 1_usize..24) {
            let differences = repeated(head, &block, times);
            let mut values = vec![0_u16];
            for &difference in &differences {
                values.push(values.last().unwrap() + u16::from(difference));
            }
            let found = observed(&values).map(|f| (f.preperiod, f.period));
            prop_assert_eq!(found, by_definition(&differences, |n0, p| 2 * n0 + 4 * p + 32));
        }

        #[test]
        fn residues_are_residues(a in 0_u64..1 << 61, b in 0_u64..1 << 61) {
            let prime = u128::from(Residue::PRIME);
            prop_assert_eq!(u128::from(Residue::times(a, b)), u128::from(a) * u128::from(b) % prime);
            prop_assert_eq!(u128::from(Residue::plus(a, b)), (u128::from(a) + u128::from(b)) % prime);
        }
    }
}
