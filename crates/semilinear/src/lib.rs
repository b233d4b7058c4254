//! Exact sets of integer vectors, and the arithmetic behind them.
//!
//! A set of integer vectors that is defined by linear inequalities, congruences and logic (a *semilinear* set) has three exact
//! descriptions here, and each is turned into the others:
//!
//! | room | what is in it |
//! | --- | --- |
//! | [`semigroup`] | affine semigroups, modules over them, stratified sets: finite unions of translates F + ℕV |
//! | [`series`] | short rational generating functions |
//! | [`vectorset`] | canonical automata that read binary digits: equality, ∪, ∩, ∖, projection, counting |
//! | [`numeration`] | the same for digits of Fibonacci, Pell and other systems: sets that follow an irrational slope |
//! | [`polyhedron`] | cones, duality, lattice points, Hilbert bases |
//! | [`integer`] | exact integers, rationals, matrices, normal forms, linear programming |
//! | [`run`] | runs that may be stopped: monitors and limits |
//!
//! ```
//! use semilinear::run::Unlimited;
//! use semilinear::vectorset::{Effort, VectorSet};
//!
//! // {x ∈ ℕ² : x₁ + x₂ even} and {x : x₁ − x₂ even} are the same set: the same minimal automaton.
//! let effort = Effort::new(1000, &Unlimited);
//! let sum = VectorSet::congruence(&[1, 1], 0, 2, &effort)?;
//! let difference = VectorSet::congruence(&[1, -1], 0, 2, &effort)?;
//! assert_eq!(sum, difference);
//! assert!(sum.contains_small(&[1 << 60, 2]));
//! # Ok::<(), semilinear::run::StopReason>(())
//! ```

pub mod integer;
pub mod numeration;
pub mod polyhedron;
pub mod run;
pub mod semigroup;
pub mod series;
pub mod vectorset;
