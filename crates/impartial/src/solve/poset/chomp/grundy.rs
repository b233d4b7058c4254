//! Grundy values of all Chomp positions inside a board.

use std::sync::atomic::{AtomicU16, Ordering::Relaxed};

use crate::poset::{Diagram, ElementSet, Words};
use semilinear::run::{Monitor, StopReason};

use super::rank::{Ranking, wavefront};

/// The largest table, in positions; each takes two bytes.
pub const MAX_POSITIONS: usize = 1 << 30;

/// The Grundy values of every position inside a board.
///
/// ```
/// use impartial::{run::Unlimited, solve::poset::chomp::GrundyTable};
/// let table = GrundyTable::new(&"4,4,4".parse().unwrap(), &Unlimited).unwrap();
/// assert_eq!(table.grundy(&"4,4,4".parse().unwrap()), 9);
/// assert_eq!(table.grundy(&"1".parse().unwrap()), 0);
/// ```
#[derive(Debug)]
pub struct GrundyTable {
    board: Diagram,
    ranking: Ranking,
    values: Vec<AtomicU16>,
}

impl GrundyTable {
    /// Fills the table for a board.
    ///
    /// # Complexity
    /// One entry of two bytes for each position inside the board (at most C(rows + columns, rows)), and for each as many lookups as it
    /// has squares.
    pub fn new(board: &Diagram, monitor: &dyn Monitor) -> Result<Self, StopReason> {
        let too_large = StopReason::Size { what: "positions in the Chomp table", limit: MAX_POSITIONS as u64 };
        // A Grundy value is at most the number of squares.
        if board.squares() > u128::from(u16::MAX) {
            return Err(too_large);
        }
        let bounds: Vec<usize> =
            board.rows().iter().map(|&row| usize::try_from(row).expect("fewer than 65536 squares")).collect();
        let Some(ranking) = Ranking::new(&bounds, MAX_POSITIONS) else { return Err(too_large) };
        let size = ranking.size();
        let mut values = Vec::new();
        values.try_reserve_exact(size).map_err(|_| StopReason::Memory)?;
        values.resize_with(size, AtomicU16::default);
        match board.squares() {
            0..64 => fill::<[u64; 1]>(board, &ranking, &values, monitor)?,
            64..256 => fill::<[u64; 4]>(board, &ranking, &values, monitor)?,
            _ => fill::<ElementSet>(board, &ranking, &values, monitor)?,
        }
        Ok(Self { board: board.clone(), ranking, values })
    }

    /// The board.
    pub fn board(&self) -> &Diagram {
        &self.board
    }

    /// The Grundy value of a position inside the board.
    pub fn grundy(&self, position: &Diagram) -> u32 {
        u32::from(self.values[self.ranking.rank(position.rows())].load(Relaxed))
    }
}

fn fill<S: Words>(
    board: &Diagram,
    ranking: &Ranking,
    values: &[AtomicU16],
    monitor: &dyn Monitor,
) -> Result<(), StopReason> {
    let k = ranking.rows();
    let squares = usize::try_from(board.squares()).expect("fewer than 65536 squares");
    let fresh = S::full(squares + 1);
    wavefront(ranking.bounds(), 256, monitor, &|block| {
        let mut before = vec![0; k + 1];
        let mut after = vec![0; k + 1];
        let mut absent = fresh.clone();
        block.for_each(|rows| {
            if rows[0] == 0 {
                return; // no poisoned square: not a position
            }
            for t in 0..k {
                before[t + 1] = before[t] + ranking.weight(t, rows[t]);
            }
            for t in (0..k).rev() {
                after[t] = after[t + 1] + ranking.weight(t, rows[t]);
            }
            absent.clone_from(&fresh);
            for e in (1..=k).rev() {
                let shorter = rows.get(e).copied().unwrap_or(0);
                for j in shorter..rows[e - 1] {
                    let equal = ranking.equal(j);
                    let base = equal[e] + after[e];
                    let first = usize::from(j == 0); // nobody bites the poisoned square
                    for i in first..e {
                        absent.remove(usize::from(values[base + before[i] - equal[i]].load(Relaxed)));
                    }
                }
            }
            let value = absent.first().expect("a position has fewer options than squares");
            values[before[k]].store(u16::try_from(value).expect("at most the number of squares"), Relaxed);
        });
    })
}
