//! The form "chains".

use impartial::outcome::Outcome;
use impartial::solve::chains::{Kind, Solution};
use impartial::strategy::chains::from_envelope;
use impartial::strategy::{ChainsSet, Envelope};
use semilinear::run::Unlimited;
use serde_json::json;

use super::{Solved, chains_set};
use crate::args::{ConvertArgs, CountArgs, PlotArgs, Syntax};
use crate::context::Context;
use crate::families::chains::count;
use crate::report::{Answer, Failure, Report, bad_input};

/// An opened strategy file of form "chains".
pub struct ChainsStrategy {
    envelope: Envelope,
    solution: Solution,
}

impl ChainsStrategy {
    /// Reads the certificate.
    pub fn open(envelope: Envelope) -> Result<Self, Failure> {
        let solution = from_envelope(&envelope, &Unlimited).map_err(bad_input)?;
        Ok(Self { envelope, solution })
    }
}

impl Solved for ChainsStrategy {
    fn envelope(&self) -> &Envelope {
        &self.envelope
    }

    fn outcome(&self, _cx: &Context, position: &str) -> Result<Outcome, Failure> {
        let position = self.solution.game().position(position).map_err(bad_input)?;
        Ok(self.solution.outcome(&position))
    }

    fn winning_moves(&self, _cx: &Context, position: &str) -> Result<Vec<String>, Failure> {
        let game = self.solution.game();
        let position = game.position(position).map_err(bad_input)?;
        Ok(self.solution.winning_moves(&position).iter().map(|p| game.notation(p)).collect())
    }

    fn grundy(&self, _cx: &Context, position: &str) -> Result<String, Failure> {
        let position = self.solution.game().position(position).map_err(bad_input)?;
        self.solution.grundy(&position).map(|value| value.to_string()).ok_or_else(|| {
            bad_input(format!(
                "this strategy knows Grundy values up to {} only, and the value is larger; ask without --strategy",
                self.solution.values()
            ))
        })
    }

    fn show(&self, _cx: &Context, syntax: Syntax) -> Answer {
        let game = self.solution.game();
        let pattern = self.solution.pattern(0).ok_or_else(|| bad_input("the strategy file holds no value 0"))?;
        let from = pattern.preperiod();
        let (kind, period) = match pattern.kind() {
            Kind::Finite => ("finite", 0),
            Kind::Constant(_) => ("constant", 0),
            Kind::Periodic(p) => ("periodic", p),
        };
        let json = json!({
            "game": game.name(),
            "form": "chains",
            "kind": kind,
            "preperiod": from,
            "period": period,
            "offsets": pattern.offsets(),
            "initial": pattern.initial(),
            "order_ideals": self.solution.ideals().list().len(),
        });
        let text = match syntax {
            Syntax::Json => serde_json::to_string_pretty(&json).map_err(bad_input)?,
            Syntax::Text => {
                let mut lines = vec![format!("{}: {} order ideals", game.name(), self.solution.ideals().list().len())];
                for (b, ideal) in self.solution.ideals().list().iter().enumerate() {
                    let f = self.solution.ideal_pattern(b, 0);
                    let tail = if let Kind::Periodic(p) = f.kind() {
                        let offsets: Vec<String> = f.offsets().iter().map(ToString::to_string).collect();
                        format!("n − m = {} from m = {}, period {p}", offsets.join(" "), f.preperiod())
                    } else {
                        "no more".to_owned()
                    };
                    let first: Vec<String> = f.initial().iter().map(|(m, n)| format!("({m},{n})")).collect();
                    lines.push(format!("{:?}: P at (m,n) = {}; {tail}", ideal.key, first.join(" ")));
                }
                lines.join("\n")
            }
            Syntax::Latex => {
                let offsets: Vec<String> = pattern.offsets().iter().map(ToString::to_string).collect();
                let pairs: Vec<String> = pattern.initial().iter().map(|(m, n)| format!("({m},{n})")).collect();
                let finite = format!("\\{{{}\\}}", pairs.join(","));
                match pattern.kind() {
                    Kind::Periodic(p) => format!(
                        "f(m+{p}) = f(m)+{p}\\ (m \\ge {from}),\\quad f(m)-m = {}\\ (m = {from},\\dots),\\quad {finite}",
                        offsets.join(", ")
                    ),
                    Kind::Constant(n) => format!("f(m) = {n}\\ (m \\ge {from}),\\quad {finite}"),
                    Kind::Finite => finite,
                }
            }
            other => {
                return Err(bad_input(format!(
                    "a strategy of form \"chains\" has no {other:?} syntax; use --as text, latex or json, or convert it first"
                )));
            }
        };
        Ok(Report::new(json, text))
    }

    fn plot(&self, cx: &Context, args: &PlotArgs) -> Answer {
        crate::families::chains_plot::plot(cx, &self.solution, args)
    }

    fn convert(&self, cx: &Context, args: &ConvertArgs) -> Answer {
        super::quotient::checked(cx, &args.file, &self.envelope)?;
        chains_set::converted(cx, &ChainsSet::new(self.solution.clone()), args)
    }

    fn count(&self, _cx: &Context, args: &CountArgs) -> Answer {
        count(&self.solution, &args.game, &args.sizes)
    }
}
