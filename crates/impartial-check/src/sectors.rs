//! Forms "sectors" and "grundy-sectors": the P-positions or the Grundy values of a lattice game in the plane as strata along rays.

use std::collections::BTreeSet;

use crate::format::{Chart, Matrix, Vector, matrix};
use crate::json::objects;
use crate::lattice::{Inner, Lattice};
use crate::laws::Vectors;
use crate::meter::Meter;
use crate::words::written;
use crate::{Checked, Failure, refuse};

objects! {
    /// The certificate; strata have values in form "grundy-sectors", and none in form "sectors".
    Sectors { functional: Vector, chart: Option<Chart>, rays: Matrix, strata: Vec<Stratum> }

    Stratum { value: Option<usize>, generators: Vec<usize>, points: Matrix }
}

type Point = [i128; 2];

/// Entries of rays and points beyond this might leave 128 bits.
const LARGEST: i128 = 1 << 24;

/// Strata that are told apart in a byte.
const MOST_OWNERS: usize = 200;

struct Strata {
    rays: Vec<Point>,
    /// Numbers of rays (none, one, or two neighbours) and the finite set.
    strata: Vec<(Vec<usize>, Vec<Point>)>,
}

/// What is said of the points of strata.
enum Claim<'a> {
    /// They are the P-positions.
    P,
    /// They are the P-positions, and no point lies in two strata.
    Disjoint,
    /// Each stratum has a Grundy value, every position lies in one stratum, and nothing else does.
    Values(&'a [usize]),
}

/// Form "sectors", or "grundy-sectors" with values.
pub(crate) fn check(game: &Lattice, file: &Sectors, valued: bool, meter: &Meter<'_>) -> Checked<String> {
    refuse_if!(game.dimension != 2, "sectors are for games with two coordinates");
    let values: Vec<usize> = file.strata.iter().filter_map(|stratum| stratum.value).collect();
    let count = file.strata.len();
    refuse_if!(
        values.len() != if valued { count } else { 0 },
        "certificate.strata: not one value each, or values of outcomes"
    );
    refuse_if!(valued && count > MOST_OWNERS, "certificate.strata: more than {MOST_OWNERS}");
    let inner = game.inner(&file.functional, file.chart.as_ref(), meter)?;
    let rays = points(&matrix("certificate.rays", &file.rays, 2)?);
    let read = |stratum: &Stratum| {
        Ok((stratum.generators.clone(), points(&matrix("certificate.strata.points", &stratum.points, 2)?)))
    };
    let claimed = Strata::new(rays, file.strata.iter().map(read).collect::<Checked<_>>()?)?;
    let mut all = claimed.strata.iter().flat_map(|(rays, points)| points.iter().map(move |point| (rays, point)));
    let mut seen = BTreeSet::new();
    refuse_if!(!all.all(|translate| seen.insert(translate)), "certificate.strata.points: a point stands twice");
    claimed.hold(&inner, &if valued { Claim::Values(&values) } else { Claim::P }, meter)?;
    let translates: usize = claimed.strata.iter().map(|(_, points)| points.len()).sum();
    let (game, rays) = (game.words(), claimed.rays.len());
    Ok(if valued {
        format!(
            "every position of {game} lies in exactly one of the {count} given strata, {translates} translates of semigroups along {rays} \
             rays, and the value of that stratum is its Grundy value"
        )
    } else {
        format!(
            "the P-positions of {game} are exactly the points of the {translates} given translates of semigroups along {rays} rays"
        )
    })
}

/// Proves that modules F + ℕV (V and F in the chart's coordinates) are disjoint and make up the P-positions, when all their
/// generators are rays and each module lies along one ray or two neighbouring ones.
///
/// By the lemma of docs/theory/sectors.md the membership in *each* stratum is periodic along the rays outside of the box; so is
/// the statement that two modules hold a point.
pub(crate) fn modules_are_p(inner: &Inner, modules: &[Vectors], meter: &Meter<'_>) -> Checked {
    let other = "certificate.unions: they are missing, and the modules are no strata along rays of the plane";
    let mut entries = modules.iter().flat_map(|(generators, bases)| generators.iter().chain(bases)).flatten();
    let along_more = modules.iter().any(|(generators, _)| generators.len() > 2);
    if inner.dimension != 2 || modules.len() > MOST_OWNERS || along_more || entries.any(|&x| x > LARGEST) {
        return refuse(other);
    }
    let mut rays: Vec<Point> = modules.iter().flat_map(|(generators, _)| points(generators)).collect();
    // Counterclockwise, as all lie in the first quadrant; two vectors in one direction are no rays.
    rays.sort_by(|u, v| det(*v, *u).cmp(&0).then(u.cmp(v)));
    rays.dedup();
    let stratum = |(generators, bases): &Vectors| {
        let mut numbers: Vec<usize> = (0..rays.len()).filter(|&i| points(generators).contains(&rays[i])).collect();
        // A generator that stands twice is no stratum.
        numbers.resize(generators.len(), 0);
        (numbers, points(bases))
    };
    let strata = modules.iter().map(stratum).collect();
    let Ok(strata) = Strata::new(rays, strata) else { return refuse(other) };
    strata.hold(inner, &Claim::Disjoint, meter)
}

fn points(list: &[Vec<i128>]) -> Vec<Point> {
    list.iter().map(|v| [v[0], v[1]]).collect()
}

impl Strata {
    /// Refuses rays that are not in counterclockwise order within less than a half turn, and strata along others than one ray or two
    /// neighbouring ones.
    fn new(rays: Vec<Point>, strata: Vec<(Vec<usize>, Vec<Point>)>) -> Checked<Self> {
        // Products of four numbers must stay exact in 128 bits.
        let mut entries = rays.iter().chain(strata.iter().flat_map(|(_, points)| points)).flatten();
        refuse_if!(
            entries.any(|x| x.abs() > LARGEST),
            "certificate: an entry of a ray or point is not between -2^24 and 2^24"
        );
        // All lie within a half turn from the first one, each after the one before.
        let turns = rays.windows(2).all(|pair| det(pair[0], pair[1]) > 0)
            && rays.iter().skip(1).all(|ray| det(rays[0], *ray) > 0);
        if rays.len() < 2 || !turns {
            return refuse("certificate.rays: not in counterclockwise order within a half turn, or fewer than two");
        }
        let sound = |(generators, _): &(Vec<usize>, _)| match generators.as_slice() {
            [] => true,
            [i] => *i < rays.len(),
            [i, j] => *j < rays.len() && *i < *j && *j - *i == 1,
            _ => false,
        };
        refuse_if!(!strata.iter().all(sound), "certificate.strata.generators: not rays, or not neighbours");
        Ok(Self { rays, strata })
    }

    /// The claim in a box that decides.
    fn hold(&self, inner: &Inner, claim: &Claim<'_>, meter: &Meter<'_>) -> Checked {
        let mut rows: Vec<[i128; 3]> = vec![[1, 0, 0], [0, 1, 0]];
        rows.extend(inner.rows.iter().map(|row| [row[0], row[1], row[2]]));
        let corners = window(self, inner, &rows, meter)?;
        equation(self, inner, &rows, corners, claim, meter)
    }
}

fn det(u: Point, v: Point) -> i128 {
    u[0] * v[1] - u[1] * v[0]
}

/// ⌈a/b⌉ for b > 0.
fn up(a: i128, b: i128) -> i128 {
    -((-a).div_euclid(b))
}

/// A lower bound of h·y on {y : n·y + b ≥ 0 for all rows}, from h = λn + μm with λ, μ ≥ 0; the best one.
fn lowest(rows: &[[i128; 3]], h: Point) -> Checked<i128> {
    let mut best: Option<i128> = None;
    for n in rows {
        for m in rows {
            let d = det([n[0], n[1]], [m[0], m[1]]);
            if d <= 0 {
                continue;
            }
            let (l, k) = (det(h, [m[0], m[1]]), det([n[0], n[1]], h));
            if l >= 0 && k >= 0 {
                let bound = up(-l * n[2] - k * m[2], d);
                best = Some(best.map_or(bound, |known| known.max(bound)));
            }
        }
    }
    best.ok_or_else(|| Failure::Refused("certificate.rays: the board does not lie between the outer rays".into()))
}

/// A box outside of which the equation repeats along the rays (docs/theory/sectors.md has the proof).
fn window(claimed: &Strata, inner: &Inner, rows: &[[i128; 3]], meter: &Meter<'_>) -> Checked<(Point, Point)> {
    let rays = &claimed.rays;
    if inner.rules.iter().chain(&inner.defeated).flatten().chain(rows.iter().flatten()).any(|x| x.abs() > 1 << 24) {
        return refuse("game: an entry is not between -2^24 and 2^24 in the chart's coordinates");
    }
    meter.steps(rows.len().saturating_mul(rows.len() + rays.len()))?;
    if rows.iter().any(|n| rays.iter().any(|r| n[0] * r[0] + n[1] * r[1] < 0)) {
        return refuse("certificate.rays: a ray that leaves the board");
    }
    let mut moves: Vec<Point> = vec![[0, 0]];
    moves.extend(inner.rules.iter().map(|g| [g[0], g[1]]));
    let mut corners: Vec<Point> = claimed.strata.iter().flat_map(|(_, points)| points.iter().copied()).collect();
    corners.extend(inner.defeated.iter().map(|p| [p[0], p[1]]));
    meter.steps(rays.len().saturating_mul(corners.len()).saturating_mul(moves.len()))?;
    let (first, last) = (rays[0], rays[rays.len() - 1]);
    let mut low_above = lowest(rows, [-first[1], first[0]])?;
    let mut low_below = lowest(rows, [last[1], -last[0]])?;
    for f in &corners {
        for g in &moves {
            let x = [f[0] + g[0], f[1] + g[1]];
            low_above = low_above.min(det(first, x));
            low_below = low_below.min(det(x, last));
        }
    }
    let d = det(first, last);
    let (s, t) = (low_below.div_euclid(d), low_above.div_euclid(d));
    let apex = [s * first[0] + t * last[0], s * first[1] + t * last[1]];
    let (mut low, mut high) = (apex, apex);
    for i in 0..rays.len() - 1 {
        let (u, v) = (rays[i], rays[i + 1]);
        let d = det(u, v);
        let (mut along_u, mut along_v) = (0, 0);
        for f in &corners {
            for w in &moves {
                let z = [apex[0] - w[0] - f[0], apex[1] - w[1] - f[1]];
                along_u = along_u.max(up(-det(z, v), d));
                along_v = along_v.max(up(-det(u, z), d));
                if i > 0 {
                    along_u = along_u.max(up(-det(rays[i - 1], z), det(rays[i - 1], u)));
                }
                if let Some(next) = rays.get(i + 2) {
                    along_v = along_v.max(up(-det(z, *next), det(v, *next)));
                }
            }
        }
        for n in rows {
            let value = n[0] * apex[0] + n[1] * apex[1] + n[2];
            for (ray, along) in [(u, &mut along_u), (v, &mut along_v)] {
                let slope = n[0] * ray[0] + n[1] * ray[1];
                if slope > 0 {
                    *along = (*along).max(up(-value, slope));
                }
            }
        }
        for a in [0, along_u + 2] {
            for b in [0, along_v + 2] {
                for c in 0..2 {
                    let x = apex[c] + a * u[c] + b * v[c];
                    low[c] = low[c].min(x);
                    high[c] = high[c].max(x);
                }
            }
        }
    }
    Ok((low, high))
}

/// The equation of the P-positions or values at every point of the box; and, where it is claimed, that no point lies in two strata.
fn equation(
    claimed: &Strata,
    inner: &Inner,
    rows: &[[i128; 3]],
    (low, high): (Point, Point),
    claim: &Claim<'_>,
    meter: &Meter<'_>,
) -> Checked {
    meter.extension("sectors");
    let rules: Vec<Point> = inner.rules.iter().map(|g| [g[0], g[1]]).collect();
    let (mut from, mut to) = (low, high);
    for g in &rules {
        for c in 0..2 {
            from[c] = from[c].min(low[c] - g[c]);
            to[c] = to[c].max(high[c] - g[c]);
        }
    }
    let width = to[0] - from[0] + 1;
    let points = u64::try_from(width.saturating_mul(to[1] - from[1] + 1)).unwrap_or(u64::MAX);
    let _held = meter.hold(points)?;
    meter.foresee(points)?;
    let index = |x: Point| usize::try_from((x[1] - from[1]) * width + x[0] - from[0]).unwrap_or(usize::MAX);
    // 0 where no stratum holds the point, else the number of the last one that was seen to, capped.
    let mut in_set = vec![0u8; index(to) + 1];
    for (number, (generators, points)) in claimed.strata.iter().enumerate() {
        let owner = u8::try_from(number + 1).unwrap_or(u8::MAX);
        let ray = |k: usize| generators.get(k).map_or([0, 0], |&g| claimed.rays[g]);
        let (u, v) = (ray(0), ray(1));
        // Rays have no negative entry (they stay on a board inside ℕ²): beyond `to` nothing comes back.
        let gone = |x: Point, r: Point| r == [0, 0] || x[0] > to[0] || x[1] > to[1];
        for f in points {
            let mut row = *f;
            loop {
                let steps = |c: usize| if u[c] > 0 { (to[c] - row[c]).max(0) / u[c] } else { i128::from(u64::MAX) };
                meter.work(u64::try_from(steps(0).min(steps(1)) + 1).unwrap_or(1))?;
                let mut x = row;
                loop {
                    if (0..2).all(|c| x[c] >= from[c] && x[c] <= to[c]) {
                        let earlier = std::mem::replace(&mut in_set[index(x)], owner);
                        if !matches!(claim, Claim::P) && earlier != 0 && earlier != owner {
                            let own = inner.own(&x);
                            let reason = format!("the modules are not disjoint: two of them hold {}", written(&own));
                            return Err(Failure::At(reason, own));
                        }
                    }
                    x = [x[0] + u[0], x[1] + u[1]];
                    if gone(x, u) {
                        break;
                    }
                }
                row = [row[0] + v[0], row[1] + v[1]];
                if gone(row, v) {
                    break;
                }
            }
        }
    }
    // The value of the stratum that holds a point.
    let claimed_at = |x: Point| match (in_set[index(x)], claim) {
        (0, _) => None,
        (owner, Claim::Values(values)) => values.get(usize::from(owner) - 1).copied(),
        _ => Some(0),
    };
    let most = if matches!(claim, Claim::Values(_)) { rules.len() } else { 0 };
    for y in low[1]..=high[1] {
        let at_each = (rows.len() + inner.defeated.len() + (most + 1) * rules.len()) as u64;
        meter.work(u64::try_from(high[0] - low[0] + 1).unwrap_or(u64::MAX).saturating_mul(at_each))?;
        for x in low[0]..=high[0] {
            let on_board = rows.iter().all(|n| n[0] * x + n[1] * y + n[2] >= 0)
                && !inner.defeated.iter().any(|p| p[0] == x && p[1] == y);
            // Not more than one value for each rule is taken, so the least one that is not is at most their number.
            let taken = |value: &usize| rules.iter().any(|g| claimed_at([x - g[0], y - g[1]]) == Some(*value));
            let least = if on_board { (0..=most).find(|value| !taken(value)) } else { None };
            if claimed_at([x, y]) != least {
                let own = inner.own(&[x, y]);
                let what = if most > 0 { "Grundy values" } else { "P-positions" };
                let reason = format!("these are not the {what}: the equation fails at {}", written(&own));
                return Err(Failure::At(reason, own));
            }
        }
    }
    Ok(())
}
