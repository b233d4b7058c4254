//! Which method solves a lattice game: the learner, the sector method, or both in turn.

use num_bigint::BigInt;
use semilinear::run::{Monitor, Run, StopReason};
use semilinear::vectorset::{Effort, VectorSet};

use super::not_found;
use crate::error::{Error, Result};
use crate::game::Ask;
use crate::game::ask::Method;
use crate::game::strategy::Strategy;
use crate::lattice::LatticeGame;
use crate::outcome::Outcome;
use crate::solve::learn::{Limits, Partial};
use crate::solve::sector::sectors;
use crate::strategy::{AutomatonStrategy, GrundyStrategy, Proved, SectorStrategy, Standing};

/// Sides of squares that the sector method looks at.
const LARGEST_SIDE: u64 = 8192;
const SMALL_SIDE: u64 = 1024;
/// An automaton with at most so many states is preferred to sectors: more can be done with it.
const HANDY_STATES: usize = 20_000;

/// A proved strategy of a lattice game.
#[derive(Clone, Debug)]
pub enum LatticeFound {
    /// By the learner.
    Automaton(Box<Proved<AutomatonStrategy>>),
    /// By the sector method.
    Sectors(Box<Proved<SectorStrategy>>),
}

impl LatticeFound {
    /// The outcome of a position of any size; `None` off the board.
    pub fn outcome(&self, x: &[BigInt]) -> Option<Outcome> {
        match self {
            Self::Automaton(strategy) => strategy.outcome(x),
            Self::Sectors(strategy) => strategy.outcome(x),
        }
    }

    /// The strategy file.
    pub fn envelope(&self) -> crate::strategy::Envelope {
        match self {
            Self::Automaton(strategy) => strategy.to_envelope(),
            Self::Sectors(strategy) => strategy.to_envelope(),
        }
    }

    pub(crate) fn method(&self) -> &'static str {
        match self {
            Self::Automaton(_) => "learned automaton, certified",
            Self::Sectors(_) => "sectors, certified",
        }
    }

    pub(crate) fn standing(&self) -> Standing {
        match self {
            Self::Automaton(strategy) => Standing::of(strategy),
            Self::Sectors(strategy) => Standing::of(strategy),
        }
    }
}

/// Why no strategy was found, and what was seen.
type Failure = (StopReason, Option<Partial>);

/// Finds and proves a strategy of a lattice game, or says why not and what was seen.
pub fn lattice_strategy(game: &LatticeGame, method: Method, monitor: &dyn Monitor) -> Result<LatticeFound, Failure> {
    let stop = |why: StopReason| (why, None);
    let learned = |limits: &Limits| -> Result<LatticeFound, Failure> {
        match AutomatonStrategy::learned(game, limits, monitor) {
            Run::Finished(strategy) => Ok(LatticeFound::Automaton(Box::new(strategy))),
            Run::Stopped(why, partial) => Err((why, Some(partial))),
        }
    };
    if method == Method::Learn || game.dimension() != 2 {
        return learned(&Limits::default());
    }
    if method == Method::Sector {
        return by_sectors(game, LARGEST_SIDE, monitor)
            .map(|found| LatticeFound::Sectors(Box::new(found)))
            .map_err(stop);
    }
    // Each method in turn with more room: what takes one of them long is often at once seen by the other.
    let mut seen = None;
    let mut last = StopReason::Time;
    for (states, positions, side) in [(400, 1 << 13, SMALL_SIDE), (4000, 1 << 22, LARGEST_SIDE)] {
        match learned(&Limits { states, positions, ..Limits::default() }) {
            Ok(found) => return Ok(found),
            Err((why, partial)) => {
                monitor.check(0, None).map_err(|_| (why, partial.clone()))?;
                seen = partial;
            }
        }
        match by_sectors(game, side, monitor) {
            Ok(found) => {
                return Ok(as_automaton(game, &found, monitor).unwrap_or(LatticeFound::Sectors(Box::new(found))));
            }
            Err(why) => {
                monitor.check(0, None).map_err(|why| (why, seen.clone()))?;
                last = why;
            }
        }
    }
    Err((last, seen))
}

/// A strategy by sectors on squares up to this side.
fn by_sectors(game: &LatticeGame, side: u64, monitor: &dyn Monitor) -> Result<Proved<SectorStrategy>, StopReason> {
    let found = match sectors(game, side, monitor) {
        Run::Finished(found) => found,
        Run::Stopped(why, ()) => return Err(why),
    };
    SectorStrategy::proved(game.clone(), found, monitor)
        .map_err(|error| stop_of(error, StopReason::Size { what: "points of the proof's box", limit: 1 << 29 }))
}

/// The automaton of a strategy by sectors, if it is handy.
fn as_automaton(game: &LatticeGame, found: &Proved<SectorStrategy>, monitor: &dyn Monitor) -> Option<LatticeFound> {
    let set = found.vector_set(&Effort::new(HANDY_STATES, monitor)).ok()?;
    proved(game, set, monitor).ok()
}

/// The stop behind an error, else another: what a method found and its check refuses is not found.
fn stop_of(error: Error, otherwise: StopReason) -> StopReason {
    if let Error::Stopped { why, .. } = error { why } else { otherwise }
}

fn proved(game: &LatticeGame, set: VectorSet, monitor: &dyn Monitor) -> Result<LatticeFound, StopReason> {
    let limit = 1 << 24;
    AutomatonStrategy::proved(game.clone(), set, &Effort::new(limit, monitor))
        .map(|strategy| LatticeFound::Automaton(Box::new(strategy)))
        .map_err(|error| stop_of(error, StopReason::Size { what: "automaton states", limit: limit as u64 }))
}

/// The Grundy values of a game, learned and proved; or why not and what was seen.
pub(super) fn values(game: &LatticeGame, monitor: &dyn Monitor) -> Result<Proved<GrundyStrategy>, Failure> {
    match GrundyStrategy::learned(game, &Limits::default(), monitor) {
        Run::Finished(strategy) => Ok(strategy),
        Run::Stopped(why, partial) => Err((why, Some(partial))),
    }
}

/// The strategy by learning or sectors.
pub(crate) fn solve_by(name: &str, game: &LatticeGame, ask: &Ask) -> Result<Strategy> {
    if ask.method == Method::Sector && game.dimension() != 2 {
        return Err(Error::input("--method sector is for games with two coordinates; use --method learn"));
    }
    match lattice_strategy(game, ask.method, ask.monitor) {
        Ok(LatticeFound::Automaton(strategy)) => Ok(Strategy::automaton(*strategy)),
        Ok(LatticeFound::Sectors(strategy)) => Ok(Strategy::sectors(*strategy)),
        Err((why, partial)) => Err(not_found(name, why, partial.as_ref(), ask)),
    }
}

/// A strategy for a single question.
pub(super) fn for_question(game: &LatticeGame, ask: &Ask) -> Result<LatticeFound> {
    lattice_strategy(game, Method::Auto, ask.monitor).map_err(|(why, _)| why.into())
}

/// A proved automaton of the P-positions.
pub(crate) fn automaton(game: &LatticeGame, ask: &Ask) -> Result<Proved<AutomatonStrategy>> {
    match for_question(game, ask)? {
        LatticeFound::Automaton(strategy) => Ok(*strategy),
        LatticeFound::Sectors(strategy) => {
            let effort = Effort::new(1 << 22, ask.monitor);
            AutomatonStrategy::proved(game.clone(), strategy.vector_set(&effort)?, &effort)
        }
    }
}
