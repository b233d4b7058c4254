//! Many short lists that several threads make at once.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicU32, AtomicU64, AtomicUsize, Ordering::Relaxed};

use semilinear::run::StopReason;

/// Entries of one piece of memory.
const PIECE: usize = 1 << 18;

/// For each of a number of blocks a list of small numbers, entered once. Threads enter different blocks, and read only blocks that were
/// entered in an earlier wave or by themselves; relaxed atomics say so in safe Rust at no cost.
pub(super) struct BlockLists {
    /// Where the list of a block begins, times 2²⁴, and its length.
    places: Vec<AtomicU64>,
    pieces: Vec<OnceLock<Box<[AtomicU32]>>>,
    used: AtomicUsize,
}

impl BlockLists {
    /// Empty lists; together they have at most `most` entries, each at most `PIECE`.
    pub fn new(blocks: usize, most: usize) -> Result<Self, StopReason> {
        let mut places = Vec::new();
        places.try_reserve_exact(blocks).map_err(|_| StopReason::Memory)?;
        places.resize_with(blocks, AtomicU64::default);
        // A list lies in one piece; what is left empty before it is shorter than it.
        let pieces = (0..most / (PIECE / 2) + 2).map(|_| OnceLock::new()).collect();
        Ok(Self { places, pieces, used: AtomicUsize::new(0) })
    }

    /// The list of a block.
    #[inline]
    pub fn list(&self, block: usize) -> &[AtomicU32] {
        let place = self.places[block].load(Relaxed);
        let number = |x: u64| usize::try_from(x).expect("places fit into memory");
        let (start, length) = (number(place >> 24), number(place & 0xff_ffff));
        if length == 0 {
            return &[];
        }
        let piece = self.pieces[start / PIECE].get().expect("pieces are made before places are entered");
        &piece[start % PIECE..start % PIECE + length]
    }

    /// Enters the list of a block.
    pub fn enter(&self, block: usize, list: &[u32]) {
        if list.is_empty() {
            return;
        }
        // A list that does not fit into the rest of a piece begins the next one.
        let begin = |used: usize| if used % PIECE + list.len() > PIECE { used.next_multiple_of(PIECE) } else { used };
        let used = self.used.fetch_update(Relaxed, Relaxed, |used| Some(begin(used) + list.len()));
        let start = begin(used.expect("every number is followed by another"));
        let piece = self.pieces[start / PIECE].get_or_init(|| (0..PIECE).map(|_| AtomicU32::new(0)).collect());
        for (cell, &entry) in piece[start % PIECE..].iter().zip(list) {
            cell.store(entry, Relaxed);
        }
        self.places[block].store((start as u64) << 24 | list.len() as u64, Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_are_kept_apart_and_in_one_piece() {
        let lists = BlockLists::new(6, 3 * PIECE).unwrap();
        let long: Vec<u32> = (0..u32::try_from(PIECE).unwrap()).collect();
        let entered = [(4, &long[..5]), (0, &long[7..9]), (2, &long[..]), (5, &long[1..]), (1, &[][..])];
        for (block, list) in entered {
            lists.enter(block, list);
        }
        for (block, list) in entered {
            assert!(lists.list(block).iter().map(|entry| entry.load(Relaxed)).eq(list.iter().copied()), "{block}");
        }
        assert!(lists.list(3).is_empty());
    }
}
