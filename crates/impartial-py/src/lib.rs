//! The native half of the Python package `impartial`: games, strategies, sets and rules written in Python.
//!
//! Everything is asked of the library's front door; a report crosses as a dictionary (its `Serialize`) and a text (its `Display`).
//! The classes that people see are in `python/impartial`.
//!
//! | file | what it holds |
//! | --- | --- |
//! | `run` | questions with limits, Ctrl-C and progress, while Python goes on |
//! | `error` | the library's error as Python's exceptions |
//! | `value` | reports and positions from and to Python |
//! | `game`, `strategy`, `set` | the front door |
//! | `rules` | rulesets written in Python, searched and remembered here |

#![allow(clippy::needless_pass_by_value)] // Python's arguments are owned here
#![allow(clippy::redundant_closure_for_method_calls)] // a method's path has one lifetime, the closures here serve every one

mod error;
mod game;
mod rules;
mod run;
mod set;
mod strategy;
mod value;

use impartial::game::{Claim, catalogue, verified};
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::error::raised;
use crate::value::{Report, report};

/// What the independent checker says of the text of a strategy file.
#[pyfunction]
#[pyo3(signature = (text, options = None))]
fn check(py: Python<'_>, text: &str, options: Option<&Bound<'_, PyDict>>) -> PyResult<Report> {
    let found = run::long(py, options, |ask| verified(text, ask))?;
    report(py, &found)
}

/// A claim that a person wrote, proved or refuted: the report, and the strategy when it is proved.
#[pyfunction]
#[pyo3(signature = (text, options = None))]
fn prove(
    py: Python<'_>,
    text: &str,
    options: Option<&Bound<'_, PyDict>>,
) -> PyResult<(Report, Option<strategy::Strategy>)> {
    let (found, proved) = run::long(py, options, |ask| Claim::open("claim", text, &game::open_file)?.report(ask))?;
    Ok((report(py, &found)?, proved.map(strategy::Strategy::proved)))
}

/// The games of the catalogue.
#[pyfunction]
#[pyo3(signature = (filter = None))]
fn games(py: Python<'_>, filter: Option<&str>) -> PyResult<Report> {
    let list = catalogue::games(filter).map_err(|error| raised(py, error))?;
    report(py, &list)
}

/// Games, strategies, sets, and rules written in Python.
#[pymodule]
mod _impartial {
    #[pymodule_export]
    use super::game::Game;
    #[pymodule_export]
    use super::rules::Rules;
    #[pymodule_export]
    use super::run::{cpu_seconds, interrupt};
    #[pymodule_export]
    use super::set::Set;
    #[pymodule_export]
    use super::strategy::Strategy;
    #[pymodule_export]
    use super::{check, games, prove};

    /// The version of the package, the library and the command.
    #[pymodule_export]
    const VERSION: &str = env!("CARGO_PKG_VERSION");
}
