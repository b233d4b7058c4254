//! Values in narrow lanes, forwards and backwards, so that splits are compared many at a time.

/// A machine word that holds a Grundy value.
pub(super) trait Lane: Copy + Eq + std::ops::BitXor<Output = Self> + Into<u32> + TryFrom<u32> + Default {
    /// Whether some x[i] ^ y[i] is `value`: one pass without branches, which the compiler vectorises.
    fn any_equal(x: &[Self], y: &[Self], value: Self) -> bool;
}

macro_rules! lane {
    ($($word:ty),*) => {$(
        impl Lane for $word {
            #[inline]
            fn any_equal(x: &[Self], y: &[Self], value: Self) -> bool {
                let mut hit: $word = 0;
                for (a, b) in x.iter().zip(y) {
                    hit |= <$word>::from(a ^ b == value);
                }
                hit != 0
            }
        }
    )*};
}
lane!(u8, u16, u32);

/// The values g(0), g(1), … and the same values backwards.
struct Copies<L> {
    forward: Vec<L>,
    /// `backward[backward.len() - 1 - j]` is g(j) for j < forward.len(); the front is room to grow.
    backward: Vec<L>,
}

impl<L: Lane> Copies<L> {
    fn new(values: &[u32]) -> Option<Self> {
        let mut copies = Self { forward: Vec::new(), backward: Vec::new() };
        values.iter().all(|&value| copies.push(value)).then_some(copies)
    }

    /// Appends a value; `false` when it does not fit into the lane.
    fn push(&mut self, value: u32) -> bool {
        let Ok(value) = L::try_from(value) else { return false };
        let len = self.forward.len();
        if len == self.backward.len() {
            let room = len.max(1024);
            let mut larger = vec![L::default(); room + len];
            larger[room..].copy_from_slice(&self.backward);
            self.backward = larger;
        }
        let place = self.backward.len() - 1 - len;
        self.backward[place] = value;
        self.forward.push(value);
        true
    }

    /// g(i) and g(sum − i) for the i in `from..to`.
    #[inline]
    fn pairs(&self, sum: usize, from: usize, to: usize) -> (&[L], &[L]) {
        let start = self.backward.len() - 1 + from - sum;
        (&self.forward[from..to], &self.backward[start..start + (to - from)])
    }
}

/// Splits are compared in runs of this many.
pub(super) const RUN: usize = 1024;

/// Values in the narrowest lane that holds them all.
pub(super) struct Lanes(Width);

enum Width {
    Bytes(Copies<u8>),
    Shorts(Copies<u16>),
    Words(Copies<u32>),
}

impl Lanes {
    pub fn new(values: &[u32]) -> Self {
        let bytes = Copies::<u8>::new(values).map(Width::Bytes);
        let narrow = bytes.or_else(|| Copies::<u16>::new(values).map(Width::Shorts));
        let words = || Copies::<u32>::new(values).map(Width::Words);
        Self(narrow.or_else(words).expect("every value fits into 32 bits"))
    }

    /// How many values there are.
    pub fn len(&self) -> usize {
        match &self.0 {
            Width::Bytes(copies) => copies.forward.len(),
            Width::Shorts(copies) => copies.forward.len(),
            Width::Words(copies) => copies.forward.len(),
        }
    }

    /// Takes over the values that are new; widens the lanes when one does not fit.
    pub fn catch_up(&mut self, values: &[u32]) {
        let fits = match &mut self.0 {
            Width::Bytes(copies) => values[copies.forward.len()..].iter().all(|&value| copies.push(value)),
            Width::Shorts(copies) => values[copies.forward.len()..].iter().all(|&value| copies.push(value)),
            Width::Words(copies) => values[copies.forward.len()..].iter().all(|&value| copies.push(value)),
        };
        if !fits {
            *self = Self::new(values);
        }
    }

    /// The first run of splits i + (sum − i), i in `from..to`, in which some g(i) ^ g(sum − i) is `value`.
    pub fn find(&self, sum: usize, from: usize, to: usize, value: u32) -> Option<usize> {
        match &self.0 {
            Width::Bytes(copies) => find(copies, sum, from, to, value),
            Width::Shorts(copies) => find(copies, sum, from, to, value),
            Width::Words(copies) => find(copies, sum, from, to, value),
        }
    }
}

fn find<L: Lane>(copies: &Copies<L>, sum: usize, from: usize, to: usize, value: u32) -> Option<usize> {
    // A value beyond the lanes is the xor of no two of them.
    let value = L::try_from(value).ok()?;
    (from..to).step_by(RUN).find(|&start| {
        let (x, y) = copies.pairs(sum, start, to.min(start + RUN));
        L::any_equal(x, y, value)
    })
}
