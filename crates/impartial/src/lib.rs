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

pub mod error;
pub mod game;
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

pub use error::{Error, Known, Result};
pub use game::{Ask, Claimed, Form, Game, Method, PlotAsk, Position, Quotient, Solution, Strategy};

pub use num_bigint;

/// What most programs need: `use impartial::prelude::*;`.
pub mod prelude {
    pub use crate::error::{Error, Known};
    pub use crate::game::{Ask, Claimed, Form, Game, Method, Position, Quotient, Strategy};
    pub use crate::outcome::{Outcome, Play};
    pub use crate::strategy::{Proved, Standing};
    pub use semilinear::run::{Monitor, StopReason, Unlimited};
}
