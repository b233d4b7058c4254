//! Normal play by Grundy sequences: values, periods, and Grundy values of positions.

use std::time::Duration;

use num_bigint::BigUint;
use num_traits::ToPrimitive as _;
use semilinear::run::StopReason;
use serde_json::{Map, Value};

use super::{HeapGame, of_small, options, small};
use crate::error::{Error, Result};
use crate::game::Ask;
use crate::game::ask::Method;
use crate::game::kind::{Found, Moves};
use crate::game::position::Position;
use crate::game::report::{PeriodReport, SolveReport, ValuesReport};
use crate::game::strategy::Strategy;
use crate::outcome::Play;
use crate::solve::sequence::{
    Engine, Passed, Passing, Period, Sequence, Theorem, checkpoint, passing_checkpoint, restore, restore_passing,
};
use crate::strategy::nim_sequence::NimSequence;
use crate::strategy::{LongPeriod, Proved, Standing};

/// No more values than this are listed.
const MOST_LISTED: u64 = 10_000_000;
/// The way to a single heap is no longer than this.
const MOST_COMPUTED: u64 = 100_000_000;
/// How far to look by default where only the scan helps.
const SCANNED: usize = 200_001;
/// What is known is kept when this time has passed since the last time, and at the end.
const KEEP_EVERY: Duration = Duration::from_secs(20);
/// No more values than this are kept while a period is only looked for, where the engine can do without them.
const MOST_KEPT: usize = 1 << 22;
/// Heaps computed between two looks at the clock.
const STRIDE: usize = 1 << 16;

/// A place where a sequence is kept between runs, such as a file.
pub trait Keep {
    /// What was kept before, if anything was.
    fn restore(&mut self) -> Result<Option<Vec<u8>>>;

    /// Keeps this instead.
    fn keep(&mut self, content: &[u8]) -> Result<()>;

    /// The place, for messages.
    fn place(&self) -> String;
}

/// A sequence, and the place where it is kept.
struct Kept<'a> {
    sequence: Sequence,
    keep: Option<&'a mut dyn Keep>,
    written: Option<Duration>,
    /// How many values the place holds.
    held: usize,
    /// What the place says of values that pass.
    passing: Option<Passing>,
}

impl<'a> Kept<'a> {
    /// Begins a sequence, or goes on with the one that was kept. What is no checkpoint of this game is refused before anything
    /// is computed, and never overwritten.
    fn open(game: &HeapGame, mut keep: Option<&'a mut dyn Keep>, ask: &Ask) -> Result<Self> {
        let begun = match &mut keep {
            Some(keep) => keep.restore()?.map(|bytes| (bytes, keep.place())),
            None => None,
        };
        let mut passing = None;
        let mut sequence = Sequence::new(game.rules.clone(), ask.engine);
        if let Some((bytes, place)) = &begun {
            let at_place = |error| Error::Input(format!("{place}: {error}"));
            passing = restore_passing(&game.rules, bytes).map_err(at_place)?;
            if passing.is_none() {
                let values = restore(&game.rules, bytes).map_err(at_place)?;
                sequence = Sequence::resume(game.rules.clone(), ask.engine, values);
            }
        }
        let held = sequence.len();
        let mut kept = Self { sequence, keep, written: ask.monitor.elapsed(), held, passing };
        if begun.is_none() {
            // A place that cannot be written to is found now, not after hours of work.
            kept.write(ask)?;
        }
        Ok(kept)
    }

    fn write(&mut self, ask: &Ask) -> Result<()> {
        if let Some(keep) = &mut self.keep {
            keep.keep(&checkpoint(self.sequence.rules(), self.sequence.values()))?;
        }
        self.written = ask.monitor.elapsed();
        self.held = self.sequence.len();
        Ok(())
    }

    /// Looks for a proved period up to the heap asked for, or as far as a few seconds of work reach.
    fn find(&mut self, ask: &Ask) -> Result<Option<StopReason>> {
        let far = ask.to.map_or_else(|| self.sequence.default_length(), length);
        let near = if ask.to.is_none() { far.min(SCANNED) } else { far };
        let stopped = self.run(near, true, true, ask)?;
        if stopped.is_some() || self.sequence.engine() == "scan" { Ok(stopped) } else { self.run(far, true, true, ask) }
    }

    /// As [`Kept::find`], but in constant memory beyond [`MOST_KEPT`] heaps where that can be done. What is kept then are states.
    fn find_or_pass(&mut self, ask: &Ask) -> Result<(Option<StopReason>, Option<Passed>)> {
        let far = ask.to.map_or(0, length);
        let engine = ask.engine == Engine::Auto;
        if !engine || far <= MOST_KEPT && self.passing.is_none() || self.held > MOST_KEPT {
            return Ok((self.find(ask)?, None));
        }
        let begun = self.passing.take();
        let stopped = self.run(MOST_KEPT, begun.is_none(), begun.is_none(), ask)?;
        if stopped.is_some() || self.sequence.proof().is_some() {
            return Ok((stopped, None));
        }
        let rules = self.sequence.rules().clone();
        let (keep, written) = (&mut self.keep, &mut self.written);
        let mut failed = None;
        let mut keeping = |passing: &dyn Fn() -> Passing, last: bool| {
            let Some(keep) = keep else { return };
            let (now, then) = (ask.monitor.elapsed(), *written);
            let due = now.zip(then).is_some_and(|(now, then)| now.saturating_sub(then) > KEEP_EVERY);
            if (due || last) && failed.is_none() {
                failed = keep.keep(&passing_checkpoint(&rules, &passing())).err();
                *written = now;
            }
        };
        let passed = self.sequence.pass(far, begun.as_ref(), &mut keeping, ask.monitor);
        if let Some(error) = failed {
            return Err(error);
        }
        match passed {
            Some(passed) if passed.asks_for_values() => Ok((self.run(far, true, begun.is_none(), ask)?, None)),
            Some(passed) => Ok((passed.stopped.clone(), Some(passed))),
            None if begun.is_some() => Err(Error::input("the checkpoint does not fit this engine; choose a new file")),
            None => Ok((self.run(far, true, true, ask)?, None)),
        }
    }

    /// Computes values until `len` are known or, with `stop_at_proof`, until a period is proved; they are kept in the place if there is one and `keep`.
    fn run(&mut self, len: usize, stop_at_proof: bool, keep: bool, ask: &Ask) -> Result<Option<StopReason>> {
        let mut stopped = None;
        // A look at all values for a period costs as much as many new ones: it comes after a quarter more.
        let mut look = 0;
        while stopped.is_none() && self.sequence.len() < len && !(stop_at_proof && self.sequence.proof().is_some()) {
            let known = self.sequence.len();
            let next = len.min(known + STRIDE);
            let result = if stop_at_proof && (next >= look || next == len) {
                look = next + next / 4;
                self.sequence.search(next, ask.monitor)
            } else {
                self.sequence.extend(next, ask.monitor)
            };
            stopped = result.err();
            if let (Some(now), Some(then)) = (ask.monitor.elapsed(), self.written)
                && now.saturating_sub(then) > KEEP_EVERY
                && keep
            {
                self.write(ask)?;
            }
        }
        if keep && self.sequence.len() > self.held {
            self.write(ask)?;
        }
        Ok(stopped)
    }

    /// The proved strategy. What follows from kept values is proved only when the independent checker agrees.
    fn strategy(&self, passed: Option<&Passed>, ask: &Ask) -> Result<Option<Strategy>> {
        if let Some(passed) = passed {
            return match (LongPeriod::new(&self.sequence, passed), LongPeriod::claimed(&self.sequence, passed)) {
                (Some(proved), _) => Ok(Some(Strategy::long_period(proved))),
                (None, Some(claimed)) => {
                    claimed.checked(LongPeriod::to_envelope, ask.monitor).map(|long| Some(Strategy::long_period(long)))
                }
                (None, None) => Ok(None),
            };
        }
        if !self.sequence.is_resumed() {
            return Ok(NimSequence::new(&self.sequence).map(Strategy::nim_sequence));
        }
        match NimSequence::claimed(&self.sequence) {
            None => Ok(None),
            Some(claimed) => claimed
                .checked(NimSequence::to_envelope, ask.monitor)
                .map(|solved| Some(Strategy::nim_sequence(solved))),
        }
    }

    /// The period that is proved, or seems to be: from what passed, or from the values.
    fn seen(&self, passed: Option<&Passed>) -> (Option<Period>, Option<Theorem>) {
        let proof = match passed {
            Some(passed) => passed.proof,
            // What the first values look like says little of all that passed.
            None => self.sequence.proof(),
        };
        let seen = proof.map(|proof| proof.period);
        (
            seen.or_else(|| if passed.is_some() { None } else { self.sequence.observed() }),
            proof.map(|proof| proof.theorem),
        )
    }
}

fn length(to: u64) -> usize {
    usize::try_from(to.saturating_add(1)).unwrap_or(usize::MAX)
}

/// The Grundy values of heaps 0..=to.
pub(crate) fn values(
    game: &HeapGame,
    to: u64,
    all_computed: bool,
    keep: Option<&mut dyn Keep>,
    ask: &Ask,
) -> Result<ValuesReport> {
    if to > MOST_LISTED {
        return Err(Error::Input(format!(
            "--to {to}: at most {MOST_LISTED} values are listed; `impartial period` finds the rule behind them, \
             `impartial grundy` answers for a single large heap"
        )));
    }
    let len = length(to);
    let mut kept = Kept::open(game, keep, ask)?;
    let stopped = kept.run(len, !all_computed, true, ask)?;
    let mut sequence = kept.sequence;
    if stopped.is_none() && !all_computed {
        sequence.fill(len);
    }
    let known = sequence.narrow().iter().take(len).collect();
    let report = ValuesReport { game: game.name.clone(), play: Play::Normal, from: 0, values: known };
    match stopped {
        Some(why) => Err(Error::stopped_knowing(why, &report)),
        None => Ok(report),
    }
}

/// How the sequence repeats, and the strategy that proves it.
pub(crate) fn period(
    game: &HeapGame,
    keep: Option<&mut dyn Keep>,
    ask: &Ask,
) -> Result<(PeriodReport, Option<Strategy>)> {
    let mut kept = Kept::open(game, keep, ask)?;
    let (mut stopped, passed) = kept.find_or_pass(ask)?;
    let strategy = match kept.strategy(passed.as_ref(), ask) {
        Ok(strategy) => strategy,
        Err(Error::Stopped { why, .. }) => {
            stopped = stopped.or(Some(why));
            None
        }
        Err(error) => return Err(error),
    };
    let sequence = &kept.sequence;
    let (seen, theorem) = kept.seen(passed.as_ref());
    let (heaps, largest) = match &passed {
        Some(passed) => (passed.heaps, passed.largest()),
        None => (sequence.len(), sequence.narrow().largest().unwrap_or(0)),
    };
    let report = PeriodReport {
        game: game.name.clone(),
        play: Play::Normal,
        proved: strategy.as_ref().map_or(Standing::CLAIMED, |strategy| strategy.standing()),
        preperiod: seen.map(|seen| seen.preperiod),
        period: seen.map(|seen| seen.period),
        saltus: seen.map(|seen| seen.saltus),
        checked_to: heaps.saturating_sub(1),
        max_value: largest,
        theorem: strategy.as_ref().and(theorem).map(Theorem::name),
    };
    match stopped {
        Some(why) => Err(Error::stopped_knowing(why, &report)),
        None => Ok((report, strategy)),
    }
}

/// The proved period as a strategy for heaps of every size.
pub(super) fn solve(game: &HeapGame, ask: &Ask) -> Result<Strategy> {
    ask.method_among(&[Method::NimSequence], "heap games in normal play")?;
    let mut kept = Kept::open(game, None, ask)?;
    let (stopped, passed) = kept.find_or_pass(ask)?;
    if let Some(solved) = kept.strategy(passed.as_ref(), ask)? {
        return Ok(solved);
    }
    let known = passed.map_or(kept.sequence.len(), |passed| passed.heaps);
    let why = stopped.unwrap_or(StopReason::Size { what: "heaps without a proof", limit: known as u64 });
    let report = SolveReport {
        game: game.name.as_str().into(),
        play: Play::Normal,
        form: None,
        proved: Standing::CLAIMED,
        size: Map::from_iter([("checked_to".to_owned(), Value::from(known.saturating_sub(1)))]),
        seconds: ask.seconds(),
        text: format!("no proof from {known} values; try --to with a larger heap"),
    };
    Err(Error::stopped_knowing(why, &report))
}

/// What answers for a position: the period where it is proved, else the values up to the largest heap.
enum Known {
    Every(Proved<NimSequence>),
    UpTo(Box<Sequence>, Vec<u64>),
}

impl Known {
    fn found<T>(&self, value: T) -> Found<T> {
        match self {
            Self::Every(solved) => Found { value, method: "nim-sequence".into(), proved: Some(Standing::of(solved)) },
            Self::UpTo(..) => Found::by(value, "sequence"),
        }
    }
}

fn known(game: &HeapGame, heaps: &[BigUint], ask: &Ask) -> Result<Known> {
    let mut sequence = Sequence::new(game.rules.clone(), ask.engine);
    let largest = heaps.iter().max().and_then(BigUint::to_u64).unwrap_or(if heaps.is_empty() { 0 } else { u64::MAX });
    let len = length(largest);
    // A proof that lies near saves the way to a large heap.
    sequence.search(len.min(sequence.default_length()), ask.monitor)?;
    if sequence.proof().is_none() && sequence.len() < len {
        if largest > MOST_COMPUTED {
            let limit = sequence.len() as u64;
            return Err(StopReason::Size { what: "heaps without a proof", limit }.into());
        }
        sequence.search(len, ask.monitor)?;
    }
    match NimSequence::new(&sequence) {
        Some(solved) => Ok(Known::Every(solved)),
        None => Ok(Known::UpTo(Box::new(sequence), small(heaps)?)),
    }
}

/// The Grundy value of a sum of heaps.
pub(super) fn grundy(game: &HeapGame, heaps: &[BigUint], ask: &Ask) -> Result<Found<BigUint>> {
    let known = known(game, heaps, ask)?;
    let value = match &known {
        Known::Every(solved) => solved.grundy(heaps),
        Known::UpTo(sequence, heaps) => nim_sum(sequence, heaps).into(),
    };
    Ok(known.found(value))
}

fn nim_sum(sequence: &Sequence, heaps: &[u64]) -> u64 {
    heaps.iter().fold(0, |sum, &heap| sum ^ sequence.value(heap).unwrap_or(0))
}

/// Winning moves in normal play.
pub(super) fn winning_moves(game: &HeapGame, heaps: &[BigUint], ask: &Ask) -> Result<Found<Moves>> {
    let known = known(game, heaps, ask)?;
    let moves = match &known {
        Known::Every(solved) => {
            let moves = solved.winning_moves(heaps);
            Moves { positions: moves.positions.into_iter().map(Position::of_heaps).collect(), complete: moves.complete }
        }
        Known::UpTo(sequence, heaps) => {
            let mut moves = options(&game.rules, heaps)?;
            moves.retain(|option| nim_sum(sequence, option) == 0);
            Moves::all(moves.iter().map(|option| of_small(option)).collect())
        }
    };
    Ok(known.found(moves))
}

/// The values of heaps up to the largest of these.
#[allow(clippy::type_complexity)]
pub(super) fn values_of<'a>(
    game: &'a HeapGame,
    heaps: &[BigUint],
    ask: &Ask,
) -> Result<Box<dyn Fn(&BigUint) -> BigUint + 'a>> {
    if game.is_nim() {
        return Ok(Box::new(Clone::clone));
    }
    let known = known(game, heaps, ask)?;
    Ok(Box::new(move |heap| match &known {
        Known::Every(solved) => solved.value(heap),
        Known::UpTo(sequence, _) => heap.to_u64().and_then(|heap| sequence.value(heap)).unwrap_or(0).into(),
    }))
}

/// Every option of a sum of heaps with its Grundy value.
pub(super) fn option_values(game: &HeapGame, heaps: &[BigUint], ask: &Ask) -> Result<Vec<(Position, BigUint)>> {
    let known = known(game, heaps, ask)?;
    let value = |heap: u64| match &known {
        Known::Every(solved) => solved.value(&heap.into()),
        Known::UpTo(sequence, _) => sequence.value(heap).unwrap_or(0).into(),
    };
    let sum = |option: &[u64]| option.iter().fold(BigUint::ZERO, |sum, &heap| sum ^ value(heap));
    let options = options(&game.rules, &small(heaps)?)?;
    Ok(options.iter().map(|option| (of_small(option), sum(option))).collect())
}
