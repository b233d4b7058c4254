//! The integer points of a cone by their degrees: a Stanley decomposition that is added up as it is found.

use rustc_hash::FxHashMap;

use super::Cone;
use super::barvinok::signed_decomposition;
use super::hilbert_basis::coordinates;
use super::simplex_points::Parallelepiped;
use super::subdivision::{Part, subdivide};
use super::triangulation::{GenericPoint, visit_simplices};
use crate::integer::{Int, Matrix, Vector, dot, solve_integer, zero_vector};
use crate::run::{Monitor, StopReason};

/// The rational function `Σ numerator[k] s^k / Π (1 − s^d)` over the degrees d.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GradedPiece {
    /// The degrees of the denominator, increasing and positive.
    pub degrees: Vec<usize>,
    /// The coefficients of the numerator.
    pub numerator: Vec<i64>,
}

/// Numerators have no more coefficients than this, together.
const MOST_COEFFICIENTS: usize = 1 << 26;
/// Simplices of a larger index are cut into parts.
const WHOLE: i64 = 1 << 20;
/// Parts of a larger index are cut further.
const PART: i64 = 10_000;
/// What parts of more than `WHOLE` that cannot be cut are decomposed into, when no ray of a piece has degree 0.
const SIGNED: i64 = 1 << 10;

/// Σ s^(degree of x) over the integer points x of a pointed cone on which the grading is positive, except in 0: one piece for each
/// list of degrees that the rays of a simplex have. `None` when a number does not fit into machine integers.
///
/// Every simplex of a triangulation, without some of its facets, is the sum of translates of the semigroup of its rays by the
/// points of its parallelepiped (Stanley). Simplices and points are added to their numerator as they are found; memory holds
/// the boundary of the triangulation only.
///
/// # Complexity
/// O(d) for each point of the parallelepipeds, of which there are as many as the normalised volume says.
///
/// ```
/// use semilinear::{integer::vector, polyhedron::{Cone, graded_points}, run::Unlimited};
/// let cone = Cone::from_generators(2, &[vector(&[1, 0]), vector(&[1, 2])], &[], &Unlimited).unwrap();
/// let pieces = graded_points(&cone, &vector(&[1, 0]), &Unlimited).unwrap().unwrap();
/// assert_eq!((&pieces[0].degrees[..], &pieces[0].numerator[..]), (&[1, 1][..], &[1, 1, 0][..])); // (1 + s)/(1 − s)²
/// ```
pub fn graded_points(
    cone: &Cone,
    grading: &[Int],
    monitor: &dyn Monitor,
) -> Result<Option<Vec<GradedPiece>>, StopReason> {
    decomposed_from([WHOLE, PART, SIGNED], cone, grading, monitor)
}

/// As [`graded_points`], with simplices of an index above `whole` cut into cones of index at most `part`, or signed cones of index at
/// most `signed`.
fn decomposed_from(
    [whole, part, signed]: [i64; 3],
    cone: &Cone,
    grading: &[Int],
    monitor: &dyn Monitor,
) -> Result<Option<Vec<GradedPiece>>, StopReason> {
    assert!(cone.is_pointed(), "the points of a cone with a line have no degrees");
    if cone.rays().is_empty() {
        return Ok(Some(vec![GradedPiece { degrees: vec![], numerator: vec![1] }]));
    }
    let (mut rays, grading) = if cone.is_full_dimensional() {
        (cone.rays().to_vec(), grading.to_vec())
    } else {
        let zero = zero_vector(cone.equations().rows());
        let basis = solve_integer(cone.equations(), &zero).expect("0 solves homogeneous equations").basis;
        (coordinates(&basis, cone.rays()), basis.times(grading))
    };
    rays.sort();
    let small = |v: &Vector| v.iter().map(Int::to_i64).collect::<Option<Vec<i64>>>();
    let Some(short) = rays.iter().map(small).collect::<Option<Vec<_>>>() else { return Ok(None) };
    let degrees: Option<Vec<i64>> = rays.iter().map(|ray| dot(&grading, ray).to_i64()).collect();
    let Some(degrees) = degrees.filter(|degrees| degrees.iter().all(|&d| d > 0 && d < 1 << 24)) else {
        return Ok(None);
    };
    let generic = GenericPoint::inside(&rays);
    let mut sum = Sum { grading, numerators: FxHashMap::default(), coefficients: 0, fits: true };
    let finished = visit_simplices(&rays, monitor, &mut |simplex| {
        let own: Vec<i64> = simplex.rays.iter().map(|&i| degrees[i]).collect();
        let index = simplex.index.to_i64();
        if index == Some(1) {
            sum.add_unimodular(&own, &simplex.open);
            return sum.go_on();
        }
        let chosen: Vec<&[i64]> = simplex.rays.iter().map(|&i| short[i].as_slice()).collect();
        if index.is_none_or(|index| index > whole) {
            return subdivide(&chosen, part, monitor, &mut |part| {
                sum.add_part(&part, whole, signed, &generic, monitor)
            });
        }
        sum.add(1, &chosen, &own, &simplex.open, monitor)?;
        sum.go_on()
    });
    match finished {
        Ok(true) => Ok(Some(sum.pieces())),
        Ok(false) => Ok(None),
        Err(_) if !sum.fits => Ok(None),
        Err(why) => Err(why),
    }
}

struct Sum {
    grading: Vector,
    numerators: FxHashMap<Vec<usize>, Vec<i64>>,
    coefficients: usize,
    /// False after a number that did not fit.
    fits: bool,
}

impl Sum {
    /// The visit of the triangulation ends where numbers do not fit.
    fn go_on(&self) -> Result<(), StopReason> {
        if self.fits { Ok(()) } else { Err(StopReason::Size { what: "coefficients", limit: MOST_COEFFICIENTS as u64 }) }
    }

    /// The numerator for these degrees, with room for every point; nothing when there is too much of it.
    fn numerator(&mut self, degrees: &[i64]) -> Option<&mut Vec<i64>> {
        let mut key: Vec<usize> =
            degrees.iter().map(|d| usize::try_from(d.unsigned_abs()).unwrap_or(usize::MAX)).collect();
        key.sort_unstable();
        let length = key.iter().fold(1_usize, |sum, &d| sum.saturating_add(d));
        if !self.numerators.contains_key(&key) {
            self.coefficients = self.coefficients.saturating_add(length);
            if self.coefficients > MOST_COEFFICIENTS {
                self.fits = false;
                return None;
            }
        }
        Some(self.numerators.entry(key).or_insert_with(|| vec![0; length]))
    }

    /// A unimodular simplex: its least point is the sum of the rays opposite to removed facets.
    fn add_unimodular(&mut self, degrees: &[i64], open: &[bool]) {
        let least: i64 = degrees.iter().zip(open).map(|(d, &open)| if open { *d } else { 0 }).sum();
        if let Some(numerator) = self.numerator(degrees) {
            numerator[place(least)] += 1;
        }
    }

    /// A simplicial cone with a sign; degrees are not 0, and 1/(1 − s^(−d)) = −s^d/(1 − s^d).
    fn add(
        &mut self,
        sign: i64,
        rays: &[&[i64]],
        degrees: &[i64],
        open: &[bool],
        monitor: &dyn Monitor,
    ) -> Result<(), StopReason> {
        let Some(cell) = Parallelepiped::new(rays) else {
            self.fits = false;
            return Ok(());
        };
        let index = cell.index;
        let total = degrees.iter().try_fold(0_i64, |sum, d| sum.checked_add(d.checked_abs()?));
        if total.and_then(|total| total.checked_mul(index)).is_none() {
            self.fits = false;
            return Ok(());
        }
        let negative = degrees.iter().filter(|d| **d < 0);
        let shift: i64 = negative.clone().map(|d| -d).sum();
        let sign = if negative.count() % 2 == 0 { sign } else { -sign };
        let Some(numerator) = self.numerator(degrees) else { return Ok(()) };
        // A coordinate 0 opposite to a removed facet counts as 1.
        let least: i64 = degrees.iter().zip(open).map(|(d, &open)| if open { *d } else { 0 }).sum();
        numerator[place(least + shift)] += sign;
        if cell.degrees(degrees, open, monitor, |degree| numerator[place(degree)] += sign)? {
            return Ok(());
        }
        let removed: Vec<i64> = degrees.iter().zip(open).map(|(d, &open)| if open { d * index } else { 0 }).collect();
        cell.points(monitor, |lambda| {
            let terms = lambda.iter().zip(degrees).zip(&removed);
            let degree: i64 = terms.map(|((&l, d), &removed)| if l == 0 { removed } else { l * d }).sum();
            numerator[place(degree / index + shift)] += sign;
            Ok(())
        })
    }

    /// A part of a simplicial cone of a large index.
    fn add_part(
        &mut self,
        part: &Part,
        whole: i64,
        signed: i64,
        generic: &GenericPoint,
        monitor: &dyn Monitor,
    ) -> Result<(), StopReason> {
        let exact = |row: &Vec<i64>| row.iter().map(|&x| Int::from(x)).collect::<Vector>();
        let rays: Vec<Vector> = part.rays.iter().map(exact).collect();
        if part.inverse.as_ref().is_none_or(|(index, _)| *index > whole)
            && self.add_decomposed(&Matrix::from_rows(rays.len(), &rays), signed, generic, monitor)?
        {
            return self.go_on();
        }
        let degrees = rays.iter().map(|ray| dot(&self.grading, ray).to_i64().filter(|d| *d < 1 << 24));
        let (Some((_, inverse)), Some(degrees)) = (&part.inverse, degrees.collect::<Option<Vec<i64>>>()) else {
            self.fits = false;
            return self.go_on();
        };
        let normal = |j: usize| inverse.iter().map(|row| Int::from(row[j])).collect::<Vector>();
        let open: Vec<bool> = (0..rays.len()).map(|j| generic.is_negative(&normal(j))).collect();
        let rays: Vec<&[i64]> = part.rays.iter().map(Vec::as_slice).collect();
        self.add(1, &rays, &degrees, &open, monitor)?;
        self.go_on()
    }

    /// A simplicial cone of a large index, by Barvinok's decomposition; `false` when a piece cannot be added.
    fn add_decomposed(
        &mut self,
        rays: &Matrix,
        part: i64,
        generic: &GenericPoint,
        monitor: &dyn Monitor,
    ) -> Result<bool, StopReason> {
        let cones = signed_decomposition(rays, &Int::from(part), generic, monitor)?;
        let mut parts = Vec::with_capacity(cones.len());
        for cone in cones {
            let small = |ray: &[Int]| ray.iter().map(Int::to_i64).collect::<Option<Vec<i64>>>();
            let degree = |ray: &[Int]| dot(&self.grading, ray).to_i64().filter(|d| *d != 0 && d.abs() < 1 << 24);
            let rays = cone.rays.iter_rows().map(small).collect::<Option<Vec<_>>>();
            let degrees = cone.rays.iter_rows().map(degree).collect::<Option<Vec<_>>>();
            let (Some(rays), Some(degrees)) = (rays, degrees) else { return Ok(false) };
            parts.push((cone.sign, rays, degrees, cone.open));
        }
        for (sign, rays, degrees, open) in parts {
            let rays: Vec<&[i64]> = rays.iter().map(Vec::as_slice).collect();
            self.add(sign.into(), &rays, &degrees, &open, monitor)?;
        }
        Ok(true)
    }

    fn pieces(self) -> Vec<GradedPiece> {
        let mut pieces: Vec<GradedPiece> =
            self.numerators.into_iter().map(|(degrees, numerator)| GradedPiece { degrees, numerator }).collect();
        pieces.sort_by(|a, b| a.degrees.cmp(&b.degrees));
        pieces
    }
}

fn place(degree: i64) -> usize {
    usize::try_from(degree).expect("a point of a parallelepiped has no negative degree once the signs are turned")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::integer::vector;
    use crate::run::Unlimited;
    use proptest::prelude::*;

    /// The first coefficients of the sum of the pieces as a power series.
    fn expanded(pieces: &[GradedPiece], length: usize) -> Vec<i64> {
        let mut sum = vec![0; length];
        for piece in pieces {
            let mut series = piece.numerator.clone();
            series.resize(length, 0);
            for &d in &piece.degrees {
                for k in d..length {
                    series[k] += series[k - d];
                }
            }
            for (sum, c) in sum.iter_mut().zip(series) {
                *sum += c;
            }
        }
        sum
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(60))]
        #[test]
        fn points_are_counted_by_their_degrees(
            rays in prop::collection::vec(prop::collection::vec(0i64..6, 3), 1..6),
            grading in prop::collection::vec(1i64..4, 3),
        ) {
            let rays: Vec<Vector> = rays.iter().map(|r| vector(r)).filter(|r| r.iter().any(|x| !x.is_zero())).collect();
            prop_assume!(!rays.is_empty());
            let cone = Cone::from_generators(3, &rays, &[], &Unlimited).unwrap();
            let mut expected = vec![0i64; 16];
            for n in 0..16 * 16 * 16 {
                let x = [n % 16, n / 16 % 16, n / 256];
                let degree = usize::try_from(x.iter().zip(&grading).map(|(x, g)| x * g).sum::<i64>()).unwrap();
                if degree < 16 && cone.contains(&vector(&x)) {
                    expected[degree] += 1;
                }
            }
            for limits in [[i64::MAX, 1, 1], [1, 1, 1], [3, 2, 1], [5, 5, 2], [1, i64::MAX, 1], [1, i64::MAX, 3]] {
                let pieces = decomposed_from(limits, &cone, &vector(&grading), &Unlimited).unwrap().unwrap();
                prop_assert_eq!(&expanded(&pieces, 16), &expected);
            }
        }
    }
}
