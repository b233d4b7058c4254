//! Lists of numbers, each with a number of its own.

/// Lists of one length, numbered in the order in which they came: one array of all their entries, and a table of places in it.
pub(super) struct Keys {
    width: usize,
    len: usize,
    entries: Vec<u32>,
    /// Some bits of a list's hash, and its number; a power of two of them, at most half of them taken.
    slots: Vec<(u32, u32)>,
}

const FREE: u32 = u32::MAX;

impl Keys {
    /// No lists yet, of so many entries each.
    pub fn new(width: usize) -> Self {
        Self { width, len: 0, entries: Vec::new(), slots: vec![(0, FREE); 16] }
    }

    /// The number of lists.
    pub fn len(&self) -> usize {
        self.len
    }

    /// List number i.
    pub fn get(&self, i: u32) -> &[u32] {
        &self.entries[i as usize * self.width..(i as usize + 1) * self.width]
    }

    /// The number of a list; else its hash, for [`Keys::push`].
    pub fn find(&self, list: &[u32]) -> Result<u32, u64> {
        let hash = hash(list);
        let last = self.slots.len() - 1;
        let mut at = low(hash) as usize & last;
        loop {
            match self.slots[at] {
                (_, FREE) => return Err(hash),
                (bits, number) if bits == high(hash) && self.get(number) == list => return Ok(number),
                _ => at = (at + 1) & last,
            }
        }
    }

    /// Adds a list that is not there, with its hash.
    pub fn push(&mut self, list: &[u32], hash: u64) -> u32 {
        if 2 * (self.len + 1) > self.slots.len() {
            self.grow();
        }
        let number = u32::try_from(self.len).expect("limited by memory");
        self.entries.extend_from_slice(list);
        self.len += 1;
        self.take(number, hash);
        number
    }

    /// The number of a list, which is added if it is not there.
    pub fn number(&mut self, list: &[u32]) -> u32 {
        self.find(list).unwrap_or_else(|hash| self.push(list, hash))
    }

    fn take(&mut self, number: u32, hash: u64) {
        let last = self.slots.len() - 1;
        let mut at = low(hash) as usize & last;
        while self.slots[at].1 != FREE {
            at = (at + 1) & last;
        }
        self.slots[at] = (high(hash), number);
    }

    fn grow(&mut self) {
        let size = 2 * self.slots.len();
        self.slots.clear();
        self.slots.resize(size, (0, FREE));
        for number in 0..u32::try_from(self.len).expect("limited by memory") {
            self.take(number, hash(self.get(number)));
        }
    }
}

#[expect(clippy::cast_possible_truncation, reason = "the low half is meant")]
fn low(hash: u64) -> u32 {
    hash as u32
}

fn high(hash: u64) -> u32 {
    low(hash >> 32)
}

/// Multiplications of two entries at a time, both halves of the product being kept.
fn hash(list: &[u32]) -> u64 {
    let fold = |hash: u64, value: u64| {
        let product = u128::from(hash ^ value) * 0xA076_1D64_78BD_642F;
        #[expect(clippy::cast_possible_truncation, reason = "both halves are used")]
        let halves = (product as u64) ^ ((product >> 64) as u64);
        halves
    };
    let (pairs, rest) = list.as_chunks::<2>();
    let hash = pairs
        .iter()
        .fold(0x9E37_79B9_7F4A_7C15, |hash, pair| fold(hash, u64::from(pair[0]) | u64::from(pair[1]) << 32));
    let hash = rest.iter().fold(hash, |hash, &entry| fold(hash, entry.into()));
    fold(hash, 0x8EBC_6AF0_9C88_C6E3)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_keep_their_numbers() {
        for width in [1, 2, 3, 8] {
            let mut keys = Keys::new(width);
            let list = |n: u32| -> Vec<u32> {
                (0..u32::try_from(width).unwrap()).map(|i| (n * n).rotate_left(i) & 0xff).collect()
            };
            let mut plain: Vec<Vec<u32>> = Vec::new();
            for n in 0..5000 {
                let expected = plain.iter().position(|other| *other == list(n)).unwrap_or_else(|| {
                    plain.push(list(n));
                    plain.len() - 1
                });
                assert_eq!(keys.number(&list(n)) as usize, expected);
            }
            assert_eq!(keys.len(), plain.len());
            for (i, other) in (0..).zip(&plain) {
                assert_eq!((keys.get(i), keys.find(other)), (other.as_slice(), Ok(i)));
            }
            assert!(keys.find(&vec![1000; width]).is_err());
        }
    }
}
