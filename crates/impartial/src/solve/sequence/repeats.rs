//! Whether a long sequence repeats, in constant memory: residues of the sequence at places that the values themselves choose.

/// So many values decide whether the place after them is marked.
const CONTEXT: usize = 256;
/// At most so many marks are kept.
const MOST: usize = 1 << 16;
/// At first one place in 2⁸ is marked.
const FIRST_LEVEL: u32 = 8;
/// Residues are those of polynomials in this number, modulo 2⁶⁴.
const BASE: u64 = 0x9e37_79b9_7f4a_7c15;
const SQUARE: u64 = power(2);
/// What a value counts in the residue of a context when it leaves it.
const LEAVING: [u64; 256] = {
    let mut leaving = [0; 256];
    let mut value = 0;
    while value < 256 {
        leaving[value] = power(CONTEXT).wrapping_mul(value as u64 + 1);
        value += 1;
    }
    leaving
};

/// Marks of a sequence of bytes. A place is marked when the residue of the values just before it begins with enough zeros, wherever they stand: what comes
/// again is marked again. When there are too many marks one more zero is asked for, and marks that lack it are dropped; so a bounded
/// number of them spans a sequence of any length.
///
/// Equal residues prove nothing, and a period in which no place is marked is not found: this says what is worth a proof.
pub(super) struct Repeats {
    /// How many values were taken in.
    len: usize,
    /// The residue of the last [`CONTEXT`] values, and of all.
    context: u64,
    all: u64,
    level: u32,
    marks: Vec<Mark>,
}

/// A place, after `end` values, with the residues there.
#[derive(Clone, Copy)]
struct Mark {
    end: usize,
    context: u64,
    all: u64,
}

/// BASEⁿ.
const fn power(mut n: usize) -> u64 {
    let (mut base, mut power) = (BASE, 1_u64);
    while n > 0 {
        if n % 2 == 1 {
            power = power.wrapping_mul(base);
        }
        base = base.wrapping_mul(base);
        n /= 2;
    }
    power
}

impl Repeats {
    pub fn new() -> Self {
        Self { len: 0, context: 0, all: 0, level: FIRST_LEVEL, marks: Vec::new() }
    }

    /// Takes in `list[from..]`. What stands before it in the list are the values before: all of them, or [`CONTEXT`] at least.
    pub fn add(&mut self, list: &[u8], from: usize) {
        let full = list.len().min(from + CONTEXT.saturating_sub(self.len));
        for &value in &list[from..full] {
            self.context = self.context.wrapping_mul(BASE).wrapping_add(u64::from(value) + 1);
            self.all = self.context;
            self.len += 1;
        }
        let mut next = full;
        while next < list.len() {
            next = self.add_until_full(list, next);
            while self.marks.len() >= MOST && self.level < u64::BITS - 1 {
                self.level += 1;
                let (level, bits) = (self.level, u64::BITS);
                self.marks.retain(|mark| mark.context >> (bits - level) == 0);
            }
            if self.marks.len() >= MOST {
                self.marks.clear();
            }
        }
    }

    /// Takes in `list[from..]` or less, until there are too many marks; returns how far it came.
    fn add_until_full(&mut self, list: &[u8], from: usize) -> usize {
        let shift = u64::BITS - self.level;
        let (new, old) = (&list[from..], &list[from - CONTEXT..list.len() - CONTEXT]);
        let mut taken = 0;
        // Two values in a step, whose products do not wait for each other.
        for (&[a, b], &[c, d]) in new.as_chunks::<2>().0.iter().zip(old.as_chunks::<2>().0) {
            let (a, b) = (u64::from(a) + 1, u64::from(b) + 1);
            let (first, second) = (a.wrapping_sub(LEAVING[usize::from(c)]), b.wrapping_sub(LEAVING[usize::from(d)]));
            let context = self.context.wrapping_mul(BASE).wrapping_add(first);
            let all = self.all;
            self.context =
                self.context.wrapping_mul(SQUARE).wrapping_add(first.wrapping_mul(BASE).wrapping_add(second));
            self.all = all.wrapping_mul(SQUARE).wrapping_add(a.wrapping_mul(BASE).wrapping_add(b));
            taken += 2;
            if context >> shift == 0 || self.context >> shift == 0 {
                if context >> shift == 0 {
                    let all = all.wrapping_mul(BASE).wrapping_add(a);
                    self.marks.push(Mark { end: self.len + taken - 1, context, all });
                }
                if self.context >> shift == 0 {
                    self.marks.push(Mark { end: self.len + taken, context: self.context, all: self.all });
                }
                if self.marks.len() >= MOST {
                    break;
                }
            }
        }
        if let ([a], [c]) = (&new[taken..], &old[taken..]) {
            self.all = self.all.wrapping_mul(BASE).wrapping_add(u64::from(*a) + 1);
            let change = (u64::from(*a) + 1).wrapping_sub(LEAVING[usize::from(*c)]);
            self.context = self.context.wrapping_mul(BASE).wrapping_add(change);
            taken += 1;
            if self.context >> shift == 0 {
                self.marks.push(Mark { end: self.len + taken, context: self.context, all: self.all });
            }
        }
        self.len += taken;
        from + taken
    }

    /// The least p such that the values come again p places later from some n₀ on, n₀ + p ≤ `room`, as far as marks tell: they
    /// tell n₀ up to the distance of two marks, which counts against p or, when `lenient`, for it.
    pub fn least(&self, room: usize, lenient: bool) -> Option<usize> {
        let (last, earlier) = self.marks.split_last()?;
        let equal = earlier.iter().enumerate().rev().filter(|(_, mark)| mark.context == last.context);
        let mut shifts = equal.map(|(i, mark)| (i, last.end - mark.end)).take_while(|&(_, p)| p <= room);
        let found = shifts.find(|&(i, p)| {
            let (low, high) = self.begin(i);
            p + if lenient { low } else { high } <= room
        });
        found.map(|(_, p)| p)
    }

    /// Bounds of where the repetition begins that the last mark and mark i show, seen by going back from both.
    fn begin(&self, i: usize) -> (usize, usize) {
        let mut late = self.marks.len() - 1;
        for early in (1..=i).rev() {
            let [a, b] = [late, early].map(|mark| (self.marks[mark - 1], self.marks[mark]));
            let gap = a.1.end - a.0.end;
            let between = a.0.all.wrapping_sub(b.0.all).wrapping_mul(power(gap));
            let same =
                a.0.context == b.0.context && gap == b.1.end - b.0.end && a.1.all.wrapping_sub(b.1.all) == between;
            if !same {
                // Equal values before `b.0` and after it would have been the same marks with the same residues.
                return (b.0.end.saturating_sub(CONTEXT), b.1.end);
            }
            late -= 1;
        }
        (0, self.marks[0].end)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Bytes without structure.
    fn random(seed: u64, len: usize) -> Vec<u8> {
        (0..len as u64)
            .map(|i| {
                let mixed = (i ^ seed << 32).wrapping_mul(0x9e37_79b9_7f4a_7c15);
                (mixed ^ mixed >> 29).wrapping_mul(0xbf58_476d_1ce4_e5b9).to_be_bytes()[0] >> 4
            })
            .collect()
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(24))]

        #[test]
        fn long_periods_are_found(seed in 1_u64..1000, head in 0_usize..40_000, period in 30_000_usize..90_000, piece in 300_usize..50_000) {
            let start = random(seed, head + period);
            let mut values = start.clone();
            let (mut repeats, mut taken) = (Repeats::new(), 0);
            let mut found = None;
            while found.is_none() && values.len() < 4 * (head + period) {
                let more = piece.min(values.len());
                for _ in 0..more {
                    values.push(values[values.len() - period]);
                }
                repeats.add(&values, taken);
                taken = values.len();
                found = repeats.least(values.len() / 2, false).map(|p| (p, values.len()));
            }
            let (p, len) = found.expect("a period of random values has marks");
            prop_assert_eq!(p, period);
            // As soon as the theorem allows, but for the distance of marks and the length of a piece.
            prop_assert!(len >= 2 * (head + period) && len <= 2 * (head + period) + 2 * piece + 16_000, "{len}");
            prop_assert_eq!(repeats.least(len / 2, true), Some(period));
        }

        #[test]
        fn what_does_not_repeat_is_not_found(seed in 1_u64..1000, len in 1_usize..200_000) {
            let mut repeats = Repeats::new();
            repeats.add(&random(seed, len), 0);
            prop_assert_eq!(repeats.least(len / 2, true), None);
        }
    }

    #[test]
    fn a_break_in_a_repetition_is_seen() {
        let block = random(7, 30_000);
        let mut values = block.repeat(8);
        let mut whole = Repeats::new();
        whole.add(&values, 0);
        assert_eq!(whole.least(values.len() / 2, false), Some(30_000));
        // One value, far from both ends.
        values[150_000] ^= 1;
        let mut broken = Repeats::new();
        broken.add(&values, 0);
        assert_eq!(broken.least(values.len() / 2, true), None);
    }

    #[test]
    fn marks_are_few_and_span_the_sequence() {
        let mut repeats = Repeats::new();
        let values = random(3, 20_000_000);
        repeats.add(&values[..1000], 0);
        repeats.add(&values, 1000);
        assert!((MOST / 4..MOST).contains(&repeats.marks.len()), "{}", repeats.marks.len());
        assert!(repeats.marks[0].end < 100_000 && repeats.len - repeats.marks[repeats.marks.len() - 1].end < 100_000);
        let mut at_once = Repeats::new();
        at_once.add(&values, 0);
        assert_eq!(
            (at_once.all, at_once.context, at_once.marks.len()),
            (repeats.all, repeats.context, repeats.marks.len())
        );
    }
}
