//! The Chomp sieve for many rows, block by block.
//!
//! A tail is split into a prefix of d rows and a suffix of s rows. A bite inside the prefix maps the
//! suffixes with no row longer than the bitten column onto themselves, so that the tails it reaches
//! are those of one other prefix. About one tail in a hundred has a P-position: for each prefix these are
//! a short list, and all lists together stay in the cache. Suffixes that the bite truncates are served
//! from the truncated one, with lists made once.

use std::sync::atomic::Ordering::Relaxed;

use semilinear::run::{Monitor, StopReason};

use super::first_rows::FirstRows;
use super::lists::BlockLists;
use super::rank::{Ranking, advance, count, wavefront};

/// The most suffixes: what a thread works on should stay in its cache.
const MOST_SUFFIXES: u128 = 1 << 18;

/// What does not depend on the prefix: the suffixes, their options and their truncations.
struct Suffixes {
    /// Which suffixes become r′ by a bite in their own rows.
    bitten: Lists,
    /// For each column j: which suffixes become r′ when rows longer than j are cut to j.
    truncated: Vec<Lists>,
}

/// For each suffix r′ a list of suffixes r ≥ r′, in increasing order.
struct Lists {
    starts: Vec<u32>,
    entries: Vec<u32>,
}

impl Lists {
    /// The lists for all suffixes r in order, each of which calls with its r′.
    fn new(
        total: usize,
        images: impl Fn(usize, &mut dyn FnMut(usize)),
        monitor: &dyn Monitor,
    ) -> Result<Self, StopReason> {
        // Sorted by counting: how many images are smaller than each.
        let mut starts = vec![0_u32; total + 1];
        for r in 0..total {
            if r % 256 == 0 {
                monitor.check(r as u64, Some(total as u64))?;
            }
            images(r, &mut |image| starts[image + 1] += 1);
        }
        for image in 0..total {
            starts[image + 1] += starts[image];
        }
        let (mut next, mut entries) = (starts.clone(), vec![0; starts[total] as usize]);
        for r in 0..total {
            if r % 256 == 0 {
                monitor.check(r as u64, Some(total as u64))?;
            }
            images(r, &mut |image| {
                entries[next[image] as usize] = u32::try_from(r).expect("few suffixes");
                next[image] += 1;
            });
        }
        Ok(Self { starts, entries })
    }

    /// The list of a suffix, as far as its entries are below `size`.
    #[inline]
    fn below(&self, image: usize, size: usize) -> impl Iterator<Item = usize> {
        let list = &self.entries[self.starts[image] as usize..self.starts[image + 1] as usize];
        list.iter().map(|&r| r as usize).take_while(move |&r| r < size)
    }
}

impl Suffixes {
    fn new(rows: usize, columns: usize, monitor: &dyn Monitor) -> Result<Self, StopReason> {
        let ranking = Ranking::new(&vec![columns; rows], 1 << 20).expect("the caller chose few rows");
        // All suffixes, one after the other.
        let mut all = Vec::with_capacity(ranking.size() * rows);
        let (mut suffix, bounds) = (vec![0; rows], vec![columns; rows]);
        loop {
            all.extend_from_slice(&suffix);
            if !advance(&mut suffix, &bounds, 0) {
                break;
            }
        }
        let total = all.len() / rows;
        // What the rows from `first` on, none longer than j, add to a number.
        let cut = |suffix: &[usize], first: usize, j: usize| -> usize {
            (first..rows).map(|t| ranking.weight(t, suffix[t].min(j))).sum()
        };
        monitor.phase("columns");
        let suffix = |r: usize| &all[r * rows..(r + 1) * rows];
        let options = |r: usize, found: &mut dyn FnMut(usize)| {
            let (suffix, mut before) = (suffix(r), 0);
            for i in 0..rows {
                (0..suffix[i]).for_each(|j| found(before + cut(suffix, i, j)));
                before += ranking.weight(i, suffix[i]);
            }
        };
        let bitten = Lists::new(total, options, monitor)?;
        let truncated = (0..columns)
            .map(|j| Lists::new(total, |r, found| found(cut(suffix(r), 0, j)), monitor))
            .collect::<Result<_, _>>()?;
        Ok(Self { bitten, truncated })
    }
}

/// The first rows up to `width` ≤ 63 for the tails in a box with at least two rows.
pub(super) fn table(ranking: &Ranking, width: usize, monitor: &dyn Monitor) -> Result<FirstRows, StopReason> {
    let (k, n) = (ranking.rows(), ranking.columns());
    let mut s = 1;
    while s + 1 < k && count(s + 1, n).is_some_and(|suffixes| suffixes <= MOST_SUFFIXES) {
        s += 1;
    }
    let suffixes = Suffixes::new(s, n, monitor)?;
    let prefixes = Ranking::new(&vec![n; k - s], ranking.size()).expect("fewer prefixes than tails");
    let lists = BlockLists::new(prefixes.size(), ranking.size())?;
    let board = Board { ranking, prefixes: &prefixes, width, lists: &lists, suffixes: &suffixes };
    wavefront(&vec![n; k - s], 1, monitor, &|block| {
        let (mut free, mut alive, mut list) = (Vec::new(), Vec::new(), Vec::new());
        block.for_each(|prefix| {
            list.clear();
            if prefix[0] == width {
                board.solve_widest(prefix, &mut alive, &mut list);
            } else {
                board.solve(prefix, &mut free, &mut list);
            }
            board.lists.enter(board.number(prefix), &list);
        });
    })?;
    let mut rows = FirstRows::default();
    let mut prefix = vec![0; k - s];
    for block in 0..prefixes.size() {
        if block % 1024 == 0 {
            monitor.check(block as u64, Some(prefixes.size() as u64))?;
        }
        let own: usize = prefix.iter().enumerate().map(|(t, &x)| ranking.weight(t, x)).sum();
        board.each(block, usize::MAX, |suffix, top| rows.push(own + suffix, top));
        advance(&mut prefix, prefixes.bounds(), 0);
    }
    Ok(rows)
}

/// A suffix and the first row of its P-position as one number, in the order of the suffixes.
#[inline]
fn packed(suffix: usize, top: usize) -> u32 {
    u32::try_from(suffix << 8 | top).expect("few suffixes, and at most 63 columns")
}

#[inline]
fn unpacked(entry: u32) -> (usize, usize) {
    ((entry >> 8) as usize, (entry & 255) as usize)
}

struct Board<'a> {
    ranking: &'a Ranking,
    prefixes: &'a Ranking,
    width: usize,
    /// For each prefix the suffixes with a P-position.
    lists: &'a BlockLists,
    suffixes: &'a Suffixes,
}

/// A bite in row i and column j (from 0) of a tail: it leaves the tails of another prefix, the suffixes below `scanned` in their order. A bite that reaches into
/// the suffix truncates others to these.
struct Bite<'a> {
    i: usize,
    j: usize,
    /// The number of that prefix.
    prefix: usize,
    scanned: usize,
    truncated: Option<&'a Lists>,
}

impl Board<'_> {
    fn number(&self, prefix: &[usize]) -> usize {
        prefix.iter().enumerate().map(|(t, &x)| self.prefixes.weight(t, x)).sum()
    }

    /// The number of suffixes of a prefix.
    fn size(&self, prefix: &[usize]) -> usize {
        suffix_count(self.ranking, prefix.len(), prefix[prefix.len() - 1])
    }

    /// All bites in the rows of a prefix.
    #[inline]
    fn bites(&self, prefix: &[usize], mut visit: impl FnMut(Bite<'_>)) {
        let (d, numbers) = (prefix.len(), self.prefixes);
        let mut before = [0_usize; 64];
        for (t, &x) in prefix.iter().enumerate() {
            before[t + 1] = before[t] + numbers.weight(t, x);
        }
        let mut after = 0;
        for e in (1..=d).rev() {
            // The columns j that exactly the rows 0..e of the prefix reach; e = d reaches into the suffix.
            let shorter = prefix.get(e).copied().unwrap_or(0);
            for j in shorter..prefix[e - 1] {
                let equal = numbers.equal(j);
                let truncated = (e == d).then(|| &self.suffixes.truncated[j]);
                let scanned = suffix_count(self.ranking, d, if e == d { j } else { prefix[d - 1] });
                for (i, before) in before[..e].iter().enumerate() {
                    visit(Bite { i, j, prefix: before + equal[e] - equal[i] + after, scanned, truncated });
                }
            }
            after += numbers.weight(e - 1, prefix[e - 1]);
        }
    }

    /// Finds the first rows for all tails with this prefix. `free[r]` holds, as bits, the first rows
    /// that are still possible for the suffix numbered r.
    fn solve(&self, prefix: &[usize], free: &mut Vec<u64>, list: &mut Vec<u32>) {
        let size = self.size(prefix);
        let room = (u64::MAX >> (63 - self.width)) & (u64::MAX << prefix[0].max(1));
        free.clear();
        free.resize(size, room);
        self.bites(prefix, |Bite { i, j, prefix, scanned, truncated }| {
            self.each(prefix, scanned, |r, top| {
                // Biting the first row down to j reaches a P-position, however long it is.
                let mask = if i == 0 && top == j { 0 } else { !(1 << top) };
                match truncated {
                    _ if room & mask == room => {}
                    None => free[r] &= mask,
                    Some(lists) => lists.below(r, size).for_each(|whole| free[whole] &= mask),
                }
            });
        });
        // About one suffix in a hundred has a P-position: it excludes its first row for those that reach it, which come later.
        for r in 0..size {
            if free[r] != 0 {
                let top = free[r].trailing_zeros();
                self.suffixes.bitten.below(r, size).for_each(|whole| free[whole] &= !(1 << top));
                list.push(packed(r, top as usize));
            }
        }
    }

    /// The same for a prefix as wide as the board: the first row is of that width too, so that bit r of `alive` says all of the suffix numbered r, and
    /// a bite that leaves the first two rows alone can only reach P-positions with this first row.
    fn solve_widest(&self, prefix: &[usize], alive: &mut Vec<u64>, list: &mut Vec<u32>) {
        let size = self.size(prefix);
        alive.clear();
        alive.resize(size.div_ceil(64), u64::MAX);
        if let Some(last) = alive.last_mut().filter(|_| !size.is_multiple_of(64)) {
            *last = (1 << (size % 64)) - 1;
        }
        let clear = |alive: &mut [u64], r: usize| alive[r / 64] &= !(1 << (r % 64));
        let mut hit = Vec::new();
        self.bites(prefix, |Bite { i, j, prefix: bitten, scanned, truncated }| match truncated {
            _ if i == 0 => self.each(bitten, scanned, |r, top| {
                if [j, self.width].contains(&top) {
                    match truncated {
                        None => clear(alive, r),
                        Some(lists) => lists.below(r, size).for_each(|whole| clear(alive, whole)),
                    }
                }
            }),
            None => self.each(bitten, scanned, |r, _| clear(alive, r)),
            Some(lists) => {
                // All rows i of one column together.
                self.each(bitten, scanned, |r, _| hit.push(r));
                if i + 1 == prefix.len() {
                    hit.sort_unstable();
                    hit.dedup();
                    hit.drain(..).for_each(|r| lists.below(r, size).for_each(|whole| clear(alive, whole)));
                }
            }
        });
        for place in 0..alive.len() {
            while alive[place] != 0 {
                let r = 64 * place + alive[place].trailing_zeros() as usize;
                alive[place] &= alive[place] - 1;
                self.suffixes.bitten.below(r, size).for_each(|whole| clear(alive, whole));
                list.push(packed(r, self.width));
            }
        }
    }

    /// Calls with every suffix below `size` that has a P-position after a prefix, and its first row.
    #[inline]
    fn each(&self, prefix: usize, size: usize, mut found: impl FnMut(usize, usize)) {
        for entry in self.lists.list(prefix) {
            let (suffix, top) = unpacked(entry.load(Relaxed));
            if suffix >= size {
                return;
            }
            found(suffix, top);
        }
    }
}

/// The number of suffixes after d rows with no row longer than x.
#[inline]
fn suffix_count(ranking: &Ranking, d: usize, x: usize) -> usize {
    let equal = ranking.equal(x);
    equal[ranking.rows()] - equal[d] + 1
}
