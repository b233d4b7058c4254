//! Learning and certifying: by games, by dimension, by the size of the rules; outcomes and Grundy values.
//!
//! `cargo bench -p impartial --bench learn`

use divan::{Bencher, black_box};
use impartial::heap::HeapRules;
use impartial::lattice::{Description, HeapLattice, LatticeGame};
use impartial::outcome::Play;
use impartial::solve::learn::{Limits, certificate, grundy_values, p_positions};
use impartial::solve::recursion::{Recursion, Region};
use semilinear::run::{Run, Unlimited};
use semilinear::vectorset::{Effort, VectorSet};

fn main() {
    divan::main();
}

fn game(text: &str) -> LatticeGame {
    LatticeGame::new(&Description::from_toml(text).expect("a game"), &Unlimited).expect("a game")
}

fn learned(game: &LatticeGame) -> VectorSet {
    match p_positions(game, &Limits::default(), &Unlimited) {
        Run::Finished(set) => set,
        Run::Stopped(why, _) => panic!("{why}"),
    }
}

const GAMES: [&str; 4] = [
    "rules = [[1, 0], [0, 1], [1, 1]]",
    "rules = [[1, 0], [0, 1], [2, 2]]",
    "rules = [[1, 0], [0, 1], [3, 3]]",
    "rules = [[1, 0, 0], [0, 1, 0], [0, 0, 1], [1, 1, 0]]",
];

#[divan::bench(args = GAMES, sample_count = 5, sample_size = 1)]
fn p_positions_of(bencher: Bencher, text: &str) {
    let game = game(text);
    bencher.bench_local(|| learned(black_box(&game)));
}

#[divan::bench(args = GAMES, sample_count = 5, sample_size = 1)]
fn grundy_values_of(bencher: Bencher, text: &str) {
    let game = game(text);
    bencher.bench_local(|| match grundy_values(black_box(&game), &Limits::default(), &Unlimited) {
        Run::Finished(values) => values.states(),
        Run::Stopped(why, _) => panic!("{why}"),
    });
}

/// Growth with the dimension: misère Nim with heaps up to d.
#[divan::bench(args = [2, 4, 6, 8, 10], sample_count = 3, sample_size = 1)]
fn misere_nim_in_dimension(bencher: Bencher, d: u64) {
    let rules: HeapRules = "0.[3]".parse().expect("a code");
    let lattice = HeapLattice::new(&rules, d, Some(Play::Misere), &Unlimited).expect("a lattice game");
    let game = LatticeGame::new(&lattice.description, &Unlimited).expect("a game");
    bencher.bench_local(|| learned(black_box(&game)));
}

/// Growth with the size of the rules: {(1,0), (0,1), (k,k)}, whose rays have period 2k + 2.
#[divan::bench(args = [1, 2, 3, 4, 5, 6, 8], sample_count = 3, sample_size = 1)]
fn diagonal_rule_of_size(bencher: Bencher, k: u64) {
    let game = game(&format!("rules = [[1, 0], [0, 1], [{k}, {k}]]"));
    bencher.bench_local(|| learned(black_box(&game)));
}

/// The exact check on the whole board beside the recursion on a square of side 4096: what a proof costs.
mod proof {
    use super::{Bencher, Effort, Recursion, Region, Unlimited, black_box, certificate, game, learned};

    #[divan::bench(sample_count = 5)]
    fn certificate_of_the_whole_board(bencher: Bencher) {
        let game = game("rules = [[1, 0], [0, 1], [2, 2]]");
        let set = learned(&game);
        bencher.bench_local(|| certificate::counterexample(&game, black_box(&set), &Effort::unlimited()));
    }

    #[divan::bench(sample_count = 5)]
    fn recursion_on_a_square_of_side_4096(bencher: Bencher) {
        let game = game("rules = [[1, 0], [0, 1], [2, 2]]");
        let region = Region::around_box(&game, &[4096, 4096]).expect("a region");
        bencher.bench_local(|| Recursion::new(&game, black_box(&region), 1 << 30, &Unlimited).map(|r| r.count()));
    }
}
