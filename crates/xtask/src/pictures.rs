//! `cargo xtask pictures`: the pictures of the documentation, made by the command; as PNG and PDF they are in `target/pictures`.

use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

/// Each picture: its name, and what makes it.
pub const PICTURES: [(&str, &[&str]); 16] = [
    ("kayles-values", &["plot", "kayles"]),
    ("dawsons-kayles-values", &["plot", "dawsons-kayles"]),
    ("laskers-nim-values", &["plot", "laskers-nim", "--box", "60"]),
    ("nim-sums", &["plot", "nim", "--what", "sums"]),
    ("kayles-map", &["plot", "kayles", "--what", "map", "--box", "24"]),
    ("wythoff", &["plot", "wythoff"]),
    ("wythoff-grundy", &["plot", "wythoff", "--grundy", "--box", "24"]),
    ("wythoff-offsets", &["plot", "wythoff", "--what", "function"]),
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

/// Makes every picture, with a command that is built already, or with one that is built for it.
pub fn run(root: &Path, command: Option<PathBuf>) -> ExitCode {
    let target = std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| root.join("target"), PathBuf::from);
    let (documents, others) = (root.join("docs/pictures"), target.join("pictures"));
    let impartial = command.or_else(|| built(root, &target));
    let folders = [&documents, &others].iter().all(|folder| std::fs::create_dir_all(folder).is_ok());
    let (Some(impartial), true) = (impartial, folders) else {
        println!("the command does not build, or docs/pictures cannot be made");
        return ExitCode::FAILURE;
    };
    let strata = target.join("exotic.json").to_string_lossy().into_owned();
    let mut steps: Vec<Vec<String>> = vec![words(&["solve", "exotic", "--as", "stratification", "-o", &strata])];
    let of_strata = ("exotic-strata", &["plot", &strata, "--box", "40"][..]);
    for (name, args) in PICTURES.iter().copied().chain([of_strata]) {
        for (folder, end) in [(&documents, "svg"), (&others, "png"), (&others, "pdf")] {
            let file = folder.join(format!("{name}.{end}")).to_string_lossy().into_owned();
            steps.push(words(&[args, &["-o", &file]].concat()));
        }
    }
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
    fn the_page_of_pictures_shows_every_one() {
        let docs = crate::check::root().join("docs");
        let page = std::fs::read_to_string(docs.join("pictures.md")).expect("the page is there");
        for (name, _) in super::PICTURES {
            assert!(page.contains(&format!("(pictures/{name}.svg)")), "{name} is not in docs/pictures.md");
            assert!(docs.join(format!("pictures/{name}.svg")).is_file(), "cargo xtask pictures makes {name}");
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
