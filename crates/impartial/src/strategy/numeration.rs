//! Form "numeration": the positions of the values 0, …, k of a game with rays, as automata that read the digits of a numeration system.

use std::sync::Arc;

use num_bigint::BigUint;
use semilinear::numeration::{DigitSet, NOWHERE, System, SystemError, Table};
use semilinear::run::{Monitor, StopReason};
use semilinear::vectorset::Effort;
use serde::Deserialize;
use serde_json::{Value, json};
use thiserror::Error;

use super::{Envelope, Proved, Unchecked};
use crate::error::{Error, Result};
use crate::lattice::{LatticeError, RayGame};
use crate::outcome::Outcome;
use crate::solve::rays::{self, Limits, Moves, Seen};

/// States of the automata of a file, and of those that are made from it.
const STATES: usize = 1 << 24;

/// A game with rays, and the sets S₀, …, S_k of its positions of value 0, …, k.
///
/// ```
/// use impartial::lattice::RayGame;
/// use impartial::outcome::Outcome;
/// use impartial::run::Unlimited;
/// use impartial::solve::rays::Limits;
/// use impartial::strategy::NumerationStrategy;
/// use semilinear::numeration::System;
/// let game = RayGame::wythoff(None);
/// let strategy = NumerationStrategy::learned(&game, &System::fibonacci(), 0, &Limits::default(), &Unlimited).unwrap();
/// let (a, b) = (8_u32.into(), 13_u32.into());
/// assert_eq!(strategy.outcome(&[a, b]), Some(Outcome::P));
/// ```
#[derive(Clone, Debug)]
pub struct NumerationStrategy {
    game: RayGame,
    moves: Moves,
    sets: Vec<DigitSet>,
}

/// Why a strategy file of this form cannot be read.
#[derive(Debug, Error)]
pub enum NumerationFileError {
    /// The certificate has another shape.
    #[error("strategy file: certificate: {0}; solve the game again")]
    Shape(String),
    /// The numeration system is none.
    #[error("strategy file: certificate.system: {0}")]
    System(#[from] SystemError),
    /// The game is not sound.
    #[error("strategy file: {0}")]
    Game(#[from] LatticeError),
    /// Stopped while reading.
    #[error("{0}")]
    Stopped(StopReason),
}

impl From<StopReason> for NumerationFileError {
    fn from(why: StopReason) -> Self {
        Self::Stopped(why)
    }
}

impl From<NumerationFileError> for Error {
    fn from(error: NumerationFileError) -> Self {
        match error {
            NumerationFileError::Stopped(why) | NumerationFileError::Game(LatticeError::Stopped(why)) => why.into(),
            error => Self::input(error),
        }
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Certificate {
    system: SystemJson,
    values: Vec<TableJson>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct SystemJson {
    name: String,
    recurrence: Vec<u32>,
    initial: Vec<u32>,
    #[allow(dead_code)] // the checker's business
    digits: u32,
    #[allow(dead_code)] // the checker's business
    valid: TableJson,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct TableJson {
    transitions: Vec<i64>,
    accepting: Vec<u32>,
}

impl NumerationStrategy {
    /// The strategy, if each set satisfies its equation on the whole board; else [`Error::Refused`] with a position where it fails.
    pub fn proved(game: RayGame, sets: Vec<DigitSet>, effort: &Effort<'_>) -> Result<Proved<Self>> {
        let Some(first) = sets.first() else {
            return Err(Error::input("no sets: give the set of the P-positions, then those of larger values"));
        };
        let moves = Moves::new(&game, first.system(), effort)?;
        let mut rest = moves.board().clone();
        for (value, set) in sets.iter().enumerate() {
            if set.dimension() != game.dimension() || set.system() != first.system() {
                return Err(Error::input("sets of different dimensions or numeration systems; give them alike"));
            }
            if let Some(x) = moves.counterexample(&rest, set, effort)? {
                let x: Vec<String> = x.iter().map(ToString::to_string).collect();
                let position = format!("({})", x.join(","));
                return Err(Error::Refused {
                    reason: format!("the equation of the positions of value {value} fails at {position}"),
                    position: Some(position),
                });
            }
            rest = rest.difference(set, effort)?;
        }
        Ok(Proved::by_check(Self { game, moves, sets }))
    }

    /// The strategy that the learner finds in a numeration system: each equation is checked before it ends.
    pub fn learned(
        game: &RayGame,
        system: &System,
        top: usize,
        limits: &Limits,
        monitor: &dyn Monitor,
    ) -> Result<Proved<Self>, (StopReason, Seen)> {
        let system = Arc::new(system.clone());
        let sets = rays::values(game, &system, top, limits, monitor)?;
        let effort = Effort::new(limits.proof, monitor);
        let moves = Moves::new(game, &system, &effort).map_err(|why| (why, Seen::default()))?;
        Ok(Proved::by_check(Self { game: game.clone(), moves, sets }))
    }

    /// The game.
    pub fn game(&self) -> &RayGame {
        &self.game
    }

    /// S₀, …, S_k.
    pub fn sets(&self) -> &[DigitSet] {
        &self.sets
    }

    /// The numeration system.
    pub fn system(&self) -> &Arc<System> {
        self.moves.system()
    }

    /// The Grundy value of a position when it is at most k; `Some(None)` when it is larger; `None` off the board.
    #[allow(clippy::option_option)] // two different nothings
    pub fn grundy(&self, x: &[BigUint]) -> Option<Option<usize>> {
        (x.len() == self.game.dimension() && !self.game.is_defeated(x))
            .then(|| self.sets.iter().position(|set| set.contains(x)))
    }

    /// The outcome of a position of any size; `None` off the board.
    pub fn outcome(&self, x: &[BigUint]) -> Option<Outcome> {
        self.grundy(x).map(|value| Outcome::p_if(value == Some(0)))
    }

    /// The options of a position that are P-positions, sorted, at most `most`; and whether these are all.
    pub fn winning_moves(&self, x: &[BigUint], most: usize) -> (Vec<Vec<BigUint>>, bool) {
        let (mut found, mut complete) = (Vec::new(), true);
        if self.game.is_terminal(x) {
            return (found, complete);
        }
        for relation in self.moves.relations() {
            let (moves, all) = self.sets[0].related_to(relation, x, most);
            found.extend(moves);
            complete &= all;
        }
        found.sort_unstable();
        found.dedup();
        complete &= found.len() <= most;
        found.truncate(most);
        (found, complete)
    }

    /// The strategy file.
    pub fn to_envelope(&self) -> Envelope {
        let system = self.system();
        Envelope {
            form: "numeration".into(),
            play: self.game.play(),
            game: self.game.to_json(),
            certificate: json!({
                "system": {
                    "name": system.name(),
                    "recurrence": system.recurrence(),
                    "initial": system.initial(),
                    "digits": system.base(),
                    "valid": table_json(system.valid()),
                },
                "values": self.sets.iter().map(|set| table_json(set.table())).collect::<Vec<_>>(),
            }),
        }
    }

    /// Reads a strategy file; the claim itself is the checker's business.
    pub fn from_envelope(file: &Envelope, monitor: &dyn Monitor) -> Result<Unchecked<Self>, NumerationFileError> {
        let shape = NumerationFileError::Shape;
        let game = RayGame::from_json(&file.game)?;
        let certificate: Certificate =
            serde_json::from_value(file.certificate.clone()).map_err(|error| shape(error.to_string()))?;
        let SystemJson { name, recurrence, initial, .. } = certificate.system;
        let system = Arc::new(System::new(&name, &recurrence, &initial)?);
        let effort = Effort::new(STATES, monitor);
        let moves = Moves::new(&game, &system, &effort)?;
        let mut sets = Vec::new();
        for TableJson { transitions, accepting } in certificate.values {
            let next: Option<Vec<u32>> =
                transitions.iter().map(|&t| if t == -1 { Some(NOWHERE) } else { u32::try_from(t).ok() }).collect();
            let next = next.ok_or_else(|| shape("values: a transition is neither -1 nor a state".into()))?;
            let set = DigitSet::from_table(&system, game.dimension(), &next, &accepting, &effort)?;
            sets.push(set.map_err(|what| shape(format!("values: {what}")))?);
        }
        if sets.is_empty() {
            return Err(shape("values: there is none".into()));
        }
        Ok(Unchecked::new(Self { game, moves, sets }))
    }
}

/// {"transitions": […], "accepting": […]}, with −1 for nowhere.
fn table_json(table: &Table) -> Value {
    let next: Vec<i64> = table.transitions().iter().map(|&t| if t == NOWHERE { -1 } else { i64::from(t) }).collect();
    let accepting: Vec<usize> = (0..table.states()).filter(|&s| table.accepts(semilinear::vectorset::id(s))).collect();
    json!({"transitions": next, "accepting": accepting})
}
