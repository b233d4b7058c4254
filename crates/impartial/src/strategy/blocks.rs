//! Forms "blocks" and "grundy-blocks": outcomes or Grundy values of a lattice game, block by block.

use num_bigint::{BigInt, BigUint};
use serde::Deserialize;
use serde_json::{Map, Value, json};

use super::{AutomatonError, Envelope, Proved, Unchecked, board_proof};
use crate::error::{Error, Result};
use crate::lattice::{Description, LatticeGame};
use crate::outcome::Outcome;
use crate::solve::blocks::{self, Blocks, Limits, OFF, Partial, Target, proof};
use semilinear::run::{Monitor, Run, StopReason};
use semilinear::vectorset::{Effort, VectorSet};

/// A lattice game on the orthant with a label for every position: 0 at P-positions, and at the others 1, or the Grundy value.
///
/// ```
/// use impartial::lattice::{Description, LatticeGame};
/// use impartial::outcome::Outcome;
/// use impartial::run::{Run, Unlimited};
/// use impartial::solve::blocks::{Limits, Target};
/// use impartial::strategy::BlocksStrategy;
/// let game = Description::from_toml("rules = [[2, 4, 2], [3, 4, 1], [1, 3, 3]]").unwrap();
/// let game = LatticeGame::new(&game, &Unlimited).unwrap();
/// let Run::Finished(strategy) = BlocksStrategy::found(&game, Target::Outcomes, &Limits::default(), &Unlimited) else { panic!() };
/// let far = ["1000000000000000000002", "4", "1"].map(|x| x.parse().unwrap());
/// assert_eq!(strategy.outcome(&far), Some(Outcome::N));
/// ```
#[derive(Clone, Debug)]
pub struct BlocksStrategy {
    game: LatticeGame,
    blocks: Blocks,
    target: Target,
}

#[derive(Deserialize)]
struct TableJson {
    side: u32,
    transitions: Vec<u32>,
    state_blocks: Vec<u32>,
    blocks: Vec<String>,
}

impl BlocksStrategy {
    /// The strategy, if every block is what its neighbours make of it; else [`Error::Refused`].
    pub fn proved(
        game: LatticeGame,
        blocks: Blocks,
        target: Target,
        most: usize,
        monitor: &dyn Monitor,
    ) -> Result<Proved<Self>> {
        match proof::counterexample(&game, &blocks, target, most, monitor)? {
            Ok(None) => Ok(Proved::by_check(Self { game, blocks, target })),
            Ok(Some(p)) => Err(Error::Refused {
                reason: format!("the block at {p:?} is not what its neighbours make of it"),
                position: None,
            }),
            Err(reason) => Err(Error::Refused { reason, position: None }),
        }
    }

    /// The strategy that the search finds: it has proved it before it ends.
    pub fn found(
        game: &LatticeGame,
        target: Target,
        limits: &Limits,
        monitor: &dyn Monitor,
    ) -> Run<Proved<Self>, Partial> {
        let found = match target {
            Target::Outcomes => blocks::outcomes(game, limits, monitor),
            Target::Values => blocks::values(game, limits, monitor),
        };
        found.map(|blocks| Proved::by_check(Self { game: game.clone(), blocks, target }))
    }

    /// The game.
    pub fn game(&self) -> &LatticeGame {
        &self.game
    }

    /// The labels.
    pub fn blocks(&self) -> &Blocks {
        &self.blocks
    }

    /// What the labels say.
    pub fn target(&self) -> Target {
        self.target
    }

    fn label(&self, x: &[BigInt]) -> Option<u8> {
        if !self.game.is_position_big(x) {
            return None;
        }
        let x: Vec<BigUint> = x.iter().map(BigInt::to_biguint).collect::<Option<_>>()?;
        self.blocks.label(&x)
    }

    /// The outcome of a position of any size; `None` when the point is not a position.
    ///
    /// # Complexity
    /// O(d · digits).
    pub fn outcome(&self, x: &[BigInt]) -> Option<Outcome> {
        self.label(x).map(|label| Outcome::p_if(label == 0))
    }

    /// The Grundy value of a position of any size; `None` when the point is not a position, or only outcomes are known.
    pub fn grundy(&self, x: &[BigInt]) -> Option<u64> {
        self.label(x).filter(|_| self.target == Target::Values).map(u64::from)
    }

    /// The options of a position that are P-positions, in the order of the rules.
    ///
    /// # Complexity
    /// O(|Γ| · d · digits).
    pub fn winning_moves(&self, x: &[BigInt]) -> Vec<Vec<BigInt>> {
        let mut moves = self.game.options_big(x);
        moves.retain(|option| self.label(option) == Some(0));
        moves
    }

    /// The number of P-positions with 0 ≤ xᵢ < sizes\[i\].
    pub fn count(&self, sizes: &[BigUint], monitor: &dyn Monitor) -> Result<BigUint, StopReason> {
        self.blocks.count(sizes, monitor)
    }

    /// The P-positions as an automaton that reads least significant digits first, when it is small enough.
    pub fn vector_set(&self, effort: &Effort<'_>) -> Result<VectorSet, StopReason> {
        self.blocks.vector_set(effort)
    }

    /// The form's name in files.
    fn name(&self) -> &'static str {
        match self.target {
            Target::Outcomes => "blocks",
            Target::Values => "grundy-blocks",
        }
    }

    /// The strategy file.
    pub fn to_envelope(&self) -> Envelope {
        let text = |labels: &Vec<u8>| -> String { labels.iter().map(|&label| character(label)).collect() };
        let mut certificate: Map<String, Value> = board_proof(&self.game);
        certificate.insert("side".into(), json!(self.blocks.side()));
        certificate.insert("transitions".into(), json!(self.blocks.transitions()));
        certificate.insert("state_blocks".into(), json!(self.blocks.state_blocks()));
        certificate.insert("blocks".into(), json!(self.blocks.contents().iter().map(text).collect::<Vec<_>>()));
        Envelope {
            form: self.name().into(),
            play: self.game.play(),
            game: self.game.to_json(),
            certificate: Value::Object(certificate),
        }
    }

    /// Reads a strategy file; the claim itself is the checker's business.
    pub fn from_envelope(envelope: &Envelope, monitor: &dyn Monitor) -> Result<Unchecked<Self>, AutomatonError> {
        let shape = AutomatonError::Shape;
        let target = if envelope.form == "blocks" { Target::Outcomes } else { Target::Values };
        let game = LatticeGame::new(&Description::from_json(&envelope.game)?, monitor)?;
        let table: TableJson =
            serde_json::from_value(envelope.certificate.clone()).map_err(|error| shape(error.to_string()))?;
        let labels = |text: &String| text.chars().map(label).collect::<Option<Vec<u8>>>();
        let contents = table.blocks.iter().map(labels).collect::<Option<_>>();
        let contents = contents.ok_or_else(|| shape("blocks: a character that is no label".into()))?;
        let blocks = Blocks::new(game.dimension(), table.side, table.transitions, table.state_blocks, contents);
        Ok(Unchecked::new(Self { game, blocks: blocks.map_err(shape)?, target }))
    }
}

/// The character of a label: a digit to base 36, or a point where there is no position.
fn character(label: u8) -> char {
    char::from_digit(label.into(), 36).unwrap_or('.')
}

fn label(character: char) -> Option<u8> {
    match character {
        '.' => Some(OFF),
        'A'..='Z' => None,
        digit => digit.to_digit(36).and_then(|digit| u8::try_from(digit).ok()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::strategy::verdict;
    use semilinear::run::Unlimited;

    fn game(text: &str) -> LatticeGame {
        LatticeGame::new(&Description::from_toml(text).unwrap(), &Unlimited).unwrap()
    }

    #[test]
    fn files_are_accepted_and_read_back() {
        for text in [
            "rules = [[2], [5]]\ndefeated = [[0], [1], [7]]",
            "rules = [[1, 0], [0, 1], [2, 2]]\nplay = \"misere\"",
            "rules = [[3, 1, 2], [2, 2, 1], [1, 4, 2]]",
            "rules = [[2, 0, 2, 0], [2, 1, 2, 3], [3, 3, 3, 0]]",
        ] {
            let game = game(text);
            for target in [Target::Outcomes, Target::Values] {
                let strategy = BlocksStrategy::found(&game, target, &Limits::default(), &Unlimited).finished().unwrap();
                let file = strategy.to_envelope();
                verdict(&file, &Unlimited).unwrap_or_else(|error| panic!("{text}: {error}"));
                let again = BlocksStrategy::from_envelope(&file, &Unlimited).unwrap();
                assert_eq!(again.claim().blocks(), strategy.blocks());
                assert_eq!(again.claim().target(), target);
            }
        }
    }
}
