//! `cargo xtask pictures`: the pictures of the documentation, made by the command.

use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

/// Each picture: its name, and what makes it.
pub const PICTURES: [(&str, &[&str]); 14] = [
    ("kayles-values", &["plot", "kayles"]),
    ("dawsons-kayles-values", &["plot", "dawsons-kayles"]),
    ("laskers-nim-values", &["plot", "laskers-nim", "--box", "60"]),
    ("nim-sums", &["plot", "nim", "--what", "sums"]),
    ("wythoff", &["plot", "wythoff"]),
    ("wythoff-grundy", &["plot", "wythoff", "--grundy", "--box", "24"]),
    ("quotient-orders", &["plot", "kayles", "--what", "orders", "--max-heap", "30"]),
    ("quotient-cayley", &["plot", "0.123", "--what", "cayley"]),
    ("chains-function", &["plot", "chomp-chains:120", "--what", "function"]),
    ("exotic-map", &["plot", "exotic", "--box", "48"]),
    ("exotic-grundy", &["plot", "exotic", "--grundy", "--box", "24"]),
    ("exotic-automaton", &["plot", "exotic", "--what", "automaton"]),
    ("slice", &["plot", "infinite-quotient", "--slice", "(0,0,0,*,*)", "--box", "24"]),
    ("divisors", &["plot", "divisors:360"]),
];

/// Builds the command; where it is.
pub fn built(root: &Path, target: &Path) -> Option<PathBuf> {
    let built = Command::new("cargo").args(["build", "-p", "impartial-cli", "--locked"]).current_dir(root).status();
    built.is_ok_and(|status| status.success()).then(|| target.join("debug/impartial"))
}

/// Makes every picture as SVG, with a command that is built already, or with one that is built for it.
pub fn run(root: &Path, command: Option<PathBuf>) -> ExitCode {
    let folder = root.join("docs/pictures");
    let target = std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| root.join("target"), PathBuf::from);
    let impartial = command.or_else(|| built(root, &target));
    let (Some(impartial), true) = (impartial, std::fs::create_dir_all(&folder).is_ok()) else {
        println!("the command does not build, or docs/pictures cannot be made");
        return ExitCode::FAILURE;
    };
    let strata = target.join("exotic.json");
    let strata = strata.to_string_lossy().into_owned();
    let mut steps: Vec<Vec<String>> = vec![words(&["solve", "exotic", "--as", "stratification", "-o", &strata])];
    for (name, args) in PICTURES {
        let file = folder.join(format!("{name}.svg")).to_string_lossy().into_owned();
        steps.push(words(&[args, &["-o", &file]].concat()));
    }
    let file = folder.join("exotic-strata.svg").to_string_lossy().into_owned();
    steps.push(words(&["plot", &strata, "--box", "40", "-o", &file]));
    for args in steps {
        println!("impartial {}", args.join(" "));
        if !Command::new(&impartial).args(&args).status().is_ok_and(|status| status.success()) {
            return ExitCode::FAILURE;
        }
    }
    ExitCode::SUCCESS
}

fn words(args: &[&str]) -> Vec<String> {
    args.iter().map(|&word| word.to_owned()).collect()
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    /// The pages below a folder.
    fn pages(folder: &Path, found: &mut Vec<std::path::PathBuf>) {
        for entry in std::fs::read_dir(folder).expect("a folder of documents").flatten() {
            let path = entry.path();
            if path.is_dir() {
                pages(&path, found);
            } else if path.extension().is_some_and(|end| end == "md") {
                found.push(path);
            }
        }
    }

    #[test]
    fn the_site_has_every_page() {
        let docs = crate::check::root().join("docs");
        let summary = std::fs::read_to_string(docs.join("SUMMARY.md")).expect("a summary");
        let mut found = Vec::new();
        pages(&docs, &mut found);
        for page in found {
            let name = page.strip_prefix(&docs).expect("below docs").to_string_lossy().replace('\\', "/");
            assert!(name == "SUMMARY.md" || summary.contains(&format!("({name})")), "{name} is not in docs/SUMMARY.md");
        }
    }
}
