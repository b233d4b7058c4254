//! Forms "sectors" and "grundy-sectors": the P-positions or the Grundy values of a game in the plane as strata along rays.

use num_bigint::{BigInt, BigUint};
use serde::Deserialize;
use serde_json::{Map, Value, json};

use super::{AutomatonError, Envelope, Proved, Unchecked, board_proof};
use crate::error::{Error, Result};
use crate::lattice::{Description, LatticeGame};
use crate::outcome::Outcome;
use crate::solve::blocks::Target;
use crate::solve::sector::{self, Sectors, Stratum, proof};
use semilinear::run::{Monitor, Run, StopReason};
use semilinear::vectorset::{Effort, VectorSet};

/// A lattice game in the plane with its P-positions or its Grundy values as strata, in the game's inner coordinates.
///
/// ```
/// use impartial::lattice::{Description, LatticeGame};
/// use impartial::run::{Run, Unlimited};
/// use impartial::solve::blocks::Target;
/// use impartial::strategy::SectorStrategy;
/// let game = Description::from_toml("rules = [[1, 2], [5, 5], [6, 0]]").unwrap();
/// let game = LatticeGame::new(&game, &Unlimited).unwrap();
/// let Run::Finished(strategy) = SectorStrategy::found(&game, Target::Values, 4096, &Unlimited) else { panic!() };
/// let far = ["1000000000000000000003", "400000000000000000000"].map(|x| x.parse().unwrap());
/// assert_eq!(strategy.grundy(&far), Some(0));
/// ```
#[derive(Clone, Debug)]
pub struct SectorStrategy {
    game: LatticeGame,
    sectors: Sectors,
    target: Target,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct StratumJson {
    value: Option<u8>,
    generators: Vec<usize>,
    points: Vec<[i64; 2]>,
}

impl SectorStrategy {
    /// The strategy, if the strata are proved to be the P-positions; else [`Error::Refused`].
    pub fn proved(game: LatticeGame, sectors: Sectors, monitor: &dyn Monitor) -> Result<Proved<Self>> {
        Self::proved_of(game, sectors, Target::Outcomes, monitor)
    }

    /// The strategy, if the strata are proved to be the Grundy values; else [`Error::Refused`].
    pub fn proved_values(game: LatticeGame, sectors: Sectors, monitor: &dyn Monitor) -> Result<Proved<Self>> {
        Self::proved_of(game, sectors, Target::Values, monitor)
    }

    fn proved_of(game: LatticeGame, sectors: Sectors, target: Target, monitor: &dyn Monitor) -> Result<Proved<Self>> {
        if game.dimension() != 2 {
            return Err(Error::input("sectors are for games with two coordinates; use a set of vectors"));
        }
        let what = if target == Target::Values { "Grundy values" } else { "P-positions" };
        match proof::counterexample(&game, &sectors, target, monitor)? {
            Ok(None) => Ok(Proved::by_check(Self { game, sectors, target })),
            Ok(Some(x)) => {
                Err(Error::Refused { reason: format!("the equation of the {what} fails at {x:?}"), position: None })
            }
            Err(reason) => Err(Error::Refused { reason, position: None }),
        }
    }

    /// The strategy that the sector method finds on squares up to this side: it has proved it before it ends.
    pub fn found(game: &LatticeGame, target: Target, largest: u64, monitor: &dyn Monitor) -> Run<Proved<Self>> {
        let found = match target {
            Target::Outcomes => sector::sectors(game, largest, monitor),
            Target::Values => sector::values(game, largest, monitor),
        };
        found.map(|sectors| Proved::by_check(Self { game: game.clone(), sectors, target }))
    }

    /// The P-positions alone: the form "sectors" of the same game.
    #[must_use]
    pub fn p_positions(strategy: &Proved<Self>) -> Proved<Self> {
        let (game, sectors) = (strategy.game.clone(), strategy.sectors.of_value(0));
        Proved::by_check(Self { game, sectors, target: Target::Outcomes })
    }

    /// The game.
    pub fn game(&self) -> &LatticeGame {
        &self.game
    }

    /// What the strata say.
    pub fn target(&self) -> Target {
        self.target
    }

    /// The P-positions, or the positions of each value, in inner coordinates.
    pub fn sectors(&self) -> &Sectors {
        &self.sectors
    }

    /// The P-positions as an automaton, when it is small enough.
    pub fn vector_set(&self, effort: &Effort<'_>) -> Result<VectorSet, StopReason> {
        let mut parts: Vec<VectorSet> = Vec::new();
        for stratum in self.sectors.strata().iter().filter(|stratum| stratum.value == 0) {
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

    fn value(&self, x: &[BigInt]) -> Option<u8> {
        let y = self.game.chart().inner_big(x);
        self.sectors.value(&[y[0].clone(), y[1].clone()])
    }

    fn is_p(&self, x: &[BigInt]) -> bool {
        self.value(x) == Some(0)
    }

    /// The Grundy value of a position of any size; `None` when the point is not a position, or only outcomes are known.
    ///
    /// # Complexity
    /// O(number of translates).
    pub fn grundy(&self, x: &[BigInt]) -> Option<u64> {
        let known = self.target == Target::Values && self.game.is_position_big(x);
        self.value(x).filter(|_| known).map(u64::from)
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
        let p = self.sectors.of_value(0);
        Ok(match proof::repeated(&self.game, &p, monitor)? {
            Ok(None) => Some(p.count(sizes)),
            _ => None,
        })
    }

    /// The strategy file.
    pub fn to_envelope(&self) -> Envelope {
        let mut certificate: Map<String, Value> = board_proof(&self.game);
        let stratum = |s: &Stratum| match self.target {
            Target::Outcomes => json!({"generators": s.generators, "points": s.points}),
            Target::Values => json!({"value": s.value, "generators": s.generators, "points": s.points}),
        };
        let strata: Vec<Value> = self.sectors.strata().iter().map(stratum).collect();
        certificate.insert("rays".into(), json!(self.sectors.rays()));
        certificate.insert("strata".into(), json!(strata));
        Envelope {
            form: if self.target == Target::Values { "grundy-sectors" } else { "sectors" }.into(),
            play: self.game.play(),
            game: self.game.to_json(),
            certificate: Value::Object(certificate),
        }
    }

    /// Reads a strategy file; the claim itself is the checker's business.
    pub fn from_envelope(envelope: &Envelope, monitor: &dyn Monitor) -> Result<Unchecked<Self>, AutomatonError> {
        let shape = |what: String| AutomatonError::Shape(what);
        let target = if envelope.form == "sectors" { Target::Outcomes } else { Target::Values };
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
                [i, j] => *i < rays.len() && *j < rays.len() && sector::det(rays[*i], rays[*j]) != 0,
                _ => false,
            };
            if !sound {
                return Err(shape("strata: generators that are not one ray or two independent ones".into()));
            }
        }
        if strata.iter().any(|stratum| stratum.value.is_some() != (target == Target::Values)) {
            return Err(shape(
                "strata: a \"value\" belongs to every stratum of form \"grundy-sectors\", and to no other".into(),
            ));
        }
        let read = |s: StratumJson| Stratum { value: s.value.unwrap_or(0), generators: s.generators, points: s.points };
        let strata = strata.into_iter().map(read).collect();
        Ok(Unchecked::new(Self { game, sectors: Sectors::new(rays, strata), target }))
    }
}
