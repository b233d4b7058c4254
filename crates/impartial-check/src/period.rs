//! Form "nim-period": the period of a Grundy sequence too long to be listed. The values are computed here, in bytes.
//!
//! Heaps are rare or common as in [`crate::rare`]: a split gives a value of common type exactly when one of its parts is rare
//! (`docs/strategy-files.md`, form "nim-period").

use crate::format::{HeapGame, NimPeriod, Space};
use crate::heap::Code;
use crate::meter::{Held, Meter};
use crate::{Checked, Failure, refuse};
use lanes::{Lanes, PIECE, Road, WIDE};

mod lanes;

/// More values than this are not kept, nor in a window.
const MOST_HEAPS: usize = 1 << 30;
const MOST_WINDOW: usize = 1 << 24;
/// Sets of values are words.
const MOST_VALUES: u64 = 64;
/// A search for witnesses counts its steps for so many splits of each digit at once: at first, and at most.
const STRETCHES: (usize, usize) = (24, 256);

pub(crate) fn check(game: &HeapGame, claim: &NimPeriod, meter: &Meter<'_>) -> Checked<String> {
    meter.extension("long periods");
    let (code, n0, p, window) = (Code::new(game)?, claim.preperiod, claim.period, claim.window);
    refuse_if!(
        code.repeat > 0 || code.most_heaps() != 2,
        "this form is about finite codes that leave two heaps at most"
    );
    refuse_if!(p == 0, "\"period\" is 0");
    // So many values come again from n0 on: all that Theorem 1 asks for, or the window of Theorem 4.
    let t = code.digits.len() - 1;
    let len = match window {
        Some(window) if window <= t || window > MOST_WINDOW || (claim.space.parity && p % 2 == 1) => {
            return refuse("\"window\" does not fit this game and period");
        }
        Some(window) => Some(window),
        None => n0.max(1).checked_add(p).and_then(|n| n.checked_mul(2)?.checked_add(t)).map(|needed| needed - n0 - p),
    };
    let Some((len, needed)) = len.and_then(|len| Some((len, n0.checked_add(p)?.checked_add(len)?))) else {
        return Err(Failure::TooLarge("too long".into()));
    };
    if window.is_none() && needed > MOST_HEAPS {
        return Err(Failure::TooLarge(format!("too long: more than {MOST_HEAPS} values are needed")));
    }
    meter.foresee(needed as u64)?;
    let _held = meter.hold(window.map_or(needed, |window| 8 * window) as u64)?;
    let mut values = Values::new(&code, &claim.space, window, meter)?;
    // With the value before them, which does not come again.
    let (first, len) = (n0 - usize::from(n0 > 0), len + usize::from(n0 > 0));
    let (mut kept, mut shifts) = (None, vec![0, p]);
    // A shorter period divides p, and its multiples below p too: one of them is p over a prime.
    meter.steps(p.isqrt())?;
    shifts.extend(primes(p).map(|prime| p / prime));
    shifts.sort_unstable();
    for d in shifts {
        values.reach(first + d + len, meter)?;
        meter.steps(len)?;
        let new = values.piece(first + d, len);
        // Without a window nothing is dropped.
        let old: &[u8] = kept.as_deref().unwrap_or_else(|| values.piece(first, len));
        let repeats = old[usize::from(n0 > 0)..] == new[usize::from(n0 > 0)..];
        if d == 0 {
            kept = window.map(|_| new.to_vec());
        } else if d < p {
            refuse_if!(repeats, "\"period\" is not the least one: {d} is one too");
        } else if let Some(n) = (n0..first + len).find(|n| old[n - first] != new[n - first]) {
            let (old, new) = (old[n - first], new[n - first]);
            return refuse(format!("heap {n} has value {old}, heap {} has {new}", n + p));
        } else {
            refuse_if!(n0 > 0 && old[0] == new[0], "\"preperiod\" is not the least one");
        }
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

/// g(0), g(1), …: all of them or, with a window, the first and the last ones.
struct Values<'a> {
    code: &'a Code,
    splits: Vec<usize>,
    /// The values that make an even and an odd heap common.
    common: [u64; 2],
    /// A heap n has for each of these the option of value g(n − distance) ^ value, if distance < n.
    terms: Vec<(usize, u8)>,
    window: usize,
    first: Vec<u8>,
    /// The values below `next`, the last of them.
    last: Vec<u8>,
    next: usize,
    held: Held,
    /// The road for many heaps at once, and the bits of its words: if it is none, wider words are tried.
    road: Option<Box<dyn Road>>,
    bits: u32,
}

impl<'a> Values<'a> {
    fn new(code: &'a Code, space: &Space, window: Option<usize>, meter: &Meter<'_>) -> Checked<Self> {
        let with = |mask: u8| (0..code.digits.len()).filter(move |&k| code.digits[k] & mask != 0);
        let splits: Vec<usize> = with(4).collect();
        let odd = space.parity && splits.iter().any(|k| k % 2 == 1);
        if space.mask >= MOST_VALUES || (odd && splits.iter().any(|k| k % 2 == 0)) {
            return refuse("\"space\" does not fit this game");
        }
        let common = [false, true].map(|n| {
            let common = |v: &u64| ((v & space.mask).count_ones() % 2 == 1) != ((space.parity && n) != odd);
            (0..MOST_VALUES).filter(common).fold(0_u64, |set, v| set | 1 << v)
        });
        let terms: Vec<(usize, u8)> = with(2).map(|k| (k, 0)).collect();
        let held = meter.hold(16 * (terms.len() + splits.len()) as u64)?;
        let window = window.unwrap_or(usize::MAX);
        let (first, last) = (Vec::new(), vec![0]);
        Ok(Self { code, splits, common, terms, window, first, last, next: 1, held, road: None, bits: 16 })
    }

    /// The values of the heaps from `from` on, known and not dropped.
    fn piece(&self, from: usize, len: usize) -> &[u8] {
        let end = self.last.len() - (self.next - from - len);
        &self.last[end - len..end]
    }

    /// The values of all heaps before this one.
    fn reach(&mut self, end: usize, meter: &Meter<'_>) -> Checked {
        while self.next < end {
            let heaps = (end - self.next).min(PIECE) / WIDE * WIDE;
            if heaps == 0 || self.next % 2 == 1 || self.next / 2 < self.window.max(WIDE) || self.bits > 32 {
                self.push(meter)?;
                continue;
            }
            self.keep_first();
            self.road = match self.road.take() {
                None if self.bits == 16 => Lanes::<u16>::new(self, meter)?.map(|lanes| Box::new(lanes) as _),
                None => Lanes::<u32>::new(self, meter)?.map(|lanes| Box::new(lanes) as _),
                road => road,
            };
            let found = match &mut self.road {
                Some(road) => road.extend(&mut self.last, self.next, heaps, meter)?,
                None => false,
            };
            if found {
                self.next += heaps;
                self.forget();
            } else {
                (self.road, self.bits) = (None, 2 * self.bits);
            }
        }
        Ok(())
    }

    fn keep_first(&mut self) {
        if self.first.is_empty() {
            self.first = self.last[..self.window].to_vec();
        }
    }

    /// Drops values now and then, but for the last ones.
    fn forget(&mut self) {
        if self.last.len() >= self.window.saturating_mul(5) {
            self.keep_first();
            self.last.drain(..self.last.len().saturating_sub(2 * self.window.max(WIDE)));
        }
    }

    /// The next value.
    fn push(&mut self, meter: &Meter<'_>) -> Checked {
        let n = self.next;
        meter.steps(self.terms.len() + 1)?;
        let mut reached = u64::from(self.code.digit(n) & 1);
        for &(distance, value) in self.terms.iter().filter(|(distance, _)| *distance < n) {
            reached |= bit(self.last[self.last.len() - distance] ^ value);
        }
        let free = !reached & self.common[n % 2];
        if free == 0 {
            return Err(Failure::TooLarge(format!("heap {n}: its value may be beyond {}", MOST_VALUES - 1)));
        }
        // All values of common type below this are reached; those of rare type need a witness.
        let least = free.trailing_zeros();
        let missing = self.unreached(!reached & ((1 << least) - 1), meter)?;
        let value = if missing == 0 { least } else { missing.trailing_zeros() }.to_le_bytes()[0];
        if bit(value) & self.common[n % 2] == 0 {
            // A window is for games whose rare heaps lie before it.
            if self.splits.iter().any(|k| n + k >= self.window) {
                return Err(Failure::TooLarge(format!("heap {n} is not settled by a window of {}", self.window)));
            }
            self.held.grow(16 * self.splits.len() as u64)?;
            self.terms.extend(self.splits.iter().map(|k| (n + k, value)));
        }
        self.last.push(value);
        self.next += 1;
        self.forget();
        Ok(())
    }

    /// Which of some values no split of the next heap has, within the window; the search begins with the smallest parts.
    fn unreached(&self, mut wanted: u64, meter: &Meter<'_>) -> Checked<u64> {
        let n = self.next;
        let (small, from_last) = (if self.first.is_empty() { &self.last } else { &self.first }, self.last.len());
        let (mut from, mut stretch) = (1, STRETCHES.0);
        while wanted != 0 && 2 * from <= n && from < self.window {
            meter.work((stretch as u64).saturating_mul(self.splits.len() as u64))?;
            for (a, &part) in small.iter().enumerate().skip(from).take(stretch) {
                for &k in &self.splits {
                    if 2 * a + k <= n && a + k < self.window {
                        wanted &= !bit(part ^ self.last[from_last - k - a]);
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

    fn values(code: &Code, space: &Space, window: Option<usize>, len: usize) -> Checked<Vec<u8>> {
        let meter = free_meter();
        let mut values = Values::new(code, space, window, &meter)?;
        let mut all = vec![0];
        while all.len() < len {
            values.push(&meter)?;
            all.push(*values.last.last().unwrap());
        }
        Ok(all)
    }

    #[test]
    fn every_space_gives_the_values() {
        for text in ["0.77", "0.07", "4.7", "0.137", "0.6", "0.1777", "0.106", "4.47", "0.524", "0.0004", "4.0"] {
            let code = Code::new(&game(text)).unwrap();
            let right = plain(&code, 130);
            for (mask, parity) in (0..64).flat_map(|mask| [(mask, false), (mask, true)]) {
                match values(&code, &Space { mask, parity }, None, 130) {
                    Ok(found) => assert_eq!(found, right, "{text}, mask {mask}, parity {parity}"),
                    // A mixture of even and odd digits, or a space without room for values of common type.
                    Err(_) => assert!(parity || mask == 0, "{text}, mask {mask}"),
                }
            }
        }
    }

    #[test]
    fn a_window_gives_the_values_or_none() {
        let mut settled = 0;
        for text in
            ["0.77", "0.07", "4.7", "0.137", "0.6", "0.156", "0.106", "4.47", "0.524", "0.045", "4.0", "0.26", "0.165"]
        {
            let code = Code::new(&game(text)).unwrap();
            let right = plain(&code, 900);
            for (mask, parity) in (1..16).flat_map(|mask| [(mask, false), (mask, true)]) {
                for window in [6, 17, 40, 60, 90] {
                    if let Ok(found) = values(&code, &Space { mask, parity }, Some(window), 900) {
                        assert_eq!(found, right, "{text}, mask {mask}, parity {parity}, window {window}");
                        settled += 1;
                    }
                }
            }
        }
        assert!(settled >= 10, "{settled}");
    }

    /// The values of a window, by the next one again and again, and many at once; all of them, and whether the latter road was there at the end.
    fn both_roads(code: &Code, space: &Space, window: usize, bits: u32) -> Checked<(Vec<u8>, bool)> {
        let (meter, len) = (free_meter(), 2 * window.max(WIDE) + 6 * PIECE);
        let one_by_one = values(code, space, Some(window), len);
        let mut many = Values::new(code, space, Some(window), &meter)?;
        many.bits = bits;
        let mut all = vec![0];
        // Odd ends, so that single values come between.
        for end in (1..=len).step_by(2 * PIECE + WIDE + 1).skip(1).chain([len]) {
            while many.next < end {
                let from = many.next;
                let to = end.min(from + window);
                if let Err(failure) = many.reach(to, &meter) {
                    assert!(one_by_one.is_err(), "{window}: {failure:?} at {}", many.next);
                    return Err(failure);
                }
                all.extend(many.piece(from, to - from));
            }
        }
        assert_eq!(one_by_one.unwrap(), all, "window {window}");
        Ok((all, many.road.is_some()))
    }

    #[test]
    fn many_at_once_are_the_same() {
        let texts = [
            "0.77",
            "0.07",
            "4.7",
            "0.137",
            "0.6",
            "0.156",
            "0.106",
            "4.47",
            "0.524",
            "0.045",
            "4.0",
            "0.26",
            "0.165",
            "0.104",
            "0.3546",
            "0.1077",
            "0.3156",
            "0.1777",
            "0.00000006",
            "0.2006",
        ];
        let masks = [1, 2, 3, 5, 7, 9, 12, 13, 15, 23, 31, 47, 61, 63];
        let mut roads = 0;
        for text in texts {
            let code = Code::new(&game(text)).unwrap();
            let right = plain(&code, 1100);
            for (mask, parity) in masks.into_iter().flat_map(|mask| [(mask, false), (mask, true)]) {
                for (window, bits) in [(code.digits.len(), 16), (300, 32), (2000, 16), (2000, 32)] {
                    if let Ok((found, road)) = both_roads(&code, &Space { mask, parity }, window, bits) {
                        assert_eq!(found[..1100], right, "{text}, mask {mask}, parity {parity}, window {window}");
                        assert_eq!(road, mask % 2 == 1, "{text}, mask {mask}, parity {parity}, window {window}");
                        roads += usize::from(road);
                    }
                }
            }
        }
        assert!(roads > 50, "{roads}");
    }

    /// Theorem 4 against the first theorem: whatever is said of small codes, a window proves only what many values prove.
    #[test]
    fn a_window_proves_what_many_values_prove() {
        let (mut proved, mut refused) = (0, 0);
        for n in (0..1024_u32).step_by(3) {
            let (first, digit) = (if n < 512 { 0 } else { 4 }, |i: u32| n >> (3 * i) & 7);
            let text = format!("{first}.{}{}{}", digit(2), digit(1), digit(0));
            let code = Code::new(&game(&text)).unwrap();
            if code.most_heaps() != 2 {
                continue;
            }
            let right = plain(&code, 400);
            // All short periods that the values may have.
            for p in (1..80).filter(|p| right[300..] == right[300 - p..400 - p]) {
                let n0 = (0..300).rev().find(|&n| right[n] != right[n + p]).map_or(0, |n| n + 1);
                for (preperiod, period) in [(n0, p), (n0 + 1, p), (n0.saturating_sub(1), p), (n0, 2 * p)] {
                    for mask in 1..16 {
                        for (window, parity) in [(8, false), (24, false), (60, false), (60, true)] {
                            let claim = |window| NimPeriod { preperiod, period, space: Space { mask, parity }, window };
                            if check(&game(&text), &claim(Some(window)), &free_meter()).is_ok() {
                                proved += 1;
                                let known = check(&game(&text), &claim(None), &free_meter());
                                assert!(
                                    known.is_ok(),
                                    "{text}: {preperiod}, {period}, window {window}, {mask}: {known:?}"
                                );
                            } else {
                                refused += 1;
                            }
                        }
                    }
                }
            }
        }
        assert!(proved > 100 && refused > 100, "{proved} {refused}");
    }

    #[test]
    fn periods_are_checked() {
        let verdict = |code: &str, preperiod: usize, period: usize, window: Option<usize>| {
            let claim = NimPeriod { preperiod, period, space: Space { mask: 15, parity: false }, window };
            check(&game(code), &claim, &free_meter()).is_ok()
        };
        for window in [None, Some(200)] {
            assert!(verdict("0.77", 71, 12, window), "{window:?}");
            for (preperiod, period) in [(70, 12), (72, 12), (71, 6), (71, 24), (71, 36), (71, 13), (71, 0), (0, 12)] {
                assert!(!verdict("0.77", preperiod, period, window), "{preperiod}, {period}, {window:?}");
            }
        }
        // Most of these heaps go many at once.
        let long = |preperiod: usize, period: usize, mask: u64, window: usize| {
            let claim = NimPeriod { preperiod, period, space: Space { mask, parity: false }, window: Some(window) };
            check(&game("0.1075"), &claim, &free_meter()).is_ok()
        };
        assert!(long(70_314, 36_732, 31, 1000));
        for (preperiod, period) in
            [(70_313, 36_732), (70_315, 36_732), (70_314, 36_731), (70_314, 36_733), (70_314, 18_366), (70_314, 73_464)]
        {
            assert!(!long(preperiod, period, 31, 1000), "{preperiod}, {period}");
        }
        assert!(!long(70_314, 36_732, 29, 1000) && !long(70_314, 36_732, 31, 100));
        assert!(verdict("0.07", 53, 34, None));
        assert!(!verdict("0.07", 53, 17, None));
        assert!(!verdict("0.33", 0, 3, None), "no heap is split");
        assert!(!verdict("0.[7]", 0, 2, None), "the code repeats");
        assert!(!verdict("0.9", 1, 1, None), "three heaps are left");
        for (preperiod, period) in [(usize::MAX, 12), (71, usize::MAX), (usize::MAX, usize::MAX)] {
            assert!(!verdict("0.77", preperiod, period, None));
            assert!(!verdict("0.77", preperiod, period, Some(200)));
        }
        for window in [0, 1, 2, usize::MAX] {
            assert!(!verdict("0.77", 71, 12, Some(window)), "{window}");
        }
    }

    #[test]
    fn primes_are_found() {
        let all = |n| primes(n).collect::<Vec<_>>();
        assert_eq!((all(1), all(2), all(12), all(49), all(97)), (vec![], vec![2], vec![2, 3], vec![7], vec![97]));
        assert_eq!(all(60_620_715), [3, 5, 1_347_127]);
    }
}
