//! The programs of `examples/` run, and none of them is longer than a screen.

use std::path::Path;
use std::process::Command;

const PROGRAMS: [&str; 8] =
    ["own_ruleset", "period", "solve_save_load", "strata", "series_and_count", "quotient_table", "chomp", "chains"];

#[test]
fn examples_run() {
    // Cargo builds the examples beside the tests: target/debug/deps/front_door-… and target/debug/examples/period.
    let tests = std::env::current_exe().unwrap();
    let folder = tests.parent().and_then(Path::parent).unwrap().join("examples");
    for name in PROGRAMS {
        let program = folder.join(name).with_extension(std::env::consts::EXE_EXTENSION);
        let output = Command::new(&program).output().unwrap_or_else(|error| {
            panic!(
                "{}: {error}; `cargo test -p impartial` builds the examples, `--test front_door` alone does not",
                program.display()
            )
        });
        assert!(output.status.success(), "{name}: {}", String::from_utf8_lossy(&output.stderr));
        assert!(!output.stdout.is_empty(), "{name} says nothing");
    }
}

#[test]
fn examples_are_short() {
    for name in PROGRAMS {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("examples").join(name).with_extension("rs");
        let lines = std::fs::read_to_string(path).unwrap().lines().filter(|line| !line.trim().is_empty()).count();
        assert!(lines <= 20, "{name} has {lines} lines");
    }
}
