//! How the time of one outcome query grows with the digits of the position: a table on stderr, a plot on stdout.
//!
//! `cargo run --release -p impartial --example query_growth > docs/performance/query-growth.svg`

use std::fmt::Write as _;
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
    let mut rows: Vec<(usize, [f64; 3])> = Vec::new();
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
        rows.push((digits, row));
    }
    print!("{}", plot(&rows, &names));
}

/// Both axes logarithmic: polynomial growth is a straight line, with the degree as its slope.
fn plot(rows: &[(usize, [f64; 3])], names: &[&str; 3]) -> String {
    const COLOURS: [&str; 3] = ["#1b6ca8", "#2a9d4b", "#b5432a"];
    let x = |digits: f64| 70.0 + 110.0 * digits.log10();
    let y = |time: f64| 330.0 - 40.0 * (time.log10() + 2.0);
    let mut svg = String::from(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 560 400\" font-family=\"sans-serif\" font-size=\"12\">\n\
         <rect width=\"560\" height=\"400\" fill=\"white\"/>\n",
    );
    for e in 0..=4i32 {
        let at = x(10f64.powi(e));
        let _ = writeln!(svg, "<line x1=\"{at}\" y1=\"50\" x2=\"{at}\" y2=\"330\" stroke=\"#ddd\"/>");
        let _ =
            writeln!(svg, "<text x=\"{at}\" y=\"348\" text-anchor=\"middle\">{}</text>", 10i64.pow(e.unsigned_abs()));
    }
    for e in -2..=5i32 {
        let at = y(10f64.powi(e));
        let _ = writeln!(svg, "<line x1=\"70\" y1=\"{at}\" x2=\"510\" y2=\"{at}\" stroke=\"#ddd\"/>");
        let label = if e < 0 { format!("{}", 10f64.powi(e)) } else { format!("{}", 10i64.pow(e.unsigned_abs())) };
        let _ = writeln!(svg, "<text x=\"64\" y=\"{}\" text-anchor=\"end\">{label}</text>", at + 4.0);
    }
    let _ = writeln!(svg, "<text x=\"290\" y=\"368\" text-anchor=\"middle\">decimal digits of each coordinate</text>");
    let _ = writeln!(svg, "<text x=\"70\" y=\"40\">microseconds for one query</text>");
    for (k, (name, colour)) in names.iter().zip(COLOURS).enumerate() {
        let points: Vec<String> = rows
            .iter()
            .map(|(d, row)| format!("{:.1},{:.1}", x(f64::from(u32::try_from(*d).unwrap_or(1))), y(row[k])))
            .collect();
        let _ = writeln!(
            svg,
            "<polyline points=\"{}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"2\"/>",
            points.join(" ")
        );
        for point in &points {
            let (px, py) = point.split_once(',').unwrap_or(("0", "0"));
            let _ = writeln!(svg, "<circle cx=\"{px}\" cy=\"{py}\" r=\"3\" fill=\"{colour}\"/>");
        }
        let at = 66 + 16 * k;
        let _ = writeln!(svg, "<text x=\"80\" y=\"{at}\" fill=\"{colour}\">{name}</text>");
    }
    svg += "</svg>\n";
    svg
}
