//! Forms "sectors" and "grundy-sectors".

use std::fmt::Write as _;

use num_bigint::{BigInt, BigUint};
use semilinear::vectorset::Effort;
use serde_json::{Value, json};

use super::super::{Answers, Form, Shown, no_text, object, unsupported};
use super::{STATES, chart_line, compared, found, off_board, positions};
use crate::error::{Error, Result};
use crate::game::kind::Moves;
use crate::game::lattice::answer::sized;
use crate::game::position::{Position, on_board, point_of, read_point};
use crate::game::report::{CongruenceReport, Picture};
use crate::game::words::counted;
use crate::game::{Ask, PlotAsk, plot};
use crate::outcome::{Outcome, Play};
use crate::render::Syntax;
use crate::solve::blocks::Target;
use crate::strategy::{AutomatonStrategy, Envelope, SectorStrategy, Standing};

impl Answers for SectorStrategy {
    at_points!();

    fn form(&self) -> Form {
        match self.target() {
            Target::Outcomes => Form::Sectors,
            Target::Values => Form::GrundySectors,
        }
    }

    fn grundy(&self, position: &Position, _ask: &Ask) -> Result<BigUint> {
        if self.target() == Target::Outcomes {
            return Err(unsupported(self.form(), "grundy"));
        }
        let value = self.grundy(on_board(self.game(), position)?).ok_or_else(|| off_board(position))?;
        Ok(value.into())
    }

    fn summary(&self, name: Option<&str>, standing: Standing) -> Shown {
        let sectors = self.sectors();
        let mut size = object(json!({"strata": sectors.translates(), "rays": sectors.rays()}));
        if self.target() == Target::Values {
            size.insert("max_value".into(), json!(sectors.largest()));
        }
        let text = found(name.unwrap_or("strategy"), self.form(), &size, standing);
        (size, text)
    }

    fn show(&self, syntax: Option<Syntax>, _standing: Standing, _ask: &Ask) -> Result<Shown> {
        let sectors = self.sectors();
        let certificate = self.to_envelope().certificate;
        let text = match syntax {
            None => serde_json::to_string_pretty(&certificate).map_err(Error::input)?,
            Some(Syntax::Text) => {
                let pair = |p: &[i64; 2]| format!("({},{})", p[0], p[1]);
                let list = |points: &[[i64; 2]]| points.iter().map(pair).collect::<Vec<_>>().join(" ");
                let mut text = format!(
                    "{}: {} along {}\n{}",
                    if self.target() == Target::Values { "Grundy values" } else { "P-positions" },
                    counted(sectors.translates(), "translate", "translates"),
                    counted(sectors.rays().len(), "ray", "rays"),
                    chart_line(self.game(), "in coordinates")
                );
                for stratum in sectors.strata() {
                    let rays: Vec<[i64; 2]> = stratum.generators.iter().map(|&g| sectors.rays()[g]).collect();
                    if self.target() == Target::Values {
                        let _ = write!(text, "value {}: ", stratum.value);
                    }
                    let _ = writeln!(text, "{{{}}} + N{{{}}}", list(&stratum.points), list(&rays));
                }
                text
            }
            Some(other) => {
                let remedy =
                    "it has text and json; `impartial convert FILE --to stratification` gives one that has more";
                return Err(no_text("a strategy by sectors", other, remedy));
            }
        };
        let content =
            object(json!({"rays": sectors.rays(), "strata": sectors.translates(), "certificate": certificate}));
        Ok((content, text))
    }

    fn count(&self, sizes: &[BigUint], ask: &Ask) -> Result<(BigUint, String)> {
        let sizes = sized(sizes, 2)?;
        if let Some(count) = self.count(&[sizes[0].clone(), sizes[1].clone()], ask.monitor)? {
            return Ok((count, self.form().to_string()));
        }
        let set = self.vector_set(&Effort::new(1 << 22, ask.monitor))?;
        let automaton = AutomatonStrategy::proved(self.game().clone(), set, &Effort::new(1 << 22, ask.monitor))?;
        Ok((automaton.count(&sizes, ask.monitor)?, "automaton of the sectors".into()))
    }

    fn congruent(&self, p: &Position, q: &Position, standing: Standing, ask: &Ask) -> Result<CongruenceReport> {
        let effort = Effort::new(STATES, ask.monitor);
        let method = "automaton of the sectors";
        compared(self.game(), (p, q), method, standing, |p, q| Ok(self.congruence(p, q, &effort)?))
    }

    fn plot(&self, written: &str, ask_plot: &PlotAsk, ask: &Ask) -> Result<Picture> {
        let grundy = ask_plot.grundy || self.target() == Target::Values;
        let ask_plot = &PlotAsk { grundy, ..ask_plot.clone() };
        plot::lattice::game(written, plot::lattice::stem(written), self.game(), ask_plot, ask)
    }
}
