//! Misère play of tame components: sums are answered like sums of Nim heaps.
//!
//! Give every component the pair (g⁺, g⁻): g⁺ = 0, g⁻ = 1 without options, else g⁺ and g⁻ are the mex of
//! those of the options. The pair of a sum is taken as (⊕g⁺, ⊕g⁺ ⊕ 1) when every component of it is
//! *fickle*, that is has pair (0, 1) or (1, 0), and as (⊕g⁺, ⊕g⁺) else (*firm*).
//!
//! **Theorem.** If the component and all components of its followers have a pair among (0, 1), (1, 0),
//! (n, n), then every sum of such components is a P-position in misère play exactly when g⁻ = 0 for its pair
//! (Conway's tame games, *Winning Ways*, chapter 13; this formulation with its proof is in
//! `docs/theory/tame.md`).

use std::hash::Hash;

use rustc_hash::FxHashMap;

use super::{Budget, options};
use crate::nimber::mex;
use crate::outcome::Outcome;
use crate::ruleset::Ruleset;
use semilinear::run::StopReason;

/// What a tame component counts as in a sum.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Type {
    /// g⁺, the Grundy value.
    value: u64,
    fickle: bool,
}

impl Type {
    const NOTHING: Self = Self { value: 0, fickle: true };

    fn plus(self, other: Self) -> Self {
        Self { value: self.value ^ other.value, fickle: self.fickle && other.fickle }
    }

    /// g⁻, the misère Grundy value.
    fn misere(self) -> u64 {
        self.value ^ u64::from(self.fickle)
    }

    fn from_pair(normal: u64, misere: u64) -> Option<Self> {
        match (normal, misere) {
            (0, 1) | (1, 0) => Some(Self { value: normal, fickle: true }),
            _ if normal == misere => Some(Self { value: normal, fickle: false }),
            _ => None,
        }
    }
}

/// The types found so far; `None` for a component with a wild follower.
pub(super) struct Types<C>(FxHashMap<C, Option<Type>>);

impl<C> Default for Types<C> {
    fn default() -> Self {
        Self(FxHashMap::default())
    }
}

struct Frame<C> {
    component: C,
    options: Vec<Vec<C>>,
    seen: Vec<Type>,
    held: u64,
}

enum Step<C> {
    Missing(C),
    Known(Option<Type>),
}

impl<C: Clone + Eq + Hash> Types<C> {
    /// The misère outcome of a sum, when all its components are tame.
    pub(super) fn outcome<R: Ruleset<Component = C>>(
        &mut self,
        rules: &R,
        position: &[C],
        budget: &Budget,
    ) -> Result<Option<Outcome>, StopReason> {
        let mut sum = Type::NOTHING;
        for component in position {
            match self.of(rules, component, budget)? {
                Some(found) => sum = sum.plus(found),
                None => return Ok(None),
            }
        }
        Ok(Some(Outcome::p_if(sum.misere() == 0)))
    }

    fn of<R: Ruleset<Component = C>>(
        &mut self,
        rules: &R,
        component: &C,
        budget: &Budget,
    ) -> Result<Option<Type>, StopReason> {
        if let Some(&known) = self.0.get(component) {
            return Ok(known);
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
            match frame.step(&self.0) {
                Step::Missing(part) => enter = Some(part),
                Step::Known(found) => {
                    if let Some(frame) = stack.pop() {
                        held_by_frames -= frame.held;
                        self.0.insert(frame.component, found);
                    }
                }
            }
        }
        Ok(self.0[component])
    }
}

impl<C: Clone + Eq + Hash> Frame<C> {
    fn step(&mut self, types: &FxHashMap<C, Option<Type>>) -> Step<C> {
        while let Some(option) = self.options.get(self.seen.len()) {
            let mut sum = Type::NOTHING;
            for part in option {
                match types.get(part) {
                    Some(Some(found)) => sum = sum.plus(*found),
                    Some(None) => return Step::Known(None),
                    None => return Step::Missing(part.clone()),
                }
            }
            self.seen.push(sum);
        }
        if self.seen.is_empty() {
            return Step::Known(Some(Type::NOTHING));
        }
        let normal = mex(self.seen.iter().map(|found| found.value));
        let misere = mex(self.seen.iter().map(|found| found.misere()));
        Step::Known(Type::from_pair(normal, misere))
    }
}
