//! Games with rays: learned and proved in a numeration system.
//!
//! S_g, the positions of Grundy value g, is the only set with S = ¬(S₀ ∪ … ∪ S_{g−1}) ∧ ¬Pre(S) on the board, where Pre(S) are the positions with a
//! move into S (`docs/theory/numeration.md`, Theorem 3). A table of small positions proposes an automaton, and this equation proves it.
//!
//! | file | what is in it |
//! | --- | --- |
//! | `recursion.rs` | values on a box, in any dimension |
//! | `pairs.rs` | values on long strips of the plane, for games with both rook moves |
//! | `far.rs` | rows far out of symmetric games with the queen's rays, from nearer ones |
//! | `learn.rs` | from such data to an automaton |
//! | `certificate.rs` | moves as relations, and the equation |

pub mod certificate;
mod far;
mod learn;
mod pairs;
mod recursion;

use std::sync::Arc;

use semilinear::numeration::{DigitSet, System};
use semilinear::run::{Monitor, StopReason};
use semilinear::vectorset::Effort;

use crate::lattice::RayGame;
pub use certificate::Moves;
use learn::{Attempt, Data, Learner};
pub use pairs::Pairs;
pub use recursion::Recursion;

/// Strings of more digits are not tried.
const MOST_REACH: usize = 40;
/// Positions at which a candidate is wrong that are learned from before the next one.
const LEARNED_AT_ONCE: usize = 300;

/// States of a candidate for a value of 3 and more, whose number nobody knows: memory ends before.
const MANY_STATES: usize = 1 << 23;

/// States of the automaton that says which rows have an element.
const ROW_STATES: usize = 1 << 18;

/// How far a search goes.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// States of a candidate.
    pub states: usize,
    /// States of the automata that prove it.
    pub proof: usize,
    /// Rows of the strips, at most.
    pub rows: usize,
    /// Positions of the boxes, at most.
    pub cells: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self { states: 100_000, proof: 4_000_000, rows: 1 << 22, cells: 1 << 24 }
    }
}

/// What a search saw before it stopped.
#[derive(Clone, Debug, Default)]
pub struct Seen {
    /// The sets of the values that were proved before.
    pub proved: Vec<DigitSet>,
    /// The number of states of each candidate that failed, by the length of the digit strings that told its states apart.
    pub candidates: Vec<(usize, usize)>,
}

/// The sets of the values 0, …, `top` in one system, each proved by the equation; or why not, and what was seen.
///
/// ```
/// use impartial::lattice::RayGame;
/// use impartial::run::Unlimited;
/// use impartial::solve::rays::{Limits, values};
/// use semilinear::numeration::System;
/// use std::sync::Arc;
/// let system = Arc::new(System::fibonacci());
/// let sets = values(&RayGame::wythoff(None), &system, 0, &Limits::default(), &Unlimited).unwrap();
/// assert!(sets[0].contains_small(&[55, 89]) && !sets[0].contains_small(&[55, 90]));
/// ```
pub fn values(
    game: &RayGame,
    system: &Arc<System>,
    top: usize,
    limits: &Limits,
    monitor: &dyn Monitor,
) -> Result<Vec<DigitSet>, (StopReason, Seen)> {
    let mut seen = Seen::default();
    let effort = Effort::new(limits.proof, monitor);
    let moves = Moves::new(game, system, &effort).map_err(|why| (why, Seen::default()))?;
    for value in 0..=top {
        match found(game, &moves, value, &mut seen, limits, monitor) {
            Ok(set) => seen.proved.push(set),
            Err(why) => return Err((why, seen)),
        }
    }
    Ok(seen.proved)
}

/// The set of one value, those before it being known.
fn found(
    game: &RayGame,
    moves: &Moves,
    value: usize,
    seen: &mut Seen,
    limits: &Limits,
    monitor: &dyn Monitor,
) -> Result<DigitSet, StopReason> {
    let effort = Effort::new(limits.proof, monitor);
    let rest = moves.rest(&seen.proved, &effort)?;
    let mut data = Data::small(game, value, limits, monitor)?;
    // Strings of more digits tell more states apart, and need more data. That a table is closed is no evidence; only the equation proves.
    // For the values to 2 of Wythoff's game it is known how many tell them apart; boxes have no room for long ones.
    let mut reach = if matches!(data, Data::Box(..)) { 2 } else { [2, 10, 16, 6][value.min(3)] };
    let most = if value > 2 { limits.states.max(MANY_STATES) } else { limits.states };
    let mut learner = Learner::new(moves.system(), game.dimension(), reach);
    loop {
        monitor.check(reach as u64, None)?;
        let candidate = match learner.candidate(&data, most, monitor)? {
            Attempt::Table(candidate) => candidate,
            Attempt::BeyondData if matches!(data, Data::Far(_)) && reach < MOST_REACH => {
                monitor.trace(&|| format!("value {value}: strings of {reach} digits do not close"));
                reach += 1;
                learner = Learner::new(moves.system(), game.dimension(), reach);
                continue;
            }
            Attempt::BeyondData => {
                data = match data.larger(game, value, limits, monitor)? {
                    Some(larger) => larger,
                    None => return Err(StopReason::Size { what: "positions looked at", limit: data.positions() }),
                };
                learner = Learner::new(moves.system(), game.dimension(), reach);
                continue;
            }
            Attempt::TooManyStates => {
                return Err(StopReason::Size { what: "states of a candidate", limit: most as u64 });
            }
        };
        let states = candidate.states();
        let read = learner.rows_read();
        monitor.trace(&|| format!("value {value}: {states} states from strings of {reach} digits, {read} rows read"));
        let set =
            DigitSet::from_table(moves.system(), game.dimension(), &candidate.next, &candidate.accepting, &effort)?;
        if let Ok(set) = set {
            let mut wrong = data.mismatches(&|x| learner.accepts(&candidate, x), LEARNED_AT_ONCE, monitor)?;
            if value > 2 && wrong.len() == LEARNED_AT_ONCE && reach < MOST_REACH {
                // Far from right: longer strings tell more states apart than so few positions do.
                seen.candidates.push((reach, states));
                reach += 1;
                learner = Learner::new(moves.system(), game.dimension(), reach);
                continue;
            }
            if wrong.len() < LEARNED_AT_ONCE / 4 && data.has_full_rows() {
                // One coordinate is read, so that this is quick; and it tells many positions at once. Where it is not, the equation tells.
                match moves.empty_rows(&set, LEARNED_AT_ONCE, &Effort::new(ROW_STATES, monitor)) {
                    Ok(rows) => wrong.extend(rows.into_iter().filter_map(|x| data.in_row(x))),
                    Err(StopReason::Size { .. }) => {}
                    Err(why) => return Err(why),
                }
            }
            if wrong.is_empty() {
                match moves.counterexample(&rest, &set, &effort) {
                    Ok(None) => return Ok(set),
                    Ok(Some(x)) => wrong = moves.suspects(&set, &x),
                    Err(StopReason::Size { .. }) => {}
                    Err(why) => return Err(why),
                }
            }
            monitor.trace(&|| format!("value {value}: wrong at {:?}", wrong.first()));
            // What is wrong on one side of the diagonal is wrong on the other.
            if game.dimension() == 2 && game.is_symmetric() {
                let mirrored: Vec<Vec<u64>> = wrong.iter().map(|x| vec![x[1], x[0]]).collect();
                wrong.extend(mirrored);
            }
            let learned = wrong.iter().filter(|x| learner.learn(&data, &candidate, x)).count();
            monitor.trace(&|| format!("value {value}: learned from {learned} of {} positions", wrong.len()));
            if learned > 0 {
                continue;
            }
        }
        seen.candidates.push((reach, states));
        reach += 1;
        learner = Learner::new(moves.system(), game.dimension(), reach);
    }
}
