//! The outcomes of G × a box of counts, many counts in one machine word.
//!
//! The first counter is the smallest heap of all counters. Its counts are the bits of a word, so that the options of all larger
//! heaps are asked for all its counts at once; the words of one vector of the other counts lie side by side.

use super::OptionTable;
use super::monoid::{Monoid, NONE, index};
use semilinear::run::{Monitor, StopReason};

/// No box is wider: a count and the copies that an option adds must be a place in a word.
pub(super) const WIDEST: usize = 44;

/// So many of the largest counts of a box may be wrong, since options lead out of it.
pub(super) const MARGIN: usize = 2;

/// Which sums of elements and few counters are P-positions.
pub(super) struct Grid {
    /// The number of elements.
    order: usize,
    /// The number of values of each count.
    widths: Vec<usize>,
    /// For each vector of the counts but the first, the second fastest, and each element: bit n for n copies of the first counter.
    /// Beyond the box the last two counts take turns.
    words: Vec<u64>,
}

/// Where an option leads: an element, and the number of a change of the counts.
type Target = (u32, u32);

/// Elements and their options, one list after another.
struct Targets {
    ends: Vec<usize>,
    list: Vec<Target>,
}

impl Targets {
    fn of(&self, element: usize) -> &[Target] {
        let from = if element == 0 { 0 } else { self.ends[element - 1] };
        &self.list[from..self.ends[element]]
    }
}

/// What is known of a box before it is filled.
struct Filling<'a> {
    monitor: &'a dyn Monitor,
    grid: Grid,
    r: usize,
    /// The changes of counts.
    changes: Vec<Vec<i32>>,
    /// The options of letters larger than the first counter, and of those smaller.
    large: Targets,
    small: Targets,
    /// The options of each counter.
    counted: Vec<Targets>,
    /// For each counter, the part of each element's least word that has larger letters only.
    upper: Vec<Vec<u32>>,
}

/// The value of a heap, as an element and counts.
pub(super) type Value = (u32, Vec<u32>);

impl Grid {
    /// Decides all sums, each at its least word: it is a P-position when it has a move and no option is one. Counts beyond
    /// the box are taken for the last ones of the same parity. Nothing when a word has no room for the copies that options add.
    ///
    /// # Complexity
    /// One look at a word for each element, option, and vector of the counts but the first.
    pub fn filled(
        monoid: &Monoid,
        counters: &[u32],
        values: &[Value],
        widths: &[usize],
        table: &OptionTable,
        monitor: &dyn Monitor,
    ) -> Result<Option<Self>, StopReason> {
        let (r, order) = (counters.len(), monoid.order());
        let mut changes: Vec<Vec<i32>> = Vec::new();
        let mut options = |heap: u32, less: Option<usize>| -> Vec<Target> {
            let mut seen: Vec<Target> = Vec::new();
            for parts in table.options(heap as usize) {
                let (mut element, mut counts) = (0, vec![0; r]);
                for &part in parts {
                    let (v, k) = &values[part as usize];
                    element = monoid.product(element, *v);
                    counts.iter_mut().zip(k).for_each(|(c, &k)| *c += i32::try_from(k).expect("few copies"));
                }
                if let Some(i) = less {
                    counts[i] -= 1;
                }
                let change = changes.iter().position(|c| *c == counts).unwrap_or_else(|| {
                    changes.push(counts);
                    changes.len() - 1
                });
                seen.push((element, index(change)));
            }
            seen.sort_unstable();
            seen.dedup();
            seen
        };
        let by_letter: Vec<Vec<Target>> = monoid.letters().iter().map(|&h| options(h, None)).collect();
        let by_counter: Vec<Vec<Target>> = counters.iter().enumerate().map(|(i, &h)| options(h, Some(i))).collect();
        let most = changes.iter().flatten().copied().max().unwrap_or(0);
        if widths[0] + usize::try_from(most).unwrap_or(0) > 64 {
            return Ok(None);
        }
        let divisors = monoid.divisors(monitor)?;
        let gather = |list: &dyn Fn(u32, &mut Vec<Target>)| -> Result<Targets, StopReason> {
            let mut targets = Targets { ends: Vec::with_capacity(order), list: Vec::new() };
            let mut own = Vec::new();
            for x in 0..index(order) {
                if x % 64 == 0 {
                    monitor.check(u64::from(x), Some(order as u64))?;
                }
                own.clear();
                list(x, &mut own);
                own.sort_unstable();
                own.dedup();
                targets.list.extend_from_slice(&own);
                targets.ends.push(targets.list.len());
            }
            Ok(targets)
        };
        let by_letters = |small: bool| {
            gather(&|x, own| {
                for (l, &heap) in monoid.letters().iter().enumerate() {
                    let y = divisors[l][x as usize];
                    if y != NONE && (heap < counters[0]) == small {
                        own.extend(by_letter[l].iter().map(|&(t, change)| (monoid.product(y, t), change)));
                    }
                }
            })
        };
        let (large, small) = (by_letters(false)?, by_letters(true)?);
        let counted = by_counter
            .iter()
            .map(|all| gather(&|x, own| own.extend(all.iter().map(|&(t, change)| (monoid.product(x, t), change)))))
            .collect::<Result<_, _>>()?;
        let upper = counters
            .iter()
            .map(|&counter| {
                let mut upper: Vec<u32> = vec![0; order];
                for x in 1..order {
                    let (p, l) = monoid.parent(index(x)).expect("only the identity has none");
                    if monoid.letters()[l] > counter {
                        upper[x] = monoid.step(l, upper[p as usize]);
                    }
                }
                upper
            })
            .collect();
        let words = vec![0; order * widths[1..].iter().product::<usize>()];
        let grid = Self { order, widths: widths.to_vec(), words };
        let mut filling = Filling { monitor, grid, r, changes, large, small, counted, upper };
        monitor.phase("outcomes of small sums");
        filling.runs(r - 1, 0..order, &mut vec![0; r])?;
        Ok(Some(filling.grid))
    }

    /// The vectors of the counts but the first.
    pub fn slabs(&self) -> impl Iterator<Item = &[u64]> {
        self.words.chunks(self.order)
    }

    /// Those that the end of the box does not touch, and the counts of the first counter that it does not touch.
    pub fn inner(&self) -> (impl Iterator<Item = &[u64]>, u64) {
        let inside = |mut place: usize| {
            self.widths[1..].iter().all(|width| {
                let n = place % width;
                place /= width;
                n + MARGIN < *width
            })
        };
        let slabs = self.slabs().enumerate().filter(move |(i, _)| inside(*i)).map(|(_, slab)| slab);
        (slabs, u64::MAX >> (64 - (self.widths[0] - MARGIN)))
    }
}

impl Filling<'_> {
    /// Splits elements into runs whose least words have the same letters larger than counter k, and goes through the counts of k for each.
    fn runs(&mut self, k: usize, within: std::ops::Range<usize>, a: &mut Vec<usize>) -> Result<(), StopReason> {
        let mut from = within.start;
        while from < within.end {
            let upper = &self.upper[k];
            let mut end = from + 1;
            while end < within.end && upper[end] == upper[from] {
                end += 1;
            }
            if k == 0 {
                self.run(from..end, a)?;
            } else {
                for n in 0..self.grid.widths[k] {
                    a[k] = n;
                    self.runs(k - 1, from..end, a)?;
                }
                a[k] = 0;
            }
            from = end;
        }
        Ok(())
    }

    /// All counts of the first counter beside the elements of a run.
    fn run(&mut self, elements: std::ops::Range<usize>, a: &[usize]) -> Result<(), StopReason> {
        let (widths, order, r) = (self.grid.widths.clone(), self.grid.order, self.r);
        let width = widths[0];
        // Where each change of counts leads from here.
        let slab = |change: &[i32]| -> Option<usize> {
            (1..r).rev().try_fold(0, |place, i| {
                let n = a[i].checked_add_signed(change[i] as isize)?;
                let n = if n < widths[i] { n } else { widths[i] - 2 + (n - widths[i]) % 2 };
                Some(place * widths[i] + n)
            })
        };
        let places: Vec<Option<usize>> = self.changes.iter().map(|change| slab(change).map(|s| s * order)).collect();
        let shifts: Vec<i32> = self.changes.iter().map(|change| change[0]).collect();
        let here = (1..r).rev().fold(0, |place, i| place * widths[i] + a[i]) * order;
        let all = u64::MAX >> (64 - width);
        self.monitor.check(here as u64, Some(self.grid.words.len() as u64))?;
        let mut open: Vec<u64> = Vec::with_capacity(elements.len());
        for x in elements.clone() {
            let mut lost = 0;
            let larger = (1..r).filter(|&i| a[i] > 0).map(|i| self.counted[i].of(x));
            'options: for list in std::iter::once(self.large.of(x)).chain(larger) {
                for &(y, change) in list {
                    let place = places[change as usize].expect("a counter that is there can be moved");
                    lost |= self.grid.words[place + y as usize] >> shifts[change as usize];
                    if lost & all == all {
                        break 'options;
                    }
                }
            }
            open.push(!lost & all);
        }
        if open.iter().all(|&word| word == 0) {
            return Ok(());
        }
        for n in 0..width {
            for (x, open) in elements.clone().zip(&open) {
                if open >> n & 1 == 0 || (x, n, here) == (0, 0, 0) {
                    continue;
                }
                let words = &self.grid.words;
                let lost = self.small.of(x).iter().any(|&(y, _)| words[here + y as usize] >> n & 1 == 1)
                    || n > 0
                        && self.counted[0].of(x).iter().any(|&(y, _)| words[here + y as usize] >> (n - 1) & 1 == 1);
                if !lost {
                    self.grid.words[here + x] |= 1 << n;
                }
            }
        }
        for x in elements {
            let word = &mut self.grid.words[here + x];
            for n in width..64 {
                *word |= (*word >> (n - 2) & 1) << n;
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::solve::quotient::{Builder, Word};
    use rustc_hash::FxHashMap;
    use semilinear::run::Unlimited;

    /// Whether a sum is a P-position in misère play, by plain recursion.
    fn plain(word: &Word, table: &OptionTable, known: &mut FxHashMap<Word, bool>) -> bool {
        if let Some(&p) = known.get(word) {
            return p;
        }
        let mut moves = word.iter().flat_map(|&(heap, _)| table.options(heap as usize).map(move |parts| (heap, parts)));
        let options: Vec<Word> = moves
            .by_ref()
            .map(|(heap, parts)| {
                let mut counts: std::collections::BTreeMap<u32, u32> = word.iter().copied().collect();
                *counts.get_mut(&heap).expect("the heap is there") -= 1;
                for part in parts.iter().copied() {
                    *counts.entry(part).or_default() += 1;
                }
                counts.into_iter().filter(|&(_, n)| n > 0).collect()
            })
            .collect();
        let p = !options.is_empty() && !options.iter().any(|option| plain(option, table, known));
        known.insert(word.clone(), p);
        p
    }

    #[test]
    fn boxes_agree_with_plain_recursion() {
        for (code, heaps, counters) in
            [("0.77", 6, vec![1, 2]), ("0.77", 6, vec![1, 2, 5]), ("0.123", 10, vec![5]), ("0.3102", 8, vec![2, 4, 7])]
        {
            let mut builder = Builder::new();
            builder.extend_to(&code.parse().unwrap(), heaps, &Unlimited).unwrap();
            let candidate = builder.candidate();
            let (monoid, values, words) = candidate.unfold(&[], &counters, &Unlimited).unwrap();
            let copies = |word: &Word, c: u32| word.iter().find(|(h, _)| *h == c).map_or(0, |&(_, n)| n);
            let counts = |word: &Word| counters.iter().map(|&c| copies(word, c)).collect::<Vec<u32>>();
            let pairs: Vec<Value> = values.into_iter().zip(words.iter().map(counts)).collect();
            let widths: Vec<usize> = [9, 8, 7][..counters.len()].to_vec();
            let table = builder.table();
            let grid = Grid::filled(&monoid, &counters, &pairs, &widths, table, &Unlimited).unwrap().unwrap();
            let mut known = FxHashMap::default();
            for (place, slab) in grid.slabs().enumerate() {
                for (g, word) in slab.iter().enumerate() {
                    for n in 0..widths[0] {
                        let mut rest = place;
                        let mut sum = monoid.word(index(g));
                        for (i, &counter) in counters.iter().enumerate() {
                            let copies = if i == 0 {
                                n
                            } else {
                                let copies = rest % widths[i];
                                rest /= widths[i];
                                copies
                            };
                            sum = crate::solve::quotient::monoid::times(&sum, counter, index(copies));
                        }
                        sum.retain(|&(_, n)| n > 0);
                        assert_eq!(word >> n & 1 == 1, plain(&sum, table, &mut known), "{code}: {sum:?}");
                    }
                }
            }
        }
    }
}
