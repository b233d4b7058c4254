//! The exact recursion on finite regions of a board: P and N, position by position, 64 at a time.
//!
//! Regions are closed under moves, so every position in one has a certain outcome; a position outside is unknown, and
//! nothing is ever guessed. A region is {x ∈ B : ℓ(x) ≤ L}, or the least region of the form {f(x) ≤ c for all f} that
//! contains a box or a point, where the functionals f do not grow along moves.
//!
//! ```
//! use impartial::lattice::{Description, LatticeGame};
//! use impartial::outcome::Outcome;
//! use impartial::run::Unlimited;
//! use impartial::solve::recursion::{Recursion, Region};
//! let game = Description::from_toml("rules = [[1, 0], [0, 1], [2, 2]]").unwrap();
//! let game = LatticeGame::new(&game, &Unlimited).unwrap();
//! let region = Region::around_box(&game, &[64, 64]).unwrap();
//! let recursion = Recursion::new(&game, &region, 1 << 20, &Unlimited).unwrap();
//! assert_eq!(recursion.outcome(&[40, 41]), Some(Outcome::P));
//! assert_eq!(recursion.outcome(&[2, 2]), Some(Outcome::N));
//! assert_eq!(recursion.outcome(&[64, 0]), None); // outside: unknown
//! assert_eq!(recursion.count(), 1386);
//! ```

mod axes;
mod engine;
mod layout;
mod projection;
mod region;

pub use region::Region;

use axes::Axes;
use engine::{Step, Steps};
use layout::Layout;
use projection::Projection;

use crate::lattice::LatticeGame;
use crate::outcome::Outcome;
use crate::run::{Monitor, StopReason};

/// The P-positions of a game on a region.
#[derive(Debug)]
pub struct Recursion {
    axes: Axes,
    layout: Layout,
    bits: Vec<u64>,
    defeated: Vec<(usize, u64)>,
}

impl Recursion {
    /// Solves every position of a region, within `bytes` of memory.
    ///
    /// # Complexity
    /// O(|Γ|·W) word operations, where W is the number of words (64 positions each, less where rows are short).
    pub fn new(game: &LatticeGame, region: &Region, bytes: u64, monitor: &dyn Monitor) -> Result<Self, StopReason> {
        let too_large = || StopReason::Size { what: "bytes for the positions of the region", limit: bytes };
        let extents = region.extents().ok_or_else(too_large)?;
        let axes = Axes::new(game, &extents).ok_or_else(too_large)?;
        let rows: Vec<Vec<i128>> = region.rows().iter().map(|row| axes.row(row)).collect();
        let projection = Projection::new(&rows, game.dimension()).ok_or_else(too_large)?;
        let layout = Layout::new(&projection, &axes, bytes, monitor)?;
        let steps = steps(game, &axes, &layout).ok_or_else(too_large)?;
        monitor.trace(&|| {
            format!(
                "recursion: {} positions in {} words, {} planes, {} rules a word",
                layout.points,
                layout.words,
                layout.planes.len(),
                steps.away.len()
            )
        });
        let bits = engine::p_bits(&layout, &steps, monitor)?;
        Ok(Self { axes, layout, bits, defeated: steps.defeated })
    }

    /// The outcome of an inner position; `None` outside the region and off the board.
    ///
    /// # Complexity
    /// O(d²).
    pub fn outcome(&self, y: &[i64]) -> Option<Outcome> {
        let (word, bit) = self.layout.find(&self.axes.forward(y)?)?;
        let defeated = self.defeated.binary_search_by_key(&word, |entry| entry.0);
        if defeated.is_ok_and(|i| self.defeated[i].1 >> bit & 1 == 1) {
            return None;
        }
        Some(Outcome::p_if(self.bits[word] >> bit & 1 == 1))
    }

    /// The number of P-positions in the region.
    pub fn count(&self) -> u64 {
        self.bits.iter().map(|word| u64::from(word.count_ones())).sum()
    }

    /// The number of positions in the region, defeated ones not counted.
    pub fn positions(&self) -> u64 {
        self.layout.points - self.defeated.iter().map(|(_, mask)| u64::from(mask.count_ones())).sum::<u64>()
    }

    /// Calls `visit` with every P-position of the region, in inner coordinates, until it returns `false`.
    pub fn for_each_p(&self, mut visit: impl FnMut(&[i64]) -> bool) {
        for (p, plane) in self.layout.planes.iter().enumerate() {
            let mut z: Vec<i64> = self.layout.prefix(p).iter().map(|&z| i64::from(z)).collect();
            let gathered = self.layout.depth + 2 == self.axes.forward.len();
            for row in 0..plane.rows {
                let start = plane.base as usize + row as usize * plane.pitch as usize;
                if gathered {
                    z.push(i64::from(plane.lo) + i64::from(row));
                }
                for (w, &word) in self.bits[start..start + plane.pitch as usize].iter().enumerate() {
                    let mut rest = word;
                    while rest != 0 {
                        let bit = i64::from(rest.trailing_zeros());
                        rest &= rest - 1;
                        z.push(i64::from(plane.origin) + 64 * i64::try_from(w).expect("a word index") + bit);
                        let y = self.axes.backward(&z).expect("points of the region fit");
                        z.pop();
                        if !visit(&y) {
                            return;
                        }
                    }
                }
                if gathered {
                    z.pop();
                }
            }
        }
    }
}

/// The rules and the defeated positions in the coordinates of a layout.
fn steps(game: &LatticeGame, axes: &Axes, layout: &Layout) -> Option<Steps> {
    let d = game.dimension();
    let (mut away, mut along) = (Vec::new(), Vec::new());
    for rule in game.inner_rules() {
        let z = axes.forward(rule)?;
        let small = z[..d - 1].iter().map(|&x| i32::try_from(x)).collect::<Result<Vec<i32>, _>>();
        // A rule too long for the region never applies in it.
        let (Ok(mut prefix), true) = (small, z[d - 1].unsigned_abs() < 1 << 40) else { continue };
        let row = if layout.depth + 2 == d { prefix.pop()? } else { 0 };
        if prefix.iter().all(|&x| x == 0) && row == 0 {
            along.push(u64::try_from(z[d - 1]).ok()?);
        } else {
            away.push(Step { prefix, row, bit: z[d - 1] });
        }
    }
    let mut defeated: Vec<(usize, u64)> = Vec::new();
    for point in game.inner_defeated() {
        if let Some((word, bit)) = layout.find(&axes.forward(point)?) {
            defeated.push((word, 1 << bit));
        }
    }
    defeated.sort_unstable();
    defeated.dedup_by(|next, kept| {
        let same = next.0 == kept.0;
        if same {
            kept.1 |= next.1;
        }
        same
    });
    Some(Steps { away, along, defeated, layered: axes.layered })
}
