//! Forms "blocks" and "grundy-blocks": labels of the positions of a lattice game, block by block, by an automaton that reads the
//! digits of a block's place from the most significant one on.

use std::collections::{HashMap, HashSet};

use crate::format::{Chart, Vector};
use crate::json::objects;
use crate::lattice::{Inner, Lattice, dot};
use crate::meter::{Held, Meter};
use crate::walk::fits;
use crate::words::written;
use crate::{Checked, Failure, refuse};

objects! {
    /// The certificate.
    Placed {
        functional: Vector, chart: Option<Chart>, side: u32, transitions: Vec<u32>, state_blocks: Vec<u32>, blocks: Vec<String>,
    }
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
    // Play ends.
    let inner = game.inner(&file.functional, file.chart.as_ref(), meter)?;
    let read = Table::read(game, file, meter)?;
    let side = i128::from(file.side);
    if inner.rules.iter().flatten().any(|g| !(0..=side).contains(g)) {
        return refuse("certificate.side: a rule with an entry that is negative or greater");
    }
    read.every_block_follows(&inner, labels, meter)?;
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
    fn every_block_follows(&self, inner: &Inner, labels: Labels, meter: &Meter<'_>) -> Checked {
        let corners = 1_usize << self.dimension;
        let (moves, _moves_held) = self.moves(inner, meter)?;
        // Entries are below 2⁷¹: so many prefixes each.
        let prefixes = 71 * inner.defeated.len() as u64;
        let _near_held = meter.hold(prefixes * (16 * self.dimension as u64 + 64))?;
        let mut ends = Ends::new(self, inner, meter)?;
        let mut start = vec![NOWHERE; corners + 1];
        (start[0], start[1]) = (1, 0);
        let mut held = meter.hold(ends.size())?;
        let mut seen: HashSet<Vec<u32>> = HashSet::from([start.clone()]);
        let mut queue: Vec<(Vec<u32>, usize, usize)> = vec![(start, 0, 0)];
        let mut looked: HashSet<(Vec<u32>, u32)> = HashSet::new();
        let mut at = 0;
        while at < queue.len() {
            meter.steps(corners * (corners + ends.width()) + 8)?;
            let here = queue[at].0.clone();
            let block = |&state: &u32| if state == NOWHERE { NOWHERE } else { self.block[state as usize] };
            let beside: Vec<u32> = here[1..].iter().map(block).collect();
            let off = &ends.marks[here[0] as usize].1;
            if looked.insert((beside.clone(), if off.is_empty() { 0 } else { here[0] })) {
                held.grow(8 * corners as u64 + 64)?;
                meter.steps(moves.len() + self.cells)?;
                if let Some(cell) = self.wrong_cell(&beside, off, &moves, labels) {
                    let place = place_of(self.dimension, &queue, at);
                    let y: Vec<i128> = place
                        .iter()
                        .zip(self.coordinates(cell))
                        .map(|(p, w)| p.saturating_mul(self.side as i128).saturating_add(w as i128))
                        .collect();
                    let x = inner.own(&y);
                    let reason = format!("the equation of the labels fails at {}", written(&x));
                    return Err(Failure::At(reason, x));
                }
            }
            for letter in 0..corners {
                let marks = ends.marks.len();
                let mut then = vec![ends.after(here[0], letter, meter)?];
                if ends.marks.len() > marks {
                    held.grow(ends.size())?;
                }
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
    fn moves(&self, game: &Inner, meter: &Meter<'_>) -> Checked<(Vec<(usize, usize)>, Held)> {
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

    /// A cell of the block in the middle whose label is not what the options' labels ask for.
    fn wrong_cell(&self, beside: &[u32], off: &[usize], moves: &[(usize, usize)], labels: Labels) -> Option<usize> {
        let own = &self.contents[beside[0] as usize];
        let rules = moves.len() / self.cells;
        (0..self.cells).find(|&cell| {
            if off.binary_search(&cell).is_ok() {
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

/// How the board ends near prefixes. A *mark* of a prefix p is p itself, while it is a prefix of the place of a block with defeated positions
/// (else −1, …), and a·p for each row a·y + b ≥ 0, between two bounds: from the lower one on the row fails below p, from the upper one on it holds.
struct Ends<'a> {
    table: &'a Table<'a>,
    inner: &'a Inner,
    bounds: Vec<(i128, i128)>,
    /// The prefixes of places of defeated positions, with their cells.
    defeated: HashMap<Vec<i128>, Vec<usize>>,
    numbers: HashMap<Vec<i128>, u32>,
    /// Each mark, and the cells of a block there that are no positions, increasing.
    marks: Vec<(Vec<i128>, Vec<usize>)>,
}

impl<'a> Ends<'a> {
    /// The mark of the prefix 0 is number 1; number 0 is that of prefixes below which there are positions only.
    fn new(table: &'a Table<'a>, inner: &'a Inner, meter: &Meter<'_>) -> Checked<Self> {
        let (d, side) = (table.dimension, table.side as i128);
        let mut defeated: HashMap<Vec<i128>, Vec<usize>> = HashMap::from([(vec![0; d], vec![])]);
        for y in &inner.defeated {
            let cell = y.iter().rev().fold(0, |cell, y| cell * side + y % side);
            let cell = usize::try_from(cell).map_err(|_| Failure::Refused("game.defeated: off the orthant".into()))?;
            let mut prefix: Vec<i128> = y.iter().map(|y| y / side).collect();
            defeated.entry(prefix.clone()).or_default().push(cell);
            while prefix.iter().any(|&p| p > 0) {
                prefix = prefix.iter().map(|p| p / 2).collect();
                defeated.entry(prefix.clone()).or_default();
            }
        }
        let bound = |row: &Vec<i128>| {
            let sum = |sign: i128| row[..d].iter().map(|a| (sign * a).max(0)).sum::<i128>();
            (-(sum(1) + row[d].max(0) + 1), sum(-1) + (-row[d]).max(0))
        };
        let bounds: Vec<(i128, i128)> = inner.rows.iter().map(bound).collect();
        let mut ends = Self { table, inner, bounds, defeated, numbers: HashMap::new(), marks: vec![] };
        let high: Vec<i128> = ends.bounds.iter().map(|bound| bound.1).collect();
        ends.number([vec![-1; d], high].concat(), meter)?;
        // Bounds have 0 between them.
        ends.number(vec![0; d + inner.rows.len()], meter)?;
        Ok(ends)
    }

    fn width(&self) -> usize {
        self.table.dimension * (1 + self.bounds.len())
    }

    /// Bytes of a mark.
    fn size(&self) -> u64 {
        (64 * self.width() + 8 * self.table.cells + 128) as u64
    }

    fn number(&mut self, mark: Vec<i128>, meter: &Meter<'_>) -> Checked<u32> {
        let (table, d) = (self.table, self.table.dimension);
        let fresh = u32::try_from(self.marks.len()).unwrap_or(u32::MAX);
        let number = *self.numbers.entry(mark.clone()).or_insert(fresh);
        if number == fresh {
            meter.steps(table.cells.saturating_mul(self.width()))?;
            let fails = |cell: &usize| {
                let w: Vec<i128> = table.coordinates(*cell).iter().map(|&w| w as i128).collect();
                let value = |(row, v): (&Vec<i128>, &i128)| table.side as i128 * v + dot(&row[..d], &w) + row[d];
                self.inner.rows.iter().zip(&mark[d..]).any(|row| value(row) < 0)
            };
            let mut off: Vec<usize> = (0..table.cells).filter(fails).collect();
            off.extend(self.defeated.get(&mark[..d]).into_iter().flatten());
            off.sort_unstable();
            self.marks.push((mark, off));
        }
        Ok(number)
    }

    /// The mark after another digit of each coordinate.
    fn after(&mut self, number: u32, letter: usize, meter: &Meter<'_>) -> Checked<u32> {
        let d = self.table.dimension;
        if number == 0 {
            return Ok(0);
        }
        let digits: Vec<i128> = (0..d).map(|i| i128::from(letter >> i & 1 == 1)).collect();
        let (prefix, values) = self.marks[number as usize].0.split_at(d);
        let mut mark: Vec<i128> = prefix.iter().zip(&digits).map(|(p, e)| 2 * p + e).collect();
        if !self.defeated.contains_key(&mark) {
            mark = vec![-1; d];
        }
        let rows = self.inner.rows.iter().zip(values).zip(&self.bounds);
        mark.extend(rows.map(|((row, v), bound)| (2 * v + dot(&row[..d], &digits)).clamp(bound.0, bound.1)));
        self.number(mark, meter)
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
