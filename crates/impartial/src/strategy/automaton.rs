//! Form "automaton": the P-positions of a lattice game as a set of vectors.

use num_bigint::{BigInt, BigUint};
use serde::Deserialize;
use serde_json::{Map, Value, json};
use thiserror::Error;

use super::{Envelope, Proved, Unchecked, board_proof};
use crate::error::{Error, Result};
use crate::lattice::{Description, LatticeError, LatticeGame, Row};
use crate::outcome::Outcome;
use crate::solve::learn::{Limits, Partial, certificate, p_positions};
use semilinear::run::{Monitor, Run, StopReason};
use semilinear::vectorset::{BoxTooLarge, Effort, Relation, VectorSet};

/// A lattice game with its set of P-positions, in the game's inner coordinates.
///
/// ```
/// use impartial::lattice::{Description, LatticeGame};
/// use impartial::outcome::Outcome;
/// use semilinear::run::Unlimited;
/// use impartial::strategy::AutomatonStrategy;
/// use semilinear::vectorset::{Effort, VectorSet};
/// let effort = Effort::unlimited();
/// let game = Description::from_toml("rules = [[1], [2], [3]]").unwrap();
/// let game = LatticeGame::new(&game, &Unlimited).unwrap();
/// let fours = VectorSet::congruence(&[1], 0, 4, &effort)?;
/// let strategy = AutomatonStrategy::proved(game, fours, &effort)?;
/// assert_eq!(strategy.outcome(&["1000000000000000000001".parse().unwrap()]), Some(Outcome::N));
/// # Ok::<(), impartial::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct AutomatonStrategy {
    game: LatticeGame,
    set: VectorSet,
}

/// Why a strategy file of this form cannot be read.
#[derive(Debug, Error)]
pub enum AutomatonError {
    /// The certificate has another shape.
    #[error("strategy file: certificate: {0}; solve the game again")]
    Shape(String),
    /// The game is not sound.
    #[error("strategy file: {0}")]
    Game(#[from] LatticeError),
    /// Stopped while reading.
    #[error("{0}")]
    Stopped(StopReason),
}

impl From<AutomatonError> for Error {
    fn from(error: AutomatonError) -> Self {
        match error {
            AutomatonError::Stopped(why) | AutomatonError::Game(LatticeError::Stopped(why)) => why.into(),
            error => Self::input(error),
        }
    }
}

impl From<StopReason> for AutomatonError {
    fn from(why: StopReason) -> Self {
        Self::Stopped(why)
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct TableJson {
    transitions: Vec<u32>,
    accepting: Vec<u32>,
}

impl AutomatonStrategy {
    /// The strategy, if `set` satisfies the equation of the P-positions on the whole board; else [`Error::Refused`] with a
    /// position where it fails.
    pub fn proved(game: LatticeGame, set: VectorSet, effort: &Effort<'_>) -> Result<Proved<Self>> {
        if set.dimension() != game.dimension() {
            return Err(Error::Input(format!(
                "a set of {} coordinates for a game of {}; give a set of the game's positions",
                set.dimension(),
                game.dimension()
            )));
        }
        effort.monitor.phase("states of the proof");
        match certificate::counterexample(&game, &set, effort)? {
            None => Ok(Proved::by_check(Self { game, set })),
            Some(y) => Err(wrong_at(&game, y, "the equation of the P-positions fails")),
        }
    }

    /// The strategy that the learner finds: it has checked the equation before it ends.
    pub fn learned(game: &LatticeGame, limits: &Limits, monitor: &dyn Monitor) -> Run<Proved<Self>, Partial> {
        p_positions(game, limits, monitor).map(|set| Proved::by_check(Self { game: game.clone(), set }))
    }

    /// The strategy that a file claims, as [`AutomatonStrategy::from_envelope`] reads it: the proof is the checker's business.
    pub(super) fn claimed(game: LatticeGame, set: VectorSet) -> Unchecked<Self> {
        Unchecked::new(Self { game, set })
    }

    /// The game.
    pub fn game(&self) -> &LatticeGame {
        &self.game
    }

    /// The P-positions in inner coordinates.
    pub fn set(&self) -> &VectorSet {
        &self.set
    }

    fn is_p(&self, x: &[BigInt]) -> bool {
        let y: Option<Vec<BigUint>> = self.game.chart().inner_big(x).iter().map(BigInt::to_biguint).collect();
        y.is_some_and(|y| self.set.contains(&y))
    }

    /// The outcome of a position of any size; `None` when the point is not a position.
    ///
    /// # Complexity
    /// O(d · digits).
    pub fn outcome(&self, x: &[BigInt]) -> Option<Outcome> {
        self.game.is_position_big(x).then(|| Outcome::p_if(self.is_p(x)))
    }

    /// [`AutomatonStrategy::outcome`] in machine integers; `None` also where inner coordinates leave them.
    pub fn outcome_small(&self, x: &[i64]) -> Option<Outcome> {
        let natural = |y: &[i64]| y.iter().map(|&y| u64::try_from(y).ok()).collect::<Option<Vec<u64>>>();
        let (chart, rows, defeated) = (self.game.chart(), self.game.inner_rows(), self.game.inner_defeated());
        if x.len() != self.game.dimension() {
            return None;
        }
        let inner;
        let y = if chart.is_identity() {
            x
        } else {
            inner = chart.inner(x)?;
            &inner
        };
        let on_board = |row: &Row| {
            let constant = i128::from(row[y.len()]);
            let sum =
                row.iter().zip(y).try_fold(constant, |sum, (&a, &y)| sum.checked_add(i128::from(a) * i128::from(y)));
            sum.is_some_and(|sum| sum >= 0)
        };
        let is_position = rows.iter().all(on_board) && !defeated.iter().any(|p| p == y);
        let y = natural(y).filter(|_| is_position)?;
        Some(Outcome::p_if(self.set.contains_small(&y)))
    }

    /// The options of a position that are P-positions, in the order of the rules.
    ///
    /// # Complexity
    /// O(|Γ| · d · digits).
    pub fn winning_moves(&self, x: &[BigInt]) -> Vec<Vec<BigInt>> {
        let mut moves = self.game.options_big(x);
        moves.retain(|option| self.is_p(option));
        moves
    }

    /// The number of P-positions with 0 ≤ xᵢ < sizes\[i\] in the user's coordinates.
    pub fn count(&self, sizes: &[BigUint], monitor: &dyn Monitor) -> Result<BigUint, BoxTooLarge> {
        let chart = self.game.chart();
        let d = self.game.dimension();
        if chart.is_identity() || sizes.len() != d {
            return self.set.count(sizes, monitor);
        }
        if sizes.contains(&BigUint::ZERO) {
            return Ok(BigUint::ZERO);
        }
        // 0 ≤ xᵢ < nᵢ as inequalities on y = Mx + s; then all elements are counted in a box that contains them.
        let effort = Effort::new(1 << 22, monitor);
        let mut set = self.set.clone();
        for (row, n) in chart.inverse().iter().zip(sizes) {
            let a: Vec<BigInt> = row.iter().map(|&x| x.into()).collect();
            let minus: Vec<BigInt> = row.iter().map(|&x| (-x).into()).collect();
            let moved: BigInt = row.iter().zip(chart.shift()).map(|(a, s)| BigInt::from(*a) * s).sum();
            let top: BigInt = &moved + BigInt::from(n.clone()) - 1;
            let low = VectorSet::linear_big(&a, &-moved, Relation::AtLeastZero, &effort)?;
            let high = VectorSet::linear_big(&minus, &top, Relation::AtLeastZero, &effort)?;
            set = set.intersection(&low, &effort)?.intersection(&high, &effort)?;
        }
        let sides: Vec<BigUint> = chart
            .matrix()
            .iter()
            .zip(chart.shift())
            .map(|(row, s)| {
                let most: BigInt =
                    row.iter().zip(sizes).map(|(m, n)| BigInt::from((*m).max(0)) * BigInt::from(n.clone())).sum();
                let side: BigInt = most + *s + 1;
                side.to_biguint().unwrap_or_default()
            })
            .collect();
        set.count(&sides, monitor)
    }

    /// The strategy file.
    pub fn to_envelope(&self) -> Envelope {
        let mut certificate: Map<String, Value> = board_proof(&self.game);
        certificate.insert("automaton".into(), table_json(&self.set));
        Envelope {
            form: "automaton".into(),
            play: self.game.play(),
            game: self.game.to_json(),
            certificate: Value::Object(certificate),
        }
    }

    /// Reads a strategy file; the claim itself is the checker's business.
    pub fn from_envelope(envelope: &Envelope, monitor: &dyn Monitor) -> Result<Unchecked<Self>, AutomatonError> {
        let game = LatticeGame::new(&Description::from_json(&envelope.game)?, monitor)?;
        let set = table_from_json(envelope.certificate.get("automaton"), game.dimension(), monitor)?;
        Ok(Unchecked::new(Self { game, set }))
    }
}

/// A refusal at an inner point, told in the user's coordinates.
pub(super) fn wrong_at(game: &LatticeGame, y: Vec<u64>, reason: &str) -> Error {
    let y: Vec<BigInt> = y.into_iter().map(BigInt::from).collect();
    let x: Vec<String> = game.chart().outer_big(&y).iter().map(ToString::to_string).collect();
    Error::Refused { reason: reason.into(), position: Some(format!("({})", x.join(","))) }
}

/// {"transitions": [t₀₀, t₀₁, t₁₀, t₁₁, …], "accepting": […]}.
pub fn table_json(set: &VectorSet) -> Value {
    let states = u32::try_from(set.states()).expect("automata have at most 2^30 states");
    let accepting: Vec<u32> = (0..states).filter(|&s| set.is_accepting(s)).collect();
    json!({"transitions": set.transitions().iter().flatten().collect::<Vec<_>>(), "accepting": accepting})
}

/// Reads what [`table_json`] writes.
pub fn table_from_json(
    value: Option<&Value>,
    dimension: usize,
    monitor: &dyn Monitor,
) -> Result<VectorSet, AutomatonError> {
    let value = value.ok_or_else(|| AutomatonError::Shape("\"automaton\" is missing".into()))?;
    let table: TableJson =
        serde_json::from_value(value.clone()).map_err(|error| AutomatonError::Shape(format!("automaton: {error}")))?;
    if !table.transitions.len().is_multiple_of(2) {
        return Err(AutomatonError::Shape("automaton: an odd number of transitions".into()));
    }
    let next: Vec<[u32; 2]> = table.transitions.chunks_exact(2).map(|pair| [pair[0], pair[1]]).collect();
    VectorSet::from_table(dimension, &next, &table.accepting, &Effort::new(1 << 28, monitor))?
        .map_err(|what| AutomatonError::Shape(format!("automaton: {what}")))
}
