//! The winning openings of all rectangles with the same number of rows.

use super::{MAX_FIRST_ROW_OF_FOUR, Sieve, four_rows, three_rows};
use crate::poset::Diagram;
use semilinear::run::{Monitor, StopReason};

/// Calls `visit(n, bites)` with every winning opening of the rectangle with `rows` rows and n columns, for n = 1, 2, …, `columns` in order; bites are
/// (row, column) from 1. What was visited before a stop is right.
///
/// ```
/// use impartial::{run::Unlimited, solve::poset::chomp::openings};
/// let mut found = Vec::new();
/// openings(4, 5, &Unlimited, |_, bites| found.push(bites.to_vec())).unwrap();
/// assert_eq!(found, [[(2, 1)], [(4, 2)], [(3, 2)], [(2, 2)], [(3, 3)]]);
/// ```
///
/// # Complexity
/// That of [`three_rows`] and [`four_rows`]; from five rows on that of [`Sieve`], which visits nothing before its table is complete.
pub fn openings(
    rows: usize,
    columns: u64,
    monitor: &dyn Monitor,
    mut visit: impl FnMut(u64, &[(usize, u64)]),
) -> Result<(), StopReason> {
    match rows {
        0 => {}
        1 | 2 => {
            for n in 1..=columns {
                monitor.check(n, Some(columns))?;
                match (rows, n) {
                    (1, 1) => visit(n, &[]),
                    (1, _) => visit(n, &[(1, 2)]),
                    // (n, n − 1) is a P-position.
                    _ => visit(n, &[(2, n)]),
                }
            }
        }
        3 => {
            // The P-positions come in batches of first rows.
            let mut found = Vec::new();
            three_rows(columns, None, monitor, |p, q, r| found.extend(opening(&[p, q, r]).map(|bite| (p, bite))))?;
            found.sort_unstable();
            let mut walk = Walk::default();
            for (n, bite) in found {
                walk.add(n, bite, &mut visit);
            }
            walk.flush(&mut visit);
        }
        4 if columns <= MAX_FIRST_ROW_OF_FOUR => {
            let mut walk = Walk::default();
            four_rows(columns, columns, columns, monitor, |position| {
                if let Some(bite) = opening(&position) {
                    walk.add(position[0], bite, &mut visit);
                }
            })?;
            walk.flush(&mut visit);
        }
        _ => {
            let too_large = || StopReason::Size { what: "columns", limit: u64::from(u16::MAX) };
            let sieve = Sieve::new(rows, usize::try_from(columns).map_err(|_| too_large())?, monitor)?;
            for n in 1..=columns {
                let rectangle = Diagram::rectangle(rows, n).map_err(|_| too_large())?;
                visit(n, &sieve.winning_moves(&rectangle));
            }
        }
    }
    Ok(())
}

/// The bite that leaves a position of the rectangle with its first row and as many rows, if it is one bite.
fn opening(position: &[u64]) -> Option<(usize, u64)> {
    let whole = position.iter().take_while(|&&row| row == position[0]).count();
    let (&length, rest) = position[whole..].split_first()?;
    rest.iter().all(|&row| row == length).then_some((whole + 1, length + 1))
}

/// The openings of one rectangle after the other. Each has one (by strategy stealing), so that the next rectangle is heard of.
#[derive(Default)]
struct Walk {
    columns: u64,
    bites: Vec<(usize, u64)>,
}

impl Walk {
    fn add(&mut self, columns: u64, bite: (usize, u64), visit: &mut impl FnMut(u64, &[(usize, u64)])) {
        if columns != self.columns {
            self.flush(visit);
            self.columns = columns;
        }
        self.bites.push(bite);
    }

    fn flush(&mut self, visit: &mut impl FnMut(u64, &[(usize, u64)])) {
        if !self.bites.is_empty() {
            self.bites.sort_unstable();
            visit(self.columns, &self.bites);
            self.bites.clear();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use semilinear::run::Unlimited;

    /// Walks and sieve agree.
    #[test]
    fn all_engines_agree() {
        for (rows, columns) in [(1, 9), (2, 9), (3, 40), (4, 40)] {
            let sieve = Sieve::new(rows, columns, &Unlimited).unwrap();
            let mut next = 1;
            openings(rows, columns as u64, &Unlimited, |n, bites| {
                assert_eq!(n, next);
                assert_eq!(bites, sieve.winning_moves(&Diagram::rectangle(rows, n).unwrap()), "{rows} x {n}");
                next += 1;
            })
            .unwrap();
            assert_eq!(next, columns as u64 + 1);
        }
        let mut five = Vec::new();
        openings(5, 6, &Unlimited, |_, bites| five.push(bites.to_vec())).unwrap();
        assert_eq!(five, [[(2, 1)], [(5, 2)], [(4, 3)], [(3, 3)], [(2, 2)], [(3, 4)]].map(Vec::from));
        openings(0, 6, &Unlimited, |_, _| unreachable!("no rows")).unwrap();
        openings(4, 0, &Unlimited, |_, _| unreachable!("no columns")).unwrap();
        assert!(openings(4, 1 << 40, &Unlimited, |_, _| ()).is_err());
    }
}
