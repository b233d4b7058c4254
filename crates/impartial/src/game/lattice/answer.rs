//! Outcomes, moves, values and counts without a strategy, by the cheapest sound way.
//!
//! Squarefree normal play: the parity kernel, for positions of any size. Else the recursion, when the positions below the
//! one asked for fit into moderate memory; else the learner, whose answer is proved for the whole board; else the
//! recursion again, with all the memory that is allowed.

use num_bigint::{BigInt, BigUint};
use num_traits::ToPrimitive as _;
use semilinear::run::StopReason;

use super::search::ValuesFound;
use super::{LatticeFound, search};
use crate::error::{Error, Result};
use crate::game::Ask;
use crate::game::ask::Method;
use crate::game::kind::{Found, Moves};
use crate::game::position::Position;
use crate::lattice::{LatticeGame, Row};
use crate::outcome::Outcome;
use crate::solve::parity_kernel::ParityKernel;
use crate::solve::recursion::{GrundyTable, Recursion, Region};
use crate::strategy::Standing;

/// The recursion goes first when it needs no more than this.
const MODERATE: u64 = 64 << 20;
/// Without a memory limit the recursion takes no more than this.
const MOST: u64 = 2 << 30;

/// The outcome of a position.
pub(super) fn outcome(game: &LatticeGame, x: &[BigInt], ask: &Ask) -> Result<Found<Outcome>> {
    Ok(outcomes(game, x, std::slice::from_ref(&x.to_vec()), ask)?.map(|outcomes| outcomes[0]))
}

/// Every winning move.
pub(super) fn winning_moves(game: &LatticeGame, x: &[BigInt], ask: &Ask) -> Result<Found<Moves>> {
    let options = game.options_big(x);
    let found = outcomes(game, x, &options, ask)?;
    Ok(found.map(|outcomes| {
        let moves = options.into_iter().zip(outcomes).filter(|(_, outcome)| outcome.is_p());
        Moves::all(moves.map(|(x, _)| Position::of_point(x)).collect())
    }))
}

fn small(x: &[BigInt]) -> Option<Vec<i64>> {
    x.iter().map(BigInt::to_i64).collect()
}

/// The outcomes of positions that can be reached from `top`, or are `top` itself.
fn outcomes(game: &LatticeGame, top: &[BigInt], asked: &[Vec<BigInt>], ask: &Ask) -> Result<Found<Vec<Outcome>>> {
    if let Some(kernel) = ParityKernel::of_lattice(game) {
        return Ok(Found::by(asked.iter().map(|x| kernel.outcome(x)).collect(), "parity-kernel"));
    }
    let inner = |x: &[BigInt]| small(&game.chart().inner_big(x));
    let too_far = || StopReason::Size { what: "bytes for the positions of the region", limit: budget(ask) };
    let by_recursion = |bytes: u64| -> Result<Vec<Outcome>, StopReason> {
        let top = inner(top).ok_or_else(too_far)?;
        let region = Region::around_point(game, &top).ok_or_else(too_far)?;
        let recursion = Recursion::new(game, &region, bytes, ask.monitor)?;
        let outcome = |x: &Vec<BigInt>| inner(x).and_then(|y| recursion.outcome(&y));
        Ok(asked.iter().map(|x| outcome(x).expect("options lie in the region of their position")).collect())
    };
    match by_recursion(MODERATE.min(budget(ask))) {
        Ok(outcomes) => return Ok(Found::by(outcomes, "recursion")),
        Err(StopReason::Size { .. }) => {}
        Err(why) => return Err(why.into()),
    }
    match search::for_question(game, ask) {
        Ok(found) => {
            // Off the board nothing is a P-position.
            let outcome = |x: &Vec<BigInt>| found.outcome(x).unwrap_or(Outcome::N);
            return Ok(Found {
                value: asked.iter().map(outcome).collect(),
                method: found.method().into(),
                proved: Some(found.standing()),
            });
        }
        Err(Error::Stopped { why: StopReason::Size { .. }, .. }) => {}
        Err(error) => return Err(error),
    }
    Ok(Found::by(by_recursion(budget(ask))?, "recursion"))
}

/// Bytes that the recursion may take.
pub(crate) fn budget(ask: &Ask) -> u64 {
    ask.memory.map_or(MOST, |limit| limit / 4 * 3)
}

/// The Grundy value of a position on the board.
pub(super) fn grundy(game: &LatticeGame, x: &[BigInt], ask: &Ask) -> Result<Found<BigUint>> {
    if let Some(kernel) = ParityKernel::of_lattice(game) {
        return Ok(Found::by(kernel.grundy(x).into(), "parity-kernel"));
    }
    let too_far = || StopReason::Size { what: "bytes for the positions of the region", limit: budget(ask) };
    let off_board = || Error::input("the position does not lie on the board");
    let by_recursion = |bytes: u64| -> Result<Option<u64>, StopReason> {
        let y = small(&game.chart().inner_big(x)).ok_or_else(too_far)?;
        let region = Region::around_point(game, &y).ok_or_else(too_far)?;
        Ok(GrundyTable::new(game, &region, bytes, ask.monitor)?.grundy(&y))
    };
    match by_recursion((16 * MODERATE).min(budget(ask))) {
        Ok(value) => return Ok(Found::by(value.ok_or_else(off_board)?.into(), "recursion")),
        Err(StopReason::Size { .. }) => {}
        Err(why) => return Err(why.into()),
    }
    // Too far for a table of values: a proved function knows all of them.
    match search::lattice_values(game, Method::Auto, ask.monitor) {
        Ok(ValuesFound::Automaton(strategy)) => Ok(Found {
            value: strategy.grundy(x).ok_or_else(off_board)?.into(),
            method: "learned Grundy values, certified".into(),
            proved: Some(Standing::of(&strategy)),
        }),
        Ok(ValuesFound::Sectors(strategy)) => Ok(Found {
            value: strategy.grundy(x).ok_or_else(off_board)?.into(),
            method: "Grundy values by sectors, certified".into(),
            proved: Some(Standing::of(&strategy)),
        }),
        Ok(ValuesFound::Blocks(strategy)) => Ok(Found {
            value: strategy.grundy(x).ok_or_else(off_board)?.into(),
            method: "Grundy values by blocks, certified".into(),
            proved: Some(Standing::of(&strategy)),
        }),
        Err((StopReason::Size { .. }, _)) => {
            Ok(Found::by(by_recursion(budget(ask))?.ok_or_else(off_board)?.into(), "recursion"))
        }
        Err((why, _)) => Err(why.into()),
    }
}

/// The number of P-positions with 0 ≤ xᵢ < sizes\[i\] in the user's coordinates; one size stands for all.
pub(crate) fn count(game: &LatticeGame, sizes: &[BigUint], ask: &Ask) -> Result<(BigUint, String, Option<Standing>)> {
    let d = game.dimension();
    let sizes = &sized(sizes, d)?;
    if let Some(kernel) = ParityKernel::of_lattice(game) {
        return Ok((kernel.count(sizes), "parity-kernel".into(), None));
    }
    if sizes.contains(&BigUint::ZERO) {
        return Ok((BigUint::ZERO, "recursion".into(), None));
    }
    match recursive_count(game, sizes, ask) {
        // Too many positions to look at each: a proved strategy counts boxes of any size.
        Err(Error::Stopped { why: StopReason::Size { .. }, .. }) => {}
        found => return found,
    }
    match search::for_question(game, ask)? {
        LatticeFound::Automaton(strategy) => {
            let proved = Standing::of(&strategy);
            Ok((strategy.count(sizes, ask.monitor)?, "learned automaton, certified".into(), Some(proved)))
        }
        LatticeFound::Sectors(strategy) => {
            let pair = [sizes[0].clone(), sizes[1].clone()];
            let count = strategy.count(&pair, ask.monitor)?.ok_or_else(|| {
                Error::input("this box is counted from a strategy file: solve GAME -o FILE, then count FILE --box …")
            })?;
            Ok((count, "sectors, certified".into(), Some(Standing::of(&strategy))))
        }
        LatticeFound::Blocks(strategy) => {
            Ok((strategy.count(sizes, ask.monitor)?, "blocks, certified".into(), Some(Standing::of(&strategy))))
        }
    }
}

/// The count by looking at every position of the box.
fn recursive_count(game: &LatticeGame, sizes: &[BigUint], ask: &Ask) -> Result<(BigUint, String, Option<Standing>)> {
    let d = game.dimension();
    let too_far = || StopReason::Size { what: "bytes for the positions of the region", limit: budget(ask) };
    let sizes: Vec<i64> = sizes.iter().map(BigUint::to_i64).collect::<Option<_>>().ok_or_else(too_far)?;
    let mut rows: Vec<Row> = Vec::new();
    for (i, size) in sizes.iter().enumerate() {
        for (sign, constant) in [(1, 0), (-1, size - 1)] {
            let row: Row = (0..=d).map(|j| if j == d { constant } else { sign * i64::from(i == j) }).collect();
            rows.push(game.chart().inner_row(&row).ok_or_else(too_far)?);
        }
    }
    let last: Vec<i64> = sizes.iter().map(|size| size - 1).collect();
    let region = Region::around_user_range(game, &vec![0; d], &last).ok_or_else(too_far)?;
    let recursion = Recursion::new(game, &region, budget(ask), ask.monitor)?;
    Ok((recursion.count_where(&rows).into(), "recursion".into(), None))
}

/// One size for each coordinate; one stands for all.
pub(crate) fn sized(sizes: &[BigUint], dimension: usize) -> Result<Vec<BigUint>> {
    match sizes {
        [all] => Ok(vec![all.clone(); dimension]),
        sizes if sizes.len() == dimension => Ok(sizes.to_vec()),
        sizes => Err(Error::Input(format!(
            "--box has {} sizes, but the game has {dimension} coordinates; give one for each, or one for all",
            sizes.len()
        ))),
    }
}
