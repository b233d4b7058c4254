//! Sets of small indices, as incidence vectors.

/// A set of indices below a fixed bound.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct Bits(Box<[u64]>);

impl Bits {
    /// The empty set of indices below `bound`.
    pub fn new(bound: usize) -> Self {
        Self(vec![0; bound.div_ceil(64)].into())
    }

    /// The set of the indices below `bound` for which `member` holds.
    pub fn from_fn(bound: usize, member: impl Fn(usize) -> bool) -> Self {
        let mut bits = Self::new(bound);
        for i in (0..bound).filter(|&i| member(i)) {
            bits.insert(i);
        }
        bits
    }

    pub fn insert(&mut self, i: usize) {
        self.0[i / 64] |= 1 << (i % 64);
    }

    pub fn remove(&mut self, i: usize) {
        self.0[i / 64] &= !(1 << (i % 64));
    }

    /// The order of the sorted lists of members, for sets of the same size and bound.
    pub fn lexicographic(&self, other: &Self) -> std::cmp::Ordering {
        let different = self.0.iter().zip(&other.0).find(|(a, b)| a != b);
        different.map_or(std::cmp::Ordering::Equal, |(a, b)| {
            // The set with the least element of the difference comes first.
            let least = 1u64 << (a ^ b).trailing_zeros();
            (b & least).cmp(&(a & least))
        })
    }

    pub fn intersection(&self, other: &Self) -> Self {
        Self(self.0.iter().zip(&other.0).map(|(a, b)| a & b).collect())
    }

    /// The number of common elements.
    pub fn common(&self, other: &Self) -> usize {
        self.0.iter().zip(&other.0).map(|(a, b)| (a & b).count_ones() as usize).sum()
    }

    pub fn is_subset(&self, other: &Self) -> bool {
        self.0.iter().zip(&other.0).all(|(a, b)| a & !b == 0)
    }

    pub fn len(&self) -> usize {
        self.0.iter().map(|a| a.count_ones() as usize).sum()
    }
}
