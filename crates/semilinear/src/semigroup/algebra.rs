//! Boolean algebra of stratified sets (Guo–Miller 2011, Lemma 4.4 and Theorem 4.2), by way of vector sets.
//!
//! The paper's proofs carve polyhedra; vector sets do the same for every semilinear set, normal or not, and what comes out
//! is extracted again. All sets here lie in ℕᵈ.

use num_bigint::BigUint;

use super::{Module, Stratification, stratification_of};
use crate::run::StopReason;
use crate::vectorset::{Effort, VectorSet};

impl Stratification {
    /// self ∩ other (Lemma 4.4).
    ///
    /// ```
    /// use semilinear::semigroup::{Module, Stratification};
    /// use semilinear::vectorset::Effort;
    /// let effort = Effort::unlimited();
    /// let multiples = |n: i64| {
    ///     Stratification::new(1, vec![Module { generators: vec![vec![n]], bases: vec![vec![0]] }]).unwrap()
    /// };
    /// assert_eq!(multiples(4).intersection(&multiples(6), &effort)?, multiples(12));
    /// # Ok::<(), semilinear::run::StopReason>(())
    /// ```
    pub fn intersection(&self, other: &Self, effort: &Effort<'_>) -> Result<Self, StopReason> {
        self.combined(other, effort, VectorSet::intersection)
    }

    /// self ∪ other.
    pub fn union(&self, other: &Self, effort: &Effort<'_>) -> Result<Self, StopReason> {
        self.combined(other, effort, VectorSet::union)
    }

    /// self ∖ other (Theorem 4.2).
    pub fn difference(&self, other: &Self, effort: &Effort<'_>) -> Result<Self, StopReason> {
        self.combined(other, effort, VectorSet::difference)
    }

    /// ℕᵈ ∖ self.
    pub fn complement(&self, effort: &Effort<'_>) -> Result<Self, StopReason> {
        stratification_of(&self.vector_set(effort)?.complement(), effort)
    }

    /// self + v; `None` when an entry leaves `i64`.
    pub fn translation(&self, v: &[i64]) -> Option<Self> {
        let modules: Option<Vec<Module>> = self
            .modules()
            .iter()
            .map(|module| {
                let moved =
                    |f: &Vec<i64>| f.iter().zip(v).map(|(f, v)| f.checked_add(*v)).collect::<Option<Vec<i64>>>();
                let bases = module.bases.iter().map(moved).collect::<Option<_>>()?;
                Some(Module { generators: module.generators.clone(), bases })
            })
            .collect();
        Self::new(self.dimension(), modules?).ok()
    }

    /// The smallest point that is in one set but not in the other; `None` when the sets are equal.
    pub fn counterexample(&self, other: &Self, effort: &Effort<'_>) -> Result<Option<Vec<BigUint>>, StopReason> {
        self.vector_set(effort)?.counterexample(&other.vector_set(effort)?, effort)
    }

    /// The smallest point of self that is not in other; `None` when self ⊆ other.
    pub fn missing_from(&self, other: &Self, effort: &Effort<'_>) -> Result<Option<Vec<BigUint>>, StopReason> {
        self.vector_set(effort)?.difference(&other.vector_set(effort)?, effort)?.smallest(effort)
    }

    fn combined(
        &self,
        other: &Self,
        effort: &Effort<'_>,
        operation: impl Fn(&VectorSet, &VectorSet, &Effort<'_>) -> Result<VectorSet, StopReason>,
    ) -> Result<Self, StopReason> {
        let set = operation(&self.vector_set(effort)?, &other.vector_set(effort)?, effort)?;
        stratification_of(&set, effort)
    }
}

#[cfg(test)]
mod tests {
    use num_bigint::BigInt;
    use proptest::prelude::*;

    use super::*;

    fn stratification() -> impl Strategy<Value = Stratification> {
        let vector = |top: i64| prop::collection::vec(0..top, 2);
        let module = (vector(5), prop::collection::vec(vector(4), 0..=2))
            .prop_filter_map("dependent", |(base, generators)| {
                Stratification::new(2, vec![Module { generators, bases: vec![base] }]).ok()
            });
        prop::collection::vec(module, 1..3).prop_filter_map("overlap", |parts| {
            let modules = parts.iter().flat_map(|p| p.modules().to_vec()).collect();
            Stratification::new(2, modules).ok()
        })
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(6))]

        #[test]
        fn algebra_agrees_with_explicit_sets(a in stratification(), b in stratification()) {
            let effort = Effort::new(20_000, &crate::run::Unlimited);
            let results = (a.intersection(&b, &effort), a.union(&b, &effort), a.difference(&b, &effort), a.complement(&effort));
            let (Ok(both), Ok(either), Ok(only), Ok(outside)) = results else { return Ok(()) };
            let moved = a.translation(&[2, 1]).unwrap();
            for x in 0i64..24 {
                for y in 0i64..24 {
                    let point = [BigInt::from(x), BigInt::from(y)];
                    let (in_a, in_b) = (a.contains(&point), b.contains(&point));
                    prop_assert_eq!(both.contains(&point), in_a && in_b);
                    prop_assert_eq!(either.contains(&point), in_a || in_b);
                    prop_assert_eq!(only.contains(&point), in_a && !in_b);
                    prop_assert_eq!(outside.contains(&point), !in_a);
                    prop_assert_eq!(moved.contains(&[&point[0] + 2, &point[1] + 1]), in_a);
                }
            }
            let smallest = a.counterexample(&b, &effort).unwrap();
            if let Some(x) = &smallest {
                let x: Vec<BigInt> = x.iter().cloned().map(Into::into).collect();
                prop_assert_ne!(a.contains(&x), b.contains(&x));
            }
            prop_assert_eq!(smallest.is_none(), only.modules().is_empty() && b.missing_from(&a, &effort).unwrap().is_none());
        }
    }
}
