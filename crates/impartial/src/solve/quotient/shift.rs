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

/// Steps with larger entries are not tried, by the dimension (in dimension 1: a third of the box).
const LONGEST: [usize; 6] = [0, 6, 4, 3, 2, 2];
/// Steps that are seen seldom are tried after others that leave so many more layers outside.
const SELDOM: usize = 6;
/// So many steps are compared in each dimension.
const MOST_STEPS: usize = 40;
/// So many of them are tried.
const MOST_TRIES: usize = 5;

impl Shift {
    /// Finds such a description of a function on the box 0 ≤ aᵢ < `sides[i]`; every equation must be seen on
    /// at least the outer half of the box, or be `bold`ly taken from two steps. Otherwise says along which coordinates a wider box is needed.
    pub fn fit(
        sides: &[usize],
        bold: bool,
        f: &dyn Fn(&[usize]) -> u32,
        monitor: &dyn Monitor,
    ) -> Result<Result<Self, Vec<usize>>, StopReason> {
        let r = sides.len();
        if r == 0 {
            return Ok(Ok(Self::Colour(f(&[]))));
        }
        let longest = |n: usize| if r == 1 { n / 3 } else { LONGEST[r.min(LONGEST.len()) - 1].min(n / 3) };
        let mut steps = vec![vec![]];
        for &side in sides {
            let longer = |k: usize| steps.iter().map(move |s: &Vec<usize>| [&s[..], &[k]].concat());
            steps = (0..=longest(side)).flat_map(longer).collect();
        }
        steps.retain(|s| s.iter().any(|&k| k > 0));
        let place = |a: &[usize]| a.iter().zip(sides).rfold(0, |place, (&a, &n)| place * n + a);
        let seen: Vec<u32> = points_within(sides).map(|a| f(&a)).collect();
        // Whether the function repeats along a step at all points from one to (and without) another.
        let repeats = |step: &[usize], from: &[usize], to: &[usize]| -> Result<bool, StopReason> {
            monitor.check(0, None)?;
            let further = place(step);
            let mut a = from.to_vec();
            loop {
                let row = place(&a);
                if (0..to[0] - from[0]).any(|n| seen[row + n] != seen[row + n + further]) {
                    return Ok(false);
                }
                let Some(i) = (1..r).find(|&i| a[i] + 1 < to[i]) else { return Ok(true) };
                a[1..i].copy_from_slice(&from[1..i]);
                a[i] += 1;
            }
        };
        // Short steps first; long ones are mostly sums of them.
        steps.sort_by_key(|step| step.iter().sum::<usize>());
        let mut tries: Vec<(usize, Vec<usize>, &Vec<usize>)> = Vec::new();
        for step in &steps {
            // So far out every equation must be seen at least.
            let furthest = |(&n, &s): (&usize, &usize)| {
                let twice = n.checked_sub(2 * s)?;
                Some(if bold { twice } else { twice.min(n / 2) }.min(n - 1))
            };
            let Some(mut from) = sides.iter().zip(step).map(furthest).collect::<Option<Vec<usize>>>() else { continue };
            let to: Vec<usize> = sides.iter().zip(step).map(|(n, s)| n - s).collect();
            if !repeats(step, &from, &to)? {
                continue;
            }
            let mut open: Vec<usize> = (0..r).collect();
            while !open.is_empty() {
                let mut still = Vec::new();
                for i in open {
                    if from[i] > 0 {
                        from[i] -= 1;
                        // One more layer.
                        let mut layer = to.clone();
                        layer[i] = from[i] + 1;
                        if repeats(step, &from, &layer)? { still.push(i) } else { from[i] += 1 }
                    }
                }
                open = still;
            }
            // What is seen hardly more often than it must be may be no law.
            let seldom = (0..r).any(|i| from[i] + 2 * step[i].max(1) > sides[i].saturating_sub(1));
            let size = from.iter().sum::<usize>() + step.iter().sum::<usize>() + if seldom { SELDOM } else { 0 };
            tries.push((size, from, step));
            if tries.len() == MOST_STEPS {
                break;
            }
        }
        // What leaves little outside first, and among those what moves along all coordinates.
        tries.sort_by_key(|(size, _, step)| (*size, step.iter().filter(|&&k| k == 0).count()));
        // Where nothing repeats on a face, it must be seen further; else along all coordinates.
        let mut narrow: Option<Vec<usize>> = None;
        for (_, from, step) in tries.into_iter().take(MOST_TRIES) {
            let slice = |i: usize, c: usize| {
                let mut rest = sides.to_vec();
                rest.remove(i);
                let inside = |a: &[usize]| {
                    let mut full = a.to_vec();
                    full.insert(i, c);
                    f(&full)
                };
                Self::fit(&rest, bold, &inside, monitor)
            };
            let mut slices: Vec<Vec<Self>> = Vec::new();
            'faces: for i in 0..r {
                let mut row = Vec::new();
                for c in 0..from[i] + step[i] {
                    match slice(i, c)? {
                        Ok(slice) => row.push(slice),
                        Err(face) => {
                            narrow.get_or_insert(face.into_iter().map(|k| k + usize::from(k >= i)).collect());
                            break 'faces;
                        }
                    }
                }
                slices.push(row);
            }
            if slices.len() == r {
                return Ok(Ok(Self::Along { step: step.clone(), slices }));
            }
        }
        Ok(Err(narrow.unwrap_or_else(|| (0..r).collect())))
    }

    /// The step, and how far out it begins.
    pub fn steps(&self) -> Option<(Vec<usize>, Vec<usize>)> {
        let Self::Along { step, slices } = self else { return None };
        Some((step.clone(), slices.iter().zip(step).map(|(s, v)| s.len() - v).collect()))
    }

    /// For each of the r coordinates, a bound of those of the points whose colours are listed.
    pub fn bounds(&self, r: usize) -> Vec<usize> {
        let Self::Along { slices, .. } = self else { return vec![0; r] };
        let mut bounds: Vec<usize> = slices.iter().map(Vec::len).collect();
        for (i, slice) in slices.iter().enumerate().flat_map(|(i, row)| row.iter().map(move |slice| (i, slice))) {
            for (k, bound) in slice.bounds(r - 1).into_iter().enumerate() {
                let k = k + usize::from(k >= i);
                bounds[k] = bounds[k].max(bound);
            }
        }
        bounds
    }

    /// The same description with the colours of another function, which is known below `sides`; nothing when more must be known.
    pub fn refilled(&self, sides: &[usize], f: &dyn Fn(&[usize]) -> u32) -> Option<Self> {
        let Self::Along { step, slices } = self else { return Some(Self::Colour(f(&[]))) };
        let fill = |i: usize, c: usize, slice: &Self| {
            let mut rest = sides.to_vec();
            rest.remove(i);
            slice.refilled(&rest, &|a| {
                let mut full = a.to_vec();
                full.insert(i, c);
                f(&full)
            })
        };
        let row = |(i, row): (usize, &Vec<Self>)| -> Option<Vec<Self>> {
            if row.len() > sides[i] {
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

/// All points of a box, the first coordinate fastest.
pub(super) fn points_within(sides: &[usize]) -> impl Iterator<Item = Vec<usize>> + '_ {
    let count: usize = sides.iter().product();
    (0..count).map(|mut place| {
        sides
            .iter()
            .map(|&n| {
                let a = place % n;
                place /= n;
                a
            })
            .collect()
    })
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
        let other = shift.refilled(&[12, 12], &g).unwrap();
        for (x, y) in (0..40_usize).flat_map(|x| (0..40).map(move |y| (x, y))) {
            assert_eq!(other.at(&[x as u64, y as u64]), g(&[x, y]), "{x} {y}");
        }
        assert!(shift.refilled(&[1, 1], &g).is_none());
    }

    #[test]
    fn other_slopes_are_found() {
        let f = |a: &[usize]| u32::from(2 * a[0] <= 3 * a[1] + 1);
        let shift = Shift::fit(&[30, 30], false, &f, &Unlimited).unwrap().unwrap();
        assert_eq!(shift.at(&[301, 200]), f(&[301, 200]));
        assert_eq!(shift.at(&[300, 200]), f(&[300, 200]));
    }
}
