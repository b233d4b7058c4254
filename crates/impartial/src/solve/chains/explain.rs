//! The notions of Byrnes's proof as numbers: Q(A), T(A, k), W(A, k).

use super::{Kind, NEVER, Solution};
use crate::error::{Error, Result};
use crate::poset::chains::{ChainsGame, Meeting, Skeleton};
use semilinear::run::Monitor;

/// W is not looked for when there are more order ideals than this: each is solved as a game of its own.
const MOST_IDEALS: usize = 256;
/// Columns that are looked through for one T.
const MOST_COLUMNS: u64 = 1 << 20;

/// What the proof of the Poset Game Periodicity Theorem works with, for values up to k; m and n count elements of C and D.
///
/// ```
/// use impartial::{poset::chains::ChainsGame, run::Unlimited, solve::chains::Notions};
/// // Two chains of nim: every value has infinitely many positions, so that Q is empty.
/// let game = ChainsGame::from_toml("kind = \"chains\"\nelements = []\nrelations = []").unwrap();
/// let notions = Notions::new(&game, 3, &Unlimited)?;
/// assert!(notions.q.is_empty() && notions.w == Some(0));
/// # Ok::<(), impartial::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Notions {
    /// The values j ≤ k in Q(A): only finitely many different positions A_{m,n} have them.
    pub q: Vec<u32>,
    /// For each j of Q(A) a T(A, j): when n ≥ T(A, j), some move from A_{m,n} leads to the value j, whatever m is. It is the number of
    /// the paper (after Lemma 4), least over the pairs (m′, n′) that may be taken there.
    pub t: Vec<(u32, u64)>,
    /// W(A, k): the largest T(B, j) over the order ideals B of A and j ≤ k in Q(B), 0 when there is none; `None` when there are too many
    /// order ideals to go through.
    pub w: Option<u64>,
    /// The number of order ideals of A.
    pub ideals: usize,
}

impl Notions {
    /// The notions for a game with two chains.
    ///
    /// # Complexity
    /// One solution of the game for each order ideal of A.
    pub fn new(game: &ChainsGame, k: u64, monitor: &dyn Monitor) -> Result<Self> {
        if game.chains() != 2 {
            return Err(Error::input("Q(A), T and W are for games with two chains; leave --explain out"));
        }
        let skeleton = game.skeleton().map_err(Error::input)?;
        let whole = Solution::new(ChainsGame::two_chains(game.name().to_owned(), skeleton.clone()), k, monitor)?;
        let values = whole.values();
        let q: Vec<u32> = (0..=values).filter(|&j| in_q(&whole, j)).collect();
        let t = q.iter().filter_map(|&j| bound(&whole, j).map(|t| (j, t))).collect();
        let ideals: Vec<Vec<u32>> = whole.ideals().list().iter().map(|ideal| ideal.key.clone()).collect();
        let mut w = Some(0);
        if ideals.len() > MOST_IDEALS {
            w = None;
        } else {
            for (i, key) in ideals.iter().enumerate() {
                monitor.check(i as u64, Some(ideals.len() as u64))?;
                let part = ChainsGame::two_chains(game.name().to_owned(), restricted(&skeleton, key)?);
                let part = Solution::new(part, k, monitor)?;
                let largest = (0..=values).filter(|&j| in_q(&part, j)).filter_map(|j| bound(&part, j)).max();
                w = w.max(largest);
            }
        }
        Ok(Self { q, t, w, ideals: ideals.len() })
    }
}

/// Whether only finitely many different positions A_{m,n} have the value: f is not periodic (a constant f belongs to one position).
fn in_q(solution: &Solution, j: u32) -> bool {
    solution.pattern(j).is_some_and(|pattern| !matches!(pattern.kind(), Kind::Periodic(_)))
}

/// T(A, j) as in the paper: with (m′, n′) from Lemma 4, the largest of n′ + 1 and of all n_m, m ≤ m′, where n_m is the least number from
/// which on g(A_{m,n}) > j.
fn bound(solution: &Solution, j: u32) -> Option<u64> {
    let ideals = solution.ideals();
    let mut pairs: Vec<(u64, u64)> = Vec::new();
    // (i) c_{m′+1} > d_{n′+1} and g(A_{m′,n′}) = j.
    if let Kind::Constant(n) = solution.pattern(j)?.kind() {
        pairs.extend(solution.game().cross().last_at_most(n.into()).map(|m| (m, u64::from(n))));
    }
    // (ii) a < c_{m′+1}, a < d_{n′+1}, and the move a leads to the value j.
    for step in &ideals.list()[ideals.whole()].moves {
        if step.c_first != NEVER && step.d_first != NEVER {
            let (m, n) = (step.c_first - 1, step.d_first - 1);
            if solution.branch(step.to as usize, j).at(m) == Some(n) {
                pairs.push((m.into(), n.into()));
            }
        }
    }
    let patterns: Vec<_> = (0..=j).filter_map(|i| solution.pattern(i)).collect();
    let above = |m: u64| {
        let value = |n: num_bigint::BigUint| num_traits::ToPrimitive::to_u64(&n).map(|n| n + 1);
        patterns.iter().filter_map(|f| f.at(&m.into()).and_then(value)).max().unwrap_or(0)
    };
    let largest = |&(m, n): &(u64, u64)| (m < MOST_COLUMNS).then(|| (0..=m).map(above).max().unwrap_or(0).max(n + 1));
    pairs.iter().filter_map(largest).min()
}

/// The game on some of the elements of A.
fn restricted(skeleton: &Skeleton, kept: &[u32]) -> Result<Skeleton> {
    let kept: Vec<usize> = kept.iter().map(|&a| a as usize).collect();
    let meeting = |(first_above, below): (Option<u64>, u64)| Meeting { first_above, below: Some(below) };
    let relations: Vec<(usize, usize)> = (0..kept.len())
        .flat_map(|i| (0..kept.len()).map(move |j| (i, j)))
        .filter(|&(i, j)| skeleton.less(kept[i], kept[j]))
        .collect();
    Skeleton::new(
        kept.iter().map(|&a| skeleton.names()[a].clone()).collect(),
        &relations,
        kept.iter().map(|&a| meeting(skeleton.meets_c(a))).collect(),
        kept.iter().map(|&a| meeting(skeleton.meets_d(a))).collect(),
        skeleton.cross().clone(),
    )
    .map_err(Error::input)
}
