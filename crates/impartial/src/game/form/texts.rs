//! What forms write for other programs, and the refusals of what they have no text in.

use semilinear::vectorset::{Label, Labelled};

use super::no_text;
use crate::error::Result;
use crate::game::report::QuotientReport;
use crate::lattice::LatticeGame;
use crate::render::{BlockAutomaton, Syntax};

/// The languages of a stratification.
pub(super) const STRATIFICATION_TEXTS: &str =
    "it has text, json, latex, macaulay2, sage, mathematica, gap, normaliz, csv and jsonl";

/// `x1, x2`: what an automaton reads digits of.
pub(super) fn coordinates(game: &LatticeGame) -> String {
    let letter = if game.chart().is_identity() { "x" } else { "y" };
    (1..=game.dimension()).map(|i| format!("{letter}{i}")).collect::<Vec<_>>().join(", ")
}

/// An automaton for other programs.
pub(super) fn automaton_text<L: Label>(set: &Labelled<L>, syntax: Syntax, title: &str, remedy: &str) -> Result<String> {
    match syntax {
        Syntax::Walnut => Ok(BlockAutomaton::of(set)?.walnut()),
        Syntax::Dot => Ok(BlockAutomaton::of(set)?.dot(title)),
        Syntax::Csv => Ok(BlockAutomaton::of(set)?.csv()),
        other => {
            let remedy = format!("it has text, json, walnut, dot and csv; for others `impartial {remedy}`");
            Err(no_text("an automaton", other, &remedy))
        }
    }
}

/// The text of a presentation of a quotient.
pub(super) fn presentation_text(what: &str, report: &QuotientReport, syntax: Syntax) -> Result<String> {
    report.written(syntax).ok_or_else(|| {
        no_text(
            what,
            syntax,
            "it has text, json, latex, macaulay2, sage, mathematica, gap, csv and jsonl (a finite one also dot)",
        )
    })
}
