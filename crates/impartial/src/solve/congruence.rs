//! Congruence of positions, from the set of P-positions as an automaton.
//!
//! Two positions p and q are congruent when p + r ∈ P ⇔ q + r ∈ P for every r of the board's recession cone (Guo–Miller 2011,
//! Definition 6.1). The shifted sets S_p = {r : p + r ∈ P} have canonical automata, so that congruence is an equality of
//! values; and the whole relation is an automaton as well, since `∀r` is one more operation on automata.

use num_bigint::{BigInt, BigUint};
use num_traits::Zero as _;

use semilinear::run::StopReason;
use semilinear::vectorset::{Effort, VectorSet};

/// The least r ∈ ℕᵈ (by the sum of its coordinates, then lexicographically) with exactly one of p + r and q + r in the set;
/// `None` when there is none: then p and q are congruent on the orthant.
///
/// # Complexity
/// Two shifts (2ᵈ n log|p| states before they are minimised), and when they differ one product and one shortest-path search.
///
/// ```
/// use impartial::solve::congruence::witness;
/// use semilinear::vectorset::{Effort, VectorSet};
/// let effort = Effort::unlimited();
/// let fours = VectorSet::congruence(&[1], 0, 4, &effort)?;
/// assert_eq!(witness(&fours, &[3u8.into()], &[7u8.into()], &effort)?, None);
/// assert_eq!(witness(&fours, &[3u8.into()], &[6u8.into()], &effort)?, Some(vec![1u8.into()]));
/// # Ok::<(), semilinear::run::StopReason>(())
/// ```
pub fn witness(
    set: &VectorSet,
    p: &[BigUint],
    q: &[BigUint],
    effort: &Effort<'_>,
) -> Result<Option<Vec<BigUint>>, StopReason> {
    witness_in(set, &VectorSet::full(set.dimension()), p, q, effort)
}

/// [`witness`] with r ∈ `cone` only: for boards other than the orthant, the vectors of the recession cone.
pub fn witness_in(
    set: &VectorSet,
    cone: &VectorSet,
    p: &[BigUint],
    q: &[BigUint],
    effort: &Effort<'_>,
) -> Result<Option<Vec<BigUint>>, StopReason> {
    let (at_p, at_q) = (set.shift(p, effort)?, set.shift(q, effort)?);
    if at_p == at_q {
        return Ok(None);
    }
    at_p.symmetric_difference(&at_q, effort)?.intersection(cone, effort)?.smallest(effort)
}

/// The relation {(p₁, q₁, p₂, q₂, …, p_d, q_d) : p ≅ q} ⊂ ℕ²ᵈ of congruence on the orthant, the coordinates of p and q in turn.
///
/// # Complexity
/// One projection of an automaton for {(p, q, r)} with 3d tracks: exponential at worst, small for the sets of small games.
///
/// ```
/// use impartial::solve::congruence::relation;
/// use semilinear::vectorset::{Effort, VectorSet};
/// let effort = Effort::unlimited();
/// let fours = VectorSet::congruence(&[1], 0, 4, &effort)?;
/// assert_eq!(relation(&fours, &effort)?, VectorSet::congruence(&[1, -1], 0, 4, &effort)?);
/// # Ok::<(), semilinear::run::StopReason>(())
/// ```
pub fn relation(set: &VectorSet, effort: &Effort<'_>) -> Result<VectorSet, StopReason> {
    let d = set.dimension();
    if 3 * d > semilinear::vectorset::MAX_DIMENSION {
        return Err(StopReason::Size {
            what: "tracks of an automaton",
            limit: semilinear::vectorset::MAX_DIMENSION as u64,
        });
    }
    let unit = |i: usize| (0..d).map(|j| i64::from(i == j)).collect::<Vec<i64>>();
    // Tracks p₁, q₁, r₁, p₂, …: a coordinate's sum is known as soon as its three digits are.
    let sum = |first: bool| {
        let columns: Vec<Vec<i64>> = (0..d)
            .flat_map(|i| if first { [unit(i), vec![0; d], unit(i)] } else { [vec![0; d], unit(i), unit(i)] })
            .collect();
        set.preimage(&vec![BigInt::zero(); d], &columns, effort)
    };
    let told_apart = sum(true)?.symmetric_difference(&sum(false)?, effort)?;
    let r: Vec<usize> = (0..d).map(|i| 3 * i + 2).collect();
    Ok(told_apart.exists(&r, effort)?.complement())
}
