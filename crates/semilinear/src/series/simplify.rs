//! Shorter forms of the same rational function.

use rustc_hash::FxHashMap;

use super::{Series, Term};
use crate::integer::{Rat, Vector, add, sub};

impl Series {
    /// Shortens the series without changing the function: equal terms are added up, and with `D` any list of denominators
    /// `t^p/D(1 − t^a) − t^(p+a)/D(1 − t^a) = t^p/D` and `t^p/D + t^(p+a)/D(1 − t^a) = t^p/D(1 − t^a)` are used from left to right.
    ///
    /// # Complexity
    /// Every step removes a term; a step looks at every term and its denominators once.
    pub fn simplify(&mut self) {
        loop {
            self.merge();
            let before = self.terms().len();
            let mut map: FxHashMap<(Vec<Vector>, Vector), Rat> = FxHashMap::default();
            let order: Vec<(Vec<Vector>, Vector)> =
                self.terms().iter().map(|t| (t.denominators.clone(), t.exponent.clone())).collect();
            for t in self.terms_mut().drain(..) {
                map.insert((t.denominators, t.exponent), t.coefficient);
            }
            for key in order {
                step(&mut map, &key);
            }
            self.terms_mut().extend(map.into_iter().map(|((denominators, exponent), coefficient)| Term {
                denominators,
                exponent,
                coefficient,
            }));
            self.merge();
            if self.terms().len() == before {
                return;
            }
        }
    }
}

fn step(map: &mut FxHashMap<(Vec<Vector>, Vector), Rat>, key: &(Vec<Vector>, Vector)) {
    let Some(coefficient) = map.get(key).cloned() else { return };
    for i in 0..key.0.len() {
        if i > 0 && key.0[i] == key.0[i - 1] {
            continue;
        }
        let a = key.0[i].clone();
        let mut fewer = key.0.clone();
        fewer.remove(i);
        let partner = (key.0.clone(), add(&key.1, &a));
        if map.get(&partner).is_some_and(|c| *c == -&coefficient) {
            map.remove(key);
            map.remove(&partner);
            merge_into(map, &(fewer, key.1.clone()), &coefficient);
            return;
        }
        let base = (fewer, sub(&key.1, &a));
        if map.get(&base) == Some(&coefficient) {
            map.remove(key);
            map.remove(&base);
            merge_into(map, &(key.0.clone(), base.1), &coefficient);
            return;
        }
    }
}

fn merge_into(map: &mut FxHashMap<(Vec<Vector>, Vector), Rat>, key: &(Vec<Vector>, Vector), coefficient: &Rat) {
    let sum = map.entry(key.clone()).or_default();
    *sum += coefficient;
    if sum.is_zero() {
        map.remove(key);
    }
}
