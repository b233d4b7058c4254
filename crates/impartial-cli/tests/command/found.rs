//! Misère strategies that tests look for.

use impartial::game::{misere_strategy, quotient_strategy};
use impartial::heap::HeapRules;
use impartial::strategy::{CountersStrategy, Envelope, MisereStrategy, QuotientStrategy};
use impartial_check::{Verdict, check};
use semilinear::run::{Run, Unlimited};

/// Whether the independent checker accepts a file.
pub fn valid(file: &Envelope) -> bool {
    matches!(check(&file.to_text(), &|| true), Verdict::Valid { .. })
}

/// The quotient of a code that has a finite one.
pub fn quotient(code: &str, heaps: usize) -> QuotientStrategy {
    match quotient_strategy(code.parse().unwrap(), Some(heaps), &Unlimited) {
        Run::Finished(strategy) => strategy.into_inner(),
        Run::Stopped(why, _) => panic!("{code}: {why}"),
    }
}

/// The monoid with counters of a code whose quotient is infinite.
pub fn counters(code: &str, heaps: usize) -> CountersStrategy {
    let rules: HeapRules = code.parse().unwrap();
    let Run::Finished(strategy) = misere_strategy(&rules, Some(heaps), &Unlimited) else { panic!("{code}: stopped") };
    let MisereStrategy::Counters(strategy) = strategy.into_inner() else { panic!("{code}: no counters found") };
    strategy
}

/// All sums of so many beans at most, in falling order of heaps.
pub fn sums(beans: u64) -> Vec<Vec<u64>> {
    fn below(beans: u64, largest: u64, all: &mut Vec<Vec<u64>>, sum: &mut Vec<u64>) {
        all.push(sum.clone());
        for heap in 1..=largest.min(beans) {
            sum.push(heap);
            below(beans - heap, heap, all, sum);
            sum.pop();
        }
    }
    let mut all = Vec::new();
    below(beans, beans, &mut all, &mut Vec::new());
    all
}
