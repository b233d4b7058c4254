//! Chomp in disguise: posets that are Young diagrams without their corner.

use crate::poset::{Diagram, ElementSet, Poset, Words as _};

/// The squares that the elements of a poset are.
#[derive(Clone, Debug)]
pub(super) struct Squares(Vec<(usize, u64)>);

impl Squares {
    /// Recognises a Young diagram, with at least two rows and two columns, without its corner: the
    /// divisors of pᵃqᵇ, a product of two chains, or a file that says so in other words.
    ///
    /// # Complexity
    /// O(n²) for n elements.
    pub(super) fn new(poset: &Poset) -> Option<Self> {
        let n = poset.len();
        let minimal: Vec<usize> = (0..n).filter(|&x| poset.down(x).len() == 1).collect();
        let &[right, below] = minimal.as_slice() else { return None };
        // The first row is what is not above (2, 1), the first column what is not above (1, 2).
        let row = poset.all().without(poset.up(below));
        let column = poset.all().without(poset.up(right));
        let count = |x: usize, line: &ElementSet| {
            let mut under = poset.down(x).clone();
            under.intersect(line);
            under.len()
        };
        let squares: Vec<(usize, usize)> = (0..n).map(|x| (1 + count(x, &column), 1 + count(x, &row))).collect();
        let place: std::collections::HashMap<(usize, usize), usize> =
            squares.iter().enumerate().map(|(x, &square)| (square, x)).collect();
        // Every square once, with all squares before it, and the order is that of the squares.
        let is_diagram = place.len() == n
            && squares.iter().all(|&(i, j)| {
                (i, j) != (1, 1)
                    && (i == 1 || (i, j) == (2, 1) || place.contains_key(&(i - 1, j)))
                    && (j == 1 || (i, j) == (1, 2) || place.contains_key(&(i, j - 1)))
            })
            && (0..n).all(|x| {
                let (i, j) = squares[x];
                // As many elements are below it as there are squares, and each is one of them.
                poset.down(x).len() == i * j - 1
                    && poset.down(x).members().all(|y| squares[y].0 <= i && squares[y].1 <= j)
            });
        is_diagram.then(|| Self(squares.into_iter().map(|(i, j)| (i, j as u64)).collect()))
    }

    /// The diagram of an order ideal, corner included.
    pub(super) fn diagram(&self, position: &ElementSet) -> Diagram {
        let mut rows = vec![1_u64];
        for (i, j) in position.members().map(|x| self.0[x]) {
            if rows.len() < i {
                rows.resize(i, 0);
            }
            rows[i - 1] = rows[i - 1].max(j);
        }
        Diagram::new(rows).expect("an order ideal of squares is a diagram")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn diagrams_are_recognised_in_any_numbering() {
        let rows = [5, 4, 4, 1];
        let chomp = Poset::chomp(&rows).unwrap();
        let squares = Squares::new(&chomp).unwrap();
        let diagram = squares.diagram(&chomp.all());
        // Which of the two minimal elements is to the right is anybody's choice.
        let expected: Diagram = "5,4,4,1".parse().unwrap();
        assert!(diagram == expected || diagram == expected.transposed(), "{diagram}");
        assert!(Squares::new(&chomp.in_linear_order()).is_some());
        let divisors = Poset::divisors(2_u64.pow(4) * 7_u64.pow(2)).unwrap();
        assert_eq!(Squares::new(&divisors).unwrap().diagram(&divisors.all()).squares(), 15);
    }

    #[test]
    fn other_posets_are_not() {
        for poset in [
            Poset::chain(5).unwrap(),
            Poset::divisors(60).unwrap(),
            Poset::new(["a", "b", "c", "d"], [("a", "c"), ("b", "c"), ("a", "d"), ("b", "d")]).unwrap(),
            Poset::new(["a", "b", "c", "d", "e"], [("a", "c"), ("b", "c"), ("c", "d"), ("c", "e")]).unwrap(),
            Poset::nim(&[2, 3, 1]).unwrap(),
        ] {
            assert!(Squares::new(&poset).is_none(), "{:?}", poset.covers());
        }
        // A hook is one: Nim with two heaps.
        assert!(Squares::new(&Poset::nim(&[2, 3]).unwrap()).is_some());
    }
}
