//! How many elements a set has below a bound, and which is the n-th.

use num_bigint::{BigInt, BigUint};
use num_traits::{One as _, Zero as _};

use super::DigitSet;
use super::set::{digit, word};
use super::table::NOWHERE;

impl DigitSet {
    /// The number of elements with xᵢ < sizes\[i\] for every i.
    ///
    /// # Complexity
    /// O(digits · states · letters · 2ᵈ) additions.
    pub fn count(&self, sizes: &[BigUint]) -> BigUint {
        assert_eq!(sizes.len(), self.dimension, "a size for each coordinate");
        if sizes.iter().any(BigUint::is_zero) {
            return BigUint::ZERO;
        }
        // x < n is x ≤ n − 1. A state carries which coordinates still agree with the bound.
        let bounds: Vec<BigUint> = sizes.iter().map(|n| n - 1_u8).collect();
        let bound = word(&self.system, &bounds);
        let (base, d, n) = (self.system.base(), self.dimension, self.states());
        let mut counts: Vec<BigUint> = vec![BigUint::ZERO; n << d];
        counts[(1 << d) - 1] = BigUint::one();
        for &top in &bound {
            let mut after = vec![BigUint::ZERO; n << d];
            for (slot, count) in counts.iter().enumerate().filter(|(_, count)| !count.is_zero()) {
                let (state, tight) = (slot >> d, slot & ((1 << d) - 1));
                'letters: for letter in 0..self.table.letters() {
                    let next = self.table.step(crate::vectorset::id(state), letter);
                    if next == NOWHERE {
                        continue;
                    }
                    let mut still = tight;
                    for i in (0..d).filter(|i| tight >> i & 1 == 1) {
                        let (have, most) = (digit(base, d, letter, i), digit(base, d, top, i));
                        if have > most {
                            continue 'letters;
                        }
                        if have < most {
                            still &= !(1 << i);
                        }
                    }
                    after[((next as usize) << d) | still] += count;
                }
            }
            counts = after;
        }
        let ends = counts.iter().enumerate().filter(|(slot, _)| self.table.accepting[slot >> d]);
        ends.map(|(_, count)| count).sum()
    }

    /// Elements with as few digits as possible: at most `each` of a number of digits, `most` in all, none with more than `digits` digits.
    ///
    /// ```
    /// use semilinear::numeration::{DigitSet, System};
    /// use semilinear::vectorset::Effort;
    /// use std::sync::Arc;
    /// let (effort, system) = (Effort::unlimited(), Arc::new(System::fibonacci()));
    /// let some: Vec<_> = [0_u32, 5, 6, 7, 90].map(|x| vec![x.into()]).to_vec();
    /// let set = DigitSet::finite(&system, &some, 1, &effort)?;
    /// assert_eq!(set.shortest(2, 10, 40), [&some[..3], &some[4..]].concat());
    /// # Ok::<(), semilinear::run::StopReason>(())
    /// ```
    pub fn shortest(&self, each: usize, most: usize, digits: usize) -> Vec<Vec<BigUint>> {
        let letters = self.table.letters();
        // The states from which some word of exactly n letters is accepted, by n.
        let mut accepted: Vec<Vec<bool>> = vec![self.table.accepting.clone()];
        let mut found = Vec::new();
        for n in 0..=digits {
            let mut of_length = 0;
            let mut stack = if accepted[n][0] { vec![(0_u32, Vec::new())] } else { vec![] };
            while let Some((state, word)) = stack.pop().filter(|_| of_length < each && found.len() < most) {
                if word.len() == n {
                    of_length += 1;
                    found.push(self.vector(&word));
                    continue;
                }
                // A word with a leading zero is one of a smaller length.
                for letter in (usize::from(word.is_empty())..letters).rev() {
                    let next = self.table.step(state, letter);
                    if next != NOWHERE && accepted[n - word.len() - 1][next as usize] {
                        stack.push((next, [word.as_slice(), &[letter]].concat()));
                    }
                }
            }
            let longer = |row: &[u32]| row.iter().any(|&t| t != NOWHERE && accepted[n][t as usize]);
            accepted.push(self.table.next.chunks_exact(letters).map(longer).collect());
        }
        found
    }

    /// The n-th element, from 0, in the order of the first coordinate, then the second, …; `None` when there are fewer, or when some
    /// value of the first coordinate has infinitely many elements on the way.
    ///
    /// # Complexity
    /// O(digits²) counts in the worst case.
    pub fn nth(&self, n: &BigUint) -> Option<Vec<BigUint>> {
        let mut found: Vec<BigUint> = Vec::new();
        let mut rest = n.clone();
        let far = BigUint::one() << ((n.bits() + 16) * 4);
        for _ in 0..self.dimension {
            // How many elements have these first coordinates and the next one below b; other coordinates below a far bound.
            let below = |b: &BigUint| self.count_slab(&found, b, &far);
            let mut high = BigUint::one();
            while below(&high) <= rest {
                high <<= 1;
                if high > far {
                    return None;
                }
            }
            let mut low = BigUint::ZERO;
            // below(low) <= rest < below(high)
            while &high - &low > BigUint::one() {
                let middle = (&low + &high) >> 1_u8;
                if below(&middle) <= rest {
                    low = middle;
                } else {
                    high = middle;
                }
            }
            rest -= below(&low);
            found.push(low);
        }
        Some(found)
    }

    /// The elements with these first coordinates and the next one below `b`; the others are below a far bound.
    fn count_slab(&self, fixed: &[BigUint], b: &BigUint, far: &BigUint) -> BigUint {
        // Inclusion and exclusion over the fixed coordinates: [x, x + 1) = [0, x + 1) ∖ [0, x).
        let mut sum = BigInt::zero();
        for subset in 0..1_usize << fixed.len() {
            let mut sizes: Vec<BigUint> = fixed
                .iter()
                .enumerate()
                .map(|(j, x)| if subset >> j & 1 == 1 { x.clone() } else { x + 1_u8 })
                .collect();
            sizes.push(b.clone());
            sizes.resize(self.dimension, far.clone());
            let count = BigInt::from(self.count(&sizes));
            if subset.count_ones() % 2 == 0 {
                sum += count;
            } else {
                sum -= count;
            }
        }
        sum.to_biguint().unwrap_or_default()
    }
}
