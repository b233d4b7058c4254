//! The quotient of a finite monoid times counters.

use std::cell::RefCell;

use rustc_hash::{FxHashMap, FxHashSet};

use super::{Cone, Exponents, Outcomes, Rewriting};
use crate::solve::quotient::{Bits, Counters, relations_of};
use semilinear::run::{Monitor, StopReason};
use semilinear::vectorset::{Effort, VectorSet};

/// A generator: a letter of the monoid or a counter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Generator {
    Letter(usize),
    Counter(usize),
}

/// The P-positions {(g, a) : a ∈ S_g} ⊂ G × ℕʳ. The generators are the letters and the counters in the order of their heaps.
pub struct CountedOutcomes<'a> {
    counters: &'a Counters,
    generators: Vec<(u32, Generator)>,
    effort: Effort<'a>,
    /// The different sets S_g − a met so far, and their names.
    sets: RefCell<Vec<VectorSet>>,
    names: RefCell<FxHashMap<VectorSet, u32>>,
    /// The name of S − eᵢ for the name of S.
    steps: RefCell<FxHashMap<(u32, usize), u32>>,
    /// The name of S_g.
    first: Vec<u32>,
}

/// The sets S_{gz} − a for all z ∈ G, by name.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Columns {
    names: std::rc::Rc<[u32]>,
}

impl<'a> CountedOutcomes<'a> {
    /// The sets of a counter form.
    pub fn new(counters: &'a Counters, effort: Effort<'a>) -> Result<Self, StopReason> {
        let mut generators: Vec<(u32, Generator)> = counters
            .monoid
            .letters()
            .iter()
            .enumerate()
            .map(|(l, &h)| (h, Generator::Letter(l)))
            .chain(counters.counters.iter().enumerate().map(|(i, &h)| (h, Generator::Counter(i))))
            .collect();
        generators.sort_unstable_by_key(|&(h, _)| h);
        let mut this = Self {
            counters,
            generators,
            effort,
            sets: RefCell::default(),
            names: RefCell::default(),
            steps: RefCell::default(),
            first: Vec::new(),
        };
        // Elements that lie in the same slices have the same set.
        let mut known: FxHashMap<Vec<bool>, u32> = FxHashMap::default();
        for g in 0..counters.monoid.order() {
            let pattern: Vec<bool> = counters.slices.iter().map(|slice| slice.has(g)).collect();
            let name = if let Some(&name) = known.get(&pattern) {
                name
            } else {
                let name = this.name(counters.set_of(g, &effort)?);
                known.insert(pattern, name);
                name
            };
            this.first.push(name);
        }
        Ok(this)
    }

    /// The relations of the monoid, and the step along which the slices repeat.
    pub fn known(&self, monitor: &dyn Monitor) -> Result<Rewriting, StopReason> {
        let word = |word: &[(u32, u32)]| {
            let mut x = vec![0; self.generators.len()];
            for &(heap, copies) in word {
                x[self.place(heap)] = copies;
            }
            x
        };
        let rules = relations_of(&self.counters.monoid).iter().map(|(l, r)| (word(l), word(r))).collect();
        let mut rules = Rewriting::from_basis(self.generators.len(), rules);
        if let Some(infinity) = &self.counters.infinity {
            let at = |a: &[u32]| {
                let mut x = vec![0; self.generators.len()];
                for (&heap, &n) in self.counters.counters.iter().zip(a) {
                    x[self.place(heap)] = n;
                }
                x
            };
            let far: Vec<u32> = infinity.from.iter().zip(&infinity.step).map(|(a, b)| a.saturating_add(*b)).collect();
            rules.add(&at(&far), &at(&infinity.from), monitor)?;
        }
        Ok(rules)
    }

    /// The heaps that are generators, increasing.
    pub fn heaps(&self) -> Vec<u32> {
        self.generators.iter().map(|&(h, _)| h).collect()
    }

    fn place(&self, heap: u32) -> usize {
        self.generators.iter().position(|&(h, _)| h == heap).expect("the heap is a generator")
    }

    fn name(&self, set: VectorSet) -> u32 {
        let mut names = self.names.borrow_mut();
        let mut sets = self.sets.borrow_mut();
        *names.entry(set).or_insert_with_key(|set| {
            sets.push(set.clone());
            u32::try_from(sets.len() - 1).expect("few sets")
        })
    }

    fn next(&self, name: u32, i: usize) -> Result<u32, StopReason> {
        if let Some(&found) = self.steps.borrow().get(&(name, i)) {
            return Ok(found);
        }
        let unit: Vec<_> = (0..self.counters.counters.len()).map(|j| u8::from(i == j).into()).collect();
        let set = self.sets.borrow()[name as usize].clone();
        let found = self.name(set.shift(&unit, &self.effort)?);
        self.steps.borrow_mut().insert((name, i), found);
        Ok(found)
    }

    /// The element and the counts of a vector of exponents.
    pub fn value(&self, x: &[u32]) -> (u32, Vec<u32>) {
        let mut value = (0, vec![0; self.counters.counters.len()]);
        for (&n, &(_, generator)) in x.iter().zip(&self.generators) {
            match generator {
                Generator::Letter(l) => {
                    value.0 = (0..n).fold(value.0, |g, _| self.counters.monoid.step(l, g));
                }
                Generator::Counter(i) => value.1[i] = n,
            }
        }
        value
    }

    /// The number of normal forms that are P-positions; `None` when there are infinitely many.
    pub fn p_portion(&self, cones: &[Cone]) -> Result<Option<usize>, StopReason> {
        let mut count = 0;
        for cone in cones {
            let (g, a) = self.value(&cone.base);
            let set = self.sets.borrow()[self.first[g as usize] as usize].clone();
            if cone.free.is_empty() {
                count += usize::from(set.contains_small(&a.iter().map(|&n| n.into()).collect::<Vec<u64>>()));
                continue;
            }
            let columns: Vec<Vec<i64>> =
                self.free_counters(cone).iter().map(|&i| (0..a.len()).map(|j| i64::from(i == j)).collect()).collect();
            let base: Vec<_> = a.iter().map(|&n| n.into()).collect();
            let slice = set.preimage(&base, &columns, &self.effort)?;
            if !slice.is_finite() {
                return Ok(None);
            }
            let functional = vec![1; columns.len()];
            count += slice.elements(&functional, &self.effort)?.count();
        }
        Ok(Some(count))
    }

    fn free_counters(&self, cone: &Cone) -> Vec<usize> {
        cone.free
            .iter()
            .map(|&k| match self.generators[k].1 {
                Generator::Counter(i) => i,
                Generator::Letter(_) => unreachable!("cones in which a letter is free have twins"),
            })
            .collect()
    }
}

impl Outcomes for CountedOutcomes<'_> {
    type Shift = Columns;

    fn dimension(&self) -> usize {
        self.generators.len()
    }

    fn start(&self) -> Columns {
        Columns { names: self.first.clone().into() }
    }

    fn step(&self, shift: &Columns, i: usize) -> Result<Columns, StopReason> {
        let names = match self.generators[i].1 {
            Generator::Letter(l) => (0..shift.names.len())
                .map(|z| shift.names[self.counters.monoid.step(l, u32::try_from(z).expect("small")) as usize])
                .collect(),
            Generator::Counter(i) => shift.names.iter().map(|&name| self.next(name, i)).collect::<Result<_, _>>()?,
        };
        Ok(Columns { names })
    }

    /// All elements of G at once: for each pair of shapes a + ℕ^F, b + ℕ^F' of cones one subset construction reads (u, v) and keeps
    /// what pairs of slices (F(a + u + c), F(b + v + c)) some c ∈ ℕʳ leads to.
    fn twins(
        &self,
        cones: &[Cone],
        _compared: u32,
        monitor: &dyn Monitor,
    ) -> Result<Option<(Exponents, Exponents)>, StopReason> {
        if let Some(twins) = cones.iter().find_map(|cone| self.repeated_power(cone)) {
            return Ok(Some(twins));
        }
        let mut shapes: Vec<Shape> = Vec::new();
        let mut places: FxHashMap<(Vec<u32>, Vec<usize>), usize> = FxHashMap::default();
        for (k, cone) in cones.iter().enumerate() {
            let (g, a) = self.value(&cone.base);
            let free = self.free_counters(cone);
            let place = *places.entry((a.clone(), free.clone())).or_insert_with(|| {
                shapes.push(Shape { base: a, free, members: Vec::new() });
                shapes.len() - 1
            });
            shapes[place].members.push((g, k));
        }
        let beside = self.beside(monitor)?;
        for (i, first) in shapes.iter().enumerate() {
            for (j, second) in shapes.iter().enumerate().skip(i) {
                monitor.check(i as u64, Some(shapes.len() as u64))?;
                let pairs = Pairs { counters: self.counters, first, second, same: i == j };
                for found in pairs.reached(&self.effort)? {
                    let key = |g: u32, left: bool| -> Vec<u32> {
                        let name = |&(s, t): &(u32, u32)| beside[if left { s } else { t } as usize][g as usize];
                        found.slices.iter().map(name).collect()
                    };
                    let mut at: FxHashMap<Vec<u32>, Vec<usize>> = FxHashMap::default();
                    for &(g, k) in &first.members {
                        at.entry(key(g, true)).or_default().push(k);
                    }
                    for &(h, k) in &second.members {
                        let others = at.get(&key(h, false)).map_or(&[][..], |list| &list[..]);
                        if let Some(&other) = others.iter().find(|&&other| other != k || !found.equal) {
                            return Ok(Some((Self::moved(&cones[other], &found.u), Self::moved(&cones[k], &found.v))));
                        }
                    }
                }
            }
        }
        Ok(None)
    }
}

impl CountedOutcomes<'_> {
    /// Powers of a letter repeat in a finite monoid: two congruent vectors of a cone in which a letter is free.
    fn repeated_power(&self, cone: &Cone) -> Option<(Exponents, Exponents)> {
        let (k, l) = cone.free.iter().find_map(|&k| match self.generators[k].1 {
            Generator::Letter(l) => Some((k, l)),
            Generator::Counter(_) => None,
        })?;
        let mut x = cone.base.clone();
        let mut g = self.value(&x).0;
        let mut seen: FxHashMap<u32, Exponents> = FxHashMap::default();
        loop {
            if let Some(before) = seen.insert(g, x.clone()) {
                return Some((x, before));
            }
            x[k] += 1;
            g = self.counters.monoid.step(l, g);
        }
    }

    fn moved(cone: &Cone, u: &[u32]) -> Exponents {
        let mut x = cone.base.clone();
        for (&k, &n) in cone.free.iter().zip(u) {
            x[k] = x[k].saturating_add(n);
        }
        x
    }

    /// For each slice s and element g, a name of {z : gz ∈ s}: equal names for equal sets.
    fn beside(&self, monitor: &dyn Monitor) -> Result<Vec<Vec<u32>>, StopReason> {
        let monoid = &self.counters.monoid;
        let mut names: FxHashMap<Bits, u32> = FxHashMap::default();
        let mut table = vec![Vec::with_capacity(monoid.order()); self.counters.slices.len()];
        let elements = u32::try_from(monoid.order()).expect("elements are numbered with 32 bits");
        for g in 0..elements {
            monitor.check(u64::from(g), Some(u64::from(elements)))?;
            let row = monoid.row(g);
            for (names_of, slice) in table.iter_mut().zip(&self.counters.slices) {
                let fresh = u32::try_from(names.len()).expect("few sets");
                let set = Bits::of(row.len(), |z| slice.has(row[z] as usize));
                names_of.push(*names.entry(set).or_insert(fresh));
            }
        }
        Ok(table)
    }
}

/// Cones with the same counts: base + ℕ^free beside several elements.
struct Shape {
    base: Vec<u32>,
    free: Vec<usize>,
    /// Element, and number of the cone.
    members: Vec<(u32, usize)>,
}

/// Where a vector is while its digits are read: carries, then the state of the automaton.
type Place = (Vec<u32>, u32);

/// Pairs of vectors of two shapes.
struct Pairs<'a> {
    counters: &'a Counters,
    first: &'a Shape,
    second: &'a Shape,
    same: bool,
}

/// What some (u, v) lead to.
struct Reached {
    u: Vec<u32>,
    v: Vec<u32>,
    /// Whether u = v, for equal shapes.
    equal: bool,
    /// The pairs of slices, sorted.
    slices: Vec<(u32, u32)>,
}

impl Pairs<'_> {
    fn advanced(&self, place: &Place, free: &[usize], digits: usize, common: usize) -> Place {
        let mut word = 0;
        let carry = (0..self.counters.counters.len())
            .map(|i| {
                let own = free.iter().position(|&f| f == i).map_or(0, |k| digits >> k & 1);
                let sum = place.0[i] + u32::from(own == 1) + u32::from(common >> i & 1 == 1);
                word |= ((sum & 1) as usize) << i;
                sum >> 1
            })
            .collect();
        (carry, self.counters.next[place.1 as usize][word])
    }

    fn output(&self, place: &Place) -> u32 {
        let mut place = place.clone();
        while place.0.iter().any(|&c| c > 0) {
            place = self.advanced(&place, &[], 0, 0);
        }
        self.counters.output[place.1 as usize]
    }

    /// Every set of pairs of slices that some (u, v) has, once for equal and once for different vectors.
    fn reached(&self, effort: &Effort<'_>) -> Result<Vec<Reached>, StopReason> {
        let r = self.counters.counters.len();
        let (m, n) = (self.first.free.len(), self.second.free.len());
        let mut nodes: Vec<(Place, Place)> = vec![((self.first.base.clone(), 0), (self.second.base.clone(), 0))];
        let mut number: FxHashMap<(Place, Place), u32> = FxHashMap::default();
        number.insert(nodes[0].clone(), 0);
        // Successors of a node by the digits of (u, v), over all digits of c.
        let mut next: Vec<Vec<Vec<u32>>> = Vec::new();
        while next.len() < nodes.len() {
            effort.allow(nodes.len())?;
            let (left, right) = nodes[next.len()].clone();
            let mut row = Vec::with_capacity(1 << (m + n));
            for digits in 0..1_usize << (m + n) {
                let mut targets: Vec<u32> = (0..1 << r)
                    .map(|c| {
                        let target = (
                            self.advanced(&left, &self.first.free, digits & ((1 << m) - 1), c),
                            self.advanced(&right, &self.second.free, digits >> m, c),
                        );
                        let fresh = u32::try_from(nodes.len()).expect("the effort is smaller");
                        *number.entry(target).or_insert_with_key(|target| {
                            nodes.push(target.clone());
                            fresh
                        })
                    })
                    .collect();
                targets.sort_unstable();
                targets.dedup();
                row.push(targets);
            }
            next.push(row);
        }
        // What a node leads to when u and v have no more digits.
        let own: Vec<(u32, u32)> = nodes.iter().map(|(l, r)| (self.output(l), self.output(r))).collect();
        let endings = |set: &[u32]| -> Vec<(u32, u32)> {
            let mut seen: FxHashSet<u32> = set.iter().copied().collect();
            let mut stack = set.to_vec();
            let mut pairs = FxHashSet::default();
            while let Some(node) = stack.pop() {
                pairs.insert(own[node as usize]);
                stack.extend(next[node as usize][0].iter().copied().filter(|&t| seen.insert(t)));
            }
            let mut pairs: Vec<(u32, u32)> = pairs.into_iter().collect();
            pairs.sort_unstable();
            pairs
        };
        let mut results: Vec<Reached> = Vec::new();
        let mut known: FxHashSet<(bool, Vec<(u32, u32)>)> = FxHashSet::default();
        let mut states: Vec<(Vec<u32>, bool)> = vec![(vec![0], self.same)];
        let mut from: Vec<(usize, usize)> = vec![(0, 0)];
        let mut seen: FxHashSet<(Vec<u32>, bool)> = states.iter().cloned().collect();
        let mut at = 0;
        while at < states.len() {
            effort.allow(states.len())?;
            effort.monitor.check(at as u64, None)?;
            let (set, equal) = states[at].clone();
            let slices = endings(&set);
            if known.insert((equal, slices.clone())) {
                let (u, v) = digits_of(&from, at, m, n)
                    .ok_or(StopReason::Size { what: "entries of a relation", limit: u64::from(u32::MAX) })?;
                results.push(Reached { u, v, equal, slices });
            }
            let all = 0..1_usize << (m + n);
            for digits in all {
                let still = equal && digits & ((1 << m) - 1) == digits >> m;
                let mut target: Vec<u32> = set.iter().flat_map(|&node| next[node as usize][digits].clone()).collect();
                target.sort_unstable();
                target.dedup();
                if seen.insert((target.clone(), still)) {
                    states.push((target, still));
                    from.push((at, digits));
                }
            }
            at += 1;
        }
        Ok(results)
    }
}

/// The vectors whose digits lead to a state, if they are small.
fn digits_of(from: &[(usize, usize)], mut at: usize, m: usize, n: usize) -> Option<(Vec<u32>, Vec<u32>)> {
    let (mut u, mut v) = (vec![0_u32; m], vec![0_u32; n]);
    while at != 0 {
        let (before, digits) = from[at];
        for (i, x) in u.iter_mut().chain(&mut v).enumerate() {
            *x = x.checked_mul(2)? + u32::from(digits >> i & 1 == 1);
        }
        at = before;
    }
    u.iter().chain(&v).all(|&x| x < 1 << 30).then_some((u, v))
}
