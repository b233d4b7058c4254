//! Answers: structs whose `Serialize` is the command's JSON and whose `Display` is its text.

mod chains;
mod info;
pub(crate) mod quotient;

pub use chains::ChainsReport;
pub use info::InfoReport;
pub use quotient::{QuotientReport, Size};

use std::fmt::{self, Write as _};

use num_bigint::BigUint;
use num_traits::ToPrimitive as _;
use serde::{Serialize, Serializer};
use serde_json::{Map, Value};

use super::kind::Found;
use super::position::Position;
use crate::outcome::{Outcome, Play};
use crate::strategy::Standing;

/// A natural number of any size. Beyond 2⁵³ it is a string in JSON: programs that read numbers as doubles would round it.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Natural(pub BigUint);

impl Serialize for Natural {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.0.to_u64() {
            Some(small) if small <= 1 << 53 => serializer.serialize_u64(small),
            _ => serializer.serialize_str(&self.0.to_string()),
        }
    }
}

impl fmt::Display for Natural {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.0)
    }
}

impl<T: Into<BigUint>> From<T> for Natural {
    fn from(n: T) -> Self {
        Self(n.into())
    }
}

/// A list for people: the first entries, and how many there are.
pub(crate) fn shortened(list: &[String], most: usize) -> String {
    if list.len() <= most {
        return list.join(", ");
    }
    format!("{}, … ({} in all)", list[..most].join(", "), list.len())
}

/// Says at the end of a text that a file claims this and nobody checked.
fn doubt(f: &mut fmt::Formatter<'_>, standing: Option<Standing>) -> fmt::Result {
    if standing.is_some_and(|standing| !standing.is_proved()) { f.write_str(" (as the file claims)") } else { Ok(()) }
}

/// Who wins a position.
#[derive(Clone, Debug, Serialize)]
#[non_exhaustive]
pub struct OutcomeReport {
    /// The game.
    pub game: String,
    /// The position.
    pub position: Position,
    /// The winning condition.
    pub play: Play,
    /// P or N.
    pub outcome: Outcome,
    /// What found it.
    pub method: String,
    /// Whether it is proved, where it comes from a strategy; what is computed needs no proof.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub proved: Option<Standing>,
}

impl fmt::Display for OutcomeReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.outcome)?;
        doubt(f, self.proved)
    }
}

/// The Grundy value of a position.
#[derive(Clone, Debug, Serialize)]
#[non_exhaustive]
pub struct GrundyReport {
    /// The game.
    pub game: String,
    /// The position.
    pub position: Position,
    /// The winning condition that Grundy values belong to.
    pub play: Play,
    /// The value.
    pub grundy: Natural,
    /// What found it.
    pub method: String,
    /// Whether it is proved, where it comes from a strategy.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub proved: Option<Standing>,
}

impl fmt::Display for GrundyReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.grundy)?;
        doubt(f, self.proved)
    }
}

/// The winning moves of a position.
#[derive(Clone, Debug, Serialize)]
#[non_exhaustive]
pub struct MovesReport {
    /// The game.
    pub game: String,
    /// The position.
    pub position: Position,
    /// The winning condition.
    pub play: Play,
    /// The P-positions that a move leads to.
    pub moves: Vec<Position>,
    /// What found them.
    pub method: String,
    /// Whether these are all; else one of each residue class stands for the others.
    #[serde(skip_serializing_if = "is_true")]
    pub complete: bool,
    /// Whether they are proved, where they come from a strategy.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub proved: Option<Standing>,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde asks for a reference")]
fn is_true(flag: &bool) -> bool {
    *flag
}

impl fmt::Display for MovesReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.moves.is_empty() {
            f.write_str("no winning move: a P-position, or no move at all")?;
        }
        for (i, option) in self.moves.iter().enumerate() {
            write!(f, "{}{option}", if i > 0 { "\n" } else { "" })?;
        }
        doubt(f, self.proved)
    }
}

/// Grundy values of the heaps 0, 1, 2, …
#[derive(Clone, Debug, Serialize)]
#[non_exhaustive]
pub struct ValuesReport {
    /// The game.
    pub game: String,
    /// The winning condition that Grundy values belong to.
    pub play: Play,
    /// The first heap, where it is not heap 0.
    #[serde(skip_serializing_if = "is_zero")]
    pub from: usize,
    /// The values.
    pub values: Vec<u32>,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde asks for a reference")]
fn is_zero(n: &usize) -> bool {
    *n == 0
}

impl ValuesReport {
    /// The values from a heap on.
    #[must_use]
    pub fn starting_at(mut self, heap: usize) -> Self {
        self.values.drain(..heap.saturating_sub(self.from).min(self.values.len()));
        self.from = self.from.max(heap);
        self
    }

    /// Lines `heap,value` under a heading.
    pub fn csv(&self) -> String {
        let lines = (self.from..).zip(&self.values).map(|(heap, value)| format!("{heap},{value}\n"));
        format!("heap,grundy\n{}", lines.collect::<Vec<_>>().concat())
    }

    /// A JSON object a line.
    pub fn json_lines(&self) -> String {
        let lines =
            (self.from..).zip(&self.values).map(|(heap, value)| format!("{{\"heap\":{heap},\"grundy\":{value}}}\n"));
        lines.collect::<Vec<_>>().concat()
    }

    /// Lines `n a(n)` as the OEIS wants them: one space, an end of line after each.
    pub fn b_file(&self) -> String {
        (self.from..).zip(&self.values).map(|(heap, value)| format!("{heap} {value}\n")).collect::<Vec<_>>().concat()
    }
}

impl fmt::Display for ValuesReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // Millions of small numbers: a formatter's way to each would take longer than to compute it.
        let mut text = String::with_capacity(3 * self.values.len());
        for (i, &value) in self.values.iter().enumerate() {
            if i > 0 {
                text.push(' ');
            }
            match char::from_digit(value, 10) {
                Some(digit) => text.push(digit),
                None => write!(text, "{value}")?,
            }
        }
        f.write_str(&text)
    }
}

/// How a Grundy sequence repeats.
#[derive(Clone, Debug, Serialize)]
#[non_exhaustive]
pub struct PeriodReport {
    /// The game.
    pub game: String,
    /// The winning condition that Grundy values belong to.
    pub play: Play,
    /// Whether it holds for ever.
    pub proved: Standing,
    /// The least heap from which the sequence repeats.
    pub preperiod: Option<usize>,
    /// The least period.
    pub period: Option<usize>,
    /// What is added in each period.
    pub saltus: Option<u32>,
    /// The largest heap whose value was computed.
    pub checked_to: usize,
    /// The largest of these values.
    pub max_value: u32,
    /// The theorem that proves it.
    pub theorem: Option<&'static str>,
}

impl fmt::Display for PeriodReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { checked_to, max_value, .. } = self;
        match (self.preperiod, self.period, self.saltus, self.theorem) {
            (Some(preperiod), Some(period), Some(saltus), Some(theorem)) if self.proved.is_proved() => write!(
                f,
                "preperiod {preperiod}, period {period}, saltus {saltus}\nproved from the values of heaps 0 to {checked_to} \
                 ({theorem}); largest of them {max_value}"
            ),
            (Some(preperiod), Some(period), Some(saltus), _) => write!(
                f,
                "not proved; the values of heaps 0 to {checked_to} look like preperiod {preperiod}, period {period}, \
                 saltus {saltus}"
            ),
            _ => write!(f, "no proof up to heap {checked_to}; largest value {max_value}"),
        }
    }
}

/// The number of P-positions in a box.
#[derive(Clone, Debug, Serialize)]
#[non_exhaustive]
pub struct CountReport {
    /// The game, or the file.
    pub game: Value,
    /// The winning condition.
    pub play: Play,
    /// The sizes of the box.
    #[serde(rename = "box")]
    pub sizes: String,
    /// The number.
    pub count: Natural,
    /// What counted.
    pub method: String,
    /// Whether the strategy that counted is proved.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub proved: Option<Standing>,
}

impl fmt::Display for CountReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.count)?;
        doubt(f, self.proved)
    }
}

/// Whether two positions are congruent: indistinguishable in every sum.
#[derive(Clone, Debug, Serialize)]
#[non_exhaustive]
pub struct CongruenceReport {
    /// The game.
    pub game: String,
    /// The winning condition.
    pub play: Play,
    /// The first position.
    pub p: String,
    /// The second position.
    pub q: String,
    /// Whether they are.
    pub congruent: bool,
    /// What tells them apart: added to both, it gives different outcomes.
    pub witness: Option<String>,
    /// What found it.
    pub method: String,
    /// Heap games: the sums that were compared have heaps up to this one; all heaps when it is absent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_heap: Option<usize>,
    /// Whether it is proved, where it comes from a strategy.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub proved: Option<Standing>,
    /// By what, in words; `None` for lattice games.
    #[serde(skip)]
    pub(crate) by: Option<String>,
}

impl CongruenceReport {
    /// In normal play two sums are congruent exactly when their Grundy values are equal; else p tells them apart, since p + p is a
    /// P-position.
    pub(crate) fn by_values<T: PartialEq>(game: &str, p: (&Position, &Found<T>), q: (&Position, &Found<T>)) -> Self {
        let witness = (p.1.value != q.1.value).then(|| p.0.to_string());
        Self {
            game: game.to_owned(),
            play: Play::Normal,
            p: p.0.to_string(),
            q: q.0.to_string(),
            congruent: witness.is_none(),
            witness,
            method: p.1.method.clone(),
            max_heap: None,
            proved: p.1.proved,
            by: Some("Grundy values".into()),
        }
    }
}

impl fmt::Display for CongruenceReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (&self.witness, &self.by) {
            (None, None) => f.write_str("congruent")?,
            (None, Some(by)) => write!(f, "congruent (by {by})")?,
            (Some(r), None) => write!(f, "not congruent: adding {r} gives a P-position in one case only")?,
            (Some(r), Some(_)) => write!(f, "not congruent: adding {r} gives different outcomes")?,
        }
        doubt(f, self.proved)
    }
}

/// A strategy that was found or made from another one: its form and its size.
#[derive(Clone, Debug, Serialize)]
#[non_exhaustive]
pub struct SolveReport {
    /// The game.
    pub game: Value,
    /// The winning condition.
    pub play: Play,
    /// The form of the strategy; none when nothing was found.
    pub form: Option<String>,
    /// Whether it is proved.
    pub proved: Standing,
    /// Sizes and figures of the form: `states`, `strata`, `terms`, `order`, …
    #[serde(flatten)]
    pub size: Map<String, Value>,
    /// How long it took, where there is a clock.
    pub seconds: Option<f64>,
    /// What people read.
    #[serde(skip)]
    pub(crate) text: String,
}

impl fmt::Display for SolveReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

/// A strategy written out.
#[derive(Clone, Debug, Serialize)]
#[non_exhaustive]
pub struct ShowReport {
    /// The game of the strategy.
    pub game: Value,
    /// The winning condition.
    pub play: Play,
    /// The form.
    pub form: String,
    /// Whether the strategy is proved.
    pub proved: Standing,
    /// What the form holds.
    #[serde(flatten)]
    pub content: Map<String, Value>,
    /// The strategy in the syntax asked for.
    pub text: String,
}

impl fmt::Display for ShowReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

/// What the independent checker says of a file.
#[derive(Clone, Debug, Serialize)]
#[non_exhaustive]
pub struct VerifyReport {
    /// The game that the file names, as far as it can be read.
    pub game: Option<Value>,
    /// Its play.
    pub play: Option<String>,
    /// Whether the certificate proves the claim.
    pub valid: bool,
    /// The claim in words.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub claim: Option<String>,
    /// Why it is refused.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
}

impl fmt::Display for VerifyReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (&self.claim, &self.reason) {
            (Some(claim), _) => write!(f, "valid: {claim}"),
            (None, Some(reason)) => write!(f, "refused: {reason}"),
            (None, None) => f.write_str("refused"),
        }
    }
}

/// A picture, and what it shows.
#[derive(Clone, Debug, Serialize)]
#[non_exhaustive]
pub struct Picture {
    /// The game or file.
    pub game: String,
    /// What is to be seen, in words.
    pub shows: String,
    /// Positions drawn across, of a map.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub columns: Option<usize>,
    /// Positions drawn up, of a map.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rows: Option<usize>,
    /// The picture as shapes; [`crate::render::Drawing::svg`] writes it as SVG.
    #[serde(skip)]
    pub drawing: crate::render::Drawing,
}

impl fmt::Display for Picture {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.shows)
    }
}
