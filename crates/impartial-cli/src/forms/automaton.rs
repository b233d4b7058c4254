//! The form "automaton": the P-positions of a lattice game.

use std::fmt::Write as _;

use impartial::outcome::Outcome;
use impartial::run::Monitor as _;
use impartial::strategy::{AutomatonStrategy, Envelope};
use impartial::vectorset::{BoxTooLarge, Effort};
use num_bigint::{BigInt, BigUint};
use serde_json::json;

use super::{Solved, stratification};
use crate::args::{ConvertArgs, CountArgs, Syntax};
use crate::context::Context;
use crate::files;
use crate::report::{Answer, Failure, Report, bad_input};

/// An opened strategy file of form "automaton".
pub struct AutomatonFile {
    envelope: Envelope,
    strategy: AutomatonStrategy,
}

impl AutomatonFile {
    /// Reads the certificate.
    pub fn open(envelope: Envelope) -> Result<Self, Failure> {
        let strategy = AutomatonStrategy::from_envelope(&envelope, &impartial::run::Unlimited).map_err(bad_input)?;
        Ok(Self { envelope, strategy })
    }

    fn position(&self, text: &str) -> Result<Vec<BigInt>, Failure> {
        let x = lattice_point(text, self.strategy.game().dimension())?;
        if self.strategy.game().is_position_big(&x) {
            Ok(x)
        } else {
            Err(bad_input(format!("POSITION {text} is not on the board of this game; give a point of the board")))
        }
    }
}

/// A lattice point of any size, written (0,2,1); the parentheses may be left out.
pub fn lattice_point(text: &str, dimension: usize) -> Result<Vec<BigInt>, Failure> {
    let inner = text.trim();
    let inner = inner.strip_prefix('(').and_then(|rest| rest.strip_suffix(')')).unwrap_or(inner);
    let point: Vec<BigInt> = inner
        .split(',')
        .map(|entry| {
            let entry = entry.trim();
            entry.parse::<BigInt>().map_err(|_| {
                bad_input(format!("POSITION \"{text}\": \"{entry}\" is not an integer; write a point such as (0,2,1)"))
            })
        })
        .collect::<Result<_, _>>()?;
    if point.len() == dimension {
        Ok(point)
    } else {
        Err(bad_input(format!(
            "POSITION \"{text}\" has {} coordinates, the game has {dimension}; write one integer for each coordinate",
            point.len()
        )))
    }
}

/// A lattice point as text.
pub fn point_text(x: &[BigInt]) -> String {
    let entries: Vec<String> = x.iter().map(ToString::to_string).collect();
    format!("({})", entries.join(","))
}

/// The sizes of `--box n1,n2,…`; one size stands for all coordinates.
pub fn box_sizes(text: &str, dimension: usize) -> Result<Vec<BigUint>, Failure> {
    let sizes: Vec<BigUint> = text
        .split(',')
        .map(|size| {
            size.trim().parse::<BigUint>().map_err(|_| {
                bad_input(format!(
                    "--box {text}: \"{size}\" is not a size; write natural numbers such as --box 100,100"
                ))
            })
        })
        .collect::<Result<_, _>>()?;
    match sizes.len() {
        n if n == dimension => Ok(sizes),
        1 => Ok(vec![sizes[0].clone(); dimension]),
        n => Err(bad_input(format!(
            "--box {text} has {n} sizes, the game has {dimension} coordinates; give one size for each coordinate"
        ))),
    }
}

/// Writes and reports a proved automaton.
pub fn written(cx: &Context, automaton: &AutomatonStrategy, args: &ConvertArgs) -> Answer {
    let envelope = automaton.to_envelope();
    if let Some(path) = &args.output {
        files::write(path, envelope.to_text().as_bytes())?;
    }
    let json = json!({
        "game": envelope.game,
        "form": "automaton",
        "proved": true,
        "states": automaton.set().states(),
        "seconds": cx.seconds(),
    });
    Ok(Report::new(json, format!("automaton with {} states, proved", automaton.set().states())))
}

impl Solved for AutomatonFile {
    fn envelope(&self) -> &Envelope {
        &self.envelope
    }

    fn outcome(&self, _cx: &Context, position: &str) -> Result<Outcome, Failure> {
        let x = self.position(position)?;
        self.strategy.outcome(&x).ok_or_else(|| bad_input(format!("POSITION {position} is not on the board")))
    }

    fn winning_moves(&self, _cx: &Context, position: &str) -> Result<Vec<String>, Failure> {
        let x = self.position(position)?;
        Ok(self.strategy.winning_moves(&x).iter().map(|y| point_text(y)).collect())
    }

    fn show(&self, cx: &Context, syntax: Syntax) -> Answer {
        let (game, set) = (self.strategy.game(), self.strategy.set());
        let chart = game.chart();
        let mut text = match syntax {
            Syntax::Text => String::new(),
            Syntax::Json => serde_json::to_string_pretty(&self.envelope.certificate).map_err(bad_input)?,
            other => {
                return Err(bad_input(format!(
                    "an automaton has no text in this syntax ({other:?}); `impartial convert FILE --to stratification` \
                     gives a strategy that has"
                )));
            }
        };
        let functional: Vec<u64> = vec![1; game.dimension()];
        let effort = Effort::new(1 << 24, cx);
        let mut first = Vec::new();
        for y in set.elements(&functional, &effort)?.take(12) {
            cx.check(0, None)?;
            let y: Vec<BigInt> = y.into_iter().map(Into::into).collect();
            first.push(point_text(&chart.outer_big(&y)));
        }
        if syntax == Syntax::Text {
            let _ = writeln!(
                text,
                "P-positions of a lattice game: {} rules, {} coordinates, {} defeated positions",
                game.rules().len(),
                game.dimension(),
                game.defeated().len()
            );
            let _ = writeln!(
                text,
                "automaton: {} states that read one binary digit, lowest first, coordinate by coordinate ({} at the \
                 first coordinate)",
                set.states(),
                set.block_states()
            );
            if !chart.is_identity() {
                let _ = writeln!(text, "it reads y = Mx + s with M = {:?}, s = {:?}", chart.matrix(), chart.shift());
            }
            let _ = writeln!(
                text,
                "{}; the first: {}",
                if set.is_finite() { "finitely many" } else { "infinitely many" },
                first.join(" ")
            );
        }
        let json = json!({
            "game": self.envelope.game,
            "form": "automaton",
            "states": set.states(),
            "block_states": set.block_states(),
            "finite": set.is_finite(),
            "first": first,
            "certificate": self.envelope.certificate,
        });
        Ok(Report::new(json, text))
    }

    fn convert(&self, cx: &Context, args: &ConvertArgs) -> Answer {
        match args.to.as_str() {
            "stratification" => stratification::converted(cx, &self.strategy, args),
            "series" => super::series::converted(cx, &stratification::extracted(cx, &self.strategy, args)?, args),
            other => Err(bad_input(format!(
                "an automaton is not converted to \"{other}\"; --to is stratification or series here"
            ))),
        }
    }

    fn count(&self, cx: &Context, args: &CountArgs) -> Answer {
        let sizes = box_sizes(&args.sizes, self.strategy.game().dimension())?;
        let count = match self.strategy.count(&sizes, cx) {
            Ok(count) => count,
            Err(BoxTooLarge::Stopped(why)) => return Err(Failure::Stopped(why)),
            Err(other) => return Err(bad_input(other)),
        };
        let json = json!({
            "game": self.envelope.game,
            "box": args.sizes,
            "count": crate::families::chains::json_integer(&count),
            "method": "automaton",
        });
        Ok(Report::new(json, count.to_string()))
    }
}
