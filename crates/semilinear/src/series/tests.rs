//! Series against brute force: coefficients on boxes.

use proptest::prelude::*;

use super::{Coefficients, Series, Term, substitute};
use crate::integer::{Affine, Int, Matrix, Rat, Vector, dot, sub, vector};
use crate::polyhedron::{Cone, Polyhedron};
use crate::run::{StopReason, TickLimit, Unlimited};

/// All integer points of [low, high]^d.
fn cube(d: usize, low: i64, high: i64) -> Vec<Vector> {
    let mut points = vec![Vec::new()];
    for _ in 0..d {
        points = points
            .into_iter()
            .flat_map(|p: Vector| (low..=high).map(move |x| p.iter().cloned().chain([Int::from(x)]).collect()))
            .collect();
    }
    points
}

/// The number of ways to write x over the vectors, by plain search; all vectors have a positive sum of entries.
fn representations(x: &[Int], vectors: &[Vector]) -> i64 {
    let Some((first, rest)) = vectors.split_first() else { return i64::from(x.iter().all(Int::is_zero)) };
    let ones = vec![Int::ONE; x.len()];
    let bound = dot(&ones, x);
    let mut count = 0;
    let mut left = x.to_vec();
    let mut used = Int::ZERO;
    while used <= bound {
        count += representations(&left, rest);
        left = sub(&left, first);
        used += dot(&ones, first);
    }
    count
}

/// The coefficient by plain search.
fn plain_coefficient(terms: &[Term], x: &[Int]) -> Rat {
    terms.iter().map(|t| &t.coefficient * &Rat::from(representations(&sub(x, &t.exponent), &t.denominators))).sum()
}

/// A term with small vectors whose entries have a positive sum.
fn term(d: usize) -> impl Strategy<Value = Term> {
    let positive = prop::collection::vec(-1i64..4, d).prop_filter("a positive sum", |a| a.iter().sum::<i64>() > 0);
    (prop::collection::vec(0i64..3, d), prop::collection::vec(positive, 0..4), prop_oneof![Just(1i64), -2i64..4])
        .prop_map(|(p, a, c)| Term {
            coefficient: Rat::from(c),
            exponent: vector(&p),
            denominators: a.iter().map(|a| vector(a)).collect(),
        })
}

fn series_pair() -> impl Strategy<Value = (usize, Vec<Term>, Vec<Term>)> {
    (1usize..4).prop_flat_map(|d| (Just(d), prop::collection::vec(term(d), 1..3), prop::collection::vec(term(d), 1..3)))
}

/// A translate of a free semigroup.
fn free_module(d: usize) -> impl Strategy<Value = (Vector, Vec<Vector>)> {
    let free = |v: &Vec<Vector>| crate::integer::rank(&Matrix::from_rows(v[0].len(), v)) == v.len();
    let generators = prop::collection::vec(prop::collection::vec(0i64..4, d).prop_map(|x| vector(&x)), 1..=d);
    (prop::collection::vec(0i64..4, d).prop_map(|x| vector(&x)), generators.prop_filter("independent vectors", free))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(80))]

    #[test]
    fn polyhedra_have_their_points_as_coefficients(
        dimension in 1usize..4,
        rows in prop::collection::vec(prop::collection::vec(-3i64..4, 4), 1..5),
        equations in prop::collection::vec(prop::collection::vec(-2i64..3, 4), 0..2),
        index in prop_oneof![Just(1u64), Just(4), Just(1000)],
    ) {
        let affine = |rows: &[Vec<i64>]| -> Vec<Affine> {
            rows.iter().map(|r| Affine::new(vector(&r[..dimension]), r[3])).collect()
        };
        // The orthant at (−2, …, −2) keeps the polyhedron pointed.
        let mut inequalities = affine(&rows);
        for i in 0..dimension {
            inequalities.push(Affine::new(crate::integer::unit_vector(dimension, i), 2));
        }
        let p = Polyhedron::from_constraints(dimension, &inequalities, &affine(&equations), &Unlimited).unwrap();
        let f = Series::of_polyhedron(&p, index, &Unlimited).unwrap();
        let coefficients = Coefficients::new(&f);
        for x in cube(dimension, -3, 4) {
            let expected = if p.contains(&x) { Rat::ONE } else { Rat::ZERO };
            prop_assert_eq!(coefficients.at(&x, &Unlimited).unwrap(), expected, "{:?} in {}", x, f);
        }
    }

    #[test]
    fn cones_with_negative_coordinates(rays in prop::collection::vec(prop::collection::vec(-4i64..5, 3), 1..5), d in 2usize..4) {
        let rays: Vec<Vector> = rays.iter().map(|r| vector(&r[..d])).collect();
        let cone = Cone::from_generators(d, &rays, &[], &Unlimited).unwrap();
        prop_assume!(cone.is_pointed());
        let f = Series::of_cone(&cone, 1, &Unlimited).unwrap();
        for x in cube(d, -3, 3) {
            let expected = if cone.contains(&x) { Rat::ONE } else { Rat::ZERO };
            prop_assert_eq!(f.coefficient(&x, &Unlimited).unwrap(), expected);
        }
        // Under a grading, the image of the series, however far the cones are cut.
        let grading = cone.positive_functional().unwrap();
        let column: Vec<&[Int]> = grading.chunks(1).collect();
        let image = substitute(f.terms(), &Matrix::from_rows(1, &column), &Unlimited).unwrap();
        let image = Series::oriented(1, &[Int::ONE], &[], image).unwrap();
        for index in [1, 1000, u64::MAX] {
            prop_assert!(Series::hilbert(&cone, &grading, index, &Unlimited).unwrap().same(&image, &Unlimited).unwrap());
        }
        let turned = crate::integer::negated(&grading);
        prop_assert!(cone.rays().is_empty() || Series::hilbert(&cone, &turned, 1, &Unlimited).is_err());
    }

    #[test]
    fn coefficients_count_representations((d, f, _) in series_pair()) {
        let series = Series::new(d, f.clone()).unwrap();
        let coefficients = Coefficients::new(&series);
        for x in cube(d, -1, 4) {
            prop_assert_eq!(coefficients.at(&x, &Unlimited).unwrap(), plain_coefficient(&f, &x));
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    #[test]
    fn hadamard_products_multiply_coefficients((d, f, g) in series_pair()) {
        let (a, b) = (Series::new(d, f.clone()).unwrap(), Series::new(d, g.clone()).unwrap());
        let product = a.hadamard(&b, &Unlimited).unwrap();
        let coefficients = Coefficients::new(&product);
        for x in cube(d, -1, 4) {
            let expected = &plain_coefficient(&f, &x) * &plain_coefficient(&g, &x);
            prop_assert_eq!(coefficients.at(&x, &Unlimited).unwrap(), expected, "{:?} of {} * {} = {}", x, a, b, product);
        }
    }

    #[test]
    fn booleans_of_sets((d, (f, v), (g, w)) in (1usize..4).prop_flat_map(|d| (Just(d), free_module(d), free_module(d)))) {
        let a = Series::of_module(d, std::slice::from_ref(&f), &v).unwrap();
        let b = Series::of_module(d, std::slice::from_ref(&g), &w).unwrap();
        let [union, intersection, difference] =
            [a.union(&b, &Unlimited).unwrap(), a.intersection(&b, &Unlimited).unwrap(), a.difference(&b, &Unlimited).unwrap()];
        for x in cube(d, 0, if d == 3 { 5 } else { 9 }) {
            let in_a = representations(&sub(&x, &f), &v) > 0;
            let in_b = representations(&sub(&x, &g), &w) > 0;
            let indicator = |b: bool| if b { Rat::ONE } else { Rat::ZERO };
            prop_assert_eq!(union.coefficient(&x, &Unlimited).unwrap(), indicator(in_a || in_b));
            prop_assert_eq!(intersection.coefficient(&x, &Unlimited).unwrap(), indicator(in_a && in_b));
            prop_assert_eq!(difference.coefficient(&x, &Unlimited).unwrap(), indicator(in_a && !in_b));
        }
        // A = (A∖B) ∪ (A∩B), exactly; and not after a change.
        let sum = difference.plus(&intersection).unwrap();
        prop_assert!(sum.same(&a, &Unlimited).unwrap());
        let moved = sum.shifted(&crate::integer::unit_vector(d, 0));
        prop_assert!(!moved.same(&a, &Unlimited).unwrap());
    }

    /// Random values refute and never refute what is equal; the exact test confirms, and its exponent is a difference.
    #[test]
    fn zero_and_equality_tests((d, f, g) in series_pair()) {
        let (a, b) = (Series::new(d, f.clone()).unwrap(), Series::new(d, g.clone()).unwrap());
        // 1/(1 − t^a) = 1/(1 − t^2a) + t^a/(1 − t^2a), in every denominator.
        let mut halves = f.clone();
        for i in 0..3 {
            halves = halves.into_iter().flat_map(|t| {
                let Some(a) = t.denominators.get(i).cloned() else { return vec![t] };
                let mut even = t;
                even.denominators[i] = crate::integer::add(&a, &a);
                let odd = Term { exponent: crate::integer::add(&even.exponent, &a), ..even.clone() };
                vec![even, odd]
            }).collect();
        }
        let halves = Series::new(d, halves).unwrap();
        prop_assert!(!a.minus(&halves).unwrap().refuted());
        prop_assert!(a.same(&halves, &Unlimited).unwrap());
        let difference = halves.minus(&b).unwrap();
        let differs = |x: &Vector| plain_coefficient(&f, x) != plain_coefficient(&g, x);
        if let Some(x) = difference.first_exponent(&Unlimited).unwrap() {
            prop_assert!(differs(&x), "{} and {} agree at {:?}", a, b, x);
            prop_assert!(difference.refuted() && !a.same(&b, &Unlimited).unwrap());
        } else {
            prop_assert!(!difference.refuted() && a.same(&b, &Unlimited).unwrap());
            prop_assert!(!cube(d, -1, 4).iter().any(differs));
        }
    }

    #[test]
    fn simplification_keeps_the_function((d, f, g) in series_pair()) {
        let series = Series::new(d, f.iter().chain(&g).cloned().collect()).unwrap();
        let mut simple = series.clone();
        simple.simplify();
        prop_assert!(simple.terms().len() <= series.terms().len());
        prop_assert!(simple.same(&series, &Unlimited).unwrap());
        let point = [12345, 678_901, 23_456_789];
        prop_assert_eq!(simple.evaluate_modulo(&point, (1 << 61) - 1), series.evaluate_modulo(&point, (1 << 61) - 1));
    }
}

#[test]
fn poles_cancel_in_a_substitution() {
    // The points of 0 ≤ x ≤ 4 with x mapped to 1: their number, although both terms have a pole there.
    let square = Polyhedron::from_constraints(
        2,
        &[
            Affine::new(vector(&[1, 0]), 0),
            Affine::new(vector(&[-1, 0]), 4),
            Affine::new(vector(&[0, 1]), 0),
            Affine::new(vector(&[-1, -1]), 6),
        ],
        &[],
        &Unlimited,
    )
    .unwrap();
    let terms = Series::of_polyhedron(&square, 1, &Unlimited).unwrap().terms().to_vec();
    // Project to the second coordinate: row y has min(5, 7 − y) points.
    let image = substitute(&terms, &Matrix::from_i64(&[&[0], &[1]]), &Unlimited).unwrap();
    let projected = Series::oriented(1, &vector(&[1]), &[], image).unwrap();
    for y in 0..9 {
        let expected = (7 - y).clamp(0, 5);
        assert_eq!(projected.coefficient(&vector(&[y]), &Unlimited).unwrap(), Rat::from(expected));
    }
    // All variables to 1: the count.
    let image = substitute(&terms, &Matrix::zero(2, 0), &Unlimited).unwrap();
    assert_eq!(image.iter().map(|t| t.coefficient.clone()).sum::<Rat>(), Rat::from(25));
}

#[test]
fn large_points() {
    let f = Series::of_module(2, &[vector(&[1, 2])], &[vector(&[3, 1]), vector(&[1, 2])]).unwrap();
    let big = Int::from(10).pow(30);
    // (1,2) + 10³⁰(3,1) + 7(1,2).
    let x = [&big * &Int::from(3) + Int::from(8), &big + &Int::from(16)];
    assert_eq!(f.coefficient(&x, &Unlimited).unwrap(), Rat::ONE);
    let y = [&x[0] + &Int::ONE, x[1].clone()];
    assert_eq!(f.coefficient(&y, &Unlimited).unwrap(), Rat::ZERO);
}

#[test]
fn refusals_and_limits() {
    let f = Series::of_module(1, &[vector(&[0])], &[vector(&[1])]).unwrap();
    let g = Series::of_module(1, &[vector(&[0])], &[vector(&[-1])]).unwrap();
    assert!(matches!(f.plus(&g), Err(super::SeriesError::Incompatible)));
    assert!(matches!(f.hadamard(&g, &Unlimited), Err(super::SeriesError::Incompatible)));
    assert!(Series::of_module(1, &[vector(&[0])], &[vector(&[0])]).is_err());
    assert!(Series::of_module(2, &[vector(&[0])], &[]).is_err());
    let stopped = f.hadamard(&f, &TickLimit::new(0)).unwrap_err();
    assert_eq!(stopped.stop_reason(), Some(&StopReason::Time));
    assert!((f.complexity() - 3.0).abs() < 1e-9);
}
