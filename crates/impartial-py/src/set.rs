//! Sets of integer vectors.

use impartial::Error;
use num_bigint::{BigInt, BigUint};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};

use crate::run;
use crate::strategy::Strategy;
use crate::value::{Report, numbers, report};

/// A set of vectors of ℕᵈ.
#[pyclass(frozen, module = "impartial._impartial")]
pub(crate) struct Set(impartial::game::Set);

#[pymethods]
impl Set {
    /// Reads the text of a set file or of a strategy file.
    #[staticmethod]
    #[pyo3(signature = (text, options = None))]
    fn open(py: Python<'_>, text: &str, options: Option<&Bound<'_, PyDict>>) -> PyResult<Self> {
        run::long(py, options, |ask| impartial::game::Set::open(text, ask)).map(Self)
    }

    /// The P-positions of a strategy.
    #[staticmethod]
    #[pyo3(signature = (strategy, options = None))]
    fn of_strategy(py: Python<'_>, strategy: &Strategy, options: Option<&Bound<'_, PyDict>>) -> PyResult<Self> {
        run::long(py, options, |ask| impartial::game::Set::of_strategy(strategy.sure()?, ask)).map(Self)
    }

    #[getter]
    fn dimension(&self) -> usize {
        self.0.dimension()
    }

    /// `union`, `intersection` or `difference` with another set.
    #[pyo3(signature = (how, other, options = None))]
    fn combined(&self, py: Python<'_>, how: &str, other: &Self, options: Option<&Bound<'_, PyDict>>) -> PyResult<Self> {
        run::long(py, options, |ask| match how {
            "union" => self.0.union(&other.0, ask),
            "intersection" => self.0.intersection(&other.0, ask),
            "difference" => self.0.difference(&other.0, ask),
            other => Err(Error::input(format!("sets have no operation {other}"))),
        })
        .map(Self)
    }

    #[pyo3(signature = (options = None))]
    fn complement(&self, py: Python<'_>, options: Option<&Bound<'_, PyDict>>) -> PyResult<Self> {
        run::long(py, options, |ask| self.0.complement(ask)).map(Self)
    }

    #[pyo3(signature = (by, options = None))]
    fn translate(&self, py: Python<'_>, by: &Bound<'_, PyAny>, options: Option<&Bound<'_, PyDict>>) -> PyResult<Self> {
        let by: Vec<BigInt> = numbers(by)?;
        run::long(py, options, |ask| self.0.translate(&by, ask)).map(Self)
    }

    #[pyo3(signature = (to, options = None))]
    fn project(&self, py: Python<'_>, to: Vec<usize>, options: Option<&Bound<'_, PyDict>>) -> PyResult<Self> {
        run::long(py, options, |ask| self.0.project(&to, ask)).map(Self)
    }

    #[pyo3(signature = (x, options = None))]
    fn contains(&self, py: Python<'_>, x: &Bound<'_, PyAny>, options: Option<&Bound<'_, PyDict>>) -> PyResult<bool> {
        let x: Vec<BigInt> = numbers(x)?;
        run::short(py, options, |ask| self.0.contains(&x, ask).map(|report| report.contains))
    }

    #[pyo3(signature = (other, options = None))]
    fn equal(&self, py: Python<'_>, other: &Self, options: Option<&Bound<'_, PyDict>>) -> PyResult<Report> {
        report(py, &run::long(py, options, |ask| self.0.equal(&other.0, ask))?)
    }

    #[pyo3(signature = (sizes, options = None))]
    fn count(&self, py: Python<'_>, sizes: Vec<BigUint>, options: Option<&Bound<'_, PyDict>>) -> PyResult<BigUint> {
        Ok(run::long(py, options, |ask| self.0.count(&sizes, ask))?.count.0)
    }

    #[pyo3(signature = (sizes, options = None))]
    fn members<'py>(
        &self,
        py: Python<'py>,
        sizes: Vec<BigUint>,
        options: Option<&Bound<'py, PyDict>>,
    ) -> PyResult<Vec<Bound<'py, PyTuple>>> {
        let found = run::long(py, options, |ask| self.0.members(&sizes, ask))?;
        found.members.into_iter().map(|x| PyTuple::new(py, x.into_iter().map(|n| n.0))).collect()
    }

    #[pyo3(signature = (options = None))]
    fn hilbert_basis(&self, py: Python<'_>, options: Option<&Bound<'_, PyDict>>) -> PyResult<Report> {
        report(py, &run::long(py, options, |ask| self.0.hilbert_basis(ask))?)
    }

    #[pyo3(signature = (grading = None, options = None))]
    fn hilbert_series(
        &self,
        py: Python<'_>,
        grading: Option<&Bound<'_, PyAny>>,
        options: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<Report> {
        let grading: Option<Vec<BigInt>> = grading.map(numbers).transpose()?;
        report(py, &run::long(py, options, |ask| self.0.hilbert_series(grading.as_deref(), ask))?)
    }

    /// The set as strata, and as the text of a set file.
    #[pyo3(signature = (options = None))]
    fn report(&self, py: Python<'_>, options: Option<&Bound<'_, PyDict>>) -> PyResult<(Report, String)> {
        let found = run::long(py, options, |ask| self.0.report(ask))?;
        Ok((report(py, &found)?, found.to_toml()))
    }
}
