//! Finite commutative monoids by the maps of generators: their laws, their products, and sets of their elements.

use std::collections::{BTreeMap, HashMap, VecDeque};
use std::rc::Rc;

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

/// Elements are numbered from 0, the identity; each generator is a map on them.
pub(crate) struct Monoid {
    pub order: usize,
    pub steps: Vec<Vec<u32>>,
    /// For each element but 0 a generator and an element of which it is the product, up to 0.
    word: Vec<Option<(usize, usize)>>,
}

impl Monoid {
    /// Verifies that the maps commute and that 0 reaches every element: so "apply a word of y to x" is a well-defined product.
    pub fn new(steps: Vec<Vec<u32>>, generators: usize, meter: &Meter<'_>) -> Result<Self, Failure> {
        let order = steps.first().map_or(1, Vec::len);
        let maps = steps.iter().all(|row| row.len() == order && row.iter().all(|&x| (x as usize) < order));
        if steps.len() != generators || order == 0 || !maps {
            return refuse("certificate.steps: not one map on the elements for each generator");
        }
        for (i, a) in steps.iter().enumerate() {
            for b in &steps[..i] {
                meter.steps(order)?;
                if (0..order).any(|x| a[b[x] as usize] != b[a[x] as usize]) {
                    return refuse("certificate.steps: two maps do not commute");
                }
            }
        }
        let mut word = vec![None; order];
        let mut queue = VecDeque::from([0]);
        while let Some(x) = queue.pop_front() {
            for (l, map) in steps.iter().enumerate() {
                let y = map[x] as usize;
                if y != 0 && word[y].is_none() {
                    word[y] = Some((l, x));
                    queue.push_back(y);
                }
            }
        }
        if word[1..].contains(&None) {
            return refuse("certificate.steps: not all elements are products");
        }
        Ok(Self { order, steps, word })
    }

    /// The set of listed elements.
    pub fn set(&self, place: &str, elements: &[usize]) -> Result<Set, Failure> {
        let mut set = vec![0; self.order.div_ceil(64)];
        for &x in elements {
            if x >= self.order {
                return refuse(format!("{place}: there is no element {x}"));
            }
            if has(&set, x) {
                return refuse(format!("{place}: element {x} stands twice"));
            }
            put(&mut set, x);
        }
        Ok(set)
    }

    /// Verifies that no two elements have the same outcomes in all contexts.
    pub fn reduced(&self, p: &Set, meter: &Meter<'_>) -> Result<(), Failure> {
        let mut block: Vec<usize> = (0..self.order).map(|x| usize::from(has(p, x))).collect();
        let mut blocks = 0;
        loop {
            let mut names: HashMap<Vec<usize>, usize> = HashMap::new();
            let mut next = Vec::with_capacity(self.order);
            for x in 0..self.order {
                meter.steps(self.steps.len() + 1)?;
                let signature: Vec<usize> =
                    std::iter::once(block[x]).chain(self.steps.iter().map(|map| block[map[x] as usize])).collect();
                let fresh = names.len();
                next.push(*names.entry(signature).or_insert(fresh));
            }
            block = next;
            // Each round refines the one before: as many blocks are the same ones.
            if names.len() == blocks {
                break;
            }
            blocks = names.len();
        }
        if blocks == self.order {
            Ok(())
        } else {
            refuse("two elements cannot be told apart: the monoid is not reduced")
        }
    }
}

/// The products x·v for all x, for elements v as they are asked for.
pub(crate) struct Products<'a> {
    monoid: &'a Monoid,
    meter: &'a Meter<'a>,
    held: Held,
    rows: BTreeMap<usize, Rc<[u32]>>,
}

impl<'a> Products<'a> {
    pub fn new(monoid: &'a Monoid, meter: &'a Meter<'a>) -> Result<Self, Failure> {
        Ok(Self { monoid, meter, held: meter.hold(0)?, rows: BTreeMap::new() })
    }

    pub fn row(&mut self, v: usize) -> Result<Rc<[u32]>, Failure> {
        if let Some(row) = self.rows.get(&v) {
            return Ok(row.clone());
        }
        self.held.grow(4 * self.monoid.order as u64 + 64)?;
        let mut row: Vec<u32> = (0..).take(self.monoid.order).collect();
        let mut at = v;
        while let Some((l, before)) = self.monoid.word[at] {
            self.meter.steps(row.len())?;
            for x in &mut row {
                *x = self.monoid.steps[l][*x as usize];
            }
            at = before;
        }
        let row: Rc<[u32]> = row.into();
        self.rows.insert(v, row.clone());
        Ok(row)
    }

    /// {c : c·v ∈ set}.
    pub fn shifted(&mut self, v: usize, set: &Set) -> Result<Set, Failure> {
        let mut shifted = vec![0; set.len()];
        for (c, &x) in self.row(v)?.iter().enumerate() {
            if has(set, x as usize) {
                put(&mut shifted, c);
            }
        }
        Ok(shifted)
    }
}
