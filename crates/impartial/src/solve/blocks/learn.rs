//! An automaton from cubes: prefixes whose cubes agree at every size seen are one state.

use rustc_hash::FxHashMap;

use super::Blocks;
use super::coarse::Coarse;
use semilinear::run::{Monitor, StopReason};

/// Prefixes with fewer sizes of cubes than this are not judged.
const FEWEST: usize = 3;

/// The representatives, found by the kinds of their cubes from the smallest size on.
#[derive(Default)]
struct Known {
    after: FxHashMap<(u32, u32), u32>,
    /// The first state below each node, and whether there are more.
    state: Vec<(u32, bool)>,
}

impl Known {
    fn insert(&mut self, kinds: &[u32], state: u32) {
        let mut node = 0;
        for &kind in kinds {
            let fresh = u32::try_from(self.state.len()).expect("limited by the kinds");
            node = *self.after.entry((node, kind)).or_insert(fresh);
            match self.state.get_mut(node as usize) {
                Some((_, more)) => *more = true,
                None => self.state.push((state, false)),
            }
        }
    }

    /// The states whose kinds begin so: the first, and whether there are more.
    fn find(&self, kinds: &[u32]) -> Option<(u32, bool)> {
        let mut node = 0;
        for &kind in kinds {
            node = *self.after.get(&(node, kind))?;
        }
        Some(self.state[node as usize])
    }
}

/// The automaton that the cubes show; `None` when they show too little.
///
/// # Complexity
/// O(states · 2ᵈ · levels).
pub(super) fn automaton(coarse: &Coarse<'_>, monitor: &dyn Monitor) -> Result<Option<Blocks>, StopReason> {
    let shape = coarse.shape();
    let corners = shape.corners();
    if coarse.roots().len() <= FEWEST {
        return Ok(None);
    }
    // Node 0 of the tree is its root.
    let mut known = Known { state: vec![(0, true)], ..Known::default() };
    known.insert(coarse.roots(), 0);
    let mut seen: Vec<Vec<u32>> = vec![coarse.roots().to_vec()];
    let mut next: Vec<u32> = Vec::new();
    while next.len() < seen.len() * corners {
        let state = next.len() / corners;
        if state.is_multiple_of(256) {
            monitor.check(state as u64, None)?;
        }
        let kinds = seen[state].clone();
        for letter in 0..corners {
            // Leading zeros change nothing.
            if state == 0 && letter == 0 {
                next.push(0);
                continue;
            }
            let after: Vec<u32> = (1..kinds.len()).map(|level| coarse.child(level, kinds[level], letter)).collect();
            if after.len() < FEWEST {
                return Ok(None);
            }
            next.push(match known.find(&after) {
                Some((_, true)) => return Ok(None),
                Some((state, false)) => state,
                None => {
                    let state = u32::try_from(seen.len()).expect("limited by the kinds");
                    known.insert(&after, state);
                    seen.push(after);
                    state
                }
            });
        }
    }
    // Only the blocks of states are kept.
    let mut numbers: FxHashMap<u32, u32> = FxHashMap::default();
    let mut contents = Vec::new();
    let block = seen
        .iter()
        .map(|kinds| {
            *numbers.entry(kinds[0]).or_insert_with_key(|&kind| {
                contents.push(coarse.contents()[kind as usize].clone());
                u32::try_from(contents.len() - 1).expect("no more than states")
            })
        })
        .collect();
    Ok(Some(Blocks { dimension: shape.dimension, side: shape.side, next, block, contents }))
}
