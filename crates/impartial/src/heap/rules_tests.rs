use proptest::prelude::*;

use super::*;

fn options(text: &str, heap: u64) -> Vec<Vec<u64>> {
    text.parse::<HeapRules>().unwrap().heap_options(heap)
}

#[test]
fn digits_say_how_many_heaps_are_left() {
    assert_eq!(options("0.1", 1), [[0_u64; 0]]);
    assert!(options("0.1", 2).is_empty());
    assert!(options("0.2", 1).is_empty());
    assert_eq!(options("0.2", 2), [[1]]);
    assert_eq!(options("0.4", 5), [[1, 3], [2, 2]]);
    assert_eq!(options("0.8", 5), [[1, 1, 2]]);
    assert_eq!(options("4.0", 4), [[1, 3], [2, 2]]);
    assert_eq!(options("0.07", 2), [[0_u64; 0]]);
    assert_eq!(options("0.[3]", 3), [vec![], vec![1], vec![2]]);
    assert_eq!(options("4.[3]", 2), [vec![], vec![1], vec![1, 1]]);
    assert!(options("0.77", 0).is_empty());
}

#[test]
fn subtraction_sets_are_codes() {
    let set: HeapRules = "subtract:2,5,2".parse().unwrap();
    let code = HeapRules::Code(set.code().unwrap());
    for heap in 0..20 {
        assert_eq!(set.heap_options(heap), code.heap_options(heap));
    }
    assert_eq!("subtract:18446744073709551615".parse::<HeapRules>().unwrap().code(), None);
    for (text, words) in [
        ("subtract:", "no number"),
        ("subtract:0", "0 may not be taken"),
        ("subtract:1,,2", "\"\" is no number"),
        ("subtract:-1", "\"-1\" is no number"),
        ("subtract:1,99999999999999999999", "is no number below 2^64"),
    ] {
        assert!(text.parse::<HeapRules>().unwrap_err().to_string().contains(words), "{text}");
    }
}

#[test]
fn work_is_bounded_before_memory_is() {
    let rules: HeapRules = "0.[7]".parse().unwrap();
    assert_eq!(rules.options_within(1_000_000_000_000_000_000, 10_000), None);
    let any = HeapRules::clauses(vec![Clause {
        heap: None,
        take: "0..".parse().unwrap(),
        limits: vec![],
        leave: vec![Leave { first: 0, last: None }],
        shape: Shape::Any,
        least: 1,
    }])
    .unwrap();
    assert_eq!(any.options_within(u64::MAX, 10_000), None);
    // Partitions of 6 except 6 itself, and all partitions of 0..=5: 10 + (1 + 1 + 2 + 3 + 5 + 7).
    assert_eq!(any.heap_options(6).len(), 29);
}

#[test]
fn shapes_compare_the_heaps_left() {
    let split = |shape, least| Clause {
        heap: None,
        take: Take::these(&[0]),
        limits: vec![],
        leave: vec![Leave { first: 2, last: Some(3) }],
        shape,
        least,
    };
    let game = |clause| HeapRules::clauses(vec![clause]).unwrap().heap_options(6);
    assert_eq!(game(split(Shape::Equal, 1)), [vec![2, 2, 2], vec![3, 3]]);
    assert_eq!(game(split(Shape::Unequal, 1)), [vec![1, 2, 3], vec![1, 5], vec![2, 4]]);
    assert_eq!(game(split(Shape::Any, 2)), [vec![2, 2, 2], vec![2, 4], vec![3, 3]]);
    assert_eq!(game(split(Shape::Equal, 3)), [vec![3, 3]]);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]
    #[test]
    fn options_follow_the_digits(digits in prop::collection::vec(0_u8..16, 1..5), zeroth in 0_u8..4, heap in 1_u64..14) {
        let digits: Vec<u8> = std::iter::once(zeroth * 4).chain(digits).collect();
        let code = Code::finite(digits.clone());
        let found = HeapRules::Code(code.clone()).heap_options(heap);
        // Count the same moves in another way: every list of up to three heaps with the right sum.
        let mut expected = Vec::new();
        for (k, digit) in (0_u64..).zip(&digits) {
            let Some(rest) = heap.checked_sub(k) else { break };
            if digit & 1 != 0 && rest == 0 {
                expected.push(vec![]);
            }
            for a in 1..=rest {
                if digit & 2 != 0 && a == rest {
                    expected.push(vec![a]);
                }
                for b in a..=rest {
                    if digit & 4 != 0 && a + b == rest {
                        expected.push(vec![a, b]);
                    }
                    for c in b..=rest {
                        if digit & 8 != 0 && a + b + c == rest {
                            expected.push(vec![a, b, c]);
                        }
                    }
                }
            }
        }
        expected.sort();
        expected.dedup();
        prop_assert_eq!(found, expected);
    }
}
