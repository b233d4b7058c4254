//! Terms, series, and what is linear in them.

use std::fmt;

use serde::{Deserialize, Serialize};
use thiserror::Error;

use super::functional::{common_functional, generic_functional};
use crate::integer::{Int, Rat, Vector, add, dot, is_zero_vector, negated, sub};
use crate::polyhedron::LatticePointsError;
use crate::run::StopReason;

/// The rational function `coefficient · t^exponent / Π (1 − t^a)` over the denominators a.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Term {
    /// The exponents of the binomials in the denominator, with repetitions; none is 0.
    pub denominators: Vec<Vector>,
    /// The exponent of the numerator.
    pub exponent: Vector,
    /// The coefficient α.
    pub coefficient: Rat,
}

/// Why an operation on series was not possible.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum SeriesError {
    /// A vector of the wrong length.
    #[error(
        "a vector has {found} entries where {dimension} variables are used; give every vector one entry a variable"
    )]
    Length {
        /// The number of variables.
        dimension: usize,
        /// The length found.
        found: usize,
    },
    /// A denominator 1 − t⁰.
    #[error("a denominator 1 − t^0 vanishes; leave out zero vectors")]
    ZeroDenominator,
    /// No direction makes all expansions agree.
    #[error(
        "the denominators do not lie in a common open half space, so that the series cannot be expanded together; use sets in one pointed cone"
    )]
    Incompatible,
    /// From the geometry beneath.
    #[error(transparent)]
    Geometry(#[from] LatticePointsError),
    /// A limit was reached.
    #[error("{0}")]
    Stopped(StopReason),
}

impl From<StopReason> for SeriesError {
    fn from(why: StopReason) -> Self {
        Self::Stopped(why)
    }
}

impl SeriesError {
    /// The reason of a stopped run, if this is one.
    pub fn stop_reason(&self) -> Option<&StopReason> {
        match self {
            Self::Stopped(why) | Self::Geometry(LatticePointsError::Stopped(why)) => Some(why),
            _ => None,
        }
    }
}

/// A sum of terms, expanded as a Laurent series in the direction of a functional.
///
/// Invariant: the functional is positive on every denominator.
///
/// ```
/// use semilinear::{integer::{Rat, vector}, run::Unlimited, series::Series};
/// let f = Series::of_module(2, &[vector(&[0, 0]), vector(&[1, 1])], &[vector(&[2, 0]), vector(&[0, 2])]).unwrap();
/// assert_eq!(f.terms().len(), 2);
/// assert_eq!(f.to_string(), "1/((1-y^2)(1-x^2)) + x*y/((1-y^2)(1-x^2))");
/// assert_eq!(f.coefficient(&vector(&[3, 5]), &Unlimited).unwrap(), Rat::ONE);
/// assert_eq!(f.coefficient(&vector(&[3, 4]), &Unlimited).unwrap(), Rat::ZERO);
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Series {
    dimension: usize,
    functional: Vector,
    terms: Vec<Term>,
}

impl Series {
    /// The zero series.
    pub fn zero(dimension: usize) -> Self {
        Self { dimension, functional: vec![Int::ONE; dimension], terms: Vec::new() }
    }

    /// The series of a rational function whose Laurent expansion is wanted in a direction near `functional`.
    ///
    /// Factors that point the other way are turned: `1/(1 − t^a) = −t^(−a)/(1 − t^(−a))`. Where the functional vanishes on a
    /// denominator it is changed a little, but stays positive on the vectors `positive` (the recession cone of the support).
    pub fn oriented(
        dimension: usize,
        functional: &[Int],
        positive: &[Vector],
        mut terms: Vec<Term>,
    ) -> Result<Self, SeriesError> {
        for term in &terms {
            for a in term.denominators.iter().chain([&term.exponent]) {
                if a.len() != dimension {
                    return Err(SeriesError::Length { dimension, found: a.len() });
                }
            }
            if term.denominators.iter().any(|a| is_zero_vector(a)) {
                return Err(SeriesError::ZeroDenominator);
            }
        }
        let functional = generic_functional(functional, positive, &terms.iter().flat_map(|t| &t.denominators));
        for term in &mut terms {
            for a in &mut term.denominators {
                if dot(&functional, a).is_negative() {
                    term.coefficient = -&term.coefficient;
                    term.exponent = sub(&term.exponent, a);
                    *a = negated(a);
                }
            }
            term.denominators.sort();
        }
        let mut series = Self { dimension, functional, terms };
        series.merge();
        Ok(series)
    }

    /// A sum of terms, all expanded as they are written: `1/(1 − t^a) = 1 + t^a + t^2a + …`.
    pub fn new(dimension: usize, terms: Vec<Term>) -> Result<Self, SeriesError> {
        for term in &terms {
            if let Some(a) = term.denominators.iter().chain([&term.exponent]).find(|a| a.len() != dimension) {
                return Err(SeriesError::Length { dimension, found: a.len() });
            }
        }
        let functional = common_functional(dimension, terms.iter().flat_map(|t| &t.denominators))
            .ok_or(SeriesError::Incompatible)?;
        Self::oriented(dimension, &functional, &[], terms)
    }

    /// The series of the module F + ℕV, for linearly independent V and disjoint translates: one term for each element of F
    /// (Guo–Miller 2011, Theorem 5.1 for free strata). In general, the sum over f ∈ F of all representations f + ℕV.
    pub fn of_module(dimension: usize, bases: &[Vector], generators: &[Vector]) -> Result<Self, SeriesError> {
        let terms = bases
            .iter()
            .map(|f| Term { coefficient: Rat::ONE, exponent: f.clone(), denominators: generators.to_vec() })
            .collect();
        Self::new(dimension, terms)
    }

    /// The number of variables.
    pub fn dimension(&self) -> usize {
        self.dimension
    }

    /// The terms, sorted; no two have the same exponent and denominators.
    pub fn terms(&self) -> &[Term] {
        &self.terms
    }

    /// A functional that is positive on every denominator.
    pub fn functional(&self) -> &[Int] {
        &self.functional
    }

    pub(super) fn terms_mut(&mut self) -> &mut Vec<Term> {
        &mut self.terms
    }

    /// Adds up terms with the same exponent and denominators, and drops those that vanish.
    pub(super) fn merge(&mut self) {
        self.terms.sort();
        self.terms.dedup_by(|next, kept| {
            let same = next.exponent == kept.exponent && next.denominators == kept.denominators;
            if same {
                kept.coefficient += &next.coefficient;
            }
            same
        });
        self.terms.retain(|t| !t.coefficient.is_zero());
    }

    /// The sum of two series, if their expansions agree.
    pub fn plus(&self, other: &Self) -> Result<Self, SeriesError> {
        self.combined(other, &Rat::ONE)
    }

    /// The difference of two series, if their expansions agree.
    pub fn minus(&self, other: &Self) -> Result<Self, SeriesError> {
        self.combined(other, &Rat::from(-1))
    }

    fn combined(&self, other: &Self, factor: &Rat) -> Result<Self, SeriesError> {
        let functional = self.common(other)?;
        let mut terms = self.terms.clone();
        terms.extend(other.terms.iter().map(|t| Term { coefficient: &t.coefficient * factor, ..t.clone() }));
        Self::oriented(self.dimension, &functional, &[], terms)
    }

    /// A functional that is positive on the denominators of both: then all expansions stay as they are.
    pub(super) fn common(&self, other: &Self) -> Result<Vector, SeriesError> {
        if self.dimension != other.dimension {
            return Err(SeriesError::Length { dimension: self.dimension, found: other.dimension });
        }
        if other.terms.iter().flat_map(|t| &t.denominators).all(|a| dot(&self.functional, a).is_positive()) {
            return Ok(self.functional.clone());
        }
        let all = self.terms.iter().chain(&other.terms).flat_map(|t| &t.denominators);
        common_functional(self.dimension, all).ok_or(SeriesError::Incompatible)
    }

    /// The product with the monomial `t^shift`: the set moved by `shift`.
    #[must_use]
    pub fn shifted(&self, shift: &[Int]) -> Self {
        let mut moved = self.clone();
        for term in &mut moved.terms {
            term.exponent = add(&term.exponent, shift);
        }
        moved.terms.sort();
        moved
    }

    /// The product with a number.
    #[must_use]
    pub fn scaled(&self, factor: &Rat) -> Self {
        let mut scaled = self.clone();
        for term in &mut scaled.terms {
            term.coefficient = &term.coefficient * factor;
        }
        scaled.merge();
        scaled
    }

    /// The complexity of the series in bits (Guo–Miller 2011, Definition 3.3), with log₂ of max(|x|, 1):
    /// every term counts 1 + d + kd, where k is the largest number of denominators, plus the logarithms of its numbers.
    pub fn complexity(&self) -> f64 {
        let k = self.terms.iter().map(|t| t.denominators.len()).max().unwrap_or(0);
        let each = 1 + self.dimension + k * self.dimension;
        self.terms
            .iter()
            .map(|t| {
                let numbers = [t.coefficient.numerator(), t.coefficient.denominator()];
                let logs: f64 =
                    numbers.into_iter().chain(&t.exponent).chain(t.denominators.iter().flatten()).map(Int::log2).sum();
                logs + f64::from(u32::try_from(each).unwrap_or(u32::MAX))
            })
            .sum()
    }
}

impl fmt::Display for Series {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.terms.is_empty() {
            return f.write_str("0");
        }
        for (i, term) in self.terms.iter().enumerate() {
            let negative = term.coefficient.signum() < 0;
            match (i, negative) {
                (0, false) => {}
                (0, true) => f.write_str("-")?,
                (_, false) => f.write_str(" + ")?,
                (_, true) => f.write_str(" - ")?,
            }
            let size = if negative { -&term.coefficient } else { term.coefficient.clone() };
            let numerator = monomial(&term.exponent);
            match (size == Rat::ONE, numerator.as_str()) {
                (true, _) => f.write_str(&numerator)?,
                (false, "1") => write!(f, "{size}")?,
                (false, _) => write!(f, "{size}*{numerator}")?,
            }
            match term.denominators.as_slice() {
                [] => {}
                [a] => write!(f, "/(1-{})", monomial(a))?,
                many => {
                    f.write_str("/(")?;
                    for a in many {
                        write!(f, "(1-{})", monomial(a))?;
                    }
                    f.write_str(")")?;
                }
            }
        }
        Ok(())
    }
}

/// The name of variable i of d: t; x, y, z; or t1, t2, ….
pub fn variable(i: usize, d: usize) -> String {
    match d {
        1 => "t".into(),
        2 | 3 => ["x", "y", "z"][i].into(),
        _ => format!("t{}", i + 1),
    }
}

fn monomial(exponent: &[Int]) -> String {
    let factors: Vec<String> = exponent
        .iter()
        .enumerate()
        .filter(|(_, e)| !e.is_zero())
        .map(|(i, e)| {
            let name = variable(i, exponent.len());
            match e {
                e if e.is_one() => name,
                e if e.is_negative() => format!("{name}^({e})"),
                e => format!("{name}^{e}"),
            }
        })
        .collect();
    if factors.is_empty() { "1".into() } else { factors.join("*") }
}
