//! Files that were made to be accepted though they are false, or to exhaust the checker: each is refused, and soon.

use std::time::{Duration, Instant};

use impartial_check::{Finding, Limits, Verdict, check, check_within};
use serde_json::{Value, json};

mod common;
use common::{sealed, suite};

/// The reason of a refusal, which must come soon.
fn refusal(name: &str, text: &str) -> String {
    let begin = Instant::now();
    let verdict = check(text, &|| true);
    // Seconds in a test build on a busy machine; the attacks took minutes and gigabytes.
    assert!(begin.elapsed() < Duration::from_secs(60), "{name}: {:?}", begin.elapsed());
    match verdict {
        Verdict::Refused { reason, .. } => reason,
        other => panic!("{name}: {other:?}"),
    }
}

#[test]
fn every_forgery_is_refused_for_its_reason() {
    let reasons = [
        ("counters-like-nothing", "sum without moves"),
        ("counters-like-dead-heaps", "sum without moves"),
        ("misere-called-normal", "stands twice"),
        ("doubled-keys", "stands twice in one object"),
        ("no-p-positions", "equation fails"),
        ("clause-partitions", "larger than the time limit"),
        ("induction-of-half-a-million", "larger than the time limit"),
        ("counters-60-states", "sum without moves"),
        ("board-row-2-40", "equation fails"),
        ("table-one-long-row", "larger than the memory limit"),
        ("chains-rows-of-a-million", "4096 together"),
    ];
    let files = suite("forgeries");
    assert_eq!(files.len(), reasons.len(), "each file has its reason");
    for (name, text) in files {
        let reason = refusal(&name, &text);
        let (_, expected) = reasons.iter().find(|(known, _)| *known == name).expect("a reason");
        assert!(reason.contains(expected), "{name}: {reason}");
    }
}

/// The joint states of many sums: the attack with a word like the heap that has moves.
#[test]
fn joint_states_are_counted() {
    let (_, text) = suite("forgeries").into_iter().find(|(name, _)| name == "counters-60-states").expect("the file");
    let mut file: Value = serde_json::from_str(&text).expect("JSON");
    let values = file["certificate"]["values"].as_array_mut().expect("values");
    let last = values.last_mut().expect("a value");
    *last = json!({"counts": [0], "element": 0, "like": [[[2, 1]]]});
    let reason = refusal("60 states", &sealed(file));
    assert!(reason.contains("larger than"), "{reason}");
}

/// The options of many heaps are kept by their values: a small file can ask for many of them.
#[test]
fn options_of_heaps_are_counted() {
    let order = 500;
    let file = sealed(json!({
        "format": "impartial-strategy", "version": 2, "form": "quotient", "play": "misere",
        "game": {"kind": "heap", "code": "0.[3]"},
        "certificate": {
            "generators": [1], "steps": [(0..order).map(|x| (x + 1) % order).collect::<Vec<_>>()], "p": [1],
            "values": (0..1500).map(|heap| heap % order).collect::<Vec<_>>(), "period": null,
        },
    }));
    let limits = Limits { steps: 1 << 40, bytes: 16 << 20 };
    let finding = check_within(&file, &limits, &|| true);
    assert!(matches!(finding, Finding::TooLarge { memory: true, .. }), "{finding:?}");
}

/// How many partitions there are is counted before they are made: the counts of each clause are kept.
#[test]
fn counts_of_partitions_are_counted() {
    let clause = json!({"take": "1", "leave": "0..1, 1000000000.."});
    let file = sealed(json!({
        "format": "impartial-strategy", "version": 2, "form": "quotient", "play": "misere",
        "game": {"kind": "heap", "moves": vec![clause; 40]},
        "certificate": {
            "generators": [1], "steps": [[1, 0]], "p": [1], "values": (0..2000).map(|heap| heap % 2).collect::<Vec<_>>(), "period": null,
        },
    }));
    let limits = Limits { steps: 1 << 40, bytes: 64 << 20 };
    let finding = check_within(&file, &limits, &|| true);
    assert!(matches!(finding, Finding::TooLarge { memory: true, .. }), "{finding:?}");
}

/// A row without a common divisor has as many residuals as its entries are large.
#[test]
fn long_rows_are_refused() {
    let file = json!({
        "format": "impartial-strategy", "version": 2, "form": "automaton", "play": "normal",
        "game": {
            "kind": "lattice", "rules": [[1, 0], [0, 1]], "defeated": [],
            "board": [[1, 0, 0], [0, 1, 0], [1_099_511_627_689_u64, -3, 0]],
        },
        "certificate": {
            "functional": [1, 1], "automaton": {"transitions": [1, 1, 0, 0], "accepting": []},
            "chart": {
                "matrix": [[1, 0], [0, 1]], "inverse": [[1, 0], [0, 1]], "shift": [0, 0],
                "bounds": [[1, 1, 0, 0], [1, 0, 1, 0]], "functional_bound": [1, 1, 1, 0],
            },
        },
    });
    assert!(refusal("a long row", &sealed(file)).contains("larger than the memory limit"));
}

/// The automata of {0} and of the even numbers.
fn zero() -> Value {
    json!({"transitions": [0, 1, 1, 1], "accepting": [0]})
}

fn even() -> Value {
    json!({"transitions": [1, 2, 1, 1, 2, 2], "accepting": [0, 1]})
}

fn series(modules: &Value, terms: &Value) -> String {
    sealed(json!({
        "format": "impartial-strategy", "version": 2, "form": "series", "play": "normal",
        "game": {"kind": "lattice", "rules": [[1]], "defeated": []},
        "certificate": {"functional": [1], "modules": modules, "unions": [], "terms": terms},
    }))
}

#[test]
fn large_series_are_refused() {
    let vast = series(
        &json!([{"generators": [[1_u64 << 32]], "bases": [[0]], "automata": [zero(), even()]}]),
        &json!([{"coefficient": [1, 1], "exponent": [0], "denominators": [[1_u64 << 32]]}]),
    );
    assert!(refusal("a vast generator", &vast).contains("does not add the generator (4294967296)"));
    let many = series(
        &json!([{"generators": [[2]], "bases": [[0]], "automata": [zero(), even()]}]),
        &json!([{"coefficient": [1, 1], "exponent": [0], "denominators": vec![[2]; 30_000]}]),
    );
    assert!(refusal("30 000 denominators", &many).contains("not the function of the strata"));
}

#[test]
fn names_of_chains_are_distinct() {
    let game = |second: &str| {
        sealed(json!({
            "format": "impartial-strategy", "version": 2, "form": "chains", "play": "normal",
            "game": {
                "kind": "chains", "chains": 2, "elements": ["a", second], "below": [[], []],
                "c_first_above": [null, null], "c_below": [0, 0], "d_first_above": [null, null], "d_below": [0, 0],
                "cross": {"prefix": [0], "rule": [1, 1]},
            },
            "certificate": {"values": 0, "ideals": []},
        }))
    };
    assert!(refusal("twice a", &game("a")).contains("different names"));
    assert!(refusal("a and b", &game("b")).contains("not among the ideals"));
}

#[test]
fn a_claim_names_its_whole_game() {
    let (_, text) = suite("valid").into_iter().find(|(name, _)| name == "long-code").expect("the file");
    let file: Value = serde_json::from_str(&text).expect("JSON");
    let code = file["game"]["code"].as_str().expect("a code");
    assert!(code.len() > 200);
    match check(&text, &|| true) {
        Verdict::Valid { claim, .. } => assert!(claim.contains(&format!("\"{code}\"")), "{claim}"),
        other => panic!("{other:?}"),
    }
}

#[test]
fn small_limits_refuse_and_a_stop_is_no_verdict() {
    for (name, text) in suite("valid") {
        let little = Limits { steps: 10, bytes: 1 << 30 };
        assert!(
            matches!(check_within(&text, &little, &|| true), Finding::TooLarge { reason, memory: false } if reason.contains("time limit"))
        );
        let little = Limits { steps: 1 << 40, bytes: 10 };
        assert!(
            matches!(check_within(&text, &little, &|| true), Finding::TooLarge { reason, memory: true } if reason.contains("memory limit"))
        );
        assert_eq!(check(&text, &|| false), Verdict::Stopped, "{name}");
    }
}

/// What grows with the square of a file is counted, or not done: each of these took many minutes, or gigabytes.
#[test]
fn squares_of_files_are_counted() {
    // A common denominator as long as the list of terms, times each term.
    let terms: Vec<Value> = (0..8000_u64)
        .map(|i| json!({"coefficient": [1, (1_u64 << 53) - 1 - 2 * i], "exponent": [i], "denominators": []}))
        .collect();
    let modules = json!([{"generators": [[2]], "bases": [[0]], "automata": [zero(), even()]}]);
    let limits = Limits { bytes: 256 << 20, ..Limits::default() };
    let finding = check_within(&series(&modules, &json!(terms)), &limits, &|| true);
    assert!(matches!(finding, Finding::TooLarge { memory: true, .. }), "{finding:?}");
    // Rays in order, each compared with the next one only.
    let file = |form: &str, certificate: Value| {
        sealed(json!({
            "format": "impartial-strategy", "version": 2, "form": form, "play": "normal",
            "game": {"kind": "lattice", "rules": [[1, 0], [0, 1]], "defeated": []}, "certificate": certificate,
        }))
    };
    let rays: Vec<[u64; 2]> = (0..200_000).map(|i| [1 << 24, i]).chain([[0, 1]]).collect();
    let many = file("sectors", json!({"functional": [1, 1], "rays": rays, "strata": []}));
    let reason = refusal("many rays", &many);
    assert!(reason.contains("equation fails") || reason.contains("larger than"), "{reason}");
    // Modules along many generators are no strata of the plane.
    let generators: Vec<[u64; 2]> = (1..100_000).map(|i| [1, i]).collect();
    let module = json!([{"generators": generators, "bases": [[0, 0]]}]);
    let many = file("stratification", json!({"functional": [1, 1], "modules": module}));
    assert!(refusal("many generators", &many).contains("no strata along rays"));
}

/// Positions that are looked for in all rows of a board.
#[test]
fn rows_and_defeated_positions_are_counted() {
    let rows = vec![[1, 0, 0]; 100_000];
    let defeated: Vec<[u64; 2]> = (0..100_000).map(|i| [i, 0]).collect();
    let file = sealed(json!({
        "format": "impartial-strategy", "version": 2, "form": "automaton", "play": "normal",
        "game": {"kind": "lattice", "rules": [[1, 0], [0, 1]], "defeated": defeated, "board": rows},
        "certificate": {},
    }));
    let limits = Limits::new(Duration::from_secs(1), 1 << 32);
    let finding = check_within(&file, &limits, &|| true);
    assert!(matches!(finding, Finding::TooLarge { memory: false, .. }), "{finding:?}");
}

/// Splits of large heaps, class by class, and the weights that they lose.
#[test]
fn long_periods_of_misere_strategies_are_counted() {
    let file = |form: &str, certificate: Value| {
        sealed(json!({
            "format": "impartial-strategy", "version": 2, "form": form, "play": "misere",
            "game": {"kind": "heap", "code": "0.4444"}, "certificate": certificate,
        }))
    };
    let ranks = json!({
        "first": 1, "period": 1024, "near": 1, "letters": vec![0; 1025], "next": [[0, 0]], "accepting": [],
    });
    let reason = refusal("ranks", &file("ranks", ranks));
    assert!(reason.contains("no move to a P-position") || reason.contains("larger than"), "{reason}");
    // The numbers look as if made at random: nearly every split loses another weight.
    let mixed = |i: u64, most: u64| i.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 40 & (most - 1);
    let list = |most: u64| (0..2 * 512_u64).map(|i| if i < 512 { 0 } else { mixed(i, most) }).collect::<Vec<_>>();
    let dominance = json!({
        "first": 512, "period": 512, "gain": 1024, "values": list(256), "weights": list(1024), "cap": 1, "top": 1, "p": [],
    });
    let limits = Limits::new(Duration::from_secs(20), 4 << 30);
    let begin = Instant::now();
    let finding = check_within(&file("dominance", dominance), &limits, &|| begin.elapsed() < Duration::from_secs(30));
    assert!(!matches!(finding, Finding::Valid { .. }), "{finding:?}");
    assert!(begin.elapsed() < Duration::from_secs(60), "{:?}", begin.elapsed());
}
