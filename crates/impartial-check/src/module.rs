//! The residuals of a module F + ℕV ⊆ ℕᵈ.
//!
//! After some digits, what is left of F + ℕV is again a union of translates r + ℕV: if 2x' + e = r + V(2λ' + β)
//! with digits e of x and β of λ, then x' = (r + Vβ − e)/2 + Vλ'. A residual is kept as the sorted list of these r.

use crate::nda::Memo;
use crate::{Failure, refuse};

/// A module with its numbered residuals.
#[derive(Debug)]
pub(crate) struct Residuals {
    /// All sums Vβ with β ∈ {0,1}ᵏ.
    sums: Vec<Vec<i128>>,
    generators: Vec<Vec<i128>>,
    memo: Memo<Vec<Vec<i128>>>,
    /// Vectors looked at so far.
    work: usize,
}

/// More generators than this make too many sums.
const MOST_GENERATORS: usize = 16;
/// A forged module with large entries would have endless residuals; beyond so many vectors it is refused.
const MOST_WORK: usize = 1 << 24;
/// The most subtractions that look for a sum of generators.
const MOST_STEPS: usize = 1 << 20;

impl Residuals {
    /// Refuses vectors with negative entries: the module must lie in ℕᵈ.
    pub fn new(place: &str, generators: Vec<Vec<i128>>, mut bases: Vec<Vec<i128>>) -> Result<Self, Failure> {
        if generators.len() > MOST_GENERATORS {
            return refuse(format!("{place}.generators: more than {MOST_GENERATORS}"));
        }
        if generators.iter().any(|v| v.iter().all(|&x| x == 0)) {
            return refuse(format!("{place}.generators: the zero vector"));
        }
        if generators.iter().chain(&bases).flatten().any(|&x| x < 0) {
            return refuse(format!("{place}: it leaves the board (a negative entry in the chart's coordinates)"));
        }
        bases.sort();
        bases.dedup();
        let mut sums = vec![vec![0; bases.first().map_or(0, Vec::len)]];
        for v in &generators {
            let more: Vec<Vec<i128>> = sums.iter().map(|s| s.iter().zip(v).map(|(s, v)| s + v).collect()).collect();
            sums.extend(more);
        }
        Ok(Self { sums, generators, memo: Memo::new(bases), work: 0 })
    }

    /// The residual after the digit `bit` of the coordinate that is next.
    pub fn step(&mut self, residual: u32, bit: usize, dimension: usize) -> Result<u32, Failure> {
        let Self { sums, generators, memo, work } = self;
        memo.step(residual, bit, dimension, |track, rests| {
            let digit = i128::from(bit == 1);
            let mut next = Vec::new();
            // λ's digits are chosen at the beginning of a block.
            let choices = if track == 0 { sums.as_slice() } else { &sums[..1] };
            *work = work.saturating_add(rests.len().saturating_mul(choices.len()));
            if *work > MOST_WORK {
                return refuse("a module has too many residuals: the certificate is too large to be checked");
            }
            for rest in rests {
                for sum in choices {
                    let mut r: Vec<i128> = rest.iter().zip(sum).map(|(r, s)| r + s).collect();
                    let left = r[track] - digit;
                    if left.rem_euclid(2) == 0 {
                        r[track] = left / 2;
                        if alive(&r, generators) {
                            next.push(r);
                        }
                    }
                }
            }
            next.sort();
            next.dedup();
            Ok(next)
        })
    }

    /// Whether 0 lies in a residual.
    pub fn holds_zero(&self, residual: u32) -> Result<bool, Failure> {
        let mut steps = MOST_STEPS;
        for r in self.memo.key(residual) {
            let need: Vec<i128> = r.iter().map(|x| -x).collect();
            if generated(&need, &self.generators, &mut steps)? {
                return Ok(true);
            }
        }
        Ok(false)
    }
}

/// Whether r + ℕV can have an element without negative entries.
fn alive(r: &[i128], generators: &[Vec<i128>]) -> bool {
    r.iter().enumerate().all(|(i, &x)| x >= 0 || generators.iter().any(|v| v[i] > 0))
}

/// Whether `need` is a sum of generators, each taken any number of times.
fn generated(need: &[i128], generators: &[Vec<i128>], steps: &mut usize) -> Result<bool, Failure> {
    if need.iter().any(|&x| x < 0) {
        return Ok(false);
    }
    if need.iter().all(|&x| x == 0) {
        return Ok(true);
    }
    let Some((first, rest)) = generators.split_first() else { return Ok(false) };
    let mut need = need.to_vec();
    while need.iter().all(|&x| x >= 0) {
        let Some(fewer) = steps.checked_sub(1) else {
            return refuse("a module has too long sums of generators: the certificate is too large to be checked");
        };
        *steps = fewer;
        if generated(&need, rest, steps)? {
            return Ok(true);
        }
        for (n, v) in need.iter_mut().zip(first) {
            *n -= v;
        }
    }
    Ok(false)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn residuals_know_the_members() {
        let (v, f) = (vec![vec![2, 0], vec![6, 6]], vec![vec![0, 0], vec![4, 3]]);
        let mut module = Residuals::new("module", v.clone(), f.clone()).unwrap();
        for x in 0i128..40 {
            for y in 0i128..40 {
                let (mut residual, mut rest) = (0, [x, y]);
                while rest != [0, 0] {
                    for coordinate in &mut rest {
                        residual = module.step(residual, usize::from(*coordinate % 2 == 1), 2).unwrap();
                        *coordinate /= 2;
                    }
                }
                let expected = f.iter().any(|f| generated(&[x - f[0], y - f[1]], &v, &mut 1000).unwrap());
                assert_eq!(module.holds_zero(residual).unwrap(), expected, "({x},{y})");
            }
        }
    }

    #[test]
    fn long_sums_are_refused() {
        assert!(generated(&[1 << 40], &[vec![3], vec![6]], &mut 1000).is_err());
    }

    #[test]
    fn vectors_off_the_board_are_refused() {
        assert!(Residuals::new("m", vec![vec![1, -1]], vec![vec![0, 0]]).is_err());
        assert!(Residuals::new("m", vec![vec![0, 0]], vec![vec![0, 0]]).is_err());
        assert!(Residuals::new("m", vec![], vec![vec![-1, 0]]).is_err());
    }
}
