//! Ranges of coordinates in a polytope, one coordinate after the other.

use num_integer::Integer as _;

/// At most this many inequalities are kept for one coordinate; dropping more only makes the ranges wider.
const MOST_ROWS: usize = 160;

/// A polytope {z : a·z + b ≥ 0} prepared by Fourier–Motzkin elimination: with z₀, …, z_{k−1} chosen, the range of z_k.
///
/// The range of the last coordinate is exact. The ranges before it may contain values that extend to no integer point
/// (or, when inequalities had to be dropped, to no real point); they never miss one that does. A [`Walk`] asks for them.
#[derive(Debug)]
pub(super) struct Projection {
    levels: Vec<Level>,
    /// The polytope is empty for a reason that no coordinate shows.
    empty: bool,
}

/// The rows a₀z₀ + … + a_k z_k + b ≥ 0 with a_k ≠ 0, column by column.
#[derive(Debug)]
struct Level {
    /// `columns[i][j]`: the coefficient of zᵢ (i < k) in row j.
    columns: Vec<Vec<i64>>,
    /// a_k of every row.
    pivots: Vec<i64>,
    /// b of every row.
    constants: Vec<i64>,
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
        let mut levels: Vec<Vec<Vec<i64>>> = vec![Vec::new(); dimension];
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
        let levels = levels.iter().enumerate().map(|(k, rows)| Level::new(k, rows)).collect();
        Some(Self { levels, empty })
    }

    /// Whether every value that a walk meets fits an `i64`: coordinates are below 2³¹ in absolute value.
    pub fn is_moderate(&self) -> bool {
        self.levels.iter().all(|level| {
            let columns = level.columns.iter().chain([&level.pivots]);
            let most = |column: &Vec<i64>| column.iter().map(|x| x.unsigned_abs()).max().unwrap_or(0);
            let sum: u128 = columns.map(|column| u128::from(most(column)) << 31).sum();
            sum + u128::from(most(&level.constants)) < 1 << 62
        })
    }

    /// The range of the first coordinate, as [`Walk::range`].
    pub fn first_range(&self) -> Option<(i64, i64)> {
        Walk::<i128>::new(self).range(0)
    }
}

impl Level {
    fn new(k: usize, rows: &[Vec<i64>]) -> Self {
        let column = |i: usize| rows.iter().map(|row| row[i]).collect();
        Self { columns: (0..k).map(column).collect(), pivots: column(k), constants: column(k + 1) }
    }
}

/// The numbers of a [`Walk`]: `i64` where [`Projection::is_moderate`] says so, else `i128`, which always suffices.
pub(super) trait Number: Copy + Ord + std::ops::Neg<Output = Self> {
    const LEAST: Self;
    const GREATEST: Self;
    fn of(x: i64) -> Self;
    fn to_i64(self) -> Option<i64>;
    /// self·factor + term, which a walk knows to fit.
    fn times_plus(self, factor: Self, term: Self) -> Self;
    /// ⌊self / divisor⌋ for a positive divisor.
    fn floor_div(self, divisor: Self) -> Self;
}

impl Number for i64 {
    const LEAST: Self = Self::MIN;
    const GREATEST: Self = Self::MAX;

    fn of(x: i64) -> Self {
        x
    }

    fn to_i64(self) -> Option<i64> {
        (self != Self::MIN && self != Self::MAX).then_some(self)
    }

    fn times_plus(self, factor: Self, term: Self) -> Self {
        // No check: in browsers it would be a product of 128 bits.
        self.wrapping_mul(factor).wrapping_add(term)
    }

    fn floor_div(self, divisor: Self) -> Self {
        // Division of short numbers takes a fraction of the time.
        match (i32::try_from(self), i32::try_from(divisor)) {
            _ if divisor == 1 => self,
            (Ok(a), Ok(b)) => Self::from(a.div_euclid(b)),
            _ => self.div_euclid(divisor),
        }
    }
}

impl Number for i128 {
    const LEAST: Self = Self::MIN;
    const GREATEST: Self = Self::MAX;

    fn of(x: i64) -> Self {
        Self::from(x)
    }

    fn to_i64(self) -> Option<i64> {
        i64::try_from(self).ok()
    }

    fn times_plus(self, factor: Self, term: Self) -> Self {
        self * factor + term
    }

    fn floor_div(self, divisor: Self) -> Self {
        self.div_euclid(divisor)
    }
}

/// A walk through a polytope, coordinate after coordinate. What the coordinates chosen so far add to every row is kept, so
/// that a step costs one multiplication a row.
#[derive(Debug)]
pub(super) struct Walk<'a, T> {
    projection: &'a Projection,
    /// `sums[k][l − k][j]`: the constant of row j of level l with the first k coordinates put in.
    sums: Vec<Vec<Vec<T>>>,
}

impl<'a, T: Number> Walk<'a, T> {
    /// A walk at its beginning.
    pub fn new(projection: &'a Projection) -> Self {
        let constants = |level: &Level| level.constants.iter().map(|&b| T::of(b)).collect::<Vec<T>>();
        let all: Vec<Vec<T>> = projection.levels.iter().map(constants).collect();
        let sums = (0..all.len()).map(|k| all[k..].to_vec()).collect();
        Self { projection, sums }
    }

    /// Chooses coordinate `k`, after the coordinates before it; forgets the later ones.
    ///
    /// # Complexity
    /// One multiplication for every row of the later levels.
    pub fn choose(&mut self, k: usize, z: i32) {
        let (before, after) = self.sums.split_at_mut(k + 1);
        let Some(target) = after.first_mut() else { return };
        let z = T::of(i64::from(z));
        for ((to, from), level) in target.iter_mut().zip(&before[k][1..]).zip(&self.projection.levels[k + 1..]) {
            for ((to, from), a) in to.iter_mut().zip(from).zip(&level.columns[k]) {
                *to = T::of(*a).times_plus(z, *from);
            }
        }
    }

    /// The least and the greatest value of coordinate `k` after the chosen ones; least > greatest when there is none,
    /// `None` when the polytope is unbounded there.
    pub fn range(&self, k: usize) -> Option<(i64, i64)> {
        if self.projection.empty {
            return Some((0, -1));
        }
        let (mut least, mut greatest) = (T::LEAST, T::GREATEST);
        for (&constant, &a) in self.sums[k][0].iter().zip(&self.projection.levels[k].pivots) {
            // a·z_k + constant >= 0
            if a > 0 {
                least = least.max(-constant.floor_div(T::of(a)));
            } else {
                greatest = greatest.min(constant.floor_div(-T::of(a)));
            }
        }
        Some((least.to_i64()?, greatest.to_i64()?))
    }
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

    fn ranges<T: Number>(projection: &Projection) -> Vec<Option<(i64, i64)>> {
        let mut walk = Walk::<T>::new(projection);
        let mut found = vec![walk.range(0)];
        for z in [0, 3, 0] {
            walk.choose(0, z);
            found.push(walk.range(1));
        }
        found
    }

    #[test]
    fn a_triangle_has_the_right_ranges() {
        // x >= 0, y >= 0, 7 - 2x - 3y >= 0
        let rows = vec![vec![1, 0, 0], vec![0, 1, 0], vec![-2, -3, 7]];
        let projection = Projection::new(&rows, 2).unwrap();
        assert!(projection.is_moderate());
        let expected = [Some((0, 3)), Some((0, 2)), Some((0, 0)), Some((0, 2))];
        assert_eq!(ranges::<i64>(&projection), expected);
        assert_eq!(ranges::<i128>(&projection), expected);
        let unbounded = Projection::new(&rows[..2], 2).unwrap();
        assert_eq!(unbounded.first_range(), None);
    }

    #[test]
    fn large_coefficients_walk_in_128_bits() {
        // x >= 0, 2^40·x + y >= 0, 2^42 - 2^40·x - y >= 0, y >= 0
        let c = 1i128 << 40;
        let rows = vec![vec![1, 0, 0], vec![c, 1, 0], vec![-c, -1, 4 * c], vec![0, 1, 0]];
        let projection = Projection::new(&rows, 2).unwrap();
        assert!(!projection.is_moderate());
        let mut walk = Walk::<i128>::new(&projection);
        assert_eq!(walk.range(0), Some((0, 4)));
        walk.choose(0, 4);
        assert_eq!(walk.range(1), Some((0, 0)));
    }
}
