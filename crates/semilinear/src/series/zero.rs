//! Is a series zero? Are two series equal?

use rustc_hash::FxHashMap;

use super::{Series, SeriesError, Term};
use crate::integer::modular::prime_below;
use crate::integer::{Rat, Vector, add, dot};
use crate::run::{Monitor, StopReason};

/// More monomials than this are not multiplied out.
const MAX_MONOMIALS: usize = 4_000_000;

impl Series {
    /// Whether the rational function is zero, settled exactly.
    ///
    /// Random values modulo two primes near 2⁶¹ are looked at first: one that is not 0 refutes. If all are 0, the numerator over the
    /// common denominator is multiplied out; it must vanish as a Laurent polynomial.
    ///
    /// # Complexity
    /// The exact part is exponential in the number of denominators that a term lacks; it stops at a limit of monomials.
    ///
    /// ```
    /// use semilinear::{integer::vector, run::Unlimited, series::Series};
    /// let all = Series::of_module(1, &[vector(&[0])], &[vector(&[1])]).unwrap();
    /// let halves = Series::of_module(1, &[vector(&[0]), vector(&[1])], &[vector(&[2])]).unwrap();
    /// assert!(all.minus(&halves).unwrap().is_zero(&Unlimited).unwrap());
    /// ```
    pub fn is_zero(&self, monitor: &dyn Monitor) -> Result<bool, SeriesError> {
        if self.terms().is_empty() {
            return Ok(true);
        }
        if self.refuted() {
            return Ok(false);
        }
        Ok(self.first_exponent(monitor)?.is_none())
    }

    /// An exponent with non-zero coefficient and least value of the functional, or nothing when the series is zero. Exact.
    ///
    /// The series times its common denominator Π(1 − t^a) is a Laurent polynomial. The inverse of that product begins with 1, and
    /// all its other exponents have positive values: so series and polynomial agree at their least exponents.
    ///
    /// ```
    /// use semilinear::{integer::vector, run::Unlimited, series::Series};
    /// let all = Series::of_module(1, &[vector(&[0])], &[vector(&[1])]).unwrap();
    /// let even = Series::of_module(1, &[vector(&[0])], &[vector(&[2])]).unwrap();
    /// let odd = all.minus(&even).unwrap();
    /// assert_eq!(odd.first_exponent(&Unlimited).unwrap(), Some(vector(&[1])));
    /// ```
    pub fn first_exponent(&self, monitor: &dyn Monitor) -> Result<Option<Vector>, SeriesError> {
        let polynomial = self.numerator(monitor)?;
        Ok(polynomial.into_iter().min_by_key(|e| (dot(self.functional(), e), e.clone())))
    }

    /// Whether both are the same function (and, expanded together, the same series).
    pub fn same(&self, other: &Self, monitor: &dyn Monitor) -> Result<bool, SeriesError> {
        self.minus(other)?.is_zero(monitor)
    }

    /// Whether a value modulo a prime at a pseudo-random point is not 0: then the series is not 0.
    pub fn refuted(&self) -> bool {
        let mut state = 0xd1b5_4a32_d192_ed03u64;
        let mut prime = 1u64 << 61;
        for _ in 0..2 {
            prime = prime_below(prime);
            let mut draws = 0;
            let mut tried = 0;
            while draws < 2 && tried < 20 {
                tried += 1;
                let point: Vec<u64> = (0..self.dimension())
                    .map(|_| {
                        state ^= state << 13;
                        state ^= state >> 7;
                        state ^= state << 17;
                        1 + state % (prime - 1)
                    })
                    .collect();
                match self.evaluate_modulo(&point, prime) {
                    None => {}
                    Some(0) => draws += 1,
                    Some(_) => return true,
                }
            }
        }
        false
    }

    /// The exponents of the numerator over the least common denominator, multiplied out. Factors are used up one at a time: the terms that lack
    /// the factor are multiplied by it, so that terms which agree in all remaining factors cancel early.
    fn numerator(&self, monitor: &dyn Monitor) -> Result<Vec<Vector>, StopReason> {
        // The multiplicity that each factor has in the common denominator.
        let mut most: FxHashMap<&Vector, usize> = FxHashMap::default();
        for term in self.terms() {
            for (a, count) in multiplicities(&term.denominators) {
                let entry = most.entry(a).or_default();
                *entry = (*entry).max(count);
            }
        }
        let mut factors: Vec<(&Vector, usize)> = most.into_iter().collect();
        // First those that most terms lack least often: the numerators stay short longest.
        let lacking = |a: &Vector, m: usize| -> usize {
            self.terms().iter().map(|t| m - t.denominators.iter().filter(|b| *b == a).count()).sum()
        };
        factors.sort_by_cached_key(|(a, m)| (lacking(a, *m), (*a).clone()));
        let mut polynomial: FxHashMap<(Vec<Vector>, Vector), Rat> = FxHashMap::default();
        for t in self.terms() {
            polynomial.insert((t.denominators.clone(), t.exponent.clone()), t.coefficient.clone());
        }
        for (a, multiplicity) in factors {
            let mut next: FxHashMap<(Vec<Vector>, Vector), Rat> = FxHashMap::default();
            for (done, ((denominators, exponent), coefficient)) in polynomial.into_iter().enumerate() {
                if done % 1024 == 0 {
                    monitor.check(done as u64, None)?;
                }
                let rest: Vec<Vector> = denominators.iter().filter(|b| *b != a).cloned().collect();
                let times = multiplicity - (denominators.len() - rest.len());
                let mut expanded = vec![(exponent, coefficient)];
                for _ in 0..times {
                    let negative: Vec<(Vector, Rat)> = expanded.iter().map(|(e, c)| (add(e, a), -c)).collect();
                    expanded.extend(negative);
                }
                for (e, c) in expanded {
                    *next.entry((rest.clone(), e)).or_default() += &c;
                }
                if next.len() > MAX_MONOMIALS {
                    return Err(StopReason::Size { what: "monomials", limit: MAX_MONOMIALS as u64 });
                }
            }
            next.retain(|_, c| !c.is_zero());
            polynomial = next;
        }
        Ok(polynomial.into_keys().map(|(_, exponent)| exponent).collect())
    }
}

/// The different vectors of a list with their multiplicities.
fn multiplicities(list: &[Vector]) -> Vec<(&Vector, usize)> {
    let mut counts: Vec<(&Vector, usize)> = Vec::new();
    for a in list {
        match counts.iter_mut().find(|(b, _)| *b == a) {
            Some((_, count)) => *count += 1,
            None => counts.push((a, 1)),
        }
    }
    counts
}

impl Term {
    /// Whether the denominators are linearly independent: then the term lists every exponent once.
    pub fn is_free(&self) -> bool {
        let n = self.exponent.len();
        crate::integer::rank(&crate::integer::Matrix::from_rows(n, &self.denominators)) == self.denominators.len()
    }
}
