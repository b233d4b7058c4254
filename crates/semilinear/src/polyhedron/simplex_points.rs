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
        let units = match unit_coordinates::<i64>(rays) {
            Some((_, units)) => reduced(&units, index)?,
            None => reduced(&unit_coordinates::<i128>(rays)?.1, index)?,
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

/// The most rays whose points are counted by degree in lanes.
const LANES: usize = 16;

impl Parallelepiped {
    /// Gives Σ λⱼ dⱼ for every point but 0 to `visit`, where λⱼ = 0 counts as 1 when `open` says so; `false` when the numbers are too
    /// large for this way of counting.
    ///
    /// A step adds the same to every λ, modulo 1, so that the degree grows by a fixed number less the degrees of the rays whose λ went beyond 1: no
    /// products and no divisions, and all rays at once.
    pub fn degrees(
        &self,
        degrees: &[i64],
        open: &[bool],
        monitor: &dyn Monitor,
        mut visit: impl FnMut(i64),
    ) -> Result<bool, StopReason> {
        let lanes = |values: &[i64]| -> Option<[u32; LANES]> {
            let mut lanes = [0; LANES];
            for (lane, &value) in lanes.iter_mut().zip(values) {
                *lane = u32::try_from(value).ok()?;
            }
            Some(lanes)
        };
        let index = u32::try_from(self.index).ok().filter(|index| *index < 1 << 31);
        let small = degrees.iter().all(|d| (1..1 << 24).contains(d)) && degrees.len() <= LANES;
        let (Some(index), true) = (index, small) else { return Ok(false) };
        let Some(weights) = lanes(degrees) else { return Ok(false) };
        let opened: Vec<i64> = degrees.iter().zip(open).map(|(&d, &open)| if open { d } else { 0 }).collect();
        let Some(opened) = lanes(&opened) else { return Ok(false) };
        let axes: Vec<usize> = (0..self.box_.len()).filter(|&i| self.box_[i] > 1).collect();
        // A step on an axis, and what it adds to the degree before any λ is reduced: an integer, as the degree of a lattice point.
        let step = |row: &Vec<i64>| -> Option<([u32; LANES], i64)> {
            let sum: i128 = row.iter().zip(degrees).map(|(&l, &d)| i128::from(l) * i128::from(d)).sum();
            Some((lanes(row)?, i64::try_from(sum / i128::from(self.index)).ok()?))
        };
        let steps = axes.iter().map(|&i| Some((self.box_[i], step(&self.units[i])?, step(&self.backs[i])?)));
        let Some(steps) = steps.collect::<Option<Vec<_>>>() else { return Ok(false) };
        let mut place = vec![0_i64; steps.len()];
        let (mut lambda, mut degree) = ([0_u32; LANES], 0_i64);
        for count in 1..u64::from(index) {
            if count.is_multiple_of(1024) {
                monitor.check(count, Some(u64::from(index)))?;
            }
            for (x, (end, unit, back)) in place.iter_mut().zip(&steps) {
                let grows = *x + 1 < *end;
                *x = if grows { *x + 1 } else { 0 };
                let (step, gained) = if grows { unit } else { back };
                // Below 2³² each: entries are below the index, degrees below 2²⁴.
                let mut beyond = 0_u32;
                for ((l, &step), &d) in lambda.iter_mut().zip(step).zip(&weights) {
                    let next = l.wrapping_add(step);
                    let over = next >= index;
                    *l = next.wrapping_sub(if over { index } else { 0 });
                    beyond = beyond.wrapping_add(if over { d } else { 0 });
                }
                degree += gained - i64::from(beyond);
                if grows {
                    break;
                }
            }
            let mut removed = 0_u32;
            for (&l, &d) in lambda.iter().zip(&opened) {
                removed = removed.wrapping_add(if l == 0 { d } else { 0 });
            }
            visit(degree + i64::from(removed));
        }
        Ok(true)
    }
}

/// Machine integers of one width; nothing stands for a result that does not fit.
trait Machine: PrimInt + Signed + CheckedDiv + CheckedMul + CheckedSub + From<i64> + Into<i128> {}
impl Machine for i64 {}
impl Machine for i128 {}

/// The absolute determinant of the rays and, in row i, the coordinates of the i-th unit vector times that determinant. `None` when a
/// number does not fit, or the rays are dependent.
pub(super) fn scaled_inverse(rays: &[&[i64]]) -> Option<(i64, Vec<Vec<i64>>)> {
    let (determinant, rows) = unit_coordinates::<i64>(rays).or_else(|| {
        let (determinant, rows) = unit_coordinates::<i128>(rays)?;
        let small = |row: Vec<i128>| row.into_iter().map(|x| i64::try_from(x).ok()).collect::<Option<Vec<i64>>>();
        Some((i64::try_from(determinant).ok()?, rows.into_iter().map(small).collect::<Option<Vec<_>>>()?))
    })?;
    Some((determinant, rows))
}

/// As [`scaled_inverse`], in machine integers of one width.
fn unit_coordinates<T: Machine>(rays: &[&[i64]]) -> Option<(T, Vec<Vec<T>>)> {
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
    let sign = previous.signum();
    let signed = |x: &T| x.checked_mul(&sign);
    let rows = rows.iter().map(|row| row[d..].iter().map(signed).collect()).collect::<Option<_>>()?;
    Some((previous.checked_mul(&sign)?, rows))
}

/// The entries modulo the index.
fn reduced<T: Machine>(rows: &[Vec<T>], index: i64) -> Option<Vec<Vec<i64>>> {
    let reduced = |&x: &T| i64::try_from(x.into().rem_euclid(index.into())).ok();
    rows.iter().map(|row| row.iter().map(reduced).collect()).collect()
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
        fn degrees_are_those_of_the_points(
            rays in prop::collection::vec(prop::collection::vec(-6_i64..7, 3), 3),
            degrees in prop::collection::vec(1_i64..9, 3),
            open in prop::collection::vec(prop::bool::ANY, 3),
        ) {
            let slices: Vec<&[i64]> = rays.iter().map(Vec::as_slice).collect();
            let Some(cell) = Parallelepiped::new(&slices) else { return Ok(()) };
            // Degrees of rays are those of a linear function.
            let grading = |x: &[i64]| x.iter().zip(&degrees).map(|(x, d)| x * d).sum::<i64>();
            let own: Vec<i64> = rays.iter().map(|r| grading(r)).collect();
            let (mut expected, mut found) = (Vec::new(), Vec::new());
            cell.points(&Unlimited, |lambda| {
                let of = |j: usize| if lambda[j] == 0 && open[j] { cell.index } else { lambda[j] };
                expected.push((0..3).map(|j| of(j) * own[j]).sum::<i64>() / cell.index);
                Ok(())
            }).unwrap();
            let counted = cell.degrees(&own, &open, &Unlimited, |degree| found.push(degree)).unwrap();
            prop_assert_eq!(counted, own.iter().all(|d| *d > 0));
            if counted {
                prop_assert_eq!(found, expected);
            }
        }

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
