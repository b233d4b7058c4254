//! The form "grundy-automaton": the Grundy values of a lattice game.

use std::fmt::Write as _;

use impartial::outcome::Outcome;
use impartial::strategy::{AutomatonStrategy, Envelope, GrundyStrategy};
use num_bigint::BigInt;
use semilinear::vectorset::Effort;
use serde_json::json;

use super::automaton::written;
use super::{Solved, points};
use crate::args::{ConvertArgs, CountArgs, Syntax};
use crate::context::Context;
use crate::report::{Answer, Failure, Report, bad_input};

/// An opened strategy file of form "grundy-automaton".
pub struct GrundyFile {
    envelope: Envelope,
    strategy: GrundyStrategy,
}

impl GrundyFile {
    /// Reads the certificate.
    pub fn open(envelope: Envelope) -> Result<Self, Failure> {
        let strategy = GrundyStrategy::from_envelope(&envelope, &semilinear::run::Unlimited).map_err(bad_input)?;
        Ok(Self { envelope, strategy })
    }

    fn value(&self, position: &str) -> Result<(Vec<BigInt>, u64), Failure> {
        let x = points::position(self.strategy.game(), position)?;
        let value = self.strategy.grundy(&x).ok_or_else(|| points::off_board(position))?;
        Ok((x, value))
    }

    fn p_positions(&self, cx: &Context) -> Result<AutomatonStrategy, Failure> {
        Ok(self.strategy.p_positions(&Effort::new(1 << 24, cx))?)
    }
}

impl Solved for GrundyFile {
    fn envelope(&self) -> &Envelope {
        &self.envelope
    }

    fn outcome(&self, _cx: &Context, position: &str) -> Result<Outcome, Failure> {
        Ok(Outcome::p_if(self.value(position)?.1 == 0))
    }

    fn winning_moves(&self, _cx: &Context, position: &str) -> Result<Vec<String>, Failure> {
        let (x, _) = self.value(position)?;
        Ok(points::point_texts(&self.strategy.winning_moves(&x)))
    }

    fn grundy(&self, _cx: &Context, position: &str) -> Result<String, Failure> {
        Ok(self.value(position)?.1.to_string())
    }

    fn show(&self, cx: &Context, syntax: Syntax) -> Answer {
        let (game, values) = (self.strategy.game(), self.strategy.values());
        let effort = Effort::new(1 << 24, cx);
        let mut text = match syntax {
            Syntax::Text => format!(
                "Grundy values of a lattice game: {} rules, {} coordinates, {} defeated positions\n\
                 automaton: {} states that read one binary digit, lowest first, coordinate by coordinate ({} at the first \
                 coordinate)\n",
                game.rules().len(),
                game.dimension(),
                game.defeated().len(),
                values.states(),
                values.block_states()
            ),
            Syntax::Json => serde_json::to_string_pretty(&self.envelope.certificate).map_err(bad_input)?,
            other => {
                return Err(bad_input(format!(
                    "an automaton has no text in this syntax ({other:?}); `impartial convert FILE --to automaton` and \
                     then `--to stratification` give the P-positions in one that has"
                )));
            }
        };
        let chart = game.chart();
        if syntax == Syntax::Text && !chart.is_identity() {
            let _ = writeln!(text, "it reads y = Mx + s with M = {:?}, s = {:?}", chart.matrix(), chart.shift());
        }
        let mut sets = Vec::new();
        for label in values.labels().into_iter().filter(|&label| label > 0) {
            let set = values.set(label, &effort)?;
            let mut first = Vec::new();
            for y in set.elements(&vec![1; game.dimension()], &effort)?.take(6) {
                let y: Vec<BigInt> = y.into_iter().map(Into::into).collect();
                first.push(points::point_text(&chart.outer_big(&y)));
            }
            if syntax == Syntax::Text {
                let size = if set.is_finite() { "finitely many" } else { "infinitely many" };
                let _ = writeln!(text, "value {}: {size}; the first: {}", label - 1, first.join(" "));
            }
            sets.push(json!({"value": label - 1, "states": set.states(), "finite": set.is_finite(), "first": first}));
        }
        let json = json!({
            "game": self.envelope.game,
            "form": "grundy-automaton",
            "states": values.states(),
            "block_states": values.block_states(),
            "values": sets,
            "certificate": self.envelope.certificate,
        });
        Ok(Report::new(json, text))
    }

    fn convert(&self, cx: &Context, args: &ConvertArgs) -> Answer {
        if args.to != "automaton" {
            return Err(bad_input(format!(
                "Grundy values are not converted to \"{}\"; --to automaton gives the P-positions, which convert further",
                args.to
            )));
        }
        let p = self.p_positions(cx)?;
        let effort = Effort::new(1 << 24, cx);
        let p = AutomatonStrategy::proved(p.game().clone(), p.set().clone(), &effort)?
            .map_err(|x| bad_input(format!("the strategy file is wrong at {x:?}; `impartial verify` says more")))?;
        written(cx, &p, args)
    }

    fn count(&self, cx: &Context, args: &CountArgs) -> Answer {
        let sizes = points::box_sizes(&args.sizes, self.strategy.game().dimension())?;
        points::counted(self, args, "grundy-automaton", self.p_positions(cx)?.count(&sizes, cx))
    }
}
