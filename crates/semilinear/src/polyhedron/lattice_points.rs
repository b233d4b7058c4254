//! The lattice points of a polyhedron as a short sum of rational functions (Brion, Barvinok).

use thiserror::Error;

use super::barvinok::{SignedCone, signed_decomposition};
use super::hilbert_basis::coordinates;
use super::parallelepiped::points;
use super::triangulation::{GenericPoint, Simplex, inner_normals, simplices, simplices_up_to};
use super::{Cone, Polyhedron};
use crate::integer::{
    Affine, Int, Matrix, Vector, add, add_multiple, dot, is_zero_vector, primitive, solve_integer, zero_vector,
};
use crate::run::{Monitor, StopReason};

/// The rational function `sign · Σ t^p / Π (1 − t^r)` over the points p and rays r.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Piece {
    /// 1 or −1.
    pub sign: i32,
    /// The exponents of the numerator.
    pub points: Vec<Vector>,
    /// The exponents of the denominator; linearly independent.
    pub rays: Vec<Vector>,
}

/// Why the lattice points of a polyhedron were not listed.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum LatticePointsError {
    /// The set contains a line: no series of it exists.
    #[error(
        "the polyhedron contains a line, so that its lattice points have no generating function; cut it into pieces with vertices"
    )]
    Line,
    /// There are infinitely many points to count.
    #[error("the polyhedron is unbounded, so that its lattice points cannot be counted; add bounds")]
    Unbounded,
    /// A limit was reached.
    #[error("{0}")]
    Stopped(StopReason),
}

impl From<StopReason> for LatticePointsError {
    fn from(why: StopReason) -> Self {
        Self::Stopped(why)
    }
}

/// The generating function of the lattice points of a polyhedron that has a vertex, as a sum of pieces.
///
/// By Brion's theorem it is the sum over the vertices of the functions of the tangent cones. Each cone is cut up on its
/// own side or on the dual side, whichever has the smaller determinants; cones of index up to `max_index` (at least 1)
/// are kept whole, with one numerator monomial for each point of their parallelepiped. The sum is an identity of
/// rational functions: the single terms may have to be expanded in other directions than the cone itself suggests.
///
/// An empty list when there is no lattice point for want of real points, or because the affine hull contains none.
///
/// # Complexity
/// Polynomial in the number of digits when the dimension is fixed.
///
/// ```
/// use semilinear::{integer::{Affine, vector}, polyhedron::{Polyhedron, lattice_points}, run::Unlimited};
/// // x ≥ 1/2: one term t/(1 − t).
/// let p = Polyhedron::from_constraints(1, &[Affine::new(vector(&[2]), -1)], &[], &Unlimited).unwrap();
/// let pieces = lattice_points(&p, 1, &Unlimited).unwrap();
/// assert_eq!((pieces[0].points.as_slice(), pieces[0].rays.as_slice()), (&[vector(&[1])][..], &[vector(&[1])][..]));
/// ```
pub fn lattice_points(
    polyhedron: &Polyhedron,
    max_index: u64,
    monitor: &dyn Monitor,
) -> Result<Vec<Piece>, LatticePointsError> {
    let Some(chart) = Chart::new(polyhedron, monitor)? else { return Ok(Vec::new()) };
    let pieces = inner_pieces(&chart.polyhedron, max_index, monitor)?;
    Ok(pieces.iter().map(|piece| chart.back(piece)).collect())
}

/// As [`lattice_points`], for the integer points of a pointed cone; its two descriptions are used as they are.
///
/// ```
/// use semilinear::{integer::vector, polyhedron::{Cone, cone_points}, run::Unlimited};
/// let cone = Cone::from_generators(2, &[vector(&[1, 0]), vector(&[1, 2])], &[], &Unlimited).unwrap();
/// let pieces = cone_points(&cone, 2, &Unlimited).unwrap();
/// assert_eq!(pieces[0].points, [vector(&[0, 0]), vector(&[1, 1])]);
/// assert_eq!(pieces[0].rays, [vector(&[1, 0]), vector(&[1, 2])]);
/// ```
pub fn cone_points(cone: &Cone, max_index: u64, monitor: &dyn Monitor) -> Result<Vec<Piece>, LatticePointsError> {
    if !cone.is_pointed() {
        return Err(LatticePointsError::Line);
    }
    let n = cone.ambient_dimension();
    let max_index = Int::from(max_index);
    let mut pieces = Vec::new();
    if cone.is_full_dimensional() {
        tangent_cone(cone.rays(), cone.facets(), &zero_vector(n), &Int::ONE, &max_index, monitor, &mut pieces)?;
        return Ok(pieces);
    }
    let solutions =
        solve_integer(cone.equations(), &zero_vector(cone.equations().rows())).expect("0 solves homogeneous equations");
    let basis = solutions.basis;
    let mut rays = coordinates(&basis, cone.rays());
    rays.sort();
    let facets: Vec<Vector> = cone.facets().iter().map(|h| primitive(basis.times(h))).collect();
    let apex = zero_vector(basis.rows());
    tangent_cone(&rays, &facets, &apex, &Int::ONE, &max_index, monitor, &mut pieces)?;
    let chart = |x: &Vector| basis.left_times(x);
    for piece in &mut pieces {
        for x in piece.points.iter_mut().chain(&mut piece.rays) {
            *x = chart(x);
        }
    }
    Ok(pieces)
}

/// The pieces in integer coordinates on the affine hull: they have as many points as the polyhedron's own.
pub(super) fn pieces_on_hull(
    polyhedron: &Polyhedron,
    max_index: u64,
    monitor: &dyn Monitor,
) -> Result<Vec<Piece>, LatticePointsError> {
    let Some(chart) = Chart::new(polyhedron, monitor)? else { return Ok(Vec::new()) };
    inner_pieces(&chart.polyhedron, max_index, monitor)
}

fn inner_pieces(
    polyhedron: &Polyhedron,
    max_index: u64,
    monitor: &dyn Monitor,
) -> Result<Vec<Piece>, LatticePointsError> {
    let max_index = Int::from(max_index);
    let facets = polyhedron.facets();
    let mut pieces = Vec::new();
    for vertex in polyhedron.vertex_rays() {
        let n = vertex.len() - 1;
        vertex_cone(&facets, &vertex[..n], &vertex[n], &max_index, monitor, &mut pieces)?;
    }
    Ok(pieces)
}

/// Integer coordinates on the affine hull of a polyhedron: `x = origin + y·basis`.
struct Chart {
    polyhedron: Polyhedron,
    origin: Vector,
    basis: Matrix,
}

impl Chart {
    /// Nothing when the affine hull contains no lattice point.
    fn new(polyhedron: &Polyhedron, monitor: &dyn Monitor) -> Result<Option<Self>, LatticePointsError> {
        if polyhedron.is_empty() {
            return Ok(None);
        }
        if !polyhedron.has_vertex() {
            return Err(LatticePointsError::Line);
        }
        let n = polyhedron.ambient_dimension();
        let equations = polyhedron.equations();
        if equations.is_empty() {
            let (origin, basis) = (zero_vector(n), Matrix::identity(n));
            return Ok(Some(Self { polyhedron: polyhedron.clone(), origin, basis }));
        }
        let rows: Vec<&[Int]> = equations.iter().map(|e| e.normal.as_slice()).collect();
        let right: Vector = equations.iter().map(|e| -&e.constant).collect();
        let Some(solutions) = solve_integer(&Matrix::from_rows(n, &rows), &right) else { return Ok(None) };
        let facets: Vec<Affine> = polyhedron
            .facets()
            .iter()
            .map(|h| Affine::new(solutions.basis.times(&h.normal), h.at_integer(&solutions.point)))
            .collect();
        let inner = Polyhedron::from_constraints(solutions.basis.rows(), &facets, &[], monitor)?;
        Ok(Some(Self { polyhedron: inner, origin: solutions.point, basis: solutions.basis }))
    }

    fn back(&self, piece: &Piece) -> Piece {
        Piece {
            sign: piece.sign,
            points: piece.points.iter().map(|p| add(&self.origin, &self.basis.left_times(p))).collect(),
            rays: piece.rays.iter().map(|r| self.basis.left_times(r)).collect(),
        }
    }
}

/// The pieces of the tangent cone at the vertex `apex / denominator` of a full-dimensional polyhedron.
fn vertex_cone(
    facets: &[Affine],
    apex: &[Int],
    denominator: &Int,
    max_index: &Int,
    monitor: &dyn Monitor,
    found: &mut Vec<Piece>,
) -> Result<(), StopReason> {
    let n = apex.len();
    let active: Vec<Vector> = facets
        .iter()
        .filter(|h| (dot(&h.normal, apex) + &h.constant * denominator).is_zero())
        .map(|h| h.normal.clone())
        .collect();
    let rays: Vec<Vector> = if active.len() == n {
        // A simple vertex: each edge leaves one facet.
        let normals: Vec<&[Int]> = active.iter().map(Vec::as_slice).collect();
        inner_normals(&normals).into_iter().map(primitive).collect()
    } else {
        Cone::from_inequalities(n, &active, &[], monitor)?.rays().to_vec()
    };
    tangent_cone(&rays, &active, apex, denominator, max_index, monitor, found)
}

/// The pieces of the full-dimensional pointed cone with the apex `apex / denominator` and the given rays and facets.
fn tangent_cone(
    rays: &[Vector],
    facets: &[Vector],
    apex: &[Int],
    denominator: &Int,
    max_index: &Int,
    monitor: &dyn Monitor,
    found: &mut Vec<Piece>,
) -> Result<(), StopReason> {
    if apex.is_empty() {
        found.push(Piece { sign: 1, points: vec![Vec::new()], rays: Vec::new() });
        return Ok(());
    }
    let primal = match side(rays, facets, max_index, monitor)? {
        Side::Dual(simplices) => return dual_pieces(facets, &simplices, apex, denominator, monitor, found),
        Side::Primal(simplices) => simplices,
    };
    let generic = GenericPoint::inside(rays);
    let at_origin = is_zero_vector(apex);
    for simplex in primal {
        if at_origin && simplex.index.is_one() {
            found.push(unimodular_piece(rays, &simplex));
            continue;
        }
        let matrix = rows(rays, &simplex);
        for cone in signed_decomposition(&matrix, max_index, &generic, monitor)? {
            let points = points(&cone, apex, denominator, monitor)?;
            found.push(Piece { sign: cone.sign, points, rays: cone.rays.to_rows() });
        }
    }
    Ok(())
}

/// A half-open unimodular cone at the origin: its least point is the sum of the rays opposite to removed facets.
fn unimodular_piece(rays: &[Vector], simplex: &Simplex) -> Piece {
    let mut point = zero_vector(simplex.rays.len());
    for (&i, _) in simplex.rays.iter().zip(&simplex.open).filter(|(_, open)| **open) {
        add_multiple(&mut point, &Int::ONE, &rays[i]);
    }
    Piece { sign: 1, points: vec![point], rays: simplex.rays.iter().map(|&i| rays[i].clone()).collect() }
}

/// A triangulation of the cone itself, or of the cone of its normals.
enum Side {
    Primal(Vec<Simplex>),
    Dual(Vec<Simplex>),
}

/// The side with the smaller decomposition, by an estimate. The side with fewer generators is triangulated first; the other
/// one is given up as soon as it has more simplices than the first one's estimate.
fn side(rays: &[Vector], active: &[Vector], max_index: &Int, monitor: &dyn Monitor) -> Result<Side, StopReason> {
    // Stopping early is only possible on the primal side.
    let stop = if max_index.is_one() { 0 } else { max_index.bits() };
    // A caller who wants simplices whole: the dual side can bring nothing unless they are too large.
    let whole = max_index.bits() > 16;
    if whole || rays.len() <= active.len() {
        let primal = simplices(rays, monitor)?;
        if (primal.len() == 1 || whole) && primal.iter().all(|simplex| simplex.index <= *max_index) {
            return Ok(Side::Primal(primal));
        }
        let estimate = weight(&primal, stop);
        return Ok(match simplices_up_to(active, estimate, monitor)? {
            Some(dual) if weight(&dual, 0) < estimate => Side::Dual(dual),
            _ => Side::Primal(primal),
        });
    }
    let dual = simplices(active, monitor)?;
    let estimate = weight(&dual, 0);
    Ok(match simplices_up_to(rays, estimate, monitor)? {
        Some(primal) if weight(&primal, stop) <= estimate => Side::Primal(primal),
        _ => Side::Dual(dual),
    })
}

fn rows(vectors: &[Vector], simplex: &Simplex) -> Matrix {
    let chosen: Vec<&[Int]> = simplex.rays.iter().map(|&i| vectors[i].as_slice()).collect();
    Matrix::from_rows(chosen.len(), &chosen)
}

/// An estimate of the number of cones a decomposition gives: the number of digits of each determinant counts.
fn weight(simplices: &[Simplex], stop: u64) -> u64 {
    simplices.iter().map(|simplex| 1 + simplex.index.bits().saturating_sub(stop)).sum()
}

/// The dual side: the cone of the normals is decomposed, and each unimodular cone of normals is polar to a unimodular
/// cone; lower dimensional cones are polar to cones with lines, whose function is 0, so that all cones are closed.
fn dual_pieces(
    normals: &[Vector],
    simplices: &[Simplex],
    apex: &[Int],
    denominator: &Int,
    monitor: &dyn Monitor,
    found: &mut Vec<Piece>,
) -> Result<(), StopReason> {
    let generic = GenericPoint::inside(normals);
    for simplex in simplices {
        for cone in signed_decomposition(&rows(normals, simplex), &Int::ONE, &generic, monitor)? {
            let SignedCone { sign, rays: normals, normals: rays, .. } = cone;
            // The inner normals of the dual cone are the rays r_j with n_i·r_j = [i = j].
            let mut point = zero_vector(apex.len());
            for (normal, ray) in normals.iter_rows().zip(&rays) {
                add_multiple(&mut point, &dot(normal, apex).div_ceil(denominator), ray);
            }
            found.push(Piece { sign, points: vec![point], rays });
        }
    }
    Ok(())
}
