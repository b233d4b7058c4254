//! The general solver: a search over positions with a memo on canonical forms.
//!
//! Every position is taken apart first: disjoint unions add by ⊕, linear sums by the series law
//! (`decompose.rs`), so only prime positions are searched. All threads share one memo; they walk the
//! options in different orders, so that they seldom meet.

use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};

use rustc_hash::{FxBuildHasher, FxHashMap};
use std::hash::BuildHasher as _;

use crate::poset::{Poset, Words};
use crate::run::{Monitor, StopReason};

use super::decompose::{Order, Piece, option_values};
use super::symmetry::Symmetry;
use super::values::ValueSet;

const SHARDS: usize = 64;
/// Threads are started when a position turns out to need more than this many others.
const ALONE: u64 = 20_000;
/// Memory that the memo may take, as a number of positions times the words of each.
const MEMO_WORDS: u64 = 1 << 27;

/// A general solver of the normal-play game on one poset; it remembers what it has found.
#[derive(Debug)]
pub struct Search<S> {
    order: Order<S>,
    symmetry: Symmetry<S>,
    memo: Memo<S>,
    limit: u64,
}

/// Canonical position → Grundy value; shared by threads.
#[derive(Debug)]
struct Memo<S> {
    shards: Vec<Mutex<FxHashMap<S, u16>>>,
    size: AtomicU64,
}

impl<S: Words> Memo<S> {
    fn shard(&self, key: &S) -> &Mutex<FxHashMap<S, u16>> {
        // The map inside uses the same hash from its top and bottom bits; take the shard from the middle.
        &self.shards[(FxBuildHasher.hash_one(key) >> 32) as usize % SHARDS]
    }

    #[inline]
    fn value(&self, key: &S) -> Option<u32> {
        self.shard(key).lock().expect("no thread panics with the lock").get(key).map(|&value| u32::from(value))
    }

    fn insert(&self, key: S, value: u32) {
        let value = u16::try_from(value).expect("a Grundy value is at most the number of elements");
        if self.shard(&key).lock().expect("no thread panics with the lock").insert(key, value).is_none() {
            self.size.fetch_add(1, Relaxed);
        }
    }
}

/// A position that is being worked on.
struct Frame<S> {
    set: S,
    key: S,
    /// Of a prime position: the elements that have not been tried. `None` before it is taken apart.
    prime: Option<(S, ValueSet)>,
}

impl<S: Words> Search<S> {
    /// A solver that knows nothing yet.
    pub fn new(poset: &Poset) -> Self {
        let words = S::empty(poset.len()).words().len().max(1) as u64;
        Self {
            order: Order::new(poset),
            symmetry: Symmetry::new(poset),
            memo: Memo { shards: (0..SHARDS).map(|_| Mutex::default()).collect(), size: AtomicU64::new(0) },
            limit: MEMO_WORDS / (words + 1),
        }
    }

    /// The number of positions in the memo.
    pub fn states(&self) -> u64 {
        self.memo.size.load(Relaxed)
    }

    /// The number of automorphisms in use, the identity included.
    pub fn symmetries(&self) -> usize {
        self.symmetry.order()
    }

    /// The Grundy value of a set of elements (an induced poset, in particular an order ideal).
    ///
    /// # Complexity
    /// O(prime positions up to symmetry × elements) memo lookups in the worst case; polynomial for
    /// N-free positions, which have no prime ones.
    pub fn grundy(&self, set: &S, monitor: &dyn Monitor) -> Result<u32, StopReason> {
        if let Some(value) = self.known(set) {
            return Ok(value);
        }
        let threads = rayon::current_num_threads();
        if threads > 1 {
            // Most positions are small: try alone first.
            let halted = AtomicBool::new(false);
            if let Some(value) = self.walk(set, 0, self.states() + ALONE, &halted, monitor)? {
                return Ok(value);
            }
        }
        let halted = AtomicBool::new(false);
        let answer: Mutex<Result<Option<u32>, StopReason>> = Mutex::new(Ok(None));
        rayon::scope(|scope| {
            for thread in 0..threads {
                let (halted, answer) = (&halted, &answer);
                scope.spawn(move |_| {
                    let result = self.walk(set, thread, u64::MAX, halted, monitor);
                    if !halted.swap(true, Relaxed) {
                        *answer.lock().expect("no thread panics with the lock") = result;
                    }
                });
            }
        });
        let answer = answer.into_inner().expect("no thread panics with the lock")?;
        Ok(answer.expect("the first thread to finish leaves its answer"))
    }

    fn known(&self, set: &S) -> Option<u32> {
        if set.is_empty() {
            return Some(0);
        }
        self.memo.value(&self.symmetry.canonical(set))
    }

    /// Works until the value of `root` is known, `budget` positions are in the memo (`None`), or
    /// another thread has halted the search (`None`).
    fn walk(
        &self,
        root: &S,
        thread: usize,
        budget: u64,
        halted: &AtomicBool,
        monitor: &dyn Monitor,
    ) -> Result<Option<u32>, StopReason> {
        let start = self.order.up.len() * thread / rayon::current_num_threads().max(1);
        let mut stack = vec![self.frame(root)];
        let mut work = 0_u32;
        while let Some(frame) = stack.last_mut() {
            work = work.wrapping_add(1);
            if work.is_multiple_of(256) {
                if halted.load(Relaxed) {
                    return Ok(None);
                }
                let states = self.states();
                monitor.check(states, None)?;
                if states >= self.limit {
                    return Err(StopReason::Size { what: "positions in the memo", limit: self.limit });
                }
                if states >= budget {
                    return Ok(None);
                }
            }
            // Another thread, or another road, may have been here.
            if self.memo.value(&frame.key).is_some() {
                stack.pop();
                continue;
            }
            match self.advance(frame, start) {
                Ok(value) => {
                    let frame = stack.pop().expect("the frame that was just advanced");
                    self.memo.insert(frame.key, value);
                }
                Err(missing) => {
                    let frame = self.frame(&missing);
                    stack.push(frame);
                }
            }
        }
        Ok(self.known(root))
    }

    fn frame(&self, set: &S) -> Frame<S> {
        Frame { set: set.clone(), key: self.symmetry.canonical(set), prime: None }
    }

    /// The value of a frame's position, or a smaller position that must be known first.
    fn advance(&self, frame: &mut Frame<S>, start: usize) -> Result<u32, S> {
        if frame.prime.is_none() {
            let pieces = self.order.decomposition(&frame.set);
            match pieces.last() {
                Some(Piece::Prime(_)) => frame.prime = Some((frame.set.clone(), ValueSet::default())),
                Some(Piece::Parallel(_)) => {
                    let parts = self.order.components(&frame.set);
                    return parts
                        .iter()
                        .try_fold(0, |sum, part| Ok(sum ^ self.known(part).ok_or_else(|| part.clone())?));
                }
                _ => return option_values(&pieces, |prime| self.values_of_options(prime)).map(|values| values.mex()),
            }
        }
        let (rest, seen) = frame.prime.as_mut().expect("a prime position");
        while let Some(x) = rest.members().find(|&x| x >= start).or_else(|| rest.first()) {
            let option = frame.set.without(&self.order.up[x]);
            seen.insert(self.known(&option).ok_or(option)?);
            rest.remove(x);
        }
        Ok(seen.mex())
    }

    /// The values of all options of `set`, or an option whose value is missing.
    fn values_of_options(&self, set: &S) -> Result<ValueSet, S> {
        set.members()
            .map(|x| {
                let option = set.without(&self.order.up[x]);
                self.known(&option).ok_or(option)
            })
            .collect()
    }
}
