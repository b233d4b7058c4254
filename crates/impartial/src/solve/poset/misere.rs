//! Misère play of poset games: a search over order ideals.
//!
//! Sums do not add by ⊕ in misère play, so nothing is taken apart. Two theorems cut the search short:
//! an ideal with a greatest element and at least one other element is N (strategy stealing), and an
//! ideal with a least element has the misère outcome that the rest has in normal play, because whoever
//! takes the least element ends the game and loses. The second one is Chomp with its poisoned square.

use rustc_hash::FxHashMap;

use crate::outcome::Outcome;
use crate::poset::{Poset, Words};
use semilinear::run::{Monitor, StopReason};

use super::decompose::Order;
use super::search::Search;
use super::symmetry::{Canonical, Scratch, Symmetry};

/// The positions a misère search may remember.
const LIMIT: u64 = 1 << 26;

/// A misère solver of one poset; it remembers what it has found.
#[derive(Debug)]
pub(super) struct Misere<S> {
    order: Order<S>,
    symmetry: Symmetry<S>,
    memo: FxHashMap<S, Outcome>,
}

impl<S: Words> Misere<S> {
    pub(super) fn new(poset: &Poset, symmetry: Symmetry<S>) -> Self {
        Self { order: Order::new(poset), symmetry, memo: FxHashMap::default() }
    }

    /// The misère outcome of an order ideal; `normal` answers the normal-play questions that come up.
    ///
    /// # Complexity
    /// O(ideals up to symmetry × elements) in the worst case.
    pub(super) fn outcome(
        &mut self,
        position: &S,
        normal: &Search<S, Symmetry<S>>,
        monitor: &dyn Monitor,
    ) -> Result<Outcome, StopReason> {
        let mut scratch = Scratch::default();
        let mut stack = vec![(position.clone(), self.symmetry.canonical(position, &mut scratch))];
        while let Some((set, key)) = stack.last().cloned() {
            if self.memo.contains_key(&key) {
                stack.pop();
                continue;
            }
            monitor.check(self.memo.len() as u64, None)?;
            if self.memo.len() as u64 >= LIMIT {
                return Err(StopReason::Size { what: "positions in the memo", limit: LIMIT });
            }
            if let Some(outcome) = self.by_theorem(&set, normal, monitor)? {
                self.memo.insert(key, outcome);
                continue;
            }
            let mut missing = None;
            let mut winning = false;
            for x in set.members() {
                let option = set.without(&self.order.up[x]);
                let option_key = self.symmetry.canonical(&option, &mut scratch);
                match self.memo.get(&option_key) {
                    Some(Outcome::P) => winning = true,
                    Some(Outcome::N) => {}
                    None => missing = Some((option, option_key)),
                }
                if winning {
                    break;
                }
            }
            match missing {
                Some(option) if !winning => stack.push(option),
                _ => {
                    self.memo.insert(key, Outcome::p_if(!winning));
                }
            }
        }
        Ok(self.memo[&self.symmetry.canonical(position, &mut scratch)])
    }

    fn by_theorem(
        &self,
        set: &S,
        normal: &Search<S, Symmetry<S>>,
        monitor: &dyn Monitor,
    ) -> Result<Option<Outcome>, StopReason> {
        let size = set.len();
        if size == 0 {
            return Ok(Some(Outcome::N));
        }
        if size > 1 && set.members().any(|x| set.is_subset(&self.order.down[x])) {
            return Ok(Some(Outcome::N));
        }
        if let Some(least) = set.members().find(|&x| set.is_subset(&self.order.up[x])) {
            let mut rest = set.clone();
            rest.remove(least);
            return Ok(Some(Outcome::p_if(normal.grundy(&rest, monitor)? == 0)));
        }
        Ok(None)
    }
}
