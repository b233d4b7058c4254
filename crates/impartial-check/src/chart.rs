//! Charts: coordinates in which a board lies in ℕᵈ, and the proof that play ends there (`docs/strategy-files.md`, "Lattice games").

use crate::format::{Chart, Matrix, Vector, matrix, vector};
use crate::lattice::{Inner, Lattice, Rows, dot};
use crate::meter::Meter;
use crate::{Checked, refuse};

/// Entries beyond this size are refused, so that products of three numbers stay exact in 128 bits.
const LARGEST: i128 = 1 << 24;

impl Lattice {
    /// Verifies that the chart maps the board into ℕᵈ, one to one on ℤᵈ, and that the functional is bounded below on the board; gives the game in
    /// the chart's coordinates.
    pub fn charted(&self, rows: &Rows, functional: &[i128], chart: &Chart, meter: &Meter<'_>) -> Checked<Inner> {
        meter.extension("charts");
        let (d, rules, defeated) = (self.dimension, self.rules.clone(), self.defeated.clone());
        let forward = square("certificate.chart.matrix", &chart.matrix, d)?;
        let backward = square("certificate.chart.inverse", &chart.inverse, d)?;
        let unit =
            |i: usize, j: usize| (0..d).map(|k| forward[i][k] * backward[k][j]).sum::<i128>() == i128::from(i == j);
        if !(0..d).all(|i| (0..d).all(|j| unit(i, j))) {
            return refuse("certificate.chart: \"inverse\" is not the inverse of \"matrix\"");
        }
        let shift = moderate("certificate.chart.shift", vector("certificate.chart.shift", &chart.shift, d)?)?;
        refuse_if!(chart.bounds.len() != d, "certificate.chart.bounds: not one for each coordinate");
        for (i, list) in chart.bounds.iter().enumerate() {
            // t·(v·x + s) ≥ t·s − Σ λⱼbⱼ > −t, and v·x + s is an integer: it is at least 0.
            let (scale, sum) = bound(list, rows, &forward[i])?;
            if scale * (shift[i] + 1) <= sum {
                return refuse(format!(
                    "certificate.chart: coordinate {i} is not proved to be non-negative on the board"
                ));
            }
        }
        bound(&chart.functional_bound, rows, functional)?;
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
}

/// A scale t ≥ 1 and multipliers λ ≥ 0 with t·v = Σ λⱼaⱼ: then t·v·x ≥ −Σ λⱼbⱼ on the board. Gives t and Σ λⱼbⱼ.
fn bound(list: &Vector, rows: &[Vec<i128>], v: &[i128]) -> Checked<(i128, i128)> {
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

/// The row (a, b) divided by the common divisor of a, when it can be walked over.
///
/// After k digits of every coordinate b has become ⌊(b + a·x)/2ᵏ⌋ with 0 ≤ xᵢ < 2ᵏ: without a common divisor these are all numbers
/// between the sums of the negative and of the positive entries of a, up to a few. So many residuals are met.
fn bearable(mut row: Vec<i128>, meter: &Meter<'_>) -> Checked<Vec<i128>> {
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
fn square(place: &str, list: &Matrix, d: usize) -> Checked<Vec<Vec<i128>>> {
    let m = matrix(place, list, d)?;
    refuse_if!(m.len() != d, "{place}: not a square matrix");
    m.into_iter().map(|row| moderate(place, row)).collect()
}

fn moderate(place: &str, entries: Vec<i128>) -> Checked<Vec<i128>> {
    match entries.iter().find(|x| x.abs() > LARGEST) {
        Some(x) => refuse(format!("{place}: {x} is not between -2^24 and 2^24")),
        None => Ok(entries),
    }
}
