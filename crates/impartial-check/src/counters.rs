//! Form "counters": misère play of a heap game by a finite monoid times counters.

use std::collections::{BTreeSet, HashMap, HashSet};
use std::rc::Rc;

use serde_json::{Map, Value};

use crate::envelope::File;
use crate::quotient::{Claim, Products, Set, generated, has, inside, list_of_numbers, monoid, numbers, put, steps};
use crate::takeaway::Rules;
use crate::{Failure, refuse};

/// A value in G × ℕʳ.
type Pair = (usize, Vec<u32>);

/// The automaton that reads digit vectors and names slices.
struct Machine {
    counters: usize,
    next: Vec<Vec<u32>>,
    output: Vec<u32>,
}

/// What is read from the certificate.
struct Counted {
    claim: Claim,
    counters: Vec<usize>,
    /// The element of each heap; `None` for counters.
    values: Vec<Option<usize>>,
    slices: Vec<Set>,
    machine: Machine,
}

pub(crate) fn check(file: &File, keep_going: &dyn Fn() -> bool) -> Result<String, Failure> {
    let go = || if keep_going() { Ok(()) } else { Err(Failure::Stopped) };
    if !file.misere {
        return refuse("counters are a strategy for misère play");
    }
    let code = Rules::read(&file.game)?;
    let known = ["generators", "steps", "values", "counters", "slices", "next", "output", "infinite"];
    if let Some(key) = file.certificate.keys().find(|key| !known.contains(&key.as_str())) {
        return refuse(format!("certificate: unknown key \"{key}\""));
    }
    let counted = read(&file.certificate)?;
    monoid(&counted.claim, &go)?;
    let generators = numbers(&file.certificate, "generators")?;
    generated(&counted.claim, &generators)?;
    if let Some(h) = generators.iter().find(|h| counted.counters.contains(h)) {
        return refuse(format!("certificate.generators: heap {h} is a counter too"));
    }
    outcomes(&counted, &code, &go)?;
    let infinite = match file.certificate.get("infinite") {
        Some(Value::Null) => "",
        Some(Value::Object(map)) => {
            infinite(map, &counted, &go)?;
            ", and their misère quotient is infinite"
        }
        _ => return refuse("certificate.infinite is neither null nor an object"),
    };
    Ok(format!(
        "in misère play of {}, a sum of heaps of size at most {} is a P-position exactly when the automaton with {} states says so, \
         from the numbers of heaps {:?} and the element of the rest in the monoid of order {}{infinite}",
        Value::Object(file.game.clone()),
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
    for (heap, value) in list.iter().enumerate() {
        let element = value.as_u64().and_then(|v| usize::try_from(v).ok()).filter(|&v| v < order);
        match (element, value.is_null(), counters.contains(&heap)) {
            (Some(v), false, false) => values.push(Some(v)),
            (None, true, true) => values.push(None),
            _ => return refuse(format!("certificate.values: heap {heap} has neither an element nor is it a counter")),
        }
    }
    if values.first() != Some(&Some(0)) || counters.iter().any(|&h| h >= values.len()) {
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
    let plain = values.iter().map(|v| v.unwrap_or(0)).collect();
    let claim = Claim { steps, p: vec![0; words], values: plain, order };
    Ok(Counted { claim, counters, values, slices, machine: Machine { counters: r, next, output } })
}

/// Every tuple (F(a + o₁), F(a + o₂), …) of slices that occurs for a ∈ ℕʳ whose entries outside `free` are 0.
fn tuples(
    machine: &Machine,
    offsets: &[Vec<u32>],
    free: usize,
    go: &dyn Fn() -> Result<(), Failure>,
) -> Result<HashSet<Vec<u32>>, Failure> {
    type Joint = Vec<(Vec<u32>, u32)>;
    let advance = |joint: &Joint, digits: usize| -> Joint {
        joint
            .iter()
            .map(|(carry, state)| {
                let mut d = 0;
                let carry = (0..machine.counters)
                    .map(|i| {
                        let sum = carry[i] + u32::try_from(digits >> i & 1).expect("a digit");
                        d |= ((sum & 1) as usize) << i;
                        sum >> 1
                    })
                    .collect();
                (carry, machine.next[*state as usize][d])
            })
            .collect()
    };
    let first: Joint = offsets.iter().map(|o| (o.clone(), 0)).collect();
    let mut seen: HashSet<Joint> = HashSet::from([first.clone()]);
    let mut stack = vec![first];
    let mut found = HashSet::new();
    while let Some(joint) = stack.pop() {
        go()?;
        let mut rest = joint.clone();
        while rest.iter().any(|(carry, _)| carry.iter().any(|&c| c > 0)) {
            rest = advance(&rest, 0);
        }
        found.insert(rest.iter().map(|&(_, state)| machine.output[state as usize]).collect());
        for digits in (0..1 << machine.counters).filter(|d| d & !free == 0) {
            let next = advance(&joint, digits);
            if seen.insert(next.clone()) {
                stack.push(next);
            }
        }
        if seen.len() > 5_000_000 {
            return refuse("certificate.next: the automaton is too large for this checker");
        }
    }
    Ok(found)
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

fn kinds(
    counted: &Counted,
    code: &Rules,
    products: &mut Products,
    go: &dyn Fn() -> Result<(), Failure>,
) -> Result<Vec<Kind>, Failure> {
    let r = counted.counters.len();
    let mut kinds: Vec<Kind> = Vec::new();
    let mut seen: HashSet<(Result<usize, usize>, BTreeSet<Pair>)> = HashSet::new();
    for heap in 1..counted.values.len() {
        go()?;
        let mut options: BTreeSet<Pair> = BTreeSet::new();
        code.options(heap, &mut |parts| {
            let (mut element, mut count) = (0, vec![0; r]);
            for &h in parts {
                if let Some(v) = counted.values[h] {
                    element = products.row(v)?[element] as usize;
                } else {
                    let i = counted.counters.iter().position(|&c| c == h).expect("no element means a counter");
                    count[i] += 1;
                }
            }
            options.insert((element, count));
            Ok(())
        })?;
        let own = match counted.values[heap] {
            Some(v) => Err(v),
            None => Ok(counted.counters.iter().position(|&c| c == heap).expect("no element means a counter")),
        };
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

/// P-check and N-check for every vector of counts: finitely many tuples of slices decide them.
fn outcomes(counted: &Counted, code: &Rules, go: &dyn Fn() -> Result<(), Failure>) -> Result<(), Failure> {
    let r = counted.counters.len();
    if has(&counted.slices[counted.machine.output[0] as usize], 0) {
        return refuse("certificate.slices: the empty sum is an N-position in misère play");
    }
    let mut products = Products::new(&counted.claim);
    let kinds = kinds(counted, code, &mut products, go)?;
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
        for tuple in tuples(&counted.machine, &offsets, present, go)? {
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
                go,
            )?;
        }
    }
    Ok(())
}

/// Both checks for one vector of counts.
fn one_slice<'a>(
    counted: &Counted,
    kinds: &[&Kind],
    products: &mut Products,
    counts: bool,
    here: &'a Set,
    slice: &dyn Fn(&Kind, &[u32]) -> &'a Set,
    go: &dyn Fn() -> Result<(), Failure>,
) -> Result<(), Failure> {
    let order = counted.claim.order;
    let mut start: Set = here.iter().map(|w| !w).collect();
    let mut silent: Vec<(usize, Set)> = Vec::new();
    for kind in kinds {
        go()?;
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
            go()?;
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
            if !earlier.iter().any(|&i| inside(&both, &known[i].1)) {
                earlier.push(known.len());
                known.push((value, both));
            }
        }
        next += 1;
    }
    Ok(())
}

/// The quotient is infinite: no power of one of the counters repeats.
fn infinite(map: &Map<String, Value>, counted: &Counted, go: &dyn Fn() -> Result<(), Failure>) -> Result<(), Failure> {
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
        Ok(tuples(&counted.machine, &[a, b], free, go)?
            .iter()
            .all(|pair| counted.slices[pair[0] as usize] == counted.slices[pair[1] as usize]))
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
