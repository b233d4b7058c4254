//! Sums and options of them, read side by side from the largest rank down.

use std::collections::BTreeMap;

use super::{Parts, Place};
use crate::Checked;
use crate::meter::{Held, Meter};

/// What is read: a letter, or the end of a rank, after which a zone follows.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Step {
    Letter(usize),
    Down(usize),
}

/// A sum and an option of it down to a zone.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Pair {
    pub zone: usize,
    /// The states of both.
    pub sum: usize,
    pub option: usize,
    /// The parts of the option that lie further down.
    pub later: Parts,
}

/// All pairs, by number.
pub(super) struct Pairs {
    all: Vec<Pair>,
    numbers: BTreeMap<Pair, u32>,
    steps: Vec<Vec<(Step, u32)>>,
    /// Whether the option is accepted, and the sum is not, if nothing more is read.
    wins: Vec<bool>,
    /// The same after something is read, or the option has twins further down.
    matters: Vec<bool>,
    /// The first pair that is like it, whatever is read.
    like: Vec<u32>,
    pub held: Held,
}

impl Pairs {
    pub fn new(meter: &Meter<'_>) -> Checked<Self> {
        let (all, numbers, steps, wins) = (Vec::new(), BTreeMap::new(), Vec::new(), Vec::new());
        Ok(Self { all, numbers, steps, wins, matters: Vec::new(), like: Vec::new(), held: meter.hold(0)? })
    }

    /// The number of a pair, which may be new.
    pub fn number(&mut self, pair: Pair) -> Checked<u32> {
        if let Some(&number) = self.numbers.get(&pair) {
            return Ok(number);
        }
        self.held.grow(8 * size_of::<Pair>() as u64)?;
        let number = u32::try_from(self.all.len()).expect("fewer than there are bytes");
        self.all.push(pair.clone());
        self.numbers.insert(pair, number);
        Ok(number)
    }

    /// The next pair whose steps are not known.
    pub fn unread(&self) -> Option<Pair> {
        self.all.get(self.steps.len()).cloned()
    }

    pub fn read(&mut self, steps: Vec<(Step, u32)>, wins: bool) -> Checked {
        self.held.grow(4 * (steps.len() * size_of::<(Step, u32)>()) as u64)?;
        self.steps.push(steps);
        self.wins.push(wins);
        Ok(())
    }

    pub fn wins(&self, number: u32) -> bool {
        self.wins[number as usize]
    }

    pub fn matters(&self, number: u32) -> bool {
        self.matters[number as usize]
    }

    /// Whether its parts are twins further down.
    pub fn has_twins(&self, number: u32) -> bool {
        matches!(self.all[number as usize].later[..], [(_, Place::Twins(_))])
    }

    #[cfg(test)]
    pub fn knows(&self, pair: &Pair) -> bool {
        self.numbers.contains_key(pair)
    }

    /// The first pair like a known one.
    pub fn merged(&self, pair: &Pair) -> u32 {
        self.like[self.numbers[pair] as usize]
    }

    pub fn after(&self, number: u32, step: Step) -> impl Iterator<Item = u32> {
        self.steps[number as usize].iter().filter(move |(own, _)| *own == step).map(|&(_, next)| next)
    }

    /// Finds out which pairs matter, and leads every step to the first pair that is like its end.
    pub fn merge(&mut self, meter: &Meter<'_>) -> Checked {
        let numbers = || 0..u32::try_from(self.all.len()).expect("they have numbers");
        let mut before = vec![Vec::new(); self.all.len()];
        for (number, steps) in numbers().zip(&self.steps) {
            for &(_, next) in steps {
                before[next as usize].push(number);
            }
        }
        let mut new: Vec<u32> = numbers().filter(|&n| self.wins(n)).collect();
        self.matters = numbers().map(|n| self.has_twins(n)).collect();
        let mut met = vec![false; self.all.len()];
        while let Some(number) = new.pop() {
            meter.work(1)?;
            if !std::mem::replace(&mut met[number as usize], true) {
                self.matters[number as usize] = true;
                new.extend(&before[number as usize]);
            }
        }
        // What does not matter is left out, unless it is one of the ranks that twins may have.
        let first = |n: u32| {
            let Pair { zone, sum, .. } = self.all[n as usize];
            self.matters(n).then_some((zone, sum, self.has_twins(n), self.wins(n)))
        };
        let mut class = numbered(numbers().map(first));
        loop {
            meter.steps(self.steps.iter().map(|steps| steps.len() + 1).sum())?;
            let future = |n: u32| {
                let steps = self.steps[n as usize].iter().filter(|_| self.matters(n));
                let steps = steps.filter(|step| self.matters(step.1) || self.has_twins(n));
                let mut steps: Vec<(Step, u32)> = steps.map(|&(step, next)| (step, class[next as usize])).collect();
                steps.sort_unstable();
                steps.dedup();
                (class[n as usize], steps)
            };
            let finer = numbered(numbers().map(future));
            let stable = finer.iter().max() == class.iter().max();
            class = finer;
            if stable {
                break;
            }
        }
        let mut least = BTreeMap::new();
        self.like = numbers().map(|n| *least.entry(class[n as usize]).or_insert(n)).collect();
        for step in self.steps.iter_mut().flatten() {
            step.1 = self.like[step.1 as usize];
        }
        Ok(())
    }
}

/// Equal things get equal numbers, 0, 1, …
fn numbered<T: Ord>(things: impl Iterator<Item = T>) -> Vec<u32> {
    let mut numbers = BTreeMap::new();
    things
        .map(|thing| {
            let next = u32::try_from(numbers.len()).expect("no more than pairs");
            *numbers.entry(thing).or_insert(next)
        })
        .collect()
}
