//! The character form of the series of a parity kernel.

use super::{Series, SeriesError, Term};
use crate::integer::modular::{add, inverse, multiply, subtract};
use crate::integer::{Int, Rat, Vector, unit_vector};
use crate::run::{Monitor, StopReason};

/// More characters than this are not kept.
const MOST_CHARACTERS: usize = 1 << 16;
/// The ordinary series of more monomials than this is not written down.
const MOST_TERMS: usize = 1 << 20;

/// f(t) = 2^(−r) Σ_χ Πᵢ 1/(1 − χᵢtᵢ) over a group of 2^r sign vectors χ ∈ {1, −1}ᵈ.
///
/// The coefficient of t^x is the mean of χ(x) = Πᵢ χᵢ^xᵢ over the group: 1 when all χ(x) are 1, else 0. So f is the series of
/// {x ∈ ℕᵈ : Mx = 0 modulo 2} when the group is spanned by the rows of M (a sign −1 for an entry 1): 2^r terms, where P₀ + 2ℕᵈ
/// has 2^(d−r).
///
/// ```
/// use semilinear::{integer::vector, series::CharacterSum};
/// // x₁ + x₂ even.
/// let f = CharacterSum::spanned(2, &[vec![true, true]]).unwrap();
/// assert_eq!(f.signs().len(), 2);
/// assert!(f.contains(&vector(&[3, 5])) && !f.contains(&vector(&[3, 4])));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CharacterSum {
    dimension: usize,
    /// Sorted; `true` for −1.
    signs: Vec<Vec<bool>>,
}

impl CharacterSum {
    /// The sum over the group spanned by sign vectors (`true` for −1).
    ///
    /// # Complexity
    /// O(2^r d), and an elimination.
    pub fn spanned(dimension: usize, rows: &[Vec<bool>]) -> Result<Self, StopReason> {
        let mut signs = vec![vec![false; dimension]];
        // A basis in echelon form: each vector with its first place.
        let mut basis: Vec<(usize, Vec<bool>)> = Vec::new();
        for row in rows {
            assert_eq!(row.len(), dimension, "a sign for each variable");
            let mut rest = row.clone();
            for (first, vector) in &basis {
                if rest[*first] {
                    rest.iter_mut().zip(vector).for_each(|(x, v)| *x ^= v);
                }
            }
            let Some(first) = rest.iter().position(|&x| x) else { continue };
            basis.push((first, rest));
            if 2 * signs.len() > MOST_CHARACTERS {
                return Err(StopReason::Size { what: "characters", limit: MOST_CHARACTERS as u64 });
            }
            let more: Vec<Vec<bool>> = signs.iter().map(|s| s.iter().zip(row).map(|(a, b)| a != b).collect()).collect();
            signs.extend(more);
        }
        signs.sort();
        Ok(Self { dimension, signs })
    }

    /// The sum for {x : ⊕ xᵢgᵢ = 0}: one row for each binary digit of the values.
    ///
    /// # Complexity
    /// O(2^r d), r the rank of the digits.
    pub fn of_values(values: &[u64]) -> Result<Self, StopReason> {
        let all = values.iter().fold(0, |all, g| all | g);
        let rows: Vec<Vec<bool>> = (0..64)
            .filter(|digit| all >> digit & 1 == 1)
            .map(|digit| values.iter().map(|g| g >> digit & 1 == 1).collect())
            .collect();
        Self::spanned(values.len(), &rows)
    }

    /// The number of variables.
    pub fn dimension(&self) -> usize {
        self.dimension
    }

    /// The sign vectors of the terms, `true` for −1.
    pub fn signs(&self) -> &[Vec<bool>] {
        &self.signs
    }

    /// The coefficient of t^x times the number of terms: the sum of χ(x), for x ∈ ℕᵈ; 0 elsewhere.
    fn total(&self, x: &[Int]) -> i64 {
        if x.iter().any(Int::is_negative) {
            return 0;
        }
        let odd: Vec<bool> = x.iter().map(|x| x.mod_u64(2) == 1).collect();
        self.signs
            .iter()
            .map(|s| if s.iter().zip(&odd).filter(|(s, o)| **s && **o).count() % 2 == 0 { 1 } else { -1 })
            .sum()
    }

    /// The coefficient of t^x.
    ///
    /// # Complexity
    /// O(2^r d): only the last binary digits of x are read.
    pub fn coefficient(&self, x: &[Int]) -> Rat {
        Rat::new(Int::from(self.total(x)), Int::from(self.signs.len()))
    }

    /// Whether x lies in the set whose series this is.
    pub fn contains(&self, x: &[Int]) -> bool {
        self.total(x) != 0
    }

    /// The values χ(x) of all characters, `true` for −1. The series of {r : x + r ∈ P} is 2^(−r) Σ χ(x) Π 1/(1 − χᵢtᵢ), and the fractions
    /// of different characters are linearly independent: so x and y are congruent iff these values agree.
    pub fn values_at(&self, x: &[Int]) -> Vec<bool> {
        let odd: Vec<bool> = x.iter().map(|x| x.mod_u64(2) == 1).collect();
        self.signs.iter().map(|s| s.iter().zip(&odd).filter(|(s, o)| **s && **o).count() % 2 == 1).collect()
    }

    /// The value at a point modulo an odd prime, or nothing when a denominator vanishes there.
    pub fn evaluate_modulo(&self, point: &[u64], prime: u64) -> Option<u64> {
        let mut sum = 0;
        for signs in &self.signs {
            let mut denominator = 1;
            for (&negative, &t) in signs.iter().zip(point) {
                let factor = if negative { add(1, t, prime) } else { subtract(1, t, prime) };
                denominator = multiply(denominator, factor, prime);
            }
            if denominator == 0 {
                return None;
            }
            sum = add(sum, inverse(denominator, prime), prime);
        }
        Some(multiply(sum, inverse(Int::from(self.signs.len()).mod_u64(prime), prime), prime))
    }

    /// The same function with denominators 1 − tᵢ² only: 1/(1 − χt) = (1 + χt)/(1 − t²), multiplied out.
    ///
    /// # Complexity
    /// O(2^(d+r) d); it stops at a limit.
    pub fn series(&self, monitor: &dyn Monitor) -> Result<Series, SeriesError> {
        let d = self.dimension;
        if d > MOST_TERMS.ilog2() as usize {
            return Err(StopReason::Size { what: "terms of a series", limit: MOST_TERMS as u64 }.into());
        }
        let denominators: Vec<Vector> =
            (0..d).map(|i| unit_vector(d, i).iter().map(|x| x * &Int::from(2)).collect()).collect();
        let mut terms = Vec::new();
        for code in 0..1usize << d {
            monitor.check(code as u64, Some(1 << d))?;
            let exponent: Vector = (0..d).map(|i| Int::from(code >> i & 1)).collect();
            let coefficient = self.coefficient(&exponent);
            if !coefficient.is_zero() {
                terms.push(Term { coefficient, exponent, denominators: denominators.clone() });
            }
        }
        Series::new(d, terms)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::integer::vector;
    use crate::run::Unlimited;

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(60))]
        #[test]
        fn characters_list_the_kernel(values in prop::collection::vec(0u64..8, 1..6)) {
            let d = values.len();
            let f = CharacterSum::of_values(&values).unwrap();
            let ordinary = f.series(&Unlimited).unwrap();
            for code in 0..3usize.pow(u32::try_from(d).unwrap()) {
                let x: Vec<i64> = (0..d).map(|i| i64::try_from(code / 3usize.pow(u32::try_from(i).unwrap()) % 3).unwrap()).collect();
                let value = x.iter().zip(&values).filter(|(x, _)| **x % 2 == 1).fold(0, |sum, (_, g)| sum ^ g);
                let expected = if value == 0 { Rat::ONE } else { Rat::ZERO };
                prop_assert_eq!(f.coefficient(&vector(&x)), expected.clone());
                prop_assert_eq!(ordinary.coefficient(&vector(&x), &Unlimited).unwrap(), expected);
            }
            // The same rational function: values modulo a prime agree (the identity itself is the one of the coefficients).
            let point: Vec<u64> = (0..d as u64).map(|i| 1_000_003 + 77_777 * i * i).collect();
            let prime = (1 << 61) - 1;
            prop_assert_eq!(f.evaluate_modulo(&point, prime), ordinary.evaluate_modulo(&point, prime));
        }
    }

    #[test]
    fn many_characters_are_a_limit() {
        let values: Vec<u64> = (0..20).map(|i| 1 << i).collect();
        assert!(matches!(CharacterSum::of_values(&values), Err(StopReason::Size { .. })));
        assert!(!CharacterSum::of_values(&[1, 2]).unwrap().contains(&vector(&[-2, 0])));
    }
}
