//! The learner on the published and recomputed lattice games of `testdata/lattice-games.json`.

use impartial::lattice::{Description, LatticeGame};
use impartial::outcome::Outcome;
use impartial::run::{Run, Unlimited};
use impartial::solve::learn::{Limits, p_positions};
use impartial::strategy::AutomatonStrategy;
use impartial::vectorset::Effort;
use num_bigint::BigInt;
use serde_json::Value;

fn games() -> Vec<Value> {
    let text =
        std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/../../testdata/lattice-games.json")).unwrap();
    let file: Value = serde_json::from_str(&text).unwrap();
    file["games"].as_array().unwrap().clone()
}

fn game(entry: &Value) -> LatticeGame {
    let mut json = serde_json::json!({"kind": "lattice", "rules": entry["rules"], "defeated": entry["defeated"]});
    if let Some(board) = entry.get("board").filter(|b| !b.is_null()) {
        json["board"] = board["inequalities"].clone();
    }
    LatticeGame::new(&Description::from_json(&json).unwrap(), &Unlimited).unwrap()
}

fn point(x: &Value) -> Vec<BigInt> {
    x.as_array().unwrap().iter().map(|x| x.as_i64().unwrap().into()).collect()
}

/// Solves a game and compares with everything the table says of it.
fn solved(entry: &Value) {
    let id = entry["id"].as_str().unwrap();
    let game = game(entry);
    let start = std::time::Instant::now();
    let set = match p_positions(&game, &Limits::default(), &Unlimited) {
        Run::Finished(set) => set,
        Run::Stopped(why, partial) => panic!(
            "{id}: {why}, {} states, {} positions, {}",
            partial.states,
            partial.positions,
            partial.growth.in_words()
        ),
    };
    println!("{id}: {} states ({} a block), {:.3} s", set.states(), set.block_states(), start.elapsed().as_secs_f64());
    let strategy = AutomatonStrategy::proved(game, set, &Effort::unlimited()).unwrap().unwrap();
    for (key, outcome) in [("P_positions", Outcome::P), ("N_positions", Outcome::N)] {
        for x in entry[key].as_array().into_iter().flatten() {
            assert_eq!(strategy.outcome(&point(x)), Some(outcome), "{id} {x}");
        }
    }
    for big in entry["big_positions"].as_array().into_iter().flatten() {
        let x = point(&big["x"]);
        let outcome = if big["outcome"] == "P" { Outcome::P } else { Outcome::N };
        assert_eq!(strategy.outcome(&x), Some(outcome), "{id} {x:?}");
        let mut expected: Vec<Vec<BigInt>> = big["winning_moves"]
            .as_array()
            .into_iter()
            .flatten()
            .map(|g| x.iter().zip(point(g)).map(|(x, g)| x - g).collect())
            .collect();
        let mut found = strategy.winning_moves(&x);
        expected.sort();
        found.sort();
        assert_eq!(found, expected, "{id} {x:?}");
    }
}

fn solve_all(wanted: impl Fn(&str, u64) -> bool) {
    let mut solved_games = 0;
    for entry in games() {
        let difficulty = entry["difficulty"].as_u64().unwrap();
        if entry["class"] == "semilinear" && wanted(entry["id"].as_str().unwrap(), difficulty) {
            solved(&entry);
            solved_games += 1;
        }
    }
    assert!(solved_games > 0);
}

#[test]
fn games_of_difficulty_up_to_3_are_solved() {
    solve_all(|_, difficulty| difficulty <= 3);
}

/// `cargo test --release -p impartial --test learn_truth -- --ignored --nocapture`
#[test]
#[ignore = "slow: minutes without optimisation"]
fn harder_games_are_solved() {
    solve_all(|id, difficulty| difficulty >= 4 && !["three_five", "long173", "cone_pm"].contains(&id));
}
