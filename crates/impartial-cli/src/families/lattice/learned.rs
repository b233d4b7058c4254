//! What the learner answers for lattice games.

use impartial::lattice::LatticeGame;
use impartial::run::Run;
use impartial::solve::learn::{Limits, p_positions};
use impartial::vectorset::VectorSet;

use crate::args::SolveArgs;
use crate::context::Context;
use crate::families::unsupported;
use crate::report::{Answer, Failure};

/// The proved set of P-positions in inner coordinates, for positions that no recursion reaches.
pub fn p_set(cx: &Context, game: &LatticeGame) -> Result<VectorSet, Failure> {
    match p_positions(game, &Limits::default(), cx) {
        Run::Finished(set) => Ok(set),
        Run::Stopped(why, _) => Err(Failure::Stopped(why)),
    }
}

/// `solve` by learning.
pub fn solve(_cx: &Context, _args: &SolveArgs, _game: &LatticeGame) -> Answer {
    unsupported("solve", "lattice")
}
