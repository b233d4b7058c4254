//! Functions with up to 256 values: one automaton for a partition of ℕᵈ.

use super::builder;
use super::{Effort, Labelled, VectorSet};
use crate::run::StopReason;

/// A function f: ℕᵈ → {0, …, 255} as a minimal automaton that reads digits as a [`VectorSet`] does, with a label on
/// every state of track 0. Equal functions are equal values.
///
/// ```
/// use semilinear::vectorset::{Effort, Labelling, VectorSet};
/// let effort = Effort::unlimited();
/// // x mod 2, with a superfluous state.
/// let parity = Labelling::from_table(1, &[[1, 2], [1, 3], [2, 2], [1, 1]], &[0, 0, 1, 0], &effort)?.unwrap();
/// assert_eq!(parity.states(), 3);
/// assert_eq!(parity.label_small(&[77]), 1);
/// assert_eq!(parity.set(0, &effort)?, VectorSet::congruence(&[1], 0, 2, &effort)?);
/// # Ok::<(), semilinear::run::StopReason>(())
/// ```
pub type Labelling = Labelled<u8>;

impl Labelling {
    /// The function of an automaton given by a table, as in [`VectorSet::from_table`]: `labels[s]` is the value at
    /// vectors that end in state s (labels of states in the middle of a digit block are not looked at). Returns what is
    /// wrong with the table otherwise.
    pub fn from_table(
        dimension: usize,
        next: &[[u32; 2]],
        labels: &[u8],
        effort: &Effort<'_>,
    ) -> Result<Result<Self, String>, StopReason> {
        if labels.len() != next.len() {
            return Ok(Err(format!("{} labels for {} states", labels.len(), next.len())));
        }
        match builder::tracks(dimension, next) {
            Ok(track) => Self::of_table(dimension, next, labels, &track, effort),
            Err(what) => Ok(Err(what)),
        }
    }

    /// The values that the function takes, increasing.
    pub fn labels(&self) -> Vec<u8> {
        let track_0 = self.track.iter().zip(&self.label).filter(|(track, _)| **track == 0);
        let mut labels: Vec<u8> = track_0.map(|(_, &label)| label).collect();
        labels.sort_unstable();
        labels.dedup();
        labels
    }

    /// {x : f(x) = label}.
    pub fn set(&self, label: u8, effort: &Effort<'_>) -> Result<VectorSet, StopReason> {
        self.relabelled(|value| value == label, effort)
    }

    /// The function that takes its value from the first of these sets that contains x, counted from 1, and is 0
    /// elsewhere.
    ///
    /// # Complexity
    /// The product of the sets' automata, reachable combinations only.
    pub fn from_sets(sets: &[VectorSet], effort: &Effort<'_>) -> Result<Self, StopReason> {
        assert!((1..255).contains(&sets.len()), "between 1 and 254 sets");
        let dimension = sets[0].dimension();
        assert!(sets.iter().all(|set| set.dimension() == dimension), "sets of one dimension");
        builder::explore(
            dimension,
            vec![0u32; sets.len()],
            effort,
            |key, _, bit| sets.iter().zip(key).map(|(set, &s)| set.next[s as usize][bit]).collect(),
            |key| {
                let first = sets.iter().zip(key).position(|(set, &s)| set.is_accepting(s));
                first.map_or(0, |k| u8::try_from(k + 1).expect("at most 254 sets"))
            },
        )
    }
}
