//! Finite posets from relations.

use thiserror::Error;

use super::set::{ElementSet, Words as _};

/// The largest number of elements a poset may have: the closed relation takes n² bits twice.
pub const MAX_ELEMENTS: usize = 8192;

/// Why elements and relations are not a poset.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum PosetError {
    /// A relation names an element that is not in the list.
    #[error("relations: \"{0}\" is not in `elements`; add it there or correct the name")]
    UnknownElement(String),
    /// Two elements have the same name.
    #[error("elements: \"{0}\" occurs twice; give every element its own name")]
    DuplicateElement(String),
    /// The relations contain a cycle.
    #[error("relations: there is a cycle {}; an order has none, remove one of these relations", .0.join(" < "))]
    Cycle(Vec<String>),
    /// Too many elements.
    #[error("{0} elements are too many; a poset may have {MAX_ELEMENTS}")]
    TooLarge(usize),
}

/// A finite poset; the elements are the numbers `0..len` and have names.
///
/// ```
/// use impartial::poset::{Poset, Words};
/// let poset = Poset::new(["a", "b", "c"], [("a", "b"), ("b", "c")]).unwrap();
/// assert!(poset.less(0, 2)); // closed transitively
/// let after = poset.option(&poset.all(), 1); // choose b: c goes too
/// assert_eq!(after.members().collect::<Vec<_>>(), [0]);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Poset {
    names: Vec<String>,
    /// `up[x]`: x and everything above it, which is what choosing x removes.
    up: Vec<ElementSet>,
    /// `down[x]`: x and everything below it.
    down: Vec<ElementSet>,
}

impl Poset {
    /// The poset with these elements, where `(a, b)` means a < b; closed transitively.
    ///
    /// # Complexity
    /// O(n·r/64 + n²/64) words for n elements and r relations.
    pub fn new<A: Into<String>, B: AsRef<str>>(
        elements: impl IntoIterator<Item = A>,
        relations: impl IntoIterator<Item = (B, B)>,
    ) -> Result<Self, PosetError> {
        let names: Vec<String> = elements.into_iter().map(Into::into).collect();
        let mut index = std::collections::HashMap::with_capacity(names.len());
        for (i, name) in names.iter().enumerate() {
            if index.insert(name.as_str(), i).is_some() {
                return Err(PosetError::DuplicateElement(name.clone()));
            }
        }
        let find = |name: &str| index.get(name).copied().ok_or_else(|| PosetError::UnknownElement(name.to_owned()));
        let relations = relations
            .into_iter()
            .map(|(a, b)| Ok((find(a.as_ref())?, find(b.as_ref())?)))
            .collect::<Result<Vec<_>, PosetError>>()?;
        drop(index);
        Self::from_relations(names, &relations)
    }

    /// The poset with these names, where `(x, y)` means x < y for the elements numbered x and y.
    pub fn from_relations(names: Vec<String>, relations: &[(usize, usize)]) -> Result<Self, PosetError> {
        let n = names.len();
        if n > MAX_ELEMENTS {
            return Err(PosetError::TooLarge(n));
        }
        let mut above = vec![Vec::new(); n];
        let mut waiting_for = vec![0_usize; n];
        for &(x, y) in relations {
            if x >= n || y >= n {
                return Err(PosetError::UnknownElement(x.max(y).to_string()));
            }
            above[x].push(y);
            waiting_for[y] += 1;
        }
        // A linear extension by repeatedly taking elements with nothing left below them (Kahn).
        let mut order: Vec<usize> = (0..n).filter(|&x| waiting_for[x] == 0).collect();
        let mut next = 0;
        while let Some(&x) = order.get(next) {
            next += 1;
            for &y in &above[x] {
                waiting_for[y] -= 1;
                if waiting_for[y] == 0 {
                    order.push(y);
                }
            }
        }
        if order.len() < n {
            return Err(PosetError::Cycle(cycle(&names, relations, &waiting_for)));
        }
        let mut up: Vec<ElementSet> = vec![ElementSet::empty(n); n];
        for &x in order.iter().rev() {
            let mut set = ElementSet::empty(n);
            set.insert(x);
            for &y in &above[x] {
                set.unite(&up[y]);
            }
            up[x] = set;
        }
        Ok(Self::from_up_sets(names, up))
    }

    /// The poset whose principal filters are `up`, which the caller knows to be an order.
    pub(crate) fn from_up_sets(names: Vec<String>, up: Vec<ElementSet>) -> Self {
        let n = names.len();
        let mut down = vec![ElementSet::empty(n); n];
        for (x, set) in up.iter().enumerate() {
            for y in set.members() {
                down[y].insert(x);
            }
        }
        Self { names, up, down }
    }

    /// The number of elements.
    pub fn len(&self) -> usize {
        self.names.len()
    }

    /// Whether there is no element.
    pub fn is_empty(&self) -> bool {
        self.names.is_empty()
    }

    /// The name of an element.
    pub fn name(&self, x: usize) -> &str {
        &self.names[x]
    }

    /// All names, in the order of the elements.
    pub fn names(&self) -> &[String] {
        &self.names
    }

    /// x and everything above it.
    pub fn up(&self, x: usize) -> &ElementSet {
        &self.up[x]
    }

    /// x and everything below it.
    pub fn down(&self, x: usize) -> &ElementSet {
        &self.down[x]
    }

    /// Whether x < y.
    pub fn less(&self, x: usize, y: usize) -> bool {
        x != y && self.up[x].contains(y)
    }

    /// The position with every element present.
    pub fn all(&self) -> ElementSet {
        ElementSet::full(self.len())
    }

    /// The position with nothing left.
    pub fn nothing(&self) -> ElementSet {
        ElementSet::empty(self.len())
    }

    /// The option of `position` that chooses x.
    pub fn option(&self, position: &ElementSet, x: usize) -> ElementSet {
        position.without(&self.up[x])
    }

    /// `Err((x, y))` when `set` is no order ideal: y is in it, x < y is not.
    pub fn check_ideal(&self, set: &ElementSet) -> Result<(), (usize, usize)> {
        for y in set.members() {
            if let Some(x) = self.down[y].without(set).first() {
                return Err((x, y));
            }
        }
        Ok(())
    }

    /// The cover relations (x, y): x < y with nothing in between. They are the edges of the Hasse diagram.
    pub fn covers(&self) -> Vec<(usize, usize)> {
        let n = self.len();
        let mut covers = Vec::new();
        for y in 0..n {
            let mut lower = self.down[y].clone();
            lower.remove(y);
            let mut between = ElementSet::empty(n);
            for x in lower.members() {
                let mut below = self.down[x].clone();
                below.remove(x);
                between.unite(&below);
            }
            covers.extend(lower.without(&between).members().map(|x| (x, y)));
        }
        covers
    }

    /// A linear extension: every element after all elements below it; ties by number.
    pub fn linear_extension(&self) -> Vec<usize> {
        let mut order: Vec<usize> = (0..self.len()).collect();
        order.sort_by_key(|&x| (self.down[x].len(), x));
        order
    }

    /// The same poset with its elements renumbered along [`Poset::linear_extension`].
    #[must_use]
    pub fn in_linear_order(&self) -> Self {
        let order = self.linear_extension();
        let mut place = vec![0; self.len()];
        for (i, &x) in order.iter().enumerate() {
            place[x] = i;
        }
        let up = order
            .iter()
            .map(|&x| {
                let mut set = ElementSet::empty(self.len());
                self.up[x].members().for_each(|y| set.insert(place[y]));
                set
            })
            .collect();
        Self::from_up_sets(order.iter().map(|&x| self.names[x].clone()).collect(), up)
    }

    /// The poset on the elements of `set`, with their names, in increasing order of their numbers.
    #[must_use]
    pub fn restricted(&self, set: &ElementSet) -> Self {
        let old: Vec<usize> = set.members().collect();
        let up = old
            .iter()
            .map(|&x| {
                let mut row = ElementSet::empty(old.len());
                for (j, &y) in old.iter().enumerate() {
                    if self.up[x].contains(y) {
                        row.insert(j);
                    }
                }
                row
            })
            .collect();
        Self::from_up_sets(old.iter().map(|&x| self.names[x].clone()).collect(), up)
    }

    /// The same elements with the opposite order.
    #[must_use]
    pub fn dual(&self) -> Self {
        Self { names: self.names.clone(), up: self.down.clone(), down: self.up.clone() }
    }
}

/// A cycle among the elements that still wait for something below them.
fn cycle(names: &[String], relations: &[(usize, usize)], waiting_for: &[usize]) -> Vec<String> {
    // Each waiting element has a waiting one below it: walk down until an element repeats.
    let mut below = vec![None; names.len()];
    for &(x, y) in relations {
        if waiting_for[x] > 0 && waiting_for[y] > 0 {
            below[y] = Some(x);
        }
    }
    let mut x = (0..names.len()).find(|&x| below[x].is_some()).expect("a waiting element has a waiting one below it");
    let mut seen_at = vec![None; names.len()];
    let mut path = Vec::new();
    while seen_at[x].is_none() {
        seen_at[x] = Some(path.len());
        path.push(x);
        x = below[x].expect("a waiting element has a waiting one below it");
    }
    let start = seen_at[x].expect("the walk came back here");
    let mut found: Vec<String> = path[start..].iter().rev().map(|&y| names[y].clone()).collect();
    found.push(found[0].clone());
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn relations_are_closed_and_covers_reduce_them() {
        let poset = Poset::new(["a", "b", "c", "d"], [("a", "b"), ("b", "c"), ("a", "c")]).unwrap();
        assert!(poset.less(0, 2) && !poset.less(2, 0) && !poset.less(0, 3) && !poset.less(1, 1));
        assert_eq!(poset.covers(), [(0, 1), (1, 2)]);
        assert_eq!(poset.dual().covers(), [(1, 0), (2, 1)]);
        let mut set = poset.all();
        assert_eq!(poset.check_ideal(&set), Ok(()));
        set.remove(1);
        assert_eq!(poset.check_ideal(&set), Err((1, 2)));
    }

    #[test]
    fn cycles_are_named() {
        let error = Poset::new(["x", "a", "b", "c"], [("x", "a"), ("a", "b"), ("b", "c"), ("c", "a")]).unwrap_err();
        let PosetError::Cycle(cycle) = &error else { panic!("{error}") };
        assert_eq!(cycle.len(), 4);
        assert_eq!(cycle.first(), cycle.last());
        for pair in cycle.windows(2) {
            assert!([("a", "b"), ("b", "c"), ("c", "a")].contains(&(pair[0].as_str(), pair[1].as_str())), "{error}");
        }
        assert_eq!(Poset::new(["a"], [("a", "a")]).unwrap_err(), PosetError::Cycle(vec!["a".into(), "a".into()]));
    }

    #[test]
    fn bad_names_are_refused() {
        assert_eq!(Poset::new(["a", "a"], [("a", "a"); 0]).unwrap_err(), PosetError::DuplicateElement("a".into()));
        assert_eq!(Poset::new(["a"], [("a", "q")]).unwrap_err(), PosetError::UnknownElement("q".into()));
    }
}
