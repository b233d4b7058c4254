//! Growing sets of values.

/// A set of natural numbers as bits; it grows when a larger number comes in.
#[derive(Clone, Debug, Default)]
pub(super) struct Bits(Vec<u64>);

impl Bits {
    #[inline]
    pub fn contains(&self, value: usize) -> bool {
        self.0.get(value / 64).is_some_and(|word| word >> (value % 64) & 1 == 1)
    }

    #[inline]
    pub fn insert(&mut self, value: usize) {
        if value / 64 >= self.0.len() {
            self.0.resize(value / 64 + 1, 0);
        }
        self.0[value / 64] |= 1 << (value % 64);
    }

    pub fn clear(&mut self) {
        self.0.fill(0);
    }

    /// Adds all members of another set.
    pub fn absorb(&mut self, other: &Self) {
        if self.0.len() < other.0.len() {
            self.0.resize(other.0.len(), 0);
        }
        for (word, more) in self.0.iter_mut().zip(&other.0) {
            *word |= more;
        }
    }

    /// The bytes it takes.
    pub fn bytes(&self) -> usize {
        8 * self.0.capacity()
    }

    /// The least number ≥ `from` that is not a member.
    pub fn absent(&self, from: usize) -> usize {
        let mut place = from / 64;
        let mut word = self.0.get(place).copied().unwrap_or(0) | ((1_u64 << (from % 64)) - 1);
        while word == u64::MAX {
            place += 1;
            word = self.0.get(place).copied().unwrap_or(0);
        }
        place * 64 + word.trailing_ones() as usize
    }
}
