//! Pictures of games and strategies.

pub(super) mod chains;
pub(super) mod lattice;
pub(super) mod poset;
pub(super) mod quotient;
pub(super) mod rays;
pub(super) mod sequence;
pub(super) mod stratification;
pub(super) mod wythoff;

use num_traits::ToPrimitive as _;

use super::position::sizes;
use super::report::Picture;
use crate::error::{Error, Result};
use crate::render::{Drawing, LatticeMap};

/// No side of a map shows more positions than this.
const MOST: u64 = 4000;

/// Which of several pictures of a game or strategy is wanted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum PlotKind {
    /// The first that makes sense: values of heaps, a map, a Hasse diagram.
    #[default]
    Auto,
    /// Heap games: n ↦ g(n), with preperiod and period.
    Values,
    /// Heap games: the nim-sums of two heaps.
    Sums,
    /// Heap games: how many heaps of one size against how many of another.
    Map,
    /// Misère play: the order of the quotient of heaps up to n, against n.
    Orders,
    /// Misère play: the Cayley graph of the quotient.
    Cayley,
    /// Chains games: m ↦ f(m).
    Function,
    /// Strategies that are automata: the automaton.
    Automaton,
}

impl PlotKind {
    /// Every kind with its name.
    pub const ALL: [(Self, &'static str); 8] = [
        (Self::Auto, "auto"),
        (Self::Values, "values"),
        (Self::Sums, "sums"),
        (Self::Map, "map"),
        (Self::Orders, "orders"),
        (Self::Cayley, "cayley"),
        (Self::Function, "function"),
        (Self::Automaton, "automaton"),
    ];
}

impl std::str::FromStr for PlotKind {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        Self::ALL.into_iter().find(|(_, name)| *name == text).map(|(kind, _)| kind).ok_or_else(|| {
            let names: Vec<&str> = Self::ALL.iter().map(|(_, name)| *name).collect();
            Error::Input(format!("no picture is called \"{text}\"; it is one of {}", names.join(", ")))
        })
    }
}

/// What a picture is to show.
#[derive(Clone, Debug, Default)]
pub struct PlotAsk {
    /// How many positions on each axis: `n1,n2` or `n`.
    pub sizes: Option<String>,
    /// A 2-D slice of a higher game: `(*,*,0,1)`, with * for the two axes drawn.
    pub slice: Option<String>,
    /// Colours by Grundy value instead of P and N.
    pub grundy: bool,
    /// Which of several pictures.
    pub kind: PlotKind,
    /// Misère quotients: the largest heap.
    pub max_heap: Option<u64>,
}

impl PlotAsk {
    /// The length of one axis, where a picture has one: the first size.
    fn length(&self) -> Result<Option<usize>> {
        let Some(text) = &self.sizes else { return Ok(None) };
        let first = text.split(',').next().unwrap_or(text);
        match sizes(first, 1)?[0].to_usize() {
            Some(n @ 1..=100_000) => Ok(Some(n)),
            _ => Err(Error::input("--box: a chart shows between 1 and 100000 heaps")),
        }
    }

    /// The sides of a map.
    fn sides(&self) -> Result<(u64, u64)> {
        let sizes = sizes(self.sizes.as_deref().unwrap_or("64"), 2)?;
        match (sizes[0].to_u64(), sizes[1].to_u64()) {
            (Some(w @ 1..=MOST), Some(h @ 1..=MOST)) => Ok((w, h)),
            _ => Err(Error::Input(format!("--box: a picture shows between 1 and {MOST} positions on each axis"))),
        }
    }
}

/// A picture that is no map.
fn drawn(game: &str, shows: String, drawing: Drawing) -> Picture {
    Picture { game: game.to_owned(), shows, columns: None, rows: None, drawing }
}

/// The picture that is asked for does not belong to this.
pub(super) fn not_here(kind: PlotKind, of: &str, here: &str) -> Error {
    let name = PlotKind::ALL.iter().find(|(known, _)| *known == kind).map_or("", |(_, name)| name);
    Error::Input(format!("--what {name} is no picture of {of}; it has {here}"))
}

/// A map as a picture.
pub(super) fn map(game: &str, map: &LatticeMap) -> Picture {
    let rows = map.cells.len() / map.width.max(1);
    Picture {
        game: game.to_owned(),
        shows: format!("{} x {rows} positions", map.width),
        columns: Some(map.width),
        rows: Some(rows),
        drawing: map.drawing(),
    }
}
