//! Hadamard products: intersections of sets given by series.

use rustc_hash::FxHashMap;

use super::polyhedral::terms as piece_terms;
use super::substitution::translated;
use super::{Series, SeriesError, Term, substitute};
use crate::integer::{Affine, Int, Matrix, Vector, sub, unit_vector, zero_vector};
use crate::polyhedron::{Polyhedron, lattice_points};
use crate::run::{Monitor, StopReason};

/// More terms than this are not kept.
const MAX_TERMS: usize = 1_000_000;

/// The product of two terms up to a shift depends only on both denominators and the difference of the exponents.
type Known<'a> = FxHashMap<(&'a [Vector], &'a [Vector], Vector), Vec<Term>>;

impl Series {
    /// The Hadamard product: every coefficient is the product of both coefficients (Barvinok–Woods 2003, Lemma 3.4). For sets,
    /// the intersection.
    ///
    /// The product of `t^p/Π(1 − t^aᵢ)` and `t^q/Π(1 − t^bⱼ)` lists the exponents `p + Σλᵢaᵢ = q + Σμⱼbⱼ`, so it is the image of
    /// the lattice points of a polyhedron in (λ, μ) under a monomial map.
    ///
    /// # Complexity
    /// For each pair of terms the lattice points of a polyhedron of dimension (numbers of denominators) − rank; polynomial when the
    /// dimension and the number of denominators are fixed.
    pub fn hadamard(&self, other: &Self, monitor: &dyn Monitor) -> Result<Self, SeriesError> {
        let functional = self.common(other)?;
        let mut known = Known::default();
        let mut terms: Vec<Term> = Vec::new();
        let total = (self.terms().len() * other.terms().len()) as u64;
        let mut done = 0;
        for f in self.terms() {
            for g in other.terms() {
                monitor.check(done, Some(total))?;
                done += 1;
                let difference = sub(&g.exponent, &f.exponent);
                let key = (f.denominators.as_slice(), g.denominators.as_slice(), difference);
                let product = match known.entry(key) {
                    std::collections::hash_map::Entry::Occupied(entry) => entry.into_mut(),
                    std::collections::hash_map::Entry::Vacant(entry) => {
                        let (a, b, difference) = entry.key();
                        let product = product_of_terms(self.dimension(), a, b, difference, monitor)?;
                        entry.insert(product)
                    }
                };
                let factor = &f.coefficient * &g.coefficient;
                terms.extend(translated(product.clone(), &f.exponent, &factor));
                if terms.len() > MAX_TERMS {
                    return Err(StopReason::Size { what: "terms of a series", limit: MAX_TERMS as u64 }.into());
                }
            }
        }
        let positive: Vec<Vector> =
            self.terms().iter().chain(other.terms()).flat_map(|t| &t.denominators).cloned().collect();
        let mut series = Self::oriented(self.dimension(), &functional, &positive, terms)?;
        series.simplify();
        Ok(series)
    }

    /// The series of the intersection of two sets given by their series.
    pub fn intersection(&self, other: &Self, monitor: &dyn Monitor) -> Result<Self, SeriesError> {
        self.hadamard(other, monitor)
    }

    /// The series of the union of two sets given by their series (Guo–Miller 2011, Lemma 5.2).
    pub fn union(&self, other: &Self, monitor: &dyn Monitor) -> Result<Self, SeriesError> {
        let mut series = self.plus(other)?.minus(&self.hadamard(other, monitor)?)?;
        series.simplify();
        Ok(series)
    }

    /// The series of the difference of two sets given by their series.
    pub fn difference(&self, other: &Self, monitor: &dyn Monitor) -> Result<Self, SeriesError> {
        let mut series = self.minus(&self.hadamard(other, monitor)?)?;
        series.simplify();
        Ok(series)
    }
}

/// The product of `1/Π(1 − t^a)` and `t^difference/Π(1 − t^b)`; the denominators may point either way.
fn product_of_terms(
    dimension: usize,
    a: &[Vector],
    b: &[Vector],
    difference: &[Int],
    monitor: &dyn Monitor,
) -> Result<Vec<Term>, SeriesError> {
    let n = a.len() + b.len();
    let inequalities: Vec<Affine> = (0..n).map(|i| Affine::new(unit_vector(n, i), 0)).collect();
    let equations: Vec<Affine> = (0..dimension)
        .map(|c| {
            let row = a.iter().map(|a| a[c].clone()).chain(b.iter().map(|b| -&b[c])).collect();
            Affine::new(row, -&difference[c])
        })
        .collect();
    let solutions = Polyhedron::from_constraints(n, &inequalities, &equations, monitor)?;
    let terms = piece_terms(lattice_points(&solutions, 1, monitor)?);
    let mut rows: Vec<Vector> = a.to_vec();
    rows.resize(n, zero_vector(dimension));
    Ok(substitute(&terms, &Matrix::from_rows(dimension, &rows), monitor)?)
}
