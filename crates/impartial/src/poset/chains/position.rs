//! Positions of chains games and their notation.

use num_bigint::BigUint;
use num_traits::{ToPrimitive as _, Zero as _};
use thiserror::Error;

use super::{Board, ChainsGame, Skeleton};

/// A position (B, m, n): what is left of A, and how many elements of C and of D are left.
///
/// In Chomp the poisoned square is not counted in n. In games with one chain, n is 0.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Position {
    /// The elements of A that are left, by increasing number; in Chomp the lengths of the fixed rows
    /// that are left, without zeros.
    pub ideal: Vec<u32>,
    /// How many elements of C are left.
    pub m: BigUint,
    /// How many elements of D are left.
    pub n: BigUint,
}

/// Why a text is not a position of a chains game.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum PositionError {
    /// Not in the notation of these games.
    #[error("position \"{text}\": expected {expected}")]
    Notation {
        /// What was written.
        text: String,
        /// What is expected.
        expected: &'static str,
    },
    /// Chomp rows that grow downward.
    #[error("position \"{0}\": each row is at most as long as the one above it; give the rows from the top")]
    Rows(String),
    /// A fixed row that is longer than on the board.
    #[error("position \"{text}\": row {row} has at most {limit} squares in this game")]
    LongRow {
        /// What was written.
        text: String,
        /// The row, from the top, counted from 1.
        row: usize,
        /// Its length on the board.
        limit: u32,
    },
    /// Not an element of A.
    #[error("position \"{text}\": \"{name}\" is not an element of this game")]
    UnknownElement {
        /// What was written.
        text: String,
        /// The name.
        name: String,
    },
    /// Not an order ideal: something below is missing.
    #[error("position \"{text}\": {present} is left although {missing}, which is below it, is gone")]
    NotAnIdeal {
        /// What was written.
        text: String,
        /// What is left.
        present: String,
        /// What is missing.
        missing: String,
    },
}

const TWO: &str = "{a,b|m,n}: the elements left, then how many elements of C and D are left; or m,n for A_{m,n}";
const ONE: &str = "{a,b|m}: the elements left, then how many elements of the chain are left; or m for A_m";
const ROWS: &str =
    "row lengths from the top such as 12,9,5,3; the first counts the poisoned square, so it is at least 1";

/// No number has more digits than this.
const MOST_DIGITS: usize = 10_000_000;

fn numbers(text: &str) -> Option<Vec<BigUint>> {
    text.split(',')
        .map(|part| {
            let part = part.trim();
            let plain = !part.is_empty() && part.len() <= MOST_DIGITS && part.bytes().all(|b| b.is_ascii_digit());
            plain.then(|| part.parse().ok()).flatten()
        })
        .collect()
}

impl ChainsGame {
    /// Reads a position.
    ///
    /// ```
    /// use impartial::poset::chains::ChainsGame;
    /// let game = ChainsGame::chomp(&[5, 3]).unwrap();
    /// let position = game.position("12,9,5").unwrap();
    /// assert_eq!(game.notation(&position), "12,9,5");
    /// assert!(game.position("9,12").is_err());
    /// ```
    pub fn position(&self, text: &str) -> Result<Position, PositionError> {
        match &self.board {
            Board::Chomp(rows) => self.chomp_position(rows, text),
            Board::Poset(skeleton) => self.poset_position(skeleton, text),
        }
    }

    fn chomp_position(&self, fixed: &[u32], text: &str) -> Result<Position, PositionError> {
        let bad = || PositionError::Notation { text: text.to_owned(), expected: ROWS };
        let rows = numbers(text.trim().trim_start_matches('(').trim_end_matches(')')).ok_or_else(bad)?;
        if rows[0].is_zero() {
            return Err(bad());
        }
        if rows.windows(2).any(|pair| pair[0] < pair[1]) {
            return Err(PositionError::Rows(text.to_owned()));
        }
        let chains = usize::from(self.chains);
        let mut ideal = Vec::new();
        for (i, row) in rows.iter().enumerate().skip(chains).filter(|(_, row)| !row.is_zero()) {
            let limit = fixed.get(i - chains).copied().unwrap_or(0);
            match row.to_u32().filter(|&row| row <= limit) {
                Some(row) => ideal.push(row),
                None => return Err(PositionError::LongRow { text: text.to_owned(), row: i + 1, limit }),
            }
        }
        let top = &rows[0] - 1u32;
        let second = rows.get(1).cloned().unwrap_or_default();
        Ok(match self.chains {
            2 => Position { ideal, m: second, n: top },
            _ => Position { ideal, m: top, n: BigUint::zero() },
        })
    }

    fn poset_position(&self, skeleton: &Skeleton, text: &str) -> Result<Position, PositionError> {
        let expected = if self.chains == 2 { TWO } else { ONE };
        let bad = || PositionError::Notation { text: text.to_owned(), expected };
        let inner = text.trim();
        let (left, counts) = match inner.strip_prefix('{').and_then(|rest| rest.strip_suffix('}')) {
            Some(inner) => {
                let (left, counts) = inner.split_once('|').ok_or_else(bad)?;
                (Some(left), counts)
            }
            None => (None, inner.trim_start_matches('(').trim_end_matches(')')),
        };
        let counts = numbers(counts).filter(|counts| counts.len() == usize::from(self.chains)).ok_or_else(bad)?;
        let mut m = counts[0].clone();
        let n = counts.get(1).cloned().unwrap_or_default();
        let Some(left) = left else {
            let ideal = (0..skeleton.len())
                .filter(|&a| {
                    BigUint::from(skeleton.meets_c(a).1) <= m
                        && (self.chains == 1 || BigUint::from(skeleton.meets_d(a).1) <= n)
                })
                .map(|a| u32::try_from(a).expect("few elements"))
                .collect();
            // A_{m,n}: what lies above d_{n+1} is gone, also in C.
            if let Some(last) = skeleton.cross().last_at_most_big(&n) {
                m = m.min(last);
            }
            return Ok(Position { ideal, m, n });
        };
        let mut ideal = Vec::new();
        for name in left.split(',').map(str::trim).filter(|name| !name.is_empty()) {
            match skeleton.names().iter().position(|known| known == name) {
                Some(a) => ideal.push(u32::try_from(a).expect("few elements")),
                None => {
                    return Err(PositionError::UnknownElement { text: text.to_owned(), name: name.to_owned() });
                }
            }
        }
        ideal.sort_unstable();
        ideal.dedup();
        let position = Position { ideal, m, n };
        match missing(skeleton, &position) {
            Some((present, missing)) => Err(PositionError::NotAnIdeal { text: text.to_owned(), present, missing }),
            None => Ok(position),
        }
    }

    /// A position in the notation of this game.
    pub fn notation(&self, position: &Position) -> String {
        let Position { ideal, m, n } = position;
        match &self.board {
            Board::Chomp(_) => {
                let mut rows = if self.chains == 2 {
                    vec![(n + 1u32).to_string(), m.to_string()]
                } else {
                    vec![(m + 1u32).to_string()]
                };
                rows.extend(ideal.iter().map(ToString::to_string));
                while rows.len() > 1 && rows.last().is_some_and(|row| row == "0") {
                    rows.pop();
                }
                rows.join(",")
            }
            Board::Poset(skeleton) => {
                let left = ideal.iter().map(|&a| skeleton.names()[a as usize].as_str()).collect::<Vec<_>>().join(",");
                if self.chains == 2 { format!("{{{left}|{m},{n}}}") } else { format!("{{{left}|{m}}}") }
            }
        }
    }
}

/// A pair (present, missing) that shows that a position is no order ideal.
fn missing(skeleton: &Skeleton, position: &Position) -> Option<(String, String)> {
    let Position { ideal, m, n } = position;
    let left = |a: usize| u32::try_from(a).is_ok_and(|a| ideal.binary_search(&a).is_ok());
    let name = |a: usize| skeleton.names()[a].clone();
    for a in 0..skeleton.len() {
        let (c_first, c_below) = skeleton.meets_c(a);
        let (d_first, d_below) = skeleton.meets_d(a);
        if left(a) {
            if let Some(b) = (0..skeleton.len()).find(|&b| skeleton.less(b, a) && !left(b)) {
                return Some((name(a), name(b)));
            }
            if BigUint::from(c_below) > *m {
                return Some((name(a), format!("c{c_below}")));
            }
            if BigUint::from(d_below) > *n {
                return Some((name(a), format!("d{d_below}")));
            }
        } else {
            if let Some(first) = c_first.filter(|&first| BigUint::from(first) <= *m) {
                return Some((format!("c{first}"), name(a)));
            }
            if let Some(first) = d_first.filter(|&first| BigUint::from(first) <= *n) {
                return Some((format!("d{first}"), name(a)));
            }
        }
    }
    match skeleton.cross().at_big(m) {
        Some(below) if below <= *n => None,
        Some(below) => Some((format!("c{m}"), format!("d{below}"))),
        None => Some((format!("c{m}"), "an element of D".to_owned())),
    }
}
