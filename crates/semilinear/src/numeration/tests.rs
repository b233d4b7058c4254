//! Against brute force.

use std::sync::Arc;

use num_bigint::BigUint;

use super::*;
use crate::vectorset::Effort;

fn systems() -> Vec<Arc<System>> {
    ["binary", "ternary", "fibonacci", "pell", "tribonacci", "ostrowski:3"]
        .iter()
        .map(|name| Arc::new(System::named(name).unwrap()))
        .collect()
}

fn big(x: &[u64]) -> Vec<BigUint> {
    x.iter().map(|&x| x.into()).collect()
}

#[test]
fn every_number_has_one_valid_string_and_the_order_is_that_of_strings() {
    for system in systems() {
        let mut before: Vec<u8> = vec![];
        for n in 0..500_u32 {
            let digits = system.digits(&n.into());
            assert!(system.is_valid(&digits), "{} {n}", system.name());
            assert_eq!(system.value(&digits), n.into());
            let padded = [vec![0; digits.len() - before.len().min(digits.len())], before.clone()].concat();
            assert!(n == 0 || padded < digits, "{} {n}", system.name());
            before = digits;
        }
        // As many valid strings of length 8 as numbers below the weight.
        let base = u8::try_from(system.base()).unwrap();
        let mut words: Vec<Vec<u8>> = vec![vec![]];
        for _ in 0..6 {
            words = words.iter().flat_map(|w| (0..base).map(move |d| [w.clone(), vec![d]].concat())).collect();
        }
        let valid = words.iter().filter(|w| system.is_valid(w)).count();
        assert_eq!(BigUint::from(valid), system.weights(7)[6], "{}", system.name());
    }
}

#[test]
fn linear_relations_agree_with_arithmetic() {
    let effort = Effort::unlimited();
    #[allow(clippy::type_complexity)]
    let cases: Vec<(Vec<Condition>, fn(&[u64], &[u64]) -> bool)> = vec![
        (vec![Condition::Linear(vec![1, 0], vec![-1, 0], 3), Condition::Same(1)], |x, y| {
            x[0] == y[0] + 3 && x[1] == y[1]
        }),
        (vec![Condition::Linear(vec![1, -1], vec![-1, 1], 0), Condition::Lower(0)], |x, y| {
            x[0] + y[1] == y[0] + x[1] && y[0] < x[0]
        }),
        (vec![Condition::Linear(vec![2, -1], vec![-2, 1], 0), Condition::Higher(1)], |x, y| {
            2 * x[0] + y[1] == 2 * y[0] + x[1] && y[1] > x[1]
        }),
        (
            vec![Condition::Congruent(vec![1, 0], vec![-1, 0], 3), Condition::Linear(vec![0, 1], vec![0, 1], 7)],
            |x, y| (x[0] + 2 * y[0]) % 3 == 0 && x[1] + y[1] == 7,
        ),
        (
            vec![
                Condition::AtLeast(vec![1, -1], vec![-1, 1], -1),
                Condition::AtLeast(vec![-2, 1], vec![2, -1], 3),
                Condition::NotHigher(0),
            ],
            |x, y| x[0] + y[1] + 1 >= y[0] + x[1] && 2 * y[0] + x[1] >= 2 * x[0] + y[1] + 3 && y[0] <= x[0],
        ),
    ];
    for system in systems() {
        for (conditions, holds) in &cases {
            let relation = Relation::new(&system, 2, conditions, &effort).unwrap();
            let full = DigitSet::full(&system, 2, &effort).unwrap();
            for b in 0..11 {
                for bb in 0..11 {
                    let point = [b, bb];
                    let set = DigitSet::finite(&system, &[big(&point)], 2, &effort).unwrap();
                    let unrelated = full.unrelated(&relation, &set, &effort).unwrap();
                    for a in 0..14 {
                        for aa in 0..14 {
                            let x = [a, aa];
                            assert_eq!(
                                unrelated.contains(&big(&x)),
                                !holds(&x, &point),
                                "{} {conditions:?} {x:?} {point:?}",
                                system.name()
                            );
                        }
                    }
                }
            }
        }
    }
}

#[test]
fn sets_agree_with_brute_force() {
    let effort = Effort::unlimited();
    for system in systems() {
        let a: Vec<Vec<BigUint>> = (0..40).map(|i| big(&[i * 7 % 23, i * i % 31])).collect();
        let b: Vec<Vec<BigUint>> = (0..40).map(|i| big(&[i * 5 % 23, i * 3 % 17])).collect();
        let (s, t) =
            (DigitSet::finite(&system, &a, 2, &effort).unwrap(), DigitSet::finite(&system, &b, 2, &effort).unwrap());
        let union = s.union(&t, &effort).unwrap();
        let both = s.intersection(&t, &effort).unwrap();
        let less = s.difference(&t, &effort).unwrap();
        let rest = s.complement(&effort).unwrap();
        let mut count = 0_u32;
        for x in 0..35 {
            for y in 0..35 {
                let p = big(&[x, y]);
                let (in_a, in_b) = (a.contains(&p), b.contains(&p));
                assert_eq!(union.contains(&p), in_a || in_b);
                assert_eq!(both.contains(&p), in_a && in_b);
                assert_eq!(less.contains(&p), in_a && !in_b);
                assert_eq!(rest.contains(&p), !in_a);
                count += u32::from(x < 20 && y < 11 && !in_a);
            }
        }
        assert_eq!(rest.count(&big(&[20, 11])), count.into());
        let mut sorted = a.clone();
        sorted.sort();
        sorted.dedup();
        for (n, x) in sorted.iter().enumerate() {
            assert_eq!(s.nth(&n.into()).as_ref(), Some(x), "{} {n}", system.name());
        }
        assert_eq!(s.nth(&sorted.len().into()), None);
        assert_eq!(s.least().map(|x| s.contains(&x)), Some(true));
    }
}

#[test]
fn related_elements_and_shifts_agree_with_arithmetic() {
    let effort = Effort::unlimited();
    for system in systems() {
        let points: Vec<Vec<BigUint>> = (0..60).map(|i| big(&[i * 7 % 23, i * i % 31])).collect();
        let set = DigitSet::finite(&system, &points, 2, &effort).unwrap();
        let diagonal = [Condition::Lower(0), Condition::Linear(vec![1, -1], vec![-1, 1], 0)];
        let relation = Relation::new(&system, 2, &diagonal, &effort).unwrap();
        let shifted = set.shifted(&[3, 5], &effort).unwrap();
        for x in 0..25 {
            for y in 0..25 {
                let (mut found, all) = set.related_to(&relation, &big(&[x, y]), 100);
                found.sort();
                let lower = (1..=x.min(y)).map(|t| big(&[x - t, y - t])).filter(|p| points.contains(p));
                let mut expected: Vec<_> = lower.collect();
                expected.sort();
                assert!(all && found == expected, "{} ({x},{y})", system.name());
                assert_eq!(shifted.contains(&big(&[x, y])), points.contains(&big(&[x + 3, y + 5])));
            }
        }
    }
}

#[test]
fn what_is_no_system_is_refused() {
    assert!(matches!(System::named("golden"), Err(SystemError::Name(_))));
    assert!(matches!(System::named("ostrowski:1"), Err(SystemError::Name(_))));
    assert!(System::new("x", &[], &[]).is_err());
    assert!(System::new("x", &[1], &[1]).is_err());
    assert!(System::new("x", &[1, 1], &[1, 1]).is_err());
    assert!(System::new("x", &[20], &[1]).is_err());
}

#[test]
fn recurrences_are_named() {
    let system = System::named("recurrence:1,1").unwrap();
    assert_eq!((system.initial(), system.valid()), (System::fibonacci().initial(), System::fibonacci().valid()));
    let system = System::named("recurrence:2,2").unwrap();
    assert_eq!(system.weights(5), [1_u32, 3, 8, 22, 60].map(BigUint::from));
    for n in 0..2000_u32 {
        let digits = system.digits(&n.into());
        assert!(system.is_valid(&digits) && system.value(&digits) == n.into());
    }
    for bad in [
        "recurrence:",
        "recurrence:1",
        "recurrence:0,1,x",
        "recurrence:1,1,1,1,1,1,1",
        "recurrence:1,50",
        "recurrence:1,-1",
    ] {
        assert!(System::named(bad).is_err(), "{bad}");
    }
}
