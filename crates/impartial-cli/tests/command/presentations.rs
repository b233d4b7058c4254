//! Strategy files of form "presentation": written, read back, checked, used; and refused when anything is changed.

use impartial::lattice::{Description, LatticeGame};
use impartial::solve::learn::{Limits, p_positions};
use impartial::strategy::{AutomatonStrategy, Congruence, Envelope, PresentationStrategy};
use impartial_check::{Verdict, check};
use num_bigint::BigInt;
use proptest::prelude::*;
use semilinear::run::{Run, Unlimited};
use semilinear::vectorset::Effort;
use serde_json::{Value, json};

use crate::common::{file, impartial, out, refused};

fn presented(text: &str) -> PresentationStrategy {
    let effort = Effort::unlimited();
    let game = LatticeGame::new(&Description::from_toml(text).unwrap(), &Unlimited).unwrap();
    let Run::Finished(set) = p_positions(&game, &Limits::default(), &Unlimited) else { panic!("{text}") };
    let automaton = AutomatonStrategy::proved(game, set, &effort).unwrap();
    match PresentationStrategy::search(automaton, &effort) {
        Ok(Run::Finished(found)) => found.into_inner(),
        other => panic!("{text}: {other:?}"),
    }
}

fn verdict(file: &Envelope) -> Verdict {
    check(&file.to_text(), &|| true)
}

fn reason(file: &Envelope) -> String {
    match verdict(file) {
        Verdict::Refused { reason } => reason,
        other => panic!("{other:?}: {}", file.certificate),
    }
}

const WEAKLY: &str = "rules = [[1, 0, 0], [0, 1, 0], [0, 0, 1], [1, 1, 0]]";
/// Misère Nim with heaps of one to three beans.
const NIM: &str =
    "rules = [[1, 0, 0], [0, 1, 0], [-1, 1, 0], [0, 0, 1], [-1, 0, 1], [0, -1, 1]]\ndefeated = [[0, 0, 0]]";
/// A cone that is no orthant: y ≤ 2x.
const CONE: &str = "rules = [[1, 0], [1, 1], [1, 2]]\n[board]\ninequalities = [[0, 1, 0], [2, -1, 0]]";

/// Every integer of a value changed by 1.
fn changes(value: &Value) -> Vec<Value> {
    match value {
        Value::Number(n) => [1, -1].map(|by| json!(n.as_i64().unwrap() + by)).to_vec(),
        Value::Array(list) => {
            let one = |i: usize| {
                changes(&list[i]).into_iter().map(move |entry| {
                    let mut copy = list.clone();
                    copy[i] = entry;
                    Value::Array(copy)
                })
            };
            (0..list.len()).flat_map(one).collect()
        }
        Value::Object(map) => {
            let one = |(key, entry): (&String, &Value)| {
                let key = key.clone();
                changes(entry).into_iter().map(move |entry| {
                    let mut copy = map.clone();
                    copy.insert(key.clone(), entry);
                    Value::Object(copy)
                })
            };
            map.iter().flat_map(one).collect::<Vec<_>>()
        }
        _ => vec![],
    }
}

#[test]
fn files_are_valid_and_survive_reading() {
    for (text, order) in
        [(WEAKLY, None), (NIM, Some(6)), ("rules = [[1], [2]]\ndefeated = [[0]]", Some(3)), (CONE, None)]
    {
        let strategy = presented(text);
        if text != CONE {
            assert_eq!(strategy.order(), order, "{text}");
        }
        let file = strategy.to_envelope().unwrap();
        assert!(matches!(verdict(&file), Verdict::Valid { .. }), "{text}: {:?}", verdict(&file));
        let again = PresentationStrategy::from_envelope(&file, &Unlimited).unwrap().into_claim();
        assert_eq!(again.to_envelope().unwrap(), file, "{text}");
    }
}

#[test]
fn every_changed_number_is_refused() {
    for text in [WEAKLY, NIM, CONE] {
        let file = presented(text).to_envelope().unwrap();
        let mut tried = 0;
        for key in ["generators", "relations", "cones", "order"] {
            for changed in changes(&file.certificate[key]) {
                let mut copy = file.clone();
                copy.certificate[key] = changed;
                reason(&copy);
                tried += 1;
            }
        }
        assert!(tried > 20, "{text}: {tried}");
        for key in ["relations", "cones"] {
            let list = file.certificate[key].as_array().unwrap();
            for i in 0..list.len() {
                // One left out, and one twice.
                for twice in [false, true] {
                    let mut copy = file.clone();
                    let list = copy.certificate[key].as_array_mut().unwrap();
                    let entry = list.remove(i);
                    if twice {
                        list.extend([entry.clone(), entry]);
                    }
                    reason(&copy);
                }
            }
        }
        let mut copy = file.clone();
        copy.certificate["order"] = if file.certificate["order"].is_null() { json!(2) } else { Value::Null };
        assert!(reason(&copy).contains("order"));
    }
}

/// Relations that hold but are too few, with cones and order that fit them: only the comparison of normal forms sees it.
#[test]
fn relations_that_do_not_suffice_are_refused() {
    let cone = |base: [u32; 3], free: &[usize]| json!({"base": base, "free": free});
    let mut file = presented(WEAKLY).to_envelope().unwrap();
    assert_eq!(file.certificate["relations"], json!([[[2, 2, 0], [0, 0, 0]], [[0, 0, 2], [0, 0, 0]]]));
    // Without c² = 1 there is no bound on c.
    file.certificate["relations"] = json!([[[2, 2, 0], [0, 0, 0]]]);
    let bases = [([0, 0, 0], vec![1, 2]), ([1, 0, 0], vec![1, 2]), ([2, 0, 0], vec![0, 2]), ([2, 1, 0], vec![0, 2])];
    file.certificate["cones"] = bases.iter().map(|(base, free)| cone(*base, free)).collect();
    assert!(reason(&file).contains("different words that are congruent"), "{}", reason(&file));
    // The same for a finite quotient: a² = 1, but only a⁴ = 1 is said.
    let mut file = presented("rules = [[1]]").to_envelope().unwrap();
    assert_eq!(file.certificate["relations"], json!([[[2], [0]]]));
    file.certificate["relations"] = json!([[[4], [0]]]);
    file.certificate["cones"] = (0..4).map(|n| json!({"base": [n], "free": []})).collect();
    file.certificate["order"] = json!(4);
    assert!(reason(&file).contains("are congruent"), "{}", reason(&file));
    // And a relation that does not hold.
    file.certificate["relations"] = json!([[[1], [0]]]);
    file.certificate["cones"] = json!([{"base": [0], "free": []}]);
    file.certificate["order"] = json!(1);
    assert!(reason(&file).contains("not congruent"), "{}", reason(&file));
}

/// The quotient of Guo–Miller's Example 4.7: the file that `impartial quotient infinite-quotient -o FILE` writes.
#[test]
fn the_presentation_of_example_4_7_is_checked_and_used() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../testdata/presentation-example-4.7.json");
    let file = Envelope::from_text(include_str!("../../../../testdata/presentation-example-4.7.json")).unwrap();
    assert!(matches!(verdict(&file), Verdict::Valid { .. }), "{:?}", verdict(&file));
    assert_eq!(file.certificate["relations"].as_array().unwrap().len(), 17);
    assert_eq!(file.certificate["order"], Value::Null);
    for (key, at) in [("relations", 11), ("cones", 40)] {
        for changed in changes(&file.certificate[key][at]) {
            let mut copy = file.clone();
            copy.certificate[key][at] = changed;
            reason(&copy);
        }
    }
    let strategy = PresentationStrategy::from_envelope(&file, &Unlimited).unwrap().into_claim();
    let effort = Effort::unlimited();
    // d⁶e² = d⁴, beside anything and for huge exponents.
    let huge: BigInt = "1000000000000000000000000".parse().unwrap();
    let point = |a: &BigInt, d: &BigInt, e: i64| [a.clone(), 3.into(), 0.into(), d.clone(), e.into()];
    let (p, q) = (point(&huge, &huge, 2), point(&BigInt::ZERO, &(&huge - 2), 0));
    assert_eq!(strategy.congruence(&p, &q, &effort).unwrap(), Congruence::Congruent);
    let args = ["congruent", "infinite-quotient", "(0,1,0,2,3)", "(0,1,0,1,5)", "--strategy", path];
    let said = impartial(&args, "");
    assert_eq!(said.status.code(), Some(1), "{}", String::from_utf8_lossy(&said.stdout));
}

#[test]
fn the_command_writes_shows_and_converts_presentations() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let (quotient, automaton, sectors, again) = (path("q.json"), path("a.json"), path("s.json"), path("again.json"));
    let json = |args: &[&str]| -> Value { serde_json::from_str(&out(&[args, &["--json"]].concat(), "")).unwrap() };
    let said = json(&["quotient", "weakly-squarefree", "-o", &quotient]);
    assert_eq!(
        (&said["file_form"], &said["finite"], &said["proved"]),
        (&json!("presentation"), &json!(false), &json!(true))
    );
    assert_eq!(json(&["verify", &quotient])["valid"], json!(true));
    assert_eq!(json(&["outcome", "weakly-squarefree", "(3,3,2)", "--strategy", &quotient])["outcome"], json!("N"));
    assert_eq!(json(&["move", "weakly-squarefree", "(2,2,1)", "--strategy", &quotient])["moves"], json!(["(2,2,0)"]));
    assert!(out(&["show", &quotient], "").contains("relations   a^2*b^2=1, c^2=1"));
    assert!(out(&["show", &quotient], "").contains("normal forms"));
    let shown = json(&["quotient", &quotient]);
    assert_eq!((&shown["relations"], &shown["proved"]), (&said["relations"], &json!(true)));
    // From an automaton, strata, a series and sectors to the same presentation.
    out(&["convert", &quotient, "--to", "automaton", "-o", &automaton], "");
    out(&["convert", &automaton, "--to", "quotient", "-o", &again], "");
    assert_eq!(std::fs::read(&quotient).unwrap(), std::fs::read(&again).unwrap());
    let (strata, series) = (path("strata.json"), path("series.json"));
    out(&["convert", &quotient, "--to", "stratification", "-o", &strata], "");
    out(&["convert", &quotient, "--to", "series", "-o", &series], "");
    for from in [&strata, &series, &quotient] {
        out(&["convert", from, "--to", "quotient", "-o", &again], "");
        assert_eq!(std::fs::read(&quotient).unwrap(), std::fs::read(&again).unwrap());
    }
    out(&["solve", "remark-lattice", "--method", "sector", "-o", &sectors], "");
    assert_eq!(json(&["convert", &sectors, "--to", "quotient", "-o", &again])["order"], json!(4));
    refused(&["convert", &quotient, "--to", "chains"], "is not converted to");
    refused(&["show", &quotient, "--as", "normaliz"], "no text in this syntax");
    // Boards other than the orthant: cones have quotients.
    let (_cone, cone) = file("cone.toml", &format!("kind = \"lattice\"\n{CONE}\n"));
    assert_eq!(json(&["quotient", &cone, "-o", &again])["proved"], json!(true));
    assert_eq!(json(&["verify", &again])["valid"], json!(true));
    let half = "kind = \"lattice\"\nrules = [[1, 0], [0, 1], [1, 1]]\n[board]\ninequalities = [[1, 0, 0], [0, 1, 0], [-1, 1, 1]]\n";
    let (_half, half) = file("half.toml", half);
    refused(&["quotient", &half], "not a cone");
    // A forged file is not reported as proved.
    let mut file = Envelope::from_text(&std::fs::read_to_string(&quotient).unwrap()).unwrap();
    file.certificate["relations"][1][0][2] = json!(4);
    std::fs::write(&again, file.to_text()).unwrap();
    assert_eq!(impartial(&["quotient", &again], "").status.code(), Some(1));
    assert!(json(&["show", &again, "--trust"])["proved"] == json!(false));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(10))]

    /// Congruence by the presentation is congruence by the automaton, with witnesses that are some.
    #[test]
    fn congruence_is_that_of_the_automaton(
        which in 0..3_usize,
        pairs in proptest::collection::vec((proptest::collection::vec(0..12_i64, 3), proptest::collection::vec(0..12_i64, 3)), 12),
    ) {
        let strategy = presented([WEAKLY, NIM, CONE][which]);
        let effort = Effort::unlimited();
        let on_board = |x: &[i64]| -> Vec<BigInt> {
            // In the cone the second coordinate is at most twice the first.
            if which == 2 { vec![x[0].into(), x[1].min(2 * x[0]).into()] } else { x.iter().map(|&n| n.into()).collect() }
        };
        for (p, q) in &pairs {
            let (p, q) = (on_board(p), on_board(q));
            let found = strategy.congruence(&p, &q, &effort).unwrap();
            let expected = strategy.automaton().congruence(&p, &q, &effort).unwrap();
            prop_assert_eq!(found == Congruence::Congruent, expected == Congruence::Congruent, "{:?} {:?}", p, q);
            if let Congruence::Different { witness } = found {
                let is_p = |x: &[BigInt]| {
                    let sum: Vec<BigInt> = x.iter().zip(&witness).map(|(x, r)| x + r).collect();
                    strategy.automaton().outcome(&sum).is_some_and(impartial::outcome::Outcome::is_p)
                };
                prop_assert_ne!(is_p(&p), is_p(&q));
            }
        }
    }
}
