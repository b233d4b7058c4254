//! Finite commutative monoids by the maps of generators: their laws, their products, and sets of their elements.

use std::cell::RefCell;
use std::collections::{BTreeMap, HashMap, VecDeque};
use std::rc::Rc;

use crate::meter::{Held, Meter};
use crate::{Checked, refuse};

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

/// The products x·v for all x, by v.
type Rows = BTreeMap<usize, Rc<[u32]>>;

/// Elements are numbered from 0, the identity; each generator is a map on them.
pub(crate) struct Monoid<'a> {
    pub order: usize,
    pub steps: Vec<Vec<u32>>,
    pub meter: &'a Meter<'a>,
    /// For each element but 0 a generator and an element of which it is the product, up to 0.
    word: Vec<Option<(usize, usize)>>,
    /// The products that were asked for.
    rows: RefCell<(Rows, Held)>,
}

impl<'a> Monoid<'a> {
    /// Verifies that the maps commute and that 0 reaches every element: so "apply a word of y to x" is a well-defined product.
    pub fn new(steps: Vec<Vec<u32>>, generators: usize, meter: &'a Meter<'a>) -> Checked<Self> {
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
        refuse_if!(word[1..].contains(&None), "certificate.steps: not all elements are products");
        Ok(Self { order, steps, meter, word, rows: RefCell::new((BTreeMap::new(), meter.hold(0)?)) })
    }

    /// The set of listed elements.
    pub fn set(&self, place: &str, elements: &[usize]) -> Checked<Set> {
        let mut set = vec![0; self.order.div_ceil(64)];
        for &x in elements {
            refuse_if!(x >= self.order, "{place}: there is no element {x}");
            refuse_if!(has(&set, x), "{place}: element {x} stands twice");
            put(&mut set, x);
        }
        Ok(set)
    }

    /// Verifies that no two elements have the same outcomes in all contexts.
    pub fn reduced(&self, p: &Set) -> Checked {
        let mut block: Vec<usize> = (0..self.order).map(|x| usize::from(has(p, x))).collect();
        let mut blocks = 0;
        loop {
            let mut names: HashMap<Vec<usize>, usize> = HashMap::new();
            let mut next = Vec::with_capacity(self.order);
            for x in 0..self.order {
                self.meter.steps(self.steps.len() + 1)?;
                let after = self.steps.iter().map(|map| block[map[x] as usize]);
                let fresh = names.len();
                next.push(*names.entry([block[x]].into_iter().chain(after).collect()).or_insert(fresh));
            }
            block = next;
            // Each round refines the one before: as many blocks are the same ones.
            if names.len() == blocks {
                break;
            }
            blocks = names.len();
        }
        refuse_if!(blocks != self.order, "two elements cannot be told apart: the monoid is not reduced");
        Ok(())
    }

    /// The products x·v for all x.
    pub fn row(&self, v: usize) -> Checked<Rc<[u32]>> {
        let (rows, held) = &mut *self.rows.borrow_mut();
        if let Some(row) = rows.get(&v) {
            return Ok(row.clone());
        }
        held.grow(4 * self.order as u64 + 64)?;
        let mut row: Vec<u32> = (0..).take(self.order).collect();
        let mut at = v;
        while let Some((l, before)) = self.word[at] {
            self.meter.steps(row.len())?;
            row = row.into_iter().map(|x| self.steps[l][x as usize]).collect();
            at = before;
        }
        Ok(rows.entry(v).or_insert(row.into()).clone())
    }

    /// Adds {c : c·v ∈ set} to a set.
    pub fn add_quotient(&self, v: usize, set: &Set, to: &mut Set) -> Checked {
        self.meter.steps(self.order)?;
        for (c, &x) in self.row(v)?.iter().enumerate() {
            to[c / 64] |= (set[x as usize / 64] >> (x % 64) & 1) << (c % 64);
        }
        Ok(())
    }
}
