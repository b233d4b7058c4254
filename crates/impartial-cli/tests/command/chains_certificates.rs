//! Strategies of form "chains" against the independent checker: true ones pass, changed ones do not.

use impartial::poset::chains::{ChainsGame, Cross, Meeting, Skeleton};
use impartial::solve::chains::{Branch, NONE, Solution};
use impartial::strategy::chains::{from_envelope, to_envelope};
use impartial::strategy::{ChainsSet, Envelope};
use impartial_check::{Verdict, check};
use proptest::prelude::*;
use semilinear::run::Unlimited;
use semilinear::vectorset::{Effort, VectorSet};
use serde_json::{Value, json};

fn verdict(file: &Envelope) -> Verdict {
    check(&file.to_text(), &|| true)
}

fn solved(game: ChainsGame, values: u64) -> Envelope {
    to_envelope(&Solution::new(game, values, &Unlimited).unwrap())
}

/// Games of every kind: Chomp, one chain, all slopes of φ, elements below and above the chains.
fn games() -> Vec<(ChainsGame, u64)> {
    let chomp = |rows: &[u64]| ChainsGame::chomp(rows).unwrap();
    let file = |text: &str| ChainsGame::from_toml(text).unwrap();
    vec![
        (chomp(&[]), 0),
        (chomp(&[7]), 0),
        (chomp(&[6, 3]), 0),
        (chomp(&[5]), 3),
        (ChainsGame::chomp_row(&[4, 2]).unwrap(), 0),
        (file("elements = []"), 3),
        (
            file(
                "elements = ['a', 'b']\nc.first_above = { a = 2 }\nd.below = { b = 2 }\ncross = { d_below_c = [0, 1], period = 2, step = 1 }",
            ),
            2,
        ),
        (
            file(
                "elements = ['a', 'b']\nc.first_above = { a = 2 }\nd.first_above = { a = 3 }\ncross = { d_below_c = [1, 3], period = 2, step = 3 }",
            ),
            2,
        ),
        (file("elements = ['a']\nd.first_above = { a = 2 }"), 2),
        (file("elements = ['a', 'b']\nd.first_above = { a = 4 }\ncross = { d_below_c = [1, 2], then_all = true }"), 2),
        (
            file(
                "chains = 1\nelements = ['a', 'b', 'x']\nrelations = [['a', 'b']]\nc.below = { b = 3 }\nc.first_above = { x = 2 }",
            ),
            0,
        ),
    ]
}

#[test]
fn true_certificates_are_valid() {
    for (game, values) in games() {
        let name = format!("{game:?}");
        let file = solved(game, values);
        assert!(matches!(verdict(&file), Verdict::Valid { .. }), "{name}: {:?}", verdict(&file));
    }
}

#[test]
fn four_rows_with_long_periods_are_valid() {
    let file = solved(ChainsGame::chomp(&[14, 9]).unwrap(), 0);
    assert!(matches!(verdict(&file), Verdict::Valid { .. }), "{:?}", verdict(&file));
}

fn branch(function: &Value) -> Branch {
    let number = |value: &Value| u32::try_from(value.as_u64().unwrap()).unwrap();
    Branch {
        first: number(&function["first"]),
        values: function["values"]
            .as_array()
            .unwrap()
            .iter()
            .map(|n| if n.is_null() { NONE } else { number(n) })
            .collect(),
        period: number(&function["period"]),
    }
}

/// Whether two functions are the same: on the lists and one common period.
fn same(a: &Branch, b: &Branch) -> bool {
    let upto = a.end().max(b.end()) + a.period.max(1) * b.period.max(1);
    (0..=upto).all(|m| a.at(m) == b.at(m)) && (a.period == 0) == (b.period == 0)
}

#[test]
fn changed_functions_are_refused() {
    for (game, values) in games() {
        let file = solved(game, values);
        let ideals = file.certificate["ideals"].as_array().unwrap().clone();
        let mut refused = 0;
        for (b, entry) in ideals.iter().enumerate() {
            for (j, function) in entry["functions"].as_array().unwrap().iter().enumerate() {
                let list = function["values"].as_array().unwrap().len();
                let mut changes: Vec<Value> = Vec::new();
                for i in (0..list).filter(|i| list < 12 || i % 5 == 0 || i + 3 > list) {
                    for new in [json!(null), json!(0), json!(function["values"][i].as_u64().unwrap_or(3) + 1)] {
                        let mut change = function.clone();
                        change["values"][i] = new;
                        changes.push(change);
                    }
                }
                for period in 0..=list.min(4) {
                    let mut change = function.clone();
                    change["period"] = json!(period);
                    changes.push(change);
                }
                let mut longer = function.clone();
                longer["values"].as_array_mut().unwrap().push(json!(list + 4));
                changes.push(longer);
                let mut later = function.clone();
                later["first"] = json!(function["first"].as_u64().unwrap() + 1);
                changes.push(later);
                for change in changes {
                    let mut changed = file.clone();
                    changed.certificate["ideals"][b]["functions"][j] = change.clone();
                    let valid = matches!(verdict(&changed), Verdict::Valid { .. });
                    // Exactly the changes of meaning are refused.
                    assert_eq!(
                        valid,
                        same(&branch(function), &branch(&change)),
                        "{function} -> {change} in {}",
                        file.game
                    );
                    refused += u32::from(!valid);
                }
            }
        }
        assert!(refused > 0);
    }
}

#[test]
fn changed_games_and_shapes_are_refused() {
    type Change = Box<dyn Fn(&mut Envelope)>;
    let file = solved(ChainsGame::chomp(&[4, 2]).unwrap(), 0);
    let changed = |change: &dyn Fn(&mut Envelope)| {
        let mut file = file.clone();
        change(&mut file);
        verdict(&file)
    };
    let cases: Vec<Change> = vec![
        Box::new(|f| f.game["rows"] = json!([4, 3])),
        Box::new(|f| f.game["rows"] = json!([4])),
        Box::new(|f| f.game["rows"] = json!([2, 4])),
        Box::new(|f| f.game["rows"] = json!([4, 2, 1_000_000_000])),
        Box::new(|f| f.game["chains"] = json!(1)),
        Box::new(|f| f.game["chains"] = json!(3)),
        Box::new(|f| f.game["more"] = json!(0)),
        Box::new(|f| f.play = impartial::outcome::Play::Misere),
        Box::new(|f| f.certificate["values"] = json!(1)),
        Box::new(|f| f.certificate["more"] = json!(1)),
        Box::new(|f| drop(f.certificate["ideals"].as_array_mut().unwrap().remove(3))),
        Box::new(|f| f.certificate["ideals"][2]["functions"] = json!([])),
        Box::new(|f| f.certificate["ideals"][2]["ideal"] = json!([9])),
        Box::new(|f| f.certificate["ideals"][0]["functions"][0]["period"] = json!(1u64 << 40)),
        Box::new(|f| f.certificate["ideals"][0]["functions"][0]["first"] = json!(u64::MAX)),
        Box::new(|f| f.certificate["ideals"] = json!([])),
        Box::new(|f| f.certificate = json!({"values": 1u64 << 29, "ideals": []})),
    ];
    for (i, change) in cases.iter().enumerate() {
        assert!(
            matches!(changed(change.as_ref()), Verdict::Refused { .. }),
            "case {i}: {:?}",
            changed(change.as_ref())
        );
    }
    // A game whose order is not closed, or breaks condition (1).
    let text = "elements = ['a', 'b']\nrelations = [['a', 'b']]\nc.below = { a = 1 }";
    let explicit = solved(ChainsGame::from_toml(text).unwrap(), 0);
    assert!(matches!(verdict(&explicit), Verdict::Valid { .. }));
    for (key, value) in [("c_below", json!([1, 0])), ("d_first_above", json!([2, null])), ("below", json!([[1], [0]]))]
    {
        let mut changed = explicit.clone();
        changed.game[key] = value;
        assert!(matches!(verdict(&changed), Verdict::Refused { .. }), "{key}");
    }
}

/// The other forms of the same set: valid, and refused when the set is another one.
#[test]
fn sets_of_p_positions_are_checked_against_the_functions() {
    let effort = Effort::unlimited();
    for (game, _) in games() {
        let name = format!("{game:?}");
        let set = ChainsSet::new(Solution::new(game, 0, &Unlimited).unwrap());
        let automaton = set.vector_set(&effort).unwrap();
        let files = [set.stratification_envelope(), set.automaton_envelope(&automaton), set.series_envelope()];
        for file in &files {
            assert!(matches!(verdict(file), Verdict::Valid { .. }), "{name}: {:?}", verdict(file));
            // A changed function is found here too.
            let mut changed = file.clone();
            let whole = changed.certificate["chains"]["ideals"].as_array().unwrap().len() - 1;
            let empty = changed.certificate["chains"]["ideals"][whole]["functions"][0]["values"] == json!([]);
            changed.certificate["chains"]["ideals"][whole]["functions"][0]["values"] = json!([]);
            changed.certificate["chains"]["ideals"][whole]["functions"][0]["period"] = json!(0);
            assert_eq!(matches!(verdict(&changed), Verdict::Valid { .. }), empty, "{name}");
            let again = ChainsSet::from_envelope(file, &Unlimited).unwrap().into_claim();
            assert_eq!(again.strata(), set.strata());
        }
        // One point more, one point less, another generator.
        let more =
            automaton.union(&VectorSet::finite(2, &[vec![1u32.into(), 99u32.into()]], &effort).unwrap(), &effort);
        assert!(matches!(verdict(&set.automaton_envelope(&more.unwrap())), Verdict::Refused { .. }), "{name}");
        if !set.strata().modules().is_empty() {
            for (place, value) in [("bases", json!([[70, 90]])), ("generators", json!([[7, 5]]))] {
                let mut changed = files[0].clone();
                changed.certificate["modules"][0][place] = value;
                assert!(matches!(verdict(&changed), Verdict::Refused { .. }), "{name}: {place}");
            }
            for (place, value) in
                [("exponent", json!([70, 90])), ("coefficient", json!([2, 1])), ("denominators", json!([[7, 5]]))]
            {
                let mut changed = files[2].clone();
                changed.certificate["terms"][0][place] = value;
                assert!(matches!(verdict(&changed), Verdict::Refused { .. }), "{name}: {place}");
            }
            let mut twice = files[0].clone();
            let first = twice.certificate["modules"][0].clone();
            twice.certificate["modules"].as_array_mut().unwrap().push(first);
            assert!(matches!(verdict(&twice), Verdict::Refused { .. }), "{name}: not disjoint");
        }
    }
}

/// The equation of the P-positions by automata, a proof that knows nothing of columns and periods.
#[test]
fn the_equation_by_automata_proves_the_same() {
    for (game, _) in games() {
        let name = format!("{game:?}");
        if game.chains() == 2 {
            let solution = Solution::new(game, 0, &Unlimited).unwrap();
            assert!(solution.satisfies_equation(&Effort::unlimited()).unwrap(), "{name}");
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    /// Certificates of random games are valid, and read back as they were written.
    #[test]
    fn random_games_are_valid(
        meetings in proptest::collection::vec((proptest::option::weighted(0.3, 1..4u64), 0..3u64, proptest::option::weighted(0.3, 1..4u64), 0..3u64), 0..5),
        slope in 0..6usize,
        values in 0..3u64,
    ) {
        let cross = [
            Cross::none(),
            Cross::regular(vec![1], 1, 1).unwrap(),
            Cross::regular(vec![0, 1], 2, 1).unwrap(),
            Cross::regular(vec![1, 2], 2, 3).unwrap(),
            Cross::regular(vec![2], 1, 0).unwrap(),
            Cross::all_after(vec![1, 1, 2]).unwrap(),
        ];
        let names = (0..meetings.len()).map(|a| format!("a{a}")).collect();
        let c = meetings.iter().map(|m| Meeting { first_above: m.0, below: Some(m.1) }).collect();
        let d = meetings.iter().map(|m| Meeting { first_above: m.2, below: Some(m.3) }).collect();
        let Ok(skeleton) = Skeleton::new(names, &[], c, d, cross[slope].clone()) else { return Ok(()) };
        let solution = Solution::new(ChainsGame::two_chains("random".into(), skeleton), values, &Unlimited).unwrap();
        let file = to_envelope(&solution);
        prop_assert!(matches!(verdict(&file), Verdict::Valid { .. }), "{:?}", verdict(&file));
        let again = from_envelope(&file, &Unlimited).unwrap().into_claim();
        for k in 0..=again.values() {
            prop_assert_eq!(again.pattern(k), solution.pattern(k));
        }
        // The set of the pairs (m, n) with A_{m,n} a P-position, in all forms.
        let set = ChainsSet::new(solution.clone());
        let vectors = set.vector_set(&Effort::unlimited()).unwrap();
        for file in [set.stratification_envelope(), set.automaton_envelope(&vectors), set.series_envelope()] {
            prop_assert!(matches!(verdict(&file), Verdict::Valid { .. }), "{:?}", verdict(&file));
        }
        for (m, n) in (0..14_u64).flat_map(|m| (0..14_u64).map(move |n| (m, n))) {
            let position = solution.game().position(&format!("{m},{n}")).unwrap();
            prop_assert_eq!(vectors.contains_small(&[m, n]), solution.outcome(&position).is_p(), "{},{}", m, n);
        }
    }
}
