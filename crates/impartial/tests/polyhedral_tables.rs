//! Cones against `testdata/polyhedral/normaliz_cases.jsonl`.

use std::collections::BTreeSet;

use impartial::integer::{Vector, dot, primitive, unit_vector};
use impartial::polyhedron::Cone;
use impartial::run::Unlimited;
use serde_json::Value;

fn table(name: &str) -> Vec<Value> {
    let path = format!("{}/../../testdata/polyhedral/{name}.jsonl", env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(path).expect("the table is part of the repository");
    text.lines().map(|line| serde_json::from_str(line).expect("a JSON object")).collect()
}

fn vectors(value: &Value) -> Vec<Vector> {
    serde_json::from_value(value.clone()).expect("a list of integer vectors")
}

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
