//! Strategy files of form "parity-kernel": accepted as written, refused when anything that matters is changed.

use impartial::lattice::{Description, LatticeGame};
use impartial::solve::parity_kernel::ParityKernel;
use impartial::strategy::Envelope;
use impartial::strategy::parity_kernel::{heap_envelope, lattice_envelope};
use impartial_check::{Verdict, check};
use semilinear::run::Unlimited;
use serde_json::Value;

fn verdict(file: &Envelope) -> Verdict {
    check(&file.to_text(), &|| true)
}

fn files() -> Vec<Envelope> {
    let mut files = Vec::new();
    for text in [
        "rules = [[1, 0], [0, 1], [-1, 1]]",
        "rules = [[-2,0,0,0,1],[-1,0,0,1,0],[-1,0,1,0,0],[0,-1,0,0,1],[0,-1,0,1,0],[0,0,-1,0,1],[0,0,1,0,0],[0,1,0,0,0],[1,0,0,0,0]]",
    ] {
        let game = LatticeGame::new(&Description::from_toml(text).unwrap(), &Unlimited).unwrap();
        files.push(lattice_envelope(&game, &ParityKernel::of_lattice(&game).unwrap()));
    }
    for (rules, max_heap) in [("0.77", 30), ("4.7", 12), ("0.[3]", 9), ("0.F8", 14), ("subtract:2,5", 20)] {
        let rules = rules.parse().unwrap();
        files.push(heap_envelope(&rules, &ParityKernel::of_heaps(&rules, max_heap, &Unlimited).unwrap()));
    }
    files
}

/// 200 coordinates whose functional has entries of hundreds of digits: no linear program, no machine integers.
#[test]
fn two_hundred_coordinates() {
    let rule = |i: usize| {
        let mut rule = vec![0_i64; 200];
        rule[i] = 1;
        if i > 0 {
            (rule[i - 1], rule[i / 2]) = (-9, -3);
        }
        rule
    };
    let rules: Vec<Vec<i64>> =
        (0..200).flat_map(|i| [rule(i), (0..200).map(|j| i64::from(i == j)).collect()]).collect();
    let text = format!("rules = {rules:?}");
    let game = LatticeGame::new(&Description::from_toml(&text).unwrap(), &Unlimited).unwrap();
    let file = lattice_envelope(&game, &ParityKernel::of_lattice(&game).unwrap());
    assert!(matches!(verdict(&file), Verdict::Valid { .. }), "{:?}", verdict(&file));
}

#[test]
fn what_is_written_is_valid() {
    for file in files() {
        assert!(matches!(verdict(&file), Verdict::Valid { .. }), "{:?} {}", verdict(&file), file.to_text());
    }
}

/// Every number in a JSON value, changed by `change`, one at a time.
fn mutations(value: &Value, change: i64) -> Vec<Value> {
    match value {
        Value::Number(n) => n.as_i64().map(|n| (n + change).into()).into_iter().collect(),
        Value::Array(list) => (0..list.len())
            .flat_map(|i| {
                mutations(&list[i], change).into_iter().map(move |changed| {
                    let mut list = list.clone();
                    list[i] = changed;
                    Value::Array(list)
                })
            })
            .collect(),
        Value::Object(map) => map
            .iter()
            .flat_map(|(key, value)| {
                mutations(value, change).into_iter().map(move |changed| {
                    let mut map = map.clone();
                    map.insert(key.clone(), changed);
                    Value::Object(map)
                })
            })
            .collect(),
        _ => Vec::new(),
    }
}

#[test]
fn a_changed_value_is_refused() {
    for file in files() {
        for change in [-1, 1, 2, 64] {
            for changed in mutations(&file.certificate["values"], change) {
                let mut other = file.clone();
                other.certificate["values"] = changed;
                assert!(matches!(verdict(&other), Verdict::Refused { .. }), "{}", other.to_text());
            }
        }
        let mut shorter = file.clone();
        shorter.certificate["values"].as_array_mut().unwrap().pop();
        assert!(matches!(verdict(&shorter), Verdict::Refused { .. }));
    }
}

#[test]
fn a_changed_rule_is_refused_or_changes_nothing() {
    for file in &files()[..2] {
        for change in [-1, 1] {
            for changed in mutations(&file.game["rules"], change) {
                let mut other = file.clone();
                other.game["rules"] = changed;
                if matches!(verdict(&other), Verdict::Valid { .. }) {
                    // Some changes keep every mex: then the claim must be true of the changed game.
                    let description = Description::from_json(&other.game).unwrap();
                    let game = LatticeGame::new(&description, &Unlimited).unwrap();
                    let kernel = ParityKernel::of_lattice(&game).unwrap();
                    assert_eq!(serde_json::json!(kernel.values()), other.certificate["values"]);
                }
            }
        }
    }
}

#[test]
fn other_plays_and_games_are_refused() {
    for file in files() {
        let mut misere = file.clone();
        misere.play = impartial::outcome::Play::Misere;
        assert!(matches!(verdict(&misere), Verdict::Refused { .. }));
        let mut unknown = file.clone();
        unknown.certificate["more"] = 1.into();
        assert!(matches!(verdict(&unknown), Verdict::Refused { .. }));
        let mut nothing = file.clone();
        nothing.game = serde_json::json!({"kind": "heap", "code": "1.77"});
        assert!(matches!(verdict(&nothing), Verdict::Refused { .. }));
    }
    // Weakly squarefree: the same values would satisfy no theorem.
    let mut weakly = files()[0].clone();
    weakly.game["rules"] = serde_json::json!([[1, 0], [0, 1], [1, 1]]);
    assert!(matches!(verdict(&weakly), Verdict::Refused { .. }));
    // A circle of mex equations: e1 -> e2 -> e1.
    let mut circle = files()[0].clone();
    circle.game["rules"] = serde_json::json!([[1, -1], [-1, 1]]);
    assert!(matches!(verdict(&circle), Verdict::Refused { .. }));
}
