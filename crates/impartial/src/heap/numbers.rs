//! The small language of general heap rules: which numbers of beans may be taken, and from which heaps.

use std::fmt;
use std::str::FromStr;

use num_integer::Integer as _;
use thiserror::Error;

/// Why a text of the rule language is not understood.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum NumbersError {
    /// No set of numbers has this name.
    #[error(
        "take = \"{0}\": write numbers and ranges (\"1, 3, 5..8\", \"1..\"), squares, cubes, triangular, fibonacci, primes, factorials, powers of B, divisors, proper divisors, coprime, or a list of these"
    )]
    Take(String),
    /// No comparison.
    #[error("limit = \"{0}\": write a comparison with the heap size n, such as \"< n/2+1\", \"<= 2n/3\" or \">= 4\"")]
    Bound(String),
    /// No condition.
    #[error(
        "heap = \"{0}\": write even, odd, multiple of M, not multiple of M, or a comparison such as \">= 3\", joined by commas"
    )]
    Condition(String),
}

/// A set of numbers of beans that may be taken; some depend on the heap.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum Numbers {
    Range { first: u64, last: Option<u64> },
    Squares,
    Cubes,
    Triangular,
    Fibonacci,
    Primes,
    Factorials,
    PowersOf(u64),
    Divisors { proper: bool },
    Coprime,
}

/// Which numbers of beans may be taken: a union of ranges and named sets.
///
/// ```
/// use impartial::heap::Take;
/// let take: Take = "squares, 2..3".parse().unwrap();
/// let mut numbers = Vec::new();
/// take.each(10, 0, 10, &mut |k| { numbers.push(k); true });
/// assert_eq!(numbers, [1, 4, 9, 2, 3]);
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Take(Vec<Numbers>);

impl Take {
    /// Exactly these numbers.
    pub fn these(numbers: &[u64]) -> Self {
        let mut sorted = numbers.to_vec();
        sorted.sort_unstable();
        sorted.dedup();
        Self(sorted.into_iter().map(|n| Numbers::Range { first: n, last: Some(n) }).collect())
    }

    /// Whether 0 is the only number.
    pub fn only_zero(&self) -> bool {
        self.0.iter().all(|numbers| matches!(numbers, Numbers::Range { first: 0, last: Some(0) }))
    }

    /// The largest number, when there is one that holds for all heaps.
    pub fn largest(&self) -> Option<u64> {
        self.0.iter().try_fold(0, |largest, numbers| match numbers {
            Numbers::Range { last: Some(last), .. } => Some(largest.max(*last)),
            _ => None,
        })
    }

    /// Calls `found` with every number between `low` and `high` that may be taken from `heap`, set after
    /// set (a number in two sets comes twice), until it returns false; returns whether it ran to the end.
    /// `found` also hears of candidates that fail as `u64::MAX`, so that it can bound the work.
    pub fn each(&self, heap: u64, low: u64, high: u64, found: &mut dyn FnMut(u64) -> bool) -> bool {
        let high = high.min(heap);
        self.0.iter().all(|numbers| numbers.each(heap, low, high, found))
    }
}

impl Numbers {
    fn each(&self, heap: u64, low: u64, high: u64, found: &mut dyn FnMut(u64) -> bool) -> bool {
        let mut within = |k: u64| found(if k < low { u64::MAX } else { k });
        match *self {
            Self::Range { first, last } => {
                let (first, last) = (first.max(low), last.unwrap_or(u64::MAX).min(high));
                first > last || (first..=last).all(found)
            }
            Self::Squares => (1..).map_while(|i: u64| i.checked_mul(i).filter(|&k| k <= high)).all(within),
            Self::Cubes => (1..).map_while(|i: u64| i.checked_pow(3).filter(|&k| k <= high)).all(within),
            Self::Triangular => {
                (1..).map_while(|i: u64| i.checked_mul(i + 1).map(|k| k / 2).filter(|&k| k <= high)).all(within)
            }
            Self::Fibonacci => {
                let mut pair = (1_u64, 2_u64);
                while pair.0 <= high {
                    if !within(pair.0) {
                        return false;
                    }
                    let Some(next) = pair.0.checked_add(pair.1) else { break };
                    pair = (pair.1, next);
                }
                true
            }
            Self::Factorials => {
                let mut k = 1_u64;
                for i in 2.. {
                    if k > high {
                        return true;
                    }
                    if !within(k) {
                        return false;
                    }
                    let Some(next) = k.checked_mul(i) else { return true };
                    k = next;
                }
                true
            }
            Self::PowersOf(base) => {
                std::iter::successors(Some(1_u64), |k| k.checked_mul(base)).take_while(|&k| k <= high).all(within)
            }
            Self::Primes => (low.max(2)..=high).all(|k| found(if is_prime(k) { k } else { u64::MAX })),
            Self::Coprime => (low.max(1)..=high).all(|k| found(if k.gcd(&heap) == 1 { k } else { u64::MAX })),
            Self::Divisors { proper } => {
                for small in (1..).take_while(|&d: &u64| d.checked_mul(d).is_some_and(|square| square <= heap)) {
                    if !heap.is_multiple_of(small) {
                        if !found(u64::MAX) {
                            return false;
                        }
                        continue;
                    }
                    let large = heap / small;
                    for k in if small == large { vec![small] } else { vec![small, large] } {
                        let allowed = k >= low && k <= high && !(proper && k == heap);
                        if !found(if allowed { k } else { u64::MAX }) {
                            return false;
                        }
                    }
                }
                true
            }
        }
    }
}

impl FromStr for Take {
    type Err = NumbersError;

    fn from_str(text: &str) -> Result<Self, NumbersError> {
        let bad = || NumbersError::Take(text.to_owned());
        let number = |text: &str| text.trim().parse::<u64>().map_err(|_| bad());
        let mut sets = Vec::new();
        for item in text.split(',') {
            let words = item.split_whitespace().collect::<Vec<_>>().join(" ").to_lowercase();
            let set = match words.as_str() {
                "any" => Numbers::Range { first: 1, last: None },
                "squares" => Numbers::Squares,
                "cubes" => Numbers::Cubes,
                "triangular" => Numbers::Triangular,
                "fibonacci" => Numbers::Fibonacci,
                "primes" => Numbers::Primes,
                "factorials" => Numbers::Factorials,
                "divisors" => Numbers::Divisors { proper: false },
                "proper divisors" => Numbers::Divisors { proper: true },
                "coprime" => Numbers::Coprime,
                other => match (other.strip_prefix("powers of "), other.split_once("..")) {
                    (Some(base), _) => {
                        let base = number(base)?;
                        if base < 2 {
                            return Err(bad());
                        }
                        Numbers::PowersOf(base)
                    }
                    (None, Some((first, ""))) => Numbers::Range { first: number(first)?, last: None },
                    (None, Some((first, last))) => {
                        let (first, last) = (number(first)?, number(last)?);
                        if first > last {
                            return Err(bad());
                        }
                        Numbers::Range { first, last: Some(last) }
                    }
                    (None, None) => {
                        let n = number(other)?;
                        Numbers::Range { first: n, last: Some(n) }
                    }
                },
            };
            sets.push(set);
        }
        Ok(Self(sets))
    }
}

impl fmt::Display for Numbers {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Range { first, last: None } => write!(f, "{first}.."),
            Self::Range { first, last: Some(last) } if first == last => write!(f, "{first}"),
            Self::Range { first, last: Some(last) } => write!(f, "{first}..{last}"),
            Self::Squares => f.write_str("squares"),
            Self::Cubes => f.write_str("cubes"),
            Self::Triangular => f.write_str("triangular"),
            Self::Fibonacci => f.write_str("fibonacci"),
            Self::Primes => f.write_str("primes"),
            Self::Factorials => f.write_str("factorials"),
            Self::PowersOf(base) => write!(f, "powers of {base}"),
            Self::Divisors { proper: false } => f.write_str("divisors"),
            Self::Divisors { proper: true } => f.write_str("proper divisors"),
            Self::Coprime => f.write_str("coprime"),
        }
    }
}

impl fmt::Display for Take {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let items: Vec<String> = self.0.iter().map(ToString::to_string).collect();
        f.write_str(&items.join(", "))
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Relation {
    Less,
    AtMost,
    Equal,
    AtLeast,
    Greater,
}

impl Relation {
    /// Splits a text after its relation sign.
    fn split(text: &str) -> Option<(Self, &str)> {
        [
            ("<=", Self::AtMost),
            ("≤", Self::AtMost),
            (">=", Self::AtLeast),
            ("≥", Self::AtLeast),
            ("<", Self::Less),
            (">", Self::Greater),
            ("=", Self::Equal),
        ]
        .iter()
        .find_map(|&(sign, relation)| text.strip_prefix(sign).map(|rest| (relation, rest)))
    }

    fn sign(self) -> &'static str {
        match self {
            Self::Less => "<",
            Self::AtMost => "<=",
            Self::Equal => "=",
            Self::AtLeast => ">=",
            Self::Greater => ">",
        }
    }
}

/// A bound on the number k of beans taken, relative to the heap size n: k ∘ a·n/b + c, compared as
/// rational numbers without rounding.
///
/// ```
/// use impartial::heap::Bound;
/// let bound: Bound = "< n/2+1".parse().unwrap();
/// assert_eq!(bound.range(6), (0, 3)); // below 4
/// assert_eq!(bound.range(7), (0, 4)); // below 4½
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Bound {
    relation: Relation,
    factor: u32,
    divisor: u32,
    constant: i64,
}

impl Bound {
    /// The smallest and the largest k (at most n) that satisfy the bound; empty when the first is larger.
    pub fn range(&self, heap: u64) -> (u64, u64) {
        let b = i128::from(self.divisor);
        let x = i128::from(self.factor) * i128::from(heap) + i128::from(self.constant) * b;
        let n = i128::from(heap);
        let (floor, ceiling) = (x.div_euclid(b), -(-x).div_euclid(b));
        let (low, high) = match self.relation {
            Relation::Less => (0, ceiling - 1),
            Relation::AtMost => (0, floor),
            Relation::Equal => (ceiling, floor),
            Relation::AtLeast => (ceiling, n),
            Relation::Greater => (floor + 1, n),
        };
        let (low, high) = (low.max(0), high.min(n));
        match (u64::try_from(low), u64::try_from(high)) {
            (Ok(low), Ok(high)) => (low, high),
            _ => (1, 0),
        }
    }
}

impl FromStr for Bound {
    type Err = NumbersError;

    fn from_str(text: &str) -> Result<Self, NumbersError> {
        let bad = || NumbersError::Bound(text.to_owned());
        let squeezed: String = text.chars().filter(|c| !c.is_whitespace() && *c != '*').collect();
        let (relation, rest) = Relation::split(&squeezed).ok_or_else(bad)?;
        let whole = |text: &str| text.parse::<i64>().ok().filter(|n| n.unsigned_abs() < 1 << 32).ok_or_else(bad);
        let Some((factor, rest)) = rest.split_once('n') else {
            return Ok(Self { relation, factor: 0, divisor: 1, constant: whole(rest)? });
        };
        let factor = if factor.is_empty() { 1 } else { factor.parse().map_err(|_| bad())? };
        let end = rest.find(['+', '-']).unwrap_or(rest.len());
        let (divisor, constant) = rest.split_at(end);
        let divisor = match divisor.strip_prefix('/') {
            Some(divisor) => divisor.parse().ok().filter(|&d| d > 0).ok_or_else(bad)?,
            None if divisor.is_empty() => 1,
            None => return Err(bad()),
        };
        let constant = if constant.is_empty() { 0 } else { whole(constant)? };
        Ok(Self { relation, factor, divisor, constant })
    }
}

impl fmt::Display for Bound {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} ", self.relation.sign())?;
        if self.factor == 0 {
            return write!(f, "{}", self.constant);
        }
        if self.factor != 1 {
            write!(f, "{}", self.factor)?;
        }
        f.write_str("n")?;
        if self.divisor != 1 {
            write!(f, "/{}", self.divisor)?;
        }
        if self.constant != 0 {
            write!(f, "{:+}", self.constant)?;
        }
        Ok(())
    }
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum Condition {
    Multiple { of: u64, is: bool },
    Compare(Relation, u64),
}

/// Which heaps a clause speaks of: all conditions must hold.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct HeapCondition(Vec<Condition>);

impl HeapCondition {
    /// Whether the condition holds for a heap.
    pub fn holds(&self, heap: u64) -> bool {
        self.0.iter().all(|condition| match *condition {
            Condition::Multiple { of, is } => heap.is_multiple_of(of) == is,
            Condition::Compare(Relation::Less, n) => heap < n,
            Condition::Compare(Relation::AtMost, n) => heap <= n,
            Condition::Compare(Relation::Equal, n) => heap == n,
            Condition::Compare(Relation::AtLeast, n) => heap >= n,
            Condition::Compare(Relation::Greater, n) => heap > n,
        })
    }
}

impl FromStr for HeapCondition {
    type Err = NumbersError;

    fn from_str(text: &str) -> Result<Self, NumbersError> {
        let bad = || NumbersError::Condition(text.to_owned());
        let modulus = |text: &str| text.trim().parse::<u64>().ok().filter(|&m| m > 0).ok_or_else(bad);
        let mut conditions = Vec::new();
        for item in text.split(',') {
            let item = item.trim();
            conditions.push(match item {
                "even" => Condition::Multiple { of: 2, is: true },
                "odd" => Condition::Multiple { of: 2, is: false },
                _ => match (item.strip_prefix("multiple of "), item.strip_prefix("not multiple of ")) {
                    (Some(m), _) => Condition::Multiple { of: modulus(m)?, is: true },
                    (_, Some(m)) => Condition::Multiple { of: modulus(m)?, is: false },
                    _ => {
                        let (relation, number) = Relation::split(item).ok_or_else(bad)?;
                        Condition::Compare(relation, number.trim().parse().map_err(|_| bad())?)
                    }
                },
            });
        }
        Ok(Self(conditions))
    }
}

impl fmt::Display for HeapCondition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let items: Vec<String> = self
            .0
            .iter()
            .map(|condition| match condition {
                Condition::Multiple { of: 2, is: true } => "even".to_owned(),
                Condition::Multiple { of: 2, is: false } => "odd".to_owned(),
                Condition::Multiple { of, is: true } => format!("multiple of {of}"),
                Condition::Multiple { of, is: false } => format!("not multiple of {of}"),
                Condition::Compare(relation, n) => format!("{} {n}", relation.sign()),
            })
            .collect();
        f.write_str(&items.join(", "))
    }
}

/// Miller–Rabin with the first twelve primes as bases, which is exact below 3.3·10²⁴ (Sorenson–Webster 2015).
fn is_prime(n: u64) -> bool {
    const BASES: [u64; 12] = [2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37];
    if n < 2 {
        return false;
    }
    if let Some(&p) = BASES.iter().find(|&&p| n.is_multiple_of(p)) {
        return n == p;
    }
    let product = |a: u64, b: u64| u64::try_from(u128::from(a) * u128::from(b) % u128::from(n)).expect("below n");
    let twos = (n - 1).trailing_zeros();
    BASES.iter().all(|&base| {
        let (mut power, mut square, mut exponent) = (1, base % n, (n - 1) >> twos);
        while exponent > 0 {
            if exponent & 1 == 1 {
                power = product(power, square);
            }
            square = product(square, square);
            exponent >>= 1;
        }
        power == 1
            || (0..twos).any(|_| {
                let found = power == n - 1;
                power = product(power, power);
                found
            })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn numbers(take: &str, heap: u64) -> Vec<u64> {
        let mut list = Vec::new();
        take.parse::<Take>().unwrap().each(heap, 0, heap, &mut |k| {
            list.push(k);
            true
        });
        list.retain(|&k| k != u64::MAX);
        list.sort_unstable();
        list
    }

    #[test]
    fn named_sets() {
        assert_eq!(numbers("squares", 30), [1, 4, 9, 16, 25]);
        assert_eq!(numbers("cubes", 30), [1, 8, 27]);
        assert_eq!(numbers("triangular", 15), [1, 3, 6, 10, 15]);
        assert_eq!(numbers("fibonacci", 21), [1, 2, 3, 5, 8, 13, 21]);
        assert_eq!(numbers("factorials", 24), [1, 2, 6, 24]);
        assert_eq!(numbers("powers of 3", 27), [1, 3, 9, 27]);
        assert_eq!(numbers("primes", 20), [2, 3, 5, 7, 11, 13, 17, 19]);
        assert_eq!(numbers("divisors", 12), [1, 2, 3, 4, 6, 12]);
        assert_eq!(numbers("proper divisors", 16), [1, 2, 4, 8]);
        assert_eq!(numbers("coprime", 12), [1, 5, 7, 11]);
        assert_eq!(numbers("coprime", 1), [1]);
        assert_eq!(numbers("2, 4..5", 5), [2, 4, 5]);
    }

    #[test]
    fn sets_end_below_the_largest_integer() {
        for set in ["squares", "cubes", "fibonacci", "factorials", "powers of 2"] {
            let take: Take = set.parse().unwrap();
            let (mut heard, mut found) = (0_u64, 0_u64);
            take.each(u64::MAX - 1, u64::MAX - 10, u64::MAX - 1, &mut |k| {
                heard += 1;
                found += u64::from(k != u64::MAX);
                heard < 10_000
            });
            assert_eq!(found, 0, "{set}");
        }
    }

    #[test]
    fn primes_agree_with_trial_division() {
        for n in 0..3000_u64 {
            assert_eq!(is_prime(n), n > 1 && (2..n).all(|d| n % d != 0), "{n}");
        }
        assert!(is_prime(18_446_744_073_709_551_557));
        assert!(!is_prime(18_446_744_073_709_551_556));
        assert!(!is_prime(4_294_967_291 * 4_294_967_279));
    }

    #[test]
    fn bounds_compare_without_rounding() {
        for text in ["< n/2+1", "<= 2n/3", ">= 4", "= n-1", "> n/3-2", "<= n/2"] {
            let bound: Bound = text.parse().unwrap();
            assert_eq!(bound.to_string().parse::<Bound>().unwrap(), bound);
            for n in 0..40_u64 {
                let (low, high) = bound.range(n);
                for k in 0..=n {
                    let (k6, n6) = (6 * i64::try_from(k).unwrap(), 6 * i64::try_from(n).unwrap());
                    let holds = match text {
                        "< n/2+1" => k6 < n6 / 2 + 6,
                        "<= 2n/3" => k6 <= 2 * n6 / 3,
                        ">= 4" => k6 >= 24,
                        "= n-1" => k6 == n6 - 6,
                        "> n/3-2" => k6 > n6 / 3 - 12,
                        _ => k6 <= n6 / 2,
                    };
                    assert_eq!((low..=high).contains(&k), holds, "{k} {text} with n = {n}");
                }
            }
        }
    }

    #[test]
    fn bad_texts_are_refused() {
        for text in ["", "1..x", "5..2", "powers of 1", "evil", "1,,2", "-1", "powers of"] {
            assert!(text.parse::<Take>().is_err(), "{text}");
        }
        for text in ["n/2", "< n/0", "< m", "<", "< n/2/2", "< n/2+x", "< 99999999999999999999"] {
            assert!(text.parse::<Bound>().is_err(), "{text}");
        }
        for text in ["", "prime", ">= x", "multiple of 0", "3"] {
            assert!(text.parse::<HeapCondition>().is_err(), "{text}");
        }
    }

    #[test]
    fn conditions() {
        let condition: HeapCondition = ">= 3, odd, not multiple of 5".parse().unwrap();
        let held: Vec<u64> = (0..16).filter(|&n| condition.holds(n)).collect();
        assert_eq!(held, [3, 7, 9, 11, 13]);
        assert_eq!(condition.to_string().parse::<HeapCondition>().unwrap(), condition);
    }
}
