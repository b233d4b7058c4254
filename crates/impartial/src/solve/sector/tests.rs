use super::*;
use crate::lattice::Description;
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
    assert_eq!(proof::counterexample(&game, &found, &Unlimited), Ok(Ok(None)));
    for s in 0..found.strata.len() {
        for p in 0..found.strata[s].points.len() {
            for c in 0..2 {
                let mut wrong = found.clone();
                wrong.strata[s].points[p][c] += 1;
                assert!(matches!(proof::counterexample(&game, &wrong, &Unlimited), Ok(Ok(Some(_)) | Err(_))));
            }
            let mut wrong = found.clone();
            wrong.strata[s].points.remove(p);
            assert!(matches!(proof::counterexample(&game, &wrong, &Unlimited), Ok(Ok(Some(_)))));
        }
    }
    for r in 0..found.rays.len() {
        for c in 0..2 {
            let mut wrong = found.clone();
            wrong.rays[r][c] += 1;
            assert!(matches!(proof::counterexample(&game, &wrong, &Unlimited), Ok(Ok(Some(_)) | Err(_))));
        }
    }
}
