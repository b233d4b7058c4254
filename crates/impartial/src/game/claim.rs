//! Claims that people write: a game and what is said of it, proved or refuted with a position.
//!
//! | form | what is proved |
//! | --- | --- |
//! | `stratification` | the union of the modules satisfies the equation of the P-positions (thesis, Theorem 3.6) |
//! | `series` | the rational function is the generating function of the P-positions |
//! | `period` | g(n + period) = g(n) + saltus for every n ≥ preperiod |
//! | `automaton` | the vectors that an automaton in Walnut's text accepts are the P-positions |
//! | `quotient` | the presented monoid is the misère quotient, and each heap has the value that is claimed |

mod quotient;
mod strata;

pub(super) use strata::{first_failing, proved_set};

use std::fmt;

use quotient::{ClaimedQuotient, Portion};
use semilinear::integer::{Int, Rat, Vector};
use semilinear::semigroup::Module;
use semilinear::series::{Series, Term};
use semilinear::vectorset::Effort;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

use super::file::{Opener, is_too_deep, open_at, open_text};
use super::heap::misere;
use super::kind::Kind;
use super::rational;
use super::strategy::Strategy;
use super::{Ask, Game, walnut};
use crate::error::{Error, Result};
use crate::lattice::{LatticeGame, RayGame};
use crate::outcome::Play;
use crate::strategy::{Envelope, FORMAT, NumerationStrategy, Standing};

/// Automata on the way may have this many states.
const STATES: usize = 1 << 23;

/// A claim about a game. Nothing is proved yet.
///
/// ```
/// use impartial::prelude::*;
/// use impartial::game::Claim;
/// let claim = Claim::from_text("
/// game = \"subtract:1,2,3\"
/// form = \"period\"
/// preperiod = 0
/// period = 4
/// saltus = 0
/// ")?;
/// assert!(claim.prove(&Ask::new()).is_ok());
/// let wrong = Claim::from_text("game = \"kayles\"\nform = \"period\"\npreperiod = 70\nperiod = 12\nsaltus = 0")?;
/// assert!(matches!(wrong.prove(&Ask::new()), Err(Error::Refused { .. })));
/// # Ok::<(), Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Claim {
    game: Game,
    play: Option<Play>,
    content: Content,
}

#[derive(Clone, Debug)]
enum Content {
    Stratification(Vec<Module>),
    Series(Vec<ClaimedTerm>),
    Automaton(String),
    Period { preperiod: u64, period: u64, saltus: u64 },
    Quotient(Box<ClaimedQuotient>),
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Written {
    game: Value,
    form: String,
    play: Option<Play>,
    modules: Option<Vec<Module>>,
    terms: Option<Vec<ClaimedTerm>>,
    automaton: Option<String>,
    preperiod: Option<u64>,
    period: Option<u64>,
    saltus: Option<u64>,
    generators: Option<Vec<String>>,
    relations: Option<Vec<String>>,
    p_portion: Option<Portion>,
    p: Option<Vec<String>>,
    pretending: Option<Map<String, Value>>,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct ClaimedTerm {
    coefficient: Coefficient,
    #[serde(alias = "exponent")]
    numerator: Vector,
    #[serde(default)]
    denominators: Vec<Vector>,
}

/// An integer, or numerator and denominator as in strategy files.
#[derive(Clone, Debug, Deserialize)]
#[serde(untagged)]
enum Coefficient {
    Whole(Int),
    Fraction(Int, Int),
}

impl Claim {
    /// Reads a claim in TOML or JSON; its game is a name, a notation, or a table like a game file.
    pub fn from_text(text: &str) -> Result<Self> {
        Self::open("claim", text, &|_, _| Ok(None))
    }

    /// [`Claim::from_text`] of the text at a place, where the game may also be a file.
    pub fn open(place: &str, text: &str, opener: Opener<'_>) -> Result<Self> {
        let bad = |what: String| Error::Input(format!("{place}: {what}"));
        let value: Value = if text.trim_start().starts_with('{') {
            let value =
                serde_json::from_str(text).map_err(|error| bad(format!("{error}; write a claim in TOML or JSON")))?;
            without_proof(text, value).map_err(|error| error.at(place))?
        } else {
            if is_too_deep(text) {
                return Err(bad("brackets are nested too deep; write a claim in TOML or JSON".to_owned()));
            }
            let table: toml::Table = text.parse().map_err(|error: toml::de::Error| {
                let line = error.span().map_or(1, |span| 1 + text[..span.start.min(text.len())].matches('\n').count());
                bad(format!("line {line}: {}; write a claim in TOML or JSON", error.message()))
            })?;
            serde_json::to_value(table).map_err(|error| bad(error.to_string()))?
        };
        let written: Written = serde_json::from_value(value).map_err(|error| {
            bad(format!("{error}; a claim has game, form, and modules, terms, an automaton, a period or a quotient"))
        })?;
        let game = match &written.game {
            Value::String(name) => open_at(place, name, opener, 0),
            Value::Object(_) => {
                let text = toml::to_string(&written.game).map_err(|error| bad(format!("game: {error}")))?;
                open_text(place, &text, opener, 0)
            }
            _ => Err(Error::input("game is a name, a notation, a path, or a table like a game file")),
        }
        .map_err(|error| error.at(place))?;
        let missing = |key: &str| bad(format!("form = \"{}\" needs `{key}`", written.form));
        let content = match written.form.as_str() {
            "stratification" => Content::Stratification(written.modules.ok_or_else(|| missing("modules"))?),
            "series" => Content::Series(written.terms.ok_or_else(|| missing("terms"))?),
            "automaton" => {
                let written = written.automaton.ok_or_else(|| missing("automaton"))?;
                // A text has more than one line; else it is the place of one.
                let text = if written.trim().contains('\n') { None } else { opener(place, &written)? };
                Content::Automaton(text.map_or(written, |(_, text)| text))
            }
            "period" => Content::Period {
                preperiod: written.preperiod.ok_or_else(|| missing("preperiod"))?,
                period: match written.period.ok_or_else(|| missing("period"))? {
                    0 => return Err(bad("period = 0 says nothing; a period is 1 or more".to_owned())),
                    period => period,
                },
                saltus: written.saltus.unwrap_or(0),
            },
            "quotient" => {
                let mut pretending = Vec::new();
                for (heap, word) in written.pretending.ok_or_else(|| missing("pretending"))? {
                    match (heap.parse(), word.as_str()) {
                        (Ok(heap), Some(word)) => pretending.push((heap, word.to_owned())),
                        _ => return Err(bad(format!("pretending: \"{heap}\" is no heap with a word"))),
                    }
                }
                pretending.sort_unstable();
                Content::Quotient(Box::new(ClaimedQuotient {
                    generators: written.generators.ok_or_else(|| missing("generators"))?,
                    relations: written.relations.unwrap_or_default(),
                    p_portion: written.p_portion,
                    p: written.p,
                    pretending,
                    period: written.preperiod.zip(written.period),
                }))
            }
            other => {
                return Err(bad(format!(
                    "form = \"{other}\" is not known here; it is stratification, series, automaton, period or quotient"
                )));
            }
        };
        Ok(Self { game, play: written.play, content })
    }

    /// Whether a text is a claim rather than a strategy file or a game: it has a form, and no certificate. A strategy file that
    /// holds terms or modules alone is one.
    ///
    /// ```
    /// use impartial::game::Claim;
    /// assert!(Claim::is_in("game = \"kayles\"\nform = \"period\"\npreperiod = 71\nperiod = 12"));
    /// assert!(!Claim::is_in("kind = \"lattice\"\nrules = [[1]]"));
    /// ```
    pub fn is_in(text: &str) -> bool {
        if text.trim_start().starts_with('{') {
            let other_file =
                text.contains(FORMAT) && !text.contains("\"series\"") && !text.contains("\"stratification\"");
            let value: Value = if other_file { Value::Null } else { serde_json::from_str(text).unwrap_or_default() };
            value.get("form").is_some() && (value.get("format").is_none() || holds_no_proof(&value))
        } else {
            !is_too_deep(text) && text.parse::<toml::Table>().is_ok_and(|table| table.contains_key("form"))
        }
    }

    /// The game.
    pub fn game(&self) -> &Game {
        &self.game
    }

    /// Proves the claim: a certified strategy; or [`Error::Refused`] with a position where it is wrong.
    pub fn prove(&self, ask: &Ask) -> Result<Strategy> {
        let ask = &Ask { play: ask.play.or(self.play), ..*ask };
        let strategy = match (&self.content, &self.game.kind) {
            (Content::Stratification(modules), Kind::Lattice(game)) => {
                strata::stratification(&game.game(ask)?, modules, ask)
            }
            (Content::Series(terms), Kind::Lattice(game)) => {
                let game = game.game(ask)?;
                rational::proved(&game, &series_of(terms, game.dimension())?, ask)
            }
            (Content::Automaton(text), Kind::Lattice(game)) => accepted(&game.game(ask)?, text, ask),
            (Content::Automaton(text), Kind::Rays(game)) => accepted_digits(game.game(ask)?, text, ask),
            (Content::Automaton(text), Kind::Wythoff(_)) => accepted_digits(RayGame::wythoff(ask.play), text, ask),
            (Content::Period { preperiod, period, saltus }, Kind::Heap(_)) => {
                let ask = &in_play(Play::Normal, ask, "Grundy values belong to normal play")?;
                let strategy = self.game.solve(ask)?;
                period_holds(&strategy, *preperiod, *period, *saltus, ask)?;
                Ok(strategy)
            }
            (Content::Quotient(claimed), Kind::Heap(game)) => {
                let ask = &in_play(Play::Misere, ask, "the quotient of a heap game is that of misère play")?;
                let reach = claimed.pretending.last().map_or(0, |(heap, _)| *heap);
                let heaps = if claimed.period.is_some() { None } else { Some(reach.max(1)) };
                // What is known of fewer heaps neither proves nor refutes a claim.
                let strategy = misere::found_quotient(game, heaps, false, ask)?.into_strategy()?;
                claimed.holds(&strategy, ask)?;
                Ok(strategy)
            }
            (content, kind) => Err(kind.unsupported(&format!("prove ({})", content.name()))),
        }?;
        Ok(strategy.named(self.game.written()))
    }

    /// [`Claim::prove`] as a report: proved, or refuted with a position and a reason.
    pub fn report(&self, ask: &Ask) -> Result<(ProveReport, Option<Strategy>)> {
        let play = match self.content {
            Content::Period { .. } => Play::Normal,
            Content::Quotient(_) => Play::Misere,
            _ => self.game.play(&Ask { play: ask.play.or(self.play), ..*ask }),
        };
        let (game, claim) = (self.game.written().to_owned(), self.content.name());
        match self.prove(ask) {
            Ok(strategy) => {
                let report = strategy.report(ask);
                let proved = ProveReport {
                    game,
                    play,
                    claim,
                    form: report.form,
                    proved: strategy.standing(),
                    position: None,
                    reason: None,
                    size: report.size,
                    seconds: report.seconds,
                };
                Ok((proved, Some(strategy)))
            }
            Err(Error::Refused { reason, position }) => {
                let refuted = ProveReport {
                    game,
                    play,
                    claim,
                    form: None,
                    proved: Standing::CLAIMED,
                    position,
                    reason: Some(reason),
                    size: Map::new(),
                    seconds: ask.seconds(),
                };
                Ok((refuted, None))
            }
            Err(error) => Err(error),
        }
    }
}

impl Content {
    fn name(&self) -> &'static str {
        match self {
            Self::Stratification(_) => "stratification",
            Self::Series(_) => "series",
            Self::Automaton(_) => "automaton",
            Self::Period { .. } => "period",
            Self::Quotient(_) => "quotient",
        }
    }
}

/// What became of a claim.
#[derive(Clone, Debug, Serialize)]
#[non_exhaustive]
pub struct ProveReport {
    /// The game.
    pub game: String,
    /// The winning condition.
    pub play: Play,
    /// What was claimed: `stratification`, `series`, `automaton`, `period` or `quotient`.
    pub claim: &'static str,
    /// The form of the certified strategy.
    pub form: Option<String>,
    /// Whether the claim is proved.
    pub proved: Standing,
    /// A position where it is wrong.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub position: Option<String>,
    /// Why it is wrong.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// Sizes of the strategy.
    #[serde(flatten)]
    pub size: Map<String, Value>,
    /// How long it took, where there is a clock.
    pub seconds: Option<f64>,
}

impl fmt::Display for ProveReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (&self.reason, &self.form) {
            (Some(reason), _) => write!(f, "refuted: {reason}"),
            (None, form) => write!(
                f,
                "proved: the {} of {} in {} play; strategy of form \"{}\"",
                self.claim,
                self.game,
                self.play,
                form.as_deref().unwrap_or("")
            ),
        }
    }
}

/// Whether a strategy file says what the P-positions are and brings no proof: modules or terms alone, as in version 1 of the format.
fn holds_no_proof(file: &Value) -> bool {
    let said = match file["form"].as_str() {
        Some("series") => "terms",
        Some("stratification") => "modules",
        _ => return false,
    };
    file["certificate"].as_object().is_some_and(|certificate| {
        certificate.get(said).is_some_and(Value::is_array)
            && certificate.keys().all(|key| key == said || key == "functional")
    })
}

/// The claim of a strategy file that brings no proof; other claims as they are.
fn without_proof(text: &str, value: Value) -> Result<Value> {
    if value.get("format").is_none() || !holds_no_proof(&value) {
        return Ok(value);
    }
    // A file of version 1 is read for what it says; nothing in it is believed.
    let file = if value["version"] == 1 {
        value
    } else {
        let file = Envelope::from_text(text).map_err(Error::input)?;
        json!({"game": file.game, "form": file.form, "certificate": file.certificate})
    };
    // Whose play it is, the defeated positions of the game say.
    let said = if file["form"] == "series" { "terms" } else { "modules" };
    let mut claim = json!({"game": file["game"], "form": file["form"]});
    claim[said] = file["certificate"][said].clone();
    Ok(claim)
}

/// The question in the one play that a claim is about; a claim in the other play is bad input.
fn in_play<'a>(play: Play, ask: &Ask<'a>, why: &str) -> Result<Ask<'a>> {
    match ask.play {
        Some(other) if other != play => Err(Error::Input(format!("play: {why}; leave the other play out"))),
        _ => Ok(Ask { play: Some(play), ..*ask }),
    }
}

pub(super) fn refused(position: impl Into<String>, reason: String) -> Error {
    Error::Refused { reason, position: Some(position.into()) }
}

/// The vectors that an automaton in Walnut's text accepts.
fn accepted(game: &LatticeGame, text: &str, ask: &Ask) -> Result<Strategy> {
    if !game.chart().is_identity() {
        return Err(Error::input(
            "an automaton in Walnut's text reads natural numbers, but the positions of this board are others; claim a stratification",
        ));
    }
    let effort = Effort::new(STATES, ask.monitor);
    let set = walnut::read(text, game.dimension(), &effort)?;
    Ok(Strategy::automaton(proved_set(game, &set, &effort)?))
}

/// The same for a game with rays, in the digits that the automaton reads; several automata one after the other are those of the values 0, 1, ….
fn accepted_digits(game: RayGame, text: &str, ask: &Ask) -> Result<Strategy> {
    let effort = Effort::new(STATES, ask.monitor);
    let sets = walnut::read_digits(text, game.dimension(), &effort)?;
    Ok(Strategy::numeration(NumerationStrategy::proved(game, sets, &effort)?))
}

/// The terms of a series as a series in as many variables as the game has coordinates.
fn series_of(terms: &[ClaimedTerm], d: usize) -> Result<Series> {
    let wrong = |term: &ClaimedTerm| term.numerator.len() != d || term.denominators.iter().any(|a| a.len() != d);
    if let Some(i) = terms.iter().position(wrong) {
        return Err(Error::Input(format!("terms[{i}]: exponents have {d} entries here, one for each coordinate")));
    }
    let term = |(i, term): (usize, &ClaimedTerm)| {
        let (numerator, denominator) = match &term.coefficient {
            Coefficient::Whole(whole) => (whole.clone(), Int::ONE),
            Coefficient::Fraction(numerator, denominator) => (numerator.clone(), denominator.clone()),
        };
        if denominator.is_zero() {
            return Err(Error::Input(format!(
                "terms[{i}]: the coefficient has denominator 0; write [1, 2] for a half"
            )));
        }
        let coefficient = Rat::new(numerator, denominator);
        Ok(Term { coefficient, exponent: term.numerator.clone(), denominators: term.denominators.clone() })
    };
    Ok(Series::new(d, terms.iter().enumerate().map(term).collect::<Result<_>>()?)?)
}

/// Whether g(n + period) = g(n) + saltus for all n from `preperiod` on, by a strategy that knows all values.
fn period_holds(strategy: &Strategy, preperiod: u64, period: u64, saltus: u64, ask: &Ask) -> Result<()> {
    let Some(known) = strategy
        .listed(ask)?
        .proved(|body| if let super::form::Body::NimSequence(form) = body { Some(form) } else { None })
    else {
        return Err(Error::input("the game has no proved period; its claim cannot be decided"));
    };
    let true_period = known.period();
    // Beyond the true preperiod both sides repeat with the true period: one period of heaps decides.
    let start = preperiod.max(true_period.preperiod as u64);
    let end = start.saturating_add(true_period.period as u64);
    for n in (preperiod..end).map(num_bigint::BigUint::from) {
        ask.monitor.check(0, None)?;
        let (here, there) = (known.value(&n), known.value(&(&n + period)));
        if there != &here + saltus {
            return Err(refused(
                n.to_string(),
                format!(
                    "g({n}) = {here} and g({}) = {there}, which differ by another number than {saltus}",
                    &n + period
                ),
            ));
        }
    }
    Ok(())
}
