//! The sparse space engine: cost in proportion to the number of rare heaps instead of all smaller heaps.

use super::Moves;
use super::scan::{MARKED, splits};
use super::space::Space;
use super::values::{Heaps, Lane, Ran};
use super::witnesses::{BLOCK, Witnesses};
use semilinear::run::{Monitor, StopReason};

/// Splits that are marked between two looks at what is missing: at first, and at most.
const FIRST_STRETCH: usize = 16;
const LAST_STRETCH: usize = 512;
/// When so few values have no witness yet each is looked for by itself, so many splits at a time.
const FEW: usize = 24;
const SEARCHED: usize = 128;
/// Heaps whose splits with a rare part are marked together.
const BATCH: usize = 16;

/// What a mark in a batch and a step for witnesses count as work.
const BATCH_MARK: u64 = MARKED / 2;
const STEP: u64 = 40;

/// Values of at most this many bits.
const MOST_BITS: u32 = 14;

/// The marks of one heap: a place for every number of 17 bits, so that no mark needs a check of its place, though few are
/// in use. The odd length keeps the rows of a batch apart in the cache.
type Row = [u8; (1 << 17) + 512];
/// What a place is below, as the compiler sees it: one bit more than values have spares it a step a mark.
const PLACES: usize = (1 << 17) - 1;
/// Marks that are looked at in one step.
const LOOK: usize = 32;

/// Computes g(n) from the rare heaps. A split of mixed type has exactly one rare part, so the splits with a
/// rare part (one pass over the rare heaps) settle which values of common type are excluded: let c be the least
/// of them that is not. Values of rare type below c each need one witness, which a search from the smallest splits
/// on, all splitting digits in turn, finds early; when it finds none among all splits, g(n) is that value and n is rare.
///
/// The pass over the rare heaps serves [`BATCH`] heaps at once: their other parts stand side by side.
/// Most witnesses are found for [`BLOCK`] heaps at once ([`Witnesses`]), the others by searches.
///
/// Every space gives the right values; a bad one is only slow. The space is chosen anew when values outgrow its
/// mask and when the sequence has doubled.
///
/// # Complexity
/// O(s·(R + D)) a heap for s splitting digits, R rare heaps and search depth D; a new rare heap costs O(s·n).
pub(super) struct Sparse {
    moves: Moves,
    space: Space,
    /// The rare heaps in increasing order, with their values, among the first `held` heaps.
    rare: Vec<(usize, u16)>,
    held: usize,
    /// When the sequence is this long the space is chosen anew.
    choose_at: usize,
    rows: Vec<Row>,
    /// Of v: 1 when it makes an even heap rare, and 1 when it makes an odd one rare.
    types: [Vec<u8>; 2],
    /// As many zeros.
    none: Vec<u8>,
    witnesses: Witnesses,
    /// By splitting digit: the rare heaps whose splits the batch has marked.
    batched: Vec<[(usize, usize); 2]>,
    /// Work done so far, in sixteenths of a marked split.
    work: u64,
}

impl Sparse {
    /// An engine for a code that leaves at most two heaps and whose digits are finite.
    #[expect(clippy::large_stack_arrays, reason = "`vec!` of zeros asks the heap for them")]
    pub fn new(moves: &Moves) -> Self {
        debug_assert!(moves.splits_in_two());
        Self {
            moves: moves.clone(),
            space: Space { mask: 0, sigma: false, tau: false, bits: 0 },
            rare: Vec::new(),
            held: 0,
            choose_at: 0,
            rows: vec![[0; (1 << 17) + 512]; BATCH],
            types: [const { Vec::new() }; 2],
            none: Vec::new(),
            witnesses: Witnesses::new(),
            batched: Vec::new(),
            work: 0,
        }
    }

    /// The work done so far, in sixteenths of a marked split.
    pub fn work(&self) -> u64 {
        self.work
    }

    /// Takes over a value.
    fn hold(&mut self, n: usize, value: u16) {
        self.held = n + 1;
        // A value beyond the mask's bits is of the same type as its lower bits: right, but maybe a bad choice.
        if u32::from(value) >> self.space.bits != 0 {
            self.choose_at = 0;
        }
        if n > 0 && !self.space.common(u32::from(value), n) {
            self.rare.push((n, value));
        }
    }

    /// Chooses the space anew; `false` when values have too many bits.
    fn choose<L: Lane>(&mut self, values: &[L]) -> bool {
        let Some((space, _)) = Space::best(&self.moves, values).filter(|(space, _)| space.bits <= MOST_BITS) else {
            return false;
        };
        self.space = space;
        self.rare.clear();
        for (n, &value) in values.iter().enumerate() {
            self.hold(n, narrow(value));
        }
        self.choose_at = 2 * values.len().max(512);
        self.none = vec![0; 2 << space.bits];
        // Values of b bits have sums of b bits, and all values of b + 1 bits are free: every search ends.
        self.types = [0, 1].map(|n| (0..2_u32 << space.bits).map(|v| u8::from(!space.common(v, n))).collect());
        self.witnesses.plan(&self.moves, &self.space, values);
        true
    }

    /// Marks the splits of the heaps n, …, n + BATCH − 1 that have a rare part, all but a few that [`Sparse::value`] adds, and
    /// witnesses.
    fn mark_batch<L: Lane>(&mut self, values: &[L], n: usize) {
        let width = self.types[0].len();
        let rows: &mut [Row; BATCH] = self.rows.as_mut_slice().try_into().expect("a row for each heap of a batch");
        let (first, second) = self.witnesses.batch(values);
        for (heap, row) in rows.iter_mut().enumerate() {
            let found = if heap < 8 { first } else { second };
            for (mark, found) in row.iter_mut().zip(found) {
                *mark = found >> (heap % 8) & 1;
            }
            row[found.len()..width].fill(0);
        }
        self.work += self.witnesses.steps() * (STEP * BATCH as u64) / BLOCK as u64;
        self.batched.clear();
        self.batched.extend(self.moves.two.iter().map(|&k| batched(&self.moves, &self.rare, k, n - k)));
        for (&k, ranges) in self.moves.two.iter().zip(&self.batched) {
            for &(from, to) in ranges {
                self.work += (to - from) as u64 * (BATCH_MARK * BATCH as u64);
                for &(heap, value) in &self.rare[from..to] {
                    let others = &values[n - k - heap..n - k - heap + BATCH];
                    let others: &[L; BATCH] = others.try_into().expect("as long as a batch");
                    // Seen as a number of 17 bits, not as one of 16, which would have to be cut out of a register at every mark.
                    let value = std::hint::black_box(usize::from(value)) & PLACES;
                    for (row, &other) in rows.iter_mut().zip(others) {
                        row[other.index() ^ value] = 1;
                    }
                }
            }
        }
    }

    /// g(n), the values below it known; `row` has the marks of the batch (none when it was no batch).
    fn value<L: Lane>(&mut self, values: &[L], n: usize, row: usize, in_batch: bool) -> usize {
        let width = self.types[0].len();
        let marks = &mut self.rows[row];
        if !in_batch {
            marks[..width].fill(0);
        }
        if self.moves.takes_all(n) {
            marks[0] = 1;
        }
        for &k in self.moves.one.iter().take_while(|&&k| k < n) {
            marks[values[n - k].index()] = 1;
        }
        for (i, &k) in self.moves.two.iter().enumerate().take_while(|&(_, &k)| k + 1 < n) {
            let sum = n - k;
            // Two equal heaps have value 0.
            if sum.is_multiple_of(2) && !self.moves.unequal {
                marks[0] = 1;
            }
            let [(a, b), (c, d)] = if in_batch { self.batched[i] } else { [(0, 0); 2] };
            for range in [0..a, b..c, d..self.rare.len()] {
                for &(heap, value) in self.rare[range].iter().take_while(|&&(heap, _)| heap < sum) {
                    if !(self.moves.unequal && 2 * heap == sum) {
                        marks[values[sum - heap].index() ^ usize::from(value)] = 1;
                        self.work += MARKED;
                    }
                }
            }
        }
        let least = first_free(&marks[..width], &self.types[n % 2]);
        self.work += (width + 2 * least) as u64;
        // What is not marked below that is of rare type and needs a witness. Marking a stretch of splits without
        // a branch and then looking again is faster than asking at each split.
        let (mut from, mut stretch) = (1, FIRST_STRETCH);
        let mut missing = unmarked(&marks[..least]);
        while missing > FEW && 2 * from <= n {
            for &k in self.moves.two.iter().take_while(|&&k| k + 1 < n) {
                let Some((sum, end)) = splits(&self.moves, n, k) else { continue };
                let to = end.min(from + stretch);
                if from < to {
                    let (smaller, larger) = (&values[from..to], &values[sum + 1 - to..=sum - from]);
                    for (&a, &b) in smaller.iter().zip(larger.iter().rev()) {
                        marks[(a ^ b).index()] = 1;
                    }
                    self.work += MARKED * (to - from) as u64;
                }
            }
            from += stretch;
            stretch = (2 * stretch).min(LAST_STRETCH);
            missing = unmarked(&marks[..least]);
        }
        if missing == 0 {
            return least;
        }
        let mut next = 0;
        loop {
            let value = next + first_free(&self.rows[row][next..least], &self.none[..least - next]);
            if value == least {
                break;
            }
            if !self.has_witness(values, n, from, value) {
                return value;
            }
            next = value + 1;
        }
        least
    }

    /// Whether a split whose smaller part is at least `from` has this value.
    fn has_witness<L: Lane>(&mut self, values: &[L], n: usize, mut from: usize, value: usize) -> bool {
        let Ok(wanted) = L::try_from(value) else { return false };
        let mut stretch = SEARCHED;
        while 2 * from <= n {
            for &k in self.moves.two.iter().take_while(|&&k| k + 1 < n) {
                let Some((sum, end)) = splits(&self.moves, n, k) else { continue };
                let to = end.min(from + stretch);
                if from < to {
                    self.work += 4 * (to - from) as u64;
                    if L::any_equal_backwards(&values[from..to], &values[sum + 1 - to..=sum - from], wanted) {
                        return true;
                    }
                }
            }
            from += stretch;
            stretch = (2 * stretch).min(LAST_STRETCH);
        }
        false
    }
}

/// Two ranges of rare heaps (the sum being at least twice a batch) whose splits of the sums `sum`, …, `sum` + BATCH − 1 are all there, have their other part
/// before the batch, and are not equal where equal heaps are forbidden.
fn batched(moves: &Moves, rare: &[(usize, u16)], k: usize, sum: usize) -> [(usize, usize); 2] {
    let below = |heap: usize| rare.partition_point(|&(rare, _)| rare < heap);
    let (first, end) = (below(BATCH.saturating_sub(k)), below(sum));
    if moves.unequal {
        let (low, high) = (below(sum / 2), below(usize::midpoint(sum, BATCH) + 1));
        [(first, low), (high, end)]
    } else {
        [(first, end), (end, end)]
    }
}

/// The first place that neither list marks, or their length.
fn first_free(marks: &[u8], others: &[u8]) -> usize {
    let free = |(mark, other): (&u8, &u8)| mark | other == 0;
    let looks = marks.chunks(LOOK).zip(others.chunks(LOOK));
    for (i, (marks, others)) in looks.enumerate() {
        let all = marks.iter().zip(others).fold(1, |all, (mark, other)| all & (mark | other));
        if all == 0 {
            return i * LOOK + marks.iter().zip(others).position(free).unwrap_or(0);
        }
    }
    marks.len()
}

/// How many places are not marked: in sums of bytes, which the compiler vectorises.
fn unmarked(marks: &[u8]) -> usize {
    let count = |part: &[u8]| part.iter().fold(0_u8, |sum, mark| sum.wrapping_add(mark ^ 1));
    marks.chunks(128).map(|part| usize::from(count(part))).sum()
}

/// A value that is known to have at most 16 bits.
fn narrow<L: Lane>(value: L) -> u16 {
    u16::try_from(value.into()).unwrap_or(u16::MAX)
}

impl Heaps for Sparse {
    fn run<L: Lane>(&mut self, values: &mut Vec<L>, len: usize, monitor: &dyn Monitor) -> Result<Ran, StopReason> {
        if L::BITS > 16 {
            return Ok(Ran::GaveUp);
        }
        for (n, &value) in values.iter().enumerate().skip(self.held) {
            self.hold(n, narrow(value));
        }
        // A shorter heap than this has moves that the next one has not.
        let steady = self.moves.digits_before(0) + 2 * BATCH;
        while values.len() < len {
            let n = values.len();
            if n % 128 < BATCH || self.rare.len() > 512 {
                monitor.check(n as u64, Some(len as u64))?;
            }
            if n >= self.choose_at && !self.choose(values) {
                return Ok(Ran::GaveUp);
            }
            let batch = n >= steady && n + BATCH <= len;
            if batch {
                self.mark_batch(values, n);
            }
            for row in 0..if batch { BATCH } else { 1 } {
                let value = self.value(values, n + row, row, batch);
                let Ok(new) = L::try_from(value) else { return Ok(Ran::Wide(value)) };
                values.push(new);
                self.hold(n + row, narrow(new));
                // A new space, after a value beyond the old one, has other marks.
                if self.choose_at == 0 {
                    break;
                }
            }
        }
        Ok(Ran::Done)
    }
}
