//! Misère play of heap games by a finite commutative monoid and counters. Forms "quotient" and "counters": a quotient has no counters.
//!
//! `docs/theory/misere.md` has the theorems: the P-check and the N-check are asked at every vector of counts by one walk, of the slices there.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use serde_json::Value;

use crate::follow::{follower, follows, infinite};
use crate::format::{Counters, HeapGame, Period, Quotient};
use crate::heap::Rules;
use crate::json::{Maybe, typed};
use crate::meter::{Held, Meter};
use crate::monoid::{Monoid, Set, has, inside, put};
use crate::walk::{Label, Part, Table, Walk, explore};
use crate::{Checked, Failure, normal_play, refuse};

/// Joint states of sums may take up so many numbers; there is no longer way.
const MOST_JOINT: usize = 1 << 26;

/// A value in G × ℕʳ.
pub(crate) type Pair = (usize, Vec<u32>);
/// A sum as heaps and how often each.
pub(crate) type Word = Vec<(usize, u32)>;

/// The claim: a sum with the value (g, a) is a P-position exactly when g lies in the slice F(a).
pub(crate) struct Claim<'a> {
    pub rules: Rules,
    pub monoid: Monoid<'a>,
    pub counters: Vec<usize>,
    /// The value of each heap.
    pub values: Vec<Pair>,
    /// The words like each heap that follows counters.
    pub followers: BTreeMap<usize, Vec<Word>>,
    slices: Vec<Set>,
    /// The automaton of F: the label of slice s is s + 1.
    table: Table,
}

/// Form "quotient".
pub(crate) fn quotient(game: &HeapGame, file: Quotient, meter: &Meter<'_>) -> Checked<String> {
    let Quotient { generators, steps, p, values, period, kernel } = file;
    let (size, last) = (p.len(), values.len().saturating_sub(1));
    // By Grundy values the generators may be larger heaps.
    let named = if kernel.is_none() { generators.clone() } else { vec![] };
    let monoid = Monoid::new(steps, generators.len(), meter)?;
    let elements = values.iter().map(|&element| element.into()).collect();
    let table = slice_table(1, &[vec![0, 0]], &[0], 1)?;
    let claim = Claim::new(game, monoid, &named, vec![], elements, &[p], table)?;
    claim.monoid.reduced(&claim.slices[0])?;
    claim.outcomes()?;
    let all_heaps = period.0.is_some() || kernel.is_some();
    match (period.0, kernel) {
        (None, None) => {}
        (Some(period), None) => periodic(&period, &claim.rules, &values)?,
        (None, Some(sequence)) => normal_play::check(&claim, &claim.slices[0], &values, &generators, sequence)?,
        _ => return refuse("certificate: it has a period and a kernel"),
    }
    let (reach, order) = (reach(last, all_heaps), claim.monoid.order);
    Ok(format!("in misère play heaps {reach} have the quotient of order {order} with {size} P-elements in the file"))
}

fn reach(last: usize, all_heaps: bool) -> String {
    if all_heaps { "of any size".to_owned() } else { format!("of size at most {last}") }
}

/// The values repeat so far that every larger heap has the option values of an earlier one (Theorems 2 and 2b).
fn periodic<T: PartialEq>(period: &Period, rules: &Rules, values: &[T]) -> Checked {
    let Period { preperiod, period } = *period;
    let Some((taken, parts)) = rules.bounds() else { return refuse("certificate.period: the code never ends") };
    let last = values.len() - 1;
    if period == 0 || period > last || preperiod > last - period {
        return refuse("certificate.period: the values do not show the period");
    }
    if let Some(m) = (preperiod..=last - period).find(|&m| values[m] != values[m + period]) {
        return refuse(format!("certificate.period: heaps {m} and {} have different values", m + period));
    }
    let needed = (parts * (preperiod.max(1) + period - 1) + taken).max(period + taken);
    refuse_if!(last < needed, "certificate.period: values up to heap {needed} are needed to prove the period");
    Ok(())
}

/// Form "counters".
pub(crate) fn counters(game: &HeapGame, file: Counters, meter: &Meter<'_>) -> Checked<String> {
    let Counters { generators, steps, counters, values, slices, next, output, infinite: Maybe(reason), period } = file;
    if !(1..=6).contains(&counters.len()) || counters.windows(2).any(|w| w[0] >= w[1]) {
        return refuse("certificate.counters: not one to six increasing heaps");
    }
    let table = slice_table(counters.len(), &next, &output, slices.len())?;
    let monoid = Monoid::new(steps, generators.len(), meter)?;
    let claim = Claim::new(game, monoid, &generators, counters, values, &slices, table)?;
    claim.outcomes()?;
    if let Some(reason) = &reason {
        infinite(&claim, reason)?;
    }
    period.iter().try_for_each(|period| periodic(period, &claim.rules, &claim.values))?;
    Ok(format!(
        "in misère play a sum of heaps {} is a P-position exactly when the automaton with {} states says so, \
         from the numbers of heaps {:?} and the element of the rest in the monoid of order {}{}",
        reach(claim.values.len() - 1, period.is_some()),
        next.len(),
        claim.counters,
        claim.monoid.order,
        if reason.is_some() { ", and their misère quotient is infinite" } else { "" }
    ))
}

pub(crate) fn add(a: &[u32], b: &[u32]) -> Vec<u32> {
    a.iter().zip(b).map(|(a, b)| a + b).collect()
}

/// The slices at one vector of counts, moved by some offsets.
pub(crate) struct Here<'a> {
    claim: &'a Claim<'a>,
    offsets: &'a [Vec<u32>],
    pub slices: &'a [Label],
}

impl Here<'_> {
    /// {c : c·g lies in the slice at o for one of the pairs (g, o)}.
    pub fn reached<'p>(&self, pairs: impl IntoIterator<Item = &'p Pair>) -> Checked<Set> {
        let mut set: Set = vec![0; self.claim.monoid.order.div_ceil(64)];
        for (element, offset) in pairs {
            let i = self.offsets.binary_search(offset).expect("all offsets are listed");
            self.claim.monoid.add_quotient(*element, self.claim.slice(self.slices[i]), &mut set)?;
        }
        Ok(set)
    }
}

/// A heap that is not a follower: its own element (the identity for a counter), and the values of its options.
struct Kind {
    heap: usize,
    counter: Option<usize>,
    element: usize,
    options: BTreeSet<Pair>,
}

impl<'a> Claim<'a> {
    /// The claim of a file; each of `generators` is a heap whose element is that of its map, so that the values generate the monoid.
    fn new(
        game: &HeapGame,
        monoid: Monoid<'a>,
        generators: &[usize],
        counters: Vec<usize>,
        claimed: Vec<Value>,
        slices: &[Vec<usize>],
        table: Table,
    ) -> Checked<Self> {
        let r = counters.len();
        let unit = |i: usize| (0..r).map(|j| u32::from(i == j)).collect();
        let (mut values, mut followers) = (Vec::<Pair>::new(), BTreeMap::new());
        for (heap, value) in claimed.into_iter().enumerate() {
            let place = format!("certificate.values[{heap}]");
            let (element, counts) = match (value, counters.iter().position(|&c| c == heap)) {
                (Value::Null, Some(i)) => (0, unit(i)),
                (Value::Object(map), None) => {
                    let (value, like) = follower(&place, map, r)?;
                    followers.insert(heap, like);
                    value
                }
                (value, None) => (typed(&place, value)?, vec![0; r]),
                _ => return refuse(format!("{place}: not null, though the heap is a counter")),
            };
            refuse_if!(element >= monoid.order, "{place}: there is no element {element}");
            values.push((element, counts));
        }
        if values.first() != Some(&(0, vec![0; r])) || counters.iter().any(|&h| h >= values.len()) {
            return refuse("certificate.values: heap 0 is not element 0, or a counter is beyond the values");
        }
        for (&heap, map) in generators.iter().zip(&monoid.steps) {
            if values.get(heap) != Some(&(map[0] as usize, vec![0; r])) {
                return refuse(format!("certificate.generators: heap {heap} does not have its own value"));
            }
        }
        let _held = monoid.meter.hold((slices.len() as u64).saturating_mul(monoid.order as u64 / 8 + 32))?;
        let place = if r == 0 { "certificate.p" } else { "certificate.slices" };
        let slices = slices.iter().map(|slice| monoid.set(place, slice)).collect::<Checked<_>>()?;
        Ok(Self { rules: Rules::new(game)?, monoid, counters, values, followers, slices, table })
    }

    /// The slice of a label.
    pub fn slice(&self, label: Label) -> &Set {
        &self.slices[label as usize - 1]
    }

    /// Asks a check at every vector a ∈ ℕʳ with entries 0 outside `free`, by the slices F(a + o), one for each of the sorted offsets o.
    pub fn everywhere(
        &self,
        offsets: BTreeSet<Vec<u32>>,
        free: usize,
        check: &mut dyn FnMut(&Here<'_>) -> Checked,
    ) -> Checked {
        let (d, meter) = (self.table.dimension, self.monoid.meter);
        let offsets: Vec<Vec<u32>> = offsets.into_iter().collect();
        let unit = |i: usize| (0..d).map(|j| i128::from(i == j)).collect();
        let mut columns: Vec<Vec<i128>> = (0..d).filter(|i| free >> i & 1 == 1).map(unit).collect();
        if columns.is_empty() {
            columns.push(vec![0; d]);
        }
        let at = |o: &Vec<u32>| o.iter().map(|&n| n.into()).chain([0]).take(d).collect::<Vec<i128>>();
        let mut parts: Vec<Part<'_>> =
            offsets.iter().map(|o| Part::image(&self.table, &at(o), columns.clone())).collect();
        let (mut seen, mut held) = (HashSet::<Vec<Label>>::new(), meter.hold(0)?);
        let mut visit = |slices: &[Label]| {
            if !seen.contains(slices) {
                held.grow(8 * slices.len() as u64 + 60)?;
                seen.insert(slices.to_vec());
                check(&Here { claim: self, offsets: &offsets, slices })?;
            }
            Ok(Some(false))
        };
        match explore(columns.len(), &mut parts, &mut visit, MOST_JOINT, meter)? {
            Walk::TooLong => {
                Err(Failure::TooLarge("larger than this checker allows: too many joint states of sums".into()))
            }
            _ => Ok(()),
        }
    }

    /// The value of a sum of heaps.
    pub fn value(&self, heaps: impl IntoIterator<Item = usize>) -> Checked<Pair> {
        let mut sum: Pair = (0, vec![0; self.counters.len()]);
        for heap in heaps {
            self.monoid.meter.work(16)?;
            sum.0 = self.monoid.row(self.values[heap].0)?[sum.0] as usize;
            sum.1.iter_mut().zip(&self.values[heap].1).for_each(|(a, b)| *a += b);
        }
        Ok(sum)
    }

    /// The values of the options of a heap.
    pub fn options(&self, heap: usize) -> Checked<BTreeSet<Pair>> {
        let (mut held, mut options) = (self.monoid.meter.hold(0)?, BTreeSet::new());
        self.rules.options(heap, self.monoid.meter, &mut |parts| {
            if options.insert(self.value(parts.iter().copied())?) {
                held.grow(80 + 4 * self.counters.len() as u64)?;
            }
            Ok(())
        })?;
        Ok(options)
    }

    /// The kinds of the heaps that have options and follow no counters.
    fn kinds(&self, held: &mut Held) -> Checked<Vec<Kind>> {
        let mut kinds: Vec<Kind> = Vec::new();
        let mut seen: HashSet<(Option<usize>, usize, BTreeSet<Pair>)> = HashSet::new();
        for heap in (1..self.values.len()).filter(|heap| !self.followers.contains_key(heap)) {
            self.monoid.meter.work(1)?;
            let options = self.options(heap)?;
            let counter = self.counters.iter().position(|&c| c == heap);
            let element = self.values[heap].0;
            if options.is_empty() {
                if counter.is_some() || element != 0 {
                    return refuse(format!("certificate.values: heap {heap} has no option but is not element 0"));
                }
            } else if seen.insert((counter, element, options.clone())) {
                held.grow((96 + 8 * self.counters.len() as u64) * (options.len() as u64 + 2))?;
                kinds.push(Kind { heap, counter, element, options });
            }
        }
        Ok(kinds)
    }

    /// P-check and N-check for every vector of counts.
    fn outcomes(&self) -> Checked {
        let r = self.counters.len();
        if has(self.slice(self.table.labels[0]), 0) {
            return refuse("certificate: the empty sum, an N-position in misère play, is in P");
        }
        self.rules.foresee(self.values.len() - 1, self.monoid.meter)?;
        let mut held = self.monoid.meter.hold(0)?;
        let kinds = self.kinds(&mut held)?;
        for (&heap, like) in &self.followers {
            follows(self, heap, like)?;
        }
        // The vector of counts is a + e_Z, where Z are the counters that occur: all vectors once.
        for present in 0..1_usize << r {
            let unit: Vec<u32> = (0..r).map(|i| u32::from(present >> i & 1 == 1)).collect();
            // For each kind that occurs, where its options lie: a counter that is moved is counted no more.
            let here = |kind: &Kind| -> Vec<Pair> {
                let less = |i: usize| u32::from(kind.counter == Some(i));
                let moved = |count: &[u32]| (0..r).map(|i| unit[i] + count[i] - less(i)).collect();
                kind.options.iter().map(|(element, count)| (*element, moved(count))).collect()
            };
            let occurs = |kind: &&Kind| kind.counter.is_none_or(|i| present >> i & 1 == 1);
            let kinds: Vec<(&Kind, Vec<Pair>)> = kinds.iter().filter(occurs).map(|kind| (kind, here(kind))).collect();
            let offsets = kinds.iter().flat_map(|(_, options)| options.iter().map(|(_, o)| o.clone()));
            let offsets = offsets.chain([unit.clone()]).collect();
            self.everywhere(offsets, present, &mut |slices| self.one_vector(&kinds, &unit, slices))?;
        }
        Ok(())
    }

    /// Both checks at one vector of counts, by the slices of the vector and of the options.
    fn one_vector(&self, kinds: &[(&Kind, Vec<Pair>)], unit: &[u32], here: &Here<'_>) -> Checked {
        let (order, meter) = (self.monoid.order, self.monoid.meter);
        let mut start: Set = here.reached([&(0, unit.to_vec())])?.iter().map(|w| !w).collect();
        let mut silent: Vec<(usize, Set)> = Vec::new();
        for (kind, options) in kinds {
            let own = here.reached([&(kind.element, unit.to_vec())])?;
            let reached = here.reached(options)?;
            if own.iter().zip(&reached).any(|(a, b)| a & b != 0) {
                return refuse(format!("heap {}: a P-position with an option in P", kind.heap));
            }
            if kind.counter.is_some() {
                start.iter_mut().zip(&reached).for_each(|(s, r)| *s &= !r);
                continue;
            }
            let quiet: Set = own.iter().zip(&reached).map(|(a, b)| !(a | b)).collect();
            if silent.iter().all(|(w, larger)| *w != kind.element || !inside(&quiet, larger)) {
                silent.push((kind.element, quiet));
            }
        }
        if !order.is_multiple_of(64) {
            let last = start.len() - 1;
            start[last] &= (1 << (order % 64)) - 1;
        }
        // Without counters this is the empty sum, which is an N-position without options.
        if unit.contains(&1) && has(&start, 0) {
            return refuse("a sum of counters predicted to be an N-position has no option in P");
        }
        let mut known: Vec<(usize, Set)> = vec![(0, start)];
        let mut at: HashMap<usize, Vec<usize>> = HashMap::from([(0, vec![0])]);
        let (mut held, mut next) = (meter.hold(0)?, 0);
        while next < known.len() {
            let (value, quiet) = known[next].clone();
            let times_value = self.monoid.row(value)?;
            for (heap_value, heap_quiet) in &silent {
                meter.steps(order)?;
                let times_heap = self.monoid.row(*heap_value)?;
                let mut both: Set = vec![0; quiet.len()];
                for c in 0..order {
                    if has(&quiet, times_heap[c] as usize) && has(heap_quiet, times_value[c] as usize) {
                        put(&mut both, c);
                    }
                }
                refuse_if!(has(&both, 0), "a sum predicted to be an N-position has no option in P");
                let value = times_heap[value] as usize;
                let earlier = at.entry(value).or_default();
                meter.steps(earlier.len().saturating_mul(both.len()))?;
                if both.iter().any(|&w| w != 0) && !earlier.iter().any(|&i| inside(&both, &known[i].1)) {
                    held.grow(8 * both.len() as u64 + 60)?;
                    earlier.push(known.len());
                    known.push((value, both));
                }
            }
            next += 1;
        }
        Ok(())
    }
}

/// The automaton of the slices, which reads the r digits of one weight at once, as one that reads them one by one.
fn slice_table(r: usize, next: &[Vec<u32>], output: &[u32], slices: usize) -> Checked<Table> {
    refuse_if!(next.iter().any(|row| row.len() != 1 << r), "certificate.next: not one state for each digit vector");
    if output.len() != next.len() || output.iter().any(|&s| s as usize >= slices) {
        return refuse("certificate.output: not one slice for each state");
    }
    // State s becomes a tree of the digits read so far, numbered from s·(2ʳ − 1) on: prefixes of length t from 2ᵗ − 1 on.
    let tree = (1_u32 << r) - 1;
    let (mut transitions, mut labels) = (Vec::new(), Vec::new());
    for (s, (row, label)) in (0_u32..).zip(next.iter().zip(output)) {
        labels.push(label + 1);
        labels.resize(labels.len() + tree as usize - 1, 0);
        for t in 0..r {
            for prefix in 0..1_u32 << t {
                transitions.extend([prefix, prefix | 1 << t].map(|digits| {
                    if t + 1 < r { s * tree + (2 << t) - 1 + digits } else { row[digits as usize].saturating_mul(tree) }
                }));
            }
        }
    }
    Table::new(r, &transitions, labels)
}
