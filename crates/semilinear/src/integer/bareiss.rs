//! Determinant, rank and rational solutions by fraction-free elimination (Bareiss).

use super::{Int, Matrix, Rat, Vector, zero_vector};

/// A matrix after fraction-free Gauss–Jordan elimination.
#[derive(Clone, Debug)]
pub struct Echelon {
    /// Row `i < rank` has [`Echelon::scale`] in column `pivots[i]` and zeros in the other pivot columns; the rest is 0.
    pub form: Matrix,
    /// The pivot columns, increasing; there are `rank` many.
    pub pivots: Vec<usize>,
    /// The common value of the pivots: up to sign the determinant of the rows and columns that were chosen.
    pub scale: Int,
    /// Whether an odd number of row swaps was made.
    odd: bool,
}

/// Eliminates fraction-free: every division is exact, and every entry stays a minor of the matrix (Bareiss 1968).
///
/// # Complexity
/// O(rows · columns · rank) operations on numbers of the size of the minors; on machine integers while they suffice.
pub fn echelon(matrix: &Matrix) -> Echelon {
    small_echelon(matrix).unwrap_or_else(|| big_echelon(matrix))
}

/// The same elimination with minors of 64 bits and products of 128; nothing if a minor is larger.
fn small_echelon(matrix: &Matrix) -> Option<Echelon> {
    let (rows, columns) = (matrix.rows(), matrix.columns());
    let mut m: Vec<i64> = Vec::with_capacity(rows * columns);
    for row in matrix.iter_rows() {
        for x in row {
            m.push(x.to_i64()?);
        }
    }
    let mut pivots = Vec::new();
    let mut scale = 1i64;
    let mut odd = false;
    for c in 0..columns {
        let r = pivots.len();
        if r == rows {
            break;
        }
        let bits = |i: usize| 64 - m[i * columns + c].unsigned_abs().leading_zeros();
        let Some(best) = (r..rows).filter(|&i| m[i * columns + c] != 0).min_by_key(|&i| bits(i)) else {
            continue;
        };
        if best != r {
            for j in 0..columns {
                m.swap(best * columns + j, r * columns + j);
            }
            odd = !odd;
        }
        let top = m[r * columns..(r + 1) * columns].to_vec();
        let pivot = top[c];
        for (i, row) in m.chunks_mut(columns).enumerate() {
            let factor = row[c];
            if i == r || factor == 0 && pivot == scale {
                continue;
            }
            for (x, t) in row.iter_mut().zip(&top) {
                // Two products of 64-bit numbers differ by less than 2¹²⁷.
                let value = i128::from(*x) * i128::from(pivot) - i128::from(factor) * i128::from(*t);
                // Exact; a division of 64 bits is much faster.
                *x = match i64::try_from(value) {
                    Ok(value) => value.checked_div(scale)?,
                    Err(_) => i64::try_from(value / i128::from(scale)).ok()?,
                };
            }
        }
        scale = pivot;
        pivots.push(c);
    }
    let entries: Vec<Vector> = if columns == 0 {
        vec![Vec::new(); rows]
    } else {
        m.chunks(columns).map(|row| row.iter().map(|&x| x.into()).collect()).collect()
    };
    Some(Echelon { form: Matrix::from_rows(columns, &entries), pivots, scale: scale.into(), odd })
}

fn big_echelon(matrix: &Matrix) -> Echelon {
    let mut m = matrix.clone();
    let (rows, columns) = (m.rows(), m.columns());
    let mut pivots = Vec::new();
    let mut scale = Int::ONE;
    let mut odd = false;
    for c in 0..columns {
        let r = pivots.len();
        if r == rows {
            break;
        }
        let Some(best) = (r..rows).filter(|&i| !m[(i, c)].is_zero()).min_by_key(|&i| m[(i, c)].bits()) else {
            continue;
        };
        if best != r {
            m.swap_rows(best, r);
            odd = !odd;
        }
        let pivot = m[(r, c)].clone();
        for i in (0..rows).filter(|&i| i != r) {
            let factor = m[(i, c)].clone();
            for j in 0..columns {
                let mut value = &m[(i, j)] * &pivot;
                if !factor.is_zero() {
                    value.sub_product(&factor, &m[(r, j)]);
                }
                m[(i, j)] = value.exact_div(&scale);
            }
        }
        scale = pivot;
        pivots.push(c);
    }
    Echelon { form: m, pivots, scale, odd }
}

/// The rank of a matrix.
///
/// ```
/// use semilinear::integer::{Matrix, rank};
/// assert_eq!(rank(&Matrix::from_i64(&[&[1, 2], &[2, 4]])), 1);
/// ```
pub fn rank(matrix: &Matrix) -> usize {
    echelon(matrix).pivots.len()
}

/// The determinant. Panics when the matrix is not square.
///
/// # Complexity
/// O(n³) operations; on machine integers of 128 bits while they suffice.
///
/// ```
/// use semilinear::integer::{Int, Matrix, determinant};
/// assert_eq!(determinant(&Matrix::from_i64(&[&[1, 2], &[3, 4]])), Int::from(-2));
/// ```
pub fn determinant(matrix: &Matrix) -> Int {
    let n = matrix.rows();
    assert_eq!(n, matrix.columns(), "only a square matrix has a determinant");
    if let Some(value) = small_determinant(matrix) {
        return value.into();
    }
    let mut m = matrix.clone();
    let mut previous = Int::ONE;
    let mut odd = false;
    for c in 0..n {
        let Some(best) = (c..n).filter(|&i| !m[(i, c)].is_zero()).min_by_key(|&i| m[(i, c)].bits()) else {
            return Int::ZERO;
        };
        if best != c {
            m.swap_rows(best, c);
            odd = !odd;
        }
        for i in c + 1..n {
            for j in c + 1..n {
                let mut value = &m[(i, j)] * &m[(c, c)];
                value.sub_product(&m[(i, c)], &m[(c, j)]);
                m[(i, j)] = value.exact_div(&previous);
            }
        }
        previous = m[(c, c)].clone();
    }
    if odd { -previous } else { previous }
}

/// The determinant in 128-bit arithmetic, or nothing if that overflows.
fn small_determinant(matrix: &Matrix) -> Option<i128> {
    let n = matrix.rows();
    let mut m: Vec<i128> = Vec::with_capacity(n * n);
    for row in matrix.iter_rows() {
        for x in row {
            m.push(x.to_i64()?.into());
        }
    }
    let mut previous = 1i128;
    let mut odd = false;
    for c in 0..n {
        let Some(best) = (c..n).find(|&i| m[i * n + c] != 0) else { return Some(0) };
        if best != c {
            for j in 0..n {
                m.swap(best * n + j, c * n + j);
            }
            odd = !odd;
        }
        let pivot = m[c * n + c];
        for i in c + 1..n {
            for j in c + 1..n {
                let a = m[i * n + j].checked_mul(pivot)?;
                let b = m[i * n + c].checked_mul(m[c * n + j])?;
                m[i * n + j] = a.checked_sub(b)?.checked_div(previous)?;
            }
        }
        previous = pivot;
    }
    if odd { previous.checked_neg() } else { Some(previous) }
}

/// One rational solution x of `A·x = b`, or nothing when there is none.
///
/// ```
/// use semilinear::integer::{Matrix, Rat, solve, vector};
/// let a = Matrix::from_i64(&[&[2, 0], &[0, 4]]);
/// let x = solve(&a, &vector(&[1, 2])).unwrap();
/// assert_eq!(x, ["1/2".parse::<Rat>().unwrap(), "1/2".parse().unwrap()]);
/// ```
pub fn solve(a: &Matrix, b: &[Int]) -> Option<Vec<Rat>> {
    assert_eq!(a.rows(), b.len(), "a right-hand side has an entry for every row");
    let n = a.columns();
    let rows: Vec<Vector> =
        a.iter_rows().zip(b).map(|(row, b)| row.iter().cloned().chain([b.clone()]).collect()).collect();
    let echelon = echelon(&Matrix::from_rows(n + 1, &rows));
    if echelon.pivots.last() == Some(&n) {
        return None;
    }
    let mut x = vec![Rat::ZERO; n];
    for (i, &c) in echelon.pivots.iter().enumerate() {
        x[c] = Rat::new(echelon.form[(i, n)].clone(), echelon.scale.clone());
    }
    Some(x)
}

/// `(det·A⁻¹, det)` of an invertible square matrix, or nothing when the determinant is 0.
///
/// ```
/// use semilinear::integer::{Int, Matrix, adjugate};
/// let (adjugate, determinant) = adjugate(&Matrix::from_i64(&[&[1, 2], &[3, 4]])).unwrap();
/// assert_eq!(adjugate, Matrix::from_i64(&[&[4, -2], &[-3, 1]]));
/// assert_eq!(determinant, Int::from(-2));
/// ```
pub fn adjugate(a: &Matrix) -> Option<(Matrix, Int)> {
    let n = a.rows();
    assert_eq!(n, a.columns(), "only a square matrix has an inverse");
    let rows: Vec<Vector> = (0..n)
        .map(|i| {
            let mut row = a.row(i).to_vec();
            row.extend(zero_vector(n));
            row[n + i] = Int::ONE;
            row
        })
        .collect();
    let echelon = echelon(&Matrix::from_rows(2 * n, &rows));
    if echelon.pivots.iter().any(|&c| c >= n) {
        return None;
    }
    let mut inverse = Matrix::zero(n, n);
    for i in 0..n {
        for j in 0..n {
            let x = &echelon.form[(i, n + j)];
            inverse[(i, j)] = if echelon.odd { -x } else { x.clone() };
        }
    }
    let determinant = if echelon.odd { -echelon.scale } else { echelon.scale };
    Some((inverse, determinant))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::integer::{dot, vector};
    use proptest::prelude::*;

    /// The sum over permutations, by expansion along the first row.
    fn expansion(m: &[Vec<i64>]) -> Int {
        if m.is_empty() {
            return Int::ONE;
        }
        (0..m.len())
            .map(|j| {
                let minor: Vec<Vec<i64>> = m[1..]
                    .iter()
                    .map(|r| r.iter().enumerate().filter(|&(k, _)| k != j).map(|(_, &x)| x).collect())
                    .collect();
                let sign = if j % 2 == 0 { 1 } else { -1 };
                &(&Int::from(m[0][j]) * &Int::from(sign)) * &expansion(&minor)
            })
            .sum()
    }

    proptest! {
        #[test]
        fn determinant_and_adjugate(n in 0usize..5, entries in prop::collection::vec(-9i64..10, 25), shift in 0u32..40) {
            let rows: Vec<Vec<i64>> = (0..n).map(|i| entries[i * n..(i + 1) * n].iter().map(|x| x << shift).collect()).collect();
            let m = Matrix::from_rows(n, &rows.iter().map(|r| vector(r)).collect::<Vec<_>>());
            let expected = expansion(&rows);
            prop_assert_eq!(determinant(&m), expected.clone());
            match adjugate(&m) {
                None => prop_assert!(expected.is_zero()),
                Some((adjugate, determinant)) => {
                    prop_assert_eq!(&determinant, &expected);
                    let product = m.product(&adjugate);
                    for i in 0..n {
                        for j in 0..n {
                            prop_assert_eq!(&product[(i, j)], if i == j { &determinant } else { &Int::ZERO });
                        }
                    }
                }
            }
        }

        #[test]
        fn machine_integers_give_the_same_elimination(
            columns in 1usize..7,
            entries in prop::collection::vec(prop_oneof![Just(0i64), -9i64..10], 6..36),
            shift in 0u32..50,
        ) {
            let rows: Vec<Vector> =
                entries.chunks_exact(columns).map(|r| r.iter().map(|x| Int::from(x << shift)).collect()).collect();
            let m = Matrix::from_rows(columns, &rows);
            let big = big_echelon(&m);
            match small_echelon(&m) {
                Some(small) => {
                    prop_assert_eq!(small.form, big.form);
                    prop_assert_eq!((small.pivots, small.scale, small.odd), (big.pivots, big.scale, big.odd));
                }
                // Minors of at most five rows: below (9·√5·2⁸)⁵ < 2⁶³ otherwise.
                None => prop_assert!(shift > 8),
            }
        }

        #[test]
        fn solutions_solve(entries in prop::collection::vec(-3i64..4, 12), b in prop::collection::vec(-5i64..6, 3)) {
            let a = Matrix::from_rows(4, &entries.chunks(4).map(vector).collect::<Vec<_>>());
            let b = vector(&b);
            if let Some(x) = solve(&a, &b) {
                for (row, b) in a.iter_rows().zip(&b) {
                    let value: Rat = row.iter().zip(&x).map(|(a, x)| &Rat::from(a) * x).sum();
                    prop_assert_eq!(value, Rat::from(b));
                }
            } else {
                // A combination of the rows vanishes that does not vanish on b.
                let left = crate::integer::kernel(&a.transposed());
                prop_assert!(left.iter_rows().any(|y| !dot(y, &b).is_zero()));
            }
        }
    }
}
