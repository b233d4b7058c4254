//! Repairs of guesses with counters.
//!
//! The finite search never comes to an end along the counters, so it never sees what is wrong further on. Here the counters stay
//! free, and the failures of the guess with few copies of them show which of the other heaps must be free too.

use std::cell::RefCell;
use std::rc::Rc;

use rustc_hash::{FxHashMap, FxHashSet};

use super::OptionTable;
use super::bits::Bits;
use super::build::choice;
use super::candidate::{Candidate, Free};
use super::counters::{Counters, HeapValue};
use super::grid::WIDEST;
use super::guess::{Boxed, LARGE, points, spelled};
use super::monoid::{Rows, Word, colex, index, times};
use super::shift::points_within;
use super::silent::{Search, Silent, possible};
use semilinear::run::{Monitor, StopReason};

/// Sets that are kept have no more bits together.
const MOST_BITS: usize = 1 << 31;
/// A box of so many words is filled in little time.
const CHEAP: usize = 1 << 23;
/// And a box of so many in very little.
const QUITE_CHEAP: usize = 1 << 22;
/// Faults are looked for with fewer copies than this, by the number of counters.
const FARTHEST: [usize; MOST_COUNTERS] = [FAR, FAR, 12, 9, 7, 6];
/// Boxes of three or more counters are narrow as long as something is wrong there.
pub(super) const NARROW: usize = 12;
/// No more repairs than this are tried.
const ROUNDS: usize = 80;
/// A heap with so many copies in a failure becomes a counter.
const MANY: u32 = 5;
/// Where no step shows, faults are looked for with fewer copies than this.
const FAR: usize = 24;
/// Where no step shows on some faces, the box becomes so much wider along them,
const WIDER: usize = 8;
/// so often for the same counters,
const WIDENED: usize = 5;
/// as long as it has fewer vectors of counts.
const MOST_POINTS: usize = 1 << 27;
/// No guess has more counters.
const MOST_COUNTERS: usize = 6;

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
        self.repaired_with(Vec::new(), false, table, accept, monitor)
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
        more.repaired_with(vec![Free { heap, index: 2, period: 2 }], true, table, accept, monitor)
    }

    /// The repairs, with the heaps of `free` free at first. What is infinite without the last heap is so with it, and needs no reason.
    fn repaired_with(
        &self,
        mut free: Vec<Free>,
        larger: bool,
        table: &OptionTable,
        accept: &dyn Fn(&Self) -> Result<bool, StopReason>,
        monitor: &dyn Monitor,
    ) -> Result<Option<Self>, StopReason> {
        let mut counters = self.counters.clone();
        let mut candidate = self.candidate();
        let mut wide = false;
        // What is added to the widths of some counters, and how often.
        let (mut wider_by, mut widened) = (FxHashMap::<u32, usize>::default(), 0);
        for _ in 0..ROUNDS {
            let shape = self.shape.as_ref().filter(|_| counters == self.counters);
            // With a known shape a narrow box is enough, as long as that fits.
            let known = self.shape.as_ref().map(|shape| shape.bounds(self.counters.len()));
            let width = |counter: &u32| {
                let place = self.counters.binary_search(counter).ok();
                let bound = place.and_then(|i| known.as_ref().map(|bounds| bounds[i]));
                bound.map_or(if counters.len() > 2 { NARROW } else { WIDEST }, |n| (n + 8).max(14))
            };
            let mut widths: Vec<usize> = counters.iter().map(width).collect();
            let words =
                |widths: &[usize]| widths[1..].iter().fold(candidate.monoid.order(), |n, w| n.saturating_mul(*w));
            // Options of a counter add to others, and what lies beyond the box is guessed: a box should be as wide as costs little, unless a shape
            // is known.
            let (cheap, enough) = if wide { (CHEAP, NARROW + 4) } else { (QUITE_CHEAP, 0) };
            for _ in 0..if shape.is_some() && !wide { 0 } else { WIDEST } {
                let wider: Vec<usize> = widths.iter().map(|width| (width + 1).min(WIDEST)).collect();
                if words(&wider) > cheap && widths.iter().any(|&width| width >= enough) {
                    break;
                }
                widths = wider;
            }
            for (width, counter) in widths.iter_mut().zip(&counters) {
                *width = (*width + wider_by.get(counter).copied().unwrap_or(0)).min(WIDEST);
            }
            let points = widths.iter().fold(1_usize, |n, w| n.saturating_mul(*w));
            let Some(boxed) = Boxed::new(&candidate, &free, (LARGE, &widths), table, &counters, monitor)? else {
                return Ok(None);
            };
            let form = &boxed.form;
            candidate = form.candidate();
            let fault = match boxed.fault(table, monitor)? {
                None => {
                    let mut narrow = Vec::new();
                    match boxed.fitted(shape, monitor)? {
                        Ok(guess) => {
                            let asked = larger || counters.len() > 2 || guess.infinity.is_some();
                            if asked && accept(&guess)? {
                                return Ok(Some(guess));
                            }
                        }
                        Err(all) => narrow = all,
                    }
                    // Some faces must be seen further along few counters.
                    let few = !narrow.is_empty() && narrow.len() < counters.len();
                    let again = wide && few && widened < WIDENED && points < MOST_POINTS;
                    if again {
                        widened += 1;
                        for i in narrow {
                            *wider_by.entry(counters[i]).or_default() += WIDER;
                        }
                    }
                    // The slices show no step, or a wrong one: something is wrong further out.
                    match boxed.fault_below(FAR, &mut FxHashSet::default(), table, monitor)? {
                        None if wide && !again => return Ok(None),
                        None => {
                            wide = true;
                            free = Vec::new();
                            continue;
                        }
                        Some(fault) => fault,
                    }
                }
                Some(fault) => fault,
            };
            wide &= counters.len() < 3;
            let word = match fault {
                Fault::Follower(heap) => {
                    monitor.trace(&|| format!("heap {heap} is like no word"));
                    free = vec![Free { heap, index: 2, period: 2 }];
                    continue;
                }
                Fault::Word(word) => word,
            };
            monitor.trace(&|| format!("fails at {word:?}"));
            let word: Word = word.into_iter().filter(|(h, _)| !counters.contains(h)).collect();
            if word.is_empty() {
                return Ok(None);
            }
            // It goes on along further heaps.
            let many: Vec<u32> = word.iter().filter(|&&(_, n)| n >= MANY).map(|&(h, _)| h).collect();
            if !many.is_empty() && counters.len() + many.len() <= MOST_COUNTERS {
                counters.extend(many);
                counters.sort_unstable();
                free = Vec::new();
                (wide, widened) = (false, 0);
                continue;
            }
            let follows = |heap: u32| matches!(form.values[heap as usize], HeapValue::Follower { .. });
            free = choice(&candidate, &word, monitor)?;
            // The powers of a follower's element say nothing of its own.
            free.iter_mut().filter(|f| follows(f.heap)).for_each(|f| f.index = f.index.max(2));
        }
        Ok(None)
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

impl Boxed {
    /// What is wrong with few copies of the counters; the least sum, when it is one.
    fn fault(&self, table: &OptionTable, monitor: &dyn Monitor) -> Result<Option<Fault>, StopReason> {
        // Few first: most faults show there.
        let mut seen = FxHashSet::default();
        for side in [4, 7, 12] {
            let fault = self.fault_below(side, &mut seen, table, monitor)?;
            if fault.is_some() {
                return Ok(fault);
            }
        }
        Ok(None)
    }

    /// The same for counts below `side`, except for vectors of counts around which everything is as `seen` before.
    fn fault_below(
        &self,
        side: usize,
        seen: &mut FxHashSet<Vec<u32>>,
        table: &OptionTable,
        monitor: &dyn Monitor,
    ) -> Result<Option<Fault>, StopReason> {
        let form = &self.form;
        let r = form.counters.len();
        let empty = Bits::empty(form.monoid.order());
        let rows = Rows::new(&form.monoid, &empty);
        let heaps: Vec<Moves> = (1..form.values.len())
            .filter(|&heap| !table.inert(heap))
            .map(|heap| {
                let mut options: Vec<Pair> = table.options(heap).map(|parts| form.sum(parts)).collect();
                options.sort_unstable();
                options.dedup();
                Moves { heap: index(heap), own: form.value(heap), options }
            })
            .collect();
        let follows = |heap: u32| matches!(form.values[heap as usize], HeapValue::Follower { .. });
        let counter = |heap: u32| form.counters.iter().position(|&c| c == heap);
        let largest = heaps.iter().flat_map(|h| h.options.iter().chain([&h.own])).flat_map(|p| &p.1).max().copied();
        let window = points(r, largest.unwrap_or(0) as usize + 2);
        // An option of a word like a follower adds the counts of both.
        let followers = heaps.iter().any(|h| follows(h.heap));
        let reach = (1 + usize::from(followers)) * largest.unwrap_or(0) as usize + 1;
        // {c : c·v in a slice}, as long as there is room for them.
        let known: RefCell<FxHashMap<(u32, u32), Rc<Bits>>> = RefCell::default();
        let quotient = |v: u32, name: u32| -> Rc<Bits> {
            if let Some(set) = known.borrow().get(&(v, name)) {
                return set.clone();
            }
            let (row, there) = (rows.row(v), &form.slices[name as usize]);
            let set = Rc::new(Bits::of(row.len(), |c| there.has(row[c] as usize)));
            let mut known = known.borrow_mut();
            if known.len().saturating_mul(row.len()) > MOST_BITS {
                known.clear();
            }
            known.insert((v, name), set.clone());
            set
        };
        let at = |a: &[u32]| self.name(a).expect("within the box");
        let wherever = |values: &[Pair], a: &[u32]| {
            let mut set = Bits::empty(form.monoid.order());
            for (element, counts) in values {
                let there: Vec<u32> = a.iter().zip(counts).map(|(a, b)| a + b).collect();
                set.unite(&quotient(*element, at(&there)));
            }
            set
        };
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
        let side = side.min(if r > 2 && side < FAR { 6 } else { FARTHEST[r - 1] });
        let sides: Vec<usize> = self.sides.iter().map(|n| side.min(n.saturating_sub(reach))).collect();
        for a in points_within(&sides) {
            let a: Vec<u32> = a.iter().map(|&n| index(n)).collect();
            // Everything below depends on the slices around, and on which counters there are.
            let name = |b: &Vec<usize>| {
                let near: Option<Vec<u32>> = a.iter().zip(b).map(|(a, &b)| (a + index(b)).checked_sub(1)).collect();
                near.map_or(u32::MAX, |near| self.name(&near).unwrap_or(u32::MAX))
            };
            if !seen.insert(window.iter().map(name).collect()) {
                continue;
            }
            monitor.check(seen.len() as u64, None)?;
            let beside = |x: usize| spelled(&form.monoid, &form.counters, index(x), &a);
            let mut start = form.slices[at(&a) as usize].complement();
            let mut silent: Vec<Silent> = Vec::new();
            for h in &heaps {
                monitor.check(seen.len() as u64, None)?;
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
                    let HeapValue::Follower { like, .. } = &form.values[h.heap as usize] else { continue };
                    let quiet = like.iter().any(|word| {
                        let options = form.options_of(word, table);
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
            let failing = possible(&start, &rows, &silent);
            if failing.is_empty() {
                continue;
            }
            let mut search = Search::new(failing);
            for s in &silent {
                if let Some(word) = search.extend(&rows, s, u32::MAX, monitor)? {
                    let counted = form.counters.iter().zip(&a).filter(|&(_, &n)| n > 0);
                    lower(counted.fold(word, |word, (&h, &n)| times(&word, h, n)));
                    break;
                }
            }
        }
        Ok(least.map(Fault::Word).or(loud.map(Fault::Follower)))
    }
}
