//! Pairs of one Grundy value: in a row, in a column, with a difference; and their offsets from the golden ratio.

use std::fmt;

use num_bigint::BigUint;
use semilinear::vectorset::Effort;
use serde::Serialize;

use super::Ask;
use super::form::Body;
use super::strategy::Solution;
use crate::error::{Error, Result};
use crate::strategy::{NumerationStrategy, PairsOf, Standing};

/// No more elements are listed.
const MOST_PAIRS: usize = 1000;
/// States of the automata that are made for an answer.
const STATES: usize = 1 << 22;

/// Pairs of one Grundy value, or how far all of them lie from the golden ratio.
#[derive(Clone, Debug, Serialize)]
#[non_exhaustive]
pub struct PairsReport {
    /// The Grundy value.
    pub value: usize,
    /// The positions, sorted.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pairs: Option<Vec<String>>,
    /// Whether these are all.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub complete: Option<bool>,
    /// The least and the largest y − ⌊φx⌋ of all positions x ≤ y of this value.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub offsets: Option<[i64; 2]>,
    /// Whether the strategy that was asked is proved.
    pub proved: Standing,
}

impl fmt::Display for PairsReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let doubt = if self.proved.is_proved() { "" } else { " (as the file claims)" };
        if let Some([least, largest]) = self.offsets {
            let value = self.value;
            return write!(
                f,
                "{least} <= y - floor(phi x) <= {largest} for all positions (x,y), x <= y, of value {value}; both ends are taken{doubt}"
            );
        }
        let pairs = self.pairs.as_deref().unwrap_or_default();
        let more = if self.complete == Some(false) { " …" } else { "" };
        if pairs.is_empty() {
            return write!(f, "there is none{doubt}");
        }
        write!(f, "{}{more}{doubt}", pairs.join(" "))
    }
}

fn no_value(strategy: &NumerationStrategy, value: usize) -> Error {
    if strategy.game().dimension() != 2 {
        return Error::input("pairs are those of a game in the plane, and this game has another number of coordinates");
    }
    Error::Input(format!(
        "the strategy knows the values up to {}, not {value}; solve with --grundy --up-to {value}",
        strategy.sets().len() - 1
    ))
}

impl Solution {
    /// Positions of one Grundy value of a game with rays in the plane: in a row, in a column, or with a difference, of any number of digits.
    ///
    /// ```
    /// use impartial::prelude::*;
    /// use impartial::strategy::PairsOf;
    /// let ask = Ask::new();
    /// let strategy = "wythoff".parse::<Game>()?.solve(&ask)?;
    /// assert_eq!(strategy.pairs(0, &PairsOf::Row(13_u32.into()), &ask)?.to_string(), "(13,8)");
    /// # Ok::<(), Error>(())
    /// ```
    pub fn pairs(&self, value: usize, of: &PairsOf, ask: &Ask) -> Result<PairsReport> {
        let strategy = self.need_numeration()?;
        let effort = Effort::new(STATES, ask.monitor);
        let found = strategy.pairs(value, of, MOST_PAIRS, &effort)?;
        let (found, complete) = found.ok_or_else(|| no_value(strategy, value))?;
        let written = |x: &Vec<BigUint>| {
            let x: Vec<String> = x.iter().map(ToString::to_string).collect();
            format!("({})", x.join(","))
        };
        let pairs = Some(found.iter().map(written).collect());
        Ok(PairsReport { value, pairs, complete: Some(complete), offsets: None, proved: self.standing() })
    }

    /// The least and the largest y − ⌊φx⌋ of all positions x ≤ y of one Grundy value of Wythoff's game.
    pub fn offsets(&self, value: usize, ask: &Ask) -> Result<PairsReport> {
        let strategy = self.need_numeration()?;
        if value >= strategy.sets().len() {
            return Err(no_value(strategy, value));
        }
        let (least, largest) = strategy.offsets(value, &Effort::new(STATES, ask.monitor))?.ok_or_else(|| {
            Error::input("offsets from the golden ratio are those of Wythoff's game in normal play, in Fibonacci digits; this strategy is another one")
        })?;
        Ok(PairsReport { value, pairs: None, complete: None, offsets: Some([least, largest]), proved: self.standing() })
    }

    fn need_numeration(&self) -> Result<&NumerationStrategy> {
        match &*self.body {
            Body::Numeration(strategy) => Ok(strategy),
            _ => Err(Error::input(
                "pairs are those of a game with rays; give a strategy file of form \"numeration\", e.g. that of `impartial solve wythoff -o FILE`",
            )),
        }
    }
}
