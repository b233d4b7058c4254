//! Union, intersection, difference, complement: the product automaton, minimised.

use rustc_hash::FxHashMap;

use super::builder::after;
use super::{Effort, Labelled, VectorSet, id};
use crate::run::StopReason;

/// A state that accepts nothing or everything.
const CONSTANT: [u32; 2] = [u32::MAX - 1, u32::MAX];

impl VectorSet {
    /// self ∪ other.
    ///
    /// # Complexity
    /// O(n log n), n = number of reachable pairs of states, at most the product of the sizes.
    pub fn union(&self, other: &Self, effort: &Effort<'_>) -> Result<Self, StopReason> {
        self.product(other, |a, b| a || b, effort)
    }

    /// self ∩ other; complexity as for [`VectorSet::union`].
    pub fn intersection(&self, other: &Self, effort: &Effort<'_>) -> Result<Self, StopReason> {
        self.product(other, |a, b| a && b, effort)
    }

    /// self ∖ other; complexity as for [`VectorSet::union`].
    pub fn difference(&self, other: &Self, effort: &Effort<'_>) -> Result<Self, StopReason> {
        self.product(other, |a, b| a && !b, effort)
    }

    /// The vectors in exactly one of both; complexity as for [`VectorSet::union`].
    pub fn symmetric_difference(&self, other: &Self, effort: &Effort<'_>) -> Result<Self, StopReason> {
        self.product(other, |a, b| a != b, effort)
    }

    /// ℕᵈ ∖ self. O(n): the minimal automaton with acceptance reversed is minimal.
    ///
    /// ```
    /// use semilinear::vectorset::VectorSet;
    /// assert_eq!(VectorSet::full(3).complement(), VectorSet::empty(3));
    /// ```
    #[must_use]
    pub fn complement(&self) -> Self {
        let mut set = self.clone();
        for (label, &track) in set.label.iter_mut().zip(&set.track) {
            *label = track == 0 && !*label;
        }
        set
    }

    /// ∅ ⊂ ℕᵈ.
    pub fn empty(dimension: usize) -> Self {
        Self::constant(dimension, false)
    }

    /// ℕᵈ.
    pub fn full(dimension: usize) -> Self {
        Self::constant(dimension, true)
    }

    fn constant(dimension: usize, full: bool) -> Self {
        assert!((1..=super::MAX_DIMENSION).contains(&dimension), "dimension between 1 and {}", super::MAX_DIMENSION);
        let mut set = Self { dimension, next: vec![], track: vec![], label: vec![] };
        for track in 0..dimension {
            let next = if track + 1 == dimension { 0 } else { id(track + 1) };
            set.next.push([next; 2]);
            set.track.push(u8::try_from(track).expect("dimension is at most 64"));
            set.label.push(full && track == 0);
        }
        set
    }

    /// For every state whether it accepts nothing (`Some(false)`) or everything (`Some(true)`).
    pub(super) fn constants(&self) -> Vec<Option<bool>> {
        let mut constants = vec![None; self.next.len()];
        for state in 0..self.next.len() {
            if self.track[state] != 0 {
                continue;
            }
            // In a minimal automaton a constant state has a one-way loop through all tracks.
            let mut chain = Vec::with_capacity(self.dimension);
            let mut at = state;
            while chain.len() < self.dimension && self.next[at][0] == self.next[at][1] {
                chain.push(at);
                at = self.next[at][0] as usize;
            }
            if chain.len() == self.dimension && at == state {
                for s in chain {
                    constants[s] = Some(self.label[state]);
                }
            }
        }
        // A state at another track is constant when both successors are the same constant; such states
        // coincide with the loop's own, as the automaton is minimal.
        constants
    }

    /// Any boolean operation.
    pub(super) fn product(
        &self,
        other: &Self,
        op: impl Fn(bool, bool) -> bool,
        effort: &Effort<'_>,
    ) -> Result<Self, StopReason> {
        assert_eq!(self.dimension, other.dimension, "sets of the same dimension");
        let dimension = self.dimension;
        let (constants_a, constants_b) = (self.constants(), other.constants());
        // A pair whose residual is ∅ or everything whatever the rest of the digits: one state a track.
        let settle = |a: u32, b: u32| -> [u32; 2] {
            let verdict = match (constants_a[a as usize], constants_b[b as usize]) {
                (Some(x), Some(y)) => Some(op(x, y)),
                (Some(x), None) if op(x, false) == op(x, true) => Some(op(x, false)),
                (None, Some(y)) if op(false, y) == op(true, y) => Some(op(false, y)),
                _ => None,
            };
            verdict.map_or([a, b], |v| [CONSTANT[usize::from(v)], u32::from(self.track[a as usize])])
        };
        let mut numbers: FxHashMap<[u32; 2], u32> = FxHashMap::default();
        let mut raw = Labelled { dimension, next: Vec::new(), track: vec![0], label: Vec::new() };
        let mut pairs = vec![settle(0, 0)];
        numbers.insert(pairs[0], 0);
        let mut current = 0;
        while current < pairs.len() {
            effort.allow(pairs.len())?;
            if current.is_multiple_of(1024) {
                effort.monitor.check(current as u64, None)?;
            }
            let [a, b] = pairs[current];
            let track = raw.track[current];
            let following = after(track, dimension);
            let constant = a >= CONSTANT[0];
            raw.label.push(
                track == 0
                    && if constant { a == CONSTANT[1] } else { op(self.label[a as usize], other.label[b as usize]) },
            );
            let successors = [0, 1].map(|bit| {
                let target = if constant {
                    [a, u32::from(following)]
                } else {
                    settle(self.next[a as usize][bit], other.next[b as usize][bit])
                };
                *numbers.entry(target).or_insert_with(|| {
                    pairs.push(target);
                    raw.track.push(following);
                    id(pairs.len() - 1)
                })
            });
            raw.next.push(successors);
            current += 1;
        }
        raw.minimal(effort)
    }

    /// An element of exactly one of both sets, least for the sum of coordinates and then
    /// lexicographically; `None` when the sets are equal.
    ///
    /// ```
    /// use semilinear::vectorset::{Effort, VectorSet};
    /// let effort = Effort::unlimited();
    /// let threes = VectorSet::congruence(&[1], 0, 3, &effort)?;
    /// let semigroup = VectorSet::image(&[0], &[vec![3], vec![5]], &effort)?;
    /// assert_eq!(threes.counterexample(&semigroup, &effort)?, Some(vec![5u8.into()]));
    /// # Ok::<(), semilinear::run::StopReason>(())
    /// ```
    pub fn counterexample(
        &self,
        other: &Self,
        effort: &Effort<'_>,
    ) -> Result<Option<Vec<num_bigint::BigUint>>, StopReason> {
        if self == other {
            return Ok(None);
        }
        self.symmetric_difference(other, effort)?.smallest(effort)
    }

    /// The least element of self (by the sum of coordinates, then lexicographically) that other lacks; `None` when
    /// self ⊆ other.
    ///
    /// ```
    /// use semilinear::vectorset::{Effort, VectorSet};
    /// let effort = Effort::unlimited();
    /// let fours = VectorSet::congruence(&[1], 0, 4, &effort)?;
    /// let even = VectorSet::congruence(&[1], 0, 2, &effort)?;
    /// assert_eq!(fours.missing(&even, &effort)?, None);
    /// assert_eq!(even.missing(&fours, &effort)?, Some(vec![2u8.into()]));
    /// # Ok::<(), semilinear::run::StopReason>(())
    /// ```
    pub fn missing(&self, other: &Self, effort: &Effort<'_>) -> Result<Option<Vec<num_bigint::BigUint>>, StopReason> {
        self.difference(other, effort)?.smallest(effort)
    }

    /// Whether self ⊆ other; [`VectorSet::missing`] names an element when not.
    ///
    /// ```
    /// use semilinear::vectorset::{Effort, VectorSet};
    /// let effort = Effort::unlimited();
    /// let fours = VectorSet::congruence(&[1], 0, 4, &effort)?;
    /// let even = VectorSet::congruence(&[1], 0, 2, &effort)?;
    /// assert!(fours.is_subset(&even, &effort)?);
    /// assert!(!even.is_subset(&fours, &effort)?);
    /// # Ok::<(), semilinear::run::StopReason>(())
    /// ```
    pub fn is_subset(&self, other: &Self, effort: &Effort<'_>) -> Result<bool, StopReason> {
        Ok(self.difference(other, effort)?.is_empty())
    }
}
