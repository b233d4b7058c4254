//! Properties of poset games on random posets.

use impartial::outcome::{Outcome, Play};
use impartial::poset::Poset;
use impartial::solve::poset::plain::Plain;
use impartial::solve::poset::{Solver, nfree};
use proptest::prelude::*;
use semilinear::run::Unlimited;

/// A random poset: relations only from smaller to larger numbers.
fn posets(most: usize) -> impl Strategy<Value = Poset> {
    (1..=most).prop_flat_map(|n| {
        prop::collection::vec((0..n, 0..n), 0..=2 * n).prop_map(move |pairs| {
            let relations: Vec<(usize, usize)> =
                pairs.into_iter().filter(|(x, y)| x != y).map(|(x, y)| (x.min(y), x.max(y))).collect();
            Poset::from_relations((0..n).map(|x| format!("e{x}")).collect(), &relations).unwrap()
        })
    })
}

/// A random series-parallel poset.
fn series_parallel() -> impl Strategy<Value = Poset> {
    let leaf = Just(Poset::chain(1).unwrap());
    leaf.prop_recursive(4, 12, 2, |inner| {
        (inner.clone(), inner, any::<bool>()).prop_map(|(p, q, series)| {
            let sum = if series { p.linear_sum(&q) } else { p.disjoint_union(&q) };
            sum.unwrap().renamed(|x, _| format!("e{x}"))
        })
    })
}

/// The same poset with its elements renumbered.
fn shuffled(poset: &Poset, keys: &[u32]) -> Poset {
    let n = poset.len();
    let mut place: Vec<usize> = (0..n).collect();
    place.sort_by_key(|&x| (keys[x % keys.len()], x));
    let relations: Vec<(usize, usize)> = poset
        .covers()
        .into_iter()
        .map(|(x, y)| (place.iter().position(|&z| z == x).unwrap(), place.iter().position(|&z| z == y).unwrap()))
        .collect();
    Poset::from_relations((0..n).map(|x| format!("f{x}")).collect(), &relations).unwrap()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn the_general_solver_equals_the_plain_search(poset in posets(10)) {
        let mut plain = Plain::new(&poset);
        let mut solver = Solver::new(poset.clone());
        let all = poset.all();
        let value = plain.grundy(&all, &Unlimited);
        prop_assert_eq!(solver.grundy(&all, &Unlimited), value.clone());
        prop_assert_eq!(Solver::by_search(poset.clone()).grundy(&all, &Unlimited), value);
        for play in [Play::Normal, Play::Misere] {
            prop_assert_eq!(solver.outcome(&all, play, &Unlimited), plain.outcome(&all, play, &Unlimited));
            let moves = solver.winning_moves(&all, play, &Unlimited).unwrap();
            let expected: Vec<usize> = (0..poset.len())
                .filter(|&x| plain.outcome(&poset.option(&all, x), play, &Unlimited).unwrap().is_p())
                .collect();
            prop_assert_eq!(moves, expected);
        }
    }

    #[test]
    fn the_n_free_solver_equals_the_plain_search(poset in series_parallel()) {
        prop_assert_eq!(nfree::witness(&poset, &poset.all()), None);
        let expected = Plain::new(&poset).grundy(&poset.all(), &Unlimited).unwrap();
        prop_assert_eq!(nfree::grundy(&poset, &poset.all()), Ok(expected));
        prop_assert_eq!(Solver::new(poset.clone()).grundy(&poset.all(), &Unlimited), Ok(expected));
    }

    #[test]
    fn the_witness_is_an_n(poset in posets(9)) {
        let n = poset.len();
        let found = nfree::witness(&poset, &poset.all());
        let incomparable = |x, y| x != y && !poset.less(x, y) && !poset.less(y, x);
        let is_n = |[a, b, c, d]: [usize; 4]| {
            poset.less(a, c) && poset.less(b, c) && poset.less(b, d)
                && incomparable(a, b) && incomparable(c, d) && incomparable(a, d)
        };
        match found {
            Some(witness) => prop_assert!(is_n(witness)),
            None => {
                for code in 0..n.pow(4) {
                    prop_assert!(!is_n([code % n, code / n % n, code / n / n % n, code / n / n / n]));
                }
            }
        }
    }

    /// Faces of random complexes are recognised as such, in any numbering.
    #[test]
    fn complexes_equal_the_plain_search(
        points in 3..=7_u32,
        facets in prop::collection::vec(1..128_u32, 1..5),
        keys in prop::collection::vec(any::<u32>(), 128),
    ) {
        let small = |facet: &u32| facet & ((1 << points) - 1);
        // All points, so that there are enough of them; facets with at most three of them, so that it is quick.
        let faces: Vec<u32> = (1..1 << points)
            .filter(|s: &u32| s.is_power_of_two()
                || s.count_ones() <= 3 && facets.iter().map(small).any(|facet| s & !facet == 0))
            .collect();
        prop_assume!(faces.len() <= 16);
        let relations: Vec<(usize, usize)> = (0..faces.len())
            .flat_map(|x| (0..faces.len()).map(move |y| (x, y)))
            .filter(|&(x, y)| x != y && faces[x] & !faces[y] == 0)
            .collect();
        let names = faces.iter().map(ToString::to_string).collect();
        let poset = shuffled(&Poset::from_relations(names, &relations).unwrap(), &keys);
        let all = poset.all();
        let mut plain = Plain::new(&poset);
        let mut solver = Solver::new(poset.clone());
        prop_assert_eq!(solver.grundy(&all, &Unlimited), plain.grundy(&all, &Unlimited));
        for x in 0..poset.len() {
            let option = poset.option(&all, x);
            prop_assert_eq!(
                solver.outcome(&option, Play::Normal, &Unlimited),
                plain.outcome(&option, Play::Normal, &Unlimited)
            );
        }
    }

    /// Young diagrams are recognised as Chomp, in any numbering.
    #[test]
    fn diagrams_equal_the_plain_search(
        mut rows in prop::collection::vec(1..6_usize, 2..5),
        keys in prop::collection::vec(any::<u32>(), 24),
    ) {
        rows.sort_unstable_by(|a, b| b.cmp(a));
        let poset = shuffled(&Poset::chomp(&rows).unwrap(), &keys);
        let all = poset.all();
        let mut plain = Plain::new(&poset);
        let mut solver = Solver::new(poset.clone());
        prop_assert_eq!(solver.grundy(&all, &Unlimited), plain.grundy(&all, &Unlimited));
        let expected: Vec<usize> = (0..poset.len())
            .filter(|&x| plain.grundy(&poset.option(&all, x), &Unlimited) == Ok(0))
            .collect();
        prop_assert_eq!(solver.winning_moves(&all, Play::Normal, &Unlimited), Ok(expected));
    }

    #[test]
    fn isomorphic_posets_agree(poset in posets(9), keys in prop::collection::vec(any::<u32>(), 9)) {
        let other = shuffled(&poset, &keys);
        prop_assert_eq!(
            Solver::new(poset.clone()).grundy(&poset.all(), &Unlimited),
            Solver::new(other.clone()).grundy(&other.all(), &Unlimited)
        );
    }

    #[test]
    fn strategy_stealing(poset in posets(8)) {
        let one = Poset::chain(1).unwrap();
        for stolen in [one.linear_sum(&poset).unwrap(), poset.linear_sum(&one).unwrap()] {
            prop_assert_eq!(
                Plain::new(&stolen).outcome(&stolen.all(), Play::Normal, &Unlimited), Ok(Outcome::N));
            prop_assert!(Solver::new(stolen.clone()).grundy(&stolen.all(), &Unlimited).unwrap() > 0);
        }
    }

    #[test]
    fn sums_add(p in posets(6), q in posets(6)) {
        let sum = p.disjoint_union(&q).unwrap();
        let value = |poset: &Poset| Plain::new(poset).grundy(&poset.all(), &Unlimited).unwrap();
        prop_assert_eq!(Solver::new(sum.clone()).grundy(&sum.all(), &Unlimited), Ok(value(&p) ^ value(&q)));
    }
}
