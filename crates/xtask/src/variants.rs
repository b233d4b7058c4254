//! `cargo xtask variants`: the table of docs/results/wythoff-variants.md, a game after the other solved by the command and checked by it.

use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};
use std::time::Instant;

/// A family of games, and the lines of their files.
type Game = (String, String);

const QUEEN: &str = "rays=[[1,0],[0,1],[1,1]]";
/// Entries of extra moves are at most this.
const ENTRY: i64 = 7;

/// Every game of the census.
fn games() -> Vec<Game> {
    let mut games: Vec<Game> = Vec::new();
    let mut add = |family: &str, text: String| games.push((family.to_owned(), text));
    add("normal play", QUEEN.into());
    add("misère play", format!("{QUEEN}, play=\"misere\""));
    for r in 2..=5 {
        let c = r - 1;
        let region = format!("[[1,0,-1],[0,1,-1],[1,-1,{c}],[-1,1,{c}]]");
        add(&format!("r = {r}"), format!("{QUEEN}, regions=[{region}]"));
        add(&format!("r = {r}, misère"), format!("{QUEEN}, regions=[{region}], play=\"misere\""));
    }
    for s in 1..=4 {
        for t in 1..=4 {
            let c = t - 1;
            let regions = format!("[[1,0,-1],[-1,1,0],[{s},-1,{c}]],[[0,1,-1],[1,-1,0],[-1,{s},{c}]]");
            add(&format!("(s, t) = ({s}, {t})"), format!("{QUEEN}, regions=[{regions}]"));
        }
    }
    for b in 1..=5 {
        for a in 0..=b {
            add("blocked corner", format!("{QUEEN}, defeated=[[{a},{b}]]"));
        }
    }
    for (a, b) in [(1, 2), (1, 3), (2, 3)] {
        add("another ray", format!("rays=[[1,0],[0,1],[{a},{b}]]"));
        add("two other rays", format!("rays=[[1,0],[0,1],[{a},{b}],[{b},{a}]]"));
        add("queen and two rays", format!("rays=[[1,0],[0,1],[1,1],[{a},{b}],[{b},{a}]]"));
    }
    for a in [2, 3] {
        add("steps of the diagonal", format!("rays=[[1,0],[0,1],[{a},{a}]]"));
    }
    let heaps = "rays=[[1,0,0],[0,1,0],[0,0,1]";
    for more in [",[1,1,1]", ",[1,1,0]", ",[1,1,0],[1,0,1],[0,1,1]", ",[1,1,0],[1,0,1],[0,1,1],[1,1,1]"] {
        add("three heaps", format!("{heaps}{more}]"));
    }
    let moves: Vec<[i64; 2]> = (1..=ENTRY).flat_map(|a| (a + 1..=ENTRY).map(move |b| [a, b])).collect();
    for [a, b] in &moves {
        add("an extra move", format!("{QUEEN}, rules=[[{a},{b}]]"));
        add("an extra move and its mirror image", format!("{QUEEN}, rules=[[{a},{b}],[{b},{a}]]"));
    }
    for (i, [a, b]) in moves.iter().enumerate() {
        for [c, d] in &moves[i + 1..] {
            add("two extra moves", format!("{QUEEN}, rules=[[{a},{b}],[{c},{d}]]"));
        }
    }
    games
}

/// Solves the games of some families (all when none is named), each within so many seconds, and prints their rows.
pub fn run(command: &Path, seconds: u32, families: &[&str]) -> ExitCode {
    let folder = std::env::temp_dir().join("impartial-variants");
    if std::fs::create_dir_all(&folder).is_err() {
        println!("{} cannot be made", folder.display());
        return ExitCode::FAILURE;
    }
    println!("| family | game | P-positions | digits | states | seconds |\n| --- | --- | --- | --- | --- | --- |");
    let (mut all, mut proved) = (0, 0);
    for (family, text) in
        games().into_iter().filter(|(family, _)| families.is_empty() || families.contains(&family.as_str()))
    {
        let began = Instant::now();
        let found = solved(command, &folder, &text, seconds);
        let time = began.elapsed().as_secs_f64();
        all += 1;
        proved += u32::from(found.is_ok());
        let cells =
            found.map_or_else(|why| format!("{why} |  | "), |(digits, states)| format!("proved | {digits} | {states}"));
        println!("| {family} | `{text}` | {cells} | {time:.2} |");
    }
    println!("\n{all} games, {proved} proved, {} stopped by a limit.", all - proved);
    ExitCode::SUCCESS
}

/// The digits and the states of one game's proved and checked strategy, or why there is none.
fn solved(command: &Path, folder: &Path, text: &str, seconds: u32) -> Result<(String, String), String> {
    let [game, strategy]: [PathBuf; 2] = ["game.toml", "strategy.json"].map(|name| folder.join(name));
    let lines = format!("kind=\"lattice\", {text}").replace(", ", "\n");
    std::fs::write(&game, lines).map_err(|error| error.to_string())?;
    let limit = format!("{seconds}s");
    let output = Command::new(command)
        .arg("solve")
        .arg(&game)
        .args(["--time-limit", &limit, "-o"])
        .arg(&strategy)
        .output()
        .map_err(|error| error.to_string())?;
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    if !output.status.success() {
        let why = String::from_utf8_lossy(&output.stderr).into_owned();
        let why = why.lines().last().unwrap_or("no answer").trim();
        return Err(if why.contains("time") { "time".into() } else { why.chars().take(90).collect() });
    }
    let checked = Command::new(command).arg("verify").arg(&strategy).output().map_err(|error| error.to_string())?;
    if !checked.status.success() {
        return Err("REFUSED BY THE CHECKER".into());
    }
    let between = |from: &str, to: &str| {
        let rest = said.split_once(from)?.1;
        rest.split_once(to).map(|(found, _)| found.to_owned())
    };
    let states = between("automaton of ", " states").unwrap_or_default();
    Ok((between("states, in ", " digits").unwrap_or_default(), states))
}
