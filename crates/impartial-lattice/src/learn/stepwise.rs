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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::InnerGame;
    use crate::learn::{Limits, certificate, p_positions};
    use semilinear::run::{Run, Unlimited};

    /// The equation by all rules at once and rule by rule, on right sets and wrong ones.
    #[test]
    fn both_ways_to_check_the_equation_agree() {
        let games = [
            (vec![vec![1, 0], vec![0, 1], vec![2, 2]], vec![], vec![1, 1]),
            (vec![vec![1, 0], vec![0, 1], vec![-1, 1]], vec![vec![0, 0]], vec![1, 2]),
            (vec![vec![1, 0, 0], vec![0, 1, 0], vec![0, 0, 1], vec![1, 1, 0]], vec![], vec![1, 1, 1]),
        ];
        for (rules, defeated, functional) in games {
            let text = format!("{rules:?}");
            let game = InnerGame::on_orthant(rules, defeated, &functional).unwrap();
            let Run::Finished(set) = p_positions(&game, &Limits::default(), &Unlimited) else { panic!("{text}") };
            let effort = Effort::unlimited();
            let board = certificate::board(&game, &effort).unwrap();
            let rules = game.inner_rules();
            assert_eq!(counterexample(&set, &board, rules, &effort), Ok(None), "{text}");
            let d = game.dimension();
            for (i, wrong) in [
                VectorSet::empty(d),
                VectorSet::full(d),
                board.difference(&set, &effort).unwrap(),
                set.union(&VectorSet::finite(d, &[vec![5u8.into(); d]], &effort).unwrap(), &effort).unwrap(),
                set.difference(&VectorSet::finite(d, &[vec![6u8.into(); d]], &effort).unwrap(), &effort).unwrap(),
                set.translation(&vec![1.into(); d], &effort).unwrap(),
            ]
            .iter()
            .enumerate()
            {
                if *wrong == set {
                    continue;
                }
                let x = counterexample(wrong, &board, rules, &effort).unwrap();
                let x = x.unwrap_or_else(|| panic!("{text}: wrong set {i} passes"));
                // The equation really fails there.
                let holds = |y: &[i64]| {
                    y.iter().all(|&yi| yi >= 0)
                        && wrong.contains_small(&y.iter().map(|&yi| u64::try_from(yi).unwrap()).collect::<Vec<_>>())
                };
                let y: Vec<i64> = x.iter().map(|&xi| i64::try_from(xi).unwrap()).collect();
                let some = rules.iter().any(|g| holds(&y.iter().zip(g).map(|(y, g)| y - g).collect::<Vec<_>>()));
                let sound = if board.contains_small(&x) { holds(&y) != some } else { !holds(&y) };
                assert!(!sound, "{text}: wrong set {i} at {x:?}");
                assert!(certificate::counterexample(&game, wrong, &effort).unwrap().is_some());
            }
        }
    }
}
