//! Unions of sets of values for many neighbouring heaps at once.

use std::ops::{BitAnd, BitOr, BitOrAssign, Not, Shl, Shr};

/// A machine word that holds a set of numbers: the narrower, the more heaps at once.
pub(super) trait Word:
    Copy
    + Default
    + PartialEq
    + Into<u64>
    + BitOrAssign
    + BitAnd<Output = Self>
    + BitOr<Output = Self>
    + Not<Output = Self>
    + Shl<u32, Output = Self>
    + Shr<u32, Output = Self>
{
    /// Numbers below this fit.
    const ROOM: usize;

    /// The members that fit.
    fn of(set: u64) -> Self;

    /// The numbers below all members; the set has one.
    fn below(self) -> Self;
}

macro_rules! words {
    ($($word:ty: $room:literal),*) => {$(
        impl Word for $word {
            const ROOM: usize = $room;

            #[inline(always)]
            #[allow(clippy::cast_possible_truncation, reason = "the members beyond are to be left out")]
            fn of(set: u64) -> Self {
                set as Self
            }

            #[inline(always)]
            fn below(self) -> Self {
                self.wrapping_sub(1) & !self
            }
        }
    )*};
}

words!(u16: 16, u32: 32, u64: 64);

/// Adding 2ᵇ to every member of a set: exchange neighbouring blocks of 2ᵇ bits.
const EXCHANGES: [(u32, u64); 6] = [
    (1, 0x5555_5555_5555_5555),
    (2, 0x3333_3333_3333_3333),
    (4, 0x0f0f_0f0f_0f0f_0f0f),
    (8, 0x00ff_00ff_00ff_00ff),
    (16, 0x0000_ffff_0000_ffff),
    (32, 0x0000_0000_ffff_ffff),
];

/// A set with 2ᵇ added (⊕) to every member.
#[inline(always)]
pub(super) fn exchanged<W: Word>(set: W, b: usize) -> W {
    let (shift, low) = (EXCHANGES[b].0, W::of(EXCHANGES[b].1));
    (set & low) << shift | (set >> shift) & low
}

/// Numbers below this are added.
pub(super) const MOST: usize = 64;

/// For every heap n the union, over pairs of a number x and a distance d, of the set of heap n − d with x added (⊕) to its members. The sets of one x
/// are united first; then those of numbers with the highest bit are united with the others by one exchange of halves, and so on for the next bit.
#[derive(Clone, Debug, Default)]
pub(super) struct Plan {
    /// Numbers and distances, those of a number one after the other.
    groups: Vec<(u8, Vec<usize>)>,
    /// Of which number which bit is added, in this order.
    merges: Vec<(u8, u8)>,
}

impl Plan {
    /// The plan for these pairs.
    pub fn new(mut pairs: Vec<(u8, usize)>) -> Self {
        pairs.sort_unstable();
        pairs.dedup();
        let mut plan = Self::default();
        for (number, distance) in pairs {
            match plan.groups.last_mut().filter(|(last, _)| *last == number) {
                Some((_, distances)) => distances.push(distance),
                None => plan.groups.push((number, vec![distance])),
            }
        }
        let mut numbers: Vec<u8> = plan.groups.iter().map(|&(number, _)| number).collect();
        for bit in (0..6_u8).rev() {
            let with_bit: Vec<u8> = numbers.iter().copied().filter(|number| number >> bit & 1 == 1).collect();
            for number in with_bit {
                let without = number ^ 1 << bit;
                plan.merges.push((number, bit));
                if !numbers.contains(&without) {
                    numbers.push(without);
                    plan.groups.push((without, Vec::new()));
                }
                numbers.retain(|&other| other != number);
            }
        }
        if numbers.is_empty() {
            plan.groups.push((0, Vec::new()));
        }
        plan
    }

    /// The unions of `B` neighbouring heaps, the first of which has its place at `at`; they are left in `sets[0]`.
    #[inline(always)]
    pub fn unite<W: Word, const B: usize>(&self, window: &[W], at: usize, sets: &mut [[W; B]; MOST]) {
        for (number, distances) in &self.groups {
            let mut set = [W::default(); B];
            for &distance in distances {
                let part: &[W; B] = window[at - distance..at - distance + B].try_into().expect("as long as a batch");
                for (set, &part) in set.iter_mut().zip(part) {
                    *set |= part;
                }
            }
            sets[usize::from(*number) % MOST] = set;
        }
        for &(number, bit) in &self.merges {
            let (number, without) = (usize::from(number) % MOST, usize::from(number ^ 1 << bit) % MOST);
            let Ok([from, to]) = sets.get_disjoint_mut([number, without]) else { continue };
            for (to, &mut from) in to.iter_mut().zip(from) {
                *to |= exchanged(from, usize::from(bit) % EXCHANGES.len());
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn unions_are_those_of_the_definition(
            sets in prop::collection::vec(0_u64.., 48),
            pairs in prop::collection::vec((0_u8..64, 8_usize..32), 0..12),
        ) {
            let mut united = Box::new([[0_u64; 8]; MOST]);
            Plan::new(pairs.clone()).unite(&sets, 40, &mut united);
            for (i, &found) in united[0].iter().enumerate() {
                let members = |&(x, d): &(u8, usize)| {
                    let set = sets[40 + i - d];
                    (0..64_u64).filter(move |v| set >> v & 1 == 1).fold(0, |all, v| all | 1 << (v ^ u64::from(x)))
                };
                prop_assert_eq!(found, pairs.iter().map(members).fold(0, |all, set| all | set));
            }
        }
    }
}
