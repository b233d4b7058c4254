//! What the learner guesses: a table that need not be a function yet.

use semilinear::run::StopReason;
use semilinear::vectorset::{Effort, Labelling};

/// An automaton as the table of the learner shows it. It is no [`Labelling`] before it is checked: labels that were
/// unknown can differ after zero digits.
#[derive(Clone, Debug)]
pub(super) struct Hypothesis {
    pub dimension: usize,
    /// Successors by digit; state 0 is initial.
    pub next: Vec<[u32; 2]>,
    /// The label of the vectors that end in a state (at track 0).
    pub label: Vec<u8>,
}

impl Hypothesis {
    /// The label of a vector without negative entries.
    pub fn label(&self, x: &[i64]) -> u8 {
        let all = x.iter().fold(0, |all, xi| all | xi);
        let mut state = 0u32;
        let mut digit = 1;
        for _ in 0..64 - all.leading_zeros() {
            for xi in x {
                state = self.next[state as usize][usize::from(xi & digit != 0)];
            }
            digit <<= 1;
        }
        self.label[state as usize]
    }

    /// The function, minimal; `None` when it is none.
    pub fn function(&self, effort: &Effort<'_>) -> Result<Option<Labelling>, StopReason> {
        Ok(Labelling::from_table(self.dimension, &self.next, &self.label, effort)?.ok())
    }
}
