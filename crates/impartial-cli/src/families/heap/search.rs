//! Misère play by the general search: for positions of moderate size, when no quotient is known.

use impartial::heap::heaps_to_text;
use impartial::outcome::{Outcome, Play};
use impartial::solve::search::Search;
use num_bigint::BigUint;

use super::{HeapFamily, position};
use crate::context::Context;
use crate::report::Failure;

/// The outcome of a sum of heaps in misère play.
pub fn outcome(game: &HeapFamily, cx: &Context, heaps: &[BigUint]) -> Result<(Outcome, String), Failure> {
    let heaps = position::small(heaps)?;
    let outcome = Search::new(&game.rules, cx).outcome(Play::Misere, &heaps)?;
    Ok((outcome, "search".into()))
}

/// Every winning move in misère play.
pub fn winning_moves(game: &HeapFamily, cx: &Context, heaps: &[BigUint]) -> Result<(Vec<String>, String), Failure> {
    let heaps = position::small(heaps)?;
    let moves = Search::new(&game.rules, cx).winning_moves(Play::Misere, &heaps)?;
    Ok((moves.iter().map(|heaps| heaps_to_text(heaps)).collect(), "search".into()))
}
