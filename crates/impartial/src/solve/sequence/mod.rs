//! Grundy sequences g(0), g(1), g(2), … of heap games: several engines, one answer, and proved periods.

mod bits;
mod choose;
mod lanes;
mod moves;
mod period;
mod plain;
mod ring;
mod scan;
mod space;
mod sparse;
mod take;

pub(crate) use moves::Moves;
pub use period::Period;

use choose::Chooser;

use crate::heap::HeapRules;
use crate::run::{Monitor, StopReason};

/// The most heaps that a sequence holds in memory.
pub const MOST_HEAPS: usize = 1 << 28;

/// The method that computes values. All of them give the same values.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Engine {
    /// Choose by the rules and by the values seen so far.
    #[default]
    Auto,
    /// The plain loop, the reference.
    Plain,
    /// The vectorised scan.
    Scan,
    /// The sparse space.
    Sparse,
}

/// Why a period holds for ever.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Theorem {
    /// A finite code whose values repeat for long enough (`docs/theory/periods.md`, Theorem 1).
    GuySmith,
}

impl Theorem {
    /// The word for it in reports and strategy files.
    pub fn name(self) -> &'static str {
        match self {
            Self::GuySmith => "guy-smith",
        }
    }
}

/// A proved period.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Proof {
    /// The least preperiod, least period and saltus.
    pub period: Period,
    /// Why it holds for ever.
    pub theorem: Theorem,
}

/// A Grundy sequence as far as it is known.
///
/// ```
/// use impartial::run::Unlimited;
/// use impartial::solve::sequence::{Engine, Sequence};
/// let mut kayles = Sequence::new("0.77".parse().unwrap(), Engine::Auto);
/// kayles.search(10_000, &Unlimited).unwrap();
/// let found = kayles.proof().unwrap().period;
/// assert_eq!((found.preperiod, found.period, found.saltus), (71, 12, 0));
/// assert_eq!(&kayles.values()[..8], [0, 1, 2, 3, 1, 4, 3, 2]);
/// ```
pub struct Sequence {
    rules: HeapRules,
    moves: Option<Moves>,
    values: Vec<u32>,
    engine: Chooser,
    proof: Option<Proof>,
}

impl Sequence {
    /// The sequence of these rules, not begun.
    pub fn new(rules: HeapRules, engine: Engine) -> Self {
        let moves = Moves::new(&rules);
        let engine = Chooser::new(&rules, engine);
        Self { rules, moves, values: Vec::new(), engine, proof: None }
    }

    /// The rules.
    pub fn rules(&self) -> &HeapRules {
        &self.rules
    }

    /// The values known so far: g(0), g(1), …
    pub fn values(&self) -> &[u32] {
        &self.values
    }

    /// The proved period, once [`Sequence::search`] has found one.
    pub fn proof(&self) -> Option<Proof> {
        self.proof
    }

    /// How the known values repeat, be it proved or not.
    pub fn observed(&self) -> Option<Period> {
        self.proof.map(|proof| proof.period).or_else(|| period::observed(&self.values))
    }

    /// Computes values until `len` of them are known. What is known at a stop is kept.
    pub fn extend(&mut self, len: usize, monitor: &dyn Monitor) -> Result<(), StopReason> {
        if len > MOST_HEAPS {
            return Err(StopReason::Size { what: "heaps", limit: MOST_HEAPS as u64 });
        }
        self.engine.extend(&mut self.values, len, monitor)
    }

    /// Computes values until a period is proved or `len` of them are known.
    pub fn search(&mut self, len: usize, monitor: &dyn Monitor) -> Result<(), StopReason> {
        let mut next = self.values.len().max(64);
        loop {
            self.extend(next.min(len).min(MOST_HEAPS), monitor)?;
            self.prove();
            if self.proof.is_some() || self.values.len() >= len {
                return Ok(());
            }
            if next >= MOST_HEAPS {
                return Err(StopReason::Size { what: "heaps", limit: MOST_HEAPS as u64 });
            }
            next += next / 4;
        }
    }

    fn prove(&mut self) {
        let Some(moves) = &self.moves else { return };
        self.proof = period::least_period(&self.values, |preperiod, period| {
            period::values_for_proof(moves, preperiod, period)
        })
        .map(|period| Proof { period, theorem: Theorem::GuySmith });
    }
}

/// Appends a value that must fit into 32 bits.
fn push(values: &mut Vec<u32>, value: usize) -> Result<(), StopReason> {
    let limit = StopReason::Size { what: "bits of a Grundy value", limit: 32 };
    values.push(u32::try_from(value).map_err(|_| limit)?);
    Ok(())
}

#[cfg(test)]
mod tests;
