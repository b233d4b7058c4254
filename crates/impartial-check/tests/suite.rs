//! The conformance suite: `tests/suite/README.md` says what is in it.

use std::collections::BTreeMap;

use impartial_check::{Finding, Limits, Verdict, check, check_within};
use serde_json::Value;

mod common;
use common::suite;

/// A text for each file.
fn named(list: &str) -> BTreeMap<String, String> {
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/suite").join(list);
    serde_json::from_str(&std::fs::read_to_string(path).expect("the list")).expect("JSON")
}

#[test]
fn valid_files_are_valid() {
    let mut forms = std::collections::BTreeSet::new();
    let tiers = named("valid-tiers.json");
    assert_eq!(suite("valid").len(), tiers.len());
    for (name, text) in suite("valid") {
        let verdict = check(&text, &|| true);
        assert!(matches!(verdict, Verdict::Valid { .. }), "{name}: {verdict:?}");
        if let Verdict::Valid { claim, .. } = verdict {
            let (_, tier) = claim.rsplit_once("; checked by ").expect("a verdict names its tier");
            assert_eq!(Some(tier), tiers.get(&name).map(String::as_str), "{name}");
        }
        let file: Value = serde_json::from_str(&text).expect("JSON");
        forms.insert(file["form"].as_str().expect("a form").to_owned());
    }
    let all = "automaton blocks chains counters dominance grundy-automaton grundy-blocks grundy-sectors nim-period nim-sequence numeration parity-kernel presentation quotient ranks sectors series \
               stratification table";
    assert_eq!(forms.into_iter().collect::<Vec<_>>().join(" "), all, "every form has a valid file");
}

/// Who wrote a wrong claim sees a position where it is wrong.
#[test]
fn wrong_sets_are_refused_with_a_position() {
    let expected = [
        ("stratification-overlap", vec![0, 0]),
        ("stratification-point-missing", vec![0, 0, 1]),
        ("sectors-point-missing", vec![5, 4]),
        ("grundy-automaton-wrong-value", vec![0, 0]),
        ("grundy-sectors-point-missing", vec![5, 4]),
        ("blocks-wrong-label", vec![0, 0, 0]),
    ];
    let files: BTreeMap<String, String> = suite("refused").into_iter().collect();
    for (name, x) in expected {
        match check_within(&files[name], &Limits::default(), &|| true) {
            Finding::Refused { position, .. } => assert_eq!(position, Some(x), "{name}"),
            other => panic!("{name}: {other:?}"),
        }
    }
}

#[test]
fn faults_are_refused_with_their_reasons() {
    let reasons = named("refused-reasons.json");
    let files = suite("refused");
    assert_eq!(files.len(), reasons.len());
    for (name, text) in files {
        match check(&text, &|| true) {
            Verdict::Refused { reason, .. } => assert_eq!(reason, reasons[&name], "{name}"),
            other => panic!("{name}: {other:?}"),
        }
    }
}
