//! The conditions D3 and D4, by Lemmas 1 to 3 of `docs/theory/dominance.md`: for a state, a heap and an option finitely many states that contain the state
//! after the move.

use std::collections::BTreeSet;

use super::{Claim, Common, Even, Large, Listed, Small, Split, State, signed};
use crate::meter::Meter;
use crate::{Checked, refuse};

/// D3 and D4.
pub(super) struct Checks<'a, 'b> {
    pub claim: &'a Claim,
    pub smalls: Vec<Small>,
    pub larges: Vec<Large>,
    /// The classes of heaps that may outweigh all others.
    pub classes: Vec<usize>,
    pub meter: &'a Meter<'b>,
}

/// A heap that is no single heaviest one, and one of its options: value and weight lost, and by how much a part is heavier.
struct Change {
    value: usize,
    lost: i64,
    heavier: i64,
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

    /// Lemma 1: the states after the move of a heap that is not heavier than all others together.
    fn after_other(&self, s: &State, change: &Change, visit: &mut dyn FnMut(State) -> bool) -> Checked<bool> {
        let claim = self.claim;
        let lost = change.lost;
        let weights = if s.weight < claim.cap || lost <= 0 {
            s.weight - lost..=s.weight - lost
        } else {
            s.weight - lost..=s.weight
        };
        let odd = s.odd != (lost.rem_euclid(2) == 1);
        let value = s.value ^ change.value;
        if s.excess == 0 {
            let most = (lost + 2 * change.heavier).max(0);
            return self.all(value, odd, weights, 0..=most, &self.classes, visit);
        }
        let excesses = if s.excess < claim.top || lost >= 0 {
            s.excess + lost..=s.excess + lost
        } else {
            s.excess + lost..=s.excess
        };
        self.all(value, odd, weights, excesses, &[s.class], visit)
    }

    /// Lemma 2: the states after the move of a heap below `start` that outweighs the others, which weigh `rest`.
    fn after_small(
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
        if option.largest > rest {
            let excess = 2 * option.largest - weight;
            return self.all(value, odd, weight..=weight, excess..=excess, &[option.class], visit);
        }
        let most = (rest - option.weight).max(0);
        self.all(value, odd, weight..=weight, 0..=most, &self.classes, visit)
    }

    /// Lemma 3, one large part: the states after the move of a large heap that outweighs the others.
    fn after_common(
        &self,
        s: &State,
        large: &Large,
        common: &Common,
        visit: &mut dyn FnMut(State) -> bool,
    ) -> Checked<bool> {
        let claim = self.claim;
        let fall = common.lost + common.small;
        let odd = s.odd != ((common.lost - common.small).rem_euclid(2) == 1);
        let value = s.value ^ large.value ^ common.value;
        // From the cap on, all excesses; those far above it stay above it.
        let last = if s.excess < claim.top { s.excess } else { claim.top + fall.abs() + 1 };
        for excess in (s.excess..=last).filter(|e| (e % 2 == 1) == s.odd) {
            let (after, cap) = (excess - fall, claim.cap..=claim.cap);
            let all = if after >= 1 {
                self.all(value, odd, cap, after..=after, &[common.class], visit)?
            } else {
                let most = (common.lost - excess - common.small).max(0);
                self.all(value, odd, cap, 0..=most, &self.classes, visit)?
            };
            if !all {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Lemma 3, two large parts.
    fn after_split(
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
        let most = if s.excess < claim.top { s.excess - split.lost - 2 * split.least } else { claim.top };
        let others = (split.lost - s.excess).max(0);
        Ok(self.all(value, odd, cap.clone(), 0..=most.max(0), &[split.class], visit)?
            && self.all(value, odd, cap, 0..=others, &self.classes, visit)?)
    }

    /// An even split of a large heap.
    fn after_even(&self, s: &State, large: &Large, even: &Even, visit: &mut dyn FnMut(State) -> bool) -> Checked<bool> {
        let cap = self.claim.cap..=self.claim.cap;
        let odd = s.odd != (even.lost.rem_euclid(2) == 1);
        let most = even.difference.max(even.lost - s.excess).max(0);
        self.all(s.value ^ large.value ^ even.value, odd, cap, 0..=most, &self.classes, visit)
    }

    /// Whether one of the moves leads to P in every case.
    fn wins<M>(
        &self,
        moves: impl IntoIterator<Item = M>,
        after: impl Fn(M, &mut dyn FnMut(State) -> bool) -> Checked<bool>,
    ) -> Checked<bool> {
        for one in moves {
            let mut met = false;
            let mut visit = |state: State| {
                met = true;
                self.claim.p.contains(&state)
            };
            if after(one, &mut visit)? && met {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// The options of heaps that are not heavier than all others together in a state: the value and weight of the heap, and the
    /// changes its options make.
    fn others(&self, s: &State) -> impl Iterator<Item = (usize, i64, Vec<Change>)> {
        let claim = self.claim;
        let room = match (s.weight < claim.cap, s.excess) {
            (false, _) => i64::MAX,
            (true, 0) => s.weight / 2,
            (true, excess) => (s.weight - excess) / 2,
        };
        let exact = s.weight < claim.cap;
        let small = self.smalls.iter().filter_map(move |small| {
            let (value, weight) = (claim.value(small.heap), claim.weight(small.heap));
            let change = |option: &Listed| Change {
                value: value ^ option.value,
                lost: weight - option.weight,
                heavier: (option.largest - weight).max(0),
            };
            (weight <= room).then(|| (value, weight, small.options.iter().map(change).collect()))
        });
        let large = self.larges.iter().filter(move |_| !exact).map(move |large| {
            let one = large.commons.iter().map(|common| Change {
                value: large.value ^ common.value,
                lost: common.lost - common.small,
                heavier: (-common.lost).max(0),
            });
            let two = large.splits.iter().map(|split| Change {
                value: large.value ^ split.value,
                lost: split.lost,
                heavier: (-split.lost - split.least).max(0),
            });
            (large.value, claim.cap, one.chain(two).collect())
        });
        small.chain(large)
    }

    /// The weights of the others beside a small heap that outweighs them, in a state.
    fn rests(&self, s: &State, small: &Small) -> Vec<i64> {
        let claim = self.claim;
        if s.excess == 0 || claim.class(small.heap) != s.class {
            return Vec::new();
        }
        let weight = claim.weight(small.heap);
        let fits = |rest: &i64| {
            let (all, excess) = (weight + rest, weight - rest);
            all.min(claim.cap) == s.weight && excess.min(claim.top) == s.excess && (all % 2 == 1) == s.odd
        };
        (0..weight).filter(fits).collect()
    }

    /// D3: no move from a P-state leads to one.
    pub fn no_move_to_p(&self, s: &State) -> Checked {
        let none = self.after_all(s, &mut |state| !self.claim.p.contains(&state))?;
        if none { Ok(()) } else { refuse(format!("a move leads from {s:?} to another P-state")) }
    }

    /// The states after all moves from a state; says whether `visit` said yes to all.
    fn after_all(&self, s: &State, visit: &mut dyn FnMut(State) -> bool) -> Checked<bool> {
        for (_, _, changes) in self.others(s) {
            for change in &changes {
                if !self.after_other(s, change, visit)? {
                    return Ok(false);
                }
            }
        }
        for small in &self.smalls {
            for rest in self.rests(s, small) {
                for option in &small.options {
                    if !self.after_small(s, small.heap, rest, option, visit)? {
                        return Ok(false);
                    }
                }
            }
        }
        for large in self.dominating(s) {
            for common in &large.commons {
                if !self.after_common(s, large, common, visit)? {
                    return Ok(false);
                }
            }
            for split in &large.splits {
                if !self.after_split(s, large, split, visit)? {
                    return Ok(false);
                }
            }
        }
        Ok(true)
    }

    /// The large heaps that may outweigh the others in a state.
    fn dominating(&self, s: &State) -> impl Iterator<Item = &Large> {
        let (class, possible) = (s.class, s.excess > 0 && s.weight == self.claim.cap);
        self.larges.iter().filter(move |large| possible && large.class == class)
    }

    /// D4: every sum in a state that is not P, with a move, has a move to a P-state.
    pub fn some_move_to_p(&self, s: &State) -> Checked {
        let claim = self.claim;
        let mut silent = BTreeSet::new();
        for (value, weight, changes) in self.others(s) {
            if !self.wins(&changes, |change, visit| self.after_other(s, change, visit))? {
                silent.insert((value, weight.min(claim.cap)));
            }
        }
        let sums = self.sums(&silent)?;
        let wrong = || refuse(format!("a sum in {s:?}, which is called N, may have no move to a P-state"));
        if s.excess == 0 {
            // At least one heap.
            let last = |&(value, weight): &(usize, i64)| {
                sums.iter().any(|&(v, w)| v ^ value == s.value && (w + weight).min(claim.cap) == s.weight)
            };
            return if silent.iter().any(last) { wrong() } else { Ok(()) };
        }
        for small in &self.smalls {
            for rest in self.rests(s, small) {
                let wins =
                    self.wins(&small.options, |option, visit| self.after_small(s, small.heap, rest, option, visit))?;
                if !wins && sums.contains(&(s.value ^ claim.value(small.heap), rest.min(claim.cap))) {
                    return wrong();
                }
            }
        }
        for large in self.dominating(s) {
            let wins = self.wins(&large.commons, |common, visit| self.after_common(s, large, common, visit))?
                || self.wins(&large.evens, |even, visit| self.after_even(s, large, even, visit))?;
            let value = s.value ^ large.value;
            let possible = if s.excess < claim.top {
                sums.contains(&(value, claim.cap))
            } else {
                sums.iter().any(|&(v, _)| v == value)
            };
            if !wins && possible {
                return wrong();
            }
        }
        Ok(())
    }

    /// Value and weight, up to the cap, of all sums of such heaps, the empty sum included.
    fn sums(&self, heaps: &BTreeSet<(usize, i64)>) -> Checked<BTreeSet<(usize, i64)>> {
        let mut sums = BTreeSet::from([(0, 0)]);
        let mut new = vec![(0, 0)];
        while let Some((value, weight)) = new.pop() {
            self.meter.steps(heaps.len())?;
            for &(v, w) in heaps {
                let sum = (value ^ v, (weight + w).min(self.claim.cap));
                if sums.insert(sum) {
                    new.push(sum);
                }
            }
        }
        Ok(sums)
    }

    /// Every state that a sum may have.
    pub fn each_state(&self, visit: &dyn Fn(State) -> Checked) -> Checked {
        let claim = self.claim;
        let states = [claim.span, claim.first + claim.period, 2].into_iter().map(signed).product::<i64>();
        self.meter.foresee(states.saturating_mul(claim.cap + 1).saturating_mul(claim.top + 1).unsigned_abs())?;
        for value in 0..claim.span {
            for weight in 0..=claim.cap {
                for excess in 0..=claim.top {
                    for odd in [false, true] {
                        for class in 0..claim.first + claim.period {
                            self.meter.work(1)?;
                            let state = State { value, odd, weight, excess, class };
                            if claim.is_state(&state) {
                                visit(state)?;
                            }
                        }
                    }
                }
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::super::Certificate;
    use super::*;
    use crate::format::HeapGame;
    use crate::meter::free_meter;

    /// The state of a sum, by its definition.
    fn state(claim: &Claim, sum: &[usize]) -> State {
        let weight: i64 = sum.iter().map(|&h| claim.weight(h)).sum();
        let heaviest = sum.iter().copied().max_by_key(|&h| claim.weight(h));
        let excess = heaviest.map_or(0, |h| 2 * claim.weight(h) - weight).clamp(0, claim.top);
        State {
            value: sum.iter().fold(0, |v, &h| v ^ claim.value(h)),
            odd: weight % 2 == 1,
            weight: weight.min(claim.cap),
            excess,
            class: if excess > 0 { heaviest.map_or(0, |h| claim.class(h)) } else { 0 },
        }
    }

    /// Lemmas 1 to 3 for claims made at random: what they say of the state after a move holds for all moves of many sums.
    #[test]
    fn states_after_moves_are_foreseen() {
        let meter = free_meter();
        let mut seed = 7_u64;
        let mut random = |n: u32| {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            u32::try_from((seed >> 33) % u64::from(n)).unwrap()
        };
        let (mut claims, mut moves) = (0, 0_usize);
        for round in 0..400 {
            let code = ["4.7", "0.26", "0.07", "0.3", "0.57", "4.52", "0.05"][round % 7];
            let (first, period, gain) = (1 + random(3), 1 + random(3), 1 + random(3));
            let length = first + period;
            let values: Vec<u32> = (0..length).map(|h| if h == 0 { 0 } else { random(4) }).collect();
            let weights: Vec<u32> = (0..length).map(|h| if h == 0 { 0 } else { random(4) }).collect();
            let (cap, top) = (1 + random(8), 1 + random(5));
            let game = HeapGame { code: Some(code.into()), subtract: None, moves: None };
            let file = Certificate { first, period, gain, values, weights, cap, top, p: vec![] };
            let claim = Claim::read(&game, file).unwrap();
            let start = claim.start(&meter).unwrap();
            let Ok(smalls) = claim.smalls(start, &meter, &mut meter.hold(0).unwrap()) else { continue };
            let larges = (start..start + claim.period).map(|h| claim.large(h, &meter)).collect::<Checked<Vec<_>>>();
            let Ok(larges) = larges else { continue };
            if claim.heavier(&smalls, &larges).is_err() {
                continue;
            }
            claims += 1;
            let classes = (1..claim.first + claim.period).filter(|&c| c >= claim.first || claim.weights[c] > 0);
            let checks = Checks { claim: &claim, smalls, larges, classes: classes.collect(), meter: &meter };
            let mut after: BTreeMap<State, BTreeSet<State>> = BTreeMap::new();
            for _ in 0..60 {
                let most = [6, 6, 20, start + 2 * claim.period][random(4) as usize];
                let sum: Vec<usize> =
                    (0..=random(4)).map(|_| 1 + random(u32::try_from(most).unwrap()) as usize).collect();
                let before = state(&claim, &sum);
                assert!(claim.is_state(&before), "{code} {sum:?} {before:?}");
                let foreseen = after.entry(before).or_insert_with(|| {
                    let mut found = BTreeSet::new();
                    let mut note = |state| {
                        found.insert(state);
                        true
                    };
                    checks.after_all(&before, &mut note).unwrap();
                    found
                });
                for i in 0..sum.len() {
                    let mut others = sum.clone();
                    others.remove(i);
                    let found = &mut |parts: &[usize]| {
                        let sum: Vec<usize> = others.iter().chain(parts).copied().collect();
                        moves += 1;
                        assert!(foreseen.contains(&state(&claim, &sum)), "{code} {before:?} to {sum:?}");
                        Ok(())
                    };
                    claim.code.options(sum[i], &meter, found).unwrap();
                }
            }
        }
        assert!(claims > 30 && moves > 10_000, "{claims} claims, {moves} moves");
    }
}
