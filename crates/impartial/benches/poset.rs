//! Poset games: every engine beside a plain implementation of the same work.
//!
//! The plain ones are what a reader would write first: a memo on positions, one hash lookup an option.

use std::collections::HashMap;

use impartial::outcome::Play;
use impartial::poset::{Diagram, Poset};
use impartial::run::Unlimited;
use impartial::solve::poset::Solver;
use impartial::solve::poset::chomp::{GrundyTable, Sieve, three_rows};
use impartial::solve::poset::plain::Plain;

fn main() {
    divan::main();
}

/// All Chomp positions below `rows`, with their outcomes, by a memo on row vectors.
fn plain_outcome(rows: &[u8], memo: &mut HashMap<Vec<u8>, bool>) -> bool {
    if let Some(&p) = memo.get(rows) {
        return p;
    }
    let mut p = true;
    for i in 0..rows.len() {
        for j in 0..rows[i] {
            if (i, j) != (0, 0) {
                let mut after = rows.to_vec();
                after[i..].iter_mut().for_each(|row| *row = (*row).min(j));
                // No early exit: the whole box is wanted.
                p &= !plain_outcome(&after, memo);
            }
        }
    }
    memo.insert(rows.to_vec(), p);
    p
}

/// Grundy values by a memo on row vectors.
fn plain_grundy(rows: &[u8], memo: &mut HashMap<Vec<u8>, u16>) -> u16 {
    if let Some(&value) = memo.get(rows) {
        return value;
    }
    let mut seen = vec![false; 260];
    for i in 0..rows.len() {
        for j in 0..rows[i] {
            if (i, j) != (0, 0) {
                let mut after = rows.to_vec();
                after[i..].iter_mut().for_each(|row| *row = (*row).min(j));
                seen[usize::from(plain_grundy(&after, memo))] = true;
            }
        }
    }
    let value = u16::try_from(seen.iter().position(|s| !s).unwrap()).unwrap();
    memo.insert(rows.to_vec(), value);
    value
}

#[divan::bench_group(sample_count = 3, sample_size = 1)]
mod p_positions_in_a_box {
    use super::{HashMap, Sieve, Unlimited, plain_outcome};

    #[divan::bench(args = [8, 9])]
    fn plain(n: u8) -> usize {
        let mut memo = HashMap::new();
        plain_outcome(&vec![n; usize::from(n)], &mut memo);
        memo.values().filter(|p| **p).count()
    }

    #[divan::bench(args = [8, 9, 12, 14])]
    fn sieve(n: usize) -> u64 {
        Sieve::new(n, n, &Unlimited).unwrap().count()
    }
}

#[divan::bench_group(sample_count = 3, sample_size = 1)]
mod nimber_of_a_rectangle {
    use super::{Diagram, GrundyTable, HashMap, Poset, Solver, Unlimited, plain_grundy};

    #[divan::bench(args = [(6, 8), (8, 10)])]
    fn plain((m, n): (usize, u8)) -> u16 {
        plain_grundy(&vec![n; m], &mut HashMap::new())
    }

    #[divan::bench(args = [(6, 8), (8, 10), (10, 12), (12, 13)])]
    fn table((m, n): (usize, u8)) -> u32 {
        let board = Diagram::rectangle(m, u64::from(n)).unwrap();
        GrundyTable::new(&board, &Unlimited).unwrap().grundy(&board)
    }

    #[divan::bench(args = [(6, 8), (8, 10)])]
    fn general_search((m, n): (usize, u8)) -> u32 {
        let poset = Poset::chomp_box(&[m, usize::from(n)]).unwrap();
        Solver::new(poset.clone()).grundy(&poset.all(), &Unlimited).unwrap()
    }
}

#[divan::bench_group(sample_count = 3, sample_size = 1)]
mod three_row_p_positions {
    use super::{Unlimited, three_rows};

    /// f(q, r) for all pairs, each from all pairs before it.
    #[allow(clippy::needless_range_loop)] // q and r are what the formulas are about
    #[divan::bench(args = [300, 1000])]
    fn plain(n: usize) -> usize {
        let mut f = vec![vec![0_usize; n + 1]; n + 1];
        let mut count = 0;
        let mut closed = vec![false; n + 1];
        let mut diagonal = vec![false; 3 * n + 3];
        for r in 0..=n {
            let mut used = vec![false; 3 * n + 3];
            for q in r..=n {
                if closed[r] {
                    break;
                }
                let mut excluded = used.clone();
                for lower in &f[q][..r] {
                    excluded[*lower] = true;
                }
                let p = (q.max(1)..3 * n + 3).find(|&p| !excluded[p] && !diagonal[p]).unwrap();
                f[q][r] = p;
                used[p] = true;
                closed[r] = p == q;
                count += usize::from(p <= n);
            }
            if f[r][r] > 0 {
                diagonal[f[r][r]] = true;
            }
        }
        count
    }

    #[divan::bench(args = [300, 1000, 10_000])]
    fn sieve(n: u64) -> u64 {
        let mut count = 0;
        three_rows(n, None, &Unlimited, |_, _, _| count += 1).unwrap();
        count
    }
}

#[divan::bench_group(sample_count = 3, sample_size = 1)]
mod general_posets {
    use super::{Plain, Play, Poset, Solver, Unlimited};

    fn schuh(exponents: &[u32]) -> Poset {
        let n = [2_u64, 3, 5, 7].iter().zip(exponents).map(|(p, &e)| p.pow(e)).product();
        Poset::divisors(n).unwrap()
    }

    const SCHUH: [&[u32]; 2] = [&[2, 2, 2], &[3, 3, 2]];

    #[divan::bench(args = SCHUH)]
    fn plain_schuh(exponents: &[u32]) -> u32 {
        let poset = schuh(exponents);
        Plain::new(&poset).grundy(&poset.all(), &Unlimited).unwrap()
    }

    #[divan::bench(args = [&[2, 2, 2][..], &[3, 3, 2], &[3, 3, 3], &[2, 2, 2, 1], &[4, 4, 2]])]
    fn search_schuh(exponents: &[u32]) -> u32 {
        let poset = schuh(exponents);
        Solver::new(poset.clone()).grundy(&poset.all(), &Unlimited).unwrap()
    }

    #[divan::bench(args = [5])]
    fn plain_subset_takeaway(n: u32) -> u32 {
        let poset = Poset::subsets(n, n).unwrap();
        Plain::new(&poset).grundy(&poset.all(), &Unlimited).unwrap()
    }

    #[divan::bench(args = [5, 6])]
    fn search_subset_takeaway(n: u32) -> usize {
        let poset = Poset::subsets(n, n).unwrap();
        Solver::new(poset.clone()).winning_moves(&poset.all(), Play::Normal, &Unlimited).unwrap().len()
    }
}
