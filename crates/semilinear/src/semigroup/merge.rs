//! Merging strata: the same set with fewer and simpler modules.
//!
//! Three identities of disjoint unions are applied until none fits (f a base, W a set of generators, v, a, b vectors):
//!
//! * **grow**: (f + ℕW) ⊔ (f + v + ℕ(W ∪ {v})) = f + ℕ(W ∪ {v});
//! * **refine**: ⊔_{j<k} (f + jv + ℕ(W ∪ {kv})) = f + ℕ(W ∪ {v});
//! * **join**: (f + ℕ(W ∪ {a, a + b})) ⊔ (f + b + ℕ(W ∪ {b, a + b})) = f + ℕ(W ∪ {a, b}).

use std::collections::{BTreeMap, BTreeSet};

use super::extract::Stratum;
use super::{Module, Stratification, StratificationError};

/// Modules: sorted generators → bases.
pub(super) type Modules = BTreeMap<Vec<Vec<i64>>, BTreeSet<Vec<i64>>>;

/// Lists longer than this are grouped only.
const MERGED: usize = 20_000;

impl Stratification {
    /// The union of strata f + ℕV that are disjoint, grouped into modules and, unless there are very many, merged.
    pub fn of_disjoint(dimension: usize, strata: Vec<(Vec<i64>, Vec<Vec<i64>>)>) -> Result<Self, StratificationError> {
        let modules = if strata.len() <= MERGED { merged(strata) } else { grouped(strata) };
        let modules = modules
            .into_iter()
            .map(|(generators, bases)| Module { generators, bases: bases.into_iter().collect() })
            .collect();
        Self::new(dimension, modules)
    }
}

fn grouped(strata: Vec<Stratum>) -> Modules {
    let mut modules = Modules::new();
    for (base, mut generators) in strata {
        generators.sort();
        modules.entry(generators).or_default().insert(base);
    }
    modules
}

/// Groups strata into modules and merges them.
///
/// # Complexity
/// Every identity that is applied lowers the number of strata; each round looks at all pairs of generators of all strata.
pub(super) fn merged(strata: Vec<Stratum>) -> Modules {
    let mut modules = grouped(strata);
    while grow(&mut modules) || refine(&mut modules) || join(&mut modules) {
        modules.retain(|_, bases| !bases.is_empty());
    }
    modules
}

fn plus(x: &[i64], y: &[i64], factor: i64) -> Option<Vec<i64>> {
    x.iter().zip(y).map(|(x, y)| x.checked_add(y.checked_mul(factor)?)).collect()
}

/// The generators with some left out and others put in, sorted.
fn replaced(generators: &[Vec<i64>], out: &[&Vec<i64>], into: &[Vec<i64>]) -> Vec<Vec<i64>> {
    let mut all: Vec<Vec<i64>> = generators.iter().filter(|v| !out.contains(v)).chain(into).cloned().collect();
    all.sort();
    all
}

fn grow(modules: &mut Modules) -> bool {
    let mut changed = false;
    for generators in modules.keys().cloned().collect::<Vec<_>>() {
        for v in &generators {
            let smaller = replaced(&generators, &[v], &[]);
            if !modules.contains_key(&smaller) {
                continue;
            }
            let bases: Vec<Vec<i64>> = modules[&generators].iter().cloned().collect();
            for mut base in bases {
                while let Some(before) = plus(&base, v, -1) {
                    if !modules.get_mut(&smaller).is_some_and(|bases| bases.remove(&before)) {
                        break;
                    }
                    let bases = modules.get_mut(&generators).expect("the key is there");
                    bases.remove(&base);
                    bases.insert(before.clone());
                    base = before;
                    changed = true;
                }
            }
        }
    }
    changed
}

fn refine(modules: &mut Modules) -> bool {
    for generators in modules.keys().cloned().collect::<Vec<_>>() {
        for v in &generators {
            let content = v.iter().fold(0, |g, &x| num_integer::gcd(g, x));
            for k in (2..=content).filter(|k| content % k == 0) {
                let step: Vec<i64> = v.iter().map(|x| x / k).collect();
                let finer = replaced(&generators, &[v], std::slice::from_ref(&step));
                for base in modules[&generators].clone() {
                    let all: Option<Vec<Vec<i64>>> = (0..k).map(|j| plus(&base, &step, j)).collect();
                    let Some(all) = all else { continue };
                    if all.iter().all(|b| modules[&generators].contains(b)) {
                        let bases = modules.get_mut(&generators).expect("the key is there");
                        for b in &all {
                            bases.remove(b);
                        }
                        modules.entry(finer.clone()).or_default().insert(base);
                        return true;
                    }
                }
            }
        }
    }
    false
}

fn join(modules: &mut Modules) -> bool {
    for generators in modules.keys().cloned().collect::<Vec<_>>() {
        for sum in &generators {
            for a in generators.iter().filter(|a| *a != sum) {
                let Some(b) = plus(sum, a, -1) else { continue };
                let other = replaced(&generators, &[a], std::slice::from_ref(&b));
                if !modules.contains_key(&other) || other == generators {
                    continue;
                }
                for base in modules[&generators].clone() {
                    let Some(partner) = plus(&base, &b, 1) else { continue };
                    if modules.get_mut(&other).is_some_and(|bases| bases.remove(&partner)) {
                        modules.get_mut(&generators).expect("the key is there").remove(&base);
                        modules
                            .entry(replaced(&generators, &[sum], std::slice::from_ref(&b)))
                            .or_default()
                            .insert(base);
                        return true;
                    }
                }
            }
        }
    }
    false
}
