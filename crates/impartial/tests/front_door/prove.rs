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
    let mut modules = strata.file().certificate["modules"].clone();
    // People write bases and generators only.
    modules
        .as_array_mut()
        .unwrap()
        .iter_mut()
        .for_each(|module| drop(module.as_object_mut().unwrap().remove("automata")));
    (table, modules, game)
}

/// The automaton of a proved strategy in Walnut's text, lowest or highest digits first.
fn walnut(automaton: &Value, d: usize, msd: bool) -> String {
    let numbers = |key: &str| -> Vec<usize> { serde_json::from_value(automaton[key].clone()).unwrap() };
    let (next, accepting) = (numbers("transitions"), numbers("accepting"));
    let after = |state: usize, letter: usize| (0..d).fold(state, |s, i| next[2 * s + (letter >> i & 1)]);
    let digits = |letter: usize| (0..d).map(|i| (letter >> i & 1).to_string()).collect::<Vec<_>>().join(" ");
    let mut blocks = vec![0];
    let mut text = vec![if msd { "msd_2" } else { "lsd_2" }; d].join(" ");
    // Read backwards there may be several targets: a new first state for the accepting ones, and the old first state accepts.
    let mut back: Vec<(usize, String, usize)> = Vec::new();
    let mut at = 0;
    while at < blocks.len() {
        for letter in 0..1 << d {
            let target = after(blocks[at], letter);
            if !blocks.contains(&target) {
                blocks.push(target);
            }
            back.push((target, digits(letter), blocks[at]));
        }
        at += 1;
    }
    let line = |text: &mut String, line: String| *text = format!("{text}\n{line}");
    if msd {
        line(&mut text, format!("first {}", u8::from(accepting.contains(&0))));
        for (_, digits, source) in back.iter().filter(|(target, ..)| accepting.contains(target)) {
            line(&mut text, format!("{digits} -> {source}"));
        }
    }
    for &state in &blocks {
        let accepts = if msd { state == 0 } else { accepting.contains(&state) };
        line(&mut text, format!("{state} {}", u8::from(accepts)));
        for (target, digits, source) in &back {
            if msd && *target == state {
                line(&mut text, format!("{digits} -> {source}"));
            } else if !msd && *source == state {
                line(&mut text, format!("{digits} -> {target}"));
            }
        }
    }
    text
}

#[test]
fn automata_in_walnuts_text() {
    for rules in GAMES {
        let game = Game::from_toml(&format!("kind = \"lattice\"\nrules = {rules}")).unwrap();
        let table: Vec<Vec<i64>> = serde_json::from_str(rules).unwrap();
        let d = table[0].len();
        let ask = Ask::new();
        let strategy = game.solve(&ask).unwrap().convert(Form::Automaton, &ask).unwrap();
        let automaton = strategy.file().certificate["automaton"].clone();
        for msd in [false, true] {
            let text = walnut(&automaton, d, msd);
            let claim = |text: &str| json!({"game": {"kind": "lattice", "rules": table}, "form": "automaton", "automaton": text});
            let ours = proved(&claim(&text)).unwrap();
            assert_eq!(ours.file().certificate["automaton"], automaton, "{rules}");
            assert!(impartial::strategy::verdict(&ours.file(), &Unlimited).is_ok(), "{rules}");
            // Everything accepted: two positions of which one is an option of the other.
            let all = format!("{}\n0 1\n{} -> 0", vec!["msd_2"; d].join(" "), vec!["*"; d].join(" "));
            let at = refuted(&claim(&all));
            assert!(game.position(&at).is_ok(), "{rules}: {at}");
            // Nothing accepted: the origin is no N-position.
            let none = format!("{}\n0 0\n{} -> 0", vec!["lsd_2"; d].join(" "), vec!["*"; d].join(" "));
            assert_eq!(refuted(&claim(&none)), format!("({})", vec!["0"; d].join(",")), "{rules}");
        }
    }
    let board = json!({"game": "exotic", "form": "automaton", "automaton": "lsd_2\n0 1"});
    assert!(proved(&board).unwrap_err().to_string().contains("2 coordinates"));
    let heaps = json!({"game": "kayles", "form": "automaton", "automaton": "lsd_2\n0 1"});
    assert!(matches!(proved(&heaps), Err(Error::Unsupported { .. })));
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

/// Strata along rays whose automata have millions of states: proved, refuted, counted and asked without any.
#[test]
fn strata_along_long_rays() {
    let ask = Ask::new();
    let text = "kind = \"lattice\"\nrules = [[1, 2], [0, 1], [3, 0], [1, 3]]\ndefeated = [[0, 0]]";
    let game = Game::from_toml(text).unwrap();
    let strata = game.solve(&ask).unwrap().convert(Form::Stratification, &ask).unwrap();
    let modules = strata.file().certificate["modules"].clone();
    let table = json!({"kind": "lattice", "rules": [[1, 2], [0, 1], [3, 0], [1, 3]], "defeated": [[0, 0]]});
    let claim = |modules: &Value| json!({"game": table, "form": "stratification", "modules": modules});
    let own = proved(&claim(&modules)).unwrap();
    for sizes in [[0_u32, 9], [7, 2], [61, 83]] {
        let sizes = sizes.map(num_bigint::BigUint::from);
        let by_strata = own.count(&sizes, &ask).unwrap();
        assert_eq!(by_strata.count, game.count(&sizes, &ask).unwrap().count, "{sizes:?}");
    }
    assert_eq!(strata.count(&[7_u32.into(), 2_u32.into()], &ask).unwrap().count, 7_u32.into());
    let mut changed = 0;
    for (i, module) in modules.as_array().unwrap().iter().enumerate() {
        for j in (0..module["bases"].as_array().unwrap().len()).step_by(60) {
            let mut modules = modules.clone();
            modules[i]["bases"].as_array_mut().unwrap().remove(j);
            if modules[i]["bases"] == json!([]) {
                modules.as_array_mut().unwrap().remove(i);
            }
            let at = refuted(&claim(&modules));
            // The first wrong point is the base that was taken away, where so many points are looked at one by one.
            let base: [u64; 2] = serde_json::from_value(module["bases"][j].clone()).unwrap();
            if base[0] + base[1] < 80 {
                assert_eq!(at, format!("({},{})", base[0], base[1]));
            }
            changed += 1;
        }
    }
    assert!(changed > 10, "{changed}");
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
    assert_eq!(refuted(&changed("relations", json!(["a=1"]))), "1");
    // Heap 3 has the value b: with two of them less the sum has another outcome.
    let sum = refuted(&changed("relations", json!(["b^3=b"])));
    let outcome = |text: &str| {
        let game: Game = "0.123".parse().unwrap();
        game.outcome(&game.position(text).unwrap(), &ask).unwrap().outcome
    };
    assert_ne!(outcome(&sum), outcome(&sum.replacen("3+3+", "", 1)));
    assert!(refuted(&changed("p_portion", json!(4))).contains("P-portion"));
    assert_eq!(refuted(&changed("p", json!(["1"]))), "0");
    assert_eq!(refuted(&changed("p", json!(["a", "b^2", "a*c", "b*d"]))), "6");
    assert_eq!(refuted(&changed("p_portion", json!(["a", "b^2", "a*c", "b*d"]))), "6");
    assert!(proved(&changed("p_portion", json!(["a", "b2", "ac", "bd", "d2"]))).is_ok());
    assert!(proved(&changed("play", json!("normal"))).unwrap_err().to_string().contains("misère play"));
    assert_eq!(refuted(&changed("preperiod", json!(4))), "4");
    let mut pretending = claim["pretending"].clone();
    pretending["2"] = json!("a");
    assert_eq!(refuted(&changed("pretending", pretending)), "2");
    // Also when the heap is the only one with the value of a generator.
    let mut pretending = claim["pretending"].clone();
    pretending["9"] = json!("c");
    assert!(refuted(&changed("pretending", pretending)).split('+').any(|heap| heap == "9"));
}

#[test]
fn bad_claims_are_told() {
    for (text, words) in [
        ("", "missing field"),
        ("game = \"kayles\"\nform = \"period\"", "needs `preperiod`"),
        ("game = \"kayles\"\nform = \"poem\"", "is not known here"),
        ("game = \"kayles\"\nform = \"period\"\npreperiod = 1\nperiod = 0", "a period is 1 or more"),
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

/// Files of version 1 bring modules or terms and no proof: they are claims.
#[test]
fn files_of_version_1_are_claims() {
    let file = |form: &str, certificate: &str| {
        let game = r#"{"kind": "lattice", "rules": [[1, 0], [0, 1], [-1, 1]], "defeated": []}"#;
        format!(
            r#"{{"format": "impartial-strategy", "version": 1, "form": "{form}", "play": "normal", "game": {game},
            "certificate": {{"functional": [1, 2], {certificate}}}, "digest": ""}}"#
        )
    };
    for (form, certificate) in [
        ("stratification", r#""modules": [{"bases": [[0, 0], [2, 0]], "generators": [[2, 0], [0, 2], [2, 2]]}]"#),
        ("series", r#""terms": [{"coefficient": [1, 1], "exponent": [0, 0], "denominators": [[2, 0], [0, 2]]}]"#),
    ] {
        let text = file(form, certificate);
        assert!(Claim::is_in(&text), "{text}");
        let strategy = Claim::from_text(&text).unwrap().prove(&Ask::new()).unwrap();
        assert_eq!(strategy.count(&[10_u32.into(), 10_u32.into()], &Ask::new()).unwrap().to_string(), "25");
    }
    let wrong = file("stratification", r#""modules": [{"bases": [[0, 0]], "generators": [[2, 0], [0, 4]]}]"#);
    assert!(matches!(Claim::from_text(&wrong).unwrap().prove(&Ask::new()), Err(Error::Refused { .. })));
}

/// A claim in ten coordinates, as the parity kernel of a squarefree game is written down: 2^8 bases and the generators 2eᵢ.
#[test]
fn many_coordinates() {
    let unit = |i: usize, n: i64| (0..10).map(|j| if i == j { n } else { 0 }).collect::<Vec<i64>>();
    // Two kinds of heaps: eᵢ for even i is taken, for odd i taken or made one of kind i − 1; values 1 and 2.
    let mut rules: Vec<Vec<i64>> = (0..10).map(|i| unit(i, 1)).collect();
    rules.extend((0..5).map(|i| unit(2 * i + 1, 1).iter().zip(unit(2 * i, 1)).map(|(a, b)| a - b).collect()));
    let even = |x: &[i64], from: usize| x.iter().skip(from).step_by(2).sum::<i64>() % 2 == 0;
    let bases: Vec<Vec<i64>> = (0..1024_i64)
        .map(|n| (0..10).map(|i| n >> i & 1).collect::<Vec<i64>>())
        .filter(|x| even(x, 0) && even(x, 1))
        .collect();
    let generators: Vec<Vec<i64>> = (0..10).map(|i| unit(i, 2)).collect();
    let claim = |bases: &[Vec<i64>]| {
        json!({"game": {"kind": "lattice", "rules": rules}, "form": "stratification",
               "modules": [{"bases": bases, "generators": generators}]})
    };
    assert_eq!(bases.len(), 256);
    assert!(proved(&claim(&bases)).is_ok());
    assert!(refuted(&claim(&bases[1..])).starts_with('('));
}

/// Where the equation fails the claim may be right, and wrong at an option: (6,0) is an N-position, since the P-position (5,0) is its option, and only (5,0)
/// is claimed wrongly.
#[test]
fn series_are_refuted_where_they_are_wrong_themselves() {
    let term = |numerator: [u8; 2], denominators: Value| json!({"coefficient": 1, "numerator": numerator, "denominators": denominators});
    let terms = json!([
        term([6, 2], json!([[0, 2], [8, 4]])),
        term([8, 2], json!([[4, 0], [8, 4]])),
        term([2, 1], json!([[0, 2], [8, 4]])),
        term([10, 2], json!([[4, 0], [8, 4]])),
        term([5, 3], json!([[0, 4], [8, 4]])),
        term([3, 0], json!([[8, 4]])),
        term([9, 4], json!([[0, 2], [16, 8]])),
        term([8, 5], json!([[0, 2], [16, 8]])),
        term([4, 2], json!([[0, 2], [8, 4]])),
        term([0, 1], json!([[0, 2], [16, 8]])),
        term([1, 0], json!([[0, 2], [16, 8]])),
        term([5, 5], json!([[0, 4], [8, 4]])),
    ]);
    let game = json!({"kind": "lattice", "rules": [[0, 1], [1, 0], [3, 1]], "defeated": [[0, 0]]});
    let claim = json!({"game": game, "form": "series", "terms": terms});
    for method in [Method::Automaton, Method::Series] {
        match Claim::from_text(&claim.to_string()).unwrap().prove(&Ask::new().method(method)) {
            Err(Error::Refused { position, reason }) => {
                assert_eq!(position.as_deref(), Some("(5,0)"), "{method}: {reason}");
            }
            other => panic!("{method}: {:?}", other.map(|_| ())),
        }
    }
}
