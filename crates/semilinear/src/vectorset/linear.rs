//! Linear equations, inequalities and congruences.

use num_bigint::BigInt;
use num_integer::Integer as _;
use num_traits::{Signed as _, Zero as _};

use super::{Effort, VectorSet, builder};
use crate::run::StopReason;

/// What a linear form is compared with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Relation {
    /// a·x + b ≥ 0.
    AtLeastZero,
    /// a·x + b = 0.
    Zero,
}

impl VectorSet {
    /// {x ∈ ℕᵈ : a·x + b ≥ 0} or {x ∈ ℕᵈ : a·x + b = 0}; [`VectorSet::linear_big`] takes big integers.
    ///
    /// # Complexity
    /// O(d·(Σ|aᵢ| + log|b|)) states.
    ///
    /// ```
    /// use semilinear::vectorset::{Effort, Relation, VectorSet};
    /// let effort = Effort::unlimited();
    /// let steep = VectorSet::linear(&[2, -3], -4, Relation::AtLeastZero, &effort)?;
    /// assert!(steep.contains_small(&[5, 2]) && !steep.contains_small(&[4, 2]));
    /// # Ok::<(), semilinear::run::StopReason>(())
    /// ```
    pub fn linear(a: &[i64], b: i64, relation: Relation, effort: &Effort<'_>) -> Result<Self, StopReason> {
        let a: Vec<BigInt> = a.iter().map(|&ai| ai.into()).collect();
        Self::linear_big(&a, &b.into(), relation, effort)
    }

    /// [`VectorSet::linear`] with integers of any size; common factors of the coefficients cost nothing.
    ///
    /// ```
    /// use semilinear::vectorset::{Effort, Relation, VectorSet};
    /// use num_bigint::BigInt;
    /// let effort = Effort::unlimited();
    /// let huge = BigInt::from(10).pow(1000);
    /// // 10¹⁰⁰⁰·(x − 2y) ≥ 10¹⁰⁰⁰ + 1 iff x ≥ 2y + 2.
    /// let set = VectorSet::linear_big(&[huge.clone(), -2 * &huge], &(-&huge - 1), Relation::AtLeastZero, &effort)?;
    /// assert_eq!(set, VectorSet::linear(&[1, -2], -2, Relation::AtLeastZero, &effort)?);
    /// # Ok::<(), semilinear::run::StopReason>(())
    /// ```
    pub fn linear_big(a: &[BigInt], b: &BigInt, relation: Relation, effort: &Effort<'_>) -> Result<Self, StopReason> {
        // g·a·x + b ≥ 0 iff a·x + ⌊b/g⌋ ≥ 0; an equation needs g | b.
        let g = a.iter().fold(BigInt::zero(), |g, ai| g.gcd(ai));
        if g > BigInt::from(1) {
            if relation == Relation::Zero && !b.mod_floor(&g).is_zero() {
                return Ok(Self::empty(a.len()));
            }
            let reduced: Vec<BigInt> = a.iter().map(|ai| ai / &g).collect();
            return Self::linear_big(&reduced, &b.div_floor(&g), relation, effort);
        }
        // The residual of a·x + b after the digits e is a·x' + (b + a·e)/2; rounding down keeps ≥ 0.
        // `None`: no solution, an odd value of an equation.
        let last = a.len() - 1;
        let step = |c: &Option<BigInt>, track: usize, bit: usize| {
            let c = c.as_ref()?;
            let c = if bit == 1 { c + &a[track] } else { c.clone() };
            if track < last {
                return Some(c);
            }
            match relation {
                Relation::Zero if c.is_odd() => None,
                _ => Some(c.div_floor(&2.into())),
            }
        };
        builder::explore(a.len(), Some(b.clone()), effort, step, |c| {
            c.as_ref().is_some_and(|c| match relation {
                Relation::AtLeastZero => !c.is_negative(),
                Relation::Zero => c.is_zero(),
            })
        })
    }

    /// {x ∈ ℕᵈ : a·x ≡ b (mod m)}, m ≥ 1; [`VectorSet::congruence_big`] takes big integers.
    ///
    /// # Complexity
    /// O(d·m) states.
    pub fn congruence(a: &[i64], b: i64, m: u64, effort: &Effort<'_>) -> Result<Self, StopReason> {
        let a: Vec<BigInt> = a.iter().map(|&ai| ai.into()).collect();
        Self::congruence_big(&a, &b.into(), &m.into(), effort)
    }

    /// [`VectorSet::congruence`] with integers of any size.
    ///
    /// ```
    /// use semilinear::vectorset::{Effort, VectorSet};
    /// use num_bigint::BigInt;
    /// let effort = Effort::unlimited();
    /// let huge = BigInt::from(7).pow(500);
    /// let set = VectorSet::congruence_big(&[huge.clone() + 1, 4 * &huge], &5.into(), &12.into(), &effort)?;
    /// // 7⁵⁰⁰ ≡ 1 (mod 12): 2x + 4y ≡ 5 has no solution, 2x + 4y ≡ 6 is x + 2y ≡ 3 (mod 6).
    /// assert!(set.is_empty());
    /// let set = VectorSet::congruence_big(&[huge.clone() + 1, 4 * &huge], &6.into(), &12.into(), &effort)?;
    /// assert_eq!(set, VectorSet::congruence(&[1, 2], 3, 6, &effort)?);
    /// # Ok::<(), semilinear::run::StopReason>(())
    /// ```
    pub fn congruence_big(a: &[BigInt], b: &BigInt, m: &BigInt, effort: &Effort<'_>) -> Result<Self, StopReason> {
        assert!(m.is_positive(), "a modulus is at least 1");
        // A common factor of the modulus and all coefficients divides b, or there is no solution.
        let g = a.iter().fold(m.clone(), |g, ai| g.gcd(ai));
        if g > BigInt::from(1) {
            if !b.mod_floor(&g).is_zero() {
                return Ok(Self::empty(a.len()));
            }
            let reduced: Vec<BigInt> = a.iter().map(|ai| ai / &g).collect();
            return Self::congruence_big(&reduced, &b.div_floor(&g), &(m / &g), effort);
        }
        let last = a.len() - 1;
        // State (c, m): a·x ≡ c (mod m). An even m is halved with the digits, an odd one divides by 2 for ever.
        let step = |state: &Option<(BigInt, BigInt)>, track: usize, bit: usize| {
            let (c, m) = state.as_ref()?;
            let c = if bit == 1 { (c - &a[track]).mod_floor(m) } else { c.clone() };
            if track < last {
                return Some((c, m.clone()));
            }
            if m.is_even() {
                return c.is_even().then(|| {
                    let half: BigInt = m / 2;
                    ((c / 2u8).mod_floor(&half), half)
                });
            }
            // Divide by 2 modulo the odd m.
            let c = if c.is_even() { c / 2 } else { (c + m) / 2 };
            Some((c, m.clone()))
        };
        builder::explore(a.len(), Some((b.mod_floor(m), m.clone())), effort, step, |state| {
            state.as_ref().is_some_and(|(c, _)| c.is_zero())
        })
    }
}
