//! Lattice basis reduction in integers.

use super::{Int, Matrix, dot};

/// A reduced basis of the lattice that the rows span (Lenstra–Lenstra–Lovász, δ = 3/4).
///
/// All numbers are integers: the algorithm keeps the Gram determinants `dᵢ` and the scaled Gram–Schmidt
/// coefficients (de Weger 1987; Cohen, *A Course in Computational Algebraic Number Theory*, Algorithm 2.6.7).
/// Panics when the rows are linearly dependent.
///
/// # Complexity
/// Polynomial: O(n⁴ log B) operations on numbers with O(n log B) digits for entries up to B.
///
/// ```
/// use semilinear::integer::{Matrix, lll, vector};
/// let reduced = lll(&Matrix::from_i64(&[&[1, 0, 100], &[0, 1, 101]]));
/// assert_eq!(reduced.row(0), vector(&[-1, 1, 1]));
/// ```
pub fn lll(basis: &Matrix) -> Matrix {
    let mut b = basis.clone();
    let n = b.rows();
    if n == 0 {
        return b;
    }
    // d[i + 1] is the Gram determinant of the first i + 1 rows; mu[(i, j)] = d[j + 1] times the Gram–Schmidt coefficient.
    let mut d = vec![Int::ONE; n + 1];
    let mut mu = Matrix::zero(n, n);
    d[1] = dot(b.row(0), b.row(0));
    assert!(d[1].is_positive(), "the rows of a lattice basis are linearly independent");
    let mut known = 0;
    let mut k = 1;
    while k < n {
        if k > known {
            known = k;
            for j in 0..=k {
                let mut u = dot(b.row(k), b.row(j));
                for i in 0..j {
                    u = (&(&d[i + 1] * &u) - &(&mu[(k, i)] * &mu[(j, i)])).exact_div(&d[i]);
                }
                if j < k {
                    mu[(k, j)] = u;
                } else {
                    assert!(u.is_positive(), "the rows of a lattice basis are linearly independent");
                    d[k + 1] = u;
                }
            }
        }
        reduce(&mut b, &mut mu, &d, k, k - 1);
        let m = &mu[(k, k - 1)];
        let left = &(&d[k + 1] * &d[k - 1]) + &(m * m);
        if &left * &Int::from(4) < &(&d[k] * &d[k]) * &Int::from(3) {
            swap(&mut b, &mut mu, &mut d, k, known);
            k = (k - 1).max(1);
        } else {
            for l in (0..k - 1).rev() {
                reduce(&mut b, &mut mu, &d, k, l);
            }
            k += 1;
        }
    }
    b
}

fn reduce(b: &mut Matrix, mu: &mut Matrix, d: &[Int], k: usize, l: usize) {
    if (&mu[(k, l)] * &Int::from(2)).abs() <= d[l + 1] {
        return;
    }
    let q = -mu[(k, l)].div_round(&d[l + 1]);
    b.add_row_multiple(k, &q, l);
    mu[(k, l)].add_product(&q, &d[l + 1]);
    for i in 0..l {
        let m = mu[(l, i)].clone();
        mu[(k, i)].add_product(&q, &m);
    }
}

fn swap(b: &mut Matrix, mu: &mut Matrix, d: &mut [Int], k: usize, known: usize) {
    b.swap_rows(k, k - 1);
    for j in 0..k - 1 {
        let x = std::mem::take(&mut mu[(k, j)]);
        mu[(k, j)] = std::mem::replace(&mut mu[(k - 1, j)], x);
    }
    let m = mu[(k, k - 1)].clone();
    let new = (&(&d[k - 1] * &d[k + 1]) + &(&m * &m)).exact_div(&d[k]);
    for i in k + 1..=known {
        let t = mu[(i, k)].clone();
        mu[(i, k)] = (&(&d[k + 1] * &mu[(i, k - 1)]) - &(&m * &t)).exact_div(&d[k]);
        mu[(i, k - 1)] = (&(&new * &t) + &(&m * &mu[(i, k)])).exact_div(&d[k + 1]);
    }
    d[k] = new;
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::integer::{determinant, hermite, rank, vector};
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn same_lattice_and_short(entries in prop::collection::vec(-1000i64..1000, 12), n in 1usize..4) {
            let a = Matrix::from_rows(4, &entries.chunks(4).take(n).map(vector).collect::<Vec<_>>());
            prop_assume!(rank(&a) == n);
            let r = lll(&a);
            prop_assert_eq!(hermite(&r).form, hermite(&a).form);
            // |b₁|² ≤ 2^((n−1)/2) det^(2/n), raised to the n-th power.
            let gram = determinant(&r.product(&r.transposed()));
            let first = dot(r.row(0), r.row(0)).pow(u32::try_from(2 * n).unwrap());
            let bound = &gram.pow(2) * &Int::from(2).pow(u32::try_from(n * (n - 1)).unwrap());
            prop_assert!(first <= bound);
        }
    }
}
