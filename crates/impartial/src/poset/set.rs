//! Sets of elements as machine words: order ideals of posets of any size.

use std::fmt::Debug;
use std::hash::Hash;

/// A set of numbers `0..n` held in 64-bit words. Engines use arrays `[u64; W]`, which need no
/// allocation; everybody else uses [`ElementSet`].
pub trait Words: Clone + Eq + Ord + Hash + Debug + Send + Sync {
    /// The empty set with room for the numbers below `n`.
    fn empty(n: usize) -> Self;

    /// The words, least significant first.
    fn words(&self) -> &[u64];

    /// The words, to be changed.
    fn words_mut(&mut self) -> &mut [u64];

    /// The set `{0, …, n − 1}`.
    fn full(n: usize) -> Self {
        let mut set = Self::empty(n);
        for (i, word) in set.words_mut().iter_mut().enumerate() {
            let bits = n.saturating_sub(64 * i);
            *word = if bits >= 64 { u64::MAX } else { (1 << bits) - 1 };
        }
        set
    }

    /// The same set with room for the numbers below `n`.
    fn copied<T: Words>(other: &T, n: usize) -> Self {
        let mut set = Self::empty(n);
        for (to, &from) in set.words_mut().iter_mut().zip(other.words()) {
            *to = from;
        }
        set
    }

    /// Whether `x` is a member.
    #[inline]
    fn contains(&self, x: usize) -> bool {
        self.words()[x / 64] >> (x % 64) & 1 == 1
    }

    /// Adds `x`.
    #[inline]
    fn insert(&mut self, x: usize) {
        self.words_mut()[x / 64] |= 1 << (x % 64);
    }

    /// Takes `x` out.
    #[inline]
    fn remove(&mut self, x: usize) {
        self.words_mut()[x / 64] &= !(1 << (x % 64));
    }

    /// Whether there is no member.
    #[inline]
    fn is_empty(&self) -> bool {
        self.words().iter().all(|&word| word == 0)
    }

    /// The number of members.
    #[inline]
    fn len(&self) -> usize {
        self.words().iter().map(|word| word.count_ones() as usize).sum()
    }

    /// The least member.
    #[inline]
    fn first(&self) -> Option<usize> {
        self.words()
            .iter()
            .enumerate()
            .find(|(_, word)| **word != 0)
            .map(|(i, word)| 64 * i + word.trailing_zeros() as usize)
    }

    /// The least member from `start` on.
    #[inline]
    fn first_from(&self, start: usize) -> Option<usize> {
        let words = self.words().get(start / 64..)?;
        let mut seen = u64::MAX << (start % 64);
        for (i, word) in words.iter().enumerate() {
            if word & seen != 0 {
                return Some(64 * (start / 64 + i) + (word & seen).trailing_zeros() as usize);
            }
            seen = u64::MAX;
        }
        None
    }

    /// Adds every member of `other`.
    #[inline]
    fn unite(&mut self, other: &Self) {
        for (a, b) in self.words_mut().iter_mut().zip(other.words()) {
            *a |= b;
        }
    }

    /// Keeps the members that `other` has too.
    #[inline]
    fn intersect(&mut self, other: &Self) {
        for (a, b) in self.words_mut().iter_mut().zip(other.words()) {
            *a &= b;
        }
    }

    /// Takes every member of `other` out.
    #[inline]
    fn subtract(&mut self, other: &Self) {
        for (a, b) in self.words_mut().iter_mut().zip(other.words()) {
            *a &= !b;
        }
    }

    /// The members that `other` does not have.
    #[inline]
    #[must_use]
    fn without(&self, other: &Self) -> Self {
        let mut set = self.clone();
        set.subtract(other);
        set
    }

    /// Whether every member is a member of `other`.
    #[inline]
    fn is_subset(&self, other: &Self) -> bool {
        self.words().iter().zip(other.words()).all(|(a, b)| a & !b == 0)
    }

    /// Whether some member is a member of `other`.
    #[inline]
    fn meets(&self, other: &Self) -> bool {
        self.words().iter().zip(other.words()).any(|(a, b)| a & b != 0)
    }

    /// The members in increasing order.
    fn members(&self) -> Members<'_> {
        Members { words: self.words(), index: 0, rest: self.words().first().copied().unwrap_or(0) }
    }
}

/// The members of a set in increasing order; see [`Words::members`].
#[derive(Clone, Debug)]
pub struct Members<'a> {
    words: &'a [u64],
    index: usize,
    rest: u64,
}

impl Iterator for Members<'_> {
    type Item = usize;

    #[inline]
    fn next(&mut self) -> Option<usize> {
        while self.rest == 0 {
            self.index += 1;
            self.rest = *self.words.get(self.index)?;
        }
        let bit = self.rest.trailing_zeros() as usize;
        self.rest &= self.rest - 1;
        Some(64 * self.index + bit)
    }
}

impl<const W: usize> Words for [u64; W] {
    #[inline]
    fn empty(n: usize) -> Self {
        debug_assert!(n <= 64 * W, "the engine chose too few words");
        [0; W]
    }

    #[inline]
    fn words(&self) -> &[u64] {
        self
    }

    #[inline]
    fn words_mut(&mut self) -> &mut [u64] {
        self
    }
}

/// A set of elements of a poset of any size; an order ideal when it holds a position.
///
/// ```
/// use impartial::poset::{ElementSet, Words};
/// let mut set = ElementSet::empty(100);
/// set.insert(70);
/// set.insert(3);
/// assert_eq!(set.members().collect::<Vec<_>>(), [3, 70]);
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ElementSet(Box<[u64]>);

impl Words for ElementSet {
    fn empty(n: usize) -> Self {
        Self(vec![0; n.div_ceil(64)].into_boxed_slice())
    }

    #[inline]
    fn words(&self) -> &[u64] {
        &self.0
    }

    #[inline]
    fn words_mut(&mut self) -> &mut [u64] {
        &mut self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn full_sets_have_all_members() {
        for n in [0, 1, 63, 64, 65, 128, 200] {
            let set = ElementSet::full(n);
            assert_eq!(set.len(), n);
            assert!(set.members().eq(0..n));
        }
    }

    #[test]
    fn set_operations() {
        let mut a = <[u64; 2]>::empty(128);
        for x in [1, 64, 100] {
            a.insert(x);
        }
        let mut b = <[u64; 2]>::empty(128);
        b.insert(64);
        assert!(b.is_subset(&a) && b.meets(&a) && !a.is_subset(&b));
        assert_eq!(a.without(&b).members().collect::<Vec<_>>(), [1, 100]);
        assert_eq!(a.without(&b).first(), Some(1));
        for start in 0..=128 {
            assert_eq!(a.first_from(start), [1, 64, 100].into_iter().find(|&x| x >= start), "from {start}");
        }
        a.intersect(&b);
        assert_eq!(a, b);
        a.remove(64);
        assert!(a.is_empty() && a.first().is_none());
    }
}
