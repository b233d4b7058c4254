//! Three-row Chomp, P-positions only: the same recursion with bit sets that all third rows share.
//!
//! f_r(q) = p means that (p, q, r) is a P-position, all squares counted. For a fixed q the
//! p taken by shorter third rows are one bit set; the p taken by shorter second rows (same r) are
//! another. f_r(q) is the first bit free in both. Both sets begin at the same multiple of 64, so that they are
//! compared word by word without shifts. Third rows are solved in blocks (`block.rs`).

mod block;
mod checkpoint;

use std::collections::VecDeque;

use num_integer::Integer as _;

use super::branch::Branch;
use block::Block;
use semilinear::run::{Monitor, StopReason};

/// The bit sets of all second rows together take at most this many bytes.
const MOST_BYTES: u64 = 3 << 30;
/// The inner loop looks at this many words at once.
const LANES: usize = 16;

/// The p that shorter third rows take at one second row q, and all p < q.
#[derive(Clone, Debug, Default)]
struct Taken {
    /// Bit i stands for p = 64·⌊q/64⌋ + i.
    bits: Vec<u64>,
    /// All words before this one are full.
    full: usize,
}

impl Taken {
    /// Takes p = q + offset; says by how many bytes the set grew.
    fn take(&mut self, q: u32, offset: u32) -> u64 {
        let before = self.bits.len();
        set(&mut self.bits, q % 64 + offset);
        self.skip_full();
        8 * (self.bits.len() - before) as u64
    }

    fn skip_full(&mut self) {
        while self.bits.get(self.full) == Some(&u64::MAX) {
            self.full += 1;
        }
    }

    /// Gives p = q + offset back.
    fn give_back(&mut self, q: u32, offset: u32) {
        let at = q % 64 + offset;
        let word = at as usize / 64;
        self.bits[word] &= !(1 << (at % 64));
        self.full = self.full.min(word);
    }
}

/// f_r from its preperiod on.
#[derive(Clone, Debug)]
struct Tail {
    start: u32,
    offsets: Vec<u32>,
}

/// The tails with a period of 1, together: what they take at any second row is the same but for a shift.
#[derive(Clone, Debug, Default)]
struct Steady {
    /// So many of the tails were looked at.
    tails: usize,
    /// Their offsets p − q as bits.
    offsets: Vec<u64>,
    /// The places of the tails with a longer period.
    others: Vec<usize>,
}

impl Steady {
    /// Looks at the tails that are new.
    fn update(&mut self, tails: &[Tail]) {
        if self.tails > tails.len() {
            *self = Self::default();
        }
        for (place, tail) in tails.iter().enumerate().skip(self.tails) {
            match tail.offsets[..] {
                [offset] => set(&mut self.offsets, offset),
                _ => self.others.push(place),
            }
        }
        self.tails = tails.len();
    }

    /// What they take at second row q.
    fn row(&self, q: u32) -> Vec<u64> {
        let shift = q % 64;
        let mut bits: Vec<u64> = self.offsets.iter().map(|word| word << shift).collect();
        bits.push(0);
        for (bits, word) in bits[1..].iter_mut().zip(&self.offsets) {
            *bits |= (word >> 1) >> (63 - shift);
        }
        if bits.len() > 1 && bits.last() == Some(&0) {
            bits.pop();
        }
        bits
    }
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
#[derive(Clone, Debug)]
pub struct ThreeRows {
    /// The third row that comes next, and the least common multiple of the periods of those before it.
    r: u32,
    common: u64,
    /// The next third rows, as far as the last block solved them.
    solved: VecDeque<Branch>,
    /// The third row with which the next block begins; what follows is known of all before it.
    start: u32,
    /// The second rows q = start, start + 1, ….
    rows: VecDeque<Taken>,
    tails: Vec<Tail>,
    steady: Steady,
    /// The p of all P-positions (p, i, i) with i < start: taken for every (p, q, r), q ≥ r ≥ start.
    corners: Vec<u64>,
    /// From this q on, all these third rows are periodic or have no more P-positions …
    settled: u32,
    /// … and this is the least common multiple of their periods.
    period: u64,
    bytes: u64,
}

impl Default for ThreeRows {
    fn default() -> Self {
        Self::new()
    }
}

impl ThreeRows {
    /// Before the first third row.
    pub fn new() -> Self {
        Self {
            r: 0,
            common: 1,
            solved: VecDeque::new(),
            start: 0,
            rows: VecDeque::new(),
            tails: Vec::new(),
            steady: Steady::default(),
            corners: Vec::new(),
            settled: 0,
            period: 1,
            bytes: 0,
        }
    }

    /// The third row that [`ThreeRows::next`] solves.
    pub fn third_row(&self) -> u32 {
        self.r
    }

    /// The least common multiple of all periods so far.
    pub fn common_period(&self) -> u64 {
        self.common
    }

    /// Solves the next third row r: f_r as a function of q ≥ r, with the least preperiod and period. What is known at a stop is kept.
    ///
    /// # Complexity
    /// About 0.42·r columns (as far as is known) of O(r/64) words each.
    pub fn next(&mut self, monitor: &dyn Monitor) -> Result<Branch, StopReason> {
        if self.solved.is_empty() {
            self.solved = Block::solve(self, monitor)?.into();
        }
        let branch = self.solved.pop_front().expect("a block has third rows");
        self.r += 1;
        self.common = self.common.lcm(&u64::from(branch.period.max(1)));
        Ok(branch)
    }

    /// Makes a third row that has become periodic before second row q known to longer ones from there on.
    fn enter(&mut self, branch: &Branch, q: u32) {
        let last = self.start + u32::try_from(self.rows.len()).expect("second rows are counted by u32");
        branch.visit(q, last, |q, p| self.bytes += self.rows[(q - self.start) as usize].take(q, p - q));
        let start = branch.preperiod();
        let offsets = (start..branch.end()).filter_map(|q| branch.at(q).map(|p| p - q)).collect();
        self.tails.push(Tail { start, offsets });
        self.period = self.period.lcm(&u64::from(branch.period));
    }

    /// Forgets the second rows that are shorter than the third rows to come.
    fn advance(&mut self, third_rows: usize) {
        for _ in 0..third_rows {
            if let Some(first) = self.rows.pop_front() {
                self.bytes -= 8 * first.bits.len() as u64;
            }
            self.start += 1;
        }
    }

    /// What is taken at second row q; new second rows are filled from the tails.
    fn row(&mut self, q: u32) -> &mut Taken {
        let index = (q - self.start) as usize;
        while self.rows.len() <= index {
            let q = self.start + u32::try_from(self.rows.len()).expect("second rows are counted by u32");
            // The poisoned square is always there: p ≥ 1.
            let below = if q == 0 { 1 } else { (1_u64 << (q % 64)) - 1 };
            self.steady.update(&self.tails);
            let mut row = Taken { bits: self.steady.row(q), full: 0 };
            row.bits[0] |= below;
            row.skip_full();
            for tail in self.steady.others.iter().map(|&place| &self.tails[place]) {
                let at = (q - tail.start) as usize % tail.offsets.len();
                row.take(q, tail.offsets[at]);
            }
            self.bytes += 8 * row.bits.len() as u64;
            self.rows.push_back(row);
        }
        &mut self.rows[index]
    }

    fn check_size(&self) -> Result<(), StopReason> {
        if self.bytes > MOST_BYTES {
            return Err(StopReason::Size { what: "bytes of Chomp rows", limit: MOST_BYTES });
        }
        Ok(())
    }
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
#[inline(always)]
fn first_free(row: &Taken, own: &[u64], q: u32) -> u32 {
    let own = own.get(q as usize / 64..).unwrap_or(&[]);
    let both = row.bits.len().min(own.len());
    let mut i = row.full.min(both);
    let (rows, _) = row.bits[i..both].as_chunks::<LANES>();
    let (owns, _) = own[i..both].as_chunks::<LANES>();
    for (row, own) in rows.iter().zip(owns) {
        let full = row.iter().zip(own).fold(u64::MAX, |all, (a, b)| all & (a | b));
        if full != u64::MAX {
            // Bits instead of a search: no branch depends on where in the group the first free place is.
            let open = (0..LANES).fold(0_u32, |open, j| open | u32::from(row[j] | own[j] != u64::MAX) << j);
            i += open.trailing_zeros() as usize;
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

    /// Stops at the question of this number.
    struct StopAt(std::sync::atomic::AtomicU64);

    impl Monitor for StopAt {
        fn tick(&self, _: u64, _: Option<u64>) -> std::ops::ControlFlow<StopReason> {
            match self.0.fetch_sub(1, std::sync::atomic::Ordering::Relaxed) {
                0 => std::ops::ControlFlow::Break(StopReason::Interrupted),
                _ => std::ops::ControlFlow::Continue(()),
            }
        }
    }

    /// A stop inside a block leaves nothing behind.
    #[test]
    fn goes_on_after_a_stop() {
        let (mut one, mut other) = (ThreeRows::new(), ThreeRows::new());
        let mut stops = 0;
        for r in 0..=600_u64 {
            let branch = one.next(&Unlimited).unwrap();
            for questions in [0, r % 7, r % 23] {
                let stopped = other.clone().next(&StopAt(questions.into()));
                let again = other.next(&StopAt(questions.into()));
                assert_eq!(stopped.is_err(), again.is_err());
                match again {
                    Ok(found) => {
                        assert_eq!(found, branch, "r = {r}");
                        break;
                    }
                    Err(_) => stops += 1,
                }
            }
            if u64::from(other.third_row()) == r {
                assert_eq!(other.next(&Unlimited).unwrap(), branch, "r = {r}");
            }
            assert_eq!(other.to_bytes(), one.to_bytes(), "r = {r}");
        }
        assert!(stops > 50);
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
