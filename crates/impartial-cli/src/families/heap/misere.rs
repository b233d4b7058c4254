//! Misère play: quotients, congruence, outcomes.

use impartial::outcome::Outcome;
use num_bigint::BigUint;

use super::{HeapFamily, search};
use crate::args;
use crate::context::Context;
use crate::families::unsupported;
use crate::report::{Answer, Failure};

/// `solve --play misere`.
pub fn solve(_game: &HeapFamily, _cx: &Context, _args: &args::SolveArgs) -> Answer {
    unsupported("solve --play misere", "heap")
}

/// `quotient`.
pub fn quotient(_game: &HeapFamily, _cx: &Context, _args: &args::QuotientArgs) -> Answer {
    unsupported("quotient", "heap")
}

/// `congruent`.
pub fn congruent(_game: &HeapFamily, _cx: &Context, _args: &args::CongruentArgs) -> Answer {
    unsupported("congruent", "heap")
}

/// The outcome of a sum of heaps (sorted, none empty) in misère play, and the method used.
pub fn outcome(game: &HeapFamily, cx: &Context, heaps: &[BigUint]) -> Result<(Outcome, String), Failure> {
    search::outcome(game, cx, heaps)
}

/// Every winning move in misère play, as resulting positions, and the method used.
pub fn winning_moves(game: &HeapFamily, cx: &Context, heaps: &[BigUint]) -> Result<(Vec<String>, String), Failure> {
    search::winning_moves(game, cx, heaps)
}
