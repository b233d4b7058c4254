//! Level sets of series: where the coefficients have which value.

use std::collections::BTreeMap;

use crate::integer::{Int, Rat, Vector};
use crate::run::StopReason;
use crate::series::{Series, Term};
use crate::vectorset::{Effort, VectorSet};

/// Sums with more values than this are not told apart.
const MOST_LEVELS: usize = 256;

impl Series {
    /// The values of the coefficients at points of ℕᵈ, each with the set of points that have it (no set is empty); `None` when a term has
    /// linearly dependent denominators, or an exponent or denominator with a negative or very large entry.
    ///
    /// A term with independent denominators is the indicator of a translate of a free semigroup, so that a sum of n terms has at most 2ⁿ
    /// values, and few in practice. A series is the generating function of a set if and only if its values are 0 and 1.
    ///
    /// # Complexity
    /// Two boolean operations on automata for each term and value.
    ///
    /// ```
    /// use semilinear::integer::{Rat, vector};
    /// use semilinear::series::{Series, Term};
    /// use semilinear::vectorset::Effort;
    /// let term = |coefficient: i64, exponent: &[i64], denominators: &[i64]| Term {
    ///     coefficient: Rat::from(coefficient),
    ///     exponent: vector(exponent),
    ///     denominators: denominators.iter().map(|&a| vector(&[a])).collect(),
    /// };
    /// // 1/(1 − t) − 1/(1 − t²): the odd numbers.
    /// let odd = Series::new(1, vec![term(1, &[0], &[1]), term(-1, &[0], &[2])]).unwrap();
    /// let levels = odd.level_sets(&Effort::unlimited())?.unwrap();
    /// assert!(levels[&Rat::ONE].contains_small(&[7]) && levels[&Rat::ZERO].contains_small(&[8]));
    /// # Ok::<(), semilinear::run::StopReason>(())
    /// ```
    pub fn level_sets(&self, effort: &Effort<'_>) -> Result<Option<BTreeMap<Rat, VectorSet>>, StopReason> {
        let mut levels = BTreeMap::from([(Rat::ZERO, VectorSet::full(self.dimension()))]);
        for term in self.terms() {
            let Some(set) = indicated(term, effort)? else { return Ok(None) };
            let mut next: BTreeMap<Rat, VectorSet> = BTreeMap::new();
            for (value, level) in levels {
                let inside = level.intersection(&set, effort)?;
                let outside = level.difference(&set, effort)?;
                for (value, part) in [(&value + &term.coefficient, inside), (value, outside)] {
                    if part.is_empty() {
                        continue;
                    }
                    let joined = match next.get(&value) {
                        Some(other) => other.union(&part, effort)?,
                        None => part,
                    };
                    next.insert(value, joined);
                }
            }
            levels = next;
            if levels.len() > MOST_LEVELS {
                return Err(StopReason::Size { what: "values of a series", limit: MOST_LEVELS as u64 });
            }
        }
        Ok(Some(levels))
    }
}

/// The set whose indicator the term is, up to its coefficient.
fn indicated(term: &Term, effort: &Effort<'_>) -> Result<Option<VectorSet>, StopReason> {
    let natural = |v: &Vector| v.iter().map(Int::to_i64).collect::<Option<Vec<i64>>>();
    let natural = |v: &Vector| natural(v).filter(|v| v.iter().all(|x| (0..1 << 40).contains(x)));
    let (Some(base), Some(generators)) =
        (natural(&term.exponent), term.denominators.iter().map(natural).collect::<Option<Vec<_>>>())
    else {
        return Ok(None);
    };
    if !term.is_free() {
        return Ok(None);
    }
    VectorSet::image(&base, &generators, effort).map(Some)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::integer::vector;
    use crate::run::Unlimited;
    use crate::series::Coefficients;

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(40))]

        #[test]
        fn levels_are_the_coefficients(
            terms in prop::collection::vec(
                (-2i64..3, prop::collection::vec(0i64..4, 2), prop::collection::vec(prop::collection::vec(0i64..4, 2), 0..3)),
                1..4,
            ),
        ) {
            let term = |(coefficient, exponent, denominators): &(i64, Vec<i64>, Vec<Vec<i64>>)| Term {
                coefficient: Rat::from(*coefficient),
                exponent: vector(exponent),
                denominators: denominators.iter().filter(|a| a.iter().any(|&x| x > 0)).map(|a| vector(a)).collect(),
            };
            let series = Series::new(2, terms.iter().map(term).collect()).unwrap();
            let Some(levels) = series.level_sets(&Effort::unlimited()).unwrap() else {
                prop_assert!(series.terms().iter().any(|t| !t.is_free()));
                return Ok(());
            };
            let coefficients = Coefficients::new(&series);
            for (x, y) in (0..9u32).flat_map(|x| (0..9u32).map(move |y| (x, y))) {
                let value = coefficients.at(&[Int::from(x), Int::from(y)], &Unlimited).unwrap();
                let found: Vec<&Rat> = levels
                    .iter()
                    .filter(|(_, set)| set.contains_small(&[x.into(), y.into()]))
                    .map(|(value, _)| value)
                    .collect();
                prop_assert_eq!(found, vec![&value]);
            }
        }
    }
}
