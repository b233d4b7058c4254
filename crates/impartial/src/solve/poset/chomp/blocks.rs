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
        let rank = |suffix: &[usize]| -> u32 {
            let rank: usize = suffix.iter().enumerate().map(|(t, &x)| ranking.weight(t, x)).sum();
            u32::try_from(rank).expect("few suffixes")
        };
        let mut all = Vec::with_capacity(ranking.size());
        let mut suffix = vec![0; rows];
        loop {
            all.push(suffix.clone());
            if !advance(&mut suffix, &vec![columns; rows], 0) {
                break;
            }
        }
        let (mut starts, mut options) = (vec![0], Vec::new());
        for (number, suffix) in all.iter().enumerate() {
            if number % 256 == 0 {
                monitor.check(number as u64, Some(all.len() as u64))?;
            }
            for i in 0..rows {
                for j in 0..suffix[i] {
                    let mut bitten = suffix.clone();
                    bitten[i..].iter_mut().for_each(|row| *row = (*row).min(j));
                    options.push(rank(&bitten));
                }
            }
            starts.push(u32::try_from(options.len()).expect("few suffixes"));
        }
        let truncated = (0..columns)
            .map(|j| {
                monitor.check(j as u64, Some(columns as u64))?;
                let images: Vec<u32> =
                    all.iter().map(|suffix| rank(&suffix.iter().map(|&row| row.min(j)).collect::<Vec<_>>())).collect();
                let mut entries: Vec<u32> = (0..u32::try_from(all.len()).expect("few suffixes")).collect();
                entries.sort_by_key(|&r| images[r as usize]);
                let mut starts = Vec::with_capacity(all.len() + 1);
                let mut next = 0;
                for image in 0..=u32::try_from(all.len()).expect("few suffixes") {
                    while entries.get(next).is_some_and(|&r| images[r as usize] < image) {
                        next += 1;
                    }
                    starts.push(u32::try_from(next).expect("few suffixes"));
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
