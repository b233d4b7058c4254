//! Modules F + ℕV as people write them: dependent generators, translates that meet.
//!
//! A module over any pointed affine semigroup is a disjoint union of translates of free semigroups, one for each cell of the
//! standard monomials of its toric ideal. Translates f + ℕV of a free semigroup that meet lie in one coset of ℤV, where they are
//! orthants: their union is a monomial ideal, with a Stanley decomposition and a numerator over Π(1 − t^v).

use std::collections::BTreeMap;

use num_bigint::{BigInt, Sign};
use num_traits::{ToPrimitive as _, Zero as _};

use super::series_of::{MAX_CELLS, cells};
use super::{AffineSemigroup, Frame, Module, SemigroupError, Stratification, StratificationError};
use crate::integer::{Int, Rat, Vector, vector};
use crate::run::{Monitor, StopReason};
use crate::series::{Series, SeriesError, Term};

/// Translates that meet further apart than this are not cut into disjoint ones.
const FURTHEST: u32 = 1 << 16;

impl Stratification {
    /// The union of modules with any generators: zero vectors and generators that are sums of others are left out, and modules whose
    /// generators are still dependent are split into disjoint translates of free semigroups (Guo–Miller 2011, Lemma 5.4).
    /// Translates of one module may meet, as in Guo–Miller's Definition 4.1.
    ///
    /// # Complexity
    /// A Gröbner basis for each module with dependent generators.
    ///
    /// ```
    /// use semilinear::run::Unlimited;
    /// use semilinear::semigroup::{Module, Stratification};
    /// let module = Module { generators: vec![vec![4], vec![6], vec![10]], bases: vec![vec![0]] };
    /// let strata = Stratification::of_modules(1, vec![module], &Unlimited)?;
    /// assert_eq!(strata.modules(), [Module { generators: vec![vec![6]], bases: vec![vec![0], vec![4], vec![8]] }]);
    /// # Ok::<(), semilinear::semigroup::StratificationError>(())
    /// ```
    pub fn of_modules(
        dimension: usize,
        modules: Vec<Module>,
        monitor: &dyn Monitor,
    ) -> Result<Self, StratificationError> {
        let mut free = Vec::with_capacity(modules.len());
        for (index, module) in modules.into_iter().enumerate() {
            let number = index + 1;
            for v in module.generators.iter().chain(&module.bases) {
                if v.len() != dimension {
                    return Err(StratificationError::Length { module: number, vector: v.clone(), dimension });
                }
            }
            if Frame::new(&module.generators).is_some() {
                free.push(module);
                continue;
            }
            let series = |error: SeriesError| match error.stop_reason() {
                Some(why) => StratificationError::Stopped(why.clone()),
                None => StratificationError::Large { module: number },
            };
            let generators = module.generators.iter().filter(|v| v.iter().any(|&x| x != 0)).map(|v| vector(v));
            let not_pointed = |_: SemigroupError| StratificationError::NotPointed { module: number };
            let whole = AffineSemigroup::new(dimension, generators.collect()).map_err(not_pointed)?;
            let least = whole.minimal_generators(monitor).map_err(series)?;
            let small = |v: &Vector| v.iter().map(Int::to_i64).collect::<Option<Vec<i64>>>();
            let large = || StratificationError::Large { module: number };
            let list = |vectors: &[Vector]| vectors.iter().map(small).collect::<Option<Vec<_>>>().ok_or_else(large);
            let generators = list(&least)?;
            if Frame::new(&generators).is_some() {
                free.push(Module { generators, bases: module.bases });
                continue;
            }
            let bases: Vec<Vector> = module.bases.iter().map(|f| vector(f)).collect();
            let semigroup = AffineSemigroup::new(dimension, least).map_err(not_pointed)?;
            for term in semigroup.module_series(&bases, monitor).map_err(series)?.terms() {
                let base = small(&term.exponent).ok_or_else(large)?;
                free.push(Module { generators: list(&term.denominators)?, bases: vec![base] });
            }
        }
        Self::new(dimension, free)
    }

    /// The same set with translates that are disjoint inside each module; what is so already stays as it is.
    ///
    /// # Complexity
    /// Translates that meet n apart may be cut into n^(d−1) disjoint ones.
    ///
    /// ```
    /// use semilinear::run::Unlimited;
    /// use semilinear::semigroup::{Module, Stratification};
    /// let module = Module { generators: vec![vec![0, 2], vec![2, 0]], bases: vec![vec![0, 2], vec![2, 0]] };
    /// let strata = Stratification::new(2, vec![module]).unwrap().disjoint(&Unlimited)?;
    /// assert!(strata.meeting_translates().is_none());
    /// assert!(strata.contains(&[2.into(), 2.into()]) && !strata.contains(&[0.into(), 0.into()]));
    /// # Ok::<(), semilinear::run::StopReason>(())
    /// ```
    pub fn disjoint(&self, monitor: &dyn Monitor) -> Result<Self, StopReason> {
        if self.meeting_translates().is_none() {
            return Ok(self.clone());
        }
        let too_large = || StopReason::Size { what: "bits of a stratum's entries", limit: 63 };
        let mut strata = Vec::new();
        for module in self.modules() {
            let k = module.generators.len();
            for orthants in Orthants::of(module) {
                for (i, corner) in orthants.corners.iter().enumerate() {
                    monitor.check(strata.len() as u64, None)?;
                    // What the orthants before do not hold: the standard monomials of an ideal.
                    let beyond = |other: &Vec<BigInt>| -> Option<Vec<u32>> {
                        let ahead = |(a, b): (&BigInt, &BigInt)| (a - b).max(BigInt::ZERO).to_u32();
                        other.iter().zip(corner).map(ahead).collect::<Option<Vec<u32>>>()
                    };
                    let ideal: Option<Vec<Vec<u32>>> = orthants.corners[..i].iter().map(beyond).collect();
                    let ideal = ideal.filter(|ideal| ideal.iter().flatten().all(|&e| e <= FURTHEST)).ok_or(
                        StopReason::Size { what: "steps between translates that meet", limit: FURTHEST.into() },
                    )?;
                    for cell in cells(k, ideal, monitor)? {
                        let at: Vec<BigInt> = corner.iter().zip(&cell.exponents).map(|(c, &e)| c + e).collect();
                        let base: Option<Vec<i64>> =
                            orthants.point(module, &at).iter().map(num_traits::ToPrimitive::to_i64).collect();
                        let free = cell.free.iter().map(|&i| module.generators[i].clone()).collect();
                        strata.push((base.ok_or_else(too_large)?, free));
                        if strata.len() > MAX_CELLS {
                            return Err(StopReason::Size { what: "strata", limit: MAX_CELLS as u64 });
                        }
                    }
                }
            }
        }
        Ok(Self::of_disjoint(self.dimension(), strata).expect("generators are among independent ones"))
    }

    /// The generating function of the set, where different modules are disjoint (Guo–Miller 2011, Theorem 5.1): each point is counted
    /// once, also where translates of one module meet.
    ///
    /// # Complexity
    /// At most |F|^d terms for a module F + ℕV, by additions and comparisons: polynomial in the input when d is fixed.
    ///
    /// ```
    /// use semilinear::run::Unlimited;
    /// use semilinear::semigroup::{Module, Stratification};
    /// let far = 1_000_000_007;
    /// let module = Module { generators: vec![vec![0, 1], vec![1, 0]], bases: vec![vec![0, far], vec![far, 0]] };
    /// let series = Stratification::new(2, vec![module]).unwrap().series(&Unlimited)?;
    /// assert_eq!(series.terms().len(), 3); // two orthants, and what both hold once less
    /// # Ok::<(), semilinear::series::SeriesError>(())
    /// ```
    pub fn series(&self, monitor: &dyn Monitor) -> Result<Series, SeriesError> {
        let mut terms = Vec::new();
        for module in self.modules() {
            let denominators: Vec<Vector> = module.generators.iter().map(|v| vector(v)).collect();
            for orthants in Orthants::of(module) {
                for (corner, coefficient) in orthants.numerator(monitor)? {
                    let exponent = orthants.point(module, &corner).iter().map(Int::from).collect();
                    let coefficient = Rat::from(&Int::from(&coefficient));
                    terms.push(Term { coefficient, exponent, denominators: denominators.clone() });
                }
            }
        }
        Series::new(self.dimension(), terms)
    }
}

/// The translates of a module in one coset of ℤV, as orthants λ + ℕᵏ around a point of the coset.
struct Orthants {
    origin: Vec<BigInt>,
    /// The least corners, sorted; no orthant holds another.
    corners: Vec<Vec<BigInt>>,
}

impl Orthants {
    fn of(module: &Module) -> Vec<Self> {
        let frame = Frame::new(&module.generators).expect("generators of a stratification are independent");
        let mut cosets: BTreeMap<Vec<BigInt>, Vec<Vec<BigInt>>> = BTreeMap::new();
        for base in &module.bases {
            let base: Vec<BigInt> = base.iter().map(|&x| x.into()).collect();
            let origin = frame.coset(&base);
            let difference: Vec<BigInt> = base.iter().zip(&origin).map(|(x, o)| x - o).collect();
            let corner =
                frame.coordinates(&difference).expect("a point and the origin of its coset differ by the group");
            cosets.entry(origin).or_default().push(corner);
        }
        let least = |mut corners: Vec<Vec<BigInt>>| {
            corners.sort_by_cached_key(|c| (c.iter().sum::<BigInt>(), c.clone()));
            let mut kept: Vec<Vec<BigInt>> = Vec::new();
            for corner in corners {
                if !kept.iter().any(|k| k.iter().zip(&corner).all(|(a, b)| a <= b)) {
                    kept.push(corner);
                }
            }
            kept
        };
        cosets.into_iter().map(|(origin, corners)| Self { origin, corners: least(corners) }).collect()
    }

    /// The point with these coordinates.
    fn point(&self, module: &Module, at: &[BigInt]) -> Vec<BigInt> {
        let mut point = self.origin.clone();
        for (lambda, v) in at.iter().zip(&module.generators) {
            for (x, v) in point.iter_mut().zip(v) {
                *x += lambda * v;
            }
        }
        point
    }

    /// The numerator of the union over Π(1 − t^v): inclusion and exclusion, where equal joins are added up at once. A join has every
    /// coordinate from some corner, so that there are at most |F|^k.
    fn numerator(&self, monitor: &dyn Monitor) -> Result<BTreeMap<Vec<BigInt>, BigInt>, StopReason> {
        let mut sum: BTreeMap<Vec<BigInt>, BigInt> = BTreeMap::new();
        for corner in &self.corners {
            monitor.check(sum.len() as u64, None)?;
            let mut change: BTreeMap<Vec<BigInt>, BigInt> = BTreeMap::new();
            for (at, coefficient) in &sum {
                let join: Vec<BigInt> = at.iter().zip(corner).map(|(a, b)| a.max(b).clone()).collect();
                *change.entry(join).or_default() -= coefficient;
            }
            *change.entry(corner.clone()).or_default() += 1;
            for (at, coefficient) in change {
                *sum.entry(at).or_default() += coefficient;
            }
            sum.retain(|_, coefficient| coefficient.sign() != Sign::NoSign);
            if sum.len() > MAX_CELLS {
                return Err(StopReason::Size { what: "terms of a series", limit: MAX_CELLS as u64 });
            }
        }
        debug_assert!(sum.values().all(|c| !c.is_zero()));
        Ok(sum)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use proptest::prelude::*;

    use super::*;
    use crate::run::Unlimited;
    use crate::series::Coefficients;
    use crate::vectorset::Effort;

    /// The elements of a module with all coordinates below a bound, by walking.
    fn walked(module: &Module, bound: i64) -> HashSet<Vec<i64>> {
        let (mut seen, mut open) = (HashSet::new(), module.bases.clone());
        while let Some(x) = open.pop() {
            if x.iter().all(|&e| e < bound) && seen.insert(x.clone()) {
                open.extend(module.generators.iter().map(|g| x.iter().zip(g).map(|(x, g)| x + g).collect()));
            }
        }
        seen
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(40))]

        /// Overlapping translates, dependent and zero generators: the strata, their series and their automaton say what walking says.
        #[test]
        fn every_module_is_what_it_lists(
            d in 1usize..4,
            generators in prop::collection::vec(prop::collection::vec(0i64..4, 3), 0..4),
            bases in prop::collection::vec(prop::collection::vec(0i64..5, 3), 1..5),
        ) {
            let cut = |rows: &[Vec<i64>]| rows.iter().map(|r| r[..d].to_vec()).collect::<Vec<_>>();
            let module = Module { generators: cut(&generators), bases: cut(&bases) };
            let bound: i64 = if d == 3 { 7 } else { 11 };
            let expected = walked(&module, bound);
            let strata = Stratification::of_modules(d, vec![module], &Unlimited).unwrap();
            let apart = strata.disjoint(&Unlimited).unwrap();
            prop_assert!(apart.meeting_translates().is_none());
            let set = strata.vector_set(&Effort::unlimited()).unwrap();
            prop_assert_eq!(&set, &apart.vector_set(&Effort::unlimited()).unwrap());
            let series = Coefficients::new(&apart.series(&Unlimited).unwrap());
            // The modules that come from one with dependent generators are disjoint, so that the sum over them is right as well.
            let at_once = Coefficients::new(&strata.series(&Unlimited).unwrap());
            for n in 0..bound.pow(u32::try_from(d).unwrap()) {
                let x: Vec<i64> = (0..d).map(|i| n / bound.pow(u32::try_from(i).unwrap()) % bound).collect();
                let inside = expected.contains(&x);
                let big: Vec<BigInt> = x.iter().map(|&x| x.into()).collect();
                let small: Vec<u64> = x.iter().map(|&x| x.unsigned_abs()).collect();
                let value = if inside { Rat::ONE } else { Rat::ZERO };
                prop_assert_eq!(strata.contains(&big), inside);
                prop_assert_eq!(apart.contains(&big), inside);
                prop_assert_eq!(set.contains_small(&small), inside);
                prop_assert_eq!(&series.at(&vector(&x), &Unlimited).unwrap(), &value);
                prop_assert_eq!(&at_once.at(&vector(&x), &Unlimited).unwrap(), &value);
            }
        }
    }

    #[test]
    fn what_is_no_module_is_told() {
        let of = |generators: &[[i64; 1]]| {
            let generators = generators.iter().map(|g| g.to_vec()).collect();
            Stratification::of_modules(1, vec![Module { generators, bases: vec![vec![0]] }], &Unlimited)
        };
        assert_eq!(of(&[[1], [-1]]), Err(StratificationError::NotPointed { module: 1 }));
        assert_eq!(of(&[[0]]).unwrap().modules()[0].generators, Vec::<Vec<i64>>::new());
    }
}
