//! Strategies: proved ones, and what a file claims.

use impartial::game::report;
use impartial::render::Syntax;
use impartial::{Claimed, Error, Form, PlotAsk, Position, Solution};
use num_bigint::{BigInt, BigUint};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyList};

use crate::error::raised;
use crate::run;
use crate::value::{Reads, Report, from_positions, position, report as told};

/// A strategy of a whole game.
#[pyclass(frozen, module = "impartial._impartial")]
pub(crate) struct Strategy(Known);

enum Known {
    Proved(impartial::Strategy),
    Claimed(Claimed),
}

impl Reads for Solution {
    fn read(&self, text: &str) -> impartial::Result<Position> {
        self.position(text)
    }

    fn of_numbers(&self, numbers: &[BigInt]) -> impartial::Result<Position> {
        self.position_of(numbers)
    }
}

/// A picture: SVG, and what it shows.
pub(crate) type Picture = (String, String);

pub(crate) fn picture(found: &report::Picture) -> Picture {
    (found.drawing.svg(), found.shows.clone())
}

/// The report of a quotient, its strategy, and why the search stopped.
pub(crate) type QuotientFound = (Report, Strategy, Option<String>);

pub(crate) fn quotient_found(py: Python<'_>, found: &impartial::Quotient) -> PyResult<QuotientFound> {
    let stopped = found.stopped().map(ToString::to_string);
    Ok((told(py, found.report())?, Strategy::proved(found.strategy().clone()), stopped))
}

impl Strategy {
    pub(crate) fn proved(strategy: impartial::Strategy) -> Self {
        Self(Known::Proved(strategy))
    }

    fn solution(&self) -> &Solution {
        match &self.0 {
            Known::Proved(strategy) => strategy,
            Known::Claimed(claimed) => claimed,
        }
    }

    /// The strategy when it is proved; what is only claimed is not converted.
    pub(crate) fn sure(&self) -> Result<&impartial::Strategy, Error> {
        match &self.0 {
            Known::Proved(strategy) => Ok(strategy),
            Known::Claimed(_) => Err(Error::input("nobody has checked this strategy yet; use strategy.verify() first")),
        }
    }
}

fn syntax(name: &str) -> PyResult<Option<Syntax>> {
    Ok(Some(match name {
        "text" => Syntax::Text,
        "latex" => Syntax::Latex,
        "sage" => Syntax::Sage,
        "mathematica" => Syntax::Mathematica,
        "macaulay2" => Syntax::Macaulay2,
        "json" => return Ok(None),
        other => {
            return Err(PyValueError::new_err(format!(
                "no syntax is called {other:?}; it is text, latex, json, sage, mathematica or macaulay2"
            )));
        }
    }))
}

#[pymethods]
impl Strategy {
    /// Reads the text of a strategy file and asks the independent checker, unless it is trusted.
    #[staticmethod]
    #[pyo3(signature = (text, trust, options = None))]
    fn load(py: Python<'_>, text: &str, trust: bool, options: Option<&Bound<'_, PyDict>>) -> PyResult<Self> {
        run::long(py, options, |ask| {
            let claimed = impartial::Strategy::load(text, ask)?;
            Ok(Self(if trust { Known::Claimed(claimed) } else { Known::Proved(claimed.verify(ask)?) }))
        })
    }

    #[pyo3(signature = (options = None))]
    fn verify(&self, py: Python<'_>, options: Option<&Bound<'_, PyDict>>) -> PyResult<Self> {
        let text = self.solution().to_text();
        run::long(py, options, |ask| Ok(Self::proved(impartial::Strategy::load(&text, ask)?.verify(ask)?)))
    }

    /// The text of the strategy file.
    fn file(&self) -> String {
        self.solution().to_text()
    }

    #[getter]
    fn form(&self) -> &'static str {
        self.solution().form().name()
    }

    #[getter]
    fn is_proved(&self) -> bool {
        self.solution().standing().is_proved()
    }

    #[getter]
    fn play(&self) -> String {
        self.solution().play().to_string()
    }

    fn report(&self, py: Python<'_>) -> PyResult<Report> {
        told(py, &self.solution().report(&impartial::Ask::new()))
    }

    #[pyo3(signature = (at, options = None))]
    fn outcome(
        &self,
        py: Python<'_>,
        at: &Bound<'_, PyAny>,
        options: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<&'static str> {
        let at = position(self.solution(), at)?;
        let found = run::short(py, options, |ask| self.solution().outcome(&at, ask))?;
        Ok(if found.outcome.is_p() { "P" } else { "N" })
    }

    /// The outcomes of many positions, as letters of four bytes: `numbers` are integers of eight bytes, `width` a position.
    #[pyo3(signature = (numbers, width, options = None))]
    fn outcomes<'py>(
        &self,
        py: Python<'py>,
        numbers: &[u8],
        width: usize,
        options: Option<&Bound<'py, PyDict>>,
    ) -> PyResult<Bound<'py, PyBytes>> {
        let (numbers, rest) = numbers.as_chunks::<8>();
        if !rest.is_empty() {
            return Err(PyValueError::new_err("the bytes are no integers of 64 bits"));
        }
        let found = run::long(py, options, |ask| {
            let numbers: Vec<i64> = numbers.iter().map(|bytes| i64::from_ne_bytes(*bytes)).collect();
            self.solution().outcomes(&numbers, width, ask)
        })?;
        PyBytes::new_with(py, 4 * found.len(), |bytes| {
            for (place, outcome) in bytes.as_chunks_mut::<4>().0.iter_mut().zip(&found) {
                *place = u32::from(if outcome.is_p() { 'P' } else { 'N' }).to_ne_bytes();
            }
            Ok(())
        })
    }

    #[pyo3(signature = (at, options = None))]
    fn grundy(&self, py: Python<'_>, at: &Bound<'_, PyAny>, options: Option<&Bound<'_, PyDict>>) -> PyResult<BigUint> {
        let at = position(self.solution(), at)?;
        Ok(run::short(py, options, |ask| self.solution().grundy(&at, ask))?.grundy.0)
    }

    #[pyo3(signature = (at, options = None))]
    fn winning_moves<'py>(
        &self,
        py: Python<'py>,
        at: &Bound<'py, PyAny>,
        options: Option<&Bound<'py, PyDict>>,
    ) -> PyResult<Bound<'py, PyList>> {
        let at = position(self.solution(), at)?;
        let found = run::short(py, options, |ask| self.solution().winning_moves(&at, ask))?;
        from_positions(py, &found.moves)
    }

    #[pyo3(signature = (sizes, options = None))]
    fn count(&self, py: Python<'_>, sizes: Vec<BigUint>, options: Option<&Bound<'_, PyDict>>) -> PyResult<BigUint> {
        Ok(run::long(py, options, |ask| self.solution().count(&sizes, ask))?.count.0)
    }

    #[pyo3(signature = (p, q, options = None))]
    fn congruent(
        &self,
        py: Python<'_>,
        p: &Bound<'_, PyAny>,
        q: &Bound<'_, PyAny>,
        options: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<Report> {
        let (p, q) = (position(self.solution(), p)?, position(self.solution(), q)?);
        told(py, &run::long(py, options, |ask| self.solution().congruent(&p, &q, ask))?)
    }

    #[pyo3(signature = (form, options = None))]
    fn convert(&self, py: Python<'_>, form: &str, options: Option<&Bound<'_, PyDict>>) -> PyResult<Self> {
        let form: Form = form.parse().map_err(|error| raised(py, error))?;
        run::long(py, options, |ask| self.sure()?.convert(form, ask)).map(Self::proved)
    }

    /// The strategy written out in its own form.
    #[pyo3(signature = (syntax_name, options = None))]
    fn show(&self, py: Python<'_>, syntax_name: &str, options: Option<&Bound<'_, PyDict>>) -> PyResult<Report> {
        let syntax = syntax(syntax_name)?;
        told(py, &run::long(py, options, |ask| self.solution().show(syntax, ask))?)
    }

    /// The strategy written out, converted where its own form has no text in this syntax.
    #[pyo3(signature = (syntax_name, options = None))]
    fn written(&self, py: Python<'_>, syntax_name: &str, options: Option<&Bound<'_, PyDict>>) -> PyResult<Report> {
        let Some(syntax) = syntax(syntax_name)? else { return self.show(py, "json", options) };
        told(py, &run::long(py, options, |ask| self.sure()?.written_in(syntax, ask))?)
    }

    #[pyo3(signature = (name, options = None))]
    fn quotient(&self, py: Python<'_>, name: &str, options: Option<&Bound<'_, PyDict>>) -> PyResult<QuotientFound> {
        quotient_found(py, &run::long(py, options, |ask| self.sure()?.quotient(name, ask))?)
    }

    #[pyo3(signature = (name, sizes = None, slice = None, grundy = false, options = None))]
    fn plot(
        &self,
        py: Python<'_>,
        name: &str,
        sizes: Option<String>,
        slice: Option<String>,
        grundy: bool,
        options: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<Picture> {
        let plot = PlotAsk { sizes, slice, grundy, ..PlotAsk::default() };
        Ok(picture(&run::long(py, options, |ask| self.solution().plot(name, &plot, ask))?))
    }

    /// Refuses the strategy where it is one of another game or play.
    #[pyo3(signature = (game, options = None))]
    fn belongs_to(
        &self,
        py: Python<'_>,
        game: &crate::game::Game,
        options: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<()> {
        run::long(py, options, |ask| self.solution().belongs_to(&game.game, ask))
    }
}
