//! Form "presentation".

use num_bigint::{BigInt, BigUint};
use semilinear::vectorset::Effort;
use serde_json::{Value, json};

use super::super::texts::presentation_text;
use super::super::{Answers, Form, Shown, object};
use super::{STATES, compared};
use crate::error::{Error, Result};
use crate::game::kind::Moves;
use crate::game::lattice::quotient;
use crate::game::position::{Position, point_of, read_point};
use crate::game::report::quotient::normal_forms;
use crate::game::report::{CongruenceReport, Picture, QuotientReport};
use crate::game::{Ask, PlotAsk};
use crate::outcome::{Outcome, Play};
use crate::render::Syntax;
use crate::strategy::{Envelope, PresentationStrategy, Standing};

impl Answers for PresentationStrategy {
    fn form(&self) -> Form {
        Form::Presentation
    }

    fn play(&self) -> Play {
        self.automaton().game().play()
    }

    fn game(&self) -> Value {
        self.automaton().game().to_json()
    }

    fn file(&self) -> Envelope {
        // Incomplete relations are no strategy of this form: the automaton behind them is one.
        self.to_envelope().unwrap_or_else(|| self.automaton().to_envelope())
    }

    fn position(&self, text: &str) -> Result<Position> {
        read_point(text, self.automaton().game().dimension())
    }

    fn position_of(&self, numbers: &[BigInt]) -> Result<Position> {
        point_of(numbers, self.automaton().game().dimension())
    }

    fn outcome_at(&self, numbers: &[i64], ask: &Ask) -> Result<Outcome> {
        self.automaton().outcome_at(numbers, ask)
    }

    fn outcome(&self, position: &Position, ask: &Ask) -> Result<Outcome> {
        Answers::outcome(self.automaton(), position, ask)
    }

    fn winning_moves(&self, position: &Position, ask: &Ask) -> Result<Moves> {
        Answers::winning_moves(self.automaton(), position, ask)
    }

    fn summary(&self, name: Option<&str>, standing: Standing) -> Shown {
        let name = name.unwrap_or("quotient of a lattice game");
        let report = QuotientReport::of_presentation(name, self, None, standing, None);
        let size = object(json!({"order": self.order(), "relations": self.relations().rules().len()}));
        (size, report.to_string())
    }

    fn show(&self, syntax: Option<Syntax>, standing: Standing, ask: &Ask) -> Result<Shown> {
        let report = quotient::described("quotient of a lattice game", self, standing, ask)?;
        let certificate = self.file().certificate;
        let normal_forms = normal_forms(self);
        let text = match syntax {
            Some(Syntax::Text) => format!("{report}\nnormal forms  {}", normal_forms.join(", ")),
            None => serde_json::to_string_pretty(&certificate).map_err(Error::input)?,
            Some(other) => presentation_text("a presentation", &report, other)?,
        };
        let report = report.with("normal_forms", json!(normal_forms)).with("certificate", certificate);
        Ok((object(serde_json::to_value(report).map_err(Error::input)?), text))
    }

    fn count(&self, sizes: &[BigUint], ask: &Ask) -> Result<(BigUint, String)> {
        Answers::count(self.automaton(), sizes, ask)
    }

    fn congruent(&self, p: &Position, q: &Position, standing: Standing, ask: &Ask) -> Result<CongruenceReport> {
        let effort = Effort::new(STATES, ask.monitor);
        let game = self.automaton().game();
        compared(game, (p, q), "presentation", standing, |p, q| Ok(self.congruence(p, q, &effort)?))
    }

    fn quotient(&self, name: &str, standing: Standing, ask: &Ask) -> Result<Option<QuotientReport>> {
        quotient::described(name, self, standing, ask).map(Some)
    }

    fn plot(&self, written: &str, ask_plot: &PlotAsk, ask: &Ask) -> Result<Picture> {
        Answers::plot(self.automaton(), written, ask_plot, ask)
    }
}
