//! Automorphisms of a poset, and canonical forms of positions under them.

use rustc_hash::FxHashMap;

use crate::poset::{Poset, Words};
use semilinear::run::{Monitor, StopReason};

/// At most this many automorphisms are used; a smaller set of them is still sound, since an
/// automorphic image of a position has the same value.
const MOST: usize = 720;
/// Bytes that the lookup tables may take.
const TABLE_BYTES: usize = 16 << 20;
/// Colours that the invariant of a minimal element looks at.
const MOST_PARTS: usize = 4;
/// Steps of the search for automorphisms.
const STEPS: usize = 2_000_000;

/// Automorphisms other than the identity, as permutations (`p[x]` is the image of x): all of them when
/// there are at most `MOST − 1` and the search ends in time, else some.
pub fn automorphisms(poset: &Poset, monitor: &dyn Monitor) -> Result<Vec<Vec<usize>>, StopReason> {
    let n = poset.len();
    let colours = colours(poset, monitor)?;
    let order = poset.linear_extension();
    let mut candidates: FxHashMap<u32, Vec<usize>> = FxHashMap::default();
    for (x, &colour) in colours.iter().enumerate() {
        candidates.entry(colour).or_default().push(x);
    }
    let mut found = Vec::new();
    let mut image: Vec<usize> = Vec::with_capacity(n);
    let mut used = vec![false; n];
    let mut next = vec![0_usize; n + 1];
    let mut steps = 0;
    // Backtracking without recursion: `next[d]` is the next candidate for the element order[d].
    loop {
        let depth = image.len();
        if depth == n {
            if n > 0 && (0..n).any(|d| image[d] != order[d]) {
                let mut permutation = vec![0; n];
                for (d, &y) in image.iter().enumerate() {
                    permutation[order[d]] = y;
                }
                found.push(permutation);
            }
            if found.len() + 1 >= MOST {
                return Ok(found);
            }
        } else {
            let x = order[depth];
            let mut choice = None;
            for (step, &y) in candidates[&colours[x]][next[depth]..].iter().enumerate() {
                if step % 16 == 0 {
                    monitor.check(steps as u64, Some(STEPS as u64))?;
                }
                let fits = !used[y]
                    && (0..depth).all(|d| {
                        poset.less(order[d], x) == poset.less(image[d], y)
                            && poset.less(x, order[d]) == poset.less(y, image[d])
                    });
                if fits {
                    choice = Some((step, y));
                    break;
                }
            }
            steps += n;
            if let Some((step, y)) = choice {
                next[depth] += step + 1;
                image.push(y);
                used[y] = true;
                next[depth + 1] = 0;
                continue;
            }
        }
        if steps > STEPS {
            return Ok(found);
        }
        match image.pop() {
            Some(y) => used[y] = false,
            None => return Ok(found),
        }
    }
}

/// Colours that every automorphism keeps, by refinement: elements of one colour see the same
/// multisets of colours above and below.
fn colours(poset: &Poset, monitor: &dyn Monitor) -> Result<Vec<u32>, StopReason> {
    let n = poset.len();
    let mut colours = vec![0_u32; n];
    let mut count = 1;
    loop {
        let mut keys: Vec<(u32, Vec<u32>, Vec<u32>)> = Vec::with_capacity(n);
        for x in 0..n {
            monitor.check(x as u64, Some(n as u64))?;
            let sorted = |set: &crate::poset::ElementSet| {
                let mut seen: Vec<u32> = set.members().map(|y| colours[y]).collect();
                seen.sort_unstable();
                seen
            };
            keys.push((colours[x], sorted(poset.up(x)), sorted(poset.down(x))));
        }
        let mut distinct: Vec<_> = keys.iter().collect();
        distinct.sort_unstable();
        distinct.dedup();
        let refined: Vec<u32> = keys
            .iter()
            .map(|key| u32::try_from(distinct.partition_point(|other| *other < key)).expect("few colours"))
            .collect();
        if distinct.len() == count {
            return Ok(refined);
        }
        count = distinct.len();
        colours = refined;
    }
}

/// Canonical forms of sets of elements, and reductions by mirror symmetry.
pub(super) trait Canonical<S>: Send + Sync {
    /// Room that a thread keeps between calls.
    type Scratch: Default;

    /// A set of the same value that stands for many of its images.
    fn canonical(&self, set: &S, scratch: &mut Self::Scratch) -> S;

    /// A smaller set of the same value, by the mirror theorem: when an involution maps the set onto itself and
    /// none of its fixed points in the set is above an element that it moves, the fixed points have the value
    /// of the whole. (In whole + fixed points the second player answers a moved x by its image, and a fixed
    /// one by itself in the other summand.)
    fn mirrored(&self, set: &S) -> Option<S>;

    /// The number of symmetries in use, the identity included.
    fn order(&self) -> usize;
}

/// Canonical forms under automorphisms: the least of certain images.
#[derive(Clone, Debug)]
pub struct Symmetry<S> {
    /// For each automorphism but the identity, for each byte of a set, the images of its 256 values.
    tables: Vec<Vec<S>>,
    bytes: usize,
    choice: Choice<S>,
    mirrors: Vec<Mirror<S>>,
}

/// Which automorphisms are tried on a set: those that sort an invariant of the minimal elements (how
/// many members of each colour are above it) in decreasing order. The sequence they make is the greatest
/// possible and the same for all images of a set, so images keep a common form while few automorphisms are left.
#[derive(Clone, Debug)]
struct Choice<S> {
    /// What is above each minimal element, colour by colour.
    above: Vec<Vec<S>>,
    /// The automorphisms in a tree: below the root, by which minimal element they send to the first one,
    /// then by which they send to the second one, and so on. A leaf lists automorphisms (0 = identity).
    tree: Vec<Node>,
}

#[derive(Clone, Debug, Default)]
struct Node {
    children: Vec<(usize, usize)>,
    automorphisms: Vec<usize>,
}

/// An automorphism that is its own inverse.
#[derive(Clone, Debug)]
struct Mirror<S> {
    number: usize,
    moved: S,
    /// The fixed points above moved elements.
    blockers: S,
}

/// Room for `Symmetry::canonical`.
#[derive(Debug, Default)]
pub struct Scratch {
    counts: Vec<u64>,
    nodes: Vec<usize>,
    next: Vec<usize>,
}

impl<S: Words> Symmetry<S> {
    /// The symmetry of a poset, with as many automorphisms as the tables have room for.
    pub fn new(poset: &Poset, monitor: &dyn Monitor) -> Result<Self, StopReason> {
        let n = poset.len();
        let bytes = n.div_ceil(8);
        let one = (bytes * 256 * S::empty(n).words().len() * 8).max(1);
        let mut permutations = if n <= 512 { automorphisms(poset, monitor)? } else { Vec::new() };
        permutations.truncate(TABLE_BYTES / one);
        let mut tables = Vec::with_capacity(permutations.len());
        for permutation in &permutations {
            let mut table = Vec::with_capacity(bytes * 256);
            for byte in 0..bytes {
                monitor.check(tables.len() as u64, Some(permutations.len() as u64))?;
                for value in 0..256_usize {
                    let mut set = S::empty(n);
                    for bit in (0..8).filter(|bit| value >> bit & 1 == 1 && byte * 8 + bit < n) {
                        set.insert(permutation[byte * 8 + bit]);
                    }
                    table.push(set);
                }
            }
            tables.push(table);
        }
        let choice = Choice::new(poset, &permutations, monitor)?;
        let mirrors = permutations.iter().enumerate().filter_map(|(i, p)| Mirror::new(poset, i + 1, p)).collect();
        Ok(Self { tables, bytes, choice, mirrors })
    }

    #[inline]
    fn image(&self, number: usize, set: &S) -> S {
        let Some(table) = number.checked_sub(1).map(|i| &self.tables[i]) else { return set.clone() };
        let mut image = S::empty(8 * self.bytes);
        for byte in 0..self.bytes {
            let value = (set.words()[byte / 8] >> (byte % 8 * 8) & 255) as usize;
            image.unite(&table[byte * 256 + value]);
        }
        image
    }
}

impl<S: Words> Choice<S> {
    fn new(poset: &Poset, permutations: &[Vec<usize>], monitor: &dyn Monitor) -> Result<Self, StopReason> {
        let n = poset.len();
        let minimal: Vec<usize> = (0..n).filter(|&x| poset.down(x).len() == 1).collect();
        let mut tree = vec![Node::default()];
        if permutations.is_empty() {
            return Ok(Self { above: Vec::new(), tree });
        }
        let identity: Vec<usize> = (0..n).collect();
        for (number, permutation) in std::iter::once(&identity).chain(permutations).enumerate() {
            monitor.check(number as u64, None)?;
            let mut at = 0;
            for &target in &minimal {
                let source = minimal.iter().position(|&x| permutation[x] == target);
                let source = source.expect("an automorphism permutes the minimal elements");
                let known = tree[at].children.iter().find(|child| child.0 == source).map(|child| child.1);
                at = known.unwrap_or_else(|| {
                    let new = tree.len();
                    tree[at].children.push((source, new));
                    tree.push(Node::default());
                    new
                });
            }
            tree[at].automorphisms.push(number);
        }
        let colours = colours(poset, monitor)?;
        let mut kinds = colours.clone();
        kinds.sort_unstable();
        kinds.dedup();
        let above = minimal
            .iter()
            .map(|&x| {
                let part = |&kind: &u32| {
                    let mut set = S::empty(n);
                    poset.up(x).members().filter(|&y| colours[y] == kind).for_each(|y| set.insert(y));
                    set
                };
                let parts = kinds.iter().map(part).filter(|set| set.len() > 1);
                let mut whole = vec![S::copied(poset.up(x), n)];
                whole.extend(parts.take(MOST_PARTS));
                whole
            })
            .collect();
        Ok(Self { above, tree })
    }
}

impl<S: Words> Mirror<S> {
    fn new(poset: &Poset, number: usize, permutation: &[usize]) -> Option<Self> {
        let n = poset.len();
        if (0..n).any(|x| permutation[permutation[x]] != x) {
            return None;
        }
        let mut moved = S::empty(n);
        (0..n).filter(|&x| permutation[x] != x).for_each(|x| moved.insert(x));
        let mut blockers = S::empty(n);
        for x in moved.members() {
            blockers.unite(&S::copied(poset.up(x), n));
        }
        blockers.subtract(&moved);
        Some(Self { number, moved, blockers })
    }
}

impl<S: Words> Canonical<S> for Symmetry<S> {
    type Scratch = Scratch;

    fn order(&self) -> usize {
        self.tables.len() + 1
    }

    #[inline]
    fn canonical(&self, set: &S, scratch: &mut Scratch) -> S {
        match self.tables.len() {
            0 => set.clone(),
            1 => self.image(1, set).min(set.clone()),
            _ => self.least_image(set, scratch),
        }
    }

    fn mirrored(&self, set: &S) -> Option<S> {
        let fits = |mirror: &&Mirror<S>| {
            !set.meets(&mirror.blockers) && set.meets(&mirror.moved) && self.image(mirror.number, set) == *set
        };
        self.mirrors.iter().find(fits).map(|mirror| set.without(&mirror.moved))
    }
}

impl<S: Words> Symmetry<S> {
    /// The least image of `set` under the automorphisms that sort its invariant.
    fn least_image(&self, set: &S, scratch: &mut Scratch) -> S {
        let Scratch { counts, nodes, next } = scratch;
        counts.clear();
        for parts in &self.choice.above {
            let mut invariant = 0_u64;
            for part in parts {
                let both: u32 = set.words().iter().zip(part.words()).map(|(a, b)| (a & b).count_ones()).sum();
                invariant = invariant.wrapping_mul(521).wrapping_add(u64::from(both));
            }
            counts.push(invariant);
        }
        let tree = &self.choice.tree;
        nodes.clear();
        nodes.push(0);
        for _ in 0..counts.len() {
            let mut most = 0;
            next.clear();
            for &(source, node) in nodes.iter().flat_map(|&node| &tree[node].children) {
                if counts[source] > most || next.is_empty() {
                    most = counts[source];
                    next.clear();
                }
                if counts[source] == most {
                    next.push(node);
                }
            }
            std::mem::swap(nodes, next);
        }
        let mut best: Option<S> = None;
        for &number in nodes.iter().flat_map(|&node| &tree[node].automorphisms) {
            let image = self.image(number, set);
            if best.as_ref().is_none_or(|best| image < *best) {
                best = Some(image);
            }
        }
        best.expect("every road of the tree ends at an automorphism")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use semilinear::run::Unlimited;

    #[test]
    fn known_automorphism_groups() {
        for (poset, order) in [
            (Poset::chomp(&[4, 4, 4, 4]).unwrap(), 2),
            (Poset::chomp(&[4, 4, 4]).unwrap(), 1),
            (Poset::subsets(4, 4).unwrap(), 24),
            (Poset::chomp_box(&[3, 3, 3]).unwrap(), 6),
            (Poset::nim(&[2, 2, 2, 1]).unwrap(), 6),
            (Poset::chain(5).unwrap(), 1),
            (Poset::chain(0).unwrap(), 1),
        ] {
            let symmetry = Symmetry::<[u64; 1]>::new(&poset, &Unlimited).unwrap();
            assert_eq!(symmetry.order(), order);
            for permutation in automorphisms(&poset, &Unlimited).unwrap() {
                for x in 0..poset.len() {
                    for y in 0..poset.len() {
                        assert_eq!(poset.less(x, y), poset.less(permutation[x], permutation[y]));
                    }
                }
            }
        }
    }

    #[test]
    fn images_share_their_canonical_form() {
        let poset = Poset::subsets(4, 4).unwrap();
        let symmetry = Symmetry::<[u64; 1]>::new(&poset, &Unlimited).unwrap();
        let forms: std::collections::HashSet<[u64; 1]> =
            (0..4).map(|x| symmetry.canonical(&[1 << x], &mut Scratch::default())).collect();
        assert_eq!(forms.len(), 1);
    }

    #[test]
    fn a_square_without_its_diagonal_mirrors_to_nothing() {
        let poset = Poset::chomp(&[4, 4, 4, 4]).unwrap();
        let symmetry = Symmetry::<[u64; 1]>::new(&poset, &Unlimited).unwrap();
        let all = <[u64; 1]>::full(poset.len());
        assert_eq!(symmetry.mirrored(&all), None);
        let corner = poset.names().iter().position(|name| name == "2.2").unwrap();
        let hook = all.without(&Words::copied(poset.up(corner), poset.len()));
        assert_eq!(symmetry.mirrored(&hook), Some([0]));
    }
}
