//! Series against the tables of `testdata/polyhedral`: LattE's generating functions, Normaliz's Hilbert series, and fine
//! Hilbert series of affine semigroups.

use semilinear::integer::{Affine, Int, Matrix, Rat, Vector};
use semilinear::polyhedron::{Cone, Polyhedron, lattice_point_count};
use semilinear::run::Unlimited;
use semilinear::semigroup::AffineSemigroup;
use semilinear::series::{Series, Term, substitute};
use serde_json::Value;

use crate::common::{clock, infinity, lattice, table, vectors};

const PRIME: u64 = (1 << 61) - 1;
/// Simplices up to this index are not cut further.
const WHOLE: u64 = 1_000_000;

fn ints(value: &Value) -> Vector {
    serde_json::from_value(value.clone()).expect("an integer vector")
}

fn int(value: &Value) -> Int {
    serde_json::from_value(value.clone()).expect("an integer")
}

#[test]
fn generating_functions_of_polytopes() {
    let mut compared = 0;
    for case in table("latte_mgf") {
        let (a, b) = (vectors(&case["A"]), ints(&case["b"]));
        let n = a[0].len();
        let rows: Vec<Affine> =
            a.iter().zip(&b).map(|(a, b)| Affine::new(a.iter().map(|x| -x).collect(), b.clone())).collect();
        let polytope = Polyhedron::from_constraints(n, &rows, &[], &Unlimited).unwrap();
        assert_eq!(lattice_point_count(&polytope, &Unlimited).unwrap(), int(&case["count"]), "{case}");
        let point: Vec<u64> = ints(&case["eval_point"]).iter().map(|x| x.mod_u64(PRIME)).collect();
        let expected = int(&case["eval_mod_2^61-1"]).mod_u64(PRIME);
        for index in [1, 50] {
            let series = Series::of_polyhedron(&polytope, index, &Unlimited).unwrap();
            assert_eq!(series.evaluate_modulo(&point, PRIME), Some(expected), "{case}");
        }
        compared += 1;
    }
    assert!(compared > 20, "{compared} polytopes were compared");
}

/// Normaliz's series `[numerator, denominators, shift]`: Σ cᵢ sⁱ⁺ˢʰⁱᶠᵗ / Π (1 − s^e), with s the power `unit` of the variable.
fn univariate(series: &Value, unit: &Int) -> Series {
    let shift = int(&series[2]);
    let denominators: Vec<Vector> = ints(&series[1]).iter().map(|e| vec![e * unit]).collect();
    let terms = ints(&series[0]).into_iter().enumerate().map(|(i, c)| Term {
        coefficient: Rat::from(c),
        exponent: vec![&(&Int::from(i) + &shift) * unit],
        denominators: denominators.clone(),
    });
    Series::new(1, terms.collect()).unwrap()
}

#[test]
fn hilbert_series() {
    let mut compared = [0; 3];
    for case in table("normaliz_cases") {
        let inhomogeneous = case["inhomogeneous"].as_bool().unwrap();
        let given = case["IsPointed"].as_bool().unwrap()
            && case.get("SupportHyperplanes").and_then(Value::as_array).is_some_and(|h| !h.is_empty())
            // A shift of a cone tells that faces were excluded, but not which.
            && case.get("HilbertSeries").is_some_and(|h| h.is_array() && (inhomogeneous || h[2] == 0))
            && case.get("Grading").is_some_and(Value::is_array);
        if !given {
            continue;
        }
        let n = usize::try_from(case["EmbeddingDim"].as_u64().unwrap()).unwrap();
        let (hyperplanes, equations) = (vectors(&case["SupportHyperplanes"]), vectors(&case["Equations"]));
        let congruences = vectors(&case["Congruences"]);
        let grading = ints(&case["Grading"][0]);
        let start = clock();
        let (found, fine) = if let Some(j) = infinity(&case) {
            assert!(congruences.is_empty());
            compared[2] += 1;
            (graded_polyhedron(&hyperplanes, &equations, j, &grading), None)
        } else if congruences.is_empty() {
            let cone = Cone::from_inequalities(n, &hyperplanes, &equations, &Unlimited).unwrap();
            compared[0] += 1;
            (Series::hilbert(&cone, &grading, WHOLE, &Unlimited).unwrap(), Some((cone, grading)))
        } else {
            // In coordinates of the lattice.
            let lattice = lattice(n, &equations, &congruences);
            let rows: Vec<Vector> = hyperplanes.iter().map(|h| lattice.times(h)).collect();
            let cone = Cone::from_inequalities(lattice.rows(), &rows, &[], &Unlimited).unwrap();
            compared[1] += 1;
            let grading = lattice.times(&grading);
            (Series::hilbert(&cone, &grading, WHOLE, &Unlimited).unwrap(), Some((cone, grading)))
        };
        let normaliz = case["libnormaliz_seconds"].as_f64().unwrap_or(0.0);
        println!("{:30} Normaliz {normaliz:6.3} s  here {:7.4} s", case["name"], clock() - start);
        let expected = univariate(&case["HilbertSeries"], &int(&case["GradingDenom"]));
        assert!(found.same(&expected, &Unlimited).unwrap(), "Hilbert series of {}: {found}", case["name"]);
        // The series in all variables has the same image.
        if let Some((cone, grading)) = fine {
            let start = clock();
            let series = Series::of_cone(&cone, WHOLE, &Unlimited).unwrap();
            println!("{:30} in all variables   here {:7.4} s", case["name"], clock() - start);
            assert!(graded(&series, &grading).same(&expected, &Unlimited).unwrap(), "series of {}", case["name"]);
        }
    }
    assert!(compared[0] >= 35 && compared[1] >= 10 && compared[2] >= 10, "{compared:?} series were compared");
}

/// The image under t^x ↦ s^(degree of x).
fn graded(series: &Series, degrees: &[Int]) -> Series {
    let column: Vec<&[Int]> = degrees.chunks(1).collect();
    let image = substitute(series.terms(), &Matrix::from_rows(1, &column), &Unlimited).unwrap();
    Series::oriented(1, &[Int::ONE], &[], image).unwrap()
}

/// The Hilbert series of the lattice points of a polyhedron that is given homogeneously, with coordinate j = 1.
fn graded_polyhedron(hyperplanes: &[Vector], equations: &[Vector], j: usize, grading: &Vector) -> Series {
    let split = |row: &Vector| {
        let mut row = row.clone();
        let constant = row.remove(j);
        Affine::new(row, constant)
    };
    let affine = |rows: &[Vector]| rows.iter().map(split).collect::<Vec<_>>();
    let n = grading.len() - 1;
    let polyhedron = Polyhedron::from_constraints(n, &affine(hyperplanes), &affine(equations), &Unlimited).unwrap();
    let degree = split(grading);
    graded(&Series::of_polyhedron(&polyhedron, WHOLE, &Unlimited).unwrap(), &degree.normal).shifted(&[degree.constant])
}

#[test]
fn series_of_affine_semigroups() {
    let mut compared = 0;
    for case in table("semigroups") {
        let generators = vectors(&case["gens"]);
        let d = generators[0].len();
        let semigroup = AffineSemigroup::new(d, generators.clone()).unwrap();
        let series = semigroup.series(&Unlimited).unwrap();
        let denominators = vectors(&case["fine_denominator"]);
        let terms: Vec<Term> = case["fine_numerator"]
            .as_array()
            .unwrap()
            .iter()
            .map(|pair| Term {
                coefficient: Rat::from(int(&pair[1])),
                exponent: ints(&pair[0]),
                denominators: denominators.clone(),
            })
            .collect();
        let expected = Series::new(d, terms).unwrap();
        for k in 1..4u64 {
            let point: Vec<u64> = (0..d as u64).map(|i| 1_000_003 * k + 7_919 * i * i + 17 * i).collect();
            let value = series.evaluate_modulo(&point, PRIME);
            assert!(value.is_some() && value == expected.evaluate_modulo(&point, PRIME), "{case}");
        }
        if let Some(minimal) = case.get("minimal_generators").filter(|_| generators.len() < 6) {
            let mut expected = vectors(minimal);
            expected.sort();
            assert_eq!(semigroup.minimal_generators(&Unlimited).unwrap(), expected, "{case}");
        }
        compared += 1;
    }
    assert_eq!(compared, 104);
}
