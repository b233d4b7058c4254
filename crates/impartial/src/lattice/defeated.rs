//! Order ideals of defeated positions.

use std::collections::BTreeSet;

use super::Row;
use super::error::LatticeError;
use impartial_lattice::product::{satisfies, value};
use semilinear::integer::Int;
use semilinear::run::{Monitor, StopReason};

/// The largest number of vectors looked at while a defeated set is closed.
const MOST_VECTORS: u64 = 1 << 22;

/// The order ideal {p ∈ Λ : q − p ∈ ℕΓ for some generator q}, sorted.
///
/// Steps between q and p need not lie in Λ, so the search walks outside of it too; it ends since every step lowers the
/// functional by at least 1 and `least` bounds it on Λ from below.
///
/// # Complexity
/// O(V·|Γ|·d log V) for V vectors of q − ℕΓ with functional at least `least`.
pub(super) fn closure(
    generators: &[Vec<i64>],
    rules: &[Vec<i64>],
    rows: &[Row],
    functional: &[Int],
    least: &Int,
    monitor: &dyn Monitor,
) -> Result<Vec<Vec<i64>>, LatticeError> {
    if generators.is_empty() {
        return Ok(Vec::new());
    }
    // A row that no rule can raise again prunes: subtracting γ with a·γ >= 0 never raises a·x + b.
    let mut one_way: Vec<&Row> = Vec::new();
    for row in rows {
        monitor.check(0, None)?;
        let d = row.len() - 1;
        let entries: Vec<(usize, i128)> = (0..d).filter(|&i| row[i] != 0).map(|i| (i, i128::from(row[i]))).collect();
        let raised = |rule: &Vec<i64>| entries.iter().map(|&(i, a)| a * i128::from(rule[i])).sum::<i128>() < 0;
        if !rules.iter().any(raised) {
            one_way.push(row);
        }
    }
    let too_large = || LatticeError::TooLarge("the defeated set leaves 64-bit integers");
    let mut seen: BTreeSet<Vec<i64>> = generators.iter().cloned().collect();
    let mut stack: Vec<Vec<i64>> = seen.iter().cloned().collect();
    let mut visited = 0u64;
    while let Some(point) = stack.pop() {
        visited += 1;
        if visited.is_multiple_of(64) {
            monitor.check(visited, None)?;
        }
        if visited > MOST_VECTORS {
            return Err(StopReason::Size { what: "vectors below the defeated positions", limit: MOST_VECTORS }.into());
        }
        for rule in rules {
            let below: Vec<i64> =
                point.iter().zip(rule).map(|(x, g)| x.checked_sub(*g)).collect::<Option<_>>().ok_or_else(too_large)?;
            let height: Int = functional.iter().zip(&below).map(|(l, x)| l * &Int::from(*x)).sum();
            if height < *least {
                continue;
            }
            let lost = one_way.iter().try_fold(false, |lost, row| value(row, &below).map(|v| lost || v < 0));
            if !lost.ok_or_else(too_large)? && seen.insert(below.clone()) {
                stack.push(below);
            }
        }
    }
    let mut ideal = Vec::new();
    for (i, point) in seen.into_iter().enumerate() {
        if i % 1024 == 0 {
            monitor.check(visited, None)?;
        }
        if satisfies(rows, &point).ok_or_else(too_large)? {
            ideal.push(point);
        }
    }
    Ok(ideal)
}
