//! Mex and nim arithmetic.
//!
//! The nimbers below 2^(2^k) form a field under nim-sum and nim-product (Conway, *On Numbers and
//! Games*, chapter 6). Here k ≤ 6: nimbers below 2⁶⁴ as `u64`.

use std::sync::OnceLock;

/// The least number that is not among the values.
///
/// # Complexity
/// O(m log m) for m values.
///
/// ```
/// use impartial::nimber::mex;
/// assert_eq!(mex([0, 3, 1, 1]), 2);
/// assert_eq!(mex([]), 0);
/// ```
pub fn mex(values: impl IntoIterator<Item = u64>) -> u64 {
    let mut sorted: Vec<u64> = values.into_iter().collect();
    sorted.sort_unstable();
    sorted.into_iter().fold(0, |mex, value| if value == mex { mex + 1 } else { mex })
}

/// The nim-sum: addition without carry.
///
/// ```
/// use impartial::nimber::nim_sum;
/// assert_eq!(nim_sum([1, 3, 6]), 4);
/// ```
pub fn nim_sum(values: impl IntoIterator<Item = u64>) -> u64 {
    values.into_iter().fold(0, |sum, value| sum ^ value)
}

/// The nim-product.
///
/// With F = 2^(2^k) a Fermat 2-power, F ⊗ x = F·x for x < F and F ⊗ F = F ⊕ F/2, so that
/// (aF + b) ⊗ (cF + d) needs three products of half the length (Karatsuba) and one by F/2.
///
/// # Complexity
/// 4³ table look-ups at 64 bits, by a table of products below 2⁸ that is built once.
///
/// ```
/// use impartial::nimber::nim_product;
/// assert_eq!(nim_product(2, 2), 3);
/// assert_eq!(nim_product(4, 4), 6);
/// assert_eq!(nim_product(2, 4), 8);
/// ```
pub fn nim_product(a: u64, b: u64) -> u64 {
    product(a, b, half_length(a | b))
}

/// The nim-inverse: the only b with `a ⊗ b = 1`; `None` for 0.
///
/// Below F², the conjugate of aF + b is aF + (a ⊕ b); their product lies below F, where the inverse is
/// found by recursion.
///
/// ```
/// use impartial::nimber::{nim_inverse, nim_product};
/// assert_eq!(nim_inverse(2), Some(3));
/// assert_eq!(nim_product(123_456_789, nim_inverse(123_456_789).unwrap()), 1);
/// assert_eq!(nim_inverse(0), None);
/// ```
pub fn nim_inverse(a: u64) -> Option<u64> {
    (a != 0).then(|| inverse(a, half_length(a)))
}

/// Half the length in bits of the smallest field that holds `a`: 32, 16, 8 or 4 (the table).
fn half_length(a: u64) -> u32 {
    match 64 - a.leading_zeros() {
        0..=8 => 4,
        9..=16 => 8,
        17..=32 => 16,
        _ => 32,
    }
}

/// A nimber below 2^(2·half) as (a, b) with value a·2^half + b.
fn split(x: u64, half: u32) -> (u64, u64) {
    (x >> half, x & ((1 << half) - 1))
}

fn product(x: u64, y: u64, half: u32) -> u64 {
    if half == 4 {
        return u64::from(table()[usize::try_from(x << 8 | y).expect("two bytes")]);
    }
    by_halves(x, y, half, product)
}

/// One step of the recursion; `below` multiplies nimbers of half the length.
fn by_halves(x: u64, y: u64, half: u32, below: impl Fn(u64, u64, u32) -> u64) -> u64 {
    let ((a, b), (c, d)) = (split(x, half), split(y, half));
    let (high, low) = (below(a, c, half / 2), below(b, d, half / 2));
    let mixed = below(a ^ b, c ^ d, half / 2);
    (mixed ^ low) << half ^ low ^ below(high, 1 << (half - 1), half / 2)
}

/// All products below 2⁸.
fn table() -> &'static [u8] {
    static TABLE: OnceLock<Vec<u8>> = OnceLock::new();
    fn plain(x: u64, y: u64, half: u32) -> u64 {
        if half == 0 { x & y } else { by_halves(x, y, half, plain) }
    }
    TABLE.get_or_init(|| {
        (0..1_u64 << 16).map(|xy| u8::try_from(plain(xy >> 8, xy & 255, 4)).expect("a field below 2^8")).collect()
    })
}

fn inverse(x: u64, half: u32) -> u64 {
    if x <= 1 {
        return x;
    }
    let (a, b) = split(x, half);
    let conjugate = a << half | (a ^ b);
    let full = half.max(4);
    let norm = product(x, conjugate, full);
    debug_assert!(norm >> half == 0, "the norm lies in the smaller field");
    product(conjugate, inverse(norm, half / 2), full)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// Conway's definition: a ⊗ b = mex {a' ⊗ b ⊕ a ⊗ b' ⊕ a' ⊗ b' : a' < a, b' < b}.
    #[test]
    fn products_agree_with_the_definition() {
        let mut known = vec![vec![0_u64; 40]; 40];
        for a in 0..40 {
            for b in 0..40 {
                let mut seen = Vec::new();
                for x in 0..a {
                    for y in 0..b {
                        seen.push(known[x][b] ^ known[a][y] ^ known[x][y]);
                    }
                }
                known[a][b] = mex(seen);
                assert_eq!(nim_product(a as u64, b as u64), known[a][b], "{a} times {b}");
            }
        }
    }

    #[test]
    fn fermat_powers_multiply_as_they_must() {
        for k in 0..6 {
            let fermat = 1_u64 << (1 << k);
            assert_eq!(nim_product(fermat, fermat), fermat ^ (fermat / 2));
            assert_eq!(
                nim_product(fermat, fermat - 1),
                u64::try_from(u128::from(fermat) * u128::from(fermat - 1)).unwrap()
            );
        }
    }

    #[test]
    fn small_inverses() {
        for a in 1..=65_536 {
            assert_eq!(nim_product(a, nim_inverse(a).unwrap()), 1, "{a}");
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(300))]
        #[test]
        fn nimbers_below_2_64_are_a_field(a: u64, b: u64, c: u64, shift in 0_u32..64) {
            let (a, b) = (a >> shift, b >> (shift / 2));
            prop_assert_eq!(nim_product(a, b), nim_product(b, a));
            prop_assert_eq!(nim_product(a, 1), a);
            prop_assert_eq!(nim_product(a, 0), 0);
            prop_assert_eq!(nim_product(nim_product(a, b), c), nim_product(a, nim_product(b, c)));
            prop_assert_eq!(nim_product(a, b ^ c), nim_product(a, b) ^ nim_product(a, c));
            if let Some(inverse) = nim_inverse(a) {
                prop_assert_eq!(nim_product(a, inverse), 1);
            }
        }

        #[test]
        fn mex_is_the_least_missing(values in prop::collection::vec(0_u64..12, 0..20)) {
            let m = mex(values.iter().copied());
            prop_assert!(!values.contains(&m));
            prop_assert!((0..m).all(|v| values.contains(&v)));
        }
    }
}
