//! P-positions from a finite misère quotient: a hypothesis that needs no oracle.
//!
//! Sums of heaps map to a finite monoid Q, and a sum is a P-position iff its value lies in the P-portion. Reading
//! binary digits, x = w + 2ʲx' has the value of w times the product of Φ(i)^(2ʲx'ᵢ), so the residual after j digits is
//! given by the value of w and by the powers Φ(i)^(2ʲ), which repeat from some j on: |Q| states a track and level.

use rustc_hash::FxHashMap;

use crate::solve::quotient::Quotient;
use semilinear::run::StopReason;
use semilinear::vectorset::{Effort, VectorSet};

/// {x : the sum of xᵢ heaps of size `heaps[i]` is a P-position}, as the quotient says. Heaps must be known to it. This is
/// a hypothesis like any other until its certificate is checked.
///
/// # Complexity
/// O(|Q|·d·J) states before minimisation, J = number of different levels, at most a few.
///
/// ```
/// use impartial::{run::Unlimited, solve::learn::quotient_positions, solve::quotient::Builder, vectorset::Effort};
/// let mut nim = Builder::new();
/// nim.push(&[vec![]], &Unlimited).unwrap();
/// nim.push(&[vec![], vec![1]], &Unlimited).unwrap();
/// let set = quotient_positions(&nim.quotient(), &[1, 2], &Effort::unlimited())?;
/// assert!(set.contains_small(&[1, 0]) && set.contains_small(&[0, 1_000_000]) && !set.contains_small(&[0, 1]));
/// # Ok::<(), semilinear::run::StopReason>(())
/// ```
pub fn quotient_positions(quotient: &Quotient, heaps: &[u64], effort: &Effort<'_>) -> Result<VectorSet, StopReason> {
    let monoid = quotient.monoid();
    let first: Vec<u32> =
        heaps.iter().map(|&h| quotient.values()[usize::try_from(h).expect("a heap of the quotient")]).collect();
    // Φ(i)^(2ʲ) for all i, level by level, until a level repeats.
    let mut levels = vec![first];
    let repeat = loop {
        let last = &levels[levels.len() - 1];
        let squares: Vec<u32> = last.iter().map(|&a| monoid.product(a, a)).collect();
        if let Some(level) = levels.iter().position(|level| *level == squares) {
            break level;
        }
        levels.push(squares);
    };
    let d = heaps.len();
    let mut numbers: FxHashMap<(u32, usize, usize), u32> = FxHashMap::from_iter([((0, 0, 0), 0)]);
    let mut keys = vec![(0u32, 0usize, 0usize)];
    let mut next: Vec<[u32; 2]> = Vec::new();
    while next.len() < keys.len() {
        effort.allow(keys.len())?;
        let (value, level, track) = keys[next.len()];
        let (level_after, track_after) = match (track + 1 == d, level + 1 == levels.len()) {
            (false, _) => (level, track + 1),
            (true, false) => (level + 1, 0),
            (true, true) => (repeat, 0),
        };
        next.push([value, monoid.product(value, levels[level][track])].map(|value| {
            *numbers.entry((value, level_after, track_after)).or_insert_with_key(|key| {
                keys.push(*key);
                u32::try_from(keys.len() - 1).expect("limited by the effort")
            })
        }));
    }
    let accepting: Vec<u32> = (0u32..)
        .zip(&keys)
        .filter(|(_, (value, _, track))| *track == 0 && quotient.p().has(*value as usize))
        .map(|(state, _)| state)
        .collect();
    let set = VectorSet::from_table(d, &next, &accepting, effort)?;
    Ok(set.expect("values do not depend on zero digits"))
}
