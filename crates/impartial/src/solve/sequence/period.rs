//! Periods of Grundy sequences: found among the values, proved by a theorem.

use super::Moves;

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
        let preperiod = self.preperiod as u64;
        let Some(past) = heap.checked_sub(preperiod) else {
            return values.get(usize::try_from(heap).ok()?).map(|&v| u64::from(v));
        };
        let (rounds, place) = (past / self.period as u64, past % self.period as u64);
        let first = *values.get(usize::try_from(preperiod + place).ok()?)?;
        rounds.checked_mul(u64::from(self.saltus))?.checked_add(u64::from(first))
    }
}

/// The number of values g(0), g(1), … that prove a period with saltus 0 of a finite code (Guy and Smith 1956,
/// for any number of heaps; `docs/theory/periods.md`, Theorem 1): h·max(preperiod, 1) + h·period + t, where h is
/// the largest number of heaps that a move leaves (at least 1) and t the largest number of beans that it takes.
///
/// `None` when the theorem says nothing of this game.
pub(crate) fn values_for_proof(moves: &Moves, preperiod: usize, period: usize) -> Option<usize> {
    let code = moves.code().filter(|_| moves.tail.is_none())?;
    let heaps = moves.most.max(1) as usize;
    let last = code.last().unwrap_or(0);
    preperiod.max(1).checked_add(period)?.checked_mul(heaps)?.checked_add(last)
}

/// The least period (with its preperiod) for which `enough(preperiod, period)` values are known, among the periods
/// of a sequence of known terms. Every such period must make the last `suffix` terms come again, p terms earlier
/// (at most half of the terms): most sequences are settled by looking for a part of these.
///
/// For each p the least preperiod that the known terms allow is found from the Z-function of the sequence read
/// backwards: the length of the longest common suffix of it and itself without its last p terms.
///
/// # Complexity
/// O(N) time and memory for N terms.
pub(crate) fn least_period<T: Eq>(
    terms: &[T],
    suffix: usize,
    enough: impl Fn(usize, usize) -> Option<usize>,
) -> Option<Period> {
    let len = terms.len();
    if !comes_again(terms, suffix.min(LONGEST_SAMPLE)) {
        return None;
    }
    let from_end = |i: usize| &terms[len - 1 - i];
    // z[p]: how many terms the suffix that ends p earlier has in common with the whole; a period beyond N/2 is
    // never proved, for the proof needs two of them.
    let mut z = vec![0_u32; len / 2 + 1];
    let (mut left, mut right) = (0, 0);
    for p in 1..z.len() {
        let mut common = if p < right { (z[p - left] as usize).min(right - p) } else { 0 };
        while p + common < len && from_end(common) == from_end(p + common) {
            common += 1;
        }
        z[p] = u32::try_from(common).ok()?;
        if p + common > right {
            (left, right) = (p, p + common);
        }
        let preperiod = len - p - common;
        if enough(preperiod, p).is_some_and(|needed| needed <= len) {
            return Some(Period { preperiod, period: p, saltus: 0 });
        }
    }
    None
}

/// How much of the end of a sequence is looked for before all periods are.
const LONGEST_SAMPLE: usize = 256;

/// Whether the last `length` terms stand at an earlier place too, at most half of all terms before.
fn comes_again<T: Eq>(terms: &[T], length: usize) -> bool {
    let len = terms.len();
    length == 0 || {
        let sample = &terms[len - length..];
        (1..=len / 2).any(|p| terms[len - 1 - p] == terms[len - 1] && terms[len - length - p..len - p] == *sample)
    }
}

/// The least period of the differences of the values, and what it adds: how the known values may go on
/// arithmetically. Seen on at least three periods, which proves nothing.
pub(crate) fn observed(values: &[u32]) -> Option<Period> {
    let differences: Vec<i64> = values.windows(2).map(|pair| i64::from(pair[1]) - i64::from(pair[0])).collect();
    let seen_often = |preperiod: usize, period: usize| Some(2 * preperiod + 4 * period + 32);
    let found = least_period(&differences, differences.len() / 2, seen_often)?;
    let saltus = values[found.preperiod + found.period].checked_sub(values[found.preperiod])?;
    Some(Period { saltus, ..found })
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

    proptest! {
        #[test]
        fn the_least_period_is_found(head in prop::collection::vec(0_u8..3, 0..8), block in prop::collection::vec(0_u8..3, 1..6), times in 1_usize..8) {
            let mut terms = head;
            for _ in 0..times {
                terms.extend(&block);
            }
            let needed = |n0: usize, p: usize| 2 * n0.max(1) + 2 * p + 2;
            let found = least_period(&terms, terms.len() / 2, |n0, p| Some(needed(n0, p))).map(|f| (f.preperiod, f.period));
            prop_assert_eq!(found, by_definition(&terms, needed));
        }
    }
}
