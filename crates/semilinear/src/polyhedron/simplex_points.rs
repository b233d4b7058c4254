//! The lattice points of a simplicial cone's parallelepiped in machine integers.

use num_traits::{CheckedDiv, CheckedMul, CheckedSub, PrimInt, Signed};

use crate::run::{Monitor, StopReason};

/// The rays of a simplicial cone in ℤᵈ, made ready for listing the points Σ λⱼ rⱼ, 0 ≤ λⱼ < 1.
pub(super) struct Parallelepiped {
    /// The absolute determinant.
    pub index: i64,
    /// Row i: the coordinates λ of the i-th unit vector, times the index, modulo the index.
    units: Vec<Vec<i64>>,
    /// Row i: what takes the i-th coordinate of a representative from its largest value back to 0.
    backs: Vec<Vec<i64>>,
    /// Every class modulo the rays has exactly one representative x with 0 ≤ xᵢ < `box_[i]`.
    box_: Vec<i64>,
}

impl Parallelepiped {
    /// `None` when a number does not fit, or the rays are dependent.
    pub fn new(rays: &[&[i64]]) -> Option<Self> {
        let box_ = diagonal::<i64>(rays).or_else(|| diagonal::<i128>(rays))?;
        let index = box_.iter().try_fold(1_i64, |product, &h| product.checked_mul(h))?;
        if index == 1 {
            return Some(Self { index, units: Vec::new(), backs: Vec::new(), box_ });
        }
        let units = match unit_coordinates::<i64>(rays, index) {
            Some(units) => units,
            None => unit_coordinates::<i128>(rays, index)?,
        };
        // λ·(1 − end) modulo the index.
        let back = |(unit, &end): (&Vec<i64>, &i64)| {
            let steps = i128::from(1 - end);
            let reduced = |&l: &i64| i64::try_from((i128::from(l) * steps).rem_euclid(index.into()));
            unit.iter().map(reduced).collect::<Result<Vec<i64>, _>>().ok()
        };
        let backs = units.iter().zip(&box_).map(back).collect::<Option<_>>()?;
        Some(Self { index, units, backs, box_ })
    }

    /// Gives the coordinates λ (times the index) of every point but 0 to `visit`.
    pub fn points(
        &self,
        monitor: &dyn Monitor,
        mut visit: impl FnMut(&[i64]) -> Result<(), StopReason>,
    ) -> Result<(), StopReason> {
        let mut place = vec![0_i64; self.box_.len()];
        let mut lambda = vec![0_i64; self.box_.len()];
        // Most coordinates of representatives are 0.
        let axes: Vec<usize> = (0..self.box_.len()).filter(|&i| self.box_[i] > 1).collect();
        for count in 1..self.index.unsigned_abs() {
            if count.is_multiple_of(1024) {
                monitor.check(count, Some(self.index.unsigned_abs()))?;
            }
            // The next place: the first coordinate that can grow, those before it begin again.
            for &i in &axes {
                let x = &mut place[i];
                let grows = *x + 1 < self.box_[i];
                *x = if grows { *x + 1 } else { 0 };
                let step = if grows { &self.units[i] } else { &self.backs[i] };
                for (l, &step) in lambda.iter_mut().zip(step) {
                    let next = *l + step;
                    *l = if next >= self.index { next - self.index } else { next };
                }
                if grows {
                    break;
                }
            }
            visit(&lambda)?;
        }
        Ok(())
    }
}

/// Machine integers of one width; nothing stands for a result that does not fit.
trait Machine: PrimInt + Signed + CheckedDiv + CheckedMul + CheckedSub + From<i64> + Into<i128> {}
impl Machine for i64 {}
impl Machine for i128 {}

/// The coordinates λ of the unit vectors, times the index, modulo the index.
fn unit_coordinates<T: Machine>(rays: &[&[i64]], index: i64) -> Option<Vec<Vec<i64>>> {
    let d = rays.len();
    // Rows of [R | 1] until the left part is a multiple of the identity: fraction-free elimination.
    let unit = |i: usize| (0..d).map(move |j| if i == j { T::one() } else { T::zero() });
    let row = |(i, ray): (usize, &&[i64])| ray.iter().map(|&x| <T as From<i64>>::from(x)).chain(unit(i)).collect();
    let mut rows: Vec<Vec<T>> = rays.iter().enumerate().map(row).collect();
    let mut previous = T::one();
    for c in 0..d {
        let pivot = (c..d).find(|&r| !rows[r][c].is_zero())?;
        rows.swap(c, pivot);
        let top = rows[c].clone();
        for (_, row) in rows.iter_mut().enumerate().filter(|(r, _)| *r != c) {
            let factor = row[c];
            for (x, t) in row.iter_mut().zip(&top) {
                *x = x.checked_mul(&top[c])?.checked_sub(&factor.checked_mul(t)?)?.checked_div(&previous)?;
            }
        }
        previous = top[c];
    }
    // Now the left part is the determinant times the identity, up to sign, and the right part as many times the inverse.
    let (sign, modulus) = (previous.signum(), i128::from(index));
    let reduced = |x: &T| i64::try_from(x.checked_mul(&sign)?.into().rem_euclid(modulus)).ok();
    rows.iter().map(|row| row[d..].iter().map(reduced).collect()).collect()
}

/// The diagonal of the Hermite form of the rays.
fn diagonal<T: Machine>(rays: &[&[i64]]) -> Option<Vec<i64>> {
    let d = rays.len();
    let mut rows: Vec<Vec<T>> =
        rays.iter().map(|ray| ray.iter().map(|&x| <T as From<i64>>::from(x)).collect()).collect();
    let mut diagonal = Vec::with_capacity(d);
    for c in 0..d {
        loop {
            // Division by the smallest entry of the column leaves smaller ones.
            let pivot = (c..d).filter(|&r| !rows[r][c].is_zero()).min_by_key(|&r| rows[r][c].into().unsigned_abs())?;
            rows.swap(c, pivot);
            let top = rows[c].clone();
            let mut clear = true;
            for row in &mut rows[c + 1..] {
                let factor = row[c].checked_div(&top[c])?;
                if !factor.is_zero() {
                    for (x, t) in row.iter_mut().zip(&top).skip(c) {
                        *x = x.checked_sub(&factor.checked_mul(t)?)?;
                    }
                }
                clear &= row[c].is_zero();
            }
            if clear {
                break;
            }
        }
        diagonal.push(i64::try_from(rows[c][c].into().unsigned_abs()).ok()?);
    }
    Some(diagonal)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::run::Unlimited;
    use proptest::prelude::*;
    use std::collections::BTreeSet;

    proptest! {
        #[test]
        fn the_points_are_those_of_the_parallelepiped(rays in prop::collection::vec(prop::collection::vec(-3_i64..4, 3), 3)) {
            let slices: Vec<&[i64]> = rays.iter().map(Vec::as_slice).collect();
            let Some(cell) = Parallelepiped::new(&slices) else { return Ok(()) };
            let mut found: BTreeSet<Vec<i64>> = BTreeSet::new();
            cell.points(&Unlimited, |lambda| {
                assert!(lambda.iter().all(|l| (0..cell.index).contains(l)));
                let x: Vec<i64> = (0..3).map(|c| (0..3).map(|j| lambda[j] * rays[j][c]).sum::<i64>()).collect();
                assert!(x.iter().all(|x| x % cell.index == 0), "an integer point");
                assert!(x.iter().any(|x| *x != 0));
                assert!(found.insert(x), "no point twice");
                Ok(())
            }).unwrap();
            prop_assert_eq!(found.len() + 1, usize::try_from(cell.index).unwrap());
        }
    }
}
