//! Cones and polyhedra against `testdata/polyhedral`: Normaliz's rays, hyperplanes and Hilbert bases, LattE's counts.

use std::collections::BTreeSet;

use semilinear::integer::{Affine, Int, Vector, dot, primitive, unit_vector, vector};
use semilinear::polyhedron::{Cone, Polyhedron, hilbert_basis_over, lattice_point_count};
use semilinear::run::Unlimited;
use serde_json::Value;

use crate::common::{clock, infinity, lattice, table, vectors};

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
        let vertices: Vec<Vector> = case.get("VerticesOfPolyhedron").map(vectors).unwrap_or_default();
        let rays = vectors(&case["ExtremeRays"]);
        let infinity = infinity(&case);
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

#[test]
fn hilbert_bases() {
    let (mut cones, mut recession_cones) = (0, 0);
    for case in table("normaliz_cases") {
        let Some((n, inequalities, mut equations, infinity)) = constraints(&case) else { continue };
        // The basis of a polyhedron is that of its recession monoid.
        equations.extend(infinity.map(|j| unit_vector(n, j)));
        let start = clock();
        let cone = Cone::from_inequalities(n, &inequalities, &equations, &Unlimited).unwrap();
        // A recession cone may lie in fewer dimensions than the equations tell.
        let lattice = lattice(n, &cone.equations().to_rows(), &vectors(&case["Congruences"]));
        let found: BTreeSet<Vector> = hilbert_basis_over(&cone, &lattice, &Unlimited).unwrap().into_iter().collect();
        // Shown by --nocapture; the figures are in docs/performance/geometry.md.
        let normaliz = case["libnormaliz_seconds"].as_f64().unwrap_or(0.0);
        println!("{:30} Normaliz {normaliz:6.3} s  here {:7.4} s", case["name"], clock() - start);
        let expected: BTreeSet<Vector> = vectors(&case["HilbertBasis"]).into_iter().collect();
        assert_eq!(found, expected, "Hilbert basis of {}", case["name"]);
        *if infinity.is_some() { &mut recession_cones } else { &mut cones } += 1;
    }
    assert!(cones >= 51 && recession_cones >= 42, "{cones} cones and {recession_cones} recession cones were compared");
}

type Constraints = (usize, Vec<Vector>, Vec<Vector>, Option<usize>);

/// The dimension, inequalities and equations of a pointed case of Normaliz, and the homogenising coordinate of a polyhedron.
fn constraints(case: &Value) -> Option<Constraints> {
    let mut inequalities: Vec<Vector> = case.get("SupportHyperplanes").map(vectors).unwrap_or_default();
    // Lattice ideals are given by binomials, not by a cone; some polyhedra are empty.
    if inequalities.is_empty() || !case["IsPointed"].as_bool().unwrap() {
        return None;
    }
    let n = usize::try_from(case["EmbeddingDim"].as_u64().unwrap()).unwrap();
    let infinity = infinity(case);
    inequalities.extend(infinity.map(|j| unit_vector(n, j)));
    Some((n, inequalities, vectors(&case["Equations"]), infinity))
}

/// The lattice points of a polyhedron are a module over its recession monoid. Its generators are the vectors at height 1 in the
/// Hilbert basis of the cone over it; of a polytope, all points.
#[test]
fn module_generators() {
    let (mut bases, mut polytopes) = (0, 0);
    for case in table("normaliz_cases") {
        let Some((n, inequalities, equations, Some(j))) = constraints(&case) else { continue };
        let name = &case["name"];
        let congruences = vectors(&case["Congruences"]);
        let expected: BTreeSet<Vector> = vectors(&case["ModuleGenerators"]).into_iter().collect();
        let cone = Cone::from_inequalities(n, &inequalities, &equations, &Unlimited).unwrap();
        if congruences.is_empty() && cone.rays().iter().all(|r| r[j].is_positive()) {
            let affine = |row: &Vector| {
                let mut normal = row.clone();
                let constant = normal.remove(j);
                Affine::new(normal, constant)
            };
            let [inequalities, equations] =
                [&inequalities, &equations].map(|rows| rows.iter().map(affine).collect::<Vec<_>>());
            let polytope = Polyhedron::from_constraints(n - 1, &inequalities, &equations, &Unlimited).unwrap();
            assert_eq!(lattice_point_count(&polytope, &Unlimited).unwrap(), Int::from(expected.len()), "{name}");
            assert!(expected.iter().all(|x| x[j].is_one() && cone.contains(x)), "{name}");
            polytopes += 1;
        } else {
            let lattice = lattice(n, &equations, &congruences);
            let basis = hilbert_basis_over(&cone, &lattice, &Unlimited).unwrap();
            let found: BTreeSet<Vector> = basis.into_iter().filter(|x| x[j].is_one()).collect();
            assert_eq!(found, expected, "module generators of {name}");
            bases += 1;
        }
    }
    assert!(bases >= 20 && polytopes >= 15, "{bases} modules and {polytopes} polytopes were compared");
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

/// `cargo test --release -p semilinear --test tables -- polyhedral_tables --ignored --nocapture all_counts`
#[test]
#[ignore = "takes minutes"]
fn all_counts_of_lattice_points() {
    assert!(compare_counts(0.0..f64::INFINITY) > 0);
}

/// 13a + 17b + 19c + 23d + 29e ≤ 10⁵ over ℕ, which barvinok counts in 0.02 s and LattE in 0.034 s; and the same below 10³⁰, against a
/// recurrence for the number of all (a, …, e) with a given sum: a quasi-polynomial of degree 5, so that sixth differences vanish.
#[test]
fn points_of_a_knapsack() {
    let count = |bound: &Int| {
        let mut rows: Vec<Affine> = (0..5).map(|i| Affine::new(unit_vector(5, i), 0)).collect();
        rows.push(Affine::new(vector(&[-13, -17, -19, -23, -29]), bound.clone()));
        let simplex = Polyhedron::from_constraints(5, &rows, &[], &Unlimited).unwrap();
        lattice_point_count(&simplex, &Unlimited).unwrap()
    };
    let start = clock();
    assert_eq!(count(&Int::from(100_000)).to_string(), "29830060545682339");
    println!("knapsack: barvinok 0.020 s  LattE 0.034 s  here {:6.4} s", clock() - start);
    let period = Int::from(13 * 17 * 19 * 23 * 29);
    let binomials = [1, -6, 15, -20, 15, -6, 1];
    let base = Int::from(10).pow(30);
    let difference: Int =
        (0..).zip(binomials).map(|(k, c)| &Int::from(c) * &count(&(&base + &(&period * &Int::from(k))))).sum();
    assert!(difference.is_zero());
}
