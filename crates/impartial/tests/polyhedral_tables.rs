//! Cones against `testdata/polyhedral/normaliz_cases.jsonl`.

mod common;

use std::collections::BTreeSet;

use impartial::integer::{Affine, Int, Matrix, Vector, dot, hermite, kernel, primitive, unit_vector};
use impartial::polyhedron::{Cone, Polyhedron, hilbert_basis_over, lattice_point_count};
use impartial::run::Unlimited;
use serde_json::Value;

use common::{clock, table, vectors};

#[test]
fn extreme_rays_and_support_hyperplanes() {
    let mut compared = 0;
    for case in table("normaliz_cases") {
        let name = &case["name"];
        // Lattice ideals are given by binomials, not by a cone.
        if !case["IsPointed"].as_bool().unwrap() || case.get("SupportHyperplanes").is_none() {
            continue;
        }
        let n = usize::try_from(case["EmbeddingDim"].as_u64().unwrap()).unwrap();
        let hyperplanes = vectors(&case["SupportHyperplanes"]);
        let equations = vectors(&case["Equations"]);
        if hyperplanes.is_empty() && case["Rank"] != 0 {
            continue;
        }
        let inhomogeneous = case["inhomogeneous"].as_bool().unwrap();
        let vertices: Vec<Vector> = case.get("VerticesOfPolyhedron").map(vectors).unwrap_or_default();
        let rays = vectors(&case["ExtremeRays"]);
        // The homogenising coordinate is the last one, unless the input chose another.
        let infinity = (0..n)
            .rev()
            .find(|&j| vertices.iter().all(|v| v[j].is_positive()) && rays.iter().all(|r| r[j].is_zero()))
            .filter(|_| inhomogeneous);
        let mut inequalities = hyperplanes.clone();
        if let Some(j) = infinity {
            inequalities.push(unit_vector(n, j));
        }
        let cone = Cone::from_inequalities(n, &inequalities, &equations, &Unlimited).unwrap();
        let expected: BTreeSet<Vector> = rays.into_iter().chain(vertices).map(primitive).collect();
        let found: BTreeSet<Vector> = cone.rays().iter().cloned().collect();
        assert_eq!(found, expected, "extreme rays of {name}");
        if let Some(rank) = case["Rank"].as_u64() {
            assert_eq!(cone.dimension() as u64, rank, "rank of {name}");
        }
        // A support hyperplane is known up to the equations: compare the sets of rays on it.
        let rays: Vec<Vector> = expected.into_iter().collect();
        let dual = Cone::from_generators(n, &rays, &[], &Unlimited).unwrap();
        let incidence = |h: &Vector| -> Vec<bool> { rays.iter().map(|r| dot(h, r).is_zero()).collect() };
        let mut found: Vec<_> = dual.facets().iter().map(incidence).collect();
        let mut expected: Vec<_> = hyperplanes.iter().map(incidence).collect();
        if let Some(j) = infinity {
            let at_infinity = incidence(&unit_vector(n, j));
            found.retain(|f| *f != at_infinity);
            expected.retain(|f| *f != at_infinity);
        }
        found.sort();
        expected.sort();
        assert_eq!(found, expected, "support hyperplanes of {name}");
        compared += 1;
    }
    assert!(compared >= 90, "{compared} cones were compared");
}

/// The lattice of integer vectors that satisfy equations and congruences (the last entry of a congruence is its modulus).
fn lattice(n: usize, equations: &[Vector], congruences: &[Vector]) -> Matrix {
    let extra = congruences.len();
    let mut rows: Vec<Vector> = equations.iter().map(|e| [e.clone(), vec![Int::ZERO; extra]].concat()).collect();
    for (i, c) in congruences.iter().enumerate() {
        let mut row = [c[..n].to_vec(), vec![Int::ZERO; extra]].concat();
        row[n + i] = c[n].clone();
        rows.push(row);
    }
    let solutions = kernel(&Matrix::from_rows(n + extra, &rows));
    let cut: Vec<&[Int]> = solutions.iter_rows().map(|x| &x[..n]).collect();
    let h = hermite(&Matrix::from_rows(n, &cut));
    h.form.row_range(0, h.pivots.len())
}

#[test]
fn hilbert_bases() {
    let mut compared = 0;
    for case in table("normaliz_cases") {
        // Inhomogeneous cases list the basis of the recession monoid only; lattice ideals have no cone.
        if case["inhomogeneous"].as_bool().unwrap() || !case["IsPointed"].as_bool().unwrap() {
            continue;
        }
        let hyperplanes: Vec<Vector> = case.get("SupportHyperplanes").map(vectors).unwrap_or_default();
        if hyperplanes.is_empty() || case.get("HilbertBasis").is_none() {
            continue;
        }
        let n = usize::try_from(case["EmbeddingDim"].as_u64().unwrap()).unwrap();
        let equations = vectors(&case["Equations"]);
        let start = clock();
        let cone = Cone::from_inequalities(n, &hyperplanes, &equations, &Unlimited).unwrap();
        let lattice = lattice(n, &equations, &vectors(&case["Congruences"]));
        let found: BTreeSet<Vector> = hilbert_basis_over(&cone, &lattice, &Unlimited).unwrap().into_iter().collect();
        // Shown by --nocapture; the figures are in docs/performance/geometry.md.
        let normaliz = case["libnormaliz_seconds"].as_f64().unwrap_or(0.0);
        println!("{:30} Normaliz {normaliz:6.3} s  here {:7.4} s", case["name"], clock() - start);
        let expected: BTreeSet<Vector> = vectors(&case["HilbertBasis"]).into_iter().collect();
        assert_eq!(found, expected, "Hilbert basis of {}", case["name"]);
        compared += 1;
    }
    assert!(compared >= 51, "{compared} bases were compared");
}

fn latte_polytope(case: &Value) -> Polyhedron {
    let rows = vectors(&case["rows"]);
    let linearity: BTreeSet<u64> = serde_json::from_value(case["linearity"].clone()).unwrap();
    let n = rows[0].len() - 1;
    let (mut inequalities, mut equations) = (Vec::new(), Vec::new());
    for (i, row) in rows.iter().enumerate() {
        let affine = Affine::new(row[1..].to_vec(), row[0].clone());
        if linearity.contains(&(i as u64 + 1)) { equations.push(affine) } else { inequalities.push(affine) }
    }
    for i in case["nonnegative"].as_array().unwrap() {
        let i = usize::try_from(i.as_u64().unwrap()).unwrap();
        inequalities.push(Affine::new(unit_vector(n, i - 1), 0));
    }
    Polyhedron::from_constraints(n, &inequalities, &equations, &Unlimited).unwrap()
}

fn compare_counts(seconds: std::ops::Range<f64>) -> usize {
    let mut compared = 0;
    for case in table("latte_counts") {
        let latte = case["latte_cpu_s"].as_f64().unwrap_or(0.0);
        if !seconds.contains(&latte) {
            continue;
        }
        let start = clock();
        let count = lattice_point_count(&latte_polytope(&case), &Unlimited).unwrap();
        println!("{:40} LattE {latte:8.3} s  here {:8.3} s", case["name"], clock() - start);
        assert_eq!(count.to_string(), case["count"].as_str().unwrap(), "count of {}", case["name"]);
        compared += 1;
    }
    compared
}

#[test]
fn counts_of_lattice_points() {
    assert!(compare_counts(0.0..0.05) > 0);
}

/// `cargo test --release -p impartial --test polyhedral_tables -- --ignored --nocapture all_counts`
#[test]
#[ignore = "takes minutes"]
fn all_counts_of_lattice_points() {
    assert!(compare_counts(0.0..f64::INFINITY) > 0);
}
