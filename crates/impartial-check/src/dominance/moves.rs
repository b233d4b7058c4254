//! Lemmas 1 to 3 of `docs/theory/dominance.md`: for a state, a heap and an option finitely many states that contain the state after the move.

use super::checks::Checks;
use super::{Common, Even, Large, Listed, Split, State};
use crate::Checked;

/// A heap that does not outweigh the others, and one of its options: value and weight lost.
pub(super) struct Change {
    pub value: usize,
    pub lost: i64,
    /// The class of the heaviest part, and twice its weight when the heap is small.
    pub class: usize,
    pub twice: Option<i64>,
    /// Twice the weight of that part less twice that of the heap is no more than this.
    pub more: i64,
}

/// What is known of the heaviest of the heaps that do not move, when the excess is at most 0.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Rest {
    /// It is as heavy as the heaviest of all.
    Same,
    /// It is lighter: the one that moves was the only heaviest one.
    Less,
    /// The excess may be less than known.
    Lower,
}

/// A state, and more about the sum when its excess is no larger than 0: the excess itself.
#[derive(Clone, Copy)]
pub(super) struct Known {
    pub state: State,
    pub excess: i64,
    pub rest: Rest,
}

impl Checks<'_, '_> {
    /// Calls `visit` with the states that a sum may be in when its value is `value`, its weight one of `weights` (before the cap),
    /// its excess one of `excesses` and its heaviest heap of one of `classes`; says whether `visit` said yes to all.
    fn all(
        &self,
        value: usize,
        odd: bool,
        weights: std::ops::RangeInclusive<i64>,
        excesses: std::ops::RangeInclusive<i64>,
        classes: &[usize],
        visit: &mut dyn FnMut(State) -> bool,
    ) -> Checked<bool> {
        let claim = self.claim;
        for weight in weights {
            for excess in excesses.clone() {
                let excess = excess.clamp(0, claim.top);
                let none = [0];
                for &class in if excess == 0 { &none[..] } else { classes } {
                    self.meter.work(1)?;
                    let state = State { value, odd, weight: weight.min(claim.cap), excess, class };
                    if claim.is_state(&state) && !visit(state) {
                        return Ok(false);
                    }
                }
            }
        }
        Ok(true)
    }

    /// Lemma 1: the states after the move of a heap that does not outweigh the others.
    pub(super) fn after_other(
        &self,
        s: &Known,
        change: &Change,
        visit: &mut dyn FnMut(State) -> bool,
    ) -> Checked<bool> {
        let (claim, lost, exact) = (self.claim, change.lost, s.state.weight < self.claim.cap);
        let weights = match s.state.weight {
            weight if exact || lost <= 0 => weight - lost..=weight - lost,
            weight => weight - lost..=weight,
        };
        let odd = s.state.odd != (lost.rem_euclid(2) == 1);
        let value = s.state.value ^ change.value;
        if s.state.excess > 0 {
            let excess = s.state.excess + lost;
            let most = if s.state.excess < claim.top || lost >= 0 { excess } else { s.state.excess };
            return self.all(value, odd, weights, excess..=most, &[s.state.class], visit);
        }
        let part = change.twice.map(|twice| twice - s.state.weight);
        let heavier = exact && part.is_some_and(|part| part > s.excess);
        // The heaviest heap is an old one.
        let most = match s.rest {
            Rest::Same => s.excess + lost,
            // It weighs at most the weight of the heaviest less 1.
            Rest::Less => s.excess - 2 + lost,
            Rest::Lower => 0,
        };
        let least = if s.rest == Rest::Same { most.max(0) } else { 0 };
        if !heavier && !self.all(value, odd, weights.clone(), least..=most.max(0), &self.classes, visit)? {
            return Ok(false);
        }
        // Or it is the heaviest part; beside one as heavy as all were, it is heavier than all were.
        let most = lost + part.map_or(change.more, |part| change.more.min(part));
        let new = match (s.rest, part) {
            (_, Some(part)) if heavier => (lost + part).max(0)..=(lost + part).max(0),
            (Rest::Less, _) => 0..=lost + s.excess + change.more,
            (Rest::Same, _) if exact => return Ok(true),
            (Rest::Same, _) => (s.excess + lost + 1).max(0)..=most,
            (Rest::Lower, _) => 0..=most,
        };
        self.all(value, odd, weights, new, &[change.class], visit)
    }

    /// Lemma 2: the states after the move of a heap below `start` that outweighs the others, which weigh `rest`.
    pub(super) fn after_small(
        &self,
        s: &State,
        heap: usize,
        rest: i64,
        option: &Listed,
        visit: &mut dyn FnMut(State) -> bool,
    ) -> Checked<bool> {
        let weight = rest + option.weight;
        let value = s.value ^ self.claim.value(heap) ^ option.value;
        let odd = weight % 2 == 1;
        if option.heaviest > rest {
            let excess = 2 * option.heaviest - weight;
            return self.all(value, odd, weight..=weight, excess..=excess, &[option.class], visit);
        }
        let most = (rest - option.weight).max(0);
        self.all(value, odd, weight..=weight, 0..=most, &self.classes, visit)
    }

    /// Lemma 3, one large part: the states after the move of a large heap that outweighs the others.
    pub(super) fn after_common(
        &self,
        s: &State,
        large: &Large,
        common: &Common,
        visit: &mut dyn FnMut(State) -> bool,
    ) -> Checked<bool> {
        let claim = self.claim;
        let odd = s.odd != ((common.lost - common.small).rem_euclid(2) == 1);
        let value = s.value ^ large.value ^ common.value;
        let (cap, fall) = (claim.cap..=claim.cap, common.lost + common.small);
        // From the cap on, all excesses; those far above it stay above it.
        let last = if s.excess < claim.top { s.excess } else { claim.top + fall.abs() + 1 };
        for excess in (s.excess..=last).filter(|e| (e % 2 == 1) == s.odd) {
            let after = excess - fall;
            let all = if after >= 1 {
                self.all(value, odd, cap.clone(), after..=after, &[common.class], visit)?
            } else {
                // Old heaps reach no more than this.
                let old = (common.lost - excess - common.small).max(0);
                self.all(value, odd, cap.clone(), 0..=old, &self.classes, visit)?
            };
            if !all {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Lemma 3, two large parts.
    pub(super) fn after_split(
        &self,
        s: &State,
        large: &Large,
        split: &Split,
        visit: &mut dyn FnMut(State) -> bool,
    ) -> Checked<bool> {
        let claim = self.claim;
        let odd = s.odd != (split.lost.rem_euclid(2) == 1);
        let value = s.value ^ large.value ^ split.value;
        let cap = claim.cap..=claim.cap;
        let most = if s.excess >= claim.top { claim.top } else { s.excess - split.lost - 2 * split.least };
        let old = (split.lost - s.excess).max(0);
        Ok(self.all(value, odd, cap.clone(), 0..=most.max(0), &[split.class], visit)?
            && self.all(value, odd, cap, 0..=old, &self.classes, visit)?)
    }

    /// An even split of a large heap.
    pub(super) fn after_even(
        &self,
        s: &State,
        large: &Large,
        even: &Even,
        visit: &mut dyn FnMut(State) -> bool,
    ) -> Checked<bool> {
        let cap = self.claim.cap..=self.claim.cap;
        let odd = s.odd != (even.lost.rem_euclid(2) == 1);
        let most = even.difference.max(even.lost - s.excess);
        self.all(s.value ^ large.value ^ even.value, odd, cap, 0..=most, &self.classes, visit)
    }
}
