//! How the work of three theorems of *Algorithms for lattice games* grows with the input when the dimension is fixed: a table on
//! stderr, a plot on stdout.
//!
//! `cargo run --release -p impartial --example theorem_growth > docs/performance/theorem-growth.svg`

mod growth;

use std::hint::black_box;
use std::time::Instant;

use impartial::prelude::*;
use impartial::semigroup::{Module, Stratification};

/// Milliseconds of one call: the least of five runs of at least 2 ms.
fn milliseconds(mut call: impl FnMut()) -> f64 {
    let run = |_| {
        let (start, mut calls) = (Instant::now(), 0_u32);
        while calls == 0 || start.elapsed().as_millis() < 2 {
            call();
            calls += 1;
        }
        start.elapsed().as_secs_f64() * 1e3 / f64::from(calls)
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

/// The rational strategy of the game in which a move takes k from one of two heaps: 2k² terms.
fn rational(k: u32, ask: &Ask) -> Result<Strategy, Error> {
    let text = format!("kind = \"lattice\"\nrules = [[{k}, 0], [0, {k}]]");
    Game::from_toml(&text)?.solve(ask)?.convert(Form::Series, ask)
}

fn main() -> Result<(), Error> {
    let ask = Ask::new();
    let mut lines: Vec<growth::Line> = Vec::new();
    let mut measured = |name: String, rows: Vec<(f64, f64)>| {
        for (size, time) in &rows {
            eprintln!("| {name} | {size} | {time:.4} |");
        }
        lines.push((name, rows));
    };
    eprintln!("| theorem, input | size | ms |\n| --- | --- | --- |");
    for d in [2, 3] {
        let mut rows = Vec::new();
        for n in [4_u16, 8, 16, 32, 64, 128, 256, 512] {
            let strata = meeting(d, n.into(), 1_000_000_007);
            rows.push((f64::from(n), milliseconds(|| drop(black_box(strata.series(&Unlimited))))));
        }
        measured(format!("5.1, series of overlapping translates, d = {d}, by their number"), rows);
    }
    let (mut outcomes, mut congruences) = (Vec::new(), Vec::new());
    for k in [1_u32, 2, 4, 8, 16] {
        let series = rational(k, &ask)?;
        let far = "7".repeat(20);
        let (p, q) = (series.position(&format!("({far},{far})"))?, series.position(&format!("({far},0)"))?);
        let size = f64::from(2 * k * k);
        outcomes.push((size, milliseconds(|| drop(black_box(series.outcome(&p, &ask))))));
        congruences.push((size, milliseconds(|| drop(black_box(series.congruent(&p, &q, &ask))))));
    }
    measured("3.6, outcome, d = 2, by the number of terms".into(), outcomes);
    measured("6.2, congruence, d = 2, by the number of terms".into(), congruences);
    let series = "exotic".parse::<Game>()?.solve(&ask)?.convert(Form::Series, &ask)?;
    let (mut outcomes, mut congruences) = (Vec::new(), Vec::new());
    for digits in [4_u16, 16, 64, 256, 1024] {
        let far = "6".repeat(digits.into());
        let (p, q) = (series.position(&format!("({far},{far})"))?, series.position(&format!("({far},0)"))?);
        outcomes.push((digits.into(), milliseconds(|| drop(black_box(series.outcome(&p, &ask))))));
        congruences.push((digits.into(), milliseconds(|| drop(black_box(series.congruent(&p, &q, &ask))))));
    }
    measured("3.6, outcome in the exotic game, by the digits of the position".into(), outcomes);
    measured("6.2, congruence in the exotic game, by the digits of the positions".into(), congruences);
    print!("{}", growth::plot("size of the input, in a fixed dimension", "milliseconds (least of five runs)", &lines));
    Ok(())
}
