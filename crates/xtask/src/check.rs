//! `cargo xtask test`: every check of the repository, in one run.

use std::io::{BufRead as _, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};

use crate::python;

/// The root of the repository.
pub fn root() -> PathBuf {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    here.ancestors().nth(2).unwrap_or(here).to_owned()
}

/// Tests that ran, over all runners.
#[derive(Default)]
pub struct Tally {
    passed: u64,
    failed: u64,
    skipped: u64,
    /// Parts that failed as a whole, and parts that were left out, with the reason.
    broken: Vec<&'static str>,
    left_out: Vec<String>,
}

impl Tally {
    /// Reads the summary line of a test binary, `test result: ok. 3 passed; 0 failed; 1 ignored; …`, and what it left out.
    fn read(&mut self, line: &str) {
        if let Some(reason) = line.strip_prefix("left out: ") {
            self.left_out.push(reason.to_owned());
        }
        let Some(counts) = line.strip_prefix("test result: ") else { return };
        for part in counts.split([';', '.']) {
            let mut words = part.split_whitespace();
            let (Some(Ok(n)), Some(what)) = (words.next().map(str::parse::<u64>), words.next()) else { continue };
            match what {
                "passed" => self.passed += n,
                "failed" => self.failed += n,
                "ignored" => self.skipped += n,
                _ => {}
            }
        }
    }

    /// Notes a part that this machine cannot run.
    pub fn leave_out(&mut self, reason: String) {
        self.left_out.push(reason);
    }

    /// Notes a part that failed as a whole.
    pub fn broke(&mut self, part: &'static str) {
        self.broken.push(part);
    }

    /// Says what was left out, what failed, and the counts.
    fn end(&self) -> ExitCode {
        for reason in &self.left_out {
            println!("left out: {reason}");
        }
        for part in &self.broken {
            println!("failed: {part}");
        }
        println!("{} passed, {} failed, {} skipped", self.passed, self.failed, self.skipped);
        if self.failed == 0 && self.broken.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE }
    }

    /// Runs a part and counts its tests; its output is shown as it comes.
    pub fn part(&mut self, name: &'static str, program: &str, args: &[&str], env: &[(&str, &str)]) {
        println!("== {name}: {program} {}", args.join(" "));
        let child = Command::new(program)
            .args(args)
            .envs(env.iter().copied())
            .current_dir(root())
            .stdout(Stdio::piped())
            .spawn();
        let Ok(mut child) = child else {
            println!("{program} does not start");
            self.broken.push(name);
            return;
        };
        for line in BufReader::new(child.stdout.take().expect("piped")).lines().map_while(Result::ok) {
            println!("{line}");
            self.read(&line);
        }
        if !child.wait().is_ok_and(|status| status.success()) {
            self.broken.push(name);
        }
    }
}

/// Runs one step with its output; whether it succeeds.
pub fn step(name: &str, program: &str, args: &[&str]) -> bool {
    println!("== {name}: {program} {}", args.join(" "));
    Command::new(program).args(args).current_dir(root()).status().is_ok_and(|status| status.success())
}

/// Whether a program is installed.
fn has(program: &str) -> bool {
    Command::new(program).arg("--version").stdout(Stdio::null()).stderr(Stdio::null()).status().is_ok()
}

/// Installs packages of Debian where that is possible.
pub fn installed(program: &str, packages: &[&str]) -> bool {
    if has(program) {
        return true;
    }
    let apt = |args: &[&str]| {
        let status = Command::new("apt-get").args(args).stdout(Stdio::null()).stderr(Stdio::null()).status();
        status.is_ok_and(|status| status.success())
    };
    println!("== installing {}", packages.join(" "));
    apt(&["update"]);
    apt(&[&["install", "-y", "--no-install-recommends"], packages].concat()) && has(program)
}

/// Runs every check; what this machine cannot run is left out, and said.
pub fn run() -> ExitCode {
    let mut tally = Tally::default();
    tally.part("formatting", "cargo", &["fmt", "--all", "--check"], &[]);
    tally.part("lints", "cargo", &["clippy", "--workspace", "--all-targets", "--locked", "--", "-D", "warnings"], &[]);
    tally.part(
        "documentation",
        "cargo",
        &["doc", "--workspace", "--no-deps", "--locked"],
        &[("RUSTDOCFLAGS", "-D warnings")],
    );
    tally.part("Rust tests", "cargo", &["test", "--workspace", "--locked", "--no-fail-fast"], &[]);
    if root().join("proofs/Makefile").is_file() {
        if installed("coqc", &["coq", "ocaml-nox", "make"]) {
            tally.part("proofs", "make", &["-C", "proofs", "test", "audit"], &[]);
            if has("python3") {
                tally.part("the two checkers on the same files", "make", &["-C", "proofs", "compare"], &[]);
            } else {
                tally.left_out.push("the comparison of the two checkers: there is no python3".to_owned());
            }
        } else {
            tally.left_out.push("the proofs: coqc is not installed and could not be".to_owned());
        }
    }
    python::test(&mut tally);
    tally.part("exports in other systems", "cargo", &["xtask", "exports"], &[]);
    tally.part("the page in a browser", "cargo", crate::page::TEST, &[]);
    tally.end()
}

/// The part of the Python package alone.
pub fn python() -> ExitCode {
    let mut tally = Tally::default();
    python::test(&mut tally);
    tally.end()
}

#[cfg(test)]
mod tests {
    use super::Tally;

    #[test]
    fn summary_lines_are_added_up() {
        let mut tally = Tally::default();
        tally.read("test result: ok. 3 passed; 0 failed; 1 ignored; 0 measured; 0 filtered out; finished in 0.01s");
        tally.read("test result: FAILED. 2 passed; 5 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.01s");
        tally.read("running 3 tests");
        assert_eq!((tally.passed, tally.failed, tally.skipped), (5, 5, 1));
        tally.read("left out: a browser");
        assert_eq!(tally.left_out, ["a browser"]);
    }
}
