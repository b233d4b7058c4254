//! Vectors and matrices of exact integers.

use std::fmt;
use std::ops::{Index, IndexMut};

use super::Int;

/// A vector of exact integers.
pub type Vector = Vec<Int>;

/// A vector from machine integers.
///
/// ```
/// use semilinear::integer::{Int, vector};
/// assert_eq!(vector(&[1, -2])[1], Int::from(-2));
/// ```
pub fn vector(entries: &[i64]) -> Vector {
    entries.iter().copied().map(Int::from).collect()
}

/// The zero vector.
pub fn zero_vector(len: usize) -> Vector {
    vec![Int::ZERO; len]
}

/// The i-th unit vector.
pub fn unit_vector(len: usize, i: usize) -> Vector {
    let mut e = zero_vector(len);
    e[i] = Int::ONE;
    e
}

/// Whether all entries are 0.
pub fn is_zero_vector(a: &[Int]) -> bool {
    a.iter().all(Int::is_zero)
}

/// The dot product; the longer vector is cut.
pub fn dot(a: &[Int], b: &[Int]) -> Int {
    let mut sum = Int::ZERO;
    for (x, y) in a.iter().zip(b) {
        if !x.is_zero() && !y.is_zero() {
            sum.add_product(x, y);
        }
    }
    sum
}

/// The sum of two vectors.
pub fn add(a: &[Int], b: &[Int]) -> Vector {
    a.iter().zip(b).map(|(x, y)| x + y).collect()
}

/// The difference of two vectors.
pub fn sub(a: &[Int], b: &[Int]) -> Vector {
    a.iter().zip(b).map(|(x, y)| x - y).collect()
}

/// The multiple `c·a`.
pub fn scale(c: &Int, a: &[Int]) -> Vector {
    a.iter().map(|x| c * x).collect()
}

/// The vector `−a`.
pub fn negated(a: &[Int]) -> Vector {
    a.iter().map(|x| -x).collect()
}

/// Adds `c·b` to `a` in place.
pub fn add_multiple(a: &mut [Int], c: &Int, b: &[Int]) {
    if c.is_zero() {
        return;
    }
    for (x, y) in a.iter_mut().zip(b) {
        x.add_product(c, y);
    }
}

/// The greatest common divisor of the entries; 0 for the zero vector.
pub fn content(a: &[Int]) -> Int {
    let mut g = Int::ZERO;
    for x in a {
        g = g.gcd(x);
        if g.is_one() {
            break;
        }
    }
    g
}

/// Divides by the content: the shortest integer vector in the same direction. The zero vector stays.
pub fn make_primitive(a: &mut [Int]) {
    let g = content(a);
    if !g.is_zero() && !g.is_one() {
        for x in a {
            *x = x.exact_div(&g);
        }
    }
}

/// A copy divided by its content.
pub fn primitive(mut a: Vector) -> Vector {
    make_primitive(&mut a);
    a
}

/// A matrix of exact integers; its rows are vectors.
///
/// ```
/// use semilinear::integer::{Matrix, vector};
/// let m = Matrix::from_i64(&[&[1, 2], &[3, 4]]);
/// assert_eq!(m.times(&vector(&[1, -1])), vector(&[-1, -1]));
/// assert_eq!(m.left_times(&vector(&[1, -1])), vector(&[-2, -2]));
/// ```
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Matrix {
    rows: usize,
    columns: usize,
    entries: Vec<Int>,
}

impl Matrix {
    /// The zero matrix.
    pub fn zero(rows: usize, columns: usize) -> Self {
        Self { rows, columns, entries: vec![Int::ZERO; rows * columns] }
    }

    /// The identity matrix.
    pub fn identity(n: usize) -> Self {
        let mut m = Self::zero(n, n);
        for i in 0..n {
            m[(i, i)] = Int::ONE;
        }
        m
    }

    /// A matrix with `columns` columns from its rows. Panics when a row has another length.
    pub fn from_rows<R: AsRef<[Int]>>(columns: usize, rows: &[R]) -> Self {
        let mut entries = Vec::with_capacity(rows.len() * columns);
        for row in rows {
            assert_eq!(row.as_ref().len(), columns, "every row of a matrix has the same length");
            entries.extend_from_slice(row.as_ref());
        }
        Self { rows: rows.len(), columns, entries }
    }

    /// A matrix from rows of machine integers. Panics when rows differ in length.
    pub fn from_i64(rows: &[&[i64]]) -> Self {
        let columns = rows.first().map_or(0, |r| r.len());
        Self::from_rows(columns, &rows.iter().map(|r| vector(r)).collect::<Vec<_>>())
    }

    /// The number of rows.
    pub fn rows(&self) -> usize {
        self.rows
    }

    /// The number of columns.
    pub fn columns(&self) -> usize {
        self.columns
    }

    /// Row `i`.
    pub fn row(&self, i: usize) -> &[Int] {
        &self.entries[i * self.columns..(i + 1) * self.columns]
    }

    /// Row `i`, to change.
    pub fn row_mut(&mut self, i: usize) -> &mut [Int] {
        &mut self.entries[i * self.columns..(i + 1) * self.columns]
    }

    /// Column `j`.
    pub fn column(&self, j: usize) -> Vector {
        (0..self.rows).map(|i| self[(i, j)].clone()).collect()
    }

    /// The rows, one after another.
    pub fn iter_rows(&self) -> impl Iterator<Item = &[Int]> {
        (0..self.rows).map(|i| self.row(i))
    }

    /// The rows as vectors.
    pub fn to_rows(&self) -> Vec<Vector> {
        self.iter_rows().map(<[Int]>::to_vec).collect()
    }

    /// The rows `from..to` as a matrix.
    #[must_use]
    pub fn row_range(&self, from: usize, to: usize) -> Self {
        Self {
            rows: to - from,
            columns: self.columns,
            entries: self.entries[from * self.columns..to * self.columns].to_vec(),
        }
    }

    /// The transposed matrix.
    #[must_use]
    pub fn transposed(&self) -> Self {
        let mut t = Self::zero(self.columns, self.rows);
        for i in 0..self.rows {
            for j in 0..self.columns {
                t[(j, i)] = self[(i, j)].clone();
            }
        }
        t
    }

    /// The product of two matrices. Panics when the sizes do not fit.
    #[must_use]
    pub fn product(&self, other: &Self) -> Self {
        assert_eq!(self.columns, other.rows, "the sizes of a matrix product fit");
        let mut p = Self::zero(self.rows, other.columns);
        for i in 0..self.rows {
            for k in 0..self.columns {
                add_multiple(p.row_mut(i), &self[(i, k)], other.row(k));
            }
        }
        p
    }

    /// The product with a column vector.
    pub fn times(&self, x: &[Int]) -> Vector {
        self.iter_rows().map(|row| dot(row, x)).collect()
    }

    /// The product of a row vector with this matrix: the combination of its rows.
    pub fn left_times(&self, x: &[Int]) -> Vector {
        let mut sum = zero_vector(self.columns);
        for (c, row) in x.iter().zip(self.iter_rows()) {
            add_multiple(&mut sum, c, row);
        }
        sum
    }

    /// Swaps two rows.
    pub fn swap_rows(&mut self, i: usize, j: usize) {
        if i != j {
            let (low, high) = (i.min(j), i.max(j));
            let (head, tail) = self.entries.split_at_mut(high * self.columns);
            head[low * self.columns..(low + 1) * self.columns].swap_with_slice(&mut tail[..self.columns]);
        }
    }

    /// Adds `c` times row `source` to row `target`. Panics when both are the same row.
    pub fn add_row_multiple(&mut self, target: usize, c: &Int, source: usize) {
        assert_ne!(target, source, "a row is added to another row");
        let n = self.columns;
        let (low, high) = (target.min(source), target.max(source));
        let (head, tail) = self.entries.split_at_mut(high * n);
        let (first, second) = (&mut head[low * n..(low + 1) * n], &mut tail[..n]);
        if target < source { add_multiple(first, c, second) } else { add_multiple(second, c, first) }
    }

    /// Changes the sign of a row.
    pub fn negate_row(&mut self, i: usize) {
        for x in self.row_mut(i) {
            *x = -&*x;
        }
    }
}

impl Index<(usize, usize)> for Matrix {
    type Output = Int;
    fn index(&self, (i, j): (usize, usize)) -> &Int {
        debug_assert!(j < self.columns);
        &self.entries[i * self.columns + j]
    }
}

impl IndexMut<(usize, usize)> for Matrix {
    fn index_mut(&mut self, (i, j): (usize, usize)) -> &mut Int {
        debug_assert!(j < self.columns);
        &mut self.entries[i * self.columns + j]
    }
}

impl fmt::Debug for Matrix {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.iter_rows()).finish()
    }
}
