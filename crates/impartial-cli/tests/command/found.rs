//! Misère strategies that tests look for.

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
    match QuotientStrategy::search(code.parse().unwrap(), Some(heaps), &Unlimited) {
        Run::Finished(strategy) => strategy,
        Run::Stopped(why, _) => panic!("{code}: {why}"),
    }
}

/// The monoid with counters of a code whose quotient is infinite.
pub fn counters(code: &str, heaps: usize) -> CountersStrategy {
    let rules: HeapRules = code.parse().unwrap();
    match MisereStrategy::search(&rules, Some(heaps), &|file| Ok(valid(file)), &Unlimited) {
        Run::Finished(MisereStrategy::Counters(strategy)) => strategy,
        _ => panic!("{code}: no counters found"),
    }
}
