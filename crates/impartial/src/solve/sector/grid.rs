//! The labels of a square as planes of bits: P-positions, or Grundy values.

use crate::lattice::LatticeGame;
use crate::solve::blocks::Target;
use crate::solve::recursion::{GrundyTable, Recursion, Region};
use semilinear::run::{Monitor, StopReason};

use super::Vector2;

/// The recursion takes no more bytes than this.
const MOST_BYTES: u64 = 1 << 31;

/// Numbers at the points of the square [0, side)², digit by digit: 0 where nothing is said, else a value and one. P-positions have
/// the value 0.
pub(super) struct Grid {
    pub side: i64,
    words: usize,
    /// The lowest digits first.
    planes: Vec<Vec<u64>>,
    /// Inequalities of the board, for windows that must lie on it.
    rows: Vec<Vec<i64>>,
}

impl Grid {
    /// The P-positions or the values of a square.
    ///
    /// # Complexity
    /// O(|Γ| · side²), 64 outcomes at a time.
    pub fn new(game: &LatticeGame, target: Target, side: u64, monitor: &dyn Monitor) -> Result<Self, StopReason> {
        let too_large = StopReason::Size { what: "positions of the sector method's region", limit: side };
        let region = Region::around_box(game, &[side, side]).ok_or(too_large)?;
        let side = i64::try_from(side).expect("a moderate side");
        let words = usize::try_from(side / 64 + 2).expect("a moderate side");
        let mut grid = Self { side, words, planes: vec![], rows: game.inner_rows().to_vec() };
        match target {
            Target::Outcomes => {
                let recursion = Recursion::new(game, &region, MOST_BYTES, monitor)?;
                recursion.for_each_p(|y| {
                    if y[0] < side && y[1] < side {
                        grid.set([y[0], y[1]], 0);
                    }
                    true
                });
            }
            Target::Values => {
                let table = GrundyTable::new(game, &region, MOST_BYTES, monitor)?;
                for y in 0..side {
                    monitor.check(u64::try_from(y).unwrap_or(0), None)?;
                    for x in 0..side {
                        if let Some(value) = table.grundy(&[x, y]) {
                            let limit = u64::from(u8::MAX) - 1;
                            let large = StopReason::Size { what: "Grundy values of the sector method", limit };
                            grid.set([x, y], u8::try_from(value).ok().filter(|&v| u64::from(v) < limit).ok_or(large)?);
                        }
                    }
                }
            }
        }
        Ok(grid)
    }

    fn set(&mut self, [x, y]: Vector2, value: u8) {
        let (x, y) = (usize::try_from(x).expect("inner"), usize::try_from(y).expect("inner"));
        let number = value + 1;
        let length = self.words * usize::try_from(self.side).expect("a moderate side");
        while self.planes.len() < (8 - number.leading_zeros()) as usize {
            self.planes.push(vec![0; length]);
        }
        for (digit, plane) in self.planes.iter_mut().enumerate() {
            plane[y * self.words + x / 64] |= u64::from(number >> digit & 1) << (x % 64);
        }
    }

    /// The value at a point of the square; `None` where nothing is said.
    pub fn value(&self, x: i64, y: i64) -> Option<u8> {
        if x < 0 || y < 0 || x >= self.side || y >= self.side {
            return None;
        }
        let digit = |(i, plane): (usize, &Vec<u64>)| u8::from(self.word(plane, x, y) & 1 == 1) << i;
        self.planes.iter().enumerate().map(digit).sum::<u8>().checked_sub(1)
    }

    /// 64 bits of a plane from (x, y) on to the right; x and y not negative.
    fn word(&self, plane: &[u64], x: i64, y: i64) -> u64 {
        let (Ok(x), Ok(y)) = (usize::try_from(x), usize::try_from(y)) else { return 0 };
        let at = y * self.words + x / 64;
        let low = plane.get(at).copied().unwrap_or(0);
        match x % 64 {
            0 => low,
            shift => low >> shift | plane.get(at + 1).copied().unwrap_or(0) << (64 - shift),
        }
    }

    /// Whether the rectangle from `corner` with this width (a multiple of 64) and height repeats after p; both copies
    /// must lie in the square.
    pub fn repeats(&self, corner: Vector2, width: i64, height: i64, p: Vector2) -> bool {
        let inside = |c: Vector2| c[0] >= 0 && c[1] >= 0 && c[0] + width <= self.side && c[1] + height <= self.side;
        let moved = [corner[0] + p[0], corner[1] + p[1]];
        if !inside(corner) || !inside(moved) {
            return false;
        }
        (0..height).all(|dy| {
            (0..width / 64).all(|k| {
                let at = |plane, from: Vector2| self.word(plane, from[0] + 64 * k, from[1] + dy);
                self.planes.iter().all(|plane| at(plane, corner) == at(plane, moved))
            })
        })
    }

    /// Whether a point satisfies the board's inequalities.
    pub fn on_board(&self, x: i64, y: i64) -> bool {
        self.rows.iter().all(|row| row[0] * x + row[1] * y + row[2] >= 0)
    }
}
