//! Form "quotient": misère play of a heap game by a finite commutative monoid.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::rc::Rc;

use serde_json::{Map, Value};

use crate::counters::{Counted, outcomes};
use crate::envelope::File;
use crate::heap::Rules;
use crate::kernel;
use crate::meter::{Held, Meter};
use crate::{Failure, refuse};

/// A set of elements, one bit each.
pub(crate) type Set = Vec<u64>;

pub(crate) fn has(set: &Set, x: usize) -> bool {
    set[x / 64] >> (x % 64) & 1 == 1
}

pub(crate) fn put(set: &mut Set, x: usize) {
    set[x / 64] |= 1 << (x % 64);
}

pub(crate) fn inside(a: &Set, b: &Set) -> bool {
    a.iter().zip(b).all(|(a, b)| a & !b == 0)
}

pub(crate) struct Claim {
    pub steps: Vec<Vec<u32>>,
    pub p: Set,
    pub values: Vec<usize>,
    pub order: usize,
}

pub(crate) fn check(file: &File, meter: &Meter<'_>) -> Result<String, Failure> {
    if !file.misere {
        return refuse("a quotient is a strategy for misère play");
    }
    let code = Rules::read(&file.game)?;
    for key in file.certificate.keys() {
        if !["generators", "steps", "p", "values", "period", "kernel"].contains(&key.as_str()) {
            return refuse(format!("certificate: unknown key \"{key}\""));
        }
    }
    let generators = numbers(&file.certificate, "generators")?;
    let claim = read(&file.certificate, &generators)?;
    monoid(&claim, meter)?;
    let bound = claim.values.len() - 1;
    let kernel = match file.certificate.get("kernel") {
        None => None,
        Some(Value::Object(map)) => Some(map),
        Some(_) => return refuse("certificate.kernel is no object"),
    };
    // By Grundy values the generators may be larger heaps.
    if kernel.is_none() {
        generated(&claim, &generators)?;
    }
    reduced(&claim, meter)?;
    let counted = Counted::without_counters(claim);
    outcomes(&counted, &code, meter)?;
    let claim = counted.claim;
    let reach = match (file.certificate.get("period"), kernel) {
        (Some(Value::Null), Some(map)) => {
            kernel::check(&claim, &generators, &code, &file.game, map, meter)?;
            "of any size".to_owned()
        }
        (Some(Value::Null), None) => format!("of size at most {bound}"),
        (Some(Value::Object(map)), None) => {
            periodic(map, &code, &claim.values)?;
            "of any size".to_owned()
        }
        _ => return refuse("certificate.period is neither null nor an object, or there is a kernel beside it"),
    };
    Ok(format!(
        "in misère play heaps {reach} have the quotient of order {} with {} P-elements in the file",
        claim.order,
        (0..claim.order).filter(|&x| has(&claim.p, x)).count()
    ))
}

pub(crate) fn numbers(map: &Map<String, Value>, key: &str) -> Result<Vec<usize>, Failure> {
    let Some(Value::Array(list)) = map.get(key) else { return refuse(format!("certificate.{key}: not a list")) };
    Ok(list_of_numbers(list, key)?.into_iter().map(|n| n as usize).collect())
}

pub(crate) fn list_of_numbers(list: &[Value], key: &str) -> Result<Vec<u32>, Failure> {
    list.iter()
        .map(|n| match n.as_u64().and_then(|n| u32::try_from(n).ok()) {
            Some(n) => Ok(n),
            None => refuse(format!("certificate.{key}: {n} is not a small number")),
        })
        .collect()
}

/// The maps of the generators, each a map on the elements.
pub(crate) fn steps(certificate: &Map<String, Value>, generators: usize) -> Result<Vec<Vec<u32>>, Failure> {
    let Some(Value::Array(rows)) = certificate.get("steps") else { return refuse("certificate.steps: not a list") };
    let mut steps = Vec::new();
    for row in rows {
        let Value::Array(row) = row else { return refuse("certificate.steps: a row is not a list") };
        steps.push(list_of_numbers(row, "steps")?);
    }
    let order = steps.first().map_or(1, Vec::len);
    let maps = steps.iter().all(|row| row.len() == order && row.iter().all(|&x| (x as usize) < order));
    if steps.len() != generators || order == 0 || !maps {
        return refuse("certificate.steps: not one map on the elements for each generator");
    }
    Ok(steps)
}

/// Reads the parts; every number that names an element names one.
fn read(certificate: &Map<String, Value>, generators: &[usize]) -> Result<Claim, Failure> {
    let steps = steps(certificate, generators.len())?;
    let order = steps.first().map_or(1, Vec::len);
    let mut p = vec![0; order.div_ceil(64)];
    for x in numbers(certificate, "p")? {
        if x >= order {
            return refuse(format!("certificate.p: there is no element {x}"));
        }
        put(&mut p, x);
    }
    let values = numbers(certificate, "values")?;
    if values.first() != Some(&0) || values.iter().any(|&x| x >= order) {
        return refuse("certificate.values: heap 0 is not element 0, or there is no such element");
    }
    Ok(Claim { steps, p, values, order })
}

/// The maps commute, and element 0 reaches every element: so "apply a word of y to x" is a well-defined product.
pub(crate) fn monoid(claim: &Claim, meter: &Meter<'_>) -> Result<(), Failure> {
    for (i, a) in claim.steps.iter().enumerate() {
        for b in &claim.steps[..i] {
            meter.steps(claim.order)?;
            if (0..claim.order).any(|x| a[b[x] as usize] != b[a[x] as usize]) {
                return refuse("certificate.steps: two maps do not commute");
            }
        }
    }
    let mut reached = vec![false; claim.order];
    reached[0] = true;
    let mut stack = vec![0];
    while let Some(x) = stack.pop() {
        for map in &claim.steps {
            let y = map[x] as usize;
            if !reached[y] {
                reached[y] = true;
                stack.push(y);
            }
        }
    }
    if reached.iter().all(|&r| r) { Ok(()) } else { refuse("certificate.steps: not all elements are products") }
}

/// Each generator is the value of its heap, so that the values generate the monoid.
pub(crate) fn generated(claim: &Claim, generators: &[usize]) -> Result<(), Failure> {
    for (l, &heap) in generators.iter().enumerate() {
        if claim.values.get(heap) != Some(&(claim.steps[l][0] as usize)) {
            return refuse(format!("certificate.generators: heap {heap} does not have its own value"));
        }
    }
    Ok(())
}

/// No two elements have the same outcomes in all contexts.
fn reduced(claim: &Claim, meter: &Meter<'_>) -> Result<(), Failure> {
    let mut block: Vec<usize> = (0..claim.order).map(|x| usize::from(has(&claim.p, x))).collect();
    let mut blocks = block.iter().collect::<BTreeSet<_>>().len();
    loop {
        let mut names: HashMap<Vec<usize>, usize> = HashMap::new();
        let mut next = Vec::with_capacity(claim.order);
        for x in 0..claim.order {
            meter.steps(claim.steps.len() + 1)?;
            let signature: Vec<usize> =
                std::iter::once(block[x]).chain(claim.steps.iter().map(|map| block[map[x] as usize])).collect();
            let fresh = names.len();
            next.push(*names.entry(signature).or_insert(fresh));
        }
        block = next;
        if names.len() == blocks {
            break;
        }
        blocks = names.len();
    }
    if blocks == claim.order { Ok(()) } else { refuse("two elements cannot be told apart: the monoid is not reduced") }
}

/// The products x·v for all x, for elements v as they are asked for.
pub(crate) struct Products<'a> {
    meter: &'a Meter<'a>,
    held: Held,
    claim: &'a Claim,
    word: Vec<Option<(usize, usize)>>,
    rows: BTreeMap<usize, Rc<[u32]>>,
}

impl<'a> Products<'a> {
    pub fn new(claim: &'a Claim, meter: &'a Meter<'a>) -> Result<Self, Failure> {
        // A spanning tree: each element but 0 is a generator times an earlier element.
        let mut word = vec![None; claim.order];
        let mut queue = std::collections::VecDeque::from([0]);
        while let Some(x) = queue.pop_front() {
            for (l, map) in claim.steps.iter().enumerate() {
                let y = map[x] as usize;
                if y != 0 && word[y].is_none() {
                    word[y] = Some((l, x));
                    queue.push_back(y);
                }
            }
        }
        Ok(Self { meter, held: meter.hold(0)?, claim, word, rows: BTreeMap::new() })
    }

    pub fn row(&mut self, v: usize) -> Result<Rc<[u32]>, Failure> {
        if let Some(row) = self.rows.get(&v) {
            return Ok(row.clone());
        }
        self.held.grow(4 * self.claim.order as u64 + 64)?;
        let mut row: Vec<u32> = (0..).take(self.claim.order).collect();
        let mut at = v;
        while let Some((l, before)) = self.word[at] {
            self.meter.steps(row.len())?;
            for x in &mut row {
                *x = self.claim.steps[l][*x as usize];
            }
            at = before;
        }
        let row: Rc<[u32]> = row.into();
        self.rows.insert(v, row.clone());
        Ok(row)
    }
}

/// The values repeat so far that every larger heap has the option values of an earlier one.
fn periodic(map: &Map<String, Value>, code: &Rules, values: &[usize]) -> Result<(), Failure> {
    let number = |key: &str| map.get(key).and_then(Value::as_u64).and_then(|n| usize::try_from(n).ok());
    let (Some(preperiod), Some(period), 2) = (number("preperiod"), number("period"), map.len()) else {
        return refuse("certificate.period: not the numbers preperiod and period");
    };
    let Some((taken, parts)) = code.bounds() else { return refuse("certificate.period: the code never ends") };
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
