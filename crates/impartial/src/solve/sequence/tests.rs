//! Every engine against the plain loop.

use proptest::prelude::*;

use super::*;
use crate::heap::Code;
use crate::run::Unlimited;

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

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn octal_engines_agree(rules in octal()) {
        agree(&rules, 3000);
    }

    #[test]
    fn hexadecimal_engines_agree(rules in hexadecimal()) {
        agree(&rules, 220);
    }

    #[test]
    fn repeating_engines_agree(rules in repeating()) {
        agree(&rules, 400);
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
