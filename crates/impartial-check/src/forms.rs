//! Which law a form of a heap game asks.

use serde_json::Value;

use crate::format::HeapGame;
use crate::json::typed;
use crate::meter::Meter;
use crate::{Checked, dominance, mex, misere as misere_play, period, ranks, refuse};

/// Checks the certificate of a heap game. Not inlined, so that a program that is loaded in parts can leave this out for other games.
#[inline(never)]
pub(crate) fn heaps(form: &str, game: &HeapGame, misere: bool, file: Value, meter: &Meter<'_>) -> Checked<String> {
    let place = "certificate";
    match form {
        "quotient" if misere => misere_play::quotient(game, typed(place, file)?, meter),
        "counters" if misere => misere_play::counters(game, typed(place, file)?, meter),
        "dominance" if misere => dominance::check(game, typed(place, file)?, meter),
        "ranks" if misere => ranks::check(game, typed(place, file)?, meter),
        "parity-kernel" if !misere => mex::heaps(game, &typed(place, file)?, meter),
        "nim-sequence" if !misere => mex::sequence(game, typed(place, file)?, meter),
        "nim-period" if !misere => period::check(game, &typed(place, file)?, meter),
        _ => none(form, misere),
    }
}

/// Refuses a form that games of a kind do not have.
pub(crate) fn none(form: &str, misere: bool) -> Checked<String> {
    let play = if misere { "misère" } else { "normal" };
    refuse(format!("no form \"{form}\" for a game of this kind in {play} play"))
}
