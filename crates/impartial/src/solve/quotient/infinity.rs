//! Why a quotient with counters is infinite.

use super::guess::points;
use super::monoid::index;
use super::shift::Shift;
use semilinear::run::{Monitor, StopReason};

/// Corners so far out along two of many counters are tried.
const NEAR: usize = 10;

/// Why no power of a counter repeats: the slices repeat along `step` from `from` on, and along the counter with
/// `period` from `at` + `far` on, yet the slice at `at` is another than that at `at` + `far`.
///
/// If the n-th and the (n + p)-th power of the counter were congruent, then for k large
/// F(at) = F(at + k·step) = F(at + k·step + p·e) = F(at + p·e), so F(at) = F(at + m·p·period·e) for every m; but for
/// large m that is F(at + far·e).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Infinity {
    /// A vector along which the slices repeat.
    pub step: Vec<u32>,
    /// They repeat for all vectors of counts at least this.
    pub from: Vec<u32>,
    /// The index of the counter.
    pub counter: u32,
    /// A vector of counts, at least `from`.
    pub at: Vec<u32>,
    /// A period along the counter.
    pub period: u32,
    /// A multiple of the period, far enough.
    pub far: u32,
}

impl Infinity {
    /// Looks for such numbers, with the step of the shape itself first, then with others that the shape has far out.
    pub(super) fn find(shape: &Shift, monitor: &dyn Monitor) -> Result<Option<Self>, StopReason> {
        let Shift::Along { step, slices } = shape else { return Ok(None) };
        let r = step.len();
        let from: Vec<usize> = slices.iter().zip(step).map(|(s, v)| s.len() - v).collect();
        if let Some(found) = Self::along(shape, step, &from, monitor)? {
            return Ok(Some(found));
        }
        let from = shape.bounds(r);
        let near = points(r, if r > 3 { 4 } else { 6 });
        let at = |a: &[usize]| shape.at(&a.iter().map(|&n| n as u64).collect::<Vec<_>>());
        let plus = |a: &[usize], b: &[usize]| a.iter().zip(b).map(|(a, b)| a + b).collect::<Vec<_>>();
        for other in points(r, 3) {
            monitor.check(0, None)?;
            let repeats = |a: &Vec<usize>| at(&plus(&from, a)) == at(&plus(&plus(&from, a), &other));
            if other != *step && near.iter().all(repeats) {
                let found = Self::along(shape, &other, &from, monitor)?;
                if found.is_some() {
                    return Ok(found);
                }
            }
        }
        Ok(None)
    }

    /// Looks for such numbers with one step, near the corner of the region of repetition.
    fn along(shape: &Shift, step: &[usize], from: &[usize], monitor: &dyn Monitor) -> Result<Option<Self>, StopReason> {
        let r = step.len();
        if step.iter().filter(|&&s| s > 0).count() < 2 {
            return Ok(None);
        }
        let moved = |a: &[u64], i: usize, n: u64| {
            let mut a = a.to_vec();
            a[i] += n;
            a
        };
        // All corners nearby, and those further out along two counters.
        let mut corners = points(r, if r > 2 { 3 } else { 8 });
        for (i, j) in (0..r).flat_map(|i| (0..i).map(move |j| (i, j))).filter(|_| r > 2) {
            corners.extend(points(2, NEAR).iter().map(|p| {
                let mut corner = vec![0; r];
                (corner[i], corner[j]) = (p[0], p[1]);
                corner
            }));
        }
        for i in (0..r).filter(|&i| step[i] > 0) {
            for corner in &corners {
                monitor.check(0, None)?;
                let at: Vec<u64> = from.iter().zip(corner).map(|(f, c)| (f + c) as u64).collect();
                for period in 1..=12_u64 {
                    let far = period * 60_u64.div_ceil(period);
                    let repeats = (0..60)
                        .all(|n| shape.at(&moved(&at, i, far + n)) == shape.at(&moved(&at, i, far + n + period)));
                    if !repeats {
                        continue;
                    }
                    if shape.at(&at) != shape.at(&moved(&at, i, far)) {
                        let small = |n: &u64| u32::try_from(*n).ok();
                        let Some(at) = at.iter().map(small).collect() else { return Ok(None) };
                        let (Some(period), Some(far)) = (small(&period), small(&far)) else { return Ok(None) };
                        let list = |numbers: &[usize]| numbers.iter().map(|&n| index(n)).collect();
                        let (step, from) = (list(step), list(from));
                        return Ok(Some(Self { step, from, counter: index(i), at, period, far }));
                    }
                    break;
                }
            }
        }
        Ok(None)
    }
}
