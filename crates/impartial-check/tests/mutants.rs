//! Every file of the suite, changed in one or two places: what the checker still accepts must be true.
//!
//! Thousands of mutants by default; a million by
//! `MUTANTS=1000000 cargo test --release -p impartial-check --test mutants -- --nocapture`, or in parts with other seeds (`MUTANT_SEED=2`).

use impartial_check::{Finding, Limits, check_within};
use serde_json::Value;

mod common;
use common::brute::{Judgement, judge};
use common::{Random, mutant, sealed, suite};

#[test]
fn accepted_mutants_are_true() {
    let files: Vec<(String, Value)> =
        suite("valid").into_iter().map(|(name, text)| (name, serde_json::from_str(&text).expect("JSON"))).collect();
    let count: usize = std::env::var("MUTANTS").ok().and_then(|n| n.parse().ok()).unwrap_or(4000);
    let limits = Limits { steps: 20_000_000, bytes: 256 << 20 };
    let (mut accepted, mut judged) = (0, 0);
    let seed = std::env::var("MUTANT_SEED").ok().and_then(|n| n.parse().ok()).unwrap_or(1);
    let mut random = Random(seed);
    for round in 0..count {
        let (name, file) = &files[round % files.len()];
        // Some changes change nothing: 0 for 0, or an entry exchanged with itself.
        let mut changed = mutant(file, &mut random);
        while changed == *file {
            changed = mutant(file, &mut random);
        }
        if round / files.len() % 3 == 2 {
            changed = mutant(&changed, &mut random);
        }
        let text = sealed(changed.clone());
        if let Finding::Valid { claim, .. } = check_within(&text, &limits, &|| true) {
            accepted += 1;
            match judge(&changed) {
                Judgement::Right => judged += 1,
                Judgement::Unjudged => {}
                Judgement::Wrong(reason) => panic!("{name}: accepted though {reason} is wrong: {claim}\n{text}"),
            }
        }
    }
    println!(
        "seed {seed}: {count} mutants, {accepted} accepted, {judged} of them right by plain recursion, none wrong"
    );
    assert!(accepted > 0, "some changes keep a claim true");
}

#[test]
fn the_judge_knows_right_from_wrong() {
    for (name, text) in suite("valid") {
        let file = serde_json::from_str(&text).expect("JSON");
        // The claim of the long code needs no recursion over small heaps: nothing happens there.
        assert_eq!(judge(&file), Judgement::Right, "{name}");
    }
    for name in ["counters-like-nothing", "counters-like-dead-heaps", "misere-called-normal", "no-p-positions"] {
        let (_, text) = suite("forgeries").into_iter().find(|(known, _)| known == name).expect("the file");
        let file: Value = serde_json::from_str(&text).expect("JSON");
        assert!(matches!(judge(&file), Judgement::Wrong(_)), "{name}");
    }
}
