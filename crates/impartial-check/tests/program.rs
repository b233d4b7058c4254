//! The program: exit codes, and what happens when nobody hears what it says.

use std::process::{Command, Output, Stdio};

fn program(words: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_impartial-check"));
    command.args(words).current_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/suite")).stderr(Stdio::piped());
    command
}

fn run(words: &[&str]) -> (Option<i32>, String, String) {
    let Output { status, stdout, stderr } = program(words).output().expect("the program");
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("UTF-8");
    (status.code(), text(stdout), text(stderr))
}

const VALID: &str = "valid/table-chomp.json";
const REFUSED: &str = "refused/table-width-0.json";

#[test]
fn exit_codes_say_what_was_found() {
    assert!(matches!(run(&[VALID]), (Some(0), said, none) if said.contains(": valid: ") && none.is_empty()));
    assert!(matches!(run(&[VALID, REFUSED]), (Some(1), said, _) if said.contains(": refused: ")));
    assert!(matches!(run(&[VALID, "no-such-file"]), (Some(2), _, why) if why.contains("give the path")));
    assert!(matches!(run(&["."]), (Some(2), none, why) if none.is_empty() && why.contains("give the path")));
    assert!(matches!(run(&["--time-limit", "0s", VALID]), (Some(1 | 3), said, _) if !said.contains("valid: ")));
    assert!(matches!(run(&["--game", VALID]), (Some(0), said, _) if said == "{\"kind\":\"chomp\",\"rows\":[5,3,1]}\n"));
    assert!(matches!(run(&["--help"]), (Some(0), usage, none) if usage.starts_with("usage: ") && none.is_empty()));
    for words in [&[][..], &["--time-limit"], &["--time-limit", "-1s", VALID], &["--memory-limit=x", VALID], &["--no"]]
    {
        assert!(matches!(run(words), (Some(2), none, why) if none.is_empty() && why.contains("usage: ")), "{words:?}");
    }
}

/// The verdict of a checker must not depend on who listens, and it never ends by a panic.
#[test]
#[cfg(unix)]
fn a_closed_pipe_keeps_the_verdict_and_a_full_disk_is_told() {
    for (file, code) in [(VALID, 0), (REFUSED, 1)] {
        let (reader, writer) = std::io::pipe().expect("a pipe");
        drop(reader);
        let status = program(&[file]).stdout(writer).status().expect("the program");
        assert_eq!(status.code(), Some(code), "{file}");
    }
    let Ok(full) = std::fs::OpenOptions::new().write(true).open("/dev/full") else { return };
    let output = program(&[VALID]).stdout(full).output().expect("the program");
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&output.stderr).starts_with("impartial-check: standard output: "));
}
