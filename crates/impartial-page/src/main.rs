//! Builds the page as a static folder, serves it, and tries it in a browser. `cargo xtask page` and `cargo xtask test` run it.

mod assemble;
mod browser;
mod census;
mod http;
mod serve;
mod split;
mod trial;
mod views;

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context as _, Result, bail};

use assemble::Purpose;

const HELP: &str = "\
impartial-page build [-o DIR]            the page as a static folder (default target/page)
impartial-page serve [-o DIR]            builds it and serves it on localhost
impartial-page test [-o DIR] [NAME]      tries it in a headless Chromium (default target/page-trial); only trials with NAME in their name
impartial-page look [-o DIR] PICTURES    takes pictures of every view into a folder
impartial-page census [-o DIR] FILE [STRATEGY …]
                                         the rows of a file of `impartial survey` as data of the page, with strategy files as
                                         certificates (default crates/impartial-web/page/data)
impartial-page keep [-o DIR] STRATEGY …  further strategy files as certificates, beside those that are there
test and look build an engine that is compiled soon; with --hosting that of build. With --as-it-is the folder is taken as it is. With
--names the engine keeps the names of its functions, for profiles.";

/// The root of the repository.
pub fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn run() -> Result<ExitCode> {
    let mut folder = None;
    let (mut build, mut hosting, mut names) = (true, false, false);
    let mut words = Vec::new();
    let mut args = std::env::args().skip(1);
    while let Some(arg) = args.next() {
        match arg.as_str() {
            "-o" => folder = Some(PathBuf::from(args.next().context("-o needs a folder; write -o DIR")?)),
            "--as-it-is" => build = false,
            "--hosting" => {
                hosting = true;
                views::HOSTING.store(true, std::sync::atomic::Ordering::Relaxed);
            }
            "--names" => names = true,
            "-h" | "--help" | "help" => {
                println!("{HELP}");
                return Ok(ExitCode::SUCCESS);
            }
            _ => words.push(arg),
        }
    }
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    if !matches!(words.as_slice(), ["build" | "serve" | "test"] | ["test" | "look", _] | ["census" | "keep", _, ..]) {
        bail!("\"{}\" is not understood; the commands are\n{HELP}", words.join(" "));
    }
    if let ["census", file, certificates @ ..] = words.as_slice() {
        census::write(Path::new(file), certificates, &folder.unwrap_or_else(census::data))?;
        return Ok(ExitCode::SUCCESS);
    }
    if let ["keep", certificates @ ..] = words.as_slice() {
        census::add(certificates, &folder.unwrap_or_else(census::data))?;
        return Ok(ExitCode::SUCCESS);
    }
    let purpose = match words.as_slice() {
        ["test" | "look", ..] if !hosting => Purpose::Trial,
        _ => Purpose::Hosting,
    };
    let folder = folder.unwrap_or_else(|| match purpose {
        Purpose::Hosting => root().join("target/page"),
        Purpose::Trial => root().join("target/page-trial"),
    });
    if words[0] == "test"
        && let Some(reason) = trial::missing(build)
    {
        return Ok(trial::left_out(reason, words.get(1).copied()));
    }
    if build {
        assemble::page(&folder, purpose, names)?;
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
