//! Blocks: the outcomes or Grundy values of a game on ℕᵈ whose rules have no negative entry, by an automaton that reads
//! *most significant digits first*.
//!
//! The board is cut into blocks of a side s that no rule exceeds. A block, and every cube of 2ᵏ × … × 2ᵏ blocks, is determined by its
//! 2ᵈ − 1 lower neighbours of the same size, so that cubes of doubling size are computed once for each *combination of neighbours* that
//! occurs (`coarse`), not once for each place. Where the set of P-positions is periodic between walls, there are few combinations at every
//! size: a wall is one of few kinds however many other walls there are, while an automaton that reads least significant digits first must
//! remember all walls and all periods at once.
//!
//! Prefixes of digits whose cubes agree at all sizes seen become states (`learn`); the automaton is then proved for the
//! whole board by a walk over the combinations of states of neighbouring prefixes (`proof`, `docs/theory/blocks.md`).
//!
//! ```
//! use impartial::lattice::{Description, LatticeGame};
//! use impartial::run::{Run, Unlimited};
//! use impartial::solve::blocks::{Limits, outcomes};
//! let game = Description::from_toml("rules = [[3, 1, 2], [2, 2, 1], [1, 4, 2]]").unwrap();
//! let game = LatticeGame::new(&game, &Unlimited).unwrap();
//! let Run::Finished(found) = outcomes(&game, &Limits::default(), &Unlimited) else { panic!() };
//! assert_eq!(found.label_small(&[2, 1, 1]), Some(0)); // no move: a P-position
//! assert_eq!(found.label_small(&[3, 1, 2]), Some(1));
//! ```

mod coarse;
mod count;
mod keys;
mod learn;
mod margin;
pub mod proof;
mod reverse;
mod shape;
mod symmetry;
#[cfg(test)]
mod tests;

use num_bigint::BigUint;
use num_integer::Integer as _;
use num_traits::ToPrimitive as _;

use crate::lattice::LatticeGame;
use semilinear::run::{Monitor, Run, StopReason};

use coarse::Coarse;
use learn::Guess;
use shape::Shape;

pub use shape::{MOST_CELLS, OFF};

/// How far the search may go.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// Combinations of neighbours that are kept, over all sizes of cubes.
    pub combinations: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self { combinations: 1 << 24 }
    }
}

/// The largest label: files write labels as digits 0 to 9 and a to z.
pub const MOST_LABEL: u8 = 35;

/// What is asked of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Target {
    /// 0 at P-positions, 1 at N-positions.
    Outcomes,
    /// Grundy values.
    Values,
}

impl Target {
    /// The largest label: a label is the mex of the options' labels, or this if that is less.
    fn cap(self, game: &LatticeGame) -> u8 {
        match self {
            Self::Outcomes => 1,
            Self::Values => u8::try_from(game.inner_rules().len()).ok().filter(|&cap| cap <= MOST_LABEL).unwrap_or(OFF),
        }
    }
}

/// What a stopped search knows.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Partial {
    /// Kinds of cubes of side s, 2s, 4s, …
    pub kinds: Vec<usize>,
    /// Side of the largest cube at the origin that was computed.
    pub side: u64,
}

/// A function on ℕᵈ: labels in blocks, and an automaton that says which block lies where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Blocks {
    dimension: usize,
    side: u32,
    /// 2ᵈ successors a state; bit i of a letter is the digit of coordinate i. State 0 is initial and stays there with digits 0.
    next: Vec<u32>,
    /// The block of the prefixes that end in a state.
    block: Vec<u32>,
    /// Labels of blocks: the cell w has the index Σ wᵢ·sⁱ. [`OFF`] where there is no position.
    contents: Vec<Vec<u8>>,
}

impl Blocks {
    /// The function of a table; the error says what is no table.
    pub fn new(
        dimension: usize,
        side: u32,
        next: Vec<u32>,
        block: Vec<u32>,
        contents: Vec<Vec<u8>>,
    ) -> Result<Self, String> {
        let cells = shape::cells(dimension, side).ok_or("a side or dimension that is 0 or too large")?;
        let states = block.len();
        if states == 0 || next.len() != states << dimension {
            return Err(format!("{} successors of {states} states with {dimension} coordinates", next.len()));
        }
        if next.iter().any(|&s| s as usize >= states) || block.iter().any(|&b| b as usize >= contents.len()) {
            return Err("a state or block that is not in the list".into());
        }
        if next[0] != 0 {
            return Err("leading zeros leave the first state".into());
        }
        if contents.iter().any(|labels| labels.len() != cells) {
            return Err(format!("a block that has not {cells} labels"));
        }
        Ok(Self { dimension, side, next, block, contents })
    }

    /// The number of coordinates.
    pub fn dimension(&self) -> usize {
        self.dimension
    }

    /// The side of a block.
    pub fn side(&self) -> u32 {
        self.side
    }

    /// The number of states.
    pub fn states(&self) -> usize {
        self.block.len()
    }

    /// The successors, 2ᵈ a state.
    pub fn transitions(&self) -> &[u32] {
        &self.next
    }

    /// The block of each state.
    pub fn state_blocks(&self) -> &[u32] {
        &self.block
    }

    /// The largest label.
    pub fn largest(&self) -> u8 {
        self.contents.iter().flatten().copied().filter(|&label| label != OFF).max().unwrap_or(0)
    }

    /// The labels of each block.
    pub fn contents(&self) -> &[Vec<u8>] {
        &self.contents
    }

    /// The label of a vector: 0 at P-positions; `None` where there is no position.
    ///
    /// # Complexity
    /// O(d · digits) after a division by the side, which is linear too.
    pub fn label(&self, x: &[BigUint]) -> Option<u8> {
        let side = BigUint::from(self.side);
        let (prefix, rest): (Vec<BigUint>, Vec<BigUint>) = x.iter().map(|x| x.div_rem(&side)).unzip();
        let digits = prefix.iter().map(BigUint::bits).max().unwrap_or(0);
        let mut state = 0;
        for digit in (0..digits).rev() {
            let letter = prefix.iter().enumerate().fold(0, |e, (i, p)| e | usize::from(p.bit(digit)) << i);
            state = self.next[(state << self.dimension) + letter] as usize;
        }
        let cell =
            rest.iter().rev().fold(0, |cell, w| cell * self.side as usize + w.to_usize().expect("less than the side"));
        Some(self.contents[self.block[state] as usize][cell]).filter(|&label| label != OFF)
    }

    /// [`Blocks::label`] of a small vector.
    pub fn label_small(&self, x: &[u64]) -> Option<u8> {
        self.label(&x.iter().map(|&x| x.into()).collect::<Vec<BigUint>>())
    }
}

/// Whether blocks are for this game: on the orthant, with rules without negative entries that fit into small blocks.
pub fn applies(game: &LatticeGame) -> bool {
    Shape::new(game, Target::Outcomes).is_some()
}

/// The outcomes of a game, proved for the whole board: label 0 at P-positions, 1 at N-positions.
///
/// # Complexity
/// Polynomial in the number of combinations of neighbours that occur, which is finite at every size of cubes and bounded over all of them iff
/// the outcomes are given by such an automaton.
pub fn outcomes(game: &LatticeGame, limits: &Limits, monitor: &dyn Monitor) -> Run<Blocks, Partial> {
    found(game, Target::Outcomes, *limits, monitor)
}

/// The Grundy values of a game, proved for the whole board.
pub fn values(game: &LatticeGame, limits: &Limits, monitor: &dyn Monitor) -> Run<Blocks, Partial> {
    found(game, Target::Values, *limits, monitor)
}

/// Cubes are doubled no further than this: their corners stay machine integers.
const MOST_LEVELS: usize = 40;

fn found(game: &LatticeGame, target: Target, limits: Limits, monitor: &dyn Monitor) -> Run<Blocks, Partial> {
    let Some(shape) = Shape::new(game, target) else {
        let why = StopReason::Size { what: "cells of a block", limit: MOST_CELLS as u64 };
        return Run::Stopped(why, Partial::default());
    };
    let mut coarse = Coarse::new(&shape, game.inner_defeated(), limits.combinations, monitor);
    // The sizes of the cubes that tell prefixes apart.
    let mut sizes = vec![0, 1];
    let mut beyond = 4;
    let result = (|| {
        for _ in 0..MOST_LEVELS {
            coarse.double()?;
            while coarse.settled() {
                match learn::automaton(&coarse, &sizes, beyond, monitor)? {
                    Guess::KnowsTooLittle => break,
                    Guess::Add(size) => sizes.push(size),
                    Guess::Found(blocks) => {
                        // The walk meets the combinations that the cubes have shown, and few more; a wrong guess meets many.
                        let most = 4 * coarse.most_combinations() * shape.symmetry.order() + 1000;
                        match proof::failure(&shape, game.inner_defeated(), &blocks, most, monitor) {
                            Ok(None) => return Ok(blocks),
                            Ok(Some(_)) | Err(StopReason::Size { .. }) => {
                                beyond *= 2;
                                break;
                            }
                            Err(why) => return Err(why),
                        }
                    }
                }
            }
        }
        Err(StopReason::Size { what: "doublings of a cube", limit: MOST_LEVELS as u64 })
    })();
    match result {
        Ok(blocks) => Run::Finished(blocks),
        Err(why) => Run::Stopped(why, coarse.partial()),
    }
}
