//! The conditions R3 and R4 of `docs/theory/ranks.md`: searches from the largest rank down.

use std::collections::{BTreeMap, BTreeSet};

use super::pairs::{Pair, Pairs, Step};
use super::{Claim, Kind, Parts, Place, sorted};
use crate::meter::Meter;
use crate::{Checked, refuse};

/// R3 and R4.
pub(super) struct Checks<'a, 'b> {
    pub claim: &'a Claim,
    /// The kinds of heaps of each zone, the top last.
    pub kinds: Vec<Vec<Kind>>,
    pub meter: &'a Meter<'b>,
}

/// Options of a sum: increasing numbers of pairs, with a mask of their remainders modulo 64.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
struct Options {
    mask: u64,
    numbers: Vec<u32>,
}

impl Options {
    fn new(mut numbers: Vec<u32>) -> Self {
        numbers.sort_unstable();
        numbers.dedup();
        Self { mask: numbers.iter().fold(0, |mask, n| mask | 1 << (n % 64)), numbers }
    }

    fn is_within(&self, other: &Self) -> bool {
        self.mask & !other.mask == 0 && self.numbers.iter().all(|n| other.numbers.binary_search(n).is_ok())
    }
}

/// Sums read down to a zone, with their state there and their options.
type Found = (usize, usize, Vec<u32>);

impl Checks<'_, '_> {
    /// What may be read in a zone.
    fn steps(&self, zone: usize) -> Vec<Step> {
        let letters: BTreeSet<usize> = self.kinds[zone].iter().map(|kind| kind.letter).collect();
        let again = (zone + 1 == self.kinds.len()).then_some(zone);
        let zones = again.into_iter().chain(zone.checked_sub(1));
        letters.into_iter().map(Step::Letter).chain(zones.map(Step::Down)).collect()
    }

    /// Zone and state after a step.
    fn after(&self, zone: usize, state: usize, step: Step) -> (usize, usize) {
        match step {
            Step::Letter(letter) => (zone, self.claim.after(state, letter)),
            Step::Down(below) => (below, self.claim.next[state][0]),
        }
    }

    /// Reads the parts of an option that lie in this zone. What may lie somewhere lies here, or further down.
    fn settled(&self, zone: usize, sum: usize, option: usize, later: &Parts) -> Vec<Pair> {
        let mut all = vec![Pair { zone, sum, option, later: Parts::new() }];
        for &(letter, place) in later {
            let (least, times) = match place {
                Place::At(rank) => (rank.abs_diff(zone), 1),
                Place::Down(ranks) | Place::Somewhere(ranks) => (ranks, 1),
                Place::Twins(ranks) => (ranks, 2),
            };
            let open = matches!(place, Place::Somewhere(_) | Place::Twins(_));
            if open && zone < self.claim.near {
                return Vec::new();
            }
            let mut settled = Vec::new();
            for pair in all {
                if least == 0 {
                    let option = (0..times).fold(pair.option, |state, _| self.claim.after(state, letter));
                    settled.push(Pair { option, ..pair.clone() });
                }
                if least > 0 || open {
                    settled.push(Pair { later: [pair.later, vec![(letter, place)]].concat(), ..pair });
                }
            }
            all = settled;
        }
        all
    }

    /// The pairs that a pair leads to.
    fn stepped(&self, pair: &Pair, step: Step) -> Vec<Pair> {
        let (zone, sum) = self.after(pair.zone, pair.sum, step);
        let (_, option) = self.after(pair.zone, pair.option, step);
        if let Step::Letter(_) = step {
            return vec![Pair { sum, option, ..pair.clone() }];
        }
        let nearer = |&(letter, place): &(usize, Place)| match place {
            Place::At(_) => (letter, place),
            Place::Down(ranks) => (letter, Place::Down(ranks.saturating_sub(1))),
            Place::Somewhere(ranks) => (letter, Place::Somewhere(ranks.saturating_sub(1))),
            Place::Twins(ranks) => (letter, Place::Twins(ranks.saturating_sub(1))),
        };
        self.settled(zone, sum, option, &sorted(pair.later.iter().map(nearer)))
    }

    /// The zones and states of all sums.
    fn reached(&self) -> Checked<BTreeSet<(usize, usize)>> {
        let mut new = vec![(self.kinds.len() - 1, 0)];
        let mut reached: BTreeSet<(usize, usize)> = new.iter().copied().collect();
        while let Some((zone, state)) = new.pop() {
            for step in self.steps(zone) {
                self.meter.work(1)?;
                let next = self.after(zone, state, step);
                if reached.insert(next) {
                    new.push(next);
                }
            }
        }
        Ok(reached)
    }

    /// R3: a sum and an option of it are not both accepted. Gives all pairs of them, read side by side.
    pub fn no_move_to_p(&self) -> Checked<Pairs> {
        let mut pairs = Pairs::new(self.meter)?;
        for (zone, state) in self.reached()? {
            for kind in &self.kinds[zone] {
                let sum = self.claim.after(state, kind.letter);
                for option in kind.sure.iter().chain(&kind.wide).chain(&kind.twins) {
                    self.meter.work(1)?;
                    for pair in self.settled(zone, sum, state, option) {
                        pairs.number(pair)?;
                    }
                }
            }
        }
        while let Some(pair) = pairs.unread() {
            let accepted = |state: usize| pair.zone == 0 && pair.later.is_empty() && self.claim.accepting[state];
            if accepted(pair.option) && accepted(pair.sum) {
                return refuse("a move leads from a sum that is accepted to another one");
            }
            let mut steps = Vec::new();
            for step in self.steps(pair.zone) {
                self.meter.work(1)?;
                for next in self.stepped(&pair, step) {
                    steps.push((step, pairs.number(next)?));
                }
            }
            pairs.read(steps, accepted(pair.option))?;
        }
        pairs.merge(self.meter)?;
        Ok(pairs)
    }

    /// R4: every sum with a move that is not accepted has an option that is.
    pub fn some_move_to_p(&self, pairs: &mut Pairs) -> Checked {
        // Fewer options are worse: only sets that contain no other one are kept. All these sums have a heap with an option.
        let mut kept: BTreeMap<(usize, usize), Vec<Options>> = BTreeMap::new();
        let mut new: BTreeSet<(usize, usize, usize, Options)> = BTreeSet::new();
        let mut found: Vec<Found> = Vec::new();
        for (zone, kinds) in self.kinds.iter().enumerate() {
            for kind in kinds {
                found.push(self.with(kind, zone, 0, &[], pairs)?);
            }
        }
        loop {
            for (zone, state, mut after) in found.drain(..) {
                after.retain(|&n| pairs.matters(n));
                let (options, list) = (Options::new(after), kept.entry((zone, state)).or_default());
                self.meter.steps(options.numbers.len() + list.len() + 1)?;
                if !list.iter().any(|other| other.is_within(&options)) {
                    list.retain(|other| !options.is_within(other));
                    pairs.held.grow((16 * options.numbers.len() + 8 * size_of::<Options>()) as u64)?;
                    list.push(options.clone());
                    new.insert((options.numbers.len(), zone, state, options));
                }
            }
            let Some((_, zone, state, options)) = new.pop_first() else { return Ok(()) };
            if !kept[&(zone, state)].contains(&options) {
                continue;
            }
            if zone == 0 && !self.claim.accepting[state] && !options.numbers.iter().any(|&n| pairs.wins(n)) {
                return refuse("a sum with a move, which is called N, has no move to a P-position");
            }
            for kind in &self.kinds[zone] {
                found.push(self.with(kind, zone, state, &options.numbers, pairs)?);
            }
            for step in self.steps(zone).into_iter().filter(|step| matches!(step, Step::Down(_))) {
                let (below, state) = self.after(zone, state, step);
                let all = self.choices(&options.numbers, step, pairs)?;
                found.extend(all.into_iter().map(|after| (below, state, after)));
            }
        }
    }

    /// A sum after one more heap.
    fn with(&self, kind: &Kind, zone: usize, state: usize, options: &[u32], pairs: &Pairs) -> Checked<Found> {
        let sum = self.claim.after(state, kind.letter);
        let mut after: Vec<u32> = options.iter().flat_map(|&n| pairs.after(n, Step::Letter(kind.letter))).collect();
        for option in kind.sure.iter().chain(&kind.twins) {
            after.extend(self.settled(zone, sum, state, option).iter().map(|pair| pairs.merged(pair)));
        }
        self.meter.steps(after.len() + 1)?;
        Ok((zone, sum, after))
    }

    /// The options of a sum one rank further down, for every choice of the ranks of twins.
    fn choices(&self, options: &[u32], step: Step, pairs: &Pairs) -> Checked<Vec<Vec<u32>>> {
        let mut all = vec![Vec::new()];
        let mut held = self.meter.hold(0)?;
        for &n in options {
            let after: Vec<u32> = pairs.after(n, step).collect();
            let size = all.iter().map(|set| set.len() + after.len()).sum::<usize>() * after.len().max(1);
            self.meter.steps(size + 1)?;
            if pairs.has_twins(n) {
                held.grow(8 * size as u64)?;
                let with = |n: &u32| all.iter().map(|set| [&set[..], &[*n]].concat()).collect::<Vec<_>>();
                all = after.iter().flat_map(with).collect();
            } else {
                for set in &mut all {
                    set.extend(&after);
                }
            }
        }
        Ok(all)
    }
}

#[cfg(test)]
mod tests {
    use super::super::Certificate;
    use super::*;
    use crate::format::HeapGame;
    use crate::meter::free_meter;

    /// The state of a sum, by its definition.
    fn state(claim: &Claim, sum: &[usize]) -> usize {
        let largest = sum.iter().map(|&h| claim.rank(h)).max().unwrap_or(0);
        (0..=largest).rev().fold(0, |state, rank| {
            let heaps = sum.iter().filter(|&&h| claim.rank(h) == rank);
            let state = heaps.fold(state, |state, &h| claim.after(state, claim.letter(h)));
            if rank == 0 { state } else { claim.next[state][0] }
        })
    }

    /// For claims made at random, every sum and every option of it, read down to rank 0, are one of the pairs.
    #[test]
    fn pairs_follow_all_moves() {
        let meter = free_meter();
        let mut seed = 11_u64;
        let mut random = |n: usize| {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            usize::try_from((seed >> 33) % n as u64).unwrap()
        };
        let file = |n: usize| u32::try_from(n).unwrap();
        let mut moves = 0_usize;
        for round in 0..60 {
            let code = ["0.54", "4.7", "0.145", "0.26", "0.3", "0.744"][round % 6];
            let (first, period, near) = (1 + random(4), 1 + random(3), 1 + random(2));
            // States are a cyclic group, so letters commute, and an accident at the end of a rank.
            let (order, width) = (2 + random(4), 2 + random(3));
            let added: Vec<usize> = (0..width).map(|_| random(order)).collect();
            let ends: Vec<usize> = (0..order).map(|q| if q == 0 { 0 } else { random(order) }).collect();
            let row = |q: usize| {
                (0..width).map(|x| file(if x == 0 { ends[q] } else { (q + added[x]) % order })).collect::<Vec<_>>()
            };
            let game = HeapGame { code: Some(code.into()), subtract: None, moves: None };
            let mut letters: Vec<u32> = (0..first + period).map(|_| file(random(width))).collect();
            letters[0] = 0;
            let claim = Certificate {
                first: file(first),
                period: file(period),
                near: file(near),
                letters,
                next: (0..order).map(row).collect(),
                accepting: vec![],
            };
            let claim = Claim::read(&game, claim, &meter).unwrap();
            let mut held = meter.hold(0).unwrap();
            let kinds = (0..=claim.top()).map(|zone| claim.kinds(zone, &meter, &mut held)).collect::<Checked<_>>();
            // Else a heap without options has a letter.
            let Ok(kinds) = kinds else { continue };
            let checks = Checks { claim: &claim, kinds, meter: &meter };
            let pairs = checks.no_move_to_p().unwrap();
            let far = claim.start(claim.top() + 3);
            for _ in 0..40 {
                let most = [first + period, 20, far][random(3)];
                let sum: Vec<usize> = (0..=random(4)).map(|_| 1 + random(most)).collect();
                for i in 0..sum.len() {
                    let mut others = sum.clone();
                    others.remove(i);
                    let found = &mut |parts: &[usize]| {
                        let option: Vec<usize> = others.iter().chain(parts).copied().collect();
                        let (zone, later) = (0, Parts::new());
                        let pair = Pair { zone, sum: state(&claim, &sum), option: state(&claim, &option), later };
                        moves += 1;
                        assert!(pairs.knows(&pair), "{code}: {sum:?} to {option:?}");
                        Ok(())
                    };
                    claim.code.options(sum[i], &meter, found).unwrap();
                }
            }
        }
        assert!(moves > 10_000, "{moves} moves");
    }
}
