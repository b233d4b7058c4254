//! The form "stratification": the P-positions of a lattice game as modules F + ℕV.

use impartial::render;
use impartial::strategy::{AutomatonStrategy, Envelope, StratificationStrategy};
use semilinear::vectorset::Effort;
use serde_json::json;

use super::{Solved, congruence, points};
use crate::args::{CongruentArgs, ConvertArgs, CountArgs, PlotArgs, QuotientArgs, Syntax};
use crate::context::Context;
use crate::files;
use crate::report::{Answer, Failure, Report, bad_input};

/// Automata on the way to a stratification may have this many states.
const STATES: usize = 1 << 23;

/// An opened strategy file of form "stratification".
pub struct StratificationFile {
    envelope: Envelope,
    strategy: StratificationStrategy,
}

impl StratificationFile {
    /// Reads the certificate.
    pub fn open(envelope: Envelope) -> Result<Self, Failure> {
        let strategy =
            StratificationStrategy::from_envelope(&envelope, &semilinear::run::Unlimited).map_err(bad_input)?;
        Ok(Self { envelope, strategy })
    }
}

/// The stratification of an automaton. A file only claims its set: it is proved first.
pub fn extracted(
    cx: &Context,
    automaton: &AutomatonStrategy,
    args: &ConvertArgs,
) -> Result<StratificationStrategy, Failure> {
    let effort = Effort::new(STATES, cx);
    let proved =
        AutomatonStrategy::proved(automaton.game().clone(), automaton.set().clone(), &effort)?.map_err(|x| {
            bad_input(format!("{}: the automaton is not the set of P-positions: wrong at {x:?}", args.file))
        })?;
    Ok(StratificationStrategy::from_automaton(&proved, &effort)?)
}

/// Extracts the stratification of an automaton, and writes it.
pub fn converted(cx: &Context, automaton: &AutomatonStrategy, args: &ConvertArgs) -> Answer {
    written(cx, &extracted(cx, automaton, args)?, args)
}

/// Writes and reports a proved stratification.
pub fn written(cx: &Context, strategy: &StratificationStrategy, args: &ConvertArgs) -> Answer {
    let envelope = strategy.to_envelope();
    if let Some(path) = &args.output {
        files::write(path, envelope.to_text().as_bytes())?;
    }
    let strata = strategy.strata();
    let text = render::stratification(strata, render::Syntax::Text);
    let json = json!({
        "game": envelope.game,
        "form": "stratification",
        "proved": true,
        "strata": strata.strata(),
        "modules": strata.modules().len(),
        "complexity": strata.complexity(),
        "seconds": cx.seconds(),
    });
    let counts = format!("{} strata in {} modules, proved", strata.strata(), strata.modules().len());
    Ok(Report::new(json, format!("{text}\n{counts}")))
}

/// The automaton of a stratification, proved anew.
pub fn proved_automaton(
    cx: &Context,
    strata: &StratificationStrategy,
    place: &str,
) -> Result<AutomatonStrategy, Failure> {
    strata
        .automaton(&Effort::new(STATES, cx))?
        .map_err(|x| bad_input(format!("{place}: the strata are not the set of P-positions: wrong at {x:?}")))
}

/// The automaton of a stratification, proved anew, written and reported.
pub fn to_automaton(cx: &Context, strata: &StratificationStrategy, args: &ConvertArgs) -> Answer {
    super::automaton::written(cx, &proved_automaton(cx, strata, &args.file)?, args)
}

impl Solved for StratificationFile {
    points::answered!();

    fn show(&self, _cx: &Context, syntax: Syntax) -> Answer {
        let strata = self.strategy.strata();
        let text = match syntax.rendered() {
            Some(syntax) => render::stratification(strata, syntax),
            None => serde_json::to_string_pretty(strata.modules()).map_err(bad_input)?,
        };
        let json = json!({
            "game": self.envelope.game,
            "form": "stratification",
            "strata": strata.strata(),
            "modules": strata.modules(),
            "complexity": strata.complexity(),
            "text": text,
        });
        Ok(Report::new(json, text))
    }

    fn convert(&self, cx: &Context, args: &ConvertArgs) -> Answer {
        match args.to.as_str() {
            "automaton" => to_automaton(cx, &self.strategy, args),
            "series" => super::series::converted(cx, &self.strategy, args),
            "quotient" => {
                let automaton = proved_automaton(cx, &self.strategy, &args.file)?;
                crate::families::lattice::quotient::report(cx, &args.file, &automaton, args.output.as_deref())
            }
            other => Err(bad_input(format!(
                "a stratification is not converted to \"{other}\"; --to is automaton, series or quotient here"
            ))),
        }
    }

    fn plot(&self, cx: &Context, args: &PlotArgs) -> Answer {
        super::stratification_plot::plot(cx, &self.strategy, args)
    }

    fn quotient(&self, cx: &Context, args: &QuotientArgs) -> Answer {
        let automaton = proved_automaton(cx, &self.strategy, &args.game)?;
        crate::families::lattice::quotient::report(cx, &args.game, &automaton, args.output.as_deref())
    }

    fn count(&self, cx: &Context, args: &CountArgs) -> Answer {
        let sizes = points::box_sizes(&args.sizes, self.strategy.game().dimension())?;
        points::counted(self, args, "stratification", self.strategy.count(&sizes, cx))
    }

    fn congruent(&self, cx: &Context, args: &CongruentArgs) -> Answer {
        let (p, q) = congruence::points(self.strategy.game(), args)?;
        let found = self.strategy.congruence(&p, &q, &Effort::new(STATES, cx))?;
        Ok(congruence::report(&args.game, &found, "automaton of the strata"))
    }
}
