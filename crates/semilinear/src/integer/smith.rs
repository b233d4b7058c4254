//! Smith normal form.

use super::{Int, Matrix, Vector};

/// A Smith normal form: `left · matrix · right` is diagonal.
#[derive(Clone, Debug)]
pub struct Smith {
    /// The positive invariant factors, each dividing the next; there are `rank` many.
    pub diagonal: Vector,
    /// A unimodular matrix.
    pub left: Matrix,
    /// A unimodular matrix.
    pub right: Matrix,
}

/// The Smith normal form: the structure of the group ℤⁿ modulo the rows.
///
/// # Complexity
/// Always eliminates with the smallest entry left; numbers stay small in practice.
///
/// ```
/// use semilinear::integer::{Matrix, smith, vector};
/// assert_eq!(smith(&Matrix::from_i64(&[&[2, 0], &[0, 3]])).diagonal, vector(&[1, 6]));
/// ```
pub fn smith(matrix: &Matrix) -> Smith {
    let (rows, columns) = (matrix.rows(), matrix.columns());
    let mut m = matrix.clone();
    let mut left = Matrix::identity(rows);
    // Kept transposed, so that column operations are row operations on it.
    let mut right = Matrix::identity(columns);
    let mut diagonal = Vec::new();
    for t in 0..rows.min(columns) {
        loop {
            let smallest = (t..rows)
                .flat_map(|i| (t..columns).map(move |j| (i, j)))
                .filter(|&at| !m[at].is_zero())
                .min_by_key(|&at| m[at].abs());
            let Some((i, j)) = smallest else {
                return Smith { diagonal, left, right: right.transposed() };
            };
            m.swap_rows(i, t);
            left.swap_rows(i, t);
            swap_columns(&mut m, j, t);
            right.swap_rows(j, t);
            let mut clear = true;
            for i in t + 1..rows {
                let q = -m[(i, t)].div_round(&m[(t, t)]);
                if !q.is_zero() {
                    m.add_row_multiple(i, &q, t);
                    left.add_row_multiple(i, &q, t);
                }
                clear &= m[(i, t)].is_zero();
            }
            for j in t + 1..columns {
                let q = -m[(t, j)].div_round(&m[(t, t)]);
                if !q.is_zero() {
                    for i in 0..rows {
                        let product = &q * &m[(i, t)];
                        m[(i, j)] += product;
                    }
                    right.add_row_multiple(j, &q, t);
                }
                clear &= m[(t, j)].is_zero();
            }
            if !clear {
                continue;
            }
            // The pivot must divide everything that is left.
            let Some(i) = (t + 1..rows).find(|&i| (t + 1..columns).any(|j| !m[(t, t)].divides(&m[(i, j)]))) else {
                break;
            };
            m.add_row_multiple(t, &Int::ONE, i);
            left.add_row_multiple(t, &Int::ONE, i);
            // Reduce the pivot row once, so that an entry smaller than the pivot appears and is chosen next.
            for j in t + 1..columns {
                let q = -m[(t, j)].div_floor(&m[(t, t)]);
                if !q.is_zero() {
                    for i in 0..rows {
                        let product = &q * &m[(i, t)];
                        m[(i, j)] += product;
                    }
                    right.add_row_multiple(j, &q, t);
                }
            }
        }
        if m[(t, t)].is_negative() {
            m.negate_row(t);
            left.negate_row(t);
        }
        diagonal.push(m[(t, t)].clone());
    }
    Smith { diagonal, left, right: right.transposed() }
}

fn swap_columns(m: &mut Matrix, i: usize, j: usize) {
    if i != j {
        for r in 0..m.rows() {
            m.row_mut(r).swap(i, j);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::integer::{determinant, vector};
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn the_form_is_diagonal_and_divides(rows in 1usize..5, columns in 1usize..5, entries in prop::collection::vec(-9i64..10, 16)) {
            let a = Matrix::from_rows(columns, &(0..rows).map(|i| vector(&entries[i * columns..(i + 1) * columns])).collect::<Vec<_>>());
            let s = smith(&a);
            prop_assert!(determinant(&s.left).abs().is_one() && determinant(&s.right).abs().is_one());
            let d = s.left.product(&a).product(&s.right);
            for i in 0..rows {
                for j in 0..columns {
                    let expected = if i == j { s.diagonal.get(i).cloned().unwrap_or_default() } else { Int::ZERO };
                    prop_assert_eq!(&d[(i, j)], &expected);
                }
            }
            prop_assert!(s.diagonal.iter().all(Int::is_positive));
            prop_assert!(s.diagonal.windows(2).all(|w| w[0].divides(&w[1])));
        }
    }
}
