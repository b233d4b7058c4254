use super::*;
use crate::lattice::{Description, LatticeGame};
use crate::solve::recursion::{GrundyTable, Recursion, Region};
use semilinear::run::{Run, StopReason, Unlimited};
use semilinear::vectorset::{Effort, Labelling, VectorSet};

fn unsigned(y: &[i64]) -> Vec<u64> {
    y.iter().map(|&yi| u64::try_from(yi).expect("vectors asked for are not negative")).collect()
}

fn game(text: &str) -> LatticeGame {
    LatticeGame::new(&Description::from_toml(text).unwrap(), &Unlimited).unwrap()
}

fn learned(text: &str) -> (LatticeGame, VectorSet) {
    let game = game(text);
    match p_positions(&game, &Limits::default(), &Unlimited) {
        Run::Finished(set) => (game, set),
        Run::Stopped(why, partial) => panic!("{text}: {why}: {partial:?}"),
    }
}

/// The learned set against the recursion on a box that is larger than what the learner saw.
fn agrees_on_box(game: &LatticeGame, set: &VectorSet, side: u64) {
    let sizes = vec![side; game.dimension()];
    let region = Region::around_box(game, &sizes).unwrap();
    let recursion = Recursion::new(game, &region, 1 << 28, &Unlimited).unwrap();
    let mut count = 0u64;
    recursion.for_each_p(|y| {
        assert!(set.contains_small(&unsigned(y)), "{y:?}");
        count += u64::from(y.iter().all(|&yi| u64::try_from(yi).unwrap() < side));
        true
    });
    let sizes: Vec<num_bigint::BigUint> = sizes.iter().map(|&n| n.into()).collect();
    assert_eq!(set.count(&sizes, &Unlimited), Ok(count.into()));
}

#[test]
fn small_games_are_learned_and_proved() {
    for (text, states, side) in [
        ("rules = [[1], [2], [3]]", None, 5000),
        ("rules = [[2], [5]]\ndefeated = [[0], [1]]", None, 5000),
        ("rules = [[1, 0], [0, 1], [1, 1]]", None, 300),
        ("rules = [[1, 0], [0, 2]]", Some(5), 300),
        ("rules = [[1, 0], [0, 1], [2, 2]]", Some(16), 300),
        ("rules = [[1, 0], [0, 1], [-1, 1]]\nplay = \"misere\"", None, 200),
        ("rules = [[1, 0, 0], [0, 1, 0], [0, 0, 1], [1, 1, 0]]", Some(7), 60),
        ("rules = [[1, 2], [2, 1], [-1, 2], [2, -1]]\nplay = \"misere\"", None, 200),
    ] {
        let (game, set) = learned(text);
        if let Some(states) = states {
            assert_eq!(set.block_states(), states, "{text}");
        }
        agrees_on_box(&game, &set, side);
        assert_eq!(certificate::counterexample(&game, &set, &Effort::unlimited()), Ok(None));
    }
}

/// Learned values against the recursion on a box that is larger than what the learner saw.
fn values_agree_on_box(text: &str, side: i64) -> Labelling {
    let game = game(text);
    let values = match grundy_values(&game, &Limits::default(), &Unlimited) {
        Run::Finished(values) => values,
        Run::Stopped(why, partial) => panic!("{text}: {why}: {partial:?}"),
    };
    assert_eq!(certificate::values_counterexample(&game, &values, &Effort::unlimited()), Ok(None));
    let d = game.dimension();
    let region = Region::around_box(&game, &vec![side.unsigned_abs(); d]).unwrap();
    let table = GrundyTable::new(&game, &region, 1 << 30, &Unlimited).unwrap();
    let mut y = vec![0i64; d];
    'box_points: loop {
        let expected = table.grundy(&y).map_or(0, |value| value + 1);
        assert_eq!(u64::from(values.label_small(&unsigned(&y))), expected, "{text}: {y:?}");
        for yi in &mut y {
            *yi += 1;
            if *yi < side {
                continue 'box_points;
            }
            *yi = 0;
        }
        break;
    }
    // The values of 0 are the P-positions.
    if let Run::Finished(set) = p_positions(&game, &Limits::default(), &Unlimited) {
        assert_eq!(values.set(1, &Effort::unlimited()), Ok(set));
    }
    values
}

#[test]
fn grundy_values_are_learned_and_proved() {
    for (text, side, most) in [
        ("rules = [[1], [2], [3]]", 3000, 3),
        ("rules = [[2], [5]]\ndefeated = [[0], [1]]", 3000, 2),
        ("rules = [[1, 0], [0, 1], [1, 1]]", 200, 3),
        ("rules = [[1, 0], [0, 1], [2, 2]]", 200, 3),
        ("rules = [[1, 0], [0, 1], [-1, 1]]\nplay = \"misere\"", 150, 3),
        ("rules = [[1, 0, 0], [0, 1, 0], [0, 0, 1], [1, 1, 0]]", 40, 4),
        ("rules = [[1, 1], [1, -1], [2, 0]]\n[board]\ninequalities = [[1, -1, 0], [1, 1, 0]]", 150, 3),
    ] {
        let values = values_agree_on_box(text, side);
        assert!(values.labels().last().is_some_and(|&label| label <= most + 1), "{text}: {:?}", values.labels());
    }
}

#[test]
fn learning_values_stops_honestly() {
    let game = game("rules = [[-2, 3], [-1, 4], [0, 1], [2, 1], [4, -2], [5, -2]]");
    let limits = Limits { states: 2000, positions: 1 << 16, ..Limits::default() };
    let Run::Stopped(why, partial) = grundy_values(&game, &limits, &Unlimited) else { panic!("chaos was learned") };
    assert!(matches!(why, StopReason::Size { .. }));
    assert_eq!(partial.growth.outlook(), Outlook::NoRegularityInSight, "{:?}", partial.growth);
}

/// Folded axes are only a guess: a game whose axes repeat late is still learned, or the run stops.
#[test]
fn folded_axes_find_games_in_many_dimensions() {
    let nim: Vec<Vec<i64>> = (1..=9usize)
        .flat_map(|h| {
            (0..h).map(move |left| {
                let mut rule = vec![0; 9];
                rule[h - 1] = 1;
                if left > 0 {
                    rule[left - 1] -= 1;
                }
                rule
            })
        })
        .collect();
    let description = Description::new(None, nim, None, None, Some(crate::outcome::Play::Misere)).unwrap();
    let game = LatticeGame::new(&description, &Unlimited).unwrap();
    let Run::Finished(set) = p_positions(&game, &Limits::default(), &Unlimited) else { panic!("misère Nim") };
    // Misère Nim: the nim-sum is 0 if some heap is larger than 1, else the number of heaps is odd.
    for n in 0..4000u64 {
        let x: Vec<u64> = (0..9).map(|i| ((n * 2_654_435_761) >> (3 * i)) % 5).collect();
        let sum = (1u64..).zip(&x).fold(0, |sum, (h, x)| if x % 2 == 1 { sum ^ h } else { sum });
        let large = x[1..].iter().any(|&x| x > 0);
        assert_eq!(set.contains_small(&x), if large { sum == 0 } else { x[0] % 2 == 1 }, "{x:?}");
    }
}

/// The P-positions that a misère quotient gives are those that are learned.
#[test]
fn quotients_and_the_learner_agree() {
    for (code, max_heap) in [("0.77", 6), ("0.137", 7), ("0.3333", 4)] {
        let rules: crate::heap::HeapRules = code.parse().unwrap();
        let play = Some(crate::outcome::Play::Misere);
        let lattice = crate::lattice::HeapLattice::new(&rules, max_heap, play, &Unlimited).unwrap();
        let game = LatticeGame::new(&lattice.description, &Unlimited).unwrap();
        let mut builder = crate::solve::quotient::Builder::new();
        builder.extend_to(&rules, usize::try_from(max_heap).unwrap(), &Unlimited).unwrap();
        let effort = Effort::unlimited();
        let set = quotient_positions(&builder.quotient(), &lattice.sizes, &effort).unwrap();
        assert_eq!(certificate::counterexample(&game, &set, &effort), Ok(None), "{code}");
        let Run::Finished(learned) = p_positions(&game, &Limits::default(), &Unlimited) else { panic!("{code}") };
        assert_eq!(set, learned, "{code}");
    }
}
