//! Three-row Chomp, P-positions only: the same recursion with bit sets that all third rows share.
//!
//! f_r(q) = p means that (p, q, r) is a P-position, all squares counted. For a fixed q the
//! p taken by shorter third rows are one bit set; the p taken by shorter second rows (same r) are
//! another. f_r(q) is the first bit free in both. Both sets begin at the same multiple of 64, so that they are
//! compared word by word without shifts.

use std::collections::VecDeque;

use num_integer::Integer as _;
use sha2::{Digest as _, Sha256};

use super::branch::Branch;
use semilinear::run::{Monitor, StopReason};

/// The bit sets of all second rows together take at most this many bytes.
const MOST_BYTES: u64 = 3 << 30;
/// The inner loop looks at this many words at once.
const LANES: usize = 8;

/// The p that shorter third rows take at one second row q, and all p < q.
#[derive(Clone, Debug, Default)]
struct Taken {
    /// Bit i stands for p = 64·⌊q/64⌋ + i.
    bits: Vec<u64>,
    /// All words before this one are full.
    full: usize,
}

/// f_r from its preperiod on.
#[derive(Clone, Debug)]
struct Tail {
    start: u32,
    offsets: Vec<u32>,
}

/// The solver: third rows r = 0, 1, 2, … in order.
///
/// ```
/// use impartial::{run::Unlimited, solve::chains::ThreeRows};
/// let mut chomp = ThreeRows::new();
/// for r in 0..120 {
///     chomp.next(&Unlimited).unwrap();
/// }
/// // Zeilberger's first third row with a period above 1.
/// let f = chomp.next(&Unlimited).unwrap();
/// assert_eq!((f.preperiod(), f.period), (170, 2));
/// ```
#[derive(Clone, Debug, Default)]
pub struct ThreeRows {
    r: u32,
    /// The second rows q = r, r + 1, ….
    rows: VecDeque<Taken>,
    tails: Vec<Tail>,
    /// The p of all P-positions (p, i, i) with i < r: taken for every (p, q, r), q ≥ r.
    corners: Vec<u64>,
    /// From this q on, all shorter third rows are periodic or have no more P-positions …
    settled: u32,
    /// … and this is the least common multiple of their periods.
    period: u64,
    bytes: u64,
}

impl ThreeRows {
    /// Before the first third row.
    pub fn new() -> Self {
        Self { period: 1, ..Self::default() }
    }

    /// The third row that [`ThreeRows::next`] solves.
    pub fn third_row(&self) -> u32 {
        self.r
    }

    /// The least common multiple of all periods so far.
    pub fn common_period(&self) -> u64 {
        self.period
    }

    /// Solves the next third row r: f_r as a function of q ≥ r, with the least preperiod and period.
    ///
    /// # Complexity
    /// About 0.42·r columns (as far as is known) of O(r/64) words each.
    pub fn next(&mut self, monitor: &dyn Monitor) -> Result<Branch, StopReason> {
        let r = self.r;
        let mut own = self.corners.clone();
        let mut values = Vec::new();
        let mut states: Vec<(u32, Vec<u64>)> = Vec::new();
        let settled = self.settled.max(r);
        let mut q = r;
        let repeats = loop {
            if q.is_multiple_of(256) {
                monitor.check(u64::from(r), None)?;
                self.check_size()?;
            }
            if q >= settled && u64::from(q - settled).is_multiple_of(self.period) {
                let state = shifted(&own, q);
                if let Some((before, _)) = states.iter().find(|(_, old)| *old == state) {
                    break Some(*before);
                }
                states.push((q, state));
            }
            let offset = first_free(self.row(q), &own, q);
            set(&mut own, q + offset);
            values.push(q + offset);
            q += 1;
            if offset == 0 {
                // Row 2 as long as row 1: from every longer second row one bite leads here.
                break None;
            }
        };
        let list = values.clone();
        let branch = match repeats {
            Some(start) => Branch::periodic(r, list, start),
            None => Branch::finite(r, list),
        };
        self.enter(&values, &branch);
        Ok(branch)
    }

    /// Makes the third row just solved known to longer ones.
    fn enter(&mut self, values: &[u32], branch: &Branch) {
        let r = self.r;
        if let Some(&p) = values.first() {
            set(&mut self.corners, p);
        }
        let last = r + u32::try_from(self.rows.len()).expect("second rows are counted by u32");
        branch.visit(r, last, |q, p| {
            let row = &mut self.rows[(q - r) as usize];
            let before = row.bits.len();
            set(&mut row.bits, q % 64 + (p - q));
            self.bytes += 8 * (row.bits.len() - before) as u64;
            while row.bits.get(row.full) == Some(&u64::MAX) {
                row.full += 1;
            }
        });
        self.settled = self.settled.max(branch.preperiod());
        if branch.period > 0 {
            let start = branch.preperiod();
            let offsets = (start..branch.end()).filter_map(|q| branch.at(q).map(|p| p - q)).collect();
            self.tails.push(Tail { start, offsets });
            self.period = self.period.lcm(&u64::from(branch.period));
        }
        if let Some(first) = self.rows.pop_front() {
            self.bytes -= 8 * first.bits.len() as u64;
        }
        self.r += 1;
    }

    /// The offsets taken at second row q; new second rows are filled from the tails.
    fn row(&mut self, q: u32) -> &Taken {
        let index = (q - self.r) as usize;
        while self.rows.len() <= index {
            let q = self.r + u32::try_from(self.rows.len()).expect("second rows are counted by u32");
            // The poisoned square is always there: p ≥ 1.
            let below = if q == 0 { 1 } else { (1_u64 << (q % 64)) - 1 };
            let mut row = Taken { bits: vec![below], full: 0 };
            for tail in &self.tails {
                let at = (q - tail.start) as usize % tail.offsets.len();
                set(&mut row.bits, q % 64 + tail.offsets[at]);
            }
            while row.bits.get(row.full) == Some(&u64::MAX) {
                row.full += 1;
            }
            self.bytes += 8 * row.bits.len() as u64;
            self.rows.push_back(row);
        }
        &self.rows[index]
    }

    /// The whole state as bytes, for a checkpoint.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut words: Vec<u64> = vec![self.r.into(), self.settled.into(), self.period];
        let mut list = |bits: &[u64]| {
            words.push(bits.len() as u64);
            words.extend(bits);
        };
        list(&self.corners);
        for row in &self.rows {
            list(&row.bits);
        }
        words.push(u64::MAX);
        for tail in &self.tails {
            words.extend([u64::from(tail.start), tail.offsets.len() as u64]);
            words.extend(tail.offsets.iter().map(|&o| u64::from(o)));
        }
        let mut bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
        let digest = Sha256::digest(&bytes);
        bytes.extend(digest);
        bytes
    }

    /// The state in a checkpoint; `None` when it is damaged.
    pub fn from_bytes(bytes: &[u8]) -> Option<Self> {
        let (content, digest) = bytes.split_at_checked(bytes.len().checked_sub(32)?)?;
        if Sha256::digest(content).as_slice() != digest {
            return None;
        }
        let mut words = content.chunks_exact(8).map(|chunk| u64::from_le_bytes(chunk.try_into().expect("8 bytes")));
        let small = |word: u64| u32::try_from(word).ok();
        let mut state =
            Self { r: small(words.next()?)?, settled: small(words.next()?)?, period: words.next()?, ..Self::default() };
        let length = words.next()?;
        state.corners = take(&mut words, length)?;
        loop {
            let length = words.next()?;
            if length == u64::MAX {
                break;
            }
            let bits = take(&mut words, length)?;
            let full = bits.iter().take_while(|&&word| word == u64::MAX).count();
            state.bytes += 8 * bits.len() as u64;
            state.rows.push_back(Taken { bits, full });
        }
        while let Some(start) = words.next() {
            let length = words.next()?;
            let offsets = take(&mut words, length)?.into_iter().map(small).collect::<Option<Vec<u32>>>()?;
            state.tails.push(Tail { start: small(start)?, offsets });
        }
        Some(state)
    }

    fn check_size(&self) -> Result<(), StopReason> {
        if self.bytes > MOST_BYTES {
            return Err(StopReason::Size { what: "bytes of Chomp rows", limit: MOST_BYTES });
        }
        Ok(())
    }
}

/// The next `length` words, when there are as many.
fn take(words: &mut impl Iterator<Item = u64>, length: u64) -> Option<Vec<u64>> {
    let list: Vec<u64> = words.take(usize::try_from(length).ok()?).collect();
    (list.len() as u64 == length).then_some(list)
}

fn set(bits: &mut Vec<u64>, at: u32) {
    let word = at as usize / 64;
    if bits.len() <= word {
        bits.resize(word + 1, 0);
    }
    bits[word] |= 1 << (at % 64);
}

/// The bits from `from` on, without zeros at the end.
fn shifted(bits: &[u64], from: u32) -> Vec<u64> {
    let (word, shift) = (from as usize / 64, from % 64);
    let rest = bits.get(word..).unwrap_or(&[]);
    let mut moved: Vec<u64> = (0..rest.len()).map(|i| joined(rest, i, shift)).collect();
    while moved.last() == Some(&0) {
        moved.pop();
    }
    moved
}

/// Word i of the bits moved down by `shift` < 64.
fn joined(bits: &[u64], i: usize, shift: u32) -> u64 {
    let next = bits.get(i + 1).copied().unwrap_or(0);
    bits.get(i).copied().unwrap_or(0) >> shift | (next << 1) << (63 - shift)
}

/// The least offset p − q for which p is free in the row and among the own values.
fn first_free(row: &Taken, own: &[u64], q: u32) -> u32 {
    let own = own.get(q as usize / 64..).unwrap_or(&[]);
    let mut i = row.full;
    // Whole groups of words, without branches inside, as long as both sets reach.
    while i + LANES <= row.bits.len() && i + LANES <= own.len() {
        let taken = row.bits[i..i + LANES].iter().zip(&own[i..i + LANES]).fold(u64::MAX, |all, (a, b)| all & (a | b));
        if taken != u64::MAX {
            break;
        }
        i += LANES;
    }
    loop {
        let taken = row.bits.get(i).copied().unwrap_or(0) | own.get(i).copied().unwrap_or(0);
        if taken != u64::MAX {
            return u32::try_from(i * 64).expect("rows are counted by u32") + taken.trailing_ones() - q % 64;
        }
        i += 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::poset::chains::ChainsGame;
    use crate::solve::chains::Solution;
    use semilinear::run::Unlimited;

    #[test]
    fn goes_on_from_a_checkpoint() {
        let (mut one, mut bytes) = (ThreeRows::new(), Vec::new());
        for r in 0..=150 {
            if r == 130 {
                bytes = one.to_bytes();
            }
            let branch = one.next(&Unlimited).unwrap();
            if r >= 130 {
                let mut other = ThreeRows::from_bytes(&bytes).unwrap();
                assert_eq!(other.next(&Unlimited).unwrap(), branch, "r = {r}");
                bytes = other.to_bytes();
            }
        }
        bytes[100] ^= 1;
        assert!(ThreeRows::from_bytes(&bytes).is_none());
        assert!(ThreeRows::from_bytes(&[]).is_none());
    }

    #[test]
    fn agrees_with_the_general_solver() {
        let general = Solution::new(ChainsGame::chomp(&[160]).unwrap(), 0, &Unlimited).unwrap();
        let mut chomp = ThreeRows::new();
        for r in 0..=160u32 {
            let branch = chomp.next(&Unlimited).unwrap();
            let key: Vec<u32> = if r == 0 { vec![] } else { vec![r] };
            let b = general.ideals().find(&key).unwrap();
            let mut expected = general.branch(b, 0).clone();
            // Row 1 counts the poisoned square.
            for n in &mut expected.values {
                *n += 1;
            }
            assert_eq!(branch, expected, "r = {r}");
        }
    }
}
