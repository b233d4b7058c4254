//! How the time of one outcome query grows with the digits of the position: a table on stderr, a plot on stdout.
//!
//! `cargo run --release -p impartial --example query_growth > docs/performance/query-growth.svg`

mod growth;

use std::hint::black_box;
use std::time::Instant;

use impartial::lattice::{Description, LatticeGame};
use impartial::solve::learn::{Limits, p_positions};
use impartial::strategy::{AutomatonStrategy, SeriesStrategy, StratificationStrategy};
use num_bigint::BigInt;
use semilinear::integer::{Int, Vector, vector};
use semilinear::run::Unlimited;
use semilinear::series::{Coefficients, Series};
use semilinear::vectorset::Effort;

/// A pseudo-random number with this many digits.
fn number(state: &mut u64, digits: usize) -> BigInt {
    let text: String = (0..digits)
        .map(|i| {
            *state ^= *state << 13;
            *state ^= *state >> 7;
            *state ^= *state << 17;
            char::from(b'0' + u8::try_from(if i == 0 { 1 + *state % 9 } else { *state % 10 }).expect("a digit"))
        })
        .collect();
    text.parse().expect("digits")
}

/// Microseconds of one call: the median of runs of about 50 ms.
fn microseconds(mut call: impl FnMut()) -> f64 {
    let mut runs: Vec<f64> = (0..7)
        .map(|_| {
            let start = Instant::now();
            let mut calls = 0;
            while calls == 0 || start.elapsed().as_millis() < 50 {
                call();
                calls += 1;
            }
            start.elapsed().as_secs_f64() * 1e6 / f64::from(calls)
        })
        .collect();
    runs.sort_by(f64::total_cmp);
    runs[3]
}

fn main() {
    let effort = Effort::unlimited();
    let game = Description::from_toml("rules = [[1, 0], [0, 1], [2, 2]]").expect("a game");
    let game = LatticeGame::new(&game, &Unlimited).expect("a game");
    let set = p_positions(&game, &Limits::default(), &Unlimited).finished().expect("solved");
    let automaton = AutomatonStrategy::proved(game, set, &effort).expect("proved");
    let strata = StratificationStrategy::from_automaton(&automaton, &effort).expect("small");
    let series = SeriesStrategy::from_strata(&strata, &Unlimited).expect("free strata");
    // Dependent denominators: every coefficient is a lattice point count.
    let coins = Series::of_module(1, &[vector(&[0])], &[vector(&[2]), vector(&[5]), vector(&[7])]).expect("a series");
    let coins = Coefficients::new(&coins);
    let names = ["series of the game (1,0),(0,1),(2,2)", "its automaton", "coefficient of 1/((1-t^2)(1-t^5)(1-t^7))"];
    let mut lines: Vec<growth::Line> = names.iter().map(|&name| (name.to_owned(), Vec::new())).collect();
    eprintln!("{:>8} {:>12} {:>12} {:>12}  microseconds", "digits", "series", "automaton", "coins");
    for digits in [1, 3, 10, 30, 100, 300, 1000, 3000, 10_000] {
        let mut state = 88_172_645_463_325_252;
        let x: Vec<BigInt> = (0..2).map(|_| number(&mut state, digits)).collect();
        let t: Vector = vec![Int::from(&x[0])];
        let row = [
            microseconds(|| {
                let _ = black_box(series.outcome(black_box(&x), &Unlimited));
            }),
            microseconds(|| {
                let _ = black_box(automaton.outcome(black_box(&x)));
            }),
            microseconds(|| {
                let _ = black_box(coins.at(black_box(&t), &Unlimited));
            }),
        ];
        eprintln!("{digits:>8} {:>12.2} {:>12.2} {:>12.2}", row[0], row[1], row[2]);
        for ((_, points), time) in lines.iter_mut().zip(row) {
            points.push((f64::from(u32::try_from(digits).unwrap_or(1)), time));
        }
    }
    print!("{}", growth::plot("decimal digits of each coordinate", "microseconds for one query", &lines));
}
