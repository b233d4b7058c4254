//! The equation of the P-positions, one rule at a time.
//!
//! The walk of [`super::certificate`] over all rules at once remembers for every coordinate which carries are still
//! open: 3ᵈ combinations when every coordinate is touched by some rule. One rule at a time remembers only what
//! *minimal* automata must: first that no x of S has an option in S, then what of B∖S has no winning move by the rules so
//! far. That shrinks to ∅ exactly when the equation holds.

use num_bigint::{BigInt, BigUint};
use num_traits::ToPrimitive as _;

use semilinear::run::StopReason;
use semilinear::vectorset::{Effort, VectorSet};

/// A vector at which `set` fails to be the set of P-positions, the least of its kind; `None` when it is that set. Entries
/// beyond 64 bits are cut to the largest number.
pub(super) fn counterexample(
    set: &VectorSet,
    board: &VectorSet,
    rules: &[Vec<i64>],
    effort: &Effort<'_>,
) -> Result<Option<Vec<u64>>, StopReason> {
    if let Some(x) = set.missing(board, effort)? {
        return Ok(Some(small(&x)));
    }
    let mut open = board.difference(set, effort)?;
    for (done, rule) in rules.iter().enumerate() {
        effort.monitor.check(done as u64, Some(rules.len() as u64))?;
        let rule: Vec<BigInt> = rule.iter().map(|&g| g.into()).collect();
        let moved = set.translation(&rule, effort)?;
        if let Some(x) = moved.intersection(set, effort)?.smallest(effort)? {
            return Ok(Some(small(&x)));
        }
        open = open.difference(&moved, effort)?;
        effort.monitor.trace(&|| {
            format!("certificate: rule {} of {}: {} states without a move yet", done + 1, rules.len(), open.states())
        });
    }
    Ok(open.smallest(effort)?.map(|x| small(&x)))
}

fn small(x: &[BigUint]) -> Vec<u64> {
    x.iter().map(|xi| xi.to_u64().unwrap_or(u64::MAX)).collect()
}
