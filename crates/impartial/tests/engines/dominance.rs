//! Strategies by weights: codes whose quotients grow without end, solved for heaps of every size.

use impartial::game::dominance_strategy;
use impartial::heap::HeapRules;
use impartial::outcome::Play;
use impartial::run::Unlimited;
use impartial::solve::search::Search;
use impartial::strategy::{DominanceStrategy, verdict};
use num_bigint::BigUint;

pub(crate) fn big(sum: &[u64]) -> Vec<BigUint> {
    sum.iter().map(|&h| h.into()).collect()
}

/// All sums of heaps that are at most `largest`, in falling order, with at most so many beans.
pub(crate) fn sums(beans: u64, largest: u64) -> Vec<Vec<u64>> {
    let mut all = vec![Vec::new()];
    for first in 1..=largest.min(beans) {
        for rest in sums(beans - first, first) {
            all.push([vec![first], rest].concat());
        }
    }
    all
}

fn solved(code: &str) -> DominanceStrategy {
    let rules: HeapRules = code.parse().unwrap();
    dominance_strategy(&rules, &Unlimited).unwrap().unwrap_or_else(|| panic!("{code} is not solved")).into_inner()
}

#[test]
fn strategies_by_weights_agree_with_search() {
    for code in ["4.7", "0.26", "0.337", "0.57", "0.355", "0.756", "0.736", "0.326", "0.357", "4.26"] {
        let strategy = solved(code);
        let mut search = Search::new(strategy.rules(), &Unlimited);
        for sum in sums(17, 17) {
            let expected = search.outcome(Play::Misere, &sum).unwrap();
            assert_eq!(strategy.outcome(&big(&sum)), expected, "{code}: {sum:?}");
        }
        // Larger heaps, some of which dominate.
        for sum in [vec![40], vec![39, 1], vec![38, 2], vec![37, 5], vec![25, 8, 1], vec![20, 20], vec![24, 9, 4]] {
            let expected = search.outcome(Play::Misere, &sum).unwrap();
            assert_eq!(strategy.outcome(&big(&sum)), expected, "{code}: {sum:?}");
        }
    }
}

#[test]
fn moves_by_weights_win() {
    let strategy = solved("4.7");
    let far: BigUint = "1000000000000000000000000".parse().unwrap();
    for sum in [vec![far.clone()], vec![far.clone(), 5u32.into()], vec![far.clone(), far.clone(), 2u32.into()]] {
        let moves = strategy.winning_moves(&sum).positions;
        assert_eq!(moves.is_empty(), strategy.outcome(&sum).is_p(), "{sum:?}");
        assert!(moves.iter().all(|option| strategy.outcome(option).is_p()));
    }
}

#[test]
fn dominance_mutants_are_judged() {
    // A changed file is refused, or the change touches no sum.
    for code in ["4.7", "0.736", "0.357"] {
        judge_mutants(code);
    }
}

fn judge_mutants(code: &str) {
    let strategy = solved(code);
    let mut search = Search::new(strategy.rules(), &Unlimited);
    let sums = sums(16, 16);
    let mut refused = 0;
    let file = strategy.envelope();
    let states = file.certificate["p"].as_array().unwrap().len();
    let mut mutants = Vec::new();
    for i in 0..states {
        let mut mutant = file.clone();
        mutant.certificate["p"].as_array_mut().unwrap().remove(i);
        mutants.push(mutant);
    }
    let length = strategy.dominance().weights.len();
    for key in ["weights", "values"] {
        for i in (1..5).chain(length - 4..length) {
            let Some(old) = file.certificate.get(key).and_then(|list| list[i].as_u64()) else { continue };
            for new in [Some(old + 1), old.checked_sub(1)].into_iter().flatten() {
                let mut mutant = file.clone();
                mutant.certificate[key][i] = new.into();
                mutants.push(mutant);
            }
        }
    }
    for key in ["gain", "cap", "top", "first", "period"] {
        let mut mutant = file.clone();
        mutant.certificate[key] = (mutant.certificate[key].as_u64().unwrap() + 1).into();
        mutants.push(mutant);
    }
    for mutant in &mutants {
        if verdict(mutant, &Unlimited).is_err() {
            refused += 1;
            continue;
        }
        let claimed = DominanceStrategy::from_envelope(mutant).unwrap().into_claim();
        for sum in &sums {
            let expected = search.outcome(Play::Misere, sum).unwrap();
            assert_eq!(claimed.outcome(&big(sum)), expected, "accepted, but wrong at {sum:?}: {mutant:?}");
        }
    }
    assert!(refused > mutants.len() / 2, "{refused} of {} refused", mutants.len());
}

#[test]
fn other_codes_have_no_such_strategy() {
    // Tame, infinite at heap 12, no splitting, more than two heaps.
    for code in ["0.77", "0.33", "0.F"] {
        let rules: HeapRules = code.parse().unwrap();
        assert!(dominance_strategy(&rules, &Unlimited).unwrap().is_none(), "{code}");
    }
}
