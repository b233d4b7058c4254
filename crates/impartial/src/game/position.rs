//! Positions: typed a kind, read and printed in one place.

use std::fmt;
use std::hash::{Hash, Hasher};
use std::sync::OnceLock;

use num_bigint::{BigInt, BigUint, Sign};
use semilinear::integer::from_decimal;
use serde::{Serialize, Serializer};

use crate::error::{Error, Result};
use crate::heap::{heaps_from_text, heaps_to_text};
use crate::lattice::LatticeGame;
use crate::poset::{Diagram, ElementSet, chains};

/// No coordinate has more digits than this.
const MOST_DIGITS: usize = 10_000_000;

/// A position of a game. It prints in one canonical form, which [`Game::position`](super::Game::position) reads back.
///
/// ```
/// use impartial::prelude::*;
/// let kayles: Game = "kayles".parse()?;
/// let position = kayles.position("7+0+3")?;
/// assert_eq!(position.to_string(), "3+7");
/// assert_eq!(position.heaps().unwrap().len(), 2);
/// # Ok::<(), Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Position {
    pub(crate) place: Place,
    /// Written when it is asked for, where the place tells it: numbers of many digits take long to write.
    text: OnceLock<String>,
}

impl PartialEq for Position {
    fn eq(&self, other: &Self) -> bool {
        self.place == other.place
    }
}

impl Eq for Position {}

impl Hash for Position {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.place.hash(state);
    }
}

/// What a position is, by the kind of its game.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Place {
    /// Heap sizes, sorted, empty heaps left out.
    Heaps(Vec<BigUint>),
    /// A lattice point.
    Point(Vec<BigInt>),
    /// Rows of Chomp.
    Rows(Diagram),
    /// Elements of a poset that are left.
    Ideal(ElementSet),
    /// A position of a game with infinite chains.
    Chains(chains::Position),
    /// A vertex of a graph.
    Vertex(usize),
    /// Positions of the parts of a sum.
    Parts(Vec<Position>),
}

impl Position {
    pub(crate) fn new(place: Place, text: String) -> Self {
        Self { place, text: text.into() }
    }

    /// A position whose place tells its text.
    fn of_place(place: Place) -> Self {
        Self { place, text: OnceLock::new() }
    }

    /// Heaps in any order.
    pub(crate) fn of_heaps(mut heaps: Vec<BigUint>) -> Self {
        heaps.retain(|heap| *heap != BigUint::ZERO);
        heaps.sort_unstable();
        Self::of_place(Place::Heaps(heaps))
    }

    /// A lattice point.
    pub(crate) fn of_point(x: Vec<BigInt>) -> Self {
        Self::of_place(Place::Point(x))
    }

    /// Positions of parts.
    pub(crate) fn of_parts(parts: Vec<Self>) -> Self {
        Self::of_place(Place::Parts(parts))
    }

    /// The position in its canonical form.
    pub fn as_str(&self) -> &str {
        self.text.get_or_init(|| match &self.place {
            Place::Heaps(heaps) => heaps_to_text(heaps),
            Place::Point(x) => point_text(x),
            Place::Parts(parts) => parts.iter().map(Self::as_str).collect::<Vec<_>>().join("|"),
            _ => unreachable!("written when it is made"),
        })
    }

    /// The heap sizes of a position of a heap game, sorted, empty heaps left out.
    pub fn heaps(&self) -> Option<&[BigUint]> {
        if let Place::Heaps(heaps) = &self.place { Some(heaps) } else { None }
    }

    /// The coordinates of a position of a lattice game.
    pub fn point(&self) -> Option<&[BigInt]> {
        if let Place::Point(x) = &self.place { Some(x) } else { None }
    }

    /// The positions of the parts of a sum.
    pub fn parts(&self) -> Option<&[Self]> {
        if let Place::Parts(parts) = &self.place { Some(parts) } else { None }
    }

    /// The numbers that a position is made of, as [`Game::position_of`](super::Game::position_of) takes them: heap sizes,
    /// coordinates, rows of Chomp.
    pub fn numbers(&self) -> Option<Vec<BigInt>> {
        match &self.place {
            Place::Heaps(heaps) => Some(heaps.iter().cloned().map(BigInt::from).collect()),
            Place::Point(x) => Some(x.clone()),
            Place::Rows(diagram) => Some(diagram.rows().iter().copied().map(BigInt::from).collect()),
            _ => None,
        }
    }

    pub(crate) fn need_heaps(&self) -> Result<&[BigUint]> {
        self.heaps().ok_or_else(|| self.of_another_kind("heaps such as 3+5+7"))
    }

    pub(crate) fn need_point(&self, dimension: usize) -> Result<&[BigInt]> {
        match self.point() {
            Some(x) if x.len() == dimension => Ok(x),
            Some(x) => Err(Error::Input(format!(
                "POSITION {self} has {} coordinates, but the game has {dimension}; write it as ({})",
                x.len(),
                vec!["0"; dimension.min(8)].join(",")
            ))),
            None => Err(self.of_another_kind("a point such as (0,2,1)")),
        }
    }

    pub(crate) fn of_another_kind(&self, expected: &str) -> Error {
        Error::Input(format!("POSITION {self} is one of another kind of game; this one has {expected}"))
    }
}

impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl Serialize for Position {
    fn serialize<S: Serializer>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error> {
        serializer.serialize_str(self.as_str())
    }
}

/// `(1,-2,3)`.
pub(crate) fn point_text<T: ToString>(x: &[T]) -> String {
    let entries: Vec<String> = x.iter().map(ToString::to_string).collect();
    format!("({})", entries.join(","))
}

/// Heaps: `3+5+7`.
pub(crate) fn read_heaps(text: &str) -> Result<Position> {
    Ok(Position::of_heaps(heaps_from_text(text).map_err(Error::input)?))
}

/// Heaps of these sizes.
pub(crate) fn heaps_of(numbers: &[BigInt]) -> Result<Position> {
    let size = |n: &BigInt| {
        n.to_biguint().ok_or_else(|| Error::Input(format!("a heap of size {n}: heaps have sizes 0, 1, 2, …")))
    };
    Ok(Position::of_heaps(numbers.iter().map(size).collect::<Result<_>>()?))
}

/// A point with these d coordinates.
pub(crate) fn point_of(numbers: &[BigInt], dimension: usize) -> Result<Position> {
    let position = Position::of_point(numbers.to_vec());
    position.need_point(dimension)?;
    Ok(position)
}

/// Numbers as every notation for positions reads them: `5,3,1`.
pub(crate) fn listed(numbers: &[BigInt]) -> String {
    numbers.iter().map(ToString::to_string).collect::<Vec<_>>().join(",")
}

/// A point of d integers: `(0,2,1)`; the parentheses may be square, or left out, and blanks may stand for the commas.
pub(crate) fn read_point(text: &str, dimension: usize) -> Result<Position> {
    let inner = text.trim();
    let bracketed = |open: char, close: char| inner.strip_prefix(open).and_then(|rest| rest.strip_suffix(close));
    let inner = bracketed('(', ')').or_else(|| bracketed('[', ']')).unwrap_or(inner);
    let shown = || {
        if text.len() > 60 { format!("{} …", text.chars().take(60).collect::<String>()) } else { text.to_owned() }
    };
    let entries: Vec<&str> = if inner.contains(',') {
        inner.split(',').map(str::trim).collect()
    } else {
        inner.split_whitespace().collect()
    };
    if entries.len() != dimension {
        return Err(Error::Input(format!(
            "POSITION \"{}\" has {} coordinates, but the game has {dimension}; write it as ({})",
            shown(),
            entries.len(),
            vec!["0"; dimension.min(8)].join(",")
        )));
    }
    let mut x = Vec::with_capacity(dimension);
    let mut written = Vec::with_capacity(dimension);
    for entry in entries {
        let (sign, digits) = entry.strip_prefix('-').map_or((Sign::Plus, entry), |digits| (Sign::Minus, digits));
        let size = if digits.len() <= MOST_DIGITS { from_decimal(digits) } else { None };
        let size = size.ok_or_else(|| {
            Error::Input(format!("POSITION \"{}\" has a coordinate that is no integer; write it as (0,2,1)", shown()))
        })?;
        let significant = digits.trim_start_matches('0');
        written.push(match (sign, significant) {
            (_, "") => "0".to_owned(),
            (Sign::Minus, digits) => format!("-{digits}"),
            (_, digits) => digits.to_owned(),
        });
        x.push(BigInt::from_biguint(sign, size));
    }
    // The digits are at hand: numbers of many digits take longer to write than to read.
    Ok(Position::new(Place::Point(x), format!("({})", written.join(","))))
}

/// The point of a position on the board, defeated positions excluded.
pub(crate) fn on_board<'a>(game: &LatticeGame, position: &'a Position) -> Result<&'a [BigInt]> {
    let x = position.need_point(game.dimension())?;
    if game.is_position_big(x) {
        return Ok(x);
    }
    Err(Error::Input(if game.is_defeated_big(x) {
        format!("POSITION {position} is defeated, so it is not on the board; give a position of the board")
    } else {
        format!("POSITION {position} does not lie on the board; check its coordinates")
    }))
}

/// The point of a position in the board's polyhedron, defeated or not: sums with it have outcomes.
pub(crate) fn in_polyhedron<'a>(game: &LatticeGame, position: &'a Position) -> Result<&'a [BigInt]> {
    let x = position.need_point(game.dimension())?;
    if game.is_position_big(x) || game.is_defeated_big(x) {
        return Ok(x);
    }
    Err(Error::Input(format!("POSITION {position} does not lie on the board; check its coordinates")))
}

/// `--box n1,n2,…`: one size for each coordinate, or one for all.
pub fn sizes(text: &str, dimension: usize) -> Result<Vec<BigUint>> {
    let size = |part: &str| {
        let digits = part.trim().replace('_', "");
        let size = if digits.len() <= MOST_DIGITS { from_decimal(&digits) } else { None };
        size.ok_or_else(|| {
            Error::Input(format!("--box: \"{}\" is no natural number; write --box 100,100", part.trim()))
        })
    };
    let sizes: Vec<BigUint> = text.split(',').map(size).collect::<Result<_>>()?;
    match sizes.len() {
        n if n == dimension => Ok(sizes),
        1 => Ok(vec![sizes[0].clone(); dimension]),
        n => Err(Error::Input(format!(
            "--box has {n} sizes, but the game has {dimension} coordinates; give one for each, or one for all"
        ))),
    }
}
