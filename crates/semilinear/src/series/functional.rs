//! Functionals that make expansions agree.

use crate::integer::{Affine, Int, LinearProgram, Rat, Vector, dot, primitive, scale};
use crate::run::Unlimited;

/// An integer functional that is positive on all the vectors, if there is one: an exact linear program.
pub(super) fn common_functional<'a>(
    dimension: usize,
    vectors: impl Iterator<Item = &'a Vector> + Clone,
) -> Option<Vector> {
    let ones = vec![Int::ONE; dimension];
    if vectors.clone().all(|a| dot(&ones, a).is_positive()) {
        return Some(ones);
    }
    let mut inequalities: Vec<Affine> = vectors.map(|a| Affine::new(a.clone(), -1)).collect();
    inequalities.sort();
    inequalities.dedup();
    let program = LinearProgram { dimension, inequalities, equations: Vec::new() };
    let point = program.feasible_point(&Unlimited).expect("no limits").ok()?;
    let denominator = point.iter().fold(Int::ONE, |d, x| d.lcm(x.denominator()));
    let scaled = |x: &Rat| x.numerator() * &denominator.exact_div(x.denominator());
    Some(primitive(point.iter().map(scaled).collect()))
}

/// An integer functional that is positive on all the vectors, if there is one: then they lie in a pointed cone, and series with
/// these denominators can be expanded together.
///
/// ```
/// use semilinear::{integer::vector, series::positive_functional};
/// assert!(positive_functional(2, &[vector(&[1, -1]), vector(&[-1, 2])]).is_some());
/// assert!(positive_functional(1, &[vector(&[1]), vector(&[-1])]).is_none());
/// ```
pub fn positive_functional(dimension: usize, vectors: &[Vector]) -> Option<Vector> {
    common_functional(dimension, vectors.iter())
}

/// A functional near `base` that vanishes on none of `nonzero` and is positive wherever `base` is among `positive`
/// and on those of `nonzero` where `base` is; `base` itself if that will do.
pub(super) fn generic_functional<'a>(
    base: &[Int],
    positive: &[Vector],
    nonzero: &(impl Iterator<Item = &'a Vector> + Clone),
) -> Vector {
    if nonzero.clone().all(|a| !dot(base, a).is_zero()) {
        return base.to_vec();
    }
    let good = |l: &[Int]| {
        nonzero.clone().all(|a| {
            let (old, new) = (dot(base, a).signum(), dot(l, a).signum());
            new != 0 && (old == 0 || old == new)
        }) && positive.iter().all(|a| dot(l, a).is_positive() || !dot(base, a).is_positive())
    };
    let mut candidate = base.to_vec();
    let mut state = 0x2545_f491_4f6c_dd1du64;
    let mut weight = Int::from(8);
    while !good(&candidate) {
        candidate = scale(&weight, base);
        for x in &mut candidate {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            *x += Int::from(state % 17) - Int::from(8);
        }
        // Growing weights keep every sign of the base; the random part removes the zeros.
        weight = &weight * &Int::from(4);
        if weight.bits() > 600 {
            // Zeros that survive so many draws need larger random parts.
            let spread = Int::from(state);
            candidate[0] += spread;
            weight = &weight * &Int::from(1 << 30);
        }
    }
    candidate
}
