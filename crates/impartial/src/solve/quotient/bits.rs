//! Sets of monoid elements as bit sets of a fixed length.

/// A subset of `0..len`.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Bits {
    words: Box<[u64]>,
    len: usize,
}

impl Bits {
    /// The empty subset of `0..len`.
    pub fn empty(len: usize) -> Self {
        Self { words: vec![0; len.div_ceil(64)].into(), len }
    }

    /// The elements of `0..len` for which `f` holds.
    pub fn of(len: usize, mut f: impl FnMut(usize) -> bool) -> Self {
        let mut bits = Self::empty(len);
        for (w, word) in bits.words.iter_mut().enumerate() {
            let from = w * 64;
            for b in 0..64.min(len - from) {
                *word |= u64::from(f(from + b)) << b;
            }
        }
        bits
    }

    /// The places of a list whose entries a table marks with 1 (all others with 0).
    pub fn marked(entries: &[u32], table: &[u8]) -> Self {
        let word =
            |part: &[u32]| part.iter().rev().fold(0, |word, &entry| word << 1 | u64::from(table[entry as usize]));
        Self { words: entries.chunks(64).map(word).collect(), len: entries.len() }
    }

    /// The elements of the set for which `f` holds.
    #[must_use]
    pub fn filtered(&self, mut f: impl FnMut(usize) -> bool) -> Self {
        let mut bits = self.clone();
        for (w, word) in bits.words.iter_mut().enumerate() {
            let mut left = *word;
            while left != 0 {
                let b = left.trailing_zeros();
                left &= left - 1;
                *word &= !(u64::from(!f(w * 64 + b as usize)) << b);
            }
        }
        bits
    }

    /// The number of elements of the set it is a subset of.
    pub fn universe(&self) -> usize {
        self.len
    }

    /// Whether `i` is in the set.
    #[inline]
    pub fn has(&self, i: usize) -> bool {
        self.words[i / 64] >> (i % 64) & 1 == 1
    }

    /// Puts `i` in.
    pub fn insert(&mut self, i: usize) {
        self.words[i / 64] |= 1 << (i % 64);
    }

    /// Takes `i` out.
    pub fn remove(&mut self, i: usize) {
        self.words[i / 64] &= !(1 << (i % 64));
    }

    /// The number of elements.
    pub fn count(&self) -> usize {
        self.words.iter().map(|w| w.count_ones() as usize).sum()
    }

    /// Whether nothing is in the set.
    pub fn is_empty(&self) -> bool {
        self.words.iter().all(|&w| w == 0)
    }

    /// Adds the elements of `other`.
    pub fn unite(&mut self, other: &Self) {
        for (a, b) in self.words.iter_mut().zip(&other.words) {
            *a |= b;
        }
    }

    /// Keeps the elements of `other` only.
    pub fn intersect(&mut self, other: &Self) {
        for (a, b) in self.words.iter_mut().zip(&other.words) {
            *a &= b;
        }
    }

    /// The elements that are not in the set.
    #[must_use]
    pub fn complement(&self) -> Self {
        let mut bits = self.clone();
        for w in &mut bits.words {
            *w = !*w;
        }
        let rest = bits.len % 64;
        if rest > 0
            && let Some(last) = bits.words.last_mut()
        {
            *last &= (1 << rest) - 1;
        }
        bits
    }

    /// Whether every element is in `other` too.
    pub fn within(&self, other: &Self) -> bool {
        self.words.iter().zip(&other.words).all(|(a, b)| a & !b == 0)
    }

    /// The least element of both sets.
    pub fn first_common(&self, other: &Self) -> Option<usize> {
        self.words
            .iter()
            .zip(&other.words)
            .enumerate()
            .find_map(|(w, (a, b))| (a & b != 0).then(|| w * 64 + (a & b).trailing_zeros() as usize))
    }

    /// The elements in increasing order.
    pub fn iter(&self) -> impl Iterator<Item = usize> + '_ {
        self.words.iter().enumerate().flat_map(|(w, &word)| {
            std::iter::successors(Some(word), |&x| Some(x & x.wrapping_sub(1)))
                .take_while(|&x| x != 0)
                .map(move |x| w * 64 + x.trailing_zeros() as usize)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::Bits;

    #[test]
    fn sets_behave_as_sets() {
        let even = Bits::of(130, |i| i % 2 == 0);
        let small = Bits::of(130, |i| i < 3);
        assert_eq!(even.count(), 65);
        assert_eq!(even.filtered(|i| i % 3 == 0), Bits::of(130, |i| i % 6 == 0));
        assert_eq!(even.complement().count(), 65);
        let backwards: Vec<u32> = (0..130).rev().collect();
        let table: Vec<u8> = (0..130).map(|i| u8::from(even.has(i))).collect();
        assert_eq!(Bits::marked(&backwards, &table), even.complement());
        assert_eq!(Bits::marked(&[], &table), Bits::empty(0));
        assert_eq!(small.iter().collect::<Vec<_>>(), [0, 1, 2]);
        assert_eq!(even.complement().first_common(&small), Some(1));
        let mut both = even.clone();
        both.intersect(&small);
        assert_eq!(both.iter().collect::<Vec<_>>(), [0, 2]);
        assert!(both.within(&even) && !even.within(&both) && !both.is_empty());
        assert!(Bits::empty(0).is_empty() && Bits::empty(0).complement().is_empty());
    }
}
