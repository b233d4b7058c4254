//! The form "nim-sequence": heap games in normal play, by their proved period.

use std::fmt::Write as _;

use impartial::heap::{heaps_from_text, heaps_to_text};
use impartial::outcome::Outcome;
use impartial::strategy::Envelope;
use impartial::strategy::nim_sequence::{NimSequence, WinningMoves};
use num_bigint::BigUint;
use serde_json::json;

use super::Solved;
use crate::args::Syntax;
use crate::context::Context;
use crate::families::Family;
use crate::report::{Answer, Failure, Report, bad_input};

/// An opened strategy file of form "nim-sequence".
pub struct NimSequenceStrategy {
    envelope: Envelope,
    solved: NimSequence,
}

impl NimSequenceStrategy {
    /// Reads the certificate.
    pub fn open(envelope: Envelope) -> Result<Self, Failure> {
        let solved = NimSequence::from_envelope(&envelope).map_err(bad_input)?;
        Ok(Self { envelope, solved })
    }

    fn moves(&self, position: &str) -> Result<WinningMoves, Failure> {
        Ok(self.solved.winning_moves(&heaps(position)?))
    }
}

fn heaps(position: &str) -> Result<Vec<BigUint>, Failure> {
    heaps_from_text(position).map_err(bad_input)
}

impl Solved for NimSequenceStrategy {
    fn envelope(&self) -> &Envelope {
        &self.envelope
    }

    /// Codes and subtraction sets with the same moves are the same game.
    fn belongs_to(&self, game: &dyn Family, cx: &Context) -> bool {
        let mut other = self.envelope.clone();
        other.game = game.game_json();
        let same =
            NimSequence::from_envelope(&other).is_ok_and(|other| other.rules().code() == self.solved.rules().code());
        same && self.envelope.play == cx.play(game.own_play())
    }

    fn outcome(&self, _cx: &Context, position: &str) -> Result<Outcome, Failure> {
        Ok(self.solved.outcome(&heaps(position)?))
    }

    fn winning_moves(&self, _cx: &Context, position: &str) -> Result<Vec<String>, Failure> {
        Ok(self.moves(position)?.positions.iter().map(|heaps| heaps_to_text(heaps)).collect())
    }

    fn lists_every_move(&self, _cx: &Context, position: &str) -> Result<bool, Failure> {
        Ok(self.moves(position)?.complete)
    }

    fn grundy(&self, _cx: &Context, position: &str) -> Result<String, Failure> {
        Ok(self.solved.grundy(&heaps(position)?).to_string())
    }

    fn show(&self, _cx: &Context, syntax: Syntax) -> Answer {
        let period = self.solved.period();
        let values = self.solved.values();
        let code = self.solved.rules().code().map_or_else(String::new, |code| code.to_string());
        let (head, block) = values.split_at(period.preperiod);
        let list = |values: &[u32]| values.iter().map(u32::to_string).collect::<Vec<_>>().join(", ");
        let text = match syntax {
            Syntax::Text => format!(
                "code {code}, normal play\npreperiod {}, period {}, saltus {} ({})\nheaps 0 to {}: {}\nperiod: {}",
                period.preperiod,
                period.period,
                period.saltus,
                self.solved.theorem().name(),
                period.preperiod.saturating_sub(1),
                list(head),
                list(block),
            ),
            Syntax::Latex => {
                let mut rows = String::new();
                for (i, row) in values.chunks(period.period.clamp(1, 20)).enumerate() {
                    let cells = row.iter().map(u32::to_string).collect::<Vec<_>>().join(" & ");
                    let _ = writeln!(rows, "{} & {cells} \\\\", i * period.period.clamp(1, 20));
                }
                format!(
                    "% g(n + {}) = g(n) + {} for n >= {}\n\\begin{{tabular}}{{r|{}}}\n{rows}\\end{{tabular}}",
                    period.period,
                    period.saltus,
                    period.preperiod,
                    "r".repeat(period.period.clamp(1, 20))
                )
            }
            Syntax::Json => self.envelope.to_text(),
            Syntax::Sage => format!(
                "values = [{}]\ndef g(n):\n    if n < {n0}: return values[n]\n    q, r = divmod(n - {n0}, {p})\n    return values[{n0} + r] + {s}*q",
                list(values),
                n0 = period.preperiod,
                p = period.period,
                s = period.saltus
            ),
            Syntax::Mathematica => format!(
                "values = {{{}}};\ng[n_] := If[n < {n0}, values[[n + 1]], values[[{n0} + Mod[n - {n0}, {p}] + 1]] + {s} Quotient[n - {n0}, {p}]]",
                list(values),
                n0 = period.preperiod,
                p = period.period,
                s = period.saltus
            ),
            Syntax::Macaulay2 => format!(
                "values = {{{}}}\ng = n -> if n < {n0} then values#n else values#({n0} + (n - {n0}) % {p}) + {s} * ((n - {n0}) // {p})",
                list(values),
                n0 = period.preperiod,
                p = period.period,
                s = period.saltus
            ),
        };
        let json = json!({
            "game": self.envelope.game,
            "form": self.envelope.form,
            "preperiod": period.preperiod,
            "period": period.period,
            "saltus": period.saltus,
            "values": values,
            "text": text,
        });
        Ok(Report::new(json, text))
    }
}
