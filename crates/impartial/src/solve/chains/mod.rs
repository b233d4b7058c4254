//! The Poset Game Periodicity Theorem (Byrnes 2002) as an algorithm: f_{B,j}(m) = the n with
//! g(B, m, n) = j, for every order ideal B of A and every j ≤ K, solved with proof.
//!
//! `docs/theory/chains.md` has the recursion, its bounds and the proofs.

mod answers;
mod branch;
mod checkpoint;
mod columns;
mod equation;
mod explain;
mod ideals;
mod pattern;
pub mod plain;
mod three_rows;

pub use answers::{GrundyAnswer, grundy};
pub use branch::{Branch, NONE};
pub use checkpoint::{branches_from_bytes, branches_to_bytes};
pub use explain::Notions;
pub use ideals::{Ideal, Ideals, Move, NEVER};
pub use pattern::{Kind, Pattern};
pub use three_rows::ThreeRows;

use crate::poset::chains::{ChainsGame, Cross};
use crate::solve::threads;
use semilinear::run::{Monitor, StopReason};

/// The largest Grundy value that is solved for; a run of this size would take years.
pub const LARGEST_VALUE: u64 = 1 << 20;

/// A solved chains game: every f_{B,j} for j ≤ K, as finite data.
///
/// ```
/// use impartial::{poset::chains::ChainsGame, run::Unlimited, solve::chains::Solution};
/// // Three-row Chomp with third row 2: the P-positions are (m + 2, m, 2).
/// let game = ChainsGame::chomp(&[2]).unwrap();
/// let solution = Solution::new(game, 0, &Unlimited).unwrap();
/// let f = solution.branch(solution.ideals().whole(), 0);
/// assert_eq!((f.preperiod(), f.period), (2, 1));
/// assert_eq!(f.at(1_000), Some(1_001)); // row 1 has one square more: the poison
/// ```
#[derive(Clone, Debug)]
pub struct Solution {
    game: ChainsGame,
    cross: Cross,
    ideals: Ideals,
    branches: Vec<Vec<Branch>>,
    values: u32,
}

impl Solution {
    /// Solves f_{B,j} for all order ideals B of A and all j ≤ `values`.
    ///
    /// # Complexity
    /// See `solve_ideal` for one ideal; ideals of equal size are solved in parallel.
    pub fn new(game: ChainsGame, values: u64, monitor: &dyn Monitor) -> Result<Self, StopReason> {
        let mut solving = Solving::new(game, values, Vec::new(), monitor)?;
        while solving.step(monitor)? {}
        Ok(solving.solution().expect("every step is done"))
    }

    /// A solution from parts that were solved elsewhere (a strategy file); `None` when they do not fit.
    pub fn from_parts(
        game: ChainsGame,
        values: u32,
        mut branch: impl FnMut(&[u32]) -> Option<Vec<Branch>>,
        monitor: &dyn Monitor,
    ) -> Result<Option<Self>, StopReason> {
        let ideals = Ideals::new(&game, monitor)?;
        let cross = game.cross();
        let branches: Option<Vec<_>> = ideals
            .list()
            .iter()
            .map(|ideal| branch(&ideal.key).filter(|branches| branches.len() == values as usize + 1))
            .collect();
        Ok(branches.map(|branches| Self { game, cross, ideals, branches, values }))
    }

    /// The game.
    pub fn game(&self) -> &ChainsGame {
        &self.game
    }

    /// The order ideals of A.
    pub fn ideals(&self) -> &Ideals {
        &self.ideals
    }

    /// The largest value K that is solved.
    pub fn values(&self) -> u32 {
        self.values
    }

    /// f_{B,j} for the ideal with this index.
    pub fn branch(&self, ideal: usize, j: u32) -> &Branch {
        &self.branches[ideal][j as usize]
    }
}

/// A chains game that is being solved, order ideal after order ideal: the caller may stop and go on later.
///
/// ```
/// use impartial::{poset::chains::ChainsGame, run::Unlimited, solve::chains::Solving};
/// let game = ChainsGame::chomp(&[5]).unwrap();
/// let mut solving = Solving::new(game.clone(), 0, Vec::new(), &Unlimited).unwrap();
/// solving.step(&Unlimited).unwrap();
/// let known = solving.branches().to_vec();
/// let mut later = Solving::new(game, 0, known, &Unlimited).unwrap();
/// while later.step(&Unlimited).unwrap() {}
/// assert_eq!(later.solution().unwrap().pattern(0).unwrap().preperiod(), 7);
/// ```
pub struct Solving {
    game: ChainsGame,
    cross: Cross,
    ideals: Ideals,
    branches: Vec<Vec<Branch>>,
    values: u32,
}

impl Solving {
    /// Begins, or goes on with the functions of the first order ideals (what [`Solving::branches`] gave for this
    /// game and number of values; ideals beyond those of the game are left out).
    pub fn new(
        game: ChainsGame,
        values: u64,
        mut known: Vec<Vec<Branch>>,
        monitor: &dyn Monitor,
    ) -> Result<Self, StopReason> {
        let limit = LARGEST_VALUE;
        let values = u32::try_from(values)
            .ok()
            .filter(|&k| u64::from(k) <= limit)
            .ok_or(StopReason::Size { what: "Grundy values solved for at once", limit })?;
        let ideals = Ideals::new(&game, monitor)?;
        let cross = game.cross();
        known.truncate(ideals.list().len());
        Ok(Self { game, cross, ideals, branches: known, values })
    }

    /// Solves the next order ideals, those of one size in parallel; `false` when all are solved.
    ///
    /// # Complexity
    /// See `solve_ideal` for one ideal.
    pub fn step(&mut self, monitor: &dyn Monitor) -> Result<bool, StopReason> {
        monitor.phase("order ideals");
        let rest = &self.ideals.list()[self.branches.len()..];
        let Some(first) = rest.first() else { return Ok(false) };
        let level = rest.iter().take_while(|ideal| ideal.size == first.size).count();
        let one = |ideal: &Ideal| columns::solve_ideal(&self.cross, &self.branches, ideal, self.values, monitor);
        let solved = threads::all(&rest[..level], one)?;
        self.branches.extend(solved);
        monitor.check(self.branches.len() as u64, Some(self.ideals.list().len() as u64))?;
        Ok(true)
    }

    /// The order ideals, those that are solved first.
    pub fn ideals(&self) -> &Ideals {
        &self.ideals
    }

    /// For each solved ideal B: f_{B,0}, f_{B,1}, ….
    pub fn branches(&self) -> &[Vec<Branch>] {
        &self.branches
    }

    /// The solution, when every ideal is solved.
    pub fn solution(self) -> Option<Solution> {
        let Self { game, cross, ideals, branches, values } = self;
        (branches.len() == ideals.list().len()).then_some(Solution { game, cross, ideals, branches, values })
    }
}
