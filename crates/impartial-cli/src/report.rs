//! What a command answers, as text for people and as JSON for programs.

use std::io::Write as _;
use std::process::ExitCode;

use semilinear::run::StopReason;
use serde_json::{Map, Value, json};

/// The answer of a command: both texts, and what the exit code says.
#[derive(Debug, Default)]
pub struct Report {
    /// The keys of the JSON object besides `schema` (and `stopped`).
    pub json: Map<String, Value>,
    /// What people read.
    pub text: String,
    /// A definite "no": exit code 1.
    pub no: bool,
    /// Set when a limit stopped the run; the report holds what is known so far.
    pub stopped: Option<StopReason>,
}

impl Report {
    /// A report from a JSON object (`json!({…})`) and its text.
    pub fn new(json: Value, text: impl Into<String>) -> Self {
        let Value::Object(json) = json else { unreachable!("a report is made from a JSON object") };
        Self { json, text: text.into(), no: false, stopped: None }
    }

    /// Marks the report as a definite "no" when `no` holds.
    pub fn no_if(mut self, no: bool) -> Self {
        self.no = no;
        self
    }

    /// Marks the report as what is known at a stop.
    pub fn stopped(mut self, why: StopReason) -> Self {
        self.stopped = Some(why);
        self
    }
}

/// Why a command has no answer.
#[derive(Debug)]
pub enum Failure {
    /// Bad input or usage: one message with what, where, remedy.
    Input(String),
    /// Stopped by a limit with nothing known.
    Stopped(StopReason),
}

impl From<StopReason> for Failure {
    fn from(why: StopReason) -> Self {
        Self::Stopped(why)
    }
}

/// A bad-input failure from anything that explains itself.
#[allow(clippy::needless_pass_by_value)] // so that `map_err(bad_input)` reads well
pub fn bad_input(message: impl ToString) -> Failure {
    Failure::Input(message.to_string())
}

/// What every command returns.
pub type Answer = Result<Report, Failure>;

/// The message of bad input, for programs.
pub fn print_error(message: &str) {
    let _ = writeln!(std::io::stdout(), "{}", json!({"schema": 1, "error": message}));
}

/// Prints the answer and turns it into the exit code: 0 done or yes, 1 no, 2 bad input, 3 stopped, 130 interrupted.
/// Also a run that was stopped before it knew anything names its game.
pub fn finish(answer: Answer, game: Option<&str>, as_json: bool) -> ExitCode {
    let report = match answer {
        Ok(report) => report,
        Err(Failure::Stopped(why)) => {
            let mut report = Report::default().stopped(why);
            report.json.extend(game.map(|game| ("game".to_owned(), game.into())));
            report
        }
        Err(Failure::Input(message)) => {
            eprintln!("impartial: {message}");
            if as_json {
                print_error(&message);
            }
            return ExitCode::from(2);
        }
    };
    let mut out = std::io::stdout().lock();
    // A closed pipe is success: the reader has seen what it wanted.
    let _ = if as_json {
        let mut object = report.json;
        object.insert("schema".into(), 1.into());
        if let Some(why) = &report.stopped {
            object.insert("stopped".into(), why.to_string().into());
        }
        writeln!(out, "{}", Value::Object(object))
    } else if report.text.is_empty() {
        Ok(())
    } else {
        writeln!(out, "{}", report.text.trim_end_matches('\n'))
    };
    let _ = out.flush();
    match report.stopped {
        Some(why) => {
            eprintln!("impartial: stopped: {why}");
            ExitCode::from(if why == StopReason::Interrupted { 130 } else { 3 })
        }
        None => ExitCode::from(u8::from(report.no)),
    }
}
