//! The general search: any finite ruleset, both plays.
//!
//! | file | what it finds |
//! | --- | --- |
//! | `grundy.rs` | Grundy values of components; a sum has the nim-sum of them |
//! | `tame.rs` | misère play where every follower is tame: sums answered like Nim |
//! | `misere.rs` | misère play otherwise: a search over sums |
//!
//! All three keep what they found for later questions, go down with an explicit stack (no recursion
//! limit), tick the monitor, and stop with [`StopReason::Size`] before they outgrow their limit.

mod grundy;
mod misere;
mod tame;

use crate::outcome::{Outcome, Play};
use crate::ruleset::Ruleset;
use semilinear::run::{Monitor, StopReason};

/// A search of one ruleset, with what it has found so far.
///
/// ```
/// use impartial::{heap::HeapRules, outcome::{Outcome, Play}, run::Unlimited, solve::search::Search};
/// let kayles: HeapRules = "0.77".parse().unwrap();
/// let mut search = Search::new(&kayles, &Unlimited);
/// assert_eq!(search.grundy(&[11]), Ok(6));
/// assert_eq!(search.outcome(Play::Normal, &[1, 2, 3]), Ok(Outcome::P));
/// assert_eq!(search.winning_moves(Play::Misere, &[1, 2]), Ok(vec![vec![1]]));
/// ```
pub struct Search<'a, R: Ruleset> {
    rules: &'a R,
    monitor: &'a dyn Monitor,
    limit: u64,
    found: Found<R::Component>,
}

/// What a search has found so far: kept between searches of the same ruleset.
///
/// ```
/// use impartial::{heap::HeapRules, run::Unlimited, solve::search::{Found, Search}};
/// let kayles: HeapRules = "0.77".parse().unwrap();
/// let mut search = Search::new(&kayles, &Unlimited);
/// assert_eq!(search.grundy(&[11]), Ok(6));
/// let found: Found<u64> = search.into_found();
/// assert_eq!(Search::new(&kayles, &Unlimited).knowing(found).grundy(&[11]), Ok(6));
/// ```
pub struct Found<C> {
    values: grundy::Values<C>,
    tame: tame::Types<C>,
    misere: misere::Outcomes<C>,
}

impl<C> Default for Found<C> {
    fn default() -> Self {
        Self { values: grundy::Values::default(), tame: tame::Types::default(), misere: misere::Outcomes::default() }
    }
}

/// The default limit on components held in memory: about 2 GiB with small components.
const COMPONENTS: u64 = 20_000_000;

/// A component with more options than this is beyond any search.
const OPTIONS: u64 = 4_000_000;

impl<'a, R: Ruleset> Search<'a, R> {
    /// A search that knows nothing yet.
    pub fn new(rules: &'a R, monitor: &'a dyn Monitor) -> Self {
        Self { rules, monitor, limit: COMPONENTS, found: Found::default() }
    }

    /// Goes on with what another search of these rules has found.
    #[must_use]
    pub fn knowing(mut self, found: Found<R::Component>) -> Self {
        self.found = found;
        self
    }

    /// What was found.
    pub fn into_found(self) -> Found<R::Component> {
        self.found
    }

    /// Holds at most about `components` components in memory.
    #[must_use]
    pub fn with_limit(mut self, components: u64) -> Self {
        self.limit = components;
        self
    }

    /// The Grundy value of a sum of components: the nim-sum of theirs (Sprague–Grundy theorem).
    ///
    /// # Complexity
    /// O(number of moves) in the followers of the components, each looked at once.
    pub fn grundy(&mut self, position: &[R::Component]) -> Result<u64, StopReason> {
        let budget = Budget { limit: self.limit, monitor: self.monitor };
        position.iter().try_fold(0, |sum, component| Ok(sum ^ self.found.values.of(self.rules, component, &budget)?))
    }

    /// The outcome of a sum of components.
    ///
    /// # Complexity
    /// As [`Search::grundy`] in normal play and in misère play with tame components; otherwise O(number
    /// of moves) in the sums that can be reached, which grows fast with the number of components.
    pub fn outcome(&mut self, play: Play, position: &[R::Component]) -> Result<Outcome, StopReason> {
        match play {
            Play::Normal => Ok(Outcome::p_if(self.grundy(position)? == 0)),
            Play::Misere => {
                let budget = Budget { limit: self.limit, monitor: self.monitor };
                match self.found.tame.outcome(self.rules, position, &budget)? {
                    Some(outcome) => Ok(outcome),
                    None => self.found.misere.of(self.rules, position, &budget),
                }
            }
        }
    }

    /// Every winning move: the options that are P-positions, each sorted; sorted, without repeats.
    pub fn winning_moves(
        &mut self,
        play: Play,
        position: &[R::Component],
    ) -> Result<Vec<Vec<R::Component>>, StopReason> {
        let budget = Budget { limit: self.limit, monitor: self.monitor };
        let mut moves = Vec::new();
        for option in sum_options(self.rules, position, &budget)? {
            if self.outcome(play, &option)?.is_p() {
                moves.push(option);
            }
        }
        Ok(moves)
    }
}

/// What a search may use.
struct Budget<'a> {
    limit: u64,
    monitor: &'a dyn Monitor,
}

impl Budget<'_> {
    /// Asks whether to go on with `held` components in memory.
    fn check(&self, held: u64) -> Result<(), StopReason> {
        if held > self.limit {
            return Err(self.exceeded());
        }
        self.monitor.check(held, None)
    }

    fn exceeded(&self) -> StopReason {
        StopReason::Size { what: "components in memory", limit: self.limit }
    }
}

/// The options of one component, or the limit when they are too many to list.
fn options<R: Ruleset>(
    rules: &R,
    component: &R::Component,
    budget: &Budget,
) -> Result<Vec<Vec<R::Component>>, StopReason> {
    let work = budget.limit.min(OPTIONS);
    rules
        .options_within(component, work)
        .ok_or(StopReason::Size { what: "steps to list the options of one component", limit: work })
}

/// Every option of a sum, each sorted; sorted, without repeats.
fn sum_options<R: Ruleset>(
    rules: &R,
    position: &[R::Component],
    budget: &Budget,
) -> Result<Vec<Vec<R::Component>>, StopReason> {
    let mut sorted = position.to_vec();
    sorted.sort_unstable();
    let mut all = Vec::new();
    let mut held = 0;
    for (i, component) in sorted.iter().enumerate() {
        if i > 0 && sorted[i - 1] == *component {
            continue;
        }
        for option in options(rules, component, budget)? {
            held += (sorted.len() + option.len()) as u64;
            budget.check(held)?;
            let mut sum = sorted.clone();
            sum.remove(i);
            sum.extend(option);
            sum.sort_unstable();
            all.push(sum);
        }
    }
    all.sort_unstable();
    all.dedup();
    Ok(all)
}

#[cfg(test)]
mod tests;
