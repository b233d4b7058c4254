//! The same values, many heaps at once, for heaps so large that all heaps of the window are common (`docs/theory/periods.md`, Theorem 4).
//!
//! Let n ≥ 2·W, so that the last W heaps before n are common. Then the type of the value of each option of n is known without the value:
//! n − k alone has the common type when the parity of heaps does not count or k is even, and the rare type otherwise; a split with a rare part has the
//! common type, a split with two common parts the rare type. So g(n) is the least value c of common type that no option n − k or (r, n − k − r) has, if
//! each smaller value of rare type is the value of an option n − k or (a, n − k − a), a + k < W. If one is not, nothing is said here.
//!
//! Bit 0 of the mask is set. So bit 0 of a value follows from its type, the parity of the heap, and the other bits, which are called the *number* of the
//! value. Of two values of one type the smaller one has the smaller number; the number of v ⊕ w is that of v ⊕ that of w; and two values with
//! the same number, of different types, are an even one and the odd one after it.
//!
//! A set of numbers is a word. Every heap of the window has the set that holds its number alone. The numbers of the options (x, n − d) of n, for given
//! pairs of a number x and a distance d, are a union of such sets with x added (⊕) to their members. Unions are made for many neighbouring heaps at once,
//! by loops over arrays, which compilers turn into wide instructions; they do it best when each loop is a function of its own, not inlined.

use std::collections::BTreeMap;

use num_traits::{PrimInt, WrappingSub};

use super::{Values, bit};
use crate::Checked;
use crate::meter::{Held, Meter};

/// Heaps whose values are found at once, but for options that are nearer; heaps whose witnesses are looked for at once; and heaps whose values
/// are found before their witnesses are looked for.
const BLOCK: usize = 64;
pub(super) const WIDE: usize = 4 * BLOCK;
pub(super) const PIECE: usize = 4 * WIDE;
/// Splits of one digit compared at once in a search.
const LOOK: usize = 64;
/// The most options of rare type that are tried for all heaps, chosen among so many splits with small parts by so many heaps.
const MOST: usize = 48;
const SMALL: usize = 1024;
const SAMPLE: usize = 8192;

/// A road to the next values.
pub(super) trait Road {
    /// Appends the values of so many heaps, a multiple of [`WIDE`], of which the first is `next`, an even one. `false` when one is not found here.
    fn extend(&mut self, last: &mut Vec<u8>, next: usize, heaps: usize, meter: &Meter<'_>) -> Checked<bool>;
}

/// A machine word that holds a set of numbers: the narrower, the more heaps at once.
pub(super) trait Word: PrimInt + WrappingSub + Into<u32> {
    /// Numbers below this fit.
    const WIDTH: usize;

    /// The members that fit.
    fn of(set: u32) -> Self;
}

macro_rules! words {
    ($($word:ty: $width:literal),*) => {$(
        impl Word for $word {
            const WIDTH: usize = $width;

            #[allow(clippy::cast_possible_truncation, reason = "the members beyond are to be left out")]
            fn of(set: u32) -> Self {
                set as Self
            }
        }
    )*};
}

words!(u16: 16, u32: 32);

/// When 2ᵇ is added to all members of a set, neighbouring blocks of 2ᵇ bits are exchanged: here the lower ones of them.
const LOWER: [u32; 5] = [0x5555_5555, 0x3333_3333, 0x0f0f_0f0f, 0x00ff_00ff, 0x0000_ffff];

/// Pairs of a number x and a distance d: for each heap n the numbers of the options (x, n − d).
struct Union {
    /// The distances of each number.
    groups: Vec<(usize, Vec<usize>)>,
    /// Numbers with their highest bit 2ᵇ, larger b first: this bit is added, which leaves sets to which less is to be added.
    merges: Vec<(usize, usize)>,
}

impl Union {
    fn new(pairs: Vec<(u8, usize)>) -> Self {
        let mut groups: BTreeMap<usize, Vec<usize>> = BTreeMap::from([(0, Vec::new())]);
        for (number, distance) in pairs {
            groups.entry(number.into()).or_default().push(distance);
        }
        let mut merges = Vec::new();
        for b in (0..5).rev() {
            for number in groups.range(1 << b..2 << b).map(|(&number, _)| number).collect::<Vec<_>>() {
                groups.entry(number - (1 << b)).or_default();
                merges.push((number, b));
            }
        }
        Self { groups: groups.into_iter().collect(), merges }
    }

    /// Loops over a block.
    fn loops(&self) -> usize {
        self.groups.iter().map(|(_, distances)| distances.len()).sum::<usize>() + 4 * self.merges.len()
    }

    /// The unions for `B` heaps, the first of which has its set at `at`: left in `parts[0]`.
    #[inline(never)]
    fn make<W: Word, const B: usize>(&self, sets: &[W], at: usize, parts: &mut [[W; B]; 32]) {
        for (number, distances) in &self.groups {
            let mut union = [W::zero(); B];
            for distance in distances {
                let other: &[W; B] = sets[at - distance..at - distance + B].try_into().expect("a block");
                for (all, &set) in union.iter_mut().zip(other) {
                    *all = *all | set;
                }
            }
            parts[*number] = union;
        }
        for &(number, b) in &self.merges {
            let (shift, lower) = (1 << b, W::of(LOWER[b]));
            let (without, with) = parts.split_at_mut(number);
            for (all, &set) in without[number - shift].iter_mut().zip(&with[0]) {
                *all = *all | (set & lower) << shift | (set >> shift) & lower;
            }
        }
    }
}

/// An option of common type nearer than a block: where the number of n − d is, for the first heap n of a block, among those of the last block and
/// this one; and the set of its sum with x, by this number.
type Near = (usize, [u32; 256]);

/// The road with words of `W`: for values below twice its bits.
pub(super) struct Lanes<W> {
    window: usize,
    splits: Vec<usize>,
    /// Options of common type: those nearer than a block, four by four, and the others.
    near: Vec<[Near; 4]>,
    far: Union,
    /// Options of rare type, tried for all heaps.
    witnesses: Union,
    /// The common value of an even and of an odd heap by its number, and the numbers for which it is odd.
    value: [[u8; 32]; 2],
    odd: [W; 2],
    /// The first W values, the last of them first.
    head: Vec<u8>,
    /// The sets of the heaps before `next`.
    sets: Vec<W>,
    next: usize,
    /// Where unions are made.
    parts: Box<[[W; BLOCK]; 32]>,
    wide: Box<[[W; WIDE]; 32]>,
    _held: Held,
}

impl<W: Word> Lanes<W> {
    /// A road from here on, heap 2·W or a later one; `None` when the mask is even or the value of a rare heap too large.
    pub fn new(values: &Values<'_>, meter: &Meter<'_>) -> Checked<Option<Self>> {
        let [even, odd] = values.common;
        let by_number = |common: u64| (0..32).all(|number| (common >> (2 * number) & 3).is_power_of_two());
        let fit = values.terms.iter().all(|&(_, value)| usize::from(value / 2) < W::WIDTH);
        if !by_number(even) || !by_number(odd) || !fit {
            return Ok(None);
        }
        let held = meter.hold((24 * values.window + (4096 + 64) * values.terms.len() + (1 << 17)) as u64)?;
        let value = values.common.map(|common| {
            std::array::from_fn(|number| (2 * number).to_le_bytes()[0] + u8::from(common >> (2 * number) & 1 == 0))
        });
        let odd_ones = |value: [u8; 32]| W::of((0..W::WIDTH).fold(0, |set, i| set | u32::from(value[i] % 2) << i));
        // The first terms are heaps that are left alone.
        let alone = values.code.digits.iter().filter(|&digit| digit & 2 != 0).count();
        let (mut near, mut far, mut rare) = (Vec::new(), Vec::new(), Vec::new());
        for (i, &(distance, value)) in values.terms.iter().enumerate() {
            let number = value / 2;
            if i < alone && even != odd && distance % 2 == 1 {
                rare.push((number, distance));
            } else if distance < BLOCK {
                let sum = |other: usize| 1_u32.wrapping_shl(u32::from(other.to_le_bytes()[0] ^ number));
                near.push((BLOCK - distance, std::array::from_fn(sum)));
            } else {
                far.push((number, distance));
            }
        }
        Ok(Some(Self {
            window: values.window,
            splits: values.splits.clone(),
            // What is there twice changes nothing.
            near: near.chunks(4).map(|four| std::array::from_fn(|i| four[i % four.len()])).collect(),
            far: Union::new(far),
            witnesses: Union::new(choose(values, rare, meter)?),
            value,
            odd: value.map(odd_ones),
            head: values.first.iter().rev().copied().collect(),
            sets: Vec::new(),
            next: 0,
            parts: Box::new([[W::zero(); BLOCK]; 32]),
            wide: Box::new([[W::zero(); WIDE]; 32]),
            _held: held,
        }))
    }

    /// The least numbers of common type from place `from` on, in `last`, and their sets. Whether they fit.
    #[inline(never)]
    fn common(&mut self, last: &mut [u8], from: usize) -> bool {
        // The numbers of the last block and of this one.
        let mut numbers = [0_u8; 2 * BLOCK];
        for (number, value) in numbers.iter_mut().zip(&last[from - BLOCK..from]) {
            *number = value / 2;
        }
        for at in (from..last.len()).step_by(BLOCK) {
            self.far.make(&self.sets, at, &mut self.parts);
            let far = &self.parts[0];
            let new: &mut [W; BLOCK] = (&mut self.sets[at..at + BLOCK]).try_into().expect("a block");
            for i in 0..BLOCK {
                let mut reached = far[i].into();
                for four in &self.near {
                    for (place, sets) in four {
                        reached |= sets[usize::from(numbers[(place + i) % (2 * BLOCK)])];
                    }
                }
                let least = reached.trailing_ones();
                numbers[BLOCK + i] = least.to_le_bytes()[0];
                new[i] = W::of(1_u32.wrapping_shl(least));
            }
            if numbers.iter().any(|&number| usize::from(number) >= W::WIDTH) {
                return false;
            }
            last[at..at + BLOCK].copy_from_slice(&numbers[BLOCK..]);
            numbers.copy_within(BLOCK.., 0);
        }
        true
    }

    /// Makes values of these numbers. Whether all smaller values of rare type are reached.
    #[inline(never)]
    fn witnessed(&mut self, last: &mut [u8], from: usize, meter: &Meter<'_>) -> Checked<bool> {
        let odd: [W; WIDE] = std::array::from_fn(|i| self.odd[i % 2]);
        for at in (from..last.len()).step_by(WIDE) {
            self.witnesses.make(&self.sets, at, &mut self.wide);
            let sets: &[W; WIDE] = self.sets[at..at + WIDE].try_into().expect("a block");
            for (value, (&set, &odd)) in last[at..at + WIDE].iter_mut().zip(sets.iter().zip(&odd)) {
                *value = *value << 1 | u8::from(set & odd != W::zero());
            }
            let mut missing = [W::zero(); WIDE];
            for (missing, ((&set, &odd), &reached)) in missing.iter_mut().zip(sets.iter().zip(&odd).zip(&self.wide[0]))
            {
                *missing = (set.wrapping_sub(&W::one()) | set & odd) & !reached;
            }
            for (at, missing) in (at..).step_by(16).zip(missing.chunks(16)) {
                if missing.iter().fold(W::zero(), |any, &set| any | set) == W::zero() {
                    continue;
                }
                for (i, &missing) in missing.iter().enumerate() {
                    if missing != W::zero()
                        && !self.search(&last[..at + i], missing.into(), self.value[i % 2], meter)?
                    {
                        return Ok(false);
                    }
                }
            }
        }
        Ok(true)
    }

    /// Whether the rare values of these numbers are values of splits, within the window, of the heap that comes after `last`; `value` is for this heap.
    #[inline(never)]
    fn search(&self, last: &[u8], mut missing: u32, value: [u8; 32], meter: &Meter<'_>) -> Checked<bool> {
        let (mut from, longest) = (1, self.splits.iter().copied().max().unwrap_or(0));
        while missing != 0 && from + longest < self.window {
            // Near the end of the window fewer parts are left.
            let to = (from + LOOK).min(self.window - longest);
            meter.steps(LOOK / 8 * self.splits.len())?;
            for &k in &self.splits {
                let small = &self.head[self.window - to..self.window - from];
                let large = &last[last.len() + 1 - to - k..last.len() + 1 - from - k];
                let mut rest = missing;
                while rest != 0 {
                    let number = rest.trailing_zeros();
                    let wanted = value[number as usize] ^ 1;
                    if small.iter().zip(large).fold(0, |any, (a, b)| any | u8::from(a ^ b == wanted)) != 0 {
                        missing ^= 1 << number;
                    }
                    rest &= rest - 1;
                }
            }
            from = to;
        }
        Ok(missing == 0)
    }
}

impl<W: Word> Road for Lanes<W> {
    fn extend(&mut self, last: &mut Vec<u8>, next: usize, heaps: usize, meter: &Meter<'_>) -> Checked<bool> {
        let from = last.len();
        // A step is a heap, four near options of it, or a loop over a block.
        let loops = self.far.loops() + self.witnesses.loops() + 8;
        meter.steps(heaps * (1 + self.near.len()) + heaps / BLOCK * loops)?;
        if self.next != next || self.sets.len() < from {
            meter.steps(from)?;
            if last[from - self.window.max(BLOCK)..].iter().any(|&value| usize::from(value / 2) >= W::WIDTH) {
                return Ok(false);
            }
            self.sets = last.iter().map(|&value| W::of(1 << (value / 2 % 32))).collect();
        }
        // `last` has lost its beginning now and then.
        self.sets.drain(..self.sets.len() - from);
        self.sets.resize(from + heaps, W::zero());
        last.resize(from + heaps, 0);
        let found = self.common(last, from) && self.witnessed(last, from, meter)?;
        if !found {
            last.truncate(from);
        }
        self.next = next + heaps;
        Ok(found)
    }
}

/// The options of rare type that are tried for all heaps: these, and those with small parts that many of the last heaps need. Any would be right.
fn choose(values: &Values<'_>, mut pairs: Vec<(u8, usize)>, meter: &Meter<'_>) -> Checked<Vec<(u8, usize)>> {
    let (last, next) = (&values.last, values.next);
    // Only small parts that are common, and within the window.
    let common = |a: usize| values.common[a % 2] & bit(values.first[a]) != 0;
    let most = SMALL.min(values.window / 4) / values.splits.len().max(1);
    let small = (1..most).filter(|&a| common(a));
    let splits = small.flat_map(|a| values.splits.iter().map(move |k| (values.first[a] / 2, a + k)));
    let splits: Vec<(u8, usize)> = splits.filter(|&(_, distance)| distance < values.window).collect();
    // The numbers that are missing for the heaps of the sample, each by its distance from the next heap.
    let numbers = |set: u64| (0..32).fold(0_u32, |numbers, i| numbers | u32::from(set >> (2 * i) & 3 != 0) << i);
    let mut open: Vec<(usize, u32)> = (1..SAMPLE.min(values.window / 2))
        .map(|back| (back, !values.common[(next - back) % 2] & (bit(last[last.len() - back]) - 1)))
        .map(|(back, values)| (back, numbers(values)))
        .collect();
    let found = |back: usize, (number, distance): (u8, usize)| {
        1_u32.wrapping_shl(u32::from(number ^ (last[last.len() - back - distance] / 2)))
    };
    meter.steps(open.len() * pairs.len())?;
    for &pair in &pairs {
        for (back, missing) in &mut open {
            *missing &= !found(*back, pair);
        }
    }
    while pairs.len() < MOST {
        open.retain(|&(_, missing)| missing != 0);
        meter.steps(open.len() * splits.len())?;
        let worth = |pair| open.iter().filter(|&&(back, missing)| missing & found(back, pair) != 0).count();
        let Some((1.., best)) = splits.iter().map(|&pair| (worth(pair), pair)).max() else { break };
        for (back, missing) in &mut open {
            *missing &= !found(*back, best);
        }
        pairs.push(best);
    }
    Ok(pairs)
}
