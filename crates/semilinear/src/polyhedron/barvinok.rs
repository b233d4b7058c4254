//! Barvinok's signed decomposition of simplicial cones.

use super::triangulation::{GenericPoint, normals_of};
use crate::integer::{Int, Matrix, Vector, add, adjugate, is_zero_vector, lll};
use crate::run::{Monitor, StopReason};

/// A simplicial cone with a sign, without the facets that `open` names.
#[derive(Clone, Debug)]
pub(super) struct SignedCone {
    pub sign: i32,
    /// The rays, as rows.
    pub rays: Matrix,
    /// `|det|·(rays)⁻¹` up to the sign of the determinant: column j is the inner normal of the facet opposite to ray j.
    pub normals: Vec<Vector>,
    /// The index of the lattice of the rays: the absolute determinant.
    pub index: Int,
    /// Whether the facet opposite to ray j is removed.
    pub open: Vec<bool>,
}

/// Writes a simplicial cone as a sum of signed cones with index at most `max_index` (at least 1).
///
/// With α the shortest vector found in the lattice of coordinates, `w = α·R` is an integer vector, and modulo lower
/// dimensional cones `[K] = Σ sign(αᵢ) [Kᵢ]`, where Kᵢ has w in place of ray i and index |αᵢ|·|det R| (Barvinok 1994).
/// Made half-open by one generic interior point of the cone, the identity holds point by point.
///
/// # Complexity
/// The depth is O(log log index) for fixed dimension, since a shortest α has entries at most index^(−1/d).
pub(super) fn signed_decomposition(
    rays: &Matrix,
    max_index: &Int,
    generic: &GenericPoint,
    monitor: &dyn Monitor,
) -> Result<Vec<SignedCone>, StopReason> {
    let mut emitted = Vec::new();
    let mut rest = vec![(1, rays.clone())];
    while let Some((sign, rays)) = rest.pop() {
        monitor.check(emitted.len() as u64, None)?;
        let (inverse, determinant) = adjugate(&rays).expect("the rays of a simplicial cone are independent");
        let index = determinant.abs();
        if index <= *max_index || index.is_one() {
            let normals = normals_of(&inverse, &determinant);
            let open = normals.iter().map(|n| generic.is_negative(n)).collect();
            emitted.push(SignedCone { sign, rays, normals, index, open });
            continue;
        }
        let alpha = short_coordinates(&inverse, &determinant);
        let w: Vector = rays.left_times(&alpha).iter().map(|x| x.exact_div(&index)).collect();
        for (i, a) in alpha.iter().enumerate().filter(|(_, a)| !a.is_zero()) {
            let mut child = rays.clone();
            child.row_mut(i).clone_from_slice(&w);
            rest.push((sign * a.signum(), child));
        }
    }
    Ok(emitted)
}

/// The coordinates, times |det|, of a non-zero integer vector that are all smaller than |det| and not all ≤ 0.
fn short_coordinates(inverse: &Matrix, determinant: &Int) -> Vector {
    let n = inverse.rows();
    let index = determinant.abs();
    let basis = lll(inverse).to_rows();
    let mut candidates = basis.clone();
    if n <= 4 {
        // All combinations with coefficients −1, 0, 1, up to sign.
        let mut combinations: Vec<Vector> = Vec::new();
        for b in &basis {
            let mut more = vec![b.clone()];
            for c in &combinations {
                more.push(add(c, b));
                more.push(crate::integer::sub(c, b));
            }
            combinations.append(&mut more);
        }
        candidates = combinations;
    }
    // Integer coordinates may be dropped: centred remainders are at most |det|/2, so that every child is smaller.
    let centred = basis.iter().map(|b| b.iter().map(|x| x - &(&x.div_round(&index) * &index)).collect::<Vector>());
    candidates.extend(centred);
    let largest = |a: &Vector| a.iter().map(Int::abs).max().unwrap_or_default();
    let mut best = candidates
        .into_iter()
        .filter(|a| !is_zero_vector(a))
        .min_by_key(|a| (largest(a), a.iter().filter(|x| !x.is_zero()).count()))
        .expect("an index above 1 leaves a non-zero remainder");
    // If −w lay in the cone, the identity would pick up the whole space.
    if best.iter().all(|x| !x.is_positive()) {
        best = crate::integer::negated(&best);
    }
    best
}
