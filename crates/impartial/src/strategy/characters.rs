//! Form "series" for parity kernels: f(P;t) as a sum over characters.

use num_bigint::BigInt;
use serde_json::{Value, json};
use thiserror::Error;

use super::{Congruence, Envelope, Proved, Unchecked};
use crate::error::Error;
use crate::lattice::{Description, LatticeError, LatticeGame};
use crate::outcome::{Outcome, Play};
use crate::solve::parity_kernel::ParityKernel;
use semilinear::integer::{Int, Vector};
use semilinear::run::{Monitor, StopReason};
use semilinear::series::CharacterSum;

/// A squarefree lattice game in normal play with the series of its P-positions as a sum of 2^r fractions, and the Grundy
/// values of unit vectors as its certificate.
///
/// ```
/// use impartial::lattice::{Description, LatticeGame};
/// use semilinear::run::Unlimited;
/// use impartial::solve::parity_kernel::ParityKernel;
/// use impartial::strategy::CharacterStrategy;
/// let game = Description::from_toml("rules = [[1, 0], [0, 1], [-1, 1]]").unwrap();
/// let game = LatticeGame::new(&game, &Unlimited).unwrap();
/// let kernel = ParityKernel::of_lattice(&game).unwrap();
/// let strategy = CharacterStrategy::new(game, &kernel, &Unlimited).unwrap();
/// assert!(strategy.outcome(&[4.into(), 6.into()]).unwrap().is_p());
/// ```
#[derive(Clone, Debug)]
pub struct CharacterStrategy {
    game: LatticeGame,
    values: Vec<u64>,
    sum: CharacterSum,
}

/// Why a strategy file of this kind cannot be read.
#[derive(Debug, Error)]
pub enum CharacterFileError {
    /// The certificate has another shape.
    #[error("strategy file: certificate: {0}; convert the parity kernel again")]
    Certificate(&'static str),
    /// The game is not sound.
    #[error("strategy file: {0}")]
    Game(#[from] LatticeError),
    /// A limit was reached.
    #[error("{0}")]
    Stopped(StopReason),
}

impl CharacterStrategy {
    /// The sum over the characters of the kernel.
    ///
    /// # Complexity
    /// O(2^r d), r the rank of the kernel.
    pub fn new(game: LatticeGame, kernel: &ParityKernel, monitor: &dyn Monitor) -> Result<Proved<Self>, Error> {
        let values = kernel.values().to_vec();
        if values.len() != game.dimension() {
            return Err(Error::input("a parity kernel of another dimension than the game; give the game's own"));
        }
        Unchecked::new(Self { game, sum: CharacterSum::of_values(&values)?, values })
            .checked(Self::to_envelope, monitor)
    }

    /// The game.
    pub fn game(&self) -> &LatticeGame {
        &self.game
    }

    /// The generating function of the P-positions.
    pub fn sum(&self) -> &CharacterSum {
        &self.sum
    }

    /// The outcome of a position of any size: the coefficient of t^x; `None` when the point is not a position.
    ///
    /// # Complexity
    /// O(2^r d).
    pub fn outcome(&self, x: &[BigInt]) -> Option<Outcome> {
        self.game.is_position_big(x).then(|| Outcome::p_if(self.sum.contains(&point(x))))
    }

    /// The options of a position that are P-positions, in the order of the rules.
    pub fn winning_moves(&self, x: &[BigInt]) -> Vec<Vec<BigInt>> {
        let mut moves = self.game.options_big(x);
        moves.retain(|option| self.outcome(option) == Some(Outcome::P));
        moves
    }

    /// Whether two positions are congruent, from the series alone: all characters must agree on them. Otherwise adding p (or its
    /// remainders modulo 2) gives a P-position for p only.
    ///
    /// # Complexity
    /// O(2^r d).
    pub fn congruence(&self, p: &[BigInt], q: &[BigInt]) -> Congruence {
        if self.sum.values_at(&point(p)) == self.sum.values_at(&point(q)) {
            Congruence::Congruent
        } else {
            Congruence::Different { witness: p.iter().map(|x| x % 2).collect() }
        }
    }

    /// The strategy file.
    pub fn to_envelope(&self) -> Envelope {
        let signs: Vec<Vec<i8>> = self
            .sum
            .signs()
            .iter()
            .map(|s| s.iter().map(|&negative| if negative { -1 } else { 1 }).collect())
            .collect();
        Envelope {
            form: "series".into(),
            play: Play::Normal,
            game: self.game.to_json(),
            certificate: json!({"values": self.values, "functional": self.game.functional(), "characters": signs}),
        }
    }

    /// Reads a strategy file; the claim itself is the checker's business.
    pub fn from_envelope(envelope: &Envelope, monitor: &dyn Monitor) -> Result<Unchecked<Self>, CharacterFileError> {
        let game = LatticeGame::new(&Description::from_json(&envelope.game)?, monitor)?;
        let wrong = CharacterFileError::Certificate;
        let values =
            super::parity_kernel::values(envelope).map_err(|_| wrong("\"values\" is not a list of natural numbers"))?;
        let written = envelope.certificate.get("characters").cloned().unwrap_or(Value::Null);
        let signs: Vec<Vec<i8>> =
            serde_json::from_value(written).map_err(|_| wrong("\"characters\" is not a list of lists of signs"))?;
        let d = game.dimension();
        if values.len() != d || signs.iter().any(|s| s.len() != d || s.iter().any(|x| x.abs() != 1)) {
            return Err(wrong("not one value and one sign 1 or -1 for each coordinate"));
        }
        let rows: Vec<Vec<bool>> = signs.iter().map(|s| s.iter().map(|&x| x < 0).collect()).collect();
        let sum = CharacterSum::spanned(d, &rows).map_err(CharacterFileError::Stopped)?;
        if sum.signs().len() != signs.len() {
            return Err(wrong("the characters are no group"));
        }
        Ok(Unchecked::new(Self { game, values, sum }))
    }

    /// The Grundy values of the unit vectors.
    pub fn values(&self) -> &[u64] {
        &self.values
    }
}

impl From<CharacterFileError> for Error {
    fn from(error: CharacterFileError) -> Self {
        match error {
            CharacterFileError::Stopped(why) | CharacterFileError::Game(LatticeError::Stopped(why)) => why.into(),
            error => Self::input(error),
        }
    }
}

fn point(x: &[BigInt]) -> Vector {
    x.iter().map(Int::from).collect()
}
