//! Whether two positions are congruent, from the P-positions as an automaton or as strata.

use num_bigint::{BigInt, BigUint};

use super::{AutomatonStrategy, SectorStrategy, StratificationStrategy};
use crate::lattice::LatticeGame;
use crate::solve::congruence::witness_in;
use semilinear::run::StopReason;
use semilinear::vectorset::{Effort, Relation, VectorSet};

/// Whether two positions are congruent (Guo–Miller 2011, Definition 6.1).
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Congruence {
    /// Adding any vector of the recession cone to both gives the same outcome.
    Congruent,
    /// Adding this vector gives a P-position in exactly one of both cases.
    Different {
        /// The vector r.
        witness: Vec<BigInt>,
    },
}

impl AutomatonStrategy {
    /// Whether two positions are congruent: an equality of canonical automata. The points p and q must lie in the board's
    /// polyhedron (defeated positions are allowed). A difference comes with the least r, by the sum of its coordinates in
    /// the game's inner coordinates.
    ///
    /// # Complexity
    /// That of [`crate::solve::congruence::witness`].
    ///
    /// # Panics
    /// When p or q is not in the polyhedron.
    ///
    /// ```
    /// use impartial::lattice::{Description, LatticeGame};
    /// use semilinear::run::Unlimited;
    /// use impartial::strategy::{AutomatonStrategy, Congruence};
    /// use semilinear::vectorset::{Effort, VectorSet};
    /// let effort = Effort::unlimited();
    /// let game = Description::from_toml("rules = [[1], [2], [3]]").unwrap();
    /// let game = LatticeGame::new(&game, &Unlimited).unwrap();
    /// let fours = VectorSet::congruence(&[1], 0, 4, &effort)?;
    /// let strategy = AutomatonStrategy::proved(game, fours, &effort)?;
    /// assert_eq!(strategy.congruence(&[1.into()], &[5.into()], &effort)?, Congruence::Congruent);
    /// let different = Congruence::Different { witness: vec![2.into()] };
    /// assert_eq!(strategy.congruence(&[1.into()], &[2.into()], &effort)?, different);
    /// # Ok::<(), impartial::Error>(())
    /// ```
    pub fn congruence(&self, p: &[BigInt], q: &[BigInt], effort: &Effort<'_>) -> Result<Congruence, StopReason> {
        congruence(self.game(), self.set(), p, q, effort)
    }
}

impl StratificationStrategy {
    /// [`AutomatonStrategy::congruence`] for the automaton of the strata (Guo–Miller 2011, Corollary 6.3).
    pub fn congruence(&self, p: &[BigInt], q: &[BigInt], effort: &Effort<'_>) -> Result<Congruence, StopReason> {
        congruence(self.game(), &self.vector_set(effort)?, p, q, effort)
    }
}

impl SectorStrategy {
    /// [`AutomatonStrategy::congruence`] for the automaton of the sectors.
    pub fn congruence(&self, p: &[BigInt], q: &[BigInt], effort: &Effort<'_>) -> Result<Congruence, StopReason> {
        congruence(self.game(), &self.vector_set(effort)?, p, q, effort)
    }
}

fn congruence(
    game: &LatticeGame,
    set: &VectorSet,
    p: &[BigInt],
    q: &[BigInt],
    effort: &Effort<'_>,
) -> Result<Congruence, StopReason> {
    let chart = game.chart();
    let inner = |x: &[BigInt]| -> Vec<BigUint> {
        chart.inner_big(x).iter().map(|y| y.to_biguint().expect("a point of the board")).collect()
    };
    let found = witness_in(set, &recession_cone(game, effort)?, &inner(p), &inner(q), effort)?;
    Ok(match found {
        None => Congruence::Congruent,
        Some(r) => {
            // A vector is the difference of a point and the inner origin's shift.
            let moved: Vec<BigInt> = r.into_iter().zip(chart.shift()).map(|(r, s)| BigInt::from(r) + s).collect();
            Congruence::Different { witness: chart.outer_big(&moved) }
        }
    })
}

/// The integer vectors of the board's recession cone, in inner coordinates: there it lies in the orthant.
fn recession_cone(game: &LatticeGame, effort: &Effort<'_>) -> Result<VectorSet, StopReason> {
    let d = game.dimension();
    let mut cone = VectorSet::full(d);
    for row in game.inner_rows() {
        cone = cone.intersection(&VectorSet::linear(&row[..d], 0, Relation::AtLeastZero, effort)?, effort)?;
    }
    Ok(cone)
}
