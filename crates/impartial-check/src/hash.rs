//! Maps and sets with a fast hash for keys that are lists of numbers. It begins at random, so that no file can be written whose keys collide.

use std::hash::{BuildHasher, Hasher, RandomState};

/// A map with this hash.
pub(crate) type HashMap<K, V> = std::collections::HashMap<K, V, Seed>;

/// A set with this hash.
pub(crate) type HashSet<K> = std::collections::HashSet<K, Seed>;

/// Where the hashes of a map begin.
#[derive(Clone)]
pub(crate) struct Seed(u64);

impl Default for Seed {
    fn default() -> Self {
        Self(RandomState::new().hash_one(0_u64))
    }
}

impl BuildHasher for Seed {
    type Hasher = Folded;

    fn build_hasher(&self) -> Folded {
        Folded(self.0)
    }
}

/// Each eight bytes are multiplied into what is there, and the halves of the product folded.
pub(crate) struct Folded(u64);

impl Hasher for Folded {
    fn write(&mut self, bytes: &[u8]) {
        let (words, rest) = bytes.as_chunks::<8>();
        let mut last = [0; 8];
        last[..rest.len()].copy_from_slice(rest);
        for word in words.iter().chain((!rest.is_empty()).then_some(&last)) {
            let product = u128::from(self.0 ^ u64::from_le_bytes(*word)) * 0x9e37_79b9_7f4a_7c15;
            #[expect(clippy::cast_possible_truncation)]
            let (low, high) = (product as u64, (product >> 64) as u64);
            self.0 = low ^ high.rotate_left(32);
        }
    }

    fn finish(&self) -> u64 {
        self.0
    }
}
