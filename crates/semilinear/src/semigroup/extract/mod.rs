//! From a vector set to an exact stratification.
//!
//! Two steps, both exact, take a semilinear set X ⊆ ℕᵈ apart:
//!
//! * **Peel.** If X + p ⊆ X for some p ≠ 0, then X is the disjoint union of the translates X₀ + np of X₀ = X ∖ (X + p)
//!   (every x has a last n with x − np ∈ X). A stratum f + ℕV of X₀ becomes the stratum f + ℕ(V ∪ {p}) of X, and V ∪ {p}
//!   is linearly independent: a linear dependence would give one point two addresses.
//! * **Split.** For any p the set Y = {x : x + ℕp ⊆ X} is a vector set with Y + p ⊆ Y; peel it, and go on with X ∖ Y.
//!
//! Which p are tried comes from the set itself ([`directions`]); every inclusion that a step relies on is decided by
//! automata. The result is then [`merged`](super::merge), and compared with X once more as a whole.

mod directions;
mod sample;

use num_bigint::BigInt;
use num_traits::ToPrimitive as _;
use rustc_hash::FxHashMap;

use crate::run::StopReason;
use crate::vectorset::{Effort, VectorSet};

use super::merge::merged;
use super::{Module, Stratification};
use directions::{TRIALS, directions};
use sample::{Random, Sampler};

/// A stratum f + ℕV.
pub(super) type Stratum = (Vec<i64>, Vec<Vec<i64>>);

/// At most this many strata are made.
const STRATA: usize = 100_000;
/// At most this many splits of one set.
const SPLITS: usize = 400;
/// How many points are drawn to rank candidates.
const SAMPLE: usize = 64;

/// An exact stratification of a semilinear set, by peeling and splitting.
///
/// A set that is not semilinear ends with [`StopReason::Size`]: no direction is found for what is left, or too many
/// strata are needed.
///
/// # Complexity
/// O(strata) automaton operations; the closed part {x : x + ℕp ⊆ X} is a projection, exponential at worst.
///
/// ```
/// use semilinear::semigroup::stratification_of;
/// use semilinear::vectorset::{Effort, VectorSet};
/// let effort = Effort::unlimited();
/// let even = VectorSet::congruence(&[1, 1], 0, 2, &effort)?;
/// let strata = stratification_of(&even, &effort)?;
/// assert_eq!(strata.vector_set(&effort)?, even);
/// # Ok::<(), semilinear::run::StopReason>(())
/// ```
pub fn stratification_of(set: &VectorSet, effort: &Effort<'_>) -> Result<Stratification, StopReason> {
    let mut extraction = Extraction { effort, random: Random::new(), known: FxHashMap::default(), strata: 0 };
    let strata = extraction.strata(set)?;
    effort.monitor.trace(&|| format!("{} strata before merging", strata.len()));
    let modules = merged(strata);
    effort.monitor.trace(&|| {
        format!(
            "{} modules, {} strata after merging",
            modules.len(),
            modules.values().map(std::collections::BTreeSet::len).sum::<usize>()
        )
    });
    let modules = modules
        .into_iter()
        .map(|(generators, bases)| Module { generators, bases: bases.into_iter().collect() })
        .collect();
    let stratification = Stratification::new(set.dimension(), modules)
        .expect("peeling makes independent generators and disjoint strata");
    assert!(stratification.vector_set(effort)? == *set, "extraction is exact");
    Ok(stratification)
}

struct Extraction<'a> {
    effort: &'a Effort<'a>,
    random: Random,
    /// Sets met before: peeling often leads to the same one on several roads.
    known: FxHashMap<VectorSet, Vec<Stratum>>,
    strata: usize,
}

impl Extraction<'_> {
    fn strata(&mut self, set: &VectorSet) -> Result<Vec<Stratum>, StopReason> {
        if let Some(known) = self.known.get(set) {
            return Ok(known.clone());
        }
        let mut strata = Vec::new();
        let mut rest = set.clone();
        let mut splits = 0;
        while !rest.is_empty() {
            self.effort.monitor.check(self.strata as u64, None)?;
            if rest.is_finite() {
                strata.append(&mut self.points(&rest)?);
                break;
            }
            let mut candidates = Vec::new();
            let mut period = None;
            for trials in TRIALS {
                let seen = directions(&rest, trials, &mut self.random);
                period = self.period(&rest, &seen.common)?;
                candidates = seen.local;
                // A direction that a good part of the set keeps to is worth a split: no need to look further.
                let promising =
                    |ranked: &[(usize, &Vec<u64>)]| ranked.first().is_some_and(|(score, _)| 4 * score >= SAMPLE);
                if period.is_some() || promising(&self.ranked(&rest, &candidates)) {
                    break;
                }
            }
            if let Some(p) = period {
                strata.append(&mut self.peel(&rest, &p)?);
                break;
            }
            if candidates.is_empty() || splits == SPLITS {
                return Err(StopReason::Size {
                    what: "splits of a set that may not be semilinear",
                    limit: SPLITS as u64,
                });
            }
            splits += 1;
            let (p, closed) = self.split(&rest, &candidates)?;
            strata.append(&mut self.peel(&closed, &p)?);
            rest = rest.difference(&closed, self.effort)?;
        }
        self.known.insert(set.clone(), strata.clone());
        Ok(strata)
    }

    /// The elements of a finite set as strata without generators.
    fn points(&mut self, set: &VectorSet) -> Result<Vec<Stratum>, StopReason> {
        let mut points = Vec::new();
        for x in set.elements(&vec![1; set.dimension()], self.effort)? {
            self.strata += 1;
            if self.strata > STRATA {
                return Err(StopReason::Size { what: "strata", limit: STRATA as u64 });
            }
            let x: Option<Vec<i64>> = x.iter().map(num_bigint::BigUint::to_i64).collect();
            let x = x.ok_or(StopReason::Size { what: "bits of a base", limit: 63 })?;
            points.push((x, Vec::new()));
        }
        Ok(points)
    }

    /// A candidate p with set + p ⊆ set.
    fn period(&self, set: &VectorSet, candidates: &[Vec<u64>]) -> Result<Option<Vec<u64>>, StopReason> {
        for p in candidates {
            if set.translation(&big(p), self.effort)?.is_subset(set, self.effort)? {
                return Ok(Some(p.clone()));
            }
        }
        Ok(None)
    }

    /// The strata of a set that is closed under adding p.
    fn peel(&mut self, set: &VectorSet, p: &[u64]) -> Result<Vec<Stratum>, StopReason> {
        let base = set.difference(&set.translation(&big(p), self.effort)?, self.effort)?;
        self.effort.monitor.trace(&|| format!("peel {p:?}: {} -> {} states", set.states(), base.states()));
        let mut strata = self.strata(&base)?;
        let p: Vec<i64> = p.iter().map(|&x| i64::try_from(x).expect("candidates are small")).collect();
        for (_, generators) in &mut strata {
            generators.push(p.clone());
        }
        Ok(strata)
    }

    /// The candidates with the number of sampled points x for which x + ℕp seems to stay in the set, most first.
    fn ranked<'c>(&mut self, set: &VectorSet, candidates: &'c [Vec<u64>]) -> Vec<(usize, &'c Vec<u64>)> {
        let sampler = Sampler::new(set, 20);
        let points: Vec<Vec<u64>> = (0..SAMPLE).filter_map(|_| sampler.draw(&mut self.random)).collect();
        let stays = |p: &[u64]| {
            let far = |x: &Vec<u64>| {
                (0..32).all(|j| {
                    let y: Vec<u64> = x.iter().zip(p).map(|(x, p)| x + (p << j)).collect();
                    set.contains_small(&y)
                })
            };
            points.iter().filter(|x| far(x)).count()
        };
        let mut ranked: Vec<(usize, &Vec<u64>)> = candidates.iter().map(|p| (stays(p), p)).collect();
        ranked.sort_by_key(|&(score, p)| (std::cmp::Reverse(score), p.iter().sum::<u64>()));
        ranked
    }

    /// The candidate p whose closed part {x : x + ℕp ⊆ set} holds the most points, and that part.
    fn split(&mut self, set: &VectorSet, candidates: &[Vec<u64>]) -> Result<(Vec<u64>, VectorSet), StopReason> {
        /// Only the most promising candidates are worth a projection.
        const TRIED: usize = 3;
        let ranked = self.ranked(set, candidates);
        let mut best: Option<(f64, Vec<u64>, VectorSet)> = None;
        for &(_, p) in ranked.iter().take(TRIED) {
            self.effort.monitor.trace(&|| format!("closed part under {p:?} of {} states", set.states()));
            let closed = closed_part(set, p, self.effort)?;
            let weight = Sampler::new(&closed, 40).total();
            if !closed.is_empty() && best.as_ref().is_none_or(|(most, ..)| weight > *most) {
                best = Some((weight, p.clone(), closed));
            }
        }
        let (_, p, closed) = best
            .ok_or(StopReason::Size { what: "directions of a set that may not be semilinear", limit: TRIED as u64 })?;
        self.effort.monitor.trace(&|| format!("split by {p:?}: {} states of {}", closed.states(), set.states()));
        Ok((p, closed))
    }
}

/// {x : x + ℕp ⊆ set}, exactly: the largest subset that is closed under adding p.
fn closed_part(set: &VectorSet, p: &[u64], effort: &Effort<'_>) -> Result<VectorSet, StopReason> {
    let d = set.dimension();
    let p = p.iter().map(|&x| i64::try_from(x).expect("candidates are small")).collect();
    let mut columns = vec![p];
    columns.extend((0..d).map(|i| (0..d).map(|j| i64::from(i == j)).collect()));
    set.preimage(&vec![BigInt::ZERO; d], &columns, effort)?.forall(&[0], effort)
}

fn big(p: &[u64]) -> Vec<BigInt> {
    p.iter().map(|&x| x.into()).collect()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn check(set: &VectorSet) -> Stratification {
        let effort = Effort::unlimited();
        let strata = stratification_of(set, &effort).unwrap();
        assert_eq!(strata.vector_set(&effort).unwrap(), *set);
        assert_eq!(strata.meeting_translates(), None);
        assert_eq!(strata.overlap(&effort).unwrap(), None);
        strata
    }

    #[test]
    fn long_diagonal_periods_and_oblique_sectors() {
        let effort = Effort::unlimited();
        let module = |generators: [[i64; 2]; 2], bases: &[[i64; 2]]| Module {
            generators: generators.map(|v| v.to_vec()).to_vec(),
            bases: bases.iter().map(|b| b.to_vec()).collect(),
        };
        let made = Stratification::new(
            2,
            vec![
                module([[2, 0], [6, 6]], &[[0, 0], [1, 1], [4, 3], [5, 4]]),
                module([[0, 2], [6, 6]], &[[0, 2], [1, 3], [3, 4], [4, 5]]),
            ],
        )
        .unwrap();
        let found = check(&made.vector_set(&effort).unwrap());
        assert_eq!((found.modules().len(), found.strata()), (2, 8));
        let oblique = Stratification::new(2, vec![module([[7, 3], [2, 11]], &[[1, 0], [5, 5], [0, 9]])]).unwrap();
        assert_eq!(check(&oblique.vector_set(&effort).unwrap()).strata(), 3);
    }

    #[test]
    fn higher_dimensions() {
        let effort = Effort::unlimited();
        for d in 4..=6usize {
            let unit = |i: usize, n: i64| (0..d).map(|j| if i == j { n } else { 0 }).collect::<Vec<i64>>();
            let diagonal: Vec<i64> = (0..d).map(|j| i64::from(j >= d - 2) * 2).collect();
            // Even points, and beside them a sheet along the diagonal of the last two axes.
            let even = Module { generators: (0..d).map(|i| unit(i, 2)).collect(), bases: vec![vec![0; d]] };
            let sheet = Module { generators: vec![unit(0, 3), diagonal], bases: vec![unit(1, 1), unit(2, 1)] };
            let made = Stratification::new(d, vec![even, sheet]).unwrap();
            let found = check(&made.vector_set(&effort).unwrap());
            assert_eq!((found.modules().len(), found.strata()), (2, 3), "d = {d}");
        }
    }

    #[test]
    fn a_set_that_is_not_semilinear_is_a_limit() {
        let effort = Effort::unlimited();
        // x and y have no digit 1 in common: C(x + y, x) is odd (Kummer). Not semilinear.
        let set = VectorSet::from_table(2, &[[1, 2], [0, 0], [0, 3], [4, 4], [3, 3]], &[0], &effort).unwrap().unwrap();
        assert!(set.contains_small(&[5, 10]) && !set.contains_small(&[5, 4]));
        assert!(matches!(stratification_of(&set, &effort), Err(StopReason::Size { .. })));
    }

    fn modules(d: usize, top: i64, parts: usize) -> impl Strategy<Value = Vec<(Vec<i64>, Vec<Vec<i64>>)>> {
        let vector = |top: i64| prop::collection::vec(0..top, d);
        prop::collection::vec((vector(6), prop::collection::vec(vector(top), 0..=d)), 1..=parts)
    }

    fn round_trip(d: usize, parts: &[Stratum]) {
        let effort = Effort::new(20_000, &crate::run::Unlimited);
        let set = parts.iter().try_fold(VectorSet::empty(d), |set, (base, columns)| {
            let columns: Vec<Vec<i64>> = columns.iter().filter(|c| c.iter().any(|&x| x > 0)).cloned().collect();
            set.union(&VectorSet::image(base, &columns, &effort)?, &effort)
        });
        // A limit is an honest answer; a wrong stratification is not. (The plain union of translates is compared.)
        if let Ok(strata) = set.and_then(|set| Ok((stratification_of(&set, &effort)?, set))).map(|(strata, set)| {
            assert_eq!(strata.vector_set(&effort), Ok(set));
            strata
        }) {
            assert_eq!(strata.meeting_translates(), None);
            assert_eq!(strata.overlap(&effort), Ok(None));
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(8))]

        #[test]
        fn round_trip_on_the_line(parts in modules(1, 9, 3)) {
            round_trip(1, &parts);
        }

        #[test]
        fn round_trip_in_the_plane(parts in modules(2, 4, 3)) {
            round_trip(2, &parts);
        }

        #[test]
        fn round_trip_in_space(parts in modules(3, 3, 2)) {
            round_trip(3, &parts);
        }
    }
}
