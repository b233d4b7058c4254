//! Games with rays: learned and proved in a numeration system.
//!
//! S_g, the positions of Grundy value g, is the only set with S = ¬(S₀ ∪ … ∪ S_{g−1}) ∧ ¬Pre(S) on the board, where Pre(S) are the positions with a
//! move into S (`docs/theory/numeration.md`, Theorem 3). A table of small positions proposes an automaton, and this equation proves it.
//!
//! | file | what is in it |
//! | --- | --- |
//! | `recursion.rs` | values on a box, in any dimension |
//! | `pairs.rs` | values on long strips of the plane, for games with both rook moves |
//! | `learn.rs` | from such data to an automaton |
//! | `certificate.rs` | moves as relations, and the equation |

pub mod certificate;
mod learn;
mod pairs;
mod recursion;

use std::sync::Arc;

use semilinear::numeration::{DigitSet, System};
use semilinear::run::{Monitor, StopReason};
use semilinear::vectorset::Effort;

use crate::lattice::RayGame;
pub use certificate::Moves;
use learn::{Attempt, Data, candidate};
pub use pairs::Pairs;
pub use recursion::Recursion;

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
    let mut reach = 2;
    loop {
        monitor.check(reach as u64, None)?;
        match candidate(moves.system(), game.dimension(), &data, reach, limits.states, monitor)? {
            Attempt::BeyondData => {
                data = match data.larger(game, value, limits, monitor)? {
                    Some(larger) => larger,
                    None => return Err(StopReason::Size { what: "positions looked at", limit: data.positions() }),
                };
            }
            Attempt::TooManyStates => {
                return Err(StopReason::Size { what: "states of a candidate", limit: limits.states as u64 });
            }
            Attempt::Table(next, accepting) => {
                let states = next.len();
                let set = DigitSet::from_table(moves.system(), game.dimension(), &next, &accepting, &effort)?;
                if let Ok(set) = set
                    && data.agrees(&set, monitor)?
                {
                    match moves.counterexample(&rest, &set, &effort) {
                        Ok(None) => return Ok(set),
                        Ok(Some(_)) | Err(StopReason::Size { .. }) => {}
                        Err(why) => return Err(why),
                    }
                }
                monitor.trace(&|| format!("value {value}: a candidate from strings of {reach} digits fails"));
                seen.candidates.push((reach, states));
                reach += 1;
            }
        }
    }
}
