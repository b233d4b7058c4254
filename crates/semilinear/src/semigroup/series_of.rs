//! Series of affine semigroups and of modules over them, normal or not.

use super::AffineSemigroup;
use super::toric::{Monomial, leading_monomials};
use crate::integer::{Int, Rat, Vector, add_multiple, zero_vector};
use crate::run::{Monitor, StopReason};
use crate::series::{Series, SeriesError, Term};

/// More cells than this are not kept.
pub(super) const MAX_CELLS: usize = 1_000_000;

impl AffineSemigroup {
    /// The generating function of the semigroup, each element counted once (Guo–Miller 2011, Lemma 5.4, made practical).
    ///
    /// The standard monomials of the toric ideal are in bijection with the elements. They are cut into disjoint cells
    /// `x^a · ℕ{xᵢ : i free}` (a Stanley decomposition); each gives one term with linearly independent denominators.
    ///
    /// ```
    /// use semilinear::{integer::vector, run::Unlimited, semigroup::AffineSemigroup};
    /// let s = AffineSemigroup::new(1, vec![vector(&[2]), vector(&[3])]).unwrap();
    /// assert_eq!(s.series(&Unlimited).unwrap().to_string(), "1/(1-t^3) + t^2/(1-t^3) + t^4/(1-t^3)");
    /// ```
    pub fn series(&self, monitor: &dyn Monitor) -> Result<Series, SeriesError> {
        self.module_series(&[zero_vector(self.dimension())], monitor)
    }

    /// The generating function of F + A, where the translates may overlap: every point is counted once (Guo–Miller 2011,
    /// Lemma 5.5, without inclusion and exclusion).
    ///
    /// The relations of the module are computed with one more variable for each element of F, in degree 1 in these.
    ///
    /// # Complexity
    /// A Gröbner basis in as many variables as there are generators and bases; no polynomial bound when their numbers grow.
    pub fn module_series(&self, bases: &[Vector], monitor: &dyn Monitor) -> Result<Series, SeriesError> {
        let mut bases = bases.to_vec();
        if let Some(bad) = bases.iter().find(|f| f.len() != self.dimension()) {
            return Err(SeriesError::Length { dimension: self.dimension(), found: bad.len() });
        }
        bases.sort();
        bases.dedup();
        let n = self.generators().len();
        let leading = leading_monomials(self.generators(), &bases, monitor)?;
        let mut terms = Vec::new();
        for (k, f) in bases.iter().enumerate() {
            // The monomials of degree 0 in y, and those with y_k.
            let ideal: Vec<Monomial> = leading
                .iter()
                .filter(|m| m[n..].iter().enumerate().all(|(j, &e)| e == 0 || j == k))
                .map(|m| m[..n].to_vec())
                .collect();
            for cell in cells(n, ideal, monitor)? {
                let mut exponent = f.clone();
                for (&e, a) in cell.exponents.iter().zip(self.generators()) {
                    add_multiple(&mut exponent, &Int::from(e), a);
                }
                let denominators = cell.free.iter().map(|&i| self.generators()[i].clone()).collect();
                terms.push(Term { coefficient: Rat::ONE, exponent, denominators });
                if terms.len() > MAX_CELLS {
                    return Err(StopReason::Size { what: "terms of a series", limit: MAX_CELLS as u64 }.into());
                }
            }
        }
        Series::new(self.dimension(), terms)
    }
}

/// The monomials `x^exponents · x^b` with b supported on the free variables.
pub(super) struct Cell {
    pub(super) exponents: Monomial,
    pub(super) free: Vec<usize>,
}

/// A Stanley decomposition of the standard monomials of a monomial ideal in n variables: a variable that occurs in most
/// generators is given each small exponent, or a large one and all beyond.
pub(super) fn cells(n: usize, ideal: Vec<Monomial>, monitor: &dyn Monitor) -> Result<Vec<Cell>, StopReason> {
    let mut found = Vec::new();
    let start = Cell { exponents: vec![0; n], free: Vec::new() };
    let mut rest = vec![(ideal, start, (0..n).collect::<Vec<usize>>())];
    while let Some((ideal, cell, undecided)) = rest.pop() {
        monitor.check(found.len() as u64, None)?;
        let ideal = minimal(ideal);
        if ideal.iter().any(|m| m.iter().all(|&e| e == 0)) {
            continue;
        }
        let occurrences = |i: usize| ideal.iter().filter(|m| m[i] > 0).count();
        let Some(i) =
            undecided.iter().copied().filter(|&i| occurrences(i) > 0).max_by_key(|&i| (occurrences(i), n - i))
        else {
            let mut free = cell.free;
            free.extend(undecided);
            free.sort_unstable();
            found.push(Cell { exponents: cell.exponents, free });
            if found.len() > MAX_CELLS {
                return Err(StopReason::Size { what: "terms of a series", limit: MAX_CELLS as u64 });
            }
            continue;
        };
        let undecided: Vec<usize> = undecided.into_iter().filter(|&j| j != i).collect();
        let largest = ideal.iter().map(|m| m[i]).max().unwrap_or(0);
        for e in 0..=largest {
            let below = ideal
                .iter()
                .filter(|m| m[i] <= e)
                .map(|m| {
                    let mut m = m.clone();
                    m[i] = 0;
                    m
                })
                .collect();
            let mut exponents = cell.exponents.clone();
            exponents[i] = e;
            let mut free = cell.free.clone();
            if e == largest {
                free.push(i);
            }
            rest.push((below, Cell { exponents, free }, undecided.clone()));
        }
    }
    Ok(found)
}

/// The minimal generators of a monomial ideal.
fn minimal(mut ideal: Vec<Monomial>) -> Vec<Monomial> {
    ideal.sort_by_cached_key(|m| (m.iter().map(|&e| u64::from(e)).sum::<u64>(), m.clone()));
    let mut kept: Vec<Monomial> = Vec::new();
    for m in ideal {
        if !kept.iter().any(|k| k.iter().zip(&m).all(|(a, b)| a <= b)) {
            kept.push(m);
        }
    }
    kept
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;
    use crate::integer::{add, vector};
    use crate::run::Unlimited;
    use crate::series::Coefficients;
    use proptest::prelude::*;

    /// The elements of F + A with all coordinates below a bound, by closing under addition.
    fn plain(bases: &[Vector], generators: &[Vector], bound: i64) -> HashSet<Vector> {
        let bound = Int::from(bound);
        let mut seen: HashSet<Vector> = HashSet::new();
        let mut rest = bases.to_vec();
        while let Some(x) = rest.pop() {
            if x.iter().all(|e| *e < bound) && seen.insert(x.clone()) {
                rest.extend(generators.iter().map(|g| add(&x, g)));
            }
        }
        seen
    }

    fn points(d: usize, bound: i64) -> Vec<Vector> {
        (0..bound.pow(u32::try_from(d).unwrap()))
            .map(|mut n| {
                (0..d)
                    .map(|_| {
                        let x = Int::from(n % bound);
                        n /= bound;
                        x
                    })
                    .collect()
            })
            .collect()
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(60))]
        #[test]
        fn every_element_is_counted_once(
            d in 1usize..4,
            generators in prop::collection::vec(prop::collection::vec(0i64..4, 3), 1..5),
            bases in prop::collection::vec(prop::collection::vec(0i64..4, 3), 1..4),
        ) {
            let cut = |rows: &[Vec<i64>]| rows.iter().map(|r| vector(&r[..d])).collect::<Vec<_>>();
            let generators: Vec<Vector> = cut(&generators).into_iter().filter(|g| g.iter().any(|x| !x.is_zero())).collect();
            prop_assume!(!generators.is_empty());
            let bases = cut(&bases);
            let semigroup = AffineSemigroup::new(d, generators.clone()).unwrap();
            let bound = if d == 3 { 7 } else { 12 };
            for bases in [vec![zero_vector(d)], bases] {
                let expected = plain(&bases, &generators, bound);
                let series = semigroup.module_series(&bases, &Unlimited).unwrap();
                prop_assert!(series.terms().iter().all(Term::is_free));
                let coefficients = Coefficients::new(&series);
                for x in points(d, bound) {
                    let value = if expected.contains(&x) { Rat::ONE } else { Rat::ZERO };
                    prop_assert_eq!(coefficients.at(&x, &Unlimited).unwrap(), value, "{:?} of {}", x, series);
                }
            }
        }

        #[test]
        fn membership_normality_and_minimal_generators(
            generators in prop::collection::vec(prop::collection::vec(0i64..5, 2), 1..5),
        ) {
            let generators: Vec<Vector> = generators.iter().map(|g| vector(g)).filter(|g| g.iter().any(|x| !x.is_zero())).collect();
            prop_assume!(!generators.is_empty());
            let semigroup = AffineSemigroup::new(2, generators.clone()).unwrap();
            let bound = 12;
            let inside = plain(&[zero_vector(2)], &generators, bound);
            for x in points(2, bound) {
                prop_assert_eq!(semigroup.contains(&x, &Unlimited).unwrap(), inside.contains(&x));
            }
            let minimal = semigroup.minimal_generators(&Unlimited).unwrap();
            prop_assert_eq!(plain(&[zero_vector(2)], &minimal, bound), inside.clone());
            for i in 0..minimal.len() {
                let mut fewer = minimal.clone();
                let removed = fewer.remove(i);
                prop_assert!(!plain(&[zero_vector(2)], &fewer, bound).contains(&removed));
            }
            let basis = semigroup.saturation_basis(&Unlimited).unwrap();
            let normal = basis.iter().all(|b| inside.contains(b));
            prop_assert_eq!(semigroup.is_normal(&Unlimited).unwrap(), normal);
        }
    }

    #[test]
    fn semigroups_with_units_are_refused() {
        assert!(AffineSemigroup::new(1, vec![vector(&[1]), vector(&[-1])]).is_err());
        assert!(AffineSemigroup::new(1, vec![vector(&[0])]).is_err());
        assert!(AffineSemigroup::new(2, vec![vector(&[0])]).is_err());
        let trivial = AffineSemigroup::new(2, vec![]).unwrap();
        assert_eq!(trivial.series(&Unlimited).unwrap().to_string(), "1");
    }
}
