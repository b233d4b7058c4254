//! Form "grundy-automaton": the Grundy values of a lattice game as a function on vectors.

use num_bigint::{BigInt, BigUint};
use serde::Deserialize;
use serde_json::{Map, Value, json};

use super::automaton::wrong_at;
use super::{AutomatonError, AutomatonStrategy, Envelope, Proved, Unchecked, board_proof};
use crate::error::{Error, Result};
use crate::lattice::{Description, LatticeGame};
use crate::outcome::Outcome;
use crate::solve::learn::{Limits, Partial, certificate, grundy_values};
use semilinear::run::{Monitor, Run, StopReason};
use semilinear::vectorset::{Effort, Labelling};

/// A lattice game with its Grundy values, in the game's inner coordinates: label k + 1 at positions of value k, 0 at
/// vectors that are no positions.
///
/// ```
/// use impartial::lattice::{Description, LatticeGame};
/// use semilinear::run::{Run, Unlimited};
/// use impartial::solve::learn::{grundy_values, Limits};
/// use impartial::strategy::GrundyStrategy;
/// use semilinear::vectorset::Effort;
/// let game = Description::from_toml("rules = [[1], [2], [3]]").unwrap();
/// let game = LatticeGame::new(&game, &Unlimited).unwrap();
/// let Run::Finished(values) = grundy_values(&game, &Limits::default(), &Unlimited) else { panic!() };
/// let strategy = GrundyStrategy::proved(game, values, &Effort::unlimited())?;
/// assert_eq!(strategy.grundy(&["1000000000000000000003".parse().unwrap()]), Some(3));
/// # Ok::<(), impartial::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct GrundyStrategy {
    game: LatticeGame,
    values: Labelling,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct TableJson {
    transitions: Vec<u32>,
    values: Vec<Option<u8>>,
}

impl GrundyStrategy {
    /// The strategy, if the function satisfies the mex equation on the whole board; else [`Error::Refused`] with a position
    /// where it fails.
    pub fn proved(game: LatticeGame, values: Labelling, effort: &Effort<'_>) -> Result<Proved<Self>> {
        if values.dimension() != game.dimension() {
            return Err(Error::input("values of another dimension than the game; give values of the game's positions"));
        }
        match certificate::values_counterexample(&game, &values, effort)? {
            None => Ok(Proved::by_check(Self { game, values })),
            Some(y) => Err(wrong_at(&game, y, "the equation of the Grundy values fails")),
        }
    }

    /// The strategy that the learner finds: it has checked the equation before it ends.
    pub fn learned(game: &LatticeGame, limits: &Limits, monitor: &dyn Monitor) -> Run<Proved<Self>, Partial> {
        grundy_values(game, limits, monitor).map(|values| Proved::by_check(Self { game: game.clone(), values }))
    }

    /// The game.
    pub fn game(&self) -> &LatticeGame {
        &self.game
    }

    /// The values in inner coordinates, counted from 1; 0 off the board.
    pub fn values(&self) -> &Labelling {
        &self.values
    }

    /// The Grundy value of a position of any size; `None` when the point is not a position.
    ///
    /// # Complexity
    /// O(d · digits).
    pub fn grundy(&self, x: &[BigInt]) -> Option<u64> {
        if !self.game.is_position_big(x) {
            return None;
        }
        let y: Vec<BigUint> = self.game.chart().inner_big(x).iter().map(BigInt::to_biguint).collect::<Option<_>>()?;
        u64::from(self.values.label(&y)).checked_sub(1)
    }

    /// The outcome of a position of any size; `None` when the point is not a position.
    pub fn outcome(&self, x: &[BigInt]) -> Option<Outcome> {
        self.grundy(x).map(|value| Outcome::p_if(value == 0))
    }

    /// The options of a position that are P-positions, in the order of the rules.
    ///
    /// # Complexity
    /// O(|Γ| · d · digits).
    pub fn winning_moves(&self, x: &[BigInt]) -> Vec<Vec<BigInt>> {
        let mut moves = self.game.options_big(x);
        moves.retain(|option| self.grundy(option) == Some(0));
        moves
    }

    /// The P-positions alone: the form "automaton" of the same game.
    pub fn p_positions(&self, effort: &Effort<'_>) -> Result<Unchecked<AutomatonStrategy>, StopReason> {
        Ok(AutomatonStrategy::claimed(self.game.clone(), self.values.set(1, effort)?))
    }

    /// The strategy file.
    pub fn to_envelope(&self) -> Envelope {
        let states = u32::try_from(self.values.states()).expect("automata have at most 2^30 states");
        let value = |s: u32| self.values.state_label(s).and_then(|label| label.checked_sub(1));
        let mut certificate: Map<String, Value> = board_proof(&self.game);
        certificate.insert(
            "automaton".into(),
            json!({
                "transitions": self.values.transitions().iter().flatten().collect::<Vec<_>>(),
                "values": (0..states).map(value).collect::<Vec<_>>(),
            }),
        );
        Envelope {
            form: "grundy-automaton".into(),
            play: self.game.play(),
            game: self.game.to_json(),
            certificate: Value::Object(certificate),
        }
    }

    /// Reads a strategy file; the claim itself is the checker's business.
    pub fn from_envelope(envelope: &Envelope, monitor: &dyn Monitor) -> Result<Unchecked<Self>, AutomatonError> {
        let shape = |what: String| AutomatonError::Shape(format!("automaton: {what}"));
        let game = LatticeGame::new(&Description::from_json(&envelope.game)?, monitor)?;
        let table = envelope.certificate.get("automaton").cloned().unwrap_or_default();
        let table: TableJson = serde_json::from_value(table).map_err(|error| shape(error.to_string()))?;
        if !table.transitions.len().is_multiple_of(2) {
            return Err(shape("an odd number of transitions".into()));
        }
        let next: Vec<[u32; 2]> = table.transitions.chunks_exact(2).map(|pair| [pair[0], pair[1]]).collect();
        let labels: Vec<u8> = table.values.iter().map(|value| value.map_or(0, |v| v.saturating_add(1))).collect();
        let values = Labelling::from_table(game.dimension(), &next, &labels, &Effort::new(1 << 28, monitor))?;
        Ok(Unchecked::new(Self { game, values: values.map_err(shape)? }))
    }
}
