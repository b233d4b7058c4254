//! The few-rares engine: sets of values in one machine word, the values themselves in a short ring.

use super::space::Space;
use super::{Moves, push};
use semilinear::run::{Monitor, StopReason};

/// The ring holds the last values: rare heaps and witnesses lie almost always within its reach.
const RING: usize = 1 << 15;
/// With more rare heaps the sparse engine is as fast.
const MOST_RARE: usize = 64;
/// Sets of values are the bits of a word.
const MOST_VALUES: u32 = 64;

/// The sparse space engine ([`super::sparse`]) for games with few rare heaps, all small, and values below 64: a set of
/// values is a word, excluding a value one `or`, and the least absent value one count of bits. Only the first and
/// the last [`RING`] values are looked at, in one byte each, so that all of them stay in the fastest cache.
/// A heap for which that is not enough is left to the sparse engine.
///
/// # Complexity
/// O(s·(R + D)) a heap for s splitting digits, R rare heaps and search depth D.
pub(super) struct Ring {
    moves: Moves,
    space: Space,
    /// Rare heaps and their values.
    rare: Vec<(usize, u8)>,
    /// The values of heaps below [`RING`].
    first: Vec<u8>,
    /// `last[n % RING]`: the value of heap n, for the last heaps.
    last: Vec<u8>,
    /// The values that make an even and an odd heap common.
    common: [u64; 2],
}

impl Ring {
    /// `None` when values or rare heaps are too large or too many.
    pub fn new(moves: &Moves, values: &[u32]) -> Option<Self> {
        let short = moves.splits_in_two() && moves.digits_before(0) <= RING / 4;
        if !short || values.len() < 2 * RING || values.iter().any(|&v| v >= MOST_VALUES) {
            return None;
        }
        let (space, rares) = Space::best(moves, values)?;
        if rares > MOST_RARE {
            return None;
        }
        let byte = |n: usize| u8::try_from(values[n]).expect("values are below 64");
        let rare: Vec<_> = (1..values.len()).filter(|&n| !space.common(values[n], n)).map(|n| (n, byte(n))).collect();
        if rare.last().is_some_and(|&(n, _)| n > RING / 4) {
            return None;
        }
        let mut last = vec![0; RING];
        for n in values.len() - RING..values.len() {
            last[n % RING] = byte(n);
        }
        let common =
            [0, 1].map(|n| (0..MOST_VALUES).filter(|&v| space.common(v, n)).fold(0, |set, v| set | 1_u64 << v));
        Some(Self { moves: moves.clone(), space, rare, first: (0..RING).map(byte).collect(), last, common })
    }

    /// Appends values until there are `len` of them, or until one is new to this engine: beyond 64, or a rare heap.
    pub fn extend(&mut self, values: &mut Vec<u32>, len: usize, monitor: &dyn Monitor) -> Result<(), StopReason> {
        while values.len() < len {
            let n = values.len();
            if n.is_multiple_of(1024) {
                monitor.check(n as u64, Some(len as u64))?;
            }
            let Some(value) = self.value(n) else { return Ok(()) };
            self.last[n % RING] = value;
            push(values, usize::from(value))?;
        }
        Ok(())
    }

    /// g(n), when the ring settles it.
    #[inline]
    fn value(&self, n: usize) -> Option<u8> {
        let last: &[u8; RING] = self.last.as_slice().try_into().ok()?;
        let at = |heap: usize| last[heap % RING];
        let bit = |v: u8| 1_u64.wrapping_shl(u32::from(v));
        let mut excluded = self.moves.one.iter().fold(0, |set, &k| set | bit(at(n - k)));
        for &k in &self.moves.two {
            let sum = n - k;
            for &(r, value) in &self.rare {
                excluded |= bit(value ^ at(sum - r));
            }
        }
        let common = self.common[usize::from(self.space.sigma) & (n % 2)];
        let least = (!excluded & common).trailing_zeros();
        if least >= MOST_VALUES {
            return None;
        }
        // Values of rare type below the least common one need a witness each.
        let mut asked = !excluded & !common & ((1_u64 << least) - 1);
        if asked != 0 {
            'search: for &k in &self.moves.two {
                let sum = n - k;
                for (a, &value) in self.first[..RING - RING / 4].iter().enumerate().skip(1) {
                    asked &= !bit(value ^ at(sum - a));
                    if asked == 0 {
                        break 'search;
                    }
                }
            }
            if asked != 0 {
                return None;
            }
        }
        u8::try_from(least).ok()
    }
}
