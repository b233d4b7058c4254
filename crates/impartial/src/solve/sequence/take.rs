//! Finite codes without breaking, such as subtraction games: g(n) from a bounded window of earlier values.

use super::bits::Bits;
use super::{Moves, push};
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

    /// Appends values until there are `len` of them.
    pub fn extend(&mut self, values: &mut Vec<u32>, len: usize, monitor: &dyn Monitor) -> Result<(), StopReason> {
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
                let excluded = numbers[..reached].iter().fold(u64::from(all), |set, &k| set | 1 << values[n - k]);
                excluded.trailing_ones() as usize
            } else {
                self.marks.clear();
                if all {
                    self.marks.insert(0);
                }
                for &k in &numbers[..reached] {
                    self.marks.insert(values[n - k] as usize);
                }
                self.marks.absent(0)
            };
            push(values, value)?;
        }
        Ok(())
    }
}
