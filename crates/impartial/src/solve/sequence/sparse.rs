//! The sparse space engine: cost in proportion to the number of rare heaps instead of all smaller heaps.

use super::space::Space;
use super::{Moves, push};
use crate::run::{Monitor, StopReason};

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
    /// The rare heaps in increasing order, and their values.
    rare: Vec<usize>,
    rare_values: Vec<u16>,
    /// When the sequence is this long the space is chosen anew.
    choose_at: usize,
    marks: Vec<u8>,
    /// Of v: whether it makes an even heap common.
    types: Vec<bool>,
}

impl Sparse {
    /// An engine for a code that leaves at most two heaps; `None` when values need more than 16 bits.
    pub fn new(moves: &Moves, values: &[u32]) -> Option<Self> {
        let narrow = values.iter().map(|&v| u16::try_from(v).ok()).collect::<Option<Vec<_>>>()?;
        let (space, _) = Space::best(moves, values)?;
        let mut engine = Self {
            moves: moves.clone(),
            values: narrow,
            space,
            rare: Vec::new(),
            rare_values: Vec::new(),
            choose_at: 0,
            marks: Vec::new(),
            types: Vec::new(),
        };
        engine.sort_heaps();
        Some(engine)
    }

    /// Appends values until there are `len` of them; `false` when values outgrow the engine (16 bits).
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
                match Space::best(&self.moves, values) {
                    Some((space, _)) => self.space = space,
                    None => return Ok(false),
                }
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
            self.rare.push(n);
            self.rare_values.push(value);
        }
        // A value beyond the mask's bits is of the same type as its lower bits: right, but maybe a bad choice.
        if u32::from(value) >> self.space.bits != 0 {
            self.choose_at = 0;
        }
    }

    fn sort_heaps(&mut self) {
        self.rare.clear();
        self.rare_values.clear();
        for (n, &value) in self.values.iter().enumerate().skip(1) {
            if !self.space.common(u32::from(value), n) {
                self.rare.push(n);
                self.rare_values.push(value);
            }
        }
        self.choose_at = 2 * self.values.len().max(512);
        // Values of b bits have sums of b bits, and some value of each type has b + 1: every search ends.
        self.marks = vec![0; 4 << self.space.bits];
        self.types = (0..4_u32 << self.space.bits).map(|v| self.space.common(v, 0)).collect();
    }

    fn value(&mut self, n: usize) -> usize {
        self.marks.fill(0);
        let marks = self.marks.as_mut_slice();
        if self.moves.takes_all(n) {
            marks[0] = 1;
        }
        for &k in self.moves.one.iter().take_while(|&&k| k < n) {
            marks[usize::from(self.values[n - k])] = 1;
        }
        for &k in self.moves.two.iter().take_while(|&&k| k + 1 < n) {
            let sum = n - k;
            let parts = self.rare.partition_point(|&r| r < sum);
            for (&r, &value) in self.rare[..parts].iter().zip(&self.rare_values) {
                if self.moves.unequal && 2 * r == sum {
                    continue;
                }
                marks[usize::from(value ^ self.values[sum - r])] = 1;
            }
        }
        let odd = self.space.sigma && n % 2 == 1;
        let absent = marks.iter().zip(&self.types).position(|(&mark, &common)| mark == 0 && common != odd);
        let least = absent.unwrap_or(marks.len());
        // A mark 2 asks for a witness: a value of rare type below the least common one.
        let mut asked = 0_usize;
        for mark in &mut marks[..least] {
            if *mark == 0 {
                *mark = 2;
                asked += 1;
            }
        }
        if asked == 0 {
            return least;
        }
        'search: for &k in self.moves.two.iter().take_while(|&&k| k + 1 < n) {
            let sum = n - k;
            let end = if self.moves.unequal { sum.div_ceil(2) } else { sum / 2 + 1 };
            for (a, b) in self.values[1..end].iter().zip(self.values[sum + 1 - end..sum].iter().rev()) {
                let mark = &mut marks[usize::from(a ^ b)];
                if *mark == 2 {
                    *mark = 1;
                    asked -= 1;
                    if asked == 0 {
                        break 'search;
                    }
                }
            }
        }
        marks.iter().position(|&mark| mark == 2).unwrap_or(least)
    }
}
