//! Subset Takeaway in general: face posets of simplicial complexes with few points.
//!
//! A position is a set of non-empty subsets of at most seven points, closed downward; as a number, bit s says
//! whether the subset with the members of s (as bits) is there. Exchanging two points is then a few
//! shifts and masks, so that every permutation of the points is a symmetry at hand, whatever complex the
//! board is: all of S₇, where tables of automorphisms have no room.

use crate::poset::{ElementSet, Poset, Words};

use super::symmetry::Canonical;

/// The most points.
pub(super) const MAX_POINTS: usize = 7;

/// For each point, the subsets that have it.
const WITH: [u128; MAX_POINTS] = with_points();
/// The subsets with two members.
const PAIRS: u128 = pairs();

const fn with_points() -> [u128; MAX_POINTS] {
    let mut with = [0; MAX_POINTS];
    let mut i = 0;
    while i < MAX_POINTS {
        let mut s = 0;
        while s < 128 {
            if s >> i & 1 == 1 {
                with[i] |= 1 << s;
            }
            s += 1;
        }
        i += 1;
    }
    with
}

const fn pairs() -> u128 {
    let mut pairs = 0;
    let mut s = 0_u32;
    while s < 128 {
        if s.count_ones() == 2 {
            pairs |= 1 << s;
        }
        s += 1;
    }
    pairs
}

/// The set with the points i and j exchanged.
#[inline]
fn exchanged(set: u128, i: usize, j: usize) -> u128 {
    let (i, j) = (i.min(j), i.max(j));
    if i == j {
        return set;
    }
    // Subsets with i and without j are this many bits below those with j and without i.
    let distance = (1_u32 << j) - (1 << i);
    let moved = (set ^ (set >> distance)) & WITH[i] & !WITH[j];
    set ^ moved ^ (moved << distance)
}

fn number(set: [u64; 2]) -> u128 {
    u128::from(set[0]) | u128::from(set[1]) << 64
}

#[allow(clippy::cast_possible_truncation)] // the lower half, then the upper one
fn words(set: u128) -> [u64; 2] {
    [set as u64, (set >> 64) as u64]
}

/// A poset as a complex: the subset of points that each element is.
#[derive(Clone, Debug)]
pub(super) struct Faces {
    faces: Vec<usize>,
    points: usize,
}

impl Faces {
    /// Recognises the face poset of a complex with three to seven points.
    ///
    /// # Complexity
    /// O(n²) for n ≤ 127 elements.
    pub(super) fn new(poset: &Poset) -> Option<Self> {
        let n = poset.len();
        if n >= 1 << MAX_POINTS {
            return None;
        }
        let minimal: Vec<usize> = (0..n).filter(|&x| poset.down(x).len() == 1).collect();
        if !(3..=MAX_POINTS).contains(&minimal.len()) {
            return None;
        }
        let face = |x: usize| (0..minimal.len()).filter(|&i| poset.up(minimal[i]).contains(x)).map(|i| 1 << i).sum();
        let faces: Vec<usize> = (0..n).map(face).collect();
        // Downward closed, every face once, and the order is inclusion: what is below x are its 2^k − 1 faces.
        let is_complex = (0..n).all(|x| {
            poset.down(x).len() == (1 << faces[x].count_ones()) - 1
                && (0..n).all(|y| poset.down(x).contains(y) == (faces[y] & !faces[x] == 0))
        });
        is_complex.then_some(Self { faces, points: minimal.len() })
    }

    /// The poset whose element s − 1 is the subset s of the points; its ideals hold the positions.
    pub(super) fn simplex(&self) -> Poset {
        let n = 1_usize << self.points;
        // Bit 0 is the empty set: an element on its own that no position has.
        let up = (0..n)
            .map(|s| {
                let mut up = ElementSet::empty(n);
                (0..n).filter(|&t| if s == 0 { t == 0 } else { t & s == s }).for_each(|t| up.insert(t));
                up
            })
            .collect();
        Poset::from_up_sets((0..n).map(|s| s.to_string()).collect(), up)
    }

    /// A position in the words of the search.
    pub(super) fn position(&self, position: &ElementSet) -> [u64; 2] {
        words(position.members().map(|x| 1_u128 << self.faces[x]).sum())
    }

    /// The number of points.
    pub(super) fn points(&self) -> usize {
        self.points
    }
}

/// An involution of the points.
#[derive(Clone, Debug)]
struct Mirror {
    exchanges: Vec<(usize, usize)>,
    moved: u128,
    /// The subsets that are fixed and contain points that are not: they lie above moved ones.
    blockers: u128,
}

/// All permutations of the points.
#[derive(Clone, Debug)]
pub(super) struct Permutations {
    points: usize,
    mirrors: Vec<Mirror>,
}

impl Permutations {
    pub(super) fn new(points: usize) -> Self {
        let mut mirrors = Vec::new();
        let mut todo: Vec<(usize, Vec<(usize, usize)>)> = vec![(0, Vec::new())];
        while let Some((next, exchanges)) = todo.pop() {
            if next == points {
                if !exchanges.is_empty() {
                    mirrors.push(Mirror::new(exchanges));
                }
                continue;
            }
            todo.push((next + 1, exchanges.clone()));
            let free = |point: usize| !exchanges.iter().any(|&(i, j)| i == point || j == point);
            if free(next) {
                for partner in (next + 1..points).filter(|&point| free(point)) {
                    let mut more = exchanges.clone();
                    more.push((next, partner));
                    todo.push((next + 1, more));
                }
            }
        }
        // One exchange is the most likely to fit.
        mirrors.sort_by_key(|mirror| mirror.exchanges.len());
        Self { points, mirrors }
    }
}

impl Mirror {
    fn new(exchanges: Vec<(usize, usize)>) -> Self {
        let image = |s: u128| exchanges.iter().fold(s, |s, &(i, j)| exchanged(s, i, j));
        let (mut moved, mut blockers) = (0, 0);
        for s in 0..128 {
            let one = 1_u128 << s;
            if image(one) != one {
                moved |= one;
            } else if exchanges.iter().any(|&(i, _)| s >> i & 1 == 1) {
                blockers |= one;
            }
        }
        Self { exchanges, moved, blockers }
    }
}

/// Points sorted by an invariant, with a set that is permuted along.
struct Sorted {
    set: u128,
    invariant: [u64; MAX_POINTS],
}

impl Sorted {
    /// Sorts the points from `invariant`, greatest first.
    fn sort(&mut self, points: usize) {
        for place in 0..points {
            let mut best = place;
            for other in place + 1..points {
                if self.invariant[other] > self.invariant[best] {
                    best = other;
                }
            }
            if best != place {
                self.set = exchanged(self.set, place, best);
                self.invariant.swap(place, best);
            }
        }
    }

    /// The runs of points that the invariant does not tell apart, and that matter.
    fn ties(&self, points: usize) -> ([(usize, usize); 3], usize) {
        let mut ties = [(0, 0); 3];
        let (mut count, mut from) = (0, 0);
        while from < points && self.invariant[from] > 0 {
            let run = self.invariant[from..points].iter().take_while(|&&other| other == self.invariant[from]).count();
            // When neighbours can be exchanged without a change, so can all of the run.
            let matters = (from + 1..from + run).any(|i| exchanged(self.set, i - 1, i) != self.set);
            if matters {
                ties[count] = (from, from + run);
                count += 1;
            }
            from += run;
        }
        (ties, count)
    }
}

impl Canonical<[u64; 2]> for Permutations {
    type Scratch = ();

    fn order(&self) -> usize {
        (1..=self.points).product()
    }

    fn canonical(&self, set: &[u64; 2], (): &mut ()) -> [u64; 2] {
        let n = self.points;
        let set = number(*set);
        let mut invariant = [0; MAX_POINTS];
        for (point, invariant) in invariant[..n].iter_mut().enumerate() {
            let with = set & WITH[point];
            *invariant = u64::from(with.count_ones()) << 8 | u64::from((with & PAIRS).count_ones());
        }
        let mut sorted = Sorted { set, invariant };
        sorted.sort(n);
        let (mut ties, mut count) = sorted.ties(n);
        if count > 0 {
            // Look at the neighbours too: how many subsets have both points.
            let old = sorted.invariant;
            for point in 0..n {
                let near = (0..n).filter(|&other| other != point).fold(0_u64, |sum, other| {
                    let both = (sorted.set & WITH[point] & WITH[other]).count_ones();
                    let mixed = (old[other] << 8 | u64::from(both)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
                    sum.wrapping_add((mixed ^ mixed >> 29).wrapping_mul(0xbf58_476d_1ce4_e5b9) >> 20)
                });
                if old[point] > 0 {
                    sorted.invariant[point] = old[point] << 44 | near & ((1 << 44) - 1);
                }
            }
            sorted.sort(n);
            (ties, count) = sorted.ties(n);
        }
        let mut best = u128::MAX;
        least(sorted.set, &ties[..count], &mut best);
        words(best)
    }

    fn mirrored(&self, set: &[u64; 2]) -> Option<[u64; 2]> {
        let set = number(*set);
        let fits = |mirror: &&Mirror| {
            set & mirror.blockers == 0
                && set & mirror.moved != 0
                && mirror.exchanges.iter().fold(set, |set, &(i, j)| exchanged(set, i, j)) == set
        };
        self.mirrors.iter().find(fits).map(|mirror| words(set & !mirror.moved))
    }
}

/// The least image under the permutations inside every tie.
fn least(mut set: u128, ties: &[(usize, usize)], best: &mut u128) {
    let Some((&(from, to), more)) = ties.split_first() else {
        *best = (*best).min(set);
        return;
    };
    // Heap's algorithm: each permutation is one exchange away from the one before it.
    let mut counters = [0; MAX_POINTS];
    least(set, more, best);
    let mut i = 1;
    while i < to - from {
        if counters[i] < i {
            let other = if i % 2 == 0 { 0 } else { counters[i] };
            set = exchanged(set, from + other, from + i);
            least(set, more, best);
            counters[i] += 1;
            i = 1;
        } else {
            counters[i] = 0;
            i += 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn exchanging_points_is_what_it_says() {
        for (i, j) in (0..7).flat_map(|i| (0..7).map(move |j| (i, j))) {
            for s in 0..128_usize {
                let (a, b) = (s >> i & 1, s >> j & 1);
                let image = s & !(1 << i) & !(1 << j) | a << j | b << i;
                let image = if i == j { s } else { image };
                assert_eq!(exchanged(1 << s, i, j), 1 << image);
            }
        }
    }

    /// Images under random permutations have one canonical form, which is itself an image.
    #[test]
    fn canonical_forms_are_canonical() {
        let permutations = Permutations::new(7);
        let mut seed = 1_u64;
        let mut random = |below: usize| {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (seed >> 33) as usize % below
        };
        for _ in 0..300 {
            let facets: Vec<usize> = (0..=random(6)).map(|_| 1 + random(127)).collect();
            let set: u128 =
                (1..128).filter(|s: &usize| facets.iter().any(|facet| s & !facet == 0)).map(|s| 1_u128 << s).sum();
            let form = permutations.canonical(&words(set), &mut ());
            assert_eq!(number(form).count_ones(), set.count_ones());
            let mut image = set;
            for _ in 0..10 {
                image = exchanged(image, random(7), random(7));
                assert_eq!(permutations.canonical(&words(image), &mut ()), form, "{facets:?}");
            }
        }
    }

    #[test]
    fn complexes_are_recognised() {
        assert!(Faces::new(&Poset::subsets(4, 4).unwrap()).is_some());
        assert!(Faces::new(&Poset::subsets(7, 3).unwrap()).is_some());
        assert!(Faces::new(&Poset::divisors(210).unwrap()).is_some());
        assert!(Faces::new(&Poset::divisors(420).unwrap()).is_none());
        assert!(Faces::new(&Poset::chomp_box(&[3, 2, 2]).unwrap()).is_none());
        assert!(Faces::new(&Poset::nim(&[1, 1, 2]).unwrap()).is_none());
    }
}
