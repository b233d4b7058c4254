//! Leaks through which an unproved claim once passed as proved, each as a test.

use impartial::heap::Code;
use impartial::lattice::{Description, LatticeGame};
use impartial::prelude::*;
use impartial::solve::sequence::{Engine, Sequence};
use impartial::strategy::nim_sequence::NimSequence;
use impartial::strategy::{AutomatonStrategy, Envelope};
use impartial::vectorset::{Effort, VectorSet};
use num_bigint::BigInt;
use serde_json::json;

fn lattice(text: &str) -> LatticeGame {
    LatticeGame::new(&Description::from_toml(text).unwrap(), &Unlimited).unwrap()
}

/// A chains file with one function changed.
fn forged_chains() -> String {
    let ask = Ask::new();
    let text = "chomp-chains:2".parse::<Game>().unwrap().solve(&ask).unwrap().to_text();
    let mut file = Envelope::from_text(&text).unwrap();
    let ideals = file.certificate["ideals"].as_array_mut().unwrap();
    let values = ideals.last_mut().unwrap()["functions"][0]["values"].as_array_mut().unwrap();
    let place = values.iter().position(serde_json::Value::is_u64).unwrap();
    values[place] = json!(values[place].as_u64().unwrap() + 1);
    file.to_text()
}

#[test]
fn a_forged_file_answers_nothing_as_proved() {
    let ask = Ask::new();
    let claimed = Strategy::load(&forged_chains(), &ask).unwrap();
    let count = claimed.count(&[10_u32.into(), 10_u32.into()], &ask).unwrap();
    assert_eq!(count.proved.map(Standing::is_proved), Some(false));
    assert!(count.to_string().ends_with("(as the file claims)"), "{count}");
    let position = claimed.position("3,2,1").unwrap();
    let outcome = claimed.outcome(&position, &ask).unwrap();
    assert!(!outcome.proved.unwrap().is_proved());
    assert!(serde_json::to_string(&outcome).unwrap().contains("\"proved\":false"));
    assert!(matches!(claimed.verify(&ask), Err(Error::Refused { .. })));
}

#[test]
fn sets_of_another_dimension_are_refused() {
    let game = lattice("rules = [[1, 0], [0, 1]]");
    let result = AutomatonStrategy::proved(game, VectorSet::full(3), &Effort::unlimited());
    assert!(matches!(result, Err(Error::Input(_))));
}

#[test]
fn values_taken_on_trust_prove_nothing() {
    let mut sequence = Sequence::resume("0.77".parse().unwrap(), Engine::Auto, vec![9; 50]);
    let _ = sequence.search(2000, &Unlimited);
    assert!(NimSequence::new(&sequence).is_none());
}

#[test]
fn moves_of_a_point_with_too_many_coordinates_are_none() {
    let strategy = "exotic".parse::<Game>().unwrap().solve(&Ask::new()).unwrap();
    assert!(strategy.position("(1,2,3)").is_err());
    let game = lattice("rules = [[1, 0], [0, 1], [2, 2]]");
    let three: Vec<BigInt> = [3, 3, 3].map(BigInt::from).into();
    assert!(game.options_big(&three).is_empty());
}

#[test]
fn a_position_of_another_game_is_refused() {
    let ask = Ask::new();
    let games: Vec<Game> = ["kayles", "exotic", "chomp:3x3", "divisors:12", "chomp-chains:2", "wythoff"]
        .map(|g| g.parse().unwrap())
        .into();
    let positions: Vec<Position> = games.iter().map(|game| game.start().unwrap()).collect();
    for (i, game) in games.iter().enumerate() {
        for (j, position) in positions.iter().enumerate() {
            // Both have heaps, and one heap beside an empty one is a position of Wythoff's game.
            let shared = i == j || matches!((i, j), (0, 5) | (5, 0));
            assert_eq!(game.outcome(position, &ask).is_ok(), shared, "{game} at {position}");
        }
    }
}

#[test]
fn codes_that_change_nothing_are_refused() {
    assert!(Code::new(vec![3], 0).is_err());
    assert!(Code::new(vec![0, 16], 0).is_err());
    assert!(Code::new(vec![0], 1).is_err());
    assert!(Code::new(vec![], 0).is_ok());
}

#[test]
fn a_stop_while_a_file_is_read_is_a_stop() {
    let ask = Ask::new();
    let game: Game = "exotic".parse().unwrap();
    let claimed = Strategy::load(&game.solve(&ask).unwrap().to_text(), &ask).unwrap();
    for ticks in 0..3 {
        let limit = impartial::run::TickLimit::new(ticks);
        let limited = Ask::new().monitor(&limit);
        // An answer or a stop, never an accusation.
        match claimed.belongs_to(&game, &limited) {
            Ok(()) | Err(Error::Stopped { .. }) => {}
            Err(other) => panic!("{other}"),
        }
    }
}

#[test]
fn stops_say_what_is_known() {
    let limit = impartial::run::TickLimit::new(3);
    let ask = Ask::new().monitor(&limit);
    let error = "0.007".parse::<Game>().unwrap().period(&ask).unwrap_err();
    let Error::Stopped { why: StopReason::Time, known: Some(known) } = &error else { panic!("{error}") };
    assert_eq!(known.data["proved"], false);
}

/// A check that needs more than the checker may spend says nothing of the claim.
#[test]
fn what_the_checker_finds_too_large_is_a_stop() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../impartial-check/tests/suite/forgeries");
    for (name, memory) in [("table-one-long-row", true), ("clause-partitions", false)] {
        let text = std::fs::read_to_string(format!("{folder}/{name}.json")).unwrap();
        match impartial::strategy::text_verdict(&text, &Unlimited) {
            Err(Error::Stopped { why, .. }) => assert_eq!(why == StopReason::Memory, memory, "{name}"),
            other => panic!("{name}: {other:?}"),
        }
    }
}
