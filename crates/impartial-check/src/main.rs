//! `impartial-check FILE…`: says of each strategy file whether it is valid. Exit 0 when all are, 1 when
//! one is refused, 2 when one cannot be read, 3 when the clock stopped a check.

use std::io::{ErrorKind, Read, Write as _};
use std::process::ExitCode;
use std::time::{Duration, Instant};

use impartial_check::{Limits, Verdict, check_within, game};

const USAGE: &str = "\
usage: impartial-check [OPTION]… FILE…   (- is standard input)
Verifies strategy files written by `impartial solve`.

  --time-limit T     refuse what needs longer: 30s, 10m, 1h (10m)
  --memory-limit M   refuse what needs more: 512MiB, 4GiB (4GiB)
  --game             print the whole game of each file as JSON, and check nothing";

/// What the arguments ask for.
struct Arguments {
    time: Duration,
    bytes: u64,
    game: bool,
    files: Vec<String>,
}

fn main() -> ExitCode {
    ExitCode::from(match arguments(std::env::args().skip(1)) {
        Ok(Some(arguments)) => arguments.files.iter().map(|file| report(file, &arguments)).max().unwrap_or(2),
        Ok(None) => say(0, USAGE),
        Err(message) => complain(&format!("{message}\n{USAGE}")),
    })
}

/// Prints a line and gives the exit code, which is that of a fault if nobody hears it; who closed a pipe has heard enough.
fn say(code: u8, line: &str) -> u8 {
    match writeln!(std::io::stdout(), "{line}") {
        Err(error) if error.kind() != ErrorKind::BrokenPipe => {
            complain(&format!("impartial-check: standard output: {error}"))
        }
        _ => code,
    }
}

/// Says what keeps a file from being checked; the exit code.
fn complain(line: &str) -> u8 {
    // Nothing is left to say it to.
    let _ = writeln!(std::io::stderr(), "{line}");
    2
}

/// Says what is to be said of one file; the exit code.
fn report(file: &str, arguments: &Arguments) -> u8 {
    let text = match text(file, arguments.bytes / 4) {
        Ok(Some(text)) => text,
        Ok(None) => return say(1, &format!("{file}: refused: larger than a quarter of the memory limit")),
        Err(error) => {
            return complain(&format!("impartial-check: {file}: {error}; give the path of a strategy file"));
        }
    };
    if arguments.game {
        return match game(&text) {
            Some(game) => say(0, &game),
            None => complain(&format!("impartial-check: {file}: no sound strategy file; check it without --game")),
        };
    }
    let begin = Instant::now();
    let within = || begin.elapsed() < arguments.time;
    match check_within(&text, &Limits::new(arguments.time, arguments.bytes), &within).into() {
        Verdict::Valid { claim } => say(0, &format!("{file}: valid: {claim}")),
        Verdict::Refused { reason } => say(1, &format!("{file}: refused: {reason}")),
        Verdict::Stopped => {
            say(3, &format!("{file}: stopped: the check was not finished within the time limit; nothing is known"))
        }
    }
}

/// The text of a file, unless it is longer than so many bytes: no more of it is read.
fn text(file: &str, most: u64) -> std::io::Result<Option<String>> {
    let source: Box<dyn Read> =
        if file == "-" { Box::new(std::io::stdin()) } else { Box::new(std::fs::File::open(file)?) };
    let mut bytes = Vec::new();
    source.take(most.saturating_add(1)).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > most {
        return Ok(None);
    }
    String::from_utf8(bytes).map(Some).map_err(|_| std::io::Error::other("not UTF-8"))
}

/// What the words ask for; nothing when they ask for help.
fn arguments(mut words: impl Iterator<Item = String>) -> Result<Option<Arguments>, String> {
    let mut found = Arguments { time: Duration::from_secs(600), bytes: 4 << 30, game: false, files: Vec::new() };
    while let Some(word) = words.next() {
        let (name, value) = match word.split_once('=') {
            Some((name, value)) if name.starts_with("--") => (name.to_owned(), Some(value.to_owned())),
            _ => (word.clone(), None),
        };
        let mut value = || value.clone().or_else(|| words.next()).ok_or(format!("{name}: the value is missing"));
        match name.as_str() {
            "--time-limit" => found.time = duration(&value()?).ok_or("--time-limit: not a time such as 30s or 10m")?,
            "--memory-limit" => {
                found.bytes = bytes(&value()?).ok_or("--memory-limit: not a size such as 512MiB or 4GiB")?;
            }
            "--game" => found.game = true,
            "--help" | "-h" => return Ok(None),
            other if other.starts_with("--") => return Err(format!("{other}: no such option")),
            _ => found.files.push(word),
        }
    }
    if found.files.is_empty() { Err("no file is given".into()) } else { Ok(Some(found)) }
}

/// A number and its unit.
fn split(text: &str) -> Option<(u64, &str)> {
    let at = text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
    Some((text[..at].parse().ok()?, &text[at..]))
}

fn duration(text: &str) -> Option<Duration> {
    let (number, unit) = split(text)?;
    let seconds = match unit {
        "ms" => return Some(Duration::from_millis(number)),
        "" | "s" => 1,
        "m" | "min" => 60,
        "h" => 3600,
        _ => return None,
    };
    number.checked_mul(seconds).map(Duration::from_secs)
}

fn bytes(text: &str) -> Option<u64> {
    let (number, unit) = split(text)?;
    let shift = match unit {
        "" | "B" => 0,
        "K" | "KiB" => 10,
        "M" | "MiB" => 20,
        "G" | "GiB" => 30,
        "T" | "TiB" => 40,
        _ => return None,
    };
    number.checked_mul(1 << shift)
}
