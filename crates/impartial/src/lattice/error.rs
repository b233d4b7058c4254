//! Why a description is not a lattice game.

use thiserror::Error;

use super::axioms::Violation;
use crate::error::Error;
use semilinear::run::StopReason;

impl From<LatticeError> for Error {
    fn from(error: LatticeError) -> Self {
        match error {
            LatticeError::Stopped(why) => why.into(),
            error => Self::input(error),
        }
    }
}

/// Why a text or a description is not a lattice game that can be played.
#[derive(Debug, Error)]
pub enum LatticeError {
    /// The text is not TOML or has the wrong shape.
    #[error("{0}")]
    Syntax(String),
    /// No rules at all.
    #[error("`rules` is empty; give at least one vector to subtract, e.g. rules = [[1, 0], [0, 1]]")]
    NoRules,
    /// A rule of length zero.
    #[error("rules[0] has no entries; a lattice game has at least one coordinate, e.g. rules = [[1], [2]]")]
    NoCoordinates,
    /// A vector with another number of entries.
    #[error("{place} has {found} entries, but {expected} are needed{why}")]
    Length {
        /// Which vector, such as `rules[2]`.
        place: String,
        /// Its length.
        found: usize,
        /// The length it must have.
        expected: usize,
        /// Where the length comes from.
        why: &'static str,
    },
    /// The rule 0, which would be a pass.
    #[error("rules[{index}] is the zero vector: a move must change the position; remove it")]
    ZeroRule {
        /// Its place in the list.
        index: usize,
    },
    /// A number too large for a rule, a board or a defeated position.
    #[error("{place} has the entry {entry}; entries lie between -2^40 and 2^40")]
    Entry {
        /// Which vector.
        place: String,
        /// The number.
        entry: i64,
    },
    /// The board is no pointed polyhedron with full-dimensional recession cone.
    #[error("board: {0}")]
    Board(String),
    /// A generator of the defeated set that is no lattice point of the board.
    #[error("defeated[{index}] = {point} does not lie on the board; defeated positions are lattice points of it")]
    DefeatedOutside {
        /// Its place in the list.
        index: usize,
        /// The point.
        point: String,
    },
    /// Two contradicting statements about the play.
    #[error("{0}")]
    Play(String),
    /// Positivity is violated: play need not end.
    #[error("{0}")]
    Positivity(Violation),
    /// Numbers grew beyond what this library handles.
    #[error("the numbers of this game are too large: {0}; scale the rules or the board down")]
    TooLarge(&'static str),
    /// A limit was reached while the description was made a game.
    #[error("{0}")]
    Stopped(StopReason),
}

impl From<StopReason> for LatticeError {
    fn from(why: StopReason) -> Self {
        Self::Stopped(why)
    }
}
