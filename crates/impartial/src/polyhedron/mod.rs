//! Rational cones and polyhedra.
