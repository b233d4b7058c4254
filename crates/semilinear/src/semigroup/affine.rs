//! Pointed affine semigroups.

use thiserror::Error;

use crate::integer::{Int, Matrix, Vector, dot, hermite, is_zero_vector, smith, zero_vector};
use crate::polyhedron::{Cone, hilbert_basis_over};
use crate::run::{Monitor, StopReason};
use crate::series::{Coefficients, Series, SeriesError, positive_functional};

/// The affine semigroup ℕ{a₁, …, aₙ} ⊂ ℤᵈ of finitely many vectors on which some functional is positive.
///
/// ```
/// use semilinear::{integer::vector, run::Unlimited, semigroup::AffineSemigroup};
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

    /// The dimension of the semigroup itself: the rank of its group.
    ///
    /// ```
    /// use semilinear::{integer::vector, semigroup::AffineSemigroup};
    /// let diagonal = AffineSemigroup::new(3, vec![vector(&[1, 1, 0]), vector(&[2, 2, 0])]).unwrap();
    /// assert_eq!((diagonal.dimension(), diagonal.rank()), (3, 1));
    /// ```
    pub fn rank(&self) -> usize {
        self.group().rows()
    }

    /// The complexity of the semigroup as it is given (Guo–Miller 2011, Definition 4.8): 1 + log₂|x| summed over all entries x of
    /// its generators, with log₂ max(|x|, 1) for the paper's log₂|x|, which is −∞ at 0.
    ///
    /// ```
    /// use semilinear::{integer::vector, semigroup::AffineSemigroup};
    /// let semigroup = AffineSemigroup::new(2, vec![vector(&[2, 0]), vector(&[6, 8])]).unwrap();
    /// assert!((semigroup.complexity() - (4.0 + 1.0 + 6f64.log2() + 3.0)).abs() < 1e-9);
    /// ```
    pub fn complexity(&self) -> f64 {
        let bits = |x: &Int| 1.0 + log2(x);
        self.generators.iter().flatten().map(bits).sum()
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
    /// use semilinear::{integer::vector, semigroup::AffineSemigroup};
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

/// log₂ max(|x|, 1), also for numbers beyond the range of `f64`.
fn log2(x: &Int) -> f64 {
    let magnitude = x.to_big().magnitude().clone();
    let bits = magnitude.bits();
    let cut = bits.saturating_sub(60);
    #[allow(clippy::cast_precision_loss)] // a measure, not a count
    let (leading, cut) = (num_traits::ToPrimitive::to_u64(&(magnitude >> cut)).unwrap_or(1).max(1) as f64, cut as f64);
    leading.log2() + cut
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::integer::vector;
    use crate::run::Unlimited;

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(24))]

        /// Membership, least generators and normality against sums that are listed.
        #[test]
        fn answers_agree_with_listed_sums(
            generators in prop::collection::vec(prop::collection::vec(0i64..4, 2), 1..5),
        ) {
            let generators: Vec<Vec<i64>> = generators.into_iter().filter(|g| g.iter().any(|&x| x > 0)).collect();
            prop_assume!(!generators.is_empty());
            let semigroup = AffineSemigroup::new(2, generators.iter().map(|g| vector(g)).collect()).unwrap();
            let (size, n) = (13usize, 13i64);
            let mut inside = vec![vec![false; size]; size];
            inside[0][0] = true;
            let sums = |inside: &mut Vec<Vec<bool>>, generators: &[Vec<i64>]| {
                for (x, y) in (0..n).flat_map(|x| (0..n).map(move |y| (x, y))) {
                    let reached = generators.iter().any(|g| {
                        let (a, b) = (usize::try_from(x - g[0]), usize::try_from(y - g[1]));
                        matches!((a, b), (Ok(a), Ok(b)) if inside[a][b])
                    });
                    let (x, y) = (usize::try_from(x).unwrap(), usize::try_from(y).unwrap());
                    inside[x][y] = inside[x][y] || reached;
                }
            };
            sums(&mut inside, &generators);
            for (x, y) in (0..6usize).flat_map(|x| (0..6usize).map(move |y| (x, y))) {
                let point = [Int::from(x), Int::from(y)];
                prop_assert_eq!(semigroup.contains(&point, &Unlimited).unwrap(), inside[x][y], "{:?} {:?}", &generators, point);
            }
            // The least generators make the same sums, and none of them is a sum of the others.
            let least = semigroup.minimal_generators(&Unlimited).unwrap();
            let small = |v: &Vector| v.iter().map(|x| x.to_i64().unwrap()).collect::<Vec<i64>>();
            let least: Vec<Vec<i64>> = least.iter().map(small).collect();
            let mut again = vec![vec![false; size]; size];
            again[0][0] = true;
            sums(&mut again, &least);
            prop_assert_eq!(&again, &inside);
            for i in 0..least.len() {
                let others: Vec<Vec<i64>> = (0..least.len()).filter(|&j| j != i).map(|j| least[j].clone()).collect();
                let mut fewer = vec![vec![false; size]; size];
                fewer[0][0] = true;
                sums(&mut fewer, &others);
                let (a, b) = (usize::try_from(least[i][0]).unwrap(), usize::try_from(least[i][1]).unwrap());
                prop_assert!(!fewer[a][b], "{:?}", &least);
            }
            // Normal iff every element of the group with a multiple in the semigroup belongs; multiples by up to 12 suffice here.
            let group = semigroup.group();
            prop_assert_eq!(semigroup.rank(), group.rows());
            let basis = semigroup.saturation_basis(&Unlimited).unwrap();
            let gaps = basis.iter().filter(|b| !semigroup.contains(b, &Unlimited).unwrap()).count();
            prop_assert_eq!(semigroup.is_normal(&Unlimited).unwrap(), gaps == 0);
            for b in &basis {
                prop_assert!(crate::integer::solve_integer(&group.transposed(), b).is_some());
                let has_multiple = (1..=12i64).any(|k| {
                    let multiple: Vector = b.iter().map(|x| x * &Int::from(k)).collect();
                    semigroup.contains(&multiple, &Unlimited).unwrap()
                });
                prop_assert!(has_multiple, "{:?} {:?}", &generators, b);
            }
        }
    }

    #[test]
    fn what_is_not_pointed_is_refused() {
        let make = |generators: &[[i64; 2]]| AffineSemigroup::new(2, generators.iter().map(|g| vector(g)).collect());
        assert_eq!(make(&[[1, 0], [-1, 0]]), Err(SemigroupError::NotPointed));
        assert_eq!(make(&[[0, 0], [1, 0]]), Err(SemigroupError::NotPointed));
        assert!(make(&[[1, -3], [-1, 4]]).is_ok());
        let wrong = AffineSemigroup::new(2, vec![vector(&[1])]);
        assert_eq!(wrong, Err(SemigroupError::Length { dimension: 2, found: 1 }));
    }
}
