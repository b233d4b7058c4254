//! The conditions D3 and D4 of `docs/theory/dominance.md`: what moves of the heaps of a sum do to its state, and that finitely many kinds of heaps
//! suffice to see it.

use std::collections::BTreeSet;

use super::moves::{Change, Known, Rest};
use super::{Claim, Large, Listed, Small, State, signed};
use crate::meter::Meter;
use crate::{Checked, refuse};

/// D3 and D4.
pub(super) struct Checks<'a, 'b> {
    pub claim: &'a Claim,
    pub smalls: Vec<Small>,
    pub larges: Vec<Large>,
    /// The classes of heaps that may outweigh all others.
    pub classes: Vec<usize>,
    /// No option of any heap loses more weight.
    pub lost: i64,
    pub meter: &'a Meter<'b>,
}

/// Value and weight up to the cap of a heap, and whether it may be the heaviest one.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Kind {
    value: usize,
    weight: i64,
    heaviest: bool,
}

impl Checks<'_, '_> {
    /// What may be known of sums in a state: each excess up to 0 by itself, as far as a move may lift it above 0.
    fn known(&self, s: &State) -> Vec<Known> {
        if s.excess > 0 {
            return vec![Known { state: *s, excess: s.excess, rest: Rest::Same }];
        }
        let exact = s.weight < self.claim.cap;
        // The heaviest heap weighs (W + e)/2, and nothing only if all do.
        let last = if exact { (s.weight - 1).max(0) } else { self.lost + 1 };
        let fits = |excess: &i64| (excess.rem_euclid(2) == 1) == s.odd;
        let rest = |excess: i64| if !exact && excess <= -self.lost { Rest::Lower } else { Rest::Same };
        (-last..=0).filter(fits).map(|excess| Known { state: *s, excess, rest: rest(excess) }).collect()
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

    /// The heaps that do not outweigh all others in a state, and the changes their options make.
    fn others(&self, s: &Known) -> impl Iterator<Item = (Kind, Vec<Change>)> {
        let (claim, excess, rest) = (self.claim, s.excess, s.rest);
        let s = s.state;
        let exact = s.weight < claim.cap;
        let heaviest = move |weight: i64| {
            let (twice, most) = (2 * weight, s.weight + excess);
            rest != Rest::Lower && (twice == most || !exact && twice > most)
        };
        // The largest weight of such a heap.
        let room = match s.excess {
            _ if !exact => i64::MAX,
            0 => i64::midpoint(s.weight, excess),
            _ => (s.weight - excess) / 2,
        };
        let small = self.smalls.iter().filter_map(move |small| {
            let (value, weight) = (claim.value(small.heap), claim.weight(small.heap));
            let change = |option: &Listed| Change {
                value: value ^ option.value,
                lost: weight - option.weight,
                class: option.class,
                twice: Some(2 * option.heaviest),
                more: 2 * option.heaviest - 2 * weight,
            };
            let kind = Kind { value, weight: weight.min(claim.cap), heaviest: heaviest(weight) };
            (weight <= room).then(|| (kind, small.options.iter().map(change).collect()))
        });
        let large = self.larges.iter().filter(move |_| !exact).map(move |large| {
            let change = |value: usize, lost: i64, class: usize, main: i64| Change {
                value: large.value ^ value,
                lost,
                class,
                twice: None,
                more: -2 * main,
            };
            let one = large
                .commons
                .iter()
                .map(|common| change(common.value, common.lost - common.small, common.class, common.lost));
            let two =
                large.splits.iter().map(|split| change(split.value, split.lost, split.class, split.lost + split.least));
            // Halves, neither of which outweighs the other and anything beside it.
            let halves = large.evens.iter().filter(|even| even.difference == 0).map(|even| {
                let (value, lost) = (large.value ^ even.value, even.lost);
                Change { value, lost, class: 0, twice: None, more: -lost }
            });
            let kind = Kind { value: large.value, weight: claim.cap, heaviest: rest != Rest::Lower };
            (kind, one.chain(two).chain(halves).collect())
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
        for known in self.known(s) {
            let only = Known { rest: Rest::Less, ..known };
            for (kind, changes) in self.others(&known) {
                self.meter.steps(changes.len())?;
                for change in &changes {
                    if !self.after_other(&known, change, visit)?
                        || s.excess == 0 && kind.heaviest && !self.after_other(&only, change, visit)?
                    {
                        return Ok(false);
                    }
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
        let wrong = || refuse(format!("a sum in {s:?}, which is called N, may have no move to a P-state"));
        let mut sums = BTreeSet::new();
        for known in self.known(s) {
            // The silent heaps, and those that are silent if they are the only heaviest ones.
            let (mut silent, mut alone) = (BTreeSet::new(), BTreeSet::new());
            let only = Known { rest: Rest::Less, ..known };
            for (kind, changes) in self.others(&known) {
                self.meter.steps(changes.len())?;
                if !self.wins(&changes, |change, visit| self.after_other(&known, change, visit))? {
                    silent.insert(kind);
                }
                if s.excess == 0
                    && kind.heaviest
                    && !self.wins(&changes, |change, visit| self.after_other(&only, change, visit))?
                {
                    alone.insert(kind);
                }
            }
            sums = self.sums(&silent)?;
            if s.excess == 0 && self.completed(&known, &silent, &alone, &sums)? {
                return wrong();
            }
        }
        if s.excess == 0 {
            return Ok(());
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

    /// Whether silent heaps, at least one of them, make a sum of which this is known.
    fn completed(
        &self,
        known: &Known,
        silent: &BTreeSet<Kind>,
        alone: &BTreeSet<Kind>,
        sums: &BTreeSet<(usize, i64)>,
    ) -> Checked<bool> {
        let (s, cap) = (&known.state, self.claim.cap);
        let with = |value: usize, weight: i64| {
            sums.iter().any(|&(v, w)| v ^ value == s.value && (w + weight).min(cap) == s.weight)
        };
        // All weights are 0, or nothing is known of the heaviest heap.
        if known.rest == Rest::Lower || s.weight == 0 {
            return Ok(silent.iter().any(|kind| with(kind.value, kind.weight)));
        }
        if alone.iter().any(|kind| with(kind.value, kind.weight)) {
            return Ok(true);
        }
        // Two heaviest heaps leave so much weight to the others.
        let rest = (-known.excess).min(cap);
        for one in silent.iter().filter(|kind| kind.heaviest) {
            self.meter.steps(silent.len())?;
            let two = |two: &&Kind| two.heaviest && sums.contains(&(s.value ^ one.value ^ two.value, rest));
            if silent.iter().any(|kind| two(&kind)) {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Value and weight, up to the cap, of all sums of such heaps, the empty sum included.
    fn sums(&self, heaps: &BTreeSet<Kind>) -> Checked<BTreeSet<(usize, i64)>> {
        let mut sums = BTreeSet::from([(0, 0)]);
        let mut new = vec![(0, 0)];
        while let Some((value, weight)) = new.pop() {
            self.meter.steps(heaps.len())?;
            for kind in heaps {
                let sum = (value ^ kind.value, (weight + kind.weight).min(self.claim.cap));
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

    struct Random(u64);

    impl Random {
        fn below(&mut self, n: u32) -> u32 {
            self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            u32::try_from((self.0 >> 33) % u64::from(n)).unwrap()
        }

        /// A claim without states.
        fn claim(&mut self, round: u32) -> (&'static str, Claim) {
            let code = ["4.7", "0.26", "0.07", "0.3", "0.57", "4.52", "0.05", "0.736"][(round % 8) as usize];
            let (first, period, gain) = (1 + self.below(3), 1 + self.below(3), 1 + self.below(3));
            let length = first + period;
            let mut list =
                |n: u32| -> Vec<u32> { (0..length).map(|h| if h == 0 { 0 } else { self.below(n) }).collect() };
            let (values, weights) = (list(4), list(4));
            let (cap, top) = (1 + self.below(8), 1 + self.below(5));
            let game = HeapGame { code: Some(code.into()), subtract: None, moves: None };
            let file = Certificate { first, period, gain, values, weights, cap, top, p: vec![] };
            (code, Claim::read(&game, file).unwrap())
        }

        fn sum(&mut self, start: usize, period: usize) -> Vec<usize> {
            let most = [6, 6, 20, start + 2 * period][self.below(4) as usize];
            (0..=self.below(4)).map(|_| 1 + self.below(u32::try_from(most).unwrap()) as usize).collect()
        }
    }

    /// The sums that the moves of a sum lead to.
    fn options(claim: &Claim, sum: &[usize], meter: &Meter<'_>) -> Vec<Vec<usize>> {
        let mut all = Vec::new();
        for i in 0..sum.len() {
            let others: Vec<usize> = [&sum[..i], &sum[i + 1..]].concat();
            let found = &mut |parts: &[usize]| {
                all.push(others.iter().chain(parts).copied().collect());
                Ok(())
            };
            claim.code.options(sum[i], meter, found).unwrap();
        }
        all
    }

    /// Lemmas 1 to 3 for claims made at random: what they say of the state after a move holds for all moves of many sums.
    #[test]
    fn states_after_moves_are_foreseen() {
        let meter = free_meter();
        let mut random = Random(7);
        let (mut claims, mut moves) = (0, 0_usize);
        for round in 0..600 {
            let (code, claim) = random.claim(round);
            let Ok((start, checks, _)) = claim.checks(&meter) else { continue };
            claims += 1;
            for (heap, even) in
                (start..).zip(&checks.larges).flat_map(|(h, large)| large.evens.iter().map(move |e| (h, e)))
            {
                // Every heap of the class has such a split, and neither part outweighs the other by more.
                for heap in (0..5).map(|m| heap + m * claim.period) {
                    let found = options(&claim, &[heap], &meter).into_iter().any(|parts| {
                        let &[a, b] = &parts[..] else { return false };
                        let after = state(&claim, &parts);
                        let lost = claim.weight(heap) - claim.weight(a) - claim.weight(b);
                        (claim.value(a) ^ claim.value(b), lost) == (even.value, even.lost)
                            && (claim.weight(a) - claim.weight(b)).abs() <= even.difference
                            && (even.difference > 0 || after.excess == 0)
                    });
                    assert!(found, "{code} heap {heap}");
                }
            }
            let mut after: BTreeMap<State, BTreeSet<State>> = BTreeMap::new();
            for _ in 0..60 {
                let sum = random.sum(start, claim.period);
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
                for option in options(&claim, &sum, &meter) {
                    moves += 1;
                    assert!(foreseen.contains(&state(&claim, &option)), "{code} {before:?}: {sum:?} to {option:?}");
                }
            }
        }
        assert!(claims > 60 && moves > 20_000, "{claims} claims, {moves} moves");
    }

    /// D4 for claims and P-states made at random: where it is said to hold, every sum of that state has a move to a P-state.
    #[test]
    fn moves_to_p_exist_where_they_are_promised() {
        let meter = free_meter();
        let mut random = Random(11);
        let (mut promised, mut refused, mut failing) = ([0; 2], 0, 0);
        for round in 0..1500 {
            let (code, mut claim) = random.claim(round);
            let dense = 2 + random.below(6);
            let (empty, mut all) = (state(&claim, &[]), Vec::new());
            {
                let Ok((_, checks, _)) = claim.checks(&meter) else { continue };
                let collect = std::cell::RefCell::new(Vec::new());
                checks
                    .each_state(&|state| {
                        collect.borrow_mut().push(state);
                        Ok(())
                    })
                    .unwrap();
                all.extend(collect.into_inner());
            }
            claim.p = all.into_iter().filter(|state| *state != empty && random.below(8) < dense).collect();
            let (start, checks, _) = claim.checks(&meter).unwrap();
            let mut holds: BTreeMap<State, bool> = BTreeMap::new();
            for _ in 0..60 {
                let sum = random.sum(start, claim.period);
                let before = state(&claim, &sum);
                let after = options(&claim, &sum, &meter);
                if after.is_empty() || claim.p.contains(&before) {
                    continue;
                }
                let holds = *holds.entry(before).or_insert_with(|| checks.some_move_to_p(&before).is_ok());
                let fails = !after.iter().any(|option| claim.p.contains(&state(&claim, option)));
                assert!(!(holds && fails), "{code} {before:?}: {sum:?}");
                promised[usize::from(before.excess > 0)] += usize::from(holds);
                refused += usize::from(!holds);
                failing += usize::from(fails);
            }
        }
        assert!(
            promised[0] > 1000 && promised[1] > 1000 && refused > 1000 && failing > 1000,
            "{promised:?} {refused} {failing}"
        );
    }
}
