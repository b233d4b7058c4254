//! Strategy files of lattice games against the independent checker: sound ones are accepted, changed ones refused.

use impartial::lattice::{Description, LatticeGame};
use impartial::solve::learn::{Limits, grundy_values, p_positions};
use impartial::solve::sector::sectors;
use impartial::strategy::{AutomatonStrategy, Envelope, GrundyStrategy, SectorStrategy};
use impartial_check::{Verdict, check};
use semilinear::run::{Run, Unlimited};
use semilinear::vectorset::Effort;
use serde_json::{Value, json};

fn game(text: &str) -> LatticeGame {
    LatticeGame::new(&Description::from_toml(text).unwrap(), &Unlimited).unwrap()
}

fn automaton_file(text: &str) -> Envelope {
    let game = game(text);
    let Run::Finished(set) = p_positions(&game, &Limits::default(), &Unlimited) else { panic!("{text}") };
    AutomatonStrategy::proved(game, set, &Effort::unlimited()).unwrap().to_envelope()
}

fn sector_file(text: &str) -> Envelope {
    let game = game(text);
    let Run::Finished(found) = sectors(&game, 2048, &Unlimited) else { panic!("{text}") };
    SectorStrategy::proved(game, found, &Unlimited).unwrap().to_envelope()
}

fn grundy_file(text: &str) -> Envelope {
    let game = game(text);
    let Run::Finished(values) = grundy_values(&game, &Limits::default(), &Unlimited) else { panic!("{text}") };
    let file = GrundyStrategy::proved(game, values, &Effort::unlimited()).unwrap().to_envelope();
    assert_eq!(GrundyStrategy::from_envelope(&file, &Unlimited).unwrap().into_claim().to_envelope(), file);
    file
}

fn verdict(file: &Envelope) -> Verdict {
    check(&file.to_text(), &|| true)
}

fn is_valid(file: &Envelope) -> bool {
    matches!(verdict(file), Verdict::Valid { .. })
}

/// Every way to change one number of a JSON value by +1, −1 or to another small number.
fn changes(value: &Value, out: &mut Vec<Value>) {
    fn walk(root: &Value, path: &mut Vec<Value>, here: &Value, out: &mut Vec<Value>) {
        match here {
            Value::Number(n) => {
                let n = n.as_i64().unwrap();
                for changed in [n + 1, n - 1] {
                    let mut copy = root.clone();
                    let mut at = &mut copy;
                    for step in path.iter() {
                        at = match step {
                            Value::String(key) => &mut at[key.as_str()],
                            index => &mut at[usize::try_from(index.as_u64().unwrap()).unwrap()],
                        };
                    }
                    *at = json!(changed);
                    out.push(copy);
                }
            }
            Value::Array(list) => {
                for (i, entry) in list.iter().enumerate() {
                    path.push(json!(i));
                    walk(root, path, entry, out);
                    path.pop();
                }
            }
            Value::Object(map) => {
                for (key, entry) in map {
                    path.push(json!(key));
                    walk(root, path, entry, out);
                    path.pop();
                }
            }
            _ => {}
        }
    }
    walk(value, &mut vec![], value, out);
}

#[test]
fn every_changed_transition_acceptance_and_rule_is_refused() {
    let file = automaton_file("rules = [[1, 0], [0, 1], [2, 2]]");
    assert!(is_valid(&file), "{:?}", verdict(&file));
    // The table of a minimal automaton: another target of a transition is another set, or none at all.
    let states = file.certificate["automaton"]["transitions"].as_array().unwrap().len() / 2;
    let mut tried = 0;
    for at in 0..2 * states {
        for target in 0..states {
            if file.certificate["automaton"]["transitions"][at] == json!(target) {
                continue;
            }
            let mut changed = file.clone();
            changed.certificate["automaton"]["transitions"][at] = json!(target);
            assert!(!is_valid(&changed), "transition {at} to {target}");
            tried += 1;
        }
    }
    for state in 0..states {
        let mut changed = file.clone();
        let list = changed.certificate["automaton"]["accepting"].as_array_mut().unwrap();
        match list.iter().position(|s| *s == json!(state)) {
            Some(at) => drop(list.remove(at)),
            None => list.push(json!(state)),
        }
        assert!(!is_valid(&changed), "acceptance of {state}");
        tried += 1;
    }
    let mut games = vec![];
    changes(&file.game, &mut games);
    for game in games {
        let changed = Envelope { game, ..file.clone() };
        assert!(!is_valid(&changed), "{}", changed.game);
        tried += 1;
    }
    assert!(tried > 1000);
    let mut misere = file.clone();
    misere.play = impartial::outcome::Play::Misere;
    assert!(!is_valid(&misere));
    misere.game["defeated"] = json!([[0, 0]]);
    assert!(!is_valid(&misere), "the other play's strategy");
}

#[test]
fn changed_grundy_values_are_refused() {
    for text in [
        "rules = [[1, 0], [0, 1], [1, 1]]",
        "rules = [[2], [5]]\ndefeated = [[0], [1]]",
        "rules = [[1, 1], [1, -1], [2, 0]]\n[board]\ninequalities = [[1, -1, 0], [1, 1, 0]]\n",
    ] {
        let file = grundy_file(text);
        assert!(is_valid(&file), "{:?}", verdict(&file));
        let states = file.certificate["automaton"]["values"].as_array().unwrap().len();
        for at in 0..2 * states {
            for target in 0..states {
                if file.certificate["automaton"]["transitions"][at] == json!(target) {
                    continue;
                }
                let mut changed = file.clone();
                changed.certificate["automaton"]["transitions"][at] = json!(target);
                assert!(!is_valid(&changed), "{text}: transition {at} to {target}");
            }
        }
        for state in 0..states {
            for value in
                [json!(null), json!(0), json!(1), json!(2), json!(3), json!(4), json!(255), json!(-1), json!("0")]
            {
                if file.certificate["automaton"]["values"][state] == value {
                    continue;
                }
                let mut changed = file.clone();
                changed.certificate["automaton"]["values"][state] = value.clone();
                assert!(!is_valid(&changed), "{text}: state {state} with {value}");
            }
        }
        let mut games = vec![];
        changes(&file.game, &mut games);
        for game in games {
            let changed = Envelope { game, ..file.clone() };
            // Another rule or defeated position can only pass when it changes no option at all.
            assert!(!is_valid(&changed), "{text}: {}", changed.game);
        }
        // The table of the P-positions alone is none of values, and the other way round.
        let mut other = file.clone();
        other.form = "automaton".into();
        assert!(!is_valid(&other));
        let mut other = automaton_file(text);
        other.form = "grundy-automaton".into();
        assert!(!is_valid(&other));
        let mut other = file.clone();
        other.certificate["automaton"]["values"].as_array_mut().unwrap().pop();
        assert!(!is_valid(&other));
    }
}

#[test]
fn boards_and_their_charts_are_checked() {
    let text = "rules = [[1, 1], [1, -1], [2, 0]]\n[board]\ninequalities = [[1, -1, 0], [1, 1, 0]]\n";
    let file = automaton_file(text);
    assert!(is_valid(&file), "{:?}", verdict(&file));
    let mut changed = vec![];
    changes(&file.certificate["chart"], &mut changed);
    // A larger shift or another sound chart with this automaton is another set; only what proves the same may pass.
    for chart in changed {
        let mut other = file.clone();
        let same_map = ["matrix", "inverse", "shift"].iter().all(|k| chart[*k] == file.certificate["chart"][*k]);
        other.certificate["chart"] = chart;
        assert!(same_map || !is_valid(&other), "{}", other.certificate["chart"]);
    }
    for key in ["chart", "functional", "automaton"] {
        let mut other = file.clone();
        other.certificate.as_object_mut().unwrap().remove(key);
        assert!(!is_valid(&other), "{key}");
    }
    let mut other = file.clone();
    other.certificate["functional"] = json!([0, 1]);
    assert!(!is_valid(&other));
}

#[test]
fn changed_sectors_are_refused() {
    let file = sector_file("rules = [[1, 0], [0, 1], [2, 2]]");
    assert!(is_valid(&file), "{:?}", verdict(&file));
    let mut changed = vec![];
    for key in ["rays", "strata"] {
        changes(&file.certificate[key], &mut changed);
        for value in changed.drain(..) {
            let mut other = file.clone();
            other.certificate[key] = value;
            assert!(!is_valid(&other), "{}", other.certificate[key]);
        }
    }
    let mut games = vec![];
    changes(&file.game, &mut games);
    for game in games {
        let other = Envelope { game, ..file.clone() };
        assert!(!is_valid(&other), "{}", other.game);
    }
}

#[test]
fn garbage_is_refused_without_panic() {
    let file = automaton_file("rules = [[1], [2], [3]]");
    let garbage =
        [json!(null), json!(-1), json!(1e300), json!("x"), json!([]), json!({}), json!([[]]), json!(u64::MAX)];
    for key in ["functional", "automaton", "chart", "other"] {
        for value in &garbage {
            let mut other = file.clone();
            other.certificate[key] = value.clone();
            assert!(!is_valid(&other), "{key}: {value}");
        }
    }
    for key in ["transitions", "accepting"] {
        for value in &garbage {
            let mut other = file.clone();
            other.certificate["automaton"][key] = value.clone();
            assert!(!is_valid(&other), "{key}: {value}");
        }
    }
    for key in ["rules", "defeated", "board", "kind"] {
        for value in &garbage {
            let mut other = file.clone();
            other.game[key] = value.clone();
            // An empty list of defeated positions is what the file says already.
            assert!(!is_valid(&other) || other == file, "{key}: {value}");
        }
    }
    // A rule with a huge entry makes huge carries, not a hang.
    let mut other = file.clone();
    other.game["rules"] = json!([[1], [2], [1u64 << 40]]);
    assert!(!is_valid(&other));
    // A stopped check is no verdict.
    assert_eq!(check(&file.to_text(), &|| false), Verdict::Stopped);
}
