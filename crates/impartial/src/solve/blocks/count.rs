//! Exact counting in boxes of any size, digit by digit.

use num_bigint::BigUint;
use num_integer::Integer as _;
use num_traits::{One as _, ToPrimitive as _, Zero};
use rustc_hash::FxHashMap;

use super::Blocks;
use semilinear::run::{Monitor, StopReason};

impl Blocks {
    /// The number of vectors with label 0 and 0 ≤ xᵢ < sizes\[i\].
    ///
    /// # Complexity
    /// O(digits · states · 4ᵈ) additions of numbers with d · digits digits.
    pub fn count(&self, sizes: &[BigUint], monitor: &dyn Monitor) -> Result<BigUint, StopReason> {
        if sizes.iter().any(Zero::is_zero) {
            return Ok(BigUint::ZERO);
        }
        let side = BigUint::from(self.side);
        // The last block and cell in each coordinate.
        let (last, rest): (Vec<BigUint>, Vec<BigUint>) = sizes.iter().map(|n| (n - 1u8).div_rem(&side)).unzip();
        let letters = 1usize << self.dimension;
        // How many prefixes lead to a state, by the coordinates that agree with the last block so far.
        let mut ways: FxHashMap<(u32, usize), BigUint> = FxHashMap::from_iter([((0, letters - 1), BigUint::one())]);
        for digit in (0..last.iter().map(BigUint::bits).max().unwrap_or(0)).rev() {
            let top = last.iter().enumerate().fold(0, |e, (i, p)| e | usize::from(p.bit(digit)) << i);
            let mut after: FxHashMap<(u32, usize), BigUint> = FxHashMap::default();
            for (done, ((state, tight), number)) in ways.into_iter().enumerate() {
                if done.is_multiple_of(64) {
                    monitor.check(digit, None)?;
                }
                for letter in 0..letters {
                    // A digit 1 above a 0 where the prefix is tight leaves the box.
                    if letter & !top & tight != 0 {
                        continue;
                    }
                    let next = self.next[((state as usize) << self.dimension) + letter];
                    *after.entry((next, tight & !(letter ^ top))).or_default() += &number;
                }
            }
            ways = after;
        }
        let rest: Vec<usize> = rest.iter().map(|r| r.to_usize().expect("less than the side")).collect();
        let mut total = BigUint::ZERO;
        for ((state, tight), number) in ways {
            let labels = &self.contents[self.block[state as usize] as usize];
            let inside = |mut cell: usize| {
                (0..self.dimension).all(|i| {
                    let w = cell % self.side as usize;
                    cell /= self.side as usize;
                    tight >> i & 1 == 0 || w <= rest[i]
                })
            };
            let zeros = labels.iter().enumerate().filter(|(cell, label)| **label == 0 && inside(*cell)).count();
            total += number * zeros;
        }
        Ok(total)
    }
}
