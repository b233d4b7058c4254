//! Poset games: every engine beside a plain implementation of the same work.
//!
//! The plain ones are what a reader would write first: a memo on positions, one hash lookup an option. They
//! use the same bit sets and the same hash as the engines' first version did, so that they are no straw men.
//!
//! `cargo bench -p impartial --bench poset` times both arms with divan (wall clock);
//! `cargo bench -p impartial --bench poset -- table [WORD …]` prints one table with the CPU seconds of one
//! thread for each, beside the figures of other programs (docs/performance/poset.md), rows with a WORD only.

use impartial::outcome::Play;
use impartial::poset::{Diagram, Poset, Words as _};
use impartial::solve::poset::Solver;
use impartial::solve::poset::chomp::{GrundyTable, Sieve, three_rows};
use rustc_hash::FxHashMap;
use semilinear::run::Unlimited;

fn main() {
    let words: Vec<String> = std::env::args().skip(1).filter(|word| word != "--bench").collect();
    if words.first().is_some_and(|word| word == "table") {
        // One thread, so that its clock is the whole cost.
        let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build().expect("a thread");
        pool.install(|| table(&words[1..]));
    } else {
        divan::main();
    }
}

/// A plain solver of any poset with at most 128 elements: a memo on ideals as bit sets.
struct Plain {
    up: Vec<u128>,
    memo: FxHashMap<u128, u8>,
}

impl Plain {
    fn new(poset: &Poset) -> Self {
        let up = (0..poset.len()).map(|x| poset.up(x).members().map(|y| 1_u128 << y).sum()).collect();
        Self { up, memo: FxHashMap::default() }
    }

    fn grundy(&mut self, set: u128) -> u8 {
        if set == 0 {
            return 0;
        }
        if let Some(&value) = self.memo.get(&set) {
            return value;
        }
        let (mut seen, mut rest) = ([0_u64; 3], set);
        while rest != 0 {
            let x = rest.trailing_zeros() as usize;
            rest &= rest - 1;
            let value = self.grundy(set & !self.up[x]);
            seen[usize::from(value) / 64] |= 1 << (value % 64);
        }
        let value = (0..=255).find(|v: &u8| seen[usize::from(*v) / 64] >> (v % 64) & 1 == 0).expect("at most 128");
        self.memo.insert(set, value);
        value
    }
}

fn plain_grundy(poset: &Poset) -> u64 {
    let all = poset.all().members().map(|x| 1_u128 << x).sum();
    u64::from(Plain::new(poset).grundy(all))
}

fn searched_grundy(poset: &Poset) -> u64 {
    Solver::by_search(poset.clone()).grundy(&poset.all(), &Unlimited).unwrap().into()
}

fn solved_grundy(poset: &Poset) -> u64 {
    Solver::new(poset.clone()).grundy(&poset.all(), &Unlimited).unwrap().into()
}

fn chomp_grundy(m: usize, n: u64) -> u64 {
    let board = Diagram::rectangle(m, n).unwrap();
    GrundyTable::new(&board, &Unlimited).unwrap().grundy(&board).into()
}

/// The outcomes of all Chomp positions inside `rows` (8 bits a row, the first one lowest), by a memo.
fn plain_outcome(rows: u128, memo: &mut FxHashMap<u128, bool>) -> bool {
    if let Some(&p) = memo.get(&rows) {
        return p;
    }
    let row = |i: u32| (rows >> (8 * i) & 255) as u8;
    let mut p = true;
    for i in (0..16).take_while(|&i| row(i) > 0) {
        for j in u8::from(i == 0)..row(i) {
            let mut after = rows;
            for k in (i..16).take_while(|&k| row(k) > j) {
                after = after & !(255 << (8 * k)) | u128::from(j) << (8 * k);
            }
            // No early exit: the whole box is wanted.
            p &= !plain_outcome(after, memo);
        }
    }
    memo.insert(rows, p);
    p
}

fn plain_box(n: usize) -> FxHashMap<u128, bool> {
    let mut memo = FxHashMap::default();
    plain_outcome((0..n).map(|i| (n as u128) << (8 * i)).sum(), &mut memo);
    memo
}

fn plain_count(n: usize) -> u64 {
    plain_box(n).values().filter(|p| **p).count() as u64
}

fn sieve_count(n: usize) -> u64 {
    Sieve::new(n, n, &Unlimited).unwrap().count()
}

/// The winning openings of all rectangles inside n × n, counted.
fn plain_openings(n: usize) -> u64 {
    let memo = plain_box(n);
    let wins = |rows: usize, columns: usize, (i, j): (usize, usize)| {
        (0..rows).map(|k| (if k >= i { j } else { columns } as u128) << (8 * k)).sum()
    };
    let boards = (1..=n).flat_map(|rows| (1..=n).map(move |columns| (rows, columns)));
    boards
        .map(|(rows, columns)| {
            let bites = (0..rows).flat_map(|i| (0..columns).map(move |j| (i, j))).skip(1);
            bites.filter(|&bite| memo[&wins(rows, columns, bite)]).count() as u64
        })
        .sum()
}

fn sieve_openings(n: usize) -> u64 {
    let sieve = Sieve::new(n, n, &Unlimited).unwrap();
    let boards = (1..=n).flat_map(|rows| (1..=n as u64).map(move |columns| (rows, columns)));
    boards.map(|(m, n)| sieve.winning_moves(&Diagram::rectangle(m, n).unwrap()).len() as u64).sum()
}

/// f(q, r) of three rows for all pairs, each from all pairs before it.
#[allow(clippy::needless_range_loop)] // q and r are what the formulas are about
fn plain_three_rows(n: usize) -> u64 {
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
            count += u64::from(p <= n);
        }
        if f[r][r] > 0 {
            diagonal[f[r][r]] = true;
        }
    }
    count
}

fn sieved_three_rows(n: u64) -> u64 {
    let mut count = 0;
    three_rows(n, None, &Unlimited, |_, _, _| count += 1).unwrap();
    count
}

fn schuh(exponents: &[u32]) -> Poset {
    let n = [2_u64, 3, 5, 7, 11].iter().zip(exponents).map(|(p, &e)| p.pow(e)).product();
    Poset::divisors(n).unwrap()
}

/// The values of all P_{n,k}, 0 ≤ k ≤ n, in one number.
fn plain_takeaway(n: u32) -> u64 {
    let poset = Poset::subsets(n, n).unwrap();
    let mut plain = Plain::new(&poset);
    let position = |k: u32| (0..poset.len()).filter(|&x| poset.name(x).len() <= k as usize).map(|x| 1_u128 << x).sum();
    (0..=n).fold(0, |sum, k| 100 * sum + u64::from(plain.grundy(position(k))))
}

fn takeaway(n: u32) -> u64 {
    let poset = Poset::subsets(n, n).unwrap();
    let mut solver = Solver::new(poset.clone());
    let mut values = 0;
    for k in 0..=n {
        let mut position = poset.nothing();
        (0..poset.len()).filter(|&x| poset.name(x).len() <= k as usize).for_each(|x| position.insert(x));
        values = 100 * values + u64::from(solver.grundy(&position, &Unlimited).unwrap());
    }
    values
}

/// A row of the table: the work, another program with its CPU seconds, and the arms, which must agree.
struct Row {
    work: &'static str,
    peer: &'static str,
    peer_seconds: Option<f64>,
    plain: Option<fn() -> u64>,
    ours: fn() -> u64,
}

const ROWS: &[Row] = &[
    row("nimber of 8 x 10", "igsolve 0.1.2", 0.05, Some(|| plain_grundy(&Poset::chomp(&[10; 8]).unwrap())), || {
        chomp_grundy(8, 10)
    }),
    row("nimber of 10 x 12", "igsolve 0.1.2", 1.85, Some(|| plain_grundy(&Poset::chomp(&[12; 10]).unwrap())), || {
        chomp_grundy(10, 12)
    }),
    row("nimber of 12 x 13", "igsolve 0.1.2", 29.7, None, || chomp_grundy(12, 13)),
    row(
        "nimber of 8 x 10, general search",
        "igsolve 0.1.2",
        0.05,
        Some(|| plain_grundy(&Poset::chomp(&[10; 8]).unwrap())),
        || searched_grundy(&Poset::chomp(&[10; 8]).unwrap()),
    ),
    row(
        "nimber of 10 x 12, general search",
        "igsolve 0.1.2",
        1.85,
        Some(|| plain_grundy(&Poset::chomp(&[12; 10]).unwrap())),
        || searched_grundy(&Poset::chomp(&[12; 10]).unwrap()),
    ),
    row(
        "nimber of 2^11 3^9, given as divisors",
        "igsolve 0.1.2",
        1.85,
        Some(|| plain_grundy(&schuh(&[11, 9]))),
        || solved_grundy(&schuh(&[11, 9])),
    ),
    row("P-positions in 11 x 11", "", 0.0, Some(|| plain_count(11)), || sieve_count(11)),
    row("P-positions in 14 x 14", "box sieve prototype", 0.72, None, || sieve_count(14)),
    row("P-positions in 16 x 16", "CharCoding/Chomp (C++)", 37.0, None, || sieve_count(16)),
    row("openings up to 11 x 11", "", 0.0, Some(|| plain_openings(11)), || sieve_openings(11)),
    row("openings up to 12 x 12", "Kitatai (C++)", 0.87, Some(|| plain_openings(12)), || sieve_openings(12)),
    row("openings up to 13 x 13", "Kitatai (C++)", 3.5, None, || sieve_openings(13)),
    row("openings up to 14 x 14", "Kitatai (C++)", 11.7, None, || sieve_openings(14)),
    row("Schuh 3,3,2", "plain prototype", 0.01, Some(|| plain_grundy(&schuh(&[3, 3, 2]))), || {
        solved_grundy(&schuh(&[3, 3, 2]))
    }),
    row("Schuh 3,3,3", "plain prototype", 0.20, Some(|| plain_grundy(&schuh(&[3, 3, 3]))), || {
        solved_grundy(&schuh(&[3, 3, 3]))
    }),
    row("Schuh 2,2,2,1", "plain prototype", 0.16, Some(|| plain_grundy(&schuh(&[2, 2, 2, 1]))), || {
        solved_grundy(&schuh(&[2, 2, 2, 1]))
    }),
    row("Schuh 4,4,2", "plain prototype", 1.27, Some(|| plain_grundy(&schuh(&[4, 4, 2]))), || {
        solved_grundy(&schuh(&[4, 4, 2]))
    }),
    row("Schuh 5,3,2 (no symmetry)", "plain prototype", 0.73, Some(|| plain_grundy(&schuh(&[5, 3, 2]))), || {
        solved_grundy(&schuh(&[5, 3, 2]))
    }),
    row("box 4 x 4 x 5", "", 0.0, Some(|| plain_grundy(&Poset::chomp_box(&[4, 4, 5]).unwrap())), || {
        solved_grundy(&Poset::chomp_box(&[4, 4, 5]).unwrap())
    }),
    row("Subset Takeaway n = 5, all P_{5,k}", "", 0.0, Some(|| plain_takeaway(5)), || takeaway(5)),
    row("Subset Takeaway n = 6, all P_{6,k}", "canonical forms prototype", 0.75, Some(|| plain_takeaway(6)), || {
        takeaway(6)
    }),
    row("P-positions of 3 x 1000", "", 0.0, Some(|| plain_three_rows(1000)), || sieved_three_rows(1000)),
    row("P-positions of 3 x 20000", "", 0.0, None, || sieved_three_rows(20_000)),
];

const fn row(
    work: &'static str,
    peer: &'static str,
    seconds: f64,
    plain: Option<fn() -> u64>,
    ours: fn() -> u64,
) -> Row {
    Row { work, peer, peer_seconds: if peer.is_empty() { None } else { Some(seconds) }, plain, ours }
}

/// CPU seconds of this thread, from the kernel's schedule statistics.
fn cpu() -> f64 {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").expect("the table needs Linux");
    let nanoseconds: u64 = text.split(' ').next().and_then(|field| field.parse().ok()).expect("a number");
    std::time::Duration::from_nanos(nanoseconds).as_secs_f64()
}

fn timed(work: fn() -> u64) -> (u64, f64) {
    let start = cpu();
    let value = work();
    (value, cpu() - start)
}

fn table(words: &[String]) {
    println!("| work (value) | peer | peer's CPU s | plain here | ours | ahead of peer | ahead of plain |");
    println!("| --- | --- | --- | --- | --- | --- | --- |");
    for row in ROWS.iter().filter(|row| words.is_empty() || words.iter().any(|word| row.work.contains(word))) {
        let (value, ours) = timed(row.ours);
        let plain = row.plain.map(timed);
        assert!(plain.is_none_or(|(plain, _)| plain == value), "{}: the arms differ", row.work);
        let seconds = |s: Option<f64>| s.map_or("–".into(), |s| format!("{s:.3}"));
        let ratio = |s: Option<f64>| s.map_or("–".into(), |s| format!("{:.1}×", s / ours));
        println!(
            "| {} ({value}) | {} | {} | {} | {ours:.3} | {} | {} |",
            row.work,
            if row.peer.is_empty() { "–" } else { row.peer },
            seconds(row.peer_seconds),
            seconds(plain.map(|p| p.1)),
            ratio(row.peer_seconds),
            ratio(plain.map(|p| p.1)),
        );
    }
}

#[divan::bench_group(sample_count = 3, sample_size = 1)]
mod p_positions_in_a_box {
    #[divan::bench(args = [8, 9])]
    fn plain(n: usize) -> u64 {
        super::plain_count(n)
    }

    #[divan::bench(args = [8, 9, 12, 14])]
    fn sieve(n: usize) -> u64 {
        super::sieve_count(n)
    }
}

#[divan::bench_group(sample_count = 3, sample_size = 1)]
mod nimber_of_a_rectangle {
    use super::Poset;

    #[divan::bench(args = [(6, 8), (8, 10)])]
    fn plain((m, n): (usize, usize)) -> u64 {
        super::plain_grundy(&Poset::chomp(&vec![n; m]).unwrap())
    }

    #[divan::bench(args = [(6, 8), (8, 10), (10, 12)])]
    fn table((m, n): (usize, u64)) -> u64 {
        super::chomp_grundy(m, n)
    }

    #[divan::bench(args = [(6, 8), (8, 10)])]
    fn general_search((m, n): (usize, usize)) -> u64 {
        super::searched_grundy(&Poset::chomp(&vec![n; m]).unwrap())
    }
}

#[divan::bench_group(sample_count = 3, sample_size = 1)]
mod three_row_p_positions {
    #[divan::bench(args = [300, 1000])]
    fn plain(n: usize) -> u64 {
        super::plain_three_rows(n)
    }

    #[divan::bench(args = [300, 1000, 10_000])]
    fn sieve(n: u64) -> u64 {
        super::sieved_three_rows(n)
    }
}

#[divan::bench_group(sample_count = 3, sample_size = 1)]
mod general_posets {
    use super::{Play, Poset, Solver, Unlimited};

    const SCHUH: [&[u32]; 3] = [&[2, 2, 2], &[3, 3, 2], &[3, 3, 3]];

    #[divan::bench(args = SCHUH)]
    fn plain_schuh(exponents: &[u32]) -> u64 {
        super::plain_grundy(&super::schuh(exponents))
    }

    #[divan::bench(args = SCHUH)]
    fn search_schuh(exponents: &[u32]) -> u64 {
        super::solved_grundy(&super::schuh(exponents))
    }

    #[divan::bench(args = [4, 5])]
    fn plain_subset_takeaway(n: u32) -> u64 {
        super::plain_takeaway(n)
    }

    #[divan::bench(args = [4, 5, 6])]
    fn search_subset_takeaway(n: u32) -> u64 {
        super::takeaway(n)
    }

    #[divan::bench(args = [5, 6])]
    fn openings_of_subset_takeaway(n: u32) -> usize {
        let poset = Poset::subsets(n, n).unwrap();
        Solver::new(poset.clone()).winning_moves(&poset.all(), Play::Normal, &Unlimited).unwrap().len()
    }
}
