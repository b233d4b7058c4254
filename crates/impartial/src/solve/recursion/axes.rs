//! Lattice coordinates in which the recursion runs over words of 64 positions.

use num_integer::Integer as _;

use crate::lattice::LatticeGame;

/// A unimodular change of coordinates z = U·y from inner coordinates y such that every rule is lexicographically positive
/// in z: when positions are visited in lexicographic order of z, every option comes before its position. The last
/// coordinate runs along the bits of a word.
#[derive(Clone, Debug)]
pub(super) struct Axes {
    /// z = U·y.
    pub forward: Vec<Vec<i64>>,
    /// y = V·z.
    pub backward: Vec<Vec<i64>>,
    /// Whether z₀ is the functional, so that every rule lowers it: positions with equal z₀ do not depend on each other.
    pub layered: bool,
    /// A guess of how many positions follow each other along the last coordinate.
    pub run: f64,
}

impl Axes {
    /// The axes for a region whose inner coordinate i takes about `extents[i]` values.
    pub fn new(game: &LatticeGame, extents: &[f64]) -> Option<Self> {
        let direct = Self::direct(game.inner_rules(), extents);
        let layered = Self::layered(game.inner_functional(), extents);
        match (direct, layered) {
            // Words filled by layers need no care for dependencies inside a word, so they win unless they stay empty.
            (Some(direct), Some(layered)) => {
                let short = layered.run < 96.0 && direct.run > 6.0 * layered.run;
                Some(if short || extents.len() == 1 { direct } else { layered })
            }
            (direct, layered) => direct.or(layered),
        }
    }

    /// z₀ = ℓ(y) (made primitive), the other axes a reduced basis of the kernel of ℓ.
    fn layered(functional: &[i64], extents: &[f64]) -> Option<Self> {
        let d = functional.len();
        let divisor = functional.iter().fold(0i64, |g, x| g.gcd(x));
        let mut values: Vec<i128> = functional.iter().map(|x| i128::from(x / divisor)).collect();
        // Columns of V; the values of ℓ on them are brought to (1, 0, …, 0) by Euclid's algorithm on columns.
        let mut columns: Vec<Vec<i128>> = (0..d).map(|i| (0..d).map(|j| i128::from(i == j)).collect()).collect();
        loop {
            let pivot = (0..d).filter(|&i| values[i] != 0).min_by_key(|&i| values[i].abs())?;
            let mut done = true;
            for i in (0..d).filter(|&i| i != pivot) {
                let quotient = div_nearest(values[i], values[pivot]);
                values[i] -= quotient * values[pivot];
                subtract(&mut columns, i, pivot, quotient)?;
                done &= values[i] == 0;
            }
            if done {
                values.swap(0, pivot);
                columns.swap(0, pivot);
                break;
            }
        }
        if values[0] < 0 {
            columns[0].iter_mut().for_each(|x| *x = -*x);
        }
        reduce(&mut columns)?;
        // The longest runs go along the last axis.
        columns[1..].sort_by(|a, b| run(a, extents).total_cmp(&run(b, extents)));
        let run = if d > 1 { run(&columns[d - 1], extents) } else { 1.0 };
        Self::from_columns(&columns, true, run)
    }

    /// The inner axes themselves in an order that makes every rule lexicographically positive, if there is one.
    fn direct(rules: &[Vec<i64>], extents: &[f64]) -> Option<Self> {
        let d = extents.len();
        let mut open: Vec<&Vec<i64>> = rules.iter().collect();
        let mut order: Vec<usize> = Vec::new();
        while order.len() < d {
            // Short axes first; a coordinate may come next when no rule that is still undecided lowers it.
            let next = (0..d)
                .filter(|i| !order.contains(i) && open.iter().all(|rule| rule[*i] >= 0))
                .min_by(|&i, &j| extents[i].total_cmp(&extents[j]))?;
            order.push(next);
            open.retain(|rule| rule[next] == 0);
        }
        let columns: Vec<Vec<i128>> = order.iter().map(|&i| (0..d).map(|j| i128::from(i == j)).collect()).collect();
        Self::from_columns(&columns, false, extents[order[d - 1]])
    }

    fn from_columns(columns: &[Vec<i128>], layered: bool, run: f64) -> Option<Self> {
        let d = columns.len();
        let backward: Vec<Vec<i64>> = (0..d)
            .map(|i| columns.iter().map(|column| i64::try_from(column[i]).ok()).collect::<Option<_>>())
            .collect::<Option<_>>()?;
        let forward = inverse(&backward)?;
        Some(Self { forward, backward, layered, run })
    }

    /// The coordinates z of an inner vector.
    pub fn forward(&self, y: &[i64]) -> Option<Vec<i64>> {
        product(&self.forward, y)
    }

    /// The inner vector with coordinates z.
    pub fn backward(&self, z: &[i64]) -> Option<Vec<i64>> {
        product(&self.backward, z)
    }

    /// An inequality on inner coordinates as one on z.
    pub fn row(&self, row: &[i64]) -> Vec<i128> {
        let d = self.backward.len();
        let mut result: Vec<i128> =
            (0..d).map(|j| (0..d).map(|i| i128::from(row[i]) * i128::from(self.backward[i][j])).sum()).collect();
        result.push(i128::from(row[d]));
        result
    }
}

fn product(matrix: &[Vec<i64>], x: &[i64]) -> Option<Vec<i64>> {
    matrix
        .iter()
        .map(|row| {
            let sum =
                row.iter().zip(x).try_fold(0i128, |sum, (a, x)| sum.checked_add(i128::from(*a) * i128::from(*x)))?;
            i64::try_from(sum).ok()
        })
        .collect()
}

/// The inverse of a unimodular matrix by Gauss–Jordan over the integers (Euclid in each column).
fn inverse(matrix: &[Vec<i64>]) -> Option<Vec<Vec<i64>>> {
    let d = matrix.len();
    let mut left: Vec<Vec<i128>> = matrix.iter().map(|row| row.iter().map(|&x| i128::from(x)).collect()).collect();
    let mut right: Vec<Vec<i128>> = (0..d).map(|i| (0..d).map(|j| i128::from(i == j)).collect()).collect();
    for k in 0..d {
        loop {
            let pivot = (k..d).filter(|&i| left[i][k] != 0).min_by_key(|&i| left[i][k].abs())?;
            left.swap(k, pivot);
            right.swap(k, pivot);
            let mut done = true;
            for i in k + 1..d {
                let quotient = div_nearest(left[i][k], left[k][k]);
                subtract(&mut left, i, k, quotient)?;
                subtract(&mut right, i, k, quotient)?;
                done &= left[i][k] == 0;
            }
            if done {
                break;
            }
        }
        if left[k][k] < 0 {
            left[k].iter_mut().for_each(|x| *x = -*x);
            right[k].iter_mut().for_each(|x| *x = -*x);
        }
        if left[k][k] != 1 {
            return None;
        }
    }
    for k in (0..d).rev() {
        for i in 0..k {
            let quotient = left[i][k];
            subtract(&mut left, i, k, quotient)?;
            subtract(&mut right, i, k, quotient)?;
        }
    }
    right.iter().map(|row| row.iter().map(|&x| i64::try_from(x).ok()).collect()).collect()
}

/// Vector `i` minus `factor` times vector `k`.
fn subtract(vectors: &mut [Vec<i128>], i: usize, k: usize, factor: i128) -> Option<()> {
    if factor != 0 {
        for j in 0..vectors[i].len() {
            let change = vectors[k][j].checked_mul(factor)?;
            vectors[i][j] = vectors[i][j].checked_sub(change)?;
        }
    }
    Some(())
}

/// The integer nearest to a/b.
fn div_nearest(a: i128, b: i128) -> i128 {
    (2 * a + b.abs()).div_euclid(2 * b.abs()) * b.signum()
}

/// Shortens the kernel vectors against each other (pairwise Gauss reduction), and the first vector against them.
fn reduce(columns: &mut [Vec<i128>]) -> Option<()> {
    let dot =
        |a: &[i128], b: &[i128]| a.iter().zip(b).try_fold(0i128, |sum, (x, y)| sum.checked_add(x.checked_mul(*y)?));
    for _ in 0..1000 {
        let mut changed = false;
        for i in 0..columns.len() {
            for k in 1..columns.len() {
                if i != k {
                    let quotient = div_nearest(dot(&columns[i], &columns[k])?, dot(&columns[k], &columns[k])?);
                    // Ties would swing back and forth: only a strictly shorter vector counts.
                    let before = dot(&columns[i], &columns[i])?;
                    let old = columns[i].clone();
                    subtract(columns, i, k, quotient)?;
                    if dot(&columns[i], &columns[i])? < before {
                        changed = true;
                    } else {
                        columns[i] = old;
                    }
                }
            }
        }
        if !changed {
            break;
        }
    }
    Some(())
}

/// How many steps along a vector fit into a box with these extents.
#[allow(clippy::cast_precision_loss)] // an estimate
fn run(vector: &[i128], extents: &[f64]) -> f64 {
    let steps = vector.iter().zip(extents).filter(|(x, _)| **x != 0).map(|(x, e)| e / x.unsigned_abs() as f64);
    steps.fold(f64::INFINITY, f64::min) * 0.5
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn layers_follow_the_functional() {
        for functional in [vec![1, 1], vec![1, 2, 3, 4, 5], vec![6, 10, 15], vec![4, 6], vec![7]] {
            let extents = vec![100.0; functional.len()];
            let axes = Axes::layered(&functional, &extents).unwrap();
            let divisor = functional.iter().fold(0i64, |g, x| g.gcd(x));
            for i in 0..functional.len() {
                assert_eq!(axes.forward[0][i], functional[i] / divisor);
                let unit: Vec<i64> = (0..functional.len()).map(|j| i64::from(i == j)).collect();
                assert_eq!(axes.backward(&axes.forward(&unit).unwrap()).unwrap(), unit);
            }
        }
    }
}
