//! Young diagrams: the positions of Chomp.
//!
//! A position of Chomp is drawn with its poisoned square: rows of lengths λ₁ ≥ λ₂ ≥ …, the poison at
//! row 1, column 1. A bite at row r, column c removes every square with row ≥ r and column ≥ c. The
//! poisoned square is no element of the poset, so nobody ever takes it: the position `1` is the end.

use std::fmt;
use std::str::FromStr;

use thiserror::Error;

/// The most rows a diagram may have.
pub const MAX_ROWS: usize = 100_000;
/// The longest row a diagram may have.
pub const MAX_COLUMNS: u64 = 1 << 53;

/// Why a text is not a Young diagram.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum DiagramError {
    /// Not a list of numbers.
    #[error("\"{0}\" is not a list of row lengths; write them longest first, such as 5,3,1")]
    Syntax(String),
    /// A number too large.
    #[error("row {row}: {text} is too long; a row has at most 2^53 squares")]
    Long {
        /// Which row, from 1.
        row: usize,
        /// What was written.
        text: String,
    },
    /// A row longer than the row before it.
    #[error(
        "row {row} has {lower} squares and the row above it {upper}: no Chomp position, rows never get longer (an order ideal); write the longest row first"
    )]
    Increasing {
        /// The longer row, from 1.
        row: usize,
        /// Its length.
        lower: u64,
        /// The length of the row before.
        upper: u64,
    },
    /// No squares at all.
    #[error("nobody eats the poisoned square: the smallest position is 1; write at least that")]
    NoPoison,
    /// Too many rows.
    #[error("{0} rows are too many; a diagram has at most {MAX_ROWS}")]
    Rows(usize),
}

/// A Chomp position: row lengths, longest first, all positive, the poisoned square counted.
///
/// ```
/// use impartial::poset::Diagram;
/// let position: Diagram = "5,3,1".parse().unwrap();
/// assert_eq!(position.bitten(2, 2).unwrap().to_string(), "5,1,1");
/// assert_eq!(position.transposed().to_string(), "3,2,2,1,1");
/// assert!("3,5".parse::<Diagram>().is_err());
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Diagram(Vec<u64>);

impl Diagram {
    /// The diagram with these rows; rows of length 0 at the end are dropped.
    pub fn new(mut rows: Vec<u64>) -> Result<Self, DiagramError> {
        while rows.last() == Some(&0) {
            rows.pop();
        }
        if rows.len() > MAX_ROWS {
            return Err(DiagramError::Rows(rows.len()));
        }
        for (i, pair) in rows.windows(2).enumerate() {
            if pair[1] > pair[0] {
                return Err(DiagramError::Increasing { row: i + 2, lower: pair[1], upper: pair[0] });
            }
        }
        match rows.first() {
            None => Err(DiagramError::NoPoison),
            Some(&longest) if longest > MAX_COLUMNS => Err(DiagramError::Long { row: 1, text: longest.to_string() }),
            Some(_) => Ok(Self(rows)),
        }
    }

    /// The rectangle with so many rows and columns.
    pub fn rectangle(rows: usize, columns: u64) -> Result<Self, DiagramError> {
        if rows > MAX_ROWS {
            return Err(DiagramError::Rows(rows));
        }
        Self::new(vec![columns; rows])
    }

    /// The row lengths, longest first.
    pub fn rows(&self) -> &[u64] {
        &self.0
    }

    /// The number of columns.
    pub fn columns(&self) -> u64 {
        self.0[0]
    }

    /// The number of squares, the poisoned one counted.
    pub fn squares(&self) -> u128 {
        self.0.iter().map(|&row| u128::from(row)).sum()
    }

    /// Whether this is a rectangle, square or not.
    pub fn is_rectangle(&self) -> bool {
        self.0.last() == self.0.first()
    }

    /// The position after the bite at (row, column), counted from 1; `None` when that square is not
    /// there or is the poisoned one.
    pub fn bitten(&self, row: usize, column: u64) -> Option<Self> {
        if row == 0 || column == 0 || (row, column) == (1, 1) || *self.0.get(row - 1)? < column {
            return None;
        }
        let mut rows = self.0.clone();
        for length in &mut rows[row - 1..] {
            *length = (*length).min(column - 1);
        }
        while rows.last() == Some(&0) {
            rows.pop();
        }
        Some(Self(rows))
    }

    /// Every bite (row, column) from 1, row by row.
    pub fn bites(&self) -> impl Iterator<Item = (usize, u64)> + '_ {
        self.0
            .iter()
            .enumerate()
            .flat_map(|(i, &length)| (1..=length).map(move |column| (i + 1, column)))
            .filter(|&bite| bite != (1, 1))
    }

    /// Whether every square of `self` is a square of `board`.
    pub fn fits_in(&self, board: &Self) -> bool {
        self.0.len() <= board.0.len() && self.0.iter().zip(&board.0).all(|(a, b)| a <= b)
    }

    /// Rows and columns exchanged. Only for diagrams with at most [`MAX_ROWS`] columns.
    #[must_use]
    pub fn transposed(&self) -> Self {
        debug_assert!(self.columns() <= MAX_ROWS as u64, "too many columns to transpose");
        Self((0..self.columns()).map(|c| self.0.partition_point(|&row| row > c) as u64).collect())
    }
}

impl fmt::Display for Diagram {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, row) in self.0.iter().enumerate() {
            if i > 0 {
                f.write_str(",")?;
            }
            write!(f, "{row}")?;
        }
        Ok(())
    }
}

impl FromStr for Diagram {
    type Err = DiagramError;

    fn from_str(text: &str) -> Result<Self, DiagramError> {
        let rows = text
            .split(',')
            .enumerate()
            .map(|(i, part)| {
                let part = part.trim();
                if part.is_empty() || !part.bytes().all(|b| b.is_ascii_digit()) {
                    return Err(DiagramError::Syntax(text.to_owned()));
                }
                match part.parse::<u64>() {
                    Ok(row) if row <= MAX_COLUMNS => Ok(row),
                    _ => Err(DiagramError::Long { row: i + 1, text: part.to_owned() }),
                }
            })
            .collect::<Result<Vec<u64>, DiagramError>>()?;
        Self::new(rows)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts() {
        for (text, back) in [("5,3,1", "5,3,1"), ("1", "1"), (" 4 , 4,0,0", "4,4")] {
            assert_eq!(text.parse::<Diagram>().unwrap().to_string(), back);
        }
        for bad in ["", "a", "3,,1", "-1", "3,5", "0", "0,0", "99999999999999999999999", "5,0,3", "1e3"] {
            assert!(bad.parse::<Diagram>().is_err(), "{bad}");
        }
    }

    #[test]
    fn bites_never_take_the_poison() {
        let position: Diagram = "3,2".parse().unwrap();
        assert_eq!(position.bites().collect::<Vec<_>>(), [(1, 2), (1, 3), (2, 1), (2, 2)]);
        assert_eq!(position.bitten(1, 1), None);
        assert_eq!(position.bitten(2, 3), None);
        assert_eq!(position.bitten(1, 2).unwrap().to_string(), "1,1");
        assert_eq!(position.bitten(2, 1).unwrap().to_string(), "3");
        assert_eq!(position.transposed().transposed(), position);
    }
}
