//! The forms "automaton", "stratification" and "series" of a chains game.

use impartial::outcome::Outcome;
use impartial::render;
use impartial::strategy::{ChainsSet, Envelope};
use semilinear::run::Unlimited;
use semilinear::vectorset::{BoxTooLarge, Effort};
use serde_json::json;

use super::Solved;
use crate::args::{ConvertArgs, CountArgs, PlotArgs, Syntax};
use crate::context::Context;
use crate::families::chains::json_integer;
use crate::files;
use crate::report::{Answer, Failure, Report, bad_input};

/// Automata of the set may have this many states.
const STATES: usize = 1 << 22;

/// An opened file.
pub struct ChainsSetFile {
    envelope: Envelope,
    set: ChainsSet,
}

impl ChainsSetFile {
    /// Reads the certificate.
    pub fn open(envelope: Envelope) -> Result<Self, Failure> {
        let set = ChainsSet::from_envelope(&envelope, &Unlimited).map_err(bad_input)?;
        Ok(Self { envelope, set })
    }
}

/// Writes the set of P-positions of a chains game in another form.
pub fn converted(cx: &Context, set: &ChainsSet, args: &ConvertArgs) -> Answer {
    let name = set.solution().game().name();
    let (envelope, size, text) = match args.to.as_str() {
        "stratification" => {
            let strata = set.strata();
            let text = render::stratification(strata, render::Syntax::Text);
            (set.stratification_envelope(), ("strata", strata.strata()), text)
        }
        "automaton" => {
            let automaton = set.vector_set(&Effort::new(STATES, cx))?;
            let states = automaton.states();
            (set.automaton_envelope(&automaton), ("states", states), format!("{states} states"))
        }
        "series" => {
            let terms = set.strata().strata();
            (set.series_envelope(), ("terms", terms), format!("{terms} terms"))
        }
        "chains" => {
            let ideals = set.solution().ideals().list().len();
            let text = format!("{ideals} order ideals");
            (impartial::strategy::chains::to_envelope(set.solution()), ("order_ideals", ideals), text)
        }
        other => {
            return Err(bad_input(format!(
                "--to {other}: a chains strategy converts to automaton, stratification, series or chains"
            )));
        }
    };
    if let Some(path) = &args.output {
        files::write(path, envelope.to_text().as_bytes())?;
    }
    let json = json!({
        "game": name,
        "form": args.to,
        "proved": true,
        size.0: size.1,
        "seconds": cx.seconds(),
    });
    Ok(Report::new(json, format!("P-positions (m, n) of {name}\n{text}")))
}

impl Solved for ChainsSetFile {
    fn envelope(&self) -> &Envelope {
        &self.envelope
    }

    fn outcome(&self, _cx: &Context, position: &str) -> Result<Outcome, Failure> {
        let position = self.set.solution().game().position(position).map_err(bad_input)?;
        Ok(self.set.solution().outcome(&position))
    }

    fn winning_moves(&self, _cx: &Context, position: &str) -> Result<Vec<String>, Failure> {
        let game = self.set.solution().game();
        let position = game.position(position).map_err(bad_input)?;
        Ok(self.set.solution().winning_moves(&position).iter().map(|p| game.notation(p)).collect())
    }

    fn show(&self, _cx: &Context, syntax: Syntax) -> Answer {
        let strata = self.set.strata();
        let text = match syntax.rendered() {
            Some(syntax) => render::stratification(strata, syntax),
            None => serde_json::to_string_pretty(strata.modules()).map_err(bad_input)?,
        };
        let json = json!({
            "game": self.set.solution().game().name(),
            "form": self.envelope.form,
            "strata": strata.strata(),
            "modules": strata.modules(),
            "text": text,
        });
        Ok(Report::new(json, text))
    }

    fn plot(&self, cx: &Context, args: &PlotArgs) -> Answer {
        crate::families::chains_plot::plot(cx, self.set.solution(), args)
    }

    fn convert(&self, cx: &Context, args: &ConvertArgs) -> Answer {
        super::quotient::checked(cx, &args.file, &self.envelope)?;
        converted(cx, &self.set, args)
    }

    fn count(&self, cx: &Context, args: &CountArgs) -> Answer {
        let sizes = super::points::box_sizes(&args.sizes, 2)?;
        let set = self.set.vector_set(&Effort::new(STATES, cx))?;
        let count = set.count(&sizes, cx).map_err(|error| match error {
            BoxTooLarge::Stopped(why) => Failure::Stopped(why),
            other @ BoxTooLarge::Sides { .. } => bad_input(other),
        })?;
        Ok(Report::new(json!({"game": args.game, "count": json_integer(&count), "proved": true}), count.to_string()))
    }
}
