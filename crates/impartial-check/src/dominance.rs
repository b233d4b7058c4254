//! Form "dominance": misère play of a take-and-break code for heaps of every size, when one heap may outweigh all others.
//!
//! The conditions are D0 to D4 of `docs/theory/dominance.md`, which proves that they suffice. Every heap has a value (values are
//! added by exclusive or) and a weight; they go on periodically, the weights with a gain. The excess of a sum is twice the largest weight less
//! the weight of the sum. What the file calls P depends on the state of a sum: value, parity of the weight, weight up to a cap, excess between
//! 0 and a cap, and the class of the heap that outweighs the others.

mod checks;
mod moves;

use std::collections::{BTreeMap, BTreeSet};

use crate::format::HeapGame;
use crate::heap::Code;
use crate::json::objects;
use crate::meter::{Held, Meter};
use crate::{Checked, refuse};
use checks::Checks;

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

/// An option of a heap: its value and weight, the weight of the heaviest part, and the class of that.
struct Listed {
    value: usize,
    weight: i64,
    heaviest: i64,
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

/// An even split that every large heap of a class has: its value, the weight lost, and a bound of the difference between the weights of the parts.
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
    let (_, checks, _held) = claim.checks(meter)?;
    if claim.p.contains(&State { value: 0, odd: false, weight: 0, excess: 0, class: 0 }) {
        return refuse("certificate.p: the empty sum is no P-position in misère play");
    }
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
    /// The heap from which on all are large, what D3 and D4 are verified with (all small heaps, and all classes of large ones), and
    /// the memory that it takes. D0 and D2 are verified here.
    fn checks<'a, 'b>(&'a self, meter: &'a Meter<'b>) -> Checked<(usize, Checks<'a, 'b>, Held)> {
        let start = self.start(meter)?;
        let mut held = meter.hold(0)?;
        let smalls = self.smalls(start, meter, &mut held)?;
        let all = (start..start + self.period).map(|h| {
            let parts = self.code.digits.len().saturating_mul(self.first + self.period);
            held.grow((parts.saturating_mul(size_of::<Common>() + size_of::<Split>())) as u64)?;
            self.large(h, meter)
        });
        let larges: Vec<Large> = all.collect::<Result<_, _>>()?;
        self.heavier(&smalls, &larges)?;
        let lost = self.most_lost(&smalls, &larges);
        let classes = (1..self.first + self.period).filter(|&c| c >= self.first || self.weights[c] > 0).collect();
        Ok((start, Checks { claim: self, smalls, larges, classes, lost, meter }, held))
    }

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

    /// Whether some heap of a class has this weight.
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
        if exact && (odd != (weight % 2 == 1) || excess > weight) {
            return false;
        }
        if excess == 0 {
            return class == 0 && (!exact || weight != 1);
        }
        if class == 0 || class >= self.first + self.period || excess < self.top && odd != (excess % 2 == 1) {
            return false;
        }
        if exact {
            let last = if excess < self.top { excess } else { weight };
            (excess..=last).any(|e| (weight + e) % 2 == 0 && self.has_weight(class, i64::midpoint(weight, e)))
        } else {
            class >= self.first || 2 * self.weights[class] - self.cap.max(self.weights[class]) >= excess
        }
    }

    /// A heap from which on all heaps are large: their options are as `large` says, and their weight exceeds all caps.
    fn start(&self, meter: &Meter<'_>) -> Checked<usize> {
        let taken = self.code.digits.len() - 1;
        // A part is at least `first`, and every pair of classes of two large parts occurs.
        let least = 2 * self.first + 4 * self.period + taken;
        let heaviest = self.weights.iter().copied().max().unwrap_or(0);
        // No option of a large heap loses more than this: w is at most gain·n/period + c and at least gain·n/period − c.
        let spread = |h: usize| self.weights[h] * signed(self.period) - self.gain * signed(h);
        let all = (self.first..self.first + self.period).map(spread);
        let (low, high) = (all.clone().min().unwrap_or(0), all.max().unwrap_or(0));
        let lost = (self.gain * signed(taken + self.first) + 2 * (high - low) + high.abs() + low.abs())
            / signed(self.period)
            + 1;
        let need = self.cap + self.top + 2 * heaviest + 2 * lost;
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
                    heaviest: main.map_or(0, |part| self.weight(part)),
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
        let of = |heap: usize| -> Checked<BTreeMap<(usize, i64), i64>> {
            let mut evens = BTreeMap::new();
            self.code.options(heap, meter, &mut |parts| {
                let &[a, b] = parts else { return Ok(()) };
                if a.min(b) < self.first {
                    return Ok(());
                }
                let (value, difference) = (self.value(a) ^ self.value(b), (self.weight(a) - self.weight(b)).abs());
                let lost = self.weight(heap) - self.weight(a) - self.weight(b);
                let known = evens.entry((value, lost)).or_insert(difference);
                *known = difference.min(*known);
                Ok(())
            })?;
            Ok(evens)
        };
        let other = of(h + self.period)?;
        let both = of(h)?.into_iter().filter_map(|((value, lost), difference)| {
            let twin = *other.get(&(value, lost))?;
            Some(Even { value, lost, difference: difference.max(twin) })
        });
        Ok(both.collect())
    }

    /// No option of any heap loses more weight than this.
    fn most_lost(&self, smalls: &[Small], larges: &[Large]) -> i64 {
        let of_small =
            smalls.iter().flat_map(|small| small.options.iter().map(|option| self.weight(small.heap) - option.weight));
        let of_large = larges.iter().flat_map(|large| {
            let one = large.commons.iter().map(|common| common.lost - common.small);
            one.chain(large.splits.iter().map(|split| split.lost))
        });
        of_small.chain(of_large).max().unwrap_or(0).max(0)
    }

    /// D2: no part of an option is heavier than the heap by more than one.
    fn heavier(&self, smalls: &[Small], larges: &[Large]) -> Checked {
        let small = |small: &&Small| small.options.iter().any(|option| option.heaviest > self.weight(small.heap) + 1);
        // By how much the main part is lighter than the heap, at least.
        let large = |large: &&Large| {
            let one = large.commons.iter().map(|common| common.lost);
            one.chain(large.splits.iter().map(|split| split.lost + split.least)).any(|less| less < -1)
        };
        match smalls.iter().find(small).map(|small| small.heap).or(larges.iter().find(large).map(|large| large.class)) {
            Some(heap) => refuse(format!("heap {heap} has an option with a part that weighs more by 2 than it")),
            None => Ok(()),
        }
    }
}
