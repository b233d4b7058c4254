//! Enumeration in order.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use num_bigint::BigUint;
use num_traits::{One as _, Zero as _};

use super::least::Ranked;
use super::{Effort, VectorSet, id};
use crate::run::StopReason;

/// The elements of a set in the order of a functional with positive coefficients, ties
/// lexicographically; made by [`VectorSet::elements`].
pub struct Elements<'a> {
    set: &'a VectorSet,
    functional: Vec<u64>,
    /// By state and whether a digit 1 was read in the current block: the least completion that is not 0
    /// from the block's begin.
    best: Vec<[Option<Ranked>; 2]>,
    /// Sets still to be listed, by their least element.
    heap: BinaryHeap<Reverse<(Ranked, Part)>>,
}

/// One element, or all elements with given lowest digits and something above them.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
enum Part {
    One,
    Below { prefix: Vec<BigUint>, digits: u64, state: u32, seen: bool },
}

impl VectorSet {
    /// All elements by increasing ℓ(x), ties lexicographically; an endless iterator when the set is infinite.
    /// ℓ must have positive coefficients (else infinitely many elements could share one value).
    ///
    /// # Complexity
    /// O(n log n) to begin, then O(d · digits) heap steps an element.
    ///
    /// ```
    /// use semilinear::vectorset::{Effort, VectorSet};
    /// let effort = Effort::unlimited();
    /// let semigroup = VectorSet::image(&[0], &[vec![3], vec![5]], &effort)?;
    /// let first: Vec<_> = semigroup.elements(&[1], &effort)?.take(6).map(|x| x[0].clone()).collect();
    /// assert_eq!(first, [0u8, 3, 5, 6, 8, 9].map(Into::into));
    /// # Ok::<(), semilinear::run::StopReason>(())
    /// ```
    pub fn elements(&self, functional: &[u64], effort: &Effort<'_>) -> Result<Elements<'_>, StopReason> {
        assert_eq!(functional.len(), self.dimension, "a functional of the set's dimension");
        assert!(functional.iter().all(|&l| l > 0), "a functional with positive coefficients");
        let zero = || (BigUint::zero(), vec![BigUint::zero(); self.dimension]);
        let best = self.least_nonzero(functional, &zero(), effort)?;
        let mut heap = BinaryHeap::new();
        if self.label[0] {
            heap.push(Reverse((zero(), Part::One)));
        }
        let mut elements = Elements { set: self, functional: functional.to_vec(), best, heap };
        elements.push(zero().1, 0, 0, false);
        Ok(elements)
    }

    /// The least completions of (state, digit 1 seen in this block) that are not 0 from the block's begin.
    fn least_nonzero(
        &self,
        functional: &[u64],
        zero: &Ranked,
        effort: &Effort<'_>,
    ) -> Result<Vec<[Option<Ranked>; 2]>, StopReason> {
        let mut predecessors: Vec<Vec<(u32, bool)>> = vec![vec![]; self.next.len()];
        for (state, successors) in self.next.iter().enumerate() {
            predecessors[successors[0] as usize].push((id(state), false));
            predecessors[successors[1] as usize].push((id(state), true));
        }
        let mut best: Vec<[Option<Ranked>; 2]> = vec![[None, None]; self.next.len()];
        let mut heap: BinaryHeap<Reverse<(Ranked, u32, bool)>> = BinaryHeap::new();
        // A node before an edge: inside a block the seen flag before it, at track 0 always unseen.
        let relax = |heap: &mut BinaryHeap<_>, ranked: &Ranked, state: u32, seen: bool, done: bool| {
            for &(before, one) in &predecessors[state as usize] {
                for seen_before in [false, true] {
                    let reached = seen_before || one;
                    // At a block's end (state at track 0) either the word ends, which needs a digit 1 seen in
                    // its last block (`done`), or it goes on with something that is not 0.
                    let fits = if self.track(state) == 0 { !done || reached } else { reached == seen };
                    let possible = self.track(before) != 0 || !seen_before;
                    if fits && possible {
                        heap.push(Reverse((self.prepend(ranked, before, one, functional), before, seen_before)));
                    }
                }
            }
        };
        for state in (0..id(self.next.len())).filter(|&s| self.label[s as usize]) {
            relax(&mut heap, zero, state, false, true);
        }
        let mut settled = 0u64;
        while let Some(Reverse((ranked, state, seen))) = heap.pop() {
            if best[state as usize][usize::from(seen)].is_some() {
                continue;
            }
            settled += 1;
            if settled.is_multiple_of(1024) {
                effort.monitor.check(settled, None)?;
            }
            relax(&mut heap, &ranked, state, seen, false);
            best[state as usize][usize::from(seen)] = Some(ranked);
        }
        Ok(best)
    }
}

impl Elements<'_> {
    /// Queues the elements with these lowest digits whose rest is not 0 (unless `seen`, then from the block's begin).
    fn push(&mut self, prefix: Vec<BigUint>, digits: u64, state: u32, seen: bool) {
        let Some((_, rest)) = &self.best[state as usize][usize::from(seen)] else { return };
        let track = self.set.track(state);
        let least: Vec<BigUint> = prefix
            .iter()
            .zip(rest)
            .enumerate()
            .map(|(i, (low, high))| low + (high << (digits + u64::from(i < track))))
            .collect();
        self.heap.push(Reverse((self.ranked(least), Part::Below { prefix, digits, state, seen })));
    }

    fn ranked(&self, vector: Vec<BigUint>) -> Ranked {
        (vector.iter().zip(&self.functional).map(|(x, &l)| x * l).sum(), vector)
    }
}

impl Iterator for Elements<'_> {
    type Item = Vec<BigUint>;

    fn next(&mut self) -> Option<Vec<BigUint>> {
        loop {
            let Reverse((ranked, part)) = self.heap.pop()?;
            let Part::Below { prefix, digits, state, seen } = part else {
                return Some(ranked.1);
            };
            let track = self.set.track(state);
            let ends = track + 1 == self.set.dimension;
            for one in [false, true] {
                let target = self.set.next[state as usize][usize::from(one)];
                let mut prefix = prefix.clone();
                if one {
                    prefix[track] += BigUint::one() << digits;
                }
                let seen = seen || one;
                if !ends {
                    self.push(prefix, digits, target, seen);
                    continue;
                }
                if seen && self.set.label[target as usize] {
                    let ranked = self.ranked(prefix.clone());
                    self.heap.push(Reverse((ranked, Part::One)));
                }
                self.push(prefix, digits + 1, target, false);
            }
        }
    }
}
