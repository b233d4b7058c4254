//! The quotient of a vector set, such as the P-positions of a lattice game.

use num_bigint::BigInt;
use rustc_hash::FxHashMap;
use std::cell::RefCell;

use super::{Cone, Exponents, Outcomes};
use crate::lattice::LatticeGame;
use semilinear::integer::Int;
use semilinear::polyhedron::{Cone as PolyhedralCone, hilbert_basis};
use semilinear::run::{Monitor, StopReason};
use semilinear::vectorset::{Effort, Relation, VectorSet};

/// Base and tracks of a slice.
type SliceKey = (Exponents, Vec<Option<usize>>);

/// A vector set P ⊂ ℕᵈ as its automaton.
pub struct SetOutcomes<'a> {
    set: &'a VectorSet,
    effort: Effort<'a>,
    /// {u : base + u ∈ P}, u over some tracks, by base and tracks.
    slices: RefCell<FxHashMap<SliceKey, VectorSet>>,
}

impl<'a> SetOutcomes<'a> {
    /// The set, and how large automata may become.
    pub fn new(set: &'a VectorSet, effort: Effort<'a>) -> Self {
        Self { set, effort, slices: RefCell::default() }
    }

    /// {u ∈ ℕᵏ : base + Σ uⱼ·e(tracks\[j\]) ∈ P}; a track `None` changes nothing.
    fn slice(&self, base: &[u32], tracks: &[Option<usize>]) -> Result<VectorSet, StopReason> {
        let key = (base.to_vec(), tracks.to_vec());
        if let Some(found) = self.slices.borrow().get(&key) {
            return Ok(found.clone());
        }
        let d = self.set.dimension();
        let base: Vec<BigInt> = base.iter().map(|&b| b.into()).collect();
        let columns: Vec<Vec<i64>> =
            tracks.iter().map(|track| (0..d).map(|i| i64::from(*track == Some(i))).collect()).collect();
        let set = self.set.preimage(&base, &columns, &self.effort)?;
        self.slices.borrow_mut().insert(key, set.clone());
        Ok(set)
    }

    /// The number of normal forms in the set; `None` when there are infinitely many.
    pub fn p_portion(&self, cones: &[Cone]) -> Result<Option<usize>, StopReason> {
        let mut count = 0;
        for cone in cones {
            if cone.free.is_empty() {
                count +=
                    usize::from(self.set.contains_small(&cone.base.iter().map(|&n| n.into()).collect::<Vec<u64>>()));
                continue;
            }
            let tracks: Vec<Option<usize>> = cone.free.iter().copied().map(Some).collect();
            let slice = self.slice(&cone.base, &tracks)?;
            if !slice.is_finite() {
                return Ok(None);
            }
            count += slice.elements(&vec![1; tracks.len()], &self.effort)?.count();
        }
        Ok(Some(count))
    }

    fn shift(&self, x: &[u32]) -> Result<VectorSet, StopReason> {
        let x: Vec<_> = x.iter().map(|&n| n.into()).collect();
        self.set.shift(&x, &self.effort)
    }

    /// Vectors of one cone congruent to vectors of another, different ones when the cones are the same. The tests together hold all normal
    /// forms; those that told cones apart come first the next time.
    fn meeting(
        &self,
        first: &Cone,
        second: &Cone,
        tests: &mut [Cone],
    ) -> Result<Option<(Exponents, Exponents)>, StopReason> {
        let (m, n) = (first.free.len(), second.free.len());
        let mut equal = VectorSet::full(m + n);
        if first == second {
            // u ≠ v.
            for i in 0..m {
                let mut row = vec![0; m + n];
                (row[i], row[m + i]) = (1, -1);
                let same = VectorSet::linear(&row, 0, Relation::Zero, &self.effort)?;
                equal = if i == 0 { same } else { equal.intersection(&same, &self.effort)? };
            }
            equal = equal.complement();
        }
        let some = |free: &[usize]| free.iter().copied().map(Some).collect::<Vec<_>>();
        let none = |n: usize| vec![None; n];
        let plus = |a: &[u32], b: &[u32]| a.iter().zip(b).map(|(a, b)| a + b).collect::<Exponents>();
        let mut useful = Vec::new();
        for (place, third) in tests.iter().enumerate() {
            let k = third.free.len();
            let left = [some(&first.free), none(n), some(&third.free)].concat();
            let right = [none(m), some(&second.free), some(&third.free)].concat();
            let left = self.slice(&plus(&first.base, &third.base), &left)?;
            let right = self.slice(&plus(&second.base, &third.base), &right)?;
            let mut apart = left.symmetric_difference(&right, &self.effort)?;
            if k > 0 {
                let tracks: Vec<usize> = (m + n..m + n + k).collect();
                apart = apart.exists(&tracks, &self.effort)?;
            }
            let rest = equal.difference(&apart, &self.effort)?;
            if rest != equal {
                useful.push(place);
            }
            equal = rest;
            if equal.is_empty() {
                for (to, from) in useful.into_iter().enumerate() {
                    tests[to..=from].rotate_right(1);
                }
                return Ok(None);
            }
        }
        let found = equal.smallest(&self.effort)?.expect("a set that is not empty has a smallest vector");
        let too_large = StopReason::Size { what: "entries of a relation", limit: u64::from(u32::MAX) };
        let found: Vec<u32> =
            found.iter().map(|n| u32::try_from(n).map_err(|_| too_large.clone())).collect::<Result<_, _>>()?;
        let at = |cone: &Cone, u: &[u32]| {
            let mut x = cone.base.clone();
            for (&i, &u) in cone.free.iter().zip(u) {
                x[i] += u;
            }
            x
        };
        Ok(Some((at(first, &found[..m]), at(second, &found[m..]))))
    }
}

impl Outcomes for SetOutcomes<'_> {
    type Shift = VectorSet;

    fn dimension(&self) -> usize {
        self.set.dimension()
    }

    fn start(&self) -> VectorSet {
        self.set.clone()
    }

    fn step(&self, shift: &VectorSet, i: usize) -> Result<VectorSet, StopReason> {
        let unit: Vec<_> = (0..self.dimension()).map(|j| u8::from(i == j).into()).collect();
        shift.shift(&unit, &self.effort)
    }

    /// Pairs of cones are compared with r over all cones: r may be taken in normal form, since p + r ∈ P depends on
    /// the class of r only. So no automaton has more tracks than three cones have free coordinates.
    fn twins(
        &self,
        cones: &[Cone],
        compared: u32,
        monitor: &dyn Monitor,
    ) -> Result<Option<(Exponents, Exponents)>, StopReason> {
        self.slices.borrow_mut().clear();
        let mut order: Vec<&Cone> = cones.iter().collect();
        order.sort_by_key(|cone| std::cmp::Reverse(cone.free.len()));
        let (lines, points): (Vec<&Cone>, Vec<&Cone>) = order.iter().copied().partition(|cone| !cone.free.is_empty());
        if points.iter().any(|point| point.base.iter().sum::<u32>() > compared) {
            let mut named: FxHashMap<VectorSet, &Cone> = FxHashMap::default();
            for point in &points {
                monitor.check(0, None)?;
                if let Some(other) = named.insert(self.shift(&point.base)?, point) {
                    return Ok(Some((point.base.clone(), other.base.clone())));
                }
            }
        }
        // What all vectors of a cone have in common: it tells most cones apart at once.
        let tests: Vec<Exponents> = order.iter().map(|cone| cone.base.clone()).take(64).collect();
        let profile = |cone: &Cone| -> Result<Vec<Option<bool>>, StopReason> {
            let tracks: Vec<Option<usize>> = cone.free.iter().copied().map(Some).collect();
            tests
                .iter()
                .map(|r| {
                    let base: Exponents = cone.base.iter().zip(r).map(|(a, b)| a + b).collect();
                    if tracks.is_empty() {
                        let at: Vec<u64> = base.iter().map(|&x| x.into()).collect();
                        return Ok(Some(self.set.contains_small(&at)));
                    }
                    let slice = self.slice(&base, &tracks)?;
                    Ok(if slice.is_empty() { Some(false) } else { slice.complement().is_empty().then_some(true) })
                })
                .collect()
        };
        let profiles: Vec<Vec<Option<bool>>> =
            lines.iter().chain(&points).map(|cone| profile(cone)).collect::<Result<_, _>>()?;
        let differ =
            |a: &[Option<bool>], b: &[Option<bool>]| a.iter().zip(b).any(|(a, b)| a.is_some() && b.is_some() && a != b);
        // One vector of each cone first: no quantifier is needed for it.
        let mut tests: Vec<Cone> = order.iter().map(|c| Cone { base: c.base.clone(), free: vec![] }).take(24).collect();
        tests.extend(order.iter().map(|&cone| cone.clone()));
        for (i, first) in lines.iter().enumerate() {
            for (j, second) in lines.iter().chain(&points).enumerate().skip(i) {
                monitor.check(i as u64, Some(lines.len() as u64))?;
                if i != j && differ(&profiles[i], &profiles[j]) {
                    continue;
                }
                if let Some(twins) = self.meeting(first, second, &mut tests)? {
                    return Ok(Some(twins));
                }
            }
        }
        Ok(None)
    }
}

/// The Hilbert basis of the recession cone of a game's board, in inner coordinates.
pub fn cone_basis(game: &LatticeGame, monitor: &dyn Monitor) -> Result<Vec<Vec<i64>>, StopReason> {
    let d = game.dimension();
    let unit = |i: usize| (0..d).map(|j| Int::from(i64::from(i == j))).collect::<Vec<Int>>();
    let mut rows: Vec<Vec<Int>> = (0..d).map(unit).collect();
    rows.extend(game.inner_rows().iter().map(|row| row[..d].iter().map(|&n| Int::from(n)).collect()));
    let cone = PolyhedralCone::from_inequalities(d, &rows, &[], monitor)?;
    let basis = hilbert_basis(&cone, monitor)?;
    let too_large = StopReason::Size { what: "bits of a generator's entries", limit: 63 };
    basis.iter().map(|v| v.iter().map(|n| n.to_i64().ok_or_else(|| too_large.clone())).collect()).collect()
}
