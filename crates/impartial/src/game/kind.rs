//! The kinds of games.

use num_bigint::{BigInt, BigUint};
use serde_json::Value;

use super::chains::Chains;
use super::explain::Reasons;
use super::graph::GraphGame;
use super::heap::HeapGame;
use super::lattice::Lattice;
use super::poset::PosetKind;
use super::position::{Position, listed};
use super::rays::Rays;
use super::report::InfoReport;
use super::sum::Sum;
use super::wythoff::WythoffGame;
use super::{Ask, Game};
use crate::error::{Error, Result};
use crate::outcome::{Outcome, Play};
use crate::strategy::Standing;

/// A game of some kind.
#[derive(Clone, Debug)]
pub(crate) enum Kind {
    Heap(HeapGame),
    Lattice(Lattice),
    Rays(Rays),
    Poset(PosetKind),
    Chains(Chains),
    Graph(GraphGame),
    Sum(Sum),
    Wythoff(WythoffGame),
}

impl Kind {
    /// What every kind can do.
    pub(crate) fn playable(&self) -> &dyn Playable {
        match self {
            Self::Heap(game) => game,
            Self::Lattice(game) => game,
            Self::Rays(game) => game,
            Self::Poset(game) => game,
            Self::Chains(game) => game,
            Self::Graph(game) => game,
            Self::Sum(game) => game,
            Self::Wythoff(game) => game,
        }
    }

    /// The error of a question that this kind does not have.
    pub(crate) fn unsupported(&self, what: &str) -> Error {
        Error::unsupported(what, format!("{} games", self.playable().kind()))
    }
}

/// A value and what found it.
#[derive(Debug)]
pub(crate) struct Found<T> {
    pub(crate) value: T,
    pub(crate) method: String,
    /// The standing of the strategy that answered, where one did.
    pub(crate) proved: Option<Standing>,
}

impl<T> Found<T> {
    /// What was computed by a method.
    pub(crate) fn by(value: T, method: impl Into<String>) -> Self {
        Self { value, method: method.into(), proved: None }
    }

    pub(crate) fn map<U>(self, f: impl FnOnce(T) -> U) -> Found<U> {
        Found { value: f(self.value), method: self.method, proved: self.proved }
    }
}

/// Winning moves, as resulting positions.
#[derive(Debug)]
pub(crate) struct Moves {
    pub(crate) positions: Vec<Position>,
    /// Whether these are all.
    pub(crate) complete: bool,
}

impl Moves {
    pub(crate) fn all(positions: Vec<Position>) -> Self {
        Self { positions, complete: true }
    }
}

/// What every kind of game can do.
pub(crate) trait Playable {
    /// The name of the kind.
    fn kind(&self) -> &'static str;

    /// The game's name: as it was written, or as its file says.
    fn name(&self) -> &str;

    /// The play a game file sets, if it sets one.
    fn own_play(&self) -> Option<Play>;

    /// The `"game"` and the play that a strategy file of this game has, in the play asked for.
    fn strategy_game(&self, ask: &Ask) -> Result<(Value, Play)>;

    fn info(&self, written: &str, ask: &Ask) -> Result<InfoReport>;

    fn position(&self, text: &str) -> Result<Position>;

    /// The position with these numbers.
    fn position_of(&self, numbers: &[BigInt]) -> Result<Position> {
        self.position(&listed(numbers))
    }

    fn start(&self) -> Result<Position>;

    fn options(&self, position: &Position) -> Result<Vec<Position>>;

    fn drawing(&self, position: &Position) -> Result<String>;

    fn outcome(&self, position: &Position, ask: &Ask) -> Result<Found<Outcome>>;

    fn grundy(&self, position: &Position, ask: &Ask) -> Result<Found<BigUint>>;

    fn winning_moves(&self, position: &Position, ask: &Ask) -> Result<Found<Moves>>;

    /// The names of the moves to the options, where moves have names.
    fn move_names(&self, _position: &Position) -> Result<Option<Vec<String>>> {
        Ok(None)
    }

    /// The move from a position to one of its options, in words: `take 2 from the heap of 5`.
    fn move_words(&self, _position: &Position, option: &Position) -> Result<String> {
        Ok(format!("move to {option}"))
    }

    /// The options that a move in words means: `take 2 from 4`, `4-2`; none when the text is no such move.
    fn meant(&self, _position: &Position, _text: &str) -> Result<Vec<Position>> {
        Ok(Vec::new())
    }

    /// What else a typed move may be, for messages.
    fn move_forms(&self) -> &'static str {
        "the number of a move of the list, such as #1"
    }

    /// Why a position has its outcome.
    fn reasons<'a>(&'a self, position: &Position, ask: &Ask) -> Result<Reasons<'a>>;

    /// The rules in words, for games that the catalogue does not know.
    fn rules_in_words(&self) -> String;

    /// How positions are written, for messages and help.
    fn position_forms(&self) -> &'static str;

    /// How many positions joined by `|` a position of this game is: more than one only for sums.
    fn segments(&self) -> usize {
        1
    }

    /// The components of a position that is a sum (of heaps, say): what keeps the search of sums in misère play small.
    fn components(&self, position: &Position) -> Result<Vec<Position>> {
        Ok(vec![position.clone()])
    }

    /// Every option of a position with its Grundy value.
    fn option_values(&self, position: &Position, ask: &Ask) -> Result<Vec<(Position, BigUint)>> {
        let valued = |option: Position| self.grundy(&option, ask).map(|found| (option, found.value));
        self.options(position)?.into_iter().map(valued).collect()
    }
}

impl Game {
    pub(crate) fn new(written: &str, kind: Kind) -> Self {
        Self { written: written.to_owned(), entry: None, kind }
    }
}
