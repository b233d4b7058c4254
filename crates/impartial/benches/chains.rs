//! Chains games: the solvers against each other and against the plain recursion.

use divan::Bencher;
use impartial::poset::chains::ChainsGame;
use impartial::solve::chains::plain::Table;
use impartial::solve::chains::{Ideals, Solution, ThreeRows};
use semilinear::run::Unlimited;

fn main() {
    divan::main();
}

/// The baseline: all Grundy values of three-row Chomp with m, n ≤ 2r by plain recursion.
#[divan::bench(args = [10, 20])]
fn plain_recursion_three_rows(bencher: Bencher<'_, '_>, r: u64) {
    let game = ChainsGame::chomp(&[r]).unwrap();
    let ideals = Ideals::new(&game, &Unlimited).unwrap();
    let size = u32::try_from(2 * r).unwrap();
    bencher.bench(|| Table::new(&ideals, &game.cross(), size, size, &Unlimited).unwrap());
}

/// All periods of third rows up to r, for all sizes of the board.
#[divan::bench(args = [10, 20, 100, 200])]
fn general_three_rows(bencher: Bencher<'_, '_>, r: u64) {
    bencher.bench(|| Solution::new(ChainsGame::chomp(&[r]).unwrap(), 0, &Unlimited).unwrap());
}

/// The same by shared bit sets.
#[divan::bench(args = [10, 20, 100, 200, 2100])]
fn bit_sets_three_rows(bencher: Bencher<'_, '_>, r: u32) {
    bencher.bench(|| {
        let mut engine = ThreeRows::new();
        for _ in 0..=r {
            divan::black_box(engine.next(&Unlimited).unwrap());
        }
    });
}

/// All periods of four-row Chomp with rows 3 and 4 up to r.
#[divan::bench(args = [10, 20, 30])]
fn general_four_rows(bencher: Bencher<'_, '_>, r: u64) {
    bencher.bench(|| Solution::new(ChainsGame::chomp(&[r, r]).unwrap(), 0, &Unlimited).unwrap());
}

/// Values up to k of three-row Chomp with third row 40.
#[divan::bench(args = [0, 4, 8])]
fn general_values(bencher: Bencher<'_, '_>, k: u64) {
    bencher.bench(|| Solution::new(ChainsGame::chomp(&[40]).unwrap(), k, &Unlimited).unwrap());
}
