//! The sparse space engine: cost in proportion to the number of rare heaps instead of all smaller heaps.

use super::space::Space;
use super::{Moves, push};
use semilinear::run::{Monitor, StopReason};

/// Splits that are marked between two looks at what is missing.
const STRETCH: usize = 256;

/// Values of at most this many bits, so that the values tried for g(n) have 16.
const MOST_BITS: u32 = 14;

/// Computes g(n) from the rare heaps. A split of mixed type has exactly one rare part, so the splits with a
/// rare part (one pass over the rare heaps) settle which values of common type are excluded: let c be the least
/// of them that is not. Values of rare type below c each need one witness, which a search from the smallest splits
/// on finds early; when it finds none among all splits, g(n) is that value and n is rare.
///
/// Every space gives the right values; a bad one is only slow. The space is chosen anew when values outgrow its
/// mask and when the sequence has doubled.
///
/// # Complexity
/// O(s·(R + D)) a heap for s splitting digits, R rare heaps and search depth D; a new rare heap costs O(s·n).
pub(super) struct Sparse {
    moves: Moves,
    values: Vec<u16>,
    space: Space,
    /// The rare heaps in increasing order.
    rare: Vec<Rare>,
    /// When the sequence is this long the space is chosen anew.
    choose_at: usize,
    /// One for every value of 16 bits, so that no mark needs a check of its place; few of them are in use.
    marks: Box<[u8; 1 << 16]>,
    /// Of v: whether it makes an even heap common.
    types: Vec<bool>,
}

/// The best space, when values are small enough for this engine.
fn space(moves: &Moves, values: &[u32]) -> Option<Space> {
    Space::best(moves, values).map(|(space, _)| space).filter(|space| space.bits <= MOST_BITS)
}

/// A rare heap and its value.
struct Rare {
    heap: u32,
    value: u16,
}

impl Rare {
    fn new(heap: usize, value: u16) -> Self {
        Self { heap: u32::try_from(heap).expect("a sequence has at most 2²⁸ heaps"), value }
    }

    fn heap(&self) -> usize {
        self.heap as usize
    }
}

impl Sparse {
    /// An engine for a code that leaves at most two heaps; `None` when values need more than [`MOST_BITS`] bits.
    pub fn new(moves: &Moves, values: &[u32]) -> Option<Self> {
        let narrow = values.iter().map(|&v| u16::try_from(v).ok()).collect::<Option<Vec<_>>>()?;
        let space = space(moves, values)?;
        let mut engine = Self {
            moves: moves.clone(),
            values: narrow,
            space,
            rare: Vec::new(),
            choose_at: 0,
            marks: vec![0; 1 << 16].try_into().ok()?,
            types: Vec::new(),
        };
        engine.sort_heaps();
        Some(engine)
    }

    /// Appends values until there are `len` of them; `false` when values outgrow the engine.
    pub fn extend(&mut self, values: &mut Vec<u32>, len: usize, monitor: &dyn Monitor) -> Result<bool, StopReason> {
        let outgrown = values[self.values.len()..].iter().any(|&v| u16::try_from(v).is_err());
        if outgrown {
            return Ok(false);
        }
        for (n, &value) in values.iter().enumerate().skip(self.values.len()) {
            self.append(n, u16::try_from(value).expect("checked above"));
        }
        while values.len() < len {
            let n = values.len();
            if n.is_multiple_of(16) || self.rare.len() > 4096 {
                monitor.check(n as u64, Some(len as u64))?;
            }
            if n >= self.choose_at {
                let Some(space) = space(&self.moves, values) else { return Ok(false) };
                self.space = space;
                self.sort_heaps();
            }
            let value = self.value(n);
            let Ok(narrow) = u16::try_from(value) else { return Ok(false) };
            push(values, value)?;
            self.append(n, narrow);
        }
        Ok(true)
    }

    fn append(&mut self, n: usize, value: u16) {
        self.values.push(value);
        if n > 0 && !self.space.common(u32::from(value), n) {
            self.rare.push(Rare::new(n, value));
        }
        // A value beyond the mask's bits is of the same type as its lower bits: right, but maybe a bad choice.
        if u32::from(value) >> self.space.bits != 0 {
            self.choose_at = 0;
        }
    }

    fn sort_heaps(&mut self) {
        let heaps = self.values.iter().enumerate().skip(1);
        let rare = heaps.filter(|&(n, &value)| !self.space.common(u32::from(value), n));
        self.rare = rare.map(|(n, &value)| Rare::new(n, value)).collect();
        self.choose_at = 2 * self.values.len().max(512);
        // Values of b bits have sums of b bits, and some value of each type has b + 1: every search ends.
        self.types = (0..4_u32 << self.space.bits).map(|v| self.space.common(v, 0)).collect();
    }

    fn value(&mut self, n: usize) -> usize {
        let width = self.types.len();
        let marks = &mut *self.marks;
        marks[..width].fill(0);
        if self.moves.takes_all(n) {
            marks[0] = 1;
        }
        for &k in self.moves.one.iter().take_while(|&&k| k < n) {
            marks[usize::from(self.values[n - k])] = 1;
        }
        for &k in self.moves.two.iter().take_while(|&&k| k + 1 < n) {
            let sum = n - k;
            let parts = self.rare.partition_point(|rare| rare.heap() < sum);
            // Two equal heaps may be forbidden; they are skipped outside of the loop over all the others.
            let middle = if self.moves.unequal && sum.is_multiple_of(2) {
                self.rare[..parts].binary_search_by_key(&(sum / 2), Rare::heap).unwrap_or(parts)
            } else {
                parts
            };
            let others = &self.values[..sum];
            for range in [0..middle, parts.min(middle + 1)..parts] {
                for rare in &self.rare[range] {
                    marks[usize::from(rare.value ^ others[sum - rare.heap()])] = 1;
                }
            }
        }
        let odd = self.space.sigma && n % 2 == 1;
        let absent = marks[..width].iter().zip(&self.types).position(|(&mark, &common)| mark == 0 && common != odd);
        let least = absent.unwrap_or(width);
        // What is not marked below that is of rare type and needs a witness. Marking a stretch of splits without
        // a branch and then looking again is faster than asking at each split.
        for &k in self.moves.two.iter().take_while(|&&k| k + 1 < n) {
            let sum = n - k;
            let end = if self.moves.unequal { sum.div_ceil(2) } else { sum / 2 + 1 };
            let smaller = self.values[1..end].chunks(STRETCH);
            let larger = self.values[sum + 1 - end..sum].rchunks(STRETCH);
            for (smaller, larger) in smaller.zip(larger) {
                if !marks[..least].contains(&0) {
                    return least;
                }
                for (a, b) in smaller.iter().zip(larger.iter().rev()) {
                    marks[usize::from(a ^ b)] = 1;
                }
            }
        }
        marks[..least].iter().position(|&mark| mark == 0).unwrap_or(least)
    }
}
