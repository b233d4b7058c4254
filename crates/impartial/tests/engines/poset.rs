//! Poset games against published and independently computed tables (`testdata/poset.json`).

use impartial::outcome::{Outcome, Play};
use impartial::poset::{Board, Diagram, Poset, Words as _};
use impartial::solve::poset::chomp::{Chomp, GrundyTable, Sieve, diagrams_in_box, four_rows, three_rows};
use impartial::solve::poset::plain::Plain;
use impartial::solve::poset::{Solver, nfree};
use impartial::strategy::Table;
use semilinear::run::Unlimited;
use serde_json::Value;

fn facts() -> Value {
    serde_json::from_str(include_str!("../../../../testdata/poset.json")).unwrap()
}

fn ints(value: &Value) -> Vec<u64> {
    value.as_array().unwrap().iter().map(|x| x.as_u64().unwrap()).collect()
}

fn sizes(text: &str) -> (usize, usize) {
    let (m, n) = text.split_once('x').unwrap();
    (m.parse().unwrap(), n.parse().unwrap())
}

fn diagram(rows: &[u64]) -> Diagram {
    Diagram::new(rows.to_vec()).unwrap()
}

#[test]
fn p_positions_of_three_rows() {
    let facts = facts();
    let mut expected: Vec<[u64; 3]> = facts["chomp3_P_positions_q_le_20"]["list"]
        .as_array()
        .unwrap()
        .iter()
        .map(|p| ints(p).try_into().unwrap())
        .collect();
    expected.sort_unstable();
    assert_eq!(expected.len() as u64, facts["chomp3_P_positions_q_le_20"]["count"].as_u64().unwrap());
    // f(q, r) - q is at most q in this range, so first rows up to 60 are enough.
    let mut found = Vec::new();
    three_rows(60, None, &Unlimited, |p, q, r| {
        if q <= 20 {
            found.push([p, q, r]);
        }
    })
    .unwrap();
    found.sort_unstable();
    assert_eq!(found, expected);
}

#[test]
fn three_row_sieve_equals_the_box_sieve() {
    let sieve = Sieve::new(3, 150, &Unlimited).unwrap();
    let mut expected = Vec::new();
    sieve.for_each_in(&Diagram::rectangle(3, 150).unwrap(), |p, tail| {
        expected.push((p, tail[0] as u64, tail[1] as u64));
    });
    let mut found = Vec::new();
    three_rows(150, None, &Unlimited, |p, q, r| found.push((p, q, r))).unwrap();
    expected.sort_unstable();
    found.sort_unstable();
    assert_eq!(found, expected);
    // A bound on the third row only leaves positions out.
    let mut bounded = Vec::new();
    three_rows(150, Some(40), &Unlimited, |p, q, r| bounded.push((p, q, r))).unwrap();
    bounded.sort_unstable();
    found.retain(|&(_, _, r)| r <= 40);
    assert_eq!(bounded, found);
}

/// The sieve for four rows finds what the box sieve finds, and a bound on lower rows only leaves positions out.
#[test]
fn p_positions_of_four_rows() {
    // More than two words of second rows.
    let board = Diagram::rectangle(4, 150).unwrap();
    let mut expected = Vec::new();
    Sieve::for_board(&board, &Unlimited).unwrap().for_each_in(&board, |first, tail| {
        expected.push([first, tail[0] as u64, tail[1] as u64, tail[2] as u64]);
    });
    expected.sort_unstable();
    assert!(expected.len() > 100_000);
    for (third, fourth) in [(150, 150), (150, 0), (40, 13), (5, 9), (0, 150)] {
        let mut found = Vec::new();
        four_rows(150, third, fourth, &Unlimited, |rows| found.push(rows)).unwrap();
        assert!(found.is_sorted_by_key(|rows| rows[0]));
        found.sort_unstable();
        let inside: Vec<[u64; 4]> =
            expected.iter().filter(|rows| rows[2] <= third && rows[3] <= fourth).copied().collect();
        assert_eq!(found, inside, "{third} {fourth}");
    }
}

#[test]
fn counts_of_p_positions() {
    let facts = facts();
    let counts = &facts["chomp_P_counts"];
    for (n, count) in ints(&counts["3xn (n=0..56) OEIS A029899"]).into_iter().enumerate() {
        let mut found = 0;
        three_rows(n as u64, None, &Unlimited, |_, _, _| found += 1).unwrap();
        assert_eq!(found, count, "3 x {n}");
    }
    let sieve = Sieve::new(10, 10, &Unlimited).unwrap();
    let mut checked = 0;
    for (board, count) in counts["m_by_n_box"].as_object().unwrap() {
        let (m, n) = sizes(board);
        let rectangle = Diagram::rectangle(m, n as u64).unwrap();
        if m <= 10 && n <= 10 {
            assert_eq!(sieve.count_in(&rectangle), count.as_u64().unwrap(), "{board}");
            checked += 1;
        } else if diagrams_in_box(m - 1, n).unwrap() < 100_000 {
            assert_eq!(Sieve::new(m, n, &Unlimited).unwrap().count(), count.as_u64().unwrap(), "{board}");
            checked += 1;
        }
    }
    assert!(checked > 110, "{checked}");
    let squares = ints(&counts["square_boxes_n_2_to_16"]);
    for n in 2..=11 {
        assert_eq!(Sieve::new(n, n, &Unlimited).unwrap().count(), squares[n - 2], "{n} x {n}");
    }
}

#[test]
fn winning_openings() {
    let facts = facts();
    let openings = &facts["chomp_winning_openings"];
    let sieve = Sieve::new(13, 13, &Unlimited).unwrap();
    let mut checked = 0;
    let mut two = 0;
    for (board, expected) in openings["moves"].as_object().unwrap() {
        let (m, n) = sizes(board);
        let rectangle = Diagram::rectangle(m, n as u64).unwrap();
        let moves = if m <= 13 && n <= 13 {
            sieve.winning_moves(&rectangle)
        } else if m.min(n) <= 6 {
            // The engine answers with resulting positions; here they are needed as bites.
            let after = Chomp::default().winning_moves(&rectangle, &Unlimited).unwrap().0;
            rectangle.bites().filter(|&(r, c)| after.contains(&rectangle.bitten(r, c).unwrap())).collect()
        } else {
            continue; // in poset_long.rs
        };
        let mut expected: Vec<(usize, u64)> = expected
            .as_array()
            .unwrap()
            .iter()
            .map(|bite| (usize::try_from(bite[0].as_u64().unwrap()).unwrap(), bite[1].as_u64().unwrap()))
            .collect();
        expected.sort_unstable();
        assert_eq!(moves, expected, "{board}");
        let listed = openings["boards_with_two"].as_array().unwrap().iter().any(|b| b.as_str() == Some(board));
        if m <= n {
            assert_eq!(moves.len() == 2, listed, "{board}");
        }
        two += usize::from(moves.len() == 2);
        checked += 1;
    }
    assert!(checked >= 170 && two >= 3, "{checked} boards, {two} with two openings");
}

#[test]
fn oeis_three_row_sequences() {
    let facts = facts();
    let terms = |name: &str| ints(&facts["oeis_three_row"][name]["terms"]);
    let (mut rectangle_tails, mut corners) = (Vec::new(), Vec::new());
    three_rows(200, None, &Unlimited, |p, q, r| {
        if q == r && q > 0 {
            rectangle_tails.push((q, p));
        }
        if p == q {
            corners.push((q, r));
        }
    })
    .unwrap();
    rectangle_tails.sort_unstable();
    corners.sort_unstable();
    let tops = terms("A029900");
    // A029900 begins with f(0, 0) = 1.
    for (n, p) in (1_u64..).zip(&tops[1..]) {
        assert!(rectangle_tails.contains(&(n, *p)), "f({n},{n}) = {p}");
    }
    let (q, r) = (terms("A029901"), terms("A029902"));
    for (i, &q) in q.iter().enumerate() {
        assert_eq!(corners[i], (q, r[i]), "corner {i}");
    }
}

#[test]
fn grundy_values_of_chomp() {
    let facts = facts();
    let table = GrundyTable::new(&diagram(&[9, 9, 9]), &Unlimited).unwrap();
    for row in facts["chomp3_g_table_p_le_9"]["rows p q r g"].as_array().unwrap() {
        let row = ints(row);
        assert_eq!(u64::from(table.grundy(&diagram(&row[..3]))), row[3], "{row:?}");
    }
    let mut chomp = Chomp::default();
    for (board, g) in facts["chomp_rectangle_g"].as_object().unwrap() {
        let (m, n) = sizes(board);
        let value = chomp.grundy(&Diagram::rectangle(m, n as u64).unwrap(), &Unlimited).unwrap().0;
        assert_eq!(u64::from(value), g["g"].as_u64().unwrap(), "{board}");
    }
}

/// The product of chains with these exponents as a number: 2^a · 3^b · 5^c · ….
fn schuh(exponents: &[u64]) -> Poset {
    let n = [2_u64, 3, 5, 7, 11].iter().zip(exponents).map(|(p, &e)| p.pow(u32::try_from(e).unwrap())).product();
    Poset::divisors(n).unwrap()
}

/// The name of the divisor with these exponents.
fn divisor(exponents: &[u64]) -> String {
    let n: u64 = [2_u64, 3, 5, 7, 11].iter().zip(exponents).map(|(p, &e)| p.pow(u32::try_from(e).unwrap())).product();
    n.to_string()
}

fn names_of_winning_moves(poset: &Poset) -> Vec<String> {
    let mut solver = Solver::new(poset.clone());
    let moves = solver.winning_moves(&poset.all(), Play::Normal, &Unlimited).unwrap();
    let mut names: Vec<String> = moves.iter().map(|&x| poset.name(x).to_owned()).collect();
    names.sort();
    names
}

#[test]
fn small_games_by_brute_force() {
    let facts = facts();
    for case in facts["small_poset_games_bruteforce"]["cases"].as_array().unwrap() {
        let params = ints(&case["params"]);
        let lengths: Vec<usize> = params.iter().map(|&p| usize::try_from(p).unwrap()).collect();
        let (poset, name): (Poset, fn(&[u64]) -> String) = match case["game"].as_str().unwrap() {
            "chomp" => (Poset::chomp_box(&lengths).unwrap(), |m| {
                m.iter().map(|c| (c + 1).to_string()).collect::<Vec<_>>().join(".")
            }),
            "schuh" => (schuh(&params), divisor),
            "subset" => {
                (Poset::subsets(u32::try_from(params[0]).unwrap(), u32::try_from(params[1]).unwrap()).unwrap(), |m| {
                    m.iter().enumerate().filter(|(_, b)| **b == 1).map(|(i, _)| (i + 1).to_string()).collect()
                })
            }
            other => panic!("{other}"),
        };
        assert_eq!(poset.len() as u64, case["n_elements"].as_u64().unwrap(), "{case}");
        let g = case["g"].as_u64().unwrap();
        assert_eq!(u64::from(Solver::new(poset.clone()).grundy(&poset.all(), &Unlimited).unwrap()), g, "{case}");
        assert_eq!(u64::from(Plain::new(&poset).grundy(&poset.all(), &Unlimited).unwrap()), g, "{case}");
        let mut expected: Vec<String> =
            case["winning_moves"].as_array().unwrap().iter().map(|m| name(&ints(m))).collect();
        expected.sort();
        assert_eq!(names_of_winning_moves(&poset), expected, "{case}");
        let table = Table::new(Board::Finite(poset.in_linear_order()), Play::Normal, &Unlimited).unwrap();
        assert_eq!(table.positions() as u64, case["positions_incl_empty"].as_u64().unwrap(), "{case}");
        assert_eq!(table.grundy(&poset.all()).map(u64::from), Some(g), "{case}");
    }
}

#[test]
fn schuhs_game() {
    let facts = facts();
    for line in facts["schuh_more"]["raw"].as_array().unwrap() {
        // "schuh 3 3 2: n=47 g=11 states=… cpu=… winning=3 [2,2,0,] …"
        let line = line.as_str().unwrap();
        let (head, tail) = line.split_once(':').unwrap();
        let exponents: Vec<u64> = head.split(' ').skip(1).map(|e| e.parse().unwrap()).collect();
        let field =
            |key: &str| -> u64 { tail.split(' ').find_map(|part| part.strip_prefix(key)).unwrap().parse().unwrap() };
        let poset = schuh(&exponents);
        assert_eq!(poset.len() as u64, field("n="), "{line}");
        if poset.len() > 64 {
            continue; // in poset_long.rs
        }
        let value = Solver::new(poset.clone()).grundy(&poset.all(), &Unlimited).unwrap();
        assert_eq!(u64::from(value), field("g="), "{line}");
        let mut expected: Vec<String> = tail
            .split('[')
            .skip(1)
            .map(|part| {
                let numbers: Vec<u64> =
                    part.trim_end_matches([']', ' ', ',']).split(',').map(|e| e.parse().unwrap()).collect();
                divisor(&numbers)
            })
            .collect();
        expected.sort();
        assert_eq!(expected.len() as u64, field("winning="));
        assert_eq!(names_of_winning_moves(&poset), expected, "{line}");
    }
}

#[test]
fn subset_takeaway() {
    let facts = facts();
    let table = &facts["subset_takeaway"]["P_{n,k}: subsets of size 1..k of n points"];
    // The sets with at most k members are a position of the whole game: one memo serves all k.
    for n in 1..=6_u32 {
        let poset = Poset::subsets(n, n).unwrap();
        let mut solver = Solver::new(poset.clone());
        for k in 0..=n {
            let row = &table[format!("{n},{k}")];
            let mut position = poset.nothing();
            (0..poset.len()).filter(|&x| poset.name(x).len() <= k as usize).for_each(|x| position.insert(x));
            let g = solver.grundy(&position, &Unlimited).unwrap();
            assert_eq!(u64::from(g), row["g"].as_u64().unwrap(), "{n},{k}");
            let moves = solver.winning_moves(&position, Play::Normal, &Unlimited).unwrap();
            let mut found: Vec<u64> = moves.iter().map(|&x| poset.name(x).len() as u64).collect();
            found.dedup();
            assert_eq!(found, ints(&row["winning_sizes"]), "{n},{k}");
        }
    }
}

#[test]
fn n_free_posets() {
    let facts = facts();
    let relations = |value: &Value| -> Vec<(usize, usize)> {
        let pairs = value.as_array().unwrap().iter().map(ints);
        pairs.map(|p| (usize::try_from(p[0]).unwrap(), usize::try_from(p[1]).unwrap())).collect()
    };
    for case in facts["nfree"]["sp"].as_array().unwrap() {
        let n = usize::try_from(case["n"].as_u64().unwrap()).unwrap();
        let names = (0..n).map(|x| x.to_string()).collect();
        let poset = Poset::from_relations(names, &relations(&case["relations"])).unwrap();
        let values = nfree::option_values_of(&poset, &poset.all()).unwrap();
        assert_eq!(u64::from(values.mex()), case["g"].as_u64().unwrap(), "{case}");
        assert!(values.values().map(u64::from).eq(ints(&case["gset"])), "{case}");
    }
    for (key, roots_least) in [("hackendot", false), ("tree_min_root", true)] {
        for case in facts["nfree"][key].as_array().unwrap() {
            let parents: Vec<Option<usize>> = case["parent"]
                .as_array()
                .unwrap()
                .iter()
                .map(|p| p.as_u64().map(|p| usize::try_from(p).unwrap()))
                .collect();
            let forest = Poset::forest(&parents, roots_least).unwrap();
            assert_eq!(nfree::grundy(&forest, &forest.all()).map(u64::from), Ok(case["g"].as_u64().unwrap()), "{case}");
        }
    }
}

#[test]
fn known_theorems_of_chomp() {
    let mut chomp = Chomp::default();
    for n in 3..=9_u64 {
        // 2 × n: bite the last square of row 2. n × n: bite (2, 2).
        let two = Diagram::rectangle(2, n).unwrap();
        assert_eq!(chomp.winning_moves(&two, &Unlimited).unwrap().0, [diagram(&[n, n - 1])]);
        let square = Diagram::rectangle(usize::try_from(n).unwrap(), n).unwrap();
        let moves = chomp.winning_moves(&square, &Unlimited).unwrap().0;
        assert_eq!(moves, [square.bitten(2, 2).unwrap()]);
        if n <= 8 {
            // The theorem's answer equals the sieve's.
            let sieve = Sieve::for_board(&square, &Unlimited).unwrap();
            assert_eq!(sieve.winning_moves(&square), [(2, 2)]);
        }
        // Sheiner 2026: every 3 × n board has exactly one winning opening.
        let three = Diagram::rectangle(3, n).unwrap();
        assert_eq!(chomp.winning_moves(&three, &Unlimited).unwrap().0.len(), 1);
        assert_eq!(chomp.outcome(&three, &Unlimited).unwrap().0, Outcome::N);
    }
}

/// Misère play of the full rectangle, poisoned square included, is Chomp.
#[test]
fn chomp_is_misere_play_of_the_full_rectangle() {
    let bottom = Poset::chain(1).unwrap();
    for rows in [vec![3, 2], vec![4, 4, 2], vec![3, 1, 1], vec![5, 4], vec![2, 2, 1]] {
        let chomp = Poset::chomp(&rows).unwrap();
        let full = bottom.linear_sum(&chomp).unwrap();
        let misere = Plain::new(&full).outcome(&full.all(), Play::Misere, &Unlimited).unwrap();
        let normal = Plain::new(&chomp).outcome(&chomp.all(), Play::Normal, &Unlimited).unwrap();
        assert_eq!(misere, normal, "{rows:?}");
        assert_eq!(Solver::new(full.clone()).outcome(&full.all(), Play::Misere, &Unlimited).unwrap(), normal);
    }
}
