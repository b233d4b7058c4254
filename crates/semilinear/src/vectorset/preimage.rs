//! Preimages under affine maps: translations, shifts, permutations, cylinders and sums are all of them.

use num_bigint::{BigInt, BigUint};
use num_traits::{Signed as _, ToPrimitive as _, Zero as _};
use rustc_hash::FxHashMap;

use super::builder::after;
use super::{Effort, Label, Labelled, MAX_DIMENSION, id};
use crate::run::StopReason;

/// Level (capped), rows already given, carries of all rows, track.
type Key = (u64, usize, Vec<i128>, u8);

/// What the carries of y = Vx + b do, apart from any set: a transducer from digits of x to digits of y.
///
/// After k blocks of digits the unread rest x' of x satisfies y' = Vx' + (b >> k) + carry for the unread
/// rest y' of y. The carry stays bounded by the row sums of |V|, and b >> k is 0 or −1 from some k on.
struct Carries {
    /// By state and bit: the next state, and the digits of y that become known (as bits, and how many).
    next: Vec<[(u32, u64, u8); 2]>,
    track: Vec<u8>,
    /// At track 0: the rest (b >> k) + carry as a vector, or `None` when it has a negative entry.
    rest: Vec<Option<Vec<BigUint>>>,
}

impl Carries {
    fn new(base: &[BigInt], columns: &[Vec<i64>], effort: &Effort<'_>) -> Result<Self, StopReason> {
        let (rows, tracks) = (base.len(), columns.len());
        let levels = base.iter().map(BigInt::bits).max().unwrap_or(0);
        // A row's digit is known once no later column of the block touches it (rows leave in order).
        let last: Vec<usize> =
            (0..rows).map(|i| columns.iter().rposition(|column| column[i] != 0).unwrap_or(0)).collect();
        let start: Key = (0, 0, vec![0; rows], 0);
        let mut numbers: FxHashMap<Key, u32> = FxHashMap::default();
        let mut keys = vec![start.clone()];
        numbers.insert(start, 0);
        let mut this = Self { next: vec![], track: vec![], rest: vec![] };
        let mut current = 0;
        while current < keys.len() {
            effort.allow(keys.len())?;
            let (level, given, carry, track) = keys[current].clone();
            this.track.push(track);
            this.rest.push((track == 0).then(|| rest(base, level, &carry)).flatten());
            let mut successors = [(0, 0, 0); 2];
            for (bit, successor) in successors.iter_mut().enumerate() {
                let mut carry = carry.clone();
                if bit == 1 {
                    for (c, v) in carry.iter_mut().zip(&columns[usize::from(track)]) {
                        *c += i128::from(*v);
                    }
                }
                let mut given_now = given;
                let (mut digits, mut count) = (0u64, 0u8);
                while given_now < rows && last[given_now] <= usize::from(track) {
                    // The lowest digit of b >> level is the bit of that weight in two's complement.
                    let total = carry[given_now] + i128::from(base[given_now].bit(level));
                    digits |= u64::from(total.rem_euclid(2) == 1) << count;
                    count += 1;
                    carry[given_now] = total.div_euclid(2);
                    given_now += 1;
                }
                let following = after(track, tracks);
                let key = if following == 0 {
                    ((level + 1).min(levels), 0, carry, 0)
                } else {
                    (level, given_now, carry, following)
                };
                let number = *numbers.entry(key).or_insert_with_key(|key| {
                    keys.push(key.clone());
                    id(keys.len() - 1)
                });
                *successor = (number, digits, count);
            }
            this.next.push(successors);
            current += 1;
        }
        Ok(this)
    }
}

/// (base >> level) + carry, when it has no negative entry.
fn rest(base: &[BigInt], level: u64, carry: &[i128]) -> Option<Vec<BigUint>> {
    base.iter().zip(carry).map(|(b, c)| (BigInt::from(*c) + (b >> level)).to_biguint()).collect()
}

impl<L: Label> Labelled<L> {
    /// {x ∈ ℕᵏ : b + Vx ∈ self} for an integer vector b and the columns of an integer matrix V (one of
    /// length d for each of the k coordinates of x). A value with a negative entry is not in the set.
    ///
    /// # Complexity
    /// O(n·c) states before minimisation, c = number of carry vectors, at most ∏ᵢ(1 + Σⱼ|Vᵢⱼ|) on each
    /// track beyond the first log|b| digits.
    ///
    /// ```
    /// use semilinear::vectorset::{Effort, VectorSet};
    /// let effort = Effort::unlimited();
    /// let fives = VectorSet::congruence(&[1], 0, 5, &effort)?;
    /// // {(x, y) : x + 2y + 1 is a multiple of 5}.
    /// let pairs = fives.preimage(&[1.into()], &[vec![1], vec![2]], &effort)?;
    /// assert_eq!(pairs, VectorSet::congruence(&[1, 2], -1, 5, &effort)?);
    /// # Ok::<(), semilinear::run::StopReason>(())
    /// ```
    pub fn preimage(&self, base: &[BigInt], columns: &[Vec<i64>], effort: &Effort<'_>) -> Result<Self, StopReason> {
        assert_eq!(base.len(), self.dimension, "a base point of the set's dimension");
        assert!(columns.iter().all(|column| column.len() == self.dimension), "columns of the set's dimension");
        let dimension = columns.len();
        assert!((1..=MAX_DIMENSION).contains(&dimension), "dimension between 1 and {MAX_DIMENSION}");
        let carries = Carries::new(base, columns, effort)?;
        let mut numbers: FxHashMap<[u32; 2], u32> = FxHashMap::default();
        let mut raw = Labelled { dimension, next: Vec::new(), track: vec![0], label: Vec::new() };
        let mut pairs = vec![[0u32, 0u32]];
        numbers.insert([0, 0], 0);
        let mut current = 0;
        while current < pairs.len() {
            effort.allow(pairs.len())?;
            if current.is_multiple_of(1024) {
                effort.monitor.check(current as u64, None)?;
            }
            let [state, carry] = pairs[current];
            let track = raw.track[current];
            let following = after(track, dimension);
            let rest = carries.rest[carry as usize].as_ref().filter(|_| track == 0);
            raw.label.push(rest.map_or_else(L::default, |rest| self.label_big_from(state, rest)));
            let successors = carries.next[carry as usize].map(|(carry, digits, count)| {
                let state = (0..count).fold(state, |s, at| self.next[s as usize][usize::from((digits >> at) & 1 == 1)]);
                *numbers.entry([state, carry]).or_insert_with(|| {
                    pairs.push([state, carry]);
                    raw.track.push(following);
                    id(pairs.len() - 1)
                })
            });
            raw.next.push(successors);
            current += 1;
        }
        raw.minimal(effort)
    }

    fn label_big_from(&self, state: u32, x: &[BigUint]) -> L {
        if x.iter().all(BigUint::is_zero) {
            return self.label[state as usize];
        }
        if let Some(small) = x.iter().map(BigUint::to_u64).collect::<Option<Vec<u64>>>() {
            return self.label_from(state, &small);
        }
        let digits = x.iter().map(BigUint::bits).max().unwrap_or(0);
        let mut state = state;
        for level in 0..digits {
            for xi in x {
                state = self.next[state as usize][usize::from(xi.bit(level))];
            }
        }
        self.label[state as usize]
    }

    /// (self + v) ∩ ℕᵈ for an integer vector v.
    ///
    /// # Complexity
    /// O(2ᵏ n) states before minimisation, k = number of non-zero entries of v, beyond its first log|v| digits.
    ///
    /// ```
    /// use semilinear::vectorset::{Effort, VectorSet};
    /// let effort = Effort::unlimited();
    /// let even = VectorSet::congruence(&[1, 0], 0, 2, &effort)?;
    /// let odd = even.translation(&[1.into(), 0.into()], &effort)?;
    /// assert!(odd.contains_small(&[7, 3]) && !odd.contains_small(&[6, 3]));
    /// # Ok::<(), semilinear::run::StopReason>(())
    /// ```
    pub fn translation(&self, v: &[BigInt], effort: &Effort<'_>) -> Result<Self, StopReason> {
        let base: Vec<BigInt> = v.iter().map(|vi| -vi).collect();
        self.preimage(&base, &identity(self.dimension), effort)
    }

    /// {r ∈ ℕᵈ : p + r ∈ self}: the positions r that reach the set together with p.
    pub fn shift(&self, p: &[BigUint], effort: &Effort<'_>) -> Result<Self, StopReason> {
        let base: Vec<BigInt> = p.iter().map(|pi| BigInt::from(pi.clone())).collect();
        debug_assert!(base.iter().all(|b| !b.is_negative()));
        self.preimage(&base, &identity(self.dimension), effort)
    }

    /// The set with its coordinates in another order: coordinate i of the result is coordinate `order[i]` of self.
    pub fn permuted(&self, order: &[usize], effort: &Effort<'_>) -> Result<Self, StopReason> {
        let mut seen = vec![false; self.dimension];
        for &i in order {
            assert!(i < self.dimension && !std::mem::replace(&mut seen[i], true), "a permutation of the coordinates");
        }
        assert_eq!(order.len(), self.dimension, "a permutation of the coordinates");
        self.cylinder(self.dimension, &inverse(order), effort)
    }

    /// {x ∈ ℕᵏ : (x at `tracks[0]`, x at `tracks[1]`, …) ∈ self}: the set with free coordinates added, or with
    /// coordinates made equal when a track is named twice.
    pub fn cylinder(&self, dimension: usize, tracks: &[usize], effort: &Effort<'_>) -> Result<Self, StopReason> {
        assert_eq!(tracks.len(), self.dimension, "a track for each coordinate");
        let mut columns = vec![vec![0; self.dimension]; dimension];
        for (row, &track) in tracks.iter().enumerate() {
            columns[track][row] = 1;
        }
        self.preimage(&vec![BigInt::zero(); self.dimension], &columns, effort)
    }
}

fn identity(dimension: usize) -> Vec<Vec<i64>> {
    (0..dimension).map(|i| (0..dimension).map(|j| i64::from(i == j)).collect()).collect()
}

fn inverse(order: &[usize]) -> Vec<usize> {
    let mut inverse = vec![0; order.len()];
    for (i, &o) in order.iter().enumerate() {
        inverse[o] = i;
    }
    inverse
}
