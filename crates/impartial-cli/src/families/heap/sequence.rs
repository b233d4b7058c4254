//! Normal play by Grundy sequences: `values`, `period`, `solve`, and Grundy values of positions.

use impartial::heap::heaps_to_text;
use num_bigint::BigUint;

use super::{HeapFamily, position};
use crate::args;
use crate::context::Context;
use crate::families::unsupported;
use crate::report::{Answer, Failure};

/// `values`.
pub fn values(_game: &HeapFamily, _cx: &Context, _args: &args::ValuesArgs) -> Answer {
    unsupported("values", "heap")
}

/// `period`.
pub fn period(_game: &HeapFamily, _cx: &Context, _args: &args::PeriodArgs) -> Answer {
    unsupported("period", "heap")
}

/// `solve` in normal play.
pub fn solve(_game: &HeapFamily, _cx: &Context, _args: &args::SolveArgs) -> Answer {
    unsupported("solve", "heap")
}

/// The Grundy value of a sum of heaps (sorted, none empty), and the method used.
pub fn grundy(game: &HeapFamily, cx: &Context, heaps: &[BigUint]) -> Result<(String, String), Failure> {
    let heaps = position::small(heaps)?;
    let values = plain(game, cx, heaps.last().copied().unwrap_or(0))?;
    let value = heaps.iter().fold(0, |sum, &heap| sum ^ at(&values, heap));
    Ok((value.to_string(), "search".into()))
}

/// Every winning move in normal play, as resulting positions, and the method used.
pub fn winning_moves(game: &HeapFamily, cx: &Context, heaps: &[BigUint]) -> Result<(Vec<String>, String), Failure> {
    let heaps = position::small(heaps)?;
    let values = plain(game, cx, heaps.last().copied().unwrap_or(0))?;
    let mut moves = position::options(&game.rules, &heaps)?;
    moves.retain(|option| option.iter().fold(0, |sum, &heap| sum ^ at(&values, heap)) == 0);
    Ok((moves.iter().map(|heaps| heaps_to_text(heaps)).collect(), "search".into()))
}

fn at(values: &[u64], heap: u64) -> u64 {
    usize::try_from(heap).ok().and_then(|heap| values.get(heap).copied()).expect("values reach the largest heap")
}

/// Grundy values of heaps 0..=n by the definition.
fn plain(game: &HeapFamily, cx: &Context, n: u64) -> Result<Vec<u64>, Failure> {
    use impartial::run::{Monitor as _, StopReason};
    const LIMIT: u64 = 1_000_000;
    let too_large = || Failure::Stopped(StopReason::Size { what: "heaps looked at", limit: LIMIT });
    if n > LIMIT {
        return Err(too_large());
    }
    let mut values: Vec<u64> = Vec::new();
    for heap in 0..=n {
        cx.check(heap, Some(n))?;
        let options = game.rules.options_within(heap, 100_000_000).ok_or_else(too_large)?;
        let mut seen: Vec<u64> =
            options.iter().map(|option| option.iter().fold(0, |sum, &part| sum ^ at(&values, part))).collect();
        seen.sort_unstable();
        seen.dedup();
        let mex = (0..).zip(&seen).find(|(i, value)| i != *value).map_or(seen.len() as u64, |(i, _)| i);
        values.push(mex);
    }
    Ok(values)
}
