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
//! | [`semigroup`] | affine semigroups, modules over them, stratified sets |
//! | [`series`] | short rational generating functions |
//! | [`vectorset`] | canonical automata for sets of integer vectors |
//! | [`polyhedron`] | cones, duality, lattice points, Hilbert bases |
//! | [`integer`] | exact linear algebra |
//! | [`run`], [`outcome`], [`nimber`] | stopped runs and monitors; P and N; mex and nim arithmetic |

pub mod graph;
pub mod heap;
pub mod integer;
pub mod lattice;
pub mod nimber;
pub mod outcome;
pub mod polyhedron;
pub mod poset;
pub mod render;
pub mod ruleset;
pub mod run;
pub mod semigroup;
pub mod series;
pub mod solve;
pub mod strategy;
pub mod vectorset;
