//! Every engine against the plain loop.

use proptest::prelude::*;

use super::*;
use crate::heap::Code;
use semilinear::run::Unlimited;

fn values(rules: &HeapRules, engine: Engine, len: usize) -> Vec<u32> {
    let mut sequence = Sequence::new(rules.clone(), engine);
    sequence.extend(len, &Unlimited).unwrap();
    sequence.values().to_vec()
}

fn agree(rules: &HeapRules, len: usize) {
    let plain = values(rules, Engine::Plain, len);
    for engine in [Engine::Auto, Engine::Scan, Engine::Sparse] {
        assert_eq!(values(rules, engine, len), plain, "{engine:?} {rules:?}");
    }
}

fn octal() -> impl Strategy<Value = HeapRules> {
    (prop_oneof![Just(0_u8), Just(4)], prop::collection::vec(0_u8..8, 1..5)).prop_map(|(first, mut digits)| {
        digits.insert(0, first);
        HeapRules::Code(Code::finite(digits))
    })
}

fn hexadecimal() -> impl Strategy<Value = HeapRules> {
    (prop_oneof![Just(0_u8), Just(4), Just(8), Just(12)], prop::collection::vec(0_u8..16, 1..4)).prop_map(
        |(first, mut digits)| {
            digits.insert(0, first);
            HeapRules::Code(Code::finite(digits))
        },
    )
}

fn repeating() -> impl Strategy<Value = HeapRules> {
    (prop_oneof![Just(0_u8), Just(4)], prop::collection::vec(0_u8..8, 1..6), 1_usize..4).prop_map(
        |(first, mut digits, repeat)| {
            let repeat = repeat.min(digits.len());
            digits.insert(0, first);
            HeapRules::Code(Code::repeating(digits, repeat))
        },
    )
}

/// The few-rares engine holds values below 64; 0.31377 has its first value beyond when that engine is in use.
#[test]
fn a_value_beyond_the_ring_does_not_stop_the_others() {
    let rules: HeapRules = "0.31377".parse().unwrap();
    let (auto, sparse) = (values(&rules, Engine::Auto, 119_000), values(&rules, Engine::Sparse, 119_000));
    let first = auto.iter().position(|&value| value >= 64).unwrap();
    assert!(first > 1 << 15, "{first}");
    assert_eq!(auto, sparse);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn octal_engines_agree(rules in octal()) {
        agree(&rules, 3000);
    }

    // The plain loop looks at n³/36 divisions into three heaps for each digit that allows them, and at n³/12 splits
    // when digits repeat for ever: without optimisation 700 heaps are what a second affords.
    #[test]
    fn hexadecimal_engines_agree(rules in hexadecimal()) {
        agree(&rules, 700);
    }

    #[test]
    fn repeating_engines_agree(rules in repeating()) {
        agree(&rules, 700);
    }

    /// `cargo test --release -p impartial --lib engines_agree -- --ignored`: a minute or two.
    #[test]
    #[ignore = "minutes without optimisation"]
    fn hexadecimal_engines_agree_to_3000(rules in hexadecimal()) {
        agree(&rules, 3000);
    }

    #[test]
    #[ignore = "minutes without optimisation"]
    fn repeating_engines_agree_to_3000(rules in repeating()) {
        agree(&rules, 3000);
    }

    #[test]
    fn subtraction_engines_agree(set in prop::collection::vec(1_u64..200, 1..80)) {
        agree(&HeapRules::subtraction(&set).unwrap(), 3000);
    }
}

#[test]
fn grundys_game_engines_agree() {
    let file = "kind = \"heap\"\n[[moves]]\ntake = 0\nleave = 2\nheaps = \"unequal\"\n";
    let rules = crate::heap::HeapFile::from_toml(file).unwrap().rules;
    assert!(Moves::new(&rules).is_some());
    agree(&rules, 6000);
}

/// The few-rares engine begins at 2¹⁶ heaps only, beyond the plain loop's reach: it must agree with the scan, and the
/// scan agrees with the plain loop above.
#[test]
fn the_ring_agrees_with_the_scan_and_the_sparse_space() {
    for code in ["0.106", "0.056"] {
        let rules: HeapRules = code.parse().unwrap();
        let len = 90_000;
        let mut ring = Sequence::new(rules.clone(), Engine::Auto);
        ring.extend(len, &Unlimited).unwrap();
        assert_eq!(ring.engine(), "ring", "{code}");
        assert_eq!(ring.values(), values(&rules, Engine::Scan, len), "{code}");
        assert_eq!(ring.values(), values(&rules, Engine::Sparse, len), "{code}");
    }
}

/// Values that outgrow the sparse engine's 14 bits: Nim with a split has values as large as its heaps.
#[test]
fn large_values_leave_the_sparse_engine() {
    let mut digits = vec![4];
    digits.extend(vec![3; 20_000]);
    let rules = HeapRules::Code(Code::finite(digits));
    let moves = Moves::new(&rules).unwrap();
    let values: Values = (0..17_000).collect();
    let fits = |len: usize| {
        let mut values: Values = values.iter().take(len).collect();
        values.extend_by(&mut sparse::Sparse::new(&moves), len + 1, &Unlimited).unwrap()
    };
    assert!(!fits(17_000));
    assert!(fits(16_000));
}
