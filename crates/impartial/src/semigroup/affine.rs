//! Pointed affine semigroups.

use thiserror::Error;

use crate::integer::{Int, Matrix, Vector, dot, hermite, is_zero_vector, smith, zero_vector};
use crate::polyhedron::{Cone, hilbert_basis_over};
use crate::run::{Monitor, StopReason};
use crate::series::{Coefficients, Series, SeriesError, positive_functional};

/// The affine semigroup ℕ{a₁, …, aₙ} ⊂ ℤᵈ of finitely many vectors on which some functional is positive.
///
/// ```
/// use impartial::{integer::vector, run::Unlimited, semigroup::AffineSemigroup};
/// let twisted = AffineSemigroup::new(2, vec![vector(&[1, 0]), vector(&[1, 1]), vector(&[1, 3]), vector(&[1, 4])]).unwrap();
/// assert!(!twisted.contains(&vector(&[1, 2]), &Unlimited).unwrap());
/// assert!(!twisted.is_normal(&Unlimited).unwrap());
/// assert_eq!(twisted.saturation_basis(&Unlimited).unwrap().len(), 5);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AffineSemigroup {
    dimension: usize,
    generators: Vec<Vector>,
    functional: Vector,
}

/// Why vectors do not generate a pointed affine semigroup.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum SemigroupError {
    /// A vector of the wrong length.
    #[error(
        "a generator has {found} entries where the dimension is {dimension}; give every vector one entry a coordinate"
    )]
    Length {
        /// The dimension.
        dimension: usize,
        /// The length found.
        found: usize,
    },
    /// No functional is positive on all generators: a non-zero element has its inverse in the semigroup, or a
    /// generator is zero.
    #[error(
        "no linear function is positive on all generators, so that the semigroup is not pointed; leave out zero vectors and inverses"
    )]
    NotPointed,
}

impl AffineSemigroup {
    /// The semigroup that the vectors generate.
    pub fn new(dimension: usize, mut generators: Vec<Vector>) -> Result<Self, SemigroupError> {
        if let Some(bad) = generators.iter().find(|a| a.len() != dimension) {
            return Err(SemigroupError::Length { dimension, found: bad.len() });
        }
        generators.sort();
        generators.dedup();
        if generators.iter().any(|a| is_zero_vector(a)) {
            return Err(SemigroupError::NotPointed);
        }
        let functional = positive_functional(dimension, &generators).ok_or(SemigroupError::NotPointed)?;
        Ok(Self { dimension, generators, functional })
    }

    /// The dimension of the space around.
    pub fn dimension(&self) -> usize {
        self.dimension
    }

    /// The generators, sorted.
    pub fn generators(&self) -> &[Vector] {
        &self.generators
    }

    /// A functional that is positive on the semigroup except in 0.
    pub fn functional(&self) -> &[Int] {
        &self.functional
    }

    /// A basis of the group that the semigroup generates, as rows in Hermite form.
    pub fn group(&self) -> Matrix {
        let h = hermite(&Matrix::from_rows(self.dimension, &self.generators));
        h.form.row_range(0, h.pivots.len())
    }

    /// The cone that the semigroup spans.
    pub fn cone(&self, monitor: &dyn Monitor) -> Result<Cone, StopReason> {
        Cone::from_generators(self.dimension, &self.generators, &[], monitor)
    }

    /// The number of ways to write x as a sum of generators.
    ///
    /// # Complexity
    /// One count of lattice points: polynomial in the digits of x when the number of generators is fixed.
    pub fn representations(&self, x: &[Int], monitor: &dyn Monitor) -> Result<Int, SeriesError> {
        let all = Series::of_module(self.dimension, &[zero_vector(self.dimension)], &self.generators)?;
        let count = Coefficients::new(&all).at(x, monitor)?;
        Ok(count.to_int().expect("a number of representations is an integer"))
    }

    /// Whether x is a sum of generators.
    pub fn contains(&self, x: &[Int], monitor: &dyn Monitor) -> Result<bool, SeriesError> {
        if dot(&self.functional, x).is_negative() {
            return Ok(false);
        }
        Ok(self.representations(x, monitor)?.is_positive())
    }

    /// The Hilbert basis of the saturation: all elements of the group in the cone.
    pub fn saturation_basis(&self, monitor: &dyn Monitor) -> Result<Vec<Vector>, StopReason> {
        hilbert_basis_over(&self.cone(monitor)?, &self.group(), monitor)
    }

    /// Whether the semigroup is normal: equal to its saturation.
    pub fn is_normal(&self, monitor: &dyn Monitor) -> Result<bool, StopReason> {
        // An element of the Hilbert basis is no sum, so that it must be a generator itself.
        Ok(self.saturation_basis(monitor)?.iter().all(|b| self.generators.binary_search(b).is_ok()))
    }

    /// The invariant factors other than 1 of the group ℤᵈ/ℤA, or nothing when it is infinite.
    ///
    /// If a lattice game on a cone in normal play has a normal affine semigroup A as its set of P-positions, then p and q are
    /// congruent iff p − q ∈ ℤA, and this group is the quotient (Guo's thesis, Theorem 8.3 and Corollary 8.12, as they hold:
    /// `docs/theory/series.md`, 6).
    ///
    /// ```
    /// use impartial::{integer::vector, semigroup::AffineSemigroup};
    /// // Nim with heaps up to 2: P = 2ℕ², and the quotient is ℤ/2 × ℤ/2.
    /// let p = AffineSemigroup::new(2, vec![vector(&[2, 0]), vector(&[0, 2])]).unwrap();
    /// assert_eq!(p.quotient_invariants(), Some(vector(&[2, 2])));
    /// ```
    pub fn quotient_invariants(&self) -> Option<Vector> {
        let diagonal = smith(&Matrix::from_rows(self.dimension, &self.generators)).diagonal;
        (diagonal.len() == self.dimension).then(|| diagonal.into_iter().filter(|d| !d.is_one()).collect())
    }

    /// The generators that are not sums of others: the least set of generators.
    pub fn minimal_generators(&self, monitor: &dyn Monitor) -> Result<Vec<Vector>, SeriesError> {
        let mut by_degree = self.generators.clone();
        by_degree.sort_by_cached_key(|a| (dot(&self.functional, a), a.clone()));
        let mut kept: Vec<Vector> = Vec::new();
        for a in by_degree {
            let smaller = Self { generators: kept.clone(), ..self.clone() };
            if kept.is_empty() || !smaller.contains(&a, monitor)? {
                kept.push(a);
            }
        }
        kept.sort();
        Ok(kept)
    }
}
