//! Rulesets written in Python: a function gives the options of a position; the search and its memory are here.
//!
//! The function is asked once for each position that can be reached; positions become numbers, and the search goes on without
//! Python.

use std::collections::HashSet;
use std::sync::{Mutex, MutexGuard, PoisonError, RwLock};

use impartial::outcome::Play;
use impartial::ruleset::Ruleset;
use impartial::run::{Monitor, StopReason};
use impartial::solve::search::{Found, Search};
use pyo3::exceptions::{PyRuntimeError, PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList};

use crate::error::raised;
use crate::run;

/// No more positions than this are remembered.
const MOST: usize = 20_000_000;

/// A ruleset: `options(position)` lists the options; each is a list of the components that take the position's place.
#[pyclass(frozen, module = "impartial._impartial")]
pub(crate) struct Rules {
    options: Py<PyAny>,
    /// Position → number.
    numbers: Py<PyDict>,
    /// Number → position.
    positions: Py<PyList>,
    graph: Graph,
    found: Mutex<Found<u32>>,
}

/// The options of a position: lists of components.
type Options = Box<[Vec<u32>]>;

/// The options of the positions that were met, by their numbers.
#[derive(Default)]
struct Graph(RwLock<Vec<Option<Options>>>);

impl Graph {
    fn list(&self, component: u32) -> Option<Vec<Vec<u32>>> {
        let lists = self.0.read().unwrap_or_else(PoisonError::into_inner);
        lists.get(component as usize)?.as_ref().map(|list| list.to_vec())
    }

    fn has(&self, component: u32) -> bool {
        let lists = self.0.read().unwrap_or_else(PoisonError::into_inner);
        lists.get(component as usize).is_some_and(Option::is_some)
    }

    fn keep(&self, component: u32, list: &[Vec<u32>]) {
        let mut lists = self.0.write().unwrap_or_else(PoisonError::into_inner);
        let at = component as usize;
        if lists.len() <= at {
            lists.resize(at + 1, None);
        }
        lists[at] = Some(list.into());
    }
}

impl Ruleset for Graph {
    type Component = u32;

    fn options(&self, component: &u32) -> Vec<Vec<u32>> {
        self.list(*component).expect("every position that can be reached was walked to")
    }
}

/// A position on the way down, and how many of its followers were looked at.
struct Frame {
    number: u32,
    followers: Vec<u32>,
    seen: usize,
}

impl Rules {
    fn number(&self, py: Python<'_>, position: &Bound<'_, PyAny>) -> PyResult<u32> {
        let numbers = self.numbers.bind(py);
        if let Some(number) = numbers.get_item(position).map_err(|error| unhashable(py, error, position))? {
            return number.extract();
        }
        let positions = self.positions.bind(py);
        if positions.len() >= MOST {
            return Err(raised(py, StopReason::Size { what: "positions in memory", limit: MOST as u64 }.into()));
        }
        let number = u32::try_from(positions.len()).map_err(|_| PyRuntimeError::new_err("too many positions"))?;
        numbers.set_item(position, number)?;
        positions.append(position)?;
        Ok(number)
    }

    /// Asks the function.
    fn listed(&self, py: Python<'_>, component: u32) -> PyResult<Vec<Vec<u32>>> {
        let position = self.positions.bind(py).get_item(component as usize)?;
        let mut list = Vec::new();
        for option in self.options.bind(py).call1((position,))?.try_iter()? {
            let mut parts = Vec::new();
            for part in option?.try_iter()? {
                parts.push(self.number(py, &part?)?);
            }
            parts.sort_unstable();
            list.push(parts);
        }
        list.sort_unstable();
        list.dedup();
        Ok(list)
    }

    /// Goes to every position that can be reached, and refuses ways that lead back to where they began. What is known when this
    /// ends is closed under options.
    fn walk(&self, py: Python<'_>, root: u32, monitor: &dyn Monitor) -> PyResult<()> {
        if self.graph.has(root) {
            return Ok(());
        }
        let mut above = HashSet::new();
        let mut done: Vec<(u32, Vec<Vec<u32>>)> = Vec::new();
        let mut finished = HashSet::new();
        let mut stack: Vec<(Frame, Vec<Vec<u32>>)> = Vec::new();
        let mut enter = Some(root);
        loop {
            if let Some(number) = enter.take() {
                monitor.check(done.len() as u64, None).map_err(|why| raised(py, why.into()))?;
                let list = self.listed(py, number)?;
                let mut followers: Vec<u32> = list.iter().flatten().copied().collect();
                followers.sort_unstable();
                followers.dedup();
                above.insert(number);
                stack.push((Frame { number, followers, seen: 0 }, list));
            }
            let Some((frame, _)) = stack.last_mut() else { break };
            while let Some(&next) = frame.followers.get(frame.seen) {
                if above.contains(&next) {
                    let position = self.positions.bind(py).get_item(next as usize)?.repr()?.to_string();
                    return Err(PyValueError::new_err(format!(
                        "{position} can be reached from itself; every sequence of moves must end: mend options()"
                    )));
                }
                if !finished.contains(&next) && !self.graph.has(next) {
                    enter = Some(next);
                    break;
                }
                frame.seen += 1;
            }
            if enter.is_none()
                && let Some((frame, list)) = stack.pop()
            {
                above.remove(&frame.number);
                finished.insert(frame.number);
                done.push((frame.number, list));
            }
        }
        for (number, list) in done {
            self.graph.keep(number, &list);
        }
        Ok(())
    }

    fn found(&self) -> MutexGuard<'_, Found<u32>> {
        self.found.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn search<T: Send>(
        &self,
        py: Python<'_>,
        position: &Bound<'_, PyList>,
        options: Option<&Bound<'_, PyDict>>,
        question: impl FnOnce(&mut Search<'_, Graph>, Play, &[u32]) -> Result<T, StopReason> + Send,
    ) -> PyResult<T> {
        run::attached(py, options, |monitor, play| {
            let mut parts = Vec::new();
            for part in position {
                let number = self.number(py, &part)?;
                self.walk(py, number, monitor)?;
                parts.push(number);
            }
            let answer = py.detach(|| {
                // Threads that ask the same rules at the same time begin anew, and disturb nothing.
                let known = std::mem::take(&mut *self.found());
                let mut search = Search::new(&self.graph, monitor).knowing(known);
                let answer = question(&mut search, play, &parts);
                *self.found() = search.into_found();
                answer
            });
            answer.map_err(|why| raised(py, why.into()))
        })
    }
}

fn unhashable(py: Python<'_>, error: PyErr, position: &Bound<'_, PyAny>) -> PyErr {
    if !error.is_instance_of::<PyTypeError>(py) {
        return error;
    }
    let text = position.repr().map_or_else(|_| "a position".to_owned(), |text| text.to_string());
    PyTypeError::new_err(format!("{text} cannot be remembered; positions are hashable: give tuples, not lists"))
}

#[pymethods]
impl Rules {
    #[new]
    fn new(py: Python<'_>, options: Py<PyAny>) -> Self {
        Self {
            options,
            numbers: PyDict::new(py).unbind(),
            positions: PyList::empty(py).unbind(),
            graph: Graph::default(),
            found: Mutex::new(Found::default()),
        }
    }

    /// The number of positions that were met.
    #[getter]
    fn known(&self, py: Python<'_>) -> usize {
        self.positions.bind(py).len()
    }

    #[pyo3(signature = (position, options = None))]
    fn grundy(
        &self,
        py: Python<'_>,
        position: &Bound<'_, PyList>,
        options: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<u64> {
        self.search(py, position, options, |search, _, position| search.grundy(position))
    }

    #[pyo3(signature = (position, options = None))]
    fn outcome(
        &self,
        py: Python<'_>,
        position: &Bound<'_, PyList>,
        options: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<&'static str> {
        let found = self.search(py, position, options, |search, play, position| search.outcome(play, position))?;
        Ok(if found.is_p() { "P" } else { "N" })
    }

    #[pyo3(signature = (position, options = None))]
    fn winning_moves<'py>(
        &self,
        py: Python<'py>,
        position: &Bound<'py, PyList>,
        options: Option<&Bound<'py, PyDict>>,
    ) -> PyResult<Vec<Bound<'py, PyList>>> {
        let moves =
            self.search(py, position, options, |search, play, position| search.winning_moves(play, position))?;
        let positions = self.positions.bind(py);
        let part = |&number: &u32| positions.get_item(number as usize);
        moves.iter().map(|parts| PyList::new(py, parts.iter().map(part).collect::<PyResult<Vec<_>>>()?)).collect()
    }
}
