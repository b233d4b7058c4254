//! Finite sets of Grundy values.

/// A set of Grundy values, as bits.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ValueSet(Vec<u64>);

impl ValueSet {
    /// Adds a value.
    #[inline]
    pub fn insert(&mut self, value: u32) {
        let word = value as usize / 64;
        match self.0.get_mut(word) {
            Some(word) => *word |= 1 << (value % 64),
            None => self.insert_beyond(value),
        }
    }

    #[cold]
    fn insert_beyond(&mut self, value: u32) {
        self.0.resize(value as usize / 64 + 1, 0);
        self.0[value as usize / 64] |= 1 << (value % 64);
    }

    /// Takes every value out.
    pub fn clear(&mut self) {
        self.0.fill(0);
    }

    /// Whether `value` is in the set.
    pub fn contains(&self, value: u32) -> bool {
        self.0.get(value as usize / 64).is_some_and(|word| word >> (value % 64) & 1 == 1)
    }

    /// Adds every value of `other`.
    pub fn unite(&mut self, other: &Self) {
        other.values().for_each(|value| self.insert(value));
    }

    /// The values in increasing order.
    pub fn values(&self) -> impl Iterator<Item = u32> + '_ {
        self.0
            .iter()
            .zip(0_u32..)
            .flat_map(|(&word, i)| (0..64).filter(move |bit| word >> bit & 1 == 1).map(move |bit| 64 * i + bit))
    }

    /// The least value that is not in the set.
    #[inline]
    pub fn mex(&self) -> u32 {
        for (i, &word) in (0_u32..).zip(&self.0) {
            if word != u64::MAX {
                return 64 * i + word.trailing_ones();
            }
        }
        64 * u32::try_from(self.0.len()).expect("value sets are small")
    }

    /// The value number `v` (from 0) among those that are not in the set: e_v in the series law.
    pub fn absent(&self, v: u32) -> u32 {
        let mut left = v;
        for (i, &word) in (0_u32..).zip(&self.0) {
            let free = word.count_zeros();
            if left >= free {
                left -= free;
                continue;
            }
            let mut rest = !word;
            for _ in 0..left {
                rest &= rest - 1;
            }
            return 64 * i + rest.trailing_zeros();
        }
        64 * u32::try_from(self.0.len()).expect("value sets are small") + left
    }
}

impl FromIterator<u32> for ValueSet {
    fn from_iter<I: IntoIterator<Item = u32>>(values: I) -> Self {
        let mut set = Self::default();
        values.into_iter().for_each(|value| set.insert(value));
        set
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mex_and_absent_values() {
        let set: ValueSet = [0, 1, 3, 130].into_iter().collect();
        assert_eq!(set.mex(), 2);
        assert!(set.values().eq([0, 1, 3, 130]));
        let absent: Vec<u32> = (0..200).filter(|v| ![0, 1, 3, 130].contains(v)).collect();
        for (v, &e) in (0..).zip(&absent) {
            assert_eq!(set.absent(v), e);
        }
        assert_eq!(ValueSet::default().mex(), 0);
        assert_eq!((0..64).collect::<ValueSet>().mex(), 64);
    }
}
