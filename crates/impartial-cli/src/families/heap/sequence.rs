//! Normal play by Grundy sequences: `values`, `period`, `solve`, and Grundy values of positions.

use std::fmt::Write as _;
use std::time::{Duration, Instant};

use impartial::heap::heaps_to_text;
use impartial::solve::sequence::{Engine, Sequence, checkpoint, restore};
use impartial::strategy::nim_sequence::{self, NimSequence};
use num_bigint::BigUint;
use num_traits::ToPrimitive as _;
use semilinear::run::StopReason;
use serde_json::{Value, json};

use super::{HeapFamily, position};
use crate::args::{self, EngineArg};
use crate::context::Context;
use crate::files;
use crate::report::{Answer, Failure, Report, bad_input};

/// No more values than this are listed.
const MOST_LISTED: u64 = 10_000_000;
/// The way to a single heap is no longer than this.
const MOST_COMPUTED: u64 = 100_000_000;
/// How far to look by default where only the scan helps.
const SCANNED: usize = 200_001;
/// A checkpoint is written when this time has passed since the last one, and at the end.
const CHECKPOINT_EVERY: Duration = Duration::from_secs(20);
/// Heaps computed between two looks at the clock.
const STRIDE: usize = 1 << 16;

fn engine(arg: EngineArg) -> Engine {
    match arg {
        EngineArg::Auto => Engine::Auto,
        EngineArg::Plain => Engine::Plain,
        EngineArg::Scan => Engine::Scan,
        EngineArg::Sparse => Engine::Sparse,
    }
}

/// A sequence, and the file that it is kept in.
struct Kept<'a> {
    sequence: Sequence,
    path: Option<&'a str>,
    written: Instant,
    /// How many values the file holds.
    held: usize,
}

impl<'a> Kept<'a> {
    /// Begins a sequence, or goes on with the one in the file. A file that is no checkpoint of this game is
    /// refused before anything is computed, and never overwritten.
    fn open(game: &HeapFamily, arg: EngineArg, path: Option<&'a str>) -> Result<Self, Failure> {
        let begun = path.filter(|path| std::fs::symlink_metadata(path).is_ok());
        let sequence = match begun {
            None => Sequence::new(game.rules.clone(), engine(arg)),
            Some(path) => {
                let bytes =
                    std::fs::read(path).map_err(|error| bad_input(format!("{path}: {error}; check the path")))?;
                let values = restore(&game.rules, &bytes).map_err(|error| bad_input(format!("{path}: {error}")))?;
                Sequence::resume(game.rules.clone(), engine(arg), values)
            }
        };
        let held = sequence.values().len();
        let mut kept = Self { sequence, path, written: Instant::now(), held };
        if begun.is_none() {
            // A place that cannot be written to is found now, not after hours of work.
            kept.write()?;
        }
        Ok(kept)
    }

    fn write(&mut self) -> Result<(), Failure> {
        if let Some(path) = self.path {
            files::write(path, &checkpoint(self.sequence.rules(), self.sequence.values()))?;
        }
        self.written = Instant::now();
        self.held = self.sequence.values().len();
        Ok(())
    }

    /// Looks for a proved period up to heap `to`, or as far as a few seconds of work reach.
    fn find(&mut self, cx: &Context, to: Option<u64>) -> Result<Option<StopReason>, Failure> {
        let far = to.map_or_else(|| self.sequence.default_length(), length);
        let near = if to.is_none() { far.min(SCANNED) } else { far };
        let stopped = self.run(cx, near, true)?;
        if stopped.is_some() || self.sequence.engine() == "scan" { Ok(stopped) } else { self.run(cx, far, true) }
    }

    /// Computes values until `len` are known or, with `stop_at_proof`, until a period is proved.
    fn run(&mut self, cx: &Context, len: usize, stop_at_proof: bool) -> Result<Option<StopReason>, Failure> {
        let mut stopped = None;
        // A look at all values for a period costs as much as many new ones: it comes after a quarter more.
        let mut look = 0;
        while stopped.is_none()
            && self.sequence.values().len() < len
            && !(stop_at_proof && self.sequence.proof().is_some())
        {
            let known = self.sequence.values().len();
            let next = len.min(known + STRIDE);
            let result = if stop_at_proof && (next >= look || next == len) {
                look = next + next / 4;
                self.sequence.search(next, cx)
            } else {
                self.sequence.extend(next, cx)
            };
            stopped = result.err();
            if self.written.elapsed() > CHECKPOINT_EVERY {
                self.write()?;
            }
        }
        if self.sequence.values().len() > self.held {
            self.write()?;
        }
        Ok(stopped)
    }
}

fn length(to: u64) -> usize {
    usize::try_from(to.saturating_add(1)).unwrap_or(usize::MAX)
}

/// `values`.
pub fn values(game: &HeapFamily, cx: &Context, args: &args::ValuesArgs) -> Answer {
    if args.to > MOST_LISTED {
        return Err(bad_input(format!(
            "--to {}: at most {MOST_LISTED} values are listed; `impartial period` finds the rule behind them, \
             `impartial grundy` answers for a single large heap",
            args.to
        )));
    }
    let len = length(args.to);
    let mut kept = Kept::open(game, args.engine, args.checkpoint.as_deref())?;
    let stopped = kept.run(cx, len, !args.no_proof_stop)?;
    let mut sequence = kept.sequence;
    if stopped.is_none() && !args.no_proof_stop {
        sequence.fill(len);
    }
    let known = &sequence.values()[..len.min(sequence.values().len())];
    // Of ten million values one rendering is enough.
    let report = if cx.wants_json() {
        Report::new(json!({"game": game.name, "values": known}), "")
    } else {
        Report::new(json!({"game": game.name}), listed(known))
    };
    Ok(match stopped {
        Some(why) => report.stopped(why),
        None => report,
    })
}

/// Values with blanks between them.
fn listed(values: &[u32]) -> String {
    let mut text = String::with_capacity(4 * values.len());
    for value in values {
        let _ = write!(text, "{value} ");
    }
    text.pop();
    text
}

/// `period`.
pub fn period(game: &HeapFamily, cx: &Context, args: &args::PeriodArgs) -> Answer {
    let mut kept = Kept::open(game, args.engine, args.checkpoint.as_deref())?;
    let stopped = kept.find(cx, args.to)?;
    let sequence = &kept.sequence;
    let checked_to = sequence.values().len().saturating_sub(1);
    let max_value = sequence.values().iter().max().copied().unwrap_or(0);
    let proof = sequence.proof();
    let seen = sequence.observed();
    let part = |value: Option<Value>| value.unwrap_or(Value::Null);
    let json = json!({
        "game": game.name,
        "proved": proof.is_some(),
        "preperiod": part(seen.map(|seen| json!(seen.preperiod))),
        "period": part(seen.map(|seen| json!(seen.period))),
        "saltus": part(seen.map(|seen| json!(seen.saltus))),
        "checked_to": checked_to,
        "max_value": max_value,
        "theorem": part(proof.map(|proof| json!(proof.theorem.name()))),
    });
    let text = match (proof, seen) {
        (Some(proof), _) => {
            let found = proof.period;
            format!(
                "preperiod {}, period {}, saltus {}\nproved from the values of heaps 0 to {checked_to} ({}); largest of them {max_value}",
                found.preperiod,
                found.period,
                found.saltus,
                proof.theorem.name()
            )
        }
        (None, Some(seen)) => format!(
            "not proved; the values of heaps 0 to {checked_to} look like preperiod {}, period {}, saltus {}",
            seen.preperiod, seen.period, seen.saltus
        ),
        (None, None) => format!("no proof up to heap {checked_to}; largest value {max_value}"),
    };
    let report = Report::new(json, text);
    Ok(match stopped {
        Some(why) => report.stopped(why),
        None => report,
    })
}

/// `solve` in normal play: the proved period as a strategy for heaps of every size.
pub fn solve(game: &HeapFamily, cx: &Context, args: &args::SolveArgs) -> Answer {
    if let Some(method) = args.method.as_deref().filter(|method| *method != nim_sequence::FORM) {
        return Err(bad_input(format!(
            "--method {method}: heap games in normal play are solved by {}; leave --method out",
            nim_sequence::FORM
        )));
    }
    let mut kept = Kept::open(game, EngineArg::Auto, None)?;
    let stopped = kept.find(cx, args.to)?;
    let Some(solved) = NimSequence::new(&kept.sequence) else {
        let known = kept.sequence.values().len();
        let why = stopped.unwrap_or(StopReason::Size { what: "heaps without a proof", limit: known as u64 });
        let json =
            json!({"game": game.name, "form": Value::Null, "proved": false, "checked_to": known.saturating_sub(1)});
        return Ok(Report::new(json, format!("no proof from {known} values; try --to with a larger heap")).stopped(why));
    };
    if let Some(path) = &args.output {
        files::write(path, solved.to_envelope().to_text().as_bytes())?;
    }
    let period = solved.period();
    let json = json!({
        "game": game.name,
        "form": nim_sequence::FORM,
        "proved": true,
        "theorem": solved.theorem().name(),
        "preperiod": period.preperiod,
        "period": period.period,
        "saltus": period.saltus,
        "file": args.output,
        "seconds": cx.seconds(),
    });
    let text = format!(
        "solved for heaps of every size: preperiod {}, period {}, saltus {} ({}){}",
        period.preperiod,
        period.period,
        period.saltus,
        solved.theorem().name(),
        args.output.as_ref().map_or(String::new(), |path| format!("\nwrote {path}"))
    );
    Ok(Report::new(json, text))
}

/// What answers for a position: the period where it is proved, else the values up to the largest heap.
enum Known {
    Every(NimSequence),
    UpTo(Box<Sequence>, Vec<u64>),
}

impl Known {
    fn method(&self) -> String {
        match self {
            Self::Every(_) => nim_sequence::FORM.into(),
            Self::UpTo(..) => "sequence".into(),
        }
    }
}

fn known(game: &HeapFamily, cx: &Context, heaps: &[BigUint]) -> Result<Known, Failure> {
    let mut sequence = Sequence::new(game.rules.clone(), Engine::Auto);
    let largest = heaps.iter().max().and_then(BigUint::to_u64).unwrap_or(if heaps.is_empty() { 0 } else { u64::MAX });
    let len = length(largest);
    // A proof that lies near saves the way to a large heap.
    sequence.search(len.min(sequence.default_length()), cx)?;
    if sequence.proof().is_none() && sequence.values().len() < len {
        if largest > MOST_COMPUTED {
            return Err(
                StopReason::Size { what: "heaps without a proof", limit: sequence.values().len() as u64 }.into()
            );
        }
        sequence.search(len, cx)?;
    }
    match NimSequence::new(&sequence) {
        Some(solved) => Ok(Known::Every(solved)),
        None => Ok(Known::UpTo(Box::new(sequence), position::small(heaps)?)),
    }
}

/// The Grundy value of a sum of heaps (sorted, none empty), and the method used.
pub fn grundy(game: &HeapFamily, cx: &Context, heaps: &[BigUint]) -> Result<(String, String), Failure> {
    let known = known(game, cx, heaps)?;
    let value = match &known {
        Known::Every(solved) => solved.grundy(heaps).to_string(),
        Known::UpTo(sequence, heaps) => {
            heaps.iter().fold(0, |sum, &heap| sum ^ sequence.value(heap).unwrap_or(0)).to_string()
        }
    };
    Ok((value, known.method()))
}

/// Winning moves in normal play, as resulting positions, whether these are all, and the method used.
pub fn winning_moves(
    game: &HeapFamily,
    cx: &Context,
    heaps: &[BigUint],
) -> Result<(Vec<String>, bool, String), Failure> {
    let known = known(game, cx, heaps)?;
    let (moves, complete) = match &known {
        Known::Every(solved) => {
            let moves = solved.winning_moves(heaps);
            (moves.positions.iter().map(|heaps| heaps_to_text(heaps)).collect(), moves.complete)
        }
        Known::UpTo(sequence, heaps) => {
            let mut moves = position::options(&game.rules, heaps)?;
            moves.retain(|option| option.iter().fold(0, |sum, &heap| sum ^ sequence.value(heap).unwrap_or(0)) == 0);
            (moves.iter().map(|heaps| heaps_to_text(heaps)).collect(), true)
        }
    };
    Ok((moves, complete, known.method()))
}

/// Every option of a sum of heaps with its Grundy value.
pub fn option_values(game: &HeapFamily, cx: &Context, heaps: &[BigUint]) -> Result<Vec<(String, String)>, Failure> {
    let known = known(game, cx, heaps)?;
    let value = |heap: u64| match &known {
        Known::Every(solved) => solved.value(&heap.into()),
        Known::UpTo(sequence, _) => sequence.value(heap).unwrap_or(0).into(),
    };
    let sum = |option: &[u64]| option.iter().fold(BigUint::ZERO, |sum, &heap| sum ^ value(heap));
    let options = position::options(&game.rules, &position::small(heaps)?)?;
    Ok(options.iter().map(|option| (heaps_to_text(option), sum(option).to_string())).collect())
}
