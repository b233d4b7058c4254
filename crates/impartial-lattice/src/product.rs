//! Sums of products, exactly.

/// At most 2^6 products of an entry below 2^16 and one below 2^40 add up to less than 2^62: nothing overflows, and no product of 128
/// bits is needed, which is slow in browsers.
const SMALL_ROW: u64 = 1 << 16;
const SMALL_VECTOR: u64 = 1 << 40;
const FEW_ENTRIES: usize = 64;

/// Whether the absolute values of all entries are below a power of 2.
#[inline(always)]
fn are_below(x: &[i64], bound: u64) -> bool {
    debug_assert!(bound.is_power_of_two());
    x.iter().fold(0, |all, x| all | x.unsigned_abs()) < bound
}

/// Whether the products of a row with small vectors need no check.
#[inline(always)]
pub fn is_small_row(row: &[i64]) -> bool {
    row.len() <= FEW_ENTRIES && are_below(row, SMALL_ROW)
}

/// Whether the products of small rows with a vector need no check.
#[inline(always)]
pub fn is_small_vector(x: &[i64]) -> bool {
    are_below(x, SMALL_VECTOR)
}

/// a·x for a small row and a small vector.
#[inline(always)]
pub fn small_dot(a: &[i64], x: &[i64]) -> i64 {
    debug_assert!(is_small_row(a) && is_small_vector(x));
    a.iter().zip(x).fold(0i64, |sum, (a, x)| sum.wrapping_add(a.wrapping_mul(*x)))
}

/// a·x; `None` when it leaves `i64`.
pub fn dot(a: &[i64], x: &[i64]) -> Option<i64> {
    if is_small_row(a) && is_small_vector(x) {
        return Some(small_dot(a, x));
    }
    let sum = a.iter().zip(x).try_fold(0i128, |sum, (a, x)| sum.checked_add(i128::from(*a) * i128::from(*x)))?;
    i64::try_from(sum).ok()
}

/// a·x + b; `None` when it leaves `i64`.
#[inline(always)]
pub fn value(row: &[i64], x: &[i64]) -> Option<i64> {
    dot(&row[..x.len()], x)?.checked_add(row[x.len()])
}

/// Whether a point satisfies inequalities a·x + b ≥ 0; `None` when a value leaves `i64`.
#[inline(always)]
pub fn satisfies(rows: &[Vec<i64>], x: &[i64]) -> Option<bool> {
    for row in rows {
        if value(row, x)? < 0 {
            return Some(false);
        }
    }
    Some(true)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn products_are_exact_on_both_sides_of_the_bounds() {
        let row = [(1 << 16) - 1, -(1 << 16) + 1, 1 << 16, -(1 << 16), i64::MIN, i64::MAX, 0, 1];
        let vector = [(1 << 40) - 1, -(1 << 40) + 1, 1 << 40, -(1 << 40), i64::MIN, i64::MAX, 0, 1];
        for a in row {
            for x in vector {
                assert_eq!(dot(&[a], &[x]), a.checked_mul(x), "{a}·{x}");
                let twice = a.checked_mul(x).and_then(|once| once.checked_mul(2));
                assert_eq!(dot(&[a, a], &[x, x]), twice, "2·{a}·{x}");
            }
        }
        let (row, vector) = (vec![(1 << 16) - 1; 64], vec![-(1 << 40) + 1; 64]);
        assert_eq!(dot(&row, &vector), Some(64 * ((1 << 16) - 1) * (-(1 << 40) + 1)));
    }
}
