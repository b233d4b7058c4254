//! All P-positions of Chomp in a box, by a sieve keyed by the rows below the first.
//!
//! For fixed lower rows (the *tail*) at most one first row gives a P-position: from the longer of two
//! such rows one could bite down to the shorter. So one small number a tail is the whole table, and one
//! pass finds it for every width of the board.

use std::sync::atomic::{AtomicU8, AtomicU16, Ordering::Relaxed};

use crate::poset::{Diagram, ElementSet, Words};
use semilinear::run::{Monitor, StopReason};

use super::blocks;
use super::first_rows::FirstRows;
use super::rank::{Ranking, advance, wavefront};

/// The largest table, in tails; each takes one or two bytes, or, where many rows are solved block by block, five bytes for each that has a P-position.
pub const MAX_TAILS: usize = 1 << 31;

/// The P-positions of Chomp inside a board.
///
/// ```
/// use impartial::{run::Unlimited, solve::poset::chomp::Sieve};
/// let sieve = Sieve::new(3, 3, &Unlimited).unwrap();
/// // 1; 2,1; 3,1,1; 2,2,1; 3,2
/// assert_eq!(sieve.count(), 5);
/// assert!(sieve.is_p(&"3,1,1".parse().unwrap()));
/// ```
#[derive(Debug)]
pub struct Sieve {
    board: Diagram,
    ranking: Ranking,
    tops: Tops,
}

#[derive(Debug)]
enum Tops {
    Bytes(Vec<AtomicU8>),
    Words(Vec<AtomicU16>),
    /// Only of the tails that have a P-position.
    Few(FirstRows),
}

/// A cell of the table. Threads write different cells, and read only cells that were written in an
/// earlier wave; relaxed atomics say so in safe Rust at no cost.
trait Cell: Sync + Default {
    fn load(&self) -> usize;
    fn store(&self, value: usize);
}

impl Cell for AtomicU8 {
    #[inline]
    fn load(&self) -> usize {
        usize::from(self.load(Relaxed))
    }
    #[inline]
    fn store(&self, value: usize) {
        self.store(u8::try_from(value).expect("at most 255 columns"), Relaxed);
    }
}

impl Cell for AtomicU16 {
    #[inline]
    fn load(&self) -> usize {
        usize::from(self.load(Relaxed))
    }
    #[inline]
    fn store(&self, value: usize) {
        self.store(u16::try_from(value).expect("at most 65535 columns"), Relaxed);
    }
}

impl Sieve {
    /// Runs the sieve on a box.
    ///
    /// # Complexity
    /// C(rows + columns − 1, rows − 1) tails, one byte each (two from 256 columns on; up to 63 columns five bytes for each tail that has a P-position), and for each at
    /// most as many lookups as it has squares, most of them for many tails at once.
    pub fn new(rows: usize, columns: usize, monitor: &dyn Monitor) -> Result<Self, StopReason> {
        let board = Diagram::rectangle(rows, columns as u64);
        Self::for_board(&board.map_err(|_| too_large())?, monitor)
    }

    /// Runs the sieve on the positions inside a board.
    pub fn for_board(board: &Diagram, monitor: &dyn Monitor) -> Result<Self, StopReason> {
        let (first, tail) = board.rows().split_first().expect("a board has the poisoned square");
        let (Ok(width), Ok(tail)) =
            (u16::try_from(*first), tail.iter().map(|&row| u16::try_from(row)).collect::<Result<Vec<_>, _>>())
        else {
            return Err(too_large());
        };
        let width = usize::from(width);
        let bounds: Vec<usize> = tail.into_iter().map(usize::from).collect();
        let exact = Ranking::new(&bounds, MAX_TAILS);
        // The block engine wants all tails of a box; it is worth some more of them.
        let in_box = vec![bounds.first().copied().unwrap_or(0); bounds.len()];
        let most = exact.as_ref().map_or(0, |exact| exact.size().saturating_mul(16).min(MAX_TAILS));
        let boxed = (width < 64 && bounds.len() > 1).then(|| Ranking::new(&in_box, most)).flatten();
        let (ranking, tops) = match (boxed, exact) {
            (Some(ranking), _) => {
                let tops = Tops::Few(blocks::table(&ranking, width, monitor)?);
                (ranking, tops)
            }
            (None, Some(ranking)) => {
                let tops = match width {
                    0..=63 => Tops::Bytes(table::<_, [u64; 1]>(&ranking, width, monitor)?),
                    64..=255 => Tops::Bytes(table::<_, [u64; 4]>(&ranking, width, monitor)?),
                    _ => Tops::Words(table::<_, ElementSet>(&ranking, width, monitor)?),
                };
                (ranking, tops)
            }
            (None, None) => return Err(too_large()),
        };
        Ok(Self { board: board.clone(), ranking, tops })
    }

    /// The board.
    pub fn board(&self) -> &Diagram {
        &self.board
    }

    fn top(&self, rank: usize) -> usize {
        match &self.tops {
            Tops::Bytes(cells) => Cell::load(&cells[rank]),
            Tops::Words(cells) => Cell::load(&cells[rank]),
            Tops::Few(rows) => rows.row(rank),
        }
    }

    /// The first row that makes a P-position with these lower rows, if one fits into the board.
    pub fn first_row(&self, tail: &[u64]) -> Option<u64> {
        match self.top(self.ranking.rank(tail)) {
            0 => None,
            top => Some(top as u64),
        }
    }

    /// Whether a position inside the board is a P-position.
    pub fn is_p(&self, position: &Diagram) -> bool {
        let (first, tail) = position.rows().split_first().expect("a position has the poisoned square");
        self.first_row(tail) == Some(*first)
    }

    /// The number of P-positions on the board.
    pub fn count(&self) -> u64 {
        if self.ranking.bounds().iter().zip(&self.board.rows()[1..]).all(|(&bound, &row)| bound as u64 == row) {
            if let Tops::Few(rows) = &self.tops {
                return rows.len() as u64;
            }
            return (0..self.ranking.size()).filter(|&rank| self.top(rank) > 0).count() as u64;
        }
        self.count_in(&self.board)
    }

    /// The number of P-positions inside `board`, a diagram inside the sieve's own board.
    pub fn count_in(&self, board: &Diagram) -> u64 {
        let mut count = 0;
        self.for_each_in(board, |_, _| count += 1);
        count
    }

    /// Calls `visit(first row, tail)` for every P-position inside `board`, a diagram inside the sieve's own board, in
    /// the order of the tails; tails have trailing zeros.
    pub fn for_each_in(&self, board: &Diagram, mut visit: impl FnMut(u64, &[usize])) {
        let mut bounds: Vec<usize> =
            board.rows()[1..].iter().map(|&row| usize::try_from(row).expect("inside the board")).collect();
        bounds.resize(self.ranking.rows(), 0);
        if let Tops::Few(rows) = &self.tops {
            return rows.for_each(&self.ranking, |top, tail| {
                if top as u64 <= board.columns() && tail.iter().zip(&bounds).all(|(row, bound)| row <= bound) {
                    visit(top as u64, tail);
                }
            });
        }
        let mut tail = vec![0; self.ranking.rows()];
        loop {
            let rank: usize = tail.iter().enumerate().map(|(t, &x)| self.ranking.weight(t, x)).sum();
            let top = self.top(rank) as u64;
            if (1..=board.columns()).contains(&top) {
                visit(top, &tail);
            }
            if !advance(&mut tail, &bounds, 0) {
                return;
            }
        }
    }

    /// Every winning move of a position inside the board, as bites (row, column) from 1.
    pub fn winning_moves(&self, position: &Diagram) -> Vec<(usize, u64)> {
        let after = |&(row, column): &(usize, u64)| position.bitten(row, column).expect("a bite of the position");
        position.bites().filter(|bite| self.is_p(&after(bite))).collect()
    }
}

fn too_large() -> StopReason {
    StopReason::Size { what: "tails in the Chomp table", limit: MAX_TAILS as u64 }
}

fn table<C: Cell, S: Words>(ranking: &Ranking, width: usize, monitor: &dyn Monitor) -> Result<Vec<C>, StopReason> {
    let mut cells: Vec<C> = Vec::new();
    cells.try_reserve_exact(ranking.size()).map_err(|_| StopReason::Memory)?;
    cells.resize_with(ranking.size(), C::default);
    let k = ranking.rows();
    if k == 0 {
        cells[0].store(1);
        return Ok(cells);
    }
    // room[q]: the first rows that are possible above a second row q.
    let room: Vec<S> = (0..=ranking.columns())
        .map(|q| {
            let mut set = S::full(width + 1);
            (0..q.max(1)).for_each(|p| set.remove(p));
            set
        })
        .collect();
    wavefront(ranking.bounds(), 1024, monitor, &|block| {
        let mut before = vec![0; k + 1];
        let mut after = vec![0; k + 1];
        block.for_each(|tail| {
            for t in 0..k {
                before[t + 1] = before[t] + ranking.weight(t, tail[t]);
            }
            for t in (0..k).rev() {
                after[t] = after[t + 1] + ranking.weight(t, tail[t]);
            }
            let top = least_top(ranking, &cells, tail, &before, &after, &room[tail[0]]);
            cells[before[k]].store(top);
        });
    })?;
    Ok(cells)
}

/// The least first row that no bite takes to a P-position, or 0 when there is none in the box.
#[inline]
fn least_top<C: Cell, S: Words>(
    ranking: &Ranking,
    cells: &[C],
    tail: &[usize],
    before: &[usize],
    after: &[usize],
    room: &S,
) -> usize {
    let mut free = room.clone();
    for e in (1..=tail.len()).rev() {
        let shorter = tail.get(e).copied().unwrap_or(0);
        // The columns j that exactly the rows 0..e reach.
        for j in shorter..tail[e - 1] {
            let equal = ranking.equal(j);
            let base = equal[e] + after[e];
            for i in (0..e).rev() {
                let top = cells[base + before[i] - equal[i]].load();
                if top > 0 {
                    if i == 0 && top == j {
                        // Biting the first row down to j reaches a P-position, however long it is.
                        return 0;
                    }
                    free.remove(top);
                }
            }
            if free.is_empty() {
                return 0;
            }
        }
    }
    free.first().unwrap_or(0)
}
