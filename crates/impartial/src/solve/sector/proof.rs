//! The finite proof: when strata along rays are the P-positions of a game, or its Grundy values.
//!
//! Let all points that matter (the board B, the strata S and S + Γ) lie in a + C for the cone C between the first and
//! the last ray. A point x = a + αu + βv of the sector between neighbouring rays u, v satisfies the equation of the
//! P-positions, or of the values, iff x + u does, once α is at least a bound that depends on the strata, rules and inequalities only:
//! membership of x and all x − γ in every stratum is then the same at x and x + u, since a stratum with generator u
//! keeps its coordinates' integrality and signs, and any other stratum contains neither point. The same holds for v.
//! So the equation holds everywhere iff it holds at the points with α and β below their bounds plus 1
//! (`docs/theory/sectors.md`).

use super::{Sectors, Stratum, Vector2, det};
use crate::lattice::LatticeGame;
use crate::solve::blocks::Target;
use semilinear::run::{Monitor, StopReason};

/// The largest box that is looked at, in points.
const MOST_POINTS: i128 = 1 << 29;

/// A point where the strata fail to be the P-positions or the values; `Ok(None)` when they **are**, on the whole board; `Err` when the
/// proof does not apply and why. Of P-positions all strata have the value 0.
#[allow(clippy::type_complexity)]
pub fn counterexample(
    game: &LatticeGame,
    sectors: &Sectors,
    target: Target,
    monitor: &dyn Monitor,
) -> Result<Result<Option<Vector2>, String>, StopReason> {
    if target == Target::Outcomes && sectors.largest() > 0 {
        return Ok(Err("a stratum has a Grundy value that is not 0".into()));
    }
    match bounds(game, sectors) {
        Err(what) => Ok(Err(what)),
        Ok((low, high)) => check(game, sectors, target, low, high, monitor).map(Ok),
    }
}

fn sub(a: Vector2, b: Vector2) -> Vector2 {
    [a[0] - b[0], a[1] - b[1]]
}

/// All inequalities n·y + b ≥ 0 of the board in inner coordinates.
fn inequalities(game: &LatticeGame) -> Vec<(Vector2, i64)> {
    let mut rows = vec![([1, 0], 0), ([0, 1], 0)];
    rows.extend(game.inner_rows().iter().map(|row| ([row[0], row[1]], row[2])));
    rows
}

/// The least integer that bounds h·y from below on the board, by combining two inequalities.
fn lower_bound(rows: &[(Vector2, i64)], h: Vector2) -> Option<i128> {
    let mut best: Option<i128> = None;
    for (i, (n, b)) in rows.iter().enumerate() {
        for (m, c) in &rows[i..] {
            let d = det(*n, *m);
            // h = λn + μm with λ, μ ≥ 0, so h·y ≥ −λb − μc.
            let bound = if d == 0 {
                if det(*n, h) != 0 || n[0] * h[0] + n[1] * h[1] <= 0 {
                    continue;
                }
                let (num, den) = if n[0] != 0 { (h[0], n[0]) } else { (h[1], n[1]) };
                div_ceil(-i128::from(num) * i128::from(*b), i128::from(den))
            } else {
                let (l, u) = (det(h, *m) * d.signum(), det(*n, h) * d.signum());
                if l < 0 || u < 0 {
                    continue;
                }
                div_ceil(-l * i128::from(*b) - u * i128::from(*c), d.abs())
            };
            best = Some(best.map_or(bound, |known| known.max(bound)));
        }
    }
    best
}

fn div_ceil(a: i128, b: i128) -> i128 {
    let (a, b) = if b < 0 { (-a, -b) } else { (a, b) };
    -((-a).div_euclid(b))
}

/// A box that contains all points at which the equation must be looked at.
fn bounds(game: &LatticeGame, sectors: &Sectors) -> Result<(Vector2, Vector2), String> {
    let rays = &sectors.rays;
    if rays.len() < 2 {
        return Err("there are fewer than two rays".into());
    }
    for (i, u) in rays.iter().enumerate() {
        if rays[i + 1..].iter().any(|v| det(*u, *v) <= 0) {
            return Err("the rays are not in counterclockwise order within a half plane".into());
        }
    }
    let neighbours = |g: &[usize]| match g {
        [] => true,
        [i] => *i < rays.len(),
        [i, j] => i + 1 == *j && *j < rays.len(),
        _ => false,
    };
    if !sectors.strata.iter().all(|stratum| neighbours(&stratum.generators)) {
        return Err("a stratum's generators are not neighbouring rays".into());
    }
    let rows = inequalities(game);
    if rows.iter().any(|(n, _)| rays.iter().any(|r| n[0] * r[0] + n[1] * r[1] < 0)) {
        return Err("a ray leaves the board".into());
    }
    let rules: Vec<Vector2> = game.inner_rules().iter().map(|g| [g[0], g[1]]).collect();
    let mut offsets = vec![[0, 0]];
    offsets.extend(rules.iter().copied());
    let mut corners: Vec<Vector2> = sectors.strata.iter().flat_map(|s| s.points.iter().copied()).collect();
    corners.extend(game.inner_defeated().iter().map(|p| [p[0], p[1]]));
    // The apex a: det(r₀, x − a) ≥ 0 and det(x − a, r_m) ≥ 0 for all x of B, S and S + Γ.
    let (first, last) = (rays[0], rays[rays.len() - 1]);
    let above = [-first[1], first[0]];
    let below = [last[1], -last[0]];
    let least = |h: Vector2| -> Result<i128, String> {
        let board = lower_bound(&rows, h).ok_or("the board does not lie between the outer rays")?;
        let value = |x: Vector2| i128::from(h[0]) * i128::from(x[0]) + i128::from(h[1]) * i128::from(x[1]);
        let strata = corners.iter().flat_map(|f| offsets.iter().map(move |g| value([f[0] + g[0], f[1] + g[1]])));
        Ok(strata.fold(board, i128::min))
    };
    let (low_above, low_below) = (least(above)?, least(below)?);
    // a = s·r₀ + t·r_m with integers s, t: above·a = t·det(r₀, r_m) ≤ low_above, below·a = s·det(r₀, r_m) ≤ low_below.
    let d = det(first, last);
    let (s, t) = (low_below.div_euclid(d), low_above.div_euclid(d));
    let apex = |i: usize| i64::try_from(s * i128::from(first[i]) + t * i128::from(last[i])).ok();
    let (Some(ax), Some(ay)) = (apex(0), apex(1)) else { return Err("numbers are too large".into()) };
    let apex = [ax, ay];
    let (mut low, mut high) = (apex, apex);
    for i in 0..rays.len() - 1 {
        let (u, v) = (rays[i], rays[i + 1]);
        let before = i.checked_sub(1).map(|k| rays[k]);
        let after = rays.get(i + 2).copied();
        let d = det(u, v);
        let (mut need_u, mut need_v) = (0i128, 0i128);
        for f in &corners {
            for w in &offsets {
                // z = a − w − f: what the coordinates of x − w − f are short of those of x.
                let z = sub(sub(apex, *w), *f);
                need_u = need_u.max(div_ceil(-det(z, v), d));
                need_v = need_v.max(div_ceil(-det(u, z), d));
                if let Some(t) = before {
                    need_u = need_u.max(div_ceil(-det(t, z), det(t, u)));
                }
                if let Some(t) = after {
                    need_v = need_v.max(div_ceil(-det(z, t), det(v, t)));
                }
            }
        }
        for (n, b) in &rows {
            let at = |x: Vector2| i128::from(n[0]) * i128::from(x[0]) + i128::from(n[1]) * i128::from(x[1]);
            if at(u) > 0 {
                need_u = need_u.max(div_ceil(-at(apex) - i128::from(*b), at(u)));
            }
            if at(v) > 0 {
                need_v = need_v.max(div_ceil(-at(apex) - i128::from(*b), at(v)));
            }
        }
        // Strictly beyond the bounds, and one period more: 0 ≤ α < need_u + 2, 0 ≤ β < need_v + 2.
        for (ku, kv) in [(0, 0), (need_u + 2, 0), (0, need_v + 2), (need_u + 2, need_v + 2)] {
            for c in 0..2 {
                let x = i128::from(apex[c]) + ku * i128::from(u[c]) + kv * i128::from(v[c]);
                let x = i64::try_from(x).map_err(|_| "numbers are too large")?;
                low[c] = low[c].min(x);
                high[c] = high[c].max(x);
            }
        }
    }
    let points = (i128::from(high[0]) - i128::from(low[0]) + 1) * (i128::from(high[1]) - i128::from(low[1]) + 1);
    if points > MOST_POINTS {
        return Err(format!("{points} points would have to be looked at"));
    }
    Ok((low, high))
}

/// What is asked about shared points: a point, none on the whole board, or why the proof does not apply.
type Shared = Result<Option<Vector2>, String>;

/// A point that lies in two strata with different generators or values.
pub fn overlap(game: &LatticeGame, sectors: &Sectors, monitor: &dyn Monitor) -> Result<Shared, StopReason> {
    let (strata, module) = (&sectors.strata, |s: &Stratum| (s.value, s.generators.clone()));
    shared_point(game, sectors, |a, b| module(&strata[a]) != module(&strata[b]), monitor)
}

/// A point that lies in two translates f + ℕ{…}.
pub fn repeated(game: &LatticeGame, sectors: &Sectors, monitor: &dyn Monitor) -> Result<Shared, StopReason> {
    shared_point(game, sectors, |_, _| true, monitor)
}

/// A point that two strata hold which clash. Membership in each translate repeats along the rays outside of the proof's
/// box, so a box without such a point shows that there is none at all.
fn shared_point(
    game: &LatticeGame,
    sectors: &Sectors,
    clash: impl Fn(usize, usize) -> bool,
    monitor: &dyn Monitor,
) -> Result<Shared, StopReason> {
    let (low, high) = match bounds(game, sectors) {
        Ok(bounds) => bounds,
        Err(what) => return Ok(Err(what)),
    };
    let window = Window { from: low, to: high };
    let mut owners: Vec<Option<u32>> = vec![None; window.points()];
    let mut shared = None;
    each_point(sectors, &window, monitor, |stratum, x| {
        let number = u32::try_from(stratum).expect("fewer strata than 2^32");
        let earlier = owners[window.index(x)].replace(number);
        if earlier.is_some_and(|earlier| clash(earlier as usize, stratum)) {
            shared = Some(x);
        }
    })?;
    Ok(Ok(shared))
}

/// A box of points.
struct Window {
    from: Vector2,
    to: Vector2,
}

impl Window {
    fn index(&self, x: Vector2) -> usize {
        let width = self.to[0] - self.from[0] + 1;
        usize::try_from((x[1] - self.from[1]) * width + (x[0] - self.from[0])).expect("inside the window")
    }

    fn points(&self) -> usize {
        self.index(self.to) + 1
    }

    fn holds(&self, x: Vector2) -> bool {
        (0..2).all(|c| x[c] >= self.from[c] && x[c] <= self.to[c])
    }
}

/// Visits every point of every stratum in a window, with the number of the stratum.
fn each_point(
    sectors: &Sectors,
    window: &Window,
    monitor: &dyn Monitor,
    mut visit: impl FnMut(usize, Vector2),
) -> Result<(), StopReason> {
    for (number, stratum) in sectors.strata.iter().enumerate() {
        let ray = |k: usize| stratum.generators.get(k).map_or([0, 0], |&g| sectors.rays[g]);
        let (u, v) = (ray(0), ray(1));
        for (done, f) in stratum.points.iter().enumerate() {
            if done % 64 == 0 {
                monitor.check(done as u64, None)?;
            }
            let mut row = *f;
            loop {
                let mut x = row;
                loop {
                    if window.holds(x) {
                        visit(number, x);
                    }
                    x = [x[0] + u[0], x[1] + u[1]];
                    if u == [0, 0] || left(x, u, window.to) {
                        break;
                    }
                }
                row = [row[0] + v[0], row[1] + v[1]];
                if v == [0, 0] || left(row, v, window.to) {
                    break;
                }
            }
        }
    }
    Ok(())
}

/// The equation at every point of a box.
fn check(
    game: &LatticeGame,
    sectors: &Sectors,
    target: Target,
    low: Vector2,
    high: Vector2,
    monitor: &dyn Monitor,
) -> Result<Option<Vector2>, StopReason> {
    let rules: Vec<Vector2> = game.inner_rules().iter().map(|g| [g[0], g[1]]).collect();
    // The window also holds all x − γ.
    let mut window = Window { from: low, to: high };
    for g in &rules {
        for c in 0..2 {
            window.from[c] = window.from[c].min(low[c] - g[c]);
            window.to[c] = window.to[c].max(high[c] - g[c]);
        }
    }
    let index = |x: Vector2| window.index(x);
    // 0 where nothing is said, else the value and one.
    let mut labels = vec![0u8; window.points()];
    let mut two_values = None;
    each_point(sectors, &window, monitor, |number, x| {
        let label = sectors.strata[number].value.saturating_add(1);
        let earlier = std::mem::replace(&mut labels[index(x)], label);
        if earlier != 0 && earlier != label {
            two_values = Some(x);
        }
    })?;
    if two_values.is_some() {
        return Ok(two_values);
    }
    let defeated: Vec<Vector2> = game.inner_defeated().iter().map(|p| [p[0], p[1]]).collect();
    let rows = inequalities(game);
    for y in low[1]..=high[1] {
        monitor.check(u64::try_from(y - low[1]).unwrap_or(0), None)?;
        for x in low[0]..=high[0] {
            let p = [x, y];
            let on_board = rows.iter().all(|(n, b)| n[0] * x + n[1] * y + b >= 0) && !defeated.contains(&p);
            let has = |label: u8| rules.iter().any(|g| labels[index(sub(p, *g))] == label);
            let expected = match target {
                _ if !on_board => 0,
                Target::Outcomes => u8::from(!has(1)),
                Target::Values => (1..=u8::MAX).find(|&label| !has(label)).unwrap_or(0),
            };
            if labels[index(p)] != expected {
                return Ok(Some(p));
            }
        }
    }
    Ok(None)
}

/// Whether going on along r (which has a positive coordinate and, in inner coordinates, no negative one) never comes
/// back to the window.
fn left(x: Vector2, r: Vector2, to: Vector2) -> bool {
    (0..2).any(|c| r[c] >= 0 && x[c] > to[c])
}
