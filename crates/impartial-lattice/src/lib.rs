//! The engines of lattice games, in coordinates in which the board lies in ℕᵈ.
//!
//! | room | what is in it |
//! | --- | --- |
//! | [`learn`] | the P-positions and Grundy values of an infinite board, learned from finite data and proved |
//! | [`recursion`] | the exact recursion on finite regions, 64 positions a word |
//! | [`InnerGame`], [`Chart`] | what an engine knows of a game; the coordinates of people and those of engines |
//! | [`outcome`] | P and N, normal and misère play |
//! | [`product`], [`unimodular`], [`threads`] | small vectors, changes of coordinates, work on all threads |
//!
//! The crate `impartial` has the games, with names, notations and boards of every shape, and shows these rooms as its own.
//! ```
//! use impartial_lattice::{InnerGame, learn};
//! use semilinear::run::{Run, Unlimited};
//! let game = InnerGame::on_orthant(vec![vec![1, 0], vec![0, 1], vec![2, 2]], vec![], &[1, 1]).unwrap();
//! let Run::Finished(set) = learn::p_positions(&game, &learn::Limits::default(), &Unlimited) else { panic!() };
//! assert!(set.contains_small(&[600_000_000_000, 600_000_000_002]));
//! ```

mod chart;
mod game;
pub mod learn;
pub mod outcome;
pub mod product;
pub mod recursion;
pub mod threads;
pub mod unimodular;

pub use chart::Chart;
pub use game::{InnerGame, Row};
