//! Series of the lattice points of cones and polyhedra.

use super::{Series, SeriesError, Term};
use crate::integer::{Rat, Vector, zero_vector};
use crate::polyhedron::{Cone, Piece, Polyhedron, cone_points, lattice_points};
use crate::run::Monitor;

impl Series {
    /// The series of the lattice points of a polyhedron that has a vertex (Brion, Barvinok).
    ///
    /// Cones of index up to `max_index` (at least 1) are not decomposed further: 1 gives the fewest denominators, more gives
    /// fewer cones with more numerator terms.
    ///
    /// ```
    /// use impartial::{integer::{Affine, vector}, polyhedron::Polyhedron, run::Unlimited, series::Series};
    /// let p = Polyhedron::from_constraints(1, &[Affine::new(vector(&[2]), -7)], &[], &Unlimited).unwrap();
    /// assert_eq!(Series::of_polyhedron(&p, 1, &Unlimited).unwrap().to_string(), "t^4/(1-t)");
    /// ```
    pub fn of_polyhedron(polyhedron: &Polyhedron, max_index: u64, monitor: &dyn Monitor) -> Result<Self, SeriesError> {
        let n = polyhedron.ambient_dimension();
        let pieces = lattice_points(polyhedron, max_index, monitor)?;
        let recession = polyhedron.recession_cone(monitor)?;
        let functional = recession.positive_functional().unwrap_or_else(|| zero_vector(n));
        Self::oriented(n, &functional, recession.rays(), terms(pieces))
    }

    /// The series of the integer points of a pointed cone.
    pub fn of_cone(cone: &Cone, max_index: u64, monitor: &dyn Monitor) -> Result<Self, SeriesError> {
        let n = cone.ambient_dimension();
        let pieces = cone_points(cone, max_index, monitor)?;
        let functional = cone.positive_functional().unwrap_or_else(|| zero_vector(n));
        Self::oriented(n, &functional, cone.rays(), terms(pieces))
    }
}

/// Pieces as single terms.
pub(super) fn terms(pieces: Vec<Piece>) -> Vec<Term> {
    let mut terms = Vec::new();
    for Piece { sign, mut points, rays } in pieces {
        let last = points.pop();
        let term = |exponent: Vector, denominators: Vec<Vector>| Term {
            coefficient: Rat::from(i64::from(sign)),
            exponent,
            denominators,
        };
        terms.extend(points.into_iter().map(|point| term(point, rays.clone())));
        terms.extend(last.map(|point| term(point, rays)));
    }
    terms
}
