//! Functionals that are positive on rules and on the rays of a board: along a topological order, or by a linear program.

use super::axioms::Violation;
use semilinear::integer::{Affine, Int, LinearProgram, Multipliers, Optimum, Rat, vector};
use semilinear::run::{Monitor, StopReason};

/// Up to this many entries of rules the linear program comes before the lexicographic functional: it finds smaller numbers.
const SMALL: usize = 1 << 12;

/// A functional that is at least 1 on every ray and every rule, with a small sum over the rays; or why there is none.
pub(super) fn functional(
    rules: &[Vec<i64>],
    rays: &[Vec<i64>],
    monitor: &dyn Monitor,
) -> Result<Result<Vec<Int>, Violation>, StopReason> {
    let d = rules[0].len();
    let positive = |f: &[Int]| -> Result<bool, StopReason> {
        for (i, v) in rules.iter().chain(rays).enumerate() {
            if i % 64 == 0 {
                monitor.check(i as u64, None)?;
            }
            if !value(v, f).is_positive() {
                return Ok(false);
            }
        }
        Ok(true)
    };
    let ones = vec![Int::ONE; d];
    if positive(&ones)? {
        return Ok(Ok(ones));
    }
    // The least functional of all when every rule has the single positive entry 1.
    let heap_like = rules.iter().all(|rule| rule.iter().filter(|&&x| x > 0).eq(&[1]));
    if (heap_like || d * rules.len() > SMALL)
        && let Some(functional) = lexicographic(rules, monitor)?
        && positive(&functional)?
    {
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
    Ok(match program.minimum(&objective, monitor)? {
        Optimum::Attained { point, .. } | Optimum::Unbounded { point, .. } => {
            let scale = point.iter().fold(Int::ONE, |lcm, x| lcm.lcm(x.denominator()));
            Ok(point.iter().map(|x| x.numerator() * &scale.exact_div(x.denominator())).collect())
        }
        Optimum::Infeasible(multipliers) => Err(violation(rules, rays, &multipliers)),
    })
}

/// γ·ℓ, skipping the zeros that most rules consist of.
fn value(vector: &[i64], functional: &[Int]) -> Int {
    vector.iter().zip(functional).filter(|(x, _)| **x != 0).map(|(x, l)| &Int::from(*x) * l).sum()
}

/// A coordinate and the rules that it is the head of.
type Headed = (usize, Vec<usize>);

/// The coordinates in an order, largest first, in which every rule is lexicographically positive, each with the rules
/// whose first entry ≠ 0 it has; `None` when there is no such order.
///
/// A coordinate may come next when no rule that is still undecided lowers it. Taking one keeps all others that may come
/// next, so no choice is wrong.
///
/// # Complexity
/// O(d·|Γ|).
fn topological_order(rules: &[Vec<i64>], monitor: &dyn Monitor) -> Result<Option<Vec<Headed>>, StopReason> {
    let d = rules[0].len();
    // Undecided rules that lower each coordinate; and those that raise it, decided or not.
    let mut lowering = vec![0usize; d];
    let mut raising: Vec<Vec<usize>> = vec![Vec::new(); d];
    for (r, rule) in rules.iter().enumerate() {
        if r % 64 == 0 {
            monitor.check(r as u64, None)?;
        }
        for (i, &x) in rule.iter().enumerate() {
            match x {
                1.. => raising[i].push(r),
                0 => {}
                _ => lowering[i] += 1,
            }
        }
    }
    let mut ready: Vec<usize> = (0..d).filter(|&i| lowering[i] == 0).collect();
    let mut decided = vec![false; rules.len()];
    let mut order = Vec::with_capacity(d);
    while let Some(next) = ready.pop() {
        let headed: Vec<usize> = raising[next].iter().copied().filter(|&r| !decided[r]).collect();
        for (count, &r) in headed.iter().enumerate() {
            if count % 64 == 0 {
                monitor.check(r as u64, None)?;
            }
            decided[r] = true;
            for (i, _) in rules[r].iter().enumerate().filter(|(_, x)| **x < 0) {
                lowering[i] -= 1;
                if lowering[i] == 0 {
                    ready.push(i);
                }
            }
        }
        order.push((next, headed));
    }
    Ok((order.len() == d && decided.iter().all(|&x| x)).then_some(order))
}

/// The least positive integers, from the smallest coordinate of a topological order on, that outweigh everything smaller in
/// each rule: γᵢℓᵢ > −Σ γⱼℓⱼ for the head i of γ. They may be exponential in d: ℓᵢ > 9ℓᵢ₋₁ for the rules eᵢ − 9eᵢ₋₁.
fn lexicographic(rules: &[Vec<i64>], monitor: &dyn Monitor) -> Result<Option<Vec<Int>>, StopReason> {
    let Some(order) = topological_order(rules, monitor)? else { return Ok(None) };
    let mut functional = vec![Int::ZERO; rules[0].len()];
    for (head, headed) in order.iter().rev() {
        let mut least = Int::ONE;
        for (count, &r) in headed.iter().enumerate() {
            if count % 64 == 0 {
                monitor.check(r as u64, None)?;
            }
            // Coordinates before the head are 0 in the rule, and the head's own weight is still 0.
            let needed = (-value(&rules[r], &functional)).div_floor(&Int::from(rules[r][*head])) + Int::ONE;
            least = least.max(needed);
        }
        functional[*head] = least;
    }
    Ok(Some(functional))
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

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use semilinear::run::{TickLimit, Unlimited};

    fn orthant(d: usize) -> Vec<Vec<i64>> {
        (0..d).map(|i| (0..d).map(|j| i64::from(i == j)).collect()).collect()
    }

    #[test]
    fn a_long_chain_of_heaps_has_a_functional_of_any_size() {
        let d = 200;
        let mut rules = orthant(d);
        for (i, rule) in rules.iter_mut().enumerate().skip(1) {
            rule[i - 1] = -9;
        }
        let functional = functional(&rules, &orthant(d), &Unlimited).unwrap().unwrap();
        // ℓ₀ = 1 and ℓᵢ = 9ℓᵢ₋₁ + 1.
        assert_eq!(functional[..3], [Int::from(1), Int::from(10), Int::from(91)]);
        assert!(functional[199].bits() > 600);
    }

    #[test]
    fn a_circle_of_rules_has_no_order() {
        assert_eq!(lexicographic(&[vec![1, -1], vec![-1, 1]], &Unlimited).unwrap(), None);
        assert_eq!(lexicographic(&[vec![2, -1], vec![-1, 2]], &Unlimited).unwrap(), None);
        assert_eq!(lexicographic(&[vec![0]], &Unlimited).unwrap(), None);
        assert!(lexicographic(&[vec![1, -1], vec![0, 1]], &TickLimit::new(0)).is_err());
    }

    proptest! {
        /// An order is found exactly when every rule is lexicographically positive in one of the d! orders, and the
        /// functional it gives is positive.
        #[test]
        fn topological_orders_are_found(rules in prop::collection::vec(prop::collection::vec(-2i64..3, 3), 1..6)) {
            const ORDERS: [[usize; 3]; 6] = [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]];
            let positive = |order: &[usize; 3]| {
                rules.iter().all(|rule| order.iter().map(|&i| rule[i]).find(|&x| x != 0).is_some_and(|x| x > 0))
            };
            let found = lexicographic(&rules, &Unlimited).unwrap();
            prop_assert_eq!(found.is_some(), ORDERS.iter().any(positive));
            if let Some(functional) = found {
                prop_assert!(rules.iter().all(|rule| value(rule, &functional).is_positive()));
                prop_assert!(functional.iter().all(Int::is_positive));
            }
        }
    }
}
