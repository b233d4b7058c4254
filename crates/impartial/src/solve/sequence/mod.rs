//! Grundy sequences g(0), g(1), g(2), … of heap games: several engines, one answer, and proved periods.

mod bits;
mod checkpoint;
mod choose;
mod exclusion;
mod induction;
mod moves;
mod period;
mod plain;
mod plan;
mod rare;
mod ring;
mod same;
mod scan;
mod space;
mod sparse;
mod states;
mod stream;
mod take;
mod three_moves;
mod values;
mod window;
mod witnesses;

pub use checkpoint::{CheckpointError, checkpoint, passing_checkpoint, restore, restore_passing};
pub use induction::Block;
pub(crate) use moves::Moves;
pub use period::Period;
pub use rare::RareHeaps;
pub use same::SameValues;
pub use states::State;
pub use stream::{Keeping, Passed, Passing};
pub use three_moves::ThreeMoves;
pub use values::Values;

use std::sync::OnceLock;

use choose::Chooser;
use values::in_lanes;

use crate::heap::HeapRules;
use semilinear::run::{Monitor, StopReason};

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
    /// Induction on the heap, with this block of heaps as its finite part (`docs/theory/periods.md`, Theorem 2).
    Induction(Block),
    /// The state of so many values comes again (`docs/theory/periods.md`, Theorem 4).
    Window(usize),
}

impl Theorem {
    /// The word for it in reports and strategy files.
    pub fn name(self) -> &'static str {
        match self {
            Self::GuySmith => "guy-smith",
            Self::Induction(_) => "induction",
            Self::Window(_) => "window",
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
/// use semilinear::run::Unlimited;
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
    values: Values,
    /// The values in 32 bits each, from the time on that somebody asked for them.
    wide: OnceLock<Vec<u32>>,
    engine: Chooser,
    proof: Option<Proof>,
    /// A period is looked for again when this many values are known.
    next_look: usize,
    /// An induction is tried again when this many values are known.
    next_induction: usize,
    /// Whether the first values were taken on trust.
    resumed: bool,
}

impl Sequence {
    /// The sequence of these rules, not begun.
    pub fn new(rules: HeapRules, engine: Engine) -> Self {
        let moves = Moves::new(&rules);
        let engine = Chooser::new(&rules, engine);
        let (values, wide) = (Values::default(), OnceLock::new());
        Self { rules, moves, values, wide, engine, proof: None, next_look: 64, next_induction: 0, resumed: false }
    }

    /// Goes on from values known before, such as those of a checkpoint. What follows from them is only claimed: a strategy
    /// made from them must pass the checker ([`Sequence::is_resumed`]).
    pub fn resume(rules: HeapRules, engine: Engine, values: Vec<u32>) -> Self {
        Self { values: values.into_iter().collect(), next_look: 0, resumed: true, ..Self::new(rules, engine) }
    }

    /// Whether the first values were taken on trust.
    pub fn is_resumed(&self) -> bool {
        self.resumed
    }

    /// The engine in use.
    pub fn engine(&self) -> &'static str {
        self.engine.name()
    }

    /// The rules.
    pub fn rules(&self) -> &HeapRules {
        &self.rules
    }

    /// How many values are known.
    pub fn len(&self) -> usize {
        self.values.len()
    }

    /// Whether no value is known.
    pub fn is_empty(&self) -> bool {
        self.values.is_empty()
    }

    /// The values known so far, g(0), g(1), …, in as few bytes as they need.
    pub fn narrow(&self) -> &Values {
        &self.values
    }

    /// The values known so far, taken out.
    pub fn into_values(self) -> Values {
        self.values
    }

    /// The values known so far, g(0), g(1), …, in 32 bits each. The first call copies all of them, and the copy is kept:
    /// a long sequence is better read by [`Sequence::narrow`].
    pub fn values(&self) -> &[u32] {
        self.wide.get_or_init(|| {
            let mut wide = Vec::with_capacity(self.values.len());
            self.values.widen_into(0, &mut wide);
            wide
        })
    }

    /// The proved period, once [`Sequence::search`] has found one.
    pub fn proof(&self) -> Option<Proof> {
        self.proof
    }

    /// How the known values repeat, be it proved or not.
    pub fn observed(&self) -> Option<Period> {
        self.proof.map(|proof| proof.period).or_else(|| in_lanes!(&self.values, list => period::observed(list)))
    }

    /// Computes values until `len` of them are known. What is known at a stop is kept.
    pub fn extend(&mut self, len: usize, monitor: &dyn Monitor) -> Result<(), StopReason> {
        let result = self.engine.extend(&mut self.values, len, monitor);
        self.widen();
        result
    }

    /// Adds what is new to the values in 32 bits.
    fn widen(&mut self) {
        if let Some(wide) = self.wide.get_mut() {
            self.values.widen_into(wide.len(), wide);
        }
    }

    /// Computes values until a period is proved or `len` of them are known. What is known at a stop is kept.
    pub fn search(&mut self, len: usize, monitor: &dyn Monitor) -> Result<(), StopReason> {
        monitor.phase("heaps, until a period is proved");
        while self.proof.is_none() && (self.values.len() < len || self.next_look == 0) {
            self.extend(len.min(self.next_look), monitor)?;
            if self.values.len() >= self.next_look || self.values.len() >= len {
                self.prove(monitor)?;
                self.next_look = self.values.len() + self.values.len() / 4 + 16;
            }
        }
        Ok(())
    }

    /// The value of a heap that was computed or that the proved period reaches.
    pub fn value(&self, heap: u64) -> Option<u64> {
        let computed = usize::try_from(heap).ok().and_then(|heap| self.values.get(heap));
        match (computed, self.proof) {
            (Some(value), _) => Some(u64::from(value)),
            (None, Some(proof)) => proof.period.value_by(heap, |heap| self.values.get(heap)),
            (None, None) => None,
        }
    }

    /// A sparse space of the known values: its mask, and whether the parity of the heap counts. A checker that knows
    /// it has less to look at.
    pub fn sparse_space(&self) -> Option<(u32, bool)> {
        let moves = self.moves.as_ref().filter(|moves| moves.splits_in_two())?;
        let best = in_lanes!(&self.values, list => space::Space::best(moves, list));
        best.map(|(space, _)| (space.mask, space.sigma))
    }

    /// How far to look for a period when nobody says: as far as a few seconds of work reach, at most 10⁶ heaps (10⁷
    /// when nothing is broken).
    pub fn default_length(&self) -> usize {
        match &self.moves {
            None => 2_000,
            Some(moves) if moves.only_takes() => 10_000_001,
            Some(moves) if moves.most > 3 => 200,
            Some(moves) if moves.most == 3 => 8_000,
            Some(moves) if moves.tail.is_some() => 20_000,
            Some(_) => 1_000_001,
        }
    }

    /// The value of every heap below `len`, those beyond the computed ones by the proved period.
    pub fn fill(&mut self, len: usize) {
        let Some(Proof { period, .. }) = self.proof else { return };
        while self.values.len() < len {
            match self.values.at(self.values.len() - period.period).checked_add(period.saltus) {
                Some(value) => self.values.push(value),
                None => break,
            }
        }
        self.widen();
    }

    fn prove(&mut self, monitor: &dyn Monitor) -> Result<(), StopReason> {
        let Some(moves) = &self.moves else { return Ok(()) };
        let len = self.values.len();
        if let Some(period) = in_lanes!(&self.values, list => period::proved(moves, list)) {
            self.proof = Some(Proof { period, theorem: Theorem::GuySmith });
        } else if (moves.tail.is_some() || moves.most > 2)
            && len >= self.next_induction
            && let Some(period) = in_lanes!(&self.values, list => period::observed(list))
        {
            self.next_induction = 2 * len;
            let mut wide = Vec::with_capacity(len);
            self.values.widen_into(0, &mut wide);
            match induction::prove(moves, &wide, period, monitor) {
                Ok(block) => self.proof = block.map(|block| Proof { period, theorem: Theorem::Induction(block) }),
                // Too large a question for this road: the values go on without it.
                Err(StopReason::Size { .. }) => self.next_induction = usize::MAX,
                Err(why) => return Err(why),
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests;
