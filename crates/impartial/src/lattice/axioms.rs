//! The two axioms of rule sets (Guo–Miller 2011, Definition 2.2), checked exactly.

use std::fmt;

use super::LatticeError;
use super::board::Recession;
use super::chart::dot;
use semilinear::integer::{Affine, Int, LinearProgram, Multipliers, Optimum, Rat, vector};

/// What is known of the axioms of a rule set on a board with recession cone C.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Axioms {
    /// Positivity: an integer functional that is positive on Γ and on C∖{0}, or why there is none.
    pub positivity: Result<Vec<i64>, Violation>,
    /// The rays of C without a rule in their negative tangent cone; the tangent axiom holds when there are none.
    pub tangent_violations: Vec<Vec<i64>>,
}

/// Positivity is violated.
///
/// By Farkas' lemma no functional is positive on Γ and on C∖{0} exactly when some non-negative, non-zero combination of
/// rules and rays of C is 0: making these moves again and again never leaves the board in the long run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Violation {
    /// Rules with positive multipliers.
    pub rules: Vec<(Vec<i64>, String)>,
    /// Rays of C with positive multipliers.
    pub rays: Vec<(Vec<i64>, String)>,
}

impl fmt::Display for Violation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the rules break the positivity axiom, so play need not end: ")?;
        let terms: Vec<String> = self
            .rules
            .iter()
            .chain(&self.rays)
            .map(|(vector, factor)| {
                let entries: Vec<String> = vector.iter().map(ToString::to_string).collect();
                let factor = if factor == "1" { String::new() } else { format!("{factor}*") };
                format!("{factor}({})", entries.join(","))
            })
            .collect();
        write!(f, "{} = 0", terms.join(" + "))?;
        if !self.rays.is_empty() {
            write!(f, ", where the last {} of these are rays of the board and the others rules", self.rays.len())?;
        }
        write!(f, "; remove or change one of these rules")
    }
}

impl Axioms {
    /// Checks both axioms exactly.
    ///
    /// # Complexity
    /// O(d·|Γ|) for most squarefree rule sets, else one exact linear program with d variables.
    pub(super) fn check(rules: &[Vec<i64>], recession: &Recession) -> Result<Self, LatticeError> {
        let tangent_violations = recession
            .rays()
            .into_iter()
            .filter(|ray| !rules.iter().any(|rule| recession.is_behind(ray, rule)))
            .collect();
        Ok(Self { positivity: functional(rules, &recession.rays())?, tangent_violations })
    }
}

/// A functional that is at least 1 on every ray and every rule, with a small sum over the rays; or why there is none.
fn functional(rules: &[Vec<i64>], rays: &[Vec<i64>]) -> Result<Result<Vec<i64>, Violation>, LatticeError> {
    let d = rules[0].len();
    let positive = |f: &[i64]| rules.iter().chain(rays).all(|v| dot(v, f).is_some_and(|x| x > 0));
    let ones = vec![1; d];
    if positive(&ones) {
        return Ok(Ok(ones));
    }
    if let Some(functional) = least_for_squarefree(rules).filter(|f| positive(f)) {
        return Ok(Ok(functional));
    }
    let program = LinearProgram {
        dimension: d,
        inequalities: rules.iter().chain(rays).map(|v| Affine::new(vector(v), -1)).collect(),
        equations: Vec::new(),
    };
    let mut objective = vec![Int::ZERO; d];
    for ray in rays {
        for (o, x) in objective.iter_mut().zip(ray) {
            *o += &Int::from(*x);
        }
    }
    match program.minimum(&objective) {
        Optimum::Attained { point, .. } | Optimum::Unbounded { point, .. } => {
            let scale = point.iter().fold(Int::ONE, |lcm, x| lcm.lcm(x.denominator()));
            let integer = |x: &Rat| (x * &Rat::from(scale.clone())).to_int().and_then(|x| x.to_i64());
            let functional: Option<Vec<i64>> = point.iter().map(integer).collect();
            functional
                .filter(|f| positive(f))
                .map(Ok)
                .ok_or(LatticeError::TooLarge("no functional for the positivity axiom fits 64-bit integers"))
        }
        Optimum::Infeasible(multipliers) => Ok(Err(violation(rules, rays, &multipliers))),
    }
}

/// For rules with a single positive entry 1, the least functional: ℓᵢ = 1 + max over γ with γᵢ = 1 of Σ −γⱼ ℓⱼ.
fn least_for_squarefree(rules: &[Vec<i64>]) -> Option<Vec<i64>> {
    let d = rules[0].len();
    let heads: Vec<usize> = rules
        .iter()
        .map(|rule| {
            let mut positive = (0..d).filter(|&i| rule[i] > 0);
            positive.next().filter(|&i| rule[i] == 1 && positive.next().is_none())
        })
        .collect::<Option<_>>()?;
    let mut functional = vec![1i64; d];
    for _ in 0..=d {
        let mut changed = false;
        for (rule, &head) in rules.iter().zip(&heads) {
            let needed = 1 + i128::from(functional[head])
                - rule.iter().zip(&functional).map(|(g, l)| i128::from(*g) * i128::from(*l)).sum::<i128>();
            if needed > i128::from(functional[head]) {
                functional[head] = i64::try_from(needed).ok().filter(|x| *x < 1 << 50)?;
                changed = true;
            }
        }
        if !changed {
            return Some(functional);
        }
    }
    None
}

/// The multipliers of Farkas' lemma as small integers with the vectors they belong to.
fn violation(rules: &[Vec<i64>], rays: &[Vec<i64>], multipliers: &Multipliers) -> Violation {
    let scale = multipliers.inequalities.iter().fold(Int::ONE, |lcm, x| lcm.lcm(x.denominator()));
    let factors: Vec<Int> = multipliers
        .inequalities
        .iter()
        .map(|x| (x * &Rat::from(scale.clone())).to_int().expect("scaled by the common denominator"))
        .collect();
    let common = factors.iter().fold(Int::ZERO, |g, x| g.gcd(x));
    let terms = |vectors: &[Vec<i64>], factors: &[Int]| {
        vectors
            .iter()
            .zip(factors)
            .filter(|(_, factor)| !factor.is_zero())
            .map(|(v, factor)| (v.clone(), factor.exact_div(&common).to_string()))
            .collect()
    };
    Violation { rules: terms(rules, &factors[..rules.len()]), rays: terms(rays, &factors[rules.len()..]) }
}
