//! Rational strategies of the solved games in `testdata/lattice-games.json`: the outcome from the series is the outcome from the
//! automaton, for positions with 1 to 30 digits. The larger games:
//! `cargo test --release -p impartial --test engines -- series_games --ignored --nocapture`.

use impartial::lattice::{Description, LatticeGame};
use impartial::outcome::Outcome;
use impartial::solve::learn::{Limits, p_positions};
use impartial::solve::parity_kernel::ParityKernel;
use impartial::solve::sector::sectors;
use impartial::strategy::{
    AutomatonStrategy, CharacterStrategy, Congruence, SectorStrategy, SeriesStrategy, StratificationStrategy,
};
use num_bigint::BigInt;
use semilinear::integer::{Int, Vector};
use semilinear::run::Unlimited;
use semilinear::vectorset::Effort;
use serde_json::Value;

fn games() -> Vec<Value> {
    let text =
        std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/../../testdata/lattice-games.json")).unwrap();
    let file: Value = serde_json::from_str(&text).unwrap();
    file["games"].as_array().unwrap().iter().filter(|g| g["class"] == "semilinear").cloned().collect()
}

fn game(entry: &Value) -> LatticeGame {
    let mut json = serde_json::json!({"kind": "lattice", "rules": entry["rules"], "defeated": entry["defeated"]});
    if let Some(board) = entry.get("board").filter(|b| !b.is_null()) {
        json["board"] = board["inequalities"].clone();
    }
    LatticeGame::new(&Description::from_json(&json).unwrap(), &Unlimited).unwrap()
}

/// A pseudo-random number with at most the given number of digits.
fn number(state: &mut u64, digits: u32) -> BigInt {
    let mut n = BigInt::from(0);
    for _ in 0..digits {
        *state ^= *state << 13;
        *state ^= *state >> 7;
        *state ^= *state << 17;
        n = n * 10 + *state % 10;
    }
    n
}

/// Compares outcomes, and winning moves, at random positions with 1 to 30 digits.
fn agree(
    id: &str,
    series: &SeriesStrategy,
    rounds: usize,
    outcome: impl Fn(&[BigInt]) -> Option<Outcome>,
    moves: impl Fn(&[BigInt]) -> Vec<Vec<BigInt>>,
) {
    let game = series.game();
    let d = game.dimension();
    let mut state = 0x9e37_79b9_7f4a_7c15;
    let (mut seen, mut p) = (0, 0);
    for digits in 1..=30 {
        for _ in 0..rounds {
            let mut x: Vec<BigInt> = (0..d).map(|_| number(&mut state, digits)).collect();
            if game.board().is_some() && state & 1 == 0 {
                x[1] = -&x[1];
            }
            let expected = outcome(&x);
            assert_eq!(series.outcome(&x, &Unlimited).unwrap(), expected, "{id} {x:?}");
            if expected.is_some() {
                assert_eq!(series.winning_moves(&x, &Unlimited).unwrap(), moves(&x), "{id} {x:?}");
                seen += 1;
                p += usize::from(expected == Some(Outcome::P));
            }
        }
    }
    assert!(seen > 5 * rounds && p > 0, "{id}: {seen} positions, {p} of them P");
    println!("{id}: {} terms, {seen} positions, {p} of them P", series.series().terms().len());
}

/// By the learner: automaton, strata, series.
fn learned(entry: &Value, rounds: usize) -> (AutomatonStrategy, SeriesStrategy) {
    let effort = Effort::unlimited();
    let game = game(entry);
    let set = p_positions(&game, &Limits::default(), &Unlimited).finished().unwrap();
    let automaton = AutomatonStrategy::proved(game, set, &effort).unwrap();
    let strata = StratificationStrategy::from_automaton(&automaton, &effort).unwrap();
    let series = SeriesStrategy::from_strata(&strata, &Unlimited).unwrap();
    let id = entry["id"].as_str().unwrap();
    agree(id, &series, rounds, |x| automaton.outcome(x), |x| automaton.winning_moves(x));
    (automaton.into_inner(), series.into_inner())
}

#[test]
fn series_agree_with_automata() {
    let mut compared = 0;
    for entry in games().iter().filter(|g| g["difficulty"].as_u64().unwrap() <= 3) {
        let (automaton, _) = learned(entry, 3);
        compared += 1;
        // A squarefree game has the sum over characters as well.
        if let Some(kernel) = ParityKernel::of_lattice(automaton.game()) {
            let characters = CharacterStrategy::new(automaton.game().clone(), &kernel, &Unlimited).unwrap();
            let mut state = 77;
            for digits in 1..=30 {
                let x: Vec<BigInt> = (0..kernel.values().len()).map(|_| number(&mut state, digits)).collect();
                assert_eq!(characters.outcome(&x), automaton.outcome(&x));
                assert_eq!(characters.winning_moves(&x), automaton.winning_moves(&x));
            }
        }
    }
    assert!(compared >= 16, "{compared} games");
}

#[test]
#[ignore = "half a minute in a release build"]
fn series_agree_with_automata_of_larger_games() {
    for entry in games().iter().filter(|g| g["difficulty"].as_u64().unwrap() >= 4) {
        if !BY_SECTORS.contains(&entry["id"].as_str().unwrap()) {
            learned(entry, 10);
        }
    }
}

/// Their automata are large; the sector method solves them.
const BY_SECTORS: [&str; 3] = ["three_five", "long173", "cone_pm"];

#[test]
#[ignore = "a minute in a release build"]
fn series_agree_with_sectors() {
    for entry in games().iter().filter(|g| BY_SECTORS.contains(&g["id"].as_str().unwrap())) {
        let id = entry["id"].as_str().unwrap();
        let found = sectors(&game(entry), 8192, &Unlimited).finished().unwrap();
        let proved = SectorStrategy::proved(game(entry), found, &Unlimited).unwrap();
        let strata = StratificationStrategy::from_sectors(&proved, &Unlimited).unwrap();
        let series = SeriesStrategy::from_strata(&strata, &Unlimited).unwrap();
        agree(id, &series, 10, |x| proved.outcome(x), |x| proved.winning_moves(x));
    }
}

/// Theorem 8.3 and Corollary 8.12 of the thesis, as they hold: the quotient is ℤᵈ/ℤP, and all aᵢ ≅ 0.
#[test]
fn normal_semigroups_have_group_quotients() {
    let effort = Effort::unlimited();
    let mut orders = Vec::new();
    for entry in
        games().iter().filter(|g| ["sub123", "king", "nim2", "rem412a", "knight4"].contains(&g["id"].as_str().unwrap()))
    {
        let (automaton, series) = learned(entry, 1);
        let Some(quotient) = series.normal_quotient(&Unlimited).unwrap() else { continue };
        let d = automaton.game().dimension();
        let big = |x: &[Int]| -> Vec<BigInt> { x.iter().map(Int::to_big).collect() };
        let zero = vec![BigInt::from(0); d];
        for a in &quotient.hilbert_basis {
            assert_eq!(automaton.congruence(&big(a), &zero, &effort).unwrap(), Congruence::Congruent);
        }
        // As many classes on a box that meets all of them as the group has elements.
        let size = 4usize;
        let mut classes: Vec<Vec<BigInt>> = Vec::new();
        for n in 0..size.pow(u32::try_from(d).unwrap()) {
            let x: Vector = (0..d).map(|i| Int::from(n / size.pow(u32::try_from(i).unwrap()) % size)).collect();
            let same = |c: &Vec<BigInt>| automaton.congruence(&big(&x), c, &effort).unwrap() == Congruence::Congruent;
            if !classes.iter().any(same) {
                classes.push(big(&x));
            }
        }
        let order: Int = quotient.invariants.iter().fold(Int::ONE, |product, d| &product * d);
        assert_eq!(Int::from(classes.len()), order);
        orders.push((entry["id"].as_str().unwrap().to_owned(), order.to_i64().unwrap()));
    }
    assert_eq!(orders, [("sub123".to_owned(), 4), ("king".to_owned(), 4), ("nim2".to_owned(), 4)]);
}
