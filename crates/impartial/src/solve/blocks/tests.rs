use num_bigint::BigUint;
use semilinear::run::Unlimited;
use semilinear::vectorset::Effort;

use super::symmetry::Symmetry;
use super::*;
use crate::lattice::Description;
use crate::outcome::Outcome;
use crate::solve::learn::{Limits as LearnLimits, p_positions};
use crate::solve::recursion::{GrundyTable, Recursion, Region};

fn game(text: &str) -> LatticeGame {
    LatticeGame::new(&Description::from_toml(text).unwrap(), &Unlimited).unwrap()
}

/// All vectors of a cube.
fn cube(dimension: usize, side: u64) -> impl Iterator<Item = Vec<u64>> {
    (0..side.pow(u32::try_from(dimension).unwrap())).map(move |mut n| {
        (0..dimension)
            .map(|_| {
                let x = n % side;
                n /= side;
                x
            })
            .collect()
    })
}

const GAMES: &[(&str, u64)] = &[
    ("rules = [[1], [2], [3]]", 60),
    ("rules = [[2], [5]]\ndefeated = [[0], [1], [7]]", 60),
    ("rules = [[1, 0], [0, 1], [2, 2]]", 40),
    ("rules = [[1, 0], [0, 1], [2, 2]]\nplay = \"misere\"", 40),
    ("rules = [[0, 2], [0, 3], [1, 3], [3, 0], [3, 1]]", 40),
    ("rules = [[3, 1, 2], [2, 2, 1], [1, 4, 2]]", 20),
    ("rules = [[1, 1, 1], [1, 1, 4], [1, 1, 2], [2, 0, 2]]\nplay = \"misere\"", 20),
    ("rules = [[2, 4, 1], [4, 4, 0], [3, 4, 4]]\ndefeated = [[0, 0, 0], [9, 3, 1]]", 20),
    ("rules = [[2, 1, 2, 3], [3, 3, 3, 0], [2, 0, 2, 0]]", 9),
    ("rules = [[1, 0], [0, 1], [2, 2]]\n[board]\ninequalities = [[1, 0, 0], [-1, 2, 0]]", 40),
    (
        "rules = [[1, 0], [1, 3], [2, 2]]\ndefeated = [[4, 3]]\n[board]\ninequalities = [[1, 0, 0], [0, 1, 0], [3, -1, 5], [-1, 2, 3], [1, 1, -4]]",
        40,
    ),
    (
        "rules = [[1, 1, 0], [1, 0, 1], [0, 1, 1]]\n[board]\ninequalities = [[1, 0, 0, 0], [0, 1, 0, 0], [0, 0, 1, 0], [0, 1, 1, -1], [1, 0, 1, -1], [1, 1, 0, -1]]",
        12,
    ),
    ("rules = [[1, 2, 0], [0, 2, 1], [2, 0, 2], [1, 1, 1]]\ndefeated = [[0, 0, 0], [0, 1, 0]]", 20),
    ("rules = [[1, 1, 0, 0], [1, 0, 1, 0], [1, 0, 0, 1], [0, 1, 1, 0], [0, 1, 0, 1], [0, 0, 1, 1]]", 9),
];

#[test]
fn outcomes_and_values_agree_with_the_recursion() {
    for (text, side) in GAMES {
        let game = game(text);
        let found = outcomes(&game, &Limits::default(), &Unlimited).finished().unwrap();
        let region = Region::around_box(&game, &vec![*side; game.dimension()]).unwrap();
        let recursion = Recursion::new(&game, &region, 1 << 28, &Unlimited).unwrap();
        let table = GrundyTable::new(&game, &region, 1 << 28, &Unlimited).unwrap();
        let graded = values(&game, &Limits::default(), &Unlimited).finished().unwrap();
        let mut zeros = 0u32;
        for x in cube(game.dimension(), *side) {
            let y: Vec<i64> = x.iter().map(|&x| i64::try_from(x).unwrap()).collect();
            let expected = recursion.outcome(&y).map(|outcome| u8::from(outcome == Outcome::N));
            assert_eq!(found.label_small(&x), expected, "{text}: {x:?}");
            zeros += u32::from(expected == Some(0));
            assert_eq!(graded.label_small(&x).map(u64::from), table.grundy(&y), "{text}: value of {x:?}");
        }
        let sizes = vec![BigUint::from(*side); game.dimension()];
        assert_eq!(found.count(&sizes, &Unlimited).unwrap(), zeros.into(), "{text}");
        assert_eq!(graded.count(&sizes, &Unlimited).unwrap(), zeros.into(), "{text}");
    }
}

/// Sets of k of n piles, as rules that take one from each.
fn choices(n: usize, k: u32) -> Vec<Vec<i64>> {
    let sets = (0..1u32 << n).filter(|set| set.count_ones() == k);
    sets.map(|set| (0..n).map(|i| i64::from(set >> i & 1)).collect()).collect()
}

/// Exact slow k-Nim, where who cannot move wins: a position has a move iff the sum of any n − k + 1 piles is not 0.
#[test]
fn who_cannot_move_may_win_where_the_board_ends() {
    for (n, k, side) in [(2, 1, 9), (2, 2, 9), (3, 1, 8), (3, 2, 8), (4, 2, 6), (4, 3, 6)] {
        let rules = choices(n, k);
        let mut rows: Vec<Vec<i64>> = (0..n).map(|i| (0..=n).map(|j| i64::from(i == j)).collect()).collect();
        rows.extend(choices(n, u32::try_from(n).unwrap() - k + 1).into_iter().map(|set| [set, vec![-1]].concat()));
        let text = format!("rules = {rules:?}\n[board]\ninequalities = {rows:?}");
        let found = outcomes(&game(&text), &Limits::default(), &Unlimited).finished().unwrap();
        // Coordinates rise one after another in this order, so options come first.
        let mut won_by_next: std::collections::HashMap<Vec<u64>, bool> = std::collections::HashMap::new();
        let mut positions = [0; 2];
        for x in cube(n, side) {
            let option = |rule: &Vec<i64>| -> Option<Vec<u64>> {
                x.iter().zip(rule).map(|(x, g)| x.checked_sub(u64::try_from(*g).unwrap())).collect()
            };
            let options: Vec<Vec<u64>> = rules.iter().filter_map(option).collect();
            let won = options.is_empty() || options.iter().any(|option| !won_by_next[option]);
            let expected = (!options.is_empty()).then_some(u8::from(won));
            assert_eq!(found.label_small(&x), expected, "{n} piles, {k} at once: {x:?}");
            positions[usize::from(won)] += 1;
            won_by_next.insert(x, won);
        }
        assert!(positions[0] > 10 && positions[1] > 10, "{n} piles, {k} at once: {positions:?}");
    }
}

#[test]
fn coordinates_that_may_be_exchanged_are_known() {
    let symmetry = |text: &str| Symmetry::new(&game(text));
    let all = symmetry("rules = [[1, 1, 0, 0], [1, 0, 1, 0], [1, 0, 0, 1], [0, 1, 1, 0], [0, 1, 0, 1], [0, 0, 1, 1]]");
    assert_eq!((all.order(), all.pairs()), (24, [(0, 1), (1, 2), (2, 3)].as_slice()));
    let some = symmetry("rules = [[1, 2, 0], [0, 2, 1], [2, 0, 2]]");
    assert_eq!((some.order(), some.pairs()), (2, [(0, 2)].as_slice()));
    // A turn of all coordinates exchanges no two of them.
    assert_eq!(symmetry("rules = [[1, 2, 0], [0, 1, 2], [2, 0, 1]]").order(), 1);
    assert_eq!(symmetry("rules = [[1, 0], [0, 1]]\ndefeated = [[1, 0]]").order(), 1);
    assert_eq!(symmetry("rules = [[1, 0], [0, 1]]\n[board]\ninequalities = [[1, 0, 0], [-1, 2, 0]]").order(), 1);
}

#[test]
fn boxes_with_unlike_sides_are_counted() {
    let game = game(GAMES[4].0);
    let found = outcomes(&game, &Limits::default(), &Unlimited).finished().unwrap();
    for (a, b) in [(0, 5), (1, 1), (4, 4), (5, 17), (31, 8), (33, 2)] {
        let zeros = cube(2, 40).filter(|x| x[0] < a && x[1] < b && found.label_small(x) == Some(0)).count();
        assert_eq!(found.count(&[a.into(), b.into()], &Unlimited).unwrap(), zeros.into(), "{a} by {b}");
    }
}

#[test]
fn read_from_the_other_end_it_is_the_same_set() {
    for (text, side) in &GAMES[..5] {
        let game = game(text);
        let found = outcomes(&game, &Limits::default(), &Unlimited).finished().unwrap();
        let set = found.vector_set(&Effort::unlimited()).unwrap();
        for x in cube(game.dimension(), *side) {
            assert_eq!(set.contains_small(&x), found.label_small(&x) == Some(0), "{text}: {x:?}");
        }
        let learned = p_positions(&game, &LearnLimits::default(), &Unlimited).finished().unwrap();
        assert_eq!(learned, set, "{text}");
    }
}

#[test]
fn every_wrong_table_is_refused() {
    for end in [
        "play = \"misere\"",
        "[board]\ninequalities = [[1, 0, 0], [0, 1, 0], [1, 2, -3]]",
        "[board]\ninequalities = [[1, 0, 0], [0, 1, 0], [1, 1, -3]]",
    ] {
        wrong_tables_are_refused(&game(&format!("rules = [[1, 0], [0, 1], [2, 2]]\n{end}")));
    }
}

fn wrong_tables_are_refused(game: &LatticeGame) {
    let found = outcomes(game, &Limits::default(), &Unlimited).finished().unwrap();
    let check = |blocks: &Blocks| proof::counterexample(game, blocks, Target::Outcomes, 1 << 20, &Unlimited).unwrap();
    assert_eq!(check(&found), Ok(None));
    for i in 1..found.next.len() {
        for state in 0..u32::try_from(found.states()).unwrap() {
            let mut wrong = found.clone();
            if wrong.next[i] == state {
                continue;
            }
            wrong.next[i] = state;
            // Another table may be the same function only by the same labels everywhere; if it is refused, it has other labels in the
            // block of which it is said, or in a lower neighbour.
            let place = check(&wrong).unwrap();
            let side = u64::from(found.side());
            let (corner, near) = place
                .as_ref()
                .map_or((vec![0, 0], 64), |p| (p.iter().map(|p| p.saturating_sub(1) * side).collect(), 2 * side));
            let same = cube(2, near)
                .map(|x| -> Vec<u64> { x.iter().zip(&corner).map(|(x, c)| x + c).collect() })
                .all(|x| wrong.label_small(&x) == found.label_small(&x));
            assert_eq!(place.is_none(), same, "successor {i} made {state}");
        }
    }
    for b in 0..found.contents.len() {
        for cell in 0..found.contents[b].len() {
            for label in [0, 1, OFF] {
                let mut wrong = found.clone();
                let used = wrong.block.contains(&u32::try_from(b).unwrap());
                let changed = std::mem::replace(&mut wrong.contents[b][cell], label) != label;
                assert_eq!(check(&wrong).unwrap().is_none(), !(used && changed), "block {b}, cell {cell}");
            }
        }
    }
}

#[test]
fn limits_are_kept() {
    let fink_like = game("rules = [[0, 1, 4], [3, 3, 3], [1, 1, 4], [2, 4, 0], [2, 3, 4]]");
    let Run::Stopped(why, partial) = outcomes(&fink_like, &Limits { combinations: 5000 }, &Unlimited) else { panic!() };
    assert!(matches!(why, StopReason::Size { .. }));
    assert!(partial.side >= 32 && partial.kinds.len() > 3);
    // Blocks are for the orthant and rules that subtract.
    assert!(!applies(&game("rules = [[1, -1], [0, 1]]")));
}
