//! Bad input through the command: exit code 2, one message that names the place and the remedy, nothing on stdout, and
//! no file lost.

use std::process::{Command, Output};

fn impartial(args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_impartial")).args(args).output().expect("the command starts")
}

/// Exit code 2, nothing on stdout, and one message that holds the words.
fn refused(args: &[&str], words: &[&str]) {
    let output = impartial(args);
    let message = String::from_utf8(output.stderr).expect("UTF-8");
    assert_eq!(output.status.code(), Some(2), "{args:?}: {message}");
    assert!(output.stdout.is_empty(), "{args:?}");
    for word in words {
        assert!(message.contains(word), "{args:?}: {message}");
    }
    let begins = |line: &&str| line.starts_with("impartial: ") || line.starts_with("error: ");
    assert_eq!(message.lines().filter(begins).count(), 1, "{args:?}: {message}");
    assert!(!message.contains("panicked"), "{args:?}: {message}");
}

/// Every option that takes a number says what it expects when the number is negative or no number at all.
#[test]
fn numbers_that_are_none() {
    for bad in ["-1", "10^30", "-3,4"] {
        for args in [
            &["values", "0.77", "--to"][..],
            &["period", "0.77", "--to"],
            &["solve", "0.77", "--to"],
            &["solve", "0.77", "--max-heap"],
            &["info", "0.77", "--max-heap"],
            &["quotient", "0.77", "--max-heap"],
            &["chains", "chomp-chains:5", "--value"],
            &["chains", "chomp-chains:5", "--at"],
            &["survey", "chomp", "--to"],
            &["survey", "chomp", "--value"],
            &["survey", "chomp", "--rows"],
            &["survey", "subtraction", "--to"],
            &["survey", "misere", "--digits"],
            &["survey", "misere", "--max-heap"],
            &["survey", "octal", "--digits"],
            &["survey", "octal", "--to"],
            &["survey", "lattice", "--dimension"],
            &["survey", "lattice", "--rules"],
            &["period", "0.77", "--threads"],
        ] {
            let option = args[args.len() - 1];
            refused(&[args, &[bad]].concat(), &[option, "expected a natural number such as 1000"]);
        }
    }
    for bad in ["-3", "-3,4", "3,-4", "3,x", "10^30"] {
        refused(&["count", "exotic", "--box", bad], &["--box", "natural number"]);
        refused(&["plot", "chomp-chains:5,3", "--output", "x.png", "--box", bad], &["--box", "natural number"]);
    }
    for (option, bad, words) in [
        ("--time-limit", "-1s", "30s"),
        ("--time-limit", "soon", "30s"),
        ("--memory-limit", "-1", "4GiB"),
        ("--memory-limit", "much", "4GiB"),
    ] {
        refused(&["period", "0.77", option, bad], &[option, words]);
    }
    refused(&["period", "0.77", "--threads", "0"], &["--threads 0", "give 1 or more"]);
    refused(&["survey", "chomp", "--rows", "0"], &["--rows 0", "1 or more"]);
}

/// Numbers beyond every machine are refused, or stop the run, at once.
#[test]
fn numbers_beyond_every_machine() {
    let huge = "1000000000000000000000000000000";
    refused(&["values", "0.77", "--to", huge], &["--to", "below 2^60"]);
    refused(&["values", "0.77", "--to", "1152921504606846975"], &["--to 1152921504606846975", "at most 10000000"]);
    refused(&["solve", "0.77", "--max-heap", "1000000"], &["--max-heap 1000000", "--to 1000000", "--method kernel"]);
    refused(&["chains", "chomp-chains:5", "--value", huge], &["--value", "below 2^60"]);
    refused(&["values", &format!("subtract:{huge}"), "--to", "5"], &["no number below 2^64"]);
    refused(&["outcome", &format!("chomp-chains:{huge}"), "3,2,1"], &["below 2^60"]);
    for args in [
        &["chains", "chomp-chains:5", "--value", "1152921504606846975"][..],
        &["chains", "chomp-chains:1000000,1000000"],
        &["info", "0.77", "--max-heap", "1152921504606846975"],
        &["grundy", "0.6", huge],
    ] {
        let output = impartial(args);
        assert!(matches!(output.status.code(), Some(2 | 3)), "{args:?}: {output:?}");
        assert!(!output.stderr.is_empty(), "{args:?}");
    }
    // A column of any size is answered at once.
    let output = impartial(&["chains", "chomp-chains:5,3", "--at", &"9".repeat(3000), "--json"]);
    assert!(output.status.success(), "{output:?}");
    let path = std::env::temp_dir().join(format!("impartial-column-{}", std::process::id()));
    std::fs::write(&path, "9".repeat(30_000)).expect("a file");
    let output = impartial(&["chains", "chomp-chains:5,3", "--at", &format!("@{}", path.display()), "--json"]);
    std::fs::remove_file(&path).expect("the file");
    assert!(output.status.success(), "{output:?}");
    refused(&["chains", "chomp-chains:5,3", "--at", "@"], &["--at @ names no file"]);
}

#[test]
fn games_and_positions() {
    for (args, words) in [
        (&["values", "0.8z", "--to", "9"][..], "character 4 is 'z'"),
        (&["period", "kaylse"], "did you mean kayles?"),
        (&["period", "subtract:"], "no number"),
        (&["period", "subtract:0"], "0 may not be taken"),
        (&["outcome", "nim", "-3"], "position \"-3\""),
        (&["outcome", "nim", "-3+5"], "\"-3\" is no heap size"),
        (&["move", "0.77", "3.5"], "\"3.5\" is no heap size"),
        (&["play", "nim", "-3"], "\"-3\" is no heap size"),
        (&["outcome", "chomp-chains:5,3", "-9,8"], "position \"-9,8\""),
        (&["outcome", "chomp-chains:5,3", "9,12"], "at most as long"),
        (&["outcome", "chomp-chains:5,3", "12,9,6,3"], "position \"12,9,6,3\""),
        (&["chains", "chomp-chains:3,5"], "sort the lengths"),
        (&["chains", "chomp-chains:-1"], "natural number"),
        (&["chains", "chomp-chains:x"], "natural number"),
        (&["chains", "nim"], "not defined for heap games"),
        (&["values", "chomp-chains:5", "--to", "3"], "not defined for chains games"),
        (&["outcome", "chomp-chains:5", "7,6,5", "--play", "misere"], "normal play only"),
    ] {
        refused(args, &[words]);
    }
}

/// Chains games as files: what violates condition (1), unknown elements, sizes that are none.
#[test]
fn chains_files() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = folder.path().join("game.toml");
    let file = path.to_str().expect("UTF-8");
    for (text, words) in [
        ("cross = { c_below_d = [1, 2] }", "condition (1)"),
        ("elements = ['a']\nc.below = { a = 1 }\nd.first_above = { a = 3 }", "condition (1)"),
        ("elements = ['a']\nrelations = [['a', 'x']]", "\"x\" is not an element"),
        ("elements = ['a']\nc.first_above = { x = 1 }", "[c] first_above"),
        ("elements = ['a']\nc.below = { a = -1 }", "below"),
        ("elements = ['a']\nc.below = { a = 99999999999999999999 }", "line 3"),
        ("elements = ['a']\nc.first_above = { a = 0 }", "counted from 1"),
        ("cross = { d_below_c = [3, 1], period = 1, step = 1 }", "decreases"),
        ("rows = [-1]", "rows"),
        ("colour = 'red'", "colour"),
    ] {
        std::fs::write(&path, format!("kind = 'chains'\n{text}\n")).expect("a writable folder");
        refused(&["chains", file], &["game.toml", words]);
    }
    std::fs::write(&path, "kind = 'chains'\nelements = ['a', 'b']\nrelations = [['a', 'b']]\n").expect("writable");
    refused(&["outcome", file, "{x},1,2"], &["position"]);
    refused(&["outcome", file, "-1,2"], &["position \"-1,2\""]);
}

/// Files that are no games, no strategies and no checkpoints; each of them is left as it is.
#[test]
fn files_are_never_lost() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = folder.path().join("file");
    let file = path.to_str().expect("UTF-8");
    for content in ["", "hello\n", "kind = 'graph'\n[moves]\na = ['b']\nb = ['a']\n", "impartial checkpoint 1\n"] {
        std::fs::write(&path, content).expect("a writable folder");
        refused(&["outcome", file, "a"], &["file: "]);
        refused(&["values", "0.6", "--to", "100", "--checkpoint", file], &["checkpoint"]);
        refused(&["period", "0.6", "--to", "100", "--checkpoint", file], &["checkpoint"]);
        refused(&["outcome", "0.77", "5", "--strategy", file], &[]);
        if !content.is_empty() {
            refused(&["survey", "chomp", "--to", "3", "--output", file], &["SQLite"]);
        }
        assert_eq!(std::fs::read_to_string(&path).expect("still there"), content);
    }
    std::fs::write(&path, "kind = 'graph'\n[moves]\na = ['b']\nb = ['a']\n").expect("a writable folder");
    refused(&["outcome", file, "a"], &["a -> b -> a", "remove one of these moves"]);
}

/// With --json the message is a JSON object too, also when the arguments cannot be read.
#[test]
fn messages_for_programs() {
    for args in [&["values", "0.8z", "--to", "3", "--json"][..], &["values", "0.77", "--to", "-1", "--json"]] {
        let output = impartial(args);
        assert_eq!(output.status.code(), Some(2));
        let report: serde_json::Value = serde_json::from_slice(&output.stdout).expect("JSON");
        assert!(report["schema"] == 1 && report["error"].as_str().is_some_and(|text| !text.is_empty()), "{report}");
    }
}
