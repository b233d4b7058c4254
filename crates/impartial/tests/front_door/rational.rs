//! Stratifications and rational functions as people write them: every question is answered, and all roads agree with brute force.

use impartial::game::Claim;
use impartial::num_bigint::BigUint;
use impartial::prelude::*;
use impartial::strategy::Envelope;
use proptest::prelude::{ProptestConfig, any, prop, prop_assert, prop_assert_eq, proptest};
use serde_json::{Value, json};

const SIDE: i64 = 9;

/// Rules of games in the plane whose P-positions are found at once.
const GAMES: [&str; 5] = [
    "[[1, 0], [0, 1]]",
    "[[1, 0], [0, 1], [-1, 1]]",
    "[[1, 0], [0, 2]]",
    "[[2, 0], [0, 1], [1, 1]]",
    "[[1, 0], [0, 1], [2, 2]]",
];

fn rules(game: usize) -> Vec<Vec<i64>> {
    serde_json::from_str(GAMES[game]).unwrap()
}

/// The P-positions of a game in the plane, normal or misère play, by the definition.
fn brute(rules: &[Vec<i64>], play: Play) -> Vec<Vec<bool>> {
    let far = usize::try_from(4 * SIDE).unwrap();
    let at = |x: i64, y: i64| (0..i64::try_from(far).unwrap()).contains(&x) && y >= 0;
    let mut p = vec![vec![false; far]; far];
    // Coordinates may grow along (-1, 1); the order by 2y + x is safe for the rules here.
    let mut points: Vec<(i64, i64)> = (0..4 * SIDE).flat_map(|x| (0..4 * SIDE).map(move |y| (x, y))).collect();
    points.sort_by_key(|&(x, y)| (x + 2 * y, y));
    for (x, y) in points {
        if play == Play::Misere && (x, y) == (0, 0) {
            continue;
        }
        let options = rules.iter().map(|r| (x - r[0], y - r[1])).filter(|&(a, b)| at(a, b) && a >= 0);
        let wins = options
            .filter(|&(a, b)| !(play == Play::Misere && (a, b) == (0, 0)))
            .any(|(a, b)| p[usize::try_from(a).unwrap()][usize::try_from(b).unwrap()]);
        p[usize::try_from(x).unwrap()][usize::try_from(y).unwrap()] = !wins;
    }
    p
}

fn solved(game: usize, play: Play, form: Form) -> Strategy {
    let text = format!("kind = \"lattice\"\nrules = {}", GAMES[game]);
    let ask = Ask::new().play(play);
    Game::from_toml(&text).unwrap().solve(&ask).unwrap().convert(form, &Ask::new()).unwrap()
}

/// A strategy file with another certificate.
fn with(strategy: &Strategy, change: impl FnOnce(&mut Value)) -> String {
    let mut file: Envelope = strategy.file();
    change(&mut file.certificate);
    file.to_text()
}

/// Every command's question, against brute force.
fn agrees(strategy: &Strategy, p: &[Vec<bool>], ask: &Ask) -> Result<(), proptest::test_runner::TestCaseError> {
    let mut inside = 0;
    for (x, y) in (0..SIDE).flat_map(|x| (0..SIDE).map(move |y| (x, y))) {
        let position = strategy.position(&format!("({x},{y})")).unwrap();
        let expected = p[usize::try_from(x).unwrap()][usize::try_from(y).unwrap()];
        inside += u32::from(expected);
        let Ok(report) = strategy.outcome(&position, ask) else {
            // The defeated origin is no position.
            prop_assert_eq!((x, y, expected), (0, 0, false));
            continue;
        };
        prop_assert_eq!(report.outcome.is_p(), expected, "({}, {})", x, y);
        let moves = strategy.winning_moves(&position, ask).unwrap().moves;
        prop_assert_eq!(moves.is_empty(), expected);
    }
    let box_of = [BigUint::from(SIDE.unsigned_abs())];
    prop_assert_eq!(strategy.count(&box_of, ask).unwrap().count.to_string(), inside.to_string());
    Ok(())
}

fn plus(x: &Value, y: &Value) -> Value {
    let list = |v: &Value| v.as_array().unwrap().iter().map(|e| e.as_i64().unwrap()).collect::<Vec<_>>();
    json!(list(x).iter().zip(list(y)).map(|(a, b)| a + b).collect::<Vec<_>>())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    /// Strategy files whose translates overlap and whose generators depend on each other.
    #[test]
    fn written_stratifications(
        game in 0..GAMES.len(),
        misere in any::<bool>(),
        picks in prop::collection::vec((any::<prop::sample::Index>(), any::<prop::sample::Index>(), any::<bool>()), 1..5),
    ) {
        let ask = Ask::new();
        let play = if misere { Play::Misere } else { Play::Normal };
        let strategy = solved(game, play, Form::Stratification);
        let mut file = strategy.file();
        {
            let modules = file.certificate["modules"].as_array_mut().unwrap();
            for module in modules.iter_mut() {
                module.as_object_mut().unwrap().remove("automata");
            }
            for (module, vector, to_bases) in &picks {
                let count = modules.len();
                let module = &mut modules[module.index(count)];
                let generators = module["generators"].as_array().unwrap().clone();
                if generators.is_empty() {
                    continue;
                }
                let (first, last) = (&generators[vector.index(generators.len())], &generators[generators.len() - 1]);
                if *to_bases {
                    let more = plus(&module["bases"][0], first);
                    module["bases"].as_array_mut().unwrap().push(more);
                } else {
                    module["generators"].as_array_mut().unwrap().push(plus(first, last));
                }
            }
        }
        let p = brute(&rules(game), play);
        let claim = json!({
            "game": {"kind": "lattice", "rules": file.game["rules"]},
            "play": if misere { "misere" } else { "normal" },
            "form": "stratification",
            "modules": file.certificate["modules"],
        });
        let written = Claim::from_text(&claim.to_string()).unwrap().prove(&ask).unwrap();
        agrees(&written, &p, &ask)?;
        for form in [Form::Series, Form::Automaton] {
            let converted = written.convert(form, &ask).unwrap();
            prop_assert!(Strategy::load(&converted.to_text(), &ask).unwrap().verify(&ask).is_ok());
            agrees(&converted, &p, &ask)?;
        }
    }

    /// Terms alone, some of them split and some added and taken away again: proved on both roads, and refuted on both when one is changed.
    #[test]
    fn written_series(
        game in 0..GAMES.len(),
        misere in any::<bool>(),
        cut in any::<prop::sample::Index>(),
        wrong in any::<prop::sample::Index>(),
    ) {
        let ask = Ask::new();
        let play = if misere { Play::Misere } else { Play::Normal };
        let strategy = solved(game, play, Form::Series);
        let file = strategy.file();
        let mut terms = file.certificate["terms"].as_array().unwrap().clone();
        let k = cut.index(terms.len());
        if let Some(a) = terms[k]["denominators"].get(0).cloned() {
            // 1/(1 − t^a) = (1 + t^a)/(1 − t^2a).
            terms[k]["denominators"][0] = plus(&a, &a);
            let mut odd = terms[k].clone();
            odd["exponent"] = plus(&odd["exponent"], &a);
            terms.push(odd);
        }
        for coefficient in [[1, 2], [-1, 2]] {
            terms.push(json!({"coefficient": coefficient, "exponent": [1, 3], "denominators": [[2, 1]]}));
        }
        let alone = |terms: &[Value]| with(&strategy, |certificate| {
            *certificate = json!({"functional": certificate["functional"], "terms": terms});
        });
        let text = alone(&terms);
        prop_assert!(Claim::is_in(&text));
        let claim = Claim::from_text(&text).unwrap();
        for method in [Method::Auto, Method::Automaton, Method::Series] {
            let proved = claim.prove(&ask.method(method)).unwrap();
            prop_assert_eq!(proved.form(), Form::Series);
            prop_assert!(Strategy::load(&proved.to_text(), &ask).unwrap().verify(&ask).is_ok());
            agrees(&proved, &brute(&rules(game), play), &ask)?;
            prop_assert!(proved.convert(Form::Stratification, &ask).is_ok());
        }
        let k = wrong.index(terms.len());
        terms[k]["exponent"] = plus(&terms[k]["exponent"], &json!([0, 1]));
        let changed = Claim::from_text(&alone(&terms)).unwrap();
        for method in [Method::Auto, Method::Automaton, Method::Series] {
            let refused = changed.prove(&ask.method(method));
            prop_assert!(matches!(refused, Err(Error::Refused { .. })), "{:?} {:?}", method, refused);
        }
    }
}

/// The corrected Example 6.4 of the thesis: translates of one module overlap, and Theorem 5.1 gives its series.
#[test]
fn example_6_4_has_a_series() {
    let table: Value = serde_json::from_str(include_str!("../../../../testdata/example-6.4.json")).unwrap();
    let ask = Ask::new();
    let module = |i: &str| json!({"bases": table["corrected"]["F"][i], "generators": table["corrected"]["A"][i]});
    let modules: Vec<Value> = ["1", "2", "3", "4", "5", "6", "7"].iter().map(|i| module(i)).collect();
    let claim = json!({"game": "infinite-quotient", "form": "stratification", "modules": modules});
    let proved = Claim::from_text(&claim.to_string()).unwrap().prove(&ask).unwrap();
    let series = proved.convert(Form::Series, &ask).unwrap();
    assert!(Strategy::load(&series.to_text(), &ask).unwrap().verify(&ask).is_ok());
    let side = [BigUint::from(7_u32)];
    assert_eq!(series.count(&side, &ask).unwrap().count, proved.count(&side, &ask).unwrap().count);
}
