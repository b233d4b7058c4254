//! The form "table": every position of a finite poset game.

use crate::game::words::counted;
use num_bigint::BigUint;
use serde_json::{Value, json};

use super::{Answers, Form, Shown, no_text, object};
use crate::error::{Error, Result};
use crate::game::Ask;
use crate::game::kind::Moves;
use crate::game::poset::{diagram_of, ideal, of_ideal, of_rows, read, rows, square};
use crate::game::position::Position;
use crate::outcome::{Outcome, Play};
use crate::poset::{Board, ElementSet, Words as _};
use crate::render::Syntax;
use crate::strategy::{Envelope, Standing, Table};

/// The elements that are left in a position.
fn elements(table: &Table, position: &Position) -> Result<ElementSet> {
    let poset = table.poset();
    match table.board() {
        Board::Finite(_) => ideal(poset, position),
        Board::Chomp(board) => {
            let diagram = rows(board, position)?;
            let mut set = poset.nothing();
            for (x, name) in poset.names().iter().enumerate() {
                let (row, column) = square(name);
                if diagram.rows().get(row - 1).is_some_and(|&length| length >= column) {
                    set.insert(x);
                }
            }
            Ok(set)
        }
    }
}

impl Answers for Table {
    fn form(&self) -> Form {
        Form::Table
    }

    fn play(&self) -> Play {
        self.play()
    }

    fn game(&self) -> Value {
        self.board().to_json()
    }

    fn file(&self) -> Envelope {
        self.to_envelope()
    }

    fn position(&self, text: &str) -> Result<Position> {
        read(self.board(), text)
    }

    fn outcome(&self, position: &Position, _ask: &Ask) -> Result<Outcome> {
        Ok(self.outcome(&elements(self, position)?))
    }

    fn winning_moves(&self, position: &Position, _ask: &Ask) -> Result<Moves> {
        let set = elements(self, position)?;
        let after = |x: usize| {
            let option = self.poset().option(&set, x);
            match self.board() {
                Board::Finite(poset) => of_ideal(poset, option),
                Board::Chomp(_) => of_rows(diagram_of(self.poset(), &option)),
            }
        };
        Ok(Moves::all(self.winning_moves(&set).into_iter().map(after).collect()))
    }

    fn grundy(&self, position: &Position, _ask: &Ask) -> Result<BigUint> {
        let value = self.grundy(&elements(self, position)?);
        value.map(BigUint::from).ok_or_else(|| {
            Error::input(
                "Grundy values belong to normal play, and this strategy is for misère play; ask for the outcome",
            )
        })
    }

    fn summary(&self, _name: Option<&str>, _standing: Standing) -> Shown {
        let (positions, p) = (self.positions(), self.count_p());
        let size = object(json!({"states": positions, "positions": positions, "p_positions": p}));
        let play = self.play();
        let positions = counted(positions, "position", "positions");
        (size, format!("solved by a table of {positions} ({play} play), {p} of them P-positions"))
    }

    fn show(&self, syntax: Option<Syntax>, _standing: Standing, _ask: &Ask) -> Result<Shown> {
        let (positions, p) = (self.positions(), self.count_p());
        let text = match syntax {
            None => self.to_envelope().to_text(),
            Some(Syntax::Text) => format!(
                "a table of {} of {positions} positions ({} play), {p} of them P-positions",
                if self.play() == Play::Normal { "the Grundy values" } else { "the outcomes" },
                self.play()
            ),
            Some(other) => return Err(no_text("a table", other, "it has text and json")),
        };
        Ok((object(json!({"positions": positions, "p_positions": p})), text))
    }

    fn count(&self, sizes: &[BigUint], _ask: &Ask) -> Result<(BigUint, String)> {
        if !sizes.is_empty() {
            return Err(Error::input(
                "a table counts the P-positions of its whole board; leave --box out, or count the GAME",
            ));
        }
        Ok((self.count_p().into(), "table".into()))
    }
}
