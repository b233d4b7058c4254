use super::*;
use crate::lattice::Description;
use crate::run::Unlimited;
use crate::solve::recursion::{Recursion, Region};

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
