//! N-free (series-parallel) posets: recognised, decomposed and solved in polynomial time.

use crate::poset::{ElementSet, Poset, Words as _};

use super::decompose::{Order, Piece, option_values};
use super::values::ValueSet;

/// Four elements a, b, c, d whose only relations are a < c, b < c and b < d: the forbidden N.
pub type ForbiddenN = [usize; 4];

/// The Grundy value of an N-free position and the values of its options, or an N inside it.
///
/// A finite poset is built from single elements by disjoint unions and linear sums if and only if it
/// has no N (Valdes–Tarjan–Lawler 1982); along that construction the set of option values is computed
/// from the bottom up (Deuber–Thomassé 1996).
///
/// ```
/// use impartial::{poset::Poset, solve::poset::nfree};
/// let hackendot = Poset::forest(&[None, Some(0), Some(1), Some(0)], false).unwrap();
/// assert!(nfree::option_values_of(&hackendot, &hackendot.all()).is_ok());
/// let chomp = Poset::chomp(&[3, 3]).unwrap();
/// assert!(nfree::option_values_of(&chomp, &chomp.all()).is_err());
/// ```
///
/// # Complexity
/// O(n²·w) for n elements in w words, times the depth of the decomposition in the worst case.
pub fn option_values_of(poset: &Poset, position: &ElementSet) -> Result<ValueSet, ForbiddenN> {
    let order = Order::<ElementSet>::new(poset);
    let pieces = order.decomposition(position);
    option_values(&pieces, |prime| Err(forbidden_n(&order, prime).expect("a prime poset contains an N")))
}

/// The Grundy value of an N-free position, or an N inside it.
pub fn grundy(poset: &Poset, position: &ElementSet) -> Result<u32, ForbiddenN> {
    option_values_of(poset, position).map(|values| values.mex())
}

/// An N inside `position`, if there is one.
pub fn witness(poset: &Poset, position: &ElementSet) -> Option<ForbiddenN> {
    let order = Order::<ElementSet>::new(poset);
    order.decomposition(position).iter().find_map(|piece| match piece {
        Piece::Prime(prime) => forbidden_n(&order, prime),
        _ => None,
    })
}

fn forbidden_n(order: &Order<ElementSet>, set: &ElementSet) -> Option<ForbiddenN> {
    for b in set.members() {
        let mut above = order.up[b].clone();
        above.intersect(set);
        above.remove(b);
        for c in above.members() {
            let mut beside_b = order.down[c].clone();
            beside_b.intersect(set);
            beside_b.subtract(&order.comparable[b]);
            let beside_c = above.without(&order.comparable[c]);
            for a in beside_b.members() {
                if let Some(d) = beside_c.without(&order.up[a]).first() {
                    return Some([a, b, c, d]);
                }
            }
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_n_itself_is_its_own_witness() {
        let poset = Poset::new(["a", "b", "c", "d"], [("a", "c"), ("b", "c"), ("b", "d")]).unwrap();
        assert_eq!(witness(&poset, &poset.all()), Some([0, 1, 2, 3]));
        assert_eq!(grundy(&poset, &poset.all()), Err([0, 1, 2, 3]));
        let mut without_d = poset.all();
        without_d.remove(3);
        assert_eq!(witness(&poset, &without_d), None);
    }

    #[test]
    fn witnesses_have_exactly_three_relations() {
        let poset = Poset::chomp(&[4, 3, 2]).unwrap();
        let [a, b, c, d] = witness(&poset, &poset.all()).unwrap();
        for (x, y) in [(a, c), (b, c), (b, d)] {
            assert!(poset.less(x, y));
        }
        for (x, y) in [(a, b), (c, d), (a, d)] {
            assert!(!poset.less(x, y) && !poset.less(y, x));
        }
    }

    #[test]
    fn long_chains_and_large_nim_are_quick() {
        let nim = Poset::nim(&[1500, 2500, 37]).unwrap();
        assert_eq!(grundy(&nim, &nim.all()), Ok(3133));
    }
}
