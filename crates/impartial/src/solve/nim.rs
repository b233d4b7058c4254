//! Nim itself, for heaps of any size (Bouton 1901).

use num_bigint::BigUint;
use num_traits::One as _;

use crate::outcome::{Outcome, Play};

/// The Grundy value of a sum of Nim heaps: their nim-sum.
///
/// ```
/// use impartial::solve::nim;
/// assert_eq!(nim::grundy(&[1_u8.into(), 3_u8.into(), 6_u8.into()]), 4_u8.into());
/// ```
pub fn grundy(heaps: &[BigUint]) -> BigUint {
    heaps.iter().fold(BigUint::ZERO, |sum, heap| sum ^ heap)
}

/// The outcome of a sum of Nim heaps. Misère play differs only when no heap has two beans or more: then an odd
/// number of heaps of one is a P-position.
pub fn outcome(heaps: &[BigUint], play: Play) -> Outcome {
    let small = heaps.iter().all(|heap| *heap <= BigUint::one());
    let zero = grundy(heaps) == BigUint::ZERO;
    Outcome::p_if(zero != (small && play == Play::Misere))
}

/// Every winning move, each with its heaps sorted and empty heaps left out; sorted, without repeats.
///
/// # Complexity
/// O(n²) operations on the sizes of n heaps: a heap can only move to its own size ⊕ the nim-sum or, in misère
/// play, to 0 or 1.
pub fn winning_moves(heaps: &[BigUint], play: Play) -> Vec<Vec<BigUint>> {
    let sum = grundy(heaps);
    let mut moves = Vec::new();
    for (i, heap) in heaps.iter().enumerate() {
        for left in [heap ^ &sum, BigUint::ZERO, BigUint::one()] {
            if left >= *heap {
                continue;
            }
            let mut next = heaps.to_vec();
            next[i] = left;
            if outcome(&next, play).is_p() {
                next.retain(|heap| *heap != BigUint::ZERO);
                next.sort_unstable();
                moves.push(next);
            }
        }
    }
    moves.sort_unstable();
    moves.dedup();
    moves
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::heap::HeapRules;
    use crate::solve::search::Search;
    use semilinear::run::Unlimited;

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(100))]
        #[test]
        fn nim_agrees_with_the_search(heaps in prop::collection::vec(0_u64..7, 0..5)) {
            let rules: HeapRules = "0.[3]".parse().unwrap();
            let mut search = Search::new(&rules, &Unlimited);
            let big: Vec<BigUint> = heaps.iter().map(|&heap| heap.into()).collect();
            prop_assert_eq!(grundy(&big), search.grundy(&heaps).unwrap().into());
            let live: Vec<u64> = heaps.iter().copied().filter(|&heap| heap > 0).collect();
            for play in [Play::Normal, Play::Misere] {
                prop_assert_eq!(outcome(&big, play), search.outcome(play, &heaps).unwrap());
                let moves: Vec<Vec<BigUint>> = search
                    .winning_moves(play, &live)
                    .unwrap()
                    .into_iter()
                    .map(|option| option.into_iter().map(Into::into).collect())
                    .collect();
                prop_assert_eq!(winning_moves(&big, play), moves);
            }
        }
    }
}
