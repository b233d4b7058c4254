//! `cargo xtask peers`: Grundy sequences beside a plain loop in C, built here (`peers/plain.c`; nothing is fetched).
//!
//! User CPU seconds of whole processes, start and output included, the least of alternating runs.

use std::path::Path;
use std::process::{Command, ExitCode};

/// Runs of each program.
const RUNS: usize = 3;
/// Differences below this many seconds are those of starting a process.
const GRAIN: f64 = 0.01;

/// A code and how many heaps.
type Job = (String, u64);

/// Measures the codes given as `CODE:N`, else all codes with one or two digits, 30 random ones with three and 10 hexadecimal ones.
pub fn run(root: &Path, jobs: &[&str]) -> ExitCode {
    match measured(root, jobs) {
        Ok(()) => ExitCode::SUCCESS,
        Err(why) => {
            eprintln!("xtask: {why}");
            ExitCode::FAILURE
        }
    }
}

fn measured(root: &Path, jobs: &[&str]) -> Result<(), String> {
    let target = root.join("target");
    let (plain, impartial) = (target.join("plain"), target.join("release/impartial"));
    let source = root.join("crates/xtask/peers/plain.c");
    let built = Command::new("cc").args(["-O3", "-march=native", "-o"]).arg(&plain).arg(source).status();
    if !built.is_ok_and(|status| status.success()) {
        return Err("cc did not build peers/plain.c; a C compiler is needed".into());
    }
    if !impartial.exists() {
        return Err("target/release/impartial is missing; run cargo build --release -p impartial-cli first".into());
    }
    let jobs =
        if jobs.is_empty() { standard() } else { jobs.iter().map(|text| job(text)).collect::<Result<_, _>>()? };
    println!("| code | heaps | plain C | here | ratio |\n| --- | --- | --- | --- | --- |");
    let (mut behind, mut sums) = (0, [0.0; 2]);
    for (code, n) in &jobs {
        let to = n.to_string();
        let mut least = [f64::INFINITY; 2];
        for _ in 0..RUNS {
            let here = ["values", code.as_str(), "--to", &to, "--no-proof-stop", "--quiet"];
            for (least, (program, args)) in
                least.iter_mut().zip([(&plain, &[code.as_str(), &to][..]), (&impartial, &here[..])])
            {
                *least = least.min(seconds(program, args)?);
            }
        }
        let [peer, here] = least;
        let slower = here > peer + GRAIN;
        println!(
            "| {code} | {n} | {peer:.3} | {here:.3} | {:.2}{} |",
            here / peer.max(0.001),
            if slower { " behind" } else { "" }
        );
        behind += usize::from(slower);
        sums = [sums[0] + peer, sums[1] + here];
    }
    println!(
        "\n{} codes, {behind} behind by more than {GRAIN} s; together {:.2} and {:.2} s",
        jobs.len(),
        sums[0],
        sums[1]
    );
    Ok(())
}

fn job(text: &str) -> Result<Job, String> {
    let parsed = text.split_once(':').and_then(|(code, n)| Some((code.to_owned(), n.parse().ok()?)));
    parsed.ok_or_else(|| format!("\"{text}\" is no job; write CODE:HEAPS such as 0.77:100000"))
}

/// The codes that are compared.
fn standard() -> Vec<Job> {
    let mut jobs: Vec<Job> = (0..64u32).map(|k| (format!("0.{}{}", k / 8, k % 8), 30_000)).collect();
    // A fixed sequence of pseudo-random digits (Lehmer's generator), so that runs repeat.
    let mut seed = 2026u64;
    let mut digits = |base: u64, n: usize| -> String {
        (0..n)
            .map(|_| {
                seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                let digit = u32::try_from((seed >> 33) % base).expect("below 16");
                char::from_digit(digit, 16).expect("below 16").to_ascii_uppercase()
            })
            .collect()
    };
    jobs.extend((0..30).map(|_| (format!("0.{}", digits(8, 3)), 30_000)));
    jobs.extend((0..10).map(|_| (format!("0.{}", digits(16, 2)), 1000)));
    jobs
}

/// User CPU seconds of a process, as the shell measures them.
fn seconds(program: &Path, args: &[&str]) -> Result<f64, String> {
    let script = "TIMEFORMAT=%3U; time \"$0\" \"$@\" > /dev/null";
    let output = Command::new("bash").args(["-c", script]).arg(program).args(args).output();
    let output = output.map_err(|error| format!("bash: {error}"))?;
    let said = String::from_utf8_lossy(&output.stderr);
    let figure = said.lines().last().and_then(|line| line.trim().parse().ok());
    figure.filter(|_| output.status.success()).ok_or_else(|| format!("{} {args:?}: {said}", program.display()))
}
