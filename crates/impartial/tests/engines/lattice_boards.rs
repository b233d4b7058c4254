//! Boards and defeated sets that are none are refused with the reason; sound ones are put into ℕᵈ.

use impartial::lattice::{Description, LatticeError, LatticeGame};
use impartial::outcome::Outcome;
use impartial::solve::recursion::{Recursion, Region};
use semilinear::run::Unlimited;

fn game(text: &str) -> Result<LatticeGame, LatticeError> {
    LatticeGame::new(&Description::from_toml(text)?, &Unlimited)
}

fn board(rules: &str, inequalities: &str) -> String {
    format!("rules = {rules}\n[board]\ninequalities = {inequalities}\n")
}

#[test]
fn boards_that_are_none_are_refused() {
    let steps = "[[1, 0], [0, 1]]";
    for (inequalities, words) in [
        // Not pointed: a half plane, a strip's outside, the whole plane.
        ("[[1, 0, 0]]", "not pointed"),
        ("[[1, -1, 0], [-2, 2, 7]]", "not pointed"),
        ("[[0, 0, 1]]", "not pointed"),
        // Flat: a strip, a line, a triangle.
        ("[[1, 0, 0], [-1, 0, 2], [0, 1, 0]]", "recession cone has dimension 1 instead of 2"),
        ("[[1, -1, 0], [-1, 1, 0], [0, 1, 0]]", "recession cone has dimension 1 instead of 2"),
        ("[[1, 0, 0], [0, 1, 0], [-1, -1, 5]]", "recession cone has dimension 0 instead of 2"),
        // Without points.
        ("[[1, 0, -5], [-1, 0, 2], [0, 1, 0]]", "inequalities[0] and inequalities[1] contradict each other"),
        ("[[0, 0, -1], [1, 0, 0], [0, 1, 0]]", "inequalities[0] says 0 >= 1"),
    ] {
        let error = game(&board(steps, inequalities)).unwrap_err();
        assert!(matches!(error, LatticeError::Board(_)), "{inequalities}: {error}");
        assert!(error.to_string().contains(words), "{inequalities}: {error}");
    }
}

#[test]
fn defeated_positions_outside_the_board_are_refused() {
    let inside = "defeated = [[3, 1]]\n";
    let outside = "defeated = [[3, 1], [1, 3]]\n";
    let cone = board("[[1, 1], [1, -1], [2, 0]]", "[[1, -1, 0], [1, 1, 0]]");
    assert!(game(&format!("{inside}{cone}")).is_ok());
    match game(&format!("{outside}{cone}")).unwrap_err() {
        LatticeError::DefeatedOutside { index, point } => assert_eq!((index, point.as_str()), (1, "(1,3)")),
        other => panic!("{other}"),
    }
    assert!(matches!(game("rules = [[1]]\ndefeated = [[-1]]"), Err(LatticeError::DefeatedOutside { .. })));
    // Misère play needs the point 0.
    let far = format!("play = \"misere\"\n{}", board("[[1, 0], [0, 1]]", "[[1, 0, -2], [0, 1, -2]]"));
    assert!(matches!(game(&far), Err(LatticeError::Play(_))));
    // Play and defeated set may not contradict each other.
    assert!(matches!(game("rules = [[1]]\nplay = \"normal\"\ndefeated = [[0]]"), Err(LatticeError::Play(_))));
}

#[test]
fn positivity_broken_is_refused_with_a_combination_that_vanishes() {
    for (text, words) in [
        ("rules = [[1, -1], [-1, 1]]", "(-1,1) + (1,-1) = 0"),
        ("rules = [[1, 0], [0, -1]]", "rays of the board"),
        ("rules = [[2, -3], [-1, 1]]", "= 0"),
    ] {
        let error = game(text).unwrap_err();
        assert!(matches!(error, LatticeError::Positivity(_)), "{text}: {error}");
        assert!(error.to_string().contains(words), "{text}: {error}");
    }
    // The tangent axiom broken alone: a game, with the ray that breaks it.
    let lonely = game("rules = [[1, 1]]").unwrap();
    assert_eq!(lonely.tangent_violations().len(), 2);
    assert_eq!(game("rules = [[1, 0], [1, 1]]").unwrap().tangent_violations(), [[0, 1]]);
}

/// A board with negative coordinates and an apex that is no lattice point: every lattice point has natural inner coordinates.
#[test]
fn charts_put_boards_into_the_orthant() {
    let text = board("[[2, 1], [1, -1], [1, 0]]", "[[2, -1, 7], [1, 1, 3]]");
    let game = game(&text).unwrap();
    let mut points = 0;
    for (x, y) in (-9i64..30).flat_map(|x| (-30i64..30).map(move |y| (x, y))) {
        let on_board = 2 * x - y + 7 >= 0 && x + y + 3 >= 0;
        let inner = game.chart().inner(&[x, y]).unwrap();
        assert_eq!(game.chart().outer(&inner).unwrap(), [x, y]);
        assert_eq!(game.is_inner_position(&inner), on_board, "({x},{y})");
        if on_board {
            assert!(inner.iter().all(|&y| y >= 0));
            points += 1;
        }
    }
    assert!(points > 500);
    // A position is P iff no option is.
    let inner = game.chart().inner(&[12, 5]).unwrap();
    let recursion = Recursion::new(&game, &Region::around_point(&game, &inner).unwrap(), 1 << 24, &Unlimited).unwrap();
    let mut seen = 0;
    recursion.for_each_p(|y| {
        seen += 1;
        assert!(game.inner_options(y).iter().all(|option| recursion.outcome(option) == Some(Outcome::N)));
        true
    });
    assert!(seen > 5);
}

/// Steps between a generator and a defeated position need not lie on the board (MATH: q − p ∈ ℕΓ).
#[test]
fn defeated_sets_are_closed_through_the_outside() {
    let game = game("rules = [[2, -1], [-1, 2]]\ndefeated = [[2, 2]]").unwrap();
    // (2,2) − (1,1) with (1,1) = (2,−1) + (−1,2): both steps of it leave the other coordinate alone or the board.
    assert_eq!(game.defeated(), [vec![0, 0], vec![0, 3], vec![1, 1], vec![2, 2], vec![3, 0]]);
}
