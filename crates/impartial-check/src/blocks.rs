//! Forms "blocks" and "grundy-blocks": labels of the positions of a lattice game, block by block, by an automaton that reads the
//! digits of a block's place from the most significant one on.

use std::collections::{HashMap, HashSet};

use crate::format::Vector;
use crate::json::objects;
use crate::lattice::Lattice;
use crate::meter::{Held, Meter};
use crate::walk::fits;
use crate::words::written;
use crate::{Checked, Failure, refuse};

objects! {
    /// The certificate.
    Placed { functional: Vector, side: u32, transitions: Vec<u32>, state_blocks: Vec<u32>, blocks: Vec<String> }
}

/// Coordinates and cells of a block, at most.
const MOST_COORDINATES: usize = 10;
const MOST_CELLS: usize = 1 << 20;
/// A vector that is no position.
const OFF: u8 = u8::MAX;
/// A neighbour that lies off the orthant.
const NOWHERE: u32 = u32::MAX;

/// Which equation the labels satisfy.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Labels {
    /// 0 at P-positions, 1 at N-positions.
    Outcomes,
    /// Grundy values.
    Values,
}

/// Form "blocks" or "grundy-blocks".
pub(crate) fn check(game: &Lattice, file: &Placed, labels: Labels, meter: &Meter<'_>) -> Checked<String> {
    meter.extension("blocks");
    refuse_if!(game.rows.is_some(), "game.board: blocks are for games on the orthant");
    // Play ends.
    let inner = game.inner(&file.functional, None, meter)?;
    let read = Table::read(game, file, meter)?;
    let side = i128::from(file.side);
    if inner.rules.iter().flatten().any(|g| !(0..=side).contains(g)) {
        return refuse("certificate.side: a rule with an entry that is negative or greater");
    }
    read.every_block_follows(game, labels, meter)?;
    let (words, states, side) = (game.words(), file.state_blocks.len(), file.side);
    let what = match labels {
        Labels::Outcomes => "the P-positions",
        Labels::Values => "the Grundy values",
    };
    Ok(format!(
        "{what} of {words} are those of the given blocks of side {side}, placed by the given automaton of {states} states"
    ))
}

struct Table<'a> {
    dimension: usize,
    side: usize,
    cells: usize,
    next: &'a [u32],
    block: &'a [u32],
    contents: Vec<Vec<u8>>,
}

impl<'a> Table<'a> {
    fn read(game: &Lattice, file: &'a Placed, meter: &Meter<'_>) -> Checked<Self> {
        let (dimension, side, states) = (game.dimension, file.side as usize, file.state_blocks.len());
        let cells = u32::try_from(dimension).ok().and_then(|d| side.checked_pow(d)).filter(|&n| n <= MOST_CELLS);
        let Some(cells) = cells.filter(|&n| n > 0 && dimension <= MOST_COORDINATES) else {
            return refuse("certificate.side: it is 0, or the block has too many cells");
        };
        meter.steps(cells.saturating_mul(file.blocks.len()))?;
        let contents: Vec<Vec<u8>> =
            file.blocks.iter().map(|text| text.bytes().map(label).collect()).collect::<Option<_>>().ok_or_else(
                || {
                    Failure::Refused(
                        "certificate.blocks: a character that is no digit, no letter a to z and no point".into(),
                    )
                },
            )?;
        refuse_if!(
            contents.iter().any(|block| block.len() != cells),
            "certificate.blocks: a block without {cells} cells"
        );
        let wrong_state = |s: &u32| *s as usize >= states;
        if states == 0 || file.transitions.len() != states << dimension || file.transitions.iter().any(wrong_state) {
            return refuse("certificate.transitions: not 2^d successors for each of one or more states");
        }
        refuse_if!(file.transitions[0] != 0, "certificate.transitions: digits 0 lead away from the first state");
        if file.state_blocks.iter().any(|&b| b as usize >= contents.len()) {
            return refuse("certificate.state_blocks: a block that is not there");
        }
        Ok(Self { dimension, side, cells, next: &file.transitions, block: &file.state_blocks, contents })
    }

    /// The coordinates of a cell.
    fn coordinates(&self, cell: usize) -> Vec<usize> {
        let mut rest = cell;
        (0..self.dimension)
            .map(|_| {
                let w = rest % self.side;
                rest /= self.side;
                w
            })
            .collect()
    }

    /// Asks the equation at every vector of ℕᵈ: for every p ∈ ℕᵈ the states of p and of all p − b, b ∈ {0,1}ᵈ, are one of the combinations
    /// that are met when digits are read from the first on, and they decide the labels of the block at p and of its options.
    fn every_block_follows(&self, game: &Lattice, labels: Labels, meter: &Meter<'_>) -> Checked {
        let corners = 1_usize << self.dimension;
        let (moves, _moves_held) = self.moves(game, meter)?;
        let defeated = self.defeated(game)?;
        // Entries are below 2⁴¹: so many prefixes each, kept twice.
        let prefixes = 41 * game.defeated.len() as u64;
        let _near_held = meter.hold(prefixes * (16 * self.dimension as u64 + 64))?;
        // The prefixes of places of defeated positions; they stand first in a combination, 0 for all others.
        let mut near: Vec<Vec<i128>> = vec![vec![-1; self.dimension], vec![0; self.dimension]];
        for place in defeated.keys() {
            let mut prefix = place.clone();
            while prefix.iter().any(|&p| p > 0) {
                near.push(prefix.clone());
                prefix = prefix.iter().map(|p| p / 2).collect();
            }
        }
        near[2..].sort();
        near.dedup();
        let numbers: HashMap<&[i128], u32> = near.iter().map(Vec::as_slice).zip(0..).collect();
        let after = |number: u32, letter: usize| -> u32 {
            let digit = |i: usize| i128::from(letter >> i & 1 == 1);
            let prefix: Vec<i128> = near[number as usize].iter().enumerate().map(|(i, p)| 2 * p + digit(i)).collect();
            if number == 0 { 0 } else { numbers.get(prefix.as_slice()).copied().unwrap_or(0) }
        };
        let mut start = vec![NOWHERE; corners + 1];
        (start[0], start[1]) = (1, 0);
        let mut held = meter.hold(0)?;
        let mut seen: HashSet<Vec<u32>> = HashSet::from([start.clone()]);
        let mut queue: Vec<(Vec<u32>, usize, usize)> = vec![(start, 0, 0)];
        let mut looked: HashSet<(Vec<u32>, u32)> = HashSet::new();
        let mut at = 0;
        while at < queue.len() {
            meter.steps(corners * corners + 8)?;
            let here = queue[at].0.clone();
            let block = |&state: &u32| if state == NOWHERE { NOWHERE } else { self.block[state as usize] };
            let beside: Vec<u32> = here[1..].iter().map(block).collect();
            let off = defeated.get(&near[here[0] as usize]);
            if looked.insert((beside.clone(), if off.is_some() { here[0] } else { 0 })) {
                held.grow(8 * corners as u64 + 64)?;
                meter.steps(moves.len() + self.cells)?;
                let off = off.map_or(&[][..], Vec::as_slice);
                if let Some(cell) = self.wrong_cell(&beside, off, &moves, labels) {
                    let place = place_of(self.dimension, &queue, at);
                    let x: Vec<i128> = place
                        .iter()
                        .zip(self.coordinates(cell))
                        .map(|(p, w)| p.saturating_mul(self.side as i128).saturating_add(w as i128))
                        .collect();
                    let reason = format!("the equation of the labels fails at {}", written(&x));
                    return Err(Failure::At(reason, x));
                }
            }
            for letter in 0..corners {
                let mut then = vec![after(here[0], letter)];
                for b in 0..corners {
                    // Coordinate by coordinate 2p + e − b = 2(p − c) + f: c = 1 and f = 1 exactly for e = 0, b = 1.
                    let (c, f) = (b & !letter, b ^ letter);
                    let state = here[1 + c];
                    then.push(if state == NOWHERE {
                        NOWHERE
                    } else {
                        self.next[((state as usize) << self.dimension) | f]
                    });
                }
                if !seen.contains(&then) {
                    held.grow(16 * corners as u64 + 160)?;
                    fits(queue.len())?;
                    seen.insert(then.clone());
                    queue.push((then, at, letter));
                }
            }
            at += 1;
        }
        Ok(())
    }

    /// For each cell and rule the corner c and the cell of the option: x − γ lies in the block at p − c.
    fn moves(&self, game: &Lattice, meter: &Meter<'_>) -> Checked<(Vec<(usize, usize)>, Held)> {
        meter.steps(self.cells.saturating_mul(game.rules.len()).saturating_mul(self.dimension))?;
        let held = meter.hold(16 * self.cells as u64 * game.rules.len() as u64)?;
        let mut moves = Vec::with_capacity(self.cells * game.rules.len());
        for cell in 0..self.cells {
            let w = self.coordinates(cell);
            for rule in &game.rules {
                let (mut corner, mut option) = (0, 0);
                for i in (0..self.dimension).rev() {
                    // Entries of rules lie between 0 and the side.
                    let g = usize::try_from(rule[i]).unwrap_or(0);
                    if w[i] < g {
                        corner |= 1 << i;
                    }
                    option = option * self.side + (w[i] + self.side - g) % self.side;
                }
                moves.push((corner, option));
            }
        }
        Ok((moves, held))
    }

    /// The cells of defeated positions, by the place of their block.
    fn defeated(&self, game: &Lattice) -> Checked<HashMap<Vec<i128>, Vec<usize>>> {
        let side = self.side as i128;
        let mut cells: HashMap<Vec<i128>, Vec<usize>> = HashMap::new();
        for x in &game.defeated {
            let cell = x.iter().rev().fold(0, |cell, x| cell * side + x % side);
            let cell = usize::try_from(cell).map_err(|_| Failure::Refused("game.defeated: off the orthant".into()))?;
            cells.entry(x.iter().map(|x| x / side).collect()).or_default().push(cell);
        }
        Ok(cells)
    }

    /// A cell of the block in the middle whose label is not what the options' labels ask for.
    fn wrong_cell(&self, beside: &[u32], off: &[usize], moves: &[(usize, usize)], labels: Labels) -> Option<usize> {
        let own = &self.contents[beside[0] as usize];
        let rules = moves.len() / self.cells;
        (0..self.cells).find(|&cell| {
            if off.contains(&cell) {
                return own[cell] != OFF;
            }
            let options =
                moves[cell * rules..(cell + 1) * rules].iter().map(|&(corner, option)| match beside[corner] {
                    NOWHERE => OFF,
                    block => self.contents[block as usize][option],
                });
            let options: Vec<u8> = options.filter(|&label| label != OFF).collect();
            let expected = match labels {
                Labels::Outcomes => u8::from(options.contains(&0)),
                Labels::Values => (0..OFF).find(|value| !options.contains(value)).unwrap_or(OFF),
            };
            own[cell] != expected
        })
    }
}

/// The label that a character stands for.
fn label(character: u8) -> Option<u8> {
    match character {
        b'0'..=b'9' => Some(character - b'0'),
        b'a'..=b'z' => Some(character - b'a' + 10),
        b'.' => Some(OFF),
        _ => None,
    }
}

/// The place whose digits lead to an entry of the queue.
fn place_of(dimension: usize, queue: &[(Vec<u32>, usize, usize)], mut at: usize) -> Vec<i128> {
    let mut place = vec![0_i128; dimension];
    let mut weight = 1_i128;
    while at != 0 {
        let (_, before, letter) = &queue[at];
        for (i, p) in place.iter_mut().enumerate() {
            if letter >> i & 1 == 1 {
                *p = p.saturating_add(weight);
            }
        }
        weight = weight.saturating_mul(2);
        at = *before;
    }
    place
}
