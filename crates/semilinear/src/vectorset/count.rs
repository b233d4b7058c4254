//! Exact counting in boxes of any size, by dynamic programming over the digits.

use num_bigint::BigUint;
use num_traits::{One as _, Zero as _};
use thiserror::Error;

use super::VectorSet;
use crate::run::{Monitor, StopReason};

/// Why a box cannot be counted.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum BoxTooLarge {
    /// The run was stopped.
    #[error("{0}")]
    Stopped(StopReason),
    /// More sides than the set has coordinates, or fewer.
    #[error("the box has {sides} sides, the set has {dimension} coordinates; give one size for each coordinate")]
    Sides {
        /// Sides given.
        sides: usize,
        /// Coordinates of the set.
        dimension: usize,
    },
}

impl From<StopReason> for BoxTooLarge {
    fn from(why: StopReason) -> Self {
        Self::Stopped(why)
    }
}

impl VectorSet {
    /// The number of elements with 0 ≤ xᵢ < sizes\[i\].
    ///
    /// # Complexity
    /// O(n·2ᵈ) additions of numbers a digit of the sizes, with n states: boxes of side 10¹⁰⁰⁰ are fine.
    ///
    /// ```
    /// use semilinear::{run::Unlimited, vectorset::{Effort, VectorSet}};
    /// use num_bigint::BigUint;
    /// let even = VectorSet::congruence(&[1], 0, 2, &Effort::unlimited())?;
    /// let huge = BigUint::from(10u8).pow(1000);
    /// assert_eq!(even.count(&[huge.clone()], &Unlimited), Ok(huge / 2u8));
    /// # Ok::<(), semilinear::run::StopReason>(())
    /// ```
    pub fn count(&self, sizes: &[BigUint], monitor: &dyn Monitor) -> Result<BigUint, BoxTooLarge> {
        if sizes.len() != self.dimension {
            return Err(BoxTooLarge::Sides { sides: sizes.len(), dimension: self.dimension });
        }
        // With an empty side there is nothing; otherwise count x <= top, so that all flags begin equal.
        if sizes.iter().any(BigUint::is_zero) {
            return Ok(BigUint::zero());
        }
        let tops: Vec<BigUint> = sizes.iter().map(|n| n - BigUint::one()).collect();
        if self.dimension >= 32 {
            return Err(StopReason::Size { what: "coordinates of a box to count in", limit: 31 }.into());
        }
        let digits = tops.iter().map(BigUint::bits).max().unwrap_or(0);
        // After k digits: how many low parts lead to (state, flags). Flag i says that the low part of xᵢ is
        // larger than that of its bound, so that the rest must be strictly smaller than the bound's rest.
        let flags = 1usize << self.dimension;
        let at = |state: u32, flag: usize| state as usize * flags + flag;
        let size = self.next.len().checked_mul(flags).filter(|&size| size <= 1 << 26);
        let Some(size) = size else {
            return Err(StopReason::Size { what: "counters (states times 2^d)", limit: 1 << 26 }.into());
        };
        let mut ways: Vec<BigUint> = vec![BigUint::zero(); size];
        ways[at(0, 0)] = BigUint::one();
        let mut layer: Vec<usize> = vec![at(0, 0)];
        for level in 0..digits {
            for (track, top) in tops.iter().enumerate() {
                monitor.check(level, Some(digits))?;
                let top_digit = top.bit(level);
                let mut following: Vec<usize> = Vec::with_capacity(layer.len() * 2);
                // Tracks differ between layers (unless d = 1), so sources and targets never mix.
                let moved: Vec<(usize, BigUint)> =
                    layer.iter().map(|&place| (place, std::mem::take(&mut ways[place]))).collect();
                for (place, number) in moved {
                    let (state, flag) = (place / flags, place % flags);
                    for digit in [false, true] {
                        let flag = match (digit, top_digit) {
                            (true, false) => flag | 1 << track,
                            (false, true) => flag & !(1 << track),
                            _ => flag,
                        };
                        let target = at(self.next[state][usize::from(digit)], flag);
                        if ways[target].is_zero() {
                            following.push(target);
                        }
                        ways[target] += &number;
                    }
                }
                layer = following;
            }
        }
        // All digits of the bounds are read: what is left of x must be 0, and nothing may be larger.
        Ok(layer.into_iter().filter(|&p| p % flags == 0 && self.label[p / flags]).map(|p| &ways[p]).sum())
    }
}
