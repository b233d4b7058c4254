//! The plain solver: one table of order ideals, nothing clever. It is the reference that every other
//! engine is tested against, and enough for small posets.

use rustc_hash::FxHashMap;

use crate::outcome::{Outcome, Play};
use crate::poset::{ElementSet, Poset, Words as _};
use semilinear::run::{Monitor, StopReason};

/// A plain solver of one poset: remembers every ideal it has seen.
///
/// ```
/// use impartial::{poset::Poset, run::Unlimited, solve::poset::plain::Plain};
/// let poset = Poset::subsets(3, 3).unwrap();
/// assert_eq!(Plain::new(&poset).grundy(&poset.all(), &Unlimited), Ok(3));
/// ```
#[derive(Debug)]
pub struct Plain<'a> {
    poset: &'a Poset,
    grundy: FxHashMap<ElementSet, u32>,
    misere: FxHashMap<ElementSet, Outcome>,
}

impl<'a> Plain<'a> {
    /// A solver that knows nothing yet.
    pub fn new(poset: &'a Poset) -> Self {
        Self { poset, grundy: FxHashMap::default(), misere: FxHashMap::default() }
    }

    /// The Grundy value of `position`.
    ///
    /// # Complexity
    /// O(ideals × elements); positions are visited with a stack of their own, never by recursion.
    pub fn grundy(&mut self, position: &ElementSet, monitor: &dyn Monitor) -> Result<u32, StopReason> {
        let mut stack = vec![position.clone()];
        while let Some(top) = stack.last().cloned() {
            if self.grundy.contains_key(&top) {
                stack.pop();
                continue;
            }
            monitor.check(self.grundy.len() as u64, None)?;
            let mut seen = vec![false; top.len() + 1];
            let known = stack.len();
            for x in top.members() {
                let option = self.poset.option(&top, x);
                match self.grundy.get(&option) {
                    Some(&value) => seen[value as usize] = true,
                    None => stack.push(option),
                }
            }
            if stack.len() == known {
                let value = seen.iter().position(|seen| !seen).expect("n options leave one of n + 1 values free");
                self.grundy.insert(top, u32::try_from(value).expect("a poset has fewer elements than that"));
                stack.pop();
            }
        }
        Ok(self.grundy[position])
    }

    /// The outcome of `position`.
    pub fn outcome(&mut self, position: &ElementSet, play: Play, monitor: &dyn Monitor) -> Result<Outcome, StopReason> {
        if play == Play::Normal {
            return Ok(Outcome::p_if(self.grundy(position, monitor)? == 0));
        }
        let mut stack = vec![position.clone()];
        while let Some(top) = stack.last().cloned() {
            if self.misere.contains_key(&top) {
                stack.pop();
                continue;
            }
            monitor.check(self.misere.len() as u64, None)?;
            let known = stack.len();
            let mut winning = top.is_empty();
            for x in top.members() {
                let option = self.poset.option(&top, x);
                match self.misere.get(&option) {
                    Some(outcome) => winning |= outcome.is_p(),
                    None => stack.push(option),
                }
            }
            if stack.len() == known {
                self.misere.insert(top, Outcome::p_if(!winning));
                stack.pop();
            }
        }
        Ok(self.misere[position])
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use semilinear::run::{TickLimit, Unlimited};

    #[test]
    fn nim_heaps_add() {
        let poset = Poset::nim(&[3, 5, 1]).unwrap();
        let mut solver = Plain::new(&poset);
        assert_eq!(solver.grundy(&poset.all(), &Unlimited), Ok(3 ^ 5 ^ 1));
        // Misère Nim with two equal heaps above 1 is P, with heaps of size 1 it is the other way round.
        for (heaps, expected) in [(vec![2, 2], Outcome::P), (vec![1, 1], Outcome::N), (vec![1], Outcome::P)] {
            let poset = Poset::nim(&heaps).unwrap();
            assert_eq!(Plain::new(&poset).outcome(&poset.all(), Play::Misere, &Unlimited), Ok(expected));
        }
    }

    #[test]
    fn limits_are_kept() {
        let poset = Poset::chomp(&[5, 5, 5, 5]).unwrap();
        assert_eq!(Plain::new(&poset).grundy(&poset.all(), &TickLimit::new(10)), Err(StopReason::Time));
    }
}
