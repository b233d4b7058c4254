//! Repairs of guesses with counters.
//!
//! The finite search never comes to an end along the counters, so it never sees what is wrong further on. Here the counters stay
//! free, and the failures of the guess with few copies of them show which of the other heaps must be free too.

use rustc_hash::FxHashSet;

use super::OptionTable;
use super::bits::Bits;
use super::build::choice;
use super::candidate::{Candidate, Free};
use super::counters::{Counters, HeapValue};
use super::guess::{points, spelled};
use super::monoid::{Rows, Word, colex, index, times};
use super::silent::{Search, Silent};
use crate::run::{Monitor, StopReason};

/// No more repairs than this are tried.
const ROUNDS: usize = 80;
/// A heap with so many copies in a failure becomes a counter.
const MANY: u32 = 5;
/// No guess has more counters.
const MOST_COUNTERS: usize = 4;

/// What is wrong with a guess.
enum Fault {
    /// A sum with a wrong outcome.
    Word(Word),
    /// A heap that follows counters is silent where the word like it is not.
    Follower(u32),
}

/// A value of the options of a heap, or its own.
type Pair = (u32, Vec<u32>);

/// A heap with its value and those of its options.
struct Moves {
    heap: u32,
    own: Pair,
    options: Vec<Pair>,
}

impl Counters {
    /// The repaired guess, once `accept` confirms one.
    pub(super) fn repaired(
        &self,
        table: &OptionTable,
        accept: &dyn Fn(&Self) -> Result<bool, StopReason>,
        monitor: &dyn Monitor,
    ) -> Result<Option<Self>, StopReason> {
        let mut guess = self.clone();
        for _ in 0..ROUNDS {
            let free = match guess.fault(table, monitor)? {
                None => return Ok((guess.infinity.is_some() && accept(&guess)?).then_some(guess)),
                Some(Fault::Follower(heap)) => {
                    monitor.trace(&|| format!("{:?}: heap {heap} is like no word", guess.sizes()));
                    vec![Free { heap, index: 2, period: 2 }]
                }
                Some(Fault::Word(word)) => {
                    monitor.trace(&|| format!("{:?}: fails at {word:?}", guess.sizes()));
                    let word: Word = word.into_iter().filter(|(h, _)| !guess.counters.contains(h)).collect();
                    if word.is_empty() {
                        return Ok(None);
                    }
                    // It goes on along further heaps.
                    let many = word.iter().filter(|&&(_, n)| n >= MANY).map(|&(h, _)| h);
                    let mut counters: Vec<u32> = many.chain(guess.counters.iter().copied()).collect();
                    counters.sort_unstable();
                    if counters.len() > guess.counters.len() && counters.len() <= MOST_COUNTERS {
                        match Self::guess(&guess.candidate(), &[], None, table, &counters, monitor)? {
                            Some(next) => guess = next,
                            None => return Ok(None),
                        }
                        continue;
                    }
                    let follows = |heap: u32| matches!(guess.values[heap as usize], HeapValue::Follower { .. });
                    let mut free = choice(&guess.candidate(), &word);
                    // The powers of a follower's element say nothing of its own.
                    free.iter_mut().filter(|f| follows(f.heap)).for_each(|f| f.index = f.index.max(2));
                    free
                }
            };
            match guess.with_free(&free, table, monitor)? {
                Some(next) => guess = next,
                None => return Ok(None),
            }
        }
        Ok(None)
    }

    /// The counter form with one more heap, that of the table's last one, found by repairs.
    pub(super) fn with_next_heap(
        &self,
        table: &OptionTable,
        accept: &dyn Fn(&Self) -> Result<bool, StopReason>,
        monitor: &dyn Monitor,
    ) -> Result<Option<Self>, StopReason> {
        let mut more = self.clone();
        let heap = index(more.values.len());
        more.values.push(HeapValue::Element(0));
        match more.with_free(&[Free { heap, index: 2, period: 2 }], table, monitor)? {
            Some(guess) => guess.repaired(table, accept, monitor),
            None => Ok(None),
        }
    }

    /// A new guess in which some heaps are free.
    fn with_free(&self, free: &[Free], table: &OptionTable, monitor: &dyn Monitor) -> Result<Option<Self>, StopReason> {
        Self::guess(&self.candidate(), free, self.shape.as_ref(), table, &self.counters, monitor)
    }

    /// The monoid with the words of all heaps; those of followers have counters in them.
    fn candidate(&self) -> Candidate {
        let value = |heap| self.value(heap).0;
        let word = |heap: usize| {
            let (element, counts) = self.value(heap);
            spelled(&self.monoid, &self.counters, element, &counts)
        };
        Candidate {
            p: Bits::empty(self.monoid.order()),
            values: (0..self.values.len()).map(value).collect(),
            words: (0..self.values.len()).map(word).collect(),
            monoid: self.monoid.clone(),
        }
    }

    /// What is wrong with few copies of the counters; the least sum, when it is one.
    fn fault(&self, table: &OptionTable, monitor: &dyn Monitor) -> Result<Option<Fault>, StopReason> {
        let r = self.counters.len();
        let empty = Bits::empty(self.monoid.order());
        let rows = Rows::new(&self.monoid, &empty);
        let heaps: Vec<Moves> = (1..self.values.len())
            .filter(|&heap| !table.inert(heap))
            .map(|heap| {
                let mut options: Vec<Pair> = table.options(heap).map(|parts| self.sum(parts)).collect();
                options.sort_unstable();
                options.dedup();
                Moves { heap: index(heap), own: self.value(heap), options }
            })
            .collect();
        let follows = |heap: u32| matches!(self.values[heap as usize], HeapValue::Follower { .. });
        let counter = |heap: u32| self.counters.iter().position(|&c| c == heap);
        let largest = heaps.iter().flat_map(|h| h.options.iter().chain([&h.own])).flat_map(|p| &p.1).max().copied();
        let window = points(r, largest.unwrap_or(0) as usize + 2);
        let at = |a: &[u32]| self.slice(32, |i, j| a[i] >> j & 1 == 1);
        let wherever = |values: &[Pair], a: &[u32]| self.reaching(&rows, values, a);
        let minus = |a: &[u32], i: usize| {
            let mut a = a.to_vec();
            a[i] -= 1;
            a
        };
        let mut least: Option<Word> = None;
        let mut lower = |word: Word| {
            if least.as_ref().is_none_or(|l| colex(&word, l).is_lt()) {
                least = Some(word);
            }
        };
        let mut loud: Option<u32> = None;
        let mut seen: FxHashSet<Vec<u32>> = FxHashSet::default();
        let side = match r {
            1 => 40,
            2 => 11,
            _ => 6,
        };
        for a in points(r, side) {
            let a: Vec<u32> = a.iter().map(|&n| index(n)).collect();
            // Everything below depends on the slices around, and on which counters there are.
            let name = |b: &Vec<usize>| {
                let near: Option<Vec<u32>> = a.iter().zip(b).map(|(a, &b)| (a + index(b)).checked_sub(1)).collect();
                near.map_or(u32::MAX, |near| {
                    let mut state = 0;
                    for j in 0..32 {
                        let digit = near.iter().enumerate().fold(0, |d, (i, n)| d | usize::from(n >> j & 1 == 1) << i);
                        state = self.next[state as usize][digit];
                    }
                    self.output[state as usize]
                })
            };
            if !seen.insert(window.iter().map(name).collect()) {
                continue;
            }
            monitor.check(seen.len() as u64, None)?;
            let beside = |x: usize| spelled(&self.monoid, &self.counters, index(x), &a);
            let mut start = at(&a).complement();
            let mut silent: Vec<Silent> = Vec::new();
            for h in &heaps {
                let own = wherever(std::slice::from_ref(&h.own), &a);
                let mut reached = wherever(&h.options, &a);
                if let Some(x) = own.first_common(&reached) {
                    lower(times(&beside(x), h.heap, 1));
                }
                reached.unite(&own);
                let contexts = reached.complement();
                if let Some(i) = counter(h.heap) {
                    if a[i] > 0 {
                        let loud = wherever(&h.options, &minus(&a, i));
                        start.intersect(&loud.complement());
                    }
                } else if follows(h.heap) {
                    let HeapValue::Follower { like, .. } = &self.values[h.heap as usize] else { continue };
                    let quiet = like.iter().any(|word| {
                        let options = self.options_of(word, table);
                        contexts.first_common(&wherever(&options, &a)).is_none()
                    });
                    if !quiet && loud.is_none() {
                        loud = Some(h.heap);
                    }
                } else {
                    silent.push(Silent { heap: h.heap, value: h.own.0, contexts });
                }
            }
            if a.iter().any(|&n| n > 0) && start.has(0) {
                lower(beside(0));
            }
            let mut search = Search::new(start);
            for s in &silent {
                if let Some(word) = search.extend(&rows, s, u32::MAX, monitor)? {
                    let counted = self.counters.iter().zip(&a).filter(|&(_, &n)| n > 0);
                    lower(counted.fold(word, |word, (&h, &n)| times(&word, h, n)));
                    break;
                }
            }
        }
        Ok(least.map(Fault::Word).or(loud.map(Fault::Follower)))
    }

    /// The values of the options of a word of heaps.
    pub(super) fn options_of(&self, word: &[(u32, u32)], table: &OptionTable) -> Vec<(u32, Vec<u32>)> {
        let mut options = Vec::new();
        for &(heap, _) in word {
            let rest: Vec<u32> =
                word.iter().flat_map(|&(h, n)| std::iter::repeat_n(h, (n - u32::from(h == heap)) as usize)).collect();
            options.extend(table.options(heap as usize).map(|parts| self.sum(&[&rest[..], parts].concat())));
        }
        options.sort_unstable();
        options.dedup();
        options
    }
}
