//! Functions on ℕᵈ with finitely many values, as automata with outputs.

use crate::run::StopReason;
use crate::vectorset::{Effort, VectorSet};

/// An automaton that reads digits as a [`VectorSet`] does and gives a label instead of yes or no.
#[derive(Clone, Debug)]
pub(crate) struct Machine {
    pub dimension: usize,
    /// Successors by digit; state 0 is initial.
    pub next: Vec<[u32; 2]>,
    /// The label of the vectors that end in a state (at track 0).
    pub label: Vec<u8>,
}

impl Machine {
    /// The indicator function of a set: 1 inside, 0 outside.
    pub fn indicator(set: &VectorSet) -> Self {
        let states = u32::try_from(set.states()).expect("automata have at most 2^30 states");
        Self {
            dimension: set.dimension(),
            next: set.transitions().to_vec(),
            label: (0..states).map(|s| u8::from(set.is_accepting(s))).collect(),
        }
    }

    /// The label of a vector that is read from a state at track 0.
    pub fn label_from(&self, mut state: u32, x: &[u64]) -> u8 {
        let all = x.iter().fold(0, |all, xi| all | xi);
        for level in 0..64 - all.leading_zeros() {
            for xi in x {
                state = self.next[state as usize][usize::from((xi >> level) & 1 == 1)];
            }
        }
        self.label[state as usize]
    }

    /// The vectors with a label.
    pub fn set(&self, label: u8, effort: &Effort<'_>) -> Result<VectorSet, StopReason> {
        let tracks = self.tracks();
        let accepting: Vec<u32> = (0..self.next.len())
            .filter(|&s| tracks[s] == Some(0) && self.label[s] == label)
            .map(|s| u32::try_from(s).expect("automata have at most 2^30 states"))
            .collect();
        let set = VectorSet::from_table(self.dimension, &self.next, &accepting, effort)?;
        Ok(set.expect("a machine's labels do not depend on zero digits at the end"))
    }

    /// The track of every reachable state.
    fn tracks(&self) -> Vec<Option<usize>> {
        let mut tracks = vec![None; self.next.len()];
        tracks[0] = Some(0);
        let mut queue = vec![0usize];
        while let Some(state) = queue.pop() {
            let following = tracks[state].map(|t: usize| (t + 1) % self.dimension);
            for &target in &self.next[state] {
                if tracks[target as usize].is_none() {
                    tracks[target as usize] = following;
                    queue.push(target as usize);
                }
            }
        }
        tracks
    }
}
