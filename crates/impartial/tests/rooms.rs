//! Imports between the rooms of the library point downward only (see the table in `lib.rs`).

use std::fs;
use std::path::{Path, PathBuf};

/// The rooms from the roof to the ground; rooms of one row do not know each other.
const FLOORS: &[&[&str]] = &[
    &["game"],
    &["render"],
    &["strategy"],
    &["solve"],
    &["lattice", "poset"],
    &["heap", "graph"],
    &["error", "nimber", "ruleset"],
    // A crate of its own, `impartial-lattice`.
    &["outcome"],
];

/// The rooms of `impartial-lattice`, likewise.
const LATTICE: &[&[&str]] =
    &[&["learn"], &["recursion"], &["game"], &["chart"], &["product", "unimodular", "threads", "outcome"]];

fn floor(floors: &[&[&str]], room: &str) -> Option<usize> {
    floors.iter().position(|rooms| rooms.contains(&room))
}

fn files(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).expect("a readable folder") {
        let path = entry.expect("a readable entry").path();
        if path.is_dir() {
            files(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            found.push(path);
        }
    }
}

/// The rooms named after `crate::` in a text, comments and tests left out.
fn imports(text: &str) -> Vec<String> {
    let code: String = text
        .split("#[cfg(test)]")
        .next()
        .unwrap_or("")
        .lines()
        .filter(|line| !line.trim_start().starts_with("//"))
        .collect::<Vec<_>>()
        .join("\n");
    let mut rooms = Vec::new();
    for after in code.split("crate::").skip(1) {
        let names = match after.strip_prefix('{') {
            None => after,
            // `use crate::{outcome::Outcome, run::{A, B}}`: the names at depth one.
            Some(list) => {
                let mut depth = 0_i32;
                let end = list.char_indices().find(|&(_, c)| {
                    depth += i32::from(c == '{') - i32::from(c == '}');
                    depth < 0
                });
                let list = &list[..end.map_or(list.len(), |(at, _)| at)];
                let mut depth = 0_i32;
                let mut item = String::new();
                for c in list.chars() {
                    depth += i32::from(c == '{') - i32::from(c == '}');
                    match c {
                        ',' if depth == 0 => {
                            rooms.push(first_word(&item));
                            item.clear();
                        }
                        _ => item.push(c),
                    }
                }
                rooms.push(first_word(&item));
                continue;
            }
        };
        rooms.push(first_word(names));
    }
    rooms.retain(|room| !room.is_empty());
    rooms
}

fn first_word(text: &str) -> String {
    text.trim_start().chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect()
}

#[test]
fn imports_are_found() {
    let text = "use crate::error::{Error};\nuse crate::{outcome::Outcome, nimber::{mex, nim_sum}};\n// crate::render\n#[cfg(test)]\nuse crate::solve;";
    assert_eq!(imports(text), ["error", "outcome", "nimber"]);
}

/// The rooms inside the front door: the kinds of games do not know each other, except that sums have parts of every kind, and
/// heap games and graphs have a lattice form.
const INSIDE: &[(&str, &[&str])] = &[
    ("heap", &["ask", "explain", "kind", "lattice", "moves", "plot", "position", "report", "strategy", "words"]),
    ("lattice", &["ask", "explain", "kind", "position", "report", "strategy", "words"]),
    ("poset", &["ask", "explain", "kind", "position", "report", "strategy", "words"]),
    ("chains", &["ask", "explain", "kind", "position", "report", "strategy", "words"]),
    ("graph", &["ask", "explain", "kind", "position", "report", "words"]),
    ("wythoff", &["explain", "heap", "kind", "moves", "position", "report", "words"]),
    ("report", &["kind", "position", "words"]),
    ("position", &[]),
    ("ask", &[]),
];

/// The files of the front door named in a text: after `super::` in a file of the room itself, after `crate::game::` elsewhere.
fn inner_imports(text: &str, after: &str) -> Vec<String> {
    let code = text.split("#[cfg(test)]").next().unwrap_or("");
    let lines = code.lines().filter(|line| line.trim_start().starts_with("use "));
    let names = lines.filter_map(|line| line.trim_start().strip_prefix("use ")?.strip_prefix(after).map(first_word));
    names.filter(|name| name.chars().next().is_some_and(char::is_lowercase)).collect()
}

#[test]
fn kinds_of_games_do_not_know_each_other() {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/game");
    let mut all = Vec::new();
    files(&source, &mut all);
    let mut wrong = Vec::new();
    for path in all {
        let inside = path.strip_prefix(&source).expect("a file of the room").to_string_lossy().replace('\\', "/");
        let (room, nested) = match inside.split_once('/') {
            Some((room, _)) => (room.to_owned(), true),
            None => (inside.trim_end_matches(".rs").to_owned(), false),
        };
        let Some((_, allowed)) = INSIDE.iter().find(|(known, _)| *known == room) else { continue };
        let text = fs::read_to_string(&path).expect("UTF-8");
        let head = nested && inside.ends_with("mod.rs");
        let after = if nested && !head { "crate::game::" } else { "super::" };
        for import in inner_imports(&text, after) {
            if import != room && !allowed.contains(&import.as_str()) {
                wrong.push(format!("game/{inside} imports {import}"));
            }
        }
    }
    assert!(wrong.is_empty(), "rooms inside the front door:\n{}", wrong.join("\n"));
}

#[test]
fn the_command_decides_no_mathematics() {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("../impartial-cli/src");
    let Ok(true) = source.try_exists() else { return };
    let mut all = Vec::new();
    files(&source, &mut all);
    let [mut lines, mut surveys] = [0; 2];
    for path in all {
        let text = fs::read_to_string(&path).expect("UTF-8");
        // Surveys drive engines by themselves; everything else goes through the front door.
        if path.components().any(|part| part.as_os_str() == "survey") {
            surveys += text.lines().count();
            continue;
        }
        lines += text.lines().count();
        for room in ["lattice", "poset", "heap", "strategy", "graph"] {
            assert!(
                !text.contains(&format!("impartial::{room}::")),
                "{} looks behind the front door: {room}",
                path.display()
            );
        }
    }
    assert!(lines <= 2700, "the command has {lines} lines; what is more belongs to the library");
    assert!(surveys <= 2600, "its surveys have {surveys} lines; what is more belongs to the library");
}

#[test]
fn imports_point_downward_only() {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut wrong = upward(&source, FLOORS);
    let lattice = Path::new(env!("CARGO_MANIFEST_DIR")).join("../impartial-lattice/src");
    if let Ok(true) = lattice.try_exists() {
        wrong.extend(upward(&lattice, LATTICE));
    }
    assert!(wrong.is_empty(), "imports must point downward only:\n{}", wrong.join("\n"));
}

/// The imports of the files of a folder that do not point downward.
fn upward(source: &Path, floors: &[&[&str]]) -> Vec<String> {
    let mut all = Vec::new();
    files(source, &mut all);
    let mut wrong = Vec::new();
    for path in all {
        let inside = path.strip_prefix(source).expect("a file of the source folder");
        let name = inside.to_string_lossy().replace('\\', "/");
        // Files of tests may look up: they compare engines.
        if name == "lib.rs" || name.ends_with("tests.rs") || name.contains("/tests/") {
            continue;
        }
        let room = name.split(['/', '.']).next().unwrap_or("").to_owned();
        let Some(own) = floor(floors, &room) else { panic!("{name}: the room {room} has no floor; add it to FLOORS") };
        let text = fs::read_to_string(&path).expect("UTF-8");
        for import in imports(&text) {
            let Some(other) = floor(floors, &import) else { continue };
            if import != room && other <= own {
                wrong.push(format!("{name} imports {import}, which is not below {room}"));
            }
        }
    }
    wrong
}
