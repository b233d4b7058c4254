//! Canonical automata for sets of integer vectors.
//!
//! A [`VectorSet`] is a set of vectors of ℕᵈ whose binary digits are recognised by a finite automaton:
//! every Presburger-definable (semilinear) set is one. The automaton reads the vector's digits least
//! significant first and *track by track*: first the lowest digit of x₁, then of x₂, …, of x_d, then the
//! next digits. It is kept minimal with its states numbered breadth first, so **equal sets are equal
//! values**: `==` decides equality, hashes agree, files of equal sets are equal.
//!
//! | what | how |
//! | --- | --- |
//! | build | [`VectorSet::empty`], [`full`](VectorSet::full), [`finite`](VectorSet::finite), [`linear`](VectorSet::linear), [`congruence`](VectorSet::congruence), [`image`](VectorSet::image), [`from_table`](VectorSet::from_table) |
//! | combine | [`union`](VectorSet::union), [`intersection`](VectorSet::intersection), [`difference`](VectorSet::difference), [`symmetric_difference`](VectorSet::symmetric_difference), [`complement`](VectorSet::complement) |
//! | move | [`translation`](VectorSet::translation), [`shift`](VectorSet::shift), [`preimage`](VectorSet::preimage), [`residual`](VectorSet::residual), [`permuted`](VectorSet::permuted), [`cylinder`](VectorSet::cylinder) |
//! | quantify | [`exists`](VectorSet::exists), [`forall`](VectorSet::forall) |
//! | ask | [`contains`](VectorSet::contains), [`is_empty`](VectorSet::is_empty), [`is_finite`](VectorSet::is_finite), [`least`](VectorSet::least), [`elements`](VectorSet::elements), [`count`](VectorSet::count), [`counterexample`](VectorSet::counterexample), [`missing`](VectorSet::missing), [`is_subset`](VectorSet::is_subset) |
//!
//! A set is a function with the values `true` and `false`: one type, [`Labelled`], serves both. A [`Labelling`] has up to
//! 256 values: one automaton for all sets {x : f(x) = k}.
//!
//! Operations that may grow take an [`Effort`] (limits and a monitor) and return
//! `Result<VectorSet, StopReason>`. Tracks are numbered from 0. Dimensions must fit: a set of another
//! dimension than the operation needs is a mistake of the caller and panics.
//!
//! ```
//! use semilinear::vectorset::{Effort, Relation, VectorSet};
//! let effort = Effort::unlimited();
//! // The multiples of 6, as an intersection and as an image.
//! let even = VectorSet::congruence(&[1], 0, 2, &effort)?;
//! let threes = VectorSet::congruence(&[1], 0, 3, &effort)?;
//! let sixes = even.intersection(&threes, &effort)?;
//! assert_eq!(sixes, VectorSet::image(&[0], &[vec![6]], &effort)?);
//! assert!(sixes.contains_small(&[600]));
//! // {x <= y} and {y <= x} meet in the diagonal.
//! let below = VectorSet::linear(&[-1, 1], 0, Relation::AtLeastZero, &effort)?;
//! let above = VectorSet::linear(&[1, -1], 0, Relation::AtLeastZero, &effort)?;
//! assert_eq!(below.intersection(&above, &effort)?, VectorSet::image(&[0, 0], &[vec![1, 1]], &effort)?);
//! # Ok::<(), semilinear::run::StopReason>(())
//! ```
//!
//! # Invariants
//! Appending zero digits never changes acceptance (a number has many notations, a set must not tell them
//! apart), only states at track 0 accept, all states are reachable, no two states of one track accept the
//! same words, and the numbering is breadth first (letter 0 before 1) from the initial state 0.

mod boolean;
mod builder;
mod count;
mod elements;
mod image;
mod labelling;
mod least;
mod linear;
mod minimise;
mod preimage;
mod project;

use num_bigint::BigUint;

use crate::run::{Monitor, StopReason, Unlimited};

pub use count::BoxTooLarge;
pub use elements::Elements;
pub use labelling::Labelling;
pub use linear::Relation;

/// The largest dimension of a set: digits of one block are packed into 64 bits.
pub const MAX_DIMENSION: usize = 64;

/// How much an operation may do: the largest automaton it may build, and the monitor it ticks.
///
/// The limit counts the states of every automaton on the way, before it is minimised.
#[derive(Clone, Copy)]
pub struct Effort<'a> {
    /// The largest number of states.
    pub states: usize,
    /// Ticked every few thousand states.
    pub monitor: &'a dyn Monitor,
}

impl Effort<'static> {
    /// No monitor, and a limit of 2³⁰ states: for small sets and examples.
    pub fn unlimited() -> Self {
        Self { states: 1 << 30, monitor: &Unlimited }
    }
}

impl<'a> Effort<'a> {
    /// At most `states` states, watched by `monitor`.
    pub fn new(states: usize, monitor: &'a dyn Monitor) -> Self {
        Self { states: states.min(1 << 30), monitor }
    }

    /// Says whether an automaton may have `states` states; ticks the monitor now and then.
    pub fn allow(&self, states: usize) -> Result<(), StopReason> {
        if states > self.states {
            return Err(StopReason::Size { what: "automaton states", limit: self.states as u64 });
        }
        if states.is_multiple_of(1024) {
            self.monitor.check(states as u64, None)?;
        }
        Ok(())
    }
}

/// A value of a function on ℕᵈ: labels of states.
///
/// The default label is that of what is not there: states in the middle of a digit block, vectors outside ℕᵈ.
pub trait Label: Copy + Eq + Default {
    /// The number of labels.
    const COUNT: u32;

    /// The label as a number below [`Label::COUNT`]; the default label is 0.
    fn number(self) -> u8;
}

impl Label for bool {
    const COUNT: u32 = 2;

    fn number(self) -> u8 {
        u8::from(self)
    }
}

impl Label for u8 {
    const COUNT: u32 = 256;

    fn number(self) -> u8 {
        self
    }
}

/// A function on ℕᵈ with finitely many values, as its minimal automaton: every state at track 0 has a label, the value at
/// the vectors whose digits end there. Equal functions are equal values; see the [module's page](self).
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Labelled<L> {
    dimension: usize,
    /// Successors by letter; state 0 is initial.
    next: Vec<[u32; 2]>,
    /// The digit of which coordinate a state reads next.
    track: Vec<u8>,
    /// The default at other tracks than 0.
    label: Vec<L>,
}

/// A set of vectors of ℕᵈ: the function that is `true` inside; see the [module's page](self).
pub type VectorSet = Labelled<bool>;

impl<L: Label> Labelled<L> {
    /// The number of coordinates d ≥ 1.
    pub fn dimension(&self) -> usize {
        self.dimension
    }

    /// The number of states of the minimal automaton, over all tracks.
    pub fn states(&self) -> usize {
        self.next.len()
    }

    /// The number of states at track 0: the states of the minimal automaton that reads 2ᵈ letters.
    pub fn block_states(&self) -> usize {
        (0..self.next.len()).filter(|&state| self.track[state] == 0).count()
    }

    /// Successors of every state by digit 0 and 1. State 0 is initial and reads the lowest digit of x₁.
    pub fn transitions(&self) -> &[[u32; 2]] {
        &self.next
    }

    /// The coordinate whose digit a state reads next.
    pub fn track(&self, state: u32) -> usize {
        usize::from(self.track[state as usize])
    }

    /// The label of a state; `None` in the middle of a digit block.
    pub fn state_label(&self, state: u32) -> Option<L> {
        (self.track[state as usize] == 0).then(|| self.label[state as usize])
    }

    /// The value at a vector of any size.
    ///
    /// # Complexity
    /// O(d · digits): one step of the automaton a digit.
    pub fn label(&self, x: &[BigUint]) -> L {
        assert_eq!(x.len(), self.dimension, "a vector of the right dimension");
        let digits = x.iter().map(BigUint::bits).max().unwrap_or(0);
        let words: Vec<Vec<u64>> = x.iter().map(BigUint::to_u64_digits).collect();
        let mut state = 0;
        for level in 0..digits {
            let (word, bit) = (usize::try_from(level / 64).expect("digits fit in memory"), level % 64);
            for coordinate in &words {
                let digit = coordinate.get(word).map_or(0, |w| (w >> bit) & 1);
                state = self.next[state as usize][usize::from(digit == 1)];
            }
        }
        self.label[state as usize]
    }

    /// [`Labelled::label`] for machine-sized coordinates.
    pub fn label_small(&self, x: &[u64]) -> L {
        assert_eq!(x.len(), self.dimension, "a vector of the right dimension");
        self.label_from(0, x)
    }

    /// The value at `x` of the residual of a state at track 0.
    pub fn label_from(&self, mut state: u32, x: &[u64]) -> L {
        let all = x.iter().fold(0, |all, xi| all | xi);
        for level in 0..64 - all.leading_zeros() {
            for xi in x {
                state = self.next[state as usize][usize::from((xi >> level) & 1 == 1)];
            }
        }
        self.label[state as usize]
    }

    /// The function q ↦ f(w + 2ʲq), where w has j digits a coordinate and `digits` are these digits, lowest block first;
    /// for a set, {q : w + 2ʲq ∈ self}.
    pub fn residual(&self, digits: &[Vec<bool>], effort: &Effort<'_>) -> Result<Self, StopReason> {
        let mut state = 0;
        for block in digits {
            assert_eq!(block.len(), self.dimension, "a digit for each coordinate");
            for &digit in block {
                state = self.next[state as usize][usize::from(digit)];
            }
        }
        self.from_state(state, effort)
    }

    /// The function that is read from a state at track 0.
    #[allow(clippy::wrong_self_convention)]
    pub fn from_state(&self, state: u32, effort: &Effort<'_>) -> Result<Self, StopReason> {
        assert_eq!(self.track(state), 0, "a state at track 0");
        self.relabelled_from(state, |label| label, effort)
    }

    /// The function x ↦ g(f(x)).
    pub fn relabelled<M: Label>(&self, g: impl Fn(L) -> M, effort: &Effort<'_>) -> Result<Labelled<M>, StopReason> {
        self.relabelled_from(0, g, effort)
    }

    fn relabelled_from<M: Label>(
        &self,
        state: u32,
        g: impl Fn(L) -> M,
        effort: &Effort<'_>,
    ) -> Result<Labelled<M>, StopReason> {
        builder::explore(
            self.dimension,
            state,
            effort,
            |&s, _, bit| self.next[s as usize][bit],
            |&s| g(self.label[s as usize]),
        )
    }
}

impl VectorSet {
    /// Whether a state accepts (only states at track 0 do).
    pub fn is_accepting(&self, state: u32) -> bool {
        self.label[state as usize]
    }

    /// Whether `x` lies in the set.
    ///
    /// # Complexity
    /// O(d · digits): one step of the automaton a digit.
    ///
    /// ```
    /// use semilinear::vectorset::{Effort, VectorSet};
    /// use num_bigint::BigUint;
    /// let effort = Effort::unlimited();
    /// let thirds = VectorSet::congruence(&[1], 0, 3, &effort)?;
    /// assert!(thirds.contains(&[BigUint::from(3u8).pow(1000)]));
    /// # Ok::<(), semilinear::run::StopReason>(())
    /// ```
    pub fn contains(&self, x: &[BigUint]) -> bool {
        self.label(x)
    }

    /// [`VectorSet::contains`] for machine-sized coordinates.
    pub fn contains_small(&self, x: &[u64]) -> bool {
        self.label_small(x)
    }

    /// Whether `x` lies in the residual of a state at track 0.
    pub fn accepts_from(&self, state: u32, x: &[u64]) -> bool {
        self.label_from(state, x)
    }

    /// Whether the set has no element.
    pub fn is_empty(&self) -> bool {
        // A minimal automaton without accepted words has one state a track.
        !self.label.contains(&true)
    }
}

/// An index as a state's number; every automaton has at most 2³⁰ states.
pub fn id(index: usize) -> u32 {
    u32::try_from(index).expect("automata have at most 2^30 states")
}

#[cfg(test)]
mod tests;
