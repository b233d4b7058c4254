//! The bit-packed recursion beside a plain loop with one byte a position.
//!
//! `cargo bench -p impartial --bench recursion`

use divan::counter::ItemsCount;
use divan::{Bencher, black_box};
use impartial::lattice::{Description, LatticeGame};
use impartial::solve::recursion::{Recursion, Region};
use semilinear::run::Unlimited;

fn main() {
    divan::main();
}

fn game(text: &str) -> LatticeGame {
    LatticeGame::new(&Description::from_toml(text).expect("a game"), &Unlimited).expect("a game")
}

const EXOTIC: &str = "rules = [[1, 0], [0, 1], [2, 2]]";
const EXAMPLE_4_7: &str = "play = \"misere\"\nrules = [[1,0,0,0,0],[0,1,0,0,0],[0,0,0,1,0],[0,0,0,0,1],\
    [-1,1,0,0,0],[0,-1,1,0,0],[0,0,-1,1,0],[0,0,0,-1,1]]";

/// Γ = {(1,0), (0,1), (2,2)} on a square.
mod exotic {
    use super::{Bencher, EXOTIC, ItemsCount, Recursion, Region, Unlimited, black_box, game};

    const SIZES: [usize; 3] = [2000, 8000, 20000];

    #[divan::bench(args = SIZES, sample_count = 3, sample_size = 1)]
    fn words(bencher: Bencher, n: usize) {
        let game = game(EXOTIC);
        let region = Region::around_box(&game, &[n as u64; 2]).expect("a region");
        bencher
            .counter(ItemsCount::new(n * n))
            .bench_local(|| Recursion::new(&game, &region, 1 << 30, &Unlimited).expect("enough memory").count());
    }

    #[divan::bench(args = SIZES, sample_count = 3, sample_size = 1)]
    fn bytes(bencher: Bencher, n: usize) {
        bencher.counter(ItemsCount::new(n * n)).bench_local(|| {
            let mut p = vec![0u8; n * n];
            for x in 0..n {
                for y in 0..n {
                    let i = x * n + y;
                    let lost = (x > 0 && p[i - n] == 1)
                        || (y > 0 && p[i - 1] == 1)
                        || (x > 1 && y > 1 && p[i - 2 * n - 2] == 1);
                    p[i] = u8::from(!lost);
                }
            }
            black_box(p.iter().map(|&b| u64::from(b)).sum::<u64>())
        });
    }
}

/// The misère game on ℕ⁵ of Example 4.7 (thesis, Example 6.4), where the coordinates add up to at most n.
mod five {
    use super::{Bencher, EXAMPLE_4_7, ItemsCount, Recursion, Region, Unlimited, black_box, game};

    /// The number of points of ℕ⁵ with sum at most n.
    fn points(n: usize) -> usize {
        (n + 1) * (n + 2) * (n + 3) * (n + 4) * (n + 5) / 120
    }

    #[divan::bench(args = [40, 60, 120], sample_count = 2, sample_size = 1)]
    fn words(bencher: Bencher, n: usize) {
        let game = game(EXAMPLE_4_7);
        let bound = i64::try_from(n).expect("small");
        let region = Region::bounded_by(&game, &[(vec![1; 5], bound)]).expect("no rule raises the sum");
        // P-positions, from testdata/lattice-games.json.
        let expected = match n {
            40 => 305_641,
            60 => 2_064_732,
            _ => 58_623_105,
        };
        bencher.counter(ItemsCount::new(points(n))).bench_local(|| {
            let count = Recursion::new(&game, &region, 1 << 31, &Unlimited).expect("enough memory").count();
            assert_eq!(count, expected);
            count
        });
    }

    #[divan::bench(args = [40], sample_count = 2, sample_size = 1)]
    fn bytes(bencher: Bencher, n: usize) {
        let game = game(EXAMPLE_4_7);
        let side = n + 1;
        // One byte a position in a cube; rules as offsets, with the entries that a position must have.
        let strides: Vec<usize> = (0..5).map(|i| side.pow(4 - i)).collect();
        let rules: Vec<(Vec<i64>, isize)> = game
            .rules()
            .iter()
            .map(|rule| {
                let offset =
                    rule.iter().zip(&strides).map(|(g, s)| isize::try_from(*g).expect("small") * s.cast_signed());
                (rule.clone(), offset.sum())
            })
            .collect();
        bencher.counter(ItemsCount::new(points(n))).bench_local(|| {
            let mut p = vec![0u8; side.pow(5)];
            let mut count = 0u64;
            let m = i64::try_from(n).expect("small");
            // In order of the last coordinate, then the one before it: every option comes earlier.
            for e in 0..=m {
                for d in 0..=m - e {
                    for c in 0..=m - e - d {
                        for b in 0..=m - e - d - c {
                            for a in 0..=m - e - d - c - b {
                                let x = [a, b, c, d, e];
                                let index: usize = x
                                    .iter()
                                    .zip(&strides)
                                    .map(|(x, s)| usize::try_from(*x).expect("natural") * s)
                                    .sum();
                                if index == 0 {
                                    continue;
                                }
                                let is_p = !rules.iter().any(|(rule, offset)| {
                                    rule.iter().zip(&x).all(|(g, x)| x >= g)
                                        && p[index.wrapping_add_signed(-offset)] == 1
                                });
                                p[index] = u8::from(is_p);
                                count += u64::from(is_p);
                            }
                        }
                    }
                }
            }
            black_box(count)
        });
    }
}
