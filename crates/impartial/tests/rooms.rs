//! Imports between the rooms of the library point downward only (see the table in `lib.rs`).

use std::fs;
use std::path::{Path, PathBuf};

/// The rooms from the roof to the ground; rooms of one row do not know each other.
const FLOORS: &[&[&str]] = &[
    &["render"],
    &["strategy"],
    &["solve"],
    &["lattice", "poset"],
    &["heap", "graph"],
    &["error", "outcome", "nimber", "ruleset"],
];

fn floor(room: &str) -> Option<usize> {
    FLOORS.iter().position(|rooms| rooms.contains(&room))
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
    let text = "use semilinear::run::{Monitor};\nuse crate::{outcome::Outcome, nimber::{mex, nim_sum}};\n// crate::render\n#[cfg(test)]\nuse crate::solve;";
    assert_eq!(imports(text), ["run", "outcome", "nimber"]);
}

#[test]
fn imports_point_downward_only() {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut all = Vec::new();
    files(&source, &mut all);
    let mut wrong = Vec::new();
    for path in all {
        let inside = path.strip_prefix(&source).expect("a file of the source folder");
        let name = inside.to_string_lossy().replace('\\', "/");
        // Files of tests may look up: they compare engines.
        if name == "lib.rs" || name.ends_with("tests.rs") || name.contains("/tests/") {
            continue;
        }
        let room = name.split(['/', '.']).next().unwrap_or("").to_owned();
        let Some(own) = floor(&room) else { panic!("{name}: the room {room} has no floor; add it to FLOORS") };
        let text = fs::read_to_string(&path).expect("UTF-8");
        for import in imports(&text) {
            let Some(other) = floor(&import) else { continue };
            if import != room && other <= own {
                wrong.push(format!("{name} imports {import}, which is not below {room}"));
            }
        }
    }
    assert!(wrong.is_empty(), "imports must point downward only:\n{}", wrong.join("\n"));
}
