//! The form "table": every position of a finite poset game.

use impartial::outcome::{Outcome, Play};
use impartial::poset::{Board, ElementSet, Words as _};
use impartial::strategy::{Envelope, Table};
use serde_json::json;

use super::Solved;
use crate::args::{CountArgs, Syntax};
use crate::context::Context;
use crate::families::poset::diagram_of;
use crate::report::{Answer, Failure, Report, bad_input};

/// An opened strategy file of form "table".
pub struct TableFile {
    envelope: Envelope,
    table: Table,
}

impl TableFile {
    /// Reads the certificate.
    pub fn open(envelope: Envelope) -> Result<Self, Failure> {
        let table = Table::from_envelope(&envelope).map_err(bad_input)?;
        Ok(Self { envelope, table })
    }

    fn position(&self, text: &str) -> Result<ElementSet, Failure> {
        let poset = self.table.poset();
        match self.table.board() {
            Board::Finite(_) => Board::ideal(poset, text).map_err(bad_input),
            Board::Chomp(board) => {
                let diagram = Board::diagram(board, text).map_err(bad_input)?;
                let mut set = poset.nothing();
                for (x, name) in poset.names().iter().enumerate() {
                    let (row, column) = name.split_once('.').expect("squares are named row.column");
                    let (row, column): (usize, u64) =
                        (row.parse().expect("a row number"), column.parse().expect("a column number"));
                    if diagram.rows().get(row - 1).is_some_and(|&length| length >= column) {
                        set.insert(x);
                    }
                }
                Ok(set)
            }
        }
    }

    fn notation(&self, position: &ElementSet) -> String {
        match self.table.board() {
            Board::Finite(poset) => Board::notation(poset, position),
            Board::Chomp(_) => diagram_of(self.table.poset(), position).to_string(),
        }
    }
}

impl Solved for TableFile {
    fn envelope(&self) -> &Envelope {
        &self.envelope
    }

    fn outcome(&self, _cx: &Context, position: &str) -> Result<Outcome, Failure> {
        Ok(self.table.outcome(&self.position(position)?))
    }

    fn winning_moves(&self, _cx: &Context, position: &str) -> Result<Vec<String>, Failure> {
        let position = self.position(position)?;
        let moves = self.table.winning_moves(&position);
        Ok(moves.iter().map(|&x| self.notation(&self.table.poset().option(&position, x))).collect())
    }

    fn grundy(&self, _cx: &Context, position: &str) -> Result<String, Failure> {
        let value = self.table.grundy(&self.position(position)?);
        value.map(|value| value.to_string()).ok_or_else(|| {
            bad_input("Grundy values belong to normal play, and this strategy is for misère play; ask for the outcome")
        })
    }

    fn show(&self, _cx: &Context, syntax: Syntax) -> Answer {
        let (positions, p) = (self.table.positions(), self.table.count_p());
        let json = json!({
            "game": self.envelope.game,
            "form": "table",
            "play": self.table.play(),
            "positions": positions,
            "p_positions": p,
        });
        let text = match syntax {
            Syntax::Json => self.envelope.to_text(),
            Syntax::Text => format!(
                "a table of {} of {positions} positions ({} play), {p} of them P-positions",
                if self.table.play() == Play::Normal { "the Grundy values" } else { "the outcomes" },
                self.table.play()
            ),
            _ => return Err(bad_input("a table is shown as text or json; choose --as text or --as json")),
        };
        Ok(Report::new(json, text))
    }

    fn count(&self, _cx: &Context, args: &CountArgs) -> Answer {
        if !args.sizes.is_empty() {
            return Err(bad_input(
                "a table counts the P-positions of its whole board; leave --box out, or count the GAME",
            ));
        }
        let count = self.table.count_p();
        Ok(Report::new(json!({"game": args.game, "count": count}), count.to_string()))
    }
}
