//! The few-rares engine: sets of values in one machine word, for eight heaps at once.

use super::Moves;
use super::plan::{Word, exchanged};
use super::space::Space;
use super::values::{Heaps, Lane, Ran};
use crate::solve::wide::{Loop, widest};
use semilinear::run::{Monitor, StopReason};

/// Rare heaps and splitting digits lie within this reach.
const REACH: usize = 1 << 14;
/// How many heaps follow before the window is moved back to its place.
const FRESH: usize = 1 << 13;
/// Heaps that are treated at once.
const BATCH: usize = 8;
/// With more rare heaps the sparse engine is as fast.
const MOST_RARE: usize = 64;
/// Sets of values are the bits of a word of at most this many.
const MOST_VALUES: usize = 64;
/// Besides the splits with a rare heap so many others, of small heaps, are looked at for every heap, so that a search is the exception.
const WITNESSES: usize = 24;
/// What was stored so recently cannot be loaded soon by wider loads: witnesses keep this distance.
const SETTLED: usize = 32;
/// Splits that are compared at once in a search.
const STRETCH: usize = 32;

/// The sets of values of eight neighbouring heaps.
type Sets<W> = [W; BATCH];

/// The sparse space engine ([`super::sparse`]) for games with few rare heaps, all small, and values below 32 or 64. The set
/// {v} of a heap's value is a word, and the sets of the last heaps stand in a window; a split with a rare heap of value r
/// contributes that word with its bits moved from v to v ^ r. All rare heaps of one value are united before their bits are
/// moved, and the values with the highest bit set are united with the others by one exchange of halves, and so on
/// for the next bit: few operations for eight heaps at once, without a branch. Values of rare type that are left need a
/// witness: a few small heaps are treated like the rare ones, and what they leave is searched, many splits at a time.
///
/// # Complexity
/// O(s·(R + D)) a heap for s splitting digits, R rare heaps and search depth D; a new rare heap costs O(s·n).
pub(super) struct Ring<W> {
    moves: Moves,
    /// Rare heaps and their values.
    rare: Vec<(usize, u8)>,
    plan: Plan,
    /// The sets {g(n)} of the last heaps; `next` is the place of the next heap.
    window: Vec<W>,
    next: usize,
    /// The heap whose set stands at `next`.
    held: usize,
    /// The values that make an even and an odd heap common.
    common: [u64; 2],
    /// {0} for an even and for an odd heap when it can be split into two equal heaps, else the empty set.
    halves: [u64; 2],
    sets: Box<[Sets<W>; MOST_VALUES]>,
}

/// Which earlier heaps a heap looks at.
#[derive(Default)]
struct Plan {
    /// Of a value r: how far before the heap stand those whose values are added to r.
    groups: Vec<(u8, Vec<usize>)>,
    /// For every bit, from the highest down: the values with that bit whose sets exist by then.
    merges: [Vec<u8>; 6],
    /// Value and distance where the distance is shorter than a batch.
    near: Vec<(u8, usize)>,
}

impl Plan {
    /// What all heaps look at: the splits with a rare heap, the heaps that are left alone, and the splits with a witness.
    fn new(moves: &Moves, rare: &[(usize, u8)], witnesses: impl Iterator<Item = (usize, u8)>) -> Self {
        let splits = |(heap, value): (usize, u8)| moves.two.iter().map(move |k| (value, heap + k));
        let mut terms: Vec<(u8, usize)> = witnesses.flat_map(splits).collect();
        terms.extend(rare.iter().copied().flat_map(splits));
        terms.extend(moves.one.iter().map(|&k| (0, k)));
        terms.sort_unstable();
        terms.dedup();
        let mut plan = Self::default();
        for (value, distance) in terms {
            if distance < BATCH {
                plan.near.push((value, distance));
            } else {
                match plan.groups.last_mut().filter(|(last, _)| *last == value) {
                    Some((_, distances)) => distances.push(distance),
                    None => plan.groups.push((value, vec![distance])),
                }
            }
        }
        let mut active: Vec<bool> = vec![false; MOST_VALUES];
        for (value, _) in &plan.groups {
            active[usize::from(*value)] = true;
        }
        for bit in (0..6).rev() {
            for value in 0..MOST_VALUES {
                if active[value] && value >> bit & 1 == 1 {
                    if !active[value ^ 1 << bit] {
                        active[value ^ 1 << bit] = true;
                        plan.groups.push((byte(value ^ 1 << bit), Vec::new()));
                    }
                    plan.merges[bit].push(byte(value));
                }
            }
        }
        if !active[0] {
            plan.groups.push((0, Vec::new()));
        }
        plan
    }

    /// The values of the options that the groups stand for, of the eight heaps whose sets will stand at `next` on.
    #[inline(always)]
    fn excluded<W: Word>(&self, window: &[W], next: usize, sets: &mut [Sets<W>; MOST_VALUES]) -> Sets<W> {
        for (value, distances) in &self.groups {
            let mut set = [W::default(); BATCH];
            for &distance in distances {
                let part: &Sets<W> =
                    window[next - distance..next - distance + BATCH].try_into().expect("as long as a batch");
                for (set, &part) in set.iter_mut().zip(part) {
                    *set |= part;
                }
            }
            sets[usize::from(*value) % MOST_VALUES] = set;
        }
        for (bit, values) in self.merges.iter().enumerate().rev() {
            for &value in values {
                let value = usize::from(value) % MOST_VALUES;
                let from = sets[value];
                for (set, from) in sets[value ^ 1 << bit].iter_mut().zip(from) {
                    *set |= exchanged(from, bit);
                }
            }
        }
        sets[0]
    }
}

/// A value below 64 as a byte.
fn byte(value: usize) -> u8 {
    u8::try_from(value).expect("values are below 64")
}

#[inline]
fn bit(value: usize) -> u64 {
    1_u64.wrapping_shl(u32::try_from(value % MOST_VALUES).expect("below 64"))
}

impl<W: Word> Ring<W> {
    /// `None` when values or rare heaps are too large or too many.
    pub fn new<L: Lane>(moves: &Moves, values: &[L]) -> Option<Self> {
        let short = moves.splits_in_two() && !moves.unequal && moves.digits_before(0) <= REACH / 2;
        let large = |v: &L| v.index() >= W::ROOM;
        if !short || values.len() < 2 * REACH || values.iter().any(large) {
            return None;
        }
        let (space, rares) = Space::best(moves, values)?;
        if rares > MOST_RARE {
            return None;
        }
        let common = [0, 1]
            .map(|n| (0..W::ROOM).zip(0..).filter(|&(_, v)| space.common(v, n)).fold(0, |set, (v, _)| set | bit(v)));
        let mut engine = Self {
            moves: moves.clone(),
            rare: Vec::new(),
            plan: Plan::default(),
            window: vec![W::default(); REACH + FRESH],
            next: 0,
            held: 0,
            common,
            sets: Box::new([[W::default(); BATCH]; MOST_VALUES]),
            halves: [0, 1].map(|n| u64::from(moves.two.iter().any(|k| k % 2 == n))),
        };
        let rare: Vec<_> = (1..values.len()).filter(|&n| !space.common(values[n].into(), n)).collect();
        rare.into_iter().all(|n| engine.add_rare(n, values)).then_some(engine)
    }

    /// Takes a rare heap into the plan; `false` when it is out of reach.
    fn add_rare<L: Lane>(&mut self, n: usize, values: &[L]) -> bool {
        if n > REACH / 2 || self.rare.len() == MOST_RARE {
            return false;
        }
        self.rare.push((n, byte(values[n].index())));
        self.make_plan(values);
        true
    }

    fn make_plan<L: Lane>(&mut self, values: &[L]) {
        let small = SETTLED..SETTLED + WITNESSES / self.moves.two.len().clamp(1, 2);
        self.plan = Plan::new(&self.moves, &self.rare, small.map(|n| (n, byte(values[n].index()))));
    }

    /// g(n), `excluded` by the plan; `None` when it does not fit.
    #[inline(always)]
    fn value<L: Lane>(&self, values: &[L], n: usize, excluded: W) -> Option<usize> {
        let mut excluded = excluded.into() | self.halves[n % 2];
        for &(value, distance) in &self.plan.near {
            excluded |= bit(usize::from(value) ^ values[n - distance].index());
        }
        let common = self.common[n % 2];
        let free = !excluded & common;
        if free == 0 {
            return None;
        }
        let least = free.trailing_zeros();
        // Values of rare type below the least common one need a witness each.
        let asked = !excluded & !common & ((1_u64 << least) - 1);
        Some(if asked == 0 { least as usize } else { self.witnessed(values, n, asked, least as usize) })
    }

    /// The least asked value without a witness, or `least` when all have one.
    #[inline(always)]
    fn witnessed<L: Lane>(&self, values: &[L], n: usize, mut asked: u64, least: usize) -> usize {
        for from in (1..=n / 2).step_by(STRETCH) {
            for &k in &self.moves.two {
                let (sum, to) = (n - k, (from + STRETCH).min((n - k) / 2 + 1));
                if from < to {
                    asked &= !found(&values[from..to], &values[sum + 1 - to..=sum - from], asked);
                }
            }
            if asked == 0 {
                return least;
            }
        }
        asked.trailing_zeros() as usize
    }
}

/// Which of the asked values are some x[i] ^ y[len − 1 − i].
#[inline(always)]
fn found<L: Lane>(x: &[L], y: &[L], asked: u64) -> u64 {
    let mut sums = [L::default(); STRETCH];
    if let (Ok(x), Ok(y)) = (<&[L; STRETCH]>::try_from(x), <&[L; STRETCH]>::try_from(y)) {
        // Of a fixed length, so that the compiler turns it round in a register.
        for i in 0..STRETCH {
            sums[i] = x[i] ^ y[STRETCH - 1 - i];
        }
    } else {
        // What is left of the sums stays 0, which is asked for of no heap that has two equal parts; so the first sum is repeated.
        sums = [x[0] ^ y[y.len() - 1]; STRETCH];
        for (sum, (&x, &y)) in sums.iter_mut().zip(x.iter().zip(y.iter().rev())) {
            *sum = x ^ y;
        }
    }
    let (mut found, mut rest) = (0, asked);
    while rest != 0 {
        let value = rest & rest.wrapping_neg();
        let wanted = L::try_from(rest.trailing_zeros()).unwrap_or_default();
        if sums.iter().fold(0, |any, &sum| any | u8::from(sum == wanted)) != 0 {
            found |= value;
        }
        rest &= rest - 1;
    }
    found
}

/// The next heaps, as many as the window has room for.
struct Stretch<'a, W, L> {
    ring: &'a mut Ring<W>,
    values: &'a mut Vec<L>,
    len: usize,
}

impl<W: Word, L: Lane> Loop for Stretch<'_, W, L> {
    /// Whether all values fit.
    type Output = bool;

    #[inline(always)]
    fn run(self) -> bool {
        let Self { ring, values, len } = self;
        while values.len() < len && ring.next + BATCH <= ring.window.len() {
            let excluded = ring.plan.excluded(&ring.window, ring.next, &mut ring.sets);
            for (n, excluded) in (values.len()..len).zip(excluded) {
                let Some(value) = ring.value(values, n, excluded) else { return false };
                let Ok(new) = L::try_from(value) else { return false };
                values.push(new);
                ring.window[ring.next] = W::of(bit(value));
                ring.next += 1;
                ring.held += 1;
                if bit(value) & ring.common[n % 2] == 0 {
                    if !ring.add_rare(n, values) {
                        return false;
                    }
                    break;
                }
            }
        }
        true
    }
}

impl<W: Word> Heaps for Ring<W> {
    /// Gives up at a value that is new to this engine: one that does not fit, or of a rare heap out of reach.
    fn run<L: Lane>(&mut self, values: &mut Vec<L>, len: usize, monitor: &dyn Monitor) -> Result<Ran, StopReason> {
        if self.held != values.len() {
            self.make_plan(values);
            let last = &values[values.len() - REACH..];
            if last.iter().any(|v| v.index() >= W::ROOM) {
                return Ok(Ran::GaveUp);
            }
            for (place, value) in self.window.iter_mut().zip(last) {
                *place = W::of(bit(value.index()));
            }
            (self.next, self.held) = (REACH, values.len());
        }
        while values.len() < len {
            if self.next + BATCH > self.window.len() {
                monitor.check(values.len() as u64, Some(len as u64))?;
                self.window.copy_within(self.next - REACH..self.next, 0);
                self.next = REACH;
            }
            if !widest(Stretch { ring: self, values, len }) {
                return Ok(Ran::GaveUp);
            }
        }
        Ok(Ran::Done)
    }
}
