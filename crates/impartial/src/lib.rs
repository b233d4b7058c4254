//! Exact and proved strategies for impartial combinatorial games.
//!
//! The rooms of this library, from the ground up (imports point downward only):
//!
//! | room | what is in it |
//! | --- | --- |
//! | [`render`] | values as text, LaTeX, SVG and other systems' syntax |
//! | [`strategy`] | what a solved game is: the forms of a strategy, and their file format |
//! | [`solve`] | how strategies are found |
//! | [`lattice`], [`poset`] | what the games are; lattice games are also made from those below |
//! | [`heap`], [`graph`] | heap games and explicit graphs |
//! | [`outcome`], [`nimber`], [`ruleset`] | P and N; mex and nim arithmetic; what a ruleset is |
//! | [`semilinear`] | a crate of its own, for sets of integer vectors: integers, polyhedra, series, vector sets, semigroups; stopped runs |

pub mod graph;
pub mod heap;
pub mod lattice;
pub mod nimber;
pub mod outcome;
pub mod poset;
pub mod render;
pub mod ruleset;
pub mod solve;
pub mod strategy;

pub use semilinear::{self, integer, polyhedron, run, semigroup, series, vectorset};
