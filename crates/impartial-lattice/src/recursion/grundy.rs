//! Grundy values on a region.

use super::axes::Axes;
use super::engine::Step;
use super::layout::Layout;
use super::{Region, prepared};
use crate::game::InnerGame;
use semilinear::run::{Monitor, StopReason};

/// The Grundy values of a game on a region: mex over the options on the board. Value 0 means P.
///
/// ```
/// use impartial_lattice::InnerGame;
/// use semilinear::run::Unlimited;
/// use impartial_lattice::recursion::{GrundyTable, Region};
/// let game = InnerGame::on_orthant(vec![vec![1], vec![2], vec![3]], vec![], &[1]).unwrap();
/// let region = Region::around_box(&game, &[100]).unwrap();
/// let table = GrundyTable::new(&game, &region, 1 << 20, &Unlimited).unwrap();
/// assert_eq!(table.grundy(&[42]), Some(42 % 4));
/// ```
#[derive(Debug)]
pub struct GrundyTable {
    axes: Axes,
    layout: Layout,
    /// A value for every bit of the layout, since a value never exceeds the number of rules.
    values: Vec<u16>,
    defeated: Vec<(usize, u64)>,
}

impl GrundyTable {
    /// Computes every value of a region, within `bytes` of memory.
    ///
    /// # Complexity
    /// O(|Γ|) a position.
    pub fn new(game: &InnerGame, region: &Region, bytes: u64, monitor: &dyn Monitor) -> Result<Self, StopReason> {
        if game.inner_rules().len() >= usize::from(u16::MAX) {
            return Err(StopReason::Size { what: "rules", limit: u64::from(u16::MAX) });
        }
        // Two bytes for each of the 64 positions of a word, beside the layout's own 8.
        let (axes, layout, steps) = prepared(game, region, bytes / 17, monitor)?;
        let mut values = vec![0u16; layout.words * 64];
        let d = game.dimension();
        let gathered = layout.depth + 2 == d;
        let mut seen = vec![0u64; game.inner_rules().len() / 64 + 1];
        monitor.phase("Grundy values, plane by plane");
        for p in 0..layout.planes.len() {
            if p % 16 == 0 {
                monitor.check(p as u64, Some(layout.planes.len() as u64))?;
            }
            let plane = layout.planes[p];
            // Rules whose source plane is in the region.
            let sources: Vec<(&Step, usize)> = steps
                .away
                .iter()
                .filter_map(|step| layout.plane(layout.prefix(p), &step.prefix).map(|q| (step, q)))
                .collect();
            for row in 0..plane.rows {
                if row % 64 == 63 {
                    monitor.check(p as u64, Some(layout.planes.len() as u64))?;
                }
                let start = (plane.base as usize + row as usize * plane.pitch as usize) * 64;
                let (from, to) = layout.spans[plane.first_row as usize + row as usize];
                // For each rule: where its source row begins, and which bits of it are in the region.
                let mut rows: Vec<(i64, i64, usize)> = Vec::with_capacity(sources.len());
                for &(step, q) in &sources {
                    let source = layout.planes[q];
                    let r = if gathered {
                        i64::from(plane.lo) + i64::from(row) - i64::from(step.row) - i64::from(source.lo)
                    } else {
                        0
                    };
                    let Ok(r) = u32::try_from(r) else { continue };
                    if r >= source.rows {
                        continue;
                    }
                    let (low, high) = layout.spans[source.first_row as usize + r as usize];
                    let shift = step.bit + i64::from(source.origin) - i64::from(plane.origin);
                    let base = (source.base as usize + r as usize * source.pitch as usize) * 64;
                    // Bit b of this row looks at bit b − shift of the source.
                    rows.push((i64::from(low) + shift, i64::from(high) + shift, base.wrapping_sub(wrap(shift))));
                }
                for bit in from..to {
                    seen.fill(0);
                    let mut mark = |index: usize| {
                        let value = usize::from(values[index]);
                        if value != usize::from(OFF_BOARD) {
                            seen[value / 64] |= 1 << (value % 64);
                        }
                    };
                    let position = i64::from(bit);
                    for &(low, high, base) in &rows {
                        if low <= position && position < high {
                            mark(base.wrapping_add(bit as usize));
                        }
                    }
                    for &distance in &steps.along {
                        if u64::from(bit) >= u64::from(from) + distance {
                            mark(start + usize::try_from(u64::from(bit) - distance).expect("below bit"));
                        }
                    }
                    let index = start + bit as usize;
                    let is_defeated = !steps.defeated.is_empty()
                        && steps
                            .defeated
                            .binary_search_by_key(&(index / 64), |entry| entry.0)
                            .is_ok_and(|i| steps.defeated[i].1 >> (index % 64) & 1 == 1);
                    values[index] = if is_defeated { OFF_BOARD } else { mex(&seen) };
                }
            }
        }
        Ok(Self { axes, layout, values, defeated: steps.defeated })
    }

    /// The value of an inner position; `None` outside the region and off the board.
    pub fn grundy(&self, y: &[i64]) -> Option<u64> {
        let (word, bit) = self.layout.find(&self.axes, y)?;
        match self.values[word * 64 + bit as usize] {
            OFF_BOARD => None,
            value => Some(u64::from(value)),
        }
    }

    /// The number of positions in the region, defeated ones not counted.
    pub fn positions(&self) -> u64 {
        self.layout.points - self.defeated.iter().map(|(_, mask)| u64::from(mask.count_ones())).sum::<u64>()
    }
}

/// Marks defeated positions; no value is as large, since values never exceed the number of rules.
const OFF_BOARD: u16 = u16::MAX;

/// A signed shift as a wrapping index.
#[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // shifts stay within 40 bits
fn wrap(shift: i64) -> usize {
    shift as usize
}

/// The least value that is not marked.
fn mex(seen: &[u64]) -> u16 {
    let word = seen.iter().position(|&word| word != u64::MAX).expect("fewer options than bits");
    let value = word * 64 + seen[word].trailing_ones() as usize;
    u16::try_from(value).expect("at most the number of rules")
}
