//! The form "series": the P-positions of a lattice game as a rational generating function.

use impartial::outcome::Outcome;
use impartial::render;
use impartial::strategy::{Envelope, SeriesStrategy, StratificationStrategy};
use num_bigint::BigInt;
use semilinear::series::SeriesError;
use serde_json::json;

use super::{Solved, congruence, points};
use crate::args::{CongruentArgs, ConvertArgs, CountArgs, QuotientArgs, Syntax};
use crate::context::Context;
use crate::files;
use crate::report::{Answer, Failure, Report, bad_input};

/// An opened strategy file of form "series".
pub struct SeriesFile {
    envelope: Envelope,
    strategy: SeriesStrategy,
}

impl SeriesFile {
    /// Reads the certificate.
    pub fn open(envelope: Envelope) -> Result<Self, Failure> {
        let strategy = SeriesStrategy::from_envelope(&envelope, &semilinear::run::Unlimited).map_err(bad_input)?;
        Ok(Self { envelope, strategy })
    }

    fn position(&self, text: &str) -> Result<Vec<BigInt>, Failure> {
        points::position(self.strategy.game(), text)
    }
}

fn failure(error: SeriesError) -> Failure {
    match error.stop_reason() {
        Some(why) => Failure::Stopped(why.clone()),
        None => bad_input(error),
    }
}

/// The rational strategy of a stratification, written and reported. The independent checker proves it first: a file only
/// claims its strata.
pub fn converted(cx: &Context, strata: &StratificationStrategy, args: &ConvertArgs) -> Answer {
    let strategy = SeriesStrategy::from_strata(strata).map_err(failure)?;
    let envelope = strategy.to_envelope();
    let text = envelope.to_text();
    super::quotient::checked(cx, &args.file, &envelope)?;
    if let Some(path) = &args.output {
        files::write(path, text.as_bytes())?;
    }
    let terms = strategy.series().terms().len();
    let json = json!({
        "game": envelope.game,
        "form": "series",
        "proved": true,
        "terms": terms,
        "strata": strata.strata().strata(),
        "complexity": strategy.series().complexity(),
        "seconds": cx.seconds(),
    });
    let formula = render::series(strategy.series(), render::Syntax::Text);
    Ok(Report::new(json, format!("{formula}\n{terms} terms, proved")))
}

impl Solved for SeriesFile {
    fn envelope(&self) -> &Envelope {
        &self.envelope
    }

    fn outcome(&self, cx: &Context, position: &str) -> Result<Outcome, Failure> {
        let x = self.position(position)?;
        let outcome = self.strategy.outcome(&x, cx).map_err(failure)?;
        outcome.ok_or_else(|| points::off_board(position))
    }

    fn winning_moves(&self, cx: &Context, position: &str) -> Result<Vec<String>, Failure> {
        let x = self.position(position)?;
        let moves = self.strategy.winning_moves(&x, cx).map_err(failure)?;
        Ok(points::point_texts(&moves))
    }

    fn show(&self, _cx: &Context, syntax: Syntax) -> Answer {
        let series = self.strategy.series();
        let text = match syntax.rendered() {
            Some(syntax) => render::series(series, syntax),
            None => serde_json::to_string_pretty(series.terms()).map_err(bad_input)?,
        };
        let json = json!({
            "game": self.envelope.game,
            "form": "series",
            "terms": series.terms(),
            "complexity": series.complexity(),
            "text": text,
        });
        Ok(Report::new(json, text))
    }

    fn convert(&self, cx: &Context, args: &ConvertArgs) -> Answer {
        match args.to.as_str() {
            "automaton" => super::stratification::to_automaton(cx, self.strategy.strata(), args),
            "quotient" => {
                let automaton = super::stratification::proved_automaton(cx, self.strategy.strata(), &args.file)?;
                crate::families::lattice::quotient::report(cx, &args.file, &automaton, args.output.as_deref())
            }
            other => {
                Err(bad_input(format!("a series is not converted to \"{other}\"; --to is automaton or quotient here")))
            }
        }
    }

    fn count(&self, cx: &Context, args: &CountArgs) -> Answer {
        let sizes = points::box_sizes(&args.sizes, self.strategy.game().dimension())?;
        points::counted(self, args, "stratification", self.strategy.strata().count(&sizes, cx))
    }

    fn congruent(&self, cx: &Context, args: &CongruentArgs) -> Answer {
        let (p, q) = congruence::points(self.strategy.game(), args)?;
        let found = self.strategy.congruence(&p, &q, cx).map_err(failure)?;
        Ok(congruence::report(&args.game, &found, "series"))
    }

    fn quotient(&self, cx: &Context, args: &QuotientArgs) -> Answer {
        super::quotient::checked(cx, &args.game, &self.envelope)?;
        let Some(quotient) = self.strategy.normal_quotient(cx).map_err(failure)? else {
            return Err(bad_input(
                "the P-positions are no normal affine semigroup on a cone in normal play (Theorem 8.3 of Guo's thesis), so that \
                 the series does not give the quotient; `impartial congruent` decides single pairs",
            ));
        };
        let point = |x: &[semilinear::integer::Int]| {
            points::point_text(&x.iter().map(semilinear::integer::Int::to_big).collect::<Vec<_>>())
        };
        let basis: Vec<String> = quotient.hilbert_basis.iter().map(|a| point(a)).collect();
        let order: BigInt = quotient.invariants.iter().map(semilinear::integer::Int::to_big).product();
        let factors: Vec<String> = quotient.invariants.iter().map(|m| format!("Z/{m}")).collect();
        let group = if factors.is_empty() { "the trivial group".to_owned() } else { factors.join(" x ") };
        let json = json!({
            "game": args.game,
            "finite": true,
            "order": crate::families::chains::json_integer(&order.to_biguint().unwrap_or_default()),
            "p_portion": 1,
            "group": quotient.invariants,
            "relations": basis.iter().map(|a| format!("{a} = 0")).collect::<Vec<_>>(),
            "proved": true,
            "method": "normal affine semigroup",
        });
        let relations = basis.iter().map(|a| format!("{a} = 0")).collect::<Vec<_>>().join(", ");
        let text = format!(
            "quotient Z^{}/ZP = {group}, order {order}; relations {relations}",
            self.strategy.game().dimension()
        );
        Ok(Report::new(json, text))
    }
}
