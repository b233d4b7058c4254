//! `cargo xtask`: what a person runs in this repository.

mod check;
mod exports;
mod pictures;

use std::process::ExitCode;

const HELP: &str = "\
cargo xtask test    formatting, lints, documentation, all Rust tests, and the parts beside them that this machine can run
cargo xtask exports what the command writes for Macaulay2, GAP, Normaliz and Graphviz, run there and compared
cargo xtask pictures the pictures of docs/pictures, made anew
cargo xtask site    the documentation as a folder of pages (with mdbook), target/site
cargo xtask dist    the command and the checker as they are handed out (profile dist)";

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    match args.iter().map(String::as_str).collect::<Vec<_>>().as_slice() {
        ["test"] => check::run(),
        ["exports"] => exports::run(&check::root()),
        ["pictures"] => pictures::run(&check::root()),
        ["site"] => pictures::site(&check::root()),
        ["dist"] => check::step(
            "the programs as they are handed out",
            "cargo",
            &["build", "--profile", "dist", "-p", "impartial-cli", "-p", "impartial-check", "--locked"],
        ),
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
