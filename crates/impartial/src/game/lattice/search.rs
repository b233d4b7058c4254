//! Which method solves a lattice game: the learner, the sector method, blocks, or several in turn.

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
use crate::solve::blocks::{self, Target};
use crate::solve::learn::{Limits, Partial};
use crate::strategy::{AutomatonStrategy, BlocksStrategy, GrundyStrategy, Proved, SectorStrategy, Standing};

/// Sides of squares that the sector method looks at.
const LARGEST_SIDE: u64 = 8192;
const SMALL_SIDE: u64 = 1024;
/// States and positions of the learner, and the side of the sector method's square, at each turn.
const TURNS: [(usize, u64, u64); 2] = [(400, 1 << 13, SMALL_SIDE), (4000, 1 << 22, LARGEST_SIDE)];
/// The same for Grundy values, of which automata are larger.
const TURNS_FOR_VALUES: [(usize, u64, u64); 2] = [(1000, 1 << 17, SMALL_SIDE), (4000, 1 << 22, LARGEST_SIDE)];
/// An automaton with at most so many states is preferred to sectors: more can be done with it.
const HANDY_STATES: usize = 20_000;
/// The learner looks at no more positions before blocks are tried.
const FEW_POSITIONS: u64 = 1 << 13;

/// A proved strategy of a lattice game.
#[derive(Clone, Debug)]
pub enum LatticeFound {
    /// By the learner.
    Automaton(Box<Proved<AutomatonStrategy>>),
    /// By the sector method.
    Sectors(Box<Proved<SectorStrategy>>),
    /// By blocks.
    Blocks(Box<Proved<BlocksStrategy>>),
}

impl LatticeFound {
    /// The outcome of a position of any size; `None` off the board.
    pub fn outcome(&self, x: &[BigInt]) -> Option<Outcome> {
        match self {
            Self::Automaton(strategy) => strategy.outcome(x),
            Self::Sectors(strategy) => strategy.outcome(x),
            Self::Blocks(strategy) => strategy.outcome(x),
        }
    }

    /// The strategy file.
    pub fn envelope(&self) -> crate::strategy::Envelope {
        match self {
            Self::Automaton(strategy) => strategy.to_envelope(),
            Self::Sectors(strategy) => strategy.to_envelope(),
            Self::Blocks(strategy) => strategy.to_envelope(),
        }
    }

    pub(crate) fn method(&self) -> &'static str {
        match self {
            Self::Automaton(_) => "learned automaton, certified",
            Self::Sectors(_) => "sectors, certified",
            Self::Blocks(_) => "blocks, certified",
        }
    }

    pub(crate) fn standing(&self) -> Standing {
        match self {
            Self::Automaton(strategy) => Standing::of(strategy),
            Self::Sectors(strategy) => Standing::of(strategy),
            Self::Blocks(strategy) => Standing::of(strategy),
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
    if method == Method::Learn || method == Method::Auto && game.dimension() != 2 && !by_blocks_first(game) {
        return learned(&Limits::default());
    }
    if method == Method::Blocks {
        return by_blocks(game, monitor).map_err(stop);
    }
    if method == Method::Sector {
        return by_sectors(game, LARGEST_SIDE, monitor)
            .map(|found| LatticeFound::Sectors(Box::new(found)))
            .map_err(stop);
    }
    if game.dimension() != 2 {
        // A small automaton is handier than blocks; a large one is found late, if at all.
        return match learned(&Limits { positions: FEW_POSITIONS, ..Limits::default() }) {
            Ok(found) => Ok(found),
            Err(failure) => {
                monitor.check(0, None).map_err(|why| (why, failure.1.clone()))?;
                match by_blocks(game, monitor) {
                    Ok(found) => Ok(found),
                    Err(why @ (StopReason::Time | StopReason::Memory | StopReason::Interrupted)) => {
                        Err((why, failure.1))
                    }
                    Err(_) => learned(&Limits::default()),
                }
            }
        };
    }
    // Each method in turn with more room: what takes one of them long is often at once seen by the other.
    let mut seen = None;
    let mut last = StopReason::Time;
    for (states, positions, side) in TURNS {
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
    if blocks::applies(game)
        && let Ok(found) = by_blocks(game, monitor)
    {
        return Ok(found);
    }
    Err((last, seen))
}

/// Whether blocks are tried before the learner has all the room it wants.
fn by_blocks_first(game: &LatticeGame) -> bool {
    game.dimension() > 1 && blocks::applies(game)
}

fn by_blocks(game: &LatticeGame, monitor: &dyn Monitor) -> Result<LatticeFound, StopReason> {
    match BlocksStrategy::found(game, Target::Outcomes, &blocks::Limits::default(), monitor) {
        Run::Finished(found) => Ok(LatticeFound::Blocks(Box::new(found))),
        Run::Stopped(why, _) => Err(why),
    }
}

/// A strategy by sectors on squares up to this side.
fn by_sectors(game: &LatticeGame, side: u64, monitor: &dyn Monitor) -> Result<Proved<SectorStrategy>, StopReason> {
    SectorStrategy::found(game, Target::Outcomes, side, monitor).finished()
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

/// Proved Grundy values of a lattice game.
#[derive(Clone, Debug)]
pub enum ValuesFound {
    /// By the learner.
    Automaton(Box<Proved<GrundyStrategy>>),
    /// By the sector method.
    Sectors(Box<Proved<SectorStrategy>>),
    /// By blocks.
    Blocks(Box<Proved<BlocksStrategy>>),
}

impl ValuesFound {
    /// The strategy file.
    pub fn envelope(&self) -> crate::strategy::Envelope {
        match self {
            Self::Automaton(strategy) => strategy.to_envelope(),
            Self::Sectors(strategy) => strategy.to_envelope(),
            Self::Blocks(strategy) => strategy.to_envelope(),
        }
    }
}

/// The Grundy values of a game, found and proved; or why not and what was seen.
pub fn lattice_values(game: &LatticeGame, method: Method, monitor: &dyn Monitor) -> Result<ValuesFound, Failure> {
    let learned = |limits: &Limits| match GrundyStrategy::learned(game, limits, monitor) {
        Run::Finished(strategy) => Ok(ValuesFound::Automaton(Box::new(strategy))),
        Run::Stopped(why, partial) => Err((why, Some(partial))),
    };
    let by_blocks = || match BlocksStrategy::found(game, Target::Values, &blocks::Limits::default(), monitor) {
        Run::Finished(strategy) => Ok(ValuesFound::Blocks(Box::new(strategy))),
        Run::Stopped(why, _) => Err((why, None)),
    };
    let by_sectors = |side: u64| match SectorStrategy::found(game, Target::Values, side, monitor) {
        Run::Finished(strategy) => Ok(ValuesFound::Sectors(Box::new(strategy))),
        Run::Stopped(why, ()) => Err((why, None)),
    };
    let goes_on = |failure: Failure| monitor.check(0, None).map_err(|why| (why, failure.1.clone())).map(|()| failure);
    match method {
        Method::Blocks => by_blocks(),
        Method::Sector => by_sectors(LARGEST_SIDE),
        Method::Auto if game.dimension() > 2 && by_blocks_first(game) => {
            let failure = match learned(&Limits { positions: FEW_POSITIONS, ..Limits::default() }) {
                Ok(found) => return Ok(found),
                Err(failure) => goes_on(failure)?,
            };
            match by_blocks() {
                Err((StopReason::Size { .. }, _)) => learned(&Limits::default()),
                found => found.map_err(|(why, _)| (why, failure.1)),
            }
        }
        Method::Auto if game.dimension() == 2 => {
            // In turn with more room, as for outcomes.
            for (states, positions, side) in TURNS_FOR_VALUES {
                match learned(&Limits { states, positions, ..Limits::default() }) {
                    Ok(found) => return Ok(found),
                    Err(failure) => goes_on(failure)?,
                };
                match by_sectors(side) {
                    Ok(found) => return Ok(found),
                    Err(failure) => goes_on(failure)?,
                };
            }
            learned(&Limits::default())
        }
        _ => learned(&Limits::default()),
    }
}

/// Whether a method that is asked for is for games like this one.
pub(super) fn applies(game: &LatticeGame, method: Method) -> Result<()> {
    if method == Method::Sector && game.dimension() != 2 {
        return Err(Error::input("--method sector is for games with two coordinates; use --method learn"));
    }
    if method == Method::Blocks && !blocks::applies(game) {
        return Err(Error::input(
            "--method blocks is for games whose positions and rules have no negative entry, with few coordinates; use --method learn",
        ));
    }
    Ok(())
}

/// The strategy by learning, sectors or blocks.
pub(crate) fn solve_by(name: &str, game: &LatticeGame, ask: &Ask) -> Result<Strategy> {
    applies(game, ask.method)?;
    match lattice_strategy(game, ask.method, ask.monitor) {
        Ok(LatticeFound::Automaton(strategy)) => Ok(Strategy::automaton(*strategy)),
        Ok(LatticeFound::Sectors(strategy)) => Ok(Strategy::sectors(*strategy)),
        Ok(LatticeFound::Blocks(strategy)) => Ok(Strategy::blocks(*strategy)),
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
        LatticeFound::Blocks(strategy) => {
            let effort = Effort::new(1 << 22, ask.monitor);
            AutomatonStrategy::proved(game.clone(), strategy.vector_set(&effort)?, &effort)
        }
    }
}
