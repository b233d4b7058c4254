//! The general solver: a search over positions with a memo on canonical forms.
//!
//! Every position is reduced first: mirror images cancel (`symmetry.rs`), disjoint unions add by ⊕, linear
//! sums by the series law (`decompose.rs`), so only prime positions are searched. All threads share one
//! memo; they walk the options in different orders, so that they seldom meet. Where the reductions do not
//! help, filling a table of all ideals is many times faster an ideal (`dense.rs`): when the search has seen a
//! fair part of as many positions as there are ideals, it gives way to that.

use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Arc, Mutex};

use crate::outcome::Outcome;
use crate::poset::{Poset, Words};
use crate::solve::threads;
use semilinear::run::{Monitor, StopReason};

use super::decompose::{Order, Shape, option_values};
use super::dense::Dense;
use super::isomorphism::isomorphic;
use super::memo::{Memo, Table};
use super::symmetry::Canonical;
use super::values::ValueSet;

/// Positions that one thread looks at before others are started, or before ideals are counted.
const ALONE: u64 = 4_000;
/// After a vain count of ideals the search looks at this many times as many positions before the next one.
const PATIENCE: u64 = 4;
/// All ideals are tabulated when they are at most this many times as many as the positions seen: a table costs
/// about a twentieth of the search for an ideal.
const DENSE: u64 = 32;
/// Components with fewer elements are quickly solved, or known already.
const WORTH_COMPARING: usize = 8;
/// Steps between two looks at the monitor and the other threads.
const BATCH: u32 = 32;

/// A general solver of the normal-play game on one poset; it remembers what it has found.
#[derive(Debug)]
pub struct Search<S, C> {
    order: Order<S>,
    canon: C,
    values: Memo,
    /// 0 for P, 1 for N: of positions whose values nobody asked for.
    outcomes: Memo,
    /// The last table of all ideals.
    dense: Mutex<Option<Arc<Dense<S>>>>,
}

/// What is wanted of a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Goal {
    Value,
    /// 0 for P and 1 for N: ends at the first P-option, but takes no sum apart.
    Outcome,
}

/// A position that is being worked on.
struct Frame<S> {
    set: S,
    key: S,
    /// Once it is known to be prime: the elements that have not been tried, and the values seen.
    open: Option<(S, ValueSet)>,
}

/// One thread's view: the memo as it is now, and its own room.
struct View<'a, S, C: Canonical<S>> {
    search: &'a Search<S, C>,
    scratch: &'a mut C::Scratch,
    table: &'a Table,
    /// The options of a position are tried from this element on.
    start: usize,
}

/// A thread that walks: what it was asked, and whom it listens to.
struct Walk<'a> {
    goal: Goal,
    thread: usize,
    /// Whether other threads work at the same time.
    shared: bool,
    /// Gives up when the memo has this many positions.
    budget: u64,
    halted: &'a AtomicBool,
    monitor: &'a dyn Monitor,
}

impl<S: Words, C: Canonical<S>> Search<S, C> {
    /// A solver that knows nothing yet.
    pub fn new(poset: &Poset, canon: C) -> Self {
        let words = S::empty(poset.len()).words().len();
        Self {
            order: Order::new(poset),
            canon,
            values: Memo::new(words),
            outcomes: Memo::new(words),
            dense: Mutex::new(None),
        }
    }

    /// The number of positions in the memo.
    pub fn states(&self) -> u64 {
        self.values.len() + self.outcomes.len()
    }

    /// The number of symmetries in use, the identity included.
    pub fn symmetries(&self) -> usize {
        self.canon.order()
    }

    /// The Grundy value of a set of elements (an induced poset, in particular an order ideal).
    ///
    /// # Complexity
    /// O(prime positions up to symmetry × elements) memo lookups in the worst case; polynomial for
    /// N-free positions, which have no prime ones.
    pub fn grundy(&self, set: &S, monitor: &dyn Monitor) -> Result<u32, StopReason> {
        self.run(set, Goal::Value, monitor)
    }

    /// The outcome of a set of elements, by a search that ends at the first winning move of every position:
    /// far fewer positions than values need, but sums are not taken apart.
    pub fn outcome(&self, set: &S, monitor: &dyn Monitor) -> Result<Outcome, StopReason> {
        self.run(set, Goal::Outcome, monitor).map(|value| Outcome::p_if(value == 0))
    }

    fn memo(&self, goal: Goal) -> &Memo {
        match goal {
            Goal::Value => &self.values,
            Goal::Outcome => &self.outcomes,
        }
    }

    fn run(&self, set: &S, goal: Goal, monitor: &dyn Monitor) -> Result<u32, StopReason> {
        if goal == Goal::Value
            && let Some(value) = self.tabulated(set)
        {
            return Ok(value);
        }
        let known = self.memo(goal).len();
        let mut seen = ALONE;
        // Most positions are small: try alone first.
        let halted = AtomicBool::new(false);
        let alone = Walk { goal, thread: 0, shared: false, budget: known + seen, halted: &halted, monitor };
        if let Some(value) = self.walk(set, &alone)? {
            return Ok(value);
        }
        loop {
            if goal == Goal::Value
                && let Some(dense) = Dense::new(&self.order, set, DENSE * seen, monitor)?
            {
                let value = dense.grundy(set).expect("the whole is an ideal of itself");
                *self.dense.lock().expect("no thread panics with the lock") = Some(Arc::new(dense));
                return Ok(value);
            }
            seen = seen.saturating_mul(PATIENCE);
            let budget = if goal == Goal::Value { known.saturating_add(seen) } else { u64::MAX };
            if let Some(value) = self.walk_together(set, goal, budget, monitor)? {
                return Ok(value);
            }
        }
    }

    /// The value of a set that the last table has.
    fn tabulated(&self, set: &S) -> Option<u32> {
        let dense = self.dense.lock().expect("no thread panics with the lock").clone();
        dense.and_then(|dense| dense.grundy(set))
    }

    /// Walks with all threads; `None` when the memo has reached the budget.
    fn walk_together(
        &self,
        set: &S,
        goal: Goal,
        budget: u64,
        monitor: &dyn Monitor,
    ) -> Result<Option<u32>, StopReason> {
        let threads = threads::count();
        let halted = AtomicBool::new(false);
        let answer: Mutex<Result<Option<u32>, StopReason>> = Mutex::new(Ok(None));
        threads::together(|thread| {
            let walk = Walk { goal, thread, shared: threads > 1, budget, halted: &halted, monitor };
            let result = self.walk(set, &walk);
            if !halted.swap(true, Relaxed) {
                *answer.lock().expect("no thread panics with the lock") = result;
            }
        });
        answer.into_inner().expect("no thread panics with the lock")
    }

    /// Works until the value of `root` is known, the budget is used up (`None`), or another thread has
    /// halted the search (`None`).
    fn walk(&self, root: &S, walk: &Walk<'_>) -> Result<Option<u32>, StopReason> {
        let start = self.order.up.len() * walk.thread / threads::count();
        let memo = self.memo(walk.goal);
        let mut scratch = C::Scratch::default();
        let mut stack: Vec<Frame<S>> = Vec::new();
        loop {
            let guard = memo.read();
            let mut view = View { search: self, scratch: &mut scratch, table: &guard, start };
            if stack.is_empty() {
                match view.known(root) {
                    Some(value) => return Ok(Some(value)),
                    None => stack.push(view.frame(root)),
                }
            }
            let mut full = false;
            for _ in 0..BATCH {
                let Some(frame) = stack.last_mut() else { break };
                // Another thread may have been here.
                if walk.shared && view.table.value(&frame.key).is_some() {
                    stack.pop();
                    continue;
                }
                let result = match walk.goal {
                    Goal::Value => view.advance(frame),
                    Goal::Outcome => view.advance_outcome(frame),
                };
                match result {
                    Ok(value) => {
                        view.table.insert(&frame.key, value);
                        stack.pop();
                        full = view.table.is_full();
                        if full {
                            break;
                        }
                    }
                    Err(missing) => stack.push(view.frame(&missing)),
                }
            }
            drop(guard);
            if walk.halted.load(Relaxed) {
                return Ok(None);
            }
            let states = memo.len();
            walk.monitor.check(states, None)?;
            if full {
                memo.grow()?;
            }
            if states >= walk.budget {
                return Ok(None);
            }
        }
    }
}

impl<S: Words, C: Canonical<S>> View<'_, S, C> {
    #[inline]
    fn known(&mut self, set: &S) -> Option<u32> {
        if set.is_empty() {
            return Some(0);
        }
        self.table.value(&self.search.canon.canonical(set, self.scratch))
    }

    fn frame(&mut self, set: &S) -> Frame<S> {
        Frame { set: set.clone(), key: self.search.canon.canonical(set, self.scratch), open: None }
    }

    /// The value of a frame's position, or a smaller position that must be known first.
    #[inline]
    fn advance(&mut self, frame: &mut Frame<S>) -> Result<u32, S> {
        let order = &self.search.order;
        if frame.open.is_none() {
            if let Some(smaller) = self.search.canon.mirrored(&frame.set) {
                return self.known(&smaller).ok_or(smaller);
            }
            match order.shape(&frame.set) {
                Shape::Prime => frame.open = Some((frame.set.clone(), ValueSet::default())),
                Shape::Parallel(parts) => return self.sum(parts),
                Shape::Series => {
                    let pieces = order.decomposition(&frame.set);
                    let values = option_values(&pieces, |prime| self.values_of_options(prime))?;
                    return Ok(values.mex());
                }
            }
        }
        let (rest, seen) = frame.open.as_mut().expect("a prime position");
        // From `start` upward, then what is below it.
        while let Some(x) = rest.first_from(self.start).or_else(|| rest.first()) {
            let option = frame.set.without(&order.up[x]);
            match self.known(&option) {
                Some(value) => seen.insert(value),
                None => return Err(option),
            }
            rest.remove(x);
        }
        Ok(seen.mex())
    }

    /// The ⊕ of the components, of which isomorphic ones cancel.
    fn sum(&mut self, mut parts: Vec<S>) -> Result<u32, S> {
        let mut sum = 0;
        while let Some(part) = parts.pop() {
            if part.len() >= WORTH_COMPARING
                && let Some(twin) = parts.iter().position(|other| isomorphic(&self.search.order, &part, other))
            {
                parts.swap_remove(twin);
                continue;
            }
            sum ^= self.known(&part).ok_or(part)?;
        }
        Ok(sum)
    }

    /// The values of all options of `set`, or an option whose value is missing.
    fn values_of_options(&mut self, set: &S) -> Result<ValueSet, S> {
        let mut values = ValueSet::default();
        for x in set.members() {
            let option = set.without(&self.search.order.up[x]);
            values.insert(self.known(&option).ok_or(option)?);
        }
        Ok(values)
    }

    /// Like `advance`, for outcomes: all known options are looked at before any other one is asked for.
    fn advance_outcome(&mut self, frame: &mut Frame<S>) -> Result<u32, S> {
        let order = &self.search.order;
        if frame.open.is_none() {
            // A greatest element: strategy stealing.
            if frame.set.members().last().is_some_and(|x| frame.set.is_subset(&order.down[x])) {
                return Ok(1);
            }
            if let Some(smaller) = self.search.canon.mirrored(&frame.set) {
                return self.known(&smaller).ok_or(smaller);
            }
            let mut rest = frame.set.clone();
            for x in frame.set.members() {
                match self.known(&frame.set.without(&order.up[x])) {
                    Some(0) => return Ok(1),
                    Some(_) => rest.remove(x),
                    None => {}
                }
            }
            frame.open = Some((rest, ValueSet::default()));
        }
        let (rest, _) = frame.open.as_mut().expect("opened just now");
        while let Some(x) = rest.first_from(self.start).or_else(|| rest.first()) {
            let option = frame.set.without(&order.up[x]);
            match self.known(&option) {
                Some(0) => return Ok(1),
                Some(_) => rest.remove(x),
                None => return Err(option),
            }
        }
        Ok(0)
    }
}
