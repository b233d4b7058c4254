//! `cargo xtask pictures`: the pictures of the documentation, made by the command. `cargo xtask site`: the documentation as pages.

use std::path::Path;
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

/// Makes every picture as SVG.
pub fn run(root: &Path) -> ExitCode {
    let folder = root.join("docs/pictures");
    let built = Command::new("cargo").args(["build", "-p", "impartial-cli", "--locked"]).current_dir(root).status();
    if !built.is_ok_and(|status| status.success()) || std::fs::create_dir_all(&folder).is_err() {
        println!("the command does not build, or docs/pictures cannot be made");
        return ExitCode::FAILURE;
    }
    let target = std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| root.join("target"), std::path::PathBuf::from);
    let impartial = target.join("debug/impartial");
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

/// The documentation as a folder of pages.
pub fn site(root: &Path) -> ExitCode {
    match Command::new("mdbook")
        .args(["build", "docs", "--dest-dir"])
        .arg(root.join("target/site"))
        .current_dir(root)
        .status()
    {
        Ok(status) if status.success() => {
            println!("wrote target/site/index.html");
            ExitCode::SUCCESS
        }
        Ok(_) => ExitCode::FAILURE,
        Err(_) => {
            println!("mdbook is not installed; `cargo install mdbook --locked` installs it");
            ExitCode::FAILURE
        }
    }
}
