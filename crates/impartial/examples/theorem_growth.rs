//! How the work of three theorems of *Algorithms for lattice games* grows with the input when the dimension is fixed: a table.
//!
//! `cargo run -p impartial --example theorem_growth`; what it printed is in `docs/performance/geometry.md`.

use std::hint::black_box;
use std::time::Instant;

use impartial::prelude::*;
use semilinear::semigroup::{Module, Stratification};

/// Milliseconds of one call: the least of five.
fn milliseconds(mut call: impl FnMut()) -> f64 {
    let run = |_| {
        let start = Instant::now();
        call();
        start.elapsed().as_secs_f64() * 1e3
    };
    (0..5).map(run).fold(f64::INFINITY, f64::min)
}

/// F + ℕᵈ with n translates that meet, none of which holds another; entries of about as many digits.
fn meeting(d: usize, n: i64, far: i64) -> Stratification {
    let units = (0..d).map(|i| (0..d).map(|j| i64::from(i == j)).collect()).collect();
    let base = |i: i64| (0..d).map(|j| if j == 0 { far * i } else { far * (n - i) }).collect();
    Stratification::new(d, vec![Module { generators: units, bases: (0..n).map(base).collect() }])
        .expect("free generators")
}

fn main() -> Result<(), Error> {
    println!("| theorem | input | terms | ms |\n| --- | --- | --- | --- |");
    for (d, far) in [(2, 1), (2, 1_000_000_007), (3, 1), (3, 1_000_000_007)] {
        for n in [16, 32, 64, 128, 256] {
            let strata = meeting(d, n, far);
            let terms = strata.series(&Unlimited)?.terms().len();
            let ms = milliseconds(|| drop(black_box(strata.series(&Unlimited))));
            println!("| 5.1 | d = {d}, {n} translates, entries to {} | {terms} | {ms:.2} |", far * n);
        }
    }
    let ask = Ask::new();
    let series = "exotic".parse::<Game>()?.solve(&ask)?.convert(Form::Series, &ask)?;
    for digits in [1, 16, 64, 256, 1024] {
        let far = "6".repeat(digits);
        let (p, q) = (series.position(&format!("({far},{far})"))?, series.position(&format!("({far},0)"))?);
        let ms = milliseconds(|| drop(black_box(series.outcome(&p, &ask))));
        println!("| 3.6 | outcome, {digits} digits | {} | {ms:.3} |", series.report(&ask).size["terms"]);
        let ms = milliseconds(|| drop(black_box(series.congruent(&p, &q, &ask))));
        println!("| 6.2 | congruence, {digits} digits | {} | {ms:.1} |", series.report(&ask).size["terms"]);
    }
    Ok(())
}
