//! Games.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Mutex;

use impartial::game::report::{GrundyReport, MovesReport, OutcomeReport};
use impartial::{Error, PlotAsk, Position};
use num_bigint::{BigInt, BigUint};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyList};

use crate::error::raised;
use crate::run;
use crate::strategy::{Picture, QuotientFound, Strategy, picture, quotient_found};
use crate::value::{Reads, Report, from_position, from_positions, position, report};

/// A game, and the text of the files it was read from: with them it is read again elsewhere.
#[pyclass(frozen, module = "impartial._impartial")]
pub(crate) struct Game {
    pub(crate) game: impartial::Game,
    files: BTreeMap<String, String>,
}

impl Reads for impartial::Game {
    fn read(&self, text: &str) -> impartial::Result<Position> {
        self.position(text)
    }

    fn of_numbers(&self, numbers: &[BigInt]) -> impartial::Result<Position> {
        self.position_of(numbers)
    }
}

/// Opens game files, as the command does: what looks like a path, and parts of sums beside the file that names them.
pub(crate) fn open_file(base: &str, name: &str) -> impartial::Result<Option<(String, String)>> {
    let beside = Path::new(base).parent().map(|folder| folder.join(name)).filter(|p| !base.is_empty() && p.is_file());
    let looks_like_path = name.contains(['/', std::path::MAIN_SEPARATOR])
        || Path::new(name).extension().is_some_and(|extension| extension.eq_ignore_ascii_case("toml"));
    let Some(path) = beside.or_else(|| looks_like_path.then(|| name.into())) else { return Ok(None) };
    let place = path.display().to_string();
    match std::fs::read_to_string(&path) {
        Ok(text) => Ok(Some((place, text))),
        Err(error) => Err(Error::Input(format!("{place}: {error}; check the path"))),
    }
}

#[pymethods]
impl Game {
    /// A game by its name, notation or file; `files` are texts of files that need not be there.
    #[new]
    #[pyo3(signature = (text, files = None))]
    fn new(py: Python<'_>, text: &str, files: Option<BTreeMap<String, String>>) -> PyResult<Self> {
        let known = files.unwrap_or_default();
        let opened = Mutex::new(BTreeMap::new());
        let opener = |base: &str, name: &str| {
            let key = format!("{base}\n{name}");
            let found = match known.get(&key) {
                Some(kept) => kept.split_once('\n').map(|(place, text)| (place.to_owned(), text.to_owned())),
                None => open_file(base, name)?,
            };
            if let (Some((place, text)), Ok(mut opened)) = (&found, opened.lock()) {
                opened.insert(key, format!("{place}\n{text}"));
            }
            Ok(found)
        };
        let game = if text.contains('\n') {
            impartial::Game::from_file("game file", text, &opener)
        } else {
            impartial::Game::open(text, &opener)
        };
        let game = game.map_err(|error| raised(py, error))?;
        let files = opened.into_inner().unwrap_or_default();
        Ok(Self { game, files })
    }

    /// The text of a game file, from its content as a dictionary in JSON.
    #[staticmethod]
    fn toml(json: &str) -> PyResult<String> {
        let value: toml::Table = serde_json::from_str(json)
            .map_err(|error| PyValueError::new_err(format!("the game is no content of a game file: {error}")))?;
        Ok(format!("{value}\n"))
    }

    #[getter]
    fn files(&self) -> BTreeMap<String, String> {
        self.files.clone()
    }

    #[getter]
    fn name(&self) -> &str {
        self.game.name()
    }

    #[getter]
    fn kind(&self) -> &'static str {
        self.game.kind()
    }

    /// The canonical form of a position.
    fn position<'py>(&self, py: Python<'py>, at: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        from_position(py, &position(&self.game, at)?)
    }

    /// The text of a position.
    fn text(&self, at: &Bound<'_, PyAny>) -> PyResult<String> {
        Ok(position(&self.game, at)?.to_string())
    }

    /// A picture of a position in characters.
    fn drawing(&self, py: Python<'_>, at: &Bound<'_, PyAny>) -> PyResult<String> {
        self.game.drawing(&position(&self.game, at)?).map_err(|error| raised(py, error))
    }

    fn start<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        from_position(py, &self.game.start().map_err(|error| raised(py, error))?)
    }

    fn options<'py>(&self, py: Python<'py>, at: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyList>> {
        let at = position(&self.game, at)?;
        let list = run::long(py, None, |_| self.game.options(&at))?;
        from_positions(py, &list)
    }

    #[pyo3(signature = (at, options = None))]
    fn outcome(
        &self,
        py: Python<'_>,
        at: &Bound<'_, PyAny>,
        options: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<&'static str> {
        let at = position(&self.game, at)?;
        let found: OutcomeReport = run::long(py, options, |ask| self.game.outcome(&at, ask))?;
        Ok(if found.outcome.is_p() { "P" } else { "N" })
    }

    #[pyo3(signature = (at, options = None))]
    fn grundy(&self, py: Python<'_>, at: &Bound<'_, PyAny>, options: Option<&Bound<'_, PyDict>>) -> PyResult<BigUint> {
        let at = position(&self.game, at)?;
        let found: GrundyReport = run::long(py, options, |ask| self.game.grundy(&at, ask))?;
        Ok(found.grundy.0)
    }

    #[pyo3(signature = (at, options = None))]
    fn winning_moves<'py>(
        &self,
        py: Python<'py>,
        at: &Bound<'py, PyAny>,
        options: Option<&Bound<'py, PyDict>>,
    ) -> PyResult<Bound<'py, PyList>> {
        let at = position(&self.game, at)?;
        let found: MovesReport = run::long(py, options, |ask| self.game.winning_moves(&at, ask))?;
        from_positions(py, &found.moves)
    }

    #[pyo3(signature = (options = None))]
    fn info(&self, py: Python<'_>, options: Option<&Bound<'_, PyDict>>) -> PyResult<Report> {
        report(py, &run::long(py, options, |ask| self.game.info(ask))?)
    }

    /// The Grundy values of heaps 0, 1, …, `to`: four bytes a value, in the machine's order.
    #[pyo3(signature = (to, options = None))]
    fn values<'py>(
        &self,
        py: Python<'py>,
        to: &Bound<'py, PyAny>,
        options: Option<&Bound<'py, PyDict>>,
    ) -> PyResult<Bound<'py, PyBytes>> {
        let to = run::natural("to", to)?;
        let found = run::long(py, options, |ask| self.game.values(to, false, None, ask))?;
        PyBytes::new_with(py, 4 * found.values.len(), |bytes| {
            for (place, value) in bytes.as_chunks_mut::<4>().0.iter_mut().zip(&found.values) {
                *place = value.to_ne_bytes();
            }
            Ok(())
        })
    }

    #[pyo3(signature = (options = None))]
    fn period(&self, py: Python<'_>, options: Option<&Bound<'_, PyDict>>) -> PyResult<Report> {
        report(py, &run::long(py, options, |ask| self.game.period(ask))?)
    }

    /// The period with the strategy that proves it, where it is proved.
    #[pyo3(signature = (options = None))]
    fn period_and_proof(
        &self,
        py: Python<'_>,
        options: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<(Report, Option<Strategy>)> {
        let (found, proof) = run::long(py, options, |ask| self.game.period_and_proof(None, ask))?;
        Ok((report(py, &found)?, proof.map(Strategy::proved)))
    }

    #[pyo3(signature = (grundy, options = None))]
    fn solve(&self, py: Python<'_>, grundy: bool, options: Option<&Bound<'_, PyDict>>) -> PyResult<Strategy> {
        let question =
            |ask: &impartial::Ask<'_>| if grundy { self.game.solve_grundy(ask) } else { self.game.solve(ask) };
        run::long(py, options, question).map(Strategy::proved)
    }

    #[pyo3(signature = (sizes, options = None))]
    fn count(&self, py: Python<'_>, sizes: Vec<BigUint>, options: Option<&Bound<'_, PyDict>>) -> PyResult<BigUint> {
        Ok(run::long(py, options, |ask| self.game.count(&sizes, ask))?.count.0)
    }

    #[pyo3(signature = (p, q, options = None))]
    fn congruent(
        &self,
        py: Python<'_>,
        p: &Bound<'_, PyAny>,
        q: &Bound<'_, PyAny>,
        options: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<Report> {
        let (p, q) = (position(&self.game, p)?, position(&self.game, q)?);
        report(py, &run::long(py, options, |ask| self.game.congruent(&p, &q, ask))?)
    }

    #[pyo3(signature = (options = None))]
    fn quotient(&self, py: Python<'_>, options: Option<&Bound<'_, PyDict>>) -> PyResult<QuotientFound> {
        quotient_found(py, &run::long(py, options, |ask| self.game.quotient(ask))?)
    }

    #[pyo3(signature = (value, at = None, options = None))]
    fn chains(
        &self,
        py: Python<'_>,
        value: u64,
        at: Option<BigUint>,
        options: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<Report> {
        let found = run::long(py, options, |ask| self.game.chains(value, at.as_ref(), ask))?;
        let (keys, text) = report(py, &found)?;
        // Numbers of any size, which JSON writes as text.
        if let Some(at) = at {
            keys.bind(py).set_item("at", at)?;
            keys.bind(py).set_item("n", found.n.flatten().map(|n| n.0))?;
        }
        Ok((keys, text))
    }

    #[pyo3(signature = (sizes = None, slice = None, grundy = false, options = None))]
    fn plot(
        &self,
        py: Python<'_>,
        sizes: Option<String>,
        slice: Option<String>,
        grundy: bool,
        options: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<Picture> {
        let plot = PlotAsk { sizes, slice, grundy, ..PlotAsk::default() };
        Ok(picture(&run::long(py, options, |ask| self.game.plot(&plot, ask))?))
    }

    /// The game as the text of a lattice game file.
    #[pyo3(signature = (options = None))]
    fn lattice(&self, py: Python<'_>, options: Option<&Bound<'_, PyDict>>) -> PyResult<String> {
        run::long(py, options, |ask| self.game.lattice_toml(ask))
    }
}
