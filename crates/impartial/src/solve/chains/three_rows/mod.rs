//! Three-row Chomp, P-positions only: the same functions f_r, found by walking over the first row, with bit sets that all third rows share.
//!
//! f_r(q) = p means that (p, q, r) is a P-position, all squares counted. For given p and r at most one q does that: the least q ≥ r that no shorter third
//! row has at p (one bit set for each p) and that no shorter first row has with r (one bit set for each r), unless a P-position (j, j, r) with j < q or (p, j, j) with j < r
//! is one bite away. Nearly always it is in the first word that is not full in both sets, so that a P-position costs a few steps. A third row is proved periodic by a state
//! that comes back (docs/theory/chains.md, section 4). Third rows are solved in blocks (`block.rs`).

mod block;
mod checkpoint;
mod tails;
mod taken;

use std::collections::VecDeque;

use num_integer::Integer as _;

use super::branch::{Branch, NONE};
use block::Block;
use semilinear::run::{Monitor, StopReason};
use tails::{Steady, Tail};
use taken::Taken;

/// The bit sets of all first rows together take at most this many bytes.
const MOST_BYTES: u64 = 3 << 30;

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
    /// The first rows p = first, first + 1, …; longer third rows have no P-position with a shorter one.
    first: u32,
    taken: VecDeque<Taken>,
    tails: Vec<Tail>,
    steady: Steady,
    /// From this p on, all these third rows are periodic or have no more P-positions …
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
            first: 1,
            taken: VecDeque::new(),
            tails: Vec::new(),
            steady: Steady::default(),
            settled: 1,
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
    /// About 0.42·r P-positions (as far as is known), each in a few steps.
    pub fn next(&mut self, monitor: &dyn Monitor) -> Result<Branch, StopReason> {
        if self.solved.is_empty() {
            self.solved = Block::solve(self, monitor)?.into();
        }
        let branch = self.solved.pop_front().expect("a block has third rows");
        self.r += 1;
        self.common = self.common.lcm(&u64::from(branch.period.max(1)));
        Ok(branch)
    }

    /// Makes a third row that is periodic known to longer ones at the first rows from p on; all its second rows there are at least q.
    fn enter(&mut self, branch: &Branch, q: u32, p: u32) {
        let last = self.first + u32::try_from(self.taken.len()).expect("first rows are counted by u32");
        branch.visit(q, last, |q, at| {
            if (p..last).contains(&at) {
                self.taken[(at - self.first) as usize].take(q);
            }
        });
        self.tails.push(Tail::new(branch));
        self.period = self.period.lcm(&u64::from(branch.period));
    }

    /// Forgets the second rows that are shorter than the third rows to come, and the first rows that are done.
    fn advance(&mut self, third_rows: u32) {
        self.start += third_rows;
        self.bytes = 0;
        for taken in &mut self.taken {
            taken.take_below(self.start);
            self.bytes += 8 * taken.bits.len() as u64;
        }
        while self.taken.front().is_some_and(Taken::is_done) {
            let done = self.taken.pop_front().expect("there is a first one");
            self.bytes -= 8 * done.bits.len() as u64;
            self.first += 1;
        }
    }

    /// What is taken at first row p; new first rows are filled from the tails.
    fn row(&mut self, p: u32) -> &mut Taken {
        let index = (p - self.first) as usize;
        while self.taken.len() <= index {
            let p = self.first + u32::try_from(self.taken.len()).expect("first rows are counted by u32");
            self.steady.update(&self.tails);
            let taken = self.steady.row(p, self.start, &self.tails);
            self.bytes += 8 * taken.bits.len() as u64;
            self.taken.push_back(taken);
        }
        &mut self.taken[index]
    }

    fn check_size(&self) -> Result<(), StopReason> {
        if self.bytes > MOST_BYTES {
            return Err(StopReason::Size { what: "bytes of Chomp rows", limit: MOST_BYTES });
        }
        Ok(())
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
        for r in 0..=2000_u64 {
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
            // Blocks begin at multiples of 32.
            if r % 32 == 1 {
                assert_eq!(other.to_bytes(), one.to_bytes(), "r = {r}");
            }
        }
        assert!(stops > 100, "{stops}");
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
