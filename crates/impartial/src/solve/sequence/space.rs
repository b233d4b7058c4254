//! Sparse spaces: a linear condition on values (and the parity of the heap) that few heaps satisfy.

use super::Moves;
use super::values::Lane;

/// Values beyond this many bits are not worth a transform of the whole histogram.
const MOST_BITS: u32 = 20;

/// A division of the heaps into *rare* and *common* ones (Berlekamp, Conway and Guy, *Winning Ways*, chapter 4).
///
/// Heap n is common when parity(g(n) & mask) + σ·n + τ is odd. Rare and common behave like even and odd: for a
/// split n − k = a + b the value g(a) ^ g(b), were it that of heap n, would make n common if and only if
/// exactly one of a, b is rare. For σ = 0 this needs τ = 0; for σ = 1 it needs τ ≡ k for every splitting digit k,
/// so those must have one parity.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Space {
    pub mask: u32,
    /// Whether the parity of the heap counts (σ), and what is added to it (τ).
    pub sigma: bool,
    pub tau: bool,
    /// The number of bits of the values that the mask was chosen for.
    pub bits: u32,
}

impl Space {
    /// Whether value v makes heap n common.
    #[inline]
    pub fn common(&self, v: u32, n: usize) -> bool {
        let odd = (v & self.mask).count_ones() & 1 == 1;
        odd ^ (self.sigma && n % 2 == 1) ^ self.tau
    }

    /// The space with the fewest rare heaps among the known values (heap 0 is no heap).
    ///
    /// # Complexity
    /// O(n + b·2ᵇ) for n values of b bits: one Walsh–Hadamard transform gives the number of rare heaps of every mask.
    pub fn best<L: Lane>(moves: &Moves, values: &[L]) -> Option<(Self, usize)> {
        let largest: u32 = values.iter().copied().max()?.into();
        let bits = u32::BITS - largest.leading_zeros();
        if bits > MOST_BITS || values.len() < 2 {
            return None;
        }
        let total = i64::try_from(values.len() - 1).ok()?;
        let odd_splits = moves.two.iter().filter(|&&k| k % 2 == 1).count();
        let with_parity = odd_splits == 0 || odd_splits == moves.two.len();
        let tau = odd_splits > 0;
        let mut best: Option<(i64, Self)> = None;
        for sigma in [false, true] {
            if sigma && !with_parity {
                continue;
            }
            let mut sums = vec![0_i64; 1 << bits];
            for (n, &v) in values.iter().enumerate().skip(1) {
                sums[v.index()] += if sigma && n % 2 == 1 { -1 } else { 1 };
            }
            walsh_hadamard(&mut sums);
            for (mask, &sum) in sums.iter().enumerate() {
                let tau = sigma && tau;
                let rare = i64::midpoint(total, if tau { -sum } else { sum });
                let space = Self { mask: u32::try_from(mask).ok()?, sigma, tau, bits };
                if best.as_ref().is_none_or(|(fewest, _)| rare < *fewest) {
                    best = Some((rare, space));
                }
            }
        }
        let (rare, space) = best?;
        Some((space, usize::try_from(rare).ok()?))
    }
}

/// sums[m] becomes Σᵥ sums[v]·(−1)^parity(v & m).
fn walsh_hadamard(sums: &mut [i64]) {
    let mut half = 1;
    while half < sums.len() {
        for block in sums.chunks_exact_mut(2 * half) {
            let (low, high) = block.split_at_mut(half);
            for (a, b) in low.iter_mut().zip(high) {
                (*a, *b) = (*a + *b, *a - *b);
            }
        }
        half *= 2;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_best_mask_is_the_best_by_counting() {
        let moves = Moves::new(&"0.106".parse().unwrap()).unwrap();
        let values: Vec<u32> = (0..500_u32).map(|n| n.wrapping_mul(2_654_435_761) >> 27).collect();
        let (space, rare) = Space::best(&moves, &values).unwrap();
        let count = |space: &Space| (1..values.len()).filter(|&n| !space.common(values[n], n)).count();
        assert_eq!(count(&space), rare);
        for mask in 0..32 {
            for sigma in [false, true] {
                // The only splitting digit is d₃, which is odd.
                assert!(rare <= count(&Space { mask, sigma, tau: sigma, bits: 5 }));
            }
        }
    }
}
