//! Hermite normal form, saturated kernels, and integer solutions of linear equations.

use super::{Int, Matrix, Vector, add_multiple, lll, zero_vector};

/// A row Hermite normal form: `transform · matrix = form`.
#[derive(Clone, Debug)]
pub struct Hermite {
    /// Row echelon form: pivots are positive, and the entries above a pivot are reduced to `0..pivot`.
    pub form: Matrix,
    /// A unimodular matrix.
    pub transform: Matrix,
    /// The pivot columns; there are `rank` many, and the rows after them are 0.
    pub pivots: Vec<usize>,
}

/// The row Hermite normal form. It depends only on the lattice that the rows span.
///
/// # Complexity
/// Elimination always uses the smallest entry of a column; numbers stay small in practice, but no polynomial bound
/// on the size of `transform` is claimed.
///
/// ```
/// use semilinear::integer::{Matrix, hermite};
/// let a = Matrix::from_i64(&[&[0, -15, -11], &[-48, -16, 10]]);
/// let h = hermite(&a);
/// assert_eq!(h.form, Matrix::from_i64(&[&[48, 1, -21], &[0, 15, 11]]));
/// assert_eq!(h.transform.product(&a), h.form);
/// ```
pub fn hermite(matrix: &Matrix) -> Hermite {
    let mut form = matrix.clone();
    let (rows, columns) = (form.rows(), form.columns());
    let mut transform = Matrix::identity(rows);
    let mut pivots = Vec::new();
    for c in 0..columns {
        let r = pivots.len();
        if r == rows {
            break;
        }
        while let Some(best) = (r..rows).filter(|&i| !form[(i, c)].is_zero()).min_by_key(|&i| form[(i, c)].abs()) {
            form.swap_rows(best, r);
            transform.swap_rows(best, r);
            let mut clear = true;
            for i in r + 1..rows {
                if form[(i, c)].is_zero() {
                    continue;
                }
                let q = -form[(i, c)].div_round(&form[(r, c)]);
                form.add_row_multiple(i, &q, r);
                transform.add_row_multiple(i, &q, r);
                clear &= form[(i, c)].is_zero();
            }
            if clear {
                break;
            }
        }
        if form[(r, c)].is_zero() {
            continue;
        }
        if form[(r, c)].is_negative() {
            form.negate_row(r);
            transform.negate_row(r);
        }
        for i in 0..r {
            let q = -form[(i, c)].div_floor(&form[(r, c)]);
            if !q.is_zero() {
                form.add_row_multiple(i, &q, r);
                transform.add_row_multiple(i, &q, r);
            }
        }
        pivots.push(c);
    }
    Hermite { form, transform, pivots }
}

/// A basis (the rows) of the lattice of all integer vectors x with `A·x = 0`; short, and with first non-zero entries positive.
///
/// ```
/// use semilinear::integer::{Matrix, kernel, vector};
/// assert_eq!(kernel(&Matrix::from_i64(&[&[2, -6]])).to_rows(), [vector(&[3, 1])]);
/// ```
pub fn kernel(a: &Matrix) -> Matrix {
    let h = hermite(&a.transposed());
    short_basis(&h.transform.row_range(h.pivots.len(), a.columns()))
}

fn short_basis(basis: &Matrix) -> Matrix {
    let mut basis = lll(basis);
    for i in 0..basis.rows() {
        if basis.row(i).iter().find(|x| !x.is_zero()).is_some_and(Int::is_negative) {
            basis.negate_row(i);
        }
    }
    basis
}

/// A basis of all integer vectors in the rational span of the rows.
///
/// ```
/// use semilinear::integer::{Matrix, saturation, vector};
/// assert_eq!(saturation(&Matrix::from_i64(&[&[2, 4]])).to_rows(), [vector(&[1, 2])]);
/// ```
pub fn saturation(rows: &Matrix) -> Matrix {
    kernel(&kernel(rows))
}

/// All integer solutions of a system of equations: `point` plus any integer combination of the rows of `basis`.
#[derive(Clone, Debug)]
pub struct IntegerSolutions {
    /// One solution.
    pub point: Vector,
    /// A basis of the solutions of the homogeneous system.
    pub basis: Matrix,
}

/// The integer solutions of `A·x = b`, or nothing when there are none.
///
/// ```
/// use semilinear::integer::{Matrix, solve_integer, vector};
/// let a = Matrix::from_i64(&[&[6, 10]]);
/// let s = solve_integer(&a, &vector(&[4])).unwrap();
/// assert_eq!(a.times(&s.point), vector(&[4]));
/// assert!(solve_integer(&a, &vector(&[3])).is_none());
/// ```
pub fn solve_integer(a: &Matrix, b: &[Int]) -> Option<IntegerSolutions> {
    assert_eq!(a.rows(), b.len(), "a right-hand side has an entry for every row");
    let h = hermite(&a.transposed());
    let rank = h.pivots.len();
    // With x = yU, the equation is yH = b for the echelon form H = U·Aᵀ: substitute pivot by pivot.
    let mut rest = b.to_vec();
    let mut y = zero_vector(rank);
    for (r, &c) in h.pivots.iter().enumerate() {
        if rest[..c].iter().any(|x| !x.is_zero()) || !h.form[(r, c)].divides(&rest[c]) {
            return None;
        }
        y[r] = rest[c].exact_div(&h.form[(r, c)]);
        let minus = -&y[r];
        add_multiple(&mut rest, &minus, h.form.row(r));
    }
    if rest.iter().any(|x| !x.is_zero()) {
        return None;
    }
    let point = h.transform.row_range(0, rank).left_times(&y);
    let basis = short_basis(&h.transform.row_range(rank, a.columns()));
    Some(IntegerSolutions { point, basis })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::integer::{determinant, rank, smith, vector};
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn forms_transforms_kernels(rows in 1usize..5, columns in 1usize..5, entries in prop::collection::vec(-7i64..8, 16)) {
            let a = Matrix::from_rows(columns, &(0..rows).map(|i| vector(&entries[i * columns..(i + 1) * columns])).collect::<Vec<_>>());
            let h = hermite(&a);
            prop_assert_eq!(h.transform.product(&a), h.form.clone());
            prop_assert!(determinant(&h.transform).abs().is_one());
            prop_assert_eq!(h.pivots.len(), rank(&a));
            for (r, &c) in h.pivots.iter().enumerate() {
                prop_assert!(h.form[(r, c)].is_positive());
                prop_assert!(h.form.row(r)[..c].iter().all(Int::is_zero));
                for i in 0..r {
                    prop_assert!(!h.form[(i, c)].is_negative() && h.form[(i, c)] < h.form[(r, c)]);
                }
            }
            let k = kernel(&a);
            prop_assert_eq!(k.rows(), columns - rank(&a));
            prop_assert!(k.iter_rows().all(|x| a.times(x).iter().all(Int::is_zero)));
            // Saturated: the Smith form of a basis has only ones.
            prop_assert!(smith(&k).diagonal.iter().all(Int::is_one));
            let s = saturation(&a);
            prop_assert_eq!(s.rows(), rank(&a));
            prop_assert!(a.iter_rows().all(|row| solve_integer(&s.transposed(), row).is_some()));
        }

        #[test]
        fn integer_solutions(entries in prop::collection::vec(-6i64..7, 6), b in prop::collection::vec(-9i64..10, 2)) {
            let a = Matrix::from_rows(3, &entries.chunks(3).map(vector).collect::<Vec<_>>());
            let b = vector(&b);
            let found = solve_integer(&a, &b);
            if let Some(s) = &found {
                prop_assert_eq!(&a.times(&s.point), &b);
            }
            let small = (-9i64..10).flat_map(|x| (-9i64..10).flat_map(move |y| (-9i64..10).map(move |z| [x, y, z])))
                .any(|x| a.times(&vector(&x)) == b);
            prop_assert!(found.is_some() || !small);
        }
    }
}
