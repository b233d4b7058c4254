//! The one error of the library.

use std::fmt;

use semilinear::run::StopReason;
use serde::Serialize;
use serde_json::{Map, Value};

/// Why a question has no answer.
///
/// ```
/// use impartial::prelude::*;
/// let error = "no-such-game".parse::<Game>().unwrap_err();
/// assert!(matches!(error, Error::Input(_)));
/// assert!(error.to_string().contains("is not known"));
/// ```
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum Error {
    /// Bad input: one message with what is wrong, where, and the remedy.
    Input(String),
    /// The question makes no sense for this kind of game or form of strategy.
    Unsupported {
        /// The question, by the name of its command.
        what: String,
        /// What it was asked of: "poset games", "a strategy of form \"table\"".
        of: String,
    },
    /// A limit was reached or the run was interrupted: this is not an answer.
    Stopped {
        /// The limit.
        why: StopReason,
        /// What is known so far, where anything is.
        known: Option<Box<Known>>,
    },
    /// A claim was checked and is false, or its certificate does not prove it.
    Refused {
        /// Why.
        reason: String,
        /// A position where the claim is wrong, where there is one.
        position: Option<String>,
    },
}

/// The result of a question.
pub type Result<T, E = Error> = std::result::Result<T, E>;

impl Error {
    /// Bad input, from anything that explains itself.
    #[allow(clippy::needless_pass_by_value)] // so that `map_err(Error::input)` reads well
    pub fn input(message: impl ToString) -> Self {
        Self::Input(message.to_string())
    }

    /// A question that has no meaning here.
    pub fn unsupported(what: impl Into<String>, of: impl Into<String>) -> Self {
        Self::Unsupported { what: what.into(), of: of.into() }
    }

    /// A stop, with what is known so far.
    pub fn stopped_knowing(why: StopReason, known: &(impl Serialize + fmt::Display)) -> Self {
        Self::Stopped { why, known: Some(Box::new(Known::of(known))) }
    }

    /// Why the run was stopped, if that is what happened.
    pub fn stop_reason(&self) -> Option<&StopReason> {
        match self {
            Self::Stopped { why, .. } => Some(why),
            _ => None,
        }
    }

    /// The same error with the place named in front, where it is bad input or a refusal.
    #[must_use]
    pub fn at(self, place: &str) -> Self {
        match self {
            Self::Input(message) => Self::Input(format!("{place}: {message}")),
            Self::Refused { reason, position } => Self::Refused { reason: format!("{place}: {reason}"), position },
            other => other,
        }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Input(message) => f.write_str(message),
            Self::Unsupported { what, of } => {
                write!(f, "`{what}` is not defined for {of}; `impartial help {what}` says what it does")
            }
            Self::Stopped { why, .. } => write!(f, "stopped: {why}"),
            Self::Refused { reason, position: None } => f.write_str(reason),
            Self::Refused { reason, position: Some(position) } if reason.contains(position) => f.write_str(reason),
            Self::Refused { reason, position: Some(position) } => write!(f, "{reason}, at {position}"),
        }
    }
}

impl std::error::Error for Error {}

impl From<StopReason> for Error {
    fn from(why: StopReason) -> Self {
        Self::Stopped { why, known: None }
    }
}

/// What a stopped run knows: the data and the text of its report.
#[derive(Clone, Debug)]
pub struct Known {
    /// The keys of the report.
    pub data: Map<String, Value>,
    /// The report as text.
    pub text: String,
    /// The strategy file of the part that is solved, where there is one.
    pub file: Option<String>,
}

impl Known {
    /// What a report says.
    pub fn of(report: &(impl Serialize + fmt::Display)) -> Self {
        let data = match serde_json::to_value(report) {
            Ok(Value::Object(data)) => data,
            _ => Map::new(),
        };
        Self { data, text: report.to_string(), file: None }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_explain_themselves() {
        let stop = Error::from(StopReason::Time);
        assert_eq!(stop.to_string(), "stopped: the time limit was reached");
        assert_eq!(stop.stop_reason(), Some(&StopReason::Time));
        assert_eq!(Error::input("x").at("file").to_string(), "file: x");
        let refused = Error::Refused { reason: "wrong".into(), position: Some("(1,2)".into()) };
        assert_eq!(refused.to_string(), "wrong, at (1,2)");
        assert!(Error::unsupported("period", "poset games").to_string().contains("not defined for poset games"));
    }
}
