//! Exploration: from residuals described by keys to a minimal automaton.

use std::hash::Hash;

use rustc_hash::FxHashMap;

use super::{Effort, Label, Labelled, MAX_DIMENSION, VectorSet, id};
use crate::run::StopReason;

/// The successor of a track.
pub(super) fn after(track: u8, dimension: usize) -> u8 {
    let next = usize::from(track) + 1;
    if next == dimension { 0 } else { u8::try_from(next).expect("dimension is at most 64") }
}

/// The automaton whose states are the keys reachable from `start`; then minimised.
///
/// A key stands for a residual function. `step(key, track, bit)` is the residual after the digit `bit`, and
/// `label(key)` (asked at track 0 only) is its value at 0. Equal keys must have equal tracks.
pub(super) fn explore<K: Hash + Eq + Clone, L: Label>(
    dimension: usize,
    start: K,
    effort: &Effort<'_>,
    mut step: impl FnMut(&K, usize, usize) -> K,
    mut label: impl FnMut(&K) -> L,
) -> Result<Labelled<L>, StopReason> {
    assert!((1..=MAX_DIMENSION).contains(&dimension), "dimension between 1 and {MAX_DIMENSION}");
    let mut numbers: FxHashMap<(K, u8), u32> = FxHashMap::default();
    let mut raw = Labelled { dimension, next: Vec::new(), track: vec![0], label: Vec::new() };
    let mut keys = vec![start.clone()];
    numbers.insert((start, 0), 0);
    let mut current = 0;
    while current < keys.len() {
        effort.allow(keys.len())?;
        if current.is_multiple_of(1024) {
            effort.monitor.check(current as u64, None)?;
        }
        let key = keys[current].clone();
        let track = raw.track[current];
        raw.label.push(if track == 0 { label(&key) } else { L::default() });
        let following = after(track, dimension);
        let mut successors = [0; 2];
        for (bit, successor) in successors.iter_mut().enumerate() {
            let target = step(&key, usize::from(track), bit);
            *successor = *numbers.entry((target, following)).or_insert_with_key(|(target, _)| {
                keys.push(target.clone());
                raw.track.push(following);
                id(keys.len() - 1)
            });
        }
        raw.next.push(successors);
        current += 1;
    }
    raw.minimal(effort)
}

/// The track of every state that can be reached; what is wrong with the table otherwise.
pub(super) fn tracks(dimension: usize, next: &[[u32; 2]]) -> Result<Vec<Option<u8>>, String> {
    if !(1..=MAX_DIMENSION).contains(&dimension) {
        return Err(format!("dimension {dimension} is not between 1 and {MAX_DIMENSION}"));
    }
    if next.is_empty() {
        return Err("there is no initial state".into());
    }
    if let Some(state) = next.iter().flatten().find(|&&s| s as usize >= next.len()) {
        return Err(format!("there is no state {state}"));
    }
    let mut track: Vec<Option<u8>> = vec![None; next.len()];
    track[0] = Some(0);
    let mut queue = vec![0u32];
    while let Some(state) = queue.pop() {
        let here = track[state as usize].expect("queued states have a track");
        let there = after(here, dimension);
        for &target in &next[state as usize] {
            match track[target as usize] {
                None => {
                    track[target as usize] = Some(there);
                    queue.push(target);
                }
                Some(known) if known != there => {
                    return Err(format!("state {target} is reached at tracks {known} and {there}"));
                }
                Some(_) => {}
            }
        }
    }
    Ok(track)
}

impl VectorSet {
    /// The set of an automaton given by a table: `next[s]` are the successors of state s by digits 0 and
    /// 1, state 0 is initial and reads the lowest digit of x₁, `accepting` lists the states that accept
    /// when a whole number of digit blocks was read. Returns what is wrong with the table otherwise: a
    /// state out of range, reached at two tracks, accepting elsewhere than at track 0, or acceptance that
    /// changes when zero digits are appended.
    ///
    /// ```
    /// use semilinear::vectorset::{Effort, VectorSet};
    /// let effort = Effort::unlimited();
    /// // The even numbers: the first digit decides.
    /// let even = VectorSet::from_table(1, &[[1, 2], [1, 1], [2, 2]], &[0, 1], &effort)?.unwrap();
    /// assert_eq!(even, VectorSet::congruence(&[1], 0, 2, &effort)?);
    /// # Ok::<(), semilinear::run::StopReason>(())
    /// ```
    pub fn from_table(
        dimension: usize,
        next: &[[u32; 2]],
        accepting: &[u32],
        effort: &Effort<'_>,
    ) -> Result<Result<Self, String>, StopReason> {
        if let Some(state) = accepting.iter().find(|&&s| s as usize >= next.len()) {
            return Ok(Err(format!("there is no state {state}")));
        }
        let mut accepts = vec![false; next.len()];
        for &state in accepting {
            accepts[state as usize] = true;
        }
        let track = match tracks(dimension, next) {
            Ok(track) => track,
            Err(what) => return Ok(Err(what)),
        };
        for (state, &track) in track.iter().enumerate() {
            if accepts[state] && track.is_some_and(|track| track != 0) {
                return Ok(Err(format!("state {state} accepts in the middle of a digit block")));
            }
        }
        Self::of_table(dimension, next, &accepts, &track, effort)
    }
}

impl<L: Label> Labelled<L> {
    /// The function of a table whose reachable states have these tracks, or what is wrong with it: values that change when
    /// zero digits are appended.
    pub(super) fn of_table(
        dimension: usize,
        next: &[[u32; 2]],
        labels: &[L],
        track: &[Option<u8>],
        effort: &Effort<'_>,
    ) -> Result<Result<Self, String>, StopReason> {
        effort.allow(next.len())?;
        for state in (0..next.len()).filter(|&state| track[state] == Some(0)) {
            let padded = (0..dimension).fold(state, |s, _| next[s][0] as usize);
            if labels[padded] != labels[state] {
                return Ok(Err(format!("zero digits change the label of state {state}")));
            }
        }
        explore(dimension, 0u32, effort, |&s, _, bit| next[s as usize][bit], |&s| labels[s as usize]).map(Ok)
    }
}
