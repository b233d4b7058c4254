//! Irreducible points of a cone, found among many in flat machine integers.

use crate::run::{Monitor, StopReason};

/// New points that are kept before they are reduced.
const MOST_NEW: usize = 1 << 17;
/// The reducers that served last are tried first.
const RECENT: usize = 8;

/// Points of a pointed cone, given by their values on its facets: x − h lies in the cone iff no value of h exceeds that of x.
/// Points that are the sum of two others of the cone are dropped as they are found.
///
/// # Complexity
/// O(n·b·f) for n points, b that are kept and f facets, at worst; most comparisons end at the first values.
pub(super) struct Reducer {
    /// The number of facets, rounded up to a multiple of [`STEP`].
    width: usize,
    /// Values of the points that cannot be reduced so far, none of them by another.
    kept: Vec<i32>,
    new: Vec<i32>,
    /// Points that reduced others lately, the last one first, with their degrees.
    recent: Vec<(i64, Vec<i32>)>,
}

/// Values are compared in groups of this many.
const STEP: usize = 4;

impl Reducer {
    pub fn new(facets: usize) -> Self {
        let width = facets.next_multiple_of(STEP);
        Self { width, kept: Vec::new(), new: Vec::new(), recent: Vec::new() }
    }

    /// Takes a point that is not 0 by its values on the facets, none negative.
    pub fn push(&mut self, values: impl Iterator<Item = i32>, monitor: &dyn Monitor) -> Result<(), StopReason> {
        let from = self.new.len();
        self.new.extend(values);
        self.new.resize(from + self.width, 0);
        if reduced(&mut self.recent, &self.new[from..]) {
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
        Ok(self.kept.chunks_exact(self.width.max(1)).map(<[i32]>::to_vec).collect())
    }

    fn reduce(&mut self, monitor: &dyn Monitor) -> Result<(), StopReason> {
        let width = self.width.max(1);
        let (old, new) = (std::mem::take(&mut self.kept), std::mem::take(&mut self.new));
        let rows = |list| <[i32]>::chunks_exact(list, width).map(|row| (degree(row), row));
        // Old points come before equal new ones.
        let mut order: Vec<(i64, &[i32], bool)> = rows(&old).map(|(degree, row)| (degree, row, false)).collect();
        order.extend(rows(&new).map(|(degree, row)| (degree, row, true)));
        order.sort_unstable();
        order.dedup_by_key(|&mut (_, row, _)| row);
        // Old points were compared with one another before.
        let (mut kept_old, mut kept_new) = (Kept::default(), Kept::default());
        let total = order.len() as u64;
        let mut left: Vec<&[i32]> = Vec::with_capacity(old.len() / width);
        for (done, &(degree, row, is_new)) in order.iter().enumerate() {
            if done % 64 == 0 {
                monitor.check(done as u64, Some(total))?;
            }
            if is_new && reduced(&mut self.recent, row) {
                continue;
            }
            let mut reducer = kept_new.reducer(width, degree, row);
            if is_new && reducer.is_none() {
                reducer = kept_old.reducer(width, degree, row);
            }
            if let Some(reducer) = reducer {
                self.recent.truncate(RECENT - 1);
                self.recent.insert(0, reducer);
            } else {
                left.push(row);
                if is_new { &mut kept_new } else { &mut kept_old }.push(degree, row);
            }
        }
        self.kept = left.concat();
        Ok(())
    }
}

/// Points by increasing degree.
#[derive(Default)]
struct Kept {
    values: Vec<i32>,
    degrees: Vec<i64>,
}

impl Kept {
    fn push(&mut self, degree: i64, row: &[i32]) {
        self.values.extend_from_slice(row);
        self.degrees.push(degree);
    }

    /// A point that can be subtracted, with its degree. If the row is a sum, one of its irreducible summands has at most half
    /// its degree.
    fn reducer(&self, width: usize, degree: i64, row: &[i32]) -> Option<(i64, Vec<i32>)> {
        let last = self.degrees.partition_point(|&d| 2 * d <= degree);
        let place = self.values[..last * width].chunks_exact(width).position(|h| below(h, row))?;
        Some((self.degrees[place], self.values[place * width..(place + 1) * width].to_vec()))
    }
}

fn degree(row: &[i32]) -> i64 {
    row.iter().map(|&v| i64::from(v)).sum()
}

/// Whether one of the recent reducers can be subtracted from a point of larger degree; it becomes the first of them.
fn reduced(recent: &mut [(i64, Vec<i32>)], row: &[i32]) -> bool {
    let able = |(less, h): &(i64, Vec<i32>)| below(h, row) && *less < degree(row);
    match recent.iter().position(able) {
        Some(place) => {
            recent[..=place].rotate_right(1);
            true
        }
        None => false,
    }
}

/// Whether no value of h exceeds that of x.
#[inline]
#[expect(clippy::needless_bitwise_bool, reason = "without branches the compiler compares whole chunks at once")]
fn below(h: &[i32], x: &[i32]) -> bool {
    let (h, _) = h.as_chunks::<STEP>();
    let (x, _) = x.as_chunks::<STEP>();
    h.iter().zip(x).all(|(h, x)| h.iter().zip(x).fold(true, |below, (a, b)| below & (a <= b)))
}
