//! The same solution proved by another road: the equation of the P-positions, by automata.
//!
//! For every order ideal B let S_B = {(m, n) : f_{B,0}(m) = n} ⊂ ℕ², an automaton. All moves are
//! Presburger-definable, so "a position is in S iff none of its options is" is an equality of automata;
//! no column is looked at one by one, and neither windows nor periods play a part in the proof.

use num_bigint::{BigInt, BigUint};
use num_traits::Zero as _;

use super::ideals::{Ideal, NEVER};
use super::{Branch, Solution};
use semilinear::run::StopReason;
use semilinear::vectorset::{Effort, Relation, VectorSet};

impl Solution {
    /// Whether the functions f_{B,0} satisfy the equation of the P-positions at all positions, by automata.
    ///
    /// # Complexity
    /// A bounded number of automata operations for each ideal, element and threshold.
    pub fn satisfies_equation(&self, effort: &Effort<'_>) -> Result<bool, StopReason> {
        let equation = Equation { solution: self, effort, below: self.below(effort)?, sets: Vec::new() };
        equation.holds()
    }

    /// {(m, n) : φ(m) ≤ n}.
    fn below(&self, effort: &Effort<'_>) -> Result<VectorSet, StopReason> {
        let signed = |x: u64| i64::try_from(x).expect("entries are small");
        let mut set = VectorSet::image(&[0, 0], &[vec![0, 1]], effort)?;
        for i in 1..self.cross.regular_from() + self.cross.period() {
            if let Some(phi) = self.cross.at(i) {
                let mut columns = vec![vec![0, 1]];
                if let Some((period, step)) = self.cross.rule().filter(|_| i >= self.cross.regular_from()) {
                    columns.push(vec![signed(period), signed(step)]);
                }
                set = set.union(&VectorSet::image(&[signed(i), signed(phi)], &columns, effort)?, effort)?;
            }
        }
        Ok(set)
    }
}

struct Equation<'a> {
    solution: &'a Solution,
    effort: &'a Effort<'a>,
    below: VectorSet,
    sets: Vec<VectorSet>,
}

impl Equation<'_> {
    fn holds(mut self) -> Result<bool, StopReason> {
        for b in 0..self.solution.ideals().list().len() {
            let set = self.graph(self.solution.branch(b, 0))?;
            self.sets.push(set);
        }
        for (b, ideal) in self.solution.ideals().list().iter().enumerate() {
            let legal = self.legal(ideal)?;
            let with_option = self.positions_with_option(b, ideal)?.intersection(&legal, self.effort)?;
            if legal.difference(&self.sets[b], self.effort)? != with_option
                || !self.sets[b].is_subset(&legal, self.effort)?
            {
                return Ok(false);
            }
        }
        Ok(true)
    }

    fn graph(&self, f: &Branch) -> Result<VectorSet, StopReason> {
        let points: Vec<Vec<BigUint>> = (f.first..f.preperiod())
            .filter_map(|m| f.at(m).map(|n| vec![BigUint::from(m), BigUint::from(n)]))
            .collect();
        let mut set = VectorSet::finite(2, &points, self.effort)?;
        let p = i64::from(f.period);
        for m in f.preperiod()..f.end() {
            if let Some(n) = f.at(m) {
                let ray = VectorSet::image(&[m.into(), n.into()], &[vec![p, p]], self.effort)?;
                set = set.union(&ray, self.effort)?;
            }
        }
        Ok(set)
    }

    /// {(m, n) : a m + b n + c ≥ 0}.
    fn half_plane(&self, a: i64, b: i64, c: i64) -> Result<VectorSet, StopReason> {
        VectorSet::linear(&[a, b], c, Relation::AtLeastZero, self.effort)
    }

    fn legal(&self, ideal: &Ideal) -> Result<VectorSet, StopReason> {
        let mut set = self.below.clone();
        let mut planes = vec![(1, 0, -i64::from(ideal.m_lo)), (0, 1, -i64::from(ideal.n_lo))];
        if ideal.m_hi != NEVER {
            planes.push((-1, 0, i64::from(ideal.m_hi) - 1));
        }
        if ideal.n_hi != NEVER {
            planes.push((0, -1, i64::from(ideal.n_hi) - 1));
        }
        for (a, b, c) in planes {
            set = set.intersection(&self.half_plane(a, b, c)?, self.effort)?;
        }
        Ok(set)
    }

    /// {(m, n) : (i, n) ∈ S} or {(m, n) : (m, j) ∈ S} or {(m, n) : (i, j) ∈ S}.
    fn fixed(&self, set: &VectorSet, m: Option<u32>, n: Option<u32>) -> Result<VectorSet, StopReason> {
        let base = [m.map_or(BigInt::zero(), Into::into), n.map_or(BigInt::zero(), Into::into)];
        let columns = [vec![i64::from(m.is_none()), 0], vec![0, i64::from(n.is_none())]];
        set.preimage(&base, &columns, self.effort)
    }

    /// {(m, n) : (min(m, first − 1), min(n, first' − 1)) ∈ S}, either threshold possibly absent.
    fn cut(&self, set: &VectorSet, c_first: u32, d_first: u32) -> Result<VectorSet, StopReason> {
        let sides = |first: u32| if first == NEVER { vec![None] } else { vec![None, Some(first - 1)] };
        let mut union = VectorSet::empty(2);
        for m in sides(c_first) {
            for n in sides(d_first) {
                let mut part = self.fixed(set, m, n)?;
                for (first, fixed, (a, b)) in [(c_first, m, (1, 0)), (d_first, n, (0, 1))] {
                    if first != NEVER {
                        let edge = i64::from(first) - 1;
                        // From the threshold on the coordinate is fixed, below it is not.
                        let plane = if fixed.is_some() { (a, b, -edge) } else { (-a, -b, edge - 1) };
                        part = part.intersection(&self.half_plane(plane.0, plane.1, plane.2)?, self.effort)?;
                    }
                }
                union = union.union(&part, self.effort)?;
            }
        }
        Ok(union)
    }

    /// {(m, n) : some (m', n') ∈ S with m' < m (or m' = m) and n' < n (or n' = n)}.
    fn beyond(&self, set: &VectorSet, in_m: bool, in_n: bool) -> Result<VectorSet, StopReason> {
        let mut lifted = set.cylinder(4, &[2, 3], self.effort)?;
        for (smaller, a, strict) in [(2, 0, in_m), (3, 1, in_n)] {
            let mut row = [0i64; 4];
            (row[a], row[smaller]) = (1, -1);
            let relation = if strict { Relation::AtLeastZero } else { Relation::Zero };
            let plane = VectorSet::linear(&row, -i64::from(strict), relation, self.effort)?;
            lifted = lifted.intersection(&plane, self.effort)?;
        }
        lifted.exists(&[2, 3], self.effort)
    }

    fn positions_with_option(&self, b: usize, ideal: &Ideal) -> Result<VectorSet, StopReason> {
        let own = &self.sets[b];
        // d_{t+1} and c_{i+1} that leave B alone.
        let mut union = self.beyond(own, false, true)?.union(&self.beyond(own, true, false)?, self.effort)?;
        // d_{t+1} that takes elements of C: corners (i, t), c_{i+1} > d_{t+1}.
        let next = self.below.preimage(&[1.into(), 0.into()], &[vec![1, 0], vec![0, 1]], self.effort)?;
        let corners = own.difference(&next, self.effort)?;
        union = union.union(&self.beyond(&corners, true, true)?, self.effort)?;
        // c_{i+1} and d_{t+1} that take elements of B.
        for (i, &to) in (0..ideal.m_lo).zip(&ideal.cuts_c) {
            union = union.union(&self.fixed(&self.sets[to as usize], Some(i), None)?, self.effort)?;
        }
        for (t, &to) in (0..ideal.n_lo).zip(&ideal.cuts_d) {
            let last = self.solution.cross.last_at_most(t.into()).and_then(|last| u32::try_from(last).ok());
            // (min(m, last), t): as if c_{last+1} were the first c above a taken element.
            let at = self.fixed(&self.sets[to as usize], None, Some(t))?;
            union = union.union(&self.cut(&at, last.map_or(NEVER, |last| last + 1), NEVER)?, self.effort)?;
        }
        for step in &ideal.moves {
            let part = self.cut(&self.sets[step.to as usize], step.c_first, step.d_first)?;
            union = union.union(&part, self.effort)?;
        }
        Ok(union)
    }
}
