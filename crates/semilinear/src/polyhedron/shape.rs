//! Rational polyhedra.

use super::Cone;
use crate::integer::{Affine, Int, Matrix, Rat, Vector, dot, unit_vector};
use crate::run::{Monitor, StopReason};

/// A rational polyhedron, held as the cone over it: the cone of all (x, s) with s ≥ 0 and x ∈ s·P.
///
/// ```
/// use semilinear::{integer::{Affine, Rat, vector}, polyhedron::Polyhedron, run::Unlimited};
/// let triangle = Polyhedron::from_constraints(
///     2,
///     &[Affine::new(vector(&[1, 0]), 0), Affine::new(vector(&[0, 1]), 0), Affine::new(vector(&[-2, -3]), 6)],
///     &[],
///     &Unlimited,
/// ).unwrap();
/// let corner = [Rat::from(3), Rat::from(0)];
/// assert_eq!(triangle.vertices().len(), 3);
/// assert!(triangle.vertices().contains(&corner.to_vec()));
/// assert!(triangle.is_bounded());
/// ```
#[derive(Clone, Debug)]
pub struct Polyhedron {
    dimension: usize,
    /// The last coordinate is the homogenising one.
    cone: Cone,
}

impl Polyhedron {
    /// The polyhedron `{x : h(x) ≥ 0 for the inequalities, e(x) = 0 for the equations}`.
    ///
    /// # Complexity
    /// Double description of the cone over it.
    pub fn from_constraints(
        dimension: usize,
        inequalities: &[Affine],
        equations: &[Affine],
        monitor: &dyn Monitor,
    ) -> Result<Self, StopReason> {
        let row = |h: &Affine| -> Vector { h.normal.iter().cloned().chain([h.constant.clone()]).collect() };
        let mut rows: Vec<Vector> = inequalities.iter().map(row).collect();
        rows.push(unit_vector(dimension + 1, dimension));
        let equations: Vec<Vector> = equations.iter().map(row).collect();
        let cone = Cone::from_inequalities(dimension + 1, &rows, &equations, monitor)?;
        Ok(Self { dimension, cone })
    }

    /// The convex hull of the points plus the cone spanned by the rays and lines. Empty when there is no point.
    pub fn from_generators(
        dimension: usize,
        points: &[Vec<Rat>],
        rays: &[Vector],
        lines: &[Vector],
        monitor: &dyn Monitor,
    ) -> Result<Self, StopReason> {
        let at_infinity = |r: &Vector| -> Vector { r.iter().cloned().chain([Int::ZERO]).collect() };
        let mut generators: Vec<Vector> = points.iter().map(|p| homogenised(p)).collect();
        generators.extend(rays.iter().map(at_infinity));
        let lines: Vec<Vector> = lines.iter().map(at_infinity).collect();
        Ok(Self { dimension, cone: Cone::from_generators(dimension + 1, &generators, &lines, monitor)? })
    }

    /// The dimension of the space around.
    pub fn ambient_dimension(&self) -> usize {
        self.dimension
    }

    /// The dimension of the polyhedron, or nothing when it is empty.
    pub fn dimension(&self) -> Option<usize> {
        (!self.is_empty()).then(|| self.cone.dimension() - 1)
    }

    /// The cone over the polyhedron; its last coordinate is the homogenising one.
    pub fn homogenisation(&self) -> &Cone {
        &self.cone
    }

    /// Whether there is no (real) point.
    pub fn is_empty(&self) -> bool {
        self.cone.rays().iter().all(|r| r[self.dimension].is_zero())
    }

    /// Whether the polyhedron is a polytope (or empty).
    pub fn is_bounded(&self) -> bool {
        self.is_empty() || (self.cone.is_pointed() && self.cone.rays().iter().all(|r| r[self.dimension].is_positive()))
    }

    /// Whether the polyhedron is not empty and contains no line.
    pub fn has_vertex(&self) -> bool {
        !self.is_empty() && self.cone.is_pointed()
    }

    /// The vertices; for a polyhedron with lines, one point of every minimal face.
    pub fn vertices(&self) -> Vec<Vec<Rat>> {
        self.vertex_rays()
            .map(|r| r[..self.dimension].iter().map(|x| Rat::new(x.clone(), r[self.dimension].clone())).collect())
            .collect()
    }

    /// The vertices as rays of the homogenisation.
    pub fn vertex_rays(&self) -> impl Iterator<Item = &Vector> {
        self.cone.rays().iter().filter(|r| r[self.dimension].is_positive())
    }

    /// The extreme rays of the recession cone (modulo its lines).
    pub fn rays(&self) -> Vec<Vector> {
        self.cone.rays().iter().filter(|r| r[self.dimension].is_zero()).map(|r| r[..self.dimension].to_vec()).collect()
    }

    /// A basis of the lines of the recession cone, as rows.
    pub fn lines(&self) -> Matrix {
        let rows: Vec<&[Int]> = self.cone.lines().iter_rows().map(|l| &l[..self.dimension]).collect();
        Matrix::from_rows(self.dimension, &rows)
    }

    /// The facets, as inequalities.
    pub fn facets(&self) -> Vec<Affine> {
        self.cone
            .facets()
            .iter()
            // The facet at infinity contains every ray of the recession cone and no vertex.
            .filter(|h| self.vertex_rays().any(|v| dot(h, v).is_zero()))
            .map(|h| self.affine(h))
            .collect()
    }

    /// Equations of the affine hull.
    pub fn equations(&self) -> Vec<Affine> {
        self.cone.equations().iter_rows().map(|e| self.affine(e)).collect()
    }

    fn affine(&self, row: &[Int]) -> Affine {
        Affine::new(row[..self.dimension].to_vec(), row[self.dimension].clone())
    }

    /// The recession cone: the directions in which one may go for ever. Of the empty polyhedron it is the cone that
    /// the constraints give when their constants are dropped.
    pub fn recession_cone(&self, monitor: &dyn Monitor) -> Result<Cone, StopReason> {
        Cone::from_generators(self.dimension, &self.rays(), &self.lines().to_rows(), monitor)
    }

    /// Whether an integer point lies in the polyhedron.
    pub fn contains(&self, x: &[Int]) -> bool {
        let lifted: Vector = x.iter().cloned().chain([Int::ONE]).collect();
        !self.is_empty() && self.cone.contains(&lifted)
    }

    /// Whether a rational point lies in the polyhedron.
    pub fn contains_rational(&self, x: &[Rat]) -> bool {
        !self.is_empty() && self.cone.contains(&homogenised(x))
    }

    /// The intersection with another polyhedron in the same space.
    pub fn intersection(&self, other: &Self, monitor: &dyn Monitor) -> Result<Self, StopReason> {
        Ok(Self { dimension: self.dimension, cone: self.cone.intersection(&other.cone, monitor)? })
    }
}

/// A rational point as an integer vector with its common denominator behind.
fn homogenised(x: &[Rat]) -> Vector {
    let denominator = x.iter().fold(Int::ONE, |d, x| d.lcm(x.denominator()));
    let mut row: Vector = x.iter().map(|x| x.numerator() * &denominator.exact_div(x.denominator())).collect();
    row.push(denominator);
    row
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::integer::{LinearProgram, vector};
    use crate::run::Unlimited;
    use proptest::prelude::*;

    #[test]
    fn strips_empty_sets_and_points() {
        let strip = Polyhedron::from_constraints(
            2,
            &[Affine::new(vector(&[1, 0]), 0), Affine::new(vector(&[-1, 0]), 3)],
            &[],
            &Unlimited,
        )
        .unwrap();
        assert!(!strip.has_vertex() && !strip.is_bounded() && !strip.is_empty());
        assert_eq!((strip.facets().len(), strip.lines().to_rows()), (2, vec![vector(&[0, 1])]));
        let empty = Polyhedron::from_constraints(
            1,
            &[Affine::new(vector(&[1]), -1), Affine::new(vector(&[-1]), 0)],
            &[],
            &Unlimited,
        )
        .unwrap();
        assert!(empty.is_empty() && empty.dimension().is_none() && !empty.contains(&vector(&[0])));
        let point = Polyhedron::from_constraints(1, &[], &[Affine::new(vector(&[2]), -3)], &Unlimited).unwrap();
        assert_eq!(point.dimension(), Some(0));
        assert_eq!(point.vertices(), [vec!["3/2".parse::<Rat>().unwrap()]]);
        assert!(point.facets().is_empty());
        let orthant = Polyhedron::from_constraints(
            2,
            &[Affine::new(vector(&[1, 0]), -1), Affine::new(vector(&[0, 1]), 0)],
            &[],
            &Unlimited,
        )
        .unwrap();
        assert_eq!(orthant.facets(), [Affine::new(vector(&[0, 1]), 0), Affine::new(vector(&[1, 0]), -1)]);
        assert!(orthant.recession_cone(&Unlimited).unwrap().is_full_dimensional());
    }

    proptest! {
        #[test]
        fn both_descriptions_agree(
            dimension in 1usize..4,
            rows in prop::collection::vec(prop::collection::vec(-3i64..4, 4), 0..7),
            points in prop::collection::vec(prop::collection::vec(-5i64..6, 3), 10),
        ) {
            let constraints: Vec<Affine> = rows.iter().map(|r| Affine::new(vector(&r[..dimension]), r[dimension])).collect();
            let p = Polyhedron::from_constraints(dimension, &constraints, &[], &Unlimited).unwrap();
            let lp = LinearProgram { dimension, inequalities: constraints.clone(), equations: vec![] };
            prop_assert_eq!(p.is_empty(), lp.feasible_point(&Unlimited).unwrap().is_err());
            if p.is_empty() {
                return Ok(());
            }
            let again = Polyhedron::from_generators(dimension, &p.vertices(), &p.rays(), &p.lines().to_rows(), &Unlimited).unwrap();
            prop_assert_eq!(again.dimension(), p.dimension());
            for x in &points {
                let x = vector(&x[..dimension]);
                let expected = constraints.iter().all(|h| !h.at_integer(&x).is_negative());
                prop_assert_eq!(p.contains(&x), expected);
                prop_assert_eq!(again.contains(&x), expected);
                let by_facets = p.facets().iter().all(|h| !h.at_integer(&x).is_negative())
                    && p.equations().iter().all(|h| h.at_integer(&x).is_zero());
                prop_assert_eq!(by_facets, expected);
            }
            prop_assert!(p.vertices().iter().all(|v| p.contains_rational(v)));
        }
    }
}
