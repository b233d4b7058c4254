//! The parity kernel against the erratum's dynamic programme, the recursion, and heap searches.

use std::collections::HashMap;

use impartial::graph::Graph;
use impartial::heap::HeapRules;
use impartial::lattice::{Description, GraphLattice, HeapLattice, LatticeGame, Squarefree};
use impartial::outcome::{Outcome, Play};
use impartial::solve::parity_kernel::{ParityKernel, reference_p0};
use impartial::solve::recursion::{Recursion, Region};
use num_bigint::{BigInt, BigUint};
use proptest::prelude::*;
use semilinear::run::Unlimited;

/// Squarefree rules: a head, and non-positive entries at coordinates before it.
fn squarefree_game() -> impl Strategy<Value = LatticeGame> {
    (1usize..=6).prop_flat_map(|d| {
        let rule = (0..d, prop::collection::vec(-3i64..=0, d)).prop_map(move |(head, mut rule)| {
            rule[head] = 1;
            rule[head + 1..].fill(0);
            rule
        });
        (prop::collection::vec(rule, 1..9), Just(d), any::<prop::sample::Index>()).prop_map(|(mut rules, d, turn)| {
            // The order of the coordinates means nothing.
            for rule in &mut rules {
                rule.rotate_left(turn.index(d));
            }
            let description = Description::new(None, rules, None, None, None).unwrap();
            LatticeGame::new(&description, &Unlimited).unwrap()
        })
    })
}

fn big(x: &[i64]) -> Vec<BigInt> {
    x.iter().map(|&x| x.into()).collect()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 96, ..ProptestConfig::default() })]

    #[test]
    fn kernel_is_dynamic_programme_is_recursion(game in squarefree_game()) {
        let d = game.dimension();
        let kernel = ParityKernel::of_lattice(&game).unwrap();
        let reference = reference_p0(&game, &Unlimited).unwrap().unwrap();
        let p0 = kernel.p0(1 << d).unwrap();
        prop_assert_eq!(p0.len(), 1 << (d - kernel.rank()));
        for (i, &is_p) in reference.iter().enumerate() {
            let x: Vec<i64> = (0..d).map(|k| i64::from(i >> k & 1 == 1)).collect();
            prop_assert_eq!(kernel.outcome(&big(&x)).is_p(), is_p, "{:?} {:?}", &game, &x);
            let listed = p0.iter().any(|p| p.iter().zip(&x).all(|(p, x)| i64::from(*p) == *x));
            prop_assert_eq!(listed, is_p);
        }
        let size = [30u64, 9, 5, 3, 3, 2][d - 1];
        let region = Region::around_box(&game, &vec![size; d]).unwrap();
        let Ok(recursion) = Recursion::new(&game, &region, 1 << 22, &Unlimited) else { return Ok(()) };
        recursion.for_each_p(|y| {
            assert!(kernel.outcome(&big(y)).is_p(), "{game:?} {y:?}");
            true
        });
        let most = i64::try_from(size).unwrap() - 1;
        let rows: Vec<Vec<i64>> =
            (0..d).map(|i| (0..=d).map(|j| if j == d { most } else { -i64::from(i == j) }).collect()).collect();
        let count = kernel.count(&vec![BigUint::from(size); d]);
        prop_assert_eq!(count, BigUint::from(recursion.count_where(&rows)));
    }

    #[test]
    fn heap_games_agree_with_their_lattice_form(
        digits in prop::collection::vec(0u8..8, 1..5),
        misere: bool,
        positions in prop::collection::vec(prop::collection::vec(1u64..=6, 0..5), 12),
    ) {
        let text: String = digits.iter().map(ToString::to_string).collect();
        let rules: HeapRules = format!("0.{text}").parse().unwrap();
        let play = if misere { Play::Misere } else { Play::Normal };
        let Ok(lattice) = HeapLattice::new(&rules, 6, Some(play), &Unlimited) else {
            // No heap has a move.
            prop_assert!((1..=6).all(|heap| rules.heap_options(heap).is_empty()));
            return Ok(());
        };
        let game = LatticeGame::new(&lattice.description, &Unlimited).unwrap();
        prop_assert_eq!(game.squarefree(), Squarefree::Squarefree);
        prop_assert!(game.tangent_violations().is_empty());
        let kernel = ParityKernel::of_heaps(&rules, 6, &Unlimited).unwrap();
        let mut memory = HashMap::new();
        for heaps in positions {
            let point = lattice.point(&heaps).unwrap();
            let expected = plain(&rules, misere, &heaps, &mut memory);
            let live = lattice.heaps(&point);
            if point.iter().all(|&x| x == 0) {
                // Only dead heaps: no move at all.
                prop_assert_eq!(expected, Outcome::p_if(!misere));
                continue;
            }
            let region = Region::around_point(&game, &point).unwrap();
            // A region beyond the limit is an honest answer; the other roads are still compared.
            if let Ok(recursion) = Recursion::new(&game, &region, 1 << 24, &Unlimited) {
                prop_assert_eq!(recursion.outcome(&point), Some(expected), "0.{} {:?} {:?}", text, play, &heaps);
            }
            prop_assert_eq!(plain(&rules, misere, &live, &mut memory), expected);
            if !misere {
                let mut counts = vec![BigInt::ZERO; 6];
                for heap in heaps {
                    counts[usize::try_from(heap - 1).unwrap()] += 1;
                }
                prop_assert_eq!(kernel.outcome(&counts), expected);
            }
        }
    }
}

/// The outcome of a sum of heaps straight from the rules.
fn plain(rules: &HeapRules, misere: bool, heaps: &[u64], memory: &mut HashMap<(bool, Vec<u64>), Outcome>) -> Outcome {
    let mut heaps = heaps.to_vec();
    heaps.sort_unstable();
    if let Some(&outcome) = memory.get(&(misere, heaps.clone())) {
        return outcome;
    }
    let mut options = 0;
    let mut to_p = false;
    for (i, &heap) in heaps.iter().enumerate() {
        for option in rules.heap_options(heap) {
            let mut next = heaps.clone();
            next.remove(i);
            next.extend(option);
            options += 1;
            to_p = to_p || plain(rules, misere, &next, memory).is_p();
        }
    }
    let outcome = if options == 0 { Outcome::p_if(!misere) } else { Outcome::p_if(!to_p) };
    memory.insert((misere, heaps), outcome);
    outcome
}

/// Thesis, Theorem 4.6 with the thesis's notion of squarefree: false, as the erratum's game shows.
#[test]
fn weakly_squarefree_is_not_enough() {
    let text = "rules = [[1, 0, 0], [0, 1, 0], [0, 0, 1], [1, 1, 0]]";
    let game = LatticeGame::new(&Description::from_toml(text).unwrap(), &Unlimited).unwrap();
    assert_eq!(game.squarefree(), Squarefree::Weakly);
    assert!(ParityKernel::of_lattice(&game).is_none());
    let region = Region::around_box(&game, &[6, 6, 6]).unwrap();
    let recursion = Recursion::new(&game, &region, 1 << 20, &Unlimited).unwrap();
    let outcome = |x: [i64; 3]| recursion.outcome(&x).unwrap();
    // P is closed under addition in squarefree games (Proposition 2 of the erratum) …
    assert_eq!([outcome([1, 0, 1]), outcome([0, 1, 1]), outcome([1, 1, 2])], [Outcome::P, Outcome::P, Outcome::N]);
    // … and P = P₀ + 2ℕ³ fails first at (1,2,1) = (1,0,1) + (0,2,0).
    assert_eq!([outcome([1, 0, 1]), outcome([1, 2, 1])], [Outcome::P, Outcome::N]);
}

/// Thesis, Remark 4.12: not squarefree, and P is not P₀ + 2ℕ².
#[test]
fn remark_4_12() {
    let game = |text: &str| LatticeGame::new(&Description::from_toml(text).unwrap(), &Unlimited).unwrap();
    let solve = |game: &LatticeGame| {
        Recursion::new(game, &Region::around_box(game, &[48, 48]).unwrap(), 1 << 20, &Unlimited).unwrap()
    };
    let first = game("rules = [[1, 0], [0, 2]]");
    assert_eq!(first.squarefree(), Squarefree::No);
    let recursion = solve(&first);
    let printed = [(0, 0), (0, 1), (1, 2), (1, 3), (2, 0), (2, 1), (3, 2), (3, 3)];
    for (x, y) in (0..48i64).flat_map(|x| (0..48i64).map(move |y| (x, y))) {
        let expected = Outcome::p_if(printed.contains(&(x % 4, y % 4)));
        assert_eq!(recursion.outcome(&[x, y]), Some(expected));
    }
    // The "exotic" game: P = {(0,0),(1,1),(4,3),(5,4)} + N{(2,0),(6,6)} ⊎ {(0,2),(1,3),(3,4),(4,5)} + N{(0,2),(6,6)}.
    let exotic = game("rules = [[1, 0], [0, 1], [2, 2]]");
    let recursion = solve(&exotic);
    let member = |x: i64, y: i64, start: &[(i64, i64)], across: (i64, i64)| {
        start.iter().any(|&(a, b)| {
            (0..=x.min(y) / 6).any(|k| {
                let (x, y) = (x - a - 6 * k, y - b - 6 * k);
                if across.0 == 2 { y == 0 && x >= 0 && x % 2 == 0 } else { x == 0 && y >= 0 && y % 2 == 0 }
            })
        })
    };
    for (x, y) in (0..48i64).flat_map(|x| (0..48i64).map(move |y| (x, y))) {
        let below = member(x, y, &[(0, 0), (1, 1), (4, 3), (5, 4)], (2, 0));
        let above = member(x, y, &[(0, 2), (1, 3), (3, 4), (4, 5)], (0, 2));
        assert_eq!(recursion.outcome(&[x, y]), Some(Outcome::p_if(below || above)), "({x},{y})");
    }
}

/// Thesis, Example 2.4: Nim with heaps up to 2.
#[test]
fn example_2_4() {
    let lattice = HeapLattice::new(&"0.[3]".parse().unwrap(), 2, Some(Play::Normal), &Unlimited).unwrap();
    assert_eq!(lattice.description.rules(), [[-1, 1], [0, 1], [1, 0]]);
    let game = LatticeGame::new(&lattice.description, &Unlimited).unwrap();
    assert_eq!(game.functional(), [1, 2]);
    assert_eq!(ParityKernel::of_lattice(&game).unwrap().values(), [1, 2]);
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, ..ProptestConfig::default() })]

    /// Every finite game is a lattice game: outcomes of the positions agree, in both plays.
    #[test]
    fn graph_games_agree_with_their_lattice_form(
        options in prop::collection::vec(prop::collection::vec(any::<prop::sample::Index>(), 0..4), 2..9),
        misere: bool,
    ) {
        // Position i moves to earlier ones only, so play ends.
        let options: Vec<Vec<usize>> = options
            .iter()
            .enumerate()
            .map(|(i, list)| if i == 0 { vec![] } else { list.iter().map(|index| index.index(i)).collect() })
            .collect();
        let moves = options
            .iter()
            .enumerate()
            .map(|(i, list)| (format!("v{i}"), list.iter().map(|j| format!("v{j}")).collect()))
            .collect();
        let graph = Graph::new(moves).unwrap();
        let play = if misere { Play::Misere } else { Play::Normal };
        let Ok(lattice) = GraphLattice::new(&graph, Some(play)) else {
            prop_assert!(options.iter().all(Vec::is_empty));
            return Ok(());
        };
        let game = LatticeGame::new(&lattice.description, &Unlimited).unwrap();
        let mut outcomes: Vec<Outcome> = Vec::new();
        for (i, list) in options.iter().enumerate() {
            let outcome = if list.is_empty() {
                Outcome::p_if(!misere)
            } else {
                Outcome::p_if(!list.iter().any(|&j| outcomes[j].is_p()))
            };
            outcomes.push(outcome);
            if !list.is_empty() {
                let point = lattice.point(&format!("v{i}")).unwrap();
                let region = Region::around_point(&game, &point).unwrap();
                let recursion = Recursion::new(&game, &region, 1 << 24, &Unlimited).unwrap();
                prop_assert_eq!(recursion.outcome(&point), Some(outcome));
            }
        }
    }
}
