//! Claims that people write: true ones are proved, changed ones refuted at a position where they are wrong.

use impartial::game::Claim;
use impartial::prelude::*;
use serde_json::{Value, json};

fn proved(claim: &Value) -> Result<Strategy, Error> {
    Claim::from_text(&claim.to_string()).unwrap().prove(&Ask::new())
}

/// Where a claim is refuted.
fn refuted(claim: &Value) -> String {
    match proved(claim) {
        Err(Error::Refused { position, reason }) => position.unwrap_or(reason),
        Ok(_) => panic!("{claim} is proved"),
        Err(error) => panic!("{error}"),
    }
}

const GAMES: [&str; 4] =
    ["[[1, 0], [0, 1], [2, 2]]", "[[1, 0], [0, 2]]", "[[1], [3], [4]]", "[[2, 1], [1, 2], [1, 1]]"];

fn modules(rules: &str) -> (Value, Value, Game) {
    let game = Game::from_toml(&format!("kind = \"lattice\"\nrules = {rules}")).unwrap();
    let strata = game.solve(&Ask::new()).unwrap().convert(Form::Stratification, &Ask::new()).unwrap();
    let table = json!({"kind": "lattice", "rules": serde_json::from_str::<Value>(rules).unwrap()});
    (table, strata.file().certificate["modules"].clone(), game)
}

#[test]
fn stratifications_of_any_shape() {
    for rules in GAMES {
        let (table, modules, game) = modules(rules);
        let claim = |modules: &Value| json!({"game": table, "form": "stratification", "modules": modules});
        assert!(proved(&claim(&modules)).unwrap().standing().is_proved(), "{rules}");
        // The same set with repeated bases, a dependent generator and a module twice.
        let mut again = modules.clone();
        for module in again.as_array_mut().unwrap() {
            let first = module["bases"][0].clone();
            module["bases"].as_array_mut().unwrap().push(first);
            if let Some(v) = module["generators"].get(0).cloned() {
                module["generators"].as_array_mut().unwrap().push(v);
            }
        }
        let twice = again[0].clone();
        again.as_array_mut().unwrap().push(twice);
        assert!(proved(&claim(&again)).unwrap().standing().is_proved(), "{rules}");
        // Every base left out, and every base moved: refuted at a position.
        for (i, module) in modules.as_array().unwrap().iter().enumerate() {
            for j in 0..module["bases"].as_array().unwrap().len() {
                let mut less = modules.clone();
                less[i]["bases"].as_array_mut().unwrap().remove(j);
                let at = refuted(&claim(&less));
                assert!(game.position(&at).is_ok(), "{rules}: {at}");
                let mut moved = modules.clone();
                let entry = moved[i]["bases"][j][0].as_i64().unwrap();
                moved[i]["bases"][j][0] = json!(entry + 1);
                let at = refuted(&claim(&moved));
                assert!(game.position(&at).is_ok(), "{rules}: {at}");
            }
        }
    }
}

#[test]
fn example_6_4_is_proved_as_corrected_and_refuted_as_printed() {
    let table: Value = serde_json::from_str(include_str!("../../../../testdata/example-6.4.json")).unwrap();
    let claim =
        |modules: Vec<Value>| json!({"game": "infinite-quotient", "form": "stratification", "modules": modules});
    let rows = ["1", "2", "3", "4", "5", "6", "7"];
    let corrected = |i: &&str| json!({"bases": table["corrected"]["F"][i], "generators": table["corrected"]["A"][i]});
    let strategy = proved(&claim(rows.iter().map(corrected).collect())).unwrap();
    assert_eq!(strategy.play(), Play::Misere);
    // Columns of the printed matrices; rows that lost entries are read as far as they go.
    let printed = |i: &&str| {
        let rows: Vec<Vec<i64>> = serde_json::from_value(table["printed"]["F_rows"][i].clone()).unwrap();
        let width = rows.iter().map(Vec::len).min().unwrap();
        let bases: Vec<Vec<i64>> = (0..width).map(|c| rows.iter().map(|row| row[c]).collect()).collect();
        json!({"bases": bases, "generators": table["printed"]["A"][i]})
    };
    let at = refuted(&claim(rows.iter().map(printed).collect()));
    assert!(strategy.position(&at).is_ok(), "{at}");
}

#[test]
fn rational_functions() {
    let game = json!({"kind": "lattice", "rules": [[1, 0], [0, 1], [1, 1]]});
    let claim = |terms: &Value| json!({"game": game, "form": "series", "terms": terms});
    let squares = json!([{"coefficient": 1, "numerator": [0, 0], "denominators": [[2, 0], [0, 2]]}]);
    assert!(proved(&claim(&squares)).is_ok());
    // 1/(1 - x^2)(1 - y^2) with a term added and taken away again.
    let signed = json!([
        {"coefficient": 1, "numerator": [0, 0], "denominators": [[2, 0], [0, 2]]},
        {"coefficient": 1, "numerator": [1, 0], "denominators": [[1, 1]]},
        {"coefficient": -1, "numerator": [1, 0], "denominators": [[1, 1]]},
    ]);
    assert!(proved(&claim(&signed)).is_ok());
    let double = json!([
        {"coefficient": 1, "numerator": [0, 0], "denominators": [[2, 0], [0, 2]]},
        {"coefficient": 1, "numerator": [2, 2]},
    ]);
    assert_eq!(refuted(&claim(&double)), "(2,2)");
    let wrong = json!([{"coefficient": 2, "numerator": [0, 0], "denominators": [[2, 0], [0, 2]]}]);
    assert_eq!(refuted(&claim(&wrong)), "(0,0)");
}

#[test]
fn periods() {
    let claim = |preperiod: u64, period: u64| json!({"game": "kayles", "form": "period", "preperiod": preperiod, "period": period, "saltus": 0});
    for (preperiod, period) in [(71, 12), (100, 12), (71, 24), (1000, 36)] {
        assert!(proved(&claim(preperiod, period)).is_ok(), "{preperiod} {period}");
    }
    assert_eq!(refuted(&claim(70, 12)), "70");
    assert_eq!(refuted(&claim(0, 12)), "0");
    assert!(refuted(&claim(71, 6)).parse::<u64>().unwrap() >= 71);
}

#[test]
fn quotients() {
    let ask = Ask::new().play(Play::Misere);
    let report = serde_json::to_value("0.123".parse::<Game>().unwrap().quotient(&ask).unwrap().report()).unwrap();
    let mut claim = json!({"game": "0.123", "form": "quotient"});
    for key in ["generators", "relations", "p_portion", "p", "pretending", "period", "preperiod"] {
        claim[key] = report[key].clone();
    }
    assert!(proved(&claim).is_ok());
    let changed = |key: &str, value: Value| {
        let mut changed = claim.clone();
        changed[key] = value;
        changed
    };
    let mut relations = claim["relations"].as_array().unwrap().clone();
    relations.pop();
    assert!(refuted(&changed("relations", json!(relations))).contains("elements"));
    assert_eq!(refuted(&changed("relations", json!(["a=1"]))), "a=1");
    assert!(refuted(&changed("p_portion", json!(4))).contains("P-portion"));
    assert_eq!(refuted(&changed("p", json!(["1"]))), "1");
    assert_eq!(refuted(&changed("preperiod", json!(4))), "4");
    let mut pretending = claim["pretending"].clone();
    pretending["2"] = json!("a");
    assert_eq!(refuted(&changed("pretending", pretending)), "2");
}

#[test]
fn bad_claims_are_told() {
    for (text, words) in [
        ("", "missing field"),
        ("game = \"kayles\"\nform = \"period\"", "needs `preperiod`"),
        ("game = \"kayles\"\nform = \"poem\"", "is not known here"),
        ("game = \"kales\"\nform = \"period\"\npreperiod = 1\nperiod = 1", "did you mean kayles"),
        ("game = 3\nform = \"period\"", "a name, a notation"),
        ("game = \"kayles\"\nform = \"period\"\npreperiod = 1\nperiod = 1\nextra = 1", "unknown field"),
        ("{\"game\": ", "TOML or JSON"),
    ] {
        let error = Claim::from_text(text).unwrap_err().to_string();
        assert!(error.contains(words), "{text}: {error}");
    }
    let claim = json!({"game": "exotic", "form": "stratification", "modules": [{"bases": [[0]], "generators": []}]});
    assert!(proved(&claim).unwrap_err().to_string().contains("entries"));
    let claim = json!({"game": "kayles", "form": "stratification", "modules": []});
    assert!(matches!(proved(&claim), Err(Error::Unsupported { .. })));
    let claim =
        json!({"game": "exotic", "form": "stratification", "modules": [{"bases": [[0, -1]], "generators": []}]});
    assert_eq!(refuted(&claim), "(0,-1)");
}
