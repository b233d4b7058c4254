//! Form "nim-period": the period of a Grundy sequence too long to be listed. The values are computed here, in bytes.
//!
//! Heaps are rare or common as in [`crate::rare`]: a split gives a value of common type exactly when one of its parts is rare
//! (`docs/strategy-files.md`, form "nim-period").

use crate::format::{HeapGame, NimPeriod, Space};
use crate::heap::Code;
use crate::meter::Meter;
use crate::{Checked, Failure, refuse};

/// More values than this are not computed.
const MOST_HEAPS: usize = 1 << 30;
/// Sets of values are words.
const MOST_VALUES: u64 = 64;
/// A search for witnesses counts its steps for so many splits of each digit at once: at first, and at most.
const STRETCHES: (usize, usize) = (24, 256);

pub(crate) fn check(game: &HeapGame, claim: &NimPeriod, meter: &Meter<'_>) -> Checked<String> {
    meter.extension("long periods");
    let (code, n0, p) = (Code::new(game)?, claim.preperiod, claim.period);
    refuse_if!(
        code.repeat > 0 || code.most_heaps() != 2,
        "this form is about finite codes that leave two heaps at most"
    );
    refuse_if!(p == 0, "\"period\" is 0");
    let needed = n0.max(1).checked_add(p).and_then(|n| n.checked_mul(2)?.checked_add(code.digits.len() - 1));
    let Some(needed) = needed.filter(|&n| n <= MOST_HEAPS) else {
        return Err(Failure::TooLarge(format!("too long: more than {MOST_HEAPS} values are needed")));
    };
    let _held = meter.hold(needed as u64)?;
    let values = values(&code, &claim.space, needed, meter)?;
    meter.steps(needed)?;
    if let Some(n) = (n0..needed - p).find(|&n| values[n] != values[n + p]) {
        return refuse(format!("heap {n} has value {}, heap {} has {}", values[n], n + p, values[n + p]));
    }
    refuse_if!(n0 > 0 && values[n0 - 1] == values[n0 - 1 + p], "\"preperiod\" is not the least one");
    // A shorter period divides p, and its multiples below p too: one of them is p over a prime.
    for d in primes(p).map(|prime| p / prime) {
        meter.steps(p)?;
        refuse_if!(values[n0..n0 + p] == values[n0 + d..n0 + d + p], "\"period\" is not the least one: {d} is one too");
    }
    Ok(format!("in normal play g(n + {p}) = g(n) for all n >= {n0} (least period and preperiod)"))
}

/// The primes that divide n ≥ 1.
fn primes(mut n: usize) -> impl Iterator<Item = usize> {
    let mut next = 2;
    std::iter::from_fn(move || {
        while n > 1 {
            if !n.is_multiple_of(next) {
                next = if next > n / next { n } else { next + 1 };
                continue;
            }
            while n.is_multiple_of(next) {
                n /= next;
            }
            return Some(next);
        }
        None
    })
}

fn bit(value: u8) -> u64 {
    1 << (value % 64)
}

/// g(0), …, g(len − 1).
fn values(code: &Code, space: &Space, len: usize, meter: &Meter<'_>) -> Checked<Vec<u8>> {
    let with = |mask: u8| (0..code.digits.len()).filter(move |&k| code.digits[k] & mask != 0);
    let splits: Vec<usize> = with(4).collect();
    let odd = space.parity && splits.iter().any(|k| k % 2 == 1);
    if space.mask >= MOST_VALUES || (odd && splits.iter().any(|k| k % 2 == 0)) {
        return refuse("\"space\" does not fit this game");
    }
    // The values that make an even and an odd heap common.
    let common = [false, true].map(|n| {
        let common = |v: &u64| ((v & space.mask).count_ones() % 2 == 1) != ((space.parity && n) != odd);
        (0..MOST_VALUES).filter(common).fold(0_u64, |set, v| set | 1 << v)
    });
    // A heap n has for each of these the option of value g(n − distance) ^ value, if distance < n.
    let mut terms: Vec<(usize, u8)> = with(2).map(|k| (k, 0)).collect();
    let mut held = meter.hold(16 * (terms.len() + splits.len()) as u64)?;
    let mut values = Vec::with_capacity(len);
    values.push(0_u8);
    for n in 1..len {
        meter.steps(terms.len() + 1)?;
        let mut reached = u64::from(code.digit(n) & 1);
        for &(distance, value) in &terms {
            if distance < n {
                reached |= bit(values[n - distance] ^ value);
            }
        }
        let free = !reached & common[n % 2];
        if free == 0 {
            return Err(Failure::TooLarge(format!("heap {n}: its value may be beyond {}", MOST_VALUES - 1)));
        }
        // All values of common type below this are reached; those of rare type need a witness.
        let least = free.trailing_zeros();
        let missing = unreached(&values, &splits, n, !reached & ((1 << least) - 1), meter)?;
        let value = if missing == 0 { least } else { missing.trailing_zeros() }.to_le_bytes()[0];
        values.push(value);
        if bit(value) & common[n % 2] == 0 {
            held.grow(16 * splits.len() as u64)?;
            terms.extend(splits.iter().map(|k| (n + k, value)));
        }
    }
    Ok(values)
}

/// Which of some values no split of heap n has; the search begins with the smallest parts.
fn unreached(values: &[u8], splits: &[usize], n: usize, mut wanted: u64, meter: &Meter<'_>) -> Checked<u64> {
    let (mut from, mut stretch) = (1, STRETCHES.0);
    while wanted != 0 && 2 * from <= n {
        meter.work((stretch as u64).saturating_mul(splits.len() as u64))?;
        for a in from..from + stretch {
            for &k in splits {
                if 2 * a + k <= n {
                    wanted &= !bit(values[a] ^ values[n - k - a]);
                }
            }
            if wanted == 0 {
                break;
            }
        }
        from += stretch;
        stretch = (2 * stretch).min(STRETCHES.1);
    }
    Ok(wanted)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::meter::free_meter;

    fn game(code: &str) -> HeapGame {
        HeapGame { code: Some(code.into()), subtract: None, moves: None }
    }

    /// The values by the definition.
    fn plain(code: &Code, len: usize) -> Vec<u8> {
        let mut values: Vec<u8> = Vec::new();
        for n in 0..len {
            let mut found = BTreeSet::new();
            let each = &mut |parts: &[usize]| {
                found.insert(parts.iter().fold(0, |sum, &part| sum ^ values[part]));
                Ok(())
            };
            code.options(n, &free_meter(), each).unwrap();
            values.push((0..=u8::MAX).find(|v| !found.contains(v)).unwrap());
        }
        values
    }

    #[test]
    fn every_space_gives_the_values() {
        for text in ["0.77", "0.07", "4.7", "0.137", "0.6", "0.1777", "0.106", "4.47", "0.524", "0.0004", "4.0"] {
            let code = Code::new(&game(text)).unwrap();
            let right = plain(&code, 130);
            for (mask, parity) in (0..64).flat_map(|mask| [(mask, false), (mask, true)]) {
                match values(&code, &Space { mask, parity }, 130, &free_meter()) {
                    Ok(found) => assert_eq!(found, right, "{text}, mask {mask}, parity {parity}"),
                    // A mixture of even and odd digits, or a space without room for values of common type.
                    Err(_) => assert!(parity || mask == 0, "{text}, mask {mask}"),
                }
            }
        }
    }

    #[test]
    fn periods_are_checked() {
        let verdict = |code: &str, preperiod: usize, period: usize| {
            let claim = NimPeriod { preperiod, period, space: Space { mask: 7, parity: false } };
            check(&game(code), &claim, &free_meter()).is_ok()
        };
        assert!(verdict("0.77", 71, 12));
        for (preperiod, period) in [(70, 12), (72, 12), (71, 6), (71, 24), (71, 36), (71, 13), (71, 0), (0, 12)] {
            assert!(!verdict("0.77", preperiod, period), "{preperiod}, {period}");
        }
        assert!(verdict("0.07", 53, 34));
        assert!(!verdict("0.07", 53, 17));
        assert!(!verdict("0.33", 0, 3), "no heap is split");
        assert!(!verdict("0.[7]", 0, 2), "the code repeats");
        assert!(!verdict("0.9", 1, 1), "three heaps are left");
        assert!(!verdict("0.77", usize::MAX, 12));
        assert!(!verdict("0.77", 71, usize::MAX));
    }

    #[test]
    fn primes_are_found() {
        let all = |n| primes(n).collect::<Vec<_>>();
        assert_eq!((all(1), all(2), all(12), all(49), all(97)), (vec![], vec![2], vec![2, 3], vec![7], vec![97]));
        assert_eq!(all(60_620_715), [3, 5, 1_347_127]);
    }
}
