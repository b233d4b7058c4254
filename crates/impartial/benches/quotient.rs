//! Misère quotients: the search for them, and outcomes by them against the plain search.

use divan::Bencher;
use impartial::heap::HeapRules;
use impartial::outcome::Play;
use impartial::solve::quotient::Builder;
use impartial::solve::search::Search;
use num_bigint::BigUint;
use semilinear::run::{Run, Unlimited};

fn main() {
    divan::main();
}

/// The quotient of all heaps up to a bound (0.07 to heap 33: MisereSolver takes 16 s).
#[divan::bench(args = [("0.07", 33), ("0.07", 25), ("0.123", 30), ("0.77", 100), ("0.347", 24)], sample_count = 3)]
fn quotient(bencher: Bencher<'_, '_>, (code, heaps): (&str, usize)) {
    let rules: HeapRules = code.parse().unwrap();
    bencher.bench(|| {
        let mut builder = Builder::new();
        builder.extend_to(&rules, heaps, &Unlimited).unwrap();
        builder.order()
    });
}

/// Sums of five heaps up to 14.
fn sums() -> Vec<Vec<u64>> {
    (0..200_u64).map(|n| (0..5).map(|i| 1 + (n * (7 + i) + n / (i + 2)) % 14).collect()).collect()
}

/// The baseline: outcomes of these sums by the plain search, with a memory shared by all.
#[divan::bench(sample_count = 3)]
fn outcomes_by_search(bencher: Bencher<'_, '_>) {
    let rules: HeapRules = "0.07".parse().unwrap();
    let sums = sums();
    bencher.bench(|| {
        let mut search = Search::new(&rules, &Unlimited);
        sums.iter().filter(|sum| search.outcome(Play::Misere, sum).unwrap().is_p()).count()
    });
}

/// The same outcomes by the quotient, its search included.
#[divan::bench(sample_count = 3)]
fn outcomes_by_quotient(bencher: Bencher<'_, '_>) {
    let sums: Vec<Vec<BigUint>> = sums().iter().map(|sum| sum.iter().map(|&h| h.into()).collect()).collect();
    bencher.bench(|| {
        let Run::Finished(strategy) = impartial::game::quotient_strategy("0.07".parse().unwrap(), Some(14), &Unlimited)
        else {
            panic!("it is found")
        };
        sums.iter().filter(|sum| strategy.outcome(sum).unwrap().is_p()).count()
    });
}
