//! When a periodic pretending function is proved for all heaps.

/// A proved period: Φ(n + period) = Φ(n) for all n ≥ preperiod, both least; heap 0 has Φ = 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Period {
    /// The first heap from which on the values repeat.
    pub preperiod: usize,
    /// The period.
    pub period: usize,
}

/// How a move changes a heap in a take-and-break game: what the periodicity theorem needs to know.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shape {
    /// At most this many beans are taken by a move (the index of the last non-zero digit).
    pub taken: usize,
    /// At most this many heaps are left by a move.
    pub parts: usize,
}

impl Shape {
    /// The number of heaps that must be known before a period from `start` on is proved.
    ///
    /// Let Φ(m + p) = Φ(m) for all start ≤ m ≤ N − p, start ≥ 1, and let N be at least this number. Then
    /// every way to leave at most r heaps of heap N + 1 leaves one of size ≥ start + p, since the rest is
    /// at least N + 1 − k > r(start + p − 1); so heaps N + 1 and N + 1 − p have the same set of option values.
    pub fn heaps_needed(&self, start: usize, period: usize) -> usize {
        let start = start.max(1);
        (self.parts * (start + period - 1) + self.taken).max(period + self.taken)
    }
}

/// The least period of the values of heaps 0..=N that is proved for all heaps by the theorem above.
///
/// ```
/// use impartial::solve::quotient::{Period, Shape, period};
/// // 0.13 in misère play: 1, a, a, 1, 1, a, a, 1, 1, a; two parts never, at most two beans taken.
/// let shape = Shape { taken: 2, parts: 1 };
/// assert_eq!(period(&[0, 1, 1, 0, 0, 1, 1], shape), Some(Period { preperiod: 0, period: 4 }));
/// assert_eq!(period(&[0, 1, 1, 0, 0], shape), None);
/// ```
///
/// # Complexity
/// O(N) for each period tried, mostly much less.
pub fn period<T: PartialEq>(values: &[T], shape: Shape) -> Option<Period> {
    let last = values.len().checked_sub(1)?;
    (1..=last).find_map(|period| {
        let equal = (0..=last - period).rev().take_while(|&m| values[m] == values[m + period]).count();
        let preperiod = last - period + 1 - equal;
        (equal > 0 && last >= shape.heaps_needed(preperiod, period)).then_some(Period { preperiod, period })
    })
}
