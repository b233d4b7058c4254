//! Hilbert bases of normal affine semigroups.

use rustc_hash::FxHashSet;

use super::Cone;
use super::barvinok::SignedCone;
use super::parallelepiped::points;
use super::triangulation::{inner_normals, simplices};
use crate::integer::{Int, Matrix, Rat, Vector, dot, saturation, solve, zero_vector};
use crate::run::{Monitor, StopReason};

/// The Hilbert basis of the integer points of a pointed cone: the least set that generates them as a semigroup.
///
/// # Complexity
/// At most quadratic in the number of lattice points in the parallelepipeds of a triangulation.
///
/// ```
/// use semilinear::{integer::vector, polyhedron::{Cone, hilbert_basis}, run::Unlimited};
/// let cone = Cone::from_generators(2, &[vector(&[1, 0]), vector(&[1, 3])], &[], &Unlimited).unwrap();
/// let basis = hilbert_basis(&cone, &Unlimited).unwrap();
/// assert_eq!(basis, [vector(&[1, 0]), vector(&[1, 1]), vector(&[1, 2]), vector(&[1, 3])]);
/// ```
pub fn hilbert_basis(cone: &Cone, monitor: &dyn Monitor) -> Result<Vec<Vector>, StopReason> {
    hilbert_basis_over(cone, &saturation(&Matrix::from_rows(cone.ambient_dimension(), cone.rays())), monitor)
}

/// As [`hilbert_basis`], for the points of a lattice instead of all integer points. The rows of `lattice` are a basis,
/// and span the same space as the cone. Panics when the cone is not pointed.
pub fn hilbert_basis_over(cone: &Cone, lattice: &Matrix, monitor: &dyn Monitor) -> Result<Vec<Vector>, StopReason> {
    assert!(cone.is_pointed(), "only a pointed cone has a Hilbert basis");
    if cone.rays().is_empty() {
        return Ok(Vec::new());
    }
    // Coordinates in which the lattice is ℤᵏ and the cone full-dimensional.
    let rays = coordinates(lattice, cone.rays());
    let facets: Vec<Vector> = cone.facets().iter().map(|h| lattice.times(h)).collect();
    let mut candidates: FxHashSet<Vector> = FxHashSet::default();
    // The parallelepiped of a unimodular simplex holds no point but 0.
    for simplex in simplices(&rays, monitor)?.into_iter().filter(|simplex| !simplex.index.is_one()) {
        let chosen: Vec<&[Int]> = simplex.rays.iter().map(|&i| rays[i].as_slice()).collect();
        let cone = SignedCone {
            sign: 1,
            rays: Matrix::from_rows(chosen.len(), &chosen),
            normals: inner_normals(&chosen),
            index: simplex.index,
            open: vec![false; chosen.len()],
        };
        candidates.extend(points(&cone, &zero_vector(chosen.len()), &Int::ONE, monitor)?);
    }
    candidates.extend(rays);
    candidates.remove(&zero_vector(lattice.rows()));
    let candidates: Vec<(Vector, Vector)> =
        candidates.into_iter().map(|x| (facets.iter().map(|h| dot(h, &x)).collect(), x)).collect();
    let small: Option<Vec<(Vec<i64>, Vector)>> = candidates
        .iter()
        .map(|(values, x)| {
            let values: Vec<i64> = values.iter().map(Int::to_i64).collect::<Option<_>>()?;
            // Sums of values must fit as well.
            values.iter().all(|v| *v < 1 << 40).then(|| (values, x.clone()))
        })
        .collect();
    let irreducible = match small {
        Some(small) => irreducible(small, |values| values.iter().sum::<i64>(), |degree| degree / 2, monitor)?,
        None => irreducible(
            candidates,
            |values| values.iter().sum::<Int>(),
            |degree| degree.div_floor(&Int::from(2)),
            monitor,
        )?,
    };
    let mut basis: Vec<Vector> = irreducible.iter().map(|y| lattice.left_times(y)).collect();
    basis.sort();
    Ok(basis)
}

/// The first lattice points on rays, as combinations of the rows of `lattice`, which span the rays.
pub(super) fn coordinates(lattice: &Matrix, rays: &[Vector]) -> Vec<Vector> {
    let columns = lattice.transposed();
    rays.iter().map(|r| integral(&solve(&columns, r).expect("the lattice spans the rays"))).collect()
}

/// The primitive integer vector in the direction of a rational one.
fn integral(x: &[Rat]) -> Vector {
    let denominator = x.iter().fold(Int::ONE, |d, x| d.lcm(x.denominator()));
    crate::integer::primitive(x.iter().map(|x| x.numerator() * &denominator.exact_div(x.denominator())).collect())
}

/// The candidates from which no other one can be subtracted inside the cone, given with their values on the facets:
/// x − h lies in the cone iff no value of h exceeds that of x. If x is a sum, one of its irreducible summands has at
/// most half its degree.
fn irreducible<T: Ord>(
    candidates: Vec<(Vec<T>, Vector)>,
    degree: impl Fn(&[T]) -> T,
    half: impl Fn(&T) -> T,
    monitor: &dyn Monitor,
) -> Result<Vec<Vector>, StopReason> {
    let mut candidates: Vec<(T, Vec<T>, Vector)> =
        candidates.into_iter().map(|(values, x)| (degree(&values), values, x)).collect();
    candidates.sort();
    let total = candidates.len() as u64;
    let mut found: Vec<(T, Vec<T>, Vector)> = Vec::new();
    let mut last = 0;
    for (done, candidate) in candidates.into_iter().enumerate() {
        monitor.check(done as u64, Some(total))?;
        let limit = half(&candidate.0);
        let below = |h: &(T, Vec<T>, Vector)| h.1.iter().zip(&candidate.1).all(|(a, b)| a <= b);
        // What reduced the last candidate often reduces the next.
        if found.get(last).is_some_and(|h| h.0 <= limit && below(h)) {
            continue;
        }
        match found.iter().take_while(|h| h.0 <= limit).position(below) {
            Some(i) => last = i,
            None => found.push(candidate),
        }
    }
    Ok(found.into_iter().map(|(_, _, x)| x).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::integer::{sub, vector};
    use crate::run::Unlimited;
    use proptest::prelude::*;

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(60))]
        #[test]
        fn the_basis_is_the_set_of_irreducible_points(rays in prop::collection::vec(prop::collection::vec(0i64..5, 3), 1..5)) {
            let rays: Vec<Vector> = rays.iter().map(|r| vector(r)).filter(|r| r.iter().any(|x| !x.is_zero())).collect();
            prop_assume!(!rays.is_empty());
            let cone = Cone::from_generators(3, &rays, &[], &Unlimited).unwrap();
            let basis = hilbert_basis(&cone, &Unlimited).unwrap();
            // A basis element has coordinates at most the sum of the rays: 3 simplex rays with entries up to 4.
            let range = || 0i64..13;
            let mut inside: Vec<Vector> = Vec::new();
            for a in range() {
                for b in range() {
                    for c in range() {
                        let x = vector(&[a, b, c]);
                        if cone.contains(&x) && a + b + c > 0 {
                            inside.push(x);
                        }
                    }
                }
            }
            let mut expected: Vec<Vector> = inside
                .iter()
                .filter(|x| !inside.iter().any(|y| {
                    let rest = sub(x, y);
                    rest.iter().any(|v| !v.is_zero()) && cone.contains(&rest)
                }))
                .cloned()
                .collect();
            expected.sort();
            prop_assert_eq!(basis, expected);
        }
    }
}
