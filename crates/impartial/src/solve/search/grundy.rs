//! Grundy values of components, by the definition g = mex of the options' values.

use std::hash::Hash;

use rustc_hash::FxHashMap;

use super::{Budget, options};
use crate::nimber::mex;
use crate::ruleset::Ruleset;
use semilinear::run::StopReason;

/// The values found so far.
pub(super) struct Values<C>(FxHashMap<C, u64>);

impl<C> Default for Values<C> {
    fn default() -> Self {
        Self(FxHashMap::default())
    }
}

/// A component on the way down, and the place in its options where a value was missing.
struct Frame<C> {
    component: C,
    options: Vec<Vec<C>>,
    seen: Vec<u64>,
    held: u64,
}

impl<C: Clone + Eq + Hash> Values<C> {
    /// The Grundy value of a component.
    pub(super) fn of<R: Ruleset<Component = C>>(
        &mut self,
        rules: &R,
        component: &C,
        budget: &Budget,
    ) -> Result<u64, StopReason> {
        if let Some(&value) = self.0.get(component) {
            return Ok(value);
        }
        let mut held_by_frames = 0;
        let mut stack: Vec<Frame<C>> = Vec::new();
        let mut enter = Some(component.clone());
        loop {
            if let Some(component) = enter.take() {
                let options = options(rules, &component, budget)?;
                let held = 1 + options.iter().map(|option| 1 + option.len() as u64).sum::<u64>();
                held_by_frames += held;
                budget.check(self.0.len() as u64 + held_by_frames)?;
                stack.push(Frame { component, options, seen: Vec::new(), held });
            }
            let Some(frame) = stack.last_mut() else { break };
            enter = frame.missing(&self.0).cloned();
            if enter.is_none()
                && let Some(frame) = stack.pop()
            {
                held_by_frames -= frame.held;
                self.0.insert(frame.component, mex(frame.seen));
            }
        }
        Ok(self.0[component])
    }
}

impl<C: Eq + Hash> Frame<C> {
    /// Adds the values of options until a component has none yet, and returns that one.
    fn missing(&mut self, values: &FxHashMap<C, u64>) -> Option<&C> {
        while let Some(option) = self.options.get(self.seen.len()) {
            let mut sum = 0;
            for part in option {
                match values.get(part) {
                    Some(value) => sum ^= value,
                    None => return Some(part),
                }
            }
            self.seen.push(sum);
        }
        None
    }
}
