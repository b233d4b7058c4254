//! Misère play: quotients, congruence, outcomes.

use std::time::Duration;

use impartial::heap::{HeapRules, heaps_to_text};
use impartial::outcome::{Outcome, Play};
use impartial::render::word_position;
use impartial::solve::search::Search;
use impartial::strategy::{Envelope, FAR, MisereStrategy, QuotientStrategy};
use impartial_check::{Verdict, check};
use num_bigint::BigUint;
use num_traits::ToPrimitive as _;
use semilinear::run::{Monitor, Run, StopReason};
use serde_json::json;

use super::{HeapFamily, position, search, sequence};
use crate::context::Context;
use crate::forms::counters;
use crate::forms::quotient::describe;
use crate::report::{Answer, Failure, Report, bad_input};
use crate::{args, files};

/// Without `--time-limit` the search for a quotient takes no longer: it may be infinite.
const PATIENCE: Duration = Duration::from_secs(60);
/// A single question is answered by a strategy when that is found within this time.
const QUICK: Duration = Duration::from_secs(3);

/// A search that needs more components than this leaves the question to the quotient.
const FEW: u64 = 30_000;
/// A search that needs more components than this leaves the question to a longer search for a strategy.
const MANY: u64 = 2_000_000;

fn max_heap(asked: Option<u64>) -> Result<Option<usize>, Failure> {
    match asked {
        None => Ok(None),
        Some(0) => Err(bad_input("--max-heap 0: there is no heap; give 1 or more")),
        Some(n) => Ok(Some(usize::try_from(n).unwrap_or(usize::MAX).min(1 << 24))),
    }
}

/// `solve --play misere`.
pub fn solve(game: &HeapFamily, cx: &Context, args: &args::SolveArgs) -> Answer {
    if let Some(method) = args.method.as_deref().filter(|&m| m != "quotient") {
        return Err(bad_input(format!("--method {method} is not known for misère heap games; it is quotient")));
    }
    let heap = max_heap(args.max_heap.or(args.to))?;
    let mut report = found(game, cx, heap, args.output.as_deref(), false)?;
    report.json.insert("seconds".into(), json!(cx.seconds()));
    Ok(report)
}

/// `quotient`.
pub fn quotient(game: &HeapFamily, cx: &Context, args: &args::QuotientArgs) -> Answer {
    found(game, cx, max_heap(args.max_heap)?, args.output.as_deref(), true)
}

/// The search for a strategy; guesses with counters are proved by the independent checker.
pub fn searched(rules: &HeapRules, heap: Option<usize>, monitor: &dyn Monitor) -> Run<MisereStrategy, MisereStrategy> {
    let accept = |file: &Envelope| {
        let stopped = std::cell::RefCell::new(None);
        let verdict = check(&file.to_text(), &|| match monitor.check(0, None) {
            Ok(()) => true,
            Err(why) => {
                stopped.replace(Some(why));
                false
            }
        });
        match (verdict, stopped.into_inner()) {
            (_, Some(why)) => Err(why),
            (Verdict::Valid { .. }, None) => Ok(true),
            (Verdict::Refused { reason }, None) => {
                monitor.trace(&|| format!("the guess is refused: {reason}"));
                Ok(false)
            }
            (Verdict::Stopped, None) => Ok(false),
        }
    };
    MisereStrategy::search(rules, heap, &accept, monitor)
}

/// Searches, describes what was found, and writes the strategy file.
fn found(game: &HeapFamily, cx: &Context, heap: Option<usize>, output: Option<&str>, relations: bool) -> Answer {
    let (strategy, why) = match searched(&game.rules, heap, &cx.patience(PATIENCE)) {
        Run::Finished(strategy) => {
            // All heaps were asked for: a quotient of some of them is not the answer.
            let whole = match &strategy {
                MisereStrategy::Quotient(strategy) => strategy.period().is_some(),
                MisereStrategy::Counters(_) => false,
            };
            let why = StopReason::Size { what: "heaps", limit: FAR as u64 };
            (strategy, (heap.is_none() && !whole).then_some(why))
        }
        Run::Stopped(why, strategy) => (strategy, Some(why)),
    };
    let mut report = match &strategy {
        MisereStrategy::Quotient(strategy) => describe(&game.name, strategy),
        MisereStrategy::Counters(strategy) => counters::describe(cx, &game.name, strategy, relations)?,
    };
    if let Some(path) = output {
        let file = match &strategy {
            MisereStrategy::Quotient(strategy) => strategy.envelope(),
            MisereStrategy::Counters(strategy) => strategy.envelope(),
        };
        files::write(path, file.to_text().as_bytes())?;
        report.json.insert("file".into(), json!(path));
    }
    Ok(match why {
        None => report,
        Some(why) => report.stopped(why),
    })
}

/// `congruent`.
pub fn congruent(game: &HeapFamily, cx: &Context, args: &args::CongruentArgs) -> Answer {
    let (p, q) = (position::read(&args.p)?, position::read(&args.q)?);
    if cx.play(game.play) == Play::Normal {
        // In normal play two sums are congruent exactly when their Grundy values are equal; else p tells them
        // apart, since p + p is a P-position.
        let (a, method) = sequence::grundy(game, cx, &p)?;
        let (b, _) = sequence::grundy(game, cx, &q)?;
        let witness = (a != b).then(|| heaps_to_text(&p));
        return Ok(congruence(&args.game, witness.as_deref(), json!({"method": method}), "Grundy values"));
    }
    let largest = p.iter().chain(&q).max().and_then(BigUint::to_usize).unwrap_or(FAR);
    let heap = match args.max_heap {
        Some(_) => max_heap(args.max_heap)?,
        None if largest <= FAR => None,
        None => Some(largest),
    };
    let strategy = match searched(&game.rules, heap, &cx.patience(PATIENCE)) {
        Run::Finished(MisereStrategy::Counters(strategy)) => return counters::congruent(&strategy, args),
        Run::Stopped(_, MisereStrategy::Counters(strategy))
            if strategy.value(&p).is_ok() && strategy.value(&q).is_ok() =>
        {
            return counters::congruent(&strategy, args);
        }
        Run::Finished(MisereStrategy::Quotient(strategy)) => strategy,
        Run::Stopped(why, MisereStrategy::Quotient(strategy))
            if args.max_heap.is_none() && strategy.quotient().heaps() >= largest =>
        {
            // What is known is enough to tell sums of these heaps apart, though not to call them congruent for good.
            let witness = strategy.distinguishing(&p, &q).map_err(bad_input)?;
            return match witness {
                Some(word) => Ok(congruence(
                    &args.game,
                    Some(&word_position(&word)),
                    json!({"method": "quotient"}),
                    "the quotient",
                )),
                None => Err(Failure::Stopped(why)),
            };
        }
        Run::Stopped(why, _) => return Err(Failure::Stopped(why)),
    };
    let witness = strategy.distinguishing(&p, &q).map_err(bad_input)?.map(|word| word_position(&word));
    let reach = if strategy.period().is_some() { None } else { Some(strategy.quotient().heaps()) };
    let more = json!({"method": "quotient", "max_heap": reach});
    let among = reach.map_or("all heaps".to_owned(), |n| format!("heaps up to {n}"));
    Ok(congruence(&args.game, witness.as_deref(), more, &format!("the quotient of {among}")))
}

/// The report of a congruence, with what tells the positions apart when they are not congruent.
pub fn congruence(game: &str, witness: Option<&str>, more: serde_json::Value, by: &str) -> Report {
    let text = match witness {
        None => format!("congruent (by {by})"),
        Some(r) => format!("not congruent: adding {r} gives different outcomes"),
    };
    let mut json = json!({"game": game, "congruent": witness.is_none(), "witness": witness});
    if let (Some(json), serde_json::Value::Object(more)) = (json.as_object_mut(), more) {
        json.extend(more);
    }
    Report::new(json, text).no_if(witness.is_some())
}

/// A strategy that is found quickly and reaches these heaps.
fn quick(game: &HeapFamily, cx: &Context, heaps: &[BigUint]) -> Option<MisereStrategy> {
    let largest = heaps.iter().max().and_then(BigUint::to_usize).filter(|&h| h <= FAR);
    let strategy = match searched(&game.rules, largest, &cx.patience(QUICK).at_most(QUICK)) {
        Run::Finished(strategy) | Run::Stopped(_, strategy) => strategy,
    };
    let reaches = match &strategy {
        MisereStrategy::Quotient(strategy) => strategy.value(heaps).is_ok(),
        MisereStrategy::Counters(strategy) => strategy.value(heaps).is_ok(),
    };
    reaches.then_some(strategy)
}

/// A strategy that takes longer to find, for sums that a moderate search cannot answer.
fn patient(game: &HeapFamily, cx: &Context, heaps: &[BigUint]) -> Option<MisereStrategy> {
    let small = small_sum(heaps)?;
    if Search::new(&game.rules, cx).with_limit(MANY).outcome(Play::Misere, &small).is_ok() {
        return None;
    }
    let largest = usize::try_from(*small.iter().max()?).ok()?;
    match searched(&game.rules, Some(largest), &cx.patience(PATIENCE)) {
        Run::Finished(strategy) => Some(strategy),
        Run::Stopped(..) => None,
    }
}

/// The heaps, when the search may be quicker than the quotient.
fn small_sum(heaps: &[BigUint]) -> Option<Vec<u64>> {
    heaps.iter().map(|heap| heap.to_u64().filter(|&heap| heap <= 2_000)).collect()
}

/// The outcome of a sum of heaps (sorted, none empty) in misère play, and the method used.
pub fn outcome(game: &HeapFamily, cx: &Context, heaps: &[BigUint]) -> Result<(Outcome, String), Failure> {
    // Small or tame sums need no quotient.
    if let Some(outcome) = small_sum(heaps)
        .and_then(|heaps| Search::new(&game.rules, cx).with_limit(FEW).outcome(Play::Misere, &heaps).ok())
    {
        return Ok((outcome, "search".into()));
    }
    match quick(game, cx, heaps).or_else(|| patient(game, cx, heaps)) {
        Some(MisereStrategy::Quotient(strategy)) => {
            Ok((strategy.outcome(heaps).map_err(bad_input)?, "quotient".into()))
        }
        Some(MisereStrategy::Counters(strategy)) => {
            Ok((strategy.outcome(heaps).map_err(bad_input)?, "counters".into()))
        }
        None => search::outcome(game, cx, heaps),
    }
}

/// Winning moves in misère play, as resulting positions, whether these are all, and the method used.
pub fn winning_moves(
    game: &HeapFamily,
    cx: &Context,
    heaps: &[BigUint],
) -> Result<(Vec<String>, bool, String), Failure> {
    if let Some(moves) = small_sum(heaps)
        .and_then(|heaps| Search::new(&game.rules, cx).with_limit(FEW).winning_moves(Play::Misere, &heaps).ok())
    {
        return Ok((moves.iter().map(|heaps| heaps_to_text(heaps)).collect(), true, "search".into()));
    }
    match quick(game, cx, heaps).or_else(|| patient(game, cx, heaps)) {
        Some(MisereStrategy::Quotient(strategy)) => {
            let (moves, complete) = moves_by(&strategy, heaps)?;
            Ok((moves, complete, "quotient".into()))
        }
        Some(MisereStrategy::Counters(strategy)) => {
            let moves = options_of(&game.rules, heaps, &|option| strategy.outcome(option).map_err(bad_input))?;
            Ok((moves, true, "counters".into()))
        }
        None => search::winning_moves(game, cx, heaps).map(|(moves, method)| (moves, true, method)),
    }
}

/// The winning moves that a quotient strategy sees, and whether these are all.
pub fn moves_by(strategy: &QuotientStrategy, heaps: &[BigUint]) -> Result<(Vec<String>, bool), Failure> {
    if let Ok(moves) = options_of(strategy.rules(), heaps, &|option| strategy.outcome(option).map_err(bad_input)) {
        return Ok((moves, true));
    }
    let moves = strategy.winning_moves(heaps).map_err(bad_input)?;
    Ok((moves.positions.iter().map(|heaps| heaps_to_text(heaps)).collect(), moves.complete))
}

/// The options of a sum that are P-positions.
pub fn options_of(
    rules: &HeapRules,
    heaps: &[BigUint],
    outcome: &dyn Fn(&[BigUint]) -> Result<Outcome, Failure>,
) -> Result<Vec<String>, Failure> {
    let mut moves = Vec::new();
    for option in position::options(rules, &position::small(heaps)?)? {
        let big: Vec<BigUint> = option.iter().map(|&h| h.into()).collect();
        if outcome(&big)?.is_p() {
            moves.push(heaps_to_text(&option));
        }
    }
    Ok(moves)
}
