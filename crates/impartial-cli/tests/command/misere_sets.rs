//! Quotients as presentations and as sets: by monoids, by automata, by strata and by series, against each other.

use impartial::game::quotient_strategy;
use impartial::heap::HeapRules;
use impartial::lattice::HeapLattice;
use impartial::outcome::Play;
use impartial::solve::presentation::{CountedOutcomes, Outcomes, Presentation, Rewriting, SetOutcomes, presentation};
use impartial::solve::search::Search;
use impartial::strategy::{Congruence, CountersStrategy, Fibres, PresentationStrategy, SeriesStrategy};
use impartial_check::check;
use num_bigint::{BigInt, BigUint};
use proptest::prelude::*;
use semilinear::integer::{Int, vector};
use semilinear::run::{Run, Unlimited};
use semilinear::semigroup::{AffineSemigroup, Module, Stratification};
use semilinear::vectorset::{Effort, VectorSet};

use crate::found::{counters, quotient, valid};

fn presented<O: Outcomes>(outcomes: &O, known: Rewriting) -> Presentation {
    match presentation(outcomes, known, &Unlimited) {
        Run::Finished(found) => found,
        Run::Stopped(why, _) => panic!("{why}"),
    }
}

fn natural(x: &[u32]) -> Vec<BigUint> {
    x.iter().map(|&n| n.into()).collect()
}

fn integer(x: &[u32]) -> Vec<BigInt> {
    x.iter().map(|&n| n.into()).collect()
}

/// Example 6.4 of Guo's thesis (4.7 of the paper): an infinite quotient on ℕ⁵, by seventeen relations.
#[test]
fn the_game_on_five_heaps_has_seventeen_relations() {
    let text = include_str!("../../../../testdata/example-6.4.json");
    let json: serde_json::Value = serde_json::from_str(text).unwrap();
    let rows = |value: &serde_json::Value| -> Vec<Vec<i64>> { serde_json::from_value(value.clone()).unwrap() };
    let modules = json["pieces"]
        .as_array()
        .unwrap()
        .iter()
        .map(|piece| Module { bases: rows(&serde_json::json!([piece["f"]])), generators: rows(&piece["A"]) })
        .collect();
    let effort = Effort::unlimited();
    let set = Stratification::new(5, modules).unwrap().vector_set(&effort).unwrap();
    let outcomes = SetOutcomes::new(&set, effort);
    let found = presented(&outcomes, Rewriting::new(5));
    assert!(found.complete);
    assert_eq!((found.relations.rules().len(), found.order()), (17, None));
    let relation = |left: [u32; 5], right: [u32; 5]| (left.to_vec(), right.to_vec());
    let rules = found.relations.rules();
    for expected in [
        relation([2, 0, 0, 0, 0], [0; 5]),
        relation([0, 4, 0, 0, 0], [0, 2, 0, 0, 0]),
        relation([0, 0, 4, 0, 0], [0, 0, 3, 0, 0]),
        relation([0, 0, 0, 6, 2], [0, 0, 0, 4, 0]),
        relation([0, 0, 0, 2, 10], [0, 0, 0, 0, 8]),
    ] {
        assert!(rules.contains(&expected), "{expected:?}");
    }
    // Normal forms are equal exactly for congruent positions.
    let mut seed = 1_u64;
    let mut draw = |most: u64| {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        u32::try_from((seed >> 33) % most).unwrap()
    };
    let mut same = 0;
    for i in 0..60 {
        let p: Vec<u32> = (0..5).map(|_| draw(13)).collect();
        // Every other time q is a congruent neighbour, if there is one.
        let q: Vec<u32> = if i % 2 == 0 { (0..5).map(|_| draw(13)).collect() } else { found.relations.normal_form(&p) };
        let equal = found.relations.normal_form(&p) == found.relations.normal_form(&q);
        same += usize::from(equal);
        let shift = |x: &[u32]| set.shift(&natural(x), &effort).unwrap();
        assert_eq!(equal, shift(&p) == shift(&q), "{p:?} {q:?}");
    }
    assert!(same >= 30);
}

/// Theorem 8.3 of the thesis: when P is a normal affine semigroup, the quotient is the group ℤᵈ/ℤP.
#[test]
fn normal_semigroups_have_their_group_as_quotient() {
    let effort = Effort::unlimited();
    for generators in [
        vec![vector(&[2, 0]), vector(&[1, 1]), vector(&[0, 2])],
        vec![vector(&[2, 0]), vector(&[0, 2])],
        vec![vector(&[3, 0]), vector(&[1, 1]), vector(&[0, 3])],
        vec![vector(&[3, 0]), vector(&[2, 1]), vector(&[1, 2]), vector(&[0, 3])],
        vec![vector(&[2, 0, 0]), vector(&[0, 2, 0]), vector(&[0, 0, 2])],
        vec![vector(&[1, 2]), vector(&[4, 0]), vector(&[0, 4]), vector(&[2, 0]), vector(&[0, 4])],
    ] {
        let d = generators[0].len();
        let semigroup = AffineSemigroup::new(d, generators.clone()).unwrap();
        if !semigroup.is_normal(&Unlimited).unwrap() {
            continue;
        }
        let columns: Vec<Vec<i64>> =
            generators.iter().map(|g| g.iter().map(|n| n.to_i64().unwrap()).collect()).collect();
        let set = VectorSet::image(&vec![0; d], &columns, &effort).unwrap();
        let found = presented(&SetOutcomes::new(&set, effort), Rewriting::new(d));
        let group: Int = semigroup.quotient_invariants().unwrap().iter().fold(Int::from(1), |n, m| &n * m);
        assert_eq!(found.order().map(|n| Int::from(i64::try_from(n).unwrap())), Some(group), "{generators:?}");
    }
}

/// Congruence by the quotient, by its presentation (also read from a file), by the automaton and by the series is the same relation.
#[test]
fn congruence_is_the_same_by_every_form() {
    let effort = Effort::unlimited();
    let mut compared = 0;
    for (code, heaps) in [("0.77", 4), ("0.123", 6), ("0.31", 3), ("subtract:1,2", 3), ("4.3", 3)] {
        let strategy = quotient(code, heaps);
        let fibres = Fibres::of_quotient(&strategy, heaps as u64, &Unlimited).unwrap();
        let automaton = fibres.automaton(&effort).unwrap();
        let strata = fibres.stratification(&effort).unwrap();
        assert_eq!(strata.strata().vector_set(&effort).unwrap(), *automaton.set(), "{code}");
        let series = SeriesStrategy::from_strata(&strata, &Unlimited).unwrap();
        let outcomes = SetOutcomes::new(automaton.set(), effort);
        let found = presented(&outcomes, Rewriting::new(automaton.game().dimension()));
        let Ok(Run::Finished(file)) = PresentationStrategy::search(automaton.clone(), &effort) else {
            panic!("{code}")
        };
        let file = file.to_envelope().unwrap();
        assert!(valid(&file), "{code}: presentation");
        let presentation = PresentationStrategy::from_envelope(&file, &Unlimited).unwrap().into_claim();
        // The lattice game's heaps may tell fewer sums apart than all heaps do, when the quotient is that of all heaps.
        let bounded = match quotient_strategy(code.parse().unwrap(), Some(heaps), &Unlimited) {
            Run::Finished(bounded) if bounded.quotient().heaps() == heaps => bounded,
            _ => continue,
        };
        compared += 1;
        assert_eq!(found.order(), Some(bounded.quotient().order()), "{code}");
        let portion = outcomes.p_portion(&found.relations.cones()).unwrap();
        assert_eq!(portion, Some(bounded.quotient().p().count()), "{code}");
        let sizes: Vec<u64> = {
            let lattice = HeapLattice::new(bounded.rules(), heaps as u64, Some(Play::Misere), &Unlimited);
            lattice.unwrap().sizes
        };
        let d = sizes.len();
        let value = |x: &[u32]| {
            let sum: Vec<(u32, u32)> =
                sizes.iter().map(|&h| u32::try_from(h).unwrap()).zip(x.iter().copied()).collect();
            bounded.quotient().value(&sum)
        };
        let points: Vec<Vec<u32>> = (0..5_u32.pow(u32::try_from(d.min(3)).unwrap()))
            .map(|n| (0..d).map(|i| if i < 3 { n / 5_u32.pow(u32::try_from(i).unwrap()) % 5 } else { n % 2 }).collect())
            .collect();
        for (i, p) in points.iter().enumerate().step_by(7) {
            for (j, q) in points.iter().enumerate().skip(i).step_by(5) {
                let equal = value(p) == value(q);
                assert_eq!(
                    equal,
                    found.relations.normal_form(p) == found.relations.normal_form(q),
                    "{code} {p:?} {q:?}"
                );
                let by_automaton = automaton.congruence(&integer(p), &integer(q), &effort).unwrap();
                assert_eq!(equal, by_automaton == Congruence::Congruent, "{code} {p:?} {q:?}");
                let by_presentation = presentation.congruence(&integer(p), &integer(q), &effort).unwrap();
                assert_eq!(equal, by_presentation == Congruence::Congruent, "{code} {p:?} {q:?}");
                if d <= 3 && (i + j) % 29 == 0 {
                    let by_series = series.congruence(&integer(p), &integer(q), &Unlimited).unwrap();
                    assert_eq!(equal, by_series == Congruence::Congruent, "{code} {p:?} {q:?}");
                }
            }
        }
    }
    assert!(compared >= 3);
}

/// A counter form is presented completely, and congruence of its sums is decided exactly.
#[test]
fn counters_are_presented_and_compared() {
    let strategy = counters("0.76", 12);
    let effort = Effort::unlimited();
    let outcomes = CountedOutcomes::new(strategy.counters(), effort).unwrap();
    let found = presented(&outcomes, outcomes.known(&Unlimited).unwrap());
    assert!(found.complete);
    assert_eq!((found.relations.rules().len(), found.order()), (17, None));
    // The same relations without any known before.
    assert_eq!(presented(&outcomes, Rewriting::new(outcomes.dimension())).relations, found.relations);
    let heaps = outcomes.heaps();
    let sum = |x: &[u32]| -> Vec<BigUint> {
        heaps.iter().zip(x).flat_map(|(&h, &n)| (0..n).map(move |_| BigUint::from(h))).collect()
    };
    let d = heaps.len();
    let mut equal_pairs = 0;
    for n in 0..400_u32 {
        let x: Vec<u32> = (0..u32::try_from(d).unwrap()).map(|i| (n * 7 + n / (i + 2) * 3 + i) % 4).collect();
        let mut y = x.clone();
        y[(n as usize) % d] += 1 + n % 2;
        let equal = found.relations.normal_form(&x) == found.relations.normal_form(&y);
        equal_pairs += usize::from(equal);
        let apart = strategy.distinguishing(&sum(&x), &sum(&y)).unwrap().expect("it is settled");
        assert_eq!(equal, apart.is_none(), "{x:?} {y:?}");
        if let Some(word) = apart {
            let extra = word.iter().flat_map(|&(h, n)| (0..n).map(move |_| BigUint::from(h)));
            let with =
                |x: &[u32]| strategy.outcome(&sum(x).into_iter().chain(extra.clone()).collect::<Vec<_>>()).unwrap();
            assert_ne!(with(&x), with(&y), "{x:?} {y:?} {word:?}");
        }
    }
    assert!(equal_pairs > 20);
}

/// Strata, series and automata of a misère strategy are valid files with the outcomes of the strategy.
#[test]
fn converted_strategies_are_valid_and_agree() {
    let effort = Effort::unlimited();
    let kayles = quotient("0.77", 6);
    let finite = Fibres::of_quotient(&kayles, 6, &Unlimited).unwrap();
    let weird = counters("0.3122", 7);
    let counted = Fibres::of_counters(&weird, 7, &Unlimited).unwrap();
    for (code, heaps, fibres) in [("0.77", 6_u32, &finite), ("0.3122", 7, &counted)] {
        let strata = fibres.stratification(&effort).unwrap();
        assert!(valid(&strata.to_envelope()), "{code}: strata");
        let automaton = fibres.automaton(&effort).unwrap();
        assert!(valid(&automaton.to_envelope()), "{code}: automaton");
        assert_eq!(strata.strata().vector_set(&effort).unwrap(), *automaton.set(), "{code}");
        if code == "0.77" {
            assert!(valid(&SeriesStrategy::from_strata(&strata, &Unlimited).unwrap().to_envelope()), "{code}: series");
        } else {
            // The counters need generators that are no multiples of unit vectors.
            let diagonal = |v: &Vec<i64>| v.iter().filter(|&&n| n != 0).count() > 1;
            assert!(strata.strata().modules().iter().any(|module| module.generators.iter().any(diagonal)));
        }
        let rules: HeapRules = code.parse().unwrap();
        let mut search = Search::new(&rules, &Unlimited);
        for n in 1..200_u32 {
            let x: Vec<u32> = (0..heaps).map(|i| n * (i + 3) / 5 % 3).collect();
            let sum: Vec<u64> = (1..).zip(&x).flat_map(|(h, &n)| (0..n).map(move |_| h)).collect();
            let expected = search.outcome(Play::Misere, &sum).unwrap();
            assert_eq!(strata.outcome(&integer(&x)), (!sum.is_empty()).then_some(expected), "{code} {x:?}");
        }
    }
}

/// The number in a vector of counts, however large, by the counters: elements are raised to powers.
fn counted_outcome(strategy: &CountersStrategy, sizes: &[u64], x: &[BigInt]) -> bool {
    let monoid = &strategy.counters().monoid;
    let mut element = 0;
    let mut counts = vec![BigUint::ZERO; strategy.counters().counters.len()];
    for (&h, n) in sizes.iter().zip(x) {
        let (v, k) = strategy.value(&[h.into()]).unwrap();
        let n = n.to_biguint().unwrap();
        for (count, &k) in counts.iter_mut().zip(&k) {
            *count += &n * BigUint::from(k);
        }
        let mut power = v;
        for bit in 0..n.bits() {
            if n.bit(bit) {
                element = monoid.product(element, power);
            }
            power = monoid.product(power, power);
        }
    }
    strategy.counters().set_of(element as usize, &Effort::unlimited()).unwrap().contains(&counts)
}

/// Strata and series of counters in twelve coordinates; their outcomes are those of the counters, for huge numbers of heaps too.
#[test]
fn counters_become_series_in_many_coordinates() {
    let effort = Effort::unlimited();
    for (code, heaps) in [("0.76", 12), ("0.3102", 12)] {
        let strategy = counters(code, heaps);
        let fibres = Fibres::of_counters(&strategy, heaps as u64, &Unlimited).unwrap();
        let strata = fibres.stratification(&effort).unwrap();
        let series = SeriesStrategy::from_strata(&strata, &Unlimited).unwrap();
        let file = series.to_envelope();
        assert!(valid(&file), "{code}: {:?}", check(&file.to_text(), &|| true));
        let series = SeriesStrategy::from_envelope(&file, &Unlimited).unwrap().into_claim();
        assert_eq!(series.to_envelope(), file);
        let lattice = HeapLattice::new(strategy.rules(), heaps as u64, Some(Play::Misere), &Unlimited).unwrap();
        let sizes = lattice.sizes;
        let huge: BigInt = BigInt::from(10).pow(25);
        let (mut seed, mut portion) = (5_u64, 0);
        let mut draw = |most: u64| {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (seed >> 33) % most
        };
        for i in 0..120 {
            let mut x: Vec<BigInt> =
                sizes.iter().map(|_| if draw(3) == 0 { draw(5).into() } else { BigInt::ZERO }).collect();
            if i % 2 == 0 {
                // Many of both counters, and of one more heap.
                let many = &huge + draw(9);
                for &c in &strategy.counters().counters {
                    x[sizes.iter().position(|&h| h == u64::from(c)).unwrap()] = &many + draw(4);
                }
                x[usize::try_from(draw(sizes.len() as u64)).unwrap()] += &huge;
            }
            if x.iter().all(|n| *n == BigInt::ZERO) {
                continue;
            }
            let expected = counted_outcome(&strategy, &sizes, &x);
            portion += usize::from(expected);
            assert_eq!(series.outcome(&x, &Unlimited).unwrap().unwrap().is_p(), expected, "{code} {x:?}");
            assert_eq!(strata.outcome(&x).unwrap().is_p(), expected, "{code} {x:?}");
        }
        assert!(portion > 5, "{code}: {portion}");
        // A stratum moved, and one left out.
        if code == "0.3102" {
            for change in [0, 1] {
                let mut copy = file.clone();
                let bases = copy.certificate["modules"][3]["bases"].as_array_mut().unwrap();
                match change {
                    0 => bases[0][0] = (bases[0][0].as_i64().unwrap() + 1).into(),
                    _ => drop(bases.pop()),
                }
                assert!(!valid(&copy), "{code}: change {change}");
            }
        }
    }
}

/// Winning moves from heaps that no list of options reaches.
#[test]
fn huge_heaps_have_winning_moves() {
    let kayles = quotient("0.77", 1000);
    let mut found = 0;
    for n in 0..24_u32 {
        let heap = BigUint::from(10_u32).pow(30) + n;
        for rest in [&[][..], &[5], &[9, 20]] {
            let heaps: Vec<BigUint> = rest.iter().map(|&h: &u32| h.into()).chain([heap.clone()]).collect();
            let moves = kayles.winning_moves(&heaps).unwrap();
            assert_eq!(moves.positions.is_empty(), kayles.outcome(&heaps).unwrap().is_p(), "{heaps:?}");
            for position in &moves.positions {
                assert!(kayles.outcome(position).unwrap().is_p());
                found += 1;
            }
        }
    }
    assert!(found > 24);
    // Where all options can be listed, the classes agree with the list.
    let search_rules: HeapRules = "0.77".parse().unwrap();
    for n in 1..40_u64 {
        let all = kayles.winning_moves(&[n.into(), 7_u32.into()]).unwrap();
        let mut listed = Search::new(&search_rules, &Unlimited).winning_moves(Play::Misere, &[n, 7]).unwrap();
        for position in &mut listed {
            position.sort_unstable();
        }
        listed.sort();
        listed.dedup();
        let expected: Vec<Vec<BigUint>> =
            listed.iter().map(|position| position.iter().map(|&h| h.into()).collect()).collect();
        assert!(all.complete);
        let mut positions = all.positions;
        positions.sort();
        let mut expected = expected;
        expected.sort();
        assert_eq!(positions, expected, "{n}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(12))]

    /// Random sets {x : x·a mod m ∈ R, or a threshold is met}: normal forms are equal exactly for equal shifts.
    #[test]
    fn normal_forms_tell_classes_apart(a in 0..4_i64, b in 1..4_i64, m in 1..4_u64, at in 0..4_i64, slope in -2..3_i64) {
        use semilinear::vectorset::Relation;
        let effort = Effort::unlimited();
        let residues = VectorSet::congruence(&[a, b], 1, m, &effort).unwrap();
        let half = VectorSet::linear(&[1, -slope], -at, Relation::AtLeastZero, &effort).unwrap();
        let set = residues.symmetric_difference(&half, &effort).unwrap();
        let found = presented(&SetOutcomes::new(&set, effort), Rewriting::new(2));
        prop_assert!(found.complete);
        let points: Vec<Vec<u32>> = (0..64).map(|n| vec![n % 8, n / 8]).collect();
        for p in points.iter().step_by(3) {
            for q in points.iter().step_by(5) {
                let equal = found.relations.normal_form(p) == found.relations.normal_form(q);
                let shift = |x: &[u32]| set.shift(&natural(x), &effort).unwrap();
                prop_assert_eq!(equal, shift(p) == shift(q), "{:?} {:?}", p, q);
            }
        }
    }
}

/// Counters that are larger heaps than the bound are no coordinates: there are none of them.
#[test]
fn counters_beyond_the_bound_are_left_out() {
    let strategy = counters("0.76", 12);
    let effort = Effort::unlimited();
    for heap in [6, 8, 11] {
        let fibres = Fibres::of_counters(&strategy, heap, &Unlimited).unwrap();
        let strata = fibres.stratification(&effort).unwrap();
        assert_eq!(
            strata.strata().vector_set(&effort).unwrap(),
            *fibres.automaton(&effort).unwrap().set(),
            "heaps up to {heap}"
        );
        assert!(valid(&strata.to_envelope()), "heaps up to {heap}");
    }
}
