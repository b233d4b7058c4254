//! Hilbert bases from inequalities: one halfspace after the other.

use super::dominance::{Forest, padded};
use super::hilbert_basis::irreducible_of_simplex;
use super::reducer::{Recent, degree};
use crate::run::{Monitor, StopReason};

/// A halfspace with more pairs of points on its two sides is left to the other algorithm.
const MOST_PAIRS: usize = 1 << 27;

/// A point by its values on all halfspaces, in the order of their use; those that come may be negative.
struct Point {
    values: Vec<i32>,
    /// For a point that was found as x + y on both sides of the last halfspace: the distance of the summand on the other side.
    other: i32,
}

/// The Hilbert basis of a full-dimensional pointed cone in ℤᵈ from its facets, as values on the facets; `None` when numbers do
/// not fit or the way is too long. Good for cones with few facets and many rays. The facets `first` are independent.
///
/// The dual algorithm (Pottier; Bruns and Ichim, J. Algebra 2010): the basis of the cone of the halfspaces so far is cut with
/// the next one, l ≥ 0. Sums x + y of points with l(x) > 0 > l(y) are added on their side unless they are reducible there,
/// until nothing new is found; then both sides have their Hilbert bases.
///
/// Let x be u + v with l(v) < 0 < l(u). A sum x + y with −l(y) > −l(v) is not needed: (u + y) + v is the same point, u + y has
/// a smaller degree, so is generated on its side, and what is left on the negative side is nearer to the hyperplane.
pub(super) fn from_facets(
    facets: &[Vec<i64>],
    first: &[usize],
    monitor: &dyn Monitor,
) -> Result<Option<Vec<Vec<i32>>>, StopReason> {
    let Some(start) = irreducible_of_simplex(facets, first, monitor)? else { return Ok(None) };
    let mut used = first.to_vec();
    let mut rest: Vec<usize> = (0..facets.len()).filter(|f| !first.contains(f)).collect();
    let value = |h: &[i64], x: &[i64]| {
        h.iter()
            .zip(x)
            .try_fold(0_i64, |sum, (a, b)| sum.checked_add(a.checked_mul(*b)?))
            .and_then(|v| i32::try_from(v).ok())
    };
    let of_facets = |x: &Vec<i64>| facets.iter().map(|h| value(h, x)).collect::<Option<Vec<i32>>>();
    let Some(mut basis) = start.iter().map(of_facets).collect::<Option<Vec<_>>>() else { return Ok(None) };
    while !rest.is_empty() {
        // The halfspace with the fewest pairs comes next.
        let pairs = |f: usize| {
            let positive = basis.iter().filter(|x| x[f] > 0).count();
            positive.saturating_mul(basis.iter().filter(|x| x[f] < 0).count())
        };
        let (place, fewest) = rest.iter().map(|&f| pairs(f)).enumerate().min_by_key(|p| p.1).expect("some are left");
        if fewest > MOST_PAIRS {
            return Ok(None);
        }
        let next = rest.swap_remove(place);
        match cut(basis, &used, next, monitor)? {
            Some(smaller) => basis = smaller,
            None => return Ok(None),
        }
        used.push(next);
    }
    Ok(Some(basis))
}

/// The points of one side of a halfspace.
struct Side {
    /// 1 or −1.
    sign: i32,
    points: Vec<Point>,
    /// The points before this one were paired with each other side's before.
    paired: usize,
    /// The same points, and those on the hyperplane, by their values on the halfspaces used and their distance.
    trees: Forest,
    recent: Recent,
    found: Vec<(i64, Vec<i32>, Point)>,
}

/// The Hilbert basis of C ∩ {l ≥ 0} from that of C; all points by their values on all facets, l being the facet `next`.
fn cut(
    basis: Vec<Vec<i32>>,
    used: &[usize],
    next: usize,
    monitor: &dyn Monitor,
) -> Result<Option<Vec<Vec<i32>>>, StopReason> {
    let key = |values: &[i32], row: &mut Vec<i32>| {
        row.clear();
        row.extend(used.iter().map(|&f| values[f]));
        row.push(values[next].abs());
        row.resize(padded(used.len() + 1), 0);
    };
    let side = |sign| Side {
        sign,
        points: Vec::new(),
        paired: 0,
        trees: Forest::new(used.len() + 1),
        recent: Recent::default(),
        found: Vec::new(),
    };
    let (mut positive, mut negative) = (side(1), side(-1));
    let mut neutral: Vec<Vec<i32>> = Vec::new();
    let mut row = Vec::new();
    for values in basis {
        key(&values, &mut row);
        match values[next].signum() {
            0 => {
                positive.trees.push(&row);
                negative.trees.push(&row);
                neutral.push(values);
            }
            sign => {
                let side = if sign > 0 { &mut positive } else { &mut negative };
                side.trees.push(&row);
                side.points.push(Point { values, other: i32::MAX });
            }
        }
    }
    let mut on_plane: Vec<(i64, Vec<i32>, Point)> = Vec::new();
    while positive.paired < positive.points.len() || negative.paired < negative.points.len() {
        if positive.points.len().saturating_mul(negative.points.len()) > 4 * MOST_PAIRS {
            return Ok(None);
        }
        for (i, x) in positive.points.iter().enumerate() {
            monitor.check(i as u64, Some(positive.points.len() as u64))?;
            // Pairs of old points were looked at before.
            let new = if i < positive.paired { negative.paired } else { 0 };
            for y in &negative.points[new..] {
                let (above, under) = (x.values[next], -y.values[next]);
                if under > x.other || above > y.other {
                    continue;
                }
                let distance = above - under;
                row.clear();
                for &f in used {
                    let Some(sum) = x.values[f].checked_add(y.values[f]) else { return Ok(None) };
                    row.push(sum);
                }
                row.push(distance.abs());
                row.resize(padded(used.len() + 1), 0);
                // A point on the hyperplane is irreducible on both sides or on none.
                let side = if distance < 0 { &mut negative.recent } else { &mut positive.recent };
                if side.reduces(&row) {
                    continue;
                }
                let trees = if distance < 0 { &negative.trees } else { &positive.trees };
                if let Some(reducer) = trees.below(&row) {
                    side.serve(reducer);
                    continue;
                }
                let sum = |(a, b): (&i32, &i32)| a.checked_add(*b);
                let Some(values) = x.values.iter().zip(&y.values).map(sum).collect::<Option<Vec<i32>>>() else {
                    return Ok(None);
                };
                let other = if distance < 0 { above } else { under };
                let list = match distance.signum() {
                    0 => &mut on_plane,
                    1 => &mut positive.found,
                    _ => &mut negative.found,
                };
                list.push((degree(&row), row.clone(), Point { values, other }));
            }
        }
        (positive.paired, negative.paired) = (positive.points.len(), negative.points.len());
        // What reduces a point has a smaller degree; of equal points the one that spares most pairs is kept.
        let sorted = |list: &mut Vec<(i64, Vec<i32>, Point)>| {
            let mut list = std::mem::take(list);
            list.sort_unstable_by(|a, b| (a.0, &a.1, a.2.other).cmp(&(b.0, &b.1, b.2.other)));
            list.dedup_by(|a, b| a.1 == b.1);
            list
        };
        // Points on the hyperplane reduce those of both sides.
        for (_, row, point) in sorted(&mut on_plane) {
            if positive.trees.below(&row).is_none() {
                positive.trees.push(&row);
                negative.trees.push(&row);
                neutral.push(point.values);
            }
        }
        for side in [&mut positive, &mut negative] {
            for (_, row, point) in sorted(&mut side.found) {
                debug_assert_eq!(point.values[next].signum(), side.sign, "a point lies on its side");
                if side.trees.below(&row).is_none() {
                    side.trees.push(&row);
                    side.points.push(point);
                }
            }
        }
    }
    // A later point can reduce an earlier one.
    let all = neutral.into_iter().chain(positive.points.into_iter().map(|point| point.values));
    let mut order: Vec<(i64, Vec<i32>, Vec<i32>)> = all
        .map(|values| {
            key(&values, &mut row);
            (degree(&row), row.clone(), values)
        })
        .collect();
    order.sort_unstable();
    let mut trees = Forest::new(used.len() + 1);
    let mut kept = Vec::new();
    for (_, row, values) in order {
        if trees.below(&row).is_none() {
            trees.push(&row);
            kept.push(values);
        }
    }
    Ok(Some(kept))
}
