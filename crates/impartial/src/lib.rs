//! Exact and proved strategies for impartial combinatorial games.
//!
//! Give it a game; it finds out who wins every position, also when there are infinitely many, and proves it. This page is a tour;
//! it runs as a test.
//!
//! ```
//! use impartial::prelude::*;
//! let ask = Ask::new();
//!
//! // Heap games, by name or code: Grundy values, periods with proof.
//! let kayles: Game = "kayles".parse()?;
//! assert_eq!(kayles.grundy(&kayles.position("3+5+7")?, &ask)?.to_string(), "5");
//! assert_eq!(kayles.period(&ask)?.period, Some(12));
//!
//! // Misère play: the quotient of all sums of heaps of all sizes.
//! let quotient = kayles.quotient(&ask.play(Play::Misere))?;
//! assert_eq!(quotient.report().order().unwrap().to_string(), "40");
//!
//! // A lattice game: every move subtracts one of these vectors. Its P-positions are found as an automaton and proved.
//! let game = Game::from_toml("kind = \"lattice\"\nrules = [[1, 0], [0, 1], [2, 2]]")?;
//! let strategy: Strategy = game.solve(&ask)?;
//!
//! // The strategy answers for positions of any size …
//! let far = game.position(&format!("({0},{0})", "6".repeat(100)))?;
//! assert_eq!(strategy.outcome(&far, &ask)?.outcome, Outcome::P);
//!
//! // … converts to an affine stratification or a rational generating function …
//! let strata = strategy.convert(Form::Stratification, &ask)?;
//! assert!(strata.report(&ask).to_string().ends_with("8 strata in 2 modules, proved"));
//!
//! // … and is written with its certificate. What is read back is a claim, until the independent checker agrees.
//! let claimed: Claimed = Strategy::load(&strata.to_text(), &ask)?;
//! assert!(!claimed.standing().is_proved());
//! assert!(claimed.verify(&ask)?.standing().is_proved());
//!
//! // Posets: Chomp, with two infinite rows as well.
//! let chomp: Game = "chomp:3x4".parse()?;
//! assert_eq!(chomp.winning_moves(&chomp.start()?, &ask)?.to_string(), "4,2,2");
//! let rows: Game = "chomp-chains:2".parse()?;
//! assert!(rows.chains(0, None, &ask)?.proved.is_proved());
//! # Ok::<(), Error>(())
//! ```
//!
//! # Which type do I want?
//!
//! | question | type |
//! | --- | --- |
//! | a game from text, and every question about it | [`Game`] |
//! | how to ask: play, bounds, method, limits | [`Ask`] with a [`run::Monitor`] |
//! | what answers for all positions | [`Strategy`] when it is proved, [`Claimed`] when it comes from a file |
//! | why there is no answer | [`Error`]: bad input, a question without meaning, a stop with what is known, a refusal |
//! | a ruleset of one's own | [`ruleset::Ruleset`] with [`solve::search::Search`] |
//! | one engine by itself | the rooms below |
//!
//! # The rooms, from the roof to the ground
//!
//! Imports point downward only.
//!
//! | room | what is in it |
//! | --- | --- |
//! | [`game`] | the front door: games, positions, questions, answers, strategies |
//! | [`render`] | values as text, LaTeX, SVG and other systems' syntax |
//! | [`strategy`] | what a solved game is: the forms of a strategy, and their file format |
//! | [`solve`] | how strategies are found |
//! | [`lattice`], [`poset`] | what the games are; lattice games are also made from those below |
//! | [`heap`], [`graph`] | heap games and explicit graphs |
//! | [`error`], [`nimber`], [`ruleset`] | the one error; mex and nim arithmetic; what a ruleset is |
//! | [`outcome`], [`solve::recursion`], most of [`solve::learn`] | a crate of their own, `impartial-lattice`: P and N, the engines of lattice games |
//! | [`semilinear`] | a crate of its own, for sets of integer vectors: integers, polyhedra, series, vector sets, semigroups; stopped runs |

pub mod error;
pub mod game;
pub mod graph;
pub mod heap;
pub mod lattice;
pub mod nimber;
pub mod poset;
pub mod render;
pub mod ruleset;
pub mod solve;
pub mod strategy;

pub use error::{Error, Known, Result};
pub use game::{Ask, Claimed, Form, Game, Method, PlotAsk, Position, Quotient, Solution, Strategy};
pub use impartial_lattice::outcome;
pub use num_bigint;
pub use semilinear::{self, integer, polyhedron, run, semigroup, series, vectorset};

/// What most programs need: `use impartial::prelude::*;`.
pub mod prelude {
    pub use crate::error::{Error, Known};
    pub use crate::game::{Ask, Claimed, Form, Game, Method, Position, Quotient, Strategy};
    pub use crate::outcome::{Outcome, Play};
    pub use crate::strategy::{Proved, Standing};
    pub use semilinear::run::{Monitor, StopReason, Unlimited};
}
