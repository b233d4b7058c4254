//! Exact counting in boxes of any size: strata are lattices in polygons, and those are sums of floors.

use num_bigint::{BigInt, BigUint};
use num_integer::Integer as _;
use num_traits::{One as _, Signed as _, Zero as _};

use super::{Sectors, Vector2, det};

impl Sectors {
    /// The number of points with 0 ≤ x < sizes\[0\] and 0 ≤ y < sizes\[1\], in inner coordinates, each point as often as
    /// translates f + ℕ{…} contain it: the exact count when they are disjoint, which
    /// [`overlap`](super::proof::overlap) proves.
    ///
    /// # Complexity
    /// O(digits) divisions a translate, by Euclid's algorithm.
    ///
    /// ```
    /// use impartial::solve::sector::{Sectors, Stratum};
    /// use num_bigint::BigUint;
    /// // The points (2a + b, 3b).
    /// let set = Sectors::new(vec![[2, 0], [1, 3]], vec![Stratum { value: 0, generators: vec![0, 1], points: vec![[0, 0]] }]);
    /// let side = BigUint::from(10u8).pow(100);
    /// let count = set.count(&[side.clone(), side.clone()]);
    /// assert!(count < &side * &side / 6u8 + &side && &count * 6u8 > &side * &side * 5u8 / 6u8);
    /// assert_eq!(set.count(&[4u8.into(), 4u8.into()]), 4u8.into()); // (0,0), (2,0), (1,3), (3,3)
    /// ```
    pub fn count(&self, sizes: &[BigUint; 2]) -> BigUint {
        let tops = sizes.clone().map(|n| BigInt::from(n) - 1);
        let mut total = BigInt::zero();
        for stratum in &self.strata {
            let rays: Vec<Vector2> = stratum.generators.iter().map(|&g| self.rays[g]).collect();
            for f in &stratum.points {
                total += translates(&[&tops[0] - f[0], &tops[1] - f[1]], &rays);
            }
        }
        total.to_biguint().unwrap_or_default()
    }
}

/// The number of elements z of ℕ{rays} with z ≤ room, for at most two independent rays without negative entries.
fn translates(room: &[BigInt; 2], rays: &[Vector2]) -> BigInt {
    if room.iter().any(BigInt::is_negative) {
        return BigInt::zero();
    }
    match rays {
        [] => BigInt::one(),
        [u] => most(room, *u) + 1,
        [u, v, ..] => {
            // For each multiple a of u: the multiples of v that still fit. Which coordinate ends them changes once.
            let (u, v) = if det(*u, *v) > 0 { (*u, *v) } else { (*v, *u) };
            let last = most(room, u);
            let by = |c: usize, from: &BigInt, to: &BigInt| row_sum(&room[c], u[c], v[c], from, to);
            let zero = BigInt::zero();
            match (v[0], v[1]) {
                (0, _) => by(1, &zero, &last),
                (_, 0) => by(0, &zero, &last),
                _ => {
                    // (A − a·u₀)/v₀ ≤ (B − a·u₁)/v₁ iff a ≥ (A·v₁ − B·v₀)/det(u, v).
                    let change = (&room[0] * v[1] - &room[1] * v[0]).div_ceil(&det(u, v).into());
                    let change = change.clamp(zero.clone(), &last + 1);
                    by(1, &zero, &(&change - 1)) + by(0, &change, &last)
                }
            }
        }
    }
}

/// The largest a with a·u ≤ room; u is not zero.
fn most(room: &[BigInt; 2], u: Vector2) -> BigInt {
    let limits = room.iter().zip(u).filter(|(_, u)| *u > 0).map(|(room, u)| room.div_floor(&u.into()));
    limits.min().unwrap_or_default()
}

/// Σ (⌊(room − a·u)/v⌋ + 1) over from ≤ a ≤ to, where room − to·u ≥ 0.
fn row_sum(room: &BigInt, u: i64, v: i64, from: &BigInt, to: &BigInt) -> BigInt {
    if to < from {
        return BigInt::zero();
    }
    let terms: BigInt = to - from + 1;
    floor_sum(&terms, &v.into(), &u.into(), &(room - to * u)) + terms
}

/// Σ ⌊(a·i + b)/m⌋ over 0 ≤ i < n, for m > 0 and a, b ≥ 0 (Graham, Knuth, Patashnik, Concrete Mathematics, 3.5).
fn floor_sum(n: &BigInt, m: &BigInt, a: &BigInt, b: &BigInt) -> BigInt {
    let (mut n, mut m, mut a, mut b) = (n.clone(), m.clone(), a.clone(), b.clone());
    let mut sum = BigInt::zero();
    loop {
        let (q, r) = a.div_mod_floor(&m);
        sum += &n * (&n - 1) / 2 * q;
        a = r;
        let (q, r) = b.div_mod_floor(&m);
        sum += &n * q;
        b = r;
        let top = &a * &n + &b;
        if top < m {
            return sum;
        }
        // The lattice points below the line, seen from the other axis.
        let (q, r) = top.div_mod_floor(&m);
        n = q;
        b = r;
        std::mem::swap(&mut m, &mut a);
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::Stratum;
    use super::*;

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(200))]

        #[test]
        fn counts_agree_with_enumeration(
            u in [0i64..6, 0i64..6], v in [0i64..6, 0i64..6], f in [0i64..9, 0i64..9], n in [0u32..60, 0u32..60],
        ) {
            prop_assume!(det(u, v) != 0);
            for generators in [vec![], vec![0], vec![1], vec![0, 1]] {
                let rays = [u, v];
                let mut expected = 0u32;
                for a in 0..if generators.contains(&0) { 60 } else { 1 } {
                    for b in 0..if generators.contains(&1) { 60 } else { 1 } {
                        let inside = (0..2).all(|c| f[c] + a * u[c] + b * v[c] < i64::from(n[c]));
                        expected += u32::from(inside);
                    }
                }
                let set = Sectors::new(rays.to_vec(), vec![Stratum { value: 0, generators, points: vec![f] }]);
                prop_assert_eq!(set.count(&n.map(BigUint::from)), BigUint::from(expected));
            }
        }
    }
}
