//! Heap games as lattice games.

use super::{Description, LatticeError};
use crate::heap::HeapRules;
use crate::outcome::Play;
use semilinear::run::{Monitor, StopReason};

/// The most entries of all rules together.
const MOST_ENTRIES: u64 = 1 << 25;

/// A heap game with heaps up to a bound as a lattice game: coordinate k counts heaps of size `sizes[k]`.
///
/// Heaps without options ("dead heaps") have no coordinate: such a heap is the same as no heap at all. If it had one,
/// misère play would come out wrong: on the lattice board only 0 is defeated, so the position "one dead heap" would be a
/// P-position, while in misère play the player who cannot move wins. They are dropped from the options of other heaps too.
///
/// ```
/// use impartial::lattice::HeapLattice;
/// use impartial::outcome::Play;
/// use semilinear::run::Unlimited;
/// // 0.137 up to heap 3: take 1 if it is the whole heap; 2 whole or leaving one heap; 3 in any way.
/// let game = HeapLattice::new(&"0.137".parse().unwrap(), 3, Some(Play::Misere), &Unlimited).unwrap();
/// assert_eq!(game.sizes, [1, 2, 3]);
/// assert_eq!(game.description.rules(), [[-1, 0, 1], [0, 0, 1], [0, 1, 0], [1, 0, 0]]);
/// assert_eq!(game.point(&[3, 1, 3]), Some(vec![1, 0, 2]));
/// assert_eq!(game.heaps(&[1, 0, 2]), [1, 3, 3]);
/// ```
#[derive(Clone, Debug)]
pub struct HeapLattice {
    /// The sizes that have a move, ascending: the meaning of the coordinates.
    pub sizes: Vec<u64>,
    /// The largest heap that was looked at.
    pub max_heap: u64,
    /// The lattice game.
    pub description: Description,
}

impl HeapLattice {
    /// The lattice form of a heap game.
    pub fn new(
        rules: &HeapRules,
        max_heap: u64,
        play: Option<Play>,
        monitor: &dyn Monitor,
    ) -> Result<Self, LatticeError> {
        let limit = || StopReason::Size { what: "entries of rules", limit: MOST_ENTRIES };
        let mut options: Vec<(u64, Vec<Vec<u64>>)> = Vec::new();
        let mut work = MOST_ENTRIES;
        for heap in 1..=max_heap {
            monitor.check(heap, Some(max_heap))?;
            let found = rules.options_within(heap, work).ok_or_else(limit)?;
            work = work.checked_sub(1 + found.len() as u64).ok_or_else(limit)?;
            if !found.is_empty() {
                options.push((heap, found));
            }
        }
        let sizes: Vec<u64> = options.iter().map(|(heap, _)| *heap).collect();
        if sizes.is_empty() {
            return Err(LatticeError::Syntax(format!(
                "no heap up to {max_heap} has a move, so there is no lattice game; give a larger --max-heap"
            )));
        }
        let entries =
            options.iter().map(|(_, found)| found.len() as u64).sum::<u64>().saturating_mul(sizes.len() as u64);
        if entries > MOST_ENTRIES {
            return Err(limit().into());
        }
        let mut all = Vec::new();
        for (heap, found) in &options {
            for option in found {
                let mut rule = vec![0i64; sizes.len()];
                rule[coordinate(&sizes, *heap).expect("it has a move")] += 1;
                // Dead heaps have no coordinate.
                for i in option.iter().filter_map(|&h| coordinate(&sizes, h)) {
                    rule[i] -= 1;
                }
                all.push(rule);
            }
        }
        let description = Description::new(None, all, None, None, play)?;
        Ok(Self { sizes, max_heap, description })
    }

    /// The point of a position given by its heaps; `None` when a heap is larger than the bound.
    pub fn point(&self, heaps: &[u64]) -> Option<Vec<i64>> {
        let mut point = vec![0i64; self.sizes.len()];
        for &heap in heaps {
            if heap > self.max_heap {
                return None;
            }
            if let Some(i) = coordinate(&self.sizes, heap) {
                point[i] += 1;
            }
        }
        Some(point)
    }

    /// The heaps of a point, ascending.
    pub fn heaps(&self, point: &[i64]) -> Vec<u64> {
        let repeated = |(&size, &count): (&u64, &i64)| std::iter::repeat_n(size, usize::try_from(count).unwrap_or(0));
        self.sizes.iter().zip(point).flat_map(repeated).collect()
    }
}

fn coordinate(sizes: &[u64], heap: u64) -> Option<usize> {
    sizes.binary_search(&heap).ok()
}
