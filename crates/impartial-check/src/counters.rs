//! Form "counters": misère play of a heap game by a finite monoid times counters.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::rc::Rc;

use serde_json::{Map, Value};

use crate::envelope::File;
use crate::heap::Rules;
use crate::meter::{Held, Meter};
use crate::quotient::{Claim, Products, Set, generated, has, inside, list_of_numbers, monoid, numbers, put, steps};
use crate::{Failure, refuse};

/// The most joint states of the automaton reading several sums at once.
const MOST_JOINT_STATES: usize = 1 << 20;

/// A value in G × ℕʳ.
type Pair = (usize, Vec<u32>);

/// The automaton that reads digit vectors and names slices.
struct Machine {
    counters: usize,
    next: Vec<Vec<u32>>,
    output: Vec<u32>,
}

/// What is read from the certificate.
pub(crate) struct Counted {
    pub claim: Claim,
    counters: Vec<usize>,
    /// The value of each heap.
    values: Vec<Pair>,
    /// The words like each heap that follows counters.
    followers: BTreeMap<usize, Vec<Vec<(usize, u32)>>>,
    slices: Vec<Set>,
    machine: Machine,
}

impl Counted {
    /// A finite quotient is a monoid with no counters: the automaton reads nothing and names the one slice p.
    pub fn without_counters(claim: Claim) -> Self {
        let values = claim.values.iter().map(|&element| (element, vec![])).collect();
        let machine = Machine { counters: 0, next: vec![vec![0]], output: vec![0] };
        let (counters, followers, slices) = (vec![], BTreeMap::new(), vec![claim.p.clone()]);
        Self { claim, counters, values, followers, slices, machine }
    }
}

pub(crate) fn check(file: &File, meter: &Meter<'_>) -> Result<String, Failure> {
    if !file.misere {
        return refuse("counters are a strategy for misère play");
    }
    let code = Rules::read(&file.game)?;
    let known = ["generators", "steps", "values", "counters", "slices", "next", "output", "infinite"];
    if let Some(key) = file.certificate.keys().find(|key| !known.contains(&key.as_str())) {
        return refuse(format!("certificate: unknown key \"{key}\""));
    }
    let counted = read(&file.certificate)?;
    monoid(&counted.claim, meter)?;
    let generators = numbers(&file.certificate, "generators")?;
    generated(&counted.claim, &generators)?;
    if let Some(h) = generators.iter().find(|&&h| counted.values[h].1.iter().any(|&n| n > 0)) {
        return refuse(format!("certificate.generators: heap {h} has counts too"));
    }
    outcomes(&counted, &code, meter)?;
    let infinite = match file.certificate.get("infinite") {
        Some(Value::Null) => "",
        Some(Value::Object(map)) => {
            infinite(map, &counted, meter)?;
            ", and their misère quotient is infinite"
        }
        _ => return refuse("certificate.infinite is neither null nor an object"),
    };
    Ok(format!(
        "in misère play a sum of heaps of size at most {} is a P-position exactly when the automaton with {} states says so, \
         from the numbers of heaps {:?} and the element of the rest in the monoid of order {}{infinite}",
        counted.values.len() - 1,
        counted.machine.next.len(),
        counted.counters,
        counted.claim.order
    ))
}

fn read(certificate: &Map<String, Value>) -> Result<Counted, Failure> {
    let generators = numbers(certificate, "generators")?;
    let steps = steps(certificate, generators.len())?;
    let order = steps.first().map_or(1, Vec::len);
    let counters = numbers(certificate, "counters")?;
    let r = counters.len();
    if r == 0 || r > 6 || counters.windows(2).any(|w| w[0] >= w[1]) {
        return refuse("certificate.counters: not one to six increasing heaps");
    }
    let Some(Value::Array(list)) = certificate.get("values") else { return refuse("certificate.values: not a list") };
    let mut values = Vec::new();
    let mut followers = BTreeMap::new();
    for (heap, value) in list.iter().enumerate() {
        let counter = counters.iter().position(|&c| c == heap);
        let element = |value: &Value| value.as_u64().and_then(|v| usize::try_from(v).ok()).filter(|&v| v < order);
        match (value, counter) {
            (Value::Null, Some(i)) => values.push((0, (0..r).map(|j| u32::from(i == j)).collect())),
            (Value::Object(map), None) => {
                let (value, like) = follower(map, r, &element)
                    .ok_or_else(|| Failure::Refused(format!("certificate.values: heap {heap} has no proper value")))?;
                values.push(value);
                followers.insert(heap, like);
            }
            (value, None) if element(value).is_some() => values.push((element(value).unwrap_or(0), vec![0; r])),
            _ => return refuse(format!("certificate.values: heap {heap} has neither a value nor is it a counter")),
        }
    }
    if values.first() != Some(&(0, vec![0; r])) || counters.iter().any(|&h| h >= values.len()) {
        return refuse("certificate.values: heap 0 is not element 0, or a counter is beyond the values");
    }
    let words = order.div_ceil(64);
    let Some(Value::Array(list)) = certificate.get("slices") else { return refuse("certificate.slices: not a list") };
    if list.len().saturating_mul(words) > 1 << 26 {
        return refuse("certificate.slices: too many for this checker");
    }
    let mut slices = Vec::new();
    for slice in list {
        let Value::Array(slice) = slice else { return refuse("certificate.slices: a slice is not a list") };
        let mut set = vec![0; words];
        for x in list_of_numbers(slice, "slices")? {
            if x as usize >= order {
                return refuse(format!("certificate.slices: there is no element {x}"));
            }
            put(&mut set, x as usize);
        }
        slices.push(set);
    }
    let Some(Value::Array(rows)) = certificate.get("next") else { return refuse("certificate.next: not a list") };
    let mut next = Vec::new();
    for row in rows {
        let Value::Array(row) = row else { return refuse("certificate.next: a row is not a list") };
        let row = list_of_numbers(row, "next")?;
        if row.len() != 1 << r || row.iter().any(|&s| s as usize >= rows.len()) {
            return refuse("certificate.next: not one state for each digit vector");
        }
        next.push(row);
    }
    let output: Vec<u32> = match certificate.get("output") {
        Some(Value::Array(list)) => list_of_numbers(list, "output")?,
        _ => return refuse("certificate.output: not a list"),
    };
    if next.is_empty() || output.len() != next.len() || output.iter().any(|&s| s as usize >= slices.len()) {
        return refuse("certificate.output: not one slice for each state");
    }
    // Zeros after the last digit change nothing, so the slice of a vector is well defined.
    if let Some(s) = (0..next.len()).find(|&s| output[next[s][0] as usize] != output[s]) {
        return refuse(format!("certificate.next: a further zero changes the slice of state {s}"));
    }
    let plain = values.iter().map(|v: &Pair| v.0).collect();
    let claim = Claim { steps, p: vec![0; words], values: plain, order };
    Ok(Counted { claim, counters, values, followers, slices, machine: Machine { counters: r, next, output } })
}

/// The value of a heap that follows counters, and the words like it.
#[allow(clippy::type_complexity)]
fn follower(
    map: &Map<String, Value>,
    r: usize,
    element: &dyn Fn(&Value) -> Option<usize>,
) -> Option<(Pair, Vec<Vec<(usize, u32)>>)> {
    let small = |n: &Value| n.as_u64().filter(|&n| n <= 1000).and_then(|n| u32::try_from(n).ok());
    let counts: Vec<u32> = map.get("counts")?.as_array()?.iter().map(small).collect::<Option<_>>()?;
    let word = |word: &Value| -> Option<Vec<(usize, u32)>> {
        let pair = |pair: &Value| match pair.as_array()?.as_slice() {
            [heap, copies] => Some((usize::try_from(heap.as_u64()?).ok()?, small(copies).filter(|&n| n > 0)?)),
            _ => None,
        };
        word.as_array()?.iter().map(pair).collect()
    };
    let like = map.get("like")?.as_array()?.iter().map(word).collect::<Option<Vec<_>>>()?;
    let fits = map.len() == 3 && counts.len() == r && !like.is_empty() && like.len() <= 16;
    fits.then_some(((element(map.get("element")?)?, counts), like))
}

/// Every tuple (F(a + o₁), F(a + o₂), …) of slices that occurs for a ∈ ℕʳ whose entries outside `free` are 0.
fn tuples(
    machine: &Machine,
    offsets: &[Vec<u32>],
    free: usize,
    meter: &Meter<'_>,
) -> Result<(BTreeSet<Vec<u32>>, Held), Failure> {
    // For each offset the carries of all counters and the state: what is left of the sums after some digits.
    let r = machine.counters;
    let advance = |joint: &mut [u32], digits: usize| {
        for one in joint.chunks_exact_mut(r + 1) {
            let mut d = 0;
            for (i, carry) in one[..r].iter_mut().enumerate() {
                let sum = *carry + u32::from(digits >> i & 1 == 1);
                d |= ((sum & 1) as usize) << i;
                *carry = sum >> 1;
            }
            one[r] = machine.next[one[r] as usize][d];
        }
    };
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
        let tuple = rest.chunks_exact(r + 1).map(|one| machine.output[one[r] as usize]).collect();
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
            return refuse(format!(
                "certificate.next: larger than this checker allows: the sums a + o have more than {MOST_JOINT_STATES} joint states"
            ));
        }
    }
    Ok((found, held))
}

/// {c : c·v ∈ slice}.
fn shifted(row: &[u32], slice: &Set) -> Set {
    let mut set = vec![0; slice.len()];
    for (c, &x) in row.iter().enumerate() {
        if has(slice, x as usize) {
            put(&mut set, c);
        }
    }
    set
}

/// A heap kind: its own value, and those of its options.
struct Kind {
    heap: usize,
    /// The index of the counter, or the element.
    own: Result<usize, usize>,
    options: BTreeSet<Pair>,
}

/// The values of the options of a heap.
fn options(
    counted: &Counted,
    code: &Rules,
    heap: usize,
    products: &mut Products<'_>,
    meter: &Meter<'_>,
) -> Result<BTreeSet<Pair>, Failure> {
    let mut held = meter.hold(0)?;
    let mut options: BTreeSet<Pair> = BTreeSet::new();
    code.options(heap, meter, &mut |parts| {
        let mut sum: Pair = (0, vec![0; counted.counters.len()]);
        for &h in parts {
            let (element, counts) = &counted.values[h];
            sum.0 = products.row(*element)?[sum.0] as usize;
            sum.1.iter_mut().zip(counts).for_each(|(a, b)| *a += b);
        }
        if options.insert(sum) {
            held.grow(80 + 4 * counted.counters.len() as u64)?;
        }
        Ok(())
    })?;
    Ok(options)
}

/// The kinds of the heaps that follow no counters.
fn kinds(
    counted: &Counted,
    code: &Rules,
    products: &mut Products<'_>,
    meter: &Meter<'_>,
) -> Result<Vec<Kind>, Failure> {
    let mut kinds: Vec<Kind> = Vec::new();
    let mut seen: HashSet<(Result<usize, usize>, BTreeSet<Pair>)> = HashSet::new();
    for heap in (1..counted.values.len()).filter(|heap| !counted.followers.contains_key(heap)) {
        meter.work(1)?;
        let options = options(counted, code, heap, products, meter)?;
        let own = counted.counters.iter().position(|&c| c == heap).ok_or(counted.values[heap].0);
        if options.is_empty() {
            if own != Err(0) {
                return refuse(format!("certificate.values: heap {heap} has no option but is not element 0"));
            }
            continue;
        }
        if seen.insert((own, options.clone())) {
            kinds.push(Kind { heap, own, options });
        }
    }
    Ok(kinds)
}

/// A heap that follows counters passes the P-check, and wherever it is silent one of the words like it is silent too. So a sum that
/// fails the N-check stays one that fails when the heap is replaced by that word, and sums without followers are enough.
fn follows(
    counted: &Counted,
    code: &Rules,
    heap: usize,
    like: &[Vec<(usize, u32)>],
    products: &mut Products<'_>,
    meter: &Meter<'_>,
) -> Result<(), Failure> {
    let r = counted.counters.len();
    let add = |a: &[u32], b: &[u32]| -> Vec<u32> { a.iter().zip(b).map(|(a, b)| a + b).collect() };
    let own = counted.values[heap].clone();
    let reach: Vec<Pair> = options(counted, code, heap, products, meter)?.into_iter().collect();
    if reach.is_empty() {
        return refuse(format!("certificate.values: heap {heap} has no option but follows counters"));
    }
    // The values of the options of each word.
    let mut words: Vec<Vec<Pair>> = Vec::new();
    for word in like {
        let mut total: Pair = (0, vec![0; r]);
        let mut all: BTreeSet<Pair> = BTreeSet::new();
        for (i, &(h, copies)) in word.iter().enumerate() {
            if h == 0 || h >= counted.values.len() || counted.followers.contains_key(&h) {
                return refuse(format!("certificate.values: heap {heap} is like no sum of counters and elements"));
            }
            // The sum of the other heaps.
            let mut rest: Pair = (0, vec![0; r]);
            for (j, &(other, n)) in word.iter().enumerate() {
                for _ in 0..n - u32::from(i == j) {
                    meter.work(1)?;
                    rest.0 = products.row(counted.values[other].0)?[rest.0] as usize;
                    rest.1 = add(&rest.1, &counted.values[other].1);
                }
            }
            for (element, counts) in options(counted, code, h, products, meter)? {
                all.insert((products.row(element)?[rest.0] as usize, add(&rest.1, &counts)));
            }
            for _ in 0..copies {
                total.0 = products.row(counted.values[h].0)?[total.0] as usize;
                total.1 = add(&total.1, &counted.values[h].1);
            }
        }
        if total != own {
            return refuse(format!("certificate.values: heap {heap} has another value than a word like it"));
        }
        // A sum without moves is an N-position without an option in P: nothing that fails the N-check may be reduced to it.
        if all.is_empty() {
            return refuse(format!("certificate.values: heap {heap} is like a sum without moves"));
        }
        words.push(all.into_iter().collect());
    }
    let mut offsets: Vec<Vec<u32>> = vec![own.1.clone()];
    for (_, counts) in reach.iter().chain(words.iter().flatten()) {
        if !offsets.contains(counts) {
            offsets.push(counts.clone());
        }
    }
    let (found, _held) = tuples(&counted.machine, &offsets, (1 << r) - 1, meter)?;
    for tuple in found {
        meter
            .steps((reach.len() + words.iter().map(Vec::len).sum::<usize>() + 1).saturating_mul(counted.claim.order))?;
        let mut union = |values: &[Pair]| -> Result<Set, Failure> {
            let mut set: Set = vec![0; counted.claim.p.len()];
            for (element, counts) in values {
                let i = offsets.iter().position(|o| o == counts).expect("all offsets are listed");
                let there = shifted(&products.row(*element)?, &counted.slices[tuple[i] as usize]);
                set.iter_mut().zip(&there).for_each(|(a, b)| *a |= b);
            }
            Ok(set)
        };
        let (mine, reached) = (union(std::slice::from_ref(&own))?, union(&reach)?);
        if mine.iter().zip(&reached).any(|(a, b)| a & b != 0) {
            return refuse(format!("heap {heap}: a P-position with an option in P"));
        }
        // Contexts in which every word like it has a winning option.
        let mut loud: Set = vec![u64::MAX; mine.len()];
        for word in &words {
            let set = union(word)?;
            loud.iter_mut().zip(&set).for_each(|(a, b)| *a &= b);
        }
        if (0..mine.len()).any(|w| loud[w] & !(mine[w] | reached[w]) != 0) {
            return refuse(format!("heap {heap} is silent where no word like it is"));
        }
    }
    Ok(())
}

/// P-check and N-check for every vector of counts: finitely many tuples of slices decide them.
pub(crate) fn outcomes(counted: &Counted, code: &Rules, meter: &Meter<'_>) -> Result<(), Failure> {
    let r = counted.counters.len();
    if has(&counted.slices[counted.machine.output[0] as usize], 0) {
        return refuse("certificate: the empty sum, an N-position in misère play, is in P");
    }
    code.foresee(counted.values.len() - 1, meter)?;
    let mut products = Products::new(&counted.claim, meter)?;
    let kinds = kinds(counted, code, &mut products, meter)?;
    for (&heap, like) in &counted.followers {
        follows(counted, code, heap, like, &mut products, meter)?;
    }
    // The vector of counts is a + e_Z, where Z are the counters that occur: all vectors once.
    for present in 0..1_usize << r {
        let unit: Vec<u32> = (0..r).map(|i| u32::from(present >> i & 1 == 1)).collect();
        let kinds: Vec<&Kind> =
            kinds.iter().filter(|kind| kind.own.is_err() || kind.own.is_ok_and(|i| present >> i & 1 == 1)).collect();
        // Which slices are looked at: that of the sum itself, and those of its options.
        let mut offsets: Vec<Vec<u32>> = vec![unit.clone()];
        let offset = |kind: &Kind, count: &[u32]| -> Vec<u32> {
            let less = |i: usize| u32::from(kind.own == Ok(i));
            (0..r).map(|i| unit[i] + count[i] - less(i)).collect()
        };
        for kind in &kinds {
            for (_, count) in &kind.options {
                let o = offset(kind, count);
                if !offsets.contains(&o) {
                    offsets.push(o);
                }
            }
        }
        let (found, _held) = tuples(&counted.machine, &offsets, present, meter)?;
        for tuple in found {
            let slice = |o: &Vec<u32>| {
                let i = offsets.iter().position(|x| x == o).expect("all offsets are listed");
                &counted.slices[tuple[i] as usize]
            };
            one_slice(
                counted,
                &kinds,
                &mut products,
                present != 0,
                slice(&unit),
                &|kind, count| slice(&offset(kind, count)),
                meter,
            )?;
        }
    }
    Ok(())
}

/// Both checks for one vector of counts.
fn one_slice<'a>(
    counted: &Counted,
    kinds: &[&Kind],
    products: &mut Products<'_>,
    counts: bool,
    here: &'a Set,
    slice: &dyn Fn(&Kind, &[u32]) -> &'a Set,
    meter: &Meter<'_>,
) -> Result<(), Failure> {
    let order = counted.claim.order;
    let mut start: Set = here.iter().map(|w| !w).collect();
    let mut silent: Vec<(usize, Set)> = Vec::new();
    let mut held = meter.hold(0)?;
    for kind in kinds {
        meter.steps(order.saturating_mul(kind.options.len() + 1))?;
        let own = match kind.own {
            Ok(_) => here.clone(),
            Err(v) => shifted(&products.row(v)?, here),
        };
        let mut reached: Set = vec![0; here.len()];
        for (element, count) in &kind.options {
            let set = shifted(&products.row(*element)?, slice(kind, count));
            for (a, b) in reached.iter_mut().zip(&set) {
                *a |= b;
            }
        }
        if own.iter().zip(&reached).any(|(a, b)| a & b != 0) {
            return refuse(format!("heap {}: a P-position with an option in P", kind.heap));
        }
        match kind.own {
            Ok(_) => start.iter_mut().zip(&reached).for_each(|(s, r)| *s &= !r),
            Err(v) => {
                let quiet: Set = own.iter().zip(&reached).map(|(a, b)| !(a | b)).collect();
                if silent.iter().all(|(w, larger)| *w != v || !inside(&quiet, larger)) {
                    silent.push((v, quiet));
                }
            }
        }
    }
    if !order.is_multiple_of(64) {
        let last = start.len() - 1;
        start[last] &= (1 << (order % 64)) - 1;
    }
    if counts && has(&start, 0) {
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

/// The quotient is infinite: no power of one of the counters repeats.
fn infinite(map: &Map<String, Value>, counted: &Counted, meter: &Meter<'_>) -> Result<(), Failure> {
    let r = counted.counters.len();
    let vector = |key: &str| -> Result<Vec<u32>, Failure> {
        let Some(Value::Array(list)) = map.get(key) else {
            return refuse(format!("certificate.infinite.{key}: not a list"));
        };
        let vector = list_of_numbers(list, key)?;
        if vector.len() != r || vector.iter().any(|&x| x > 1_000_000) {
            return refuse(format!("certificate.infinite.{key}: not one small number for each counter"));
        }
        Ok(vector)
    };
    let number = |key: &str| match map.get(key).and_then(Value::as_u64).and_then(|n| u32::try_from(n).ok()) {
        Some(n) if n <= 1_000_000 => Ok(n),
        _ => refuse(format!("certificate.infinite.{key}: not a small number")),
    };
    if let Some(key) = map.keys().find(|k| !["step", "from", "counter", "at", "period", "far"].contains(&k.as_str())) {
        return refuse(format!("certificate.infinite: unknown key \"{key}\""));
    }
    let (step, from, at) = (vector("step")?, vector("from")?, vector("at")?);
    let (i, period, far) = (number("counter")? as usize, number("period")?, number("far")?);
    if i >= r || step[i] == 0 || period == 0 || !far.is_multiple_of(period) || at.iter().zip(&from).any(|(a, f)| a < f)
    {
        return refuse("certificate.infinite: the numbers do not fit together");
    }
    let add = |a: &[u32], b: &[u32]| -> Vec<u32> { a.iter().zip(b).map(|(a, b)| a + b).collect() };
    let along = |n: u32| (0..r).map(|k| if k == i { n } else { 0 }).collect::<Vec<u32>>();
    let equal = |a: Vec<u32>, b: Vec<u32>, free: usize| -> Result<bool, Failure> {
        let (found, _held) = tuples(&counted.machine, &[a, b], free, meter)?;
        Ok(found.iter().all(|pair| counted.slices[pair[0] as usize] == counted.slices[pair[1] as usize]))
    };
    if !equal(from.clone(), add(&from, &step), (1 << r) - 1)? {
        return refuse("certificate.infinite: the slices do not repeat along the step");
    }
    if !equal(add(&at, &along(far)), add(&at, &along(far + period)), 1 << i)? {
        return refuse("certificate.infinite: the slices do not repeat along the counter");
    }
    if equal(at.clone(), add(&at, &along(far)), 0)? {
        return refuse("certificate.infinite: the slices far out are the same as at the point");
    }
    Ok(())
}
