//! Least elements, and finiteness.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use num_bigint::BigUint;
use num_traits::Zero as _;

use super::{Effort, VectorSet, id};
use crate::run::StopReason;

/// A vector with its value: ordered by the value, then lexicographically.
pub(super) type Ranked = (BigUint, Vec<BigUint>);

impl VectorSet {
    /// The element with the least ℓ(x), the lexicographically least of them; `None` for ∅.
    ///
    /// ℓ has non-negative coefficients.
    ///
    /// # Complexity
    /// Knuth's generalisation of Dijkstra's algorithm on the automaton: O(n log n) steps on vectors.
    ///
    /// ```
    /// use semilinear::vectorset::{Effort, Relation, VectorSet};
    /// let effort = Effort::unlimited();
    /// let set = VectorSet::linear(&[3, 5], -7, Relation::AtLeastZero, &effort)?;
    /// assert_eq!(set.least(&[1, 2], &effort)?, Some(vec![1u8.into(), 1u8.into()]));
    /// # Ok::<(), semilinear::run::StopReason>(())
    /// ```
    pub fn least(&self, functional: &[u64], effort: &Effort<'_>) -> Result<Option<Vec<BigUint>>, StopReason> {
        assert_eq!(functional.len(), self.dimension, "a functional of the set's dimension");
        let mut table = self.least_completions(functional, effort)?;
        Ok(table.swap_remove(0).map(|(_, vector)| vector))
    }

    /// [`VectorSet::least`] for the sum of the coordinates.
    pub fn smallest(&self, effort: &Effort<'_>) -> Result<Option<Vec<BigUint>>, StopReason> {
        self.least(&vec![1; self.dimension], effort)
    }

    /// For every state, its least completion.
    ///
    /// The completion of a state at track j counts coordinates i ≥ j at the current digit's weight and
    /// coordinates i < j at the next digit's: reading digit e of coordinate j turns xⱼ into 2xⱼ + e and
    /// leaves the others, which keeps the order (value, then lexicographic) and never makes a vector smaller:
    /// what Knuth's algorithm needs.
    fn least_completions(&self, functional: &[u64], effort: &Effort<'_>) -> Result<Vec<Option<Ranked>>, StopReason> {
        let mut predecessors: Vec<Vec<(u32, bool)>> = vec![vec![]; self.next.len()];
        for (state, successors) in self.next.iter().enumerate() {
            predecessors[successors[0] as usize].push((id(state), false));
            predecessors[successors[1] as usize].push((id(state), true));
        }
        let mut best: Vec<Option<Ranked>> = vec![None; self.next.len()];
        let zero = (BigUint::zero(), vec![BigUint::zero(); self.dimension]);
        let mut heap: BinaryHeap<Reverse<(Ranked, u32)>> =
            (0..id(self.next.len())).filter(|&s| self.label[s as usize]).map(|s| Reverse((zero.clone(), s))).collect();
        let mut settled = 0u64;
        while let Some(Reverse((ranked, state))) = heap.pop() {
            if best[state as usize].is_some() {
                continue;
            }
            settled += 1;
            if settled.is_multiple_of(1024) {
                effort.monitor.check(settled, Some(self.next.len() as u64))?;
            }
            for &(before, one) in &predecessors[state as usize] {
                if best[before as usize].is_none() {
                    heap.push(Reverse((self.prepend(&ranked, before, one, functional), before)));
                }
            }
            best[state as usize] = Some(ranked);
        }
        Ok(best)
    }

    /// The completion of `before` that reads the digit `one` and then goes on with `ranked`.
    pub(super) fn prepend(&self, ranked: &Ranked, before: u32, one: bool, functional: &[u64]) -> Ranked {
        let track = self.track(before);
        let (mut value, mut vector) = ranked.clone();
        vector[track] <<= 1;
        if track + 1 == self.dimension {
            value <<= 1;
        }
        if one {
            vector[track].set_bit(0, true);
            value += functional[track];
        }
        (value, vector)
    }

    /// Whether the set has finitely many elements.
    ///
    /// # Complexity
    /// O(n): infinite iff a strongly connected part of the non-empty states contains the digit 1.
    ///
    /// ```
    /// use semilinear::vectorset::{Effort, Relation, VectorSet};
    /// let effort = Effort::unlimited();
    /// let triangle = VectorSet::linear(&[-1, -1], 9, Relation::AtLeastZero, &effort)?;
    /// assert!(triangle.is_finite());
    /// assert!(!triangle.complement().is_finite());
    /// # Ok::<(), semilinear::run::StopReason>(())
    /// ```
    pub fn is_finite(&self) -> bool {
        let constants = self.constants();
        let live = |s: u32| constants[s as usize] != Some(false);
        let component = self.components(&live);
        !(0..self.next.len()).any(|s| {
            let target = self.next[s][1];
            live(id(s)) && live(target) && component[s] == component[target as usize]
        })
    }

    /// Strongly connected components of the live states (Tarjan, without recursion).
    fn components(&self, live: &impl Fn(u32) -> bool) -> Vec<u32> {
        const NONE: u32 = u32::MAX;
        let n = self.next.len();
        let (mut index, mut low, mut component) = (vec![NONE; n], vec![0u32; n], vec![NONE; n]);
        let (mut stack, mut calls): (Vec<u32>, Vec<(u32, usize)>) = (vec![], vec![]);
        let (mut counter, mut components) = (0u32, 0u32);
        for root in 0..id(n) {
            if index[root as usize] != NONE || !live(root) {
                continue;
            }
            calls.push((root, 0));
            while let Some((state, edge)) = calls.pop() {
                let s = state as usize;
                if edge == 0 {
                    index[s] = counter;
                    low[s] = counter;
                    counter += 1;
                    stack.push(state);
                }
                if edge > 0 {
                    let child = self.next[s][edge - 1] as usize;
                    if live(id(child)) && component[child] == NONE {
                        low[s] = low[s].min(low[child]);
                    }
                }
                if edge < 2 {
                    calls.push((state, edge + 1));
                    let child = self.next[s][edge];
                    if live(child) && index[child as usize] == NONE {
                        calls.push((child, 0));
                    }
                    continue;
                }
                if low[s] == index[s] {
                    while let Some(member) = stack.pop() {
                        component[member as usize] = components;
                        if member == state {
                            break;
                        }
                    }
                    components += 1;
                }
            }
        }
        component
    }
}
