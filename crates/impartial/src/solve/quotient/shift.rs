//! Functions on ℕʳ that repeat along one direction inside, and again along directions on the faces.

use semilinear::run::{Monitor, StopReason};

/// A function f: ℕʳ → colours with f(a + v) = f(a) for all a ≥ τ; the rest of ℕʳ is made of slices aᵢ = c
/// of the same kind in one dimension less.
#[derive(Clone, Debug)]
pub(super) enum Shift {
    /// Dimension 0.
    Colour(u32),
    /// Dimension 1 or more.
    Along {
        /// v.
        step: Vec<usize>,
        /// For each coordinate i, the slices aᵢ = c for c < τᵢ + vᵢ.
        slices: Vec<Vec<Shift>>,
    },
}

/// Steps with larger entries are not tried (in dimension 1: a third of the box).
const LONGEST: usize = 6;

impl Shift {
    /// Finds such a description of a function on the box 0 ≤ aᵢ < `sides[i]`; every equation must be seen on
    /// at least the outer half of the box, or be `bold`ly taken from two steps.
    pub fn fit(
        sides: &[usize],
        bold: bool,
        f: &dyn Fn(&[usize]) -> u32,
        monitor: &dyn Monitor,
    ) -> Result<Option<Self>, StopReason> {
        let r = sides.len();
        if r == 0 {
            return Ok(Some(Self::Colour(f(&[]))));
        }
        let side = sides.iter().min().copied().unwrap_or(0);
        let longest = if r == 1 { side / 3 } else { LONGEST.min(side / 4) };
        let mut steps = vec![vec![]];
        for _ in 0..r {
            steps =
                (0..=longest).flat_map(|k| steps.iter().map(move |s: &Vec<usize>| [&s[..], &[k]].concat())).collect();
        }
        steps.retain(|s| s.iter().any(|&k| k > 0));
        // Short steps first, and among them those that move along all coordinates.
        steps.sort_by_key(|s| (s.iter().sum::<usize>(), s.iter().filter(|&&k| k == 0).count()));
        let repeats = |step: &[usize], from: &[usize]| -> Result<bool, StopReason> {
            monitor.check(0, None)?;
            let mut a = from.to_vec();
            loop {
                let b: Vec<usize> = a.iter().zip(step).map(|(a, s)| a + s).collect();
                if b.iter().zip(sides).all(|(b, n)| b < n) && f(&a) != f(&b) {
                    return Ok(false);
                }
                let Some(i) = (0..r).find(|&i| a[i] + step[i] + 1 < sides[i]) else { return Ok(true) };
                a[..i].copy_from_slice(&from[..i]);
                a[i] += 1;
            }
        };
        let starts = |most: usize| -> Result<Vec<(usize, &Vec<usize>)>, StopReason> {
            let mut found = Vec::new();
            for step in &steps {
                let room = 2 * step.iter().max().unwrap_or(&0);
                for t in (0..=most).take_while(|t| t + room < side) {
                    if repeats(step, &vec![t; r])? {
                        found.push((t, step));
                        break;
                    }
                }
            }
            Ok(found)
        };
        let mut tries = starts(side / 2)?;
        if bold && tries.is_empty() {
            tries = starts(side)?;
            // Those that are seen most often first.
            tries.sort_by_key(|(t, step)| t + 2 * step.iter().max().unwrap_or(&0));
        }
        for (t, step) in tries {
            let mut from = vec![t; r];
            for i in 0..r {
                while from[i] > 0 {
                    from[i] -= 1;
                    if !repeats(step, &from)? {
                        from[i] += 1;
                        break;
                    }
                }
            }
            let slice = |i: usize, c: usize| {
                let mut rest = sides.to_vec();
                rest.remove(i);
                let inside = |a: &[usize]| {
                    let mut full = a.to_vec();
                    full.insert(i, c);
                    f(&full)
                };
                Self::fit(&rest, bold, &inside, monitor).transpose()
            };
            let slices: Option<Result<Vec<Vec<Self>>, StopReason>> =
                (0..r).map(|i| (0..from[i] + step[i]).map(|c| slice(i, c)).collect()).collect();
            if let Some(slices) = slices {
                return Ok(Some(Self::Along { step: step.clone(), slices: slices? }));
            }
        }
        Ok(None)
    }

    /// All coordinates of the points whose colours are listed are below this.
    pub fn bound(&self) -> usize {
        let Self::Along { slices, .. } = self else { return 0 };
        let inner = slices.iter().flatten().map(Self::bound).max().unwrap_or(0);
        slices.iter().map(Vec::len).max().unwrap_or(0).max(inner)
    }

    /// The same description with the colours of another function, which is known below `side`; nothing when more must be known.
    pub fn refilled(&self, side: usize, f: &dyn Fn(&[usize]) -> u32) -> Option<Self> {
        let Self::Along { step, slices } = self else { return Some(Self::Colour(f(&[]))) };
        let fill = |i: usize, c: usize, slice: &Self| {
            slice.refilled(side, &|a| {
                let mut full = a.to_vec();
                full.insert(i, c);
                f(&full)
            })
        };
        let row = |(i, row): (usize, &Vec<Self>)| -> Option<Vec<Self>> {
            if row.len() > side {
                return None;
            }
            row.iter().enumerate().map(|(c, slice)| fill(i, c, slice)).collect()
        };
        let slices = slices.iter().enumerate().map(row).collect::<Option<_>>()?;
        Some(Self::Along { step: step.clone(), slices })
    }

    /// The function at any point.
    pub fn at(&self, a: &[u64]) -> u32 {
        match self {
            Self::Colour(colour) => *colour,
            Self::Along { step, slices } => {
                // As many steps back as keep all coordinates at or above τ, then one more lands below τ + v.
                let bound = |i: usize| slices[i].len() as u64;
                let inside = (0..a.len()).all(|i| a[i] >= bound(i));
                let back = if inside {
                    (0..a.len())
                        .filter(|&i| step[i] > 0)
                        .map(|i| (a[i] - bound(i)) / step[i] as u64 + 1)
                        .min()
                        .unwrap_or(0)
                } else {
                    0
                };
                let mut b: Vec<u64> = a.iter().zip(step).map(|(&a, &s)| a - back * s as u64).collect();
                let i = (0..b.len()).find(|&i| b[i] < bound(i)).expect("one coordinate came below its bound");
                let c = usize::try_from(b.remove(i)).expect("below the bound");
                slices[i][c].at(&b)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Shift;
    use semilinear::run::Unlimited;

    #[test]
    fn a_diagonal_with_arms_is_found() {
        // P iff a ≤ b − 2 inside, parity on the arm b = 0.
        let f = |a: &[usize]| u32::from(if a[1] == 0 { a[0].is_multiple_of(2) } else { a[0] + 2 <= a[1] });
        let shift = Shift::fit(&[20, 20], false, &f, &Unlimited).unwrap().unwrap();
        for x in 0..40 {
            for y in 0..40 {
                assert_eq!(shift.at(&[x as u64, y as u64]), f(&[x, y]), "{x} {y}");
            }
        }
    }

    #[test]
    fn a_description_is_filled_anew() {
        let f = |a: &[usize]| u32::from(2 * a[0] <= 3 * a[1] + 1);
        let g = |a: &[usize]| 5 + f(a);
        let shift = Shift::fit(&[30, 30], false, &f, &Unlimited).unwrap().unwrap();
        let other = shift.refilled(12, &g).unwrap();
        for (x, y) in (0..40_usize).flat_map(|x| (0..40).map(move |y| (x, y))) {
            assert_eq!(other.at(&[x as u64, y as u64]), g(&[x, y]), "{x} {y}");
        }
        assert!(shift.refilled(1, &g).is_none());
    }

    #[test]
    fn other_slopes_are_found() {
        let f = |a: &[usize]| u32::from(2 * a[0] <= 3 * a[1] + 1);
        let shift = Shift::fit(&[30, 30], false, &f, &Unlimited).unwrap().unwrap();
        assert_eq!(shift.at(&[301, 200]), f(&[301, 200]));
        assert_eq!(shift.at(&[300, 200]), f(&[300, 200]));
    }
}
