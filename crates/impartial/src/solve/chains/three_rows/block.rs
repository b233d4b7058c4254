//! Third rows r, r + 1, … solved together, second row by second row.
//!
//! At each q the shorter third row comes first, so that each sees what it would see alone: (p, q, r) depends on shorter third rows at the same q and on
//! shorter second rows of the same r. What is taken at q is then read once for the whole block while it is at hand, where solving one third row after another
//! would fetch all of it from memory for each of them.

use super::{Steady, ThreeRows, first_free, set, shifted};
use crate::solve::chains::Branch;
use crate::solve::wide::{Loop, widest};
use semilinear::run::{Monitor, StopReason};

/// Third rows in a block: their own sets together fit into a cache.
const THIRD_ROWS: u32 = 16;

/// One third row of a block.
#[derive(Default)]
struct Row {
    /// The p that shorter second rows take.
    own: Vec<u64>,
    /// f_r(r), f_r(r + 1), …, until it is solved.
    values: Vec<u32>,
    solved: Option<Branch>,
}

/// A block under way.
pub(super) struct Block {
    start: u32,
    rows: Vec<Row>,
    /// So many of the first ones are solved.
    done: usize,
    /// The states seen of the first one that is not.
    states: Vec<(u32, Vec<u64>)>,
}

impl Block {
    /// Solves the next third rows; a stop leaves the solver as it was.
    pub(super) fn solve(rows: &mut ThreeRows, monitor: &dyn Monitor) -> Result<Vec<Branch>, StopReason> {
        let (settled, period, tails) = (rows.settled, rows.period, rows.tails.len());
        let corners = rows.corners.clone();
        let mut block = Self {
            start: rows.start,
            rows: (0..THIRD_ROWS).map(|_| Row::default()).collect(),
            done: 0,
            states: Vec::new(),
        };
        let mut q = block.start;
        while block.done < block.rows.len() {
            let stop = if q.is_multiple_of(64) { monitor.check(u64::from(rows.r), None) } else { Ok(()) };
            if let Err(why) = stop.and_then(|()| rows.check_size()) {
                block.give_back(rows);
                (rows.settled, rows.period, rows.corners) = (settled, period, corners);
                rows.tails.truncate(tails);
                rows.steady = Steady::default();
                return Err(why);
            }
            block.close(rows, q);
            widest(Column { block: &mut block, rows, q });
            q += 1;
        }
        rows.advance(block.rows.len());
        Ok(block.rows.into_iter().filter_map(|row| row.solved).collect())
    }

    /// The third row of a place in the block.
    fn third_row(&self, place: usize) -> u32 {
        self.start + u32::try_from(place).expect("a block is small")
    }

    /// Closes third rows, in order: those that ended, and those whose state before second row q was seen before. A state says all when every shorter third row is
    /// periodic from there on, hence the order.
    fn close(&mut self, rows: &mut ThreeRows, q: u32) {
        while self.done < self.rows.len() && self.third_row(self.done) < q {
            let r = self.third_row(self.done);
            let row = &mut self.rows[self.done];
            if row.solved.is_none() {
                let settled = rows.settled.max(r);
                if q < settled || !u64::from(q - settled).is_multiple_of(rows.period) {
                    return;
                }
                let state = shifted(&row.own, q);
                let Some(&(before, _)) = self.states.iter().find(|(_, old)| *old == state) else {
                    self.states.push((q, state));
                    return;
                };
                let branch = Branch::periodic(r, row.values.clone(), before);
                rows.enter(&branch, q);
                row.solved = Some(branch);
            }
            let preperiod = row.solved.as_ref().map_or(0, Branch::preperiod);
            rows.settled = rows.settled.max(preperiod);
            self.done += 1;
            self.states.clear();
        }
    }

    /// f(q) of all third rows r ≤ q that are not solved.
    #[inline(always)]
    fn column(&mut self, rows: &mut ThreeRows, q: u32) {
        let first = self.start;
        for (r, row) in (first..=q).zip(&mut self.rows).skip(self.done).filter(|(_, row)| row.solved.is_none()) {
            if r == q {
                row.own.clone_from(&rows.corners);
            }
            let taken = rows.row(q);
            let offset = first_free(taken, &row.own, q);
            let grown = taken.take(q, offset);
            rows.bytes += grown;
            set(&mut row.own, q + offset);
            row.values.push(q + offset);
            if r == q {
                set(&mut rows.corners, q + offset);
            }
            if offset == 0 {
                // Row 2 as long as row 1: from every longer second row one bite leads here.
                row.solved = Some(Branch::finite(r, row.values.clone()));
            }
        }
    }

    /// Gives back all that was taken.
    fn give_back(&self, rows: &mut ThreeRows) {
        let counted = |n: usize| u32::try_from(n).expect("second rows are counted by u32");
        let last = rows.start + counted(rows.rows.len());
        for (r, row) in (self.start..).zip(&self.rows) {
            for (q, p) in (r..).zip(&row.values) {
                rows.row(q).give_back(q, p - q);
            }
            // A periodic third row is in all second rows beyond its values too.
            if let Some(branch) = row.solved.as_ref().filter(|branch| branch.period > 0) {
                branch.visit(r + counted(row.values.len()), last, |q, p| rows.row(q).give_back(q, p - q));
            }
        }
    }
}

/// [`Block::column`] as a loop.
struct Column<'a> {
    block: &'a mut Block,
    rows: &'a mut ThreeRows,
    q: u32,
}

impl Loop for Column<'_> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        self.block.column(self.rows, self.q);
    }
}
