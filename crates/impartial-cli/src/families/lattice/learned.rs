//! What the learner and the sector method answer for lattice games.

use impartial::lattice::LatticeGame;
use impartial::strategy::AutomatonStrategy;
use semilinear::vectorset::Effort;

use crate::args::SolveArgs;
use crate::context::Context;
use crate::learning::{self, Found};
use crate::report::{Answer, Failure, bad_input};

/// A proved strategy, for positions that no recursion reaches.
pub fn strategy(cx: &Context, game: &LatticeGame) -> Result<Found, Failure> {
    learning::strategy_for_question(game, cx)
}

/// A proved automaton of the P-positions.
pub fn automaton(cx: &Context, game: &LatticeGame) -> Result<AutomatonStrategy, Failure> {
    match learning::strategy(game, learning::Method::Auto, cx) {
        Ok(Found::Automaton(strategy)) => Ok(*strategy),
        Ok(Found::Sectors(strategy)) => {
            let effort = Effort::new(1 << 22, cx);
            let set = strategy.vector_set(&effort)?;
            AutomatonStrategy::proved(game.clone(), set, &effort)?
                .map_err(|x| bad_input(format!("the sectors are wrong at {x:?}; this is a fault of the program")))
        }
        Err((why, _)) => Err(Failure::Stopped(why)),
    }
}

/// `solve` by learning.
pub fn solve(cx: &Context, args: &SolveArgs, game: &LatticeGame) -> Answer {
    learning::solve(cx, &args.game, game, args.method.as_deref(), args.output.as_deref())
}
