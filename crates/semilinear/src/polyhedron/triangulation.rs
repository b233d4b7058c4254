//! Triangulations of cones, and the point that makes their pieces half-open.

use super::bits::Bits;
use super::placing::{Halt, Number, placed};
use crate::integer::{Int, Matrix, Vector, add_multiple, adjugate, determinant, dot, echelon, zero_vector};
use crate::run::{Monitor, StopReason};

/// A simplicial cone of a triangulation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Simplex {
    /// The indices of its rays, increasing.
    pub rays: Vec<usize>,
    /// The index of the lattice of its rays: their absolute determinant.
    pub index: Int,
    /// For each ray, whether the facet opposite to it is removed, so that the half-open cones add up to the whole cone.
    pub open: Vec<bool>,
}

/// A triangulation by placing: the rays are added one by one, and each is joined to the boundary facets it sees.
///
/// `rays` span a full-dimensional pointed cone. Every simplex is a list of `dimension` indices of linearly independent
/// rays; the simplicial cones cover the cone and meet in common faces.
///
/// # Complexity
/// O(dimension²) operations for each simplex; their number can be exponential in the dimension.
///
/// ```
/// use semilinear::{integer::vector, polyhedron::triangulation, run::Unlimited};
/// let square = [vector(&[0, 0, 1]), vector(&[1, 0, 1]), vector(&[0, 1, 1]), vector(&[1, 1, 1])];
/// assert_eq!(triangulation(&square, &Unlimited).unwrap().len(), 2);
/// ```
pub fn triangulation(rays: &[Vector], monitor: &dyn Monitor) -> Result<Vec<Vec<usize>>, StopReason> {
    Ok(simplices(rays, monitor)?.into_iter().map(|simplex| simplex.rays).collect())
}

/// As [`triangulation`], with the index of each simplex and its removed facets: those that [`GenericPoint::inside`] the
/// rays does not see from inside.
pub(super) fn simplices(rays: &[Vector], monitor: &dyn Monitor) -> Result<Vec<Simplex>, StopReason> {
    Ok(simplices_up_to(rays, u64::MAX, monitor)?.expect("no limit was set"))
}

/// As [`simplices`], or nothing as soon as there are more than `most`.
pub(super) fn simplices_up_to(
    rays: &[Vector],
    most: u64,
    monitor: &dyn Monitor,
) -> Result<Option<Vec<Simplex>>, StopReason> {
    let Some(dimension) = rays.first().map(Vec::len) else { return Ok(Some(Vec::new())) };
    let matrix = Matrix::from_rows(dimension, rays);
    if rays.len() == dimension {
        // A point inside sees every facet from inside.
        let index = determinant(&matrix).abs();
        assert!(!index.is_zero(), "the rays span the space");
        return Ok(Some(vec![Simplex { rays: (0..dimension).collect(), index, open: vec![false; dimension] }]));
    }
    let mut found = Vec::new();
    let mut outcome = visit_placed::<i64>(rays, most, monitor, &mut |simplex| {
        found.push(simplex);
        Ok(())
    });
    // What does not fit machine integers is done again with larger ones.
    if outcome == Err(Halt::Overflow) {
        found.clear();
        outcome = visit_placed::<Int>(rays, most, monitor, &mut |simplex| {
            found.push(simplex);
            Ok(())
        });
    }
    match outcome {
        Ok(()) => Ok(Some(found)),
        Err(Halt::TooMany) => Ok(None),
        Err(Halt::Stopped(why)) => Err(why),
        Err(Halt::Overflow) => unreachable!("exact integers hold every number"),
    }
}

/// Gives the simplices of [`simplices`] to `visit` one by one, in machine integers; `false`, perhaps after some simplices, when
/// these do not suffice. Only the simplices behind the boundary are kept in memory.
pub(super) fn visit_simplices(
    rays: &[Vector],
    monitor: &dyn Monitor,
    visit: &mut dyn FnMut(Simplex) -> Result<(), StopReason>,
) -> Result<bool, StopReason> {
    match visit_placed::<i64>(rays, u64::MAX, monitor, visit) {
        Ok(()) => Ok(true),
        Err(Halt::Stopped(why)) => Err(why),
        Err(Halt::Overflow | Halt::TooMany) => Ok(false),
    }
}

fn visit_placed<N: Number>(
    rays: &[Vector],
    most: u64,
    monitor: &dyn Monitor,
    visit: &mut dyn FnMut(Simplex) -> Result<(), StopReason>,
) -> Result<(), Halt> {
    let dimension = rays[0].len();
    let first = echelon(&Matrix::from_rows(dimension, rays).transposed()).pivots;
    assert_eq!(first.len(), dimension, "the rays span the space");
    let generic = GenericPoint::inside(rays);
    if rays.len() <= 128 {
        placed::<N, u128>(rays, &first, &generic, most, monitor, visit)
    } else {
        placed::<N, Bits>(rays, &first, &generic, most, monitor, visit)
    }
}

/// The inner facet normals of a simplicial cone: the j-th vanishes on all rays but the j-th, where it is positive.
pub(super) fn inner_normals(rays: &[&[Int]]) -> Vec<Vector> {
    let (adjugate, determinant) =
        adjugate(&Matrix::from_rows(rays.len(), rays)).expect("the rays of a simplicial cone are independent");
    normals_of(&adjugate, &determinant)
}

/// As [`inner_normals`], from the adjugate matrix and determinant of the rays.
pub(super) fn normals_of(adjugate: &Matrix, determinant: &Int) -> Vec<Vector> {
    (0..adjugate.columns())
        .map(|j| {
            let mut normal = adjugate.column(j);
            if determinant.is_negative() {
                for x in &mut normal {
                    *x = -&*x;
                }
            }
            normal
        })
        .collect()
}

/// A point `y + ε e₁ + ε² e₂ + …` with an infinitely small ε: it lies on no rational hyperplane.
///
/// Of every piece of a decomposition, the facets that the point does not see from inside are removed; then the
/// half-open pieces add up to the closed cone exactly, point by point.
#[derive(Clone, Debug)]
pub(super) struct GenericPoint(Vector);

impl GenericPoint {
    /// Near an interior point of the cone over `rays`.
    pub fn inside(rays: &[Vector]) -> Self {
        let mut y = zero_vector(rays[0].len());
        // Different weights make it unlikely that the point lies on a facet of a piece: then ε need not be looked at.
        let mut weight = 1_000_003i64;
        for ray in rays {
            weight = (weight * 48_271) % 2_147_483_647;
            add_multiple(&mut y, &Int::from(1000 + weight % 997), ray);
        }
        Self(y)
    }

    /// The value of a linear function at y.
    pub fn value(&self, normal: &[Int]) -> Int {
        dot(normal, &self.0)
    }

    /// Whether a (non-zero) linear function is negative there.
    pub fn is_negative(&self, normal: &[Int]) -> bool {
        let value = self.value(normal);
        let value = if value.is_zero() { normal.iter().find(|x| !x.is_zero()) } else { Some(&value) };
        value.is_some_and(Int::is_negative)
    }
}
