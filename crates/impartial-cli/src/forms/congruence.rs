//! `congruent` for lattice games: by automaton, strata, series or parity kernel.

use impartial::lattice::LatticeGame;
use impartial::solve::parity_kernel::ParityKernel;
use impartial::strategy::{AutomatonStrategy, Congruence, SectorStrategy};
use num_bigint::BigInt;
use semilinear::vectorset::Effort;
use serde_json::json;

use crate::args::CongruentArgs;
use crate::context::Context;
use crate::families::lattice::position;
use crate::report::{Answer, Failure, Report};

/// Automata of shifted sets may have this many states.
const STATES: usize = 1 << 23;

/// Both positions of the command. Defeated points are allowed: the outcomes of sums with them are defined.
pub fn points(game: &LatticeGame, args: &CongruentArgs) -> Result<(Vec<BigInt>, Vec<BigInt>), Failure> {
    Ok((position::read_point(game, &args.p)?, position::read_point(game, &args.q)?))
}

/// `congruent` by an automaton.
pub fn by_automaton(cx: &Context, strategy: &AutomatonStrategy, args: &CongruentArgs, method: &str) -> Answer {
    let (p, q) = points(strategy.game(), args)?;
    let found = strategy.congruence(&p, &q, &Effort::new(STATES, cx))?;
    Ok(report(&args.game, &found, method))
}

/// `congruent` by sectors.
pub fn by_sectors(cx: &Context, strategy: &SectorStrategy, args: &CongruentArgs) -> Answer {
    let (p, q) = points(strategy.game(), args)?;
    let found = strategy.congruence(&p, &q, &Effort::new(STATES, cx))?;
    Ok(report(&args.game, &found, "automaton of the sectors"))
}

/// `congruent` by a parity kernel: x + r is a P-position iff both values agree, so that p and q are congruent iff theirs do.
pub fn by_kernel(kernel: &ParityKernel, game: &LatticeGame, args: &CongruentArgs) -> Answer {
    let (p, q) = points(game, args)?;
    let found = if kernel.grundy(&p) == kernel.grundy(&q) {
        Congruence::Congruent
    } else {
        // p + p has value 0, and so has p with its remainders modulo 2.
        Congruence::Different { witness: p.iter().map(|x| x % 2).collect() }
    };
    Ok(report(&args.game, &found, "parity-kernel"))
}

/// The report.
pub fn report(game: &str, found: &Congruence, method: &str) -> Report {
    let witness = match found {
        Congruence::Congruent => None,
        Congruence::Different { witness } => Some(position::text(witness)),
    };
    let text = match &witness {
        None => "congruent".to_owned(),
        Some(r) => format!("not congruent: adding {r} gives a P-position in one case only"),
    };
    let json = json!({"game": game, "congruent": witness.is_none(), "witness": witness, "method": method});
    Report::new(json, text).no_if(witness.is_some())
}
