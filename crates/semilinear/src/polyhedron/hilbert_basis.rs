//! Hilbert bases of normal affine semigroups.

use rustc_hash::FxHashSet;

use super::Cone;
use super::barvinok::SignedCone;
use super::dual::from_facets;
use super::hull::pyramids;
use super::parallelepiped::points;
use super::reducer::Reducer;
use super::simplex_points::Parallelepiped;
use super::triangulation::{inner_normals, simplices};
use crate::integer::{Int, Matrix, Rat, Vector, adjugate, dot, echelon, primitive, saturation, solve, zero_vector};
use crate::run::{Monitor, StopReason};

/// The Hilbert basis of the integer points of a pointed cone: the least set that generates them as a semigroup.
///
/// The points of the parallelepipeds of a triangulation generate the others; pyramids of height 1 are left out
/// (`hull.rs`), and points that are sums are dropped as they are found (`reducer.rs`), in machine
/// integers while these suffice. A cone with few facets and many rays goes the other way, from its facets (`dual.rs`).
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
    let irreducible = match in_machine_integers(&rays, &facets, monitor)? {
        Some(points) => points,
        None => in_exact_integers(rays, &facets, monitor)?,
    };
    let mut basis: Vec<Vector> = irreducible.iter().map(|y| lattice.left_times(y)).collect();
    basis.sort();
    Ok(basis)
}

/// Points that are known again.
const MOST_SEEN: usize = 1 << 20;
/// Fewer points of a parallelepiped are not compared among themselves.
const FEW_POINTS: i64 = 64;
/// The dual algorithm starts with a simplicial cone of a smaller index.
const MOST_START: i64 = 1 << 16;

/// The Hilbert basis of a full-dimensional cone with these rays and facets, the lattice being ℤᵏ; `None` when numbers
/// are too large.
fn in_machine_integers(
    rays: &[Vector],
    facets: &[Vector],
    monitor: &dyn Monitor,
) -> Result<Option<Vec<Vector>>, StopReason> {
    let dimension = rays[0].len();
    let small = |v: &Vector| v.iter().map(Int::to_i64).collect::<Option<Vec<i64>>>();
    let all_small = |list: &[Vector]| list.iter().map(small).collect::<Option<Vec<_>>>();
    let (Some(short), Some(normals)) = (all_small(rays), all_small(facets)) else { return Ok(None) };
    let largest = |list: &[Vec<i64>]| list.iter().flatten().map(|x| i128::from(x.unsigned_abs())).max().unwrap_or(0);
    // A point of a parallelepiped has coordinates, and values on facets, less than the sums of those of its rays.
    let terms = i128::try_from(dimension).unwrap_or(i128::MAX);
    let coordinate = largest(&short).saturating_mul(terms);
    if coordinate.saturating_mul(largest(&normals)).saturating_mul(terms) >= 1 << 62 {
        return Ok(None);
    }
    let value = |h: &[i64], x: &[i64]| h.iter().zip(x).map(|(a, b)| a * b).sum::<i64>();
    let most = short.iter().flat_map(|x| normals.iter().map(|h| value(h, x))).max().unwrap_or(0);
    if i128::from(most).saturating_mul(terms) >= 1 << 31 {
        return Ok(None);
    }
    let narrow = |value: i64| i32::try_from(value).expect("checked to be small");
    if facets.len() <= 2 * dimension && rays.len() > 2 * facets.len() {
        let first = echelon(&Matrix::from_rows(dimension, facets).transposed()).pivots;
        if let Some(values) = from_facets(&normals, &first, monitor)? {
            return Ok(Some(points_of(values, facets)));
        }
    }
    let mut reducer = Reducer::new(facets.len());
    for x in &short {
        reducer.push(normals.iter().map(|h| narrow(value(h, x))), monitor)?;
    }
    let mut too_large = false;
    // Simplices share faces, and the points on them: where values on facets are many it pays to know them again.
    let mut seen: FxHashSet<Vec<i64>> = FxHashSet::default();
    let remember = facets.len() > 16 * dimension;
    let mut add_simplex = |simplex: &[usize]| -> Result<(), StopReason> {
        let chosen: Vec<&[i64]> = simplex.iter().map(|&i| short[i].as_slice()).collect();
        let fits = |cell: &Parallelepiped| coordinate.saturating_mul(cell.index.into()) < 1 << 62;
        let Some(cell) = Parallelepiped::new(&chosen).filter(fits) else {
            too_large = true;
            return Ok(());
        };
        irreducible_points(&chosen, &cell, monitor, |x| {
            if remember {
                if seen.contains(x) {
                    return Ok(());
                }
                if seen.len() >= MOST_SEEN {
                    seen.clear();
                }
                seen.insert(x.to_vec());
            }
            reducer.push(normals.iter().map(|h| narrow(value(h, x))), monitor)
        })
    };
    let all: Vec<usize> = (0..rays.len()).collect();
    let finished = pyramids(rays, &all, monitor, &mut add_simplex)?;
    if finished.is_none() || too_large {
        return Ok(None);
    }
    Ok(Some(points_of(reducer.finish(monitor)?, facets)))
}

/// The points of a parallelepiped that are not the sum of two others of its cone; all of them when they are few.
fn irreducible_points(
    rays: &[&[i64]],
    cell: &Parallelepiped,
    monitor: &dyn Monitor,
    mut visit: impl FnMut(&[i64]) -> Result<(), StopReason>,
) -> Result<(), StopReason> {
    let mut x = vec![0_i64; rays.len()];
    let mut visit_at = |lambda: &[i64]| {
        for (c, x) in x.iter_mut().enumerate() {
            *x = rays.iter().zip(lambda).map(|(ray, l)| ray[c] * l).sum::<i64>() / cell.index;
        }
        visit(&x)
    };
    if cell.index < FEW_POINTS || i32::try_from(cell.index).is_err() {
        return cell.points(monitor, visit_at);
    }
    // The coordinates λ are values on the facets of the simplex: far fewer than those of the whole cone.
    let mut reducer = Reducer::new(rays.len());
    let narrow = |l: &i64| i32::try_from(*l).expect("less than the index");
    cell.points(monitor, |lambda| reducer.push(lambda.iter().map(narrow), monitor))?;
    for lambda in reducer.finish(monitor)? {
        let lambda: Vec<i64> = lambda[..rays.len()].iter().map(|&l| l.into()).collect();
        visit_at(&lambda)?;
    }
    Ok(())
}

/// The Hilbert basis of the cone where as many independent linear functions as there are dimensions are not negative; `None`
/// when numbers are too large.
pub(super) fn irreducible_of_simplex(
    functions: &[Vec<i64>],
    chosen: &[usize],
    monitor: &dyn Monitor,
) -> Result<Option<Vec<Vec<i64>>>, StopReason> {
    let rows: Vec<Vector> = chosen.iter().map(|&f| functions[f].iter().map(|&x| Int::from(x)).collect()).collect();
    let slices: Vec<&[Int]> = rows.iter().map(Vec::as_slice).collect();
    let small = |ray: Vector| primitive(ray).iter().map(Int::to_i64).collect::<Option<Vec<i64>>>();
    let Some(rays) = inner_normals(&slices).into_iter().map(small).collect::<Option<Vec<_>>>() else {
        return Ok(None);
    };
    let slices: Vec<&[i64]> = rays.iter().map(Vec::as_slice).collect();
    let largest = rays.iter().flatten().map(|x| i128::from(x.unsigned_abs())).max().unwrap_or(0);
    let fits = |cell: &Parallelepiped| {
        cell.index < MOST_START && largest.saturating_mul(i128::from(cell.index) * 64) < 1 << 62 && rays.len() <= 64
    };
    let Some(cell) = Parallelepiped::new(&slices).filter(fits) else { return Ok(None) };
    let mut basis = rays.clone();
    irreducible_points(&slices, &cell, monitor, |x| {
        basis.push(x.to_vec());
        Ok(())
    })?;
    // Few points were not compared: the values tell.
    let value =
        |f: usize, x: &[i64]| functions[f].iter().zip(x).map(|(a, b)| Int::from(*a) * Int::from(*b)).sum::<Int>();
    let values = |x: &Vec<i64>| chosen.iter().map(|&f| value(f, x)).collect::<Vector>();
    let candidates = basis.iter().map(|x| (values(x), x.iter().map(|&x| Int::from(x)).collect::<Vector>())).collect();
    let irreducible = irreducible(candidates, monitor)?;
    Ok(irreducible.iter().map(|x| x.iter().map(Int::to_i64).collect::<Option<Vec<i64>>>()).collect())
}

/// The points with given values on the facets.
fn points_of(values: Vec<Vec<i32>>, facets: &[Vector]) -> Vec<Vector> {
    // Values on independent facets tell the point.
    let dimension = facets[0].len();
    let matrix = Matrix::from_rows(dimension, facets);
    let independent = echelon(&matrix.transposed()).pivots;
    let chosen: Vec<&[Int]> = independent.iter().map(|&f| facets[f].as_slice()).collect();
    let (inverse, determinant) = adjugate(&Matrix::from_rows(dimension, &chosen)).expect("independent facets");
    let point = |values: Vec<i32>| {
        let values: Vector = independent.iter().map(|&f| Int::from(i64::from(values[f]))).collect();
        inverse.times(&values).iter().map(|x| x.exact_div(&determinant)).collect::<Vector>()
    };
    values.into_iter().map(point).collect()
}

/// As [`in_machine_integers`], whatever the numbers.
fn in_exact_integers(rays: Vec<Vector>, facets: &[Vector], monitor: &dyn Monitor) -> Result<Vec<Vector>, StopReason> {
    let origin = zero_vector(rays[0].len());
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
    candidates.remove(&origin);
    let candidates: Vec<(Vector, Vector)> =
        candidates.into_iter().map(|x| (facets.iter().map(|h| dot(h, &x)).collect(), x)).collect();
    irreducible(candidates, monitor)
}

/// The first lattice points on rays, as combinations of the rows of `lattice`, which span the rays.
pub(super) fn coordinates(lattice: &Matrix, rays: &[Vector]) -> Vec<Vector> {
    let columns = lattice.transposed();
    rays.iter().map(|r| integral(&solve(&columns, r).expect("the lattice spans the rays"))).collect()
}

/// The primitive integer vector in the direction of a rational one.
fn integral(x: &[Rat]) -> Vector {
    let denominator = x.iter().fold(Int::ONE, |d, x| d.lcm(x.denominator()));
    primitive(x.iter().map(|x| x.numerator() * &denominator.exact_div(x.denominator())).collect())
}

/// The candidates from which no other one can be subtracted inside the cone, given with their values on the facets:
/// x − h lies in the cone iff no value of h exceeds that of x. If x is a sum, one of its irreducible summands has at
/// most half its degree.
fn irreducible(candidates: Vec<(Vector, Vector)>, monitor: &dyn Monitor) -> Result<Vec<Vector>, StopReason> {
    let mut candidates: Vec<(Int, Vector, Vector)> =
        candidates.into_iter().map(|(values, x)| (values.iter().sum::<Int>(), values, x)).collect();
    candidates.sort();
    let total = candidates.len() as u64;
    monitor.phase("candidates of the basis");
    let mut found: Vec<(Int, Vector, Vector)> = Vec::new();
    for (done, candidate) in candidates.into_iter().enumerate() {
        monitor.check(done as u64, Some(total))?;
        let limit = candidate.0.div_floor(&Int::from(2));
        let below = |h: &(Int, Vector, Vector)| h.1.iter().zip(&candidate.1).all(|(a, b)| a <= b);
        if !found.iter().take_while(|h| h.0 <= limit).any(below) {
            found.push(candidate);
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
        #![proptest_config(ProptestConfig::with_cases(40))]
        #[test]
        fn the_dual_algorithm_agrees_in_more_dimensions(rows in prop::collection::vec(prop::collection::vec(-3i64..6, 5), 5..8)) {
            let rows: Vec<Vector> = rows.iter().map(|r| vector(r)).collect();
            let orthant = (0..5).map(|i| crate::integer::unit_vector(5, i));
            let cone = Cone::from_inequalities(5, &rows.into_iter().chain(orthant).collect::<Vec<_>>(), &[], &Unlimited).unwrap();
            prop_assume!(cone.is_full_dimensional() && cone.facets().len() <= 9);
            let facets = cone.facets().to_vec();
            let first = echelon(&Matrix::from_rows(5, &facets).transposed()).pivots;
            let small: Vec<Vec<i64>> = facets.iter().map(|h| h.iter().map(|x| x.to_i64().unwrap()).collect()).collect();
            let Some(values) = from_facets(&small, &first, &Unlimited).unwrap() else { return Ok(()) };
            let mut dual = points_of(values, &facets);
            dual.sort();
            prop_assert_eq!(dual, hilbert_basis(&cone, &Unlimited).unwrap());
        }

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
            prop_assert_eq!(&basis, &expected);
            let lattice = saturation(&Matrix::from_rows(3, cone.rays()));
            let coordinates = coordinates(&lattice, cone.rays());
            let facets: Vec<Vector> = cone.facets().iter().map(|h| lattice.times(h)).collect();
            let dimension = coordinates[0].len();
            let mut exact: Vec<Vector> = in_exact_integers(coordinates, &facets, &Unlimited).unwrap()
                .iter().map(|y| lattice.left_times(y)).collect();
            exact.sort();
            prop_assert_eq!(&exact, &expected);
            // From the facets alone.
            let first = echelon(&Matrix::from_rows(dimension, &facets).transposed()).pivots;
            let small: Vec<Vec<i64>> = facets.iter().map(|h| h.iter().map(|x| x.to_i64().unwrap()).collect()).collect();
            let values = from_facets(&small, &first, &Unlimited).unwrap().unwrap();
            let mut dual: Vec<Vector> = points_of(values, &facets).iter().map(|y| lattice.left_times(y)).collect();
            dual.sort();
            prop_assert_eq!(dual, expected);
        }
    }
}
