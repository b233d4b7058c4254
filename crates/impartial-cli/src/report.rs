//! What a command answers, as text for people and as JSON for programs, and what the exit code says.

use std::fmt::Display;
use std::io::Write as _;
use std::process::ExitCode;

use impartial::{Error, Known};
use semilinear::run::StopReason;
use serde::Serialize;
use serde_json::{Map, Value, json};

/// The answer of a command.
#[derive(Debug, Default)]
pub struct Report {
    /// The keys of the JSON object besides `schema` (and `stopped`).
    json: Map<String, Value>,
    /// What people read.
    text: String,
    /// A definite "no": exit code 1.
    no: bool,
    /// Set when a limit stopped the run; the report holds what is known so far.
    stopped: Option<StopReason>,
    /// Standard output holds a file alone.
    silent: bool,
}

impl Report {
    /// What an answer of the library says.
    pub fn of(answer: &(impl Serialize + Display)) -> Self {
        Known::of(answer).into()
    }

    /// Data of the command's own, such as the summary of a census.
    #[cfg(feature = "survey")]
    pub fn data(json: Value, text: impl Into<String>) -> Self {
        let Value::Object(json) = json else { unreachable!("a report is made from a JSON object") };
        Self { json, text: text.into(), ..Self::default() }
    }

    /// Marks the report as a definite "no" when `no` holds.
    pub fn no_if(mut self, no: bool) -> Self {
        self.no = no;
        self
    }

    /// Marks the report as what is known at a stop.
    pub fn stopped(mut self, why: Option<StopReason>) -> Self {
        self.stopped = why;
        self
    }

    /// Adds a key for programs.
    pub fn with(mut self, key: &str, value: impl Into<Value>) -> Self {
        self.json.insert(key.to_owned(), value.into());
        self
    }

    /// Adds a line for people.
    pub fn line(mut self, line: impl Display) -> Self {
        self.text = format!("{}\n{line}", self.text);
        self
    }

    /// Replaces what people read.
    pub fn said(mut self, text: impl Into<String>) -> Self {
        self.text = text.into();
        self
    }

    /// Drops blank lines at the beginning of what people read.
    pub fn trimmed(mut self) -> Self {
        self.text = self.text.trim_start_matches('\n').to_owned();
        self
    }

    /// Prints nothing: standard output holds the file that was written.
    pub fn silent_if(mut self, silent: bool) -> Self {
        self.silent = silent;
        self
    }
}

impl From<Known> for Report {
    fn from(known: Known) -> Self {
        Self { json: known.data, text: known.text, ..Self::default() }
    }
}

/// What every command returns.
pub type Answer = Result<Report, Error>;

/// The message of bad input, for programs.
pub fn print_error(message: &str) {
    let _ = writeln!(std::io::stdout(), "{}", json!({"schema": 1, "error": message}));
}

/// Standard output as it was at the start: Rust puts `/dev/null` in the place of one that was closed, and writes to that succeed.
pub fn open_stdout() -> std::io::Result<std::io::StdoutLock<'static>> {
    if closed_stdout::at_start() {
        return Err(std::io::Error::other("it is closed"));
    }
    Ok(std::io::stdout().lock())
}

/// What became of a text on standard output. A closed pipe is success: the reader has seen what it wanted.
pub fn printed(result: std::io::Result<()>) -> ExitCode {
    match result.and_then(|()| std::io::stdout().flush()) {
        Err(error) if error.kind() != std::io::ErrorKind::BrokenPipe => {
            eprintln!("impartial: standard output: {error}; send it to another place");
            ExitCode::from(2)
        }
        _ => ExitCode::SUCCESS,
    }
}

/// Prints the answer and turns it into the exit code: 0 done or yes, 1 no, 2 bad input, 3 stopped, 130 interrupted.
/// Also a run that was stopped before it knew anything says what was asked.
pub fn finish(answer: Answer, asked: &[(&str, Option<&str>)], as_json: bool) -> ExitCode {
    let report = match answer {
        Ok(report) => report,
        Err(Error::Stopped { why, known }) => {
            let mut report = known.map_or_else(Report::default, |known| (*known).into()).stopped(Some(why));
            for (key, value) in asked {
                if let (Some(value), false) = (value, report.json.contains_key(*key)) {
                    report = report.with(key, *value);
                }
            }
            report
        }
        Err(error @ Error::Refused { .. }) => {
            eprintln!("impartial: refused: {error}");
            if as_json {
                let _ = writeln!(
                    std::io::stdout(),
                    "{}",
                    json!({"schema": 1, "valid": false, "proved": false, "reason": error.to_string()})
                );
            }
            return ExitCode::from(1);
        }
        Err(error) => {
            eprintln!("impartial: {error}");
            if as_json {
                print_error(&error.to_string());
            }
            return ExitCode::from(2);
        }
    };
    let written = if report.silent || !as_json && report.text.is_empty() {
        Ok(())
    } else if as_json {
        let mut object = report.json;
        object.insert("schema".into(), 1.into());
        if let Some(why) = &report.stopped {
            object.insert("stopped".into(), why.to_string().into());
        }
        open_stdout().and_then(|mut out| writeln!(out, "{}", Value::Object(object)))
    } else {
        open_stdout().and_then(|mut out| writeln!(out, "{}", report.text.trim_end_matches('\n')))
    };
    let done = printed(written);
    if done != ExitCode::SUCCESS {
        return done;
    }
    match report.stopped {
        Some(why) => {
            eprintln!("impartial: stopped: {why}");
            ExitCode::from(if why == StopReason::Interrupted { 130 } else { 3 })
        }
        None => ExitCode::from(u8::from(report.no)),
    }
}
