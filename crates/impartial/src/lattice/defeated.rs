//! Order ideals of defeated positions.

use std::collections::BTreeSet;

use super::chart::dot;
use super::error::LatticeError;
use super::{LatticeGame, Row};
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
    functional: &[i64],
    least: i64,
    monitor: &dyn Monitor,
) -> Result<Vec<Vec<i64>>, LatticeError> {
    // A row that no rule can raise again prunes: subtracting γ with a·γ >= 0 never raises a·x + b.
    let one_way: Vec<&Row> =
        rows.iter().filter(|row| rules.iter().all(|rule| dot(row, rule).is_some_and(|x| x >= 0))).collect();
    let too_large = || LatticeError::TooLarge("the defeated set leaves 64-bit integers");
    let mut seen: BTreeSet<Vec<i64>> = generators.iter().cloned().collect();
    let mut stack: Vec<Vec<i64>> = seen.iter().cloned().collect();
    let mut visited = 0u64;
    while let Some(point) = stack.pop() {
        visited += 1;
        if visited.is_multiple_of(1024) {
            monitor.check(visited, None)?;
        }
        if visited > MOST_VECTORS {
            return Err(StopReason::Size { what: "vectors below the defeated positions", limit: MOST_VECTORS }.into());
        }
        for rule in rules {
            let below: Vec<i64> =
                point.iter().zip(rule).map(|(x, g)| x.checked_sub(*g)).collect::<Option<_>>().ok_or_else(too_large)?;
            if dot(functional, &below).ok_or_else(too_large)? < least {
                continue;
            }
            let lost = one_way.iter().try_fold(false, |lost, row| value(row, &below).map(|v| lost || v < 0));
            if !lost.ok_or_else(too_large)? && seen.insert(below.clone()) {
                stack.push(below);
            }
        }
    }
    let mut ideal = Vec::new();
    for point in seen {
        if LatticeGame::satisfies(rows, &point).ok_or_else(too_large)? {
            ideal.push(point);
        }
    }
    Ok(ideal)
}

/// a·x + b.
pub(super) fn value(row: &[i64], x: &[i64]) -> Option<i64> {
    dot(&row[..x.len()], x)?.checked_add(row[x.len()])
}
