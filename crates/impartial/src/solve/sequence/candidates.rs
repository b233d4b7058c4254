//! For sixteen heaps at once, whether splits have one of a few values.

use super::values::Lane;
use crate::solve::wide::{Loop, widest};

/// Heaps that are treated at once.
pub(super) const BATCH: usize = 16;
/// Values that are looked at for each heap.
const CANDIDATES: usize = 8;

/// The highest bit of each number of 16 bits, and the lowest one.
const TOPS: u64 = 0x8000_8000_8000_8000;
const ONES: u64 = 0x0001_0001_0001_0001;
/// A number of 15 bits that is no sum of values.
const NO_VALUE: u64 = 0x7fff;

/// For each heap of a batch a few values below 2¹⁵ − 1; a pass over the rare heaps finds those that a split has, without
/// marking the others, which is cheaper where marks have left few values in question.
#[derive(Default)]
pub(super) struct Candidates {
    /// `values[c]`: candidate c of every heap, in 16 bits each.
    values: [[u64; 4]; CANDIDATES],
    /// The highest of the same 16 bits: no split had the candidate.
    free: [[u64; 4]; CANDIDATES],
}

/// Rare heaps (a range of the list of them) that are split off after k beans were taken.
#[derive(Clone, Copy, Debug)]
pub(super) struct Splits {
    pub k: usize,
    pub from: usize,
    pub to: usize,
}

impl Candidates {
    /// Takes the first values that neither list marks. All that are not taken are larger than the result.
    pub fn take(&mut self, heap: usize, marks: &[u8], types: &[u8]) -> usize {
        let (word, shift) = (heap / 4, heap % 4 * 16);
        let mut put = |candidate: usize, value: u64| {
            let place = &mut self.values[candidate][word];
            *place = *place & !(0xffff << shift) | value << shift;
            self.free[candidate][word] |= 0x8000 << shift;
        };
        let mut next = 0;
        for (i, (marks, types)) in (0_usize..).zip(marks.as_chunks::<8>().0.iter().zip(types.as_chunks::<8>().0)) {
            // A byte of a list is 0 or 1.
            let mut left = !(u64::from_le_bytes(*marks) | u64::from_le_bytes(*types)) & 0x0101_0101_0101_0101;
            while left != 0 {
                let value = 8 * i + left.trailing_zeros() as usize / 8;
                put(next, value as u64);
                next += 1;
                if next == CANDIDATES {
                    return value;
                }
                left &= left - 1;
            }
        }
        (next..CANDIDATES).for_each(|candidate| put(candidate, NO_VALUE));
        usize::MAX
    }

    /// Compares the candidates of the heaps n, …, n + [`BATCH`] − 1 with all these splits.
    pub fn compare<L: Lane>(&mut self, values: &[L], n: usize, rare: &[(usize, u16)], splits: &[Splits]) {
        widest(Compare { candidates: self, values, n, rare, splits });
    }

    /// Marks the candidates of a heap that splits have; says whether one is left.
    pub fn mark(&self, heap: usize, marks: &mut [u8]) -> bool {
        let (word, shift) = (heap / 4, heap % 4 * 16);
        let mut any = false;
        for (values, free) in self.values.iter().zip(&self.free) {
            if free[word] >> shift & 0x8000 != 0 {
                any = true;
            } else {
                marks[usize::from((values[word] >> shift & 0xffff) as u16)] = 1;
            }
        }
        any
    }
}

struct Compare<'a, L> {
    candidates: &'a mut Candidates,
    values: &'a [L],
    n: usize,
    rare: &'a [(usize, u16)],
    splits: &'a [Splits],
}

impl<L: Lane> Loop for Compare<'_, L> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        let candidates = self.candidates.values;
        let mut free = self.candidates.free;
        for &Splits { k, from, to } in self.splits {
            for &(heap, value) in &self.rare[from..to] {
                let at = self.n - k - heap;
                let others = L::sixteen(self.values[at..at + BATCH].try_into().expect("as long as a batch"));
                let value = u64::from(value) * ONES;
                for i in 0..4 {
                    // With the highest bit set, taking 1 away clears that bit when all others are equal, and else does not;
                    // nothing is ever borrowed from the next number.
                    let sum = others[i] ^ value | TOPS;
                    for (free, candidates) in free.iter_mut().zip(&candidates) {
                        free[i] &= (sum ^ candidates[i]) - ONES;
                    }
                }
            }
        }
        self.candidates.free = free;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn check<L: Lane>(values: &[L], marks: &[u8], rare: &[usize]) -> Result<(), TestCaseError> {
        let types: Vec<u8> = (0..64_u8).map(|v| u8::from(v.count_ones() % 2 == 1)).collect();
        let rare: Vec<(usize, u16)> = rare.iter().map(|&r| (r, u16::try_from(values[r].index()).unwrap())).collect();
        let splits = [1, 3].map(|k| Splits { k, from: k / 3, to: rare.len() });
        let mut candidates = Candidates::default();
        let n = values.len();
        for _ in 0..2 {
            let taken: Vec<usize> = (0..BATCH).map(|heap| candidates.take(heap, marks, &types)).collect();
            candidates.compare(values, n, &rare, &splits);
            for (heap, &last) in taken.iter().enumerate() {
                let mut marked = marks.to_vec();
                let left = candidates.mark(heap, &mut marked);
                let open: Vec<usize> = (0..64).filter(|&v| marks[v] | types[v] == 0).take(CANDIDATES).collect();
                let hit = |v: usize| {
                    splits.iter().any(|s| {
                        rare[s.from..s.to]
                            .iter()
                            .any(|&(r, a)| values[n + heap - s.k - r].index() ^ usize::from(a) == v)
                    })
                };
                prop_assert_eq!(last, if open.len() < CANDIDATES { usize::MAX } else { open[CANDIDATES - 1] });
                prop_assert_eq!(left, open.len() < CANDIDATES || open.iter().any(|&v| !hit(v)));
                for v in 0..64 {
                    prop_assert_eq!(marked[v], u8::from(marks[v] == 1 || open.contains(&v) && hit(v)));
                }
            }
        }
        Ok(())
    }

    proptest! {
        #[test]
        fn candidates_are_marked_when_a_split_has_them(
            values in prop::collection::vec(0_u8..32, 120),
            marks in prop::collection::vec(0_u8..2, 64),
            rare in prop::collection::btree_set(16_usize..90, 2..30),
        ) {
            let rare: Vec<usize> = rare.into_iter().collect();
            check(&values, &marks, &rare)?;
            let wide: Vec<u16> = values.iter().map(|&v| v.into()).collect();
            check(&wide, &marks, &rare)?;
        }
    }
}
