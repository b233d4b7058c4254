//! How f(m) behaves as m grows: the answer to "where is g(A_{m,n}) = k".

use num_bigint::BigUint;
use num_traits::ToPrimitive as _;

use super::Solution;
use super::branch::{Branch, NONE};
use super::ideals::Ideal;
use crate::poset::chains::Board;

/// What f does in the long run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// f(m) exists for finitely many m only.
    Finite,
    /// f(m) is this number for all m from the preperiod on.
    Constant(u32),
    /// f(m + p) = f(m) + p for all m from the preperiod on.
    Periodic(u32),
}

/// f_k of the whole game: for m = 0, 1, 2, … the n with g(A_{m,n}) = k.
///
/// In Chomp with two chains m is the length of row 2 and n the length of row 1, and only diagrams
/// count: f(m) is not defined for m below the fixed rows, nor where row 2 would be longer than row 1.
/// In Chomp with one chain m is the length of row 1, and f(m) the Grundy value. In an explicit game
/// A_{m,n} is what the moves c_{m+1} and d_{n+1} leave of A ∪ C ∪ D, for all m and n.
///
/// ```
/// use impartial::{poset::chains::ChainsGame, run::Unlimited, solve::chains::{Kind, Solution}};
/// let solution = Solution::new(ChainsGame::chomp(&[1]).unwrap(), 0, &Unlimited).unwrap();
/// let f = solution.pattern(0).unwrap();
/// assert_eq!(f.kind(), Kind::Finite);
/// assert_eq!(f.initial(), [(1, 3), (2, 2)]); // the P-positions (3, 1, 1) and (2, 2, 1)
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pattern {
    list: Branch,
    constant: Option<u32>,
}

impl From<Branch> for Pattern {
    /// A function of m and n as they are reported (in Chomp, of all squares of rows 2 and 1).
    fn from(list: Branch) -> Self {
        Self { list, constant: None }
    }
}

impl Pattern {
    /// f of Chomp with two free rows, from a function of the elements of the chains: row 1 has one square more, the
    /// poisoned one.
    pub fn of_chomp(mut list: Branch) -> Self {
        for n in list.values.iter_mut().filter(|n| **n != NONE) {
            *n += 1;
        }
        Self::new(list, None)
    }

    /// What f does in the long run.
    pub fn kind(&self) -> Kind {
        match (self.list.period, self.constant) {
            (0, None) => Kind::Finite,
            (0, Some(n)) => Kind::Constant(n),
            (p, _) => Kind::Periodic(p),
        }
    }

    /// The least m from which the long run holds.
    pub fn preperiod(&self) -> u32 {
        self.list.preperiod()
    }

    /// f(m) − m for one period from the preperiod on; empty when f is not periodic.
    pub fn offsets(&self) -> Vec<i64> {
        self.cycle().into_iter().map(|(m, n)| i64::from(n) - i64::from(m)).collect()
    }

    /// The pairs (m, f(m)) below the preperiod.
    pub fn initial(&self) -> Vec<(u32, u32)> {
        (self.list.first..self.preperiod()).filter_map(|m| self.list.at(m).map(|n| (m, n))).collect()
    }

    /// The pairs (m, f(m)) of one period from the preperiod on; none when f is not periodic.
    pub fn cycle(&self) -> Vec<(u32, u32)> {
        (self.preperiod()..self.list.end()).filter_map(|m| self.list.at(m).map(|n| (m, n))).collect()
    }

    /// f(m), in time O(log m).
    pub fn at(&self, m: &BigUint) -> Option<BigUint> {
        match self.constant {
            Some(n) if *m >= BigUint::from(self.preperiod()) => Some(n.into()),
            _ => self.list.at_big(m),
        }
    }

    /// The m with f(m) = n below the preperiod or on the periodic part, if there is one.
    pub fn inverse(&self, n: &BigUint) -> Option<BigUint> {
        self.list.inverse_big(n)
    }

    /// The number of pairs (m, f(m)) with m < `rows` and f(m) < `columns`, for boxes of any size.
    ///
    /// # Complexity
    /// O(preperiod + period) operations on numbers of the size of the box.
    pub fn count(&self, rows: &BigUint, columns: &BigUint) -> BigUint {
        let inside = |m: u32, n: u32| BigUint::from(m) < *rows && BigUint::from(n) < *columns;
        let mut count = BigUint::from(self.initial().iter().filter(|&&(m, n)| inside(m, n)).count());
        let from = self.preperiod();
        if let Some(n) = self.constant
            && BigUint::from(n) < *columns
            && BigUint::from(from) < *rows
        {
            count += rows - from;
        }
        for m in from..self.list.end() {
            // m + tp < rows and f(m) + tp < columns.
            if let Some(n) = self.list.at(m).filter(|&n| inside(m, n)) {
                let room = (rows - m - 1u32).min(columns - n - 1u32);
                count += room / self.list.period + 1u32;
            }
        }
        count
    }

    fn new(mut list: Branch, constant: Option<u32>) -> Self {
        if let Some(n) = constant {
            while list.values.last() == Some(&n) {
                list.values.pop();
            }
        }
        Self { list, constant }
    }
}

impl Solution {
    /// f_k of the whole game; `None` when k is not solved.
    pub fn pattern(&self, k: u32) -> Option<Pattern> {
        if k > self.values() {
            return None;
        }
        let whole = self.ideals().whole();
        let branch = self.branch(whole, k);
        if let Board::Chomp(rows) = self.game().board() {
            return self.pattern_of(rows, k);
        }
        let ideal = &self.ideals().list()[whole];
        // From here on only the branch of A itself counts, or a constant.
        let mut settled = branch.end().max(ideal.m_lo);
        for n in 0..ideal.n_lo {
            settled = settled.max(self.last_c(n).unwrap_or(n + ideal.size + k)).saturating_add(1);
        }
        let values: Vec<u32> = (0..settled).map(|m| self.value(m, k).unwrap_or(NONE)).collect();
        if branch.period > 0 {
            let extended = (settled..settled + branch.period).map(|m| self.value(m, k).unwrap_or(NONE));
            let values = values.into_iter().chain(extended).collect();
            return Some(Pattern::new(Branch::periodic(0, values, settled), None));
        }
        Some(match self.value(settled, k) {
            Some(n) => Pattern::new(Branch { first: 0, values, period: 0 }, Some(n)),
            None => Pattern::new(Branch::finite(0, values), None),
        })
    }

    /// f_{B,k} of one order ideal, by its index: for positions (B, m, n) that exist, in Chomp with all squares
    /// counted.
    pub fn ideal_pattern(&self, ideal: usize, k: u32) -> Pattern {
        self.pattern_of(&self.ideals().list()[ideal].key, k).unwrap_or_else(|| self.branch(ideal, k).clone().into())
    }

    /// f_k of Chomp with other, shorter fixed rows (without zeros); `None` when k or the rows are not
    /// solved, or the game is not Chomp.
    pub fn pattern_of(&self, rows: &[u32], k: u32) -> Option<Pattern> {
        let Board::Chomp(_) = self.game().board() else { return None };
        let b = self.ideals().find(rows).filter(|_| k <= self.values())?;
        if self.game().chains() == 2 {
            return Some(Pattern::of_chomp(self.branch(b, k).clone()));
        }
        // Row 1 counts the poisoned square: m squares besides it.
        let mut list = self.branch(b, k).clone();
        list.first += 1;
        Some(Pattern::new(list, None))
    }

    fn last_c(&self, n: u32) -> Option<u32> {
        self.cross.last_at_most(n.into()).and_then(|last| last.to_u32())
    }

    /// A_{m,n} of an explicit game as a triple (B, m′, n): the index of B, and m′.
    pub(crate) fn reduced(&self, m: u64, n: u64) -> (usize, u64) {
        let cut = |b: usize, cuts: &[u32], i: u64| {
            usize::try_from(i).ok().and_then(|i| cuts.get(i)).map_or(b, |&to| to as usize)
        };
        let whole = self.ideals().whole();
        let b = cut(whole, &self.ideals().list()[whole].cuts_c, m);
        let b = cut(b, &self.ideals().list()[b].cuts_d, n);
        (b, self.cross.last_at_most(n).map_or(m, |last| last.min(m)))
    }

    /// The n with g(A_{m,n}) = k, A_{m,n} as in the paper.
    fn value(&self, m: u32, k: u32) -> Option<u32> {
        let whole = self.ideals().whole();
        let b = self.ideals().list()[whole].cuts_c.get(m as usize).map_or(whole, |&to| to as usize);
        let ideal: &Ideal = &self.ideals().list()[b];
        for (n, &to) in (0..ideal.n_lo).zip(&ideal.cuts_d) {
            let m = self.last_c(n).map_or(m, |last| last.min(m));
            if self.branch(to as usize, k).at(m) == Some(n) {
                return Some(n);
            }
        }
        let branch = self.branch(b, k);
        match branch.closing(&self.cross) {
            Some((closed, n)) if closed < m => Some(n),
            _ => branch.at(m),
        }
    }
}
