//! Where the board ends: which vectors of a block are no positions.
//!
//! A row a·x + b ≥ 0 of the board is known at the block at p, and at all blocks below the prefix p, from a·p. That is kept between two
//! bounds: beyond them the row holds, or fails, at all vectors below the prefix (`docs/theory/blocks.md`).

use crate::lattice::LatticeGame;

/// The value of a·p at a prefix p, kept between bounds.
pub(super) type Slack = i64;

/// The rows of a board that do not hold on all of ℕᵈ.
#[derive(Clone, Debug, Default)]
pub(super) struct Margin {
    rows: Vec<Row>,
}

#[derive(Clone, Debug)]
struct Row {
    a: Vec<i64>,
    b: i64,
    /// At or below this value the row fails at all vectors below the prefix, ...
    low: Slack,
    /// ... and at or above this one it holds at all of them.
    high: Slack,
}

/// Rows have entries of at most this size: all values stay small.
const LARGEST: i64 = 1 << 20;

impl Margin {
    /// The margin of a game in inner coordinates; `None` when its rows are too large.
    pub fn new(game: &LatticeGame) -> Option<Self> {
        let mut rows = Vec::new();
        for row in game.inner_rows() {
            let (&b, a) = row.split_last()?;
            if row.iter().any(|x| x.abs() > LARGEST) {
                return None;
            }
            // It holds on the orthant.
            if row.iter().all(|&x| x >= 0) {
                continue;
            }
            let sum = |sign: i64| a.iter().map(|&x| (sign * x).max(0)).sum::<i64>();
            let (low, high) = (-(sum(1) + b.max(0) + 1), sum(-1) + (-b).max(0));
            rows.push(Row { a: a.to_vec(), b, low, high });
        }
        Some(Self { rows })
    }

    /// The values where all rows hold.
    pub fn inside(&self) -> Vec<Slack> {
        self.rows.iter().map(|row| row.high).collect()
    }

    /// The values at the prefix 0.
    pub fn start(&self) -> Vec<Slack> {
        self.rows.iter().map(|row| 0.clamp(row.low, row.high)).collect()
    }

    /// The values after another digit of every coordinate.
    pub fn step(&self, values: &[Slack], letter: usize) -> Vec<Slack> {
        let step = |(row, value): (&Row, &Slack)| {
            let digits: i64 = row.a.iter().enumerate().map(|(i, a)| a * i64::from(letter >> i & 1 == 1)).sum();
            (2 * value + digits).clamp(row.low, row.high)
        };
        self.rows.iter().zip(values).map(step).collect()
    }

    /// The cells of a block with these values at which a row fails.
    pub fn off(&self, values: &[Slack], side: u32, cells: usize) -> Vec<usize> {
        let fails = |cell: usize| {
            self.rows.iter().zip(values).any(|(row, value)| {
                let mut rest = cell;
                let inside: i64 = row
                    .a
                    .iter()
                    .map(|a| {
                        let w = rest % side as usize;
                        rest /= side as usize;
                        a * i64::try_from(w).expect("less than the side")
                    })
                    .sum();
                i64::from(side) * value + inside + row.b < 0
            })
        };
        if values == self.inside() { vec![] } else { (0..cells).filter(|&cell| fails(cell)).collect() }
    }
}
