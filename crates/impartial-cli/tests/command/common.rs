//! What tests of the command share.

use std::io::Write as _;
use std::process::{Command, Output, Stdio};

/// Runs the command with an input.
pub fn impartial(args: &[&str], input: &str) -> Output {
    let mut child = Command::new(env!("CARGO_BIN_EXE_impartial"))
        .args(args)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the command starts");
    // A command that refuses its arguments may end before it reads its input.
    let _ = child.stdin.take().expect("piped").write_all(input.as_bytes());
    child.wait_with_output().expect("the command ends")
}

/// What a command that succeeds says.
pub fn out(args: &[&str], input: &str) -> String {
    let output = impartial(args, input);
    assert!(output.status.success(), "{args:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).expect("UTF-8").trim_end().to_owned()
}

/// A refusal: exit 2 and one message on stderr that holds the words.
pub fn refused(args: &[&str], words: &str) {
    let output = impartial(args, "");
    let message = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{args:?}: {message}");
    assert!(message.contains(words), "{args:?}: {message}");
    assert!(output.stdout.is_empty(), "{args:?}");
    assert_eq!(message.matches("impartial: ").count(), 1, "{args:?}: {message}");
}

/// A file that lives as long as the test.
pub fn file(name: &str, text: &str) -> (tempfile::TempDir, String) {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = folder.path().join(name);
    std::fs::write(&path, text).expect("a writable folder");
    let path = path.to_str().expect("UTF-8").to_owned();
    (folder, path)
}
