//! Heap games: codes, subtraction sets, general rules.
//!
//! | file | what it answers |
//! | --- | --- |
//! | `sequence.rs` | Grundy values and periods: `values`, `period`, normal-play `solve`, `grundy` |
//! | `misere.rs` | misère play: `quotient`, `congruent`, misère `solve` and `outcome` |
//! | `as_lattice.rs` | the game as a lattice game: `info`, `convert --to lattice`, `count` |

mod as_lattice;
mod misere;
pub mod position;
mod search;
mod sequence;

pub use position::drawing;

pub use misere::{congruence, moves_by, options_of, searched};

use impartial::heap::{HeapFile, HeapRules, heaps_to_text};
use impartial::outcome::{Outcome, Play};
use impartial::solve::nim;
use serde_json::{Value, json};

use super::Family;
use crate::args;
use crate::context::Context;
use crate::report::{Answer, Failure, bad_input};

/// A heap game on the command line.
pub struct HeapFamily {
    /// The name as the user wrote it, or the name in its file.
    pub name: String,
    /// The play its file sets.
    pub play: Option<Play>,
    /// The rules.
    pub rules: HeapRules,
}

impl HeapFamily {
    /// A game by its notation: `0.77` or `subtract:1,2,3`.
    pub fn from_notation(text: &str) -> Result<Self, Failure> {
        Ok(Self { name: text.to_owned(), play: None, rules: text.parse().map_err(bad_input)? })
    }

    /// Whether this is Nim itself, which is known for heaps of any size.
    fn is_nim(&self) -> bool {
        matches!(&self.rules, HeapRules::Code(code) if code.to_string() == "0.[3]")
    }

    /// A game by its file.
    pub fn from_file(path: &str, text: &str) -> Result<Self, Failure> {
        let file = HeapFile::from_toml(text).map_err(|error| bad_input(format!("{path}: {error}")))?;
        Ok(Self { name: file.name.unwrap_or_else(|| path.to_owned()), play: file.play, rules: file.rules })
    }
}

impl Family for HeapFamily {
    fn kind(&self) -> &'static str {
        "heap"
    }

    fn name(&self) -> String {
        self.name.clone()
    }

    fn own_play(&self) -> Option<Play> {
        self.play
    }

    fn game_json(&self) -> Value {
        let mut json = self.rules.to_json();
        json["kind"] = json!("heap");
        json
    }

    fn info(&self, cx: &Context, args: &args::InfoArgs) -> Answer {
        as_lattice::info(self, cx, args)
    }

    fn values(&self, cx: &Context, args: &args::ValuesArgs) -> Answer {
        sequence::values(self, cx, args)
    }

    fn period(&self, cx: &Context, args: &args::PeriodArgs) -> Answer {
        sequence::period(self, cx, args)
    }

    fn grundy(&self, cx: &Context, position: &str) -> Result<(String, String), Failure> {
        let heaps = position::read(position)?;
        if self.is_nim() {
            return Ok((nim::grundy(&heaps).to_string(), "nim-sum".into()));
        }
        sequence::grundy(self, cx, &heaps)
    }

    fn outcome(&self, cx: &Context, position: &str) -> Result<(Outcome, String), Failure> {
        let heaps = position::read(position)?;
        match cx.play(self.play) {
            play if self.is_nim() => Ok((nim::outcome(&heaps, play), "nim-sum".into())),
            Play::Normal => {
                let (value, method) = sequence::grundy(self, cx, &heaps)?;
                Ok((Outcome::p_if(value == "0"), method))
            }
            Play::Misere => misere::outcome(self, cx, &heaps),
        }
    }

    fn winning_moves(&self, cx: &Context, position: &str) -> Result<(Vec<String>, String), Failure> {
        let heaps = position::read(position)?;
        match cx.play(self.play) {
            play if self.is_nim() => {
                let moves = nim::winning_moves(&heaps, play);
                Ok((moves.iter().map(|heaps| heaps_to_text(heaps)).collect(), "nim-sum".into()))
            }
            Play::Normal => sequence::winning_moves(self, cx, &heaps).map(|(moves, _, method)| (moves, method)),
            Play::Misere => misere::winning_moves(self, cx, &heaps).map(|(moves, _, method)| (moves, method)),
        }
    }

    fn lists_every_move(&self, cx: &Context, position: &str) -> Result<bool, Failure> {
        let heaps = position::read(position)?;
        match cx.play(self.play) {
            // A position whose options can be listed has all its winning moves among them.
            _ if position::small(&heaps).is_ok_and(|heaps| position::options(&self.rules, &heaps).is_ok()) => Ok(true),
            Play::Normal => sequence::winning_moves(self, cx, &heaps).map(|(_, complete, _)| complete),
            Play::Misere if self.is_nim() => Ok(true),
            Play::Misere => misere::winning_moves(self, cx, &heaps).map(|(_, complete, _)| complete),
        }
    }

    fn solve(&self, cx: &Context, args: &args::SolveArgs) -> Answer {
        match cx.play(self.play) {
            Play::Normal => match args.max_heap {
                Some(max_heap) if args.method.as_deref().is_none_or(|method| method.ends_with("kernel")) => {
                    as_lattice::solve(self, cx, args, max_heap)
                }
                _ => sequence::solve(self, cx, args),
            },
            Play::Misere => match args.max_heap {
                Some(max_heap) if args.method.as_deref() == Some("learn") => {
                    as_lattice::learn(self, cx, args, max_heap)
                }
                _ => misere::solve(self, cx, args),
            },
        }
    }

    fn lattice_file(&self, cx: &Context, max_heap: Option<u64>) -> Result<String, Failure> {
        as_lattice::lattice_file(self, cx, max_heap)
    }

    fn count(&self, cx: &Context, args: &args::CountArgs) -> Answer {
        as_lattice::count(self, cx, args)
    }

    fn congruent(&self, cx: &Context, args: &args::CongruentArgs) -> Answer {
        misere::congruent(self, cx, args)
    }

    fn quotient(&self, cx: &Context, args: &args::QuotientArgs) -> Answer {
        misere::quotient(self, cx, args)
    }

    fn plot(&self, cx: &Context, args: &args::PlotArgs) -> Answer {
        as_lattice::plot(self, cx, args)
    }

    fn options(&self, position: &str) -> Result<Vec<String>, Failure> {
        let heaps = position::small(&position::read(position)?)?;
        let options = position::options(&self.rules, &heaps)?;
        Ok(options.iter().map(|option| heaps_to_text(option)).collect())
    }

    fn canonical(&self, position: &str) -> Result<String, Failure> {
        Ok(heaps_to_text(&position::read(position)?))
    }

    fn components(&self, position: &str) -> Result<Vec<String>, Failure> {
        Ok(position::read(position)?.iter().map(ToString::to_string).collect())
    }

    fn option_values(&self, cx: &Context, position: &str) -> Result<Vec<(String, String)>, Failure> {
        sequence::option_values(self, cx, &position::read(position)?)
    }

    fn drawing(&self, position: &str) -> Result<String, Failure> {
        Ok(drawing(&position::read(position)?))
    }

    fn start(&self) -> Result<String, Failure> {
        position::start(&self.rules)
    }
}
