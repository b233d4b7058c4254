//! Automorphisms of a poset, and canonical forms of positions under them.

use rustc_hash::FxHashMap;

use crate::poset::{Poset, Words};

/// At most this many automorphisms are used; a smaller set of them is still sound, since an
/// automorphic image of a position has the same value.
const MOST: usize = 720;
/// Bytes that the lookup tables may take.
const TABLE_BYTES: usize = 8 << 20;
/// Steps of the search for automorphisms.
const STEPS: usize = 2_000_000;

/// Automorphisms other than the identity, as permutations (`p[x]` is the image of x): all of them when
/// there are at most `MOST − 1` and the search ends in time, else some.
pub fn automorphisms(poset: &Poset) -> Vec<Vec<usize>> {
    let n = poset.len();
    let colours = colours(poset);
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
                return found;
            }
        } else {
            let x = order[depth];
            let choice = candidates[&colours[x]][next[depth]..].iter().position(|&y| {
                !used[y]
                    && (0..depth).all(|d| {
                        poset.less(order[d], x) == poset.less(image[d], y)
                            && poset.less(x, order[d]) == poset.less(y, image[d])
                    })
            });
            steps += n;
            if let Some(step) = choice {
                let y = candidates[&colours[x]][next[depth] + step];
                next[depth] += step + 1;
                image.push(y);
                used[y] = true;
                next[depth + 1] = 0;
                continue;
            }
        }
        if steps > STEPS {
            return found;
        }
        match image.pop() {
            Some(y) => used[y] = false,
            None => return found,
        }
    }
}

/// Colours that every automorphism keeps, by refinement: elements of one colour see the same
/// multisets of colours above and below.
fn colours(poset: &Poset) -> Vec<u32> {
    let n = poset.len();
    let mut colours = vec![0_u32; n];
    let mut count = 1;
    loop {
        let mut keys: Vec<(u32, Vec<u32>, Vec<u32>)> = Vec::with_capacity(n);
        for x in 0..n {
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
            return refined;
        }
        count = distinct.len();
        colours = refined;
    }
}

/// Canonical forms under automorphisms: the least image.
#[derive(Clone, Debug)]
pub struct Symmetry<S> {
    /// For each automorphism, for each byte of a set, the images of its 256 values.
    tables: Vec<Vec<S>>,
    bytes: usize,
}

impl<S: Words> Symmetry<S> {
    /// The symmetry of a poset, with as many automorphisms as the tables have room for.
    pub fn new(poset: &Poset) -> Self {
        let n = poset.len();
        let bytes = n.div_ceil(8);
        let one = (bytes * 256 * S::empty(n).words().len() * 8).max(1);
        let mut permutations = if n <= 512 { automorphisms(poset) } else { Vec::new() };
        permutations.truncate(TABLE_BYTES / one);
        let tables = permutations
            .iter()
            .map(|permutation| {
                let mut table = Vec::with_capacity(bytes * 256);
                for byte in 0..bytes {
                    for value in 0..256_usize {
                        let mut set = S::empty(n);
                        for bit in (0..8).filter(|bit| value >> bit & 1 == 1 && byte * 8 + bit < n) {
                            set.insert(permutation[byte * 8 + bit]);
                        }
                        table.push(set);
                    }
                }
                table
            })
            .collect();
        Self { tables, bytes }
    }

    /// The number of automorphisms in use, the identity included.
    pub fn order(&self) -> usize {
        self.tables.len() + 1
    }

    /// The least image of `set`.
    #[inline]
    pub fn canonical(&self, set: &S) -> S {
        let mut best = set.clone();
        for table in &self.tables {
            let mut image = S::empty(8 * self.bytes);
            for byte in 0..self.bytes {
                let value = (set.words()[byte / 8] >> (byte % 8 * 8) & 255) as usize;
                if value > 0 {
                    image.unite(&table[byte * 256 + value]);
                }
            }
            if image < best {
                best = image;
            }
        }
        best
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
            let symmetry = Symmetry::<[u64; 1]>::new(&poset);
            assert_eq!(symmetry.order(), order);
            for permutation in automorphisms(&poset) {
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
        let symmetry = Symmetry::<[u64; 1]>::new(&poset);
        let forms: std::collections::HashSet<[u64; 1]> = (0..4).map(|x| symmetry.canonical(&[1 << x])).collect();
        assert_eq!(forms.len(), 1);
    }
}
