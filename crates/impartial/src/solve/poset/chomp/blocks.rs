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
    /// The options of the suffix numbered r by bites in its own rows: `options[starts[r]..starts[r + 1]]`.
    starts: Vec<u32>,
    options: Vec<u32>,
    /// For each column j: which suffixes become r′ when rows longer than j are cut to j, in increasing order.
    truncated: Vec<Lists>,
}

#[derive(Default)]
struct Lists {
    starts: Vec<u32>,
    entries: Vec<u32>,
}

impl Suffixes {
    fn new(rows: usize, columns: usize, monitor: &dyn Monitor) -> Result<Self, StopReason> {
        let ranking = Ranking::new(&vec![columns; rows], 1 << 20).expect("the caller chose few rows");
        let small = |number: usize| u32::try_from(number).expect("few suffixes");
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
        let (mut starts, mut options) = (vec![0], Vec::new());
        for (number, suffix) in all.chunks_exact(rows).enumerate() {
            if number % 256 == 0 {
                monitor.check(number as u64, Some(total as u64))?;
            }
            let mut before = 0;
            for i in 0..rows {
                options.extend((0..suffix[i]).map(|j| small(before + cut(suffix, i, j))));
                before += ranking.weight(i, suffix[i]);
            }
            starts.push(small(options.len()));
        }
        let truncated = (0..columns)
            .map(|j| {
                monitor.check(j as u64, Some(columns as u64))?;
                let images: Vec<usize> = all.chunks_exact(rows).map(|suffix| cut(suffix, 0, j)).collect();
                // Sorted by counting: how many images are smaller than each.
                let mut starts = vec![0_u32; total + 1];
                for &image in &images {
                    starts[image + 1] += 1;
                }
                for image in 0..total {
                    starts[image + 1] += starts[image];
                }
                let (mut next, mut entries) = (starts.clone(), vec![0; total]);
                for (r, &image) in images.iter().enumerate() {
                    entries[next[image] as usize] = small(r);
                    next[image] += 1;
                }
                Ok(Lists { starts, entries })
            })
            .collect::<Result<_, StopReason>>()?;
        Ok(Self { starts, options, truncated })
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
        let mut free = Vec::new();
        block.for_each(|prefix| board.solve(prefix, &mut free));
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

impl Board<'_> {
    /// Finds the first rows for all tails with this prefix. `free[r]` holds, as bits, the first rows
    /// that are still possible for the suffix numbered r.
    fn solve(&self, prefix: &[usize], free: &mut Vec<u64>) {
        let d = prefix.len();
        let last = prefix[d - 1];
        let size = suffix_count(self.ranking, d, last);
        let room = (u64::MAX >> (63 - self.width)) & (u64::MAX << prefix[0].max(1));
        free.clear();
        free.resize(size, room);
        let mut own = 0; // the number of the first tail with this prefix
        let mut before = [0_usize; 64];
        for (t, &x) in prefix.iter().enumerate() {
            own += self.ranking.weight(t, x);
            before[t + 1] = own;
        }
        let mut after = 0;
        for e in (1..=d).rev() {
            // The columns j that exactly the rows 0..e of the prefix reach; e = d reaches into the suffix.
            let shorter = prefix.get(e).copied().unwrap_or(0);
            for j in shorter..prefix[e - 1] {
                let equal = self.ranking.equal(j);
                let (scanned, lists) = if e == d {
                    (suffix_count(self.ranking, d, j), Some(&self.suffixes.truncated[j]))
                } else {
                    (size, None)
                };
                for i in 0..e {
                    let base = before[i] + equal[e] - equal[i] + after;
                    self.scan(base, scanned, |r, top| {
                        let mask = if i == 0 && top == j { 0 } else { !(1 << top) };
                        match lists {
                            None => free[r] &= mask,
                            Some(lists) => {
                                let range = lists.starts[r] as usize..lists.starts[r + 1] as usize;
                                for &whole in lists.entries[range].iter().take_while(|&&whole| (whole as usize) < size)
                                {
                                    free[whole as usize] &= mask;
                                }
                            }
                        }
                    });
                }
            }
            after += self.ranking.weight(e - 1, prefix[e - 1]);
        }
        for (r, &possible) in free.iter().enumerate() {
            let mut left = possible;
            if left == 0 {
                continue;
            }
            let range = self.suffixes.starts[r] as usize..self.suffixes.starts[r + 1] as usize;
            for &option in &self.suffixes.options[range] {
                left &= !(1 << self.cells[own + option as usize].load(Relaxed));
            }
            // A first row 0 is no possibility, so a cell that holds 0 excludes nothing.
            if left != 0 {
                let top = u8::try_from(left.trailing_zeros()).expect("at most 63 columns");
                self.cells[own + r].store(top, Relaxed);
                self.bits[(own + r) / 64].fetch_or(1 << ((own + r) % 64), Relaxed);
            }
        }
    }

    /// Calls `found(r, first row)` for every P-position among the tails `base..base + size`.
    #[inline]
    fn scan(&self, base: usize, size: usize, mut found: impl FnMut(usize, usize)) {
        let end = base + size;
        let mut at = base / 64;
        let mut word = self.bits[at].load(Relaxed) & (u64::MAX << (base % 64));
        loop {
            if (at + 1) * 64 > end {
                word &= (1 << (end % 64)) - 1;
            }
            while word != 0 {
                let tail = at * 64 + word.trailing_zeros() as usize;
                word &= word - 1;
                found(tail - base, usize::from(self.cells[tail].load(Relaxed)));
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
