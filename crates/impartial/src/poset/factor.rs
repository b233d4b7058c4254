//! Factorisation of 64-bit numbers, for Schuh's game on the divisors of n.

/// The prime factorisation of `n` ≥ 1: primes in increasing order with their exponents.
///
/// ```
/// use impartial::poset::factorisation;
/// assert_eq!(factorisation(360), [(2, 3), (3, 2), (5, 1)]);
/// assert_eq!(factorisation(18_446_744_073_709_551_557), [(18_446_744_073_709_551_557, 1)]);
/// ```
///
/// # Complexity
/// Trial division by small primes, then Pollard's rho: about n^(1/4) steps.
pub fn factorisation(n: u64) -> Vec<(u64, u32)> {
    let mut primes = Vec::new();
    let mut rest = n.max(1);
    for p in 2..1000 {
        while rest.is_multiple_of(p) {
            primes.push(p);
            rest /= p;
        }
    }
    let mut open = vec![rest];
    while let Some(m) = open.pop() {
        if m == 1 {
            continue;
        }
        if is_prime(m) {
            primes.push(m);
        } else {
            let d = divisor(m);
            open.push(d);
            open.push(m / d);
        }
    }
    primes.sort_unstable();
    let mut factors: Vec<(u64, u32)> = Vec::new();
    for p in primes {
        match factors.last_mut() {
            Some((q, exponent)) if *q == p => *exponent += 1,
            _ => factors.push((p, 1)),
        }
    }
    factors
}

fn product(a: u64, b: u64, m: u64) -> u64 {
    u64::try_from(u128::from(a) * u128::from(b) % u128::from(m)).expect("a residue modulo a u64")
}

fn power(mut a: u64, mut e: u64, m: u64) -> u64 {
    let mut result = 1;
    while e > 0 {
        if e & 1 == 1 {
            result = product(result, a, m);
        }
        a = product(a, a, m);
        e >>= 1;
    }
    result
}

/// Miller–Rabin with the first twelve primes as bases, which is exact below 2⁶⁴ (Sorenson–Webster 2015).
fn is_prime(m: u64) -> bool {
    if m < 1_000_000 {
        // No divisor below 1000 is left at this point.
        return m > 1;
    }
    let s = (m - 1).trailing_zeros();
    let d = (m - 1) >> s;
    [2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37].into_iter().all(|base| {
        let mut x = power(base, d, m);
        if x == 1 || x == m - 1 {
            return true;
        }
        for _ in 1..s {
            x = product(x, x, m);
            if x == m - 1 {
                return true;
            }
        }
        false
    })
}

/// A proper divisor of the composite number `m`, by Pollard's rho.
fn divisor(m: u64) -> u64 {
    for c in 1_u64.. {
        let step = |x: u64| {
            u64::try_from((u128::from(product(x, x, m)) + u128::from(c)) % u128::from(m))
                .expect("a residue modulo a u64")
        };
        let (mut slow, mut fast) = (2_u64, step(2));
        loop {
            let d = num_integer::gcd(slow.abs_diff(fast), m);
            if d == m {
                break; // the whole cycle at once: another polynomial
            }
            if d > 1 {
                return d;
            }
            slow = step(slow);
            fast = step(step(fast));
        }
    }
    unreachable!("some polynomial splits a composite number")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn factors_multiply_back() {
        for n in (1..2000).chain([
            1 << 63,
            u64::MAX,
            1_000_003 * 1_000_033,
            999_983 * 999_983,
            4_294_967_291 * 4_294_967_279,
        ]) {
            let factors = factorisation(n);
            assert_eq!(factors.iter().map(|&(p, e)| p.pow(e)).product::<u64>(), n);
            assert!(factors.windows(2).all(|pair| pair[0].0 < pair[1].0));
            for (p, _) in factors {
                assert!((2..1000).filter(|d| d * d <= p).all(|d| p % d > 0), "{p}");
            }
        }
    }
}
