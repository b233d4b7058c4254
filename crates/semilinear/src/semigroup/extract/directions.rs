//! Candidate directions of a set: vectors v with x + ℕv inside the set, for far-out points x of it.

use crate::vectorset::VectorSet;

use super::sample::{Random, Sampler};

/// Points are drawn below 2^SCALE, so that they lie deep inside the sectors of highest dimension.
const SCALE: usize = 22;
/// x + 2ʲv is tested for j up to this: far beyond x itself.
const REACH: u32 = 34;
/// How many vectors are tried at each point: a few first, more when these lead nowhere.
pub(super) const TRIALS: [u64; 3] = [800, 6_000, 60_000];
/// How many points are drawn.
const POINTS: usize = 6;

/// What random points of a set see.
pub(super) struct Seen {
    /// Extreme rays of the directions that all points share: X + p ⊆ X can hold for no others. Shortest first.
    pub common: Vec<Vec<u64>>,
    /// Extreme rays of the directions of each point, shortest first.
    pub local: Vec<Vec<u64>>,
}

/// Vectors that look like generators of strata of highest dimension: the shortest ones on extreme rays of the cones of
/// directions seen at random points.
pub(super) fn directions(set: &VectorSet, trials: u64, random: &mut Random) -> Seen {
    let d = set.dimension();
    let sampler = Sampler::new(set, SCALE);
    let radius = radius(d, trials);
    let mut local: Vec<Vec<u64>> = Vec::new();
    let mut shared: Option<Vec<Vec<u64>>> = None;
    for _ in 0..POINTS {
        let Some(x) = sampler.draw(random) else { break };
        let seen = periods_at(set, &x, radius);
        local.append(&mut extreme(&without_multiples(&seen), random));
        shared = Some(match shared {
            None => seen,
            Some(mut shared) => {
                let seen: std::collections::HashSet<Vec<u64>> = seen.into_iter().collect();
                shared.retain(|v| seen.contains(v));
                shared
            }
        });
    }
    let common = extreme(&without_multiples(&shared.unwrap_or_default()), random);
    Seen { common: sorted(common), local: sorted(local) }
}

/// Shortest first, without repeats.
fn sorted(mut vectors: Vec<Vec<u64>>) -> Vec<Vec<u64>> {
    vectors.sort_by_key(|v| (v.iter().sum::<u64>(), v.clone()));
    vectors.dedup();
    vectors
}

/// The largest r with (r + 1)ᵈ at most the number of trials.
fn radius(d: usize, trials: u64) -> u64 {
    let power = |r: u64| (0..d).try_fold(1u64, |product, _| product.checked_mul(r + 1)).unwrap_or(u64::MAX);
    (1..4096).take_while(|&r| power(r) <= trials).last().unwrap_or(1)
}

/// All v ≠ 0 with entries up to `radius` such that x + 2ʲv is in the set for many j.
fn periods_at(set: &VectorSet, x: &[u64], radius: u64) -> Vec<Vec<u64>> {
    let mut found = Vec::new();
    let mut v = vec![0u64; x.len()];
    let mut y = x.to_vec();
    loop {
        // Count up in base radius + 1.
        let Some(i) = v.iter().position(|&vi| vi < radius) else { return found };
        v[i] += 1;
        v[..i].fill(0);
        let inside = |n: u64, y: &mut Vec<u64>| {
            for ((yi, xi), vi) in y.iter_mut().zip(x).zip(&v) {
                *yi = xi + n * vi;
            }
            set.contains_small(y)
        };
        if [1, 2, 3].iter().all(|&n| inside(n, &mut y))
            && (2..REACH).step_by(4).all(|j| inside(1 << j, &mut y) && inside((1 << j) - 1, &mut y))
        {
            found.push(v.clone());
        }
    }
}

/// Shortest first, without integer multiples of earlier ones.
fn without_multiples(vectors: &[Vec<u64>]) -> Vec<Vec<u64>> {
    let mut directions = std::collections::HashSet::new();
    let mut kept = Vec::new();
    for v in sorted(vectors.to_vec()) {
        let gcd = v.iter().fold(0, |g, &x| num_integer::gcd(g, x));
        let primitive: Vec<u64> = v.iter().map(|x| x / gcd).collect();
        if directions.insert(primitive) {
            kept.push(v);
        }
    }
    kept
}

/// Vectors on extreme rays: those where a linear functional, divided by the sum of entries, is largest.
fn extreme(vectors: &[Vec<u64>], random: &mut Random) -> Vec<Vec<u64>> {
    let Some(d) = vectors.first().map(Vec::len) else { return Vec::new() };
    let mut functionals: Vec<Vec<f64>> = Vec::new();
    for i in 0..d {
        for sign in [1.0, -1.0] {
            // A tiny generic part breaks ties, so that the maximum is on a ray.
            let unit = (0..d).map(|j| if i == j { sign } else { 0.0 } + 1e-4 * (random.unit() - 0.5)).collect();
            functionals.push(unit);
        }
    }
    for _ in 0..4 * d {
        functionals.push((0..d).map(|_| random.unit() - 0.5).collect());
    }
    #[allow(clippy::cast_precision_loss)] // entries are at most 4096
    let value =
        |l: &[f64], v: &[u64]| l.iter().zip(v).map(|(l, &v)| l * v as f64).sum::<f64>() / v.iter().sum::<u64>() as f64;
    let mut found: Vec<Vec<u64>> = Vec::new();
    for l in &functionals {
        if let Some(best) = vectors.iter().max_by(|a, b| value(l, a).total_cmp(&value(l, b)))
            && !found.contains(best)
        {
            found.push(best.clone());
        }
    }
    found
}
