//! Commutative rewriting: congruences of ℕᵈ by rules x ↦ y with y before x in the colex order.

use std::cmp::Ordering;

use num_bigint::BigUint;

use semilinear::run::{Monitor, StopReason};

/// An element of ℕᵈ: the exponents of a word.
pub type Exponents = Vec<u32>;

/// Compares two vectors by their last entries, then by those before.
pub(super) fn colex(a: &[u32], b: &[u32]) -> Ordering {
    a.iter().rev().cmp(b.iter().rev())
}

/// A reduced, confluent set of rules: the reduced Gröbner basis, in the colex order, of the binomials of a congruence.
///
/// ```
/// use impartial::{run::Unlimited, solve::presentation::Rewriting};
/// let mut rules = Rewriting::new(2);
/// rules.add(&[2, 0], &[0, 0], &Unlimited).unwrap();       // a² = 1
/// rules.add(&[0, 3], &[1, 1], &Unlimited).unwrap();       // b³ = ab
/// assert_eq!(rules.normal_form(&[5, 4]), [0, 2]);         // a⁵b⁴ = b²
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rewriting {
    dimension: usize,
    rules: Vec<(Exponents, Exponents)>,
}

fn divides(a: &[u32], b: &[u32]) -> bool {
    a.iter().zip(b).all(|(a, b)| a <= b)
}

/// More rules than this are not completed.
const MOST_RULES: usize = 20_000;

impl Rewriting {
    /// No rules: all vectors are different.
    pub fn new(dimension: usize) -> Self {
        Self { dimension, rules: Vec::new() }
    }

    /// Rules that are claimed to be reduced and confluent; `None` when one of them has a left side that does not come after
    /// its right side, so that rewriting might never end, or another number of generators.
    pub fn claimed(dimension: usize, rules: Vec<(Exponents, Exponents)>) -> Option<Self> {
        let sound = |(l, r): &(Exponents, Exponents)| {
            l.len() == dimension && r.len() == dimension && colex(l, r) == Ordering::Greater
        };
        rules.iter().all(sound).then_some(Self { dimension, rules })
    }

    /// Rules that are known to be reduced and confluent already.
    pub(crate) fn from_basis(dimension: usize, rules: Vec<(Exponents, Exponents)>) -> Self {
        Self { dimension, rules }
    }

    /// The number of generators.
    pub fn dimension(&self) -> usize {
        self.dimension
    }

    /// The rules, left side first, in the colex order of the left sides.
    pub fn rules(&self) -> &[(Exponents, Exponents)] {
        &self.rules
    }

    /// Whether no rule applies.
    pub fn is_normal(&self, x: &[u32]) -> bool {
        !self.rules.iter().any(|(left, _)| divides(left, x))
    }

    /// The colex-least vector that the rules make of x. Its exponents, and those on the way, must stay below 2³².
    ///
    /// # Complexity
    /// Each step applies a rule as often as it goes; the colex order is a well-order, so it ends.
    pub fn normal_form(&self, x: &[u32]) -> Exponents {
        let mut x = x.to_vec();
        while let Some((left, right)) = self.rules.iter().find(|(left, _)| divides(left, &x)) {
            // After t times x − t(l − r) is left, and the rule applies as long as that is at least l.
            let falling = x.iter().zip(left).zip(right).filter(|((_, l), r)| l > r);
            let times = falling.map(|((x, l), r)| (x - l) / (l - r) + 1).min().unwrap_or(1);
            for ((x, l), r) in x.iter_mut().zip(left).zip(right) {
                let change = (i64::from(*r) - i64::from(*l)).checked_mul(times.into());
                let more = change.and_then(|change| u32::try_from(i64::from(*x).checked_add(change)?).ok());
                *x = more.expect("exponents stay below 2^32");
            }
        }
        x
    }

    /// [`Rewriting::normal_form`] of exponents of any size; `None` when it is not reached within `steps` steps.
    ///
    /// ```
    /// use impartial::{run::Unlimited, solve::presentation::Rewriting};
    /// let mut rules = Rewriting::new(2);
    /// rules.add(&[1, 1], &[0, 1], &Unlimited).unwrap();       // ab = b
    /// rules.add(&[0, 3], &[0, 1], &Unlimited).unwrap();       // b³ = b
    /// let huge: num_bigint::BigUint = "1000000000000000000000".parse().unwrap();
    /// assert_eq!(rules.reduced(&[huge.clone(), huge], 100), Some(vec![0_u8.into(), 2_u8.into()]));
    /// ```
    pub fn reduced(&self, x: &[BigUint], steps: usize) -> Option<Vec<BigUint>> {
        let mut x = x.to_vec();
        for _ in 0..=steps {
            let applies = |left: &[u32]| left.iter().zip(&x).all(|(&l, x)| *x >= BigUint::from(l));
            let Some((left, right)) = self.rules.iter().find(|(left, _)| applies(left)) else { return Some(x) };
            let falling = x.iter().zip(left).zip(right).filter(|((_, l), r)| l > r);
            let times = falling.map(|((x, &l), &r)| (x - l) / (l - r) + 1_u32).min()?;
            for ((x, &l), &r) in x.iter_mut().zip(left).zip(right) {
                if l > r {
                    *x -= &times * (l - r);
                } else {
                    *x += &times * (r - l);
                }
            }
        }
        None
    }

    /// Adds x = y and completes the rules (Buchberger's algorithm for binomials).
    ///
    /// # Complexity
    /// Ends by Dickson's lemma; no bound is known. Left sides without a common generator need no look.
    pub fn add(&mut self, x: &[u32], y: &[u32], monitor: &dyn Monitor) -> Result<(), StopReason> {
        let mut waiting = vec![(x.to_vec(), y.to_vec())];
        while let Some((x, y)) = waiting.pop() {
            monitor.check(self.rules.len() as u64, None)?;
            let (x, y) = (self.normal_form(&x), self.normal_form(&y));
            let (left, right) = match colex(&x, &y) {
                Ordering::Equal => continue,
                Ordering::Greater => (x, y),
                Ordering::Less => (y, x),
            };
            // Rules whose left side is reducible now are looked at again.
            let (kept, again): (Vec<_>, Vec<_>) = self.rules.drain(..).partition(|(l, _)| !divides(&left, l));
            self.rules = kept;
            waiting.extend(again);
            for (l, r) in &self.rules {
                if l.iter().zip(&left).any(|(a, b)| *a > 0 && *b > 0) {
                    let both: Exponents = l.iter().zip(&left).map(|(a, b)| *a.max(b)).collect();
                    let other = |l: &[u32], r: &[u32]| -> Exponents {
                        both.iter().zip(l).zip(r).map(|((b, l), r)| b - l + r).collect()
                    };
                    waiting.push((other(l, r), other(&left, &right)));
                }
            }
            self.rules.push((left, right));
            if self.rules.len() > MOST_RULES {
                return Err(StopReason::Size { what: "relations", limit: MOST_RULES as u64 });
            }
        }
        for i in 0..self.rules.len() {
            self.rules[i].1 = self.normal_form(&self.rules[i].1);
        }
        self.rules.sort_by(|a, b| colex(&a.0, &b.0));
        Ok(())
    }

    /// The normal forms as a disjoint union of cones.
    pub fn cones(&self) -> Vec<Cone> {
        self.cones_within(usize::MAX).expect("no list is longer than memory")
    }

    /// [`Rewriting::cones`], when there are at most `most`.
    pub fn cones_within(&self, most: usize) -> Option<Vec<Cone>> {
        let left: Vec<Exponents> = self.rules.iter().map(|(l, _)| l.clone()).collect();
        let mut cones = Vec::new();
        let open: Vec<usize> = (0..self.dimension).collect();
        split(&Cone { base: vec![0; self.dimension], free: vec![] }, &open, left, most, &mut cones);
        (cones.len() <= most).then_some(cones)
    }
}

/// The vectors base + Σ uᵢeᵢ, uᵢ ∈ ℕ for the free coordinates i.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Cone {
    /// The smallest vector.
    pub base: Exponents,
    /// The free coordinates, increasing.
    pub free: Vec<usize>,
}

/// The vectors of the cone, `open` coordinates added, that no vector of `left` divides (entries of `left` outside `open` count as met).
fn split(cone: &Cone, open: &[usize], left: Vec<Exponents>, enough: usize, cones: &mut Vec<Cone>) {
    if cones.len() > enough || left.iter().any(|l| open.iter().all(|&i| l[i] == 0)) {
        return;
    }
    // The coordinate that occurs in the fewest left sides, if any at all, keeps the pieces few.
    let occurs = |i: usize| left.iter().filter(|l| l[i] > 0).count();
    let Some(&i) = open.iter().filter(|&&i| occurs(i) > 0).min_by_key(|&&i| left.iter().map(|l| l[i]).max()) else {
        let mut free = [&cone.free[..], open].concat();
        free.sort_unstable();
        cones.push(Cone { base: cone.base.clone(), free });
        return;
    };
    let rest: Vec<usize> = open.iter().copied().filter(|&k| k != i).collect();
    let most = left.iter().map(|l| l[i]).max().unwrap_or(0);
    for k in 0..most {
        let mut slice = cone.clone();
        slice.base[i] = k;
        split(&slice, &rest, left.iter().filter(|l| l[i] <= k).cloned().collect(), enough, cones);
    }
    let mut far = cone.clone();
    far.base[i] = most;
    far.free.push(i);
    split(&far, &rest, left, enough, cones);
}

#[cfg(test)]
mod tests {
    use super::*;
    use semilinear::run::Unlimited;

    #[test]
    fn cones_are_the_normal_forms() {
        let mut rules = Rewriting::new(3);
        for (x, y) in [([2, 1, 0], [1, 0, 0]), ([0, 3, 1], [0, 1, 1]), ([1, 0, 4], [0, 0, 2])] {
            rules.add(&x, &y, &Unlimited).unwrap();
        }
        let cones = rules.cones();
        for n in 0..12_u32.pow(3) {
            let x = [n % 12, n / 12 % 12, n / 144];
            let inside = |c: &&Cone| (0..3).all(|i| x[i] == c.base[i] || x[i] > c.base[i] && c.free.contains(&i));
            assert_eq!(cones.iter().filter(inside).count(), usize::from(rules.is_normal(&x)), "{x:?}");
            assert!(rules.is_normal(&rules.normal_form(&x)));
        }
    }

    #[test]
    fn completion_joins_what_the_relations_join() {
        // a²b = 1 and ab² = 1 make a group of order 3.
        let mut rules = Rewriting::new(2);
        rules.add(&[2, 1], &[0, 0], &Unlimited).unwrap();
        rules.add(&[1, 2], &[0, 0], &Unlimited).unwrap();
        assert_eq!(rules.rules(), [(vec![3, 0], vec![0, 0]), (vec![0, 1], vec![1, 0])]);
        assert_eq!(rules.cones().len(), 3);
    }
}
