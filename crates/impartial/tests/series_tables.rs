//! Series against the tables of `testdata/polyhedral`: LattE's generating functions, Normaliz's Hilbert series, and fine
//! Hilbert series of affine semigroups.

mod common;

use impartial::integer::modular::{add, inverse, multiply, power, subtract};
use impartial::integer::{Affine, Int, Matrix, Rat, Vector, dot};
use impartial::polyhedron::{Cone, Polyhedron, lattice_point_count};
use impartial::run::Unlimited;
use impartial::semigroup::AffineSemigroup;
use impartial::series::{Series, Term, substitute};
use serde_json::Value;

use common::{clock, infinity, lattice, table, vectors};

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

/// Σ cᵢ sⁱ⁺ˢʰⁱᶠᵗ / Π (1 − s^e) modulo the prime.
fn univariate(numerator: &[Int], denominators: &[Int], shift: &Int, s: u64) -> u64 {
    let mut value = 0;
    let mut monomial = power(s, shift.mod_u64(PRIME - 1), PRIME);
    for c in numerator {
        value = add(value, multiply(c.mod_u64(PRIME), monomial, PRIME), PRIME);
        monomial = multiply(monomial, s, PRIME);
    }
    for e in denominators {
        let factor = subtract(1, power(s, e.mod_u64(PRIME - 1), PRIME), PRIME);
        value = multiply(value, inverse(factor, PRIME), PRIME);
    }
    value
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
        // The series, the degrees of its variables, and the degree of all its exponents together.
        let (series, degrees, constant) = if let Some(j) = infinity(&case) {
            assert!(congruences.is_empty());
            let split = |row: &Vector| {
                let mut row = row.clone();
                let constant = row.remove(j);
                Affine::new(row, constant)
            };
            let affine = |rows: &[Vector]| rows.iter().map(split).collect::<Vec<_>>();
            let polyhedron =
                Polyhedron::from_constraints(n - 1, &affine(&hyperplanes), &affine(&equations), &Unlimited).unwrap();
            let degree = split(&grading);
            compared[2] += 1;
            (Series::of_polyhedron(&polyhedron, WHOLE, &Unlimited).unwrap(), degree.normal, degree.constant)
        } else if congruences.is_empty() {
            let cone = Cone::from_inequalities(n, &hyperplanes, &equations, &Unlimited).unwrap();
            compared[0] += 1;
            (Series::of_cone(&cone, WHOLE, &Unlimited).unwrap(), grading, Int::ZERO)
        } else {
            // In coordinates of the lattice.
            let lattice = lattice(n, &equations, &congruences);
            let rows: Vec<Vector> = hyperplanes.iter().map(|h| lattice.times(h)).collect();
            let cone = Cone::from_inequalities(lattice.rows(), &rows, &[], &Unlimited).unwrap();
            compared[1] += 1;
            (Series::of_cone(&cone, WHOLE, &Unlimited).unwrap(), lattice.times(&grading), Int::ZERO)
        };
        let normaliz = case["libnormaliz_seconds"].as_f64().unwrap_or(0.0);
        println!("{:30} Normaliz {normaliz:6.3} s  here {:7.4} s", case["name"], clock() - start);
        // t_i = r^(degree of e_i): then t^x = s^(degree of x / denominator) with s = r^denominator.
        let r = 123_456_789;
        let s = power(r, int(&case["GradingDenom"]).mod_u64(PRIME - 1), PRIME);
        let h = &case["HilbertSeries"];
        let expected = univariate(&ints(&h[0]), &ints(&h[1]), &int(&h[2]), s);
        let value = value_by_degree(&series, &degrees, r).unwrap();
        let value = multiply(value, power(r, constant.mod_u64(PRIME - 1), PRIME), PRIME);
        assert_eq!(value, expected, "Hilbert series of {}", case["name"]);
    }
    assert!(compared[0] >= 35 && compared[1] >= 10 && compared[2] >= 10, "{compared:?} series were compared");
}

/// The value at tᵢ = r^(degree of eᵢ) modulo the prime.
fn value_by_degree(series: &Series, degrees: &[Int], r: u64) -> Option<u64> {
    if series.terms().iter().flat_map(|t| &t.denominators).any(|a| dot(degrees, a).is_zero()) {
        // Poles of single terms: the exact substitution removes them.
        let column: Vec<Vector> = degrees.iter().map(|g| vec![g.clone()]).collect();
        let image = substitute(series.terms(), &Matrix::from_rows(1, &column), &Unlimited).unwrap();
        return Series::oriented(1, &[Int::ONE], &[], image).unwrap().evaluate_modulo(&[r], PRIME);
    }
    let point: Vec<u64> = degrees.iter().map(|g| power(r, g.mod_u64(PRIME - 1), PRIME)).collect();
    series.evaluate_modulo(&point, PRIME)
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
