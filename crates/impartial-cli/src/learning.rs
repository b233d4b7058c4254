//! Solving lattice games on infinite boards: the learner and the sector method, and what they say when they stop.

use std::fmt::Write as _;

use impartial::lattice::LatticeGame;
use impartial::solve::learn::{Limits, Partial, grundy_values, p_positions};
use impartial::solve::sector::sectors;
use impartial::strategy::{AutomatonStrategy, Envelope, GrundyStrategy, SectorStrategy};
use num_bigint::BigInt;
use semilinear::run::{Monitor, Run, StopReason};
use semilinear::vectorset::Effort;
use serde_json::{Value, json};

use crate::context::Context;
use crate::files;
use crate::report::{Answer, Failure, Report, bad_input};

/// How a lattice game is to be solved.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Method {
    /// The cheapest that works.
    Auto,
    /// The learner only.
    Learn,
    /// The sector method only.
    Sector,
}

impl Method {
    /// Reads `--method`; `None` for methods that are not from here.
    pub fn from_name(name: Option<&str>) -> Option<Self> {
        match name {
            None | Some("auto") => Some(Self::Auto),
            Some("learn") => Some(Self::Learn),
            Some("sector" | "sectors") => Some(Self::Sector),
            Some(_) => None,
        }
    }
}

/// A proved strategy of a lattice game.
pub enum Found {
    Automaton(Box<AutomatonStrategy>),
    Sectors(Box<SectorStrategy>),
}

impl Found {
    /// The strategy file.
    pub fn envelope(&self) -> Envelope {
        match self {
            Self::Automaton(strategy) => strategy.to_envelope(),
            Self::Sectors(strategy) => strategy.to_envelope(),
        }
    }

    /// The size, as keys of a report.
    pub fn size(&self) -> Value {
        match self {
            Self::Automaton(s) => json!({"states": s.set().states(), "block_states": s.set().block_states()}),
            Self::Sectors(s) => json!({"strata": s.sectors().translates(), "rays": s.sectors().rays()}),
        }
    }

    /// The outcome of a position of any size; `None` off the board.
    pub fn outcome(&self, x: &[BigInt]) -> Option<impartial::outcome::Outcome> {
        match self {
            Self::Automaton(strategy) => strategy.outcome(x),
            Self::Sectors(strategy) => strategy.outcome(x),
        }
    }

    /// What found it, for `"method"`.
    pub fn method(&self) -> &'static str {
        match self {
            Self::Automaton(_) => "learned automaton, certified",
            Self::Sectors(_) => "sectors, certified",
        }
    }
}

/// Sides of squares that the sector method looks at.
const LARGEST_SIDE: u64 = 8192;
/// An automaton with at most so many states is preferred to sectors: more can be done with it.
const HANDY_STATES: usize = 20_000;

/// Finds and proves a strategy, or says why not and what was seen.
pub fn strategy(game: &LatticeGame, method: Method, cx: &dyn Monitor) -> Result<Found, (StopReason, Option<Partial>)> {
    let stop = |why: StopReason| (why, None);
    let learned = |limits: &Limits| -> Result<Found, (StopReason, Option<Partial>)> {
        match p_positions(game, limits, cx) {
            Run::Finished(set) => proved(game, set, cx).map_err(stop),
            Run::Stopped(why, partial) => Err((why, Some(partial))),
        }
    };
    if method == Method::Learn || game.dimension() != 2 && method == Method::Auto {
        return learned(&Limits::default());
    }
    let mut seen = None;
    if method == Method::Auto {
        let little = Limits { states: 4000, positions: 1 << 22, ..Limits::default() };
        match learned(&little) {
            Ok(found) => return Ok(found),
            Err((why, partial)) => {
                cx.check(0, None).map_err(|_| (why, partial.clone()))?;
                seen = partial;
            }
        }
    }
    match sectors(game, LARGEST_SIDE, cx) {
        Run::Finished(found) => {
            let strategy = SectorStrategy::proved(game.clone(), found, cx)
                .map_err(stop)?
                .map_err(|_| stop(StopReason::Size { what: "points of the proof's box", limit: 1 << 29 }))?;
            if method == Method::Auto
                && let Ok(set) = strategy.vector_set(&Effort::new(HANDY_STATES, cx))
                && let Ok(found) = proved(game, set, cx)
            {
                return Ok(found);
            }
            Ok(Found::Sectors(Box::new(strategy)))
        }
        Run::Stopped(why, ()) => Err((why, seen)),
    }
}

fn proved(game: &LatticeGame, set: semilinear::vectorset::VectorSet, cx: &dyn Monitor) -> Result<Found, StopReason> {
    let limit = 1 << 24;
    match AutomatonStrategy::proved(game.clone(), set, &Effort::new(limit, cx))? {
        Ok(strategy) => Ok(Found::Automaton(Box::new(strategy))),
        Err(_) => Err(StopReason::Size { what: "automaton states", limit: limit as u64 }),
    }
}

/// `solve` for a lattice game by these methods.
pub fn solve(cx: &Context, name: &str, game: &LatticeGame, method: Option<&str>, output: Option<&str>) -> Answer {
    let Some(method) = Method::from_name(method) else {
        return Err(bad_input(format!(
            "--method {} is not known for lattice games; it is one of kernel, learn, sector",
            method.unwrap_or_default()
        )));
    };
    if method == Method::Sector && game.dimension() != 2 {
        return Err(bad_input("--method sector is for games with two coordinates; use --method learn"));
    }
    match strategy(game, method, cx) {
        Ok(found) => report(cx, name, &found.envelope(), output, "solve", &found.size()),
        Err((why, partial)) => Ok(stopped(cx, name, why, partial)),
    }
}

/// The Grundy values of a game, learned and proved; or why not and what was seen.
pub fn values(game: &LatticeGame, cx: &dyn Monitor) -> Result<GrundyStrategy, (StopReason, Option<Partial>)> {
    let limits = Limits::default();
    match grundy_values(game, &limits, cx) {
        Run::Finished(values) => {
            match GrundyStrategy::proved(game.clone(), values, &Effort::new(limits.combinations, cx)) {
                Ok(Ok(strategy)) => Ok(strategy),
                Ok(Err(_)) => {
                    Err((StopReason::Size { what: "automaton states", limit: limits.combinations as u64 }, None))
                }
                Err(why) => Err((why, None)),
            }
        }
        Run::Stopped(why, partial) => Err((why, Some(partial))),
    }
}

/// `solve --grundy` for a lattice game.
pub fn solve_values(cx: &Context, name: &str, game: &LatticeGame, output: Option<&str>) -> Answer {
    match values(game, cx) {
        Ok(strategy) => {
            let values = strategy.values();
            let largest = values.labels().last().map_or(0, |label| label.saturating_sub(1));
            let size = json!({"states": values.states(), "block_states": values.block_states(), "max_value": largest});
            report(cx, name, &strategy.to_envelope(), output, "solve", &size)
        }
        Err((why, partial)) => Ok(stopped(cx, name, why, partial)),
    }
}

/// The report of a strategy that was found, written to a file if one is named.
pub fn report(cx: &Context, name: &str, envelope: &Envelope, output: Option<&str>, what: &str, size: &Value) -> Answer {
    let mut json = json!({"game": name, "form": envelope.form, "proved": true, "seconds": cx.seconds()});
    let mut text = format!("{name}: proved strategy of form \"{}\"", envelope.form);
    for (key, value) in size.as_object().into_iter().flatten() {
        json[key] = value.clone();
        let _ = write!(text, ", {key} {value}");
    }
    if let Some(path) = output {
        files::write(path, envelope.to_text().as_bytes())?;
        json["file"] = json!(path);
        let _ = write!(text, "\nwrote {path}");
    } else {
        let _ = write!(text, "\n({what} with -o FILE keeps it)");
    }
    Ok(Report::new(json, text))
}

/// What is known when no strategy was found: not an answer, and what the growth of residuals says.
pub fn stopped(cx: &Context, name: &str, why: StopReason, partial: Option<Partial>) -> Report {
    let mut json = json!({"game": name, "proved": false, "seconds": cx.seconds()});
    let mut text = format!("{name}: no strategy found within the limits; nothing is claimed");
    if let Some(partial) = partial {
        json["residuals"] = json!(partial.growth.new);
        json["outlook"] = json!(match partial.growth.outlook() {
            impartial::solve::learn::Outlook::NoRegularityInSight => "no regularity in sight",
            impartial::solve::learn::Outlook::MoreTimeMightDo => "more time might do",
        });
        json["positions"] = json!(partial.positions);
        let _ = write!(text, "\n{} positions looked at; {}", partial.positions, partial.growth.in_words());
    }
    Report::new(json, text).stopped(why)
}

/// A strategy for a single question without a strategy file; the failure says how to go on.
pub fn strategy_for_question(game: &LatticeGame, cx: &Context) -> Result<Found, Failure> {
    strategy(game, Method::Auto, cx).map_err(|(why, _)| Failure::Stopped(why))
}
