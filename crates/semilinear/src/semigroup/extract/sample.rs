//! Random elements of a vector set: where to look for directions. Nothing is ever concluded from samples.

use crate::vectorset::VectorSet;

/// A small deterministic generator (xorshift64*), so that the same set always has the same stratification.
pub(super) struct Random(u64);

impl Random {
    pub fn new() -> Self {
        Self(0x9E37_79B9_7F4A_7C15)
    }

    fn next(&mut self) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        self.0.wrapping_mul(0x2545_F491_4F6C_DD1D)
    }

    /// A number of [0, 1).
    pub fn unit(&mut self) -> f64 {
        #[allow(clippy::cast_precision_loss)] // 53 bits fit
        let numerator = (self.next() >> 11) as f64;
        numerator / 9_007_199_254_740_992.0
    }
}

/// Draws elements of a set below 2^digits in every coordinate, nearly uniformly.
pub(super) struct Sampler<'a> {
    set: &'a VectorSet,
    digits: usize,
    /// `weight[k][s]`: how many ways there are to accept from state s with k letters to go.
    weight: Vec<Vec<f64>>,
}

impl<'a> Sampler<'a> {
    /// # Complexity
    /// O(digits · d · states) floating-point additions.
    pub fn new(set: &'a VectorSet, digits: usize) -> Self {
        let next = set.transitions();
        let accept = |s: usize| f64::from(u8::from(set.is_accepting(u32::try_from(s).expect("states fit in u32"))));
        let mut weight = vec![(0..next.len()).map(accept).collect::<Vec<f64>>()];
        for _ in 0..digits * set.dimension() {
            let last = weight.last().expect("never empty");
            let row = next.iter().map(|&[zero, one]| last[zero as usize] + last[one as usize]).collect();
            weight.push(row);
        }
        Self { set, digits, weight }
    }

    /// How many elements there are below the bound, roughly.
    pub fn total(&self) -> f64 {
        self.weight[self.digits * self.set.dimension()][0]
    }

    /// An element, or `None` when there is none below the bound.
    pub fn draw(&self, random: &mut Random) -> Option<Vec<u64>> {
        let d = self.set.dimension();
        let mut letters = self.digits * d;
        if self.weight[letters][0] == 0.0 {
            return None;
        }
        let mut x = vec![0; d];
        let mut state = 0;
        for digit in 0..self.digits {
            for coordinate in &mut x {
                letters -= 1;
                let [zero, one] = self.set.transitions()[state];
                let (a, b) = (self.weight[letters][zero as usize], self.weight[letters][one as usize]);
                if random.unit() * (a + b) >= a {
                    *coordinate |= 1 << digit;
                    state = one as usize;
                } else {
                    state = zero as usize;
                }
            }
        }
        Some(x)
    }
}
