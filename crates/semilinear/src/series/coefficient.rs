//! Coefficients of a series at points of any size.

use rustc_hash::FxHashMap;

use super::{Series, SeriesError};
use crate::integer::{Affine, Int, Matrix, Rat, Vector, adjugate, dot, echelon, sub, unit_vector};
use crate::polyhedron::{Polyhedron, lattice_point_count};
use crate::run::Monitor;

/// A series prepared for many questions about its coefficients.
#[derive(Clone, Debug)]
pub struct Coefficients {
    groups: Vec<Group>,
}

/// The terms with the same denominators.
#[derive(Clone, Debug)]
struct Group {
    solver: Solver,
    /// Coefficients and exponents.
    numerator: Vec<(Rat, Vector)>,
}

#[derive(Clone, Debug)]
enum Solver {
    /// Linearly independent denominators: λ·V = x has at most one solution, `x[columns] · inverse / determinant`.
    Independent { generators: Matrix, columns: Vec<usize>, inverse: Matrix, determinant: Int },
    /// The number of solutions λ ≥ 0 is a lattice point count.
    Dependent(Vec<Vector>),
}

impl Series {
    /// The coefficient of `t^point` (Guo–Miller 2011, Theorem 3.6).
    ///
    /// # Complexity
    /// Polynomial in the digits of the point: for each term one linear system when its denominators are linearly independent,
    /// else one count of lattice points in dimension (number of denominators − rank).
    pub fn coefficient(&self, point: &[Int], monitor: &dyn Monitor) -> Result<Rat, SeriesError> {
        Coefficients::new(self).at(point, monitor)
    }
}

impl Coefficients {
    /// Prepares a series.
    pub fn new(series: &Series) -> Self {
        let mut groups: FxHashMap<&[Vector], Vec<(Rat, Vector)>> = FxHashMap::default();
        for term in series.terms() {
            groups.entry(&term.denominators).or_default().push((term.coefficient.clone(), term.exponent.clone()));
        }
        let mut groups: Vec<Group> = groups
            .into_iter()
            .map(|(denominators, numerator)| Group { solver: Solver::new(series.dimension(), denominators), numerator })
            .collect();
        // A fixed order makes every run the same.
        groups.sort_by(|a, b| a.numerator.iter().map(|n| &n.1).cmp(b.numerator.iter().map(|n| &n.1)));
        Self { groups }
    }

    /// The coefficient of `t^point`.
    pub fn at(&self, point: &[Int], monitor: &dyn Monitor) -> Result<Rat, SeriesError> {
        let mut sum = Rat::ZERO;
        for (done, group) in self.groups.iter().enumerate() {
            monitor.check(done as u64, Some(self.groups.len() as u64))?;
            for (coefficient, exponent) in &group.numerator {
                let count = group.solver.representations(&sub(point, exponent), monitor)?;
                if !count.is_zero() {
                    sum += &(coefficient * &Rat::from(count));
                }
            }
        }
        Ok(sum)
    }
}

impl Solver {
    fn new(dimension: usize, denominators: &[Vector]) -> Self {
        let generators = Matrix::from_rows(dimension, denominators);
        let columns = echelon(&generators).pivots;
        if columns.len() < denominators.len() {
            return Self::Dependent(denominators.to_vec());
        }
        let square: Vec<Vector> =
            denominators.iter().map(|a| columns.iter().map(|&c| a[c].clone()).collect()).collect();
        let (inverse, determinant) =
            adjugate(&Matrix::from_rows(columns.len(), &square)).expect("pivot columns are independent");
        Self::Independent { generators, columns, inverse, determinant }
    }

    /// The number of ways to write x as a combination of the denominators with coefficients in ℕ.
    fn representations(&self, x: &[Int], monitor: &dyn Monitor) -> Result<Int, SeriesError> {
        match self {
            Self::Independent { generators, columns, inverse, determinant } => {
                let part: Vector = columns.iter().map(|&c| x[c].clone()).collect();
                let mut lambda = inverse.left_times(&part);
                for l in &mut lambda {
                    if l.signum() * determinant.signum() < 0 || !determinant.divides(l) {
                        return Ok(Int::ZERO);
                    }
                    *l = l.exact_div(determinant);
                }
                let right =
                    columns.len() == x.len() || (0..x.len()).all(|c| dot(&lambda, &generators.column(c)) == x[c]);
                Ok(if right { Int::ONE } else { Int::ZERO })
            }
            Self::Dependent(denominators) => {
                let k = denominators.len();
                let inequalities: Vec<Affine> = (0..k).map(|i| Affine::new(unit_vector(k, i), 0)).collect();
                let equations: Vec<Affine> = (0..x.len())
                    .map(|c| Affine::new(denominators.iter().map(|a| a[c].clone()).collect(), -&x[c]))
                    .collect();
                let solutions = Polyhedron::from_constraints(k, &inequalities, &equations, monitor)?;
                Ok(lattice_point_count(&solutions, monitor)?)
            }
        }
    }
}
