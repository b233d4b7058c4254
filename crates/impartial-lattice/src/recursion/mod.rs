//! The exact recursion on finite regions of a board: P and N, position by position, 64 at a time.
//!
//! Regions are closed under moves, so every position in one has a certain outcome; a position outside is unknown, and
//! nothing is ever guessed. A region is {x ∈ B : ℓ(x) ≤ L}, or the least region of the form {f(x) ≤ c for all f} that
//! contains a box or a point, where the functionals f do not grow along moves.
//!
//! ```
//! use impartial_lattice::InnerGame;
//! use impartial_lattice::outcome::Outcome;
//! use semilinear::run::Unlimited;
//! use impartial_lattice::recursion::{Recursion, Region};
//! let game = InnerGame::on_orthant(vec![vec![1, 0], vec![0, 1], vec![2, 2]], vec![], &[1, 1]).unwrap();
//! let region = Region::around_box(&game, &[64, 64]).unwrap();
//! let recursion = Recursion::new(&game, &region, 1 << 20, &Unlimited).unwrap();
//! assert_eq!(recursion.outcome(&[40, 41]), Some(Outcome::P));
//! assert_eq!(recursion.outcome(&[2, 2]), Some(Outcome::N));
//! assert_eq!(recursion.outcome(&[64, 0]), None); // outside: unknown
//! assert_eq!(recursion.count(), 1386);
//! ```

mod axes;
mod engine;
mod grundy;
mod layout;
mod projection;
mod region;

pub use grundy::GrundyTable;
pub use region::Region;

use axes::Axes;
use engine::{Step, Steps};
use layout::Layout;
use projection::Projection;

use crate::game::{InnerGame, Row};
use crate::outcome::Outcome;
use semilinear::run::{Monitor, StopReason};

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
    pub fn new(game: &InnerGame, region: &Region, bytes: u64, monitor: &dyn Monitor) -> Result<Self, StopReason> {
        let (axes, layout, steps) = prepared(game, region, bytes, monitor)?;
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
        let (word, bit) = self.layout.find(&self.axes, y)?;
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

    /// The number of P-positions in the region that satisfy inequalities a·y + b ≥ 0 (inner coordinates).
    ///
    /// # Complexity
    /// O(R·m·d) for R rows of words and m inequalities, and a pass over the words.
    pub fn count_where(&self, rows: &[Row]) -> u64 {
        let rows: Vec<Vec<i128>> = rows.iter().map(|row| self.axes.row(row)).collect();
        let d = self.axes.forward.len();
        let mut count = 0;
        self.layout.for_each_row(d, |z, origin, words, (from, to)| {
            // The bits of a row that satisfy an inequality form an interval.
            let (mut first, mut last) = (i128::from(from), i128::from(to) - 1);
            for row in &rows {
                let fixed: i128 = row[..d - 1].iter().zip(z).map(|(a, z)| a * i128::from(*z)).sum();
                let constant = row[d] + fixed + row[d - 1] * i128::from(origin);
                match row[d - 1] {
                    0 if constant < 0 => return,
                    0 => {}
                    a if a > 0 => first = first.max(-constant.div_euclid(a)),
                    a => last = last.min(constant.div_euclid(-a)),
                }
            }
            if let (Ok(first), Ok(last)) = (u32::try_from(first), u32::try_from(last))
                && first <= last
            {
                count += ones(&self.bits[words], first, last);
            }
        });
        count
    }

    /// The number of positions in the region, defeated ones not counted.
    pub fn positions(&self) -> u64 {
        self.layout.points - self.defeated.iter().map(|(_, mask)| u64::from(mask.count_ones())).sum::<u64>()
    }

    /// Calls `visit` with every P-position of the region, in inner coordinates, until it returns `false`.
    pub fn for_each_p(&self, mut visit: impl FnMut(&[i64]) -> bool) {
        let mut going = true;
        self.layout.for_each_row(self.axes.forward.len(), |prefix, origin, words, _| {
            let mut z = prefix.to_vec();
            for (w, &word) in self.bits[words].iter().enumerate() {
                let mut rest = word;
                while going && rest != 0 {
                    let bit = i64::from(rest.trailing_zeros());
                    rest &= rest - 1;
                    z.push(i64::from(origin) + 64 * i64::try_from(w).expect("a word index") + bit);
                    let y = self.axes.backward(&z).expect("points of the region fit");
                    z.pop();
                    going = visit(&y);
                }
            }
        });
    }
}

/// The ones of bits first..=last.
fn ones(words: &[u64], first: u32, last: u32) -> u64 {
    let (from, to) = ((first / 64) as usize, (last / 64) as usize);
    let mut count: u64 = words[from..=to].iter().map(|word| u64::from(word.count_ones())).sum();
    count -= u64::from((words[from] & !(u64::MAX << (first % 64))).count_ones());
    count -= u64::from((words[to] & !(u64::MAX >> (63 - last % 64))).count_ones());
    count
}

/// Axes, layout and rules for a region.
fn prepared(
    game: &InnerGame,
    region: &Region,
    bytes: u64,
    monitor: &dyn Monitor,
) -> Result<(Axes, Layout, Steps), StopReason> {
    let too_large = || StopReason::Size { what: "bytes for the positions of the region", limit: bytes };
    let extents = region.extents().ok_or_else(too_large)?;
    let axes = Axes::new(game, &extents).ok_or_else(too_large)?;
    let rows: Vec<Vec<i128>> = region.rows().iter().map(|row| axes.row(row)).collect();
    let projection = Projection::new(&rows, game.dimension()).ok_or_else(too_large)?;
    let layout = Layout::new(&projection, &axes, bytes, monitor)?;
    let steps = steps(game, &axes, &layout).ok_or_else(too_large)?;
    Ok((axes, layout, steps))
}

/// The rules and the defeated positions in the coordinates of a layout.
fn steps(game: &InnerGame, axes: &Axes, layout: &Layout) -> Option<Steps> {
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
        if let Some((word, bit)) = layout.find(axes, point) {
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
