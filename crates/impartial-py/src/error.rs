//! The library's one error as Python's exceptions.

use impartial::error::Known;
use impartial::{Error, run::StopReason};
use pyo3::exceptions::{PyKeyboardInterrupt, PyRuntimeError, PyValueError};
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::PyDict;

use crate::value::to_python;

/// The exception of an error: `ValueError` for bad input, and those of `impartial.errors`.
pub(crate) fn raised(py: Python<'_>, error: Error) -> PyErr {
    let message = in_python(&error.to_string());
    let made = match error {
        Error::Stopped { why: StopReason::Interrupted, .. } => return PyKeyboardInterrupt::new_err(message),
        Error::Stopped { why, known } => stopped(py, &message, &why, known.as_deref()),
        Error::Refused { position, .. } => {
            class(py, &REFUSED, "Refused").and_then(|class| class.call1((message, position)))
        }
        Error::Unsupported { .. } => class(py, &UNSUPPORTED, "Unsupported").and_then(|class| class.call1((message,))),
        _ => return PyValueError::new_err(message),
    };
    made.map_or_else(|error| error, PyErr::from_value)
}

/// A stop, with the keys, the text and the file of what is known.
fn stopped<'py>(
    py: Python<'py>,
    message: &str,
    why: &StopReason,
    known: Option<&Known>,
) -> PyResult<Bound<'py, PyAny>> {
    let class = class(py, &STOPPED, "Stopped")?;
    let Some(known) = known else { return class.call1((message, kind(why))) };
    let data = PyDict::new(py);
    for (key, value) in &known.data {
        data.set_item(key, to_python(py, value)?)?;
    }
    class.call1((message, kind(why), (data, known.text.as_str(), known.file.as_deref())))
}

/// A panic, which is a mistake of ours.
pub(crate) fn mistake(panic: &(dyn std::any::Any + Send)) -> PyErr {
    let what = panic.downcast_ref::<String>().map(String::as_str).or_else(|| panic.downcast_ref::<&str>().copied());
    PyRuntimeError::new_err(format!(
        "a mistake in impartial itself: {}; please report it with the call that led here",
        what.unwrap_or("unknown")
    ))
}

static STOPPED: PyOnceLock<Py<PyAny>> = PyOnceLock::new();
static REFUSED: PyOnceLock<Py<PyAny>> = PyOnceLock::new();
static UNSUPPORTED: PyOnceLock<Py<PyAny>> = PyOnceLock::new();

fn class<'py>(py: Python<'py>, cell: &PyOnceLock<Py<PyAny>>, name: &str) -> PyResult<Bound<'py, PyAny>> {
    let found = cell.get_or_try_init(py, || py.import("impartial.errors")?.getattr(name).map(Bound::unbind))?;
    Ok(found.bind(py).clone())
}

/// Why a run stopped, in one word.
fn kind(why: &StopReason) -> &'static str {
    match why {
        StopReason::Time => "time",
        StopReason::Patience(_) => "default time",
        StopReason::Memory => "memory",
        StopReason::Interrupted => "interrupted",
        StopReason::Size { .. } => "size",
    }
}

/// The command's options by their names in Python: `--time-limit` is `time_limit=`.
fn in_python(message: &str) -> String {
    let mut text = String::with_capacity(message.len());
    let mut rest = message;
    while let Some(at) = rest.find("--") {
        let (before, option) = rest.split_at(at);
        let name = &option[2..];
        let end = name.find(|c: char| !c.is_ascii_lowercase() && c != '-').unwrap_or(name.len());
        text.push_str(before);
        if end == 0 || before.ends_with(|c: char| !c.is_whitespace() && c != '(' && c != '`') {
            text.push_str("--");
            rest = name;
        } else {
            text.push_str(&name[..end].replace('-', "_"));
            text.push('=');
            rest = name[end..].trim_start_matches(' ');
        }
    }
    (text + rest).replace("`impartial games`", "impartial.games()").replace("`impartial help`", "help(impartial)")
}
