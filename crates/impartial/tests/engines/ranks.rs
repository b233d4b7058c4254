//! Strategies by ranks: codes whose quotients grow without end, and whose heaps are compared, solved for heaps of every size.

use impartial::game::ranks_strategy;
use impartial::heap::HeapRules;
use impartial::outcome::Play;
use impartial::run::Unlimited;
use impartial::solve::search::Search;
use impartial::strategy::{RanksStrategy, verdict};
use num_bigint::BigUint;

use crate::dominance::{big, sums};

fn solved(code: &str) -> RanksStrategy {
    let rules: HeapRules = code.parse().unwrap();
    ranks_strategy(&rules, &Unlimited).unwrap().unwrap_or_else(|| panic!("{code} is not solved")).into_inner()
}

#[test]
fn strategies_by_ranks_agree_with_search() {
    for code in ["0.54", "0.145"] {
        let strategy = solved(code);
        let mut search = Search::new(strategy.rules(), &Unlimited);
        for sum in sums(24, 24) {
            let expected = search.outcome(Play::Misere, &sum).unwrap();
            assert_eq!(strategy.outcome(&big(&sum)), expected, "{code}: {sum:?}");
        }
        // Larger heaps at all distances.
        for sum in (1..20).flat_map(|b| (b..43 - b).map(move |a| vec![a, b])) {
            let expected = search.outcome(Play::Misere, &sum).unwrap();
            assert_eq!(strategy.outcome(&big(&sum)), expected, "{code}: {sum:?}");
        }
        for sum in [vec![28, 14, 4], vec![21, 14, 6], vec![24, 17, 3], vec![18, 13, 9], vec![22, 9, 5, 5]] {
            let expected = search.outcome(Play::Misere, &sum).unwrap();
            assert_eq!(strategy.outcome(&big(&sum)), expected, "{code}: {sum:?}");
        }
    }
}

#[test]
fn moves_by_ranks_win() {
    let strategy = solved("0.54");
    let far: BigUint = "1000000000000000000000000".parse().unwrap();
    for a in 0..14u32 {
        for rest in [
            vec![],
            vec![5u32.into()],
            vec![&far / 3u32],
            vec![&far - 70u32, 14u32.into()],
            vec![&far + a, far.clone()],
        ] {
            let sum: Vec<BigUint> = rest.into_iter().chain([&far + a]).collect();
            let moves = strategy.winning_moves(&sum).positions;
            assert_eq!(moves.is_empty(), strategy.outcome(&sum).is_p(), "{sum:?}");
            assert!(moves.iter().all(|option| strategy.outcome(option).is_p()));
        }
    }
}

#[test]
fn ranks_mutants_are_judged() {
    // A changed file is refused, or the change touches no sum.
    let strategy = solved("0.54");
    let mut search = Search::new(strategy.rules(), &Unlimited);
    let sums = sums(22, 22);
    let file = strategy.envelope();
    let states = strategy.ranks().next.len();
    let mut mutants = Vec::new();
    for i in 0..strategy.ranks().accepting.len() {
        let mut mutant = file.clone();
        mutant.certificate["accepting"].as_array_mut().unwrap().remove(i);
        mutants.push(mutant);
    }
    for state in (0..states).step_by(3) {
        for letter in 0..2 {
            let mut mutant = file.clone();
            let entry = &mut mutant.certificate["next"][state][letter];
            *entry = ((entry.as_u64().unwrap() + 5) % states as u64).into();
            mutants.push(mutant);
        }
    }
    for heap in 1..strategy.ranks().letters.len() {
        let mut mutant = file.clone();
        let letters = strategy.ranks().next[0].len() as u64;
        let old = mutant.certificate["letters"][heap].as_u64().unwrap();
        mutant.certificate["letters"][heap] = ((old + 1) % letters).into();
        mutants.push(mutant);
    }
    let mut refused = 0;
    for mutant in &mutants {
        if verdict(mutant, &Unlimited).is_err() {
            refused += 1;
            continue;
        }
        let claimed = RanksStrategy::from_envelope(mutant).unwrap().into_claim();
        for sum in &sums {
            let expected = search.outcome(Play::Misere, sum).unwrap();
            assert_eq!(claimed.outcome(&big(sum)), expected, "accepted, but wrong at {sum:?}: {mutant:?}");
        }
    }
    assert!(refused > mutants.len() / 2, "{refused} of {} refused", mutants.len());
}

#[test]
fn other_codes_have_no_strategy_by_ranks() {
    // Tame, no splitting, more than two heaps.
    for code in ["0.77", "0.33", "0.F"] {
        let rules: HeapRules = code.parse().unwrap();
        assert!(ranks_strategy(&rules, &Unlimited).unwrap().is_none(), "{code}");
    }
}
