//! Strategy files of form "nim-sequence": what is written is valid, what is changed is refused, and answers are right.

use std::path::PathBuf;
use std::process::{Command, Output};

use impartial::solve::sequence::{Engine, Sequence};
use impartial::strategy::Envelope;
use impartial::strategy::nim_sequence::NimSequence;
use impartial_check::{Verdict, check};
use num_bigint::BigUint;
use semilinear::run::Unlimited;
use serde_json::Value;

fn solved(code: &str) -> NimSequence {
    let mut sequence = Sequence::new(code.parse().unwrap(), Engine::Auto);
    sequence.search(20_000, &Unlimited).unwrap();
    NimSequence::new(&sequence).unwrap_or_else(|| panic!("{code} has no proof")).into_inner()
}

fn valid(file: &Envelope) -> bool {
    matches!(check(&file.to_text(), &|| true), Verdict::Valid { .. })
}

const GAMES: [&str; 14] = [
    "0.77",
    "0.07",
    "0.137",
    "4.7",
    "0.0",
    "subtract:2,4,7",
    "subtract:1,2,3",
    "0.[3]",
    "4.[3]",
    "0.[30]",
    "0.03[3]",
    "0.3F",
    "0.8D",
    "0.9C",
];

#[test]
fn every_kind_of_proof_is_checked() {
    for code in GAMES {
        let verdict = check(&solved(code).to_envelope().to_text(), &|| true);
        assert!(matches!(&verdict, Verdict::Valid { claim } if claim.contains("for all n")), "{code}: {verdict:?}");
    }
}

/// Every number of the certificate, changed a little (with a fresh digest), must be refused: each of them is
/// part of the claim or of its proof.
#[test]
fn changed_numbers_are_refused() {
    for code in GAMES {
        let file = solved(code).to_envelope();
        let certificate = file.certificate.as_object().unwrap();
        for key in ["preperiod", "period", "saltus"] {
            for delta in [-1, 1, 7] {
                let mut changed = file.clone();
                let value = certificate[key].as_i64().unwrap() + delta;
                changed.certificate[key] = value.into();
                assert!(!valid(&changed), "{code}: {key} = {value}");
            }
        }
        let values = certificate["values"].as_array().unwrap();
        for (i, value) in values.iter().enumerate() {
            for value in [value.as_u64().unwrap() + 1, value.as_u64().unwrap() ^ 4] {
                let mut changed = file.clone();
                changed.certificate["values"][i] = value.into();
                assert!(!valid(&changed), "{code}: g({i}) = {value}");
            }
        }
        let mut longer = file.clone();
        longer.certificate["values"].as_array_mut().unwrap().push(0.into());
        assert!(!valid(&longer), "{code}: one value more");
    }
}

#[test]
fn other_games_plays_and_keys_are_refused() {
    let file = solved("0.77").to_envelope();
    for game in [
        serde_json::json!({"kind": "heap", "code": "0.07"}),
        serde_json::json!({"kind": "heap", "code": "0.777"}),
        serde_json::json!({"kind": "heap", "code": "0.77[7]"}),
        serde_json::json!({"kind": "heap", "code": "0.77", "name": "kayles"}),
        serde_json::json!({"kind": "lattice", "code": "0.77"}),
        serde_json::json!({"kind": "heap", "code": "3.77"}),
        serde_json::json!({"kind": "heap", "subtract": [0]}),
        serde_json::json!({"kind": "heap", "subtract": [99_999_999_999_u64]}),
        serde_json::json!({"kind": "heap"}),
    ] {
        assert!(!valid(&Envelope { game: game.clone(), ..file.clone() }), "{game}");
    }
    assert!(!valid(&Envelope { play: impartial::outcome::Play::Misere, ..file.clone() }));
    for (key, value) in [
        ("theorem", Value::from("induction")),
        ("theorem", "trust me".into()),
        ("extra", 1.into()),
        ("base", 100.into()),
        ("space", serde_json::json!({"mask": 3, "parity": true, "more": 1})),
        ("values", Value::Null),
        ("period", 0.into()),
        ("period", u64::MAX.into()),
        ("preperiod", "71".into()),
    ] {
        let mut changed = file.clone();
        changed.certificate[key] = value.clone();
        assert!(!valid(&changed), "{key} = {value}");
    }
    // A worse hint is still a valid proof.
    let mut hinted = file.clone();
    hinted.certificate["space"] = serde_json::json!({"mask": 1, "parity": false});
    assert!(valid(&hinted));
    hinted.certificate.as_object_mut().unwrap().remove("space");
    assert!(valid(&hinted));
}

/// A period that the values show for a while but that does not last must not be accepted, whatever block is named.
#[test]
fn false_inductions_are_refused() {
    // Nim with one heap of value 1 too many; and the true period of 0.3F under a false block.
    let nim = solved("0.[3]").to_envelope();
    for (base, block) in [(0, 0), (1, 1), (0, 1), (1 << 30, 1), (5, 1 << 30)] {
        let mut changed = nim.clone();
        changed.certificate["base"] = base.into();
        changed.certificate["block"] = block.into();
        assert!(!valid(&changed), "base {base}, block {block}");
    }
    // Kayles is not arithmetically periodic, and 0.8F is not periodic.
    let mut kayles = solved("0.77").to_envelope();
    kayles.certificate["theorem"] = "induction".into();
    kayles.certificate.as_object_mut().unwrap().remove("space");
    kayles.certificate["base"] = 200.into();
    kayles.certificate["block"] = 24.into();
    kayles.certificate["saltus"] = 1.into();
    assert!(!valid(&kayles));
}

/// Answers from a period are those of plain recursion, and winning moves are exactly the options of value 0.
#[test]
fn answers_are_right() {
    for code in ["0.77", "subtract:2,4,7", "4.[3]", "0.3F", "0.137"] {
        let solved = solved(code);
        let mut plain = Sequence::new(code.parse().unwrap(), Engine::Plain);
        plain.extend(150, &Unlimited).unwrap();
        let g = |heap: u64| plain.values()[usize::try_from(heap).unwrap()];
        for heap in 0..150 {
            assert_eq!(solved.value(&heap.into()), g(heap).into(), "{code} {heap}");
        }
        for heaps in [[3, 5, 7], [20, 21, 1], [13, 13, 2], [30, 4, 4]] {
            let big: Vec<BigUint> = heaps.iter().map(|&heap| heap.into()).collect();
            let moves = solved.winning_moves(&big);
            assert!(moves.complete);
            let mut expected = Vec::new();
            for i in 0..3 {
                for option in solved.rules().heap_options(heaps[i]) {
                    let mut position: Vec<u64> = (0..3).filter(|&j| j != i).map(|j| heaps[j]).chain(option).collect();
                    position.sort_unstable();
                    if position.iter().fold(0, |sum, &heap| sum ^ g(heap)) == 0 {
                        expected.push(position.into_iter().map(BigUint::from).collect::<Vec<_>>());
                    }
                }
            }
            expected.sort();
            expected.dedup();
            assert_eq!(moves.positions, expected, "{code} {heaps:?}");
        }
    }
}

/// Huge heaps: every move listed is a legal winning one, and an N-position has one.
#[test]
fn huge_heaps_have_winning_moves() {
    for code in ["0.77", "subtract:2,4,7", "4.[3]", "0.3F", "0.[3]", "0.9C", "0.[4]"] {
        let solved = solved(code);
        for tail in 0..12_u32 {
            let heap: BigUint = BigUint::from(10_u32).pow(40) + tail;
            let moves = solved.winning_moves(std::slice::from_ref(&heap));
            let value = solved.value(&heap);
            assert_eq!(moves.positions.is_empty(), value == BigUint::ZERO, "{code} 10^40+{tail}");
            for position in moves.positions {
                assert_eq!(solved.grundy(&position), BigUint::ZERO, "{code}");
                let left: BigUint = position.iter().sum();
                assert!(left < heap || (left == heap && position.len() > 1), "{code}: {position:?}");
            }
        }
    }
}

fn impartial(args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_impartial")).args(args).output().unwrap()
}

fn json(args: &[&str]) -> Value {
    let output = impartial(&[args, &["--json"]].concat());
    serde_json::from_slice(&output.stdout).unwrap_or_else(|_| panic!("{args:?}: {output:?}"))
}

fn scratch(name: &str) -> PathBuf {
    let folder = std::env::temp_dir().join(format!("impartial-test-{}-{name}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    folder
}

#[test]
fn the_command_answers_for_heaps_of_any_size() {
    let folder = scratch("strategy");
    let path = folder.join("kayles.json");
    let path = path.to_str().unwrap();
    let report = json(&["solve", "0.77", "-o", path]);
    assert_eq!((&report["form"], &report["proved"]), (&"nim-sequence".into(), &true.into()));
    assert_eq!(json(&["verify", path])["valid"], true);
    let huge = format!("7{}", "3".repeat(4000));
    let with_file = json(&["grundy", "0.77", &huge, "--strategy", path]);
    assert_eq!(with_file["grundy"], json(&["grundy", "0.77", &huge])["grundy"]);
    let one = json(&["outcome", "0.77", &format!("{huge}+{huge}"), "--strategy", path]);
    assert_eq!(one["outcome"], "P");
    let moves = json(&["move", "0.77", &huge, "--strategy", path]);
    assert_eq!(moves["complete"], false);
    assert!(!moves["moves"].as_array().unwrap().is_empty());
    // The file of one game does not answer for another.
    assert_eq!(impartial(&["outcome", "0.07", "5", "--strategy", path]).status.code(), Some(2));
    // A value beyond 2^53 is a string.
    assert_eq!(json(&["grundy", "nim", &huge])["grundy"], huge.as_str());
    std::fs::remove_dir_all(folder).unwrap();
}

#[test]
fn checkpoints_are_gone_on_with_and_never_lost() {
    let folder = scratch("checkpoint");
    let path = folder.join("officers");
    let file = path.to_str().unwrap();
    let first = json(&["values", "0.6", "--to", "900", "--checkpoint", file]);
    let more = json(&["values", "0.6", "--to", "1000", "--checkpoint", file]);
    assert_eq!(first["values"].as_array().unwrap()[..], more["values"].as_array().unwrap()[..901]);
    assert_eq!(more["values"], json(&["values", "0.6", "--to", "1000", "--engine", "plain"])["values"]);
    let bytes = std::fs::read(&path).unwrap();
    // Another game, a cut, a change, an empty file, a foreign file: refused, and left as they are.
    assert_eq!(impartial(&["values", "0.7", "--to", "9", "--checkpoint", file]).status.code(), Some(2));
    assert_eq!(std::fs::read(&path).unwrap(), bytes);
    let mut changed = bytes.clone();
    changed[bytes.len() / 2] ^= 1;
    for bad in [&bytes[..bytes.len() - 1], &bytes[..bytes.len() / 2], &bytes[..10], &[], b"hello\n", &changed] {
        std::fs::write(&path, bad).unwrap();
        let output = impartial(&["period", "0.6", "--to", "2000", "--checkpoint", file]);
        assert_eq!(output.status.code(), Some(2), "{output:?}");
        assert_eq!(std::fs::read(&path).unwrap(), bad);
    }
    std::fs::remove_dir_all(folder).unwrap();
}

#[test]
fn bad_and_huge_limits() {
    for args in [
        ["values", "0.77", "--to", "-1"],
        ["values", "0.77", "--to", "10^30"],
        ["values", "0.77", "--to", "1000000000000000000000000000000"],
        ["values", "0.77", "--to", "1000000000000"],
        ["period", "0.77", "--to", "x"],
        ["period", "0.8z", "--to", "10"],
    ] {
        let output = impartial(&args);
        assert_eq!(output.status.code(), Some(2), "{args:?}");
        assert!(!output.stderr.is_empty() && output.stderr.len() < 600, "{args:?}");
    }
    // A limit stops the run and what is known is printed.
    let output = impartial(&["period", "0.6", "--to", "1000000000000", "--time-limit", "300ms", "--json"]);
    assert_eq!(output.status.code(), Some(3));
    let report: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert!(report["proved"] == false && report["checked_to"].as_u64().unwrap() > 100, "{report}");
    assert!(report["stopped"].as_str().unwrap().contains("time"));
    // Exhausting --to is no stop.
    let output = impartial(&["period", "0.6", "--to", "500", "--json"]);
    assert_eq!(output.status.code(), Some(0));
    // No proof, no strategy.
    let output = impartial(&["solve", "0.6", "--to", "500", "--json"]);
    assert_eq!(output.status.code(), Some(3));
    assert_eq!(impartial(&["grundy", "0.6", "1000000000000000000000"]).status.code(), Some(3));
}
