//! Form "sectors": the P-positions of a game in the plane as strata along rays.

use num_bigint::{BigInt, BigUint};
use serde::Deserialize;
use serde_json::{Map, Value, json};

use super::{AutomatonError, Envelope, Proved, Unchecked, board_proof};
use crate::error::{Error, Result};
use crate::lattice::{Description, LatticeGame};
use crate::outcome::Outcome;
use crate::solve::sector::{Sectors, Stratum, proof};
use semilinear::run::{Monitor, StopReason};
use semilinear::vectorset::{Effort, VectorSet};

/// A lattice game in the plane with its P-positions as strata, in the game's inner coordinates.
#[derive(Clone, Debug)]
pub struct SectorStrategy {
    game: LatticeGame,
    sectors: Sectors,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct StratumJson {
    generators: Vec<usize>,
    points: Vec<[i64; 2]>,
}

impl SectorStrategy {
    /// The strategy, if the strata are proved to be the P-positions; else [`Error::Refused`].
    pub fn proved(game: LatticeGame, sectors: Sectors, monitor: &dyn Monitor) -> Result<Proved<Self>> {
        if game.dimension() != 2 {
            return Err(Error::input("sectors are for games with two coordinates; use a set of vectors"));
        }
        match proof::counterexample(&game, &sectors, monitor)? {
            Ok(None) => Ok(Proved::by_check(Self { game, sectors })),
            Ok(Some(x)) => Err(Error::Refused {
                reason: format!("the equation of the P-positions fails at {x:?}"),
                position: None,
            }),
            Err(reason) => Err(Error::Refused { reason, position: None }),
        }
    }

    /// The game.
    pub fn game(&self) -> &LatticeGame {
        &self.game
    }

    /// The P-positions in inner coordinates.
    pub fn sectors(&self) -> &Sectors {
        &self.sectors
    }

    /// The P-positions as an automaton, when it is small enough.
    pub fn vector_set(&self, effort: &Effort<'_>) -> Result<VectorSet, StopReason> {
        let mut parts: Vec<VectorSet> = Vec::new();
        for stratum in self.sectors.strata() {
            let columns: Vec<Vec<i64>> = stratum.generators.iter().map(|&g| self.sectors.rays()[g].to_vec()).collect();
            for f in &stratum.points {
                parts.push(VectorSet::image(f, &columns, effort)?);
            }
        }
        // Unions of neighbours of like size keep the automata on the way small.
        while parts.len() > 1 {
            parts = parts
                .chunks(2)
                .map(|pair| match pair {
                    [a, b] => a.union(b, effort),
                    _ => Ok(pair[0].clone()),
                })
                .collect::<Result<_, _>>()?;
        }
        Ok(parts.pop().unwrap_or_else(|| VectorSet::empty(2)))
    }

    fn is_p(&self, x: &[BigInt]) -> bool {
        let y = self.game.chart().inner_big(x);
        self.sectors.contains(&[y[0].clone(), y[1].clone()])
    }

    /// The outcome of a position of any size; `None` when the point is not a position.
    pub fn outcome(&self, x: &[BigInt]) -> Option<Outcome> {
        self.game.is_position_big(x).then(|| Outcome::p_if(self.is_p(x)))
    }

    /// The options of a position that are P-positions, in the order of the rules.
    pub fn winning_moves(&self, x: &[BigInt]) -> Vec<Vec<BigInt>> {
        let mut moves = self.game.options_big(x);
        moves.retain(|option| self.is_p(option));
        moves
    }

    /// The number of P-positions with 0 ≤ xᵢ < sizes\[i\] in the user's coordinates; `None` when translates overlap or the
    /// board has other coordinates than its own, so that an automaton must count.
    ///
    /// # Complexity
    /// The box of the proof, then O(digits) divisions a translate.
    pub fn count(&self, sizes: &[BigUint; 2], monitor: &dyn Monitor) -> Result<Option<BigUint>, StopReason> {
        if !self.game.chart().is_identity() {
            return Ok(None);
        }
        Ok(match proof::repeated(&self.game, &self.sectors, monitor)? {
            Ok(None) => Some(self.sectors.count(sizes)),
            _ => None,
        })
    }

    /// The strategy file.
    pub fn to_envelope(&self) -> Envelope {
        let mut certificate: Map<String, Value> = board_proof(&self.game);
        let strata: Vec<Value> = self
            .sectors
            .strata()
            .iter()
            .map(|stratum| json!({"generators": stratum.generators, "points": stratum.points}))
            .collect();
        certificate.insert("rays".into(), json!(self.sectors.rays()));
        certificate.insert("strata".into(), json!(strata));
        Envelope {
            form: "sectors".into(),
            play: self.game.play(),
            game: self.game.to_json(),
            certificate: Value::Object(certificate),
        }
    }

    /// Reads a strategy file; the claim itself is the checker's business.
    pub fn from_envelope(envelope: &Envelope, monitor: &dyn Monitor) -> Result<Unchecked<Self>, AutomatonError> {
        let shape = |what: String| AutomatonError::Shape(what);
        let game = LatticeGame::new(&Description::from_json(&envelope.game)?, monitor)?;
        if game.dimension() != 2 {
            return Err(shape("sectors are for games with two coordinates".into()));
        }
        let get = |key: &str| envelope.certificate.get(key).cloned().unwrap_or_default();
        let rays: Vec<[i64; 2]> = serde_json::from_value(get("rays")).map_err(|e| shape(format!("rays: {e}")))?;
        let strata: Vec<StratumJson> =
            serde_json::from_value(get("strata")).map_err(|e| shape(format!("strata: {e}")))?;
        for stratum in &strata {
            let sound = match stratum.generators.as_slice() {
                [] => true,
                [i] => *i < rays.len() && rays[*i] != [0, 0],
                [i, j] => *i < rays.len() && *j < rays.len() && crate::solve::sector::det(rays[*i], rays[*j]) != 0,
                _ => false,
            };
            if !sound {
                return Err(shape("strata: generators that are not one ray or two independent ones".into()));
            }
        }
        let strata = strata.into_iter().map(|s| Stratum { generators: s.generators, points: s.points }).collect();
        Ok(Unchecked::new(Self { game, sectors: Sectors::new(rays, strata) }))
    }
}
