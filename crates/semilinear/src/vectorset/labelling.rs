//! Functions with finitely many values: one automaton for a partition of ℕᵈ.

use num_bigint::BigUint;

use super::builder::{self, after};
use super::{Effort, VectorSet, id, minimise};
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
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Labelling {
    dimension: usize,
    next: Vec<[u32; 2]>,
    track: Vec<u8>,
    /// 0 at other tracks than 0.
    label: Vec<u8>,
}

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
        effort.allow(next.len())?;
        let track = match builder::tracks(dimension, next) {
            Ok(track) => track,
            Err(what) => return Ok(Err(what)),
        };
        // The reachable part, breadth first.
        let mut number: Vec<Option<u32>> = vec![None; next.len()];
        number[0] = Some(0);
        let mut order = vec![0u32];
        let mut reached: Vec<[u32; 2]> = Vec::with_capacity(next.len());
        while reached.len() < order.len() {
            let state = order[reached.len()] as usize;
            if track[state] == Some(0) {
                let padded = (0..dimension).fold(state, |s, _| next[s][0] as usize);
                if labels[padded] != labels[state] {
                    return Ok(Err(format!("zero digits change the label of state {state}")));
                }
            }
            reached.push(next[state].map(|target| {
                *number[target as usize].get_or_insert_with(|| {
                    order.push(target);
                    id(order.len() - 1)
                })
            }));
        }
        let class: Vec<u32> = order
            .iter()
            .map(|&s| match track[s as usize] {
                Some(0) => u32::from(labels[s as usize]),
                other => 255 + u32::from(other.expect("only states that are reached are listed")),
            })
            .collect();
        let minimise::Reduced { next, representative } = minimise::reduced(&reached, &class, 255 + dimension, effort)?;
        let old = |s: u32| order[s as usize] as usize;
        let track: Vec<u8> =
            representative.iter().map(|&s| track[old(s)].expect("only states that are reached are listed")).collect();
        let label = representative.iter().zip(&track).map(|(&s, &t)| if t == 0 { labels[old(s)] } else { 0 }).collect();
        Ok(Ok(Self { dimension, next, track, label }))
    }

    /// The number of coordinates d ≥ 1.
    pub fn dimension(&self) -> usize {
        self.dimension
    }

    /// The number of states, over all tracks.
    pub fn states(&self) -> usize {
        self.next.len()
    }

    /// The number of states at track 0.
    pub fn block_states(&self) -> usize {
        (0..self.next.len()).filter(|&state| self.track[state] == 0).count()
    }

    /// Successors of every state by digit 0 and 1. State 0 is initial and reads the lowest digit of x₁.
    pub fn transitions(&self) -> &[[u32; 2]] {
        &self.next
    }

    /// The label of a state; `None` in the middle of a digit block.
    pub fn state_label(&self, state: u32) -> Option<u8> {
        (self.track[state as usize] == 0).then(|| self.label[state as usize])
    }

    /// The values that the function takes, increasing.
    pub fn labels(&self) -> Vec<u8> {
        let mut labels: Vec<u8> = (0..id(self.next.len())).filter_map(|s| self.state_label(s)).collect();
        labels.sort_unstable();
        labels.dedup();
        labels
    }

    /// The value at a vector of any size.
    ///
    /// # Complexity
    /// O(d · digits).
    pub fn label(&self, x: &[BigUint]) -> u8 {
        assert_eq!(x.len(), self.dimension, "a vector of the function's dimension");
        let digits = x.iter().map(BigUint::bits).max().unwrap_or(0);
        let mut state = 0;
        for level in 0..digits {
            for xi in x {
                state = self.next[state as usize][usize::from(xi.bit(level))];
            }
        }
        self.label[state as usize]
    }

    /// [`Labelling::label`] for machine-sized coordinates.
    pub fn label_small(&self, x: &[u64]) -> u8 {
        assert_eq!(x.len(), self.dimension, "a vector of the function's dimension");
        let all = x.iter().fold(0, |all, xi| all | xi);
        let mut state = 0;
        for level in 0..64 - all.leading_zeros() {
            for xi in x {
                state = self.next[state as usize][usize::from((xi >> level) & 1 == 1)];
            }
        }
        self.label[state as usize]
    }

    /// {x : f(x) = label}.
    pub fn set(&self, label: u8, effort: &Effort<'_>) -> Result<VectorSet, StopReason> {
        builder::explore(
            self.dimension,
            0u32,
            effort,
            |&s, _, bit| self.next[s as usize][bit],
            |&s| self.label[s as usize] == label,
        )
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
        let start = vec![0u32; sets.len()];
        let mut numbers = rustc_hash::FxHashMap::from_iter([(start.clone(), 0u32)]);
        let (mut keys, mut track) = (vec![start], vec![0u8]);
        let (mut next, mut labels): (Vec<[u32; 2]>, Vec<u8>) = (vec![], vec![]);
        while next.len() < keys.len() {
            effort.allow(keys.len())?;
            let key = keys[next.len()].clone();
            let here = track[next.len()];
            let first = sets.iter().zip(&key).position(|(set, &s)| here == 0 && set.is_accepting(s));
            labels.push(first.map_or(0, |k| u8::try_from(k + 1).expect("at most 254 sets")));
            next.push([0, 1].map(|bit| {
                let target: Vec<u32> =
                    sets.iter().zip(&key).map(|(set, &s)| set.transitions()[s as usize][bit]).collect();
                *numbers.entry(target).or_insert_with_key(|target| {
                    keys.push(target.clone());
                    track.push(after(here, dimension));
                    id(keys.len() - 1)
                })
            }));
        }
        let labelling = Self::from_table(dimension, &next, &labels, effort)?;
        Ok(labelling.expect("sets do not depend on zero digits at the end"))
    }
}
