//! Ranges of coordinates in a polytope, one coordinate after the other.

use num_integer::Integer as _;

/// At most this many inequalities are kept for one coordinate; dropping more only makes the ranges wider.
const MOST_ROWS: usize = 160;

/// A polytope {z : a·z + b ≥ 0} prepared by Fourier–Motzkin elimination: with z₀, …, z_{k−1} chosen, the range of z_k.
///
/// The range of the last coordinate is exact. The ranges before it may contain values that extend to no integer point
/// (or, when inequalities had to be dropped, to no real point); they never miss one that does.
#[derive(Debug)]
pub(super) struct Projection {
    /// `levels[k]`: rows (a₀, …, a_k, b) with a_k ≠ 0.
    levels: Vec<Vec<Vec<i64>>>,
    /// The polytope is empty for a reason that no coordinate shows.
    empty: bool,
}

/// A row with the set of original rows it comes from.
#[derive(Clone)]
struct Derived {
    row: Vec<i128>,
    ancestors: u128,
}

impl Projection {
    /// Eliminates the coordinates from the last to the first. `None` when a given row leaves `i64`.
    pub fn new(rows: &[Vec<i128>], dimension: usize) -> Option<Self> {
        let mut active: Vec<Derived> = rows
            .iter()
            .enumerate()
            .map(|(i, row)| Derived { row: normalised(row.clone()), ancestors: 1 << (i % 128) })
            .collect();
        // With more than 128 rows ancestors are ambiguous, and the rule below would drop too much.
        let count_ancestors = rows.len() <= 128;
        let mut levels = vec![Vec::new(); dimension];
        let mut empty = false;
        for k in (0..dimension).rev() {
            let (mut lower, mut upper, mut rest) = (Vec::new(), Vec::new(), Vec::new());
            for derived in active {
                match derived.row[k].signum() {
                    1 => lower.push(derived),
                    -1 => upper.push(derived),
                    _ => rest.push(derived),
                }
            }
            let original = k + 1 == dimension;
            for derived in lower.iter().chain(&upper) {
                let mut row: Option<Vec<i64>> = derived.row[..=k].iter().map(|&x| i64::try_from(x).ok()).collect();
                if let (Some(row), Ok(b)) = (&mut row, i64::try_from(derived.row[dimension])) {
                    row.push(b);
                    levels[k].push(row.clone());
                } else if original {
                    return None;
                }
            }
            for low in &lower {
                for up in &upper {
                    let ancestors = low.ancestors | up.ancestors;
                    // Chernikov: a combination of more than (eliminated + 1) original rows is redundant.
                    if count_ancestors && ancestors.count_ones() as usize > dimension - k + 1 {
                        continue;
                    }
                    if let Some(row) = combined(&low.row, &up.row, k) {
                        rest.push(Derived { row: normalised(row), ancestors });
                    }
                }
            }
            active = tightest(rest, dimension);
            active.retain(|derived| {
                let constant = derived.row[..dimension].iter().all(|&x| x == 0);
                empty |= constant && derived.row[dimension] < 0;
                !constant
            });
        }
        Some(Self { levels, empty })
    }

    /// The least and the greatest value of coordinate `k` after the chosen `prefix`; least > greatest when there is
    /// none, `None` when the polytope is unbounded there.
    pub fn range(&self, k: usize, prefix: &[i64]) -> Option<(i64, i64)> {
        if self.empty {
            return Some((0, -1));
        }
        let (mut least, mut greatest) = (i128::MIN, i128::MAX);
        for row in &self.levels[k] {
            let mut constant = i128::from(row[k + 1]);
            for (a, z) in row[..k].iter().zip(prefix) {
                constant += i128::from(*a) * i128::from(*z);
            }
            let a = i128::from(row[k]);
            // a·z_k + constant >= 0
            if a > 0 {
                least = least.max(ceil_div(-constant, a));
            } else {
                greatest = greatest.min(floor_div(constant, -a));
            }
        }
        Some((i64::try_from(least).ok()?, i64::try_from(greatest).ok()?))
    }
}

fn floor_div(a: i128, b: i128) -> i128 {
    if b == 1 {
        return a;
    }
    match (i64::try_from(a), i64::try_from(b)) {
        (Ok(a), Ok(b)) => i128::from(a.div_euclid(b)),
        _ => a.div_euclid(b),
    }
}

fn ceil_div(a: i128, b: i128) -> i128 {
    -floor_div(-a, b)
}

/// Divides a row by the greatest common divisor of its coefficients; the constant is rounded towards the integer points.
fn normalised(mut row: Vec<i128>) -> Vec<i128> {
    let (constant, coefficients) = row.split_last_mut().expect("a row has a constant");
    let divisor = coefficients.iter().fold(0i128, |g, x| g.gcd(x));
    if divisor > 1 {
        for x in coefficients {
            *x /= divisor;
        }
        *constant = constant.div_euclid(divisor);
    }
    row
}

/// The combination of a row with positive and one with negative coefficient `k` that has coefficient 0 there.
fn combined(low: &[i128], up: &[i128], k: usize) -> Option<Vec<i128>> {
    let divisor = low[k].gcd(&up[k]);
    let (s, t) = (-up[k] / divisor, low[k] / divisor);
    low.iter().zip(up).map(|(a, b)| a.checked_mul(s)?.checked_add(b.checked_mul(t)?)).collect()
}

/// Of rows with equal coefficients only the tightest, and at most [`MOST_ROWS`] of them.
fn tightest(mut rows: Vec<Derived>, dimension: usize) -> Vec<Derived> {
    rows.sort_by(|x, y| x.row.cmp(&y.row));
    rows.dedup_by(|x, y| x.row[..dimension] == y.row[..dimension]);
    if rows.len() > MOST_ROWS {
        rows.sort_by_key(|derived| {
            (derived.ancestors.count_ones(), derived.row[..dimension].iter().filter(|&&x| x != 0).count())
        });
        rows.truncate(MOST_ROWS);
    }
    rows
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_triangle_has_the_right_ranges() {
        // x >= 0, y >= 0, 7 - 2x - 3y >= 0
        let rows = vec![vec![1, 0, 0], vec![0, 1, 0], vec![-2, -3, 7]];
        let projection = Projection::new(&rows, 2).unwrap();
        assert_eq!(projection.range(0, &[]), Some((0, 3)));
        assert_eq!(projection.range(1, &[0]), Some((0, 2)));
        assert_eq!(projection.range(1, &[3]), Some((0, 0)));
        let unbounded = Projection::new(&rows[..2], 2).unwrap();
        assert_eq!(unbounded.range(0, &[]), None);
    }
}
