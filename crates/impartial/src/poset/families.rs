//! The families of posets: chains, products of chains, divisors, subsets, trees, sums.

use thiserror::Error;

use super::factor::factorisation;
use super::relations::{MAX_ELEMENTS, Poset};
use super::set::{ElementSet, Words as _};

/// Why a family has no such member.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum FamilyError {
    /// More elements than a poset may have.
    #[error("the board has more than {MAX_ELEMENTS} elements; choose a smaller one")]
    TooLarge,
    /// Divisors of 0.
    #[error("0 has infinitely many divisors; give n >= 1")]
    Zero,
    /// The parents of a tree do not come before their children.
    #[error("vertex {0}: its parent must be an earlier vertex; number the vertices from the roots outward")]
    Parent(usize),
}

/// The name of the subset of {1, …, n} given by a bitmask: its members in one word (`134`), with dots
/// between them when n ≥ 10.
pub fn subset_name(mask: u64, n: u32) -> String {
    let members: Vec<String> = (0..n).filter(|i| mask >> i & 1 == 1).map(|i| (i + 1).to_string()).collect();
    members.join(if n >= 10 { "." } else { "" })
}

impl Poset {
    /// A poset from elements as data, with the order given by a test.
    fn from_order<T>(elements: &[T], name: impl Fn(&T) -> String, below: impl Fn(&T, &T) -> bool) -> Self {
        let up = elements
            .iter()
            .map(|x| {
                let mut set = ElementSet::empty(elements.len());
                for (j, y) in elements.iter().enumerate() {
                    if below(x, y) {
                        set.insert(j);
                    }
                }
                set
            })
            .collect();
        Self::from_up_sets(elements.iter().map(name).collect(), up)
    }

    /// The chain 1 < 2 < … < n, a Nim heap.
    pub fn chain(n: usize) -> Result<Self, FamilyError> {
        Self::nim(&[n]).map(|poset| poset.renamed(|x, _| (x + 1).to_string()))
    }

    /// Nim: disjoint chains `a1 < a2 < …`, `b1 < b2 < …`, … (`c27.1 < …` from the 27th chain on).
    pub fn nim(heaps: &[usize]) -> Result<Self, FamilyError> {
        let total = heaps.iter().try_fold(0_usize, |sum, &h| sum.checked_add(h));
        if total.is_none_or(|total| total > MAX_ELEMENTS) {
            return Err(FamilyError::TooLarge);
        }
        let elements: Vec<(usize, usize)> =
            heaps.iter().enumerate().flat_map(|(i, &h)| (1..=h).map(move |j| (i, j))).collect();
        let name = |&(i, j): &(usize, usize)| match u8::try_from(i) {
            Ok(i @ 0..26) => format!("{}{j}", char::from(b'a' + i)),
            _ => format!("c{}.{j}", i + 1),
        };
        Ok(Self::from_order(&elements, name, |x, y| x.0 == y.0 && x.1 <= y.1))
    }

    /// The product of chains with these lengths without its least element: Chomp on a box of any
    /// dimension. Elements are named by their coordinates from 1, `2.1.3`; the poisoned cell
    /// `1.1.1` is no element.
    ///
    /// ```
    /// use impartial::poset::Poset;
    /// let poset = Poset::chomp_box(&[2, 2, 3]).unwrap();
    /// assert_eq!(poset.len(), 11);
    /// ```
    pub fn chomp_box(lengths: &[usize]) -> Result<Self, FamilyError> {
        let cells = lengths.iter().try_fold(1_usize, |product, &n| product.checked_mul(n));
        if cells.is_none_or(|cells| cells > MAX_ELEMENTS + 1) {
            return Err(FamilyError::TooLarge);
        }
        Ok(Self::from_order(
            &exponents(lengths),
            |cell| cell.iter().map(|c| (c + 1).to_string()).collect::<Vec<_>>().join("."),
            |x, y| x.iter().zip(y).all(|(a, b)| a <= b),
        ))
    }

    /// Chomp on a Young diagram with these row lengths (longest first): the cells except the poisoned
    /// one at row 1, column 1. Cells are named `row.column`.
    pub fn chomp(rows: &[usize]) -> Result<Self, FamilyError> {
        let cells = rows.iter().try_fold(0_usize, |sum, &n| sum.checked_add(n));
        if cells.is_none_or(|cells| cells > MAX_ELEMENTS + 1) {
            return Err(FamilyError::TooLarge);
        }
        let cells: Vec<(usize, usize)> = rows
            .iter()
            .enumerate()
            .flat_map(|(i, &n)| (1..=n).map(move |j| (i + 1, j)))
            .filter(|&cell| cell != (1, 1))
            .collect();
        Ok(Self::from_order(&cells, |(i, j)| format!("{i}.{j}"), |x, y| x.0 <= y.0 && x.1 <= y.1))
    }

    /// The divisors of `n` except 1, ordered by divisibility: Schuh's game.
    ///
    /// ```
    /// use impartial::poset::Poset;
    /// assert_eq!(Poset::divisors(12).unwrap().names(), ["2", "3", "4", "6", "12"]);
    /// ```
    pub fn divisors(n: u64) -> Result<Self, FamilyError> {
        if n == 0 {
            return Err(FamilyError::Zero);
        }
        let mut divisors = vec![1_u64];
        for (p, e) in factorisation(n) {
            if divisors.len() * (e as usize + 1) > MAX_ELEMENTS + 1 {
                return Err(FamilyError::TooLarge);
            }
            let known = divisors.clone();
            for k in 1..=e {
                divisors.extend(known.iter().map(|d| d * p.pow(k)));
            }
        }
        divisors.sort_unstable();
        Ok(Self::from_order(&divisors[1..], u64::to_string, |x, y| y % x == 0))
    }

    /// The subsets of {1, …, n} with 1 to k members, ordered by inclusion: Subset Takeaway.
    ///
    /// ```
    /// use impartial::poset::Poset;
    /// let poset = Poset::subsets(3, 3).unwrap();
    /// assert_eq!(poset.names(), ["1", "2", "3", "12", "13", "23", "123"]);
    /// ```
    pub fn subsets(n: u32, k: u32) -> Result<Self, FamilyError> {
        if n > 20 {
            return Err(FamilyError::TooLarge);
        }
        let mut masks: Vec<u64> = (1..1_u64 << n).filter(|mask| mask.count_ones() <= k).collect();
        if masks.len() > MAX_ELEMENTS {
            return Err(FamilyError::TooLarge);
        }
        // By size, then in the order of their names.
        masks.sort_by_key(|mask| (mask.count_ones(), std::cmp::Reverse(mask.reverse_bits())));
        Ok(Self::from_order(&masks, |&mask| subset_name(mask, n), |x, y| x & y == *x))
    }

    /// A forest: `parents[x]` is the parent of vertex x, an earlier vertex, or `None` for a root. With
    /// `roots_least`, choosing a vertex removes its subtree; otherwise it removes the path to its root
    /// (von Neumann's Hackendot).
    pub fn forest(parents: &[Option<usize>], roots_least: bool) -> Result<Self, FamilyError> {
        if parents.len() > MAX_ELEMENTS {
            return Err(FamilyError::TooLarge);
        }
        // path[x]: x and its ancestors.
        let mut path: Vec<ElementSet> = Vec::with_capacity(parents.len());
        for (x, &parent) in parents.iter().enumerate() {
            let mut set = match parent {
                None => ElementSet::empty(parents.len()),
                Some(y) if y < x => path[y].clone(),
                Some(_) => return Err(FamilyError::Parent(x)),
            };
            set.insert(x);
            path.push(set);
        }
        let hackendot = Self::from_up_sets((0..parents.len()).map(|x| x.to_string()).collect(), path);
        Ok(if roots_least { hackendot.dual() } else { hackendot })
    }

    /// The disjoint union: a position of the sum of both games. Names get a prefix `1:` or `2:` when
    /// both posets use the same one.
    pub fn disjoint_union(&self, other: &Self) -> Result<Self, FamilyError> {
        self.composed(other, false)
    }

    /// The linear sum: every element of `self` below every element of `other`.
    pub fn linear_sum(&self, other: &Self) -> Result<Self, FamilyError> {
        self.composed(other, true)
    }

    fn composed(&self, other: &Self, linear: bool) -> Result<Self, FamilyError> {
        let (m, n) = (self.len(), self.len() + other.len());
        if n > MAX_ELEMENTS {
            return Err(FamilyError::TooLarge);
        }
        let own: std::collections::HashSet<&String> = self.names().iter().collect();
        let clash = other.names().iter().any(|name| own.contains(name));
        let named = |part: usize, name: &String| if clash { format!("{part}:{name}") } else { name.clone() };
        let names =
            self.names().iter().map(|name| named(1, name)).chain(other.names().iter().map(|name| named(2, name)));
        let lower = (0..m).map(|x| {
            let mut set = ElementSet::copied(self.up(x), n);
            if linear {
                (m..n).for_each(|y| set.insert(y));
            }
            set
        });
        let upper = (0..other.len()).map(|x| {
            let mut set = ElementSet::empty(n);
            other.up(x).members().for_each(|y| set.insert(m + y));
            set
        });
        Ok(Self::from_up_sets(names.collect(), lower.chain(upper).collect()))
    }

    /// The same order with other names, which must be distinct.
    #[must_use]
    pub fn renamed(&self, name: impl Fn(usize, &str) -> String) -> Self {
        let names = self.names().iter().enumerate().map(|(x, old)| name(x, old)).collect();
        Self::from_up_sets(names, (0..self.len()).map(|x| self.up(x).clone()).collect())
    }
}

/// All vectors below `lengths` in lexicographic order, except 0.
fn exponents(lengths: &[usize]) -> Vec<Vec<usize>> {
    let mut all: Vec<Vec<usize>> = vec![Vec::new()];
    for &n in lengths {
        all = all.iter().flat_map(|cell| (0..n).map(move |c| [cell.as_slice(), &[c]].concat())).collect();
    }
    all.into_iter().skip(1).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chomp_is_a_product_of_chains() {
        let rows = Poset::chomp(&[4, 4, 4]).unwrap();
        let product = Poset::chomp_box(&[3, 4]).unwrap();
        assert_eq!(rows, product);
        assert_eq!(rows.len(), 11);
        assert_eq!(Poset::chomp(&[1]).unwrap().len(), 0);
    }

    #[test]
    fn divisors_of_a_product_of_two_primes_are_chomp() {
        let divisors = Poset::divisors(2_u64.pow(3) * 3_u64.pow(2)).unwrap();
        let chomp = Poset::chomp(&[4, 4, 4]).unwrap();
        assert_eq!(divisors.len(), chomp.len());
        assert_eq!(divisors.covers().len(), chomp.covers().len());
    }

    #[test]
    fn trees_and_sums() {
        let parents = [None, Some(0), Some(0)];
        let hackendot = Poset::forest(&parents, false).unwrap();
        assert!(hackendot.less(1, 0) && !hackendot.less(1, 2));
        assert_eq!(Poset::forest(&[Some(0)], true).unwrap_err(), FamilyError::Parent(0));
        let two = Poset::chain(2).unwrap();
        let sum = two.linear_sum(&two).unwrap();
        assert_eq!(sum.names(), ["1:1", "1:2", "2:1", "2:2"]);
        assert_eq!(sum.covers().len(), 3);
        assert_eq!(two.disjoint_union(&two).unwrap().covers().len(), 2);
    }

    #[test]
    fn large_members_are_refused_before_they_are_built() {
        assert_eq!(Poset::subsets(60, 60).unwrap_err(), FamilyError::TooLarge);
        assert_eq!(Poset::chomp_box(&[1 << 40, 1 << 40]).unwrap_err(), FamilyError::TooLarge);
        assert_eq!(Poset::nim(&[usize::MAX, 5]).unwrap_err(), FamilyError::TooLarge);
        assert_eq!(Poset::divisors(0).unwrap_err(), FamilyError::Zero);
        // 897612484786617600 has 103680 divisors, the most below 10^18.
        assert_eq!(Poset::divisors(897_612_484_786_617_600).unwrap_err(), FamilyError::TooLarge);
    }
}
