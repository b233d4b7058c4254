//! Lattice games, in coordinates of ℕᵈ.

use crate::format::{Chart, LatticeGame, matrix, vector};
use crate::meter::Meter;
use crate::{Checked, refuse};

/// The most coordinates of a game, and of one whose positions are read by automata.
const MOST_COORDINATES: usize = 1024;
const MOST_TRACKS: usize = 64;

/// Λ = {x ∈ ℤᵈ : a·x + b ≥ 0 for every row (a, b)}, B = Λ∖D, and the rule set Γ.
pub(crate) struct Lattice {
    pub dimension: usize,
    pub rules: Vec<Vec<i128>>,
    /// `None` is the orthant.
    pub rows: Option<Vec<Vec<i128>>>,
    pub defeated: Vec<Vec<i128>>,
}

impl Lattice {
    pub fn new(game: &LatticeGame, misere: bool, meter: &Meter<'_>) -> Checked<Self> {
        let Some(dimension) = game.rules.first().map(Vec::len) else { return refuse("game.rules: there is no rule") };
        if !(1..=MOST_COORDINATES).contains(&dimension) {
            return refuse(format!("game.rules: {dimension} coordinates are not between 1 and {MOST_COORDINATES}"));
        }
        let rules = matrix("game.rules", &game.rules, dimension)?;
        let rows = game.board.as_ref().map(|rows| matrix("game.board", rows, dimension + 1)).transpose()?;
        let defeated = matrix("game.defeated", &game.defeated, dimension)?;
        let outside = |point: &Vec<i128>| match &rows {
            None => point.iter().any(|&x| x < 0),
            Some(rows) => rows.iter().any(|row| dot(&row[..dimension], point) + row[dimension] < 0),
        };
        meter.steps(rows.as_ref().map_or(1, Vec::len).saturating_mul((dimension + 1) * defeated.len()))?;
        refuse_if!(defeated.iter().any(outside), "game.defeated: a position that does not satisfy the board's rows");
        distinct("game.defeated", &defeated)?;
        let only_zero = defeated.len() == 1 && defeated[0].iter().all(|&x| x == 0);
        refuse_if!(misere != only_zero, "\"play\" is \"misere\" exactly when the origin alone is defeated");
        Ok(Self { dimension, rules, rows, defeated })
    }

    /// Verifies that play ends, and gives the game in coordinates of ℕᵈ: its own, or those of a chart.
    pub fn inner(&self, functional: &[i64], chart: Option<&Chart>, meter: &Meter<'_>) -> Checked<Inner> {
        let d = self.dimension;
        refuse_if!(d > MOST_TRACKS, "game.rules: {d} coordinates are not between 1 and {MOST_TRACKS}");
        let functional = vector("certificate.functional", functional, d)?;
        if self.rules.iter().any(|rule| dot(&functional, rule) <= 0) {
            return refuse("certificate.functional: not positive on every rule");
        }
        let (rules, defeated) = (self.rules.clone(), self.defeated.clone());
        match (&self.rows, chart) {
            (Some(rows), Some(chart)) => self.charted(rows, &functional, chart, meter),
            (None, None) if functional.iter().all(|&l| l >= 0) => {
                Ok(Inner { dimension: d, rules, rows: vec![], defeated, matrix: None })
            }
            (None, None) => refuse("certificate.functional: has a negative entry on the orthant"),
            _ => refuse("certificate.chart: it is there exactly when the game has a board"),
        }
    }
}

/// Refuses a list of vectors that stands for a set and has an entry twice.
pub(crate) fn distinct(place: &str, list: &[Vec<i128>]) -> Checked {
    let mut sorted: Vec<&Vec<i128>> = list.iter().collect();
    sorted.sort();
    let twice = sorted.windows(2).any(|pair| pair[0] == pair[1]);
    if twice { refuse(format!("{place}: a position stands twice")) } else { Ok(()) }
}

/// The rows of a matrix.
pub(crate) type Rows = Vec<Vec<i128>>;

/// The game in coordinates y ∈ ℕᵈ.
pub(crate) struct Inner {
    pub dimension: usize,
    pub rules: Vec<Vec<i128>>,
    /// Rows (a, b) of a·y + b ≥ 0, besides y ≥ 0.
    pub rows: Vec<Vec<i128>>,
    pub defeated: Vec<Vec<i128>>,
    /// M, M⁻¹ and s of y = Mx + s, x = M⁻¹(y − s); the orthant has none.
    pub matrix: Option<(Rows, Rows, Vec<i128>)>,
}

impl Inner {
    /// ℕᵈ without rules.
    pub fn orthant(dimension: usize) -> Self {
        Self { dimension, rules: vec![], rows: vec![], defeated: vec![], matrix: None }
    }

    /// The chart's coordinates of a vector.
    pub fn vector(&self, v: &[i128]) -> Vec<i128> {
        self.matrix.as_ref().map_or_else(|| v.to_vec(), |(m, ..)| m.iter().map(|row| dot(row, v)).collect())
    }

    /// The chart's coordinates of a point.
    pub fn point(&self, x: &[i128]) -> Vec<i128> {
        let y = self.vector(x);
        match &self.matrix {
            None => y,
            Some((.., shift)) => y.iter().zip(shift).map(|(y, s)| y + s).collect(),
        }
    }
}

/// a·x: exact, as there are at most 64 entries, of at most 2⁴⁰, or 2⁷⁰ on one side and 2²⁴ on the other.
pub(crate) fn dot(a: &[i128], x: &[i128]) -> i128 {
    a.iter().zip(x).map(|(a, x)| a * x).sum()
}
