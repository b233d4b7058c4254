//! Form "dominance": misère play of a take-and-break code for heaps of every size, when one heap may outweigh all others.
//!
//! The conditions are D0 to D4 of `docs/theory/dominance.md`, which proves that they suffice. Every heap has a value (values are
//! added by exclusive or) and a weight; both go on periodically, the weights with a gain. The excess of a sum is the largest
//! weight less all the others. What the file calls P depends on the state of a sum: value, parity of the weight, weight up to
//! a cap, excess between 0 and a cap, and the class of the heap that outweighs the others.

use std::collections::BTreeSet;

use crate::format::HeapGame;
use crate::heap::Code;
use crate::json::objects;
use crate::meter::{Held, Meter};
use crate::{Checked, refuse};

/// Caps, periods, first heaps and weights larger than this are refused.
const MOST: u32 = 1024;
/// Values have at most this many bits.
const BITS: u32 = 8;

/// The state of a sum; `excess` 0 stands for all excesses up to 0, and then there is no class.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct State {
    value: usize,
    odd: bool,
    weight: i64,
    excess: i64,
    class: usize,
}

struct Claim {
    code: Code,
    /// From this heap on values and weights are periodic, the weights with `gain`.
    first: usize,
    period: usize,
    gain: i64,
    values: Vec<usize>,
    weights: Vec<i64>,
    /// Weights from `cap` on, and excesses from `top` on, are not told apart.
    cap: i64,
    top: i64,
    p: BTreeSet<State>,
    /// Values lie below this power of 2.
    span: usize,
}

/// An option of a heap: its value, weight and largest weight, and the class of the part with that weight.
struct Listed {
    value: usize,
    weight: i64,
    largest: i64,
    class: usize,
}

/// An option that all large heaps of a class have.
struct Common {
    /// Value of all parts; class of the main part.
    value: usize,
    class: usize,
    /// Weight of the heap less that of the main part, and the weight of the small part.
    lost: i64,
    small: i64,
}

/// Two large parts: the class of the main one, value of both, weight lost, least weight of the other.
struct Split {
    value: usize,
    class: usize,
    lost: i64,
    least: i64,
}

/// An even split that every large heap of a class has: its value, the weight lost, and a bound of the difference of the parts.
struct Even {
    value: usize,
    lost: i64,
    difference: i64,
}

/// The heaps from `start` on of one class.
struct Large {
    value: usize,
    class: usize,
    commons: Vec<Common>,
    splits: Vec<Split>,
    evens: Vec<Even>,
}

/// A heap below `start` that has an option.
struct Small {
    heap: usize,
    options: Vec<Listed>,
}

objects! {
    /// The certificate.
    Certificate {
        first: u32, period: u32, gain: u32, values: Vec<u32>, weights: Vec<u32>, cap: u32, top: u32,
        p: Vec<(u32, u32, u32, u32, u32)>,
    }
}

pub(crate) fn check(game: &HeapGame, file: Certificate, meter: &Meter<'_>) -> Checked<String> {
    meter.extension("dominance");
    let claim = Claim::read(game, file)?;
    let start = claim.start(meter)?;
    let mut held = meter.hold(0)?;
    let smalls = claim.smalls(start, meter, &mut held)?;
    let all = (start..start + claim.period).map(|h| {
        let parts = claim.code.digits.len().saturating_mul(claim.first + claim.period);
        held.grow((parts.saturating_mul(size_of::<Common>() + size_of::<Split>())) as u64)?;
        claim.large(h, meter)
    });
    let larges: Vec<Large> = all.collect::<Result<_, _>>()?;
    claim.heavier(&smalls, &larges)?;
    if claim.p.contains(&State { value: 0, odd: false, weight: 0, excess: 0, class: 0 }) {
        return refuse("certificate.p: the empty sum is no P-position in misère play");
    }
    let positive: Vec<usize> =
        (1..claim.first + claim.period).filter(|&c| c >= claim.first || claim.weights[c] > 0).collect();
    let checks = Checks { claim: &claim, smalls, larges, classes: positive, meter };
    for state in &claim.p {
        checks.no_move_to_p(state)?;
    }
    checks.each_state(&|state| if claim.p.contains(&state) { Ok(()) } else { checks.some_move_to_p(&state) })?;
    Ok(format!(
        "in misère play the outcome of every sum of heaps of any size is that of its state: values and weights with period {} from heap {} on, {} P-states",
        claim.period,
        claim.first,
        claim.p.len()
    ))
}

/// Heaps and lengths as signed numbers; all of them are far below 2⁶³.
fn signed(n: usize) -> i64 {
    i64::try_from(n).unwrap_or(i64::MAX >> 20)
}

impl Claim {
    fn read(game: &HeapGame, file: Certificate) -> Checked<Self> {
        let code = Code::new(game)?;
        if code.repeat > 0 || code.digits.iter().any(|&d| d > 7) {
            return refuse("game: dominance is for codes that end and leave at most two heaps");
        }
        let numbers = [file.first, file.period, file.gain, file.cap, file.top];
        if numbers.iter().any(|n| !(1..=MOST).contains(n)) || file.weights.iter().any(|&w| w > MOST) {
            return refuse(format!("certificate: a number is not from 1 to {MOST}, or a weight is larger"));
        }
        let (first, period) = (file.first as usize, file.period as usize);
        let values: Vec<usize> = file.values.iter().map(|&n| n as usize).collect();
        let weights: Vec<i64> = file.weights.into_iter().map(i64::from).collect();
        let length = first + period;
        if values.len() != length || weights.len() != length || values[0] != 0 || weights[0] != 0 {
            return refuse(format!("certificate: values and weights are not those of the heaps 0 to {}", length - 1));
        }
        let most = values.iter().copied().max().unwrap_or(0);
        refuse_if!(most >> BITS != 0, "certificate.values: larger than {}", (1 << BITS) - 1);
        let mut claim = Self {
            code,
            first,
            period,
            gain: file.gain.into(),
            values,
            weights,
            cap: file.cap.into(),
            top: file.top.into(),
            p: BTreeSet::new(),
            span: (most + 1).next_power_of_two(),
        };
        for row in file.p {
            let (value, odd, weight, excess, class) = row;
            let state = State {
                value: value as usize,
                odd: odd == 1,
                weight: weight.into(),
                excess: excess.into(),
                class: class as usize,
            };
            if odd > 1 || !claim.is_state(&state) || !claim.p.insert(state) {
                return refuse(format!("certificate.p: {row:?} is no state, or stands twice"));
            }
        }
        Ok(claim)
    }

    /// The heap up to first + period − 1 with the same value, and how many periods lie between them.
    fn class(&self, heap: usize) -> usize {
        if heap < self.first { heap } else { self.first + (heap - self.first) % self.period }
    }

    fn value(&self, heap: usize) -> usize {
        self.values[self.class(heap)]
    }

    fn weight(&self, heap: usize) -> i64 {
        let class = self.class(heap);
        self.weights[class] + signed((heap - class) / self.period) * self.gain
    }

    /// Whether some heap of a class has a weight.
    fn has_weight(&self, class: usize, weight: i64) -> bool {
        let more = weight - self.weights[class];
        more == 0 || class >= self.first && more > 0 && more % self.gain == 0
    }

    /// Whether numbers are a state that some sum may have: D-states of `docs/theory/dominance.md`.
    fn is_state(&self, state: &State) -> bool {
        let &State { value, odd, weight, excess, class } = state;
        let exact = weight < self.cap;
        if value >= self.span || weight > self.cap || excess > self.top || excess < 0 || weight < 0 {
            return false;
        }
        if exact && (odd != (weight % 2 == 1) || excess > weight || weight < 2 && excess != weight) {
            return false;
        }
        if excess == 0 {
            return class == 0;
        }
        if class == 0 || class >= self.first + self.period || excess < self.top && odd != (excess % 2 == 1) {
            return false;
        }
        if exact {
            let last = if excess < self.top { excess } else { weight };
            (excess..=last).any(|e| (weight + e) % 2 == 0 && self.has_weight(class, i64::midpoint(weight, e)))
        } else {
            class >= self.first || 2 * self.weights[class] - self.cap >= excess
        }
    }

    /// A heap from which on all heaps are large: their options are as `large` says, and their weight exceeds all caps.
    fn start(&self, meter: &Meter<'_>) -> Checked<usize> {
        let taken = self.code.digits.len() - 1;
        // A part is at least `first`, and every pair of classes of two large parts occurs.
        let least = 2 * self.first + 4 * self.period + taken;
        let heaviest = self.weights[..self.first].iter().copied().max().unwrap_or(0);
        // No option of a large heap loses more than this: w is at most gain·n/period + c and at least gain·n/period − c.
        let spread = |h: usize| self.weights[h] * signed(self.period) - self.gain * signed(h);
        let all = (self.first..self.first + self.period).map(spread);
        let (low, high) = (all.clone().min().unwrap_or(0), all.max().unwrap_or(0));
        let lost = (self.gain * signed(taken + self.first) + 2 * (high - low) + high.abs() + low.abs())
            / signed(self.period)
            + 1;
        let need = self.cap + self.top + heaviest + 2 * lost;
        let mut start = least;
        while (start..start + self.period).any(|h| self.weight(h) < need) {
            start += self.period;
            meter.steps(self.period)?;
        }
        // Each heap below `start` has at most as many options as the last one.
        meter.foresee(self.code.cost(start).saturating_mul(signed(start).unsigned_abs()))?;
        Ok(start)
    }

    /// The heaps below `start` with their options; dead heaps must count for nothing.
    fn smalls(&self, start: usize, meter: &Meter<'_>, held: &mut Held) -> Checked<Vec<Small>> {
        let mut smalls = Vec::new();
        for heap in 1..start {
            held.grow(self.code.cost(heap).saturating_mul(2 * size_of::<Listed>() as u64))?;
            let mut options = Vec::new();
            self.code.options(heap, meter, &mut |parts| {
                let main = parts.iter().copied().max_by_key(|&part| self.weight(part));
                options.push(Listed {
                    value: parts.iter().fold(0, |v, &part| v ^ self.value(part)),
                    weight: parts.iter().map(|&part| self.weight(part)).sum(),
                    largest: main.map_or(0, |part| self.weight(part)),
                    class: main.map_or(0, |part| self.class(part)),
                });
                Ok(())
            })?;
            if !options.is_empty() {
                smalls.push(Small { heap, options });
            } else if self.value(heap) != 0 || self.weight(heap) != 0 {
                return refuse(format!("heap {heap} has no option, but a value or a weight"));
            }
        }
        Ok(smalls)
    }

    /// What all heaps h, h + period, … have in common; h ≥ start.
    fn large(&self, h: usize, meter: &Meter<'_>) -> Checked<Large> {
        let mut large = Large {
            value: self.value(h),
            class: self.class(h),
            commons: Vec::new(),
            splits: Vec::new(),
            evens: Vec::new(),
        };
        for (taken, &digit) in self.code.digits.iter().enumerate() {
            meter.steps(self.first + self.period)?;
            let rest = h - taken;
            let common = |small: usize| {
                let main = rest - small;
                Common {
                    value: self.value(main) ^ self.value(small),
                    class: self.class(main),
                    lost: self.weight(h) - self.weight(main),
                    small: self.weight(small),
                }
            };
            if digit & 2 != 0 && taken > 0 {
                large.commons.push(common(0));
            }
            if digit & 4 != 0 {
                large.commons.extend((1..self.first).map(common));
                large.splits.extend((self.first..self.first + self.period).map(|other| {
                    let main = rest - other;
                    Split {
                        value: self.value(main) ^ self.value(other),
                        class: self.class(main),
                        lost: self.weight(h) - self.weight(main) - self.weight(other),
                        least: self.weight(other),
                    }
                }));
            }
        }
        refuse_if!(large.commons.is_empty() && large.splits.is_empty(), "game: large heaps have no option");
        large.evens = self.evens(h, meter)?;
        Ok(large)
    }

    /// The even splits of h, h + period, …: those of h and h + period, each made larger by a period in both parts.
    fn evens(&self, h: usize, meter: &Meter<'_>) -> Checked<Vec<Even>> {
        let of = |heap: usize| -> Checked<Vec<Even>> {
            let mut evens: Vec<Even> = Vec::new();
            self.code.options(heap, meter, &mut |parts| {
                let &[a, b] = parts else { return Ok(()) };
                if a.min(b) < self.first {
                    return Ok(());
                }
                let (value, difference) = (self.value(a) ^ self.value(b), (self.weight(a) - self.weight(b)).abs());
                let lost = self.weight(heap) - self.weight(a) - self.weight(b);
                match evens.iter_mut().find(|even| (even.value, even.lost) == (value, lost)) {
                    Some(even) => even.difference = even.difference.min(difference),
                    None => evens.push(Even { value, lost, difference }),
                }
                Ok(())
            })?;
            Ok(evens)
        };
        let other = of(h + self.period)?;
        let both = of(h)?.into_iter().filter_map(|even| {
            let twin = other.iter().find(|twin| (twin.value, twin.lost) == (even.value, even.lost))?;
            Some(Even { difference: even.difference.max(twin.difference), ..even })
        });
        Ok(both.collect())
    }

    /// D2: no part of an option weighs more than its heap and one.
    fn heavier(&self, smalls: &[Small], larges: &[Large]) -> Checked {
        let heavy =
            |heap: usize| refuse(format!("heap {heap} has an option with a part that weighs more than it by 2"));
        for small in smalls {
            if small.options.iter().any(|option| option.largest > self.weight(small.heap) + 1) {
                return heavy(small.heap);
            }
        }
        for large in larges {
            if large.commons.iter().any(|common| common.lost < -1)
                || large.splits.iter().any(|split| split.lost + split.least < -1)
            {
                return heavy(large.class);
            }
        }
        Ok(())
    }
}

/// D3 and D4.
struct Checks<'a, 'b> {
    claim: &'a Claim,
    smalls: Vec<Small>,
    larges: Vec<Large>,
    /// The classes of heaps that may outweigh all others.
    classes: Vec<usize>,
    meter: &'a Meter<'b>,
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
    fn no_move_to_p(&self, s: &State) -> Checked {
        let claim = self.claim;
        let p = &mut |state: State| !claim.p.contains(&state);
        let wrong = || refuse(format!("a move leads from {s:?} to another P-state"));
        for (_, _, changes) in self.others(s) {
            for change in &changes {
                if !self.after_other(s, change, p)? {
                    return wrong();
                }
            }
        }
        for small in &self.smalls {
            for rest in self.rests(s, small) {
                for option in &small.options {
                    if !self.after_small(s, small.heap, rest, option, p)? {
                        return wrong();
                    }
                }
            }
        }
        for large in self.dominating(s) {
            for common in &large.commons {
                if !self.after_common(s, large, common, p)? {
                    return wrong();
                }
            }
            for split in &large.splits {
                if !self.after_split(s, large, split, p)? {
                    return wrong();
                }
            }
        }
        Ok(())
    }

    /// The large heaps that may outweigh the others in a state.
    fn dominating(&self, s: &State) -> impl Iterator<Item = &Large> {
        let (class, possible) = (s.class, s.excess > 0 && s.weight == self.claim.cap);
        self.larges.iter().filter(move |large| possible && large.class == class)
    }

    /// D4: every sum in a state that is not P, with a move, has a move to a P-state.
    fn some_move_to_p(&self, s: &State) -> Checked {
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
    fn each_state(&self, visit: &dyn Fn(State) -> Checked) -> Checked {
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
