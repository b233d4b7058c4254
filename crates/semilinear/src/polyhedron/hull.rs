//! The pieces of a cone that can hold Hilbert basis elements: a triangulation that leaves out pyramids of height 1.

use crate::integer::{Int, Vector, adjugate, echelon};
use crate::integer::{Matrix, make_primitive};
use crate::run::{Monitor, StopReason};

/// A facet of the cone spanned by the rays placed so far.
struct Facet {
    /// The primitive inner normal.
    normal: Vec<i64>,
    /// The rays on it, as bits; `words` of them a facet.
    on: Vec<u64>,
    /// How many rays are on it.
    count: usize,
}

/// The rays are placed one by one; a new ray v spans a pyramid with every facet that it sees. A pyramid of lattice height 1
/// adds nothing but v: subtracting v as often as the height says takes each of its points into the facet, which
/// belonged to the cone before. The other pyramids are divided in the same way until they are simplices; these, and the
/// first simplex, are given to `visit`, as indices of their rays. The `members` among the rays span a full-dimensional
/// pointed cone, and the lattice is ℤᵏ.
///
/// `Ok(None)` when a number does not fit into 64 bits.
///
/// # Complexity
/// Every step compares the facets that the new ray sees with those that it does not.
pub(super) fn pyramids(
    rays: &[Vector],
    members: &[usize],
    monitor: &dyn Monitor,
    visit: &mut dyn FnMut(&[usize]) -> Result<(), StopReason>,
) -> Result<Option<()>, StopReason> {
    let dimension = rays[0].len();
    if members.len() == dimension {
        visit(members)?;
        return Ok(Some(()));
    }
    let spanned: Vec<&[Int]> = members.iter().map(|&i| rays[i].as_slice()).collect();
    let first = echelon(&Matrix::from_rows(dimension, &spanned).transposed()).pivots;
    visit(&first.iter().map(|&i| members[i]).collect::<Vec<_>>())?;
    let small: Option<Vec<Vec<i64>>> = spanned.iter().map(|ray| ray.iter().map(Int::to_i64).collect()).collect();
    let (Some(small), Some(mut facets)) = (small, simplex_facets(&spanned, &first)) else { return Ok(None) };
    for v in (0..members.len()).filter(|v| !first.contains(v)) {
        let Some(values) = facets.iter().map(|facet| dot(&facet.normal, &small[v])).collect::<Option<Vec<i64>>>()
        else {
            return Ok(None);
        };
        for (facet, _) in facets.iter().zip(&values).filter(|(_, value)| **value < -1) {
            let on = |i: usize| i == v || facet.on[i / 64] >> (i % 64) & 1 == 1;
            let pyramid: Vec<usize> = (0..members.len()).filter(|&i| on(i)).map(|i| members[i]).collect();
            if pyramids(rays, &pyramid, monitor, visit)?.is_none() {
                return Ok(None);
            }
        }
        if v + 1 < members.len() && !place(&mut facets, &values, v, dimension, monitor)? {
            return Ok(None);
        }
    }
    Ok(Some(()))
}

fn dot(a: &[i64], b: &[i64]) -> Option<i64> {
    a.iter().zip(b).try_fold(0_i64, |sum, (x, y)| sum.checked_add(x.checked_mul(*y)?))
}

fn simplex_facets(rays: &[&[Int]], first: &[usize]) -> Option<Vec<Facet>> {
    let chosen: Vec<&[Int]> = first.iter().map(|&i| rays[i]).collect();
    let (inverse, determinant) = adjugate(&Matrix::from_rows(first.len(), &chosen))?;
    let facet = |j: usize| {
        let mut normal = inverse.column(j);
        make_primitive(&mut normal);
        let sign = determinant.signum();
        let normal = normal.iter().map(|x| x.to_i64()?.checked_mul(i64::from(sign))).collect::<Option<Vec<i64>>>()?;
        let mut on = vec![0; rays.len().div_ceil(64)];
        for (_, &i) in first.iter().enumerate().filter(|(k, _)| *k != j) {
            on[i / 64] |= 1 << (i % 64);
        }
        Some(Facet { normal, on, count: first.len() - 1 })
    };
    (0..first.len()).map(facet).collect()
}

/// The facets after ray v is placed; `false` when a number does not fit.
fn place(
    facets: &mut Vec<Facet>,
    values: &[i64],
    v: usize,
    dimension: usize,
    monitor: &dyn Monitor,
) -> Result<bool, StopReason> {
    let side = |sign: i64| (0..facets.len()).filter(|&i| values[i].signum() == sign).collect::<Vec<_>>();
    let (seen, unseen) = (side(-1), side(1));
    let mut new = Vec::new();
    for (done, &n) in seen.iter().enumerate() {
        monitor.check(done as u64, Some(seen.len() as u64))?;
        for &p in &unseen {
            let (a, b) = (&facets[n], &facets[p]);
            let count: u32 = a.on.iter().zip(&b.on).map(|(x, y)| (x & y).count_ones()).sum();
            let count = count as usize;
            if count + 2 < dimension {
                continue;
            }
            let mut on: Vec<u64> = a.on.iter().zip(&b.on).map(|(x, y)| x & y).collect();
            // A facet that is a simplex has a neighbour behind each of its facets; otherwise no third facet contains the ridge.
            let simple = count + 2 == dimension && (a.count + 1 == dimension || b.count + 1 == dimension);
            let contains = |facet: &Facet| on.iter().zip(&facet.on).all(|(x, y)| x & !y == 0);
            if !simple && facets.iter().enumerate().any(|(i, facet)| i != n && i != p && contains(facet)) {
                continue;
            }
            let combined =
                |(x, y): (&i64, &i64)| i128::from(*x) * i128::from(values[p]) - i128::from(*y) * i128::from(values[n]);
            let normal: Vec<i128> = a.normal.iter().zip(&b.normal).map(combined).collect();
            let content = normal.iter().fold(0_i128, |g, &x| num_integer::gcd(g, x));
            let Some(normal) = normal.iter().map(|x| i64::try_from(x / content).ok()).collect() else {
                return Ok(false);
            };
            on[v / 64] |= 1 << (v % 64);
            new.push(Facet { normal, on, count: count + 1 });
        }
    }
    for (facet, _) in facets.iter_mut().zip(values).filter(|(_, value)| **value == 0) {
        facet.on[v / 64] |= 1 << (v % 64);
        facet.count += 1;
    }
    let mut keep = values.iter().map(|value| *value >= 0);
    facets.retain(|_| keep.next().expect("a value for every facet"));
    facets.append(&mut new);
    Ok(true)
}
