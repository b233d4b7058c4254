//! Coordinates in which a board lies in ℕᵈ.

use crate::product::dot;
use crate::unimodular::inverse;
use num_bigint::BigInt;
use semilinear::integer::Int;

/// An affine change of coordinates y = M·x + s with M unimodular, from the user's coordinates x to *inner* coordinates
/// y in which every lattice point of the board has y ≥ 0.
///
/// ```
/// use impartial_lattice::Chart;
/// let chart = Chart::identity(2);
/// assert_eq!(chart.inner(&[3, 4]), Some(vec![3, 4]));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Chart {
    matrix: Vec<Vec<i64>>,
    inverse: Vec<Vec<i64>>,
    shift: Vec<i64>,
}

impl Chart {
    /// The chart y = M·x + s; `None` when M is not unimodular or its inverse leaves `i64`.
    pub fn new(matrix: Vec<Vec<i64>>, shift: Vec<i64>) -> Option<Self> {
        let inverse = inverse(&matrix)?;
        (shift.len() == matrix.len()).then_some(Self { matrix, inverse, shift })
    }

    /// The chart that changes nothing.
    pub fn identity(dimension: usize) -> Self {
        let unit: Vec<Vec<i64>> = (0..dimension).map(|i| (0..dimension).map(|j| i64::from(i == j)).collect()).collect();
        Self { matrix: unit.clone(), inverse: unit, shift: vec![0; dimension] }
    }

    /// Whether inner and user's coordinates are the same.
    pub fn is_identity(&self) -> bool {
        *self == Self::identity(self.shift.len())
    }

    /// The unimodular matrix M.
    pub fn matrix(&self) -> &[Vec<i64>] {
        &self.matrix
    }

    /// The inverse of M.
    pub fn inverse(&self) -> &[Vec<i64>] {
        &self.inverse
    }

    /// The shift s.
    pub fn shift(&self) -> &[i64] {
        &self.shift
    }

    /// Inner coordinates of a point; `None` when they leave `i64`.
    pub fn inner(&self, x: &[i64]) -> Option<Vec<i64>> {
        add(&self.inner_vector(x)?, &self.shift)
    }

    /// Inner coordinates of a vector (a rule): M·x without the shift.
    pub fn inner_vector(&self, x: &[i64]) -> Option<Vec<i64>> {
        self.matrix.iter().map(|row| dot(row, x)).collect()
    }

    /// The user's coordinates of an inner point; `None` when they leave `i64`.
    pub fn outer(&self, y: &[i64]) -> Option<Vec<i64>> {
        let centred: Vec<i64> =
            y.iter().zip(&self.shift).map(|(y, s)| y.checked_sub(*s)).collect::<Option<Vec<i64>>>()?;
        self.inverse.iter().map(|row| dot(row, &centred)).collect()
    }

    /// Inner coordinates of a point of any size.
    pub fn inner_big(&self, x: &[BigInt]) -> Vec<BigInt> {
        let product = |row: &Vec<i64>| row.iter().zip(x).map(|(a, x)| BigInt::from(*a) * x).sum::<BigInt>();
        self.matrix.iter().zip(&self.shift).map(|(row, s)| product(row) + s).collect()
    }

    /// The user's coordinates of an inner point of any size.
    pub fn outer_big(&self, y: &[BigInt]) -> Vec<BigInt> {
        let centred: Vec<BigInt> = y.iter().zip(&self.shift).map(|(y, s)| y - s).collect();
        self.inverse
            .iter()
            .map(|row| row.iter().zip(&centred).map(|(a, y)| BigInt::from(*a) * y).sum::<BigInt>())
            .collect()
    }

    /// An inequality a·x + b ≥ 0 in the user's coordinates, in inner ones: a·M⁻¹·y + (b − a·M⁻¹·s) ≥ 0.
    pub fn inner_row(&self, row: &[i64]) -> Option<Vec<i64>> {
        let d = self.shift.len();
        let mut result: Vec<i64> = (0..d)
            .map(|j| {
                let column: Vec<i64> = self.inverse.iter().map(|r| r[j]).collect();
                dot(&row[..d], &column)
            })
            .collect::<Option<_>>()?;
        let moved = dot(&result, &self.shift)?;
        result.push(row[d].checked_sub(moved)?);
        Some(result)
    }

    /// A linear functional in the user's coordinates, in inner ones: ℓ·M⁻¹.
    pub fn inner_functional(&self, functional: &[Int]) -> Vec<Int> {
        let column =
            |j| self.inverse.iter().zip(functional).map(move |(row, l): (&Vec<i64>, _)| &Int::from(row[j]) * l);
        (0..functional.len()).map(|j| column(j).sum()).collect()
    }
}

fn add(a: &[i64], b: &[i64]) -> Option<Vec<i64>> {
    a.iter().zip(b).map(|(a, b)| a.checked_add(*b)).collect()
}
