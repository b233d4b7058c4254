//! What there is to draw of a position, for shells that draw.

use serde::Serialize;

use super::heap::as_lattice;
use super::kind::Kind;
use super::position::{Place, Position};
use super::report::Natural;
use super::{Ask, Game, PlotAsk, plot, poset};
use crate::error::{Error, Result};
use crate::poset::{Board, Words as _};
use crate::render::{LatticeMap, Levels};

/// Posets with more elements than this are not drawn.
const DRAWN_ELEMENTS: usize = 500;

/// What there is to draw of a position.
#[derive(Clone, Debug, Serialize)]
#[serde(tag = "shape", rename_all = "lowercase")]
#[non_exhaustive]
pub enum Scene {
    /// Heaps of beans.
    Heaps {
        /// Their sizes.
        heaps: Vec<Natural>,
    },
    /// A point of a lattice game.
    Point {
        /// The coordinates, in decimal: they may be of any size.
        point: Vec<String>,
        /// What a move subtracts.
        rules: Vec<Vec<i64>>,
        /// Generators of the defeated positions; none where the play decides.
        defeated: Vec<Vec<i64>>,
        /// Inequalities a·x + b ≥ 0 of the board, rows (a, b); none is the orthant.
        board: Vec<Vec<i64>>,
    },
    /// Rows of squares, of which the first square of the first row is poisoned.
    Rows {
        /// The squares left in each row.
        rows: Vec<u64>,
        /// The squares of the whole board.
        board: Vec<u64>,
    },
    /// A Hasse diagram.
    Poset {
        /// The elements.
        elements: Vec<Element>,
        /// Pairs (x, y) of elements by number: y covers x.
        covers: Vec<(usize, usize)>,
        /// The width of the diagram, in columns.
        columns: usize,
    },
    /// Nothing but characters.
    Text {
        /// The picture in characters.
        text: String,
    },
}

/// An element of a poset that is drawn.
#[derive(Clone, Debug, Serialize)]
#[non_exhaustive]
pub struct Element {
    /// Its name.
    pub name: String,
    /// Its height above the least elements.
    pub height: usize,
    /// Its place from the left, in columns.
    pub place: f64,
    /// Whether it is still there.
    pub present: bool,
}

impl Game {
    /// What there is to draw of a position.
    ///
    /// ```
    /// use impartial::prelude::*;
    /// use impartial::game::Scene;
    /// let game: Game = "chomp:3x4".parse()?;
    /// let Scene::Rows { rows, .. } = game.scene(&game.position("4,2,2")?)? else { panic!("Chomp has rows") };
    /// assert_eq!(rows, [4, 2, 2]);
    /// # Ok::<(), Error>(())
    /// ```
    pub fn scene(&self, position: &Position) -> Result<Scene> {
        let text = || self.drawing(position).map(|text| Scene::Text { text });
        match (&self.kind, &position.place) {
            (Kind::Heap(_) | Kind::Wythoff(_), Place::Heaps(heaps)) => {
                Ok(Scene::Heaps { heaps: heaps.iter().cloned().map(Natural).collect() })
            }
            (Kind::Lattice(game), Place::Point(point)) => Ok(Scene::Point {
                point: point.iter().map(ToString::to_string).collect(),
                rules: game.description().rules().to_vec(),
                defeated: game.description().defeated().unwrap_or_default().to_vec(),
                board: game.description().board().unwrap_or_default().to_vec(),
            }),
            (Kind::Poset(game), _) => match game.board() {
                Board::Chomp(board) => {
                    let rows = poset::rows(board, position)?;
                    Ok(Scene::Rows { rows: rows.rows().to_vec(), board: board.rows().to_vec() })
                }
                Board::Finite(poset) if poset.len() <= DRAWN_ELEMENTS => {
                    let set = poset::ideal(poset, position)?;
                    let levels = Levels::of(poset);
                    let element = |x: usize| Element {
                        name: poset.name(x).to_owned(),
                        height: levels.height[x],
                        place: levels.place[x],
                        present: set.contains(x),
                    };
                    Ok(Scene::Poset {
                        elements: (0..poset.len()).map(element).collect(),
                        covers: poset.covers(),
                        columns: levels.widest,
                    })
                }
                Board::Finite(_) => text(),
            },
            _ => text(),
        }
    }

    /// P and N, or Grundy values, cell by cell: a map of a lattice game, or of the numbers of heaps of two sizes.
    ///
    /// ```
    /// use impartial::prelude::*;
    /// use impartial::render::Cell;
    /// let game: Game = "exotic".parse()?;
    /// let map = game.map(&impartial::PlotAsk { sizes: Some("3".into()), ..Default::default() }, &Ask::new())?;
    /// assert_eq!(map.cells[..3], [Cell::P, Cell::N, Cell::P]);
    /// # Ok::<(), Error>(())
    /// ```
    pub fn map(&self, plot: &PlotAsk, ask: &Ask) -> Result<LatticeMap> {
        match &self.kind {
            Kind::Heap(game) => as_lattice::cells(game, plot, ask),
            Kind::Lattice(game) => plot::lattice::cells(game.name_text(), &game.game(ask)?, plot, ask),
            other => Err(Error::unsupported("plot", format!("maps of {} games", other.playable().kind()))),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_start_of_the_catalogue_has_a_scene() {
        for entry in super::super::catalogue::entries() {
            let game: Game = entry.name.parse().unwrap();
            let scene = game.scene(&game.start().unwrap()).unwrap();
            let shape = serde_json::to_value(&scene).unwrap()["shape"].as_str().unwrap().to_owned();
            let expected: &[&str] = match game.kind() {
                "heap" | "wythoff" => &["heaps"],
                "lattice" => &["point"],
                "poset" => &["rows", "poset"],
                _ => &["text"],
            };
            assert!(expected.contains(&shape.as_str()), "{}: {shape}", entry.name);
        }
    }

    #[test]
    fn elements_stand_above_what_they_cover_and_vanish_when_chosen() {
        let game: Game = "divisors:12".parse().unwrap();
        let position = game.position("{2,3,4}").unwrap();
        let Scene::Poset { elements, covers, .. } = game.scene(&position).unwrap() else { panic!("a poset") };
        assert!(covers.iter().all(|&(x, y)| elements[x].height < elements[y].height));
        let left: Vec<&str> = elements.iter().filter(|x| x.present).map(|x| x.name.as_str()).collect();
        assert_eq!(left, ["2", "3", "4"]);
    }
}
