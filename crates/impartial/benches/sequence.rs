//! Grundy sequences: each engine against the plain loop, in one run.
//!
//! `cargo bench -p impartial --bench sequence` prints one line a measurement: seconds of processor time (of the
//! clock where the system does not tell), and how many times faster than the plain loop. Where the plain loop
//! would take hours it is measured on a shorter sequence and scaled by n², which the last part of the
//! output justifies: how the cost of each engine grows, as the exponent between one length and the next.

use std::hint::black_box;
use std::time::Instant;

use impartial::heap::{HeapFile, HeapRules};
use impartial::solve::sequence::{Engine, Sequence};
use semilinear::run::Unlimited;

const GRUNDY: &str = "kind = \"heap\"\n[[moves]]\ntake = 0\nleave = 2\nheaps = \"unequal\"\n";

fn rules(code: &str) -> HeapRules {
    match code {
        "grundy" => HeapFile::from_toml(GRUNDY).expect("a heap file").rules,
        _ => code.parse().expect("a code"),
    }
}

/// Seconds of processor time that this thread has used, where Linux tells: other programs do not count.
fn processor_seconds() -> Option<f64> {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    text.split(' ').next()?.parse::<f64>().ok().map(|nanoseconds| nanoseconds / 1e9)
}

/// How long `work` takes.
fn timed(work: impl FnOnce()) -> f64 {
    let (clock, processor) = (Instant::now(), processor_seconds());
    work();
    match (processor, processor_seconds()) {
        (Some(before), Some(after)) if after > before => after - before,
        _ => clock.elapsed().as_secs_f64(),
    }
}

/// Seconds for the values of heaps 0 to n, the best of `runs`.
fn seconds(code: &str, engine: Engine, n: usize, stop_at_proof: bool, runs: u32) -> f64 {
    let rules = rules(code);
    let once = || {
        timed(|| {
            let mut sequence = Sequence::new(rules.clone(), engine);
            if stop_at_proof {
                sequence.search(n + 1, &Unlimited).expect("no limit");
                sequence.fill(n + 1);
            } else {
                sequence.extend(n + 1, &Unlimited).expect("no limit");
            }
            black_box(sequence.values());
        })
    };
    (0..runs).map(|_| once()).fold(f64::INFINITY, f64::min)
}

/// Measures a code against the plain loop on n heaps, of which the plain loop computes `plain_n` only.
#[allow(clippy::cast_precision_loss)]
fn compare(code: &str, n: usize, stop_at_proof: bool, plain_n: usize) {
    let fast = seconds(code, Engine::Auto, n, stop_at_proof, 2);
    let scale = (n as f64 / plain_n as f64).powi(2);
    let plain = seconds(code, Engine::Plain, plain_n, false, 1) * scale;
    let how = if stop_at_proof { "with proof stop" } else { "all computed" };
    let scaled = if n == plain_n { String::new() } else { format!(" (plain measured to {plain_n}, scaled by n²)") };
    println!("{code:>7} to {n:>9} {how:>15}: {fast:9.4} s, plain {plain:10.2} s, {:8.1}x{scaled}", plain / fast);
}

/// How the cost of an engine grows with the number of heaps.
#[allow(clippy::cast_precision_loss)]
fn growth(code: &str, engine: Engine, sizes: &[usize]) {
    let mut before: Option<(usize, f64)> = None;
    for &n in sizes {
        let time = seconds(code, engine, n, false, 2);
        let exponent = before.map_or(String::new(), |(m, old)| {
            format!(", grows like n^{:.2}", (time / old).ln() / (n as f64 / m as f64).ln())
        });
        println!("{code:>14} to {n:>9} {engine:?}: {time:9.4} s, {:12.0} values a second{exponent}", n as f64 / time);
        before = Some((n, time));
    }
}

fn main() {
    // Under `cargo test --benches` nothing is measured.
    if !std::env::args().any(|arg| arg == "--bench") {
        return;
    }
    compare("0.77", 1_000_000, true, 20_000);
    compare("0.77", 100_000, true, 20_000);
    compare("0.07", 100_000, false, 100_000);
    compare("0.007", 100_000, false, 20_000);
    compare("0.6", 100_000, false, 20_000);
    compare("grundy", 100_000, false, 20_000);
    compare("0.6", 1_000_000, false, 20_000);
    compare("grundy", 1_000_000, false, 20_000);
    compare("0.106", 10_000_000, false, 20_000);
    growth("0.77", Engine::Plain, &[5_000, 10_000, 20_000, 40_000]);
    growth("0.6", Engine::Plain, &[5_000, 10_000, 20_000, 40_000]);
    growth("0.07", Engine::Scan, &[12_500, 25_000, 50_000, 100_000, 200_000]);
    growth("0.6", Engine::Sparse, &[50_000, 100_000, 200_000, 400_000]);
    growth("grundy", Engine::Sparse, &[50_000, 100_000, 200_000, 400_000]);
    growth("0.106", Engine::Auto, &[1_000_000, 2_000_000, 4_000_000, 8_000_000]);
    growth("0.9C", Engine::Plain, &[250, 500, 1_000]);
    growth("0.9C", Engine::Auto, &[1_000, 2_000, 4_000]);
    growth("subtract:2,4,7", Engine::Auto, &[1_000_000, 4_000_000, 16_000_000]);
}
