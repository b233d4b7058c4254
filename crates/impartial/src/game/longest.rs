//! The longest play from a position: the bound B(x) of progressively bounded games.

use rustc_hash::FxHashMap;
use semilinear::run::{Monitor, StopReason};

use super::position::Position;
use crate::error::Result;

/// No more positions than this are looked at.
const MOST_POSITIONS: usize = 1 << 20;

/// The greatest number of moves that can be made from a sum of positions: B(x) = 0 without options, else one more than the largest
/// B(y) of an option y; in a sum the numbers add up.
///
/// # Complexity
/// Every position that can be reached is looked at once, with its options.
pub(super) fn longest_play(
    components: &[Position],
    options: &dyn Fn(&Position) -> Result<Vec<Vec<Position>>>,
    monitor: &dyn Monitor,
) -> Result<u64> {
    // What a position keeps beside its text does not change its hash.
    #[allow(clippy::mutable_key_type)]
    let mut known: FxHashMap<Position, u64> = FxHashMap::default();
    let mut open = components.to_vec();
    while let Some(top) = open.last().cloned() {
        monitor.check(known.len() as u64, None)?;
        if known.contains_key(&top) {
            open.pop();
            continue;
        }
        let mut longest = 0;
        let before = open.len();
        for option in options(&top)? {
            let mut length = 1;
            for part in option {
                match known.get(&part) {
                    Some(more) => length += more,
                    None => open.push(part),
                }
            }
            longest = longest.max(length);
        }
        if open.len() == before {
            known.insert(top, longest);
            open.pop();
        }
        if known.len() > MOST_POSITIONS || open.len() > 8 * MOST_POSITIONS {
            return Err(StopReason::Size { what: "positions of a play", limit: MOST_POSITIONS as u64 }.into());
        }
    }
    Ok(components.iter().map(|part| known[part]).sum())
}
