//! The loop of a placing triangulation: on machine integers while they suffice.

use std::cmp::Ordering;
use std::collections::hash_map::Entry;
use std::hash::Hash;

use rustc_hash::FxHashMap;

use super::bits::Bits;
use super::triangulation::{GenericPoint, Simplex, inner_normals};
use crate::integer::{Int, Vector, dot};
use crate::run::{Monitor, StopReason};

/// Why a triangulation was given up.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Halt {
    /// The monitor said so.
    Stopped(StopReason),
    /// A number does not fit its type.
    Overflow,
    /// There are more simplices than were asked for.
    TooMany,
}

/// The numbers of a triangulation. Nothing stands for a result that does not fit.
pub(super) trait Number: Clone + PartialEq {
    fn from_int(x: &Int) -> Option<Self>;
    fn to_int(&self) -> Int;
    fn signum(&self) -> i32;
    fn negated(&self) -> Option<Self>;
    fn dot(a: &[Self], b: &[Self]) -> Option<Self>;
    /// (a·p + b·q) / divisor, which is known to be an integer.
    fn pivoted(a: &Self, p: &Self, b: &Self, q: &Self, divisor: &Self) -> Option<Self>;
}

impl Number for i64 {
    fn from_int(x: &Int) -> Option<Self> {
        x.to_i64()
    }

    fn to_int(&self) -> Int {
        Int::from(*self)
    }

    fn signum(&self) -> i32 {
        Int::from(*self).signum()
    }

    fn negated(&self) -> Option<Self> {
        self.checked_neg()
    }

    fn dot(a: &[Self], b: &[Self]) -> Option<Self> {
        a.iter().zip(b).try_fold(0i64, |sum, (x, y)| sum.checked_add(x.checked_mul(*y)?))
    }

    fn pivoted(a: &Self, p: &Self, b: &Self, q: &Self, divisor: &Self) -> Option<Self> {
        let wide = (i128::from(*a) * i128::from(*p)).checked_add(i128::from(*b) * i128::from(*q))?;
        match i64::try_from(wide) {
            Ok(value) if *divisor == 1 => Some(value),
            // A division of 64 bits is much faster.
            Ok(value) => value.checked_div(*divisor),
            Err(_) => i64::try_from(wide.checked_div(i128::from(*divisor))?).ok(),
        }
    }
}

impl Number for Int {
    fn from_int(x: &Int) -> Option<Self> {
        Some(x.clone())
    }

    fn to_int(&self) -> Int {
        self.clone()
    }

    fn signum(&self) -> i32 {
        self.signum()
    }

    fn negated(&self) -> Option<Self> {
        Some(-self)
    }

    fn dot(a: &[Self], b: &[Self]) -> Option<Self> {
        Some(dot(a, b))
    }

    fn pivoted(a: &Self, p: &Self, b: &Self, q: &Self, divisor: &Self) -> Option<Self> {
        let mut value = a * p;
        value.add_product(b, q);
        Some(value.exact_div(divisor))
    }
}

/// Sets of ray indices: a `u128` holds those below 128.
pub(super) trait Set: Clone + Eq + Hash {
    /// The set of `members`, all below `bound`.
    fn of(bound: usize, members: &[usize]) -> Self;
    /// This set with `added` in place of `removed`.
    fn exchanged(&self, removed: usize, added: usize) -> Self;
    /// The order of the sorted lists of members, for sets of the same size.
    fn order(&self, other: &Self) -> Ordering;
}

impl Set for u128 {
    fn of(bound: usize, members: &[usize]) -> Self {
        assert!(bound <= 128, "a u128 holds indices below 128");
        members.iter().fold(0, |set, i| set | 1 << i)
    }

    fn exchanged(&self, removed: usize, added: usize) -> Self {
        self & !(1 << removed) | 1 << added
    }

    fn order(&self, other: &Self) -> Ordering {
        // The set with the least element of the difference comes first.
        let difference = self ^ other;
        let least = difference & difference.wrapping_neg();
        if difference == 0 {
            Ordering::Equal
        } else if self & least != 0 {
            Ordering::Less
        } else {
            Ordering::Greater
        }
    }
}

impl Set for Bits {
    fn of(bound: usize, members: &[usize]) -> Self {
        let mut set = Self::new(bound);
        for &i in members {
            set.insert(i);
        }
        set
    }

    fn exchanged(&self, removed: usize, added: usize) -> Self {
        let mut set = self.clone();
        set.remove(removed);
        set.insert(added);
        set
    }

    fn order(&self, other: &Self) -> Ordering {
        self.lexicographic(other)
    }
}

/// A simplex that has a facet on the boundary.
struct Owner<N> {
    rays: Vec<usize>,
    /// The absolute determinant D of the rays.
    index: N,
    /// Row j is the inner normal of the facet opposite to ray j, D there; behind it, its value at the generic point.
    normals: Vec<N>,
    /// The number of facets on the boundary.
    exposed: usize,
}

/// A facet of the boundary: what is left of its owner without one ray.
struct Facet<K> {
    rays: K,
    owner: usize,
    opposite: usize,
}

/// The triangulation by placing that starts with the simplex `first`, then places the other rays in their order. Simplices are
/// given to `visit` as they are found, and only those behind the boundary are kept.
///
/// A new simplex shares all rays but one with the simplex behind the facet that its new ray sees, so that its normals follow
/// by one pivot. With n₁, …, n_d the normals of the old simplex, D its index, v in place of ray j, and D′ = −n_j(v) > 0 the
/// new index, the new normals are −n_j and (D′·nᵢ + nᵢ(v)·n_j)/D: each vanishes on the other rays and is D′ on its own.
///
/// # Complexity
/// O(d²) operations and d look-ups for each simplex; a dot product for each boundary facet and ray.
pub(super) fn placed<N: Number, K: Set>(
    rays: &[Vector],
    first: &[usize],
    generic: &GenericPoint,
    most: u64,
    monitor: &dyn Monitor,
    visit: &mut dyn FnMut(Simplex) -> Result<(), StopReason>,
) -> Result<(), Halt> {
    let vectors: Vec<Vec<N>> = rays.iter().map(|r| converted(r)).collect::<Result<_, _>>()?;
    monitor.phase("rays of the triangulation");
    let mut placing = Placing::<N, K>::start(rays, first, generic, visit)?;
    for (v, vector) in vectors.iter().enumerate().filter(|(v, _)| !first.contains(v)) {
        let progress = || monitor.check(v as u64, Some(rays.len() as u64)).map_err(Halt::Stopped);
        progress()?;
        let visible = placing.visible(vector)?;
        if placing.found + visible.len() as u64 > most {
            return Err(Halt::TooMany);
        }
        placing.join(&visible, v, vector, &progress)?;
    }
    Ok(())
}

fn converted<N: Number>(vector: &[Int]) -> Result<Vec<N>, Halt> {
    vector.iter().map(|x| N::from_int(x).ok_or(Halt::Overflow)).collect()
}

/// What is placed so far.
struct Placing<'a, N, K> {
    /// How many simplices there are; each was visited.
    found: u64,
    visit: &'a mut dyn FnMut(Simplex) -> Result<(), StopReason>,
    facets: Vec<Facet<K>>,
    /// The simplices with a facet on the boundary; the places of others are free.
    owners: Vec<Owner<N>>,
    free: Vec<usize>,
}

impl<'a, N: Number, K: Set> Placing<'a, N, K> {
    fn start(
        rays: &[Vector],
        first: &[usize],
        generic: &GenericPoint,
        visit: &'a mut dyn FnMut(Simplex) -> Result<(), StopReason>,
    ) -> Result<Self, Halt> {
        let dimension = first.len();
        let chosen: Vec<&[Int]> = first.iter().map(|&i| rays[i].as_slice()).collect();
        let inner = inner_normals(&chosen);
        let index = N::from_int(&dot(&inner[0], chosen[0])).ok_or(Halt::Overflow)?;
        let mut normals = Vec::with_capacity(dimension * (dimension + 1));
        for normal in &inner {
            normals.extend(converted(normal)?);
            normals.extend(converted(&[generic.value(normal)])?);
        }
        let facets = (0..dimension).map(|opposite| {
            let others: Vec<usize> = (0..dimension).filter(|&j| j != opposite).map(|j| first[j]).collect();
            Facet { rays: K::of(rays.len(), &others), owner: 0, opposite }
        });
        let owner = Owner { rays: first.to_vec(), index, normals, exposed: dimension };
        visit(simplex(&owner)).map_err(Halt::Stopped)?;
        Ok(Self { found: 1, visit, facets: facets.collect(), owners: vec![owner], free: Vec::new() })
    }

    /// Takes away the facets that a vector sees, in order, each with the index of the simplex it makes with the vector.
    fn visible(&mut self, vector: &[N]) -> Result<Vec<(Facet<K>, N)>, Halt> {
        let width = vector.len() + 1;
        let mut visible = Vec::new();
        let mut hidden = Vec::with_capacity(self.facets.len());
        for facet in self.facets.drain(..) {
            let normal = &self.owners[facet.owner].normals[facet.opposite * width..][..vector.len()];
            let value = N::dot(normal, vector).ok_or(Halt::Overflow)?;
            if value.signum() < 0 {
                visible.push((facet, value.negated().ok_or(Halt::Overflow)?));
            } else {
                hidden.push(facet);
            }
        }
        self.facets = hidden;
        visible.sort_by(|a, b| a.0.rays.order(&b.0.rays));
        Ok(visible)
    }

    /// Joins the vector to the facets that it sees.
    fn join(
        &mut self,
        visible: &[(Facet<K>, N)],
        v: usize,
        vector: &[N],
        progress: &impl Fn() -> Result<(), Halt>,
    ) -> Result<(), Halt> {
        // The new facets that belong to one new simplex only.
        let mut horizon: FxHashMap<K, (usize, usize)> = FxHashMap::default();
        let mut touched = Vec::with_capacity(2 * visible.len());
        for (facet, index) in visible {
            if self.found.is_multiple_of(256) {
                progress()?;
            }
            let new = pivot(&self.owners[facet.owner], facet.opposite, v, vector, index).ok_or(Halt::Overflow)?;
            self.found += 1;
            (self.visit)(simplex(&new)).map_err(Halt::Stopped)?;
            let slot = self.free.pop().unwrap_or(self.owners.len());
            for (j, &ray) in new.rays.iter().enumerate().filter(|&(j, _)| j != facet.opposite) {
                match horizon.entry(facet.rays.exchanged(ray, v)) {
                    Entry::Occupied(inner) => drop(inner.remove()),
                    Entry::Vacant(outer) => drop(outer.insert((slot, j))),
                }
            }
            if slot == self.owners.len() {
                self.owners.push(new);
            } else {
                self.owners[slot] = new;
            }
            touched.push(slot);
        }
        for (rays, (owner, opposite)) in horizon {
            self.owners[owner].exposed += 1;
            self.facets.push(Facet { rays, owner, opposite });
        }
        for (facet, _) in visible {
            self.owners[facet.owner].exposed -= 1;
            touched.push(facet.owner);
        }
        // Only what lies behind a boundary facet is needed again.
        touched.sort_unstable();
        touched.dedup();
        self.free.extend(touched.into_iter().filter(|&slot| self.owners[slot].exposed == 0));
        Ok(())
    }
}

/// The old simplex with the vector v in place of the ray `opposite`; nothing on overflow.
fn pivot<N: Number>(old: &Owner<N>, opposite: usize, v: usize, vector: &[N], index: &N) -> Option<Owner<N>> {
    let width = vector.len() + 1;
    let pivot = &old.normals[opposite * width..][..width];
    let mut normals = Vec::with_capacity(old.normals.len());
    for (j, row) in old.normals.chunks_exact(width).enumerate() {
        if j == opposite {
            for x in row {
                normals.push(x.negated()?);
            }
            continue;
        }
        let value = N::dot(&row[..vector.len()], vector)?;
        if value.signum() == 0 && *index == old.index {
            normals.extend_from_slice(row);
            continue;
        }
        for (x, y) in row.iter().zip(pivot) {
            normals.push(N::pivoted(x, index, y, &value, &old.index)?);
        }
    }
    let mut rays = old.rays.clone();
    rays[opposite] = v;
    Some(Owner { rays, index: index.clone(), normals, exposed: 0 })
}

/// What is told of a simplex, with its rays sorted.
fn simplex<N: Number>(owner: &Owner<N>) -> Simplex {
    let dimension = owner.rays.len();
    let mut order: Vec<usize> = (0..dimension).collect();
    order.sort_unstable_by_key(|&j| owner.rays[j]);
    let open = order
        .iter()
        .map(|&j| {
            let row = &owner.normals[j * (dimension + 1)..][..=dimension];
            // The value at the generic point, or the first entry that is not 0.
            let signs = row[dimension..].iter().chain(row).map(N::signum);
            signs.into_iter().find(|&sign| sign != 0).is_some_and(|sign| sign < 0)
        })
        .collect();
    Simplex { rays: order.iter().map(|&j| owner.rays[j]).collect(), index: owner.index.to_int(), open }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::integer::{Matrix, determinant, echelon, scale, vector};
    use crate::polyhedron::Cone;
    use crate::run::{TickLimit, Unlimited};
    use proptest::prelude::*;
    use std::collections::BTreeMap;

    fn placed<N: Number, K: Set>(
        rays: &[Vector],
        first: &[usize],
        generic: &GenericPoint,
        most: u64,
        monitor: &dyn Monitor,
    ) -> Result<Vec<Simplex>, Halt> {
        let mut found = Vec::new();
        super::placed::<N, K>(rays, first, generic, most, monitor, &mut |simplex| {
            found.push(simplex);
            Ok(())
        })?;
        Ok(found)
    }

    /// The same triangulation on the plain road: one inversion for each simplex, facets by their lists of rays.
    fn plain(rays: &[Vector], first: &[usize], generic: &GenericPoint) -> Vec<Simplex> {
        let mut found = Vec::new();
        let mut boundary: BTreeMap<Vec<usize>, Vector> = BTreeMap::new();
        let mut place = |rays_of: Vec<usize>, boundary: &mut BTreeMap<Vec<usize>, Vector>| {
            let chosen: Vec<&[Int]> = rays_of.iter().map(|&i| rays[i].as_slice()).collect();
            let normals = inner_normals(&chosen);
            let open = normals.iter().map(|normal| generic.is_negative(normal)).collect();
            let index = determinant(&Matrix::from_rows(chosen.len(), &chosen)).abs();
            for (j, normal) in normals.into_iter().enumerate() {
                let mut facet = rays_of.clone();
                facet.remove(j);
                if boundary.remove(&facet).is_none() {
                    boundary.insert(facet, normal);
                }
            }
            found.push(Simplex { rays: rays_of, index, open });
        };
        place(first.to_vec(), &mut boundary);
        for (i, ray) in rays.iter().enumerate().filter(|(i, _)| !first.contains(i)) {
            let visible = boundary.iter().filter(|(_, normal)| dot(normal, ray).is_negative());
            for mut simplex in visible.map(|(facet, _)| facet.clone()).collect::<Vec<_>>() {
                simplex.push(i);
                simplex.sort_unstable();
                place(simplex, &mut boundary);
            }
        }
        found
    }

    fn start(rays: &[Vector]) -> (Vec<usize>, GenericPoint) {
        (echelon(&Matrix::from_rows(rays[0].len(), rays).transposed()).pivots, GenericPoint::inside(rays))
    }

    /// Rays of a pointed full-dimensional cone: the last coordinate is positive.
    fn spanning() -> impl Strategy<Value = Vec<Vector>> {
        (2usize..6)
            .prop_flat_map(|d| prop::collection::vec((prop::collection::vec(-4i64..5, d - 1), 1i64..4), d..d + 7))
            .prop_map(|rows| {
                rows.into_iter().map(|(row, last)| vector(&[row, vec![last]].concat())).collect::<Vec<_>>()
            })
            .prop_filter("the rays span the space", |rays| start(rays).0.len() == rays[0].len())
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(120))]

        #[test]
        fn pivots_give_what_inversions_give(rays in spanning(), shift in prop_oneof![Just(0u32), 0u32..62]) {
            let factor = Int::from(2).pow(shift);
            let rays: Vec<Vector> = rays.iter().map(|r| scale(&factor, r)).collect();
            let (first, generic) = start(&rays);
            let expected = plain(&rays, &first, &generic);
            let most = expected.len() as u64;
            prop_assert_eq!(placed::<Int, Bits>(&rays, &first, &generic, most, &Unlimited), Ok(expected.clone()));
            for found in [
                placed::<i64, u128>(&rays, &first, &generic, most, &Unlimited),
                placed::<i64, Bits>(&rays, &first, &generic, most, &Unlimited),
            ] {
                // Machine integers tell the same, or say that they cannot.
                prop_assert!(found == Ok(expected.clone()) || found == Err(Halt::Overflow) && shift > 0);
            }
            if most > 1 {
                prop_assert_eq!(placed::<Int, Bits>(&rays, &first, &generic, most - 1, &Unlimited), Err(Halt::TooMany));
            }
        }

        #[test]
        fn every_point_lies_in_one_half_open_simplex(
            rays in spanning(),
            points in prop::collection::vec(prop::collection::vec(-9i64..10, 5), 30),
        ) {
            let (first, generic) = start(&rays);
            let simplices = placed::<i64, u128>(&rays, &first, &generic, u64::MAX, &Unlimited).unwrap();
            let cone = Cone::from_generators(rays[0].len(), &rays, &[], &Unlimited).unwrap();
            let sums = rays.iter().zip(rays.iter().rev()).map(|(a, b)| crate::integer::add(a, b));
            for x in points.iter().map(|x| vector(&x[..rays[0].len()])).chain(rays.iter().cloned()).chain(sums) {
                let holding = simplices.iter().filter(|simplex| {
                    let chosen: Vec<&[Int]> = simplex.rays.iter().map(|&i| rays[i].as_slice()).collect();
                    let inside = |(normal, open): (&Vector, &bool)| {
                        let value = dot(normal, &x);
                        value.is_positive() || value.is_zero() && !open
                    };
                    inner_normals(&chosen).iter().zip(&simplex.open).all(inside)
                });
                prop_assert_eq!(holding.count(), usize::from(cone.contains(&x)));
            }
        }
    }

    #[test]
    fn numbers_that_do_not_fit_are_noticed() {
        let square = [vector(&[0, 0, 1]), vector(&[1, 0, 1]), vector(&[0, 1, 1]), vector(&[1, 1, 1])];
        let large: Vec<Vector> = square.iter().map(|r| scale(&Int::from(1i64 << 40), r)).collect();
        let (first, generic) = start(&large);
        assert_eq!(placed::<i64, u128>(&large, &first, &generic, 9, &Unlimited), Err(Halt::Overflow));
        let found = super::super::triangulation::simplices(&large, &Unlimited).unwrap();
        assert_eq!(
            found.iter().map(|s| s.index.clone()).collect::<Vec<_>>(),
            [Int::from(2).pow(120), Int::from(2).pow(120)]
        );
        let (first, generic) = start(&square);
        let stopped = placed::<i64, u128>(&square, &first, &generic, 9, &TickLimit::new(0));
        assert_eq!(stopped, Err(Halt::Stopped(StopReason::Time)));
        assert_eq!(<i64 as Number>::pivoted(&i64::MIN, &i64::MIN, &i64::MIN, &i64::MIN, &1), None);
        assert_eq!(<i64 as Number>::pivoted(&i64::MIN, &i64::MIN, &0, &0, &i64::MIN), Some(i64::MIN));
    }
}
