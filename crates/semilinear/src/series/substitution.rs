//! Monomial substitution, also where single terms have poles.

use rustc_hash::FxHashMap;

use super::Term;
use crate::integer::{Int, Matrix, Rat, Vector, add, add_multiple, dot, is_zero_vector};
use crate::run::{Monitor, StopReason};

/// The image of a sum of terms under the monomial map that takes `z^x` to `t^(x·map)`.
///
/// The sum must be regular along the substitution, although its terms may have poles there: so it is when the sum is the
/// generating function of a set on which the map is finite-to-one with pointed image. With `z_r = t^(map_r)·e^(c_r·τ)` for a
/// generic integer vector c, the image is the sum over all terms of the coefficient of τ⁰: a factor whose exponent is mapped to
/// 0 gives `1/(1 − e^(gτ)) = −(1/gτ) Σ B_k (gτ)^k/k!` with the Bernoulli numbers, and any other one gives, with u = t^(image),
/// `1/(1 − u e^(gτ)) = Σ_n (gτ)^n/n! Σ_j S(n,j) j! u^j/(1 − u)^(j+1)` with the Stirling numbers of the second kind.
///
/// # Complexity
/// A term with s poles and r other factors gives at most C(2s + r, s)-many terms, in practice few.
pub fn substitute(terms: &[Term], map: &Matrix, monitor: &dyn Monitor) -> Result<Vec<Term>, StopReason> {
    let image = |x: &[Int]| map.left_times(x);
    let poles: Vec<Vec<bool>> =
        terms.iter().map(|t| t.denominators.iter().map(|a| is_zero_vector(&image(a))).collect()).collect();
    let critical = || {
        terms
            .iter()
            .zip(&poles)
            .flat_map(|(t, p)| t.denominators.iter().zip(p))
            .filter_map(|(a, pole)| pole.then_some(a))
    };
    let direction = direction(map.rows(), critical);
    let most = poles.iter().map(|p| p.iter().filter(|x| **x).count()).max().unwrap_or(0);
    let numbers = Numbers::new(most);
    let mut result = Vec::new();
    for (done, (term, poles)) in terms.iter().zip(&poles).enumerate() {
        monitor.check(done as u64, Some(terms.len() as u64))?;
        let order = poles.iter().filter(|x| **x).count();
        let exponent = image(&term.exponent);
        let regular: Vec<(&Vector, Vector)> =
            term.denominators.iter().zip(poles).filter(|(_, pole)| !**pole).map(|(a, _)| (a, image(a))).collect();
        // The numbers: coefficient · e^(⟨c,p⟩τ) · Π over poles, up to τ^order, with τ^(−order) taken out.
        let mut scalar: Vec<Rat> =
            exponential(&dot(&direction, &term.exponent), order).iter().map(|x| x * &term.coefficient).collect();
        for (a, _) in term.denominators.iter().zip(poles).filter(|(_, pole)| **pole) {
            let g = Rat::from(dot(&direction, a));
            let mut factor: Vec<Rat> = Vec::with_capacity(order + 1);
            let mut power = -g.recip();
            for k in 0..=order {
                factor.push(&power * &numbers.bernoulli_over_factorial[k]);
                power = &power * &g;
            }
            scalar = product(&scalar, &factor);
        }
        // The functions: for each power of τ, the coefficients of the products Π u^j/(1 − u)^(j+1).
        let mut functions: FxHashMap<(usize, Vec<usize>), Rat> = FxHashMap::default();
        functions.insert((0, Vec::new()), Rat::ONE);
        for (a, _) in &regular {
            let g = Rat::from(dot(&direction, a));
            let mut next: FxHashMap<(usize, Vec<usize>), Rat> = FxHashMap::default();
            for ((used, powers), value) in &functions {
                let mut weight = value.clone();
                for n in 0..=order - used {
                    for j in 0..=n {
                        let s = &numbers.surjections_over_factorial[n][j];
                        if !s.is_zero() {
                            let mut powers = powers.clone();
                            powers.push(j);
                            *next.entry((used + n, powers)).or_default() += &(&weight * s);
                        }
                    }
                    weight = &weight * &g;
                    if weight.is_zero() {
                        break;
                    }
                }
            }
            functions = next;
        }
        let mut collected: FxHashMap<Vec<usize>, Rat> = FxHashMap::default();
        for ((used, powers), value) in functions {
            *collected.entry(powers).or_default() += &(&value * &scalar[order - used]);
        }
        for (powers, coefficient) in collected.into_iter().filter(|(_, c)| !c.is_zero()) {
            let mut exponent = exponent.clone();
            let mut denominators = Vec::new();
            for ((_, u), j) in regular.iter().zip(powers) {
                add_multiple(&mut exponent, &Int::from(j), u);
                denominators.extend(std::iter::repeat_n(u.clone(), j + 1));
            }
            denominators.sort();
            result.push(Term { denominators, exponent, coefficient });
        }
    }
    result.sort();
    Ok(result)
}

/// A vector that is orthogonal to none of the given ones, with small entries.
fn direction<'a, I: Iterator<Item = &'a Vector>>(n: usize, vectors: impl Fn() -> I) -> Vector {
    let mut state = 0x9e37_79b9_7f4a_7c15u64;
    let mut size = 2u64;
    let mut direction = crate::integer::zero_vector(n);
    while vectors().any(|a| dot(&direction, a).is_zero()) {
        direction = (0..n)
            .map(|_| {
                state ^= state << 13;
                state ^= state >> 7;
                state ^= state << 17;
                Int::from(state % (2 * size + 1)) - Int::from(size)
            })
            .collect();
        size = (size + 1).min(1 << 40);
    }
    direction
}

/// The coefficients of e^(gτ) up to τ^order.
fn exponential(g: &Int, order: usize) -> Vec<Rat> {
    let mut coefficients = vec![Rat::ONE];
    for k in 1..=order {
        let next = &coefficients[k - 1] * &Rat::new(g.clone(), Int::from(k));
        coefficients.push(next);
    }
    coefficients
}

/// The product of two power series, as long as the first.
fn product(a: &[Rat], b: &[Rat]) -> Vec<Rat> {
    (0..a.len()).map(|k| (0..=k).map(|i| &a[i] * &b[k - i]).sum()).collect()
}

struct Numbers {
    /// B_k/k!, with B_1 = −1/2.
    bernoulli_over_factorial: Vec<Rat>,
    /// S(n,j)·j!/n!.
    surjections_over_factorial: Vec<Vec<Rat>>,
}

impl Numbers {
    fn new(order: usize) -> Self {
        let mut factorials = vec![Int::ONE];
        for k in 1..=order + 1 {
            factorials.push(&factorials[k - 1] * &Int::from(k));
        }
        let inverse = |k: usize| Rat::new(Int::ONE, factorials[k].clone());
        // x/(e^x − 1) · (e^x − 1)/x = 1 determines B_k/k! one after another.
        let mut bernoulli: Vec<Rat> = vec![Rat::ONE];
        for k in 1..=order {
            let sum: Rat = (0..k).map(|i| &bernoulli[i] * &inverse(k + 1 - i)).sum();
            bernoulli.push(-sum);
        }
        // The number of surjections from n onto j elements: s(n,j) = j(s(n−1,j) + s(n−1,j−1)).
        let mut surjections = vec![vec![Int::ONE]];
        for n in 1..=order {
            let row = (0..=n)
                .map(|j| {
                    let same = surjections[n - 1].get(j).cloned().unwrap_or_default();
                    let less = if j == 0 { Int::ZERO } else { surjections[n - 1][j - 1].clone() };
                    Int::from(j) * (same + less)
                })
                .collect();
            surjections.push(row);
        }
        let surjections_over_factorial = surjections
            .iter()
            .enumerate()
            .map(|(n, row)| row.iter().map(|s| &Rat::from(s) * &inverse(n)).collect())
            .collect();
        Self { bernoulli_over_factorial: bernoulli, surjections_over_factorial }
    }
}

/// The image of every exponent moved by a constant, for affine maps.
pub(super) fn translated(terms: Vec<Term>, shift: &[Int], factor: &Rat) -> Vec<Term> {
    terms
        .into_iter()
        .map(|t| Term {
            exponent: add(&t.exponent, shift),
            coefficient: &t.coefficient * factor,
            denominators: t.denominators,
        })
        .collect()
}
