//! The entries of `testdata/poset.json` that take seconds or minutes, all of them:
//! `cargo test --release -p impartial --test engines -- poset_long --ignored`.

use impartial::outcome::{Outcome, Play};
use impartial::poset::{Diagram, Poset};
use impartial::solve::poset::Solver;
use impartial::solve::poset::chomp::{GrundyTable, Sieve, openings, three_rows};
use semilinear::run::Unlimited;
use serde_json::Value;

fn facts() -> Value {
    serde_json::from_str(include_str!("../../../../testdata/poset.json")).unwrap()
}

fn sizes(text: &str) -> (usize, usize) {
    let (m, n) = text.split_once('x').unwrap();
    (m.parse().unwrap(), n.parse().unwrap())
}

fn bites(value: &Value) -> Vec<(usize, u64)> {
    let pair = |bite: &Value| (usize::try_from(bite[0].as_u64().unwrap()).unwrap(), bite[1].as_u64().unwrap());
    let mut all: Vec<(usize, u64)> = value.as_array().unwrap().iter().map(pair).collect();
    all.sort_unstable();
    all
}

/// Every board of the tables inside 16 × 16: counts and openings from one sieve.
#[test]
#[ignore = "half a minute"]
fn boards_up_to_16_by_16() {
    let facts = facts();
    let sieve = Sieve::new(16, 16, &Unlimited).unwrap();
    let mut checked = 0;
    for (board, count) in facts["chomp_P_counts"]["m_by_n_box"].as_object().unwrap() {
        let (m, n) = sizes(board);
        assert!(m <= 16 && n <= 16, "{board}");
        assert_eq!(sieve.count_in(&Diagram::rectangle(m, n as u64).unwrap()), count.as_u64().unwrap(), "{board}");
        checked += 1;
    }
    assert_eq!(checked, facts["chomp_P_counts"]["m_by_n_box"].as_object().unwrap().len());
    let squares = facts["chomp_P_counts"]["square_boxes_n_2_to_16"].as_array().unwrap();
    assert_eq!(squares.len(), 15);
    for (n, count) in (2..).zip(squares) {
        let board = Diagram::rectangle(n, n as u64).unwrap();
        let found = if n == 16 { sieve.count() } else { sieve.count_in(&board) };
        assert_eq!(found, count.as_u64().unwrap(), "{n} x {n}");
    }
    for (board, expected) in facts["chomp_winning_openings"]["moves"].as_object().unwrap() {
        let (m, n) = sizes(board);
        if m <= 16 && n <= 16 {
            let rectangle = Diagram::rectangle(m, n as u64).unwrap();
            assert_eq!(sieve.winning_moves(&rectangle), bites(expected), "{board}");
        }
    }
}

/// The openings of the other boards of the table, all inside 14 × 20.
#[test]
#[ignore = "a minute, 600 MB"]
fn openings_up_to_14_by_20() {
    let facts = facts();
    let openings = &facts["chomp_winning_openings"];
    let sieve = Sieve::new(14, 20, &Unlimited).unwrap();
    assert_eq!(sieve.count(), 9_675_944); // found by an independent program too
    for (board, expected) in openings["moves"].as_object().unwrap() {
        let (m, n) = sizes(board);
        if m <= 16 && n <= 16 {
            continue;
        }
        assert!(m <= 14 && n <= 20, "{board}");
        let moves = sieve.winning_moves(&Diagram::rectangle(m, n as u64).unwrap());
        assert_eq!(moves, bites(expected), "{board}");
        let listed = openings["boards_with_two"].as_array().unwrap().iter().any(|b| b.as_str() == Some(board));
        assert_eq!(moves.len() == 2, listed, "{board}");
    }
}

/// Four rows: the walk over the first row against the table of all tails, as far as the first boards with two openings, and the published table.
#[test]
#[ignore = "half a minute"]
fn openings_of_four_rows() {
    let sieve = Sieve::new(4, 340, &Unlimited).unwrap();
    openings(4, 340, &Unlimited, |n, bites| {
        assert_eq!(bites, sieve.winning_moves(&Diagram::rectangle(4, n).unwrap()), "4 x {n}");
    })
    .unwrap();
    let table = include_str!("../../../../docs/results/chomp-openings.csv");
    let mut found = String::from("rows,columns,row,column\n");
    openings(4, 1000, &Unlimited, |n, bites| {
        found.extend(bites.iter().map(|(row, column)| format!("4,{n},{row},{column}\n")));
    })
    .unwrap();
    assert_eq!(found, table);
}

#[test]
#[ignore = "seconds"]
fn every_rectangle_value_by_table_and_by_search() {
    for (board, g) in facts()["chomp_rectangle_g"].as_object().unwrap() {
        let (m, n) = sizes(board);
        let rectangle = Diagram::rectangle(m, n as u64).unwrap();
        let table = GrundyTable::new(&rectangle, &Unlimited).unwrap();
        assert_eq!(u64::from(table.grundy(&rectangle)), g["g"].as_u64().unwrap(), "{board}");
        let poset = Poset::chomp(&vec![n; m]).unwrap();
        let searched = Solver::by_search(poset.clone()).grundy(&poset.all(), &Unlimited).unwrap();
        assert_eq!(u64::from(searched), g["g"].as_u64().unwrap(), "{board}");
    }
}

#[test]
#[ignore = "seconds"]
fn schuhs_game_with_many_divisors() {
    let facts = facts();
    for line in facts["schuh_more"]["raw"].as_array().unwrap() {
        let line = line.as_str().unwrap();
        let (head, tail) = line.split_once(':').unwrap();
        let exponents: Vec<u32> = head.split(' ').skip(1).map(|e| e.parse().unwrap()).collect();
        let number =
            |exponents: &[u32]| -> u64 { [2_u64, 3, 5, 7, 11].iter().zip(exponents).map(|(p, &e)| p.pow(e)).product() };
        let field =
            |key: &str| -> u64 { tail.split(' ').find_map(|part| part.strip_prefix(key)).unwrap().parse().unwrap() };
        let poset = Poset::divisors(number(&exponents)).unwrap();
        let mut solver = Solver::new(poset.clone());
        assert_eq!(u64::from(solver.grundy(&poset.all(), &Unlimited).unwrap()), field("g="), "{line}");
        let mut expected: Vec<u64> = tail
            .split('[')
            .skip(1)
            .map(|part| {
                let exponents: Vec<u32> =
                    part.trim_end_matches([']', ' ', ',']).split(',').map(|e| e.parse().unwrap()).collect();
                number(&exponents)
            })
            .collect();
        expected.sort_unstable();
        let moves = solver.winning_moves(&poset.all(), Play::Normal, &Unlimited).unwrap();
        let found: Vec<u64> = moves.iter().map(|&x| poset.name(x).parse().unwrap()).collect();
        assert_eq!(found, expected, "{line}");
    }
}

/// P_{7,2} and P_{7,3} (Brouwer–Christensen: on sets of at most three of seven points the first player loses).
#[test]
#[ignore = "minutes"]
fn subset_takeaway_with_seven_points() {
    for (k, outcome) in [(2, Outcome::N), (3, Outcome::P)] {
        let poset = Poset::subsets(7, k).unwrap();
        let mut solver = Solver::new(poset.clone());
        assert_eq!(solver.outcome(&poset.all(), Play::Normal, &Unlimited), Ok(outcome), "P_7,{k}");
        eprintln!("P_7,{k}: {} classes", solver.states());
    }
}

/// 1 715 850 495 P-positions in 3 × 100 000, in a few hundred megabytes at most.
#[test]
#[ignore = "a minute"]
fn three_rows_to_100_000() {
    let mut count = 0_u64;
    three_rows(100_000, None, &Unlimited, |_, _, _| count += 1).unwrap();
    assert_eq!(count, 1_715_850_495);
}
