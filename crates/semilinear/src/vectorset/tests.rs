//! Operations against explicit sets on boxes.

use num_bigint::{BigInt, BigUint};
use proptest::prelude::*;

use super::{Effort, Labelling, Relation, VectorSet};
use crate::run::{StopReason, TickLimit, Unlimited};

fn effort() -> Effort<'static> {
    Effort::unlimited()
}

fn big(v: &[u64]) -> Vec<BigUint> {
    v.iter().map(|&x| x.into()).collect()
}

fn signed(v: &[i64]) -> Vec<BigInt> {
    v.iter().map(|&x| x.into()).collect()
}

/// All points of [0, side)^d.
fn points(d: usize, side: u64) -> Vec<Vec<u64>> {
    (0..side.pow(u32::try_from(d).unwrap()))
        .map(|mut n| {
            (0..d)
                .map(|_| {
                    let x = n % side;
                    n /= side;
                    x
                })
                .collect()
        })
        .collect()
}

/// A random set built from inequalities, congruences, images and finite sets.
fn sets(d: usize) -> impl Strategy<Value = VectorSet> {
    let leaf = prop_oneof![
        (prop::collection::vec(-3i64..4, d), -6i64..7, any::<bool>()).prop_map(|(a, b, eq)| {
            let relation = if eq { Relation::Zero } else { Relation::AtLeastZero };
            VectorSet::linear(&a, b, relation, &effort()).unwrap()
        }),
        (prop::collection::vec(-4i64..5, d), 0i64..8, 1u64..8).prop_map(|(a, b, m)| VectorSet::congruence(
            &a,
            b,
            m,
            &effort()
        )
        .unwrap()),
        (prop::collection::vec(0i64..4, d), prop::collection::vec(prop::collection::vec(0i64..4, d), 0..3))
            .prop_map(|(b, v)| VectorSet::image(&b, &v, &effort()).unwrap()),
        prop::collection::vec(prop::collection::vec(0u64..9, d), 0..5).prop_map(move |v| {
            VectorSet::finite(d, &v.iter().map(|x| big(x)).collect::<Vec<_>>(), &effort()).unwrap()
        }),
    ];
    leaf.prop_recursive(2, 4, 2, |inner| {
        (inner.clone(), inner, 0..3).prop_map(|(a, b, op)| {
            match op {
                0 => a.union(&b, &effort()),
                1 => a.intersection(&b, &effort()),
                _ => a.difference(&b, &effort()),
            }
            .unwrap()
        })
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn linear_constraints_agree_with_arithmetic(a in prop::collection::vec(-9i64..10, 2), b in -20i64..20, m in 1u64..12) {
        let at_least = VectorSet::linear(&a, b, Relation::AtLeastZero, &effort()).unwrap();
        let zero = VectorSet::linear(&a, b, Relation::Zero, &effort()).unwrap();
        let congruence = VectorSet::congruence(&a, b, m, &effort()).unwrap();
        for x in points(2, 20) {
            let value: i64 = a.iter().zip(&x).map(|(a, &x)| a * i64::try_from(x).unwrap()).sum();
            prop_assert_eq!(at_least.contains_small(&x), value + b >= 0);
            prop_assert_eq!(zero.contains_small(&x), value + b == 0);
            prop_assert_eq!(congruence.contains_small(&x), (value - b).rem_euclid(i64::try_from(m).unwrap()) == 0);
            prop_assert_eq!(at_least.contains(&big(&x)), value + b >= 0);
        }
    }

    #[test]
    fn boolean_operations_agree_with_membership(a in sets(2), b in sets(2)) {
        let union = a.union(&b, &effort()).unwrap();
        let intersection = a.intersection(&b, &effort()).unwrap();
        let difference = a.difference(&b, &effort()).unwrap();
        let symmetric = a.symmetric_difference(&b, &effort()).unwrap();
        let complement = a.complement();
        for x in points(2, 16) {
            let (ina, inb) = (a.contains_small(&x), b.contains_small(&x));
            prop_assert_eq!(union.contains_small(&x), ina || inb);
            prop_assert_eq!(intersection.contains_small(&x), ina && inb);
            prop_assert_eq!(difference.contains_small(&x), ina && !inb);
            prop_assert_eq!(symmetric.contains_small(&x), ina != inb);
            prop_assert_eq!(complement.contains_small(&x), !ina);
        }
        // Canonical: laws of sets are equalities of values.
        prop_assert_eq!(union.complement(), complement.intersection(&b.complement(), &effort()).unwrap());
        prop_assert_eq!(difference.union(&intersection, &effort()).unwrap(), a.clone());
        prop_assert_eq!(complement.complement(), a.clone());
        prop_assert_eq!(a.is_subset(&union, &effort()), Ok(true));
        let missing = a.missing(&b, &effort()).unwrap();
        prop_assert_eq!(missing.is_none(), a.is_subset(&b, &effort()).unwrap());
        if let Some(x) = missing {
            prop_assert!(a.contains(&x) && !b.contains(&x));
            prop_assert_eq!(difference.smallest(&effort()).unwrap(), Some(x));
        }
        let parts = Labelling::from_sets(&[a.clone(), b.clone()], &effort()).unwrap();
        prop_assert_eq!(parts.set(1, &effort()).unwrap(), a.clone());
        prop_assert_eq!(parts.set(2, &effort()).unwrap(), b.difference(&a, &effort()).unwrap());
        prop_assert_eq!(a.counterexample(&b, &effort()).unwrap().is_none(), a == b);
        let from = VectorSet::from_table(
            2,
            a.transitions(),
            &(0..u32::try_from(a.states()).unwrap()).filter(|&s| a.is_accepting(s)).collect::<Vec<_>>(),
            &effort(),
        );
        prop_assert_eq!(from, Ok(Ok(a)));
    }

    #[test]
    fn moves_agree_with_arithmetic(a in sets(2), v in prop::collection::vec(-5i64..6, 2), p in prop::collection::vec(0u64..6, 2)) {
        let moved = a.translation(&signed(&v), &effort()).unwrap();
        let shifted = a.shift(&big(&p), &effort()).unwrap();
        let swapped = a.permuted(&[1, 0], &effort()).unwrap();
        let tall = a.cylinder(3, &[2, 0], &effort()).unwrap();
        for x in points(2, 14) {
            let before: Option<Vec<u64>> = x.iter().zip(&v).map(|(&x, &v)| x.checked_add_signed(-v)).collect();
            prop_assert_eq!(moved.contains_small(&x), before.is_some_and(|y| a.contains_small(&y)));
            prop_assert_eq!(shifted.contains_small(&x), a.contains_small(&[x[0] + p[0], x[1] + p[1]]));
            prop_assert_eq!(swapped.contains_small(&x), a.contains_small(&[x[1], x[0]]));
            prop_assert_eq!(tall.contains_small(&[x[1], 5, x[0]]), a.contains_small(&x));
        }
    }

    #[test]
    fn preimages_agree_with_arithmetic(
        a in sets(2),
        b in prop::collection::vec(-9i64..10, 2),
        v in prop::collection::vec(prop::collection::vec(-2i64..3, 2), 1..4),
    ) {
        let preimage = a.preimage(&signed(&b), &v, &effort()).unwrap();
        for x in points(v.len(), 7) {
            let y: Vec<i64> = (0..2)
                .map(|i| b[i] + v.iter().zip(&x).map(|(c, &x)| c[i] * i64::try_from(x).unwrap()).sum::<i64>())
                .collect();
            let expected = y.iter().all(|&y| y >= 0) && a.contains_small(&y.iter().map(|&y| y.unsigned_abs()).collect::<Vec<_>>());
            prop_assert_eq!(preimage.contains_small(&x), expected, "{:?}", x);
        }
    }

    #[test]
    fn images_agree_with_projections(
        b in prop::collection::vec(-4i64..6, 2),
        v in prop::collection::vec(prop::collection::vec(-2i64..4, 2), 1..3),
    ) {
        // y = b + Vλ as two equations in (λ, y), then ∃λ.
        let k = v.len();
        let mut graph = VectorSet::full(k + 2);
        for i in 0..2 {
            let mut a: Vec<i64> = v.iter().map(|c| c[i]).collect();
            a.extend([if i == 0 { -1 } else { 0 }, if i == 1 { -1 } else { 0 }]);
            graph = graph.intersection(&VectorSet::linear(&a, b[i], Relation::Zero, &effort()).unwrap(), &effort()).unwrap();
        }
        let projected = graph.exists(&(0..k).collect::<Vec<_>>(), &effort()).unwrap();
        prop_assert_eq!(VectorSet::image(&b, &v, &effort()).unwrap(), projected);
    }

    #[test]
    fn quantifiers_agree_with_search(a in sets(3), track in 0usize..3) {
        // The sets are made of small numbers: what a witness beyond 64 can do, one below 64 can.
        let exists = a.exists(&[track], &effort()).unwrap();
        let forall = a.forall(&[track], &effort()).unwrap();
        for x in points(2, 6) {
            let with = |y: u64| { let mut z = x.clone(); z.insert(track, y); a.contains_small(&z) };
            prop_assert_eq!(exists.contains_small(&x), (0..200).any(with));
            prop_assert_eq!(forall.contains_small(&x), (0..200).all(with));
        }
    }

    #[test]
    fn least_elements_and_order_agree_with_sorting(a in sets(2), l in prop::collection::vec(1u64..4, 2)) {
        let rank = |x: &[u64]| (x.iter().zip(&l).map(|(x, l)| x * l).sum::<u64>(), x.to_vec());
        let side = 24;
        let mut inside: Vec<Vec<u64>> = points(2, side).into_iter().filter(|x| a.contains_small(x)).collect();
        inside.sort_by_key(|x| rank(x));
        // Beyond this value the box is not the whole set.
        inside.retain(|x| rank(x).0 < side);
        let listed: Vec<Vec<BigUint>> = a
            .elements(&l, &effort()).unwrap()
            .take_while(|x| x.iter().zip(&l).map(|(x, &l)| x * l).sum::<BigUint>() < side.into())
            .collect();
        prop_assert_eq!(&listed, &inside.iter().map(|x| big(x)).collect::<Vec<_>>());
        let first = a.elements(&l, &effort()).unwrap().next();
        prop_assert_eq!(a.least(&l, &effort()).unwrap(), first);
        if a.is_finite() {
            let all: Vec<_> = a.elements(&l, &effort()).unwrap().collect();
            prop_assert_eq!(VectorSet::finite(2, &all, &effort()).unwrap(), a);
        } else {
            prop_assert_eq!(a.elements(&l, &effort()).unwrap().take(500).count(), 500);
        }
    }

    #[test]
    fn counting_agrees_with_enumeration(a in sets(2), n in 0u64..20, m in 0u64..20) {
        let expected = points(2, 20).into_iter().filter(|x| x[0] < n && x[1] < m && a.contains_small(x)).count();
        prop_assert_eq!(a.count(&big(&[n, m]), &Unlimited), Ok(expected.into()));
    }

    #[test]
    fn residuals_are_the_sets_they_name(a in sets(2), w in 0u64..4, v in 0u64..4) {
        let digits: Vec<Vec<bool>> = (0..2).map(|k| vec![w >> k & 1 == 1, v >> k & 1 == 1]).collect();
        let residual = a.residual(&digits, &effort()).unwrap();
        for q in points(2, 8) {
            prop_assert_eq!(residual.contains_small(&q), a.contains_small(&[w + 4 * q[0], v + 4 * q[1]]));
        }
    }
}

#[test]
fn translations_by_large_vectors_keep_every_digit() {
    let d: BigInt = BigInt::from(10).pow(40) + 1;
    let threes = VectorSet::congruence(&[1], 0, 3, &effort()).unwrap();
    let moved = threes.translation(std::slice::from_ref(&d), &effort()).unwrap();
    let least = moved.smallest(&effort()).unwrap().unwrap();
    assert_eq!(BigInt::from(least[0].clone()), d);
    assert_eq!(moved.translation(&[-d], &effort()).unwrap(), threes);
}

#[test]
fn big_coefficients_do_not_wrap() {
    let huge = BigInt::from(10).pow(30);
    // 10^30 (x - y) + 1 >= 0 iff x >= y.
    let set = VectorSet::linear_big(&[huge.clone(), -&huge], &1.into(), Relation::AtLeastZero, &effort()).unwrap();
    assert_eq!(set, VectorSet::linear(&[1, -1], 0, Relation::AtLeastZero, &effort()).unwrap());
    // 3x - 7y + 10^200 = 0, and beyond machine words.
    let far = BigInt::from(10).pow(200);
    let line = VectorSet::linear_big(&[3.into(), (-7).into()], &far, Relation::Zero, &effort()).unwrap();
    for k in 5u32..45 {
        let x: BigInt = BigInt::from(k) * 7 * &huge / 3;
        // (x, y'): 3x - 7y' = -far for y' = (3x + far)/7 when that is an integer.
        let value: BigInt = 3 * &x + &far;
        let (y, odd): (BigInt, BigInt) = (&value / 7, &value % 7);
        let inside = line.contains(&[x.to_biguint().unwrap(), y.to_biguint().unwrap()]);
        assert_eq!(inside, odd == BigInt::from(0), "{x} {y}");
    }
    // Coefficients without a common factor need as many states as they are large: an honest limit.
    let few = Effort::new(10_000, &Unlimited);
    let wide = VectorSet::linear_big(&[huge.clone(), -huge - 1], &0.into(), Relation::AtLeastZero, &few);
    assert_eq!(wide, Err(StopReason::Size { what: "automaton states", limit: 10_000 }));
    // A large modulus that the coefficients share is a small one.
    let modulus = BigInt::from(6) * BigInt::from(10).pow(50);
    let a = BigInt::from(10).pow(50);
    let set = VectorSet::congruence_big(&[a.clone(), 2 * &a], &(3 * &a), &modulus, &effort()).unwrap();
    assert_eq!(set, VectorSet::congruence(&[1, 2], 3, 6, &effort()).unwrap());
}

#[test]
fn twelve_coordinates_are_practical() {
    // At most 20 heaps in all, of even total number: built, quantified, counted and listed in dimension 12.
    let few = VectorSet::linear(&[-1; 12], 20, Relation::AtLeastZero, &effort()).unwrap();
    let even = VectorSet::congruence(&[1; 12], 0, 2, &effort()).unwrap();
    let set = few.intersection(&even, &effort()).unwrap();
    // Vectors of ℕ¹² with sum s: C(s + 11, 11).
    let choose = |n: u64, k: u64| (1..=k).fold(1u64, |c, i| c * (n - k + i) / i);
    let expected: u64 = (0..=10).map(|s| choose(2 * s + 11, 11)).sum();
    assert_eq!(set.count(&vec![BigUint::from(21u8); 12], &Unlimited), Ok(expected.into()));
    assert!(set.is_finite());
    assert_eq!(set.elements(&[1; 12], &effort()).unwrap().take(1000).count(), 1000);
    // ∃ the last six coordinates: at most 20 in the others; ∀: never, as one of them may be 1.
    assert_eq!(
        set.exists(&[6, 7, 8, 9, 10, 11], &effort()).unwrap(),
        VectorSet::linear(&[-1; 6], 20, Relation::AtLeastZero, &effort()).unwrap()
    );
    assert!(set.forall(&[6, 7, 8, 9, 10, 11], &effort()).unwrap().is_empty());
    let moved = set.translation(&vec![BigInt::from(1); 12], &effort()).unwrap();
    assert_eq!(moved.smallest(&effort()).unwrap(), Some(vec![1u8.into(); 12]));
}

#[test]
fn limits_and_monitors_stop_operations() {
    let few = Effort::new(10, &Unlimited);
    assert_eq!(
        VectorSet::congruence(&[1], 0, 1009, &few),
        Err(StopReason::Size { what: "automaton states", limit: 10 })
    );
    let monitor = TickLimit::new(0);
    let stopped = Effort::new(1 << 20, &monitor);
    assert_eq!(VectorSet::congruence(&[1], 0, 100_003, &stopped), Err(StopReason::Time));
}

#[test]
fn tables_that_tell_notations_of_a_number_apart_are_refused() {
    // Accepts words of even length only: not a set of numbers.
    let table = VectorSet::from_table(1, &[[1, 1], [0, 0]], &[0], &effort()).unwrap();
    assert!(table.unwrap_err().contains("zero digits"));
    let out = VectorSet::from_table(1, &[[1, 7], [0, 0]], &[0], &effort()).unwrap();
    assert_eq!(out.unwrap_err(), "there is no state 7");
    let mixed = VectorSet::from_table(2, &[[0, 0]], &[0], &effort()).unwrap();
    assert!(mixed.unwrap_err().contains("tracks"));
}
