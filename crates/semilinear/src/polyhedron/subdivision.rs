//! Large simplicial cones cut into smaller ones at lattice points below the hyperplane of their rays.
//!
//! A lattice point x = Σ λᵢ rᵢ with all λᵢ ≥ 0 cuts the cone into those with x in place of a ray rᵢ, λᵢ > 0; their indices are λᵢ
//! times the old one, so that the sum falls when Σ λᵢ < 1. Short points are looked for in floating point (a reduced basis of the lattice
//! of coordinates, rounding near random targets), which decides nothing but how good the cuts are: a point counts only
//! when its coordinates, exact integers, say so.

use super::simplex_points::scaled_inverse;
use super::triangulation::triangulation;
use crate::integer::{Int, Vector};
use crate::run::{Monitor, StopReason};

/// Targets near which lattice points are looked for: at first, and in each further cone.
const TARGETS: [usize; 2] = [20_000, 60];

/// A simplicial cone that is not cut further.
pub(super) struct Part {
    pub rays: Vec<Vec<i64>>,
    /// The index of the lattice of the rays, and their inverse times the index: column j is the inner normal of the facet opposite to
    /// ray j. Nothing when these numbers do not fit.
    pub inverse: Option<(i64, Vec<Vec<i64>>)>,
}

/// Cuts a simplicial cone until every part has an index of at most `most` or no lattice point was found below its rays. The
/// parts cover the cone and meet in faces.
///
/// # Complexity
/// O(d³) operations a part, and d⁴ for the reduced basis.
pub(super) fn subdivide(
    rays: &[&[i64]],
    most: i64,
    monitor: &dyn Monitor,
    visit: &mut dyn FnMut(Part) -> Result<(), StopReason>,
) -> Result<(), StopReason> {
    let mut random = Random(0x9e37_79b9_7f4a_7c15);
    let (mut rest, mut parts, mut first) = (vec![rays.iter().map(|ray| ray.to_vec()).collect::<Vec<_>>()], 0, true);
    while let Some(rays) = rest.pop() {
        monitor.check(parts, None)?;
        let slices: Vec<&[i64]> = rays.iter().map(Vec::as_slice).collect();
        let inverse = scaled_inverse(&slices);
        let lower = match &inverse {
            Some((index, inverse)) if *index > most => {
                lower_points(inverse, *index, TARGETS[usize::from(!first)], &mut random)
            }
            _ => Vec::new(),
        };
        let Some((index, _)) = inverse.as_ref().filter(|_| !lower.is_empty()) else {
            parts += 1;
            visit(Part { rays, inverse })?;
            continue;
        };
        let point = |coordinates: &Vec<i64>| point(coordinates, &rays, *index);
        let cut = if first {
            // The lowest points together make better shapes than one after the other.
            let lowest = lower.iter().take(2 * rays.len()).map(point).collect::<Option<Vec<_>>>();
            lowest.map(|lowest| placed(lowest, &rays, monitor)).transpose()?
        } else {
            point(&lower[0]).map(|x| star(&x, &lower[0], &rays))
        };
        first = false;
        match cut {
            Some(cut) => rest.extend(cut),
            None => visit(Part { rays, inverse })?,
        }
    }
    Ok(())
}

/// The cones with x in place of one ray.
fn star(x: &[i64], coordinates: &[i64], rays: &[Vec<i64>]) -> Vec<Vec<Vec<i64>>> {
    let with =
        |i: usize| rays.iter().enumerate().map(|(j, ray)| if i == j { x.to_vec() } else { ray.clone() }).collect();
    (0..rays.len()).filter(|&i| coordinates[i] > 0).map(with).collect()
}

/// The cones of a triangulation by placing, the points inside before the rays.
fn placed(
    mut points: Vec<Vec<i64>>,
    rays: &[Vec<i64>],
    monitor: &dyn Monitor,
) -> Result<Vec<Vec<Vec<i64>>>, StopReason> {
    points.extend_from_slice(rays);
    let exact: Vec<Vector> = points.iter().map(|x| x.iter().map(|&x| Int::from(x)).collect()).collect();
    let simplices = triangulation(&exact, monitor)?;
    Ok(simplices.iter().map(|simplex| simplex.iter().map(|&i| points[i].clone()).collect()).collect())
}

/// The integer point with these coordinates, times the index.
fn point(coordinates: &[i64], rays: &[Vec<i64>], index: i64) -> Option<Vec<i64>> {
    let entry = |c: usize| {
        let terms = coordinates.iter().zip(rays).map(|(&l, ray)| i128::from(l).checked_mul(ray[c].into()));
        let sum = terms.into_iter().try_fold(0_i128, |sum, term| sum.checked_add(term?))?;
        i64::try_from(sum / i128::from(index)).ok()
    };
    (0..rays.len()).map(entry).collect()
}

/// Coordinates (times the index) of lattice points of the cone with a sum below 1, the least sums first, as far as they are found.
fn lower_points(inverse: &[Vec<i64>], index: i64, targets: usize, random: &mut Random) -> Vec<Vec<i64>> {
    let d = inverse.len();
    let mut basis = inverse.to_vec();
    let Some((directions, norms)) = reduce(&mut basis) else { return Vec::new() };
    let mut found: Vec<(i128, Vec<i64>)> = Vec::new();
    let mut offer = |x: Vec<i64>| {
        let sum: i128 = x.iter().map(|&x| i128::from(x)).sum();
        if x.iter().all(|x| *x >= 0) && sum > 0 && sum < index.into() {
            found.push((sum, x));
        }
    };
    for b in &basis {
        offer(b.clone());
        offer(b.iter().map(|x| -x).collect());
    }
    // A cone of this index has about one point with a sum below (d!/index)^(1/d).
    #[allow(clippy::cast_precision_loss)] // a guess
    let (scale, factorial) = (index as f64, (1..=d).map(|k| k as f64).product::<f64>());
    #[allow(clippy::cast_precision_loss)]
    let expected = (factorial / scale).powf(1.0 / d as f64).min(1.0);
    for k in 0..targets {
        #[allow(clippy::cast_precision_loss)]
        let sum = expected * (1.0 + 1.5 * (k as f64 + 0.5) / targets as f64) * scale;
        // Half of the targets are near the middle.
        let middle = if k % 2 == 0 { 2.0 } else { 0.0 };
        let weights: Vec<f64> = (0..d).map(|_| middle + random.weight()).collect();
        let total: f64 = weights.iter().sum();
        if let Some(x) = near(weights.iter().map(|w| w / total * sum).collect(), &basis, &directions, &norms) {
            offer(x);
        }
    }
    found.sort();
    found.dedup();
    found.into_iter().map(|(_, x)| x).collect()
}

/// A lattice point near a target (Babai's nearest plane).
fn near(mut target: Vec<f64>, basis: &[Vec<i64>], directions: &[Vec<f64>], norms: &[f64]) -> Option<Vec<i64>> {
    let mut x = vec![0_i64; target.len()];
    for j in (0..basis.len()).rev() {
        let multiple = rounded(product(&target, &directions[j]) / norms[j])?;
        if multiple != 0 {
            for ((x, target), &b) in x.iter_mut().zip(&mut target).zip(&basis[j]) {
                let step = multiple.checked_mul(b)?;
                *x = x.checked_add(step)?;
                #[allow(clippy::cast_precision_loss)]
                {
                    *target -= step as f64;
                }
            }
        }
    }
    Some(x)
}

/// Orthogonal directions of a basis, and the squares of their lengths.
type Orthogonal = (Vec<Vec<f64>>, Vec<f64>);

/// Makes the vectors of a basis short, as Lenstra, Lenstra and Lovász do, but all exchanges of a round at once and for a
/// limited number of rounds; every step is exact on the integers. Nothing when a number does not fit.
fn reduce(basis: &mut [Vec<i64>]) -> Option<Orthogonal> {
    for _ in 0..60 {
        let (directions, norms) = orthogonal(basis);
        for k in 1..basis.len() {
            let (before, from) = basis.split_at_mut(k);
            for j in (0..k).rev() {
                let multiple = rounded(product(&floats(&from[0]), &directions[j]) / norms[j])?;
                if multiple != 0 {
                    for (x, &y) in from[0].iter_mut().zip(&before[j]) {
                        *x = x.checked_sub(multiple.checked_mul(y)?)?;
                    }
                }
            }
        }
        let (directions, norms) = orthogonal(basis);
        let (mut k, mut done) = (1, true);
        while k < basis.len() {
            let part = product(&floats(&basis[k]), &directions[k - 1]) / norms[k - 1];
            let exchange = norms[k] < (0.99 - part * part) * norms[k - 1];
            if exchange {
                basis.swap(k, k - 1);
                done = false;
            }
            k += if exchange { 2 } else { 1 };
        }
        if done {
            break;
        }
    }
    Some(orthogonal(basis))
}

fn orthogonal(basis: &[Vec<i64>]) -> Orthogonal {
    let (mut directions, mut norms): Orthogonal = (Vec::new(), Vec::new());
    for b in basis {
        let mut direction = floats(b);
        for (other, norm) in directions.iter().zip(&norms) {
            let part = product(&direction, other) / norm;
            direction.iter_mut().zip(other).for_each(|(x, y)| *x -= part * y);
        }
        norms.push(product(&direction, &direction).max(f64::MIN_POSITIVE));
        directions.push(direction);
    }
    (directions, norms)
}

fn product(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

#[allow(clippy::cast_precision_loss)] // a guess
fn floats(a: &[i64]) -> Vec<f64> {
    a.iter().map(|&x| x as f64).collect()
}

/// The nearest integer, if it is moderate.
fn rounded(x: f64) -> Option<i64> {
    let x = x.round();
    #[allow(clippy::cast_possible_truncation)] // below 2⁶²
    (x.abs() < 4e18).then_some(x as i64)
}

/// Marsaglia's xorshift: the same numbers in every run.
struct Random(u64);

impl Random {
    /// A positive number, mostly below 1 and sometimes much larger.
    fn weight(&mut self) -> f64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        let unit = f64::from(u32::try_from(self.0 >> 32).expect("32 bits")) / f64::from(u32::MAX);
        unit / (1.1 - unit)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::integer::{Matrix, determinant};
    use crate::run::Unlimited;
    use proptest::prelude::*;

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(40))]
        #[test]
        fn parts_cover_the_cone_once(rays in prop::collection::vec(prop::collection::vec(-20_i64..21, 3), 3)) {
            let slices: Vec<&[i64]> = rays.iter().map(Vec::as_slice).collect();
            let Some((index, whole)) = scaled_inverse(&slices) else { return Ok(()) };
            let (mut parts, mut sum) = (Vec::new(), 0);
            subdivide(&slices, 5, &Unlimited, &mut |part| {
                parts.push(part);
                Ok(())
            }).unwrap();
            let inside = |inverse: &[Vec<i64>], x: [i64; 3]| {
                let signs: Vec<i64> = (0..3).map(|j| (0..3).map(|k| x[k] * inverse[k][j]).sum::<i64>().signum()).collect();
                (signs.iter().all(|s| *s >= 0), signs.iter().all(|s| *s > 0))
            };
            for part in &parts {
                let (index, _) = part.inverse.as_ref().unwrap();
                let exact: Vec<Vector> = part.rays.iter().map(|r| r.iter().map(|&x| Int::from(x)).collect()).collect();
                prop_assert_eq!(determinant(&Matrix::from_rows(3, &exact)).abs(), Int::from(*index));
                sum += index;
            }
            prop_assert!(sum <= index, "{} {}", sum, index);
            for n in 0..9 * 9 * 9 {
                let x = [n % 9 - 4, n / 9 % 9 - 4, n / 81 - 4];
                let hits: Vec<(bool, bool)> = parts.iter().map(|part| inside(&part.inverse.as_ref().unwrap().1, x)).collect();
                prop_assert_eq!(hits.iter().any(|h| h.0), inside(&whole, x).0);
                prop_assert!(hits.iter().filter(|h| h.1).count() <= 1);
            }
        }
    }
}
