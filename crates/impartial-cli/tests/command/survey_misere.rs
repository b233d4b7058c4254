//! A census that is killed at any moment and gone on with equals one that is not disturbed.

use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

fn survey(file: &Path) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_impartial"));
    // Heaps, not time, bound the work: the rows are the same on every machine.
    command.args(["survey", "misere", "--digits", "2", "--max-heap", "5", "--per-game", "1h", "-o"]);
    command.arg(file).stdout(Stdio::null()).stderr(Stdio::null());
    command
}

fn rows(file: &Path) -> Vec<String> {
    let connection = rusqlite::Connection::open(file).unwrap();
    let mut statement = connection.prepare("SELECT * FROM misere ORDER BY code").unwrap();
    let columns = statement.column_count();
    let mut rows = statement.query([]).unwrap();
    let mut all = Vec::new();
    while let Some(row) = rows.next().unwrap() {
        let cells: Vec<String> = (0..columns).map(|i| format!("{:?}", row.get_ref(i).unwrap())).collect();
        all.push(cells.join(" "));
    }
    all
}

#[test]
fn a_killed_census_is_gone_on_with() {
    let folder = tempfile::tempdir().unwrap();
    let (whole, torn) = (folder.path().join("whole.sqlite"), folder.path().join("torn.sqlite"));
    assert!(survey(&whole).status().unwrap().success());
    let expected = rows(&whole);
    assert_eq!(expected.len(), 112);
    let mut interrupted = 0;
    for wait in [5, 20, 35, 60, 90, 130] {
        let mut child = survey(&torn).spawn().unwrap();
        std::thread::sleep(Duration::from_millis(wait));
        // SIGKILL: the program cannot tidy up.
        child.kill().unwrap();
        interrupted += usize::from(!child.wait().unwrap().success());
    }
    assert!(interrupted > 0, "no run was killed in its middle");
    assert!(survey(&torn).status().unwrap().success());
    assert_eq!(rows(&torn), expected);
}
