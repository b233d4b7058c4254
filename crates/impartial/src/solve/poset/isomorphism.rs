//! Whether two sets of elements are isomorphic as posets: then their values are equal, and cancel in a sum.

use crate::poset::Words;

use super::decompose::Order;

/// Rounds of refinement, each with everything that is comparable.
const ROUNDS: usize = 4;
/// Candidates tried before the answer is "do not know", which is `false`.
const STEPS: usize = 20_000;

/// Whether the sets are found to be isomorphic; `false` when they are not, or when that is hard to see.
///
/// # Complexity
/// O(n²) for refinement, and at most `STEPS` candidates of O(n) steps each.
pub(super) fn isomorphic<S: Words>(order: &Order<S>, a: &S, b: &S) -> bool {
    if a.len() != b.len() {
        return false;
    }
    let (left, right) = (coloured(order, a), coloured(order, b));
    let colours = |side: &[(u64, usize)]| side.iter().map(|&(colour, _)| colour).collect::<Vec<_>>();
    if colours(&left) != colours(&right) {
        return false;
    }
    // Backtracking without recursion: `image[i]` is the place in `right` that left[i] goes to.
    let n = left.len();
    let mut image: Vec<usize> = Vec::with_capacity(n);
    let mut used = vec![false; n];
    let mut from = 0;
    for _ in 0..STEPS {
        let depth = image.len();
        if depth == n {
            return true;
        }
        let (colour, x) = left[depth];
        let fits = |j: usize| {
            let (other, y) = right[j];
            other == colour
                && !used[j]
                && image.iter().zip(&left).all(|(&i, &(_, z))| {
                    let w = right[i].1;
                    order.up[z].contains(x) == order.up[w].contains(y)
                        && order.down[z].contains(x) == order.down[w].contains(y)
                })
        };
        if let Some(j) = (from..n).find(|&j| fits(j)) {
            used[j] = true;
            image.push(j);
            from = 0;
        } else {
            let Some(j) = image.pop() else { return false };
            used[j] = false;
            from = j + 1;
        }
    }
    false
}

/// The members with colours that isomorphisms keep, sorted by colour.
fn coloured<S: Words>(order: &Order<S>, set: &S) -> Vec<(u64, usize)> {
    let members: Vec<usize> = set.members().collect();
    let n = order.up.len();
    let mut colour = vec![0_u64; n];
    for round in 0..ROUNDS as u64 {
        let refined: Vec<u64> = members
            .iter()
            .map(|&x| {
                // Sums of mixed colours: the same for every numbering.
                let sum = |near: &S, salt: u64| {
                    let mut near = near.clone();
                    near.intersect(set);
                    near.members().fold(salt, |sum, y| sum.wrapping_add(mixed(colour[y] ^ salt)))
                };
                mixed(colour[x] ^ sum(&order.up[x], 2 * round + 1).rotate_left(17) ^ sum(&order.down[x], 2 * round + 2))
            })
            .collect();
        for (&x, refined) in members.iter().zip(refined) {
            colour[x] = refined;
        }
    }
    let mut all: Vec<(u64, usize)> = members.into_iter().map(|x| (colour[x], x)).collect();
    all.sort_unstable();
    all
}

/// A bijection of 64-bit numbers without structure (the finaliser of MurmurHash3).
fn mixed(mut x: u64) -> u64 {
    x = (x ^ (x >> 33)).wrapping_mul(0xff51_afd7_ed55_8ccd);
    x = (x ^ (x >> 33)).wrapping_mul(0xc4ce_b9fe_1a85_ec53);
    x ^ (x >> 33)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::poset::{ElementSet, Poset};

    #[test]
    fn copies_are_isomorphic_and_others_are_not() {
        let part = Poset::chomp(&[4, 3, 2]).unwrap();
        let turned = Poset::chomp(&[3, 3, 2, 1]).unwrap();
        let other = Poset::chomp(&[5, 3, 1]).unwrap();
        let union = part.disjoint_union(&turned).unwrap().disjoint_union(&other).unwrap();
        let order = Order::<ElementSet>::new(&union);
        let parts = order.components(&union.all());
        assert_eq!(parts.len(), 3);
        let pairs: Vec<(usize, usize)> = (0..3)
            .flat_map(|i| (0..3).map(move |j| (i, j)))
            .filter(|&(i, j)| isomorphic(&order, &parts[i], &parts[j]))
            .collect();
        assert_eq!(pairs, [(0, 0), (0, 1), (1, 0), (1, 1), (2, 2)]);
    }
}
