//! Misère play of heap games by a finite commutative monoid and counters. Forms "quotient" and "counters": a quotient has no counters.
//!
//! `docs/theory/misere.md` has the theorems: the P-check and the N-check at every vector of counts, by finitely many tuples of slices.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::rc::Rc;

use serde_json::Value;

use crate::format::{Counters, Follower, HeapGame, Infinite, Period, Quotient};
use crate::heap::Rules;
use crate::json::typed;
use crate::meter::{Held, Meter};
use crate::monoid::{Monoid, Products, Set, has, inside, put};
use crate::{Failure, normal_play, refuse};

/// The most joint states of the automaton reading several sums at once.
const MOST_JOINT_STATES: usize = 1 << 20;
/// Counts and steps beyond this are refused: the carries of sums stay small.
const LARGEST: u32 = 1_000_000;

/// A value in G × ℕʳ.
type Pair = (usize, Vec<u32>);
/// A sum as heaps and how often each.
type Word = Vec<(usize, u32)>;

/// The claim: a sum with the value (g, a) is a P-position exactly when g lies in the slice of a.
struct Claim {
    monoid: Monoid,
    counters: Vec<usize>,
    /// The value of each heap.
    values: Vec<Pair>,
    /// The words like each heap that follows counters.
    followers: BTreeMap<usize, Vec<Word>>,
    slices: Vec<Set>,
    /// The automaton that reads digit vectors and names slices.
    next: Vec<Vec<u32>>,
    output: Vec<u32>,
}

/// Form "quotient".
pub(crate) fn quotient(
    game: &HeapGame,
    misere: bool,
    certificate: Quotient,
    meter: &Meter<'_>,
) -> Result<String, Failure> {
    if !misere {
        return refuse("a quotient is a strategy for misère play");
    }
    let rules = Rules::new(game)?;
    let monoid = Monoid::new(certificate.steps, certificate.generators.len(), meter)?;
    let p = monoid.set("certificate.p", &certificate.p)?;
    let (values, generators) = (certificate.values, certificate.generators);
    if values.first() != Some(&0) || values.iter().any(|&x| x >= monoid.order) {
        return refuse("certificate.values: heap 0 is not element 0, or there is no such element");
    }
    // By Grundy values the generators may be larger heaps.
    if certificate.kernel.is_none() {
        generated(&monoid, &generators, |heap| values.get(heap).copied())?;
    }
    monoid.reduced(&p, meter)?;
    let claim = Claim {
        monoid,
        counters: vec![],
        values: values.iter().map(|&element| (element, vec![])).collect(),
        followers: BTreeMap::new(),
        slices: vec![p],
        next: vec![vec![0]],
        output: vec![0],
    };
    outcomes(&claim, &rules, meter)?;
    let Claim { monoid, slices, .. } = claim;
    let reach = match (certificate.period, certificate.kernel) {
        (None, None) => format!("of size at most {}", values.len() - 1),
        (Some(period), None) => {
            periodic(&period, &rules, &values)?;
            "of any size".to_owned()
        }
        (None, Some(sequence)) => {
            normal_play::check(&monoid, &slices[0], &values, &generators, &rules, sequence, meter)?;
            "of any size".to_owned()
        }
        _ => return refuse("certificate: it has a period and a kernel"),
    };
    Ok(format!(
        "in misère play heaps {reach} have the quotient of order {} with {} P-elements in the file",
        monoid.order,
        certificate.p.len()
    ))
}

/// Each generator is the value of its heap, so that the values generate the monoid.
fn generated(monoid: &Monoid, generators: &[usize], value: impl Fn(usize) -> Option<usize>) -> Result<(), Failure> {
    match generators.iter().zip(&monoid.steps).find(|(heap, map)| value(**heap) != Some(map[0] as usize)) {
        Some((heap, _)) => refuse(format!("certificate.generators: heap {heap} does not have its own value")),
        None => Ok(()),
    }
}

/// The values repeat so far that every larger heap has the option values of an earlier one.
fn periodic(period: &Period, rules: &Rules, values: &[usize]) -> Result<(), Failure> {
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
    if last < needed {
        return refuse(format!("certificate.period: values up to heap {needed} are needed to prove the period"));
    }
    Ok(())
}

/// Form "counters".
pub(crate) fn counters(
    game: &HeapGame,
    misere: bool,
    certificate: Counters,
    meter: &Meter<'_>,
) -> Result<String, Failure> {
    if !misere {
        return refuse("counters are a strategy for misère play");
    }
    let rules = Rules::new(game)?;
    let monoid = Monoid::new(certificate.steps, certificate.generators.len(), meter)?;
    let counters = certificate.counters;
    let r = counters.len();
    if r == 0 || r > 6 || counters.windows(2).any(|w| w[0] >= w[1]) {
        return refuse("certificate.counters: not one to six increasing heaps");
    }
    let unit = |i: usize| (0..r).map(|j| u32::from(i == j)).collect();
    let mut values: Vec<Pair> = Vec::new();
    let mut followers = BTreeMap::new();
    for (heap, value) in certificate.values.into_iter().enumerate() {
        let place = format!("certificate.values[{heap}]");
        let (element, counts) = match (value, counters.iter().position(|&c| c == heap)) {
            (Value::Null, Some(i)) => (0, unit(i)),
            (Value::Object(map), None) => {
                let follower: Follower = typed(&place, Value::Object(map))?;
                let copies = follower.like.iter().flatten().map(|(_, copies)| copies);
                let moderate = copies.clone().all(|&n| n > 0) && copies.chain(&follower.counts).all(|&n| n <= 1000);
                if follower.counts.len() != r || !(1..=16).contains(&follower.like.len()) || !moderate {
                    return refuse(format!("{place}: not one count for each counter, or numbers out of bounds"));
                }
                followers.insert(heap, follower.like);
                (follower.element, follower.counts)
            }
            (value, None) => (typed(&place, value)?, vec![0; r]),
            _ => return refuse(format!("{place}: not null, though the heap is a counter")),
        };
        if element >= monoid.order {
            return refuse(format!("{place}: there is no element {element}"));
        }
        values.push((element, counts));
    }
    if values.first() != Some(&(0, vec![0; r])) || counters.iter().any(|&h| h >= values.len()) {
        return refuse("certificate.values: heap 0 is not element 0, or a counter is beyond the values");
    }
    let plain = |heap: usize| values.get(heap).filter(|value| value.1.iter().all(|&n| n == 0)).map(|value| value.0);
    generated(&monoid, &certificate.generators, plain)?;
    if certificate.slices.len().saturating_mul(monoid.order.div_ceil(64)) > 1 << 26 {
        return refuse("certificate.slices: too many for this checker");
    }
    let slices: Vec<Set> =
        certificate.slices.iter().map(|slice| monoid.set("certificate.slices", slice)).collect::<Result<_, _>>()?;
    let (next, output) = (certificate.next, certificate.output);
    if next.iter().any(|row| row.len() != 1 << r || row.iter().any(|&s| s as usize >= next.len())) {
        return refuse("certificate.next: not one state for each digit vector");
    }
    if next.is_empty() || output.len() != next.len() || output.iter().any(|&s| s as usize >= slices.len()) {
        return refuse("certificate.output: not one slice for each state");
    }
    // Zeros after the last digit change nothing, so the slice of a vector is well defined.
    if let Some(s) = (0..next.len()).find(|&s| output[next[s][0] as usize] != output[s]) {
        return refuse(format!("certificate.next: a further zero changes the slice of state {s}"));
    }
    let claim = Claim { monoid, counters, values, followers, slices, next, output };
    outcomes(&claim, &rules, meter)?;
    let infinite = match &certificate.infinite {
        None => "",
        Some(reason) => {
            infinite(reason, &claim, meter)?;
            ", and their misère quotient is infinite"
        }
    };
    Ok(format!(
        "in misère play a sum of heaps of size at most {} is a P-position exactly when the automaton with {} states says so, \
         from the numbers of heaps {:?} and the element of the rest in the monoid of order {}{infinite}",
        claim.values.len() - 1,
        claim.next.len(),
        claim.counters,
        claim.monoid.order
    ))
}

fn add(a: &[u32], b: &[u32]) -> Vec<u32> {
    a.iter().zip(b).map(|(a, b)| a + b).collect()
}

/// The slices F(a + o₁), F(a + o₂), … that occur together, for a ∈ ℕʳ whose entries outside some set are 0.
struct Tuples {
    offsets: Vec<Vec<u32>>,
    found: BTreeSet<Vec<u32>>,
    _held: Held,
}

impl Claim {
    /// The tuples of the offsets, found by running the automaton on all sums a + o at once, each with its carries; a is 0 outside `free`.
    fn tuples(&self, offsets: BTreeSet<Vec<u32>>, free: usize, meter: &Meter<'_>) -> Result<Tuples, Failure> {
        let r = self.counters.len();
        let advance = |joint: &mut [u32], digits: usize| {
            for one in joint.chunks_exact_mut(r + 1) {
                let mut d = 0;
                for (i, carry) in one[..r].iter_mut().enumerate() {
                    let sum = *carry + u32::from(digits >> i & 1 == 1);
                    d |= ((sum & 1) as usize) << i;
                    *carry = sum >> 1;
                }
                one[r] = self.next[one[r] as usize][d];
            }
        };
        let offsets: Vec<Vec<u32>> = offsets.into_iter().collect();
        let first: Rc<[u32]> = offsets.iter().flat_map(|o| o.iter().copied().chain([0])).collect();
        let (size, mut held) = (first.len() as u64, meter.hold(0)?);
        let mut seen: HashSet<Rc<[u32]>> = HashSet::from([first.clone()]);
        let mut stack = vec![first];
        let mut found = BTreeSet::new();
        while let Some(joint) = stack.pop() {
            let mut rest = joint.to_vec();
            meter.work(size)?;
            while rest.chunks_exact(r + 1).any(|one| one[..r].iter().any(|&c| c > 0)) {
                meter.work(size)?;
                advance(&mut rest, 0);
            }
            let tuple = rest.chunks_exact(r + 1).map(|one| self.output[one[r] as usize]).collect();
            if found.insert(tuple) {
                held.grow(4 * offsets.len() as u64 + 60)?;
            }
            for digits in (0..1 << r).filter(|d| d & !free == 0) {
                meter.work(size)?;
                let mut next = joint.to_vec();
                advance(&mut next, digits);
                if !seen.contains(next.as_slice()) {
                    held.grow(4 * size + 100)?;
                    let next: Rc<[u32]> = next.into();
                    seen.insert(next.clone());
                    stack.push(next);
                }
            }
            if seen.len() > MOST_JOINT_STATES {
                return Err(Failure::TooLarge(format!(
                    "larger than this checker allows: the sums a + o have more than {MOST_JOINT_STATES} joint states"
                )));
            }
        }
        Ok(Tuples { offsets, found, _held: held })
    }

    /// The values of the options of a heap.
    fn options(
        &self,
        rules: &Rules,
        heap: usize,
        products: &mut Products<'_>,
        meter: &Meter<'_>,
    ) -> Result<BTreeSet<Pair>, Failure> {
        let mut held = meter.hold(0)?;
        let mut options: BTreeSet<Pair> = BTreeSet::new();
        rules.options(heap, meter, &mut |parts| {
            let mut sum: Pair = (0, vec![0; self.counters.len()]);
            for &h in parts {
                let (element, counts) = &self.values[h];
                sum.0 = products.row(*element)?[sum.0] as usize;
                sum.1.iter_mut().zip(counts).for_each(|(a, b)| *a += b);
            }
            if options.insert(sum) {
                held.grow(80 + 4 * self.counters.len() as u64)?;
            }
            Ok(())
        })?;
        Ok(options)
    }

    /// The value of a sum.
    fn value(&self, word: &[(usize, u32)], products: &mut Products<'_>, meter: &Meter<'_>) -> Result<Pair, Failure> {
        let mut total: Pair = (0, vec![0; self.counters.len()]);
        for &(heap, copies) in word {
            for _ in 0..copies {
                meter.work(1)?;
                total.0 = products.row(self.values[heap].0)?[total.0] as usize;
                total.1 = add(&total.1, &self.values[heap].1);
            }
        }
        Ok(total)
    }

    /// {c : c·g lies in the slice at o for one of the pairs (g, o)}, for one tuple of slices.
    fn reached<'p>(
        &self,
        pairs: impl IntoIterator<Item = &'p Pair>,
        offsets: &[Vec<u32>],
        tuple: &[u32],
        products: &mut Products<'_>,
    ) -> Result<Set, Failure> {
        let mut set: Set = vec![0; self.monoid.order.div_ceil(64)];
        for (element, offset) in pairs {
            let i = offsets.binary_search(offset).expect("all offsets are listed");
            let there = products.shifted(*element, &self.slices[tuple[i] as usize])?;
            set.iter_mut().zip(&there).for_each(|(a, b)| *a |= b);
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

/// The kinds of the heaps that have options and follow no counters.
fn kinds(claim: &Claim, rules: &Rules, products: &mut Products<'_>, meter: &Meter<'_>) -> Result<Vec<Kind>, Failure> {
    let mut kinds: Vec<Kind> = Vec::new();
    let mut seen: HashSet<(Option<usize>, usize, BTreeSet<Pair>)> = HashSet::new();
    for heap in (1..claim.values.len()).filter(|heap| !claim.followers.contains_key(heap)) {
        meter.work(1)?;
        let options = claim.options(rules, heap, products, meter)?;
        let counter = claim.counters.iter().position(|&c| c == heap);
        let element = claim.values[heap].0;
        if options.is_empty() {
            if counter.is_some() || element != 0 {
                return refuse(format!("certificate.values: heap {heap} has no option but is not element 0"));
            }
        } else if seen.insert((counter, element, options.clone())) {
            kinds.push(Kind { heap, counter, element, options });
        }
    }
    Ok(kinds)
}

/// P-check and N-check for every vector of counts.
fn outcomes(claim: &Claim, rules: &Rules, meter: &Meter<'_>) -> Result<(), Failure> {
    let r = claim.counters.len();
    if has(&claim.slices[claim.output[0] as usize], 0) {
        return refuse("certificate: the empty sum, an N-position in misère play, is in P");
    }
    rules.foresee(claim.values.len() - 1, meter)?;
    let mut products = Products::new(&claim.monoid, meter)?;
    let kinds = kinds(claim, rules, &mut products, meter)?;
    for (&heap, like) in &claim.followers {
        follows(claim, rules, heap, like, &mut products, meter)?;
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
        let offsets =
            kinds.iter().flat_map(|(_, options)| options.iter().map(|(_, o)| o.clone())).chain([unit.clone()]);
        let tuples = claim.tuples(offsets.collect(), present, meter)?;
        for tuple in &tuples.found {
            one_vector(claim, &kinds, &tuples.offsets, tuple, &unit, &mut products, meter)?;
        }
    }
    Ok(())
}

/// Both checks at one vector of counts, by the slices of the vector and of the options.
fn one_vector(
    claim: &Claim,
    kinds: &[(&Kind, Vec<Pair>)],
    offsets: &[Vec<u32>],
    tuple: &[u32],
    unit: &[u32],
    products: &mut Products<'_>,
    meter: &Meter<'_>,
) -> Result<(), Failure> {
    let order = claim.monoid.order;
    let mut start: Set = claim.reached([&(0, unit.to_vec())], offsets, tuple, products)?.iter().map(|w| !w).collect();
    let mut silent: Vec<(usize, Set)> = Vec::new();
    let mut held = meter.hold(0)?;
    for (kind, options) in kinds {
        meter.steps(order.saturating_mul(options.len() + 1))?;
        let own = claim.reached([&(kind.element, unit.to_vec())], offsets, tuple, products)?;
        let reached = claim.reached(options, offsets, tuple, products)?;
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
    let mut next = 0;
    while next < known.len() {
        let (value, quiet) = known[next].clone();
        let times_value: Rc<[u32]> = products.row(value)?;
        for (heap_value, heap_quiet) in &silent {
            meter.steps(order)?;
            let times_heap = products.row(*heap_value)?;
            let mut both: Set = vec![0; quiet.len()];
            let mut any = false;
            for c in 0..order {
                if has(&quiet, times_heap[c] as usize) && has(heap_quiet, times_value[c] as usize) {
                    put(&mut both, c);
                    any = true;
                }
            }
            if !any {
                continue;
            }
            if has(&both, 0) {
                return refuse("a sum predicted to be an N-position has no option in P");
            }
            let value = times_heap[value] as usize;
            let earlier = at.entry(value).or_default();
            meter.steps(earlier.len().saturating_mul(both.len()))?;
            if !earlier.iter().any(|&i| inside(&both, &known[i].1)) {
                held.grow(8 * both.len() as u64 + 60)?;
                earlier.push(known.len());
                known.push((value, both));
            }
        }
        next += 1;
    }
    Ok(())
}

/// A heap that follows counters passes the P-check, and wherever it is silent one of the words like it is silent too. So a sum that
/// fails the N-check stays one that fails when the heap is replaced by that word, and sums without followers are enough.
fn follows(
    claim: &Claim,
    rules: &Rules,
    heap: usize,
    like: &[Word],
    products: &mut Products<'_>,
    meter: &Meter<'_>,
) -> Result<(), Failure> {
    let own = claim.values[heap].clone();
    let options = claim.options(rules, heap, products, meter)?;
    if options.is_empty() {
        return refuse(format!("certificate.values: heap {heap} has no option but follows counters"));
    }
    // The values of the options of each word: one heap of it is replaced.
    let mut words: Vec<BTreeSet<Pair>> = Vec::new();
    for word in like {
        if word.iter().any(|(h, _)| *h == 0 || *h >= claim.values.len() || claim.followers.contains_key(h)) {
            return refuse(format!("certificate.values: heap {heap} is like no sum of counters and elements"));
        }
        if claim.value(word, products, meter)? != own {
            return refuse(format!("certificate.values: heap {heap} has another value than a word like it"));
        }
        let mut all: BTreeSet<Pair> = BTreeSet::new();
        for i in 0..word.len() {
            let mut others = word.clone();
            others[i].1 -= 1;
            let rest = claim.value(&others, products, meter)?;
            for (element, counts) in claim.options(rules, word[i].0, products, meter)? {
                all.insert((products.row(element)?[rest.0] as usize, add(&rest.1, &counts)));
            }
        }
        // A sum without moves is an N-position without an option in P: nothing that fails the N-check may be reduced to it.
        if all.is_empty() {
            return refuse(format!("certificate.values: heap {heap} is like a sum without moves"));
        }
        words.push(all);
    }
    let pairs = || options.iter().chain(words.iter().flatten()).chain([&own]);
    let everywhere = (1 << claim.counters.len()) - 1;
    let tuples = claim.tuples(pairs().map(|(_, o)| o.clone()).collect(), everywhere, meter)?;
    let cost = pairs().count().saturating_mul(claim.monoid.order);
    for tuple in &tuples.found {
        meter.steps(cost)?;
        let mine = claim.reached([&own], &tuples.offsets, tuple, products)?;
        let reached = claim.reached(&options, &tuples.offsets, tuple, products)?;
        if mine.iter().zip(&reached).any(|(a, b)| a & b != 0) {
            return refuse(format!("heap {heap}: a P-position with an option in P"));
        }
        // Contexts in which every word like it has a winning option.
        let mut loud: Set = vec![u64::MAX; mine.len()];
        for word in &words {
            let set = claim.reached(word, &tuples.offsets, tuple, products)?;
            loud.iter_mut().zip(&set).for_each(|(a, b)| *a &= b);
        }
        if (0..mine.len()).any(|w| loud[w] & !(mine[w] | reached[w]) != 0) {
            return refuse(format!("heap {heap} is silent where no word like it is"));
        }
    }
    Ok(())
}

/// The quotient is infinite: no power of one of the counters repeats.
fn infinite(reason: &Infinite, claim: &Claim, meter: &Meter<'_>) -> Result<(), Failure> {
    let r = claim.counters.len();
    let Infinite { step, from, counter: i, at, period, far } = reason;
    let small = |v: &Vec<u32>| v.len() == r && v.iter().all(|&x| x <= LARGEST);
    if ![step, from, at].into_iter().all(small) || *i >= r || *period > LARGEST || *far > LARGEST {
        return refuse("certificate.infinite: not one small number for each counter");
    }
    if step[*i] == 0 || *period == 0 || !far.is_multiple_of(*period) || at.iter().zip(from).any(|(a, f)| a < f) {
        return refuse("certificate.infinite: the numbers do not fit together");
    }
    let along = |n: u32| (0..r).map(|k| if k == *i { n } else { 0 }).collect::<Vec<u32>>();
    let equal = |a: Vec<u32>, b: Vec<u32>, free: usize| -> Result<bool, Failure> {
        let tuples = claim.tuples(BTreeSet::from([a, b]), free, meter)?;
        let slices = |tuple: &Vec<u32>| tuple.iter().map(|&s| &claim.slices[s as usize]).collect::<BTreeSet<_>>().len();
        Ok(tuples.found.iter().all(|tuple| slices(tuple) == 1))
    };
    if !equal(from.clone(), add(from, step), (1 << r) - 1)? {
        return refuse("certificate.infinite: the slices do not repeat along the step");
    }
    if !equal(add(at, &along(*far)), add(at, &along(far + period)), 1 << i)? {
        return refuse("certificate.infinite: the slices do not repeat along the counter");
    }
    if equal(at.clone(), add(at, &along(*far)), 0)? {
        return refuse("certificate.infinite: the slices far out are the same as at the point");
    }
    Ok(())
}
