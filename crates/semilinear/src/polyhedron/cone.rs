//! Rational polyhedral cones.

use super::bits::Bits;
use super::double_description::generators;
use super::hilbert_basis::coordinates;
use crate::integer::{Int, Matrix, Vector, add, dot, kernel, primitive, zero_vector};
use crate::run::{Monitor, StopReason};

/// A rational polyhedral cone in ℝⁿ with both its descriptions:
/// `{x : f·x ≥ 0 for all facets, e·x = 0 for all equations}` and the set of all combinations of the rays (with
/// coefficients ≥ 0) and the lines (with any coefficients). Neither has a redundant member.
///
/// Rays and facets are primitive and sorted. A ray is unique up to the lines, a facet normal up to the equations.
///
/// ```
/// use semilinear::{integer::vector, polyhedron::Cone, run::Unlimited};
/// let cone = Cone::from_generators(2, &[vector(&[2, 0]), vector(&[1, 1]), vector(&[1, 3])], &[], &Unlimited).unwrap();
/// assert_eq!(cone.facets(), [vector(&[0, 1]), vector(&[3, -1])]);
/// assert_eq!(cone.rays(), [vector(&[1, 0]), vector(&[1, 3])]);
/// assert_eq!(cone.facets_through(&vector(&[1, 3])), [1]);
/// ```
#[derive(Clone, Debug)]
pub struct Cone {
    ambient: usize,
    rays: Vec<Vector>,
    lines: Matrix,
    facets: Vec<Vector>,
    equations: Matrix,
}

impl Cone {
    /// The cone of all x with `h·x ≥ 0` for the inequalities and `e·x = 0` for the equations.
    ///
    /// # Complexity
    /// Double description; exponential in the dimension in the worst case.
    pub fn from_inequalities(
        ambient: usize,
        inequalities: &[Vector],
        equations: &[Vector],
        monitor: &dyn Monitor,
    ) -> Result<Self, StopReason> {
        let found = generators(ambient, inequalities, equations, monitor)?;
        let facets = irredundant(inequalities, &found.rays);
        let spanning: Vec<&[Int]> = found.rays.iter().map(Vec::as_slice).chain(found.lines.iter_rows()).collect();
        let equations = kernel(&Matrix::from_rows(ambient, &spanning));
        Ok(Self { ambient, rays: found.rays, lines: found.lines, facets, equations })
    }

    /// The cone spanned by rays and lines.
    ///
    /// # Complexity
    /// Double description; exponential in the dimension in the worst case.
    pub fn from_generators(
        ambient: usize,
        rays: &[Vector],
        lines: &[Vector],
        monitor: &dyn Monitor,
    ) -> Result<Self, StopReason> {
        Ok(Self::from_inequalities(ambient, rays, lines, monitor)?.dual())
    }

    /// The cone of all linear functions that are ≥ 0 on this one.
    #[must_use]
    pub fn dual(self) -> Self {
        Self {
            ambient: self.ambient,
            rays: self.facets,
            lines: self.equations,
            facets: self.rays,
            equations: self.lines,
        }
    }

    /// The cone in the coordinates of a lattice, whose rows are a basis of it and span the same space as the cone: there the
    /// lattice is ℤᵏ, and the cone has the dimension k. Panics when the cone is not pointed.
    #[must_use]
    pub fn over(&self, lattice: &Matrix) -> Self {
        assert!(self.is_pointed(), "coordinates are those of rays");
        let k = lattice.rows();
        Self {
            ambient: k,
            rays: coordinates(lattice, &self.rays),
            lines: Matrix::zero(0, k),
            facets: self.facets.iter().map(|h| primitive(lattice.times(h))).collect(),
            equations: Matrix::zero(0, k),
        }
    }

    /// The dimension of the space around.
    pub fn ambient_dimension(&self) -> usize {
        self.ambient
    }

    /// The dimension of the cone.
    pub fn dimension(&self) -> usize {
        self.ambient - self.equations.rows()
    }

    /// The extreme rays (modulo the lines).
    pub fn rays(&self) -> &[Vector] {
        &self.rays
    }

    /// A basis of the integer vectors of the lineality space, as rows.
    pub fn lines(&self) -> &Matrix {
        &self.lines
    }

    /// The inner normals of the facets.
    pub fn facets(&self) -> &[Vector] {
        &self.facets
    }

    /// A basis of the linear functions that vanish on the cone, as rows.
    pub fn equations(&self) -> &Matrix {
        &self.equations
    }

    /// Whether the cone contains no line.
    pub fn is_pointed(&self) -> bool {
        self.lines.rows() == 0
    }

    /// Whether the cone has the dimension of the space.
    pub fn is_full_dimensional(&self) -> bool {
        self.equations.rows() == 0
    }

    /// Whether the rays are linearly independent (and there are no lines).
    pub fn is_simplicial(&self) -> bool {
        self.is_pointed() && self.rays.len() == self.dimension()
    }

    /// Whether x lies in the cone.
    pub fn contains(&self, x: &[Int]) -> bool {
        self.facets.iter().all(|h| !dot(h, x).is_negative()) && self.equations.iter_rows().all(|e| dot(e, x).is_zero())
    }

    /// Whether x lies in the relative interior.
    pub fn contains_in_interior(&self, x: &[Int]) -> bool {
        self.facets.iter().all(|h| dot(h, x).is_positive()) && self.equations.iter_rows().all(|e| dot(e, x).is_zero())
    }

    /// The indices of the facets that contain a point of the cone, in particular a ray.
    pub fn facets_through(&self, x: &[Int]) -> Vec<usize> {
        (0..self.facets.len()).filter(|&i| dot(&self.facets[i], x).is_zero()).collect()
    }

    /// A point of the relative interior.
    pub fn interior_point(&self) -> Vector {
        primitive(self.rays.iter().fold(zero_vector(self.ambient), |sum, r| add(&sum, r)))
    }

    /// A linear function that is positive on the cone except in 0, if the cone is pointed.
    pub fn positive_functional(&self) -> Option<Vector> {
        // A point where all facets vanish lies on a line of the cone.
        self.is_pointed().then(|| primitive(self.facets.iter().fold(zero_vector(self.ambient), |sum, h| add(&sum, h))))
    }

    /// The intersection with another cone in the same space.
    pub fn intersection(&self, other: &Self, monitor: &dyn Monitor) -> Result<Self, StopReason> {
        let inequalities: Vec<Vector> = self.facets.iter().chain(&other.facets).cloned().collect();
        let mut equations = self.equations.to_rows();
        equations.extend(other.equations.to_rows());
        Self::from_inequalities(self.ambient, &inequalities, &equations, monitor)
    }

    /// Whether both are the same set.
    pub fn same_set(&self, other: &Self) -> bool {
        let inside = |a: &Self, b: &Self| {
            a.rays.iter().all(|r| b.contains(r))
                && a.lines.iter_rows().all(|l| b.contains(l) && b.contains(&crate::integer::negated(l)))
        };
        self.ambient == other.ambient && inside(self, other) && inside(other, self)
    }
}

/// The inequalities that define facets, one for each: those whose sets of tight rays are maximal among the proper ones.
fn irredundant(inequalities: &[Vector], rays: &[Vector]) -> Vec<Vector> {
    let mut candidates: Vec<(Bits, Vector)> = inequalities
        .iter()
        .map(|h| (Bits::from_fn(rays.len(), |i| dot(h, &rays[i]).is_zero()), primitive(h.clone())))
        .filter(|(tight, _)| tight.len() < rays.len())
        .collect();
    candidates.sort();
    candidates.dedup_by(|a, b| a.0 == b.0);
    let mut facets: Vec<Vector> = candidates
        .iter()
        .filter(|(tight, _)| !candidates.iter().any(|(other, _)| other != tight && tight.is_subset(other)))
        .map(|(_, h)| h.clone())
        .collect();
    facets.sort();
    facets
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::integer::{Affine, LinearProgram, rank, vector};
    use crate::run::Unlimited;
    use proptest::prelude::*;

    fn cone(ambient: usize, rows: &[Vec<i64>]) -> Cone {
        let rows: Vec<Vector> = rows.iter().map(|r| vector(&r[..ambient])).collect();
        Cone::from_inequalities(ambient, &rows, &[], &Unlimited).unwrap()
    }

    #[test]
    fn extreme_cases() {
        let whole = cone(2, &[]);
        assert_eq!((whole.dimension(), whole.lines().rows(), whole.rays().len(), whole.facets().len()), (2, 2, 0, 0));
        let origin = cone(1, &[vec![1], vec![-1]]);
        assert_eq!(
            (origin.dimension(), origin.lines().rows(), origin.rays().len(), origin.facets().len()),
            (0, 0, 0, 0)
        );
        let half = cone(2, &[vec![2, 0], vec![3, 0]]);
        assert_eq!((half.lines().to_rows(), half.facets()), (vec![vector(&[0, 1])], [vector(&[1, 0])].as_slice()));
        let ray = cone(2, &[vec![0, 1], vec![0, -1], vec![1, 5]]);
        assert_eq!((ray.rays(), ray.dimension()), ([vector(&[1, 0])].as_slice(), 1));
    }

    /// Whether x is a combination of the generators: an exact linear program.
    fn spanned(cone: &Cone, x: &[Int]) -> bool {
        let (rays, lines) = (cone.rays(), cone.lines());
        let n = rays.len() + lines.rows();
        let inequalities = (0..rays.len()).map(|i| Affine::new(crate::integer::unit_vector(n, i), 0)).collect();
        let equations = (0..x.len())
            .map(|j| {
                let row = rays.iter().map(|r| r[j].clone()).chain(lines.iter_rows().map(|l| l[j].clone())).collect();
                Affine::new(row, -&x[j])
            })
            .collect();
        LinearProgram { dimension: n, inequalities, equations }.feasible_point(&Unlimited).unwrap().is_ok()
    }

    proptest! {
        #[test]
        fn both_descriptions_give_the_same_points(
            ambient in 1usize..4,
            rows in prop::collection::vec(prop::collection::vec(-3i64..4, 4), 0..7),
            points in prop::collection::vec(prop::collection::vec(-4i64..5, 4), 10),
        ) {
            let c = cone(ambient, &rows);
            for x in &points {
                let x = vector(&x[..ambient]);
                let expected = rows.iter().all(|h| !dot(&vector(&h[..ambient]), &x).is_negative());
                prop_assert_eq!(c.contains(&x), expected);
                prop_assert_eq!(spanned(&c, &x), expected);
            }
            // Extreme: the facets through a ray have corank 1 modulo the lines; and dually.
            let d = c.dimension();
            for r in c.rays() {
                let tight: Vec<&Vector> = c.facets().iter().filter(|h| dot(h, r).is_zero()).collect();
                prop_assert_eq!(rank(&Matrix::from_rows(ambient, &tight.iter().map(|h| h.as_slice()).chain(c.equations().iter_rows()).collect::<Vec<_>>())),
                    ambient - c.lines().rows() - 1);
            }
            for h in c.facets() {
                let tight: Vec<&Vector> = c.rays().iter().filter(|r| dot(h, r).is_zero()).collect();
                prop_assert_eq!(rank(&Matrix::from_rows(ambient, &tight.iter().map(|r| r.as_slice()).chain(c.lines().iter_rows()).collect::<Vec<_>>())), d - 1);
            }
            let again = Cone::from_generators(ambient, c.rays(), &c.lines().to_rows(), &Unlimited).unwrap();
            prop_assert!(again.same_set(&c));
            prop_assert_eq!(again.facets().len(), c.facets().len());
            prop_assert!(c.contains_in_interior(&c.interior_point()));
            if let Some(l) = c.positive_functional() {
                prop_assert!(c.rays().iter().all(|r| dot(&l, r).is_positive()));
            }
        }
    }
}
