//! `--memory-limit` is kept by every engine: the peak is at most 1.2 times the limit and 32 MB.

use std::process::{Command, Stdio};
use std::time::Duration;

use crate::common::file;

/// Runs the command and says its exit code and the most memory it was seen to have.
fn peak(args: &[&str]) -> (Option<i32>, u64) {
    let mut child = Command::new(env!("CARGO_BIN_EXE_impartial"))
        .args(args)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .expect("the command starts");
    let status = format!("/proc/{}/status", child.id());
    let mut most = 0;
    loop {
        let text = std::fs::read_to_string(&status).unwrap_or_default();
        let line = text.lines().find_map(|line| line.strip_prefix("VmHWM:"));
        let kilobytes = line.and_then(|rest| rest.trim().strip_suffix("kB")).and_then(|n| n.trim().parse::<u64>().ok());
        most = most.max(kilobytes.unwrap_or(0) * 1024);
        if let Some(code) = child.try_wait().expect("a child") {
            return (code.code(), most);
        }
        std::thread::sleep(Duration::from_millis(1));
    }
}

#[test]
fn engines_keep_the_memory_limit() {
    const LIMIT: u64 = 48 << 20;
    let (_folder, plane) =
        file("wide.toml", "kind = \"lattice\"\nrules = [[1, 1, 4], [1, 2, 0], [2, 2, 1], [4, 3, 2]]");
    let mut reached = 0;
    for words in [
        "period 0.106 --to 100000000",
        "values 0.6 --to 10000000 --no-proof-stop",
        "values 0.9C --to 100000",
        "count chomp:16x16",
        "grundy chomp:12x12 12,12,12,12,12,12,12,12,12,12,12,12",
        "quotient 0.3102",
        "solve 0.07 --play misere --max-heap 40",
        "outcome PLANE (4000,4000,4000)",
        "solve PLANE --method learn",
        "count PLANE --box 900,900,900",
        "solve infinite-quotient --grundy",
        "chains chomp-chains:200,150",
    ] {
        let words = words.replace("PLANE", &plane);
        let mut args: Vec<&str> = words.split(' ').collect();
        args.extend(["--memory-limit", "48MiB", "--time-limit", "4s"]);
        let (code, most) = peak(&args);
        assert!(matches!(code, Some(0 | 3)), "{args:?}: exit code {code:?}");
        assert!(most > 0, "{args:?}: the memory was not seen");
        assert!(most <= LIMIT + LIMIT / 5 + 32_000_000, "{args:?}: {most} bytes");
        reached += u32::from(most > LIMIT);
    }
    // The limit means something: the table of Chomp alone would take far more.
    assert!(reached >= 1);
}

/// Where few heaps are rare the values pass by: a period is looked for among more values than the limit has bytes.
#[test]
fn a_period_is_looked_for_in_constant_memory() {
    const LIMIT: u64 = 28 << 20;
    let (code, most) = peak(&["period", "0.106", "--to", "40000000", "--memory-limit", "28MiB"]);
    assert_eq!(code, Some(0));
    assert!(most > 0 && most < LIMIT, "{most} bytes");
}
