//! Strata along given rays that cover what is said of a square: its P-positions, or all of it by values.

use std::collections::BTreeMap;

use super::grid::Grid;
use super::{Stratum, Vector2, det};
use semilinear::run::{Monitor, StopReason};

/// More translates than this are no description.
const MOST_TRANSLATES: usize = 200_000;

/// Disjoint strata of one value each that cover all points with values in the lower left part of the square; `None` when points remain
/// uncovered far out, so that the rays are wrong or the square is too small.
///
/// Points of no sector go along the first ray that does, or along the `nearest`: far from it others may be periods too.
pub(super) fn strata(
    grid: &Grid,
    rays: &[Vector2],
    nearest: bool,
    monitor: &dyn Monitor,
) -> Result<Option<Vec<Stratum>>, StopReason> {
    let side = grid.side;
    let index = |x: i64, y: i64| usize::try_from(y * side + x).expect("inside the square");
    let mut covered = vec![false; usize::try_from(side * side).expect("a square in memory")];
    let mut found: BTreeMap<(u8, Vec<usize>), Vec<Vector2>> = BTreeMap::new();
    let mut translates = 0;
    // Points near the square's far edges have too few successors to be judged.
    let inner = side / 2;
    for sum in 0..=2 * (inner - 1) {
        monitor.check(u64::try_from(sum).unwrap_or(0), None)?;
        for x in (sum - inner + 1).max(0)..=sum.min(inner - 1) {
            let y = sum - x;
            let Some(value) = grid.value(x, y).filter(|_| !covered[index(x, y)]) else { continue };
            let generators = choice(grid, rays, nearest, [x, y], |x, y| covered[index(x, y)]);
            let vectors: Vec<Vector2> = generators.iter().map(|&g| rays[g]).collect();
            each(side, [x, y], &vectors, |x, y| {
                covered[index(x, y)] = true;
                true
            });
            // A point that begins a stratum late should have belonged to an earlier one.
            if generators.len() < 2 && x.max(y) > inner * 3 / 4 && translates > 0 {
                return Ok(None);
            }
            found.entry((value, generators)).or_default().push([x, y]);
            translates += 1;
            if translates > MOST_TRANSLATES {
                return Ok(None);
            }
        }
    }
    Ok(Some(
        found
            .into_iter()
            .map(|((value, generators), mut points)| {
                points.sort_unstable();
                Stratum { value, generators, points }
            })
            .collect(),
    ))
}

/// The largest stratum at f that has one value and stays outside what is covered.
fn choice(grid: &Grid, rays: &[Vector2], nearest: bool, f: Vector2, covered: impl Fn(i64, i64) -> bool) -> Vec<usize> {
    let value = grid.value(f[0], f[1]);
    let fits = |generators: &[usize]| {
        let vectors: Vec<Vector2> = generators.iter().map(|&g| rays[g]).collect();
        each(grid.side, f, &vectors, |x, y| !covered(x, y) && grid.value(x, y) == value)
    };
    let mut pairs: Vec<Vec<usize>> = (0..rays.len() - 1).map(|i| vec![i, i + 1]).collect();
    // The sector in which f lies first.
    pairs.sort_by_key(|pair| !(det(rays[pair[0]], f) >= 0 && det(f, rays[pair[1]]) >= 0));
    #[expect(clippy::cast_precision_loss, reason = "rays of like distance may be tried in any order")]
    let distance = |ray: Vector2| (det(ray, f) as f64).abs() / (ray[0] as f64).hypot(ray[1] as f64);
    let mut single: Vec<Vec<usize>> = (0..rays.len()).map(|i| vec![i]).collect();
    if nearest {
        single.sort_by(|a, b| distance(rays[a[0]]).total_cmp(&distance(rays[b[0]])));
    }
    pairs.into_iter().chain(single).find(|generators| fits(generators)).unwrap_or_default()
}

/// Visits all points f + ℕ{vectors} of the square until `visit` says no; says whether it never did.
fn each(side: i64, f: Vector2, vectors: &[Vector2], mut visit: impl FnMut(i64, i64) -> bool) -> bool {
    let inside = |p: Vector2| p[0] >= 0 && p[1] >= 0 && p[0] < side && p[1] < side;
    let zero = [0, 0];
    let u = vectors.first().copied().unwrap_or(zero);
    let v = vectors.get(1).copied().unwrap_or(zero);
    let mut row = f;
    while inside(row) {
        let mut p = row;
        while inside(p) {
            if !visit(p[0], p[1]) {
                return false;
            }
            if u == zero {
                break;
            }
            p = [p[0] + u[0], p[1] + u[1]];
        }
        if v == zero {
            break;
        }
        row = [row[0] + v[0], row[1] + v[1]];
    }
    true
}
