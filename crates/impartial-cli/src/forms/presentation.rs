//! The form "presentation": the quotient of a lattice game by generators and relations.

use impartial::outcome::Outcome;
use impartial::strategy::{AutomatonStrategy, Envelope, PresentationStrategy};
use num_bigint::BigInt;
use semilinear::vectorset::Effort;
use serde_json::json;

use super::{Solved, congruence, points};
use crate::args::{CongruentArgs, ConvertArgs, CountArgs, QuotientArgs, Syntax};
use crate::context::Context;
use crate::families::lattice::quotient::{self, Standing};
use crate::files;
use crate::report::{Answer, Failure, Report, bad_input};

/// Automata on the way may have this many states.
const STATES: usize = 1 << 23;

/// An opened strategy file of form "presentation".
pub struct PresentationFile {
    envelope: Envelope,
    strategy: PresentationStrategy,
}

impl PresentationFile {
    /// Reads the certificate.
    pub fn open(envelope: Envelope) -> Result<Self, Failure> {
        let strategy = PresentationStrategy::from_envelope(&envelope, &semilinear::run::Unlimited);
        Ok(Self { strategy: strategy.map_err(quotient::failure)?, envelope })
    }

    fn automaton(&self) -> &AutomatonStrategy {
        self.strategy.automaton()
    }

    fn position(&self, text: &str) -> Result<Vec<BigInt>, Failure> {
        points::position(self.automaton().game(), text)
    }
}

impl PresentationFile {
    /// The report, after the independent checker has accepted the file.
    fn checked(&self, cx: &Context, place: &str) -> Answer {
        super::quotient::checked(cx, place, &self.envelope)?;
        quotient::describe(cx, place, &self.strategy, Standing::Proved)
    }
}

/// `convert --to quotient` of a strategy whose set is not yet proved.
pub fn converted(cx: &Context, automaton: &AutomatonStrategy, args: &ConvertArgs) -> Answer {
    quotient::report(cx, &args.file, &proved(cx, automaton, &args.file)?, args.output.as_deref())
}

/// A file only claims its set: it is proved first.
pub fn proved(cx: &Context, automaton: &AutomatonStrategy, place: &str) -> Result<AutomatonStrategy, Failure> {
    let effort = Effort::new(STATES, cx);
    AutomatonStrategy::proved(automaton.game().clone(), automaton.set().clone(), &effort)?
        .map_err(|x| bad_input(format!("{place}: the automaton is not the set of P-positions: wrong at {x:?}")))
}

impl Solved for PresentationFile {
    fn envelope(&self) -> &Envelope {
        &self.envelope
    }

    fn outcome(&self, _cx: &Context, position: &str) -> Result<Outcome, Failure> {
        let x = self.position(position)?;
        self.automaton().outcome(&x).ok_or_else(|| points::off_board(position))
    }

    fn winning_moves(&self, _cx: &Context, position: &str) -> Result<Vec<String>, Failure> {
        let x = self.position(position)?;
        Ok(points::point_texts(&self.automaton().winning_moves(&x)))
    }

    fn show(&self, cx: &Context, syntax: Syntax) -> Answer {
        let mut report = quotient::describe(cx, "quotient of a lattice game", &self.strategy, Standing::Claimed)?;
        let normal_forms = quotient::normal_forms(&self.strategy);
        report.json.insert("game".into(), self.envelope.game.clone());
        report.json.insert("normal_forms".into(), json!(normal_forms));
        report.json.insert("certificate".into(), self.envelope.certificate.clone());
        let text = match syntax {
            Syntax::Text => format!("{}\nnormal forms  {}", report.text, normal_forms.join(", ")),
            Syntax::Json => serde_json::to_string_pretty(&self.envelope.certificate).map_err(bad_input)?,
            other => {
                return Err(bad_input(format!(
                    "a presentation has no text in this syntax ({other:?}); use text or json"
                )));
            }
        };
        Ok(Report { text, ..report })
    }

    fn convert(&self, cx: &Context, args: &ConvertArgs) -> Answer {
        match args.to.as_str() {
            "automaton" => super::automaton::written(cx, &proved(cx, self.automaton(), &args.file)?, args),
            "stratification" => super::stratification::converted(cx, self.automaton(), args),
            "series" => {
                super::series::converted(cx, &super::stratification::extracted(cx, self.automaton(), args)?, args)
            }
            "quotient" => {
                let report = self.checked(cx, &args.file)?;
                if let Some(path) = &args.output {
                    files::write(path, self.envelope.to_text().as_bytes())?;
                }
                Ok(report)
            }
            other => Err(bad_input(format!(
                "a presentation is not converted to \"{other}\"; --to is automaton, stratification, series or quotient here"
            ))),
        }
    }

    fn quotient(&self, cx: &Context, args: &QuotientArgs) -> Answer {
        self.checked(cx, &args.game)
    }

    fn count(&self, cx: &Context, args: &CountArgs) -> Answer {
        let sizes = points::box_sizes(&args.sizes, self.automaton().game().dimension())?;
        points::counted(self, args, "automaton", self.automaton().count(&sizes, cx))
    }

    fn congruent(&self, cx: &Context, args: &CongruentArgs) -> Answer {
        let (p, q) = congruence::points(self.automaton().game(), args)?;
        let found = self.strategy.congruence(&p, &q, &Effort::new(STATES, cx))?;
        Ok(congruence::report(&args.game, &found, "presentation"))
    }
}
