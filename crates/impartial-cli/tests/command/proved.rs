//! `verify --proved`: what the command makes of proved-check's verdicts. Here a script speaks in its place;
//! `make -C proofs test` tries the real one by itself.

use std::io::Write as _;
use std::os::unix::fs::PermissionsExt as _;
use std::process::{Command, Output, Stdio};

use serde_json::Value;

/// Runs `verify --proved - --json` with a program for proved-check.
fn verify(program: &str, options: &[&str]) -> Output {
    let mut child = Command::new(env!("CARGO_BIN_EXE_impartial"))
        .args(["verify", "--proved", "-", "--json"])
        .args(options)
        .env("IMPARTIAL_PROVED_CHECK", program)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the command starts");
    let _ = child.stdin.take().expect("piped").write_all(b"{\"the\": \"file\"}");
    child.wait_with_output().expect("the command ends")
}

/// The same with a script that has read its input into `$text`.
fn with_script(body: &str, options: &[&str]) -> (Option<i32>, Value) {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = folder.path().join("proved-check");
    std::fs::write(&path, format!("#!/bin/sh\ntext=$(cat)\n{body}\n")).expect("a writable folder");
    std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).expect("a file of ours");
    let output = verify(path.to_str().expect("UTF-8"), options);
    (output.status.code(), serde_json::from_slice(&output.stdout).unwrap_or(Value::Null))
}

#[test]
fn verdicts_are_passed_on() {
    let (code, json) = with_script("[ \"$1\" = - ] && echo \"-: valid: of $text\"", &[]);
    assert_eq!((code, &json["valid"]), (Some(0), &Value::Bool(true)));
    assert_eq!(json["claim"], "of {\"the\": \"file\"}");
    let (code, json) = with_script("echo '-: refused: the values are wrong'; exit 1", &[]);
    assert_eq!((code, &json["valid"]), (Some(1), &Value::Bool(false)));
    assert_eq!(json["reason"], "the values are wrong");
    let (code, json) = with_script("echo '-: not among the forms proved by machine: form \"table\"'; exit 2", &[]);
    assert_eq!(code, Some(2));
    assert!(json["error"].as_str().is_some_and(|error| error.contains("form \"table\"")), "{json}");
}

#[test]
fn a_verdict_needs_its_exit_code() {
    for body in ["echo '-: valid: all'; exit 1", "echo '-: refused: all'", "exit 0", "kill -9 $$"] {
        let (code, json) = with_script(body, &[]);
        assert_eq!(code, Some(2), "{body}");
        assert!(json["error"].as_str().is_some_and(|error| error.contains("without a verdict")), "{body}: {json}");
    }
}

#[test]
fn a_missing_program_is_named() {
    let output = verify("/nowhere/proved-check", &[]);
    assert_eq!(output.status.code(), Some(2));
    let message = String::from_utf8_lossy(&output.stderr);
    assert!(message.contains("/nowhere/proved-check") && message.contains("make -C proofs"), "{message}");
}

#[test]
fn limits_end_the_program() {
    let (code, json) = with_script("exec sleep 60", &["--time-limit", "0.1s"]);
    assert_eq!(code, Some(3));
    assert!(json["stopped"].is_string(), "{json}");
}
