//! From inequalities to generators: the double description method.

use super::bits::Bits;
use crate::integer::{
    Int, Matrix, Vector, add_multiple, adjugate, dot, echelon, hermite, is_zero_vector, kernel, make_primitive,
    primitive, scale,
};
use crate::run::{Monitor, StopReason};

/// More rays than this are not kept.
const MAX_RAYS: usize = 2_000_000;

/// The generators of a cone.
pub(super) struct Generators {
    /// The extreme rays of a pointed cone that together with the lines spans the cone; primitive and sorted.
    pub rays: Vec<Vector>,
    /// A basis of the lineality lattice.
    pub lines: Matrix,
}

struct Ray {
    vector: Vector,
    /// The inserted inequalities that are tight here.
    tight: Bits,
}

/// The generators of `{x : h·x ≥ 0 for all inequalities, e·x = 0 for all equations}`.
///
/// Motzkin's double description method: inequalities are inserted one by one; a new ray comes from every pair of
/// adjacent rays on both sides of the new hyperplane. Two rays are adjacent iff no third ray is tight wherever both are.
///
/// # Complexity
/// Every insertion looks at all pairs of rays on opposite sides; the number of intermediate rays can be exponential in
/// the dimension.
pub(super) fn generators(
    dimension: usize,
    inequalities: &[Vector],
    equations: &[Vector],
    monitor: &dyn Monitor,
) -> Result<Generators, StopReason> {
    // Coordinates on the solutions of the equations.
    let space = if equations.is_empty() {
        Matrix::identity(dimension)
    } else {
        kernel(&Matrix::from_rows(dimension, equations))
    };
    let restricted: Vec<Vector> = inequalities.iter().map(|h| space.times(h)).collect();
    let restricted = Matrix::from_rows(space.rows(), &restricted);
    // Split off the lineality space: the first rows of the transform complement the kernel.
    let h = hermite(&restricted.transposed());
    let rank = h.pivots.len();
    let (lines, complement) = if rank == space.rows() {
        (Matrix::zero(0, dimension), Matrix::identity(rank))
    } else {
        (kernel(&restricted).product(&space), h.transform.row_range(0, rank))
    };
    let mut rows: Vec<Vector> =
        restricted.iter_rows().map(|h| primitive(complement.times(h))).filter(|h| !is_zero_vector(h)).collect();
    rows.sort();
    rows.dedup();
    let back = complement.product(&space);
    let mut rays: Vec<Vector> =
        pointed_rays(rank, &rows, monitor)?.iter().map(|y| primitive(back.left_times(y))).collect();
    rays.sort();
    Ok(Generators { rays, lines })
}

/// The extreme rays of a pointed cone: the inequalities have full rank.
fn pointed_rays(rank: usize, rows: &[Vector], monitor: &dyn Monitor) -> Result<Vec<Vector>, StopReason> {
    if rank == 0 {
        return Ok(Vec::new());
    }
    let matrix = Matrix::from_rows(rank, rows);
    let initial = echelon(&matrix.transposed()).pivots;
    let chosen: Vec<&[Int]> = initial.iter().map(|&i| matrix.row(i)).collect();
    let (inverse, determinant) = adjugate(&Matrix::from_rows(rank, &chosen)).expect("the chosen rows are independent");
    let sign = Int::from(determinant.signum());
    // Ray j of the simplicial cone is tight at every chosen inequality but the j-th.
    let mut rays: Vec<Ray> = (0..rank)
        .map(|j| {
            let mut tight = Bits::new(rows.len());
            for (k, &i) in initial.iter().enumerate() {
                if k != j {
                    tight.insert(i);
                }
            }
            Ray { vector: primitive(scale(&sign, &inverse.column(j))), tight }
        })
        .collect();
    let mut done = rank as u64;
    for (index, h) in rows.iter().enumerate().filter(|(i, _)| !initial.contains(i)) {
        insert(&mut rays, rank, index, h, monitor)?;
        done += 1;
        monitor.check(done, Some(rows.len() as u64))?;
    }
    Ok(rays.into_iter().map(|r| r.vector).collect())
}

fn insert(rays: &mut Vec<Ray>, rank: usize, index: usize, h: &[Int], monitor: &dyn Monitor) -> Result<(), StopReason> {
    let values: Vec<Int> = rays.iter().map(|r| dot(h, &r.vector)).collect();
    for (ray, value) in rays.iter_mut().zip(&values) {
        if value.is_zero() {
            ray.tight.insert(index);
        }
    }
    let positive: Vec<usize> = (0..rays.len()).filter(|&i| values[i].is_positive()).collect();
    let negative: Vec<usize> = (0..rays.len()).filter(|&i| values[i].is_negative()).collect();
    if negative.is_empty() {
        return Ok(());
    }
    let mut new = Vec::new();
    for &p in &positive {
        monitor.check(0, None)?;
        for &n in &negative {
            if rays[p].tight.common(&rays[n].tight) + 2 < rank {
                continue;
            }
            let mut tight = rays[p].tight.intersection(&rays[n].tight);
            let adjacent = rays.iter().enumerate().all(|(k, ray)| k == p || k == n || !tight.is_subset(&ray.tight));
            if !adjacent {
                continue;
            }
            let mut vector = scale(&-&values[n], &rays[p].vector);
            add_multiple(&mut vector, &values[p], &rays[n].vector);
            make_primitive(&mut vector);
            tight.insert(index);
            new.push(Ray { vector, tight });
            if new.len() + rays.len() > MAX_RAYS {
                return Err(StopReason::Size { what: "rays of a cone", limit: MAX_RAYS as u64 });
            }
        }
    }
    let mut keep = values.iter().map(|v| !v.is_negative());
    rays.retain(|_| keep.next().expect("a value for every ray"));
    rays.append(&mut new);
    Ok(())
}
