//! Misère play: quotients, congruence, outcomes.

use std::time::Duration;

use num_bigint::BigUint;
use num_traits::ToPrimitive as _;
use semilinear::run::{Run, StopReason, Within};
use semilinear::vectorset::Effort;

use super::search::{dominance_strategy, misere_strategy, ranks_strategy};
use super::{HeapGame, of_small, sequence, winning_options};
use crate::error::{Error, Result};
use crate::game::Ask;
use crate::game::ask::Method;
use crate::game::kind::{Found, Moves};
use crate::game::position::Position;
use crate::game::report::{CongruenceReport, QuotientReport};
use crate::game::strategy::{Quotient, Strategy};
use crate::heap::HeapRules;
use crate::outcome::{Outcome, Play};
use crate::render::word_position;
use crate::solve::presentation::{CountedOutcomes, Presentation, Rewriting, presentation};
use crate::solve::search::Search;
use crate::strategy::{
    CountersStrategy, DominanceStrategy, FAR, MOST_PAIRS, MisereStrategy, Proved, QuotientStrategy, RanksStrategy,
    Standing,
};

/// Without a time limit of the caller the search for a quotient takes no longer: it may be infinite.
const PATIENCE: Duration = Duration::from_secs(60);
/// A single question is answered by a strategy when that is found within this time.
const QUICK: Duration = Duration::from_secs(3);
/// A quotient of all heaps explains an outcome when it is found within this time.
const AT_ONCE: Duration = Duration::from_secs(1);
/// The relations of counters are looked for no longer than this.
const RELATIONS: Duration = Duration::from_secs(30);
/// Automata on the way to relations may have this many states.
const STATES: usize = 1 << 22;
/// Quotients reach these heaps in moments.
const SMALL: u32 = 24;
/// A search that needs more components than this leaves the question to the quotient.
const FEW: u64 = 30_000;
/// A search that needs more components than this leaves the question to a longer search for a strategy.
const MANY: u64 = 2_000_000;

fn bounded(asked: Option<u64>) -> Result<Option<usize>> {
    match asked {
        None => Ok(None),
        Some(0) => Err(Error::input("--max-heap 0: there is no heap; give 1 or more")),
        Some(n) => Ok(Some(usize::try_from(n).unwrap_or(usize::MAX).min(1 << 24))),
    }
}

/// What was found, and why the search stopped before all of what was asked for.
fn found(game: &HeapGame, heap: Option<usize>, ask: &Ask) -> (Proved<MisereStrategy>, Option<StopReason>) {
    match misere_strategy(&game.rules, heap, &ask.patience(PATIENCE)) {
        Run::Finished(strategy) => {
            // All heaps were asked for: a quotient of some of them is not the answer.
            let whole = match &*strategy {
                MisereStrategy::Quotient(strategy) => strategy.period().is_some(),
                MisereStrategy::Counters(strategy) => strategy.period().is_some(),
            };
            let why = StopReason::Size { what: "heaps", limit: FAR as u64 };
            (strategy, (heap.is_none() && !whole).then_some(why))
        }
        Run::Stopped(why, strategy) => (strategy, Some(why)),
    }
}

/// The strategy for misère play. A stop knows the quotient of the first heaps, and the strategy with it.
pub(super) fn solve(game: &HeapGame, ask: &Ask) -> Result<Strategy> {
    ask.method_among(&[Method::Quotient], "misère heap games")?;
    if ask.max_heap.or(ask.to).is_none()
        && let Some(strategy) = of_all_heaps(game, ask)?
    {
        return Ok(match strategy {
            AllHeaps::Dominance(strategy) => Strategy::dominance(strategy),
            AllHeaps::Ranks(strategy) => Strategy::ranks(strategy),
        });
    }
    found_quotient(game, bounded(ask.max_heap.or(ask.to))?, false, ask)?.into_strategy()
}

/// The quotient with its relations.
pub(crate) fn quotient(game: &HeapGame, ask: &Ask) -> Result<Quotient> {
    found_quotient(game, bounded(ask.max_heap)?, true, ask)
}

pub(crate) fn found_quotient(game: &HeapGame, heap: Option<usize>, relations: bool, ask: &Ask) -> Result<Quotient> {
    let (strategy, stopped) = found(game, heap, ask);
    let standing = Standing::of(&strategy);
    let report = match &*strategy {
        MisereStrategy::Quotient(strategy) => QuotientReport::of_quotient(&game.name, strategy, standing),
        MisereStrategy::Counters(strategy) => described(&game.name, strategy, relations, standing, ask)?,
    };
    Ok(Quotient { report, strategy: Strategy::misere(strategy), stopped })
}

/// The report of a counter form; the relations, which take time, only when they are asked for.
pub(crate) fn described(
    name: &str,
    strategy: &CountersStrategy,
    relations: bool,
    standing: Standing,
    ask: &Ask,
) -> Result<QuotientReport> {
    let found = if relations { Some(presented(strategy, ask)?) } else { None };
    Ok(QuotientReport::of_counters(name, strategy, found.as_ref(), standing))
}

/// The presentation of the quotient, and the number of its elements that are P-positions when that is finite and known.
fn presented(strategy: &CountersStrategy, ask: &Ask) -> Result<(Presentation, Option<usize>)> {
    let monitor = Within::new(ask.monitor, RELATIONS);
    let effort = Effort::new(STATES, &monitor);
    let run = || -> Result<(Presentation, Option<usize>), StopReason> {
        let outcomes = CountedOutcomes::new(strategy.counters(), effort)?;
        let known = outcomes.known(&monitor)?;
        match presentation(&outcomes, known, &monitor) {
            Run::Finished(found) => {
                let portion = outcomes.p_portion(&found.relations.cones())?;
                Ok((found, portion))
            }
            Run::Stopped(StopReason::Interrupted, _) => Err(StopReason::Interrupted),
            Run::Stopped(why, found) => {
                ask.monitor.trace(&|| format!("the relations hold, but there may be more: {why}"));
                Ok((found, None))
            }
        }
    };
    match run() {
        Err(StopReason::Interrupted) => Err(StopReason::Interrupted.into()),
        Ok(found) => Ok(found),
        Err(why) => {
            ask.monitor.trace(&|| format!("no relations were found: {why}"));
            Ok((Presentation { relations: Rewriting::new(0), complete: false }, None))
        }
    }
}

/// Whether two sums are congruent.
pub(crate) fn congruent(
    game: &HeapGame,
    written: &str,
    p: &Position,
    q: &Position,
    ask: &Ask,
) -> Result<CongruenceReport> {
    let (p, q) = (p.need_heaps()?, q.need_heaps()?);
    if ask.play_of(game.play) == Play::Normal {
        let of = |heaps: &[BigUint]| Position::of_heaps(heaps.to_vec());
        let (a, b) = (sequence::grundy(game, p, ask)?, sequence::grundy(game, q, ask)?);
        return Ok(CongruenceReport::by_values(written, (&of(p), &a), (&of(q), &b)));
    }
    let largest = p.iter().chain(q).max().and_then(BigUint::to_usize).unwrap_or(FAR);
    let heap = match ask.max_heap {
        Some(_) => bounded(ask.max_heap)?,
        None if largest <= FAR => None,
        None => Some(largest),
    };
    let so_far = |congruent: bool, strategy: &MisereStrategy| CongruentSoFar {
        game: written.to_owned(),
        play: Play::Misere,
        p: Position::of_heaps(p.to_vec()),
        q: Position::of_heaps(q.to_vec()),
        congruent_up_to: congruent.then(|| reach(strategy)),
        quotient_up_to: reach(strategy),
    };
    match misere_strategy(&game.rules, heap, &ask.patience(PATIENCE)) {
        Run::Finished(strategy) => compared(written, &strategy, p, q, Standing::of(&strategy)),
        Run::Stopped(why, strategy) => match &*strategy {
            MisereStrategy::Counters(counters) if counters.value(p).is_ok() && counters.value(q).is_ok() => {
                compared(written, &strategy, p, q, Standing::of(&strategy))
            }
            MisereStrategy::Quotient(quotient) if ask.max_heap.is_none() && quotient.quotient().heaps() >= largest => {
                // What is known is enough to tell sums of these heaps apart, though not to call them congruent for good.
                let report = compared(written, &strategy, p, q, Standing::of(&strategy))?;
                if !report.congruent {
                    return Ok(report);
                }
                Err(Error::stopped_knowing(why, &so_far(true, &strategy)))
            }
            _ => Err(Error::stopped_knowing(why, &so_far(false, &strategy))),
        },
    }
}

/// What a stopped comparison knows.
#[derive(serde::Serialize)]
struct CongruentSoFar {
    game: String,
    play: Play,
    p: Position,
    q: Position,
    /// The two are congruent among sums of heaps up to this one.
    #[serde(skip_serializing_if = "Option::is_none")]
    congruent_up_to: Option<usize>,
    /// The quotient of the heaps up to this one is known.
    quotient_up_to: usize,
}

impl std::fmt::Display for CongruentSoFar {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.congruent_up_to {
            Some(heap) => write!(f, "congruent for sums of heaps up to {heap}; undecided beyond"),
            None => write!(f, "undecided: the quotient is known for heaps up to {} only", self.quotient_up_to),
        }
    }
}

/// What a stopped search for an outcome or for winning moves knows.
#[derive(serde::Serialize)]
struct UndecidedSoFar {
    game: String,
    play: Play,
    position: Position,
    /// The outcomes of all sums of heaps up to this one are known.
    quotient_up_to: usize,
}

impl UndecidedSoFar {
    fn new(game: &HeapGame, heaps: &[BigUint], quotient_up_to: usize) -> Self {
        let position = Position::of_heaps(heaps.to_vec());
        Self { game: game.name.clone(), play: Play::Misere, position, quotient_up_to }
    }
}

impl std::fmt::Display for UndecidedSoFar {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self { position, quotient_up_to, .. } = self;
        write!(f, "undecided: {position}")?;
        if *quotient_up_to > 0 {
            write!(f, "; the outcomes of all sums of heaps up to {quotient_up_to} are known")?;
        }
        Ok(())
    }
}

/// Whether two sums are congruent by a strategy for misère play.
pub(crate) fn compared(
    written: &str,
    strategy: &MisereStrategy,
    p: &[BigUint],
    q: &[BigUint],
    standing: Standing,
) -> Result<CongruenceReport> {
    let (witness, method, max_heap, by) = match strategy {
        MisereStrategy::Quotient(strategy) => {
            let witness = strategy.distinguishing(p, q)?.map(|word| word_position(&word));
            let reach = if strategy.period().is_some() { None } else { Some(strategy.quotient().heaps()) };
            let among = reach.map_or("all heaps".to_owned(), |n| format!("heaps up to {n}"));
            (witness, "quotient", reach, format!("the quotient of {among}"))
        }
        MisereStrategy::Counters(strategy) => {
            let Some(witness) = strategy.distinguishing(p, q)? else {
                return Err(StopReason::Size {
                    what: "pairs of states (the values differ, and nothing small tells the positions apart)",
                    limit: MOST_PAIRS as u64,
                }
                .into());
            };
            (witness.map(|word| word_position(&word)), "counters", strategy.reach(), "a monoid and counters".to_owned())
        }
    };
    Ok(CongruenceReport {
        game: written.to_owned(),
        play: Play::Misere,
        p: Position::of_heaps(p.to_vec()).to_string(),
        q: Position::of_heaps(q.to_vec()).to_string(),
        congruent: witness.is_none(),
        witness,
        method: method.into(),
        max_heap,
        proved: Some(standing),
        by: Some(by),
    })
}

/// Whether a strategy knows the value of a sum.
fn reaches(strategy: &MisereStrategy, heaps: &[BigUint]) -> bool {
    match strategy {
        MisereStrategy::Quotient(strategy) => strategy.value(heaps).is_ok(),
        MisereStrategy::Counters(strategy) => strategy.value(heaps).is_ok(),
    }
}

/// The heaps up to this one have a quotient in the strategy.
fn reach(strategy: &MisereStrategy) -> usize {
    match strategy {
        MisereStrategy::Quotient(strategy) => strategy.quotient().heaps(),
        MisereStrategy::Counters(strategy) => strategy.counters().values.len().saturating_sub(1),
    }
}

/// A strategy for heaps of every size of a game whose quotients grow without end.
enum AllHeaps {
    Dominance(Proved<DominanceStrategy>),
    Ranks(Proved<RanksStrategy>),
}

impl AllHeaps {
    fn found<T>(
        &self,
        by_weights: impl FnOnce(&DominanceStrategy) -> T,
        by_ranks: impl FnOnce(&RanksStrategy) -> T,
    ) -> Found<T> {
        let (value, method, standing) = match self {
            Self::Dominance(strategy) => (by_weights(strategy), "dominance", Standing::of(strategy)),
            Self::Ranks(strategy) => (by_ranks(strategy), "ranks", Standing::of(strategy)),
        };
        Found { value, method: method.into(), proved: Some(standing) }
    }
}

/// A strategy by weights or by ranks, when one is found quickly.
fn of_all_heaps(game: &HeapGame, ask: &Ask) -> Result<Option<AllHeaps>> {
    let monitor = Within::new(ask.monitor, QUICK);
    let search = || -> Result<Option<AllHeaps>, StopReason> {
        if let Some(strategy) = dominance_strategy(&game.rules, &monitor)? {
            return Ok(Some(AllHeaps::Dominance(strategy)));
        }
        Ok(ranks_strategy(&game.rules, &Within::new(ask.monitor, QUICK))?.map(AllHeaps::Ranks))
    };
    match search() {
        Ok(found) => Ok(found),
        // Only its own patience may have ended; the caller's limits stop the run.
        Err(_) => ask.monitor.check(0, None).map(|()| None).map_err(Into::into),
    }
}

/// The same for a question about heaps that quotients of few heaps do not reach.
fn beyond(game: &HeapGame, heaps: &[BigUint], ask: &Ask) -> Result<Option<AllHeaps>> {
    if heaps.iter().all(|heap| *heap <= BigUint::from(SMALL)) {
        return Ok(None);
    }
    of_all_heaps(game, ask).map_err(|error| match error {
        Error::Stopped { why, known: None } => Error::stopped_knowing(why, &UndecidedSoFar::new(game, heaps, 0)),
        other => other,
    })
}

/// A strategy that is found quickly and reaches these heaps; else how far it reaches.
fn quick(game: &HeapGame, heaps: &[BigUint], ask: &Ask) -> Result<Proved<MisereStrategy>, usize> {
    let largest = heaps.iter().max().and_then(BigUint::to_usize).filter(|&h| h <= FAR);
    let strategy = match misere_strategy(&game.rules, largest, &Within::new(ask.monitor, QUICK)) {
        Run::Finished(strategy) | Run::Stopped(_, strategy) => strategy,
    };
    if reaches(&strategy, heaps) { Ok(strategy) } else { Err(reach(&strategy)) }
}

/// A strategy to explain an outcome with: of all heaps where that is found at once, else of those up to the largest.
pub(super) fn explaining(game: &HeapGame, heaps: &[BigUint], ask: &Ask) -> Option<MisereStrategy> {
    if let Run::Finished(strategy) = misere_strategy(&game.rules, None, &Within::new(ask.monitor, AT_ONCE))
        && reaches(&strategy, heaps)
    {
        return Some((*strategy).clone());
    }
    quick(game, heaps, ask).ok().map(|strategy| (*strategy).clone())
}

/// A strategy that takes longer to find, for sums that a moderate search cannot answer; else how far it reaches.
fn patient(game: &HeapGame, heaps: &[BigUint], ask: &Ask) -> Result<Proved<MisereStrategy>, usize> {
    let small = small_sum(heaps);
    if small.as_ref().is_some_and(|small| {
        Search::new(&game.rules, ask.monitor).with_limit(MANY).outcome(Play::Misere, small).is_ok()
    }) {
        return Err(0);
    }
    // Large heaps are answered by a strategy for all heaps, or not at all.
    let largest = small.and_then(|small| small.into_iter().max()).and_then(|heap| usize::try_from(heap).ok());
    match misere_strategy(&game.rules, largest, &ask.patience(PATIENCE)) {
        Run::Finished(strategy) => Ok(strategy),
        Run::Stopped(_, strategy) => Err(reach(&strategy)),
    }
}

/// What answers for a sum: a strategy, or the search with what is to be said when it is stopped.
enum Answering {
    Strategy(Box<Proved<MisereStrategy>>),
    Search(Vec<u64>, UndecidedSoFar),
}

fn answering(game: &HeapGame, heaps: &[BigUint], ask: &Ask) -> Result<Answering> {
    let known = match quick(game, heaps, ask) {
        Ok(strategy) => return Ok(Answering::Strategy(Box::new(strategy))),
        Err(known) => match patient(game, heaps, ask) {
            Ok(strategy) => return Ok(Answering::Strategy(Box::new(strategy))),
            Err(more) => known.max(more),
        },
    };
    let so_far = UndecidedSoFar::new(game, heaps, known);
    Ok(Answering::Search(super::small(heaps)?, so_far))
}

/// The heaps, when the search may be quicker than the quotient.
fn small_sum(heaps: &[BigUint]) -> Option<Vec<u64>> {
    heaps.iter().map(|heap| heap.to_u64().filter(|&heap| heap <= 2_000)).collect()
}

/// The outcome of a sum of heaps in misère play.
pub(super) fn outcome(game: &HeapGame, heaps: &[BigUint], ask: &Ask) -> Result<Found<Outcome>> {
    // Small or tame sums need no quotient.
    if let Some(outcome) = small_sum(heaps)
        .and_then(|heaps| Search::new(&game.rules, ask.monitor).with_limit(FEW).outcome(Play::Misere, &heaps).ok())
    {
        return Ok(Found::by(outcome, "search"));
    }
    if let Some(strategy) = beyond(game, heaps, ask)? {
        return Ok(strategy.found(|by| by.outcome(heaps), |by| by.outcome(heaps)));
    }
    match answering(game, heaps, ask)? {
        Answering::Strategy(strategy) => {
            let (value, method) = by_strategy(&strategy, heaps)?;
            Ok(Found { value, method: method.into(), proved: Some(Standing::of(&strategy)) })
        }
        Answering::Search(heaps, so_far) => {
            let found = Search::new(&game.rules, ask.monitor).outcome(Play::Misere, &heaps);
            Ok(Found::by(found.map_err(|why| Error::stopped_knowing(why, &so_far))?, "search"))
        }
    }
}

fn by_strategy(strategy: &MisereStrategy, heaps: &[BigUint]) -> Result<(Outcome, &'static str)> {
    Ok(match strategy {
        MisereStrategy::Quotient(strategy) => (strategy.outcome(heaps)?, "quotient"),
        MisereStrategy::Counters(strategy) => (strategy.outcome(heaps)?, "counters"),
    })
}

/// Winning moves in misère play.
pub(super) fn winning_moves(game: &HeapGame, heaps: &[BigUint], ask: &Ask) -> Result<Found<Moves>> {
    let listed = |moves: Vec<Vec<u64>>| Moves::all(moves.iter().map(|heaps| of_small(heaps)).collect());
    if let Some(moves) = small_sum(heaps).and_then(|heaps| {
        Search::new(&game.rules, ask.monitor).with_limit(FEW).winning_moves(Play::Misere, &heaps).ok()
    }) {
        return Ok(Found::by(listed(moves), "search"));
    }
    if let Some(strategy) = beyond(game, heaps, ask)? {
        return Ok(strategy.found(|by| dominance_moves(by, heaps), |by| ranks_moves(by, heaps)));
    }
    match answering(game, heaps, ask)? {
        Answering::Strategy(strategy) => {
            let (value, method) = match &**strategy {
                MisereStrategy::Quotient(strategy) => (moves_by(strategy, heaps)?, "quotient"),
                MisereStrategy::Counters(strategy) => (counted_moves(strategy, heaps)?, "counters"),
            };
            Ok(Found { value, method: method.into(), proved: Some(Standing::of(&strategy)) })
        }
        Answering::Search(heaps, so_far) => {
            let found = Search::new(&game.rules, ask.monitor).winning_moves(Play::Misere, &heaps);
            Ok(Found::by(listed(found.map_err(|why| Error::stopped_knowing(why, &so_far))?), "search"))
        }
    }
}

/// The winning moves that a quotient sees, and whether these are all.
pub(crate) fn moves_by(strategy: &QuotientStrategy, heaps: &[BigUint]) -> Result<Moves> {
    if let Ok(moves) = winning_options(strategy.rules(), heaps, &|option| Ok(strategy.outcome(option)?)) {
        return Ok(Moves::all(moves));
    }
    Ok(of_classes(strategy.winning_moves(heaps)?))
}

/// The winning moves that counters see, and whether these are all.
pub(crate) fn counted_moves(strategy: &CountersStrategy, heaps: &[BigUint]) -> Result<Moves> {
    if let Ok(moves) = winning_options(strategy.rules(), heaps, &|option| Ok(strategy.outcome(option)?)) {
        return Ok(Moves::all(moves));
    }
    Ok(of_classes(strategy.winning_moves(heaps)?))
}

/// Winning moves that a strategy lists.
fn of_classes(moves: crate::strategy::Moves) -> Moves {
    Moves { positions: moves.positions.into_iter().map(Position::of_heaps).collect(), complete: moves.complete }
}

/// The winning moves that weights see, and whether these are all.
pub(crate) fn dominance_moves(strategy: &DominanceStrategy, heaps: &[BigUint]) -> Moves {
    all_heaps_moves(strategy.rules(), heaps, &|sum| strategy.outcome(sum), || strategy.winning_moves(heaps))
}

/// The winning moves that ranks see, and whether these are all.
pub(crate) fn ranks_moves(strategy: &RanksStrategy, heaps: &[BigUint]) -> Moves {
    all_heaps_moves(strategy.rules(), heaps, &|sum| strategy.outcome(sum), || strategy.winning_moves(heaps))
}

/// All winning moves when there are not too many moves, else those that a strategy lists.
fn all_heaps_moves(
    rules: &HeapRules,
    heaps: &[BigUint],
    outcome: &dyn Fn(&[BigUint]) -> Outcome,
    listed: impl FnOnce() -> crate::strategy::Moves,
) -> Moves {
    if let Ok(moves) = winning_options(rules, heaps, &|option| Ok(outcome(option))) {
        return Moves::all(moves);
    }
    if outcome(heaps).is_p() {
        return Moves::all(Vec::new());
    }
    of_classes(listed())
}
