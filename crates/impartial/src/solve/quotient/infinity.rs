//! Why a quotient with counters is infinite.

use super::guess::points;
use super::monoid::index;
use super::shift::Shift;
use semilinear::run::{Monitor, StopReason};

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
    /// Looks for such numbers near the corner of the region of repetition.
    pub(super) fn find(shape: &Shift, monitor: &dyn Monitor) -> Result<Option<Self>, StopReason> {
        let Shift::Along { step, slices } = shape else { return Ok(None) };
        if step.iter().filter(|&&s| s > 0).count() < 2 {
            return Ok(None);
        }
        let from: Vec<u64> = slices.iter().zip(step).map(|(s, v)| (s.len() - v) as u64).collect();
        let moved = |a: &[u64], i: usize, n: u64| {
            let mut a = a.to_vec();
            a[i] += n;
            a
        };
        for i in (0..step.len()).filter(|&i| step[i] > 0) {
            for corner in points(step.len(), if step.len() > 2 { 3 } else { 8 }) {
                monitor.check(0, None)?;
                let at: Vec<u64> = from.iter().zip(&corner).map(|(f, &c)| f + c as u64).collect();
                for period in 1..=12_u64 {
                    let far = period * 60_u64.div_ceil(period);
                    let repeats = (0..60)
                        .all(|n| shape.at(&moved(&at, i, far + n)) == shape.at(&moved(&at, i, far + n + period)));
                    if repeats {
                        if shape.at(&at) != shape.at(&moved(&at, i, far)) {
                            let small = |n: &u64| u32::try_from(*n).ok();
                            let numbers = |list: &[u64]| list.iter().map(small).collect::<Option<Vec<u32>>>();
                            let (Some(from), Some(at)) = (numbers(&from), numbers(&at)) else { return Ok(None) };
                            let (Some(period), Some(far)) = (small(&period), small(&far)) else { return Ok(None) };
                            let step = step.iter().map(|&s| index(s)).collect();
                            return Ok(Some(Self { step, from, counter: index(i), at, period, far }));
                        }
                        break;
                    }
                }
            }
        }
        Ok(None)
    }
}
