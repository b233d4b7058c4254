//! Misère play of all heaps when sizes are compared (`docs/theory/ranks.md`).
//!
//! In some games the quotients of the first heaps grow without end because each period of heaps brings new generators, and what they are
//! worth beside each other depends on which of them is larger, and whether by one period or by more. An automaton reads a sum
//! from its largest heaps down. It is learned from the quotient of the first heaps; that it is right for all heaps is for the
//! checker to prove.

use std::collections::BTreeMap;

use num_bigint::BigUint;
use num_traits::{ToPrimitive as _, Zero as _};

use super::Quotient;
use super::monoid::index;
use semilinear::run::{Monitor, StopReason};

/// Letters of all heaps, and an automaton that reads the letters of a sum from the largest rank down.
///
/// Heaps below `first` have rank 0; from there on each period of heaps has a rank more than the one before.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ranks {
    /// From this heap on letters are periodic.
    pub first: u32,
    /// The period.
    pub period: u32,
    /// A proof follows parts of a lower rank than this.
    pub near: u32,
    /// The letters of the heaps below first + period; letter 0 is not read.
    pub letters: Vec<u32>,
    /// For each state the state one rank further down, and those after the letters 1, 2, …; state 0 comes first.
    pub next: Vec<Vec<u32>>,
    /// The states of P-positions, in increasing order.
    pub accepting: Vec<u32>,
}

/// More states than this are no pattern.
const STATES: usize = 256;
/// States that agree at fewer ranks than this are not taken for equal.
const LEVELS: usize = 2;
/// So many ranks are walked down to see states repeat.
const WALK: usize = 32;
/// Fewer periods than this are no pattern.
const RANKS: usize = 4;

impl Ranks {
    /// The rank and the letter of a heap.
    pub fn place(&self, heap: &BigUint) -> (BigUint, u32) {
        if let Some(heap) = heap.to_u32().filter(|&heap| heap < self.first) {
            return (BigUint::zero(), self.letters[heap as usize]);
        }
        let beyond = heap - self.first;
        let class = (&beyond % self.period).to_u32().expect("below the period");
        (beyond / self.period + 1u32, self.letters[(self.first + class) as usize])
    }

    /// The state so many ranks further down.
    fn down(&self, state: u32, ranks: &BigUint) -> u32 {
        let mut met: Vec<u32> = Vec::new();
        let mut when = vec![None; self.next.len()];
        let mut now = state;
        while BigUint::from(met.len()) < *ranks {
            if let Some(start) = when[now as usize].replace(met.len()) {
                let beyond = (ranks - BigUint::from(start)) % (met.len() - start);
                return met[start + beyond.to_usize().expect("below a length")];
            }
            met.push(now);
            now = self.next[now as usize][0];
        }
        now
    }

    /// How many ranks further down states repeat, at most, as far as 32 ranks show it.
    pub fn reach(&self) -> u32 {
        let distinct = |state: usize| {
            let mut met = vec![state];
            loop {
                let next = self.next[met[met.len() - 1]][0] as usize;
                if met.contains(&next) || met.len() == WALK {
                    return index(met.len());
                }
                met.push(next);
            }
        };
        (0..self.next.len()).map(distinct).max().unwrap_or(1)
    }

    /// Whether a sum of heaps is a P-position.
    ///
    /// # Complexity
    /// O(k log k + k·states) for k heaps.
    pub fn is_p(&self, heaps: &[BigUint]) -> bool {
        let mut places: Vec<(BigUint, u32)> = heaps.iter().map(|heap| self.place(heap)).collect();
        places.sort_unstable();
        let mut at = places.last().map_or(BigUint::zero(), |last| last.0.clone());
        let mut state = 0;
        for (rank, letter) in places.into_iter().rev() {
            state = self.down(state, &(&at - &rank));
            at = rank;
            if letter > 0 {
                state = self.next[state as usize][letter as usize];
            }
        }
        self.accepting.binary_search(&self.down(state, &at)).is_ok()
    }

    /// A guess from the quotient of the first heaps.
    pub fn guess(quotient: &Quotient, monitor: &dyn Monitor) -> Result<Option<Self>, StopReason> {
        let values = quotient.values();
        // New generators, and the values of earlier heaps.
        let seen = |h: usize| if values[1..h].contains(&values[h]) { values[h] } else { u32::MAX };
        let pattern: Vec<u32> = (0..values.len()).map(|h| if h == 0 { 0 } else { seen(h) }).collect();
        for period in 1..=values.len() / RANKS {
            let repeats = |h: &usize| pattern[*h] == pattern[h + period];
            let equal = (1..values.len() - period).rev().take_while(repeats).count();
            let first = values.len() - period - equal;
            let ranks = (values.len() - first) / period;
            if ranks >= RANKS && first <= values.len() / 2 && pattern[first..first + period].contains(&u32::MAX) {
                return Learner::new(quotient, first, period, ranks).learn(monitor);
            }
        }
        Ok(None)
    }
}

/// A sum of the letters read so far, each with the number of ranks since.
type Prefix = Vec<(usize, usize)>;

/// What is known of a state: what follows it at each rank below the known ones, and an element for rank 0.
struct Known {
    prefix: Prefix,
    futures: BTreeMap<usize, u32>,
    zero: Option<u32>,
}

struct Learner<'a> {
    quotient: &'a Quotient,
    first: usize,
    period: usize,
    ranks: usize,
    /// The elements of each letter of regular heaps at the ranks 1, 2, …; letter 0 has none.
    letters: Vec<Vec<u32>>,
    /// For each rank the elements of sums of heaps up to that rank.
    sums: Vec<Vec<u32>>,
    rows: BTreeMap<(usize, Vec<bool>), u32>,
    states: Vec<Known>,
}

impl<'a> Learner<'a> {
    fn new(quotient: &'a Quotient, first: usize, period: usize, ranks: usize) -> Self {
        let values = quotient.values();
        let sums = (0..=ranks).map(|rank| closure(quotient, &values[1..first + period * rank])).collect();
        let (letters, rows, states) = (vec![Vec::new()], BTreeMap::new(), Vec::new());
        Self { quotient, first, period, ranks, letters, sums, rows, states }
    }

    /// The element of a prefix when this rank is being read.
    fn element(&self, prefix: &Prefix, rank: usize) -> u32 {
        let part = |&(letter, ranks): &(usize, usize)| self.letters[letter][rank + ranks - 1];
        prefix.iter().map(part).fold(0, |x, y| self.quotient.monoid().product(x, y))
    }

    /// What follows an element: which sums of heaps up to a rank are P beside it, as a number.
    fn row(&mut self, rank: usize, element: u32) -> u32 {
        let (monoid, p) = (self.quotient.monoid(), self.quotient.p());
        let row = self.sums[rank].iter().map(|&sum| p.has(monoid.product(element, sum) as usize)).collect();
        let next = index(self.rows.len());
        *self.rows.entry((rank, row)).or_insert(next)
    }

    /// The state of a prefix: the first one that agrees with it as far as both are known; `None` when too little is known.
    fn state(&mut self, mut prefix: Prefix) -> Option<u32> {
        prefix.sort_unstable();
        let deepest = prefix.iter().map(|&(_, ranks)| ranks).max().unwrap_or(0);
        let least = usize::from(prefix.iter().any(|&(_, ranks)| ranks == 0));
        let known: Vec<(usize, u32)> =
            (least..=self.ranks - deepest).map(|rank| (rank, self.element(&prefix, rank))).collect();
        let futures: BTreeMap<usize, u32> = known.iter().map(|&(rank, x)| (rank, self.row(rank, x))).collect();
        let zero = known.first().filter(|&&(rank, _)| rank == 0).map(|&(_, x)| x);
        let agrees = |state: &Known| futures.iter().all(|(rank, row)| state.futures.get(rank).is_none_or(|r| r == row));
        if let Some(i) = self.states.iter().position(agrees) {
            let state = &mut self.states[i];
            if futures.keys().filter(|rank| state.futures.contains_key(rank)).count() < LEVELS {
                return None;
            }
            state.zero = state.zero.or(zero);
            state.futures.extend(futures);
            return Some(index(i));
        }
        self.states.push(Known { prefix, futures, zero });
        Some(index(self.states.len() - 1))
    }

    fn learn(mut self, monitor: &dyn Monitor) -> Result<Option<Ranks>, StopReason> {
        let values = self.quotient.values();
        let mut letters = vec![0; self.first + self.period];
        for class in 0..self.period {
            let own: Vec<u32> = (0..self.ranks).map(|rank| values[self.first + class + self.period * rank]).collect();
            if own.iter().any(|&x| x != 0) {
                let known = self.letters.iter().position(|letter| *letter == own);
                letters[self.first + class] = index(known.unwrap_or(self.letters.len()));
                if known.is_none() {
                    self.letters.push(own);
                }
            }
        }
        let regular = self.letters.len();
        self.state(Prefix::new());
        let mut next: Vec<Vec<u32>> = Vec::new();
        while next.len() < self.states.len() {
            monitor.check(0, None)?;
            let prefix = self.states[next.len()].prefix.clone();
            let further: Prefix = prefix.iter().map(|&(letter, ranks)| (letter, ranks + 1)).collect();
            if self.states.len() > STATES || further.iter().any(|&(_, ranks)| ranks + LEVELS > self.ranks) {
                return Ok(None);
            }
            let more = (1..regular).map(|letter| [&prefix[..], &[(letter, 0)]].concat());
            let row: Option<Vec<u32>> = std::iter::once(further).chain(more).map(|prefix| self.state(prefix)).collect();
            let Some(row) = row else { return Ok(None) };
            next.push(row);
        }
        // Heaps below the first regular one are read last; what follows them are such heaps only.
        let mut small: Vec<u32> = Vec::new();
        for (heap, letter) in letters.iter_mut().enumerate().take(self.first).skip(1) {
            let value = values[heap];
            if value != 0 {
                let known = small.iter().position(|&x| x == value);
                *letter = index(regular + known.unwrap_or(small.len()));
                if known.is_none() {
                    small.push(value);
                }
            }
        }
        Ok(Some(self.finish(letters, next, &small)))
    }

    /// Adds the states of rank 0.
    fn finish(mut self, letters: Vec<u32>, mut next: Vec<Vec<u32>>, small: &[u32]) -> Ranks {
        let (monoid, p) = (self.quotient.monoid(), self.quotient.p());
        let (states, regular) = (next.len(), self.letters.len());
        // The states of rank 0 by what follows them, with an element each.
        let mut last: BTreeMap<u32, u32> = BTreeMap::new();
        let mut elements: Vec<Option<u32>> = self.states.iter().map(|state| state.zero).collect();
        let mut at = 0;
        while at < elements.len() {
            if at >= states {
                next.push(vec![index(at); regular]);
            }
            for &letter in small {
                let to = elements[at].map_or(index(at), |element| {
                    let element = monoid.product(element, letter);
                    *last.entry(self.row(0, element)).or_insert_with(|| {
                        elements.push(Some(element));
                        index(elements.len() - 1)
                    })
                });
                next[at].push(to);
            }
            at += 1;
        }
        let accepts = |element: &Option<u32>| element.is_some_and(|x| p.has(x as usize));
        let accepting = (0..at).filter(|&state| accepts(&elements[state])).map(index).collect();
        Ranks { first: index(self.first), period: index(self.period), near: 1, letters, next, accepting }
    }
}

/// The elements of all sums of such heaps.
fn closure(quotient: &Quotient, heaps: &[u32]) -> Vec<u32> {
    let mut met = vec![false; quotient.monoid().order()];
    let mut all = vec![0];
    met[0] = true;
    let mut at = 0;
    while at < all.len() {
        for &heap in heaps {
            let sum = quotient.monoid().product(all[at], heap);
            if !std::mem::replace(&mut met[sum as usize], true) {
                all.push(sum);
            }
        }
        at += 1;
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::heap::HeapRules;
    use crate::solve::quotient::Builder;
    use semilinear::run::Unlimited;

    #[test]
    fn automata_are_learned_from_a_quotient() {
        let rules: HeapRules = "0.54".parse().unwrap();
        let mut builder = Builder::new();
        builder.extend_to(&rules, 48, &Unlimited).unwrap();
        let quotient = builder.quotient();
        let ranks = Ranks::guess(&quotient, &Unlimited).unwrap().unwrap();
        assert_eq!(ranks.period, 7);
        // Sums of heaps of the quotient have their outcomes there.
        let heaps: Vec<BigUint> = (0..=48u32).map(BigUint::from).collect();
        for (a, b, c) in (1..=48).flat_map(|a| (1..=a).flat_map(move |b| (1..=b).step_by(3).map(move |c| (a, b, c)))) {
            let value = [a, b, c].iter().fold(0, |x, &h| quotient.monoid().product(x, quotient.values()[h]));
            let sum = [heaps[a].clone(), heaps[b].clone(), heaps[c].clone()];
            assert_eq!(ranks.is_p(&sum), quotient.p().has(value as usize), "{a} {b} {c}");
        }
    }

    #[test]
    fn empty_ranks_are_passed_at_once() {
        let next = vec![vec![0, 1], vec![2, 0], vec![3, 0], vec![2, 0]];
        let ranks = Ranks { first: 1, period: 1, near: 1, letters: vec![0, 1], next, accepting: vec![3] };
        // Heap h has rank h: states 1, 2, 3, 2, 3, …
        let outcomes: Vec<bool> = (0..8u32).map(|h| ranks.is_p(&[h.into()])).collect();
        assert_eq!(outcomes, [false, false, true, false, true, false, true, false]);
        assert!(ranks.is_p(&[BigUint::from(10u32).pow(50)]));
        assert!(!ranks.is_p(&[BigUint::from(10u32).pow(50) + 1u32]));
        assert_eq!(ranks.reach(), 3);
    }
}
