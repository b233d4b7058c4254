//! The window engine: values in constant memory, each from the last ones and a few first ones (`docs/theory/periods.md`, Theorem 4).

use super::Moves;
use super::plan::{MOST, Plan, Word, exchanged};
use super::space::Space;
use crate::solve::wide::{Loop, widest};

/// Heaps whose far terms are united together, and heaps whose witnesses are.
const BATCH: usize = 32;
const WITNESSED: usize = 128;
/// What was stored so recently cannot be loaded soon by wider loads.
const SETTLED: usize = 32;
/// Heaps between two looks at what is missing.
pub(super) const PIECE: usize = 2048;
/// Heaps that follow before the window is moved back to its place.
const FRESH: usize = 1 << 15;
/// Splits that are compared at once in a search.
const LOOK: usize = 64;
/// What stands for a rare heap: no sum with another heap is a number that is looked for.
const RARE: u8 = 0x80;
/// Small parts among which common witnesses are chosen, and the most that are.
const SMALL: usize = 1024;
const MOST_WITNESSES: usize = 96;
/// The last heaps say which witnesses are common.
const SAMPLE: usize = 2048;
/// More terms than this of heaps just before are too slow.
const MOST_NEAR: usize = 64;

/// How a run ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Ended {
    /// All heaps have their values.
    Done,
    /// A value may be too large for the words.
    Large,
    /// This heap is not settled by the window.
    Unsettled(u64),
}

/// The numbers of values of one type: the lowest bit of the mask is left out, which the others determine. Their order is kept, and ⊕.
#[derive(Clone, Copy)]
struct Numbers {
    space: Space,
    low: u32,
}

impl Numbers {
    fn number(self, value: u32) -> u32 {
        value >> (self.low + 1) << self.low | value & ((1 << self.low) - 1)
    }

    /// The value of a number that makes heap n common, or rare.
    fn value(self, number: u32, n: usize, common: bool) -> u32 {
        let value = number >> self.low << (self.low + 1) | number & ((1 << self.low) - 1);
        if self.space.common(value, n) == common { value } else { value | 1 << self.low }
    }
}

/// A window whose words are as narrow as the values allow.
#[derive(Clone)]
pub(super) enum AnyWindow {
    Short(Window<u16>),
    Narrow(Window<u32>),
    Wide(Window<u64>),
}

/// `in_words!(window, window => expression)`: the expression for the window that it is.
macro_rules! in_words {
    ($any:expr, $window:ident => $body:expr) => {
        match $any {
            AnyWindow::Short($window) => $body,
            AnyWindow::Narrow($window) => $body,
            AnyWindow::Wide($window) => $body,
        }
    };
}

impl AnyWindow {
    /// See [`Window::new`].
    pub fn new(moves: &Moves, values: &[u8], reach: usize) -> Option<Self> {
        let short = || Window::new(moves, values, reach).map(Self::Short);
        let narrow = || Window::new(moves, values, reach).map(Self::Narrow);
        let wide = || Window::new(moves, values, reach).map(Self::Wide);
        short().or_else(narrow).or_else(wide)
    }

    /// The same with room for larger values.
    pub fn wider(&self, moves: &Moves, values: &[u8]) -> Option<Self> {
        let reach = in_words!(self, window => window.reach);
        let mut wider = match self {
            Self::Short(_) => Self::Narrow(Window::new(moves, values, reach)?),
            Self::Narrow(_) => Self::Wide(Window::new(moves, values, reach)?),
            Self::Wide(_) => return None,
        };
        let heap = self.heaps();
        wider.set_state(heap, &self.values(heap - reach as u64, reach));
        let seen = in_words!(self, window => window.seen);
        in_words!(&mut wider, window => window.seen = [window.seen[0] | seen[0], window.seen[1] | seen[1]]);
        Some(wider)
    }

    pub fn heaps(&self) -> u64 {
        in_words!(self, window => window.heaps())
    }

    pub fn values(&self, from: u64, len: usize) -> Vec<u8> {
        in_words!(self, window => window.values(from, len))
    }

    pub fn set_state(&mut self, heap: u64, state: &[u8]) -> bool {
        in_words!(self, window => window.set_state(heap, state))
    }

    /// The numbers of values.
    pub fn numbers(&self, values: &[u8]) -> Vec<u8> {
        let numbers = in_words!(self, window => window.numbers);
        values.iter().map(|&value| byte(numbers.number(value.into()))).collect()
    }

    pub fn recent(&self, len: usize) -> &[u8] {
        in_words!(self, window => window.recent(len))
    }

    pub fn seen(&self) -> u128 {
        in_words!(self, window => window.seen())
    }

    pub fn space(&self) -> (u32, bool) {
        in_words!(self, window => window.space())
    }

    pub fn run(&mut self) -> Ended {
        in_words!(self, window => window.run())
    }
}

/// Values in constant memory for games with few rare heaps, all small. Where `W` is [`u16`] they are below 32, and so on.
///
/// All heaps in the window are common; so of each value one bit is known, and the others are its *number* (below 16 for [`u16`]). A heap's value is
/// the least common one that no split with a rare heap has: unions of sets of numbers for many heaps at once, but for the splits whose other part stands just before.
/// Then witnesses are looked for: for many heaps at once the splits with a few small heaps, and for what is left, rarely, a search.
///
/// # Complexity
/// O(s·(R + D)/w) a heap for s splitting digits, R rare heaps, D witnesses and w heaps at once.
#[derive(Clone)]
pub(super) struct Window<W> {
    moves: Moves,
    numbers: Numbers,
    /// All that decides the next value lies within so many heaps before it.
    reach: usize,
    /// Distances below [`BATCH`] + [`SETTLED`], with the numbers to be added.
    near: Vec<(usize, u8)>,
    far: Plan,
    witnesses: Plan,
    /// The common numbers of an even and of an odd heap whose rare values are smaller than the common ones.
    smaller: [W; 2],
    /// The numbers of the first `reach` heaps, heap a at `reach − a`, so that they run like the window.
    head: Vec<u8>,
    /// The numbers of the last heaps and the sets of them; `next` is the place of the next heap.
    last: Vec<u8>,
    sets: Vec<W>,
    next: usize,
    /// The heap at place 0.
    base: u64,
    /// The numbers of even and of odd heaps that passed.
    seen: [u64; 2],
    scratch: Box<Scratch<W>>,
}

/// Where unions are made.
#[derive(Clone)]
struct Scratch<W> {
    excluded: [[W; BATCH]; MOST],
    witnessed: [[W; WITNESSED]; MOST],
}

impl<W: Word> Window<W> {
    /// An engine that goes on after these values, or one before them. `None` when a value or a rare heap is too large, or nothing is sparse.
    pub fn new(moves: &Moves, values: &[u8], reach: usize) -> Option<Self> {
        let values = &values[..values.len() / 2 * 2];
        let len = values.len();
        let t = moves.digits_before(0) - 1;
        if !moves.splits_in_two() || moves.unequal || len < 2 * (reach + PIECE + SMALL + t) + SAMPLE {
            return None;
        }
        let (space, _) = Space::best(moves, values)?;
        let numbers = Numbers { space, low: space.mask.trailing_zeros().min(31) };
        let common = |n: usize| space.common(values[n].into(), n);
        let number = |n: usize| byte(numbers.number(values[n].into()));
        let rare: Vec<usize> = (1..len).filter(|&n| !common(n)).collect();
        let out_of_reach = rare.last().is_some_and(|last| last + t >= reach / 2);
        if space.mask == 0 || out_of_reach || (1..len).any(|n| usize::from(number(n)) >= W::ROOM) {
            return None;
        }
        // A heap that is left alone gives a value of common type, unless its parity is another.
        let (other, alone): (Vec<usize>, Vec<usize>) = moves.one.iter().partition(|&k| space.sigma && k % 2 == 1);
        let mut excluding: Vec<(u8, usize)> = alone.into_iter().map(|k| (0, k)).collect();
        excluding.extend(rare.iter().flat_map(|&r| moves.two.iter().map(move |k| (number(r), r + k))));
        let is_near = |&(_, distance): &(u8, usize)| distance < BATCH + SETTLED;
        let (near, far): (Vec<_>, Vec<_>) = excluding.into_iter().partition(is_near);
        let mut near: Vec<(usize, u8)> = near.into_iter().map(|(number, distance)| (distance, number)).collect();
        near.sort_unstable();
        near.dedup();
        if near.len() > MOST_NEAR {
            return None;
        }
        let smaller = [0, 1].map(|n| {
            let smaller = |&i: &u32| numbers.value(i, n, false) < numbers.value(i, n, true);
            W::of((0..W::ROOM).zip(0..).map(|(_, i)| i).filter(smaller).fold(0, |set, i| set | 1 << i))
        });
        let code = |n: usize| if common(n) { number(n) } else { RARE };
        let mut head: Vec<u8> = (0..reach).map(|i| code(reach - i)).collect();
        head.push(RARE);
        let keep = reach + PIECE + 2;
        let base = len - keep;
        let mut window = Self {
            moves: moves.clone(),
            numbers,
            reach,
            near,
            far: Plan::new(far),
            witnesses: Plan::default(),
            smaller,
            head,
            last: vec![0; keep + FRESH],
            sets: vec![W::default(); keep + FRESH],
            next: keep,
            base: base as u64,
            seen: [0; 2],
            scratch: Box::new(Scratch {
                excluded: [[W::default(); BATCH]; MOST],
                witnessed: [[W::default(); WITNESSED]; MOST],
            }),
        };
        for place in 0..keep {
            window.put(place, number(base + place));
        }
        window.witnesses = window.choose(other);
        Some(window)
    }

    fn put(&mut self, place: usize, number: u8) {
        self.last[place] = number;
        self.sets[place] = W::of(1 << (number % 64));
    }

    /// How many heaps are known.
    pub fn heaps(&self) -> u64 {
        self.base + self.next as u64
    }

    /// The values of the last heaps from this one on, so many: at most `reach` + [`PIECE`] back.
    pub fn values(&self, from: u64, len: usize) -> Vec<u8> {
        let start = usize::try_from(from - self.base).expect("within the window");
        let value = |place: usize| byte(self.numbers.value(self.last[place].into(), place % 2, true));
        (start..start + len).map(value).collect()
    }

    /// Goes on after this heap, before which `state` has `reach` values; `false` when one does not fit.
    pub fn set_state(&mut self, heap: u64, state: &[u8]) -> bool {
        debug_assert_eq!(state.len(), self.reach);
        // An even heap comes first; then the value at the far end is missing, which is out of sight.
        let odd = usize::from(!heap.is_multiple_of(2));
        self.next = self.reach + PIECE + 2;
        self.base = heap - odd as u64 - self.next as u64;
        let numbers = self.numbers;
        let all: Vec<u8> = state.iter().map(|&value| byte(numbers.number(value.into()))).collect();
        for (place, &number) in (PIECE + 2 + odd..).zip(&all[..self.reach - odd]) {
            self.put(place, number);
        }
        all.iter().all(|&number| usize::from(number) < W::ROOM)
    }

    /// The numbers of the last heaps, up to the next one, `len` of them.
    pub fn recent(&self, len: usize) -> &[u8] {
        &self.last[self.next - len..self.next]
    }

    /// The values that were computed here, as a set.
    pub fn seen(&self) -> u128 {
        let of = |n: usize| {
            (0..64_u32).filter(move |i| self.seen[n] >> i & 1 == 1).map(move |i| self.numbers.value(i, n, true))
        };
        of(0).chain(of(1)).fold(0, |set, value| set | 1 << value)
    }

    /// The mask of the space, and whether the parity of the heap counts.
    pub fn space(&self) -> (u32, bool) {
        (self.numbers.space.mask, self.numbers.space.sigma)
    }

    /// The next heaps: whole batches, [`PIECE`] of them at most.
    pub fn run(&mut self) -> Ended {
        let keep = self.reach + PIECE + 2;
        if self.next + PIECE > self.last.len() {
            let moved = self.next - keep;
            self.last.copy_within(moved..self.next, 0);
            self.sets.copy_within(moved..self.next, 0);
            self.base += moved as u64;
            self.next = keep;
        }
        let near = self.near.len();
        let fits = match near {
            0 => widest(Common::<W, 0>(self)),
            1..=2 => widest(Common::<W, 2>(self)),
            3..=4 => widest(Common::<W, 4>(self)),
            5..=6 => widest(Common::<W, 6>(self)),
            7..=8 => widest(Common::<W, 8>(self)),
            9..=12 => widest(Common::<W, 12>(self)),
            13..=16 => widest(Common::<W, 16>(self)),
            17..=24 => widest(Common::<W, 24>(self)),
            25..=40 => widest(Common::<W, 40>(self)),
            _ => widest(Common::<W, MOST_NEAR>(self)),
        };
        if !fits {
            return Ended::Large;
        }
        if let Some(place) = widest(Witnessed(self)) {
            return Ended::Unsettled(self.base + place as u64);
        }
        self.next += PIECE;
        Ended::Done
    }

    /// The numbers of rare values smaller than the value of a heap, all of which need a witness.
    #[inline(always)]
    fn asked(&self, set: W, odd: usize) -> W {
        let (mut block, mut equal) = (set, set & self.smaller[odd]);
        for b in 0..self.numbers.low as usize {
            block |= exchanged(block, b % 6);
            equal |= exchanged(equal, b % 6);
        }
        block.below() | equal
    }

    /// Witnesses that many of the last heaps need: those that are looked for in all of them.
    fn choose(&self, other: Vec<usize>) -> Plan {
        let mut pairs: Vec<(u8, usize)> = other.into_iter().map(|k| (0, k)).collect();
        let first = self.next - SAMPLE;
        let without = |missing: u64, place: usize, &(number, distance): &(u8, usize)| {
            missing & !(1 << (number ^ self.last[place - distance]))
        };
        let mut open: Vec<(usize, u64)> = (first..self.next)
            .map(|place| {
                let asked = self.asked(self.sets[place], place % 2).into();
                (place, pairs.iter().fold(asked, |missing, pair| without(missing, place, pair)))
            })
            .collect();
        let small = (1..=SMALL).map(|a| (self.head[self.reach - a], a)).filter(|&(number, _)| number != RARE);
        let candidates: Vec<(u8, usize)> =
            small.flat_map(|(number, a)| self.moves.two.iter().map(move |k| (number, a + k))).collect();
        while pairs.len() < MOST_WITNESSES {
            open.retain(|&(_, missing)| missing != 0);
            // A number that is not yet added costs as much as a few distances.
            let cost = |number: u8| if pairs.iter().any(|&(other, _)| other == number) { 1 } else { 4 };
            let worth = |&(number, distance): &(u8, usize)| {
                let found = |&(place, missing): &(usize, u64)| missing >> (number ^ self.last[place - distance]) & 1;
                12 * open.iter().map(found).sum::<u64>() / cost(number)
            };
            let best = candidates.iter().map(|pair| (worth(pair), *pair)).max();
            let Some((_, pair)) = best.filter(|&(worth, _)| worth >= 36) else { break };
            for (place, missing) in &mut open {
                *missing = without(*missing, *place, &pair);
            }
            pairs.push(pair);
        }
        Plan::new(pairs)
    }

    /// Whether each of the missing rare numbers of a heap has a witness in the window.
    #[inline(always)]
    fn search(&self, place: usize, mut missing: u64) -> bool {
        let longest = self.moves.digits_before(0) - 1;
        let mut from = 1;
        while from + LOOK + longest < self.reach {
            for &k in &self.moves.two {
                let (to, end) = (self.reach - from + 1, place - k - from + 1);
                let small: &[u8; LOOK] = self.head[to - LOOK..to].try_into().expect("as long as a look");
                let large: &[u8; LOOK] = self.last[end - LOOK..end].try_into().expect("as long as a look");
                let mut sums = [0; LOOK];
                for (sum, (a, b)) in sums.iter_mut().zip(small.iter().zip(large)) {
                    *sum = a ^ b;
                }
                let mut rest = missing;
                while rest != 0 {
                    let wanted = rest.trailing_zeros().to_le_bytes()[0];
                    if sums.iter().fold(0, |any, &sum| any | u8::from(sum == wanted)) != 0 {
                        missing &= !(1 << wanted);
                    }
                    rest &= rest - 1;
                }
            }
            if missing == 0 {
                return true;
            }
            from += LOOK;
        }
        false
    }
}

/// A number below 256.
fn byte(number: u32) -> u8 {
    u8::try_from(number).expect("values are below 128")
}

/// The least common values of the next heaps. Whether they fit.
struct Common<'a, W, const NEAR: usize>(&'a mut Window<W>);

impl<W: Word, const NEAR: usize> Loop for Common<'_, W, NEAR> {
    type Output = bool;

    #[inline(always)]
    fn run(self) -> bool {
        /// Places before a batch that near terms look at, and the batch.
        const SEEN: usize = (2 * BATCH + SETTLED).next_power_of_two();
        let Window { near, far, last, sets, next, scratch, .. } = self.0;
        // What is there twice changes nothing.
        let near: [(usize, u8); NEAR] = std::array::from_fn(|i| near[i.min(near.len() - 1)]);
        for at in (*next..*next + PIECE).step_by(BATCH) {
            far.unite(sets, at, &mut scratch.excluded);
            let numbers: &mut [u8; SEEN] =
                (&mut last[at + BATCH - SEEN..at + BATCH]).try_into().expect("as long as what is seen");
            let new: &mut [W; BATCH] = (&mut sets[at..at + BATCH]).try_into().expect("as long as a batch");
            for i in 0..BATCH {
                let mut excluded: u64 = scratch.excluded[0][i].into();
                for (distance, number) in near {
                    let other = numbers[(i + SEEN - BATCH).wrapping_sub(distance) % SEEN];
                    excluded |= 1_u64.wrapping_shl((other ^ number).into());
                }
                let least = excluded.trailing_ones();
                if least as usize >= W::ROOM {
                    return false;
                }
                numbers[i + SEEN - BATCH] = least.to_le_bytes()[0];
                new[i] = W::of(1 << least);
            }
        }
        true
    }
}

/// Looks for the witnesses of the next heaps, whose common values are known. The place of the first that lacks one.
struct Witnessed<'a, W>(&'a mut Window<W>);

impl<W: Word> Loop for Witnessed<'_, W> {
    type Output = Option<usize>;

    #[inline(always)]
    fn run(self) -> Option<usize> {
        let window = self.0;
        for at in (window.next..window.next + PIECE).step_by(WITNESSED) {
            window.witnesses.unite(&window.sets, at, &mut window.scratch.witnessed);
            let sets: &[W; WITNESSED] = window.sets[at..at + WITNESSED].try_into().expect("as long as a batch");
            let found = &window.scratch.witnessed[0];
            let (mut missing, mut any) = ([W::default(); WITNESSED], W::default());
            let mut seen = [W::default(); 2];
            for i in 0..WITNESSED {
                missing[i] = window.asked(sets[i], i % 2) & !found[i];
                any |= missing[i];
                seen[i % 2] |= sets[i];
            }
            window.seen[0] |= seen[0].into();
            window.seen[1] |= seen[1].into();
            if any == W::default() {
                continue;
            }
            for (first, part) in (at..).step_by(16).zip(missing.chunks(16)) {
                if part.iter().fold(W::default(), |any, &set| any | set) == W::default() {
                    continue;
                }
                for (place, &set) in (first..).zip(part) {
                    if set != W::default() && !window.search(place, set.into()) {
                        return Some(place);
                    }
                }
            }
        }
        None
    }
}
