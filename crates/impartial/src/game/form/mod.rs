//! The forms of strategies, and what each of them answers.
//!
//! | file | forms |
//! | --- | --- |
//! | `points.rs` | automaton, sectors, blocks, stratification, series, sum over characters, Grundy values, presentation |
//! | `numeration.rs` | automata in a numeration system, for games with rays |
//! | `kernel.rs` | parity kernel, of lattice and heap games |
//! | `heaps.rs` | nim sequence, quotient, counters, dominance, ranks |
//! | `chains.rs` | chains, and the sets (m, n) made from them |
//! | `table.rs` | table of a finite poset game |
//! | `texts.rs` | what forms write for other programs |

mod chains;
mod heaps;
mod kernel;
mod numeration;
mod points;
mod table;
mod texts;

use std::fmt;
use std::str::FromStr;

use num_bigint::{BigInt, BigUint};
use semilinear::run::Monitor;
use serde_json::{Map, Value};

use super::kind::Moves;
use super::position::{Position, listed};
use super::report::{CongruenceReport, Picture, QuotientReport};
use super::{Ask, PlotAsk};
use crate::error::{Error, Result};
use crate::outcome::{Outcome, Play};
use crate::render::Syntax;
use crate::solve::chains::Solution as ChainsSolution;
use crate::strategy::nim_sequence::NimSequence;
use crate::strategy::{
    AutomatonStrategy, BlocksStrategy, CharacterStrategy, CountersStrategy, DominanceStrategy, Envelope,
    GrundyStrategy, LongPeriod, MisereStrategy, NumerationStrategy, PresentationStrategy, QuotientStrategy,
    RanksStrategy, SectorStrategy, SeriesStrategy, Standing, StratificationStrategy, Table,
};
pub(crate) use chains::SetStrategy;
pub(crate) use kernel::{KernelGame, KernelStrategy};

/// A form of strategy, by its name in files.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Form {
    /// A minimal automaton of the P-positions.
    Automaton,
    /// A disjoint union of modules F + ℕV.
    Stratification,
    /// A rational generating function.
    Series,
    /// A quotient: a finite one of a heap game, or a presentation of a lattice game's.
    Quotient,
    /// A finite monoid times counters.
    Counters,
    /// Values and weights of heaps of every size.
    Dominance,
    /// An automaton that reads heaps of every size from the largest down.
    Ranks,
    /// A presentation of the quotient of a lattice game.
    Presentation,
    /// Grundy values as an automaton.
    GrundyAutomaton,
    /// Strata along rays of the plane.
    Sectors,
    /// Grundy values on strata along rays of the plane.
    GrundySectors,
    /// Outcomes block by block, most significant digits first.
    Blocks,
    /// Grundy values block by block.
    GrundyBlocks,
    /// Grundy values of single heaps or unit vectors.
    ParityKernel,
    /// A Grundy sequence with its period.
    NimSequence,
    /// Order ideals and their periodic functions.
    Chains,
    /// The value of every position of a finite game.
    Table,
    /// Automata that read the digits of a numeration system, for games with rays.
    Numeration,
}

impl Form {
    /// Every form.
    pub const ALL: [Self; 18] = [
        Self::Automaton,
        Self::Stratification,
        Self::Series,
        Self::Quotient,
        Self::Counters,
        Self::Dominance,
        Self::Ranks,
        Self::Presentation,
        Self::GrundyAutomaton,
        Self::Sectors,
        Self::GrundySectors,
        Self::Blocks,
        Self::GrundyBlocks,
        Self::ParityKernel,
        Self::NimSequence,
        Self::Chains,
        Self::Table,
        Self::Numeration,
    ];

    /// The name in files and on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Self::Automaton => "automaton",
            Self::Stratification => "stratification",
            Self::Series => "series",
            Self::Quotient => "quotient",
            Self::Counters => "counters",
            Self::Dominance => "dominance",
            Self::Ranks => "ranks",
            Self::Presentation => "presentation",
            Self::GrundyAutomaton => "grundy-automaton",
            Self::Sectors => "sectors",
            Self::GrundySectors => "grundy-sectors",
            Self::Blocks => "blocks",
            Self::GrundyBlocks => "grundy-blocks",
            Self::ParityKernel => "parity-kernel",
            Self::NimSequence => "nim-sequence",
            Self::Chains => "chains",
            Self::Table => "table",
            Self::Numeration => "numeration",
        }
    }
}

impl fmt::Display for Form {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Form {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        Self::ALL.into_iter().find(|form| form.name() == text).ok_or_else(|| {
            let names: Vec<&str> = Self::ALL.iter().map(|form| form.name()).collect();
            Error::Input(format!("no form is called \"{text}\"; it is one of {}", names.join(", ")))
        })
    }
}

/// The data of a strategy, without its standing.
#[derive(Clone, Debug)]
pub(crate) enum Body {
    Automaton(AutomatonStrategy),
    Stratification(StratificationStrategy),
    Series(SeriesStrategy),
    Characters(CharacterStrategy),
    Sectors(SectorStrategy),
    Blocks(BlocksStrategy),
    Grundy(GrundyStrategy),
    Presentation(PresentationStrategy),
    Kernel(KernelStrategy),
    NimSequence(NimSequence),
    LongPeriod(LongPeriod),
    Quotient(QuotientStrategy),
    Counters(CountersStrategy),
    Dominance(DominanceStrategy),
    Ranks(RanksStrategy),
    Chains(ChainsSolution),
    ChainsSet(SetStrategy),
    Table(Table),
    Numeration(NumerationStrategy),
}

impl Body {
    /// What a file claims.
    pub(crate) fn read(file: &Envelope, monitor: &dyn Monitor) -> Result<Self> {
        if let Some(set) = SetStrategy::read(file, monitor)? {
            return Ok(Self::ChainsSet(set));
        }
        if let Some(long) = LongPeriod::from_envelope(file)? {
            return Ok(Self::LongPeriod(long.into_claim()));
        }
        if let Some(long) = NimSequence::from_period(file, monitor)? {
            return Ok(Self::NimSequence(long.into_claim()));
        }
        let form = file.form.parse().map_err(|_| {
            Error::Input(format!("strategy file: no form is called \"{}\"; update impartial", file.form))
        })?;
        Ok(match form {
            Form::Sectors | Form::GrundySectors => {
                Self::Sectors(SectorStrategy::from_envelope(file, monitor)?.into_claim())
            }
            Form::Blocks | Form::GrundyBlocks => {
                Self::Blocks(BlocksStrategy::from_envelope(file, monitor)?.into_claim())
            }
            Form::Automaton => Self::Automaton(AutomatonStrategy::from_envelope(file, monitor)?.into_claim()),
            Form::GrundyAutomaton => Self::Grundy(GrundyStrategy::from_envelope(file, monitor)?.into_claim()),
            Form::Counters => Self::Counters(CountersStrategy::from_envelope(file)?.into_claim()),
            Form::Dominance => Self::Dominance(DominanceStrategy::from_envelope(file)?.into_claim()),
            Form::Ranks => Self::Ranks(RanksStrategy::from_envelope(file)?.into_claim()),
            Form::Quotient => Self::Quotient(QuotientStrategy::from_envelope(file)?.into_claim()),
            Form::NimSequence => Self::NimSequence(NimSequence::from_envelope(file)?.into_claim()),
            Form::ParityKernel => Self::Kernel(KernelStrategy::read(file, monitor)?),
            Form::Presentation => Self::Presentation(PresentationStrategy::from_envelope(file, monitor)?.into_claim()),
            Form::Chains => Self::Chains(crate::strategy::chains::from_envelope(file, monitor)?.into_claim()),
            Form::Series if file.certificate.get("characters").is_some() => {
                Self::Characters(CharacterStrategy::from_envelope(file, monitor)?.into_claim())
            }
            Form::Series => Self::Series(SeriesStrategy::from_envelope(file, monitor)?.into_claim()),
            Form::Stratification => {
                Self::Stratification(StratificationStrategy::from_envelope(file, monitor)?.into_claim())
            }
            Form::Table => Self::Table(Table::from_envelope(file)?.into_claim()),
            Form::Numeration => Self::Numeration(NumerationStrategy::from_envelope(file, monitor)?.into_claim()),
        })
    }

    pub(crate) fn of_misere(strategy: MisereStrategy) -> Self {
        match strategy {
            MisereStrategy::Quotient(strategy) => Self::Quotient(strategy),
            MisereStrategy::Counters(strategy) => Self::Counters(strategy),
        }
    }

    /// The answers of this form.
    pub(crate) fn answers(&self) -> &dyn Answers {
        match self {
            Self::Automaton(form) => form,
            Self::Stratification(form) => form,
            Self::Series(form) => form,
            Self::Characters(form) => form,
            Self::Sectors(form) => form,
            Self::Blocks(form) => form,
            Self::Grundy(form) => form,
            Self::Presentation(form) => form,
            Self::Kernel(form) => form,
            Self::NimSequence(form) => form,
            Self::LongPeriod(form) => form,
            Self::Quotient(form) => form,
            Self::Counters(form) => form,
            Self::Dominance(form) => form,
            Self::Ranks(form) => form,
            Self::Chains(form) => form,
            Self::ChainsSet(form) => form,
            Self::Table(form) => form,
            Self::Numeration(form) => form,
        }
    }
}

/// What people and programs see of a strategy: keys, and a text.
pub(crate) type Shown = (Map<String, Value>, String);

/// What a form answers.
pub(crate) trait Answers {
    fn form(&self) -> Form;

    /// The winning condition.
    fn play(&self) -> Play;

    /// The `"game"` of the strategy file.
    fn game(&self) -> Value;

    /// The strategy file.
    fn file(&self) -> Envelope;

    /// Reads a position of the strategy's own game.
    fn position(&self, text: &str) -> Result<Position>;

    /// The position with these numbers.
    fn position_of(&self, numbers: &[BigInt]) -> Result<Position> {
        self.position(&listed(numbers))
    }

    fn outcome(&self, position: &Position, ask: &Ask) -> Result<Outcome>;

    /// The outcome of the position with these numbers.
    fn outcome_at(&self, numbers: &[i64], ask: &Ask) -> Result<Outcome> {
        let numbers: Vec<BigInt> = numbers.iter().map(|&n| n.into()).collect();
        self.outcome(&self.position_of(&numbers)?, ask)
    }

    fn winning_moves(&self, position: &Position, ask: &Ask) -> Result<Moves>;

    /// Sizes and figures, and what is said when the strategy was found (`name` is then the game's) or made from another.
    fn summary(&self, name: Option<&str>, standing: Standing) -> Shown;

    /// The strategy written out.
    fn show(&self, syntax: Option<Syntax>, standing: Standing, ask: &Ask) -> Result<Shown>;

    fn grundy(&self, _position: &Position, _ask: &Ask) -> Result<BigUint> {
        Err(unsupported(self.form(), "grundy"))
    }

    /// The number of P-positions in a box, and what counted.
    fn count(&self, _sizes: &[BigUint], _ask: &Ask) -> Result<(BigUint, String)> {
        Err(unsupported(self.form(), "count"))
    }

    fn congruent(&self, _p: &Position, _q: &Position, _standing: Standing, _ask: &Ask) -> Result<CongruenceReport> {
        Err(unsupported(self.form(), "congruent"))
    }

    fn plot(&self, _written: &str, _plot: &PlotAsk, _ask: &Ask) -> Result<Picture> {
        Err(unsupported(self.form(), "plot"))
    }

    /// The quotient that the form itself holds, where it holds one.
    fn quotient(&self, _name: &str, _standing: Standing, _ask: &Ask) -> Result<Option<QuotientReport>> {
        Ok(None)
    }
}

pub(crate) fn unsupported(form: Form, what: &str) -> Error {
    Error::unsupported(what, format!("a strategy of form \"{form}\""))
}

/// The error of a syntax that a form has no text in.
fn no_text(what: &str, syntax: Syntax, remedy: &str) -> Error {
    Error::Input(format!("{what} has no text in this syntax ({syntax}); {remedy}"))
}

/// A line of JSON for each entry.
fn json_lines(entries: impl Iterator<Item = Value>) -> String {
    entries.map(|entry| entry.to_string()).collect::<Vec<_>>().join("\n")
}

fn object(value: Value) -> Map<String, Value> {
    if let Value::Object(map) = value { map } else { Map::new() }
}
