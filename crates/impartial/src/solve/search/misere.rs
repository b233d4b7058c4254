//! Misère outcomes of sums, by search over the sums that can be reached.
//!
//! A component without options is no different from nothing, so it is left out: the position where
//! nobody can move is the empty sum, and there who cannot move wins.

use std::hash::Hash;
use std::sync::Arc;

use rustc_hash::FxHashMap;

use super::{Budget, options};
use crate::outcome::Outcome;
use crate::ruleset::Ruleset;
use semilinear::run::StopReason;

/// A sum: sorted components that all have options.
type Sum<C> = Box<[C]>;

/// The outcomes found so far, and the options of components (without inert components).
pub(super) struct Outcomes<C> {
    known: FxHashMap<Sum<C>, Outcome>,
    options: FxHashMap<C, Arc<[Vec<C>]>>,
    held: u64,
}

impl<C> Default for Outcomes<C> {
    fn default() -> Self {
        Self { known: FxHashMap::default(), options: FxHashMap::default(), held: 0 }
    }
}

/// A sum on the way down: which component and which of its options is tried next.
struct Frame<C> {
    sum: Sum<C>,
    component: usize,
    option: usize,
}

impl<C: Clone + Eq + Hash + Ord> Outcomes<C> {
    /// The outcome of a sum of components.
    pub(super) fn of<R: Ruleset<Component = C>>(
        &mut self,
        rules: &R,
        position: &[C],
        budget: &Budget,
    ) -> Result<Outcome, StopReason> {
        let mut sum = Vec::new();
        for component in position {
            if !self.options(rules, component, budget)?.is_empty() {
                sum.push(component.clone());
            }
        }
        sum.sort_unstable();
        let root: Sum<C> = sum.into();
        if let Some(&outcome) = self.known.get(&root) {
            return Ok(outcome);
        }
        let mut held_by_stack = 2 + root.len() as u64;
        let mut stack = vec![Frame { sum: root.clone(), component: 0, option: 0 }];
        while let Some(frame) = stack.last_mut() {
            // `None`: an option is still unknown and comes first.
            let outcome = loop {
                let Some(component) = frame.sum.get(frame.component) else {
                    break Some(Outcome::p_if(!frame.sum.is_empty()));
                };
                let repeated = frame.component > 0 && frame.sum[frame.component - 1] == *component;
                let choices = self.options(rules, component, budget)?;
                let Some(choice) = choices.get(frame.option).filter(|_| !repeated) else {
                    frame.component += 1;
                    frame.option = 0;
                    continue;
                };
                let next = replaced(&frame.sum, frame.component, choice);
                match self.known.get(&next) {
                    Some(Outcome::P) => break Some(Outcome::N),
                    Some(Outcome::N) => frame.option += 1,
                    None => {
                        held_by_stack += 2 + next.len() as u64;
                        budget.check(self.held + held_by_stack)?;
                        stack.push(Frame { sum: next, component: 0, option: 0 });
                        break None;
                    }
                }
            };
            if let Some(outcome) = outcome
                && let Some(frame) = stack.pop()
            {
                // What the stack held is now held by the memory.
                held_by_stack -= 2 + frame.sum.len() as u64;
                self.held += 2 + frame.sum.len() as u64;
                self.known.insert(frame.sum, outcome);
            }
        }
        Ok(self.known[&root])
    }

    /// The options of a component, inert components left out of them.
    fn options<R: Ruleset<Component = C>>(
        &mut self,
        rules: &R,
        component: &C,
        budget: &Budget,
    ) -> Result<Arc<[Vec<C>]>, StopReason> {
        if let Some(known) = self.options.get(component) {
            return Ok(Arc::clone(known));
        }
        let mut list = options(rules, component, budget)?;
        for option in &mut list {
            let mut live = Vec::new();
            for part in option.drain(..) {
                if !options(rules, &part, budget)?.is_empty() {
                    live.push(part);
                }
            }
            live.sort_unstable();
            *option = live;
        }
        list.sort_unstable();
        list.dedup();
        self.held += 1 + list.iter().map(|option| 1 + option.len() as u64).sum::<u64>();
        budget.check(self.held)?;
        let list: Arc<[Vec<C>]> = list.into();
        self.options.insert(component.clone(), Arc::clone(&list));
        Ok(list)
    }
}

/// The sum with component `i` replaced by the components of an option.
fn replaced<C: Clone + Ord>(sum: &[C], i: usize, option: &[C]) -> Sum<C> {
    let mut next: Vec<C> = sum[..i].iter().chain(&sum[i + 1..]).chain(option).cloned().collect();
    next.sort_unstable();
    next.into()
}
