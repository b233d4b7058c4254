//! Reports and positions, from and to Python.

use std::fmt::Display;

use impartial::Position;
use num_bigint::BigInt;
use pyo3::exceptions::{PyRuntimeError, PyTypeError};
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyByteArray, PyBytes, PyDict, PyFloat, PyFrozenSet, PyList, PySet, PyString, PyTuple};
use serde::Serialize;
use serde_json::Value;

use crate::error::raised;

/// The keys of a report and its text.
pub(crate) type Report = (Py<PyDict>, String);

/// A report as a dictionary and a text.
pub(crate) fn report(py: Python<'_>, report: &(impl Serialize + Display)) -> PyResult<Report> {
    let value = serde_json::to_value(report).map_err(|error| PyRuntimeError::new_err(error.to_string()))?;
    let dict = PyDict::new(py);
    if let Value::Object(map) = &value {
        for (key, value) in map {
            dict.set_item(key, to_python(py, value)?)?;
        }
    }
    Ok((dict.unbind(), report.to_string()))
}

/// JSON as Python's objects.
pub(crate) fn to_python<'py>(py: Python<'py>, value: &Value) -> PyResult<Bound<'py, PyAny>> {
    Ok(match value {
        Value::Null => py.None().into_bound(py),
        Value::Bool(flag) => PyBool::new(py, *flag).to_owned().into_any(),
        Value::Number(n) => match (n.as_u64(), n.as_i64()) {
            (Some(n), _) => n.into_pyobject(py)?.into_any(),
            (None, Some(n)) => n.into_pyobject(py)?.into_any(),
            _ => PyFloat::new(py, n.as_f64().unwrap_or(f64::NAN)).into_any(),
        },
        Value::String(text) => PyString::new(py, text).into_any(),
        Value::Array(list) => {
            let list = list.iter().map(|value| to_python(py, value)).collect::<PyResult<Vec<_>>>()?;
            PyList::new(py, list)?.into_any()
        }
        Value::Object(map) => {
            let dict = PyDict::new(py);
            for (key, value) in map {
                dict.set_item(key, to_python(py, value)?)?;
            }
            dict.into_any()
        }
    })
}

/// Who reads positions: a game, or a strategy of it.
pub(crate) trait Reads {
    fn read(&self, text: &str) -> impartial::Result<Position>;
    fn of_numbers(&self, numbers: &[BigInt]) -> impartial::Result<Position>;
}

/// An integer of any size; no bool and no float.
fn number(object: &Bound<'_, PyAny>) -> Option<BigInt> {
    if object.is_instance_of::<PyBool>() {
        return None;
    }
    match object.extract::<i64>() {
        Ok(small) => Some(small.into()),
        Err(_) => object.extract().ok(),
    }
}

/// The integers of a tuple, a list or another iterable.
pub(crate) fn numbers(object: &Bound<'_, PyAny>) -> PyResult<Vec<BigInt>> {
    let entry = |entry: &Bound<'_, PyAny>| {
        number(entry).ok_or_else(|| PyTypeError::new_err(format!("{} is no integer; give integers", shown(entry))))
    };
    if let Ok(tuple) = object.cast::<PyTuple>() {
        return tuple.iter_borrowed().map(|x| entry(&x)).collect();
    }
    object.try_iter()?.map(|x| entry(&x?)).collect()
}

/// An object in a message.
fn shown(object: &Bound<'_, PyAny>) -> String {
    let text = object.repr().map_or_else(|_| "the argument".to_owned(), |text| text.to_string());
    let kind = object.get_type().name().map_or_else(|_| String::new(), |name| name.to_string());
    format!("{} ({kind})", text.chars().take(60).collect::<String>())
}

/// A position: an int (one heap), a tuple or list of ints, text, a set of names (of a poset), or a list of positions (of a sum).
pub(crate) fn position(reader: &impl Reads, object: &Bound<'_, PyAny>) -> PyResult<Position> {
    let py = object.py();
    let read = |text: &str| reader.read(text).map_err(|error| raised(py, error));
    let of = |numbers: &[BigInt]| reader.of_numbers(numbers).map_err(|error| raised(py, error));
    if let Ok(text) = object.cast::<PyString>() {
        return read(&text.to_cow()?);
    }
    if let Some(heap) = number(object) {
        return of(&[heap]);
    }
    if object.is_instance_of::<PySet>() || object.is_instance_of::<PyFrozenSet>() {
        let mut names = object.try_iter()?.map(|x| Ok(x?.str()?.to_string())).collect::<PyResult<Vec<_>>>()?;
        names.sort();
        return read(&format!("{{{}}}", names.join(",")));
    }
    let unfit = || {
        PyTypeError::new_err(format!(
            "{} is no position; give an int, a tuple or list of ints such as (3, 5), or text such as \"3+5\"",
            shown(object)
        ))
    };
    if object.is_instance_of::<PyBool>()
        || object.is_instance_of::<PyBytes>()
        || object.is_instance_of::<PyByteArray>()
        || object.is_instance_of::<PyDict>()
    {
        return Err(unfit());
    }
    let entries: Vec<Bound<'_, PyAny>> = object.try_iter().map_err(|_| unfit())?.collect::<PyResult<_>>()?;
    if let Some(numbers) = entries.iter().map(number).collect::<Option<Vec<BigInt>>>() {
        return of(&numbers);
    }
    // A sum: positions of its parts, in words.
    let part = |entry: &Bound<'_, PyAny>| {
        if let Ok(text) = entry.cast::<PyString>() {
            return Ok(text.to_cow()?.into_owned());
        }
        if let Some(n) = number(entry) {
            return Ok(n.to_string());
        }
        if entry.is_instance_of::<PyTuple>() || entry.is_instance_of::<PyList>() {
            let list: Vec<String> = numbers(entry)?.iter().map(ToString::to_string).collect();
            return Ok(list.join(","));
        }
        Err(unfit())
    };
    let parts = entries.iter().map(part).collect::<PyResult<Vec<String>>>()?;
    read(&parts.join("|"))
}

/// A position as Python sees it: a tuple of ints where it is made of numbers, else its text.
pub(crate) fn from_position<'py>(py: Python<'py>, position: &Position) -> PyResult<Bound<'py, PyAny>> {
    match position.numbers() {
        Some(numbers) => Ok(PyTuple::new(py, numbers)?.into_any()),
        None => Ok(PyString::new(py, position.as_str()).into_any()),
    }
}

/// A list of positions.
pub(crate) fn from_positions<'py>(py: Python<'py>, list: &[Position]) -> PyResult<Bound<'py, PyList>> {
    let list = list.iter().map(|position| from_position(py, position)).collect::<PyResult<Vec<_>>>()?;
    PyList::new(py, list)
}
