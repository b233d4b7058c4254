//! Automata for functions of ℕʳ that read binary digits.

use rustc_hash::FxHashMap;

use super::guess::points;
use super::monoid::index;
use super::shift::{Shift, points_within};
use semilinear::run::{Monitor, StopReason};

/// The following states, and the colour, of each state.
pub(super) type Automaton = (Vec<Vec<u32>>, Vec<u32>);

/// No automaton with more states is tried.
const MOST_STATES: usize = 4000;

/// Far points that every automaton is compared at.
const FAR_POINTS: usize = 20_000;
/// Their counts have at most so many digits.
const FAR_DIGITS: u32 = 9;

/// An automaton for a function of ℕʳ: states are prefixes w of j digits, told apart by q ↦ f(w + 2ʲq) for some tests q. These are a small box at
/// first; wherever the automaton then differs from the function, on the box below `sides` or further out, that shows one more.
pub(super) fn automaton(
    r: usize,
    sides: &[usize],
    f: &Shift,
    monitor: &dyn Monitor,
) -> Result<Option<Automaton>, StopReason> {
    let side = match r {
        0 | 1 => 64,
        2 => 12,
        3 => 6,
        _ => 4,
    };
    let wide = |a: Vec<usize>| a.into_iter().map(|n| n as u64).collect::<Vec<u64>>();
    let mut tests: Vec<Vec<u64>> = points(r, side).into_iter().map(wide).collect();
    loop {
        let Some(states) = States::told_apart(r, &tests, f, monitor)? else { return Ok(None) };
        let mut more = None;
        for (n, a) in points_within(sides).map(wide).chain(far(r)).enumerate() {
            if n % 4096 == 0 {
                monitor.check(n as u64, None)?;
            }
            more = states.test_at(&a, f);
            if more.is_some() {
                break;
            }
        }
        match more {
            None => return Ok(Some((states.next, states.output))),
            Some(test) => tests.push(test),
        }
    }
}

/// Points with counts of all lengths up to [`FAR_DIGITS`] digits, always the same.
fn far(r: usize) -> impl Iterator<Item = Vec<u64>> {
    let mut seed = 1_u64;
    let mut random = move || {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        seed >> 33
    };
    std::iter::repeat_with(move || {
        (0..r).map(|_| random() & ((1 << (random() % u64::from(FAR_DIGITS + 1))) - 1)).collect()
    })
    .take(FAR_POINTS)
}

/// An automaton, and the prefix that leads to each state first.
struct States {
    next: Vec<Vec<u32>>,
    output: Vec<u32>,
    /// A vector of counts, and how many digits of it are read.
    prefixes: Vec<(Vec<u64>, u32)>,
}

impl States {
    /// The prefixes that the tests tell apart; nothing when they are too many.
    fn told_apart(r: usize, tests: &[Vec<u64>], f: &Shift, monitor: &dyn Monitor) -> Result<Option<Self>, StopReason> {
        let key = |w: &[u64], j: u32| -> Vec<u32> { tests.iter().map(|q| f.at(&joined(w, j, q))).collect() };
        let mut names: FxHashMap<Vec<u32>, u32> = FxHashMap::default();
        let mut prefixes = vec![(vec![0_u64; r], 0_u32)];
        let first = key(&prefixes[0].0, 0);
        // The first test is 0.
        let mut output = vec![first[0]];
        names.insert(first, 0);
        let mut next = Vec::new();
        while next.len() < prefixes.len() {
            monitor.check(next.len() as u64, None)?;
            let (w, j) = prefixes[next.len()].clone();
            if prefixes.len() > MOST_STATES || j > 40 {
                return Ok(None);
            }
            let row = (0..1_u64 << r)
                .map(|d| {
                    let longer: Vec<u64> = w.iter().enumerate().map(|(i, &w)| w + ((d >> i & 1) << j)).collect();
                    let key = key(&longer, j + 1);
                    let fresh = index(prefixes.len());
                    let colour = key[0];
                    let name = *names.entry(key).or_insert(fresh);
                    if name == fresh {
                        prefixes.push((longer, j + 1));
                        output.push(colour);
                    }
                    name
                })
                .collect();
            next.push(row);
        }
        Ok(Some(Self { next, output, prefixes }))
    }

    /// A test that tells two prefixes of one state apart, if the automaton is wrong at a point.
    ///
    /// Where the rest of the point is read beside the state's own prefix instead of the true one, the colour changes at some digit.
    fn test_at(&self, a: &[u64], f: &Shift) -> Option<Vec<u64>> {
        let rest = |k: u32| a.iter().map(|n| n >> k).collect::<Vec<u64>>();
        let digits = a.iter().map(|n| 64 - n.leading_zeros()).max().unwrap_or(0);
        let path: Vec<u32> = std::iter::once(0)
            .chain((0..digits).scan(0, |state, k| {
                let d = a.iter().enumerate().fold(0, |d, (i, n)| d | usize::from(n >> k & 1 == 1) << i);
                *state = self.next[*state as usize][d];
                Some(*state)
            }))
            .collect();
        let colour = f.at(a);
        if path.last().is_none_or(|&state| self.output[state as usize] == colour) {
            return None;
        }
        (1..=digits).map(rest).zip(&path[1..]).find_map(|(rest, &state)| {
            let (w, j) = &self.prefixes[state as usize];
            (f.at(&joined(w, *j, &rest)) != colour).then_some(rest)
        })
    }
}

/// w + 2ʲq.
fn joined(w: &[u64], j: u32, q: &[u64]) -> Vec<u64> {
    w.iter().zip(q).map(|(&w, &q)| w + (q << j)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use semilinear::run::Unlimited;

    #[test]
    fn what_the_first_tests_do_not_see_is_found() {
        // A single point beyond all first tests, one of them on a face.
        for point in [[26_usize, 4], [39, 0]] {
            let f = |a: &[usize]| u32::from(a == point);
            let sides = [60, 20];
            let shift = Shift::fit(&sides, true, &f, &Unlimited).unwrap().unwrap();
            let (next, output) = automaton(2, &sides, &shift, &Unlimited).unwrap().unwrap();
            for (x, y) in (0..130_usize).flat_map(|x| (0..70).map(move |y| (x, y))) {
                let digit = |j: usize| (x >> j & 1) | (y >> j & 1) << 1;
                let state = (0..8).fold(0, |state: u32, j| next[state as usize][digit(j)]);
                assert_eq!(output[state as usize], f(&[x, y]), "{x} {y}");
            }
        }
    }
}
