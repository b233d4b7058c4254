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
    // All but the time that was used.
    let columns = "code, digits, cousin, status, order_, p_portion, heaps, preperiod, period, changes, version, budget, certificate";
    let mut statement = connection.prepare(&format!("SELECT {columns} FROM misere ORDER BY code")).unwrap();
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

#[test]
fn shards_are_merged_to_the_whole_census() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    let run = |command: &mut Command| command.output().unwrap();
    assert!(survey(&at("whole.sqlite")).status().unwrap().success());
    let shards: Vec<_> = (1..=3).map(|i| at(&format!("{i}.sqlite"))).collect();
    for (shard, i) in shards.iter().zip(1..) {
        assert!(survey(shard).args(["--shard", &format!("{i}/3")]).status().unwrap().success());
        assert!((1..112).contains(&rows(shard).len()));
    }
    let merge = |from: &[std::path::PathBuf]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_impartial"));
        command.args(["survey", "merge"]).arg(at("merged.sqlite")).args(from);
        command
    };
    // Twice: the second time nothing changes.
    for _ in 0..2 {
        let done = run(&mut merge(&shards));
        assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
        assert_eq!(rows(&at("merged.sqlite")), rows(&at("whole.sqlite")));
    }
    // Another version is refused.
    let connection = rusqlite::Connection::open(&shards[0]).unwrap();
    connection.execute("UPDATE misere SET version = '0.0.1'", []).unwrap();
    let refused = run(&mut merge(&shards[..1]));
    assert_eq!(refused.status.code(), Some(2), "{}", String::from_utf8_lossy(&refused.stderr));
    // A certificate of another game is refused.
    let other = "UPDATE misere SET certificate = (SELECT certificate FROM misere WHERE code = ?1) WHERE code = ?2";
    let connection = rusqlite::Connection::open(&shards[1]).unwrap();
    let codes: Vec<String> = connection
        .prepare("SELECT code FROM misere WHERE cousin IS NULL ORDER BY code LIMIT 2")
        .unwrap()
        .query_map([], |row| row.get(0))
        .unwrap()
        .map(Result::unwrap)
        .collect();
    connection.execute(other, [&codes[0], &codes[1]]).unwrap();
    let refused = run(&mut merge(&shards[1..2]));
    assert_ne!(refused.status.code(), Some(0));
    assert!(
        String::from_utf8_lossy(&refused.stderr).contains("not one for"),
        "{}",
        String::from_utf8_lossy(&refused.stderr)
    );
}

#[test]
fn stopped_games_are_tried_again_with_more() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("census.sqlite");
    let run = |budget: &str, more: &[&str]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_impartial"));
        command.args(["survey", "lattice", "--rules", "2", "--min", "0", "--max", "1", "--per-game", budget, "-o"]);
        assert!(command.arg(&file).args(more).output().unwrap().status.success());
        let connection = rusqlite::Connection::open(&file).unwrap();
        let count = |sql: &str| connection.query_row(sql, [], |row| row.get::<_, u64>(0)).unwrap();
        (count("SELECT count(*) FROM lattice"), count("SELECT count(*) FROM lattice WHERE proved = 1"))
    };
    let (all, none) = run("0s", &[]);
    assert!(all > 0 && none < all);
    assert_eq!(run("1h", &[]), (all, none), "without --retry-stopped nothing is looked at again");
    assert_eq!(run("1h", &["--retry-stopped"]), (all, all));
    let connection = rusqlite::Connection::open(&file).unwrap();
    let sound = "SELECT count(*) FROM lattice WHERE budget = 3600 AND certificate IS NOT NULL AND seconds > 0";
    assert_eq!(connection.query_row(sound, [], |row| row.get::<_, u64>(0)).unwrap(), all);
}
