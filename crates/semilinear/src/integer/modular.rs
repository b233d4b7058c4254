//! Arithmetic modulo primes of up to 62 bits.

/// The product modulo `prime`.
pub fn multiply(a: u64, b: u64, prime: u64) -> u64 {
    u64::try_from((u128::from(a) * u128::from(b)) % u128::from(prime)).expect("a remainder is below its modulus")
}

/// The sum of two remainders.
pub fn add(a: u64, b: u64, prime: u64) -> u64 {
    (a + b) % prime
}

/// The difference of two remainders.
pub fn subtract(a: u64, b: u64, prime: u64) -> u64 {
    (a + prime - b) % prime
}

/// `base` to the power `exponent`, modulo `prime`.
pub fn power(mut base: u64, mut exponent: u64, prime: u64) -> u64 {
    let mut result = 1;
    base %= prime;
    while exponent > 0 {
        if exponent & 1 == 1 {
            result = multiply(result, base, prime);
        }
        base = multiply(base, base, prime);
        exponent >>= 1;
    }
    result
}

/// The inverse of a non-zero remainder.
pub fn inverse(a: u64, prime: u64) -> u64 {
    power(a, prime - 2, prime)
}

/// The largest prime below `n`; `n` must be greater than 2.
///
/// ```
/// use semilinear::integer::modular::prime_below;
/// assert_eq!(prime_below(1 << 61), (1 << 61) - 1);
/// ```
pub fn prime_below(mut n: u64) -> u64 {
    loop {
        n -= 1;
        if is_prime(n) {
            return n;
        }
    }
}

/// Miller–Rabin with bases that decide all 64-bit numbers.
fn is_prime(n: u64) -> bool {
    const BASES: [u64; 12] = [2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37];
    if n < 2 {
        return false;
    }
    if BASES.contains(&n) {
        return true;
    }
    if BASES.iter().any(|&p| n.is_multiple_of(p)) {
        return false;
    }
    let twos = (n - 1).trailing_zeros();
    let odd = (n - 1) >> twos;
    BASES.iter().all(|&a| {
        let mut x = power(a, odd, n);
        if x == 1 || x == n - 1 {
            return true;
        }
        for _ in 1..twos {
            x = multiply(x, x, n);
            if x == n - 1 {
                return true;
            }
        }
        false
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn primes_by_trial_division() {
        for n in 0u64..2000 {
            let trial = n > 1 && (2..n).take_while(|d| d * d <= n).all(|d| !n.is_multiple_of(d));
            assert_eq!(is_prime(n), trial, "{n}");
        }
        let p = prime_below(1 << 61);
        assert_eq!(multiply(inverse(12345, p), 12345, p), 1);
    }
}
