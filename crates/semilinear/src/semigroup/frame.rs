//! Coordinates with respect to linearly independent integer vectors.

use num_bigint::BigInt;
use num_integer::Integer as _;
use num_traits::{One, Zero};

/// Linearly independent vectors v₁ … v_k ∈ ℤᵈ, prepared to answer: is x = Σ λᵢ vᵢ, with which λ?
///
/// ```
/// use semilinear::semigroup::Frame;
/// let frame = Frame::new(&[vec![2, 0], vec![6, 6]]).unwrap();
/// let at = |x: i64, y: i64| frame.coordinates(&[x.into(), y.into()]);
/// assert_eq!(at(10, 6), Some(vec![2.into(), 1.into()]));
/// assert_eq!(at(9, 6), None);
/// assert!(Frame::new(&[vec![1, 1], vec![2, 2]]).is_none());
/// ```
#[derive(Clone, Debug)]
pub struct Frame {
    vectors: Vec<Vec<i64>>,
    /// Coordinates of ℤᵈ in which the vectors are still independent, one for each vector.
    rows: Vec<usize>,
    /// The adjugate and the determinant of the square matrix of those rows: λ = adjugate · x / determinant.
    adjugate: Vec<Vec<BigInt>>,
    determinant: BigInt,
}

impl Frame {
    /// Prepares the vectors; `None` when they are linearly dependent.
    ///
    /// # Complexity
    /// O(k²d) operations on integers of O(k log max|v|) digits (fraction-free Gauss–Jordan elimination).
    pub fn new(vectors: &[Vec<i64>]) -> Option<Self> {
        let rows = pivot_rows(vectors)?;
        let k = vectors.len();
        // Rows of [M | I], M the square matrix whose columns are the vectors restricted to `rows`.
        let mut table: Vec<Vec<BigInt>> = rows
            .iter()
            .enumerate()
            .map(|(i, &r)| {
                let unit = (0..k).map(|j| if i == j { BigInt::one() } else { BigInt::zero() });
                vectors.iter().map(|v| BigInt::from(v[r])).chain(unit).collect()
            })
            .collect();
        let mut previous = BigInt::one();
        for column in 0..k {
            let pivot_row = (column..k).find(|&i| !table[i][column].is_zero())?;
            table.swap(column, pivot_row);
            let pivot = table[column].clone();
            for (i, row) in table.iter_mut().enumerate() {
                if i != column {
                    let factor = row[column].clone();
                    for (entry, p) in row.iter_mut().zip(&pivot) {
                        *entry = (&*entry * &pivot[column] - &factor * p) / &previous;
                    }
                }
            }
            previous.clone_from(&pivot[column]);
        }
        // Every diagonal entry now equals the last pivot; row swaps are part of the right block.
        let adjugate = table.into_iter().map(|row| row[k..].to_vec()).collect();
        Some(Self { vectors: vectors.to_vec(), rows, adjugate, determinant: previous })
    }

    /// The vectors.
    pub fn vectors(&self) -> &[Vec<i64>] {
        &self.vectors
    }

    /// The integers λ with x = Σ λᵢ vᵢ, if there are such.
    pub fn coordinates(&self, x: &[BigInt]) -> Option<Vec<BigInt>> {
        let mut lambda = Vec::with_capacity(self.vectors.len());
        for row in &self.adjugate {
            let numerator: BigInt = row.iter().zip(&self.rows).map(|(a, &r)| a * &x[r]).sum();
            if !(&numerator % &self.determinant).is_zero() {
                return None;
            }
            lambda.push(numerator / &self.determinant);
        }
        let fits = (0..x.len()).all(|r| {
            let sum: BigInt = self.vectors.iter().zip(&lambda).map(|(v, l)| l * v[r]).sum();
            sum == x[r]
        });
        fits.then_some(lambda)
    }

    /// The representative of the coset x + ℤ{v₁, …, v_k} in the half-open parallelepiped of the vectors: equal for x and y
    /// if and only if x − y ∈ ℤ{v₁, …, v_k}.
    pub fn coset(&self, x: &[BigInt]) -> Vec<BigInt> {
        let mut representative = x.to_vec();
        for (row, vector) in self.adjugate.iter().zip(&self.vectors) {
            let numerator: BigInt = row.iter().zip(&self.rows).map(|(a, &r)| a * &x[r]).sum();
            let whole = numerator.div_floor(&self.determinant);
            for (entry, v) in representative.iter_mut().zip(vector) {
                *entry -= &whole * v;
            }
        }
        representative
    }

    /// Whether x lies in ℕ{v₁, …, v_k}.
    pub fn contains(&self, x: &[BigInt]) -> bool {
        self.coordinates(x).is_some_and(|lambda| lambda.iter().all(|l| l.sign() != num_bigint::Sign::Minus))
    }
}

/// For each vector a coordinate such that the square matrix of these coordinates is regular.
fn pivot_rows(vectors: &[Vec<i64>]) -> Option<Vec<usize>> {
    let d = vectors.first().map_or(0, Vec::len);
    let mut reduced: Vec<(usize, Vec<BigInt>)> = Vec::new();
    for vector in vectors {
        let mut rest: Vec<BigInt> = vector.iter().map(|&x| x.into()).collect();
        for (pivot, row) in &reduced {
            if !rest[*pivot].is_zero() {
                let (a, b) = (row[*pivot].clone(), rest[*pivot].clone());
                for (x, r) in rest.iter_mut().zip(row) {
                    *x = &*x * &a - r * &b;
                }
            }
        }
        let pivot = (0..d).find(|&i| !rest[i].is_zero())?;
        reduced.push((pivot, rest));
    }
    Some(reduced.into_iter().map(|(pivot, _)| pivot).collect())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn coordinates_undo_combination(
            vectors in prop::collection::vec(prop::collection::vec(-9i64..10, 4), 1..5),
            lambda in prop::collection::vec(-20i64..20, 4),
        ) {
            if let Some(frame) = Frame::new(&vectors) {
                let x: Vec<BigInt> = (0..4)
                    .map(|r| vectors.iter().zip(&lambda).map(|(v, l)| BigInt::from(v[r] * l)).sum())
                    .collect();
                let expected: Vec<BigInt> = lambda[..vectors.len()].iter().map(|&l| l.into()).collect();
                prop_assert_eq!(frame.coordinates(&x), Some(expected));
            }
        }

        #[test]
        fn cosets_are_equal_exactly_for_differences_in_the_group(
            v in prop::collection::vec(prop::collection::vec(-4i64..5, 3), 2),
            x in prop::collection::vec(-9i64..10, 3),
            y in prop::collection::vec(-9i64..10, 3),
        ) {
            if let Some(frame) = Frame::new(&v) {
                let big = |x: &[i64]| x.iter().map(|&x| x.into()).collect::<Vec<BigInt>>();
                let difference: Vec<i64> = x.iter().zip(&y).map(|(x, y)| x - y).collect();
                let same = frame.coset(&big(&x)) == frame.coset(&big(&y));
                prop_assert_eq!(same, frame.coordinates(&big(&difference)).is_some());
                let shifted: Vec<i64> = (0..3).map(|r| x[r] + 3 * v[0][r] - 2 * v[1][r]).collect();
                prop_assert_eq!(frame.coset(&big(&x)), frame.coset(&big(&shifted)));
            }
        }

        #[test]
        fn independence_is_nonzero_determinant(v in prop::collection::vec(prop::collection::vec(-3i64..4, 2), 2)) {
            let determinant = v[0][0] * v[1][1] - v[0][1] * v[1][0];
            prop_assert_eq!(Frame::new(&v).is_some(), determinant != 0);
        }
    }
}
