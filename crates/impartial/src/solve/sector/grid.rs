//! The P-positions of a square as bits.

use crate::lattice::LatticeGame;
use crate::solve::recursion::Recursion;

use super::Vector2;

/// Bits of the square [0, side)².
pub(super) struct Grid {
    pub side: i64,
    words: usize,
    bits: Vec<u64>,
    /// Inequalities of the board, for windows that must lie on it.
    rows: Vec<Vec<i64>>,
}

impl Grid {
    pub fn new(game: &LatticeGame, recursion: &Recursion, side: u64) -> Self {
        let side = i64::try_from(side).expect("a moderate side");
        let words = usize::try_from(side / 64 + 2).expect("a moderate side");
        let mut bits = vec![0u64; words * usize::try_from(side).expect("a moderate side")];
        recursion.for_each_p(|y| {
            if y[0] < side && y[1] < side {
                let (x, y) = (usize::try_from(y[0]).expect("inner"), usize::try_from(y[1]).expect("inner"));
                bits[y * words + x / 64] |= 1 << (x % 64);
            }
            true
        });
        Self { side, words, bits, rows: game.inner_rows().to_vec() }
    }

    pub fn holds(&self, x: i64, y: i64) -> bool {
        x >= 0 && y >= 0 && x < self.side && y < self.side && self.word(x, y) & 1 == 1
    }

    /// 64 bits from (x, y) on to the right; x and y not negative.
    pub fn word(&self, x: i64, y: i64) -> u64 {
        let (Ok(x), Ok(y)) = (usize::try_from(x), usize::try_from(y)) else { return 0 };
        let at = y * self.words + x / 64;
        let low = self.bits.get(at).copied().unwrap_or(0);
        match x % 64 {
            0 => low,
            shift => low >> shift | self.bits.get(at + 1).copied().unwrap_or(0) << (64 - shift),
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
            (0..width / 64)
                .all(|k| self.word(corner[0] + 64 * k, corner[1] + dy) == self.word(moved[0] + 64 * k, moved[1] + dy))
        })
    }

    /// Whether a point satisfies the board's inequalities.
    pub fn on_board(&self, x: i64, y: i64) -> bool {
        self.rows.iter().all(|row| row[0] * x + row[1] * y + row[2] >= 0)
    }
}
