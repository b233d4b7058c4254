//! The first rows of the tails that have a P-position.

use super::rank::Ranking;

/// The numbers of the tails that have a P-position, increasing, and its first row.
#[derive(Debug, Default)]
pub(super) struct FirstRows {
    tails: Vec<u32>,
    rows: Vec<u8>,
}

impl FirstRows {
    /// Adds a tail after all others.
    pub fn push(&mut self, tail: usize, row: usize) {
        self.tails.push(u32::try_from(tail).expect("at most 2³¹ tails"));
        self.rows.push(u8::try_from(row).expect("at most 63 columns"));
    }

    pub fn len(&self) -> usize {
        self.tails.len()
    }

    /// The first row of a tail, or 0.
    pub fn row(&self, tail: usize) -> usize {
        let place = u32::try_from(tail).ok().and_then(|tail| self.tails.binary_search(&tail).ok());
        place.map_or(0, |place| usize::from(self.rows[place]))
    }

    /// Calls with every first row and its tail, in the order of the tails.
    pub fn for_each(&self, ranking: &Ranking, mut visit: impl FnMut(usize, &[usize])) {
        let mut tail = vec![0; ranking.rows()];
        for (&number, &row) in self.tails.iter().zip(&self.rows) {
            ranking.sequence(number as usize, &mut tail);
            visit(usize::from(row), &tail);
        }
    }
}
