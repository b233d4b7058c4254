//! All values of a poset at once: what the search turns to when a position does not decompose.
//!
//! The elements are split into a lower part L and an upper part U (everything above an element of U is in U).
//! An order ideal is a *prefix* T ⊆ L with a *suffix* E ⊆ U that T allows: all of L below E is in T. The
//! suffixes that T allows are the ideals of U inside the largest one, U_T, so the values of all ideals with the
//! prefix T are one block, numbered by the ideals inside U_T. Choosing x ∈ L leads from the block of T to the
//! block of T∖↑x: one lookup for a whole block, and the place in it comes from tables that depend on the
//! suffix alone. One byte is kept for an ideal; no key, and no symmetry.

use std::sync::atomic::{AtomicU8, AtomicU64, Ordering::Relaxed};

use rustc_hash::{FxHashMap, FxHashSet};

use crate::poset::Words;
use crate::solve::threads;
use semilinear::run::{Monitor, StopReason};

use super::decompose::Order;

/// The most suffixes: their tables should stay in a cache.
const MOST_SUFFIXES: usize = 1024;
/// The most elements: a value is a byte.
const MOST_ELEMENTS: usize = 255;
/// The most ideals: bytes of memory.
const MOST_IDEALS: u64 = 1 << 29;
/// The most prefixes.
const MOST_PREFIXES: usize = 1 << 23;
/// No rank: the suffix is not inside.
const NOT_INSIDE: u16 = u16::MAX;

/// The values of all ideals of a set of elements.
#[derive(Debug)]
pub(super) struct Dense<S> {
    suffixes: Suffixes<S>,
    prefixes: Prefixes<S>,
    values: Vec<AtomicU8>,
}

/// The ideals of the upper part; smaller ones come first.
#[derive(Debug)]
struct Suffixes<S> {
    upper: S,
    sets: Vec<S>,
    numbers: FxHashMap<S, u16>,
    /// The options of suffix e by choices inside it: `options[starts[e]..starts[e + 1]]`.
    starts: Vec<usize>,
    options: Vec<u16>,
    /// The suffixes inside suffix m, in order.
    inside: Vec<Vec<u16>>,
    /// The place of e among the suffixes inside m, at m·(number of suffixes) + e.
    ranks: Vec<u16>,
    /// For an element x of the lower part: what choosing x makes of every suffix.
    cuts: Vec<Vec<u16>>,
}

/// The ideals of the lower part, level by level.
#[derive(Debug)]
struct Prefixes<S> {
    lower: S,
    sets: Vec<S>,
    numbers: FxHashMap<S, u32>,
    /// The largest suffix that a prefix allows.
    largest: Vec<u16>,
    /// Where the block of a prefix begins, and where all end.
    starts: Vec<usize>,
    /// Where the prefixes with each number of elements begin.
    levels: Vec<usize>,
}

impl<S: Words> Dense<S> {
    /// The values of all ideals of `set`; `None` when it has more than `most` of them.
    ///
    /// # Complexity
    /// A few operations for each option of each ideal, one hash lookup for each option of each prefix;
    /// one byte an ideal.
    pub(super) fn new(order: &Order<S>, set: &S, most: u64, monitor: &dyn Monitor) -> Result<Option<Self>, StopReason> {
        if set.len() > MOST_ELEMENTS {
            return Ok(None);
        }
        let suffixes = Suffixes::new(order, set);
        let Some(prefixes) = Prefixes::new(order, set, &suffixes, most.min(MOST_IDEALS), monitor)? else {
            return Ok(None);
        };
        let size = *prefixes.starts.last().expect("the end of the last block");
        let mut values = Vec::new();
        values.try_reserve_exact(size).map_err(|_| StopReason::Memory)?;
        values.resize_with(size, AtomicU8::default);
        let dense = Self { suffixes, prefixes, values };
        match set.len() {
            0..64 => dense.fill::<1>(order, monitor)?,
            64..128 => dense.fill::<2>(order, monitor)?,
            _ => dense.fill::<4>(order, monitor)?,
        }
        Ok(Some(dense))
    }

    /// The value of an ideal; `None` for sets that are not inside.
    pub(super) fn grundy(&self, ideal: &S) -> Option<u32> {
        let part = |of: &S| {
            let mut part = ideal.clone();
            part.intersect(of);
            part
        };
        let (prefix, suffix) = (part(&self.prefixes.lower), part(&self.suffixes.upper));
        if prefix.len() + suffix.len() != ideal.len() {
            return None;
        }
        let t = *self.prefixes.numbers.get(&prefix)? as usize;
        let e = *self.suffixes.numbers.get(&suffix)?;
        match self.suffixes.rank(self.prefixes.largest[t], e) {
            NOT_INSIDE => None,
            rank => Some(self.values[self.prefixes.starts[t] + usize::from(rank)].load(Relaxed).into()),
        }
    }

    /// Fills the blocks; the values of a block fit into `V` words of 64.
    fn fill<const V: usize>(&self, order: &Order<S>, monitor: &dyn Monitor) -> Result<(), StopReason> {
        let done = AtomicU64::new(0);
        // Prefixes of one level lead to smaller ones only: threads share a level.
        for level in self.prefixes.levels.windows(2) {
            threads::numbers(
                level[0]..level[1],
                64,
                || (Vec::<[u64; V]>::new(), Vec::<u8>::new()),
                |(seen, block), t| {
                    self.block(order, t, seen, block);
                    let done = done.fetch_add(block.len() as u64, Relaxed);
                    monitor.check(done, Some(self.values.len() as u64))
                },
            )?;
        }
        Ok(())
    }

    fn block<const V: usize>(&self, order: &Order<S>, t: usize, seen: &mut Vec<[u64; V]>, block: &mut Vec<u8>) {
        let (suffixes, prefixes) = (&self.suffixes, &self.prefixes);
        let largest = prefixes.largest[t];
        let inside = &suffixes.inside[usize::from(largest)];
        seen.clear();
        seen.resize(inside.len(), [0; V]);
        for x in prefixes.sets[t].members() {
            let after = prefixes.numbers[&prefixes.sets[t].without(&order.up[x])] as usize;
            let ranks = suffixes.ranks_inside(prefixes.largest[after]);
            let values = &self.values[prefixes.starts[after]..prefixes.starts[after + 1]];
            let cut = &suffixes.cuts[x];
            for (seen, &e) in seen.iter_mut().zip(inside) {
                let value = values[usize::from(ranks[usize::from(cut[usize::from(e)])])].load(Relaxed);
                seen[usize::from(value / 64)] |= 1 << (value % 64);
            }
        }
        block.clear();
        let ranks = suffixes.ranks_inside(largest);
        for (seen, &e) in seen.iter_mut().zip(inside) {
            let e = usize::from(e);
            for &option in &suffixes.options[suffixes.starts[e]..suffixes.starts[e + 1]] {
                // Smaller suffixes come first: their values are in the block already.
                let value = block[usize::from(ranks[usize::from(option)])];
                seen[usize::from(value / 64)] |= 1 << (value % 64);
            }
            let word = seen.iter().position(|word| *word != u64::MAX).expect("fewer options than values");
            let mex = 64 * word + seen[word].trailing_ones() as usize;
            block.push(u8::try_from(mex).expect("at most the number of elements"));
        }
        for (cell, &value) in self.values[prefixes.starts[t]..].iter().zip(block.iter()) {
            cell.store(value, Relaxed);
        }
    }
}

impl<S: Words> Suffixes<S> {
    fn new(order: &Order<S>, set: &S) -> Self {
        let n = order.up.len();
        let (mut upper, mut rest) = (S::empty(n), set.clone());
        let mut sets = vec![S::empty(n)];
        // Move elements up while there are few ideals above, those first that add least: long chains.
        loop {
            let maximal = rest.members().filter(|&x| {
                let mut above = order.up[x].clone();
                above.intersect(&rest);
                above.len() == 1
            });
            // Ideals without x have nothing above it; those with x are x and any ideal.
            let added = |x: usize| sets.iter().filter(|suffix| !suffix.meets(&order.up[x])).count();
            let Some((most, x)) = maximal.map(|x| (added(x), x)).min() else { break };
            if sets.len() + most > MOST_SUFFIXES {
                break;
            }
            let mut with: Vec<S> = sets.clone();
            for suffix in &mut with {
                suffix.insert(x);
            }
            sets.retain(|suffix| !suffix.meets(&order.up[x]));
            sets.append(&mut with);
            upper.insert(x);
            rest.remove(x);
        }
        sets.sort_by_cached_key(|suffix| (suffix.len(), suffix.clone()));
        let numbers: FxHashMap<S, u16> = sets.iter().cloned().zip(0..).collect();
        let (mut starts, mut options) = (vec![0], Vec::new());
        for suffix in &sets {
            options.extend(suffix.members().map(|x| numbers[&suffix.without(&order.up[x])]));
            starts.push(options.len());
        }
        let mut ranks = vec![NOT_INSIDE; sets.len() * sets.len()];
        let mut inside = Vec::with_capacity(sets.len());
        for (m, larger) in sets.iter().enumerate() {
            let row = &mut ranks[m * sets.len()..][..sets.len()];
            let list: Vec<u16> =
                (0..).zip(&sets).filter(|(_, suffix)| suffix.is_subset(larger)).map(|(e, _)| e).collect();
            for (rank, &e) in (0..).zip(&list) {
                row[usize::from(e)] = rank;
            }
            inside.push(list);
        }
        let cut = |x: usize| sets.iter().map(|suffix| numbers[&suffix.without(&order.up[x])]).collect();
        let cuts = (0..n).map(|x| if rest.contains(x) { cut(x) } else { Vec::new() }).collect();
        Self { upper, sets, numbers, starts, options, inside, ranks, cuts }
    }

    fn ranks_inside(&self, m: u16) -> &[u16] {
        &self.ranks[usize::from(m) * self.sets.len()..][..self.sets.len()]
    }

    fn rank(&self, m: u16, e: u16) -> u16 {
        self.ranks_inside(m)[usize::from(e)]
    }
}

impl<S: Words> Prefixes<S> {
    /// All prefixes; `None` when there are too many of them, or of ideals.
    fn new(
        order: &Order<S>,
        set: &S,
        suffixes: &Suffixes<S>,
        most: u64,
        monitor: &dyn Monitor,
    ) -> Result<Option<Self>, StopReason> {
        let n = order.up.len();
        let lower = set.without(&suffixes.upper);
        // What must be there below an element, inside L.
        let needs = |x: usize| {
            let mut needs = order.down[x].clone();
            needs.intersect(&lower);
            needs.remove(x);
            needs
        };
        let lower_needs: Vec<(usize, S)> = lower.members().map(|x| (x, needs(x))).collect();
        let upper_needs: Vec<(usize, S)> = suffixes.upper.members().map(|x| (x, needs(x))).collect();
        let largest_of = |prefix: &S| {
            let mut allowed = S::empty(n);
            upper_needs.iter().filter(|(_, needs)| needs.is_subset(prefix)).for_each(|&(x, _)| allowed.insert(x));
            suffixes.numbers[&allowed]
        };
        let (mut sets, mut largest, mut starts, mut levels) = (Vec::new(), Vec::new(), vec![0_usize], vec![0]);
        let mut level = vec![S::empty(n)];
        while !level.is_empty() {
            let mut next = FxHashSet::default();
            for prefix in &level {
                let m = largest_of(prefix);
                let end = starts[starts.len() - 1] + suffixes.inside[usize::from(m)].len();
                if end as u64 > most || starts.len() > MOST_PREFIXES {
                    return Ok(None);
                }
                starts.push(end);
                largest.push(m);
                if starts.len() % 256 == 0 {
                    monitor.check(starts.len() as u64, None)?;
                }
                for (x, needs) in &lower_needs {
                    if !prefix.contains(*x) && needs.is_subset(prefix) {
                        let mut more = prefix.clone();
                        more.insert(*x);
                        next.insert(more);
                    }
                }
            }
            monitor.check(starts.len() as u64, None)?;
            sets.append(&mut level);
            levels.push(sets.len());
            level = next.into_iter().collect();
        }
        let numbers = sets.iter().cloned().zip(0..).collect();
        Ok(Some(Self { lower, sets, numbers, largest, starts, levels }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::poset::{ElementSet, Poset};
    use crate::solve::poset::ideals::{next_ideal, values};
    use semilinear::run::Unlimited;

    #[test]
    fn every_value_equals_the_table() {
        for poset in [
            Poset::chomp(&[7, 6, 6, 4, 2]).unwrap(),
            Poset::chomp_box(&[3, 3, 4]).unwrap(),
            Poset::divisors(2 * 2 * 3 * 3 * 5 * 7).unwrap(),
            Poset::nim(&[3, 2, 2]).unwrap(),
            Poset::chain(0).unwrap(),
        ] {
            let poset = poset.in_linear_order();
            let order = Order::<ElementSet>::new(&poset);
            let dense = Dense::new(&order, &poset.all(), u64::MAX, &Unlimited).unwrap().unwrap();
            let expected = values(&poset, crate::outcome::Play::Normal, &Unlimited).unwrap();
            assert_eq!(dense.values.len(), expected.len());
            let mut ideal = poset.nothing();
            for value in expected {
                assert_eq!(dense.grundy(&ideal), Some(value.into()), "{ideal:?}");
                next_ideal(&order.down, &mut ideal);
            }
            assert!(Dense::new(&order, &poset.all(), dense.values.len() as u64 - 1, &Unlimited).unwrap().is_none());
        }
    }

    #[test]
    fn sets_outside_have_no_value() {
        let poset = Poset::chomp_box(&[3, 3, 3]).unwrap();
        let order = Order::<ElementSet>::new(&poset);
        let mut root = poset.all();
        root.subtract(poset.up(3));
        let dense = Dense::new(&order, &root, u64::MAX, &Unlimited).unwrap().unwrap();
        assert!(dense.grundy(&root).is_some());
        assert_eq!(dense.grundy(&poset.all()), None);
    }
}
