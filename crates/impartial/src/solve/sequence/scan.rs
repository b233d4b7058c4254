//! The vectorised scan: candidates for g(n) are tried in order, each against many splits at a time.

use super::bits::Bits;
use super::lanes::{Lanes, RUN};
use super::{Moves, push};
use semilinear::run::{Monitor, StopReason};

/// Memory for the sets of pair sums that codes with three heaps need.
const MOST_PAIR_BYTES: usize = 1 << 30;

/// Tries v = 0, 1, 2, … as g(n). What is cheap excludes first: heaps left alone, and whole prefixes of the sequence
/// (see [`Prefix`]). Splits into two heaps are first marked one by one for a short stretch, which excludes most
/// small values; the candidate that is left is then compared with the other splits, [`RUN`] of them without a
/// branch. A run that contains the candidate is marked as a whole. So every small value costs little, and only
/// g(n) itself is compared with all splits.
///
/// Splits into three heaps ask, for each size a of the smallest heap, whether v ^ g(a) is in the set of pair sums
/// g(b) ^ g(c), b + c = rest − a; these sets are kept.
///
/// # Complexity
/// O(s·n²/w) for all heaps up to n, where s digits split and w values fit into a vector register; with three
/// heaps also O(n²) bits of memory when values grow linearly.
pub(super) struct Scan {
    moves: Moves,
    lanes: Lanes,
    marks: Bits,
    /// `marked[i]`: how far the splits of `moves.two[i]` are marked.
    marked: Vec<Vec<(usize, usize)>>,
    prefixes: Vec<Prefix>,
    /// Of j: the values g(a) ^ g(b), a + b = j; filled when three heaps may be left.
    pairs: Vec<Bits>,
    pair_bytes: usize,
    /// The values of heaps divided in two after any number in a residue class is taken.
    far_pairs: Option<FarPairs>,
}

impl Scan {
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
            lanes: Lanes::new(&[]),
            marks: Bits::default(),
            marked: vec![Vec::new(); moves.two.len()],
            prefixes,
            pairs: Vec::new(),
            pair_bytes: 0,
            far_pairs,
        }
    }

    /// Appends values until there are `len` of them.
    pub fn extend(&mut self, values: &mut Vec<u32>, len: usize, monitor: &dyn Monitor) -> Result<(), StopReason> {
        while values.len() < len {
            let n = values.len();
            monitor.check(n as u64, Some(len as u64))?;
            self.catch_up(values, monitor)?;
            let value = self.value(values, n);
            push(values, value)?;
        }
        Ok(())
    }

    /// Takes over values that another engine or an earlier run computed.
    fn catch_up(&mut self, values: &[u32], monitor: &dyn Monitor) -> Result<(), StopReason> {
        self.lanes.catch_up(values);
        let n = values.len();
        for prefix in &mut self.prefixes {
            prefix.catch_up(n, |j, set| set.insert(values[j] as usize));
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
        debug_assert_eq!(self.lanes.len(), n);
        Ok(())
    }

    fn value(&mut self, values: &[u32], n: usize) -> usize {
        self.marks.clear();
        if self.moves.takes_all(n) {
            self.marks.insert(0);
        }
        for &k in self.moves.one.iter().take_while(|&&k| k < n) {
            self.marks.insert(values[n - k] as usize);
        }
        for (i, &k) in self.moves.two.iter().enumerate() {
            self.marked[i].clear();
            let Some((sum, to)) = splits(&self.moves, n, k) else { continue };
            let first = to.min(HEAD);
            mark(values, sum, 1, first, &mut self.marks);
            self.marked[i].push((1, first));
        }
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
    fn splits_reach(&mut self, values: &[u32], n: usize, candidate: usize) -> bool {
        let Ok(wanted) = u32::try_from(candidate) else { return false };
        for (i, &k) in self.moves.two.iter().enumerate() {
            let Some((sum, to)) = splits(&self.moves, n, k) else { continue };
            let done = &mut self.marked[i];
            // The gaps between the stretches that are marked already.
            let mut from = 1;
            for place in 0..=done.len() {
                let (gap_end, next) = done.get(place).map_or((to, to), |&(start, end)| (start, end));
                if from < gap_end
                    && let Some(hit) = self.lanes.find(sum, from, gap_end, wanted)
                {
                    let end = gap_end.min(hit + RUN);
                    mark(values, sum, hit, end, &mut self.marks);
                    done.push((hit, end));
                    done.sort_unstable();
                    return true;
                }
                from = next;
            }
        }
        false
    }

    /// Whether a division into three heaps has value `candidate`.
    fn triples_reach(&self, values: &[u32], n: usize, candidate: usize) -> bool {
        self.moves.three.iter().any(|&k| {
            n.checked_sub(k).is_some_and(|rest| {
                (1..=rest / 3).any(|a| self.pairs[rest - a].contains(candidate ^ values[a] as usize))
            })
        })
    }
}

/// How many splits are marked one by one before candidates are compared.
const HEAD: usize = 96;

/// After k beans are taken from heap n: how many are left, and the end of the range of the smaller heap.
fn splits(moves: &Moves, n: usize, k: usize) -> Option<(usize, usize)> {
    let sum = n.checked_sub(k).filter(|&sum| sum >= 2)?;
    Some((sum, if moves.unequal { sum.div_ceil(2) } else { sum / 2 + 1 }))
}

/// Marks g(i) ^ g(sum − i) for i in `from..to`.
fn mark(values: &[u32], sum: usize, from: usize, to: usize, marks: &mut Bits) {
    if from < to {
        let (smaller, larger) = (&values[from..to], &values[sum + 1 - to..=sum - from]);
        for (a, b) in smaller.iter().zip(larger.iter().rev()) {
            marks.insert((a ^ b) as usize);
        }
    }
}

/// The values of all divisions of `sum` into two heaps.
fn mark_pairs(values: &[u32], sum: usize, set: &mut Bits) {
    set.clear();
    mark(values, sum, 1, sum / 2 + 1, set);
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
