//! Lattice coordinates in which the recursion runs over words of 64 positions.

use crate::game::InnerGame;
use crate::product::{dot, is_small_row, is_small_vector, small_dot};
use crate::unimodular::{adapted_basis, inverse};

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
    /// Whether the rows of U are small, so that products with small vectors need no check.
    small: bool,
}

impl Axes {
    /// The axes for a region whose inner coordinate i takes about `extents[i]` values.
    pub fn new(game: &InnerGame, extents: &[f64]) -> Option<Self> {
        let direct = Self::direct(game.inner_rules(), extents);
        let layered = game.small_inner_functional().and_then(|functional| Self::layered(&functional, extents));
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
        let mut columns = adapted_basis(functional)?;
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
        let small = forward.iter().all(|row| is_small_row(row));
        Some(Self { forward, backward, layered, run, small })
    }

    /// The number of coordinates.
    pub fn dimension(&self) -> usize {
        self.forward.len()
    }

    /// Whether the coordinates z of an inner vector need no check.
    #[inline(always)]
    pub fn is_small(&self, y: &[i64]) -> bool {
        self.small && is_small_vector(y)
    }

    /// One of the coordinates z of an inner vector, which [`Self::is_small`] says is small or not.
    #[inline(always)]
    pub fn coordinate(&self, i: usize, y: &[i64], small: bool) -> Option<i64> {
        if small { Some(small_dot(&self.forward[i], y)) } else { dot(&self.forward[i], y) }
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
    matrix.iter().map(|row| dot(row, x)).collect()
}

/// How many steps along a vector fit into a box with these extents.
#[allow(clippy::cast_precision_loss)] // an estimate
fn run(vector: &[i128], extents: &[f64]) -> f64 {
    let steps = vector.iter().zip(extents).filter(|(x, _)| **x != 0).map(|(x, e)| e / x.unsigned_abs() as f64);
    steps.fold(f64::INFINITY, f64::min) * 0.5
}

#[cfg(test)]
mod tests {
    use num_integer::Integer as _;

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
