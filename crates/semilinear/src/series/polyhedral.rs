//! Series of the lattice points of cones and polyhedra.

use rustc_hash::FxHashMap;

use super::{Series, SeriesError, Term, substitute};
use crate::integer::{Int, Matrix, Rat, Vector, dot, zero_vector};
use crate::polyhedron::{
    Cone, GradedPiece, LatticePointsError, Piece, Polyhedron, cone_points, graded_points, lattice_points,
};
use crate::run::Monitor;

/// Callers who allow this index want simplices whole: their points are added up as they are found.
const WHOLE: u64 = 1 << 16;

impl Series {
    /// The series of the lattice points of a polyhedron that has a vertex (Brion, Barvinok).
    ///
    /// Cones of index up to `max_index` (at least 1) are not decomposed further: 1 gives the fewest denominators, more gives
    /// fewer cones with more numerator terms.
    ///
    /// ```
    /// use semilinear::{integer::{Affine, vector}, polyhedron::Polyhedron, run::Unlimited, series::Series};
    /// let p = Polyhedron::from_constraints(1, &[Affine::new(vector(&[2]), -7)], &[], &Unlimited).unwrap();
    /// assert_eq!(Series::of_polyhedron(&p, 1, &Unlimited).unwrap().to_string(), "t^4/(1-t)");
    /// ```
    pub fn of_polyhedron(polyhedron: &Polyhedron, max_index: u64, monitor: &dyn Monitor) -> Result<Self, SeriesError> {
        let n = polyhedron.ambient_dimension();
        let pieces = lattice_points(polyhedron, max_index, monitor)?;
        let recession = polyhedron.recession_cone(monitor)?;
        let functional = recession.positive_functional().unwrap_or_else(|| zero_vector(n));
        Self::oriented(n, &functional, recession.rays(), terms(pieces))
    }

    /// The series of the integer points of a pointed cone.
    pub fn of_cone(cone: &Cone, max_index: u64, monitor: &dyn Monitor) -> Result<Self, SeriesError> {
        let n = cone.ambient_dimension();
        let pieces = cone_points(cone, max_index, monitor)?;
        let functional = cone.positive_functional().unwrap_or_else(|| zero_vector(n));
        Self::oriented(n, &functional, cone.rays(), terms(pieces))
    }

    /// The Hilbert series Σ t^(degree of x) over the integer points x of a pointed cone, in one variable. The grading, a linear
    /// function, must be positive on the cone (except in 0).
    ///
    /// Pieces whose rays have the same degrees are added up at once, so that the terms are far fewer than those of
    /// [`Series::of_cone`].
    ///
    /// ```
    /// use semilinear::{integer::vector, polyhedron::Cone, run::Unlimited, series::Series};
    /// let cone = Cone::from_generators(2, &[vector(&[1, 0]), vector(&[1, 2])], &[], &Unlimited).unwrap();
    /// let series = Series::hilbert(&cone, &vector(&[1, 0]), 10, &Unlimited).unwrap();
    /// assert_eq!(series.to_string(), "1/((1-t)(1-t)) + t/((1-t)(1-t))");
    /// ```
    pub fn hilbert(cone: &Cone, grading: &[Int], max_index: u64, monitor: &dyn Monitor) -> Result<Self, SeriesError> {
        if !cone.rays().iter().all(|r| dot(grading, r).is_positive()) {
            return Err(SeriesError::Incompatible);
        }
        if !cone.is_pointed() {
            return Err(LatticePointsError::Line.into());
        }
        if max_index >= WHOLE
            && let Some(pieces) = graded_points(cone, grading, monitor)?
        {
            return Self::oriented(1, &[Int::ONE], &[], pieces.iter().flat_map(graded_terms).collect());
        }
        let pieces = cone_points(cone, max_index, monitor)?;
        let graded = if let Some(graded) = by_degree(&pieces, grading) {
            graded
        } else {
            let column: Vec<&[Int]> = grading.chunks(1).collect();
            substitute(&terms(pieces), &Matrix::from_rows(1, &column), monitor)?
        };
        Self::oriented(1, &[Int::ONE], &[], graded)
    }

    /// The series at t^x = s^(degree of x), in one variable. The grading must be positive on every denominator.
    ///
    /// ```
    /// use semilinear::{integer::vector, run::Unlimited, semigroup::AffineSemigroup};
    /// let s = AffineSemigroup::new(2, vec![vector(&[2, 0]), vector(&[0, 1])]).unwrap();
    /// let series = s.series(&Unlimited).unwrap().graded(&vector(&[1, 3])).unwrap();
    /// assert_eq!(series.to_string(), "1/((1-t^2)(1-t^3))");
    /// ```
    pub fn graded(&self, grading: &[Int]) -> Result<Self, SeriesError> {
        let degree = |v: &Vector| vec![dot(grading, v)];
        let graded = |term: &Term| Term {
            coefficient: term.coefficient.clone(),
            exponent: degree(&term.exponent),
            denominators: term.denominators.iter().map(degree).collect(),
        };
        let terms: Vec<Term> = self.terms().iter().map(graded).collect();
        if terms.iter().flat_map(|term| &term.denominators).any(|a| !a[0].is_positive()) {
            return Err(SeriesError::Incompatible);
        }
        Self::oriented(1, &[Int::ONE], &[], terms)
    }
}

/// The terms of a sum over points by degrees.
fn graded_terms(piece: &GradedPiece) -> impl Iterator<Item = Term> {
    let denominators: Vec<Vector> = piece.degrees.iter().map(|&d| vec![Int::from(d as u64)]).collect();
    piece.numerator.iter().enumerate().filter(|(_, c)| **c != 0).map(move |(exponent, &coefficient)| Term {
        coefficient: Rat::from(coefficient),
        exponent: vec![Int::from(exponent as u64)],
        denominators: denominators.clone(),
    })
}

/// The sum of the pieces at t^x = s^(degree of x); nothing when a denominator has degree 0, a pole.
fn by_degree(pieces: &[Piece], grading: &[Int]) -> Option<Vec<Term>> {
    // For each list of degrees of the denominators, the numerator.
    let mut sums: FxHashMap<Vec<Int>, FxHashMap<Int, Int>> = FxHashMap::default();
    for piece in pieces {
        let mut degrees: Vec<Int> = piece.rays.iter().map(|r| dot(grading, r)).collect();
        if degrees.iter().any(Int::is_zero) {
            return None;
        }
        // 1/(1 − s^(−d)) = −s^d/(1 − s^d).
        let (mut sign, mut shift) = (Int::from(piece.sign), Int::ZERO);
        for degree in degrees.iter_mut().filter(|degree| degree.is_negative()) {
            *degree = -&*degree;
            shift += &*degree;
            sign = -sign;
        }
        degrees.sort();
        let numerator = sums.entry(degrees).or_default();
        for point in &piece.points {
            *numerator.entry(&dot(grading, point) + &shift).or_default() += &sign;
        }
    }
    let term = |degrees: &Vec<Int>, (exponent, coefficient): (Int, Int)| Term {
        coefficient: Rat::from(coefficient),
        exponent: vec![exponent],
        denominators: degrees.iter().map(|d| vec![d.clone()]).collect(),
    };
    Some(sums.iter().flat_map(|(degrees, sum)| sum.clone().into_iter().map(move |x| term(degrees, x))).collect())
}

/// Pieces as single terms.
pub(super) fn terms(pieces: Vec<Piece>) -> Vec<Term> {
    let mut terms = Vec::new();
    for Piece { sign, mut points, rays } in pieces {
        let last = points.pop();
        let term = |exponent: Vector, denominators: Vec<Vector>| Term {
            coefficient: Rat::from(i64::from(sign)),
            exponent,
            denominators,
        };
        terms.extend(points.into_iter().map(|point| term(point, rays.clone())));
        terms.extend(last.map(|point| term(point, rays)));
    }
    terms
}
