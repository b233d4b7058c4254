//! Lattice games, and charts: coordinates in which a board lies in ℕᵈ.

use crate::format::{Chart, LatticeGame, Matrix, Vector, matrix, vector};
use crate::meter::Meter;
use crate::{Failure, refuse};

/// Entries of charts beyond this size are refused, so that products of three numbers stay exact in 128 bits.
const LARGEST_IN_CHART: i128 = 1 << 24;
/// The most coordinates of games whose positions are read by automata.
pub(crate) const MOST_COORDINATES: usize = 64;

/// Λ = {x ∈ ℤᵈ : a·x + b ≥ 0 for every row (a, b)}, B = Λ∖D, and the rule set Γ.
pub(crate) struct Lattice {
    pub dimension: usize,
    pub rules: Vec<Vec<i128>>,
    /// `None` is the orthant.
    pub rows: Option<Vec<Vec<i128>>>,
    pub defeated: Vec<Vec<i128>>,
}

impl Lattice {
    /// The game, with at most so many coordinates.
    pub fn new(most: usize, game: &LatticeGame, misere: bool) -> Result<Self, Failure> {
        let Some(dimension) = game.rules.first().map(Vec::len) else { return refuse("game.rules: there is no rule") };
        if !(1..=most).contains(&dimension) {
            return refuse(format!("game.rules: {dimension} coordinates are not between 1 and {most}"));
        }
        let rules = matrix("game.rules", &game.rules, dimension)?;
        let rows = game.board.as_ref().map(|rows| matrix("game.board", rows, dimension + 1)).transpose()?;
        let defeated = matrix("game.defeated", &game.defeated, dimension)?;
        let outside = |point: &Vec<i128>| match &rows {
            None => point.iter().any(|&x| x < 0),
            Some(rows) => rows.iter().any(|row| dot(&row[..dimension], point) + row[dimension] < 0),
        };
        if defeated.iter().any(outside) {
            return refuse("game.defeated: a position that does not satisfy the board's inequalities");
        }
        distinct("game.defeated", &defeated)?;
        let only_zero = defeated.len() == 1 && defeated[0].iter().all(|&x| x == 0);
        if misere != only_zero {
            return refuse("\"play\" is \"misere\" exactly when the origin alone is defeated");
        }
        Ok(Self { dimension, rules, rows, defeated })
    }

    /// Verifies that play ends and that the chart maps the board into ℕᵈ, one to one on ℤᵈ, and gives the game in the chart's
    /// coordinates.
    pub fn inner(&self, functional: &[i64], chart: Option<&Chart>, meter: &Meter<'_>) -> Result<Inner, Failure> {
        let d = self.dimension;
        let functional = vector("certificate.functional", functional, d)?;
        if self.rules.iter().any(|rule| dot(&functional, rule) <= 0) {
            return refuse("certificate.functional: not positive on every rule");
        }
        let (rules, defeated) = (self.rules.clone(), self.defeated.clone());
        let (rows, chart) = match (&self.rows, chart) {
            (Some(rows), Some(chart)) => (rows, chart),
            (None, None) if functional.iter().all(|&l| l >= 0) => {
                return Ok(Inner { dimension: d, rules, rows: vec![], defeated, matrix: None });
            }
            (None, None) => return refuse("certificate.functional: has a negative entry on the orthant"),
            _ => return refuse("certificate.chart: it is there exactly when the game has a board"),
        };
        let forward = square("certificate.chart.matrix", &chart.matrix, d)?;
        let backward = square("certificate.chart.inverse", &chart.inverse, d)?;
        let unit =
            |i: usize, j: usize| (0..d).map(|k| forward[i][k] * backward[k][j]).sum::<i128>() == i128::from(i == j);
        if !(0..d).all(|i| (0..d).all(|j| unit(i, j))) {
            return refuse("certificate.chart: \"inverse\" is not the inverse of \"matrix\"");
        }
        let shift = moderate("certificate.chart.shift", vector("certificate.chart.shift", &chart.shift, d)?)?;
        if chart.bounds.len() != d {
            return refuse("certificate.chart.bounds: not one for each coordinate");
        }
        for (i, list) in chart.bounds.iter().enumerate() {
            // t·(v·x + s) ≥ t·s − Σ λⱼbⱼ > −t, and v·x + s is an integer: it is at least 0.
            let (scale, sum) = bound(list, rows, &forward[i])?;
            if scale * (shift[i] + 1) <= sum {
                return refuse(format!(
                    "certificate.chart: coordinate {i} is not proved to be non-negative on the board"
                ));
            }
        }
        bound(&chart.functional_bound, rows, &functional)?;
        let inner_row = |row: &Vec<i128>| {
            // a·x + b with x = M⁻¹(y − s).
            let mut inner: Vec<i128> = (0..d).map(|j| (0..d).map(|k| row[k] * backward[k][j]).sum()).collect();
            let moved = dot(&inner, &shift);
            inner.push(row[d] - moved);
            bearable(inner, meter)
        };
        let rows = rows.iter().map(inner_row).collect::<Result<_, _>>()?;
        let mut inner = Inner { dimension: d, rules, rows, defeated, matrix: Some((forward, backward, shift)) };
        inner.rules = inner.rules.iter().map(|rule| inner.vector(rule)).collect();
        inner.defeated = inner.defeated.iter().map(|p| inner.point(p)).collect();
        Ok(inner)
    }

    /// The game in words.
    pub fn words(&self) -> String {
        let board = match &self.rows {
            None => format!("N^{}", self.dimension),
            Some(rows) => format!("the integer points of {} inequalities in dimension {}", rows.len(), self.dimension),
        };
        let (rules, defeated) = (self.rules.len(), self.defeated.len());
        format!("the lattice game with {rules} rules and {defeated} defeated positions on {board}")
    }
}

/// Refuses a list of vectors that stands for a set and has an entry twice.
pub(crate) fn distinct(place: &str, list: &[Vec<i128>]) -> Result<(), Failure> {
    let mut sorted: Vec<&Vec<i128>> = list.iter().collect();
    sorted.sort();
    let twice = sorted.windows(2).any(|pair| pair[0] == pair[1]);
    if twice { refuse(format!("{place}: a position stands twice")) } else { Ok(()) }
}

/// A scale t ≥ 1 and multipliers λ ≥ 0 with t·v = Σ λⱼaⱼ: then t·v·x ≥ −Σ λⱼbⱼ on the board. Gives t and Σ λⱼbⱼ.
fn bound(list: &Vector, rows: &[Vec<i128>], v: &[i128]) -> Result<(i128, i128), Failure> {
    let numbers = vector("certificate.chart: a bound", list, rows.len() + 1)?;
    let (scale, multipliers) = (numbers[0], &numbers[1..]);
    if scale < 1 || multipliers.iter().any(|&x| x < 0) {
        return refuse("certificate.chart: a bound: the scale must be positive, the multipliers non-negative");
    }
    let sum = |i: usize| multipliers.iter().zip(rows).map(|(l, row)| l * row[i]).sum::<i128>();
    if v.iter().enumerate().any(|(i, vi)| sum(i) != scale * vi) {
        return refuse("certificate.chart: the multipliers do not combine the board's rows to the vector");
    }
    Ok((scale, sum(v.len())))
}

/// The rows of a matrix.
type Rows = Vec<Vec<i128>>;

/// The game in coordinates y ∈ ℕᵈ.
pub(crate) struct Inner {
    pub dimension: usize,
    pub rules: Vec<Vec<i128>>,
    /// Rows (a, b) of a·y + b ≥ 0, besides y ≥ 0.
    pub rows: Vec<Vec<i128>>,
    pub defeated: Vec<Vec<i128>>,
    /// M, M⁻¹ and s of y = Mx + s, x = M⁻¹(y − s); the orthant has none.
    matrix: Option<(Rows, Rows, Vec<i128>)>,
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

    /// The game's own coordinates of a vector of ℕᵈ; only to be shown.
    pub fn own(&self, y: &[i128]) -> Vec<i128> {
        let Some((_, inverse, shift)) = &self.matrix else { return y.to_vec() };
        let moved: Vec<i128> = y.iter().zip(shift).map(|(y, s)| y.saturating_sub(*s)).collect();
        let times = |row: &Vec<i128>| {
            row.iter().zip(&moved).fold(0_i128, |sum, (a, y)| sum.saturating_add(a.saturating_mul(*y)))
        };
        inverse.iter().map(times).collect()
    }
}

/// The row (a, b) divided by the common divisor of a, when it can be walked over.
///
/// After k digits of every coordinate b has become ⌊(b + a·x)/2ᵏ⌋ with 0 ≤ xᵢ < 2ᵏ: without a common divisor these are all numbers
/// between the sums of the negative and of the positive entries of a, up to a few. So many residuals are met.
fn bearable(mut row: Vec<i128>, meter: &Meter<'_>) -> Result<Vec<i128>, Failure> {
    let b = row.pop().unwrap_or(0);
    let divisor = row.iter().fold(0, |g, &x| gcd(g, x.abs())).max(1);
    for x in &mut row {
        *x /= divisor;
    }
    let residuals = row.iter().fold(0_i128, |sum, x| sum.saturating_add(x.abs()));
    meter.hold(u64::try_from(residuals).unwrap_or(u64::MAX).saturating_mul(128))?;
    row.push(b.div_euclid(divisor));
    Ok(row)
}

fn gcd(a: i128, b: i128) -> i128 {
    if b == 0 { a } else { gcd(b, a % b) }
}

/// A square matrix of a chart.
fn square(place: &str, list: &Matrix, d: usize) -> Result<Vec<Vec<i128>>, Failure> {
    let m = matrix(place, list, d)?;
    if m.len() != d {
        return refuse(format!("{place}: not a square matrix"));
    }
    m.into_iter().map(|row| moderate(place, row)).collect()
}

fn moderate(place: &str, entries: Vec<i128>) -> Result<Vec<i128>, Failure> {
    match entries.iter().find(|x| x.abs() > LARGEST_IN_CHART) {
        Some(x) => refuse(format!("{place}: {x} is not between -2^24 and 2^24")),
        None => Ok(entries),
    }
}

/// a·x: exact, as there are at most 64 entries, of at most 2⁴⁰, or 2⁷⁰ on one side and 2²⁴ on the other.
pub(crate) fn dot(a: &[i128], x: &[i128]) -> i128 {
    a.iter().zip(x).map(|(a, x)| a * x).sum()
}

/// A vector as people write it.
pub(crate) fn written(x: &[i128]) -> String {
    let x: Vec<String> = x.iter().map(ToString::to_string).collect();
    format!("({})", x.join(","))
}
