//! The proof for the whole board: every block is what its neighbours make of it.

use rustc_hash::FxHashMap;

use crate::lattice::LatticeGame;
use semilinear::run::{Monitor, StopReason};

use super::keys::Keys;
use super::margin::Slack;
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
        return Ok(Err("blocks are for games whose positions and rules have no negative entry".into()));
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
    let mut near = Near::new(shape, defeated);
    // Falling prefixes are enough where the function is as symmetric as the game.
    let tied = if shape.symmetry.keeps(shape, blocks) { shape.symmetry.tied() } else { 0 };
    // A combination: how the board ends near p (0: not at all), the states of p − b for every corner b, and which coordinates of p are equal.
    let width = corners + 2;
    let mut first = vec![NONE; width];
    (first[0], first[1], first[1 + corners]) = (near.start(), 0, tied);
    let mut met = Keys::new(width);
    met.number(&first);
    let mut origin: Vec<(u32, u32)> = vec![(0, 0)];
    let mut sound = Keys::new(corners + 1);
    let mut after = vec![NONE; width];
    let mut current = 0;
    while current < origin.len() {
        if current.is_multiple_of(256) {
            monitor.check(current as u64, None)?;
        }
        let here = met.get(u32::try_from(current).expect("limited")).to_vec();
        let off = near.cells(here[0]);
        let block = |state: u32| if state == NONE { NONE } else { blocks.block[state as usize] };
        let mut look: Vec<u32> = here[1..=corners].iter().map(|&state| block(state)).collect();
        look.push(if off.is_empty() { 0 } else { here[0] });
        if let Err(hash) = sound.find(&look) {
            let beside = |corner: usize| blocks.contents.get(look[corner] as usize).map(Vec::as_slice);
            if shape.labels(beside, off) != blocks.contents[look[0] as usize] {
                return Ok(Some(place(shape.dimension, &origin, current)));
            }
            sound.push(&look, hash);
        }
        for letter in 0..corners {
            let Ok(still) = shape.symmetry.after(here[1 + corners], letter) else { continue };
            after[1 + corners] = still;
            after[0] = near.step(here[0], letter);
            for (after, &(corner, child)) in after[1..=corners].iter_mut().zip(shape.nearby(letter)) {
                *after = match here[1 + corner] {
                    NONE => NONE,
                    state => blocks.next[((state as usize) << shape.dimension) + child],
                };
            }
            if let Err(hash) = met.find(&after) {
                if origin.len() >= most {
                    return Err(StopReason::Size { what: "combinations of neighbouring states", limit: most as u64 });
                }
                met.push(&after, hash);
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

/// Prefixes as far as the end of the board is concerned: the prefix itself while defeated positions lie below it, and the values of the
/// board's rows. Number 0 is a prefix below which all vectors are positions.
struct Near<'a> {
    shape: &'a Shape,
    /// The prefixes of the blocks of defeated positions, and the cells that are defeated.
    defeated: FxHashMap<Vec<u64>, Vec<usize>>,
    numbers: FxHashMap<(Option<Vec<u64>>, Vec<Slack>), u32>,
    marks: Vec<(Option<Vec<u64>>, Vec<Slack>)>,
    /// The cells that are no positions.
    cells: Vec<Vec<usize>>,
}

impl<'a> Near<'a> {
    fn new(shape: &'a Shape, defeated: &[Vec<i64>]) -> Self {
        let mut prefixes: FxHashMap<Vec<u64>, Vec<usize>> = FxHashMap::default();
        for x in defeated {
            let (mut prefix, cell) = shape.place(x);
            prefixes.entry(prefix.clone()).or_default().push(cell);
            while prefix.iter().any(|&p| p > 0) {
                prefix = prefix.iter().map(|p| p >> 1).collect();
                prefixes.entry(prefix.clone()).or_default();
            }
        }
        let numbers = FxHashMap::default();
        let mut near = Self { shape, defeated: prefixes, numbers, marks: vec![], cells: vec![] };
        near.number((None, shape.margin.inside()));
        near
    }

    fn number(&mut self, mark: (Option<Vec<u64>>, Vec<Slack>)) -> u32 {
        if let Some(&number) = self.numbers.get(&mark) {
            return number;
        }
        let fresh = u32::try_from(self.marks.len()).expect("no more than combinations");
        let mut off = self.shape.beyond(&mark.1);
        off.extend(mark.0.as_ref().and_then(|prefix| self.defeated.get(prefix)).into_iter().flatten());
        self.cells.push(off);
        self.marks.push(mark.clone());
        self.numbers.insert(mark, fresh);
        fresh
    }

    /// Of the prefix 0.
    fn start(&mut self) -> u32 {
        let zero = vec![0; self.shape.dimension];
        let prefix = self.defeated.contains_key(&zero).then_some(zero);
        self.number((prefix, self.shape.margin.start()))
    }

    fn step(&mut self, number: u32, letter: usize) -> u32 {
        if number == 0 {
            return 0;
        }
        let (prefix, values) = &self.marks[number as usize];
        let after = |p: &Vec<u64>| p.iter().enumerate().map(|(i, p)| 2 * p + (letter >> i & 1) as u64).collect();
        let prefix = prefix.as_ref().map(after).filter(|prefix| self.defeated.contains_key(prefix));
        let values = self.shape.margin.step(values, letter);
        self.number((prefix, values))
    }

    fn cells(&self, number: u32) -> &[usize] {
        &self.cells[number as usize]
    }
}
