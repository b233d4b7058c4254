//! Evaluation modulo primes.

use super::Series;
use crate::integer::modular::{add, inverse, multiply, power, subtract};
use crate::integer::{Int, Rat};

impl Series {
    /// The value of the rational function at a point with non-zero coordinates modulo a prime, or nothing when a denominator
    /// vanishes there.
    ///
    /// # Complexity
    /// O(terms · denominators · d) powers; the exponents are first reduced modulo prime − 1.
    ///
    /// ```
    /// use semilinear::{integer::vector, series::Series};
    /// let f = Series::of_module(1, &[vector(&[1])], &[vector(&[1])]).unwrap();
    /// assert_eq!(f.evaluate_modulo(&[3], 7), Some(2)); // 3/(1 − 3) = −3/2 = 2 modulo 7
    /// ```
    pub fn evaluate_modulo(&self, point: &[u64], prime: u64) -> Option<u64> {
        let monomial = |exponent: &[Int]| {
            exponent
                .iter()
                .zip(point)
                .fold(1, |value, (e, &t)| multiply(value, power(t, e.mod_u64(prime - 1), prime), prime))
        };
        let mut sum = 0;
        for term in self.terms() {
            let mut denominator = term.coefficient.denominator().mod_u64(prime);
            for a in &term.denominators {
                denominator = multiply(denominator, subtract(1, monomial(a), prime), prime);
            }
            if denominator == 0 {
                return None;
            }
            let numerator = multiply(term.coefficient.numerator().mod_u64(prime), monomial(&term.exponent), prime);
            sum = add(sum, multiply(numerator, inverse(denominator, prime), prime), prime);
        }
        Some(sum)
    }

    /// The value at a rational point with non-zero coordinates, or nothing when a denominator vanishes there or an exponent is
    /// beyond 10⁶ (the value would not fit).
    pub fn evaluate(&self, point: &[Rat]) -> Option<Rat> {
        let mut sum = Rat::ZERO;
        for term in self.terms() {
            let mut value = &term.coefficient * &monomial(&term.exponent, point)?;
            for a in &term.denominators {
                let factor = &Rat::ONE - &monomial(a, point)?;
                if factor.is_zero() {
                    return None;
                }
                value = &value / &factor;
            }
            sum += &value;
        }
        Some(sum)
    }
}

fn monomial(exponent: &[Int], point: &[Rat]) -> Option<Rat> {
    let mut value = Rat::ONE;
    for (e, t) in exponent.iter().zip(point) {
        let size = u32::try_from(e.abs().to_i64().filter(|e| *e <= 1_000_000)?).ok()?;
        let power = Rat::new(t.numerator().pow(size), t.denominator().pow(size));
        value = if e.is_negative() { &value / &power } else { &value * &power };
    }
    Some(value)
}
