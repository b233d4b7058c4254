//! Decimal digits into integers, in halves: long numbers cost as much as their multiplications, not the square of their digits.

use num_bigint::BigUint;

/// Fewer digits are read at once.
const SHORT: usize = 512;

/// The number that these decimal digits write; `None` when there are none, or one of the characters is no digit.
///
/// # Complexity
/// O(M(n) log n) for n digits, with M(n) the cost of multiplying numbers of n digits.
///
/// ```
/// use semilinear::integer::from_decimal;
/// assert_eq!(from_decimal("0012"), Some(12u32.into()));
/// assert_eq!(from_decimal("1_2"), None);
/// assert_eq!(from_decimal(""), None);
/// ```
pub fn from_decimal(digits: &str) -> Option<BigUint> {
    let sound = !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit());
    if !sound {
        return None;
    }
    // Blocks of equal length, 2^k of them, so that factors are of equal size: 10^block, 10^(2·block), 10^(4·block), …
    let levels = digits.len().div_ceil(SHORT).next_power_of_two().trailing_zeros();
    let block = digits.len().div_ceil(1 << levels);
    let mut powers: Vec<BigUint> = vec![];
    for _ in 0..levels {
        powers
            .push(powers.last().map_or_else(|| from_short(&("1".to_owned() + &"0".repeat(block))), |last| last * last));
    }
    Some(read(digits, block, &powers))
}

/// The number of at most block·2^k digits, with the first k powers.
fn read(digits: &str, block: usize, powers: &[BigUint]) -> BigUint {
    let Some((power, smaller)) = powers.split_last() else { return from_short(digits) };
    let low = block << smaller.len();
    if digits.len() <= low {
        return read(digits, block, smaller);
    }
    let (high, low) = digits.split_at(digits.len() - low);
    read(high, block, smaller) * power + read(low, block, smaller)
}

/// Some digits by the plain method.
fn from_short(digits: &str) -> BigUint {
    BigUint::parse_bytes(digits.as_bytes(), 10).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn halves_agree_with_the_plain_parser() {
        let mut seed = 1u64;
        for length in [1, 2, 511, 512, 513, 1023, 1024, 1025, 3000, 4096, 5001] {
            let digits: String = (0..length)
                .map(|_| {
                    seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
                    char::from(b'0' + u8::try_from((seed >> 33) % 10).unwrap_or(0))
                })
                .collect();
            assert_eq!(from_decimal(&digits), BigUint::parse_bytes(digits.as_bytes(), 10));
        }
        assert_eq!(from_decimal("1 2"), None);
        assert_eq!(from_decimal("+12"), None);
    }
}
