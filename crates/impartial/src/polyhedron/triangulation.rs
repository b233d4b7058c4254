//! Triangulations of cones, and the point that makes their pieces half-open.

use rustc_hash::FxHashMap;

use crate::integer::{Int, Matrix, Vector, add_multiple, adjugate, dot, echelon, zero_vector};
use crate::run::{Monitor, StopReason};

/// A triangulation by placing: the rays are added one by one, and each is joined to the boundary facets it sees.
///
/// `rays` span a full-dimensional pointed cone. Every simplex is a list of `dimension` indices of linearly independent
/// rays; the simplicial cones cover the cone and meet in common faces.
///
/// # Complexity
/// One matrix inversion for each simplex; their number can be exponential in the dimension.
///
/// ```
/// use impartial::{integer::vector, polyhedron::triangulation, run::Unlimited};
/// let square = [vector(&[0, 0, 1]), vector(&[1, 0, 1]), vector(&[0, 1, 1]), vector(&[1, 1, 1])];
/// assert_eq!(triangulation(&square, &Unlimited).unwrap().len(), 2);
/// ```
pub fn triangulation(rays: &[Vector], monitor: &dyn Monitor) -> Result<Vec<Vec<usize>>, StopReason> {
    Ok(triangulation_up_to(rays, u64::MAX, monitor)?.expect("no limit was set"))
}

/// As [`triangulation`], or nothing as soon as there are more simplices than `most`.
pub(super) fn triangulation_up_to(
    rays: &[Vector],
    most: u64,
    monitor: &dyn Monitor,
) -> Result<Option<Vec<Vec<usize>>>, StopReason> {
    let Some(dimension) = rays.first().map(Vec::len) else { return Ok(Some(Vec::new())) };
    let matrix = Matrix::from_rows(dimension, rays);
    let first = echelon(&matrix.transposed()).pivots;
    assert_eq!(first.len(), dimension, "the rays span the space");
    if rays.len() == dimension {
        return Ok(Some(vec![first]));
    }
    let mut simplices = Vec::new();
    // The facets that belong to one simplex only, with their inner normals.
    let mut boundary: FxHashMap<Vec<usize>, Vector> = FxHashMap::default();
    let mut place = |simplex: Vec<usize>, boundary: &mut FxHashMap<Vec<usize>, Vector>| {
        let normals = inner_normals(&simplex.iter().map(|&i| rays[i].as_slice()).collect::<Vec<_>>());
        for (j, normal) in normals.into_iter().enumerate() {
            let facet: Vec<usize> = simplex.iter().enumerate().filter(|&(k, _)| k != j).map(|(_, &i)| i).collect();
            if boundary.remove(&facet).is_none() {
                boundary.insert(facet, normal);
            }
        }
        simplices.push(simplex);
    };
    place(first.clone(), &mut boundary);
    let mut placed = 1;
    for (i, ray) in rays.iter().enumerate().filter(|(i, _)| !first.contains(i)) {
        monitor.check(i as u64, Some(rays.len() as u64))?;
        let mut visible: Vec<Vec<usize>> = boundary
            .iter()
            .filter(|(_, normal)| dot(normal, ray).is_negative())
            .map(|(facet, _)| facet.clone())
            .collect();
        visible.sort();
        placed += visible.len() as u64;
        if placed > most {
            return Ok(None);
        }
        for mut simplex in visible {
            simplex.push(i);
            simplex.sort_unstable();
            place(simplex, &mut boundary);
        }
    }
    Ok(Some(simplices))
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

    /// Whether a (non-zero) linear function is negative there.
    pub fn is_negative(&self, normal: &[Int]) -> bool {
        let value = dot(normal, &self.0);
        let value = if value.is_zero() { normal.iter().find(|x| !x.is_zero()) } else { Some(&value) };
        value.is_some_and(Int::is_negative)
    }
}
