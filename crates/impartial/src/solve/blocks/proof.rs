//! The proof for the whole board: every block is what its neighbours make of it.

use rustc_hash::{FxHashMap, FxHashSet};

use crate::lattice::LatticeGame;
use semilinear::run::{Monitor, StopReason};

use super::shape::Shape;
use super::{Blocks, Target};

/// In place of a state: the neighbour lies off the orthant.
const NONE: u32 = u32::MAX;

/// A block at which the function fails to be the outcomes (or Grundy values) of the game: its place, in blocks. `None` when it is that
/// function on the whole board. The error says why the proof does not apply.
///
/// # Complexity
/// 2ᵈ table lookups of 2ᵈ states for each combination of states of neighbouring prefixes, and a block for each combination of their labels.
pub fn counterexample(
    game: &LatticeGame,
    blocks: &Blocks,
    target: Target,
    most: usize,
    monitor: &dyn Monitor,
) -> Result<Result<Option<Vec<u64>>, String>, StopReason> {
    let Some(shape) = Shape::new(game, target) else {
        return Ok(Err("blocks are for games on the orthant whose rules have no negative entry".into()));
    };
    if blocks.dimension() != shape.dimension || blocks.side() != shape.side {
        return Ok(Err(format!("blocks of side {} in {} coordinates", shape.side, shape.dimension)));
    }
    failure(&shape, game.inner_defeated(), blocks, most, monitor).map(Ok)
}

/// [`counterexample`] for a shape.
pub(super) fn failure(
    shape: &Shape,
    defeated: &[Vec<i64>],
    blocks: &Blocks,
    most: usize,
    monitor: &dyn Monitor,
) -> Result<Option<Vec<u64>>, StopReason> {
    let corners = shape.corners();
    let near = Near::new(shape, defeated);
    // A combination: which prefix near defeated positions p is (0: none), then the states of p − b for every corner b.
    let width = corners + 1;
    let mut first = vec![NONE; width];
    (first[0], first[1]) = (near.start(), 0);
    let mut seen: FxHashSet<Box<[u32]>> = FxHashSet::from_iter([first.clone().into()]);
    let mut met = first;
    let mut origin: Vec<(u32, u32)> = vec![(0, 0)];
    let mut sound: FxHashSet<Vec<u32>> = FxHashSet::default();
    let mut current = 0;
    while current < origin.len() {
        if current.is_multiple_of(256) {
            monitor.check(current as u64, None)?;
        }
        let here = met[current * width..(current + 1) * width].to_vec();
        let off = near.cells(here[0]);
        let block = |state: u32| if state == NONE { NONE } else { blocks.block[state as usize] };
        let mut look: Vec<u32> = here[1..].iter().map(|&state| block(state)).collect();
        look.push(if off.is_empty() { 0 } else { here[0] });
        if !sound.contains(&look) {
            let beside = |corner: usize| blocks.contents.get(look[corner] as usize).map(Vec::as_slice);
            if shape.labels(beside, off) != blocks.contents[look[0] as usize] {
                return Ok(Some(place(shape.dimension, &origin, current)));
            }
            sound.insert(look);
        }
        for letter in 0..corners {
            let mut after = Vec::with_capacity(width);
            after.push(near.step(here[0], letter));
            after.extend(shape.nearby(letter).iter().map(|&(corner, child)| match here[1 + corner] {
                NONE => NONE,
                state => blocks.next[((state as usize) << shape.dimension) + child],
            }));
            if !seen.contains(after.as_slice()) {
                if origin.len() >= most {
                    return Err(StopReason::Size { what: "combinations of neighbouring states", limit: most as u64 });
                }
                met.extend_from_slice(&after);
                seen.insert(after.into());
                origin.push((u32::try_from(current).expect("limited"), u32::try_from(letter).expect("few letters")));
            }
        }
        current += 1;
    }
    Ok(None)
}

/// The prefix that leads to a combination.
fn place(dimension: usize, origin: &[(u32, u32)], mut at: usize) -> Vec<u64> {
    let mut p = vec![0u64; dimension];
    let mut weight = 1u64;
    while at != 0 {
        let (before, letter) = origin[at];
        for (i, p) in p.iter_mut().enumerate() {
            *p = p.saturating_add(weight.saturating_mul(u64::from(letter >> i & 1)));
        }
        weight = weight.saturating_mul(2);
        at = before as usize;
    }
    p
}

/// The prefixes of the blocks of defeated positions, numbered from 1, with the cells that are defeated.
struct Near {
    numbers: FxHashMap<Vec<u64>, u32>,
    prefixes: Vec<(Vec<u64>, Vec<usize>)>,
}

impl Near {
    fn new(shape: &Shape, defeated: &[Vec<i64>]) -> Self {
        let mut near = Self { numbers: FxHashMap::default(), prefixes: vec![(vec![], vec![])] };
        for x in defeated {
            let (mut prefix, cell) = shape.place(x);
            let number = near.number(&prefix);
            near.prefixes[number as usize].1.push(cell);
            while prefix.iter().any(|&p| p > 0) {
                prefix = prefix.iter().map(|p| p >> 1).collect();
                near.number(&prefix);
            }
        }
        near
    }

    fn number(&mut self, prefix: &[u64]) -> u32 {
        let fresh = u32::try_from(self.prefixes.len()).expect("few defeated positions");
        *self.numbers.entry(prefix.to_vec()).or_insert_with_key(|prefix| {
            self.prefixes.push((prefix.clone(), vec![]));
            fresh
        })
    }

    /// Of the prefix 0.
    fn start(&self) -> u32 {
        self.prefixes
            .iter()
            .position(|(p, _)| !p.is_empty() && p.iter().all(|&p| p == 0))
            .map_or(0, |at| u32::try_from(at).expect("few defeated positions"))
    }

    fn step(&self, number: u32, letter: usize) -> u32 {
        let (prefix, _) = &self.prefixes[number as usize];
        if number == 0 {
            return 0;
        }
        let after: Vec<u64> = prefix.iter().enumerate().map(|(i, p)| 2 * p + (letter >> i & 1) as u64).collect();
        self.numbers.get(&after).copied().unwrap_or(0)
    }

    fn cells(&self, number: u32) -> &[usize] {
        &self.prefixes[number as usize].1
    }
}
