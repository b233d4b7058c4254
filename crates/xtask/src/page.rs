//! The page: built, served and tried by a program of its own, so that its large dependencies are compiled only where it is wanted.

use std::process::ExitCode;

use crate::check::step;

/// `cargo xtask page [-o DIR] [--serve]`.
pub fn run(args: &[&str]) -> ExitCode {
    let mut words = vec!["run", "-q", "-p", "impartial-page", "--locked", "--", "build"];
    let mut folder = None;
    let mut rest = args.iter();
    while let Some(&word) = rest.next() {
        match word {
            "--serve" => words[6] = "serve",
            "-o" => folder = rest.next().copied(),
            other => {
                eprintln!("xtask page: \"{other}\" is not known; write cargo xtask page [-o DIR] [--serve]");
                return ExitCode::from(2);
            }
        }
    }
    if args.contains(&"-o") && folder.is_none() {
        eprintln!("xtask page: -o needs a folder; write cargo xtask page -o DIR");
        return ExitCode::from(2);
    }
    // The program runs at the root of the repository; a folder is meant from where the person stands.
    let folder = folder.and_then(|folder| std::path::absolute(folder).ok()).map(|folder| folder.display().to_string());
    if let Some(folder) = &folder {
        words.extend(["-o", folder]);
    }
    if step("the page", "cargo", &words) { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// What `cargo xtask test` runs: the page in a browser.
pub const TEST: &[&str] = &["run", "-q", "-p", "impartial-page", "--locked", "--", "test"];
