//! Counting lattice points.

use super::lattice_points::pieces_on_hull;
use super::{LatticePointsError, Piece, Polyhedron};
use crate::integer::modular::{power, prime_below};
use crate::integer::{Int, Matrix, Rat, dot, rank, unit_vector};
use crate::run::Monitor;

/// Cones of at most this index are not decomposed further: listing their points is faster.
const STOP_INDEX: u64 = 200;

/// The number of lattice points of a bounded polyhedron.
///
/// The generating function is evaluated at t = 1, a pole of its terms: with `t = (1 + s)^λ` for a generic direction λ, the
/// count is the sum of the terms' coefficients of s⁰. That is done modulo primes near 2⁶¹; the box around the vertices bounds
/// the count, and as many primes are taken as the bound needs, so that the result is exact.
///
/// # Complexity
/// That of [`lattice_points`](super::lattice_points), plus O(d³) operations modulo each prime for each piece.
///
/// ```
/// use semilinear::{integer::{Affine, Int, vector}, polyhedron::{Polyhedron, lattice_point_count}, run::Unlimited};
/// let triangle = Polyhedron::from_constraints(
///     2,
///     &[Affine::new(vector(&[1, 0]), 0), Affine::new(vector(&[0, 1]), 0), Affine::new(vector(&[-2, -3]), 6)],
///     &[],
///     &Unlimited,
/// ).unwrap();
/// assert_eq!(lattice_point_count(&triangle, &Unlimited).unwrap(), Int::from(7));
/// ```
pub fn lattice_point_count(polyhedron: &Polyhedron, monitor: &dyn Monitor) -> Result<Int, LatticePointsError> {
    if !polyhedron.is_bounded() {
        return Err(LatticePointsError::Unbounded);
    }
    let pieces = pieces_on_hull(polyhedron, STOP_INDEX, monitor)?;
    if pieces.is_empty() {
        return Ok(Int::ZERO);
    }
    let n = pieces[0].points[0].len();
    let direction = generic_direction(n, &pieces);
    let bound = box_size(polyhedron);
    let (mut count, mut modulus) = (Int::ZERO, Int::ONE);
    let mut prime = 1u64 << 61;
    while modulus <= bound {
        prime = prime_below(prime);
        // A prime that divides an exponent of a denominator would make a new pole.
        let Some(residue) = count_modulo(&pieces, &direction, prime, monitor)? else { continue };
        // Chinese remainders: count ≡ residue (mod prime).
        let p = Int::from(prime);
        let inverse = Int::from(power(modulus.mod_u64(prime), prime - 2, prime));
        let step = (&(&Int::from(residue) - &count) * &inverse).mod_floor(&p);
        count.add_product(&modulus, &step);
        modulus = &modulus * &p;
    }
    Ok(count)
}

/// A bound for the number of points: the size of the box around the vertices, in coordinates that determine a point of the
/// affine hull, the shortest sides first.
fn box_size(polyhedron: &Polyhedron) -> Int {
    let vertices = polyhedron.vertices();
    let n = polyhedron.ambient_dimension();
    let mut sides: Vec<(Int, usize)> = (0..n)
        .map(|i| {
            let low = vertices.iter().map(|v| &v[i]).min().map_or(Int::ZERO, Rat::ceil);
            let high = vertices.iter().map(|v| &v[i]).max().map_or(Int::ZERO, Rat::floor);
            ((&(&high - &low) + &Int::ONE).max(Int::ZERO), i)
        })
        .collect();
    sides.sort();
    // Equations eᵢ, and xⱼ = cⱼ for the chosen j, must determine x: the unit vectors are added greedily to the rows.
    let mut rows: Vec<Vec<Int>> = polyhedron.equations().iter().map(|e| e.normal.clone()).collect();
    let mut size = Int::ONE;
    for (side, j) in sides {
        rows.push(unit_vector(n, j));
        if rank(&Matrix::from_rows(n, &rows)) == rows.len() {
            size = &size * &side;
        } else {
            rows.pop();
        }
    }
    size
}

/// A direction that is orthogonal to no ray, with small entries.
fn generic_direction(n: usize, pieces: &[Piece]) -> Vec<Int> {
    let mut state = 0x9e37_79b9_7f4a_7c15u64;
    let mut size = 8;
    loop {
        let direction: Vec<Int> = (0..n)
            .map(|_| {
                state ^= state << 13;
                state ^= state >> 7;
                state ^= state << 17;
                &Int::from(state % (2 * size + 1)) - &Int::from(size)
            })
            .collect();
        if pieces.iter().flat_map(|piece| &piece.rays).all(|a| !dot(&direction, a).is_zero()) {
            return direction;
        }
        size = (size * 2).min(1 << 40);
    }
}

/// The count modulo a prime, or nothing when the prime divides an exponent.
fn count_modulo(
    pieces: &[Piece],
    direction: &[Int],
    prime: u64,
    monitor: &dyn Monitor,
) -> Result<Option<u64>, LatticePointsError> {
    let field = Montgomery::new(prime);
    let mut total = 0;
    let largest = pieces.iter().map(|piece| piece.rays.len()).max().unwrap_or(0);
    let inverses: Vec<u64> = (0..=largest as u64 + 1).map(|k| field.inside(power(k, prime - 2, prime))).collect();
    let numbers: Vec<u64> = (0..=largest as u64 + 1).map(|k| field.inside(k)).collect();
    for (done, piece) in pieces.iter().enumerate() {
        monitor.check(done as u64, Some(pieces.len() as u64)).map_err(LatticePointsError::Stopped)?;
        let d = piece.rays.len();
        // The numerator Σ (1 + s)^e up to s^d.
        let mut product = vec![0; d + 1];
        for p in &piece.points {
            let e = field.inside(dot(direction, p).mod_u64(prime));
            let mut binomial = field.one;
            for (k, sum) in product.iter_mut().enumerate() {
                *sum = field.plus(*sum, binomial);
                binomial = field.times(field.times(binomial, field.minus(e, numbers[k])), inverses[k + 1]);
            }
        }
        // Divide by (1 − (1 + s)^g)/s = −g(1 + Σ_k (g−1)…(g−k)/(k+1)! s^k) for each ray; the factors −g come last.
        let mut leading = field.one;
        let mut divisor = vec![0; d + 1];
        for ray in &piece.rays {
            let g = field.inside(dot(direction, ray).mod_u64(prime));
            if g == 0 {
                return Ok(None);
            }
            leading = field.times(leading, field.minus(0, g));
            let mut coefficient = field.one;
            for k in 1..=d {
                coefficient = field.times(field.times(coefficient, field.minus(g, numbers[k])), inverses[k + 1]);
                divisor[k] = coefficient;
            }
            for k in 1..=d {
                let mut value = product[k];
                for j in 1..=k {
                    value = field.minus(value, field.times(divisor[j], product[k - j]));
                }
                product[k] = value;
            }
        }
        let value = field.times(product[d], field.inverse(leading));
        total = if piece.sign > 0 { field.plus(total, value) } else { field.minus(total, value) };
    }
    Ok(Some(field.outside(total)))
}

/// Montgomery's arithmetic modulo an odd prime below 2⁶²: x is kept as x·2⁶⁴, so that no division is needed.
struct Montgomery {
    prime: u64,
    /// −1/prime modulo 2⁶⁴.
    negative_inverse: u64,
    /// 2⁶⁴ and 2¹²⁸ modulo the prime.
    one: u64,
    square: u64,
}

impl Montgomery {
    fn new(prime: u64) -> Self {
        // Newton: each step doubles the number of right digits; prime·prime ≡ 1 modulo 8.
        let mut inverse = prime;
        for _ in 0..5 {
            inverse = inverse.wrapping_mul(2u64.wrapping_sub(prime.wrapping_mul(inverse)));
        }
        let remainder = |x: u128| u64::try_from(x % u128::from(prime)).expect("a remainder is below its modulus");
        let one = remainder(1 << 64);
        let square = remainder(u128::from(one) * u128::from(one));
        Self { prime, negative_inverse: inverse.wrapping_neg(), one, square }
    }

    /// a·b/2⁶⁴.
    fn times(&self, a: u64, b: u64) -> u64 {
        let product = u128::from(a) * u128::from(b);
        #[allow(clippy::cast_possible_truncation)] // the low half is meant
        let m = (product as u64).wrapping_mul(self.negative_inverse);
        // Below 2¹²³ + 2¹²⁶: the sum fits, and its low half is 0.
        let sum = (product + u128::from(m) * u128::from(self.prime)) >> 64;
        #[allow(clippy::cast_possible_truncation)] // below 2·prime
        let reduced = sum as u64;
        if reduced >= self.prime { reduced - self.prime } else { reduced }
    }

    fn plus(&self, a: u64, b: u64) -> u64 {
        let sum = a + b;
        if sum >= self.prime { sum - self.prime } else { sum }
    }

    fn minus(&self, a: u64, b: u64) -> u64 {
        if a >= b { a - b } else { a + self.prime - b }
    }

    fn inside(&self, x: u64) -> u64 {
        self.times(x, self.square)
    }

    fn outside(&self, x: u64) -> u64 {
        self.times(x, 1)
    }

    fn inverse(&self, x: u64) -> u64 {
        let (mut base, mut exponent, mut result) = (x, self.prime - 2, self.one);
        while exponent > 0 {
            if exponent & 1 == 1 {
                result = self.times(result, base);
            }
            base = self.times(base, base);
            exponent >>= 1;
        }
        result
    }
}

#[cfg(test)]
mod tests {
    use super::super::lattice_points;
    use super::*;
    use crate::integer::{Affine, vector};
    use crate::run::Unlimited;
    use proptest::prelude::*;

    fn polyhedron(dimension: usize, inequalities: &[Vec<i64>], equations: &[Vec<i64>]) -> Polyhedron {
        let affine = |rows: &[Vec<i64>]| -> Vec<Affine> {
            rows.iter().map(|r| Affine::new(vector(&r[..dimension]), r[3])).collect()
        };
        Polyhedron::from_constraints(dimension, &affine(inequalities), &affine(equations), &Unlimited).unwrap()
    }

    #[test]
    fn large_counts_and_refusals() {
        // 0 ≤ x, y ≤ 10^30.
        let bound = Int::from(10).pow(30);
        let rows = [
            Affine::new(vector(&[1, 0]), 0),
            Affine::new(vector(&[0, 1]), 0),
            Affine::new(vector(&[-1, 0]), bound.clone()),
            Affine::new(vector(&[0, -1]), bound.clone()),
        ];
        let square = Polyhedron::from_constraints(2, &rows, &[], &Unlimited).unwrap();
        assert_eq!(lattice_point_count(&square, &Unlimited).unwrap(), (&bound + &Int::ONE).pow(2));
        let half = Polyhedron::from_constraints(2, &rows[..3], &[], &Unlimited).unwrap();
        assert_eq!(lattice_point_count(&half, &Unlimited), Err(LatticePointsError::Unbounded));
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(150))]
        #[test]
        fn counts_are_those_of_brute_force(
            dimension in 1usize..4,
            mut rows in prop::collection::vec(prop::collection::vec(-5i64..6, 4), 0..4),
            equations in prop::collection::vec(prop::collection::vec(-3i64..4, 4), 0..2),
        ) {
            for i in 0..dimension {
                for sign in [1, -1] {
                    let mut row = vec![0; 4];
                    row[i] = 2 * sign;
                    row[3] = 9;
                    rows.push(row);
                }
            }
            let p = polyhedron(dimension, &rows, &equations);
            let mut expected = 0;
            let mut x = vec![-4i64; dimension];
            'all: loop {
                let value = |r: &Vec<i64>| r[3] + r.iter().zip(&x).map(|(a, b)| a * b).sum::<i64>();
                if rows.iter().all(|r| value(r) >= 0) && equations.iter().all(|r| value(r) == 0) {
                    expected += 1;
                }
                for c in &mut x {
                    *c += 1;
                    if *c <= 4 {
                        continue 'all;
                    }
                    *c = -4;
                }
                break;
            }
            prop_assert_eq!(lattice_point_count(&p, &Unlimited).unwrap(), Int::from(expected));
            // Every way to stop the decomposition gives the same function.
            let direction = vector(&[101, -37, 5]);
            for index in [1, 3, 1000] {
                let pieces = lattice_points(&p, index, &Unlimited).unwrap();
                if pieces.iter().flat_map(|q| &q.rays).all(|r| !dot(&direction, r).is_zero()) {
                    let count = count_modulo(&pieces, &direction[..dimension], prime_below(1 << 61), &Unlimited).unwrap();
                    prop_assert_eq!(count, Some(expected));
                }
            }
        }
    }
}
