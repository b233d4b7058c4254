//! Numeration systems: weights with a linear recurrence, and which strings of digits are read.

use num_bigint::BigUint;
use num_traits::ToPrimitive as _;
use rustc_hash::FxHashMap;
use thiserror::Error;

use super::table::{NOWHERE, Table};
use crate::vectorset::Effort;

/// The largest order of a recurrence.
pub const MAX_ORDER: usize = 6;
/// The largest number of digits.
pub const MAX_BASE: usize = 10;

/// A numeration system: weights W₀ = 1 < W₁ < … with Wₙ₊ₖ = a₁Wₙ₊ₖ₋₁ + … + aₖWₙ, and an automaton of the *valid* strings of
/// digits (most significant first). Every number has exactly one valid string, apart from leading zeros, and strings of one length
/// are ordered as their numbers are: [`System::new`] proves it by counting (`docs/theory/numeration.md`, Theorem 1).
///
/// ```
/// use semilinear::numeration::System;
/// let zeckendorf = System::fibonacci();
/// assert_eq!(zeckendorf.digits(&11_u32.into()), [1, 0, 1, 0, 0]); // 8 + 3
/// assert_eq!(zeckendorf.value(&[1, 0, 1, 0, 0]), 11_u32.into());
/// assert!(!zeckendorf.is_valid(&[1, 1]));
/// assert!(System::named("golden").is_err());
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct System {
    name: String,
    recurrence: Vec<u32>,
    initial: Vec<u32>,
    base: usize,
    valid: Table,
}

/// Why there is no such numeration system.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum SystemError {
    /// No system has this name.
    #[error(
        "no numeration system is called \"{0}\"; it is one of binary, ternary, fibonacci, pell, tribonacci, ostrowski:A with 2 <= A <= 9, recurrence:A,B,… (e.g. recurrence:2,2)"
    )]
    Name(String),
    /// The recurrence or the first weights are out of range.
    #[error("not a numeration system: {0}")]
    Shape(&'static str),
    /// The greedy strings are not counted by the weights.
    #[error(
        "not a numeration system: no small automaton holds the greedy strings of digits; try a recurrence a1 >= a2 >= … >= ak >= 1"
    )]
    NotRegular,
}

impl System {
    /// The system with this recurrence a₁, …, aₖ and these first weights W₀, …, Wₖ₋₁.
    ///
    /// The valid strings are the greedy ones: every tail is less than the next weight.
    pub fn new(name: &str, recurrence: &[u32], initial: &[u32]) -> Result<Self, SystemError> {
        let k = recurrence.len();
        if k == 0 || k > MAX_ORDER || initial.len() != k {
            return Err(SystemError::Shape("a recurrence has between 1 and 6 coefficients, and as many first weights"));
        }
        if recurrence.iter().chain(initial).any(|&a| a > 1000)
            || recurrence.iter().sum::<u32>() < 2
            || recurrence[k - 1] == 0
        {
            return Err(SystemError::Shape(
                "coefficients and first weights are at most 1000, the last coefficient is not 0, and the coefficients sum to 2 or more",
            ));
        }
        if initial[0] != 1 || initial.windows(2).any(|w| w[0] >= w[1]) {
            return Err(SystemError::Shape("the first weights grow, beginning with 1"));
        }
        let weights = small_weights(recurrence, initial, 24);
        if weights.windows(2).any(|w| w[0] >= w[1]) {
            return Err(SystemError::Shape("the weights do not grow"));
        }
        let base =
            weights.windows(2).map(|w| usize::try_from(w[1].div_ceil(w[0])).unwrap_or(usize::MAX)).max().unwrap_or(2);
        if base > MAX_BASE {
            return Err(SystemError::Shape("a digit may exceed 9; take a system with smaller digits"));
        }
        let valid = greedy(&weights, base, k).ok_or(SystemError::NotRegular)?;
        let system =
            Self { name: name.to_owned(), recurrence: recurrence.to_vec(), initial: initial.to_vec(), base, valid };
        if system.counts() { Ok(system) } else { Err(SystemError::NotRegular) }
    }

    /// Base 2.
    pub fn binary() -> Self {
        Self::named("binary").expect("a known system")
    }

    /// Zeckendorf's system: weights 1, 2, 3, 5, 8, …, no two neighbouring ones.
    pub fn fibonacci() -> Self {
        Self::named("fibonacci").expect("a known system")
    }

    /// The system of a recurrence whose first weights are Wₙ = a₁Wₙ₋₁ + … + aₙW₀ + 1, as in Fibonacci's: `recurrence:1,1`.
    fn of_recurrence(name: &str, recurrence: &[u32]) -> Result<Self, SystemError> {
        let small = recurrence.len() <= MAX_ORDER && recurrence.iter().all(|&a| a <= 1000);
        let mut initial: Vec<u32> = Vec::new();
        for n in 0..recurrence.len() {
            let sum = recurrence[..n]
                .iter()
                .zip(initial.iter().rev())
                .try_fold(1_u32, |sum, (&a, &w)| sum.checked_add(a.checked_mul(w)?));
            match sum.filter(|_| small) {
                Some(weight) => initial.push(weight),
                None => return Err(SystemError::Shape("a recurrence has between 1 and 6 coefficients from 0 to 1000")),
            }
        }
        Self::new(name, recurrence, &initial)
    }

    /// A system by its name: `binary`, `ternary`, `fibonacci`, `pell` (weights 1, 2, 5, 12, …), `tribonacci` (1, 2, 4, 7, …), or `ostrowski:A`
    /// (weights 1, A, A² + 1, …: the denominators of [0; A, A, …]), or `recurrence:A,B,…` (Wₙ = A·Wₙ₋₁ + B·Wₙ₋₂ + …).
    pub fn named(name: &str) -> Result<Self, SystemError> {
        let unknown = || SystemError::Name(name.to_owned());
        match name {
            "binary" => Self::new(name, &[2], &[1]),
            "ternary" => Self::new(name, &[3], &[1]),
            "fibonacci" => Self::new(name, &[1, 1], &[1, 2]),
            "pell" => Self::new(name, &[2, 1], &[1, 2]),
            "tribonacci" => Self::new(name, &[1, 1, 1], &[1, 2, 4]),
            _ if name.starts_with("recurrence:") => {
                let coefficients = name["recurrence:".len()..].split(',').map(|a| a.trim().parse().ok());
                Self::of_recurrence(name, &coefficients.collect::<Option<Vec<u32>>>().ok_or_else(unknown)?)
            }
            _ => {
                let a = name.strip_prefix("ostrowski:").and_then(|a| a.parse().ok()).filter(|a| (2..=9).contains(a));
                let a: u32 = a.ok_or_else(unknown)?;
                Self::new(name, &[a, 1], &[1, a])
            }
        }
    }

    /// The system's name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The coefficients a₁, …, aₖ of the recurrence.
    pub fn recurrence(&self) -> &[u32] {
        &self.recurrence
    }

    /// The first weights W₀, …, Wₖ₋₁.
    pub fn initial(&self) -> &[u32] {
        &self.initial
    }

    /// Digits are less than this.
    pub fn base(&self) -> usize {
        self.base
    }

    /// The automaton of the valid strings.
    pub fn valid(&self) -> &Table {
        &self.valid
    }

    /// W₀, …, Wₙ₋₁.
    pub fn weights(&self, n: usize) -> Vec<BigUint> {
        let mut weights: Vec<BigUint> = self.initial.iter().map(|&w| w.into()).collect();
        while weights.len() < n {
            let at = weights.len();
            weights.push(self.recurrence.iter().enumerate().map(|(i, &a)| &weights[at - 1 - i] * a).sum());
        }
        weights.truncate(n);
        weights
    }

    /// The weights below 2⁶², all of them.
    pub fn machine_weights(&self) -> Vec<u64> {
        small_weights(&self.recurrence, &self.initial, usize::MAX)
    }

    /// The valid string of a number, most significant digit first, without leading zeros.
    ///
    /// # Complexity
    /// O(digits) operations on numbers of that size.
    pub fn digits(&self, n: &BigUint) -> Vec<u8> {
        let mut weights: Vec<BigUint> = self.initial.iter().map(|&w| w.into()).collect();
        while weights.last().is_some_and(|w| w <= n) {
            let at = weights.len();
            weights.push(self.recurrence.iter().enumerate().map(|(i, &a)| &weights[at - 1 - i] * a).sum());
        }
        let mut rest = n.clone();
        let mut digits = Vec::with_capacity(weights.len());
        for weight in weights.iter().rev() {
            let mut digit = 0;
            while rest >= *weight {
                rest -= weight;
                digit += 1;
            }
            if digit > 0 || !digits.is_empty() {
                digits.push(digit);
            }
        }
        digits
    }

    /// The number of a string of digits, valid or not, most significant digit first.
    pub fn value(&self, digits: &[u8]) -> BigUint {
        let weights = self.weights(digits.len());
        digits.iter().rev().zip(&weights).map(|(&d, w)| w * d).sum()
    }

    /// Whether a string is the one that is read for its number (leading zeros are allowed).
    pub fn is_valid(&self, digits: &[u8]) -> bool {
        let step = |state, &d: &u8| if usize::from(d) < self.base { self.valid.step(state, d.into()) } else { NOWHERE };
        self.valid.accepts(digits.iter().fold(0, step))
    }

    /// Theorem 1: wherever a digit d may follow, each smaller digit is followed by exactly Wₘ strings of every length m. Both sides satisfy
    /// a recurrence of order states + k, so that so many lengths decide.
    fn counts(&self) -> bool {
        let n = self.valid.states();
        if self.valid.step(0, 0) != 0 || self.valid.step(0, 1) == NOWHERE {
            return false;
        }
        let mut counted: Vec<BigUint> = self.valid.accepting.iter().map(|&a| u8::from(a).into()).collect();
        let mut full = vec![true; n];
        for weight in self.weights(n + self.recurrence.len()) {
            for (full, count) in full.iter_mut().zip(&counted) {
                *full &= *count == weight;
            }
            counted = (0..n)
                .map(|s| {
                    let targets = &self.valid.next[s * self.base..(s + 1) * self.base];
                    targets.iter().filter(|&&t| t != NOWHERE).map(|&t| &counted[t as usize]).sum()
                })
                .collect();
        }
        self.valid.next.chunks_exact(self.base).all(|targets| {
            let last = targets.iter().rposition(|&t| t != NOWHERE).unwrap_or(0);
            targets[..last].iter().all(|&t| t != NOWHERE && full[t as usize])
        })
    }
}

/// The weights below 2⁶², at most `most`: as they double within the order of the recurrence, they are few.
fn small_weights(recurrence: &[u32], initial: &[u32], most: usize) -> Vec<u64> {
    let mut weights: Vec<u64> = initial.iter().map(|&w| u64::from(w)).collect();
    while weights.len() < most {
        let at = weights.len();
        let sum: u128 =
            recurrence.iter().enumerate().map(|(i, &a)| u128::from(a) * u128::from(weights[at - 1 - i])).sum();
        match sum.to_u64().filter(|&w| w < 1 << 62) {
            Some(w) => weights.push(w),
            None => break,
        }
    }
    weights
}

/// The automaton of the greedy strings, from their tails of length up to 2k + 1: a proposal that [`System::counts`] proves.
fn greedy(weights: &[u64], base: usize, k: usize) -> Option<Table> {
    let reach = (2 * k + 1).min(7);
    // Every tail of the string is less than the next weight.
    let is_greedy = |word: &[u8]| {
        let mut tail = 0;
        word.iter().rev().enumerate().all(|(i, &d)| {
            tail += u64::from(d) * weights[i];
            tail < weights[i + 1]
        })
    };
    let mut tails: Vec<Vec<u8>> = vec![vec![]];
    let mut from = 0;
    for _ in 0..reach {
        let to = tails.len();
        for i in from..to {
            for digit in 0..base {
                let mut tail = tails[i].clone();
                tail.push(u8::try_from(digit).ok()?);
                if is_greedy(&tail) {
                    tails.push(tail);
                }
            }
        }
        from = to;
    }
    let key = |prefix: &[u8]| -> Vec<bool> {
        tails.iter().map(|tail| is_greedy(&[prefix, tail.as_slice()].concat())).collect()
    };
    let mut ids: FxHashMap<Vec<bool>, u32> = FxHashMap::default();
    let mut prefixes: Vec<Vec<u8>> = vec![vec![]];
    ids.insert(key(&[]), 0);
    let (mut next, mut accepting, mut at) = (Vec::new(), Vec::new(), 0);
    while at < prefixes.len() {
        if prefixes.len() > 64 || prefixes[at].len() > 12 {
            return None;
        }
        let prefix = prefixes[at].clone();
        accepting.push(is_greedy(&prefix));
        for digit in 0..base {
            let mut longer = prefix.clone();
            longer.push(u8::try_from(digit).ok()?);
            let tails = key(&longer);
            if !tails.contains(&true) {
                next.push(NOWHERE);
                continue;
            }
            let fresh = u32::try_from(prefixes.len()).ok()?;
            let id = *ids.entry(tails).or_insert(fresh);
            if id == fresh {
                prefixes.push(longer);
            }
            next.push(id);
        }
        at += 1;
    }
    Table { letters: base, next, accepting }.canonical(&Effort::unlimited()).ok()
}
