//! The memo of the general search: canonical position → value, shared by threads without locks.
//!
//! Open addressing in groups of eight slots. The eight tags of a group (7 bits of the hash each) are one
//! word, compared at once; tags stay in a near cache and decide nearly alone which slot is meant, so that
//! the processor works on while it waits for the key. A slot that is being written has a tag that fits no
//! key, so readers pass it by; at worst a key is then stored twice, with the same value. Only growing
//! takes the lock for itself.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{RwLock, RwLockReadGuard};

use crate::poset::Words;
use semilinear::run::StopReason;

/// Slots in a group: bytes in a word.
const GROUP: usize = 8;
/// One in every byte of a word, and the highest bit of every byte.
const ONES: u64 = 0x0101_0101_0101_0101;
const HIGHS: u64 = ONES << 7;
/// The tag of a slot that is being written; 0 is an empty slot, and tags of keys have the highest bit.
const BUSY: u64 = 1;
/// Slots of a new memo.
const START: usize = 1 << 12;
/// Words that the slots may take: 2 GiB.
const MAX_WORDS: usize = 1 << 28;

/// A memo for keys of a fixed number of words.
#[derive(Debug)]
pub(super) struct Memo {
    table: RwLock<Table>,
    words: usize,
}

/// The slots; lookups and insertions need no lock.
#[derive(Debug)]
pub(super) struct Table {
    tags: Vec<AtomicU64>,
    /// The words of a key, then its value.
    slots: Vec<AtomicU64>,
    size: AtomicU64,
}

impl Memo {
    /// An empty memo; a key has `words` words.
    pub(super) fn new(words: usize) -> Self {
        Self { table: RwLock::new(Table::new(words, START).expect("a small table")), words }
    }

    /// The table as it is now. Let go of it now and then, so that the memo can grow.
    pub(super) fn read(&self) -> RwLockReadGuard<'_, Table> {
        self.table.read().expect("no thread panics with the lock")
    }

    /// The number of keys.
    pub(super) fn len(&self) -> u64 {
        self.read().size.load(Ordering::Relaxed)
    }

    /// The number of keys a memo may have.
    fn limit(&self) -> u64 {
        let slots = MAX_WORDS / (self.words + 1);
        (1_u64 << slots.ilog2()) * 3 / 4
    }

    /// Makes room if the table is full.
    pub(super) fn grow(&self) -> Result<(), StopReason> {
        let mut table = self.table.write().expect("no thread panics with the lock");
        if !table.is_full() {
            return Ok(()); // another thread was here
        }
        let slots = 2 * GROUP * table.tags.len();
        let stride = self.words + 1;
        if slots.saturating_mul(stride) > MAX_WORDS {
            return Err(StopReason::Size { what: "positions in the memo", limit: self.limit() });
        }
        let larger = Table::new(self.words, slots).ok_or(StopReason::Memory)?;
        let mut key = vec![0; self.words];
        for (i, slot) in table.slots.chunks_exact(stride).enumerate() {
            if table.tags[i / GROUP].load(Ordering::Relaxed) >> (8 * (i % GROUP)) & 0x80 != 0 {
                for (to, from) in key.iter_mut().zip(slot) {
                    *to = from.load(Ordering::Relaxed);
                }
                larger.store(&key, slot[self.words].load(Ordering::Relaxed));
            }
        }
        *table = larger;
        Ok(())
    }
}

impl Table {
    fn new(words: usize, slots: usize) -> Option<Self> {
        debug_assert!(slots.is_power_of_two());
        let zeros = |n: usize| {
            let mut array = Vec::new();
            array.try_reserve_exact(n).ok()?;
            array.resize_with(n, AtomicU64::default);
            Some(array)
        };
        Some(Self { tags: zeros(slots / GROUP)?, slots: zeros(slots * (words + 1))?, size: AtomicU64::new(0) })
    }

    /// Whether the memo must grow before more is stored; a few keys still fit.
    #[inline]
    pub(super) fn is_full(&self) -> bool {
        self.size.load(Ordering::Relaxed) * 4 >= (GROUP * self.tags.len()) as u64 * 3
    }

    /// The value in a slot, if it is the key's.
    #[inline]
    fn value_in(&self, slot: usize, key: &[u64]) -> Option<u64> {
        let own = &self.slots[slot * (key.len() + 1)..][..=key.len()];
        let equal = key.iter().zip(own).all(|(word, own)| *word == own.load(Ordering::Relaxed));
        equal.then(|| own[key.len()].load(Ordering::Relaxed))
    }

    /// The value of a key.
    #[inline]
    pub(super) fn value<S: Words>(&self, key: &S) -> Option<u32> {
        let key = key.words();
        let hash = hash(key);
        let tag = ONES * (hash & 0x7f | 0x80);
        let last = self.tags.len() - 1;
        let mut group = (hash >> 32) as usize & last;
        loop {
            let tags = self.tags[group].load(Ordering::Acquire);
            let mut fitting = zero_bytes(tags ^ tag);
            while fitting != 0 {
                let slot = GROUP * group + fitting.trailing_zeros() as usize / 8;
                if let Some(value) = self.value_in(slot, key) {
                    #[allow(clippy::cast_possible_truncation)] // it was stored from 32 bits
                    return Some(value as u32);
                }
                fitting &= fitting - 1;
            }
            if zero_bytes(tags) != 0 {
                return None;
            }
            group = (group + 1) & last;
        }
    }

    /// Remembers the value of a key.
    pub(super) fn insert<S: Words>(&self, key: &S, value: u32) {
        self.store(key.words(), value.into());
    }

    fn store(&self, key: &[u64], value: u64) {
        let hash = hash(key);
        let tag = hash & 0x7f | 0x80;
        let last = self.tags.len() - 1;
        let mut group = (hash >> 32) as usize & last;
        let mut tags = self.tags[group].load(Ordering::Acquire);
        loop {
            let mut fitting = zero_bytes(tags ^ (ONES * tag));
            while fitting != 0 {
                if self.value_in(GROUP * group + fitting.trailing_zeros() as usize / 8, key).is_some() {
                    return;
                }
                fitting &= fitting - 1;
            }
            let empty = zero_bytes(tags);
            if empty == 0 {
                group = (group + 1) & last;
                tags = self.tags[group].load(Ordering::Acquire);
                continue;
            }
            // The lowest marked byte is really zero; the trick below errs only above a zero byte.
            let bits = empty.trailing_zeros() & !7;
            let busy =
                self.tags[group].compare_exchange(tags, tags | BUSY << bits, Ordering::Acquire, Ordering::Acquire);
            match busy {
                Ok(_) => {
                    let slot = GROUP * group + bits as usize / 8;
                    let own = &self.slots[slot * (key.len() + 1)..][..=key.len()];
                    for (to, from) in own.iter().zip(key) {
                        to.store(*from, Ordering::Relaxed);
                    }
                    own[key.len()].store(value, Ordering::Relaxed);
                    // Busy becomes the tag; other threads may change the other bytes meanwhile.
                    self.tags[group].fetch_xor((tag ^ BUSY) << bits, Ordering::Release);
                    self.size.fetch_add(1, Ordering::Relaxed);
                    return;
                }
                Err(now) => tags = now,
            }
        }
    }
}

/// The highest bit of every zero byte, and perhaps of bytes above one that is zero.
#[inline]
fn zero_bytes(word: u64) -> u64 {
    word.wrapping_sub(ONES) & !word & HIGHS
}

#[inline]
fn hash(key: &[u64]) -> u64 {
    let mut hash = 0_u64;
    for &word in key {
        hash = (hash.rotate_left(29) ^ word).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    }
    (hash ^ hash >> 32).wrapping_mul(0xd6e8_feb8_6659_fd93)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_memo_keeps_what_it_is_told_while_it_grows() {
        let memo = Memo::new(2);
        let key = |i: u64| [i.wrapping_mul(0x1234_5678_9abc_def1), i % 7];
        for i in 0..20_000 {
            if memo.read().is_full() {
                memo.grow().unwrap();
            }
            memo.read().insert(&key(i), u32::try_from(i % 300).unwrap());
        }
        memo.read().insert(&key(5), 5);
        assert_eq!(memo.len(), 20_000);
        let table = memo.read();
        for i in 0..20_000 {
            assert_eq!(table.value(&key(i)), Some(u32::try_from(i % 300).unwrap()));
        }
        assert_eq!(table.value(&key(20_000)), None);
    }

    #[test]
    fn threads_share_a_memo() {
        let memo = Memo::new(1);
        std::thread::scope(|scope| {
            for thread in 0..4 {
                let memo = &memo;
                scope.spawn(move || {
                    for i in (0..30_000_u64).skip(thread * 1000) {
                        if memo.read().is_full() {
                            memo.grow().unwrap();
                        }
                        memo.read().insert(&[i + 1], u32::try_from(i).unwrap());
                    }
                });
            }
        });
        let table = memo.read();
        assert!((1..=30_000_u64).all(|i| table.value(&[i]) == Some(u32::try_from(i - 1).unwrap())));
    }
}
