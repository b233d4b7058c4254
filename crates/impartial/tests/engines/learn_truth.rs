//! The learner on the published and recomputed lattice games of `testdata/lattice-games.json`.

use impartial::lattice::{Description, LatticeGame};
use impartial::outcome::Outcome;
use impartial::solve::learn::{Limits, p_positions};
use impartial::solve::recursion::{Recursion, Region};
use impartial::solve::sector::sectors;
use impartial::strategy::{AutomatonStrategy, SectorStrategy};
use num_bigint::{BigInt, BigUint};
use semilinear::run::{Run, Unlimited};
use semilinear::vectorset::Effort;
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
    let strategy = AutomatonStrategy::proved(game, set, &Effort::unlimited()).unwrap();
    compared(entry, &|x| strategy.outcome(x), &|x| strategy.winning_moves(x));
}

/// Solves a game of the plane by sectors.
fn solved_by_sectors(entry: &Value) -> SectorStrategy {
    let id = entry["id"].as_str().unwrap();
    let game = game(entry);
    let start = std::time::Instant::now();
    let found = match sectors(&game, 8192, &Unlimited) {
        Run::Finished(found) => found,
        Run::Stopped(why, ()) => panic!("{id}: {why}"),
    };
    let (rays, translates) = (found.rays().to_vec(), found.translates());
    println!("{id}: rays {rays:?}, {translates} translates, {:.3} s", start.elapsed().as_secs_f64());
    let strategy = SectorStrategy::proved(game, found, &Unlimited).unwrap();
    compared(entry, &|x| strategy.outcome(x), &|x| strategy.winning_moves(x));
    strategy.into_inner()
}

/// The positions of the table, small and large.
fn compared(
    entry: &Value,
    outcome: &dyn Fn(&[BigInt]) -> Option<Outcome>,
    winning_moves: &dyn Fn(&[BigInt]) -> Vec<Vec<BigInt>>,
) {
    let id = entry["id"].as_str().unwrap();
    for (key, expected) in [("P_positions", Outcome::P), ("N_positions", Outcome::N)] {
        for x in entry[key].as_array().into_iter().flatten() {
            assert_eq!(outcome(&point(x)), Some(expected), "{id} {x}");
        }
    }
    for big in entry["big_positions"].as_array().into_iter().flatten() {
        let x = point(&big["x"]);
        let expected = if big["outcome"] == "P" { Outcome::P } else { Outcome::N };
        assert_eq!(outcome(&x), Some(expected), "{id} {x:?}");
        let mut expected: Vec<Vec<BigInt>> = big["winning_moves"]
            .as_array()
            .into_iter()
            .flatten()
            .map(|g| x.iter().zip(point(g)).map(|(x, g)| x - g).collect())
            .collect();
        let mut found = winning_moves(&x);
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

/// `cargo test --release -p impartial --test engines -- learn_truth --ignored --nocapture`
#[test]
#[ignore = "slow: minutes without optimisation"]
fn harder_games_are_solved() {
    solve_all(|id, difficulty| difficulty >= 4 && !BY_SECTORS.contains(&id));
}

/// Games whose rays are long, so that automata are large.
const BY_SECTORS: [&str; 3] = ["three_five", "long173", "cone_pm"];

#[test]
#[ignore = "slow: minutes without optimisation"]
fn games_with_long_rays_are_solved_by_sectors() {
    for entry in games().iter().filter(|entry| BY_SECTORS.contains(&entry["id"].as_str().unwrap())) {
        solved_by_sectors(entry);
    }
}

/// No strategy of `longrow` was known: the strata that are found and proved, against the recursion at every one of the
/// nine million positions of a square that is larger than what the solver looked at.
#[test]
#[ignore = "slow: minutes without optimisation"]
fn the_strata_of_longrow_agree_with_the_recursion() {
    const SIDE: usize = 3000;
    let games = games();
    let entry = games.iter().find(|entry| entry["id"] == "longrow").unwrap();
    let strategy = solved_by_sectors(entry);
    let found = strategy.sectors();
    assert_eq!(found.rays(), [[6, 0], [28, 58], [0, 7]]);
    let step = |x: [i64; 2], r: [i64; 2]| [x[0] + r[0], x[1] + r[1]];
    let inside = |x: [i64; 2]| x.iter().all(|&c| usize::try_from(c).is_ok_and(|c| c < SIDE));
    let mut times = vec![0u8; SIDE * SIDE];
    for stratum in found.strata() {
        let ray = |k: usize| stratum.generators.get(k).map_or([0, 0], |&g| found.rays()[g]);
        for &f in &stratum.points {
            let mut row = f;
            while inside(row) {
                let mut x = row;
                while inside(x) {
                    times[usize::try_from(x[0]).unwrap() * SIDE + usize::try_from(x[1]).unwrap()] += 1;
                    if ray(0) == [0, 0] {
                        break;
                    }
                    x = step(x, ray(0));
                }
                if ray(1) == [0, 0] {
                    break;
                }
                row = step(row, ray(1));
            }
        }
    }
    let region = Region::around_box(strategy.game(), &[SIDE as u64; 2]).unwrap();
    let recursion = Recursion::new(strategy.game(), &region, 1 << 30, &Unlimited).unwrap();
    let mut p = 0u64;
    for x in 0..SIDE {
        for y in 0..SIDE {
            let at = [i64::try_from(x).unwrap(), i64::try_from(y).unwrap()];
            let expected = recursion.outcome(&at) == Some(Outcome::P);
            assert_eq!(times[x * SIDE + y], u8::from(expected), "{at:?}");
            p += u64::from(expected);
        }
    }
    let side = BigUint::from(SIDE);
    assert_eq!(strategy.count(&[side.clone(), side], &Unlimited), Ok(Some(p.into())));
    println!("longrow: {p} P-positions in the square of side {SIDE}");
}
