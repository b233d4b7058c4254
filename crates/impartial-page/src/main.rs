//! Builds the page as a static folder, serves it, and tries it in a browser. `cargo xtask page` and `cargo xtask test` run it.

mod assemble;
mod browser;
mod census;
mod http;
mod serve;
mod trial;

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context as _, Result, bail};

const HELP: &str = "\
impartial-page build [-o DIR]            the page as a static folder (default target/page)
impartial-page serve [-o DIR]            builds it and serves it on localhost
impartial-page test [-o DIR] [NAME]      builds it and tries it in a headless Chromium; only trials with NAME in their name
impartial-page census FILE               the rows of a file of `impartial survey misere` as data of the page
impartial-page look [-o DIR] PICTURES    builds it and takes pictures of every view into a folder
With --as-it-is the folder is taken as it is, without building.";

/// The root of the repository.
pub fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn run() -> Result<ExitCode> {
    let mut folder = root().join("target/page");
    let mut build = true;
    let mut words = Vec::new();
    let mut args = std::env::args().skip(1);
    while let Some(arg) = args.next() {
        match arg.as_str() {
            "-o" => folder = args.next().context("-o needs a folder; write -o DIR")?.into(),
            "--as-it-is" => build = false,
            "-h" | "--help" | "help" => {
                println!("{HELP}");
                return Ok(ExitCode::SUCCESS);
            }
            _ => words.push(arg),
        }
    }
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    if !matches!(words.as_slice(), ["build" | "serve" | "test"] | ["test" | "look" | "census", _]) {
        bail!("\"{}\" is not understood; the commands are\n{HELP}", words.join(" "));
    }
    if let ["census", file] = words.as_slice() {
        census::write(Path::new(file))?;
        return Ok(ExitCode::SUCCESS);
    }
    if build {
        assemble::page(&folder)?;
    }
    match words.as_slice() {
        ["serve"] => serve::forever(&folder)?,
        ["look", pictures] => trial::look(&folder, Path::new(pictures))?,
        ["test", rest @ ..] => return trial::run(&folder, rest.first().copied()),
        _ => {}
    }
    Ok(ExitCode::SUCCESS)
}

fn main() -> ExitCode {
    run().unwrap_or_else(|error| {
        eprintln!("impartial-page: {error:#}");
        ExitCode::FAILURE
    })
}
