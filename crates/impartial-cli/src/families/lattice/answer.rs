//! Outcomes, moves, values and counts without a strategy file, by the cheapest sound way.
//!
//! Squarefree normal play: the parity kernel, for positions of any size. Else the recursion, when the positions below the
//! one asked for fit into moderate memory; else the learner, whose answer is proved for the whole board; else the
//! recursion again, with all the memory that is allowed.

use impartial::lattice::{LatticeGame, Row};
use impartial::outcome::Outcome;
use impartial::solve::parity_kernel::ParityKernel;
use impartial::solve::recursion::{GrundyTable, Recursion, Region};
use num_bigint::{BigInt, BigUint};
use num_traits::ToPrimitive as _;
use semilinear::run::StopReason;
use serde_json::json;

use super::{learned, position};
use crate::context::Context;
use crate::learning;
use crate::report::{Failure, Report, bad_input};

/// The recursion goes first when it needs no more than this.
const MODERATE: u64 = 64 << 20;
/// Without --memory-limit the recursion takes no more than this.
const MOST: u64 = 2 << 30;

/// The options of a position of any size, in the user's coordinates, without repeats.
pub fn options(game: &LatticeGame, x: &[BigInt]) -> Vec<Vec<BigInt>> {
    game.rules()
        .iter()
        .map(|rule| x.iter().zip(rule).map(|(x, g)| x - g).collect::<Vec<BigInt>>())
        .filter(|option| position::on_board(game, option))
        .collect()
}

/// The outcome of a position and the method.
pub fn outcome(cx: &Context, game: &LatticeGame, x: &[BigInt]) -> Result<(Outcome, String), Failure> {
    let (mut outcomes, method) = outcomes(cx, game, x, std::slice::from_ref(&x.to_vec()))?;
    Ok((outcomes.remove(0), method))
}

/// Every winning move as the resulting position, and the method.
pub fn winning_moves(cx: &Context, game: &LatticeGame, x: &[BigInt]) -> Result<(Vec<Vec<BigInt>>, String), Failure> {
    let options = options(game, x);
    let (outcomes, method) = outcomes(cx, game, x, &options)?;
    let moves = options.into_iter().zip(outcomes).filter(|(_, outcome)| outcome.is_p()).map(|(x, _)| x).collect();
    Ok((moves, method))
}

/// The outcomes of positions that can be reached from `top`, or are `top` itself.
fn outcomes(
    cx: &Context,
    game: &LatticeGame,
    top: &[BigInt],
    asked: &[Vec<BigInt>],
) -> Result<(Vec<Outcome>, String), Failure> {
    if let Some(kernel) = ParityKernel::of_lattice(game) {
        return Ok((asked.iter().map(|x| kernel.outcome(x)).collect(), "parity-kernel".into()));
    }
    let inner = |x: &[BigInt]| position::small(&game.chart().inner_big(x));
    let too_far = || StopReason::Size { what: "bytes for the positions of the region", limit: budget(cx) };
    let by_recursion = |bytes: u64| -> Result<Vec<Outcome>, StopReason> {
        let top = inner(top).ok_or_else(too_far)?;
        let region = Region::around_point(game, &top).ok_or_else(too_far)?;
        let recursion = Recursion::new(game, &region, bytes, cx)?;
        let outcome = |x: &Vec<BigInt>| inner(x).and_then(|y| recursion.outcome(&y));
        Ok(asked.iter().map(|x| outcome(x).expect("options lie in the region of their position")).collect())
    };
    match by_recursion(MODERATE.min(budget(cx))) {
        Ok(outcomes) => return Ok((outcomes, "recursion".into())),
        Err(StopReason::Size { .. }) => {}
        Err(why) => return Err(why.into()),
    }
    match learned::strategy(cx, game) {
        Ok(found) => {
            // Off the board nothing is a P-position.
            let outcome = |x: &Vec<BigInt>| found.outcome(x).unwrap_or(Outcome::N);
            return Ok((asked.iter().map(outcome).collect(), found.method().into()));
        }
        Err(Failure::Stopped(StopReason::Size { .. })) => {}
        Err(failure) => return Err(failure),
    }
    Ok((by_recursion(budget(cx))?, "recursion".into()))
}

/// Bytes that the recursion may take.
pub fn budget(cx: &Context) -> u64 {
    cx.memory_limit().map_or(MOST, |limit| limit / 4 * 3)
}

/// The Grundy value of a position on the board, and the method.
pub fn grundy(cx: &Context, game: &LatticeGame, x: &[BigInt]) -> Result<(String, String), Failure> {
    if let Some(kernel) = ParityKernel::of_lattice(game) {
        return Ok((kernel.grundy(x).to_string(), "parity-kernel".into()));
    }
    let too_far = || StopReason::Size { what: "bytes for the positions of the region", limit: budget(cx) };
    let off_board = || bad_input("the position does not lie on the board");
    let by_recursion = |bytes: u64| -> Result<Option<u64>, StopReason> {
        let y = position::small(&game.chart().inner_big(x)).ok_or_else(too_far)?;
        let region = Region::around_point(game, &y).ok_or_else(too_far)?;
        Ok(GrundyTable::new(game, &region, bytes, cx)?.grundy(&y))
    };
    match by_recursion((16 * MODERATE).min(budget(cx))) {
        Ok(value) => return Ok((value.ok_or_else(off_board)?.to_string(), "recursion".into())),
        Err(StopReason::Size { .. }) => {}
        Err(why) => return Err(why.into()),
    }
    // Too far for a table of values: a proved function knows all of them.
    match learning::values(game, cx) {
        Ok(strategy) => {
            let value = strategy.grundy(x).ok_or_else(off_board)?;
            Ok((value.to_string(), "learned Grundy values, certified".into()))
        }
        Err((StopReason::Size { .. }, _)) => {
            Ok((by_recursion(budget(cx))?.ok_or_else(off_board)?.to_string(), "recursion".into()))
        }
        Err((why, _)) => Err(why.into()),
    }
}

/// The number of P-positions with 0 ≤ xᵢ < sizes[i] in the user's coordinates, and the method.
pub fn count(cx: &Context, game: &LatticeGame, sizes: &[BigUint]) -> Result<(BigUint, String), Failure> {
    if let Some(kernel) = ParityKernel::of_lattice(game) {
        return Ok((kernel.count(sizes), "parity-kernel".into()));
    }
    if sizes.contains(&BigUint::ZERO) {
        return Ok((BigUint::ZERO, "recursion".into()));
    }
    let too_far = || StopReason::Size { what: "bytes for the positions of the region", limit: budget(cx) };
    let sizes: Vec<i64> = sizes.iter().map(BigUint::to_i64).collect::<Option<_>>().ok_or_else(too_far)?;
    let d = game.dimension();
    let mut rows: Vec<Row> = Vec::new();
    for (i, size) in sizes.iter().enumerate() {
        for (sign, constant) in [(1, 0), (-1, size - 1)] {
            let row: Row = (0..=d).map(|j| if j == d { constant } else { sign * i64::from(i == j) }).collect();
            rows.push(game.chart().inner_row(&row).ok_or_else(too_far)?);
        }
    }
    let last: Vec<i64> = sizes.iter().map(|size| size - 1).collect();
    let region = Region::around_user_range(game, &vec![0; d], &last).ok_or_else(too_far)?;
    let recursion = Recursion::new(game, &region, budget(cx), cx)?;
    Ok((recursion.count_where(&rows).into(), "recursion".into()))
}

/// The report of `count`.
pub fn count_report(game: &str, sizes: &str, count: &BigUint, method: &str) -> Report {
    // Beyond 2^53 an integer is a string: programs that read numbers as doubles would round it.
    let number = count.to_u64().filter(|&n| n <= 1 << 53).map_or_else(|| json!(count.to_string()), |n| json!(n));
    Report::new(json!({"game": game, "box": sizes, "count": number, "method": method}), count.to_string())
}
