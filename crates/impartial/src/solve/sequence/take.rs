//! Finite codes without breaking, such as subtraction games: g(n) from a bounded window of earlier values.

use super::Moves;
use super::bits::Bits;
use super::values::{Heaps, Lane, Ran};
use semilinear::run::{Monitor, StopReason};

/// Collects the values of the heaps n − k. With fewer than 64 numbers k all values are below 64, and the set of
/// them is one machine word.
///
/// # Complexity
/// O(s) a heap for s numbers that may be taken.
pub(super) struct Take {
    moves: Moves,
    marks: Bits,
}

impl Take {
    pub fn new(moves: &Moves) -> Self {
        debug_assert!(moves.only_takes());
        Self { moves: moves.clone(), marks: Bits::default() }
    }
}

impl Heaps for Take {
    fn run<L: Lane>(&mut self, values: &mut Vec<L>, len: usize, monitor: &dyn Monitor) -> Result<Ran, StopReason> {
        let numbers = &self.moves.one;
        // A move that takes the whole heap excludes 0 at most: one value more than the numbers.
        let small = numbers.len() < 63;
        while values.len() < len {
            let n = values.len();
            if n.is_multiple_of(4096) || !small {
                monitor.check(n as u64, Some(len as u64))?;
            }
            let reached = numbers.partition_point(|&k| k < n);
            let all = n < self.moves.digits_before(n) && self.moves.takes_all(n);
            let value = if small {
                let mut excluded = u64::from(all);
                for &k in &numbers[..reached] {
                    excluded |= 1 << values[n - k].index();
                }
                excluded.trailing_ones() as usize
            } else {
                self.marks.clear();
                if all {
                    self.marks.insert(0);
                }
                for &k in &numbers[..reached] {
                    self.marks.insert(values[n - k].index());
                }
                self.marks.absent(0)
            };
            let Ok(narrow) = L::try_from(value) else { return Ok(Ran::Wide(value)) };
            values.push(narrow);
        }
        Ok(Ran::Done)
    }
}
