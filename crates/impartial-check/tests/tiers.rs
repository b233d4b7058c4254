//! The tiers of the checker have the files and about the lines that ARCHITECTURE.md says, and no more than they may.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

fn files(folder: &Path, found: &mut BTreeSet<PathBuf>) {
    for entry in std::fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            files(&path, found);
        } else {
            found.insert(path);
        }
    }
}

/// Lines of code: without comments, blank lines and unit tests.
fn lines(path: &Path) -> usize {
    let text = std::fs::read_to_string(path).expect("a file");
    let code = |line: &&str| !line.trim().is_empty() && !line.trim_start().starts_with("//");
    text.lines().take_while(|line| *line != "#[cfg(test)]").filter(code).count()
}

#[test]
fn tiers_are_as_they_are_described() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(root.join("../../ARCHITECTURE.md")).expect("the page");
    let mut found = BTreeSet::new();
    files(&root.join("src"), &mut found);
    for (tier, most) in
        [("reader", 760), ("kernel", 1500), ("extensions", 2000), ("annexes", 330), ("later forms", 2740)]
    {
        let row = text.lines().find(|line| line.starts_with(&format!("| {tier} |"))).expect("a row");
        let cells: Vec<&str> = row.split('|').map(str::trim).collect();
        let claimed: usize = cells[2].parse().expect("a number of lines");
        let mut actual = 0;
        for name in cells[3].split(' ') {
            let path = root.join("src").join(format!("{}.rs", name.trim_matches('`')));
            assert!(found.remove(&path), "{name} is no file, or in two tiers");
            actual += lines(&path);
        }
        assert!(actual.abs_diff(claimed) <= claimed / 50, "{tier}: {actual} lines, the page says {claimed}");
        assert!(actual <= most, "{tier}: {actual} lines are more than {most}: make it smaller");
    }
    assert!(found.is_empty(), "in no tier: {found:?}");
}
