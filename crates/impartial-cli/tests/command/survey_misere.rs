//! Censuses that are killed, cut into shards, merged and tried again equal one that is not disturbed.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

use crate::common::{impartial, out, refused};

// Heaps, not time, bound the work: the rows are the same on every machine.
const MISERE: [&str; 8] = ["survey", "misere", "--digits", "2", "--max-heap", "5", "--per-game", "1h"];
const OCTAL: [&str; 8] = ["survey", "octal", "--digits", "2", "--to", "300", "--per-game", "1h"];
const LATTICE: [&str; 10] = ["survey", "lattice", "--rules", "3", "--min", "0", "--max", "2", "--per-game", "1h"];

fn survey(args: &[&str], file: &Path) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_impartial"));
    command.args(args).arg("-o").arg(file).stdout(Stdio::null()).stderr(Stdio::null());
    command
}

/// All that a table says, but the time that was spent.
fn rows(file: &Path, table: &str) -> Vec<String> {
    let connection = rusqlite::Connection::open(file).unwrap();
    let mut statement = connection.prepare(&format!("SELECT * FROM {table} ORDER BY 1, 2")).unwrap();
    let names: Vec<String> = statement.column_names().into_iter().map(str::to_owned).collect();
    for needed in ["certificate", "version", "budget", "cpu_seconds"] {
        assert!(names.iter().any(|name| name == needed), "{names:?}");
    }
    let mut rows = statement.query([]).unwrap();
    let mut all = Vec::new();
    while let Some(row) = rows.next().unwrap() {
        let told = names.iter().enumerate().filter(|(_, name)| *name != "cpu_seconds");
        all.push(told.map(|(i, _)| format!("{:?}", row.get_ref(i).unwrap())).collect::<Vec<_>>().join(" "));
    }
    all
}

fn certificates(file: &Path) -> Vec<PathBuf> {
    let folder = format!("{}.certificates", file.display());
    let mut list: Vec<PathBuf> = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    list.sort();
    list
}

fn text(path: &Path) -> &str {
    path.to_str().unwrap()
}

fn change(file: &Path, sql: &str) {
    rusqlite::Connection::open(file).unwrap().execute_batch(sql).unwrap();
}

#[test]
fn a_killed_census_is_gone_on_with() {
    let folder = tempfile::tempdir().unwrap();
    let (whole, torn) = (folder.path().join("whole.sqlite"), folder.path().join("torn.sqlite"));
    assert!(survey(&MISERE, &whole).status().unwrap().success());
    let expected = rows(&whole, "misere");
    assert_eq!(expected.len(), 112);
    let mut interrupted = 0;
    for wait in [5, 20, 35, 60, 90, 130] {
        let mut child = survey(&MISERE, &torn).spawn().unwrap();
        std::thread::sleep(Duration::from_millis(wait));
        // SIGKILL: the program cannot tidy up.
        child.kill().unwrap();
        interrupted += usize::from(!child.wait().unwrap().success());
    }
    assert!(interrupted > 0, "no run was killed in its middle");
    assert!(survey(&MISERE, &torn).status().unwrap().success());
    assert_eq!(rows(&torn, "misere"), expected);
}

#[test]
fn shards_are_merged_to_the_whole() {
    for (args, table, least) in
        [(&MISERE[..], "misere", 112), (&OCTAL[..], "octal", 128), (&LATTICE[..], "lattice", 20)]
    {
        let folder = tempfile::tempdir().unwrap();
        let whole = folder.path().join("whole.sqlite");
        assert!(survey(args, &whole).status().unwrap().success());
        let expected = rows(&whole, table);
        assert!(expected.len() >= least, "{}", expected.len());
        let shards: Vec<PathBuf> = (1..=3)
            .map(|i| {
                let path = folder.path().join(format!("{i}.sqlite"));
                let shard = format!("{i}/3");
                assert!(survey(&[args, &["--shard", &shard]].concat(), &path).status().unwrap().success());
                path
            })
            .collect();
        let sizes: Vec<usize> = shards.iter().map(|shard| rows(shard, table).len()).collect();
        assert_eq!(sizes.iter().sum::<usize>(), expected.len());
        assert!(sizes.iter().all(|&size| 0 < size && size < expected.len()), "{sizes:?}");

        let merged = folder.path().join("merged.sqlite");
        let mut merge = vec!["survey", "merge", text(&merged)];
        merge.extend(shards.iter().map(|shard| text(shard)));
        assert!(out(&merge, "").contains(&format!("{} of them are new or stronger", expected.len())));
        assert_eq!(rows(&merged, table), expected);
        let names = |file| certificates(file).iter().map(|p| p.file_name().unwrap().to_owned()).collect::<Vec<_>>();
        assert_eq!(names(&merged), names(&whole));
        // Once more changes nothing.
        assert!(out(&merge, "").contains(" 0 of them are new or stronger"));
        assert_eq!(rows(&merged, table), expected);
    }
}

#[test]
fn wrong_shards_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let place = |name: &str| folder.path().join(name);
    let (shard, merged) = (place("shard.sqlite"), place("merged.sqlite"));
    let args = ["survey", "misere", "--digits", "1", "--max-heap", "6", "--per-game", "1h"];
    assert!(survey(&args, &shard).status().unwrap().success());
    let merge = ["survey", "merge", text(&merged), text(&shard)];
    let copy = |to: &str| {
        let to = place(to);
        std::fs::copy(&shard, &to).unwrap();
        let folder = format!("{}.certificates", to.display());
        std::fs::create_dir(&folder).unwrap();
        for file in certificates(&shard) {
            std::fs::copy(&file, Path::new(&folder).join(file.file_name().unwrap())).unwrap();
        }
        to
    };
    let merge_of = |file: &Path, words: &str| refused(&["survey", "merge", text(&merged), text(file)], words);

    let other = copy("version.sqlite");
    change(&other, "UPDATE misere SET version = '0.0.1' WHERE code = '0.3'");
    merge_of(&other, "results of versions 0.0.1 and ");
    // A census of another version is not gone on with either.
    refused(&[&args[..], &["-o", text(&other)]].concat(), "results of version 0.0.1");

    let other = copy("changed.sqlite");
    let file = &certificates(&other)[0];
    std::fs::write(file, std::fs::read_to_string(file).unwrap().replacen('1', "2", 1)).unwrap();
    merge_of(&other, "the file was changed");

    let other = copy("claims.sqlite");
    change(&other, "UPDATE misere SET order_ = order_ + 1 WHERE code = '0.3'");
    merge_of(&other, "says something else than its certificate");

    let other = copy("swapped.sqlite");
    change(
        &other,
        "UPDATE misere SET certificate = (SELECT certificate FROM misere WHERE code = '0.7') WHERE code = '0.3'",
    );
    merge_of(&other, "is not one for 0.3");

    let other = copy("bare.sqlite");
    change(&other, "UPDATE misere SET certificate = NULL");
    merge_of(&other, "without a certificate");

    // A row that says another period, or names another code that was solved, is not taken.
    for (i, sql) in [
        "period = period + 1 WHERE code = '0.77'",
        "preperiod = 0 WHERE code = '0.07'",
        "beans = 2 WHERE code = '0.07'",
    ]
    .iter()
    .enumerate()
    {
        let other = place(&format!("octal{i}.sqlite"));
        assert!(survey(&OCTAL, &other).status().unwrap().success());
        change(&other, &format!("UPDATE octal SET {sql}"));
        merge_of(&other, "says something else than its certificate");
    }

    merge_of(&place("nothing.sqlite"), "no such file");
    let chomp = place("chomp.sqlite");
    assert!(survey(&["survey", "chomp", "--to", "5"], &chomp).status().unwrap().success());
    merge_of(&chomp, "only these have shards");
    let output = impartial(&[&args[..], &["--shard", "4/3"]].concat(), "");
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&output.stderr).contains("expected i/N with 1 ≤ i ≤ N"));

    // Nothing was taken from any of them.
    out(&merge, "");
    assert_eq!(rows(&merged, "misere"), rows(&shard, "misere"));
}

#[test]
fn what_was_stopped_is_tried_again() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("s.sqlite");
    let run = |per_game: &str, more: &[&str]| {
        let args = [&["survey", "misere", "--digits", "1", "--max-heap", "8", "--per-game", per_game], more].concat();
        assert!(survey(&args, &file).status().unwrap().success());
    };
    let settled = || -> (u64, u64, f64) {
        let connection = rusqlite::Connection::open(&file).unwrap();
        let query =
            "SELECT count(*), sum(status IN ('tame', 'wild', 'weights', 'ranks', 'infinite')), max(budget) FROM misere";
        connection.query_row(query, [], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?))).unwrap()
    };
    run("0s", &[]);
    let (all, first, budget) = settled();
    assert_eq!((all, budget), (14, 0.0));
    // Without the option what is there stays; a file that was made with less time loses nothing when it is merged.
    run("1h", &[]);
    assert_eq!(settled(), (14, first, 0.0));
    let weak = folder.path().join("weak.sqlite");
    std::fs::copy(&file, &weak).unwrap();
    run("1h", &["--retry-stopped"]);
    let (all, second, budget) = settled();
    assert!(all == 14 && second > first && (budget - 3600.0).abs() < 1e-9, "{first} {second} {budget}");
    let strong = rows(&file, "misere");
    out(&["survey", "merge", text(&file), text(&weak)], "");
    assert_eq!(rows(&file, "misere"), strong);
    let spent: f64 = rusqlite::Connection::open(&file)
        .unwrap()
        .query_row("SELECT max(cpu_seconds) FROM misere", [], |row| row.get(0))
        .unwrap();
    assert!(spent > 0.0 && spent < 3600.0);
}

/// Where quotients grow without end a census finds the strategies of all heaps that `solve` finds, and `merge` reads their certificates.
#[test]
fn strategies_by_weights_and_ranks_are_found() {
    let folder = tempfile::tempdir().unwrap();
    let place = |name: &str| folder.path().join(name);
    // Shards that hold 4.7 and 0.54 and little else.
    for (digits, shard, code, status, form) in
        [("1", "7/12", "4.7", "weights", "dominance"), ("2", "20/80", "0.54", "ranks", "ranks")]
    {
        let file = place(&format!("{status}.sqlite"));
        let args = ["survey", "misere", "--digits", digits, "--shard", shard, "--per-game", "40s"];
        assert!(survey(&args, &file).status().unwrap().success());
        let connection = rusqlite::Connection::open(&file).unwrap();
        let query = "SELECT status, order_, certificate FROM misere WHERE code = ?1";
        let row: (String, Option<u64>, String) =
            connection.query_row(query, [code], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?))).unwrap();
        assert_eq!((&row.0[..], row.1), (status, None));
        let name = format!("{}.json", row.2);
        let path = certificates(&file).into_iter().find(|path| path.ends_with(&name)).unwrap();
        let strategy: serde_json::Value = serde_json::from_slice(&std::fs::read(path).unwrap()).unwrap();
        assert_eq!(strategy["form"], form);
        let merged = place(&format!("{status}-merged.sqlite"));
        out(&["survey", "merge", text(&merged), text(&file)], "");
        assert_eq!(rows(&merged, "misere"), rows(&file, "misere"));
        // A row that says something else than its certificate is refused.
        change(&file, &format!("UPDATE misere SET status = 'tame' WHERE code = '{code}'"));
        refused(&["survey", "merge", text(&merged), text(&file)], "says something else than its certificate");
    }
}
