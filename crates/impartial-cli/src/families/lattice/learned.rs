//! What the learner and the sector method answer for lattice games.

use impartial::lattice::LatticeGame;

use crate::args::SolveArgs;
use crate::context::Context;
use crate::learning::{self, Found};
use crate::report::{Answer, Failure};

/// A proved strategy, for positions that no recursion reaches.
pub fn strategy(cx: &Context, game: &LatticeGame) -> Result<Found, Failure> {
    learning::strategy_for_question(game, cx)
}

/// `solve` by learning.
pub fn solve(cx: &Context, args: &SolveArgs, game: &LatticeGame) -> Answer {
    learning::solve(cx, &args.game, game, args.method.as_deref(), args.output.as_deref())
}
