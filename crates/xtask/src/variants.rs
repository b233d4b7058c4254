//! `cargo xtask variants`: the table of docs/results/wythoff-variants.md, a game after the other solved by the command and checked by it.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};
use std::time::Instant;

/// A family of games, and the lines of their files.
type Game = (String, String);

/// Pairs of extra moves are too many for a row each.
const PAIRS: &str = "two extra moves";
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
    for b in 1..=4 {
        for a in 0..=b {
            add("a terminal position", format!("{QUEEN}, terminal=[[{a},{b}]]"));
            if a < b {
                add("a terminal position and its mirror image", format!("{QUEEN}, terminal=[[{a},{b}],[{b},{a}]]"));
            }
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
    // Take i, j, k > 0 with twice the largest at most their sum (rules I and II of the Tribonacci game of Duchêne and Rigo 2008).
    let triangle = "[[1,0,0,-1],[0,1,0,-1],[0,0,1,-1],[-1,1,1,0],[1,-1,1,0],[1,1,-1,0]]";
    add("three heaps", format!("{heaps}], regions=[{triangle}]"));
    for [a, b] in moves() {
        add("an extra move", format!("{QUEEN}, rules=[[{a},{b}]]"));
    }
    for (i, m) in moves().iter().enumerate() {
        for (j, n) in moves().iter().enumerate() {
            add(PAIRS, pair(i, m, j, n));
        }
    }
    games
}

/// The moves (a, b) that no queen makes, a < b.
fn moves() -> Vec<[i64; 2]> {
    (1..=ENTRY).flat_map(|a| (a + 1..=ENTRY).map(move |b| [a, b])).collect()
}

/// The queen with two extra moves: both as they stand when the first comes before the second, else the second one mirrored. These are all pairs up
/// to a reflection of the board.
fn pair(i: usize, [a, b]: &[i64; 2], j: usize, [c, d]: &[i64; 2]) -> String {
    let (c, d) = if i < j { (c, d) } else { (d, c) };
    format!("{QUEEN}, rules=[[{a},{b}],[{c},{d}]]")
}

/// The states of all pairs of extra moves, the first one in the rows.
fn print_pairs(states: &HashMap<String, String>) {
    let name = |[a, b]: &[i64; 2]| format!("{a},{b}");
    println!(
        "\n|  | {} |\n|{}",
        moves().iter().map(name).collect::<Vec<_>>().join(" | "),
        " --- |".repeat(moves().len() + 1)
    );
    for (i, m) in moves().iter().enumerate() {
        let cell = |(j, n): (usize, &[i64; 2])| states.get(&pair(i, m, j, n)).map_or("–", String::as_str).to_owned();
        let cells: Vec<String> = moves().iter().enumerate().map(cell).collect();
        println!("| **{}** | {} |", name(m), cells.join(" | "));
    }
}

/// The names of the families, each once.
pub fn families() -> Vec<String> {
    let mut names: Vec<String> = games().into_iter().map(|(family, _)| family).collect();
    let mut seen = std::collections::HashSet::new();
    names.retain(|name| seen.insert(name.clone()));
    names
}

/// Solves the games of some families (all when none is named), each within so many seconds, and prints their rows.
pub fn run(command: &Path, seconds: u32, families: &[&str]) -> ExitCode {
    if let Some(unknown) = families.iter().find(|family| !self::families().iter().any(|name| name == *family)) {
        eprintln!("xtask: no family of variants is called \"{unknown}\"; they are {}", self::families().join(", "));
        return ExitCode::from(2);
    }
    let folder = std::env::temp_dir().join(format!("impartial-variants-{}", std::process::id()));
    if std::fs::create_dir_all(&folder).is_err() {
        println!("{} cannot be made", folder.display());
        return ExitCode::FAILURE;
    }
    println!("| family | game | P-positions | digits | states | seconds |\n| --- | --- | --- | --- | --- | --- |");
    let (mut all, mut proved) = (0, 0);
    let mut pairs = HashMap::new();
    for (family, text) in
        games().into_iter().filter(|(family, _)| families.is_empty() || families.contains(&family.as_str()))
    {
        let began = Instant::now();
        let found = solved(command, &folder, &text, seconds);
        let time = began.elapsed().as_secs_f64();
        all += 1;
        proved += u32::from(found.is_ok());
        if family == PAIRS {
            eprintln!("{text}: {found:?} after {time:.2} s");
            pairs.extend(found.ok().map(|(_, states)| (text, states)));
            continue;
        }
        let cells =
            found.map_or_else(|why| format!("{why} |  | "), |(digits, states)| format!("proved | {digits} | {states}"));
        println!("| {family} | `{text}` | {cells} | {time:.2} |");
    }
    if families.is_empty() || families.contains(&PAIRS) {
        print_pairs(&pairs);
    }
    // What is left there is of no use.
    let _ = std::fs::remove_dir_all(&folder);
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
