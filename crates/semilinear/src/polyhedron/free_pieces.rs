//! The integer points of a polyhedron as translates of free semigroups.

use super::Cone;
use super::barvinok::SignedCone;
use super::parallelepiped;
use super::triangulation::{inner_normals, simplices};
use crate::integer::{Affine, Int, Matrix, Vector, add, solve_integer, unit_vector};
use crate::run::{Monitor, StopReason};

/// The translates f + ℕR of the free semigroup of linearly independent vectors R, for f ∈ F.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FreePiece {
    /// F.
    pub bases: Vec<Vector>,
    /// R.
    pub rays: Vec<Vector>,
}

/// The integer points of {x ∈ ℝⁿ : a·x + b ≥ 0 for all rows}, which must hold no line: a disjoint union of translates of
/// free semigroups.
///
/// The cone over the polyhedron (at height 1) is triangulated, and the simplices are made half-open. The points at
/// height 1 of a half-open simplicial cone are those of its half-open parallelepiped at height at most 1, plus generators
/// up to height 1, plus any combination of the generators at height 0.
///
/// # Complexity
/// O(Σ index) over the simplices, besides the double description.
///
/// ```
/// use semilinear::{integer::{Affine, vector}, polyhedron::free_pieces, run::Unlimited};
/// // 2x ≥ y ≥ 0: two free translates.
/// let rows = [Affine::new(vector(&[2, -1]), 0), Affine::new(vector(&[0, 1]), 0)];
/// let pieces = free_pieces(2, &rows, &Unlimited)?;
/// assert_eq!(pieces.len(), 1);
/// assert_eq!(pieces[0].bases, [vector(&[0, 0]), vector(&[1, 1])]);
/// assert_eq!(pieces[0].rays, [vector(&[1, 0]), vector(&[1, 2])]);
/// # Ok::<(), semilinear::run::StopReason>(())
/// ```
pub fn free_pieces(dimension: usize, rows: &[Affine], monitor: &dyn Monitor) -> Result<Vec<FreePiece>, StopReason> {
    if dimension == 0 {
        let empty = rows.iter().any(|row| row.constant.is_negative());
        return Ok(if empty { Vec::new() } else { vec![FreePiece { bases: vec![Vec::new()], rays: Vec::new() }] });
    }
    let height = dimension;
    let mut inequalities: Vec<Vector> =
        rows.iter().map(|row| row.normal.iter().cloned().chain([row.constant.clone()]).collect()).collect();
    inequalities.push(unit_vector(dimension + 1, height));
    let cone = Cone::from_inequalities(dimension + 1, &inequalities, &[], monitor)?;
    assert!(cone.is_pointed(), "the polyhedron holds no line");
    if !cone.rays().iter().any(|ray| ray[height].is_positive()) {
        return Ok(Vec::new());
    }
    if !cone.is_full_dimensional() {
        return in_affine_span(dimension, rows, &cone, monitor);
    }
    let rays = cone.rays();
    let mut pieces = Vec::new();
    for simplex in simplices(rays, monitor)? {
        let chosen: Vec<&[Int]> = simplex.rays.iter().map(|&i| rays[i].as_slice()).collect();
        let normals = inner_normals(&chosen);
        let rays = Matrix::from_rows(dimension + 1, &chosen);
        let simplicial = SignedCone { sign: 1, rays, normals, index: simplex.index, open: simplex.open };
        let apex = vec![Int::ZERO; dimension + 1];
        let mut bases = Vec::new();
        for point in parallelepiped::points(&simplicial, &apex, &Int::ONE, monitor)? {
            if point[height].is_one() {
                bases.push(point);
            } else if point[height].is_zero() {
                // One generator of height 1, once.
                bases.extend(simplicial.rays.iter_rows().filter(|g| g[height].is_one()).map(|g| add(&point, g)));
            }
        }
        let at_infinity = simplicial.rays.iter_rows().filter(|g| g[height].is_zero());
        let mut rays: Vec<Vector> = at_infinity.map(|g| g[..dimension].to_vec()).collect();
        rays.sort();
        if !bases.is_empty() {
            for f in &mut bases {
                f.truncate(dimension);
            }
            bases.sort();
            pieces.push(FreePiece { bases, rays });
        }
    }
    Ok(pieces)
}

/// The same for a polyhedron that lies in a hyperplane: in coordinates of the integer points of its affine span.
fn in_affine_span(
    dimension: usize,
    rows: &[Affine],
    cone: &Cone,
    monitor: &dyn Monitor,
) -> Result<Vec<FreePiece>, StopReason> {
    let equations: Vec<Vector> = cone.equations().to_rows();
    let left: Vec<&[Int]> = equations.iter().map(|e| &e[..dimension]).collect();
    let right: Vector = equations.iter().map(|e| -&e[dimension]).collect();
    let Some(solutions) = solve_integer(&Matrix::from_rows(dimension, &left), &right) else { return Ok(Vec::new()) };
    let inner: Vec<Affine> = rows
        .iter()
        .map(|row| Affine::new(solutions.basis.times(&row.normal), row.at_integer(&solutions.point)))
        .collect();
    let outer = |x: &Vector| solutions.basis.left_times(x);
    let pieces = free_pieces(solutions.basis.rows(), &inner, monitor)?;
    Ok(pieces
        .into_iter()
        .map(|piece| FreePiece {
            bases: piece.bases.iter().map(|f| add(&solutions.point, &outer(f))).collect(),
            rays: piece.rays.iter().map(outer).collect(),
        })
        .collect())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::integer::vector;
    use crate::run::Unlimited;

    /// How many translates hold x.
    fn holders(pieces: &[FreePiece], x: &[Int]) -> usize {
        let inside = |f: &Vector, rays: &[Vector]| {
            let right: Vector = x.iter().zip(f).map(|(x, f)| x - f).collect();
            let left = Matrix::from_rows(x.len(), rays).transposed();
            match rays.len() {
                0 => right.iter().all(Int::is_zero),
                _ => solve_integer(&left, &right).is_some_and(|s| s.point.iter().all(|l| !l.is_negative())),
            }
        };
        pieces.iter().map(|piece| piece.bases.iter().filter(|f| inside(f, &piece.rays)).count()).sum()
    }

    #[test]
    fn a_segment_a_point_and_nothing() {
        let rows = |b: i64| vec![Affine::new(vector(&[2]), -1), Affine::new(vector(&[-2]), b)];
        assert_eq!(free_pieces(1, &rows(7), &Unlimited).unwrap().iter().map(|p| p.bases.len()).sum::<usize>(), 3);
        assert_eq!(free_pieces(1, &rows(1), &Unlimited).unwrap(), []);
        assert_eq!(free_pieces(1, &rows(-1), &Unlimited).unwrap(), []);
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(48))]

        #[test]
        fn every_integer_point_lies_in_one_translate(
            rows in prop::collection::vec(prop::collection::vec(-3i64..4, 3), 0..4),
            low in prop::collection::vec(-3i64..2, 2),
        ) {
            // Two bounds from below keep lines out.
            let mut all: Vec<Affine> = rows.iter().map(|r| Affine::new(vector(&r[..2]), r[2])).collect();
            all.push(Affine::new(vector(&[1, 0]), -low[0]));
            all.push(Affine::new(vector(&[0, 1]), -low[1]));
            let pieces = free_pieces(2, &all, &Unlimited).unwrap();
            for x in -4i64..12 {
                for y in -4i64..12 {
                    let point = vector(&[x, y]);
                    let inside = all.iter().all(|row| !row.at_integer(&point).is_negative());
                    prop_assert_eq!(holders(&pieces, &point), usize::from(inside), "({},{})", x, y);
                }
            }
        }
    }
}
