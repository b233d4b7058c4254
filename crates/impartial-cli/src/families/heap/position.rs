//! Heap positions on the command line: reading, options, drawings.

use impartial::heap::{HeapRules, heaps_from_text, heaps_to_text};
use num_bigint::BigUint;
use num_traits::ToPrimitive as _;
use semilinear::run::StopReason;

use crate::report::{Failure, bad_input};

/// No more options than this are listed for one position.
const MOST_OPTIONS: u64 = 1_000_000;

/// The heaps of a position, sorted, empty heaps left out.
pub fn read(text: &str) -> Result<Vec<BigUint>, Failure> {
    let mut heaps = heaps_from_text(text).map_err(bad_input)?;
    heaps.sort_unstable();
    Ok(heaps)
}

/// The heaps as machine numbers, for what looks at every smaller heap anyway.
pub fn small(heaps: &[BigUint]) -> Result<Vec<u64>, Failure> {
    heaps
        .iter()
        .map(|heap| {
            heap.to_u64().ok_or_else(|| {
                bad_input(format!("heap {heap} is beyond 2^64; solve the game first and give the file with --strategy"))
            })
        })
        .collect()
}

/// Every option of a sum of heaps, sorted, without repeats.
pub fn options(rules: &HeapRules, heaps: &[u64]) -> Result<Vec<Vec<u64>>, Failure> {
    let too_many = || Failure::Stopped(StopReason::Size { what: "options of one position", limit: MOST_OPTIONS });
    let mut all = Vec::new();
    let mut budget = MOST_OPTIONS;
    for (i, &heap) in heaps.iter().enumerate() {
        if i > 0 && heaps[i - 1] == heap {
            continue;
        }
        for option in rules.options_within(heap, budget).ok_or_else(too_many)? {
            budget = budget.checked_sub(1 + heaps.len() as u64).ok_or_else(too_many)?;
            let mut position = heaps.to_vec();
            position.remove(i);
            position.extend(option);
            position.sort_unstable();
            all.push(position);
        }
    }
    all.sort_unstable();
    all.dedup();
    Ok(all)
}

/// One row of beans a heap, the size at its end.
pub fn drawing(heaps: &[BigUint]) -> String {
    if heaps.is_empty() {
        return "(no heap is left)".into();
    }
    let row = |heap: &BigUint| match heap.to_usize() {
        Some(beans) if beans <= 60 => format!("  {}  {heap}", "o".repeat(beans)),
        _ => format!("  {} …  {heap}", "o".repeat(56)),
    };
    heaps.iter().map(row).collect::<Vec<_>>().join("\n")
}

/// Three heaps of different sizes, of which at least the largest has a move.
pub fn start(rules: &HeapRules) -> Result<String, Failure> {
    let movable = |&heap: &u64| rules.options_within(heap, MOST_OPTIONS).is_none_or(|options| !options.is_empty());
    let first = (1..=100).find(movable).ok_or_else(|| bad_input("no heap up to 100 has a move; give a POSITION"))?;
    Ok(heaps_to_text(&[first + 2, first + 4, first + 6]))
}
