//! Squarefree normal play: P is the kernel of a linear map over 𝔽₂.
//!
//! A squarefree rule turns one heap of kind i into heaps of other kinds, so a position is a sum of heaps and
//! Sprague–Grundy applies: with g(eᵢ) = mex over γ with γᵢ = 1 of ⊕ⱼ (−γⱼ mod 2)·g(eⱼ), the value of x is ⊕ᵢ (xᵢ mod 2)·g(eᵢ)
//! and P = {x : the value is 0} = P₀ + 2ℕᵈ with P₀ = P ∩ {0,1}ᵈ (erratum to Guo–Miller, Theorem 3, in 2ᵈ|Γ| steps; here
//! in d|Γ|).

use num_bigint::{BigInt, BigUint};
use num_integer::Integer as _;
use num_traits::{One as _, Zero as _};

use crate::heap::HeapRules;
use crate::lattice::{LatticeGame, Squarefree};
use crate::outcome::Outcome;
use semilinear::run::{Monitor, StopReason};

/// The most options of one heap that are looked at.
const MOST_OPTIONS: u64 = 1 << 26;
/// The most coordinates for [`reference_p0`].
const MOST_COORDINATES: usize = 24;

/// The Grundy values g(e₁), …, g(e_d) of single heaps: the whole strategy of a squarefree game in normal play.
///
/// ```
/// use impartial::lattice::{Description, LatticeGame};
/// use semilinear::run::Unlimited;
/// use impartial::solve::parity_kernel::ParityKernel;
/// let nim = Description::from_toml("rules = [[1, 0], [0, 1], [-1, 1]]").unwrap();
/// let nim = LatticeGame::new(&nim, &Unlimited).unwrap();
/// let kernel = ParityKernel::of_lattice(&nim).unwrap();
/// assert_eq!(kernel.values(), [1, 2]);
/// assert!(kernel.outcome(&[4.into(), 6.into()]).is_p());
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ParityKernel {
    values: Vec<u64>,
}

impl ParityKernel {
    /// The kernel of a squarefree lattice game in normal play; `None` for any other game.
    ///
    /// # Complexity
    /// O(d·|Γ|), and sorting.
    pub fn of_lattice(game: &LatticeGame) -> Option<Self> {
        if game.squarefree() != Squarefree::Squarefree || !game.defeated().is_empty() {
            return None;
        }
        let d = game.dimension();
        let mut by_head: Vec<Vec<&Vec<i64>>> = vec![Vec::new(); d];
        for rule in game.rules() {
            by_head[rule.iter().position(|&x| x == 1)?].push(rule);
        }
        // ℓ(eᵢ) > Σ −γⱼ ℓ(eⱼ): in order of ℓ every value that a mex needs is there.
        let mut order: Vec<usize> = (0..d).collect();
        order.sort_by(|&i, &j| game.functional()[i].cmp(&game.functional()[j]));
        let mut values = vec![0u64; d];
        for i in order {
            let options = by_head[i].iter().map(|rule| {
                rule.iter().zip(&values).filter(|(g, _)| **g < 0 && *g % 2 != 0).fold(0, |sum, (_, value)| sum ^ value)
            });
            values[i] = mex(options.collect());
        }
        Some(Self { values })
    }

    /// The kernel of a heap game: coordinate i − 1 counts heaps of size i, for i up to `max_heap`.
    ///
    /// # Complexity
    /// As many steps as heaps have options; O(n²) for octal codes.
    pub fn of_heaps(rules: &HeapRules, max_heap: u64, monitor: &dyn Monitor) -> Result<Self, StopReason> {
        let mut values: Vec<u64> = Vec::new();
        for heap in 1..=max_heap {
            monitor.check(heap, Some(max_heap))?;
            let too_many = StopReason::Size { what: "options of one heap", limit: MOST_OPTIONS };
            let options = rules.options_within(heap, MOST_OPTIONS).ok_or(too_many)?;
            // Options have fewer beans or more heaps, each smaller than this one.
            let value = |h: &u64| usize::try_from(h - 1).ok().and_then(|i| values.get(i)).copied().unwrap_or(0);
            let found = options.iter().map(|option| option.iter().fold(0, |sum, h| sum ^ value(h))).collect();
            values.push(mex(found));
        }
        Ok(Self { values })
    }

    /// A kernel from its values.
    pub fn from_values(values: Vec<u64>) -> Self {
        Self { values }
    }

    /// g(e₁), …, g(e_d).
    pub fn values(&self) -> &[u64] {
        &self.values
    }

    /// The Grundy value of a position of any size.
    pub fn grundy(&self, x: &[BigInt]) -> u64 {
        x.iter().zip(&self.values).filter(|(x, _)| x.is_odd()).fold(0, |sum, (_, value)| sum ^ value)
    }

    /// The outcome of a position of any size.
    pub fn outcome(&self, x: &[BigInt]) -> Outcome {
        Outcome::p_if(self.grundy(x) == 0)
    }

    /// The rank r of x ↦ ⊕ xᵢ g(eᵢ) over 𝔽₂: P₀ has 2^(d−r) elements.
    pub fn rank(&self) -> usize {
        let mut basis: Vec<u64> = Vec::new();
        for &value in &self.values {
            let rest = basis.iter().fold(value, |rest, b| rest.min(rest ^ b));
            if rest != 0 {
                basis.push(rest);
            }
        }
        basis.len()
    }

    /// The number of P-positions with 0 ≤ xᵢ < sizes\[i\], for boxes of any size.
    ///
    /// # Complexity
    /// O(2ᵏ·d) products of big numbers, k the number of binary digits of the largest value: a character sum over 𝔽₂ᵏ.
    pub fn count(&self, sizes: &[BigUint]) -> BigUint {
        let digits = 64 - self.values.iter().fold(0, |all, value| all | value).leading_zeros();
        let mut sum = BigInt::zero();
        for character in 0..1u64 << digits {
            let mut product = BigInt::one();
            for (size, value) in sizes.iter().zip(&self.values) {
                if (character & value).count_ones() % 2 == 0 {
                    product *= BigInt::from(size.clone());
                } else if size.is_even() {
                    product = BigInt::zero();
                    break;
                }
                // An odd size has one even number more than odd ones: the factor 1.
            }
            sum += product;
        }
        (sum >> digits).to_biguint().expect("a count is not negative")
    }

    /// P₀ = P ∩ {0,1}ᵈ, sorted, when it has at most `most` elements.
    pub fn p0(&self, most: usize) -> Option<Vec<Vec<u8>>> {
        let d = self.values.len();
        let free = d - self.rank();
        if free >= usize::BITS as usize - 1 || 1usize << free > most {
            return None;
        }
        // Depth first over the coordinates from the last to the first, with the span of the earlier ones as a guide.
        let mut spans: Vec<Vec<u64>> = vec![Vec::new()];
        for &value in &self.values {
            let mut basis = spans[spans.len() - 1].clone();
            let rest = reduced(&basis, value);
            if rest != 0 {
                basis.push(rest);
            }
            spans.push(basis);
        }
        let mut found = Vec::new();
        let mut x = vec![0u8; d];
        self.extend(d, 0, &spans, &mut x, &mut found);
        found.sort();
        Some(found)
    }

    fn extend(&self, i: usize, sum: u64, spans: &[Vec<u64>], x: &mut Vec<u8>, found: &mut Vec<Vec<u8>>) {
        if reduced(&spans[i], sum) != 0 {
            return;
        }
        if i == 0 {
            found.push(x.clone());
            return;
        }
        for bit in 0..2 {
            x[i - 1] = bit;
            self.extend(i - 1, if bit == 1 { sum ^ self.values[i - 1] } else { sum }, spans, x, found);
        }
        x[i - 1] = 0;
    }
}

/// What is left of a value after the basis: 0 exactly when it lies in the span.
fn reduced(basis: &[u64], value: u64) -> u64 {
    basis.iter().fold(value, |rest, b| rest.min(rest ^ b))
}

/// The least natural number that is not in the list.
fn mex(mut values: Vec<u64>) -> u64 {
    values.sort_unstable();
    values.dedup();
    values.iter().zip(0..).find(|(value, i)| **value != *i).map_or(values.len() as u64, |(_, i)| i)
}

/// The dynamic programme of the erratum (Theorem 3): the outcome of every x ∈ {0,1}ᵈ, with options reduced modulo 2. Entry
/// Σ xᵢ·2^(i−1) is `true` for P. For d ≤ 24, `None` beyond and for other games; the reference for [`ParityKernel`].
///
/// # Complexity
/// O(2ᵈ·d·|Γ|) time, O(2ᵈ) space.
pub fn reference_p0(game: &LatticeGame, monitor: &dyn Monitor) -> Result<Option<Vec<bool>>, StopReason> {
    let d = game.dimension();
    if d > MOST_COORDINATES || game.squarefree() != Squarefree::Squarefree || !game.defeated().is_empty() {
        return Ok(None);
    }
    let rules: Option<Vec<(u32, u32)>> = game
        .rules()
        .iter()
        .map(|rule| {
            let head = rule.iter().position(|&x| x == 1)?;
            let odd = (0..d).filter(|&j| rule[j] % 2 != 0).map(|j| 1u32 << j).sum();
            Some((1u32 << head, odd))
        })
        .collect();
    let Some(rules) = rules else { return Ok(None) };
    // A move takes a heap away and adds only heaps of smaller functional: written with the largest heaps first, every
    // reduced option is a smaller number.
    let mut order: Vec<usize> = (0..d).collect();
    order.sort_by(|&i, &j| game.functional()[i].cmp(&game.functional()[j]));
    let mut is_p = vec![false; 1 << d];
    for number in 0..1u32 << d {
        monitor.check(number.into(), Some(1 << d))?;
        let x: u32 = order.iter().enumerate().map(|(place, &i)| (number >> place & 1) << i).sum();
        is_p[x as usize] = !rules.iter().any(|&(head, odd)| x & head != 0 && is_p[(x ^ odd) as usize]);
    }
    Ok(Some(is_p))
}
