//! Rational cones and polyhedra.
//!
//! A [`Cone`] and a [`Polyhedron`] hold both descriptions: by inequalities and by generators.
//!
//! ```
//! use impartial::{integer::vector, polyhedron::Cone, run::Unlimited};
//! let cone = Cone::from_inequalities(2, &[vector(&[1, 0]), vector(&[-1, 2])], &[], &Unlimited).unwrap();
//! assert_eq!(cone.rays(), [vector(&[0, 1]), vector(&[2, 1])]);
//! assert!(cone.is_pointed());
//! ```

mod bits;
mod cone;
mod double_description;
mod shape;

pub use cone::Cone;
pub use shape::Polyhedron;
