//! The Chomp sieve for many rows, block by block.
//!
//! A tail is split into a prefix of d rows and a suffix of s rows. A bite inside the prefix maps the
//! suffixes with no row longer than the bitten column onto themselves, so that the tails it reaches
//! lie next to each other in the table: their P-positions are found by scanning a bitmap, 64 tails a
//! step (about one tail in a hundred has a P-position). Suffixes that the bite truncates are served
//! from the truncated one, with lists made once.

use std::sync::atomic::{AtomicU8, AtomicU64, Ordering::Relaxed};

use semilinear::run::{Monitor, StopReason};

use super::rank::{Ranking, advance, count, wavefront};

/// The most suffixes: what a thread works on should stay in its cache.
const MOST_SUFFIXES: u128 = 1 << 17;

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

/// The table of first rows up to `width` ≤ 63 for the tails in a box with at least two rows.
pub(super) fn table(ranking: &Ranking, width: usize, monitor: &dyn Monitor) -> Result<Vec<AtomicU8>, StopReason> {
    let (k, n) = (ranking.rows(), ranking.columns());
    let mut cells: Vec<AtomicU8> = Vec::new();
    cells.try_reserve_exact(ranking.size()).map_err(|_| StopReason::Memory)?;
    cells.resize_with(ranking.size(), AtomicU8::default);
    // Bit r: whether the tail numbered r has a P-position.
    let bits: Vec<AtomicU64> = (0..ranking.size().div_ceil(64)).map(|_| AtomicU64::default()).collect();
    let mut s = 1;
    while s + 1 < k && count(s + 1, n).is_some_and(|suffixes| suffixes <= MOST_SUFFIXES) {
        s += 1;
    }
    let suffixes = Suffixes::new(s, n, monitor)?;
    let board = Board { ranking, width, cells: &cells, bits: &bits, suffixes: &suffixes };
    wavefront(&vec![n; k - s], 1, monitor, &|block| {
        let (mut free, mut alive) = (Vec::new(), Vec::new());
        block.for_each(|prefix| {
            if prefix[0] == width { board.solve_widest(prefix, &mut alive) } else { board.solve(prefix, &mut free) }
        });
    })?;
    Ok(cells)
}

struct Board<'a> {
    ranking: &'a Ranking,
    width: usize,
    cells: &'a [AtomicU8],
    bits: &'a [AtomicU64],
    suffixes: &'a Suffixes,
}

/// A bite in row i and column j (from 0) of a tail: it leaves the tails from `base` on, the suffixes below `scanned` in their order. A bite that reaches into
/// the suffix truncates others to these.
struct Bite<'a> {
    i: usize,
    j: usize,
    base: usize,
    scanned: usize,
    truncated: Option<&'a Lists>,
}

impl Board<'_> {
    /// The number of suffixes of a prefix, and the number of the first tail.
    fn range(&self, prefix: &[usize]) -> (usize, usize) {
        let own = prefix.iter().enumerate().map(|(t, &x)| self.ranking.weight(t, x)).sum();
        (suffix_count(self.ranking, prefix.len(), prefix[prefix.len() - 1]), own)
    }

    /// All bites in the rows of a prefix.
    #[inline]
    fn bites(&self, prefix: &[usize], mut visit: impl FnMut(Bite<'_>)) {
        let d = prefix.len();
        let mut before = [0_usize; 64];
        for (t, &x) in prefix.iter().enumerate() {
            before[t + 1] = before[t] + self.ranking.weight(t, x);
        }
        let mut after = 0;
        for e in (1..=d).rev() {
            // The columns j that exactly the rows 0..e of the prefix reach; e = d reaches into the suffix.
            let shorter = prefix.get(e).copied().unwrap_or(0);
            for j in shorter..prefix[e - 1] {
                let equal = self.ranking.equal(j);
                let truncated = (e == d).then(|| &self.suffixes.truncated[j]);
                let scanned = suffix_count(self.ranking, d, if e == d { j } else { prefix[d - 1] });
                for (i, before) in before[..e].iter().enumerate() {
                    visit(Bite { i, j, base: before + equal[e] - equal[i] + after, scanned, truncated });
                }
            }
            after += self.ranking.weight(e - 1, prefix[e - 1]);
        }
    }

    /// Finds the first rows for all tails with this prefix. `free[r]` holds, as bits, the first rows
    /// that are still possible for the suffix numbered r.
    fn solve(&self, prefix: &[usize], free: &mut Vec<u64>) {
        let (size, own) = self.range(prefix);
        let room = (u64::MAX >> (63 - self.width)) & (u64::MAX << prefix[0].max(1));
        free.clear();
        free.resize(size, room);
        self.bites(prefix, |Bite { i, j, base, scanned, truncated }| {
            self.scan(base, scanned, |r| {
                let top = self.top(base + r);
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
                self.enter(own + r, top as usize);
            }
        }
    }

    /// The same for a prefix as wide as the board: the first row is of that width too, so that bit r of `alive` says all of the suffix numbered r, and
    /// a bite that leaves the first two rows alone can only reach P-positions with this first row.
    fn solve_widest(&self, prefix: &[usize], alive: &mut Vec<u64>) {
        let (size, own) = self.range(prefix);
        alive.clear();
        alive.resize(size.div_ceil(64), u64::MAX);
        if let Some(last) = alive.last_mut().filter(|_| size % 64 > 0) {
            *last = (1 << (size % 64)) - 1;
        }
        let clear = |alive: &mut [u64], r: usize| alive[r / 64] &= !(1 << (r % 64));
        let mut hit = Vec::new();
        self.bites(prefix, |Bite { i, j, base, scanned, truncated }| match truncated {
            _ if i == 0 => self.scan(base, scanned, |r| {
                if [j, self.width].contains(&self.top(base + r)) {
                    match truncated {
                        None => clear(alive, r),
                        Some(lists) => lists.below(r, size).for_each(|whole| clear(alive, whole)),
                    }
                }
            }),
            None => self.words(base, alive.iter_mut(), |alive, word| *alive &= !word),
            Some(lists) => {
                // All rows i of one column together.
                if i == 1 {
                    hit.clear();
                    hit.resize(scanned.div_ceil(64), 0);
                }
                self.words(base, hit.iter_mut(), |hit, word| *hit |= word);
                if i + 1 == prefix.len() {
                    for (place, &word) in hit.iter().enumerate() {
                        let beyond = if 64 * (place + 1) > scanned { u64::MAX << (scanned % 64) } else { 0 };
                        let mut word = word & !beyond;
                        while word != 0 {
                            let r = 64 * place + word.trailing_zeros() as usize;
                            word &= word - 1;
                            lists.below(r, size).for_each(|whole| clear(alive, whole));
                        }
                    }
                }
            }
        });
        for place in 0..alive.len() {
            while alive[place] != 0 {
                let r = 64 * place + alive[place].trailing_zeros() as usize;
                alive[place] &= alive[place] - 1;
                self.suffixes.bitten.below(r, size).for_each(|whole| clear(alive, whole));
                self.enter(own + r, self.width);
            }
        }
    }

    #[inline]
    fn top(&self, tail: usize) -> usize {
        usize::from(self.cells[tail].load(Relaxed))
    }

    #[inline]
    fn enter(&self, tail: usize, top: usize) {
        self.cells[tail].store(u8::try_from(top).expect("at most 63 columns"), Relaxed);
        self.bits[tail / 64].fetch_or(1 << (tail % 64), Relaxed);
    }

    /// Calls with each of these words and the bits of as many tails from `base` on.
    #[inline]
    fn words<'w>(&self, base: usize, words: impl Iterator<Item = &'w mut u64>, apply: impl Fn(&mut u64, u64)) {
        let (at, shift) = (base / 64, base % 64);
        let mut low = self.bits[at].load(Relaxed);
        for (word, place) in words.zip(at + 1..) {
            let high = self.bits.get(place).map_or(0, |word| word.load(Relaxed));
            apply(word, low >> shift | (high << 1) << (63 - shift));
            low = high;
        }
    }

    /// Calls `found(r)` for every P-position among the tails `base` + r, r < `size`.
    #[inline]
    fn scan(&self, base: usize, size: usize, mut found: impl FnMut(usize)) {
        let end = base + size;
        let mut at = base / 64;
        let mut word = self.bits[at].load(Relaxed) & (u64::MAX << (base % 64));
        loop {
            if (at + 1) * 64 > end {
                word &= (1 << (end % 64)) - 1;
            }
            while word != 0 {
                found(at * 64 + word.trailing_zeros() as usize - base);
                word &= word - 1;
            }
            at += 1;
            if at * 64 >= end {
                return;
            }
            word = self.bits[at].load(Relaxed);
        }
    }
}

/// The number of suffixes after d rows with no row longer than x.
#[inline]
fn suffix_count(ranking: &Ranking, d: usize, x: usize) -> usize {
    let equal = ranking.equal(x);
    equal[ranking.rows()] - equal[d] + 1
}
