//! Functions on ℕᵈ with finitely many values, as automata with outputs.

use semilinear::run::StopReason;
use semilinear::vectorset::{Effort, Labelling, VectorSet};

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

    /// The same function, minimal; `None` when it is none: labels that were unknown can differ after zero digits.
    pub fn labelling(&self, effort: &Effort<'_>) -> Result<Option<Labelling>, StopReason> {
        Ok(Labelling::from_table(self.dimension, &self.next, &self.label, effort)?.ok())
    }

    /// The vectors with a label; the machine must be a function.
    pub fn set(&self, label: u8, effort: &Effort<'_>) -> Result<VectorSet, StopReason> {
        self.labelling(effort)?.expect("labels do not depend on zero digits").set(label, effort)
    }

    /// A function as a machine.
    pub fn from_labelling(labelling: &Labelling) -> Self {
        let states = u32::try_from(labelling.states()).expect("automata have at most 2^30 states");
        Self {
            dimension: labelling.dimension(),
            next: labelling.transitions().to_vec(),
            label: (0..states).map(|s| labelling.state_label(s).unwrap_or(0)).collect(),
        }
    }
}
