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
    /// use impartial::vectorset::{Effort, Relation, VectorSet};
    /// let effort = Effort::unlimited();
    /// let steep = VectorSet::linear(&[2, -3], -4, Relation::AtLeastZero, &effort)?;
    /// assert!(steep.contains_small(&[5, 2]) && !steep.contains_small(&[4, 2]));
    /// # Ok::<(), impartial::run::StopReason>(())
    /// ```
    pub fn linear(a: &[i64], b: i64, relation: Relation, effort: &Effort<'_>) -> Result<Self, StopReason> {
        let a: Vec<BigInt> = a.iter().map(|&ai| ai.into()).collect();
        Self::linear_big(&a, &b.into(), relation, effort)
    }

    /// [`VectorSet::linear`] with integers of any size.
    pub fn linear_big(a: &[BigInt], b: &BigInt, relation: Relation, effort: &Effort<'_>) -> Result<Self, StopReason> {
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
    pub fn congruence_big(a: &[BigInt], b: &BigInt, m: &BigInt, effort: &Effort<'_>) -> Result<Self, StopReason> {
        assert!(m.is_positive(), "a modulus is at least 1");
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
