//! The forms of strategy files, each with the commands it understands.

pub mod automaton;
mod chains;
mod chains_set;
mod characters;
pub mod congruence;
pub mod counters;
mod grundy_automaton;
mod nim_sequence;
pub mod parity_kernel;
mod points;
pub mod presentation;
pub mod quotient;
mod sectors;
mod series;
mod stratification;
mod stratification_plot;
mod table;

use impartial::outcome::Outcome;
use impartial::strategy::Envelope;

use crate::args;
use crate::context::Context;
use crate::families::Family;
use crate::report::{Answer, Failure, bad_input};

/// An opened strategy file. A command that makes no sense for a form keeps its default here.
pub trait Solved {
    /// The file itself.
    fn envelope(&self) -> &Envelope;

    /// Whether the strategy is one of this game (in the play asked for).
    fn belongs_to(&self, game: &dyn Family, cx: &Context) -> bool {
        game.strategy_game(cx).is_ok_and(|(json, play)| self.envelope().game == json && self.envelope().play == play)
    }

    /// The outcome of a position of any size.
    fn outcome(&self, cx: &Context, position: &str) -> Result<Outcome, Failure>;

    /// Every winning move, as resulting positions.
    fn winning_moves(&self, cx: &Context, position: &str) -> Result<Vec<String>, Failure>;

    /// Whether [`Solved::winning_moves`] lists every winning move of a position, and not one of each kind.
    fn lists_every_move(&self, _cx: &Context, _position: &str) -> Result<bool, Failure> {
        Ok(true)
    }

    /// The Grundy value of a position, where the form knows it.
    fn grundy(&self, _cx: &Context, _position: &str) -> Result<String, Failure> {
        unsupported(self, "grundy")
    }

    /// `show`.
    fn show(&self, cx: &Context, syntax: args::Syntax) -> Answer;

    /// `convert`.
    fn convert(&self, _cx: &Context, args: &args::ConvertArgs) -> Answer {
        unsupported(self, &format!("convert --to {}", args.to))
    }

    /// `count`.
    fn count(&self, _cx: &Context, _args: &args::CountArgs) -> Answer {
        unsupported(self, "count")
    }

    /// `congruent`.
    fn congruent(&self, _cx: &Context, _args: &args::CongruentArgs) -> Answer {
        unsupported(self, "congruent")
    }

    /// `quotient`.
    fn quotient(&self, _cx: &Context, _args: &args::QuotientArgs) -> Answer {
        unsupported(self, "quotient")
    }

    /// `plot`.
    fn plot(&self, _cx: &Context, _args: &args::PlotArgs) -> Answer {
        unsupported(self, "plot")
    }
}

/// The failure of a command that a form does not have.
fn unsupported<T>(file: &(impl Solved + ?Sized), command: &str) -> Result<T, Failure> {
    let form = &file.envelope().form;
    Err(bad_input(format!(
        "`{command}` does not work with a strategy of form \"{form}\"; `impartial help` says which forms do"
    )))
}

/// Whether a text looks like a strategy file rather than a game file.
pub fn looks_like_strategy(text: &str) -> bool {
    text.trim_start().starts_with('{')
}

/// Opens the text of a strategy file by its form.
pub fn open(text: &str) -> Result<Box<dyn Solved>, Failure> {
    let envelope = Envelope::from_text(text).map_err(bad_input)?;
    let of_chains = envelope.game.get("kind").and_then(serde_json::Value::as_str) == Some("chains");
    match envelope.form.as_str() {
        "automaton" | "stratification" | "series" if of_chains => {
            Ok(Box::new(chains_set::ChainsSetFile::open(envelope)?))
        }
        "sectors" => Ok(Box::new(sectors::SectorFile::open(envelope)?)),
        "automaton" => Ok(Box::new(automaton::AutomatonFile::open(envelope)?)),
        "grundy-automaton" => Ok(Box::new(grundy_automaton::GrundyFile::open(envelope)?)),
        "counters" => counters::open(envelope),
        "quotient" => quotient::open(envelope),
        "nim-sequence" => Ok(Box::new(nim_sequence::NimSequenceStrategy::open(envelope)?)),
        "parity-kernel" => Ok(Box::new(parity_kernel::KernelStrategy::open(envelope)?)),
        "presentation" => Ok(Box::new(presentation::PresentationFile::open(envelope)?)),
        "chains" => Ok(Box::new(chains::ChainsStrategy::open(envelope)?)),
        "series" if envelope.certificate.get("characters").is_some() => {
            Ok(Box::new(characters::CharacterFile::open(envelope)?))
        }
        "series" => Ok(Box::new(series::SeriesFile::open(envelope)?)),
        "stratification" => Ok(Box::new(stratification::StratificationFile::open(envelope)?)),
        "table" => Ok(Box::new(table::TableFile::open(envelope)?)),
        other => Err(bad_input(format!("strategy file: no form is called \"{other}\"; update impartial"))),
    }
}
