//! What a block sees of its lower neighbours.

use super::Target;
use super::margin::{Margin, Slack};
use super::symmetry::Symmetry;
use crate::lattice::LatticeGame;

/// The label of a vector that is no position.
pub const OFF: u8 = u8::MAX;
/// Cells of a block, at most.
pub const MOST_CELLS: usize = 1 << 14;
/// Coordinates, at most: there are 2ᵈ − 1 neighbours.
const MOST_COORDINATES: usize = 6;
/// Corners of a block, at most.
pub(super) const MOST_CORNERS: usize = 1 << MOST_COORDINATES;

/// The number of cells of a block; `None` when there are none or too many.
pub(super) fn cells(dimension: usize, side: u32) -> Option<usize> {
    let cells = (side as usize).checked_pow(u32::try_from(dimension).ok()?)?;
    (1..=MOST_COORDINATES).contains(&dimension).then_some(cells).filter(|cells| (1..=MOST_CELLS).contains(cells))
}

/// Where the options of a cell lie, and where the neighbours of a child come from. A *corner* is a set of coordinates, as bits:
/// neighbour b of a block at p is the block at p − b.
#[derive(Clone, Debug)]
pub(super) struct Shape {
    pub dimension: usize,
    pub side: u32,
    /// The largest label.
    pub cap: u8,
    cells: usize,
    /// For each cell the corner and cell of each option, rule by rule.
    options: Vec<(u32, u32)>,
    rules: usize,
    /// Where the board ends.
    pub margin: Margin,
    /// Coordinates that may be exchanged.
    pub symmetry: Symmetry,
    /// For each child e and corner b: the corner c and child f with 2p + e − b = 2(p − c) + f.
    nearby: Vec<(usize, usize)>,
}

impl Shape {
    /// The shape of a game in its own coordinates, without negative ones, whose rules have no negative entry.
    pub fn new(game: &LatticeGame, target: Target) -> Option<Self> {
        let (rules, dimension) = (game.inner_rules(), game.dimension());
        if !game.chart().is_identity() || rules.iter().flatten().any(|&g| g < 0) {
            return None;
        }
        let cap = target.cap(game);
        let largest = u32::try_from(*rules.iter().flatten().max()?).ok()?;
        // Powers of two, as far as they are not too large: then blocks do not show periods that cubes hide.
        let handy = largest.checked_next_power_of_two()?.max(2);
        let side = if cells(dimension, handy).is_some() { handy } else { largest };
        let cells = cells(dimension, side)?;
        if cap == OFF {
            return None;
        }
        let mut options = Vec::with_capacity(cells * rules.len());
        for cell in 0..cells {
            for rule in rules {
                let (mut corner, mut at, mut rest, mut weight) = (0, 0, cell, 1);
                for (i, &g) in rule.iter().enumerate() {
                    let below = i64::try_from(rest % side as usize).ok()? - g;
                    rest /= side as usize;
                    let inside = below.rem_euclid(i64::from(side));
                    corner |= u32::from(below < 0) << i;
                    at += u32::try_from(inside).ok()? * weight;
                    weight *= side;
                }
                options.push((corner, at));
            }
        }
        let margin = Margin::new(game)?;
        let symmetry = Symmetry::new(game);
        let (rules, nearby) = (rules.len(), nearby(dimension));
        Some(Self { dimension, side, cap, cells, options, rules, margin, symmetry, nearby })
    }

    /// 2ᵈ: corners, and children of a cube.
    pub fn corners(&self) -> usize {
        1 << self.dimension
    }

    /// The entries of the labels of a block, four in each.
    pub fn words(&self) -> usize {
        self.cells.div_ceil(4)
    }

    /// For each corner of child e, where it comes from.
    pub fn nearby(&self, child: usize) -> &[(usize, usize)] {
        &self.nearby[child << self.dimension..(child + 1) << self.dimension]
    }

    /// The labels of a block between its neighbours (corner 0 is not asked for; `None` lies off the orthant), where some cells are no positions.
    pub fn labels<'a>(&self, neighbour: impl Fn(usize) -> Option<&'a [u8]>, off: &[usize]) -> Vec<u8> {
        let mut labels = vec![OFF; self.cells];
        let mut beside: [&[u8]; MOST_CORNERS] = [&[]; MOST_CORNERS];
        for (corner, labels) in beside.iter_mut().enumerate().take(self.corners()).skip(1) {
            *labels = neighbour(corner).unwrap_or_default();
        }
        for (cell, options) in self.options.chunks(self.rules).enumerate() {
            if off.contains(&cell) {
                continue;
            }
            // Labels are at most 35, and those of vectors that are no positions are not counted.
            let mut seen = 0u64;
            for &(corner, at) in options {
                // An option in the same block lies at a smaller index.
                let block = if corner == 0 { &labels } else { beside[corner as usize] };
                let label = block.get(at as usize).copied().unwrap_or(OFF);
                seen |= u64::from(label < 64) << (label & 63);
            }
            labels[cell] = u8::try_from(seen.trailing_ones()).unwrap_or(OFF).min(self.cap);
        }
        labels
    }

    /// The cells of a block at which a row of the board fails, by the values of the rows.
    pub fn beyond(&self, values: &[Slack]) -> Vec<usize> {
        self.margin.off(values, self.side, self.cells)
    }

    /// The block and the cell of a vector without negative entries.
    pub fn place(&self, x: &[i64]) -> (Vec<u64>, usize) {
        let side = u64::from(self.side);
        let x: Vec<u64> = x.iter().map(|&x| u64::try_from(x).expect("positions have no negative coordinate")).collect();
        let cell = x.iter().rev().fold(0, |cell, x| cell * side + x % side);
        (x.iter().map(|x| x / side).collect(), usize::try_from(cell).expect("a cell of a small block"))
    }
}

fn nearby(dimension: usize) -> Vec<(usize, usize)> {
    let corners = 1usize << dimension;
    let mut all = Vec::with_capacity(corners * corners);
    for e in 0..corners {
        for b in 0..corners {
            // Digit by digit e − b = −2c + f: only 0 − 1 borrows.
            all.push((!e & b, e ^ b));
        }
    }
    all
}
