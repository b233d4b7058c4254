//! Lattice games as strategy files hold them, and charts: coordinates in which a board lies in ℕᵈ.

use serde_json::{Map, Value};

use crate::meter::Meter;
use crate::{Failure, refuse};

/// Entries beyond this size are refused, so that sums of products stay exact in 128 bits.
const LARGEST: i128 = 1 << 40;
/// Entries of charts beyond this size are refused for the same reason.
const LARGEST_IN_CHART: i128 = 1 << 24;
/// The most coordinates.
const MOST_COORDINATES: usize = 64;

/// The game of a file: Λ = {x ∈ ℤᵈ : a·x + b ≥ 0 for every row (a, b)}, B = Λ∖D, and the rule set Γ.
#[derive(Debug)]
pub(crate) struct Lattice {
    pub dimension: usize,
    pub rules: Vec<Vec<i128>>,
    /// `None` is the orthant.
    pub rows: Option<Vec<Vec<i128>>>,
    pub defeated: Vec<Vec<i128>>,
}

impl Lattice {
    /// Reads `game`: exactly the keys `kind`, `rules`, `defeated` and perhaps `board`.
    pub fn read(game: &Map<String, Value>, misere: bool) -> Result<Self, Failure> {
        Self::read_up_to(MOST_COORDINATES, game, misere)
    }

    /// The same with another bound on the number of coordinates.
    pub fn read_up_to(most: usize, game: &Map<String, Value>, misere: bool) -> Result<Self, Failure> {
        known_keys("game", game, &["kind", "rules", "defeated", "board"])?;
        if game.get("kind").and_then(Value::as_str) != Some("lattice") {
            return refuse("\"game\": \"kind\" is not \"lattice\"");
        }
        let rules = matrix("game.rules", game.get("rules"), None)?;
        let Some(dimension) = rules.first().map(Vec::len) else { return refuse("game.rules: there is no rule") };
        if !(1..=most).contains(&dimension) {
            return refuse(format!("game.rules: {dimension} coordinates are not between 1 and {most}"));
        }
        let rules = matrix("game.rules", game.get("rules"), Some(dimension))?;
        let rows = match game.get("board") {
            None => None,
            rows => Some(matrix("game.board", rows, Some(dimension + 1))?),
        };
        let defeated = matrix("game.defeated", game.get("defeated"), Some(dimension))?;
        for point in &defeated {
            let outside = match &rows {
                None => point.iter().any(|&x| x < 0),
                Some(rows) => rows.iter().any(|row| value(row, point) < 0),
            };
            if outside {
                return refuse("game.defeated: a position that does not satisfy the board's inequalities");
            }
        }
        let mut distinct = defeated.clone();
        distinct.sort();
        distinct.dedup();
        if distinct.len() != defeated.len() {
            return refuse("game.defeated: a position stands twice");
        }
        let only_zero = defeated.len() == 1 && defeated[0].iter().all(|&x| x == 0);
        if misere != only_zero {
            return refuse("\"play\" is \"misere\" exactly when the origin alone is defeated");
        }
        Ok(Self { dimension, rules, rows, defeated })
    }

    /// Verifies that `functional` is positive on every rule and bounded below on the board, so that play ends.
    fn ends(&self, functional: &[i128], proof: Option<&Bound>) -> Result<(), Failure> {
        if self.rules.iter().any(|rule| dot(functional, rule) <= 0) {
            return refuse("certificate.functional: not positive on every rule");
        }
        match (&self.rows, proof) {
            (None, None) if functional.iter().all(|&l| l >= 0) => Ok(()),
            (None, None) => refuse("certificate.functional: has a negative entry on the orthant"),
            (Some(rows), Some(bound)) => bound.proves(rows, functional).map(|_| ()),
            _ => refuse("certificate: \"chart\" must be given exactly when the game has a board"),
        }
    }
}

/// Multipliers λ ≥ 0 and a scale t ≥ 1 with t·v = Σ λⱼaⱼ: then t·v·x ≥ −Σ λⱼbⱼ on the board.
#[derive(Debug)]
struct Bound {
    scale: i128,
    multipliers: Vec<i128>,
}

impl Bound {
    fn read(place: &str, value: Option<&Value>, rows: usize) -> Result<Self, Failure> {
        let numbers = vector(place, value, Some(rows + 1))?;
        if numbers[0] < 1 || numbers.iter().any(|&x| x < 0) {
            return refuse(format!("{place}: the scale must be positive, the multipliers non-negative"));
        }
        Ok(Self { scale: numbers[0], multipliers: numbers[1..].to_vec() })
    }

    /// Σ λⱼbⱼ, when the combination of rows is the scaled vector.
    fn proves(&self, rows: &[Vec<i128>], v: &[i128]) -> Result<i128, Failure> {
        for (i, vi) in v.iter().enumerate() {
            let sum: i128 = self.multipliers.iter().zip(rows).map(|(l, row)| l * row[i]).sum();
            if sum != self.scale * vi {
                return refuse("certificate.chart: the multipliers do not combine the board's rows to the vector");
            }
        }
        Ok(self.multipliers.iter().zip(rows).map(|(l, row)| l * row[v.len()]).sum())
    }
}

/// y = Mx + s, x = M⁻¹(y − s).
#[derive(Debug)]
struct Chart {
    matrix: Vec<Vec<i128>>,
    inverse: Vec<Vec<i128>>,
    shift: Vec<i128>,
}

/// The game in coordinates y ∈ ℕᵈ.
#[derive(Debug)]
pub(crate) struct Inner {
    pub rules: Vec<Vec<i128>>,
    /// Rows (a, b) of a·y + b ≥ 0, besides y ≥ 0.
    pub rows: Vec<Vec<i128>>,
    pub defeated: Vec<Vec<i128>>,
    /// The chart's matrix, its inverse and the shift; the orthant has none.
    chart: Option<Chart>,
}

impl Inner {
    /// The chart's coordinates of a vector.
    pub fn vector(&self, v: &[i128]) -> Vec<i128> {
        self.chart.as_ref().map_or_else(|| v.to_vec(), |chart| chart.matrix.iter().map(|row| dot(row, v)).collect())
    }

    /// The chart's coordinates of a point.
    pub fn point(&self, x: &[i128]) -> Vec<i128> {
        let y = self.vector(x);
        match &self.chart {
            None => y,
            Some(chart) => y.iter().zip(&chart.shift).map(|(y, s)| y + s).collect(),
        }
    }

    /// The game's own coordinates of a vector of ℕᵈ.
    pub fn own(&self, y: &[i128]) -> Vec<i128> {
        let Some(chart) = &self.chart else { return y.to_vec() };
        let moved: Vec<i128> = y.iter().zip(&chart.shift).map(|(y, s)| y.saturating_sub(*s)).collect();
        let times = |row: &Vec<i128>| {
            row.iter().zip(&moved).fold(0_i128, |sum, (a, y)| sum.saturating_add(a.saturating_mul(*y)))
        };
        chart.inverse.iter().map(times).collect()
    }
}

impl Lattice {
    /// Reads `functional` and `chart` of a certificate, verifies that play ends and that the chart maps the
    /// board into ℕᵈ, one to one on ℤᵈ, and gives the game in the chart's coordinates.
    pub fn inner(&self, certificate: &Map<String, Value>, meter: &Meter<'_>) -> Result<Inner, Failure> {
        let d = self.dimension;
        let functional = vector("certificate.functional", certificate.get("functional"), Some(d))?;
        let Some(rows) = &self.rows else {
            if certificate.contains_key("chart") {
                return refuse("certificate.chart: the orthant needs no chart");
            }
            self.ends(&functional, None)?;
            return Ok(Inner {
                rules: self.rules.clone(),
                rows: Vec::new(),
                defeated: self.defeated.clone(),
                chart: None,
            });
        };
        let Some(Value::Object(chart)) = certificate.get("chart") else {
            return refuse("certificate.chart: missing for a game with a board");
        };
        known_keys("certificate.chart", chart, &["matrix", "inverse", "shift", "bounds", "functional_bound"])?;
        let square = |key: &str| {
            let place = format!("certificate.chart.{key}");
            let m = matrix(&place, chart.get(key), Some(d))?;
            if m.len() != d {
                return refuse(format!("{place}: not a square matrix"));
            }
            moderate(&place, m.iter().flatten())?;
            Ok(m)
        };
        let (forward, backward) = (square("matrix")?, square("inverse")?);
        let is_inverse = (0..d).all(|i| {
            (0..d).all(|j| (0..d).map(|k| forward[i][k] * backward[k][j]).sum::<i128>() == i128::from(i == j))
        });
        if !is_inverse {
            return refuse("certificate.chart: \"inverse\" is not the inverse of \"matrix\"");
        }
        let shift = vector("certificate.chart.shift", chart.get("shift"), Some(d))?;
        moderate("certificate.chart.shift", shift.iter())?;
        let Some(Value::Array(bounds)) = chart.get("bounds") else {
            return refuse("certificate.chart.bounds: not a list");
        };
        if bounds.len() != d {
            return refuse("certificate.chart.bounds: not one for each coordinate");
        }
        for (i, bound) in bounds.iter().enumerate() {
            // t·(v·x + s) ≥ t·s − Σ λⱼbⱼ > −t, and v·x + s is an integer: it is at least 0.
            let bound = Bound::read("certificate.chart.bounds", Some(bound), rows.len())?;
            let sum = bound.proves(rows, &forward[i])?;
            if bound.scale * (shift[i] + 1) <= sum {
                return refuse(format!(
                    "certificate.chart: coordinate {i} is not proved to be non-negative on the board"
                ));
            }
        }
        let bound = Bound::read("certificate.chart.functional_bound", chart.get("functional_bound"), rows.len())?;
        self.ends(&functional, Some(&bound))?;
        let image = |x: &[i128]| -> Vec<i128> { forward.iter().map(|row| dot(row, x)).collect() };
        let inner_row = |row: &Vec<i128>| {
            // a·x + b with x = M⁻¹(y − s).
            let mut inner: Vec<i128> = (0..d).map(|j| (0..d).map(|k| row[k] * backward[k][j]).sum()).collect();
            let moved = dot(&inner, &shift);
            inner.push(row[d] - moved);
            inner
        };
        let rows = rows.iter().map(inner_row).map(|row| bearable(row, meter)).collect::<Result<_, _>>()?;
        Ok(Inner {
            rules: self.rules.iter().map(|rule| image(rule)).collect(),
            rows,
            defeated: self.defeated.iter().map(|p| image(p).iter().zip(&shift).map(|(x, s)| x + s).collect()).collect(),
            chart: Some(Chart { matrix: forward.clone(), inverse: backward.clone(), shift: shift.clone() }),
        })
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

/// Refuses charts with large entries: products of three numbers must stay exact in 128 bits.
fn moderate<'a>(place: &str, mut entries: impl Iterator<Item = &'a i128>) -> Result<(), Failure> {
    match entries.find(|x| x.abs() > LARGEST_IN_CHART) {
        Some(x) => refuse(format!("{place}: {x} is not between -2^24 and 2^24")),
        None => Ok(()),
    }
}

/// Refuses keys that the format does not know.
pub(crate) fn known_keys(place: &str, map: &Map<String, Value>, known: &[&str]) -> Result<(), Failure> {
    match map.keys().find(|key| !known.contains(&key.as_str())) {
        Some(key) => refuse(format!("{place}: unknown key \"{key}\"")),
        None => Ok(()),
    }
}

/// A list of integers of moderate size.
pub(crate) fn vector(place: &str, value: Option<&Value>, length: Option<usize>) -> Result<Vec<i128>, Failure> {
    let Some(Value::Array(list)) = value else { return refuse(format!("{place}: not a list of integers")) };
    if length.is_some_and(|length| length != list.len()) {
        return refuse(format!("{place}: {} entries instead of {}", list.len(), length.unwrap_or_default()));
    }
    list.iter()
        .map(|x| match x.as_i64().map(i128::from) {
            Some(x) if x.abs() <= LARGEST => Ok(x),
            _ => refuse(format!("{place}: {x} is not an integer between -2^40 and 2^40")),
        })
        .collect()
}

/// A list of vectors.
pub(crate) fn matrix(place: &str, value: Option<&Value>, length: Option<usize>) -> Result<Vec<Vec<i128>>, Failure> {
    let Some(Value::Array(list)) = value else { return refuse(format!("{place}: not a list of vectors")) };
    list.iter().map(|row| vector(place, Some(row), length)).collect()
}

/// a·x: exact, as there are at most 64 entries, of at most 2⁴⁰, or 2⁷⁰ on one side and 2²⁴ on the other.
fn dot(a: &[i128], x: &[i128]) -> i128 {
    a.iter().zip(x).map(|(a, x)| a * x).sum()
}

fn value(row: &[i128], x: &[i128]) -> i128 {
    dot(&row[..x.len()], x) + row[x.len()]
}
