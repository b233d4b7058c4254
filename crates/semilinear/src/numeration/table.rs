//! Partial automata over a small alphabet: canonical tables, products, minimisation.

use rustc_hash::FxHashMap;

use crate::run::StopReason;
use crate::vectorset::Effort;

/// No state: the word can no longer be accepted.
pub const NOWHERE: u32 = u32::MAX;

/// A deterministic automaton whose states are all reachable and live (some word leads from them to acceptance), except that
/// the initial state 0 is always there. A missing transition is [`NOWHERE`].
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Table {
    pub(super) letters: usize,
    /// `letters` successors a state.
    pub(super) next: Vec<u32>,
    pub(super) accepting: Vec<bool>,
}

impl Table {
    /// The number of states.
    pub fn states(&self) -> usize {
        self.accepting.len()
    }

    /// The number of letters.
    pub fn letters(&self) -> usize {
        self.letters
    }

    /// Where a letter leads from a state; [`NOWHERE`] stays [`NOWHERE`].
    #[inline]
    pub fn step(&self, state: u32, letter: usize) -> u32 {
        if state == NOWHERE { NOWHERE } else { self.next[state as usize * self.letters + letter] }
    }

    /// Whether a word that ends in this state is accepted.
    #[inline]
    pub fn accepts(&self, state: u32) -> bool {
        state != NOWHERE && self.accepting[state as usize]
    }

    /// The transitions, `letters` a state, [`NOWHERE`] where there is none.
    pub fn transitions(&self) -> &[u32] {
        &self.next
    }

    /// Whether no word is accepted.
    pub fn is_empty(&self) -> bool {
        !self.accepting.contains(&true)
    }

    /// The automaton of a deterministic walk: `step` leads from a state by a letter, `None` is nowhere.
    pub(super) fn explore<S: Clone + Eq + std::hash::Hash>(
        letters: usize,
        start: S,
        effort: &Effort<'_>,
        mut step: impl FnMut(&S, usize) -> Option<S>,
        mut accepts: impl FnMut(&S) -> bool,
    ) -> Result<Self, StopReason> {
        let mut ids = FxHashMap::default();
        let mut states = vec![start.clone()];
        ids.insert(start, 0_u32);
        let mut next = Vec::new();
        let mut at = 0;
        while at < states.len() {
            effort.allow(at + 1)?;
            for letter in 0..letters {
                let target = step(&states[at], letter).map_or(NOWHERE, |state| {
                    *ids.entry(state).or_insert_with_key(|state| {
                        states.push(state.clone());
                        crate::vectorset::id(states.len() - 1)
                    })
                });
                next.push(target);
            }
            at += 1;
        }
        let accepting = states.iter().map(&mut accepts).collect();
        Self { letters, next, accepting }.canonical(effort)
    }

    /// The states from which a word is accepted.
    fn live(&self) -> Vec<bool> {
        let n = self.states();
        let mut first = vec![0_u32; n + 1];
        for &t in self.next.iter().filter(|&&t| t != NOWHERE) {
            first[t as usize + 1] += 1;
        }
        for i in 0..n {
            first[i + 1] += first[i];
        }
        let mut fill = first.clone();
        let mut sources = vec![0_u32; first[n] as usize];
        for (i, &t) in self.next.iter().enumerate() {
            if t != NOWHERE {
                sources[fill[t as usize] as usize] = crate::vectorset::id(i / self.letters);
                fill[t as usize] += 1;
            }
        }
        let mut live = self.accepting.clone();
        let mut stack: Vec<usize> = (0..n).filter(|&s| live[s]).collect();
        while let Some(s) = stack.pop() {
            for &source in &sources[first[s] as usize..first[s + 1] as usize] {
                if !live[source as usize] {
                    live[source as usize] = true;
                    stack.push(source as usize);
                }
            }
        }
        live
    }

    /// The minimal automaton with states numbered breadth first: equal languages have equal tables.
    ///
    /// # Complexity
    /// O(rounds · states · letters) (Moore's refinement; rounds are few for automata of digits).
    pub(super) fn canonical(mut self, effort: &Effort<'_>) -> Result<Self, StopReason> {
        let live = self.live();
        for t in &mut self.next {
            if *t != NOWHERE && !live[*t as usize] {
                *t = NOWHERE;
            }
        }
        let n = self.states();
        let mut class: Vec<u32> = self.accepting.iter().map(|&a| u32::from(a)).collect();
        let mut classes = 0;
        loop {
            effort.monitor.check(n as u64, None)?;
            let mut ids: FxHashMap<Box<[u32]>, u32> = FxHashMap::default();
            let mut refined = Vec::with_capacity(n);
            let mut signature = vec![0; self.letters + 1];
            for s in 0..n {
                signature[0] = class[s];
                for (letter, slot) in signature[1..].iter_mut().enumerate() {
                    let t = self.next[s * self.letters + letter];
                    *slot = if t == NOWHERE { NOWHERE } else { class[t as usize] };
                }
                let fresh = crate::vectorset::id(ids.len());
                let id = ids.get(signature.as_slice()).copied().unwrap_or(fresh);
                if id == fresh {
                    ids.insert(signature.clone().into_boxed_slice(), fresh);
                }
                refined.push(id);
            }
            class = refined;
            if ids.len() == classes {
                break;
            }
            classes = ids.len();
        }
        // One representative a class, then breadth first from the class of the initial state.
        let mut representative = vec![0; classes];
        for s in (0..n).rev() {
            representative[class[s] as usize] = s;
        }
        let mut number = vec![NOWHERE; classes];
        let mut order = vec![class[0]];
        number[class[0] as usize] = 0;
        let mut next = Vec::new();
        let mut at = 0;
        while at < order.len() {
            let s = representative[order[at] as usize];
            for letter in 0..self.letters {
                let t = self.next[s * self.letters + letter];
                if t == NOWHERE {
                    next.push(NOWHERE);
                    continue;
                }
                let c = class[t as usize];
                if number[c as usize] == NOWHERE {
                    number[c as usize] = crate::vectorset::id(order.len());
                    order.push(c);
                }
                next.push(number[c as usize]);
            }
            at += 1;
        }
        let accepting = order.iter().map(|&c| self.accepting[representative[c as usize]]).collect();
        Ok(Self { letters: self.letters, next, accepting })
    }
}
