//! Third rows r, r + 1, … solved together, first row by first row.
//!
//! At each p the shorter third row comes first, so that each sees what it would see alone: (p, q, r) depends on shorter third rows at the same p and on
//! shorter first rows of the same r. What is taken at p is then at hand for the whole block.

use super::tails::Steady;
use super::taken::Taken;
use super::{NONE, ThreeRows};
use crate::solve::chains::Branch;
use crate::solve::wide::{Loop, widest};
use semilinear::run::{Monitor, StopReason};

/// Third rows in a block.
const THIRD_ROWS: u32 = 32;
/// States are looked at after at least so many first rows.
const STEP: u64 = 16;

/// One third row of a block.
#[derive(Default)]
struct Row {
    r: u32,
    /// The q that shorter first rows use, and all q < r, as bits from word r / 64 on.
    used: Vec<u64>,
    /// All words before this one are full.
    full: usize,
    /// f_r(r), f_r(r + 1), …, [`NONE`] as long as it is not found.
    values: Vec<u32>,
    /// The j with the P-position (j, j, r): no longer second row has one.
    corner: Option<u32>,
    /// All values are found.
    finished: bool,
    states: Vec<State>,
    solved: Option<Branch>,
}

/// What the first rows from p on see of a third row: the least q that is not used, and which are used beyond, from there.
#[derive(PartialEq, Eq)]
struct State {
    p: u32,
    head: u32,
    beyond: Vec<u64>,
}

impl State {
    /// Whether all that follows one state follows the other, moved.
    fn is_like(&self, other: &Self) -> bool {
        self.p.abs_diff(other.p) == self.head.abs_diff(other.head) && self.beyond == other.beyond
    }
}

impl Row {
    fn new(r: u32) -> Self {
        Self { r, used: vec![(1 << (r % 64)) - 1], ..Self::default() }
    }

    fn base(&self) -> usize {
        self.r as usize / 64
    }

    /// The least q that is not used.
    fn head(&self) -> u32 {
        let word = self.used.get(self.full).copied().unwrap_or(0);
        number(64 * (self.base() + self.full)) + word.trailing_ones()
    }

    fn state(&self, p: u32) -> State {
        let head = self.head();
        let rest = self.used.get(self.full..).unwrap_or(&[]);
        let joined = |i: usize| rest[i] >> (head % 64) | (rest.get(i + 1).unwrap_or(&0) << 1) << (63 - head % 64);
        let mut beyond: Vec<u64> = (0..rest.len()).map(joined).collect();
        while beyond.last() == Some(&0) {
            beyond.pop();
        }
        State { p, head, beyond }
    }

    /// The least q that is free at p and not used.
    #[inline(always)]
    fn least_free(&self, taken: &Taken) -> Option<u32> {
        let start = (taken.base + taken.full).max(self.base() + self.full);
        let (mut at, mut own) = (start - taken.base, start - self.base());
        while let Some(word) = taken.bits.get(at) {
            let word = word | self.used.get(own).copied().unwrap_or(0);
            if word != u64::MAX {
                return Some(number(64 * (taken.base + at)) + word.trailing_ones());
            }
            at += 1;
            own += 1;
        }
        None
    }

    /// Enters the P-position (p, q, r).
    #[inline(always)]
    fn enter(&mut self, p: u32, q: u32) {
        let (word, place) = (q as usize / 64 - self.base(), (q - self.r) as usize);
        if word >= self.used.len() {
            self.used.resize(word + 1, 0);
        }
        self.used[word] |= 1 << (q % 64);
        while self.used.get(self.full) == Some(&u64::MAX) {
            self.full += 1;
        }
        if place >= self.values.len() {
            self.values.resize(place + 1, NONE);
        }
        self.values[place] = p;
        if q == p {
            self.corner = Some(q);
        }
        self.finished = self.corner.is_some_and(|corner| self.head() > corner);
    }

    /// f_r, when it is proved before first row p: it has ended, or a state came back, both times at a first row from `settled` on, from where on
    /// what shorter third rows take has this period.
    fn proved(&mut self, settled: u32, period: u64) -> Option<Branch> {
        if self.finished {
            let values = self.values.iter().copied().take_while(|&p| p != NONE).collect();
            return Some(Branch::finite(self.r, values));
        }
        let (before, again) =
            self.states.iter().enumerate().filter(|(_, state)| state.p >= settled).find_map(|(i, state)| {
                let back = |later: &&State| u64::from(later.p - state.p).is_multiple_of(period) && later.is_like(state);
                self.states[i + 1..].iter().find(back).filter(|_| self.corner.is_none()).map(|again| (state, again))
            })?;
        // Every q from here on has a first row that comes after that state.
        let start = before.head + number(64 * before.beyond.len());
        let end = start + (again.p - before.p);
        (end <= self.head()).then(|| Branch::periodic(self.r, self.values[..(end - self.r) as usize].to_vec(), start))
    }
}

/// A block under way.
pub(super) struct Block {
    rows: Vec<Row>,
    /// So many of the first ones are solved.
    done: usize,
}

impl Block {
    /// Solves the next third rows; a stop leaves the solver as it was.
    pub(super) fn solve(rows: &mut ThreeRows, monitor: &dyn Monitor) -> Result<Vec<Branch>, StopReason> {
        let before = (rows.settled, rows.period, rows.tails.len(), rows.taken.len());
        let third_rows = rows.start..rows.start + THIRD_ROWS;
        let mut block = Self { rows: third_rows.map(Row::new).collect(), done: 0 };
        let mut p = rows.first;
        loop {
            let stop = if p.is_multiple_of(64) { monitor.check(u64::from(rows.r), None) } else { Ok(()) };
            if let Err(why) = stop.and_then(|()| rows.check_size()) {
                block.give_back(rows, before.3);
                (rows.settled, rows.period) = (before.0, before.1);
                rows.tails.truncate(before.2);
                rows.steady = Steady::default();
                return Err(why);
            }
            block.close(rows, p);
            if block.done == block.rows.len() {
                break;
            }
            let taken = rows.row(p);
            if !taken.is_done() {
                widest(Column { rows: &mut block.rows[block.done..], taken, p });
            }
            p += 1;
        }
        rows.advance(THIRD_ROWS);
        Ok(block.rows.into_iter().filter_map(|row| row.solved).collect())
    }

    /// Closes third rows before first row p, in order: a state says all when every shorter third row is periodic from there on.
    fn close(&mut self, rows: &mut ThreeRows, p: u32) {
        let step = STEP.div_ceil(rows.period) * rows.period;
        if p >= rows.settled && u64::from(p).is_multiple_of(step) {
            for row in self.rows[self.done..].iter_mut().filter(|row| row.r < p && row.corner.is_none()) {
                row.states.push(row.state(p));
            }
        }
        while let Some(row) = self.rows.get_mut(self.done) {
            let Some(branch) = row.proved(rows.settled, rows.period) else { return };
            if branch.period > 0 {
                rows.enter(&branch, row.head(), p);
            }
            let most = branch.values.iter().fold(0, |most, &p| most.max(p));
            rows.settled = rows.settled.max(most + 1);
            row.finished = true;
            row.solved = Some(branch);
            self.done += 1;
        }
    }

    /// Gives back all that was taken at the first rows that were there before, and forgets the others.
    fn give_back(&self, rows: &mut ThreeRows, before: usize) {
        for lost in rows.taken.drain(before..) {
            rows.bytes -= 8 * lost.bits.len() as u64;
        }
        let last = rows.first + number(before);
        for row in &self.rows {
            let r = row.r;
            let mut back = |q, p| {
                if (rows.first..last).contains(&p) {
                    rows.taken[(p - rows.first) as usize].give_back(q, r);
                }
            };
            (r..).zip(&row.values).filter(|&(_, &p)| p != NONE).for_each(|(q, &p)| back(q, p));
            // A periodic third row is at all first rows beyond its values too.
            if let Some(branch) = row.solved.as_ref().filter(|branch| branch.period > 0) {
                branch.visit(row.head(), last, back);
            }
        }
    }
}

fn number(n: usize) -> u32 {
    u32::try_from(n).expect("rows are counted by u32")
}

/// The P-positions of one first row, as a loop.
struct Column<'a> {
    rows: &'a mut [Row],
    taken: &'a mut Taken,
    p: u32,
}

impl Loop for Column<'_> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        let Self { rows, taken, p } = self;
        for row in rows.iter_mut().take_while(|row| row.r <= p).filter(|row| !row.finished) {
            let Some(q) = row.least_free(taken).filter(|&q| q <= row.corner.unwrap_or(p)) else { continue };
            row.enter(p, q);
            taken.take(q);
            taken.ended = q == row.r;
            if taken.is_done() {
                return;
            }
        }
    }
}
