//! Boards: pointed polyhedra with full-dimensional recession cones, and charts that put them into ℕᵈ.

use super::error::LatticeError;
use super::{Chart, Description, Row};
use impartial_lattice::product::dot;
use impartial_lattice::unimodular::{adapted_basis, inverse};
use semilinear::integer::{Affine, Int, LinearProgram, Optimum, Vector, vector};
use semilinear::polyhedron::Cone;
use semilinear::run::{Monitor, StopReason};

/// The recession cone C of a board.
pub(super) enum Recession {
    /// The orthant, whose rays and facets are the unit vectors.
    Orthant(usize),
    /// Any other cone, with its rays and facet normals.
    Other {
        /// Primitive vectors along the extreme rays.
        rays: Vec<Vec<i64>>,
        /// Inner normals of the facets.
        facets: Vec<Vec<i64>>,
        /// A functional that is positive on C∖{0}.
        interior: Vec<i64>,
    },
}

impl Recession {
    /// The recession cone of a description's board; refuses boards that are empty, not pointed or flat.
    pub fn new(description: &Description, monitor: &dyn Monitor) -> Result<Self, LatticeError> {
        let d = description.dimension();
        let Some(rows) = &description.board else { return Ok(Self::Orthant(d)) };
        if let Some(i) = rows.iter().position(|row| row[..d].iter().all(|&a| a == 0) && row[d] < 0) {
            return Err(LatticeError::Board(format!(
                "inequalities[{i}] says 0 >= {}, so the board has no lattice points; remove it",
                -i128::from(rows[i][d])
            )));
        }
        if let Err(multipliers) = program(rows, d).feasible_point(monitor)? {
            let used: Vec<String> = (0..rows.len())
                .filter(|&i| !multipliers.inequalities[i].is_zero())
                .map(|i| format!("inequalities[{i}]"))
                .collect();
            return Err(LatticeError::Board(format!(
                "{} contradict each other, so the board has no lattice points; change one of them",
                used.join(" and ")
            )));
        }
        let normals: Vec<Vector> =
            rows.iter().map(|row| &row[..d]).filter(|a| a.iter().any(|&x| x != 0)).map(vector).collect();
        let cone = Cone::from_inequalities(d, &normals, &[], monitor)?;
        if !cone.is_pointed() {
            return Err(LatticeError::Board(format!(
                "it contains whole lines (along {}), so it is not pointed; add inequalities that bound it, \
                 such as x_i >= 0",
                text(cone.lines().row(0))
            )));
        }
        if !cone.is_full_dimensional() {
            return Err(LatticeError::Board(format!(
                "its recession cone has dimension {} instead of {d}: {}·x stays the same along every direction in which the \
                 board is unbounded; a board must widen in every coordinate",
                cone.dimension(),
                text(cone.equations().row(0))
            )));
        }
        let machine = |vectors: &[Vector]| -> Result<Vec<Vec<i64>>, LatticeError> {
            let too_large = LatticeError::TooLarge("a ray of the board leaves 64-bit integers");
            vectors.iter().map(|v| v.iter().map(Int::to_i64).collect()).collect::<Option<_>>().ok_or(too_large)
        };
        let interior = cone.positive_functional().expect("the cone is pointed");
        Ok(Self::Other {
            rays: machine(cone.rays())?,
            facets: machine(cone.facets())?,
            interior: machine(&[interior])?.remove(0),
        })
    }

    /// Primitive vectors along the extreme rays.
    pub fn rays(&self) -> Vec<Vec<i64>> {
        match self {
            Self::Orthant(d) => (0..*d).map(|i| (0..*d).map(|j| i64::from(i == j)).collect()).collect(),
            Self::Other { rays, .. } => rays.clone(),
        }
    }

    /// The rays without a rule in their negative tangent cone: a·γ ≤ 0 for all facets a that contain the ray.
    ///
    /// # Complexity
    /// O(d·|Γ|) on the orthant, O(d·|Γ|) for each pair of a ray and a facet that contains it on other boards.
    pub fn unmet_rays(&self, rules: &[Vec<i64>], monitor: &dyn Monitor) -> Result<Vec<Vec<i64>>, StopReason> {
        let mut unmet = Vec::new();
        match self {
            Self::Orthant(d) => {
                // A rule serves the ray of its only positive entry; without one, every ray.
                let mut met = vec![false; *d];
                for (r, rule) in rules.iter().enumerate() {
                    if r % 64 == 0 {
                        monitor.check(r as u64, Some(rules.len() as u64))?;
                    }
                    let mut heads = (0..*d).filter(|&i| rule[i] > 0);
                    match (heads.next(), heads.next()) {
                        (None, _) => return Ok(Vec::new()),
                        (Some(head), None) => met[head] = true,
                        _ => {}
                    }
                }
                unmet.extend(self.rays().into_iter().zip(met).filter(|(_, met)| !met).map(|(ray, _)| ray));
            }
            Self::Other { rays, facets, .. } => {
                for (r, ray) in rays.iter().enumerate() {
                    let around: Vec<&Vec<i64>> = facets.iter().filter(|a| dot(a, ray) == Some(0)).collect();
                    let mut met = false;
                    for rule in rules {
                        monitor.check(r as u64, Some(rays.len() as u64))?;
                        met = met || around.iter().all(|a| product(a, rule) <= 0);
                    }
                    if !met {
                        unmet.push(ray.clone());
                    }
                }
            }
        }
        Ok(unmet)
    }

    /// Coordinates in which the board lies in ℕᵈ.
    ///
    /// A functional w that is positive on C∖{0} is completed to a basis of (ℤᵈ)*; adding multiples of w to the other basis
    /// vectors makes all of them non-negative on C without changing the determinant. Shifts then move the board into ℕᵈ.
    pub fn chart(
        &self,
        description: &Description,
        functional: &[Int],
        monitor: &dyn Monitor,
    ) -> Result<Chart, LatticeError> {
        let Self::Other { rays, interior, .. } = self else { return Ok(Chart::identity(functional.len())) };
        let too_large = || LatticeError::TooLarge("coordinates for the board leave 64-bit integers");
        let d = functional.len();
        let mut matrix = Chart::identity(d).matrix().to_vec();
        if rays.iter().flatten().any(|&x| x < 0) {
            // Both functionals do; smaller numbers are kinder.
            let size = |f: &[i64]| f.iter().map(|x| i128::from(x.unsigned_abs())).sum::<i128>();
            let smaller = small(functional).filter(|f| size(f) < size(interior));
            let columns = adapted_basis(smaller.as_ref().unwrap_or(interior)).ok_or_else(too_large)?;
            let backward: Vec<Vec<i64>> = (0..d)
                .map(|i| columns.iter().map(|column| i64::try_from(column[i]).ok()).collect::<Option<_>>())
                .collect::<Option<_>>()
                .ok_or_else(too_large)?;
            matrix = inverse(&backward).ok_or_else(too_large)?;
            let w = matrix[0].clone();
            for row in &mut matrix[1..] {
                let multiple = rays
                    .iter()
                    .map(|ray| {
                        let (a, b) = (dot(row, ray)?, dot(&w, ray)?);
                        // The least k with a + k·b >= 0; b is positive.
                        Some(-a.div_euclid(b))
                    })
                    .collect::<Option<Vec<i64>>>()
                    .and_then(|multiples| multiples.into_iter().max())
                    .ok_or_else(too_large)?;
                for (x, w) in row.iter_mut().zip(&w) {
                    *x = w.checked_mul(multiple).and_then(|y| x.checked_add(y)).ok_or_else(too_large)?;
                }
            }
        }
        let mut shift = Vec::with_capacity(d);
        for row in &matrix {
            let least = least_value(description, &vector(row), monitor)?;
            shift.push((-least).to_i64().ok_or_else(too_large)?.max(0));
        }
        Chart::new(matrix, shift).ok_or_else(too_large)
    }
}

/// The least integer that a functional, non-negative on C, takes on the board or above.
pub(super) fn least_value(
    description: &Description,
    functional: &[Int],
    monitor: &dyn Monitor,
) -> Result<Int, LatticeError> {
    let Some(rows) = &description.board else { return Ok(Int::ZERO) };
    match program(rows, functional.len()).minimum(functional, monitor)? {
        Optimum::Attained { value, .. } => Ok(value.ceil()),
        _ => Err(LatticeError::Board("a functional is unbounded on it; check its inequalities".into())),
    }
}

/// A vector in machine integers, if it fits.
pub(super) fn small(v: &[Int]) -> Option<Vec<i64>> {
    v.iter().map(Int::to_i64).collect()
}

fn product(a: &[i64], b: &[i64]) -> i128 {
    a.iter().zip(b).map(|(a, b)| i128::from(*a) * i128::from(*b)).sum()
}

/// The polyhedron a·x + b ≥ 0 as constraints of a linear program.
fn program(rows: &[Row], d: usize) -> LinearProgram {
    LinearProgram {
        dimension: d,
        inequalities: rows.iter().map(|row| Affine::new(vector(&row[..d]), row[d])).collect(),
        equations: Vec::new(),
    }
}

fn text(v: &[Int]) -> String {
    let entries: Vec<String> = v.iter().map(ToString::to_string).collect();
    format!("({})", entries.join(","))
}
