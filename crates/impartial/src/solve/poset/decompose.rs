//! Modular decomposition by disjoint unions and linear sums.

use crate::poset::{Poset, Words};

use super::values::ValueSet;

/// The order relation in the words of an engine.
#[derive(Clone, Debug)]
pub struct Order<S> {
    /// `up[x]`: x and everything above it.
    pub up: Vec<S>,
    /// `comparable[x]`: x, everything above it and everything below it.
    pub comparable: Vec<S>,
    /// `down[x]`: x and everything below it.
    pub down: Vec<S>,
}

/// A piece of a decomposition; children are indices of earlier pieces.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Piece<S> {
    /// One element.
    Single,
    /// A disjoint union.
    Parallel(Vec<usize>),
    /// A linear sum, lowest part first.
    Series(Vec<usize>),
    /// Connected, and no linear sum: at least four elements, among them an N.
    Prime(S),
}

/// How a set of elements is put together, at its top.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Shape<S> {
    /// Connected, and no linear sum.
    Prime,
    /// A disjoint union of these components.
    Parallel(Vec<S>),
    /// A linear sum, or fewer than two elements.
    Series,
}

impl<S: Words> Order<S> {
    /// The order of a poset.
    pub fn new(poset: &Poset) -> Self {
        let n = poset.len();
        let up: Vec<S> = (0..n).map(|x| S::copied(poset.up(x), n)).collect();
        let down: Vec<S> = (0..n).map(|x| S::copied(poset.down(x), n)).collect();
        let comparable = up
            .iter()
            .zip(&down)
            .map(|(u, d)| {
                let mut set = u.clone();
                set.unite(d);
                set
            })
            .collect();
        Self { up, comparable, down }
    }

    /// How `set` is put together.
    ///
    /// # Complexity
    /// A few word operations for most prime sets; O(n) of them at worst.
    pub fn shape(&self, set: &S) -> Shape<S> {
        let Some(x) = set.first() else { return Shape::Series };
        let near = |y: usize| {
            let mut near = self.comparable[y].clone();
            near.intersect(set);
            near
        };
        if !reaches_all(set, near(x), near) {
            return Shape::Parallel(self.components(set));
        }
        let beside = |y: usize| {
            let mut beside = set.without(&self.comparable[y]);
            beside.insert(y);
            beside
        };
        if reaches_all(set, beside(x), beside) { Shape::Prime } else { Shape::Series }
    }

    /// The connected components of `set` (as an induced subposet), by their least members.
    pub fn components(&self, set: &S) -> Vec<S> {
        self.closures(set, |x, rest| {
            let mut near = self.comparable[x].clone();
            near.intersect(rest);
            near
        })
    }

    /// The parts of `set` as a finest linear sum, lowest part first.
    ///
    /// They are the components of the incomparability graph: two such components are comparable
    /// element by element, and always the same way round.
    pub fn blocks(&self, set: &S) -> Vec<S> {
        let mut blocks = self.closures(set, |x, rest| rest.without(&self.comparable[x]));
        blocks.sort_by_cached_key(|block| {
            let mut below = self.down[block.first().expect("a block is not empty")].clone();
            below.intersect(set);
            below.len()
        });
        blocks
    }

    fn closures(&self, set: &S, near: impl Fn(usize, &S) -> S) -> Vec<S> {
        let mut rest = set.clone();
        let mut found = Vec::new();
        while let Some(x) = rest.first() {
            let mut part = S::empty(self.up.len());
            let mut todo = part.clone();
            todo.insert(x);
            rest.remove(x);
            while let Some(y) = todo.first() {
                todo.remove(y);
                part.insert(y);
                let new = near(y, &rest);
                rest.subtract(&new);
                todo.unite(&new);
            }
            found.push(part);
        }
        found
    }

    /// The decomposition of `set`: pieces with children before parents, the whole last; empty for the
    /// empty set.
    ///
    /// # Complexity
    /// O(d·n·w) word operations, where d is the depth of the result and w the number of words of a set.
    pub fn decomposition(&self, set: &S) -> Vec<Piece<S>> {
        enum Task<S> {
            /// Decompose; the flag says that the set is known to be connected.
            Open(S, bool),
            Close(bool, usize),
        }
        let mut pieces = Vec::new();
        if set.is_empty() {
            return pieces;
        }
        let mut done: Vec<usize> = Vec::new();
        let mut tasks = vec![Task::Open(set.clone(), false)];
        while let Some(task) = tasks.pop() {
            match task {
                Task::Open(set, connected) => {
                    if set.len() == 1 {
                        done.push(pieces.len());
                        pieces.push(Piece::Single);
                        continue;
                    }
                    let parts = if connected { vec![set.clone()] } else { self.components(&set) };
                    let parallel = parts.len() > 1;
                    let parts = if parallel { parts } else { self.blocks(&set) };
                    if parts.len() == 1 {
                        done.push(pieces.len());
                        pieces.push(Piece::Prime(set));
                        continue;
                    }
                    tasks.push(Task::Close(parallel, parts.len()));
                    tasks.extend(parts.into_iter().map(|part| Task::Open(part, parallel)));
                }
                Task::Close(parallel, count) => {
                    // The last part was opened first: reversed, the lowest part comes first again.
                    let mut children = done.split_off(done.len() - count);
                    children.reverse();
                    done.push(pieces.len());
                    pieces.push(if parallel { Piece::Parallel(children) } else { Piece::Series(children) });
                }
            }
        }
        pieces
    }
}

/// Whether the graph in which `near(y)` is y and its neighbours connects all of `set`; `part` is where it begins.
///
/// Elements that are not reached look for a neighbour that is: mostly the first one they look at.
fn reaches_all<S: Words>(set: &S, mut part: S, near: impl Fn(usize) -> S) -> bool {
    let mut rest = set.without(&part);
    loop {
        let mut waiting = rest.clone();
        let mut grown = false;
        while let Some(y) = waiting.first() {
            waiting.remove(y);
            let new = near(y);
            if new.meets(&part) {
                part.unite(&new);
                rest.subtract(&new);
                waiting.subtract(&new);
                grown = true;
            }
        }
        if rest.is_empty() || !grown {
            return rest.is_empty();
        }
    }
}

/// The option values of a decomposed poset, from those of its prime pieces.
///
/// For P + Q: {a ⊕ g(Q)} ∪ {g(P) ⊕ b}. For P below Q: G(P) ∪ {e_b : b ∈ G(Q)}, where e₀ < e₁ < … are the
/// numbers that are not in G(P); hence g = e_{g(Q)} (Deuber–Thomassé; proof in `docs/theory/posets.md`).
pub fn option_values<S: Words, E>(
    pieces: &[Piece<S>],
    mut prime: impl FnMut(&S) -> Result<ValueSet, E>,
) -> Result<ValueSet, E> {
    let mut sets: Vec<ValueSet> = Vec::with_capacity(pieces.len());
    for piece in pieces {
        let set = match piece {
            Piece::Single => [0].into_iter().collect(),
            Piece::Prime(set) => prime(set)?,
            Piece::Parallel(children) => {
                let total = children.iter().fold(0, |sum, &child| sum ^ sets[child].mex());
                let mut values = ValueSet::default();
                for &child in children {
                    let others = total ^ sets[child].mex();
                    sets[child].values().for_each(|value| values.insert(value ^ others));
                }
                values
            }
            Piece::Series(children) => {
                let (&top, lower) = children.split_last().expect("a linear sum has parts");
                lower.iter().rev().fold(sets[top].clone(), |upper, &child| {
                    let mut values: ValueSet = upper.values().map(|value| sets[child].absent(value)).collect();
                    values.unite(&sets[child]);
                    values
                })
            }
        };
        sets.push(set);
    }
    Ok(sets.pop().unwrap_or_default())
}
