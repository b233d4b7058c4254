use super::*;
use crate::lattice::Description;
use crate::solve::recursion::{Recursion, Region};
use semilinear::run::Unlimited;

fn game(text: &str) -> LatticeGame {
    LatticeGame::new(&Description::from_toml(text).unwrap(), &Unlimited).unwrap()
}

fn solved(text: &str, largest: u64) -> (LatticeGame, Sectors) {
    let game = game(text);
    match sectors(&game, largest, &Unlimited) {
        Run::Finished(found) => (game, found),
        Run::Stopped(why, ()) => panic!("{text}: {why}"),
    }
}

/// All points of a square larger than the proof's data, against the recursion.
fn agrees(game: &LatticeGame, found: &Sectors, side: u64) {
    let region = Region::around_box(game, &[side, side]).unwrap();
    let recursion = Recursion::new(game, &region, 1 << 28, &Unlimited).unwrap();
    let last = i64::try_from(side).unwrap() - 1;
    for k in 0..=last {
        for x in [[k, last], [last, k], [k, k / 2], [k / 3, k]] {
            let expected = recursion.outcome(&x).is_some_and(crate::outcome::Outcome::is_p);
            assert_eq!(found.contains(&x.map(BigInt::from)), expected, "{x:?}");
        }
    }
}

#[test]
fn diagonal_games_have_their_published_rays() {
    let (game, found) = solved("rules = [[1, 0], [0, 1], [3, 3]]", 1024);
    assert_eq!(found.rays(), [[2, 0], [8, 8], [0, 2]]);
    agrees(&game, &found, 2000);
    let (game, found) = solved("rules = [[0, 2], [0, 3], [1, 3], [3, 0], [3, 1]]", 2048);
    assert_eq!(found.rays(), [[6, 0], [1, 1], [0, 5]]);
    agrees(&game, &found, 3000);
}

#[test]
fn oblique_rays_are_found() {
    let (game, found) = solved("rules = [[3, 0], [0, 5], [1, 1]]", 2048);
    assert_eq!(found.rays(), [[6, 0], [8, 12], [4, 11], [0, 10]]);
    agrees(&game, &found, 3000);
}

#[test]
fn a_narrow_sector_is_seen_in_one_window() {
    let (game, found) = solved("rules = [[2, 3], [5, 4], [6, 6]]", 8192);
    assert_eq!(found.rays(), [[1, 0], [29, 27], [66, 63], [0, 1]]);
    agrees(&game, &found, 4000);
}

#[test]
fn wrong_strata_are_not_proved() {
    let (game, found) = solved("rules = [[1, 0], [0, 1], [2, 2]]", 1024);
    assert_eq!(proof::counterexample(&game, &found, Target::Outcomes, &Unlimited), Ok(Ok(None)));
    for s in 0..found.strata.len() {
        for p in 0..found.strata[s].points.len() {
            for c in 0..2 {
                let mut wrong = found.clone();
                wrong.strata[s].points[p][c] += 1;
                assert!(matches!(
                    proof::counterexample(&game, &wrong, Target::Outcomes, &Unlimited),
                    Ok(Ok(Some(_)) | Err(_))
                ));
            }
            let mut wrong = found.clone();
            wrong.strata[s].points.remove(p);
            assert!(matches!(proof::counterexample(&game, &wrong, Target::Outcomes, &Unlimited), Ok(Ok(Some(_)))));
        }
    }
    for r in 0..found.rays.len() {
        for c in 0..2 {
            let mut wrong = found.clone();
            wrong.rays[r][c] += 1;
            assert!(matches!(
                proof::counterexample(&game, &wrong, Target::Outcomes, &Unlimited),
                Ok(Ok(Some(_)) | Err(_))
            ));
        }
    }
}

/// The values by their definition, on a square of natural numbers.
fn plain_values(rules: &[Vector2], defeated: &[Vector2], side: i64) -> Vec<Option<u8>> {
    let index = |x: i64, y: i64| usize::try_from(y * side + x).unwrap();
    let mut values = vec![None; index(0, side)];
    for y in 0..side {
        for x in 0..side {
            if defeated.contains(&[x, y]) {
                continue;
            }
            let options: Vec<u8> = rules
                .iter()
                .filter(|g| g[0] <= x && g[1] <= y)
                .filter_map(|g| values[index(x - g[0], y - g[1])])
                .collect();
            values[index(x, y)] = (0..=9).find(|value| !options.contains(value));
        }
    }
    values
}

fn solved_values(text: &str) -> (LatticeGame, Sectors) {
    let game = game(text);
    match values(&game, 4096, &Unlimited) {
        Run::Finished(found) => (game, found),
        Run::Stopped(why, ()) => panic!("{text}: {why}"),
    }
}

#[test]
fn values_of_random_rule_sets_are_those_of_plain_recursion() {
    let mut state = 7u64;
    let mut below = |n: i64| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        i64::try_from(state >> 33).unwrap() % n
    };
    for round in 0..24 {
        let size = usize::try_from(2 + below(3)).unwrap();
        let most = if size == 4 { 4 } else { 7 };
        let mut rules: Vec<Vector2> = Vec::new();
        while rules.len() < size {
            let rule = [below(most), below(most)];
            if rule != [0, 0] && !rules.contains(&rule) {
                rules.push(rule);
            }
        }
        let defeated: &[Vector2] = if round % 3 == 0 { &[[0, 0]] } else { &[] };
        let misere = if round % 3 == 0 { "\nplay = \"misere\"" } else { "" };
        let (_, found) = solved_values(&format!("rules = {rules:?}{misere}"));
        let side = 150;
        let plain = plain_values(&rules, defeated, side);
        for y in 0..side {
            for x in (y % 5..side).step_by(5) {
                let expected = plain[usize::try_from(y * side + x).unwrap()];
                assert_eq!(found.value(&[x.into(), y.into()]), expected, "{rules:?} at {x}, {y}");
            }
        }
    }
}

/// A wall that runs beside an edge at a constant distance: no ray of its own, but a strip of the edge's.
#[test]
fn strips_beside_an_edge_belong_to_it() {
    let (game, found) = solved_values("rules = [[0, 6], [2, 2], [6, 3]]");
    assert_eq!(found.rays().len(), 3);
    agrees(&game, &found.of_value(0), 600);
    // A point of a strip lies along its own edge, though the other one is a period there too.
    solved_values("rules = [[0, 3], [1, 1], [1, 3], [3, 0]]");
}

#[test]
fn wrong_values_are_not_proved() {
    let (game, found) = solved_values("rules = [[1, 0], [0, 1], [2, 2]]");
    let proved = |guess: &Sectors| proof::counterexample(&game, guess, Target::Values, &Unlimited) == Ok(Ok(None));
    assert!(proved(&found) && found.largest() == 3);
    // Values without the proof for values are no P-positions.
    assert!(matches!(proof::counterexample(&game, &found, Target::Outcomes, &Unlimited), Ok(Err(_))));
    assert_eq!(proof::overlap(&game, &found, &Unlimited), Ok(Ok(None)));
    for s in 0..found.strata.len() {
        for value in 0..5 {
            let mut wrong = found.clone();
            wrong.strata[s].value = value;
            assert_eq!(proved(&wrong), value == found.strata[s].value);
        }
        for p in 0..found.strata[s].points.len() {
            for c in 0..2 {
                let mut wrong = found.clone();
                wrong.strata[s].points[p][c] += 1;
                assert!(!proved(&wrong));
            }
            let mut wrong = found.clone();
            let point = wrong.strata[s].points.remove(p);
            assert!(!proved(&wrong));
            // The same point with another value besides.
            let stratum = Stratum { value: found.strata[s].value ^ 1, generators: vec![], points: vec![point] };
            let mut wrong = found.clone();
            wrong.strata.push(stratum);
            assert!(!proved(&wrong));
        }
    }
}

#[test]
fn the_p_positions_of_values_are_those_of_outcomes() {
    for text in [
        "rules = [[3, 0], [0, 5], [1, 1]]",
        "rules = [[1, 2], [4, 1], [3, 3]]\nplay = \"misere\"",
        // A cone that is no orthant, and moves with negative entries.
        "rules = [[1, 0], [1, 1], [2, -1]]\n[board]\ninequalities = [[1, 0, 0], [1, 2, 0]]",
    ] {
        let game = game(text);
        let Run::Finished(all) = values(&game, 2048, &Unlimited) else { panic!("{text}") };
        let p = all.of_value(0);
        assert_eq!(proof::counterexample(&game, &p, Target::Outcomes, &Unlimited), Ok(Ok(None)), "{text}");
        agrees(&game, &p, 1000);
    }
}
