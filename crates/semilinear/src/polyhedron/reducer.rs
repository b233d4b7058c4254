//! Irreducible points of a cone, found among many in flat machine integers.

use super::dominance::{Forest, below, padded};
use crate::run::{Monitor, StopReason};

/// New points that are kept before they are reduced.
const MOST_NEW: usize = 1 << 17;
/// The reducers that served last are tried first.
const RECENT: usize = 8;

/// Points of a pointed cone, given by their values on its facets: x − h lies in the cone iff no value of h exceeds that of x.
/// Points that are the sum of two others of the cone are dropped as they are found.
///
/// # Complexity
/// O(n·b·f) for n points, b that are kept and f facets, at worst; trees leave out most comparisons.
pub(super) struct Reducer {
    /// The number of facets, rounded up.
    width: usize,
    /// Values of the points that cannot be reduced so far, none of them by another.
    kept: Vec<i32>,
    new: Vec<i32>,
    recent: Recent,
}

impl Reducer {
    pub fn new(facets: usize) -> Self {
        Self { width: padded(facets), kept: Vec::new(), new: Vec::new(), recent: Recent::default() }
    }

    /// Takes a point that is not 0 by its values on the facets, none negative.
    pub fn push(&mut self, values: impl Iterator<Item = i32>, monitor: &dyn Monitor) -> Result<(), StopReason> {
        let from = self.new.len();
        self.new.extend(values);
        self.new.resize(from + self.width, 0);
        if self.recent.reduces(&self.new[from..]) {
            self.new.truncate(from);
        }
        if self.new.len() >= MOST_NEW * self.width && self.new.len() > self.kept.len() {
            self.reduce(monitor)?;
        }
        Ok(())
    }

    /// The values of the points that are left, once all were given.
    pub fn finish(mut self, monitor: &dyn Monitor) -> Result<Vec<Vec<i32>>, StopReason> {
        self.reduce(monitor)?;
        Ok(self.kept.chunks_exact(self.width).map(<[i32]>::to_vec).collect())
    }

    fn reduce(&mut self, monitor: &dyn Monitor) -> Result<(), StopReason> {
        let width = self.width;
        let (old, new) = (std::mem::take(&mut self.kept), std::mem::take(&mut self.new));
        let mut old_trees = Forest::new(width);
        old_trees.extend(&old);
        // Whatever reduces a point has a smaller degree. Equal points reduce one another: the first one is kept.
        let mut order: Vec<(i64, &[i32])> = new.chunks_exact(width).map(|row| (degree(row), row)).collect();
        order.sort_unstable();
        order.dedup();
        let mut new_trees = Forest::new(width);
        let mut left: Vec<&[i32]> = Vec::new();
        let total = (order.len() + old.len() / width) as u64;
        monitor.phase("candidates of the basis");
        for (done, &(_, row)) in order.iter().enumerate() {
            if done % 64 == 0 {
                monitor.check(done as u64, Some(total))?;
            }
            if self.recent.reduces(row) {
                continue;
            }
            if let Some(reducer) = new_trees.below(row).or_else(|| old_trees.below(row)) {
                self.recent.serve(reducer);
            } else {
                left.push(row);
                new_trees.push(row);
            }
        }
        // Old points were compared with one another before.
        for (done, row) in old.chunks_exact(width).enumerate() {
            if done % 64 == 0 {
                monitor.check((order.len() + done) as u64, Some(total))?;
            }
            if new_trees.below(row).is_none() {
                left.push(row);
            }
        }
        self.kept = left.concat();
        Ok(())
    }
}

/// Points that reduced others lately, the last one first, with their degrees.
#[derive(Default)]
pub(super) struct Recent(Vec<(i64, Vec<i32>)>);

impl Recent {
    /// Whether one of the points can be subtracted from a point of larger degree; it becomes the first of them.
    pub fn reduces(&mut self, row: &[i32]) -> bool {
        let able = |(less, h): &(i64, Vec<i32>)| below(h, row) && *less < degree(row);
        match self.0.iter().position(able) {
            Some(place) => {
                self.0[..=place].rotate_right(1);
                true
            }
            None => false,
        }
    }

    /// Notes a point that reduced another.
    pub fn serve(&mut self, row: &[i32]) {
        self.0.truncate(RECENT - 1);
        self.0.insert(0, (degree(row), row.to_vec()));
    }
}

/// The sum of the values.
pub(super) fn degree(row: &[i32]) -> i64 {
    row.iter().map(|&v| i64::from(v)).sum()
}
