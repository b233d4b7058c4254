//! Which of many points is nowhere larger than a given one: trees that leave out whole groups of points.

/// Values are compared in groups of this many.
const STEP: usize = 4;
/// Points of a leaf.
const LEAF: usize = 8;
/// Points that are looked at one by one before they go into a tree.
const LOOSE: usize = 64;

/// Points by their values, in trees of sizes 64, 128, 256, …: a new one joins the smaller ones (Bentley and Saxe).
#[derive(Debug)]
pub(super) struct Forest {
    /// The number of values, rounded up to a multiple of [`STEP`].
    width: usize,
    trees: Vec<Tree>,
    loose: Vec<i32>,
}

/// Points in order, divided in halves again and again along the value that differs most, until a leaf is left.
#[derive(Debug)]
struct Tree {
    rows: Vec<i32>,
    /// Node 1 is all points; nodes 2k and 2k + 1 are the halves of node k. For each, the least values of its points.
    least: Vec<i32>,
}

impl Forest {
    /// A forest of points with so many values.
    pub fn new(values: usize) -> Self {
        Self { width: padded(values), trees: Vec::new(), loose: Vec::new() }
    }

    /// Takes a row.
    pub fn push(&mut self, row: &[i32]) {
        self.loose.extend_from_slice(row);
        if self.loose.len() < LOOSE * self.width {
            return;
        }
        let mut rows = std::mem::take(&mut self.loose);
        while self.trees.last().is_some_and(|tree| tree.rows.len() <= rows.len()) {
            rows.extend(self.trees.pop().expect("there is a last one").rows);
        }
        self.trees.push(Tree::new(&rows, self.width));
    }

    /// Takes many rows.
    pub fn extend(&mut self, rows: &[i32]) {
        if !rows.is_empty() {
            self.trees.push(Tree::new(rows, self.width));
            self.trees.sort_by_key(|tree| std::cmp::Reverse(tree.rows.len()));
        }
    }

    /// A point none of whose values exceeds that of the row.
    pub fn below(&self, row: &[i32]) -> Option<&[i32]> {
        let in_trees = || self.trees.iter().find_map(|tree| tree.below(1, 0, tree.rows.len() / self.width, row));
        in_trees().or_else(|| self.loose.chunks_exact(self.width).find(|h| below(h, row)))
    }
}

impl Tree {
    fn new(rows: &[i32], width: usize) -> Self {
        let points: Vec<&[i32]> = rows.chunks_exact(width).collect();
        let mut order: Vec<usize> = (0..points.len()).collect();
        let leaves = points.len().div_ceil(LEAF).next_power_of_two();
        let mut least = vec![i32::MAX; 2 * leaves * width];
        divide(&points, &mut order, 1, &mut least, width);
        Self { rows: order.iter().flat_map(|&i| points[i]).copied().collect(), least }
    }

    fn below(&self, node: usize, from: usize, to: usize, row: &[i32]) -> Option<&[i32]> {
        let width = row.len();
        if !below(&self.least[node * width..][..width], row) {
            return None;
        }
        if to - from <= LEAF {
            return self.rows[from * width..to * width].chunks_exact(width).find(|h| below(h, row));
        }
        let middle = usize::midpoint(from, to);
        self.below(2 * node, from, middle, row).or_else(|| self.below(2 * node + 1, middle, to, row))
    }
}

/// Orders the points of a node, and notes its least values and those below it.
fn divide(points: &[&[i32]], order: &mut [usize], node: usize, least: &mut [i32], width: usize) {
    let own = &mut least[node * width..][..width];
    let mut most = vec![i32::MIN; width];
    for &i in &*order {
        for ((least, most), &x) in own.iter_mut().zip(&mut most).zip(points[i]) {
            *least = x.min(*least);
            *most = x.max(*most);
        }
    }
    if order.len() <= LEAF {
        return;
    }
    let spread = |c: &usize| i64::from(most[*c]) - i64::from(own[*c]);
    let widest = (0..width).max_by_key(spread).expect("there are values");
    let middle = order.len() / 2;
    order.select_nth_unstable_by_key(middle, |&i| points[i][widest]);
    let (low, high) = order.split_at_mut(middle);
    divide(points, low, 2 * node, least, width);
    divide(points, high, 2 * node + 1, least, width);
}

/// The number of values of a row.
pub(super) fn padded(values: usize) -> usize {
    values.next_multiple_of(STEP).max(STEP)
}

/// Whether no value of h exceeds that of x.
#[inline]
#[expect(clippy::needless_bitwise_bool, reason = "without branches the compiler compares whole chunks at once")]
pub(super) fn below(h: &[i32], x: &[i32]) -> bool {
    let (h, _) = h.as_chunks::<STEP>();
    let (x, _) = x.as_chunks::<STEP>();
    h.iter().zip(x).all(|(h, x)| h.iter().zip(x).fold(true, |below, (a, b)| below & (a <= b)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn a_point_below_is_found_when_there_is_one(
            values in 1usize..7,
            points in prop::collection::vec(prop::collection::vec(0i32..40, 7), 0..600),
            asked in prop::collection::vec(prop::collection::vec(0i32..40, 7), 20),
            split in 0usize..600,
        ) {
            let row = |x: &Vec<i32>| {
                let mut row = x[..values].to_vec();
                row.resize(padded(values), 0);
                row
            };
            let points: Vec<Vec<i32>> = points.iter().map(row).collect();
            let mut forest = Forest::new(values);
            let (many, single) = points.split_at(split.min(points.len()));
            forest.extend(&many.concat());
            for point in single {
                forest.push(point);
            }
            for x in asked.iter().map(row) {
                let smaller = |h: &[i32]| h.iter().zip(&x).all(|(a, b)| a <= b);
                match forest.below(&x) {
                    Some(h) => prop_assert!(smaller(h) && points.iter().any(|point| point == h)),
                    None => prop_assert!(!points.iter().any(|h| smaller(h))),
                }
            }
        }
    }
}
