//! Grundy values of Wythoff's game, cell by cell.

use semilinear::run::{Monitor, StopReason};

/// Cells of the table, and words of memory, that a run may use.
const LIMIT: u64 = 200_000_000;

/// The Grundy value of the position with heaps `a` and `b`.
///
/// The values seen so far in a row, a column and a diagonal are kept as bit sets, so that the mex of a cell is
/// the first zero of the three sets together. The table is symmetric: cells above the diagonal are enough. (No formula is known; the first row of the table is
/// OEIS A004481.)
///
/// # Complexity
/// O(ab(a+b)/64) time at most, and O((a+b)²/64) words. Full words at the beginning of a set are skipped, so that a cell takes a few steps
/// in practice.
///
/// ```
/// use impartial::{run::Unlimited, solve::wythoff::grundy};
/// assert_eq!(grundy(3, 5, &Unlimited), Ok(0));
/// assert_eq!(grundy(4, 4, &Unlimited), Ok(7));
/// ```
pub fn grundy(a: u64, b: u64, monitor: &dyn Monitor) -> Result<u64, StopReason> {
    let (a, b) = (a.min(b), a.max(b));
    let too_large = || StopReason::Size { what: "cells of the table", limit: LIMIT };
    // A cell (i, j) has i + j + min(i, j) options at most, so no value is larger.
    let words = (2 * u128::from(a) + u128::from(b)) / 64 + 1;
    let sets = u128::from(a) + u128::from(b) + 3;
    if b > LIMIT
        || (u128::from(a) + 1) * (u128::from(b) + 1) > u128::from(LIMIT)
        || words * sets > u128::from(LIMIT / 4)
    {
        return Err(too_large());
    }
    let size = |n: u128| usize::try_from(n).map_err(|_| too_large());
    let (a, b) = (size(a.into())?, size(b.into())?);
    let words = size(words)?;
    let mut columns = vec![Seen::new(words); a + 1];
    let mut diagonals = vec![Seen::new(words); b + 1];
    let mut value = 0;
    for j in 0..=b {
        monitor.check(j as u64, Some(b as u64))?;
        let mut row = Seen::new(words);
        for (i, column) in columns.iter_mut().enumerate().take(j + 1) {
            let diagonal = &mut diagonals[j - i];
            // Below the first word that is not full, a set alone leaves no value.
            let (word, seen) = (row.full.max(column.full).max(diagonal.full)..words)
                .map(|word| (word, row.words[word] | column.words[word] | diagonal.words[word]))
                .find(|&(_, seen)| seen != u64::MAX)
                .expect("no value is larger than the number of options");
            let bit = seen.trailing_ones();
            for set in [&mut row, column, diagonal] {
                set.insert(word, bit);
            }
            value = word as u64 * 64 + u64::from(bit);
        }
        // The cells of column j up to the diagonal are those of row j.
        if let Some(column) = columns.get_mut(j) {
            *column = row;
        }
    }
    Ok(value)
}

/// The values seen in a line.
#[derive(Clone)]
struct Seen {
    words: Vec<u64>,
    /// How many words at the beginning are full.
    full: usize,
}

impl Seen {
    fn new(words: usize) -> Self {
        Self { words: vec![0; words], full: 0 }
    }

    fn insert(&mut self, word: usize, bit: u32) {
        self.words[word] |= 1 << bit;
        while self.words.get(self.full) == Some(&u64::MAX) {
            self.full += 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use semilinear::run::{TickLimit, Unlimited};

    /// OEIS A004481.
    #[test]
    fn published_values() {
        let rows: [&[u64]; 5] = [
            &[0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12],
            &[1, 2, 0, 4, 5, 3, 7, 8, 6, 10, 11, 9],
            &[2, 0, 1, 5, 3, 4, 8, 6, 7, 11, 9],
            &[3, 4, 5, 6, 2, 0, 1, 9, 10, 12],
            &[4, 5, 3, 2, 7, 6, 9, 0, 1],
        ];
        for (i, row) in (0..).zip(rows) {
            for (j, &value) in (0..).zip(row) {
                assert_eq!(grundy(i, j, &Unlimited), Ok(value), "({i},{j})");
            }
        }
    }

    #[test]
    fn values_agree_with_the_definition() {
        let n = 24;
        let mut table = vec![vec![0; n + 1]; n + 1];
        for i in 0..=n {
            for j in 0..=n {
                let row = (0..j).map(|y| table[i][y]);
                let column = (0..i).map(|x| table[x][j]);
                let diagonal = (1..=i.min(j)).map(|t| table[i - t][j - t]);
                table[i][j] = crate::nimber::mex(row.chain(column).chain(diagonal));
            }
        }
        for (i, j) in [(24, 24), (13, 21), (0, 24), (24, 7)] {
            assert_eq!(grundy(i as u64, j as u64, &Unlimited), Ok(table[i][j]));
        }
    }

    #[test]
    fn large_tables_are_refused_before_they_are_made() {
        assert!(matches!(grundy(u64::MAX, u64::MAX, &Unlimited), Err(StopReason::Size { .. })));
        assert!(matches!(grundy(1, 1 << 40, &Unlimited), Err(StopReason::Size { .. })));
        assert_eq!(grundy(1000, 1000, &TickLimit::new(3)), Err(StopReason::Time));
    }
}
