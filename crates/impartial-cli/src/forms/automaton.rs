//! The form "automaton": the P-positions of a lattice game.

use std::fmt::Write as _;

use impartial::strategy::{AutomatonStrategy, Envelope};
use num_bigint::BigInt;
use semilinear::run::Monitor as _;
use semilinear::vectorset::Effort;
use serde_json::json;

use super::{Solved, congruence, points, stratification};
use crate::args::{CongruentArgs, ConvertArgs, CountArgs, QuotientArgs, Syntax};
use crate::context::Context;
use crate::files;
use crate::report::{Answer, Failure, Report, bad_input};

/// An opened strategy file of form "automaton".
pub struct AutomatonFile {
    envelope: Envelope,
    strategy: AutomatonStrategy,
}

impl AutomatonFile {
    /// Reads the certificate.
    pub fn open(envelope: Envelope) -> Result<Self, Failure> {
        let strategy = AutomatonStrategy::from_envelope(&envelope, &semilinear::run::Unlimited).map_err(bad_input)?;
        Ok(Self { envelope, strategy })
    }
}

/// Writes and reports a proved automaton.
pub fn written(cx: &Context, automaton: &AutomatonStrategy, args: &ConvertArgs) -> Answer {
    let envelope = automaton.to_envelope();
    if let Some(path) = &args.output {
        files::write(path, envelope.to_text().as_bytes())?;
    }
    let json = json!({
        "game": envelope.game,
        "form": "automaton",
        "proved": true,
        "states": automaton.set().states(),
        "seconds": cx.seconds(),
    });
    Ok(Report::new(json, format!("automaton with {} states, proved", automaton.set().states())))
}

impl Solved for AutomatonFile {
    points::answered!();

    fn show(&self, cx: &Context, syntax: Syntax) -> Answer {
        let (game, set) = (self.strategy.game(), self.strategy.set());
        let chart = game.chart();
        let mut text = match syntax {
            Syntax::Text => String::new(),
            Syntax::Json => serde_json::to_string_pretty(&self.envelope.certificate).map_err(bad_input)?,
            other => {
                return Err(bad_input(format!(
                    "an automaton has no text in this syntax ({other:?}); `impartial convert FILE --to stratification` \
                     gives a strategy that has"
                )));
            }
        };
        let functional: Vec<u64> = vec![1; game.dimension()];
        let effort = Effort::new(1 << 24, cx);
        let mut first = Vec::new();
        for y in set.elements(&functional, &effort)?.take(12) {
            cx.check(0, None)?;
            let y: Vec<BigInt> = y.into_iter().map(Into::into).collect();
            first.push(points::point_text(&chart.outer_big(&y)));
        }
        if syntax == Syntax::Text {
            let _ = writeln!(
                text,
                "P-positions of a lattice game: {} rules, {} coordinates, {} defeated positions",
                game.rules().len(),
                game.dimension(),
                game.defeated().len()
            );
            let _ = writeln!(
                text,
                "automaton: {} states that read one binary digit, lowest first, coordinate by coordinate ({} at the \
                 first coordinate)",
                set.states(),
                set.block_states()
            );
            if !chart.is_identity() {
                let _ = writeln!(text, "it reads y = Mx + s with M = {:?}, s = {:?}", chart.matrix(), chart.shift());
            }
            let _ = writeln!(
                text,
                "{}; the first: {}",
                if set.is_finite() { "finitely many" } else { "infinitely many" },
                first.join(" ")
            );
        }
        let json = json!({
            "game": self.envelope.game,
            "form": "automaton",
            "states": set.states(),
            "block_states": set.block_states(),
            "finite": set.is_finite(),
            "first": first,
            "certificate": self.envelope.certificate,
        });
        Ok(Report::new(json, text))
    }

    fn convert(&self, cx: &Context, args: &ConvertArgs) -> Answer {
        match args.to.as_str() {
            "stratification" => stratification::converted(cx, &self.strategy, args),
            "series" => super::series::converted(cx, &stratification::extracted(cx, &self.strategy, args)?, args),
            "quotient" => super::presentation::converted(cx, &self.strategy, args),
            other => Err(bad_input(format!(
                "an automaton is not converted to \"{other}\"; --to is stratification, series or quotient here"
            ))),
        }
    }

    fn quotient(&self, cx: &Context, args: &QuotientArgs) -> Answer {
        let proved = super::presentation::proved(cx, &self.strategy, &args.game)?;
        crate::families::lattice::quotient::report(cx, &args.game, &proved, args.output.as_deref())
    }

    fn count(&self, cx: &Context, args: &CountArgs) -> Answer {
        let sizes = points::box_sizes(&args.sizes, self.strategy.game().dimension())?;
        points::counted(self, args, "automaton", self.strategy.count(&sizes, cx))
    }

    fn congruent(&self, cx: &Context, args: &CongruentArgs) -> Answer {
        congruence::by_automaton(cx, &self.strategy, args, "automaton")
    }
}
