//! Unimodular matrices with a given first row.

use num_integer::Integer as _;

/// A basis v₁, …, v_d of ℤᵈ with ℓ·v₁ = 1 and ℓ·vᵢ = 0 for the others, where ℓ is the functional divided by the greatest
/// common divisor of its entries; the kernel vectors are shortened against each other. `None` when ℓ = 0 or numbers grow
/// beyond `i128`.
///
/// # Complexity
/// Euclid's algorithm on columns, then pairwise Gauss reduction.
pub fn adapted_basis(functional: &[i64]) -> Option<Vec<Vec<i128>>> {
    let d = functional.len();
    let divisor = functional.iter().fold(0i64, |g, x| g.gcd(x));
    if divisor == 0 {
        return None;
    }
    let mut values: Vec<i128> = functional.iter().map(|x| i128::from(x / divisor)).collect();
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
    Some(columns)
}

/// The inverse of a unimodular matrix by Gauss–Jordan over the integers (Euclid in each column); `None` when the matrix is
/// not unimodular or numbers grow too large.
pub fn inverse(matrix: &[Vec<i64>]) -> Option<Vec<Vec<i64>>> {
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
