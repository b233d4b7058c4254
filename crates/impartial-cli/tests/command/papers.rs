//! docs/papers.md: every command of its tables is run, in order, and says what the table says.

use std::path::Path;
use std::process::Command;

/// The arguments of a command line; double quotes keep blanks together.
fn arguments(line: &str) -> Vec<String> {
    let mut found = vec![String::new()];
    let mut quoted = false;
    for c in line.chars() {
        match c {
            '"' => quoted = !quoted,
            ' ' if !quoted => found.push(String::new()),
            c => found.last_mut().expect("never empty").push(c),
        }
    }
    found.retain(|argument| !argument.is_empty());
    found
}

/// The text between the first two backquotes of a cell.
fn code(cell: &str) -> Option<&str> {
    cell.split('`').nth(1)
}

#[test]
fn the_tables_of_the_papers() {
    let docs = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs");
    let folder = tempfile::tempdir().expect("a temporary folder");
    for entry in std::fs::read_dir(docs.join("papers.in")).expect("the inputs") {
        let entry = entry.expect("a readable entry");
        std::fs::copy(entry.path(), folder.path().join(entry.file_name())).expect("a writable folder");
    }
    let page = std::fs::read_to_string(docs.join("papers.md")).expect("the page");
    let mut wrong = Vec::new();
    let mut rows = 0;
    for (number, line) in page.lines().enumerate() {
        let cells: Vec<&str> = line.split(" | ").collect();
        let [_, command, result, _] = cells.as_slice() else { continue };
        let (Some(command), Some(result)) = (code(command), code(result)) else { continue };
        let command = command.replace("\\|", "|");
        rows += 1;
        let arguments = arguments(&command);
        assert_eq!(arguments[0], "impartial", "line {}", number + 1);
        let output = Command::new(env!("CARGO_BIN_EXE_impartial"))
            .args(&arguments[1..])
            .current_dir(folder.path())
            .output()
            .expect("the command starts");
        let said = format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
        if !said.contains(result) {
            wrong.push(format!("line {}: {command}\nsays: {}\nnot: {result}", number + 1, said.trim_end()));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n\n"));
    assert!(rows > 60, "only {rows} rows are run");
}
