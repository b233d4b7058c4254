//! Grundy values in the narrowest machine word that holds them all.

#![allow(clippy::useless_conversion, reason = "one expression serves all widths, and one of them is `u32` already")]

use crate::solve::wide::{Loop, widest};
use semilinear::run::{Monitor, StopReason};

/// The values g(0), g(1), …: one byte each while they are below 2⁸, two below 2¹⁶, else four.
///
/// ```
/// use impartial::solve::sequence::Values;
/// let mut values: Values = [0, 1, 255].into_iter().collect();
/// assert_eq!(values.bytes_each(), 1);
/// values.push(256);
/// assert_eq!((values.bytes_each(), values.at(2), values.len()), (2, 255, 4));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Values {
    /// All below 2⁸.
    Bytes(Vec<u8>),
    /// All below 2¹⁶, not all below 2⁸.
    Shorts(Vec<u16>),
    /// Some not below 2¹⁶.
    Words(Vec<u32>),
}

impl Default for Values {
    fn default() -> Self {
        Self::Bytes(Vec::new())
    }
}

/// `in_lanes!(values, list => expression)`: the expression for the list of machine words that it is.
macro_rules! in_lanes {
    ($values:expr, $list:ident => $body:expr) => {
        match $values {
            $crate::solve::sequence::Values::Bytes($list) => $body,
            $crate::solve::sequence::Values::Shorts($list) => $body,
            $crate::solve::sequence::Values::Words($list) => $body,
        }
    };
}
pub(super) use in_lanes;

impl Values {
    /// How many values there are.
    pub fn len(&self) -> usize {
        in_lanes!(self, list => list.len())
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The bytes that a value takes.
    pub fn bytes_each(&self) -> usize {
        match self {
            Self::Bytes(_) => 1,
            Self::Shorts(_) => 2,
            Self::Words(_) => 4,
        }
    }

    /// The value of heap n; panics when it is not known, like an index.
    pub fn at(&self, n: usize) -> u32 {
        in_lanes!(self, list => list[n].into())
    }

    /// The value of heap n, when it is known.
    pub fn get(&self, n: usize) -> Option<u32> {
        (n < self.len()).then(|| self.at(n))
    }

    /// The values in order.
    pub fn iter(&self) -> impl Iterator<Item = u32> + '_ {
        (0..self.len()).map(|n| self.at(n))
    }

    /// The values of the heaps from `from` on, in 32 bits each, appended to a list.
    pub fn widen_into(&self, from: usize, wide: &mut Vec<u32>) {
        in_lanes!(self, list => wide.extend(list[from..].iter().map(|&value| u32::from(value))));
    }

    /// The largest value. O(n).
    pub fn largest(&self) -> Option<u32> {
        in_lanes!(self, list => list.iter().max().map(|&value| value.into()))
    }

    /// Appends a value. When it is the first that needs a wider word all are copied, which happens twice at most.
    pub fn push(&mut self, value: u32) {
        let fits = match self {
            Self::Bytes(list) => u8::try_from(value).map(|value| list.push(value)).is_ok(),
            Self::Shorts(list) => u16::try_from(value).map(|value| list.push(value)).is_ok(),
            Self::Words(list) => {
                list.push(value);
                true
            }
        };
        if !fits {
            *self = match self {
                Self::Bytes(list) if value < 1 << 16 => Self::Shorts(list.iter().map(|&v| u16::from(v)).collect()),
                Self::Bytes(list) => Self::Words(list.iter().map(|&v| u32::from(v)).collect()),
                Self::Shorts(list) => Self::Words(list.iter().map(|&v| u32::from(v)).collect()),
                Self::Words(_) => unreachable!("every value fits into 32 bits"),
            };
            self.push(value);
        }
    }

    /// Lets an engine append values until there are `len` of them; `false` when it gave up before.
    pub(super) fn extend_by(
        &mut self,
        engine: &mut impl Heaps,
        len: usize,
        monitor: &dyn Monitor,
    ) -> Result<bool, StopReason> {
        while self.len() < len {
            match in_lanes!(self, list => engine.run(list, len, monitor)?) {
                Ran::Done => return Ok(true),
                Ran::GaveUp => return Ok(false),
                Ran::Wide(value) => {
                    let limit = StopReason::Size { what: "bits of a Grundy value", limit: 32 };
                    self.push(u32::try_from(value).map_err(|_| limit)?);
                }
            }
        }
        Ok(true)
    }
}

impl FromIterator<u32> for Values {
    fn from_iter<I: IntoIterator<Item = u32>>(iter: I) -> Self {
        let mut values = Self::default();
        iter.into_iter().for_each(|value| values.push(value));
        values
    }
}

/// How an engine's run over machine words of one width ended.
pub(super) enum Ran {
    /// All values that were asked for are there.
    Done,
    /// The next value is this one, and it needs a wider word.
    Wide(usize),
    /// The next value is beyond this engine.
    GaveUp,
}

/// An engine that appends values heap by heap.
pub(super) trait Heaps {
    /// Appends values until there are `len` of them, or one does not fit.
    fn run<L: Lane>(&mut self, values: &mut Vec<L>, len: usize, monitor: &dyn Monitor) -> Result<Ran, StopReason>;
}

/// Values backwards, of one width at a time.
#[derive(Default)]
pub(super) struct Backwards {
    bytes: Vec<u8>,
    shorts: Vec<u16>,
    words: Vec<u32>,
}

/// A machine word that holds a Grundy value.
pub(super) trait Lane:
    Copy + Ord + std::ops::BitXor<Output = Self> + Into<u32> + TryFrom<u32> + TryFrom<usize> + Default
{
    /// Bits of the word.
    const BITS: u32;

    /// The value as an index.
    fn index(self) -> usize;

    /// The list of this width.
    fn pick(backwards: &mut Backwards) -> &mut Vec<Self>;

    /// Whether some x[i] ^ y[i] is `value`: one pass without branches, which the compiler vectorises.
    fn any_equal(x: &[Self], y: &[Self], value: Self) -> bool;

    /// Whether some x[i] ^ y[len − 1 − i] is `value`.
    fn any_equal_backwards(x: &[Self], y: &[Self], value: Self) -> bool;

    /// Marks x[i] ^ y[i] for every i.
    fn mark(x: &[Self], y: &[Self], marks: &mut Marks);
}

/// A set of values, one byte each, so that marking is a store without a condition.
pub(super) struct Marks {
    /// 2¹⁶ places, so that a value of 16 bits needs no check of its place; more when values are wider.
    seen: Vec<u8>,
    /// The places below this are in use: a power of two above every value and every sum of values.
    width: usize,
}

impl Marks {
    pub fn new() -> Self {
        Self { seen: vec![0; 1 << 16], width: 2 }
    }

    /// Makes room for sums of values up to this one.
    pub fn make_room(&mut self, value: usize) {
        if value >= self.width {
            self.width = (value + 1).next_power_of_two();
            if self.width > self.seen.len() {
                self.seen.resize(self.width, 0);
            }
        }
    }

    /// The number of places in use.
    pub fn width(&self) -> usize {
        self.width
    }

    pub fn clear(&mut self) {
        self.seen[..self.width].fill(0);
    }

    #[inline]
    pub fn insert(&mut self, value: usize) {
        self.seen[value] = 1;
    }

    /// The least value ≥ `from` that is not marked.
    pub fn absent(&self, from: usize) -> usize {
        let rest = self.seen[..self.width].get(from..).unwrap_or_default();
        from + rest.iter().position(|&mark| mark == 0).unwrap_or(rest.len())
    }
}

/// Whether the sum of some x and the y beside it is a value.
struct AnyEqual<'a, L> {
    x: &'a [L],
    y: &'a [L],
    value: L,
}

/// The same with as many y backwards.
struct AnyEqualBackwards<'a, L> {
    x: &'a [L],
    y: &'a [L],
    value: L,
}

macro_rules! lane {
    ($($word:ty, $list:ident, $places:path);*) => {$(
        impl Loop for AnyEqual<'_, $word> {
            type Output = bool;

            #[inline(always)]
            fn run(self) -> bool {
                let mut hit: $word = 0;
                for (a, b) in self.x.iter().zip(self.y) {
                    hit |= <$word>::from(a ^ b == self.value);
                }
                hit != 0
            }
        }

        impl Loop for AnyEqualBackwards<'_, $word> {
            type Output = bool;

            #[inline(always)]
            fn run(self) -> bool {
                // In pieces of a fixed length, which the compiler turns round in registers.
                let (xs, x_rest) = self.x.as_chunks::<32>();
                let (y_rest, ys) = self.y.as_rchunks::<32>();
                let mut hit: $word = 0;
                for (x, y) in xs.iter().zip(ys.iter().rev()) {
                    for i in 0..32 {
                        hit |= <$word>::from(x[i] ^ y[31 - i] == self.value);
                    }
                }
                for (a, b) in x_rest.iter().zip(y_rest.iter().rev()) {
                    hit |= <$word>::from(a ^ b == self.value);
                }
                hit != 0
            }
        }

        impl Lane for $word {
            const BITS: u32 = <$word>::BITS;

            #[inline]
            fn index(self) -> usize {
                self as usize
            }

            fn pick(backwards: &mut Backwards) -> &mut Vec<Self> {
                &mut backwards.$list
            }

            #[inline]
            fn any_equal(x: &[Self], y: &[Self], value: Self) -> bool {
                widest(AnyEqual { x, y, value })
            }

            #[inline]
            fn any_equal_backwards(x: &[Self], y: &[Self], value: Self) -> bool {
                widest(AnyEqualBackwards { x, y, value })
            }

            #[inline]
            fn mark(x: &[Self], y: &[Self], marks: &mut Marks) {
                // Where there are as many places as the word has values no check is left.
                let seen = $places(&mut marks.seen);
                let (xs, x_rest) = x.as_chunks::<8>();
                let (ys, y_rest) = y.as_chunks::<8>();
                for (x, y) in xs.iter().zip(ys) {
                    let sums: [$word; 8] = std::array::from_fn(|i| x[i] ^ y[i]);
                    for sum in sums {
                        seen[sum as usize] = 1;
                    }
                }
                for (x, y) in x_rest.iter().zip(y_rest) {
                    seen[(x ^ y) as usize] = 1;
                }
            }
        }
    )*};
}
lane!(
    u8, bytes, first_places::<{ 1 << 8 }>;
    u16, shorts, first_places::<{ 1 << 16 }>;
    u32, words, Vec::as_mut_slice
);

#[expect(clippy::ptr_arg, reason = "of the same type as `Vec::as_mut_slice`")]
fn first_places<const N: usize>(seen: &mut Vec<u8>) -> &mut [u8; N] {
    seen.first_chunk_mut().expect("there are 2¹⁶ places at least")
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn narrow_values_are_the_values(list in prop::collection::vec(prop_oneof![0_u32..4, 250..260_u32, 65_530..65_540_u32], 0..40)) {
            let values: Values = list.iter().copied().collect();
            prop_assert_eq!(values.len(), list.len());
            prop_assert_eq!(values.iter().collect::<Vec<_>>(), list.clone());
            prop_assert_eq!(values.largest(), list.iter().copied().max());
            let mut wide = vec![7];
            values.widen_into(list.len() / 2, &mut wide);
            prop_assert_eq!(&wide[1..], &list[list.len() / 2..]);
        }

        #[test]
        fn equal_sums_are_found(x in prop::collection::vec(0_u8..200, 0..150), value in 0_u8..255) {
            let y: Vec<u8> = x.iter().map(|v| v / 3).collect();
            prop_assert_eq!(u8::any_equal(&x, &y, value), x.iter().zip(&y).any(|(a, b)| a ^ b == value));
            let backwards = x.iter().zip(y.iter().rev()).any(|(a, b)| a ^ b == value);
            prop_assert_eq!(u8::any_equal_backwards(&x, &y, value), backwards);
            let wide = |list: &[u8]| list.iter().map(|&v| u16::from(v) * 5).collect::<Vec<u16>>();
            let (x, y) = (wide(&x), wide(&y));
            let backwards = x.iter().zip(y.iter().rev()).any(|(a, b)| a ^ b == u16::from(value));
            prop_assert_eq!(u16::any_equal_backwards(&x, &y, value.into()), backwards);
        }

        #[test]
        fn marks_are_the_sums(x in prop::collection::vec(0_u16..500, 0..40)) {
            let y: Vec<u16> = x.iter().rev().map(|v| v / 2).collect();
            let mut marks = Marks::new();
            marks.make_room(499);
            u16::mark(&x, &y, &mut marks);
            for v in 0..512 {
                prop_assert_eq!(marks.absent(v) != v, x.iter().zip(&y).any(|(a, b)| usize::from(a ^ b) == v));
            }
        }
    }
}
