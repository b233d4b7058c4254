//! The search for a strategy of misère play: heap by heap, a finite quotient where there is one, else counters.

use semilinear::run::{Monitor, Run, StopReason};

use crate::error::Error;
use crate::heap::HeapRules;
use crate::solve::quotient::{Builder, Counters, Dominance, Ranks};
use crate::solve::sequence::{Engine, Sequence};
use crate::strategy::{
    CountersStrategy, DominanceStrategy, FAR, MisereStrategy, Proved, QuotientStrategy, RanksStrategy, verdict,
};

/// What a search found, or what is known when it stops.
type Search<T> = Run<Proved<T>, Proved<T>>;

fn ended<T>(strategy: T, stopped: Option<StopReason>) -> Search<T> {
    // Quotients are proved by the builder's own checks, counters by the independent checker.
    let strategy = Proved::by_check(strategy);
    match stopped {
        None => Run::Finished(strategy),
        Some(why) => Run::Stopped(why, strategy),
    }
}

/// Looks for the quotient heap by heap, to the first heap at which it is proved for all heaps, or to `max_heap`
/// ([`FAR`](crate::strategy::FAR) when that is not given). A stopped run gives what is known: the quotient up to the heap
/// before.
pub fn quotient_strategy(rules: HeapRules, max_heap: Option<usize>, monitor: &dyn Monitor) -> Search<QuotientStrategy> {
    let mut builder = Builder::new();
    let mut step = || -> Result<Option<QuotientStrategy>, StopReason> {
        builder.extend_to(&rules, builder.heaps() + 1, monitor)?;
        QuotientStrategy::of_all_heaps(&rules, &builder, max_heap, monitor)
    };
    for _ in 0..max_heap.unwrap_or(FAR) {
        match step() {
            Ok(None) => {}
            Ok(Some(whole)) => return ended(whole, None),
            Err(why) => return ended(QuotientStrategy::from_builder(rules, &builder, None), Some(why)),
        }
    }
    ended(QuotientStrategy::from_builder(rules, &builder, None), None)
}

/// Looks for a strategy heap by heap, to the first heap at which a finite quotient is proved for all heaps, or to `max_heap`
/// ([`FAR`](crate::strategy::FAR) when that is not given). When the finite search goes on for ever along a few heaps, these
/// become counters; such a strategy is a guess that the independent checker must confirm. A stopped run gives what is known.
pub fn misere_strategy(rules: &HeapRules, max_heap: Option<usize>, monitor: &dyn Monitor) -> Search<MisereStrategy> {
    let (asked, max_heap) = (max_heap, max_heap.unwrap_or(FAR));
    let guessed = |counters: &Counters| CountersStrategy::guessed(rules.clone(), counters.clone());
    let accept = |counters: &Counters| match verdict(&guessed(counters).claim().envelope(), monitor) {
        Ok(_) => Ok(true),
        Err(Error::Stopped { why, .. }) => Err(why),
        Err(reason) => {
            monitor.trace(&|| format!("the guess is refused: {reason}"));
            Ok(false)
        }
    };
    let mut builder = Builder::new();
    let (mut whole, mut counted, mut stopped) = (None, None, None);
    while whole.is_none() && counted.is_none() && stopped.is_none() && builder.heaps() < max_heap {
        match builder.extend_or_count(rules, builder.heaps() + 1, &accept, monitor) {
            Ok(None) => match QuotientStrategy::of_all_heaps(rules, &builder, asked, monitor) {
                Ok(found) => whole = found,
                Err(why) => stopped = Some(why),
            },
            Ok(counters) => counted = counters,
            Err(why) => stopped = Some(why),
        }
    }
    let Some(mut counters) = counted else {
        let part = || QuotientStrategy::from_builder(rules.clone(), &builder, None);
        return ended(MisereStrategy::Quotient(whole.unwrap_or_else(part)), stopped);
    };
    // Larger heaps that are worth an element of the monoid, until their values show a period of all heaps.
    let mut found = guessed(&counters);
    while stopped.is_none() && found.claim().period().is_none() && counters.values.len() <= max_heap {
        match counters.extended(rules, &accept, monitor) {
            Ok(Some(more)) => {
                let heaps = counters.values.len() - 1;
                let infinite_to = counters.infinity.is_some().then_some(heaps).or(counters.infinite_to);
                counters = more;
                counters.infinite_to = infinite_to;
                found = guessed(&counters);
            }
            Ok(None) => {
                let limit = counters.values.len() as u64 - 1;
                stopped = Some(StopReason::Size { what: "heaps with these counters", limit });
            }
            Err(why) => stopped = Some(why),
        }
    }
    ended(MisereStrategy::Counters(found.into_claim()), stopped)
}

/// Quotients of so many heaps are looked at for weights.
const LOOKS: [usize; 5] = [24, 30, 36, 44, 52];

/// Looks for a strategy for all heaps by values and weights (`docs/theory/dominance.md`): guesses from the quotients of the first heaps that
/// the independent checker confirms. `None` when none of them is one.
pub fn dominance_strategy(
    rules: &HeapRules,
    monitor: &dyn Monitor,
) -> Result<Option<Proved<DominanceStrategy>>, StopReason> {
    if !ends(rules) {
        return Ok(None);
    }
    let mut builder = Builder::new();
    for heaps in LOOKS {
        builder.extend_to(rules, heaps, monitor)?;
        let mut sequence = Sequence::new(rules.clone(), Engine::Auto);
        sequence.extend(heaps + 1, monitor)?;
        for guess in Dominance::guesses(&builder.quotient(), &sequence.values()[..=heaps], monitor)? {
            let guess = DominanceStrategy::guessed(rules.clone(), guess);
            match guess.checked(DominanceStrategy::envelope, monitor) {
                Ok(strategy) => return Ok(Some(strategy)),
                Err(Error::Stopped { why, .. }) => return Err(why),
                Err(reason) => monitor.trace(&|| format!("the guess from {heaps} heaps is refused: {reason}")),
            }
        }
    }
    Ok(None)
}

/// Quotients of so many heaps are looked at for ranks.
const LONGER_LOOKS: [usize; 4] = [52, 66, 80, 100];

/// Looks for a strategy for all heaps by ranks (`docs/theory/ranks.md`): guesses from the quotients of the first heaps that the independent
/// checker confirms. `None` when none of them is one.
pub fn ranks_strategy(rules: &HeapRules, monitor: &dyn Monitor) -> Result<Option<Proved<RanksStrategy>>, StopReason> {
    if !ends(rules) {
        return Ok(None);
    }
    let mut builder = Builder::new();
    for heaps in LONGER_LOOKS {
        builder.extend_to(rules, heaps, monitor)?;
        let Some(guess) = Ranks::guess(&builder.quotient(), monitor)? else { continue };
        match RanksStrategy::guessed(rules.clone(), guess).checked(RanksStrategy::envelope, monitor) {
            Ok(strategy) => return Ok(Some(strategy)),
            Err(Error::Stopped { why, .. }) => return Err(why),
            Err(reason) => monitor.trace(&|| format!("the guess from {heaps} heaps is refused: {reason}")),
        }
    }
    Ok(None)
}

/// Whether a game has a code that ends, and leaves two heaps at most.
fn ends(rules: &HeapRules) -> bool {
    rules.code().is_some_and(|code| code.repeat() == 0 && code.most_heaps() == 2)
}
