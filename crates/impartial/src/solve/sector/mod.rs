//! Two-dimensional games by sectors: far out, the P-positions and the Grundy values of most games are periodic between a few rays.
//!
//! Automata that read binary digits grow with the product of the sectors' period lattices, so long rays such as
//! (173,145) are out of their reach. Here the periods are read off far-out windows, rays off the windows between
//! them, and the P-positions, or the positions of each value, are written as strata f + ℕ{rᵢ, rᵢ₊₁}, f + ℕrᵢ and f. That is a guess; it becomes a
//! strategy only by the finite [proof]: outside a box computed from the strata the equation of the P-positions, or of the values,
//! repeats along the rays, so its truth in the box is its truth everywhere.
//!
//! ```
//! use impartial::lattice::{Description, LatticeGame};
//! use semilinear::run::{Run, Unlimited};
//! use impartial::solve::sector::sectors;
//! let game = Description::from_toml("rules = [[1, 0], [0, 1], [2, 2]]").unwrap();
//! let game = LatticeGame::new(&game, &Unlimited).unwrap();
//! let Run::Finished(found) = sectors(&game, 4096, &Unlimited) else { panic!() };
//! assert_eq!(found.rays(), [[2, 0], [6, 6], [0, 2]]);
//! assert!(found.contains(&[600_000_000_000u64.into(), 600_000_000_002u64.into()]));
//! ```

mod count;
mod cover;
mod detect;
mod grid;
pub mod proof;

use num_bigint::BigInt;
use num_integer::Integer as _;
use num_traits::{Signed as _, Zero as _};

use crate::lattice::LatticeGame;
use crate::solve::blocks::Target;
use semilinear::run::{Monitor, Run, StopReason};

use grid::Grid;

/// A vector of the plane.
pub type Vector2 = [i64; 2];

/// The points f + ℕ{generators} for every f of `points`; generators are rays by number, in order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stratum {
    /// The Grundy value of the points; 0 where only P-positions are listed.
    pub value: u8,
    /// No ray, one ray, or two neighbouring rays.
    pub generators: Vec<usize>,
    /// The finite set F, sorted.
    pub points: Vec<Vector2>,
}

/// A set of points of the plane as strata along rays, in inner coordinates, or a function on them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sectors {
    pub(crate) rays: Vec<Vector2>,
    pub(crate) strata: Vec<Stratum>,
}

/// u₁v₂ − u₂v₁.
pub(crate) fn det(u: Vector2, v: Vector2) -> i128 {
    i128::from(u[0]) * i128::from(v[1]) - i128::from(u[1]) * i128::from(v[0])
}

impl Sectors {
    /// The set with these rays (counterclockwise) and strata; nothing is proved of it.
    pub fn new(rays: Vec<Vector2>, strata: Vec<Stratum>) -> Self {
        Self { rays, strata }
    }

    /// The rays, counterclockwise.
    pub fn rays(&self) -> &[Vector2] {
        &self.rays
    }

    /// The strata.
    pub fn strata(&self) -> &[Stratum] {
        &self.strata
    }

    /// The number of translates f + ℕ{…}.
    pub fn translates(&self) -> usize {
        self.strata.iter().map(|stratum| stratum.points.len()).sum()
    }

    /// Whether a point of any size lies in the set.
    ///
    /// # Complexity
    /// O(number of translates).
    pub fn contains(&self, x: &[BigInt; 2]) -> bool {
        self.value(x).is_some()
    }

    /// The value of the stratum that holds a point of any size; `None` when none does.
    ///
    /// # Complexity
    /// O(number of translates).
    pub fn value(&self, x: &[BigInt; 2]) -> Option<u8> {
        let holds = |stratum: &&Stratum| {
            let rays: Vec<Vector2> = stratum.generators.iter().map(|&g| self.rays[g]).collect();
            stratum.points.iter().any(|f| in_semigroup(&[&x[0] - f[0], &x[1] - f[1]], &rays))
        };
        self.strata.iter().find(holds).map(|stratum| stratum.value)
    }

    /// The largest value; 0 without strata.
    pub fn largest(&self) -> u8 {
        self.strata.iter().map(|stratum| stratum.value).max().unwrap_or(0)
    }

    /// The points of one value, as value 0.
    #[must_use]
    pub fn of_value(&self, value: u8) -> Self {
        let strata = self.strata.iter().filter(|stratum| stratum.value == value);
        Self {
            rays: self.rays.clone(),
            strata: strata.map(|stratum| Stratum { value: 0, ..stratum.clone() }).collect(),
        }
    }
}

/// Whether z ∈ ℕ{rays} for at most two rays, which are independent.
fn in_semigroup(z: &[BigInt; 2], rays: &[Vector2]) -> bool {
    let cross = |u: &[BigInt; 2], v: Vector2| &u[0] * v[1] - &u[1] * v[0];
    match rays {
        [] => z.iter().all(BigInt::is_zero),
        [u] => {
            let k = if u[0] != 0 { z[0].div_rem(&u[0].into()) } else { z[1].div_rem(&u[1].into()) };
            cross(z, *u).is_zero() && k.1.is_zero() && !k.0.is_negative()
        }
        [u, v, ..] => {
            let d = BigInt::from(det(*u, *v));
            let (a, b) = (cross(z, *v).div_rem(&d), (-cross(z, *u)).div_rem(&d));
            a.1.is_zero() && b.1.is_zero() && !a.0.is_negative() && !b.0.is_negative()
        }
    }
}

/// The P-positions of a game on a two-dimensional board as strata along rays, proved for the whole board. Regions grow
/// up to a square of side `largest` (in inner coordinates).
///
/// # Complexity
/// O(n²) for a region of side n, and the proof's box.
pub fn sectors(game: &LatticeGame, largest: u64, monitor: &dyn Monitor) -> Run<Sectors> {
    search(game, Target::Outcomes, largest, monitor).into()
}

/// The Grundy values of all positions as strata along rays, each of one value, proved as by [`sectors`].
///
/// # Complexity
/// O(n² · |Γ|) for a region of side n, and the proof's box.
///
/// ```
/// use impartial::lattice::{Description, LatticeGame};
/// use semilinear::run::{Run, Unlimited};
/// use impartial::solve::sector::values;
/// let game = Description::from_toml("rules = [[1, 2], [5, 5], [6, 0]]").unwrap();
/// let game = LatticeGame::new(&game, &Unlimited).unwrap();
/// let Run::Finished(found) = values(&game, 4096, &Unlimited) else { panic!() };
/// assert_eq!(found.rays(), [[12, 0], [90, 35], [66, 35], [11, 10], [0, 1]]);
/// assert_eq!(found.value(&[600_000_000_000u64.into(), 300_000_000_002u64.into()]), Some(1));
/// ```
pub fn values(game: &LatticeGame, largest: u64, monitor: &dyn Monitor) -> Run<Sectors> {
    search(game, Target::Values, largest, monitor).into()
}

fn search(game: &LatticeGame, target: Target, largest: u64, monitor: &dyn Monitor) -> Result<Sectors, StopReason> {
    if game.dimension() != 2 {
        return Err(StopReason::Size { what: "coordinates (the sector method)", limit: 2 });
    }
    // Most games are quick; the others have walls beside an edge, or periods of one sector that are some of another's.
    match search_by(game, target, largest, false, monitor) {
        Err(StopReason::Size { .. }) => search_by(game, target, largest, true, monitor),
        found => found,
    }
}

fn search_by(
    game: &LatticeGame,
    target: Target,
    largest: u64,
    careful: bool,
    monitor: &dyn Monitor,
) -> Result<Sectors, StopReason> {
    let mut side = 256u64.min(largest);
    loop {
        let grid = Grid::new(game, target, side, monitor)?;
        let guesses = detect::rays(game, &grid, careful, monitor)?;
        if guesses.is_empty() {
            monitor.trace(&|| format!("sectors: no rays seen on a square of side {side}"));
        }
        for rays in guesses {
            monitor.trace(&|| format!("sectors: rays {rays:?} on a square of side {side}"));
            let Some(strata) = cover::strata(&grid, &rays, careful, monitor)? else {
                monitor.trace(&|| "sectors: the strata along these rays do not cover".into());
                continue;
            };
            let guess = Sectors { rays, strata };
            match proof::counterexample(game, &guess, target, monitor)? {
                Ok(None) => return Ok(guess),
                Ok(Some(x)) => monitor.trace(&|| format!("sectors: the equation fails at {x:?}")),
                Err(what) => monitor.trace(&|| format!("sectors: no proof: {what}")),
            }
        }
        if side >= largest {
            return Err(StopReason::Size { what: "points on a side of the sector method's region", limit: largest });
        }
        side = (side * 2).min(largest);
    }
}

#[cfg(test)]
mod tests;
