//! Rational cones and polyhedra.
//!
//! A [`Cone`] and a [`Polyhedron`] hold both descriptions: by inequalities and by generators.
//!
//! ```
//! use semilinear::{integer::vector, polyhedron::Cone, run::Unlimited};
//! let cone = Cone::from_inequalities(2, &[vector(&[1, 0]), vector(&[-1, 2])], &[], &Unlimited).unwrap();
//! assert_eq!(cone.rays(), [vector(&[0, 1]), vector(&[2, 1])]);
//! assert!(cone.is_pointed());
//! ```

mod barvinok;
mod bits;
mod cone;
mod count;
mod dominance;
mod double_description;
mod dual;
mod free_pieces;
mod graded;
mod hilbert_basis;
mod hull;
mod lattice_points;
mod parallelepiped;
mod placing;
mod reducer;
mod shape;
mod simplex_points;
mod subdivision;
mod triangulation;

pub use cone::Cone;
pub use count::lattice_point_count;
pub use free_pieces::{FreePiece, free_pieces};
pub use graded::{GradedPiece, graded_points};
pub use hilbert_basis::{hilbert_basis, hilbert_basis_over};
pub use lattice_points::{LatticePointsError, Piece, cone_points, lattice_points};
pub use shape::Polyhedron;
pub use triangulation::triangulation;
