//! The desk answers with the library's own structures, and with the command's messages.

use impartial::prelude::{Ask, Form, Game, Play, Unlimited};
use impartial_web::desk::Desk;
use serde_json::{Value, json};

fn ask(question: &Value) -> Value {
    serde_json::from_str(&Desk::default().answer(&question.to_string(), &Unlimited)).expect("answers are JSON")
}

#[test]
fn reports_are_those_of_the_library() {
    let kayles: Game = "kayles".parse().unwrap();
    let period = kayles.period(&Ask::new()).unwrap();
    let answer = ask(&json!({"ask": "period", "game": "kayles"}));
    assert_eq!(answer["report"], serde_json::to_value(&period).unwrap());
    assert_eq!(answer["text"], period.to_string());
    assert_eq!(answer["report"]["proved"], true);
}

#[test]
fn a_strategy_file_is_the_one_that_the_library_writes_and_the_checker_accepts_it() {
    let exotic: Game = "exotic".parse().unwrap();
    let strata = exotic.solve(&Ask::new()).unwrap().convert(Form::Stratification, &Ask::new()).unwrap();
    let file = ask(&json!({"ask": "file", "game": "exotic", "form": "stratification"}));
    assert_eq!(file["text"], strata.to_text());
    let verdict = ask(&json!({"ask": "load", "text": file["text"]}));
    assert_eq!((&verdict["report"]["valid"], &verdict["strategy"]["proved"]), (&json!(true), &json!(true)));
    let forged = file["text"].as_str().unwrap().replacen("3,4", "3,5", 1).replacen("3,\n", "2,\n", 1);
    let verdict = ask(&json!({"ask": "load", "text": forged}));
    assert_eq!(verdict["report"]["valid"], false, "{verdict}");
    assert!(verdict["strategy"].is_null());
}

/// What is kept of a quotient is not taken for the strategy of the game.
#[test]
fn the_strategy_of_a_lattice_game_stays_when_its_quotient_was_asked_for() {
    let latex = json!({"ask": "show", "game": "exotic", "syntax": "latex"});
    let mut desk = Desk::default();
    let mut ask = |question: &Value| desk.answer(&question.to_string(), &Unlimited);
    ask(&json!({"ask": "quotient", "game": "exotic"}));
    let after = ask(&latex);
    assert!(after.contains("frac"), "{after}");
    assert_eq!(after, Desk::default().answer(&latex.to_string(), &Unlimited));
}

#[test]
fn bad_input_has_the_message_of_the_library() {
    let message = "no-such-game".parse::<Game>().unwrap_err().to_string();
    let answer = ask(&json!({"ask": "info", "game": "no-such-game"}));
    assert_eq!((&answer["ok"], &answer["error"]["message"]), (&json!(false), &json!(message)));
    for question in [json!({"ask": "what"}), json!({"ask": "values"}), json!([1]), json!({"ask": "info", "colour": 1})]
    {
        assert_eq!(ask(&question)["error"]["kind"], "input", "{question}");
    }
}

#[test]
fn a_table_lists_the_moves_with_their_outcomes() {
    let answer = ask(&json!({"ask": "table", "game": "nim", "position": "3+5", "outcomes": true}));
    let table = &answer["report"];
    assert_eq!((&table["outcome"], &table["grundy"], &table["values"]), (&json!("N"), &json!(6), &json!([3, 5])));
    let winning: Vec<&Value> = table["moves"].as_array().unwrap().iter().filter(|m| m["outcome"] == "P").collect();
    assert_eq!(winning.len(), 1);
    assert_eq!(winning[0]["to"], "3+3");
}

/// Whoever stands on an N-position and follows the perfect player wins, in either play and every kind of game.
#[test]
fn the_perfect_player_never_leaves_the_winning_path() {
    for (name, start, play) in [
        ("nim", "3+5+7", Play::Normal),
        ("nim", "3+5+7", Play::Misere),
        ("kayles", "5+8", Play::Normal),
        ("0.123", "4+7", Play::Misere),
        ("chomp:3x4", "4,4,4", Play::Normal),
        ("wythoff", "3+6", Play::Normal),
        ("exotic", "(4,4)", Play::Normal),
        ("divisors:12", "{2,3,4,6,12}", Play::Normal),
    ] {
        let game: Game = name.parse().unwrap();
        let mut position = start.to_owned();
        let mut perfect = true;
        let first = game.outcome(&game.position(start).unwrap(), &Ask::new().play(play)).unwrap();
        assert!(!first.outcome.is_p(), "{name}");
        loop {
            let here = game.position(&position).unwrap();
            let options = game.options(&here).unwrap();
            let Some(first) = options.first() else { break };
            position = if perfect {
                let answer = ask(&json!({"ask": "reply", "game": name, "play": play, "position": position}));
                assert_eq!(answer["report"]["wins"], true, "{name} {here}");
                answer["report"]["to"].as_str().unwrap().to_owned()
            } else {
                first.to_string()
            };
            perfect = !perfect;
        }
        // The one who cannot move loses in normal play, wins in misère play.
        assert_eq!(perfect, play == Play::Misere, "{name}");
    }
}

#[test]
fn a_map_is_a_head_and_a_byte_a_cell() {
    let bytes = Desk::default().map(&json!({"ask": "map", "game": "exotic", "sizes": "3,2"}).to_string(), &Unlimited);
    let length = u32::from_le_bytes(bytes[..4].try_into().unwrap()) as usize;
    let head: Value = serde_json::from_slice(&bytes[4..4 + length]).unwrap();
    assert_eq!((&head["report"]["columns"], &head["report"]["rows"]), (&json!(3), &json!(2)));
    assert_eq!(bytes[4 + length..], [2, 3, 2, 3, 2, 3]);
}
