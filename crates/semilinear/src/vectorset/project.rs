//! Quantifiers: projection by the subset construction.

use rustc_hash::FxHashMap;

use super::{Effort, Labelled, VectorSet, id};
use crate::run::StopReason;

/// The monitor is asked after so many states of the projected automaton, counted with repeats.
const WORK_A_TICK: usize = 1 << 12;

impl VectorSet {
    /// {x : some values of the named coordinates put (…) into self}: the set of the other coordinates.
    /// At least one coordinate must stay.
    ///
    /// # Complexity
    /// Subset construction: 2ⁿ states at worst, rarely seen; the limit is kept.
    ///
    /// ```
    /// use semilinear::vectorset::{Effort, Relation, VectorSet};
    /// let effort = Effort::unlimited();
    /// // x = 3y for some y.
    /// let graph = VectorSet::linear(&[1, -3], 0, Relation::Zero, &effort)?;
    /// assert_eq!(graph.exists(&[1], &effort)?, VectorSet::congruence(&[1], 0, 3, &effort)?);
    /// # Ok::<(), semilinear::run::StopReason>(())
    /// ```
    pub fn exists(&self, tracks: &[usize], effort: &Effort<'_>) -> Result<Self, StopReason> {
        let mut removed = vec![false; self.dimension];
        for &track in tracks {
            removed[track] = true;
        }
        let kept: Vec<usize> = (0..self.dimension).filter(|&t| !removed[t]).collect();
        assert!(!kept.is_empty(), "at least one coordinate stays");
        let accepting = self.accepting_by(&removed);
        let constants = self.constants();
        let dimension = kept.len();
        // A state of the result before kept track j: all states that self can be in before that track.
        let close = |mut states: Vec<u32>| -> Vec<u32> {
            loop {
                states.sort_unstable();
                states.dedup();
                // What accepts nothing adds nothing; what accepts everything makes the rest needless.
                if let Some(&all) = states.iter().find(|&&s| constants[s as usize] == Some(true)) {
                    states = vec![all];
                } else {
                    states.retain(|&s| constants[s as usize] != Some(false));
                }
                match states.first() {
                    Some(&s) if removed[self.track(s)] => {
                        states = states.iter().flat_map(|&s| self.next[s as usize]).collect();
                    }
                    _ => return states,
                }
            }
        };
        let start = close(vec![0]);
        let mut numbers: FxHashMap<(Vec<u32>, u8), u32> = FxHashMap::default();
        let mut raw = Labelled { dimension, next: Vec::new(), track: vec![0], label: Vec::new() };
        let mut sets = vec![start.clone()];
        numbers.insert((start, 0), 0);
        let (mut current, mut work) = (0, WORK_A_TICK);
        while current < sets.len() {
            effort.allow(sets.len())?;
            // Sets of thousands of states are common: what counts is their number altogether.
            if work >= WORK_A_TICK {
                effort.monitor.check(current as u64, None)?;
                work = 0;
            }
            work += 1 + sets[current].len();
            let states = sets[current].clone();
            let track = raw.track[current];
            raw.label.push(track == 0 && states.iter().any(|&s| accepting[s as usize]));
            let following = super::builder::after(track, dimension);
            let successors = [0, 1].map(|bit| {
                let target = close(states.iter().map(|&s| self.next[s as usize][bit]).collect());
                *numbers.entry((target, following)).or_insert_with_key(|(target, _)| {
                    sets.push(target.clone());
                    raw.track.push(following);
                    id(sets.len() - 1)
                })
            });
            raw.next.push(successors);
            current += 1;
        }
        raw.minimal(effort)
    }

    /// {x : all values of the named coordinates put (…) into self}; complexity as for [`VectorSet::exists`].
    ///
    /// ```
    /// use semilinear::vectorset::{Effort, Relation, VectorSet};
    /// let effort = Effort::unlimited();
    /// // x with y ≤ x + 5 or y ≥ 8 for all y: those with x ≥ 2.
    /// let low = VectorSet::linear(&[1, -1], 5, Relation::AtLeastZero, &effort)?;
    /// let high = VectorSet::linear(&[0, 1], -8, Relation::AtLeastZero, &effort)?;
    /// let all = low.union(&high, &effort)?.forall(&[1], &effort)?;
    /// assert_eq!(all, VectorSet::linear(&[1], -2, Relation::AtLeastZero, &effort)?);
    /// # Ok::<(), semilinear::run::StopReason>(())
    /// ```
    pub fn forall(&self, tracks: &[usize], effort: &Effort<'_>) -> Result<Self, StopReason> {
        Ok(self.complement().exists(tracks, effort)?.complement())
    }

    /// The states from which digits that are zero in the kept tracks, and any in the removed ones, lead to
    /// acceptance: the removed coordinates may be longer than the kept ones.
    fn accepting_by(&self, removed: &[bool]) -> Vec<bool> {
        let mut predecessors: Vec<Vec<u32>> = vec![vec![]; self.next.len()];
        for (state, successors) in self.next.iter().enumerate() {
            predecessors[successors[0] as usize].push(id(state));
            if removed[usize::from(self.track[state])] {
                predecessors[successors[1] as usize].push(id(state));
            }
        }
        let mut accepting = self.label.clone();
        let mut queue: Vec<u32> = (0..id(accepting.len())).filter(|&s| accepting[s as usize]).collect();
        while let Some(state) = queue.pop() {
            for &before in &predecessors[state as usize] {
                if !std::mem::replace(&mut accepting[before as usize], true) {
                    queue.push(before);
                }
            }
        }
        accepting
    }
}
