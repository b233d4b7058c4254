//! Misère play of all heaps when one heap may outweigh all others (`docs/theory/dominance.md`).
//!
//! In some games each quotient of finitely many heaps is finite, but they grow without end, in a regular way: a sum
//! behaves as in normal play unless one heap is much larger than the others together. How much is told by weights. The weights and the
//! states that are P are read off the quotient of the first heaps; that they are right for all heaps is for the
//! checker to prove.

use std::collections::BTreeMap;

use num_bigint::{BigInt, BigUint};
use num_integer::Integer as _;
use num_traits::{ToPrimitive as _, Zero as _};

use super::Quotient;
use super::monoid::index;
use semilinear::run::{Monitor, StopReason};

/// Values and weights of all heaps, and which states of sums are P-positions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Dominance {
    /// From this heap on values and weights are periodic, the weights with [`gain`](Self::gain).
    pub first: u32,
    /// The period.
    pub period: u32,
    /// What a weight gains in a period.
    pub gain: u32,
    /// The values of the heaps below first + period; those of a sum are added by exclusive or.
    pub values: Vec<u32>,
    /// The weights of the heaps below first + period.
    pub weights: Vec<u32>,
    /// Weights from here on are not told apart.
    pub cap: u32,
    /// Excesses from here on are not told apart.
    pub top: u32,
    /// The states that are P, in increasing order.
    pub p: Vec<State>,
}

/// The state of a sum: its value, the parity of its weight, its weight up to the cap, its excess between 0 and the top, and the class
/// of the heap that outweighs the others (0 when none does).
pub type State = [u32; 5];

/// Excesses that are told apart in guesses, smallest first; weights are told apart up to [`MORE`] more.
const TOPS: [u32; 5] = [6, 8, 10, 14, 18];
const MORE: u32 = 4;
/// Sums of so many heaps and one more are looked at.
const HEAPS: usize = 4;

impl Dominance {
    fn class(&self, heap: &BigUint) -> usize {
        let length = self.first + self.period;
        heap.to_u32().filter(|&h| h < length).unwrap_or_else(|| {
            let beyond = (heap - self.first) % self.period;
            self.first + beyond.to_u32().expect("below the period")
        }) as usize
    }

    /// The weight of a heap.
    pub fn weight(&self, heap: &BigUint) -> BigUint {
        let class = self.class(heap);
        let periods = (heap - BigUint::from(class)) / self.period;
        periods * self.gain + self.weights[class]
    }

    /// The state of a sum of heaps of any size.
    pub fn state(&self, heaps: &[BigUint]) -> State {
        let (mut value, mut all) = (0, BigUint::zero());
        let mut largest = (BigUint::zero(), 0);
        for heap in heaps {
            let (class, weight) = (self.class(heap), self.weight(heap));
            value ^= self.values[class];
            all += &weight;
            if weight > largest.0 {
                largest = (weight, index(class));
            }
        }
        let excess = BigInt::from(largest.0 * 2u32) - BigInt::from(all.clone());
        let capped = |n: &BigUint, cap: u32| n.to_u32().map_or(cap, |n| n.min(cap));
        let excess = excess.to_biguint().map_or(0, |e| capped(&e, self.top));
        let class = if excess == 0 { 0 } else { largest.1 };
        [value, u32::from(all.is_odd()), capped(&all, self.cap), excess, class]
    }

    /// Whether a sum of heaps is a P-position.
    pub fn is_p(&self, heaps: &[BigUint]) -> bool {
        self.p.binary_search(&self.state(heaps)).is_ok()
    }

    /// Guesses from the quotient of the first heaps and their Grundy values, those with fewer states first.
    pub fn guesses(quotient: &Quotient, grundy: &[u32], monitor: &dyn Monitor) -> Result<Vec<Self>, StopReason> {
        let Some(shape) = Shape::read(quotient, grundy) else { return Ok(Vec::new()) };
        let mut guesses = Vec::new();
        for top in TOPS {
            guesses.extend(shape.guess(quotient, top, monitor)?);
        }
        Ok(guesses)
    }
}

/// Values and weights, without the states.
struct Shape {
    first: usize,
    period: usize,
    gain: u32,
    values: Vec<u32>,
    weights: Vec<u32>,
}

/// The least preperiod, and the period, of a list that ends within it, when half of the list shows it.
fn periodic(list: &[u32], gains: bool) -> Option<(usize, usize)> {
    let last = list.len().checked_sub(1)?;
    (1..=last / 2).find_map(|p| {
        let gain = if gains { index(p) } else { 0 };
        let holds = |h: &usize| list[h + p] == list[*h] + gain;
        let first = (1..=last - p).rev().take_while(|h| holds(h)).last()?;
        (first + 2 * p <= last + 1 && last - p - first >= 2).then_some((first, p))
    })
}

impl Shape {
    /// Reads weights off the quotient: beside a fixed sum R the outcomes of large heaps D are periodic from some heap on, and two more
    /// copies of h move that heap by twice the weight of h.
    fn read(quotient: &Quotient, grundy: &[u32]) -> Option<Self> {
        let heaps = quotient.heaps();
        let (start, period) = periodic(&grundy[..=heaps], false)?;
        let (monoid, values, p) = (quotient.monoid(), quotient.values(), quotient.p());
        let element = |sum: &[usize]| sum.iter().fold(0, |x, &h| monoid.product(x, values[h]));
        // From which heap on the outcomes beside a sum are periodic, those of the last period, and whether normal play
        // has others.
        let beside = |sum: &[usize]| -> (usize, Vec<bool>, bool) {
            let x = element(sum);
            let value = sum.iter().fold(0, |v, &h| v ^ grundy[h]);
            let p_beside = |d: usize| p.has(monoid.product(x, values[d]) as usize);
            let equal = (1..=heaps - period).rev().take_while(|&d| p_beside(d) == p_beside(d + period)).count();
            let last: Vec<bool> = (heaps - period + 1..=heaps).map(p_beside).collect();
            let other = (heaps - period + 1..=heaps).any(|d| p_beside(d) != (value == grundy[d]));
            (heaps - period + 1 - equal, last, other)
        };
        let bases: [&[usize]; 8] = [&[], &[1], &[2], &[3], &[4], &[1, 2], &[1, 3], &[2, 3]];
        let mut best: Vec<u32> = Vec::new();
        for base in bases {
            let (from, last, other) = beside(base);
            if !other {
                continue;
            }
            let weight = |h: usize| {
                let (moved, same, _) = beside(&[base, &[h, h]].concat());
                let twice = moved.checked_sub(from).filter(|twice| twice % 2 == 0 && same == last)?;
                Some(index(twice / 2))
            };
            let weights: Vec<u32> = std::iter::once(0).chain((1..heaps / 3).map_while(weight)).collect();
            if weights.len() > best.len() {
                best = weights;
            }
        }
        let (first, own) = periodic(&best, true)?;
        let (first, period) = (first.max(start), period.lcm(&own));
        let unit = best.iter().fold(index(period), |g, w| g.gcd(w));
        let (weights, gain) = (best.iter().map(|w| w / unit).collect::<Vec<_>>(), index(period) / unit);
        // Weights gain a bean in a bean; what the list does not reach follows by its own period.
        let step = index(own) / unit;
        let weight = |h: usize| {
            let back = (h + 1).saturating_sub(weights.len()).div_ceil(own);
            weights[h - back * own] + index(back) * step
        };
        let value = |h: usize| grundy[if h <= heaps { h } else { h - period }];
        let length = first + period;
        if length > heaps + period {
            return None;
        }
        Some(Self {
            first,
            period,
            gain,
            values: (0..length).map(value).collect(),
            weights: (0..length).map(weight).collect(),
        })
    }

    /// The states of sums of few heaps, filled up with what the nearest state says; none when two sums of one state differ.
    fn guess(&self, quotient: &Quotient, top: u32, monitor: &dyn Monitor) -> Result<Option<Dominance>, StopReason> {
        let mut guess = Dominance {
            first: index(self.first),
            period: index(self.period),
            gain: self.gain,
            values: self.values.clone(),
            weights: self.weights.clone(),
            cap: top + MORE,
            top,
            p: Vec::new(),
        };
        let (monoid, values, p) = (quotient.monoid(), quotient.values(), quotient.p());
        let heaps = quotient.heaps();
        let mut known: BTreeMap<State, bool> = BTreeMap::new();
        let small: Vec<usize> =
            (1..(heaps / 2).min(self.first + 2 * self.period)).filter(|&h| values[h] != 0).collect();
        let mut words: Vec<Vec<usize>> = vec![Vec::new()];
        for size in 1..=HEAPS {
            let letters = &small[..small.len().min(16usize.saturating_sub(3 * size).max(5))];
            let longer: Vec<Vec<usize>> = words
                .iter()
                .filter(|word| word.len() == size - 1)
                .flat_map(|word| {
                    let least = word.last().copied().unwrap_or(0);
                    letters.iter().filter(move |&&h| h >= least).map(move |&h| [&word[..], &[h]].concat())
                })
                .collect();
            words.extend(longer);
        }
        for word in &words {
            monitor.check(0, None)?;
            let x = word.iter().fold(0, |x, &h| monoid.product(x, values[h]));
            for d in (0..=heaps).filter(|&d| d == 0 || values[d] != 0) {
                let sum: Vec<BigUint> = word.iter().chain(&[d]).map(|&h| BigUint::from(h)).collect();
                let is_p = p.has(monoid.product(x, values[d]) as usize);
                if *known.entry(guess.state(&sum)).or_insert(is_p) != is_p {
                    return Ok(None);
                }
            }
        }
        // States are compared with those of the same value, parity and excess only.
        #[allow(clippy::type_complexity)]
        let mut groups: BTreeMap<(u32, u32, u32), Vec<(u32, u32, bool)>> = BTreeMap::new();
        for (&[value, odd, weight, excess, class], &is_p) in &known {
            groups.entry((value, odd, excess)).or_default().push((weight, class, is_p));
        }
        let span = guess.values.iter().max().map_or(1, |v| (v + 1).next_power_of_two());
        let classes = guess.first + guess.period;
        for value in 0..span {
            for odd in 0..2 {
                for excess in 0..=top {
                    let none = Vec::new();
                    let near = groups.get(&(value, odd, excess)).unwrap_or(&none);
                    for weight in 0..=guess.cap {
                        for class in if excess == 0 { 0..1 } else { 1..classes } {
                            monitor.check(0, None)?;
                            let state = [value, odd, weight, excess, class];
                            let far = |&&(w, c, _): &&(u32, u32, bool)| {
                                (w.abs_diff(weight) + if c == class { 0 } else { 3 }, w, c)
                            };
                            let nearest = || near.iter().min_by_key(far).map_or(value == 0, |&(_, _, is_p)| is_p);
                            if guess.possible(&state) && known.get(&state).copied().unwrap_or_else(nearest) {
                                guess.p.push(state);
                            }
                        }
                    }
                }
            }
        }
        guess.p.sort_unstable();
        Ok(Some(guess))
    }
}

impl Dominance {
    /// Whether some sum may have this state, as far as its numbers go.
    fn possible(&self, &[_, odd, weight, excess, class]: &State) -> bool {
        let exact = weight < self.cap;
        if exact && (weight % 2 != odd || excess > weight) {
            return false;
        }
        if excess == 0 {
            return !exact || weight != 1;
        }
        if excess < self.top && excess % 2 != odd {
            return false;
        }
        let (own, grows) = (self.weights[class as usize], class >= self.first);
        let heaviest = |weight: u32| {
            let more = weight.checked_sub(own);
            more.is_some_and(|more| more == 0 || grows && more.is_multiple_of(self.gain))
        };
        if exact {
            let last = if excess < self.top { excess } else { weight };
            (excess..=last).any(|e| (weight + e) % 2 == 0 && heaviest(u32::midpoint(weight, e)))
        } else {
            grows || 2 * own >= self.cap.max(own) + excess
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::heap::HeapRules;
    use crate::solve::quotient::Builder;
    use semilinear::run::Unlimited;

    #[test]
    fn weights_are_read_off_a_quotient() {
        let rules: HeapRules = "4.7".parse().unwrap();
        let mut builder = Builder::new();
        builder.extend_to(&rules, 30, &Unlimited).unwrap();
        let grundy: Vec<u32> = (0..=30).map(|h| if h == 0 { 0 } else { 2 - h % 2 }).collect();
        let guesses = Dominance::guesses(&builder.quotient(), &grundy, &Unlimited).unwrap();
        let guess = &guesses[0];
        let weights: Vec<u32> = (0..12u32).map(|h| guess.weight(&h.into()).to_u32().unwrap()).collect();
        assert_eq!(weights, [0, 0, 1, 0, 1, 2, 3, 4, 5, 6, 7, 8]);
        // 1 + 8 is P in misère play, though its Grundy value is 3.
        assert!(guess.is_p(&[1u32.into(), 8u32.into()]));
        assert!(!guess.is_p(&[1u32.into(), 7u32.into()]));
    }

    #[test]
    fn lists_are_periodic_with_and_without_gain() {
        assert_eq!(periodic(&[0, 1, 2, 1, 2, 1, 2, 1], false), Some((1, 2)));
        assert_eq!(periodic(&[0, 0, 1, 0, 1, 2, 3, 4, 5, 6], true), Some((3, 1)));
        assert_eq!(periodic(&[0, 1], false), None);
        assert_eq!(periodic(&[], true), None);
    }
}
