//! What is said of sets.

use std::fmt;

use semilinear::integer::{Int, Vector};
use semilinear::semigroup::Module;
use serde::Serialize;

use crate::game::position::point_text;
use crate::game::report::Natural;

/// A set, as strata.
#[derive(Clone, Debug, Serialize)]
#[non_exhaustive]
pub struct SetReport {
    /// The number of coordinates.
    pub dimension: usize,
    /// The states of its minimal automaton.
    pub states: usize,
    /// The number of strata.
    pub strata: usize,
    /// The number of terms of its generating function, one a stratum.
    pub terms: usize,
    /// The modules.
    pub modules: Vec<Module>,
    /// The set as people write it.
    pub text: String,
}

impl SetReport {
    /// The set as a file that [`Set::open`](super::Set::open) reads.
    pub fn to_toml(&self) -> String {
        let vectors = |list: &[Vec<i64>]| list.iter().map(|v| format!("{v:?}")).collect::<Vec<_>>().join(", ");
        let modules: Vec<String> = self
            .modules
            .iter()
            .map(|m| format!("    {{ bases = [{}], generators = [{}] }},\n", vectors(&m.bases), vectors(&m.generators)))
            .collect();
        // Without vectors nothing else says how many coordinates there are.
        let dimension = if modules.is_empty() { format!("dimension = {}\n", self.dimension) } else { String::new() };
        format!("kind = \"stratification\"\n{dimension}modules = [\n{}]\n", modules.concat())
    }
}

impl fmt::Display for SetReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

/// Whether two sets are equal.
#[derive(Clone, Debug, Serialize)]
#[non_exhaustive]
pub struct EqualReport {
    /// Whether they are.
    pub equal: bool,
    /// A vector in exactly one of them.
    pub witness: Option<String>,
}

impl fmt::Display for EqualReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.witness {
            None => f.write_str("equal"),
            Some(x) => write!(f, "not equal: {x} lies in one of them only"),
        }
    }
}

/// The number of elements in a box.
#[derive(Clone, Debug, Serialize)]
#[non_exhaustive]
pub struct SetCountReport {
    /// The number.
    pub count: Natural,
}

impl fmt::Display for SetCountReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.count)
    }
}

/// The elements in a box.
#[derive(Clone, Debug, Serialize)]
#[non_exhaustive]
pub struct MembersReport {
    /// How many there are.
    pub count: usize,
    /// The elements, sorted.
    pub members: Vec<Vec<Natural>>,
}

impl fmt::Display for MembersReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let lines: Vec<String> = self.members.iter().map(|x| point_text(x)).collect();
        f.write_str(&lines.join("\n"))
    }
}

/// A Hilbert basis.
#[derive(Clone, Debug, Serialize)]
#[non_exhaustive]
pub struct BasisReport {
    /// How many vectors it has.
    pub size: usize,
    /// The vectors, sorted.
    pub basis: Vec<Vector>,
}

impl fmt::Display for BasisReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let lines: Vec<String> = self.basis.iter().map(|x| point_text(x)).collect();
        f.write_str(&lines.join("\n"))
    }
}

/// A Hilbert series: numerator(t) / Π (1 − t^e).
#[derive(Clone, Debug, Serialize)]
#[non_exhaustive]
pub struct HilbertSeriesReport {
    /// The coefficients of the numerator, the constant one first.
    pub numerator: Vec<Int>,
    /// The exponents e.
    pub denominator: Vec<usize>,
}

impl fmt::Display for HilbertSeriesReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let coefficients: Vec<String> = self.numerator.iter().map(ToString::to_string).collect();
        let factors: Vec<String> = self.denominator.iter().map(|e| format!("(1-t^{e})")).collect();
        write!(f, "numerator {} (constant first)\ndenominator {}", coefficients.join(" "), factors.concat())
    }
}

/// Whether a vector belongs to a set.
#[derive(Clone, Debug, Serialize)]
#[non_exhaustive]
pub struct ContainsReport {
    /// The vector.
    pub vector: String,
    /// Whether it does.
    pub contains: bool,
}

impl fmt::Display for ContainsReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {} in the set", self.vector, if self.contains { "is" } else { "is not" })
    }
}
