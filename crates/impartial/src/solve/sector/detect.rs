//! Rays and their periods, read off far-out windows.

use num_integer::Integer as _;

use super::grid::Grid;
use super::{Vector2, det};
use crate::lattice::LatticeGame;
use semilinear::run::{Monitor, StopReason};

/// Side of the windows in which periods are looked for.
const WINDOW: i64 = 64;
/// A strip beside an edge is narrower than this many steps from window to window.
const STRIP: usize = 8;

/// The extreme rays of the board's recession cone, primitive, counterclockwise; `None` when it is not a cone with two.
pub(super) fn extreme_rays(game: &LatticeGame) -> Option<[Vector2; 2]> {
    let mut normals: Vec<Vector2> = vec![[1, 0], [0, 1]];
    normals.extend(game.inner_rows().iter().map(|row| [row[0], row[1]]).filter(|n| *n != [0, 0]));
    let inside = |r: Vector2| normals.iter().all(|n| n[0] * r[0] + n[1] * r[1] >= 0);
    let mut rays: Vec<Vector2> = normals
        .iter()
        .flat_map(|n| [[n[1], -n[0]], [-n[1], n[0]]])
        .filter(|r| inside(*r))
        .map(|r| {
            let g = r[0].gcd(&r[1]);
            [r[0] / g, r[1] / g]
        })
        .collect();
    rays.sort_by(|u, v| 0.cmp(&det(*u, *v)));
    rays.dedup();
    match rays.as_slice() {
        [u, v] if det(*u, *v) > 0 => Some([*u, *v]),
        _ => None,
    }
}

/// A window's place on the ring, and the lattice of its periods (a reduced basis in canonical form).
struct Seen {
    at: Vector2,
    lattice: Option<[Vector2; 2]>,
}

/// Guesses of the rays with their periods, counterclockwise, first and last along the board's edges, the likeliest first; none when the
/// square does not show them. With `strips` some are walls along the edges.
pub(super) fn rays(
    game: &LatticeGame,
    grid: &Grid,
    strips: bool,
    monitor: &dyn Monitor,
) -> Result<Vec<Vec<Vector2>>, StopReason> {
    let Some([first, last]) = extreme_rays(game) else { return Ok(vec![]) };
    let reach = grid.side / 6;
    let radius = grid.side - WINDOW - reach - 1;
    if radius < 2 * WINDOW {
        return Ok(vec![]);
    }
    // A ring of windows from the right edge over the corner to the upper edge, those that lie on the board.
    let step = (WINDOW / 2).max(radius / 256);
    let mut ring: Vec<Vector2> = (0..=radius / step).map(|k| [radius, k * step]).collect();
    ring.extend((0..radius / step).map(|k| [radius - (k + 1) * step, radius]));
    ring.retain(|c| {
        [[0, 0], [WINDOW, 0], [0, WINDOW], [WINDOW, WINDOW]].iter().all(|d| grid.on_board(c[0] + d[0], c[1] + d[1]))
    });
    let mut candidates: Vec<Vector2> =
        (0..=reach).flat_map(|y| (-reach..=reach).map(move |x| [x, y])).filter(|p| p[1] > 0 || p[0] > 0).collect();
    candidates.sort_by_key(|p| p[0] * p[0] + p[1] * p[1]);
    let mut seen = Vec::with_capacity(ring.len());
    // Neighbours usually share their lattice: try the last one before the long search.
    let mut previous: Option<[Vector2; 2]> = None;
    for (k, at) in ring.iter().enumerate() {
        monitor.check(k as u64, Some(ring.len() as u64))?;
        let repeats = |p: Vector2| grid.repeats(*at, WINDOW, WINDOW, p);
        let lattice = match previous {
            Some(basis) if basis.iter().all(|p| repeats(*p)) => Some(basis),
            _ => basis(&candidates, repeats),
        };
        previous = lattice.or(previous);
        seen.push(Seen { at: *at, lattice });
    }
    let rays = |narrow, strips| boundaries(grid, &seen, [first, last], reach, narrow, strips);
    let plain = rays(false, [false; 2]).or_else(|| rays(true, [false; 2]));
    let mut guesses = Vec::from_iter(plain);
    for sides in [[false, true], [true, false], [true; 2]].into_iter().filter(|_| strips) {
        monitor.check(ring.len() as u64, Some(ring.len() as u64))?;
        guesses.extend(rays(false, sides).filter(|rays| !guesses.contains(rays)));
    }
    Ok(guesses)
}

/// The two shortest independent periods: a basis of the lattice of periods.
fn basis(candidates: &[Vector2], repeats: impl Fn(Vector2) -> bool) -> Option<[Vector2; 2]> {
    let mut first = None;
    for &p in candidates {
        match first {
            None if repeats(p) => first = Some(p),
            Some(u) if det(u, p) != 0 && repeats(p) => return Some([u, p]),
            _ => {}
        }
    }
    None
}

fn in_lattice(p: Vector2, basis: [Vector2; 2]) -> bool {
    let d = det(basis[0], basis[1]);
    d != 0 && det(p, basis[1]) % d == 0 && det(basis[0], p) % d == 0
}

/// A ray for each change of the lattice along the ring, and one along each edge. Where sectors may be `narrow`, one window shows one. What few
/// windows show beside an edge with `strips` is no sector, but ends at a wall along the edge.
fn boundaries(
    grid: &Grid,
    seen: &[Seen],
    edges: [Vector2; 2],
    reach: i64,
    narrow: bool,
    strips: [bool; 2],
) -> Option<Vec<Vector2>> {
    // Maximal runs of windows with one lattice.
    let mut runs: Vec<(usize, usize, [Vector2; 2])> = Vec::new();
    for (k, window) in seen.iter().enumerate() {
        let Some(lattice) = window.lattice else { continue };
        match runs.last_mut() {
            Some((_, end, known)) if *end + 1 == k && same(*known, lattice) => *end = k,
            _ => runs.push((k, k, lattice)),
        }
    }
    // A single window may lie across a ray and still repeat by chance, but hardly with periods that are many times in it.
    if runs.iter().any(|(a, b, _)| b > a) {
        let many = |[u, v]: [Vector2; 2]| det(u, v).abs() <= i128::from(WINDOW * WINDOW / 32);
        runs.retain(|(a, b, lattice)| b > a || narrow && many(*lattice));
    }
    let few = |run: &(usize, usize, [Vector2; 2])| run.1 - run.0 < STRIP;
    if strips[1] {
        runs.pop_if(|run| few(run))?;
    }
    if strips[0] {
        runs.first().filter(|run| few(run))?;
        runs.remove(0);
    }
    let (start, end) = (runs.first()?, runs.last()?);
    let mut rays = vec![edge(grid, edges[0], seen[start.0].at, start.2)?];
    for pair in runs.windows(2) {
        let (from, to) = (seen[pair[0].1].at, seen[pair[1].0].at);
        rays.push(between(grid, from, to, pair[0].2, pair[1].2, reach)?);
    }
    rays.push(edge(grid, edges[1], seen[end.1].at, end.2)?);
    let in_order = rays.windows(2).all(|pair| det(pair[0], pair[1]) > 0);
    in_order.then_some(rays)
}

fn same(a: [Vector2; 2], b: [Vector2; 2]) -> bool {
    b.iter().all(|p| in_lattice(*p, a)) && a.iter().all(|p| in_lattice(*p, b))
}

/// The rectangle that contains two windows, with its width rounded up to whole words.
fn hull(grid: &Grid, a: Vector2, b: Vector2) -> (Vector2, i64, i64) {
    let low = [a[0].min(b[0]), a[1].min(b[1])];
    let high = [a[0].max(b[0]) + WINDOW, a[1].max(b[1]) + WINDOW];
    let width = ((high[0] - low[0] + 63) / 64) * 64;
    let low = [low[0].min(grid.side - width), low[1]];
    (low, width, high[1] - low[1])
}

/// The shortest vector in both lattices, roughly towards the place between two windows, that is a period of all that
/// lies between them.
fn between(grid: &Grid, from: Vector2, to: Vector2, a: [Vector2; 2], b: [Vector2; 2], reach: i64) -> Option<Vector2> {
    let (corner, width, height) = hull(grid, from, to);
    let mut candidates: Vec<Vector2> = (0..=2 * reach)
        .flat_map(|y| (0..=2 * reach).map(move |x| [x, y]))
        // Between the directions of both windows, with room for the windows' own size.
        .filter(|p| {
            let slack = i128::from(3 * WINDOW) * i128::from(p[0] + p[1]);
            det(from, *p) >= -slack && det(*p, to) >= -slack
        })
        .filter(|p| *p != [0, 0] && in_lattice(*p, a) && in_lattice(*p, b))
        .collect();
    candidates.sort_by_key(|p| p[0] * p[0] + p[1] * p[1]);
    candidates.into_iter().find(|p| grid.repeats(corner, width, height, [-p[0], -p[1]]))
}

/// The shortest period along an edge of the board, of all that lies between the edge and the first window.
fn edge(grid: &Grid, ray: Vector2, window: Vector2, lattice: [Vector2; 2]) -> Option<Vector2> {
    // The edge's own place as far out as the window.
    let scale = window[0].max(window[1]) / ray[0].max(ray[1]);
    let place = [(ray[0] * scale - WINDOW).max(0), (ray[1] * scale - WINDOW).max(0)];
    let place = if ray[0] == 0 {
        [0, place[1]]
    } else if ray[1] == 0 {
        [place[0], 0]
    } else {
        place
    };
    let (corner, width, height) = hull(grid, place, window);
    (1..=grid.side / 3 / ray[0].max(ray[1]))
        .map(|k| [k * ray[0], k * ray[1]])
        .filter(|p| in_lattice(*p, lattice))
        .find(|p| grid.repeats(corner, width, height, [-p[0], -p[1]]))
}
