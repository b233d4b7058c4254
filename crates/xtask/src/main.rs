//! `cargo xtask`: what a person runs in this repository.

mod check;
mod exports;
mod page;
mod peers;
mod pictures;
mod python;
mod site;
mod variants;

use std::path::PathBuf;
use std::process::ExitCode;

const HELP: &str = "\
cargo xtask test    formatting, lints, documentation, all Rust tests, the proofs, Python, exports, the page in a browser
cargo xtask page    the page as a static folder: [-o DIR] (default target/page) [--serve] on localhost
cargo xtask exports what the command writes for Macaulay2, GAP, Normaliz and Graphviz, run there and compared; [COMMAND] that is built already
cargo xtask peers   Grundy sequences beside a plain loop in C: [CODE:HEAPS …] (default: about 100 codes)
cargo xtask pictures the pictures of docs/pictures, made anew (as PNG and PDF in target/pictures); [COMMAND] that is built already
cargo xtask variants COMMAND SECONDS [FAMILY …] the census of docs/results/wythoff-variants.md, with a command that is built already
cargo xtask site    the documentation as a folder of pages: [-o DIR] (default target/site)
cargo xtask dist    the command and the checker as they are handed out (profile dist)
cargo xtask python  the Python package: its wheel, types, doctests, tests, notebooks
cargo xtask wheel -o DIR    the Python package: a wheel for this platform [--profile dist], and the sources";

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    match args.iter().map(String::as_str).collect::<Vec<_>>().as_slice() {
        ["test"] => check::run(),
        ["page", rest @ ..] => page::run(rest),
        ["peers", jobs @ ..] => peers::run(&check::root(), jobs),
        ["exports"] => exports::run(&check::root(), None),
        ["exports", command] => exports::run(&check::root(), Some(absolute(command))),
        ["pictures"] => pictures::run(&check::root(), None),
        ["pictures", command] => pictures::run(&check::root(), Some(absolute(command))),
        ["variants", command, seconds, families @ ..] => {
            if let Ok(seconds) = seconds.parse() {
                variants::run(&absolute(command), seconds, families)
            } else {
                eprintln!("xtask: \"{seconds}\" is no number of seconds, such as 20");
                ExitCode::from(2)
            }
        }
        ["variants", ..] => {
            eprintln!(
                "xtask: variants needs a command that is built already and the seconds for each game, \
                 such as target/release/impartial 20; then perhaps families: {}",
                variants::families().join(", ")
            );
            ExitCode::from(2)
        }
        ["site"] => site::run(&check::root(), &check::root().join("target/site")),
        ["site", "-o", folder] => site::run(&check::root(), &absolute(folder)),
        ["python"] => check::python(),
        ["dist"] => exit(check::step(
            "the programs as they are handed out",
            "cargo",
            &["build", "--profile", "dist", "-p", "impartial-cli", "-p", "impartial-check", "--locked"],
        )),
        ["wheel", "-o", folder] => wheel(folder, "dist"),
        ["wheel", "-o", folder, "--profile", profile] => wheel(folder, profile),
        ["help" | "--help" | "-h"] | [] => {
            println!("{HELP}");
            ExitCode::SUCCESS
        }
        other => {
            eprintln!("xtask: \"{}\" is not known; the commands are\n{HELP}", other.join(" "));
            ExitCode::from(2)
        }
    }
}

fn exit(success: bool) -> ExitCode {
    if success { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

fn wheel(folder: &str, profile: &str) -> ExitCode {
    match python::wheel(&absolute(folder), profile) {
        Ok(()) => ExitCode::SUCCESS,
        Err(why) => {
            eprintln!("xtask: {why}");
            ExitCode::FAILURE
        }
    }
}

/// A folder as the user names it, whatever folder the steps run in.
fn absolute(folder: &str) -> PathBuf {
    std::path::absolute(folder).unwrap_or_else(|_| folder.into())
}
