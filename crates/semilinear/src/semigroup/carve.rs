//! Boolean algebra of normal sets by carving, as in the proofs of Guo–Miller 2011, Lemma 4.4 and Theorem 4.2.
//!
//! A translate f + A of a normal affine semigroup is the set of points of the coset f + ℤA in the polyhedron f + cone(A). Two such
//! sets meet in a coset of the common lattice inside the common polyhedron. Their difference is carved: away from the affine span
//! of the second set (the degenerate case), then coset by coset of the common lattice, and in the one coset that both share
//! facet by facet, each facet cutting off what lies beyond it. Every piece is again a coset in a polyhedron, all pieces are disjoint,
//! and each is a disjoint union of translates of free semigroups ([`free_pieces`]). No automata are involved: the second,
//! independent road to [`Stratification::intersection`] and its siblings.

use super::extract::Stratum;
use super::merge::merged;
use super::{AffineSemigroup, Module, Stratification};
use crate::integer::{
    Affine, Int, LinearProgram, Matrix, Vector, add, dot, hermite, kernel, negated, solve_integer, sub, unit_vector,
    vector, zero_vector,
};
use crate::polyhedron::{Cone, free_pieces};
use crate::run::{Monitor, StopReason};

/// More cosets than this are not looked at one by one.
const MOST_COSETS: u64 = 1 << 16;
/// At most this many pieces.
const MOST_PIECES: usize = 1 << 16;

/// A finite disjoint union of sets {x ∈ p + L : a·x + b ≥ 0 for all rows}, L a lattice: all points of a coset in a polyhedron
/// without lines. Translates of normal affine semigroups are such sets, and boolean combinations of such sets are.
///
/// ```
/// use semilinear::run::Unlimited;
/// use semilinear::semigroup::{Module, NormalSet, Stratification};
/// let multiples = |n: i64| {
///     let module = Module { generators: vec![vec![n]], bases: vec![vec![0]] };
///     NormalSet::of_strata(&Stratification::new(1, vec![module]).unwrap(), &Unlimited)
/// };
/// let both = multiples(4)?.intersection(&multiples(6)?, &Unlimited)?;
/// assert_eq!(both.stratification(&Unlimited)?.modules()[0].generators, [[12]]);
/// let odd_quarters = multiples(4)?.difference(&multiples(8)?, &Unlimited)?;
/// assert_eq!(odd_quarters.stratification(&Unlimited)?.modules()[0].bases, [[4]]);
/// # Ok::<(), semilinear::run::StopReason>(())
/// ```
#[derive(Clone, Debug)]
pub struct NormalSet {
    dimension: usize,
    pieces: Vec<Piece>,
}

/// {x ∈ point + L : a·x + b ≥ 0 for all rows}.
#[derive(Clone, Debug)]
struct Piece {
    point: Vector,
    /// A basis of L, as rows.
    lattice: Matrix,
    rows: Vec<Affine>,
}

impl Piece {
    /// f + (cone ∩ L).
    fn translate(f: &[Int], cone: &Cone, lattice: Matrix) -> Self {
        let rows = cone.facets().iter().map(|a| Affine::new(a.clone(), -dot(a, f))).collect();
        Self { point: f.to_vec(), lattice, rows }
    }

    /// The rows in coordinates λ of the coset, x = point + Σ λᵢ lᵢ, made as tight as integers allow.
    fn local_rows(&self) -> Vec<Affine> {
        let local = self.rows.iter().map(|row| {
            let normal = self.lattice.times(&row.normal);
            let constant = row.at_integer(&self.point);
            let content = normal.iter().fold(Int::ZERO, |g, x| g.gcd(x));
            if content.is_zero() || content.is_one() {
                return Affine::new(normal, constant);
            }
            Affine::new(normal.iter().map(|x| x.exact_div(&content)).collect(), constant.div_floor(&content))
        });
        let mut local: Vec<Affine> = local.collect();
        local.sort();
        // Of rows with the same normal the first is the tightest.
        local.dedup_by(|next, kept| next.normal == kept.normal);
        local
    }

    /// Whether the rows contradict each other over the rationals (after tightening); if not, the piece may still be empty.
    fn is_contradictory(&self, monitor: &dyn Monitor) -> Result<bool, StopReason> {
        let program =
            LinearProgram { dimension: self.lattice.rows(), inequalities: self.local_rows(), equations: Vec::new() };
        Ok(program.feasible_point(monitor)?.is_err())
    }

    fn with_row(&self, row: Affine) -> Self {
        let mut piece = self.clone();
        piece.rows.push(row);
        piece
    }

    /// The part where e·x = c; `None` when no point of the coset satisfies it.
    fn on_hyperplane(&self, e: &[Int], c: &Int) -> Option<Self> {
        let left = self.lattice.times(e);
        let solutions = solve_integer(&Matrix::from_rows(left.len(), &[left]), &[c - &dot(e, &self.point)])?;
        let point = add(&self.point, &self.lattice.left_times(&solutions.point));
        Some(Self { point, lattice: solutions.basis.product(&self.lattice), rows: self.rows.clone() })
    }

    /// self ∩ other (Lemma 4.4); `None` when it is seen to be empty.
    fn intersection(&self, other: &Self, monitor: &dyn Monitor) -> Result<Option<Self>, StopReason> {
        // point + Lᵀλ = point' + L'ᵀμ.
        let (r, d) = (self.lattice.rows(), self.point.len());
        let mut generators = self.lattice.to_rows();
        generators.extend(other.lattice.iter_rows().map(negated));
        let system = Matrix::from_rows(d, &generators).transposed();
        let Some(solutions) = solve_integer(&system, &sub(&other.point, &self.point)) else { return Ok(None) };
        let point = add(&self.point, &self.lattice.left_times(&solutions.point[..r]));
        let common: Vec<Vector> = solutions.basis.iter_rows().map(|s| self.lattice.left_times(&s[..r])).collect();
        let form = hermite(&Matrix::from_rows(d, &common));
        let rows = self.rows.iter().chain(&other.rows).cloned().collect();
        let piece = Self { point, lattice: form.form.row_range(0, form.pivots.len()), rows };
        Ok((!piece.is_contradictory(monitor)?).then_some(piece))
    }

    /// Disjoint pieces that make up self ∖ other (Theorem 4.2).
    fn difference(&self, other: &Self, out: &mut Vec<Self>, monitor: &dyn Monitor) -> Result<(), StopReason> {
        monitor.check(out.len() as u64, None)?;
        let Some(common) = self.intersection(other, monitor)? else {
            out.push(self.clone());
            return Ok(());
        };
        // Off the affine span of the other set.
        let mut rest = self.clone();
        for e in kernel(&other.lattice).iter_rows() {
            let c = dot(e, &other.point);
            if rest.lattice.times(e).iter().all(Int::is_zero) {
                // Constant on the coset, which meets the other one: the constant is c.
                continue;
            }
            let above = Affine::new(e.to_vec(), -&c - Int::ONE);
            let below = Affine::new(negated(e), &c - &Int::ONE);
            for piece in [above, below].map(|row| rest.with_row(row)) {
                if !piece.is_contradictory(monitor)? {
                    out.push(piece);
                }
            }
            rest = rest.on_hyperplane(e, &c).expect("the cosets meet in this hyperplane");
        }
        // Other cosets of the common lattice, which now has finite index.
        for point in rest.cosets(&common.lattice)? {
            monitor.check(out.len() as u64, None)?;
            let piece = Self { point, lattice: common.lattice.clone(), rows: rest.rows.clone() };
            if piece.is_contradictory(monitor)? {
                continue;
            }
            let distance = sub(&piece.point, &common.point);
            if solve_integer(&common.lattice.transposed(), &distance).is_none() {
                out.push(piece);
                continue;
            }
            // The coset that both share: beyond one facet of the other set after the other.
            let mut inside = piece;
            for row in &other.rows {
                let beyond = Affine::new(negated(&row.normal), -&row.constant - Int::ONE);
                let beyond = inside.with_row(beyond);
                if !beyond.is_contradictory(monitor)? {
                    out.push(beyond);
                }
                inside.rows.push(row.clone());
            }
        }
        if out.len() > MOST_PIECES {
            return Err(StopReason::Size { what: "pieces of a carved set", limit: MOST_PIECES as u64 });
        }
        Ok(())
    }

    /// A point of every coset of a sublattice of finite index in the lattice of this piece.
    fn cosets(&self, sublattice: &Matrix) -> Result<Vec<Vector>, StopReason> {
        let r = self.lattice.rows();
        let coordinates: Vec<Vector> = sublattice
            .iter_rows()
            .map(|v| solve_integer(&self.lattice.transposed(), v).expect("a sublattice").point)
            .collect();
        let form = hermite(&Matrix::from_rows(r, &coordinates)).form;
        // The form is triangular: the coordinates below its diagonal represent every coset once.
        let mut points = vec![self.point.clone()];
        for i in 0..r {
            let order = form[(i, i)].abs();
            let too_many = StopReason::Size { what: "cosets of the common lattice", limit: MOST_COSETS };
            let order = order.to_i64().and_then(|n| u64::try_from(n).ok()).filter(|n| *n <= MOST_COSETS);
            let order = order.ok_or_else(|| too_many.clone())?;
            if points.len() as u64 * order > MOST_COSETS {
                return Err(too_many);
            }
            points = points
                .iter()
                .flat_map(|p| {
                    let mut next = p.clone();
                    (0..order).map(move |_| {
                        let following = add(&next, self.lattice.row(i));
                        std::mem::replace(&mut next, following)
                    })
                })
                .collect();
        }
        Ok(points)
    }

    fn contains(&self, x: &[Int]) -> bool {
        self.rows.iter().all(|row| !row.at_integer(x).is_negative())
            && solve_integer(&self.lattice.transposed(), &sub(x, &self.point)).is_some()
    }
}

impl NormalSet {
    /// The empty set.
    pub fn empty(dimension: usize) -> Self {
        Self { dimension, pieces: Vec::new() }
    }

    /// ℕᵈ.
    pub fn orthant(dimension: usize) -> Self {
        let rows = (0..dimension).map(|i| Affine::new(unit_vector(dimension, i), 0)).collect();
        let piece = Piece { point: zero_vector(dimension), lattice: Matrix::identity(dimension), rows };
        Self { dimension, pieces: vec![piece] }
    }

    /// The union of the strata f + ℕV: free semigroups are normal. Strata may overlap.
    pub fn of_strata(strata: &Stratification, monitor: &dyn Monitor) -> Result<Self, StopReason> {
        let d = strata.dimension();
        let mut set = Self::empty(d);
        for module in strata.modules() {
            let generators: Vec<Vector> = module.generators.iter().map(|v| vector(v)).collect();
            let cone = Cone::from_generators(d, &generators, &[], monitor)?;
            let lattice = Matrix::from_rows(d, &generators);
            for base in &module.bases {
                let piece = Piece::translate(&vector(base), &cone, lattice.clone());
                set = set.union(&Self { dimension: d, pieces: vec![piece] }, monitor)?;
            }
        }
        Ok(set)
    }

    /// The module F + A over a normal affine semigroup; `None` when A is not normal.
    pub fn of_module(
        bases: &[Vector],
        semigroup: &AffineSemigroup,
        monitor: &dyn Monitor,
    ) -> Result<Option<Self>, StopReason> {
        if !semigroup.is_normal(monitor)? {
            return Ok(None);
        }
        let d = semigroup.dimension();
        let (cone, lattice) = (semigroup.cone(monitor)?, semigroup.group());
        let mut set = Self::empty(d);
        for f in bases {
            let piece = Piece::translate(f, &cone, lattice.clone());
            set = set.union(&Self { dimension: d, pieces: vec![piece] }, monitor)?;
        }
        Ok(Some(set))
    }

    /// Whether x lies in the set.
    pub fn contains(&self, x: &[Int]) -> bool {
        self.pieces.iter().any(|piece| piece.contains(x))
    }

    /// self ∩ other (Lemma 4.4).
    pub fn intersection(&self, other: &Self, monitor: &dyn Monitor) -> Result<Self, StopReason> {
        let mut pieces = Vec::new();
        for a in &self.pieces {
            for b in &other.pieces {
                monitor.check(pieces.len() as u64, None)?;
                pieces.extend(a.intersection(b, monitor)?);
            }
        }
        Ok(Self { dimension: self.dimension, pieces })
    }

    /// self ∖ other (Theorem 4.2).
    ///
    /// # Complexity
    /// Each piece of `other` cuts a piece of `self` into at most as many as it has facets, times the index of the common
    /// lattice.
    pub fn difference(&self, other: &Self, monitor: &dyn Monitor) -> Result<Self, StopReason> {
        let mut pieces = self.pieces.clone();
        for b in &other.pieces {
            let mut next = Vec::new();
            for a in &pieces {
                a.difference(b, &mut next, monitor)?;
            }
            pieces = next;
        }
        Ok(Self { dimension: self.dimension, pieces })
    }

    /// self ∪ other.
    pub fn union(&self, other: &Self, monitor: &dyn Monitor) -> Result<Self, StopReason> {
        let mut union = other.difference(self, monitor)?;
        union.pieces.extend(self.pieces.iter().cloned());
        Ok(union)
    }

    /// ℕᵈ ∖ self.
    pub fn complement(&self, monitor: &dyn Monitor) -> Result<Self, StopReason> {
        Self::orthant(self.dimension).difference(self, monitor)
    }

    /// self + v.
    #[must_use]
    pub fn translation(&self, v: &[Int]) -> Self {
        let moved = |piece: &Piece| Piece {
            point: add(&piece.point, v),
            lattice: piece.lattice.clone(),
            rows: piece
                .rows
                .iter()
                .map(|row| Affine::new(row.normal.clone(), &row.constant - &dot(&row.normal, v)))
                .collect(),
        };
        Self { dimension: self.dimension, pieces: self.pieces.iter().map(moved).collect() }
    }

    /// The set as a stratification: each piece triangulated, strata merged.
    ///
    /// # Complexity
    /// As [`free_pieces`] for every piece.
    pub fn stratification(&self, monitor: &dyn Monitor) -> Result<Stratification, StopReason> {
        let too_large = || StopReason::Size { what: "bits of a stratum's entries", limit: 63 };
        let small = |x: &Vector| x.iter().map(Int::to_i64).collect::<Option<Vec<i64>>>().ok_or_else(too_large);
        let mut strata: Vec<Stratum> = Vec::new();
        for piece in &self.pieces {
            for free in free_pieces(piece.lattice.rows(), &piece.local_rows(), monitor)? {
                let outer = |x: &Vector| piece.lattice.left_times(x);
                let generators: Vec<Vec<i64>> = free.rays.iter().map(|r| small(&outer(r))).collect::<Result<_, _>>()?;
                for f in &free.bases {
                    strata.push((small(&add(&piece.point, &outer(f)))?, generators.clone()));
                }
            }
        }
        let modules = merged(strata)
            .into_iter()
            .map(|(generators, bases)| Module { generators, bases: bases.into_iter().collect() })
            .collect();
        Ok(Stratification::new(self.dimension, modules).expect("rays of simplices are independent"))
    }
}

#[cfg(test)]
#[path = "carve_tests.rs"]
mod tests;
