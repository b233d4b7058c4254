//! Answers for positions of any size (Corollaries 2–5 of the paper).

use num_bigint::BigUint;
use num_traits::{ToPrimitive as _, Zero as _};

use super::plain::{self, Table};
use super::{Ideals, NEVER, Solution};
use crate::outcome::Outcome;
use crate::poset::chains::{ChainsGame, Position};
use semilinear::run::{Monitor, StopReason};

/// Tables up to this many positions are the shortest road to a Grundy value.
const SMALL_TABLE: u64 = 2_000_000;
/// Grundy values of large positions are looked for up to this one.
const LARGEST_SEARCHED: u64 = 4096;

/// A Grundy value and how it was found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GrundyAnswer {
    /// The value.
    pub value: BigUint,
    /// `"plain recursion"` or `"chains"`.
    pub method: &'static str,
}

impl Solution {
    /// Whether g(position) = j, for j ≤ K; positions of other games have no value.
    pub fn has_value(&self, position: &Position, j: u32) -> bool {
        self.ideals()
            .find(&position.ideal)
            .is_some_and(|b| j <= self.values() && self.branch(b, j).at_big(&position.m).as_ref() == Some(&position.n))
    }

    /// The outcome of a position, in time O(log m).
    pub fn outcome(&self, position: &Position) -> Outcome {
        Outcome::p_if(self.has_value(position, 0))
    }

    /// The Grundy value of a position, when it is at most K; for games with one chain always.
    pub fn grundy(&self, position: &Position) -> Option<BigUint> {
        if self.game().chains() == 1 {
            let b = self.ideals().find(&position.ideal)?;
            return self.branch(b, 0).at_big(&position.m);
        }
        (0..=self.values()).find(|&j| self.has_value(position, j)).map(BigUint::from)
    }

    /// Every winning move, as the resulting positions, sorted: at most |B| + m_lo + n_lo + 3 lookups
    /// of O(log m) each (Corollary 3, with f_{B,0} of the present B where the paper writes f_{A,0}).
    pub fn winning_moves(&self, position: &Position) -> Vec<Position> {
        let Some(b) = self.ideals().find(&position.ideal) else { return Vec::new() };
        let Position { m, n, .. } = position;
        let ideal = &self.ideals().list()[b];
        let branch = self.branch(b, 0);
        let mut moves = Vec::new();
        let mut push = |to: usize, m: BigUint, n: BigUint| {
            moves.push(Position { ideal: self.ideals().list()[to].key.clone(), m, n });
        };
        // d_{t+1} with B and m unchanged.
        if let Some(t) = branch.at_big(m).filter(|t| t < n) {
            push(b, m.clone(), t);
        }
        // d_{t+1} that takes elements of C: only the closing position of B can be a P-position.
        if let Some((i, t)) = branch.closing(&self.cross)
            && BigUint::from(i) < *m
            && BigUint::from(t) < *n
        {
            push(b, i.into(), t.into());
        }
        // d_{t+1} that takes elements of B.
        for (t, &to) in (0..ideal.n_lo).zip(&ideal.cuts_d) {
            let left = match self.cross.last_at_most(t.into()) {
                Some(last) => m.clone().min(last.into()),
                None => m.clone(),
            };
            if self.branch(to as usize, 0).at_big(&left) == Some(t.into()) && BigUint::from(t) < *n {
                push(to as usize, left, t.into());
            }
        }
        // c_{i+1} with B unchanged.
        if let Some(i) = branch.inverse_big(n).filter(|i| i < m) {
            push(b, i, n.clone());
        }
        // c_{i+1} that takes elements of B.
        for (i, &to) in (0..ideal.m_lo).zip(&ideal.cuts_c) {
            if self.branch(to as usize, 0).at(i).map(BigUint::from).as_ref() == Some(n) {
                push(to as usize, i.into(), n.clone());
            }
        }
        // Elements of B.
        for step in &ideal.moves {
            let at = |count: &BigUint, first: u32| {
                if first == NEVER { count.clone() } else { count.clone().min((first - 1).into()) }
            };
            let (m, n) = (at(m, step.c_first), at(n, step.d_first));
            if self.branch(step.to as usize, 0).at_big(&m).as_ref() == Some(&n) {
                push(step.to as usize, m, n);
            }
        }
        moves.sort();
        moves.dedup();
        moves
    }

    /// Every option of a position, sorted; `None` when there are more than `limit`.
    pub fn options(game: &ChainsGame, ideals: &Ideals, position: &Position, limit: u64) -> Option<Vec<Position>> {
        let b = ideals.find(&position.ideal)?;
        let (m, n) = (position.m.to_u64().filter(|&m| m <= limit)?, position.n.to_u64().filter(|&n| n <= limit)?);
        let ideal = &ideals.list()[b];
        if m + n + ideal.moves.len() as u64 > limit {
            return None;
        }
        let cross = game.cross();
        let mut options = Vec::new();
        let mut push = |to: usize, m: u64, n: u64| {
            options.push(Position { ideal: ideals.list()[to].key.clone(), m: m.into(), n: n.into() });
        };
        let cut =
            |cuts: &[u32], at: u64| usize::try_from(at).ok().and_then(|at| cuts.get(at)).map_or(b, |&to| to as usize);
        for i in 0..m {
            push(cut(&ideal.cuts_c, i), i, n);
        }
        for j in 0..n {
            push(cut(&ideal.cuts_d, j), cross.last_at_most(j).map_or(m, |last| last.min(m)), j);
        }
        for step in &ideal.moves {
            let at = |count: u64, first: u32| if first == NEVER { count } else { count.min(u64::from(first) - 1) };
            push(step.to as usize, at(m, step.c_first), at(n, step.d_first));
        }
        options.sort();
        options.dedup();
        Some(options)
    }
}

/// The Grundy value of a position of any size: by plain recursion when the table is small, else by
/// solving f_{B,j} for more and more j. Values beyond 4096 are given up ([`StopReason::Size`]); a
/// value is at least |n − m| − |B|, so that far-off positions are given up at once.
pub fn grundy(game: &ChainsGame, position: &Position, monitor: &dyn Monitor) -> Result<GrundyAnswer, StopReason> {
    if game.chains() == 1 {
        let solution = Solution::new(game.clone(), 0, monitor)?;
        let value = solution.grundy(position).unwrap_or_else(BigUint::zero);
        return Ok(GrundyAnswer { value, method: "chains" });
    }
    let ideals = Ideals::new(game, monitor)?;
    if let (Some(m), Some(n)) = (position.m.to_u32(), position.n.to_u32())
        && plain::positions(&ideals, m.into(), n.into()).is_some_and(|count| count <= SMALL_TABLE)
    {
        let table = Table::new(&ideals, &game.cross(), m, n, monitor)?;
        if let Some(value) = ideals.find(&position.ideal).and_then(|b| table.grundy(b, m, n)) {
            return Ok(GrundyAnswer { value: value.into(), method: "plain recursion" });
        }
    }
    let give_up = StopReason::Size { what: "Grundy values searched", limit: LARGEST_SEARCHED };
    let apart = if position.m > position.n { &position.m - &position.n } else { &position.n - &position.m };
    let size = ideals.find(&position.ideal).map_or(0, |b| u64::from(ideals.list()[b].size));
    let least = apart.to_u64().ok_or(give_up.clone())?.saturating_sub(size);
    let mut values = (least + 8).next_power_of_two() - 1;
    while values <= LARGEST_SEARCHED {
        let solution = Solution::new(game.clone(), values, monitor)?;
        if let Some(value) = solution.grundy(position) {
            return Ok(GrundyAnswer { value, method: "chains" });
        }
        values = 2 * values + 1;
    }
    Err(give_up)
}
