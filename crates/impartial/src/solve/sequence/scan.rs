//! The dense engine: splits are marked one by one or compared with a candidate many at a time.

use super::Moves;
use super::bits::Bits;
use super::values::{Backwards, Heaps, Lane, Marks, Ran};
use semilinear::run::{Monitor, StopReason};

/// Memory for the sets of pair sums that codes with three heaps need.
const MOST_PAIR_BYTES: usize = 1 << 30;

/// How many splits are marked at least before candidates are compared.
const HEAD: usize = 96;

/// Splits are compared in runs of this many.
const RUN: usize = 1024;

/// What a marked split counts as work, and a compared one by the bytes of a value.
pub(super) const MARKED: u64 = 16;
const COMPARED: [u64; 5] = [0, 1, 3, 0, 6];

/// Tries v = 0, 1, 2, … as g(n). What is cheap excludes first: heaps left alone, and whole prefixes of the sequence
/// (see [`Prefix`]). A share of the splits into two heaps is then marked one by one, which excludes most small values;
/// the candidate that is left is compared with the other splits, [`RUN`] of them without a branch. A run that contains
/// the candidate is marked as a whole. So every small value costs little, and only g(n) itself is compared with all
/// splits. Which share is best depends on the game: where values are large most values have few witnesses, and marking
/// all splits is best ([`Scan::share`]).
///
/// Splits into three heaps ask, for each size a of the smallest heap, whether v ^ g(a) is in the set of pair sums
/// g(b) ^ g(c), b + c = rest − a; these sets are kept.
///
/// # Complexity
/// O(s·n²) for all heaps up to n, where s digits split, and down to O(s·n²/w) where values are small and w of them fit
/// into a vector register; with three heaps also O(n²) bits of memory when values grow linearly.
pub(super) struct Scan {
    moves: Moves,
    /// The first `held` values backwards, in words of `held_bits` bits: `list[list.len() - 1 - j]` is g(j), and the front
    /// is room to grow.
    backwards: Backwards,
    held: usize,
    held_bits: u32,
    marks: Marks,
    /// `marked[i]`: the stretches of the splits of `moves.two[i]` that are marked, in increasing order.
    marked: Vec<Vec<(usize, usize)>>,
    prefixes: Vec<Prefix>,
    /// Of j: the values g(a) ^ g(b), a + b = j; filled when three heaps may be left.
    pairs: Vec<Bits>,
    pair_bytes: usize,
    /// The values of heaps divided in two after any number in a residue class is taken.
    far_pairs: Option<FarPairs>,
    share: u32,
    /// Work done since the share was set.
    work: u64,
}

impl Scan {
    /// The shares that may be set: one split in 2⁰, 2¹, … is marked; the last stands for [`HEAD`] splits alone.
    pub const SHARES: [u32; 5] = [0, 2, 4, 6, usize::BITS - 1];

    /// Whether the scan knows how to treat these moves.
    pub fn applies(moves: &Moves) -> bool {
        moves.most <= 2 || (moves.most == 3 && moves.tail.as_ref().is_none_or(|tail| tail.block.iter().all(|d| *d < 8)))
    }

    pub fn new(moves: &Moves) -> Self {
        let mut prefixes: Vec<Prefix> = Vec::new();
        // Heaps a, b, b have the value of a alone: three heaps give all values of heaps of one parity.
        prefixes.extend(moves.three.iter().map(|k| Prefix::new(k + 2, vec![true, false])));
        let mut far_pairs = None;
        if let Some(tail) = &moves.tail {
            let with = |bit: u8| tail.block.iter().map(|d| d & bit != 0).collect::<Vec<_>>();
            if tail.block.iter().any(|d| d & 2 != 0) {
                prefixes.push(Prefix::new(tail.start, with(2)));
            }
            if tail.block.iter().any(|d| d & 4 != 0) {
                far_pairs = Some(FarPairs { prefix: Prefix::new(tail.start, with(4)), scratch: Bits::default() });
            }
        }
        Self {
            moves: moves.clone(),
            backwards: Backwards::default(),
            held: 0,
            held_bits: 0,
            marks: Marks::new(),
            marked: vec![Vec::new(); moves.two.len()],
            prefixes,
            pairs: Vec::new(),
            pair_bytes: 0,
            far_pairs,
            share: usize::BITS - 1,
            work: 0,
        }
    }

    /// From now on one split in 2^share is marked before candidates are compared.
    pub fn set_share(&mut self, share: u32) {
        self.share = share;
        self.work = 0;
    }

    /// The work since the share was set, in sixteenths of a marked split.
    pub fn work(&self) -> u64 {
        self.work
    }

    /// Appends a value to the list of values backwards.
    fn hold<L: Lane>(&mut self, value: L) {
        let list = L::pick(&mut self.backwards);
        if self.held == list.len() {
            let room = self.held.max(1024);
            let mut larger = vec![L::default(); room + self.held];
            larger[room..].copy_from_slice(list);
            *list = larger;
        }
        let place = list.len() - 1 - self.held;
        list[place] = value;
        self.held += 1;
        self.marks.make_room(value.index());
    }

    /// Takes over values that another engine or an earlier run computed.
    fn catch_up<L: Lane>(&mut self, values: &[L], monitor: &dyn Monitor) -> Result<(), StopReason> {
        if self.held_bits != L::BITS {
            self.backwards = Backwards::default();
            (self.held, self.held_bits) = (0, L::BITS);
        }
        for &value in &values[self.held..] {
            self.hold(value);
        }
        let n = values.len();
        for prefix in &mut self.prefixes {
            prefix.catch_up(n, |j, set| set.insert(values[j].index()));
        }
        if let Some(far) = &mut self.far_pairs {
            let scratch = &mut far.scratch;
            far.prefix.catch_up(n, |j, set| {
                mark_pairs(values, j, scratch);
                set.absorb(scratch);
            });
        }
        while !self.moves.three.is_empty() && self.pairs.len() < n {
            monitor.check(n as u64, None)?;
            let mut set = Bits::default();
            mark_pairs(values, self.pairs.len(), &mut set);
            self.pair_bytes += set.bytes();
            if self.pair_bytes > MOST_PAIR_BYTES {
                return Err(StopReason::Size { what: "bytes of pair sums", limit: MOST_PAIR_BYTES as u64 });
            }
            self.pairs.push(set);
        }
        Ok(())
    }

    fn value<L: Lane>(&mut self, values: &[L], n: usize) -> usize {
        self.marks.clear();
        if self.moves.takes_all(n) {
            self.marks.insert(0);
        }
        for &k in self.moves.one.iter().take_while(|&&k| k < n) {
            self.marks.insert(values[n - k].index());
        }
        for (i, &k) in self.moves.two.iter().enumerate() {
            self.marked[i].clear();
            let Some((sum, to)) = splits(&self.moves, n, k) else { continue };
            let first = to.min(HEAD.max(to >> self.share));
            let (x, y) = pairs_of(values, L::pick(&mut self.backwards), sum, 1, first);
            L::mark(x, y, &mut self.marks);
            self.work += MARKED * x.len() as u64;
            self.marked[i].push((1, first));
            // Two equal heaps have value 0.
            if sum.is_multiple_of(2) && !self.moves.unequal {
                self.marks.insert(0);
            }
        }
        self.work += self.marks.width() as u64;
        let mut candidate = self.prefixes.iter_mut().map(|prefix| prefix.base(n)).max().unwrap_or(0);
        if let Some(far) = &mut self.far_pairs {
            candidate = candidate.max(far.prefix.base(n));
        }
        loop {
            candidate = self.marks.absent(candidate);
            if self.prefixes.iter().any(|prefix| prefix.contains(n, candidate))
                || self.far_pairs.as_ref().is_some_and(|far| far.prefix.contains(n, candidate))
                || self.splits_reach(values, n, candidate)
                || self.triples_reach(values, n, candidate)
            {
                candidate += 1;
            } else {
                return candidate;
            }
        }
    }

    /// Whether a split into two heaps has value `candidate`; what is seen on the way is marked.
    fn splits_reach<L: Lane>(&mut self, values: &[L], n: usize, candidate: usize) -> bool {
        // A value beyond the lanes is the sum of no two of them.
        let Ok(wanted) = L::try_from(candidate) else { return false };
        let backwards = L::pick(&mut self.backwards);
        for (i, &k) in self.moves.two.iter().enumerate() {
            let Some((sum, to)) = splits(&self.moves, n, k) else { continue };
            let done = &mut self.marked[i];
            // The gaps between the stretches that are marked already.
            let mut from = 1;
            for place in 0..=done.len() {
                let (gap_end, next) = done.get(place).map_or((to, to), |&(start, end)| (start, end));
                while from < gap_end {
                    let end = gap_end.min(from + RUN);
                    let (x, y) = pairs_of(values, backwards, sum, from, end);
                    self.work += COMPARED[L::BITS as usize / 8] * x.len() as u64;
                    if L::any_equal(x, y, wanted) {
                        L::mark(x, y, &mut self.marks);
                        self.work += MARKED * x.len() as u64;
                        done.insert(place, (from, end));
                        return true;
                    }
                    from = end;
                }
                from = next;
            }
        }
        false
    }

    /// Whether a division into three heaps has value `candidate`.
    fn triples_reach<L: Lane>(&self, values: &[L], n: usize, candidate: usize) -> bool {
        self.moves.three.iter().any(|&k| {
            n.checked_sub(k).is_some_and(|rest| {
                (1..=rest / 3).any(|a| self.pairs[rest - a].contains(candidate ^ values[a].index()))
            })
        })
    }
}

impl Heaps for Scan {
    fn run<L: Lane>(&mut self, values: &mut Vec<L>, len: usize, monitor: &dyn Monitor) -> Result<Ran, StopReason> {
        while values.len() < len {
            let n = values.len();
            monitor.check(n as u64, Some(len as u64))?;
            self.catch_up(values, monitor)?;
            let value = self.value(values, n);
            let Ok(narrow) = L::try_from(value) else { return Ok(Ran::Wide(value)) };
            values.push(narrow);
        }
        Ok(Ran::Done)
    }
}

/// After k beans are taken from heap n: how many are left, and the end of the range of the smaller heap.
pub(super) fn splits(moves: &Moves, n: usize, k: usize) -> Option<(usize, usize)> {
    let sum = n.checked_sub(k).filter(|&sum| sum >= 2)?;
    Some((sum, if moves.unequal { sum.div_ceil(2) } else { sum / 2 + 1 }))
}

/// g(i) and g(sum − i) for the i in `from..to`.
#[inline]
fn pairs_of<'a, L>(values: &'a [L], backwards: &'a [L], sum: usize, from: usize, to: usize) -> (&'a [L], &'a [L]) {
    let start = backwards.len() - 1 + from - sum;
    (&values[from..to], &backwards[start..start + (to - from)])
}

/// The values of all divisions of `sum` into two heaps.
fn mark_pairs<L: Lane>(values: &[L], sum: usize, set: &mut Bits) {
    set.clear();
    if sum >= 2 {
        let (smaller, larger) = (&values[1..=sum / 2], &values[sum - sum / 2..sum]);
        for (&a, &b) in smaller.iter().zip(larger.iter().rev()) {
            set.insert((a ^ b).index());
        }
    }
}

/// The values of all heaps n − k, k ≥ `lag`, for the k in some residue classes: an option set that only grows.
struct Prefix {
    lag: usize,
    /// `allowed[i]`: k = lag + i (and so on, modulo the length) may be taken.
    allowed: Vec<bool>,
    /// The values of the heaps j ≥ 1 seen so far, by j modulo the length.
    sets: Vec<Bits>,
    /// Heaps below this are in the sets.
    next: usize,
    /// By n modulo the length: every smaller value is reached.
    bases: Vec<usize>,
}

impl Prefix {
    fn new(lag: usize, allowed: Vec<bool>) -> Self {
        let classes = allowed.len();
        Self { lag, allowed, sets: vec![Bits::default(); classes], next: 1, bases: vec![0; classes] }
    }

    /// Makes the sets right for heap n: `add` adds what heap j gives.
    fn catch_up(&mut self, n: usize, mut add: impl FnMut(usize, &mut Bits)) {
        while self.next + self.lag <= n {
            let class = self.next % self.sets.len();
            add(self.next, &mut self.sets[class]);
            self.next += 1;
        }
    }

    /// Whether a heap n − k with an allowed k has this value.
    fn contains(&self, n: usize, value: usize) -> bool {
        let classes = self.sets.len();
        // The heaps n − lag − i (modulo the length) are allowed when `allowed[i]`.
        n >= self.lag
            && (0..classes)
                .filter(|&i| self.allowed[i])
                .any(|i| self.sets[(n - self.lag + classes - i) % classes].contains(value))
    }

    /// The least value not reached from heap n; it never sinks as n grows in its residue class.
    fn base(&mut self, n: usize) -> usize {
        let class = n % self.bases.len();
        while self.contains(n, self.bases[class]) {
            self.bases[class] += 1;
        }
        self.bases[class]
    }
}

struct FarPairs {
    prefix: Prefix,
    scratch: Bits,
}
