//! Learned strategies through the command: Grundy values, sectors, bounded heaps, games without regularity, and the
//! census, killed and gone on with.

use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

use serde_json::Value;

fn command(args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_impartial"));
    command.args(args).stdin(Stdio::null());
    command
}

fn impartial(args: &[&str]) -> Output {
    command(args).output().expect("the command starts")
}

fn json(args: &[&str]) -> (Option<i32>, Value) {
    let output = impartial(&[args, &["--json"]].concat());
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let value = serde_json::from_str(&text)
        .unwrap_or_else(|_| panic!("{args:?}: {text}{}", String::from_utf8_lossy(&output.stderr)));
    (output.status.code(), value)
}

/// The answer of a command that succeeds.
fn done(args: &[&str]) -> Value {
    let (code, value) = json(args);
    assert_eq!(code, Some(0), "{args:?}: {value}");
    value
}

struct Folder(tempfile::TempDir);

impl Folder {
    fn new() -> Self {
        Self(tempfile::tempdir().expect("a folder"))
    }

    fn path(&self, name: &str) -> String {
        self.0.path().join(name).to_str().expect("UTF-8").to_owned()
    }

    fn file(&self, name: &str, text: &str) -> String {
        std::fs::write(self.path(name), text).expect("a file");
        self.path(name)
    }
}

#[test]
fn grundy_values_are_solved_verified_and_asked_for() {
    let folder = Folder::new();
    let game = folder.file("king.toml", "kind = \"lattice\"\nrules = [[1, 0], [0, 1], [1, 1]]\n");
    let file = folder.path("values.json");
    let solved = done(&["solve", &game, "--grundy", "-o", &file]);
    assert_eq!(
        (&solved["form"], &solved["proved"], &solved["max_value"]),
        (&"grundy-automaton".into(), &true.into(), &3.into())
    );
    assert_eq!(done(&["verify", &file])["valid"], true);
    // A king that moves left, down, or both: the parities give the value, and which coordinate is larger.
    let huge = 10u128.pow(30);
    for (x, y, value) in [(0, 0, 0), (1, 0, 1), (0, 1, 1), (1, 1, 2), (2, 1, 3), (1, 2, 3), (3, 2, 1)] {
        let position = format!("({},{})", huge + x, huge + y);
        let found = done(&["grundy", &game, &position, "--strategy", &file]);
        assert_eq!(found["grundy"], value, "{position}");
        assert_eq!(
            done(&["outcome", &game, &position, "--strategy", &file])["outcome"],
            if value == 0 { "P" } else { "N" }
        );
    }
    // Without a file the values are learned for the question.
    assert_eq!(done(&["grundy", &game, &format!("({},{})", huge + 2, huge + 1)])["grundy"], 3);
    let moves = done(&["move", &game, &format!("({},{})", huge + 1, huge), "--strategy", &file]);
    assert_eq!(moves["moves"], serde_json::json!([format!("({huge},{huge})")]));
    assert_eq!(done(&["count", &file, "--box", "1000,1000"])["count"], 250_000);
    let shown = done(&["show", &file]);
    assert_eq!(shown["values"].as_array().expect("a list").len(), 4);
    // The P-positions alone, as a file of form "automaton".
    let automaton = folder.path("automaton.json");
    assert_eq!(done(&["convert", &file, "--to", "automaton", "-o", &automaton])["proved"], true);
    assert_eq!(done(&["verify", &automaton])["valid"], true);
    // Off the board, of another game, and for games without such a form.
    assert_eq!(impartial(&["grundy", &game, "(-1,0)", "--strategy", &file]).status.code(), Some(2));
    assert_eq!(impartial(&["grundy", "exotic", "(1,0)", "--strategy", &file]).status.code(), Some(2));
    assert_eq!(impartial(&["solve", "chomp:3x3", "--grundy"]).status.code(), Some(2));
    // The same values by sectors.
    let sectors = folder.path("sectors.json");
    let solved = done(&["solve", &game, "--grundy", "--method", "sector", "-o", &sectors]);
    assert_eq!((&solved["form"], &solved["max_value"]), (&"grundy-sectors".into(), &3.into()));
    assert_eq!(done(&["verify", &sectors])["valid"], true);
    assert_eq!(done(&["count", &sectors, "--box", "1000,1000"])["count"], 250_000);
    let position = format!("({},{})", huge + 2, huge + 1);
    assert_eq!(done(&["grundy", &game, &position, "--strategy", &sectors])["grundy"], 3);
}

#[test]
fn sectors_are_counted_in_boxes_of_any_size() {
    let folder = Folder::new();
    let game = folder.file("game.toml", "kind = \"lattice\"\nrules = [[3, 0], [0, 5], [1, 1]]\n");
    let file = folder.path("sectors.json");
    let solved = done(&["solve", &game, "--method", "sector", "-o", &file]);
    assert_eq!(solved["form"], "sectors");
    for sizes in ["1,1", "0,7", "100,100", "37,411", "700,300"] {
        let counted = done(&["count", &file, "--box", sizes]);
        assert_eq!(counted["method"], "sectors");
        assert_eq!(counted["count"], done(&["count", &game, "--box", sizes])["count"], "{sizes}");
    }
    let side = format!("1{}", "0".repeat(1000));
    let counted = done(&["count", &file, "--box", &format!("{side},{side}")]);
    assert!(counted["count"].as_str().is_some_and(|count| count.len() > 1990));
}

#[test]
fn quotients_become_automata() {
    let folder = Folder::new();
    let (quotient, automaton) = (folder.path("quotient.json"), folder.path("automaton.json"));
    done(&["solve", "0.77", "--play", "misere", "--max-heap", "11", "-o", &quotient]);
    let converted = done(&["convert", &quotient, "--to", "automaton", "-o", &automaton]);
    assert_eq!((&converted["form"], &converted["proved"]), (&"automaton".into(), &true.into()));
    assert_eq!(done(&["verify", &automaton])["valid"], true);
    assert_eq!(impartial(&["convert", &quotient, "--to", "automaton", "--max-heap", "12"]).status.code(), Some(2));
    // The same game as a lattice game: (0,0,1,0,2,…) is one heap of 3 and two of 5.
    let lattice = folder.path("kayles.toml");
    done(&["convert", "0.77", "--to", "lattice", "--max-heap", "11", "--play", "misere", "-o", &lattice]);
    for (heaps, point) in
        [("3+5+5", "(0,0,1,0,2,0,0,0,0,0,0)"), ("1+4+11", "(1,0,0,1,0,0,0,0,0,0,1)"), ("1", "(1,0,0,0,0,0,0,0,0,0,0)")]
    {
        let expected = done(&["outcome", "0.77", heaps, "--play", "misere"])["outcome"].clone();
        assert_eq!(done(&["outcome", &lattice, point, "--strategy", &automaton])["outcome"], expected, "{heaps}");
    }
}

#[test]
fn games_without_regularity_stop_with_the_growth_of_residuals() {
    let folder = Folder::new();
    let chaos = "kind = \"lattice\"\nrules = [[-2, 3], [-1, 4], [0, 1], [2, 1], [4, -2], [5, -2]]\n";
    // Fink's game of 28 moves (arXiv 1106.1883, Example 2.5), without a rational strategy.
    let fink = "kind = \"lattice\"\nrules = [[1,1,0],[5,-2,0],[-1,4,0],[3,-2,0],[-3,4,0],[1,2,0],[2,1,0],[0,2,0],[0,4,0],\
        [1,4,0],[2,2,0],[2,4,0],[3,0,0],[3,1,0],[3,3,0],[3,5,0],[4,2,0],[4,4,0],[-2,1,1],[-1,-1,1],[-1,2,1],[0,3,1],\
        [1,-1,1],[1,4,1],[2,0,1],[2,1,1],[3,2,1],[4,3,1]]\n";
    for (name, text, ratio) in [("chaos.toml", chaos, 2.5), ("fink.toml", fink, 3.0)] {
        let game = folder.file(name, text);
        for values in [&[][..], &["--grundy"][..]] {
            if name == "fink.toml" && !values.is_empty() {
                continue;
            }
            let (code, report) =
                json(&[&["solve", &game, "--method", "learn", "--time-limit", "3s"][..], values].concat());
            assert_eq!(code, Some(3), "{report}");
            assert_eq!(report["proved"], false);
            assert_eq!(report["outlook"], "no regularity in sight", "{name}: {report}");
            let residuals: Vec<f64> =
                report["residuals"].as_array().expect("a list").iter().map(|n| n.as_f64().expect("a number")).collect();
            assert!(residuals.len() >= 4, "{name}: {residuals:?}");
            for pair in residuals[1..].windows(2) {
                assert!(pair[1] >= ratio * pair[0], "{name}: {residuals:?}");
            }
        }
    }
}

/// What a census file holds, but for the times.
fn rows(path: &str) -> Vec<String> {
    let connection = rusqlite::Connection::open(path).expect("a census file");
    let mut query = connection
        .prepare("SELECT rules, play, proved, form, states, strata FROM lattice ORDER BY rules, play")
        .expect("the census's table");
    let row = |row: &rusqlite::Row<'_>| -> rusqlite::Result<String> {
        let (rules, play): (String, String) = (row.get(0)?, row.get(1)?);
        let (proved, form): (bool, Option<String>) = (row.get(2)?, row.get(3)?);
        let sizes: (Option<i64>, Option<i64>) = (row.get(4)?, row.get(5)?);
        Ok(format!("{rules} {play} {proved} {form:?} {sizes:?}"))
    };
    query.query_map([], row).and_then(Iterator::collect).expect("rows")
}

fn count(path: &str) -> i64 {
    let ask = || -> rusqlite::Result<i64> {
        let connection = rusqlite::Connection::open(path)?;
        connection.busy_timeout(Duration::from_secs(5))?;
        connection.query_row("SELECT count(*) FROM lattice", [], |row| row.get(0))
    };
    if Path::new(path).exists() { ask().unwrap_or(0) } else { 0 }
}

#[test]
fn a_killed_census_goes_on_where_it_was() {
    let folder = Folder::new();
    let (whole, killed) = (folder.path("whole.sqlite"), folder.path("killed.sqlite"));
    let census = |output: &str| -> Vec<String> {
        let args = ["survey", "lattice", "--rules", "3", "--min", "0", "--max", "2", "--per-game", "60s", "-o"];
        args.iter().copied().chain([output]).map(str::to_owned).collect()
    };
    let run = |output: &str| {
        let args = census(output);
        done(&args.iter().map(String::as_str).collect::<Vec<_>>()[..])
    };
    let report = run(&whole);
    let games = report["games"].as_i64().expect("a number");
    assert_eq!(report["proved"], games, "{report}");
    // Killed in the middle, more than once: each time the games so far are kept.
    let mut kept = 0;
    for part in 1..=3 {
        let args = census(&killed);
        let mut child = command(&args.iter().map(String::as_str).collect::<Vec<_>>())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .expect("the command starts");
        let start = Instant::now();
        while count(&killed) < (part * games / 5).max(kept + 1) && child.try_wait().expect("a child").is_none() {
            assert!(start.elapsed() < Duration::from_secs(120), "the census does not go on");
            std::thread::sleep(Duration::from_millis(2));
        }
        child.kill().expect("SIGKILL");
        child.wait().expect("a child");
        let now = count(&killed);
        assert!(now > kept, "nothing was added");
        kept = now;
    }
    assert!(kept < games, "killed too late to show anything: {kept} of {games}");
    run(&killed);
    assert_eq!(rows(&killed), rows(&whole));
}
