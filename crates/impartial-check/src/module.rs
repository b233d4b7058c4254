//! The residuals of a module F + ℕV ⊆ ℕᵈ.
//!
//! After some digits, what is left of F + ℕV is again a union of translates r + ℕV: if 2x' + e = r + V(2λ' + β)
//! with digits e of x and β of λ, then x' = (r + Vβ − e)/2 + Vλ'. A residual is kept as the sorted list of these r.

use crate::meter::{Held, Meter};
use crate::nda::Memo;
use crate::{Failure, refuse};

/// A module with its numbered residuals.
#[derive(Debug)]
pub(crate) struct Residuals {
    /// For each coordinate all sums Vβ, β ∈ {0,1}ᵏ, of the generators that have their first entry there.
    sums: Vec<Vec<Vec<i128>>>,
    generators: Vec<Vec<i128>>,
    /// The coordinates that matter; the others may be anything.
    matters: Vec<bool>,
    memo: Memo<Vec<Vec<i128>>>,
}

/// More generators than this make too many sums.
const MOST_GENERATORS: usize = 16;
/// The most subtractions that look for a sum of generators.
const MOST_STEPS: usize = 1 << 20;

impl Residuals {
    /// Refuses vectors with negative entries: the module must lie in ℕᵈ.
    ///
    /// With one generator v the rests rᵢ are all the numbers ⌊vᵢn/2ᵏ⌋, n < 2ᵏ: at least vᵢ of them are met.
    pub fn new(
        place: &str,
        generators: Vec<Vec<i128>>,
        mut bases: Vec<Vec<i128>>,
        meter: &Meter<'_>,
    ) -> Result<Self, Failure> {
        let largest = generators.iter().flatten().max().copied().unwrap_or(0);
        meter.hold(u64::try_from(largest).unwrap_or(0).saturating_mul(40))?;
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
        let dimension = bases.first().map_or(0, Vec::len);
        let mut sums = vec![vec![vec![0; dimension]]; dimension];
        for v in &generators {
            let Some(first) = v.iter().position(|&x| x != 0).filter(|&first| first < dimension) else { continue };
            let plus = |s: &Vec<i128>| s.iter().zip(v).map(|(s, v)| s + v).collect();
            let more: Vec<Vec<i128>> = sums[first].iter().map(plus).collect();
            sums[first].extend(more);
        }
        Ok(Self { sums, generators, matters: vec![true; dimension], memo: Memo::new(bases) })
    }

    /// The residual after the digit `bit` of the coordinate that is next.
    pub fn step(&mut self, residual: u32, bit: usize, dimension: usize, held: &mut Held) -> Result<u32, Failure> {
        let Self { sums, generators, matters, memo } = self;
        memo.step(residual, bit, dimension, held, |track, rests, held| {
            if !matters[track] {
                return Ok(rests.clone());
            }
            let digit = i128::from(bit == 1);
            let mut next = Vec::new();
            // A digit of λ is chosen when it matters first.
            let choices = &sums[track];
            held.fits((rests.len() as u64).saturating_mul(choices.len() as u64 * (16 * dimension as u64 + 24)))?;
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

    /// Whether nothing is left.
    fn is_empty(&self, residual: u32) -> bool {
        self.memo.key(residual).is_empty()
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

/// One translate f + ℕV as a product of translates in fewer coordinates: generators without a common coordinate have nothing to do
/// with each other. Its residuals are tuples of residuals, or nothing as soon as one factor has none.
#[derive(Debug)]
pub(crate) struct Product {
    factors: Vec<Residuals>,
    memo: Memo<Vec<u32>>,
}

impl Product {
    /// Refuses what [`Residuals::new`] refuses.
    pub fn new(place: &str, generators: &[Vec<i128>], base: &[i128], meter: &Meter<'_>) -> Result<Self, Failure> {
        // Coordinates with the same name occur together.
        let mut name: Vec<usize> = (0..base.len()).collect();
        for v in generators {
            let support: Vec<usize> = (0..base.len()).filter(|&i| v[i] != 0).map(|i| name[i]).collect();
            let Some(&least) = support.iter().min() else {
                return refuse(format!("{place}.generators: the zero vector"));
            };
            for name in name.iter_mut().filter(|name| support.contains(name)) {
                *name = least;
            }
        }
        let mut factors = Vec::new();
        for own in 0..base.len() {
            let matters: Vec<bool> = name.iter().map(|&name| name == own).collect();
            if !matters[own] {
                continue;
            }
            let part = |v: &[i128]| v.iter().zip(&matters).map(|(&x, &m)| if m { x } else { 0 }).collect::<Vec<i128>>();
            let inside = generators.iter().filter(|v| v.iter().zip(&matters).any(|(&x, &m)| m && x != 0));
            let factor = Residuals::new(place, inside.map(|v| part(v)).collect(), vec![part(base)], meter)?;
            factors.push(Residuals { matters, ..factor });
        }
        let memo = Memo::new(vec![0; factors.len()]);
        Ok(Self { factors, memo })
    }

    /// The residual after the digit `bit` of the coordinate that is next.
    pub fn step(&mut self, residual: u32, bit: usize, dimension: usize, held: &mut Held) -> Result<u32, Failure> {
        let Self { factors, memo } = self;
        memo.step(residual, bit, dimension, held, |_, tuple, held| {
            let mut next = Vec::with_capacity(tuple.len());
            for (factor, &residual) in factors.iter_mut().zip(tuple) {
                let residual = factor.step(residual, bit, dimension, held)?;
                if factor.is_empty(residual) {
                    return Ok(vec![]);
                }
                next.push(residual);
            }
            Ok(next)
        })
    }

    /// Whether 0 lies in a residual.
    pub fn holds_zero(&self, residual: u32) -> Result<bool, Failure> {
        let tuple = self.memo.key(residual);
        for (factor, &residual) in self.factors.iter().zip(tuple) {
            if !factor.holds_zero(residual)? {
                return Ok(false);
            }
        }
        // The empty tuple is nothing; a translate has at least one coordinate.
        Ok(!tuple.is_empty())
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
    use crate::meter::free_meter;

    #[test]
    fn residuals_know_the_members() {
        let (v, f) = (vec![vec![2, 0], vec![6, 6]], vec![vec![0, 0], vec![4, 3]]);
        let mut module = Residuals::new("module", v.clone(), f.clone(), &free_meter()).unwrap();
        let mut held = free_meter().hold(0).unwrap();
        for x in 0i128..40 {
            for y in 0i128..40 {
                let (mut residual, mut rest) = (0, [x, y]);
                while rest != [0, 0] {
                    for coordinate in &mut rest {
                        residual = module.step(residual, usize::from(*coordinate % 2 == 1), 2, &mut held).unwrap();
                        *coordinate /= 2;
                    }
                }
                let expected = f.iter().any(|f| generated(&[x - f[0], y - f[1]], &v, &mut 1000).unwrap());
                assert_eq!(module.holds_zero(residual).unwrap(), expected, "({x},{y})");
            }
        }
    }

    #[test]
    fn products_know_the_members() {
        // Coordinates 0 and 2 belong together, 1 is by itself, 3 is fixed.
        let (v, f) = (vec![vec![1, 0, 2, 0], vec![0, 3, 0, 0], vec![2, 0, 1, 0]], vec![1, 2, 0, 1]);
        let mut product = Product::new("translate", &v, &f, &free_meter()).unwrap();
        assert_eq!(product.factors.len(), 3);
        let mut held = free_meter().hold(0).unwrap();
        for n in 0i128..8 * 9 * 8 * 3 {
            let x = [n % 8, n / 8 % 9, n / 72 % 8, n / 576];
            let (mut residual, mut rest) = (0, x);
            while rest != [0; 4] {
                for coordinate in &mut rest {
                    residual = product.step(residual, usize::from(*coordinate % 2 == 1), 4, &mut held).unwrap();
                    *coordinate /= 2;
                }
            }
            let need: Vec<i128> = x.iter().zip(&f).map(|(x, f)| x - f).collect();
            assert_eq!(product.holds_zero(residual).unwrap(), generated(&need, &v, &mut 1000).unwrap(), "{x:?}");
        }
        assert!(Product::new("m", &[vec![0, 0]], &[0, 0], &free_meter()).is_err());
        assert!(Product::new("m", &[vec![0, 1]], &[-1, 0], &free_meter()).is_err());
    }

    #[test]
    fn long_sums_are_refused() {
        assert!(generated(&[1 << 40], &[vec![3], vec![6]], &mut 1000).is_err());
    }

    #[test]
    fn vectors_off_the_board_are_refused() {
        assert!(Residuals::new("m", vec![vec![1, -1]], vec![vec![0, 0]], &free_meter()).is_err());
        assert!(Residuals::new("m", vec![vec![0, 0]], vec![vec![0, 0]], &free_meter()).is_err());
        assert!(Residuals::new("m", vec![], vec![vec![-1, 0]], &free_meter()).is_err());
    }
}
