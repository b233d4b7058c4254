//! The periodicity theorem against published tables and against plain recursion.

use std::collections::HashMap;

use impartial::poset::chains::{ChainsGame, Cross, Meeting, Skeleton};
use impartial::solve::chains::plain::Table;
use impartial::solve::chains::{Kind, Pattern, Solution, ThreeRows, grundy};
use num_bigint::BigUint;
use proptest::prelude::*;
use semilinear::run::Unlimited;
use serde_json::Value;

fn truth() -> Value {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../testdata/chains.json");
    serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap()
}

fn number(value: &Value) -> u64 {
    value.as_u64().unwrap()
}

fn chomp(rows: &[u64], values: u64) -> Solution {
    Solution::new(ChainsGame::chomp(rows).unwrap(), values, &Unlimited).unwrap()
}

/// The pattern of one third row, from a solution for longer third rows.
fn third_row(all: &Solution, r: u64, k: u32) -> Pattern {
    let mut rows = vec![u32::try_from(r).unwrap()];
    rows.retain(|&r| r > 0);
    all.pattern_of(&rows, k).unwrap()
}

fn assert_periodic(pattern: &Pattern, preperiod: &Value, period: &Value, offsets: &Value, what: &str) {
    assert_eq!(pattern.kind(), Kind::Periodic(u32::try_from(number(period)).unwrap()), "{what}");
    assert_eq!(u64::from(pattern.preperiod()), number(preperiod), "{what}");
    // The offsets of long periods are not in the table.
    if let Some(offsets) = offsets.as_array() {
        let expected: Vec<i64> = offsets.iter().map(|x| x.as_i64().unwrap()).collect();
        assert_eq!(pattern.offsets(), expected, "{what}");
    }
}

#[test]
fn three_rows_value_0() {
    let truth = truth();
    let all = chomp(&[200], 0);
    for row in truth["three_rows_value_0"].as_array().unwrap() {
        let r = number(&row[0]);
        let pattern = third_row(&all, r, 0);
        if row.as_array().unwrap().len() == 4 {
            assert_periodic(&pattern, &row[1], &row[2], &row[3], &format!("r = {r}"));
        } else {
            assert_eq!(pattern.kind(), Kind::Finite, "r = {r}");
            let pairs = pattern.initial();
            assert_eq!(pairs.len() as u64, number(&row[2]), "r = {r}");
            // The last P-position is the one with rows 1 and 2 equal.
            let &(m, n) = pairs.last().unwrap();
            assert_eq!((u64::from(m), m), (number(&row[1]), n), "r = {r}");
        }
    }
}

/// All third rows up to 2100: every one with a period above 1 is in the table, and no other.
#[test]
fn three_rows_with_long_periods() {
    let truth = truth();
    let mut table = truth["three_rows_value_0_nontrivial"].as_array().unwrap().iter();
    let mut engine = ThreeRows::new();
    for r in 0..=2100 {
        let branch = engine.next(&Unlimited).unwrap();
        if branch.period > 1 {
            let row = table.next().unwrap();
            assert_eq!(r, number(&row[0]));
            assert_periodic(&branch.into(), &row[1], &row[2], &row[3], &format!("r = {r}"));
        }
    }
    assert!(table.next().is_none());
}

#[test]
fn three_rows_values_to_8() {
    let all = chomp(&[40], 8);
    for row in truth()["three_rows_values_to_8"].as_array().unwrap() {
        let (r, k) = (number(&row[0]), u32::try_from(number(&row[1])).unwrap());
        let pattern = third_row(&all, r, k);
        let what = format!("r = {r}, k = {k}");
        if row.as_array().unwrap().len() == 5 {
            assert_periodic(&pattern, &row[2], &row[3], &row[4], &what);
        } else {
            assert_eq!(pattern.kind(), Kind::Finite, "{what}");
            let corner = row[2].as_i64().unwrap();
            let last = pattern.initial().last().map_or(-1, |&(m, n)| if m == n { i64::from(m) } else { -2 });
            // -1: every position with this third row has an option of value k below the third row.
            if corner >= 0 {
                assert_eq!(last, corner, "{what}");
            } else {
                assert!(pattern.initial().is_empty(), "{what}");
            }
        }
    }
}

#[test]
fn four_rows() {
    for (rows, row) in truth()["four_rows_value_0"].as_object().unwrap() {
        let lengths: Vec<u64> = rows.split(',').map(|r| r.parse().unwrap()).collect();
        let pattern = chomp(&lengths, 0).pattern(0).unwrap();
        if row.get("period").is_some() {
            assert_periodic(&pattern, &row["preperiod"], &row["period"], &row["offsets"], rows);
        } else {
            assert_eq!(pattern.kind(), Kind::Finite, "{rows}");
            let last = pattern.initial().last().map(|&(m, n)| [u64::from(n), u64::from(m)]);
            let corner = row["corner"].as_array().map(|c| [number(&c[0]), number(&c[1])]);
            assert_eq!(last, corner, "{rows}");
        }
    }
}

#[test]
fn one_chain() {
    for (rows, row) in truth()["one_chain"].as_object().unwrap() {
        let lengths: Vec<u64> = rows.split(',').map(|r| r.parse().unwrap()).collect();
        if lengths.iter().sum::<u64>() > 14 {
            continue; // the larger ones take minutes without optimisation; `all_one_chain_rows` has them
        }
        let game = ChainsGame::chomp_row(&lengths).unwrap();
        let pattern = Solution::new(game, 0, &Unlimited).unwrap().pattern(0).unwrap();
        assert_periodic(&pattern, &row["preperiod"], &row["period"], &row["offsets"], rows);
    }
}

/// Sun's observation (The Sprague–Grundy function for Chomp, cited by Byrnes): with the second row fixed the Grundy
/// value follows the first row with a period; its length and preperiod for two rows.
#[test]
fn two_rows_have_period_2() {
    for q in 2..=14u32 {
        let game = ChainsGame::chomp_row(&[q.into()]).unwrap();
        let pattern = Solution::new(game, 0, &Unlimited).unwrap().pattern(0).unwrap();
        assert_eq!(pattern.kind(), Kind::Periodic(2), "q = {q}");
        assert_eq!(pattern.preperiod(), if q % 2 == 0 { 2 * q } else { 2 * q - 1 }, "q = {q}");
    }
}

/// The larger rows of the table: `cargo test --release -p impartial --test engines -- chains --ignored`.
#[test]
#[ignore = "minutes without optimisation"]
fn all_one_chain_rows() {
    for (rows, row) in truth()["one_chain"].as_object().unwrap() {
        let lengths: Vec<u64> = rows.split(',').map(|r| r.parse().unwrap()).collect();
        let game = ChainsGame::chomp_row(&lengths).unwrap();
        let pattern = Solution::new(game, 0, &Unlimited).unwrap().pattern(0).unwrap();
        assert_periodic(&pattern, &row["preperiod"], &row["period"], &row["offsets"], rows);
    }
}

/// The longest period among third rows ≤ r and values ≤ k, the first (third row, value) that has it, and the
/// least common multiple of all periods.
fn longest_period(r: u64, k: u64) -> (u32, (u64, u64), u64) {
    let all = chomp(&[r], k);
    let mut longest = (0, (0, 0));
    let mut lcm = 1;
    for third in 0..=r {
        for value in 0..=k {
            if let Kind::Periodic(period) = third_row(&all, third, u32::try_from(value).unwrap()).kind() {
                lcm = num_integer::lcm(lcm, u64::from(period));
                if period > longest.0 {
                    longest = (period, (third, value));
                }
            }
        }
    }
    (longest.0, longest.1, lcm)
}

/// Third rows ≤ 400 with values ≤ 6, and third rows ≤ 200 with values ≤ 20: the longest periods of the table.
#[test]
#[ignore = "minutes without optimisation"]
fn three_rows_maxima() {
    for row in truth()["three_rows_maxima"].as_array().unwrap() {
        let (longest, first, lcm) = longest_period(number(&row["r"]), number(&row["k"]));
        assert_eq!((u64::from(longest), lcm), (number(&row["max_period"]), number(&row["lcm"])), "{row}");
        if let Some(place) = row["first"].as_array() {
            assert_eq!(first, (number(&place[0]), number(&place[1])), "{row}");
        }
    }
}

/// The first place of the longest period, and nothing longer before it.
#[test]
fn three_rows_maxima_begin() {
    let truth = truth();
    let row = &truth["three_rows_maxima"][0];
    let place = (number(&row["first"][0]), number(&row["first"][1]));
    let (longest, first, lcm) = longest_period(place.0, place.1);
    assert_eq!((u64::from(longest), first, lcm), (number(&row["max_period"]), place, number(&row["lcm"])));
}

/// How many third rows up to 20000 are finite or have each period.
#[test]
#[ignore = "a quarter of a minute in a release build"]
fn three_rows_summary() {
    let truth = truth();
    let table = truth["three_rows_summary_20000"].as_object().unwrap();
    let mut engine = ThreeRows::new();
    let mut counts: std::collections::BTreeMap<String, u64> = std::collections::BTreeMap::new();
    for _ in 0..=20_000 {
        let branch = engine.next(&Unlimited).unwrap();
        let kind = if branch.period == 0 { "finite".into() } else { format!("period{}", branch.period) };
        *counts.entry(kind).or_default() += 1;
    }
    counts.insert("lcm".into(), engine.common_period());
    assert_eq!(serde_json::to_value(counts).unwrap(), Value::Object(table.clone()));
}

fn two_chains(vector: &Value) -> Skeleton {
    let list = |key: &str| vector[key].as_array().unwrap().clone();
    let size = list("first_c_above").len();
    let relations: Vec<(usize, usize)> = list("less")
        .iter()
        .enumerate()
        .flat_map(|(a, above)| {
            let above = above.as_array().unwrap().clone();
            above.into_iter().map(move |b| (a, usize::try_from(number(&b)).unwrap()))
        })
        .collect();
    let meetings = |first: &str, below: &str| -> Vec<Meeting> {
        let (first, below) = (list(first), list(below));
        (0..size).map(|a| Meeting { first_above: first[a].as_u64(), below: below[a].as_u64() }).collect()
    };
    let prefix = list("phi_prefix").iter().map(number).collect();
    let cross = Cross::regular(prefix, number(&vector["phi_P"]), number(&vector["phi_Q"])).unwrap();
    Skeleton::new(
        (0..size).map(|a| format!("a{a}")).collect(),
        &relations,
        meetings("first_c_above", "num_c_below"),
        meetings("first_d_above", "num_d_below"),
        cross,
    )
    .unwrap()
}

#[test]
fn random_two_chain_vectors() {
    for (i, vector) in truth()["two_chains"].as_array().unwrap().iter().enumerate() {
        let game = ChainsGame::two_chains(format!("vector {i}"), two_chains(vector));
        let solution = Solution::new(game.clone(), 3, &Unlimited).unwrap();
        // The table of A_{m,n}, by the position notation m,n and the plain engine.
        for (m, row) in vector["g_table_m_n_le_9"].as_array().unwrap().iter().enumerate() {
            for (n, g) in row.as_array().unwrap().iter().enumerate() {
                let position = game.position(&format!("{m},{n}")).unwrap();
                let g = number(g);
                assert_eq!(grundy(&game, &position, &Unlimited).unwrap().value, BigUint::from(g), "{i}: {m},{n}");
                assert_eq!(solution.grundy(&position), (g <= 3).then(|| g.into()), "{i}: {m},{n}");
                for k in 0..4 {
                    let f = solution.pattern(k).unwrap().at(&m.into());
                    assert_eq!(f == Some(n.into()), g == u64::from(k), "{i}: {m},{n}, k = {k}");
                }
            }
        }
        let normal = game.normal_form().unwrap().unwrap();
        assert_eq!((normal.u, normal.v), (number(&vector["u"]), number(&vector["v"])), "{i}");
        assert_eq!(normal.skeleton.len() as u64, number(&vector["normalised_size"]), "{i}");
        for row in vector["solutions_for_m>=u"].as_array().unwrap() {
            let k = u32::try_from(number(&row["k"])).unwrap();
            let pattern = solution.pattern(k).unwrap();
            match row["kind"].as_str().unwrap() {
                "per" => {
                    assert_eq!(pattern.kind(), Kind::Periodic(u32::try_from(number(&row["period"])).unwrap()));
                    let from = u32::try_from(number(&row["preperiod_m"])).unwrap();
                    // The table looks at m ≥ u only.
                    assert!(
                        pattern.preperiod() <= from
                            && from <= pattern.preperiod().max(u32::try_from(normal.u).unwrap())
                    );
                    for (m, offset) in (from..).zip(row["f_minus_m"].as_array().unwrap()) {
                        let n = i64::from(m) + offset.as_i64().unwrap();
                        assert_eq!(
                            pattern.at(&m.into()),
                            Some(u32::try_from(n).unwrap().into()),
                            "{i} k = {k} m = {m}"
                        );
                    }
                }
                "Q" => assert_eq!(
                    pattern.kind(),
                    Kind::Constant(u32::try_from(number(&row["corner_n"])).unwrap()),
                    "{i} k = {k}"
                ),
                // No position with n ≥ v has this value; one with n < v may.
                _ => assert!(matches!(pattern.kind(), Kind::Finite | Kind::Constant(_)), "{i} k = {k}"),
            }
        }
    }
}

/// A random order on at most `size` elements, with thresholds; closed and checked by [`Skeleton::new`],
/// so that only consistent ones are kept.
fn skeletons(size: usize) -> impl Strategy<Value = Skeleton> {
    let meeting = (proptest::option::weighted(0.3, 1..4u64), prop_oneof![3 => Just(0), 2 => 1..4u64]);
    let element = (meeting.clone(), meeting);
    let cross = prop_oneof![
        Just(Cross::none()),
        (0..3u64).prop_map(|x| Cross::regular(vec![x], 1, 1).unwrap()),
        (0..2u64).prop_map(|x| Cross::regular(vec![x, x + 1], 2, 1).unwrap()),
        (0..2u64).prop_map(|x| Cross::regular(vec![x, x, x + 1], 3, 2).unwrap()),
        (0..2u64).prop_map(|x| Cross::regular(vec![x, x + 1], 2, 3).unwrap()),
        (0..4u64).prop_map(|x| Cross::regular(vec![x], 1, 0).unwrap()),
        (0..3u64).prop_map(|x| Cross::all_after(vec![x, x + 1, x + 1]).unwrap()),
        (0..3u64).prop_map(|x| Cross::regular(vec![x, x, x + 2], 2, 2).unwrap()),
    ];
    (proptest::collection::vec((element, any::<u64>()), 0..=size), cross, 0..3u32).prop_filter_map(
        "no poset with condition (1)",
        |(elements, cross, density)| {
            let size = elements.len();
            let mut relations = Vec::new();
            for (a, (_, bits)) in elements.iter().enumerate() {
                relations.extend((a + 1..size).filter(|b| bits >> (3 * b) & 7 < u64::from(density)).map(|b| (a, b)));
            }
            let meeting = |(first_above, below): (Option<u64>, u64)| Meeting { first_above, below: Some(below) };
            let c = elements.iter().map(|((c, _), _)| meeting(*c)).collect();
            let d = elements.iter().map(|((_, d), _)| meeting(*d)).collect();
            Skeleton::new((0..size).map(|a| format!("a{a}")).collect(), &relations, c, d, cross).ok()
        },
    )
}

/// Grundy values straight from the definition: positions are explicit sets of elements of the finite
/// poset A ∪ {c_1 … c_s} ∪ {d_1 … d_s}, and a move takes an element and all above it.
struct Definition<'a> {
    skeleton: &'a Skeleton,
    chain: usize,
    known: HashMap<u64, u32>,
}

impl Definition<'_> {
    fn less(&self, x: usize, y: usize) -> bool {
        let (size, chain) = (self.skeleton.len(), self.chain);
        let c = |x: usize| (size..size + chain).contains(&x).then(|| (x - size + 1) as u64);
        let d = |x: usize| (size + chain..).contains(&x).then(|| (x - size - chain + 1) as u64);
        match (c(x), d(x), c(y), d(y)) {
            (None, None, None, None) => self.skeleton.less(x, y),
            (None, None, Some(i), _) => self.skeleton.meets_c(x).0.is_some_and(|first| first <= i),
            (None, None, _, Some(j)) => self.skeleton.meets_d(x).0.is_some_and(|first| first <= j),
            (Some(i), _, None, None) => i <= self.skeleton.meets_c(y).1,
            (_, Some(j), None, None) => j <= self.skeleton.meets_d(y).1,
            (Some(i), _, Some(k), _) | (_, Some(i), _, Some(k)) => i < k,
            (_, Some(j), Some(i), _) => self.skeleton.cross().at(i).is_none_or(|below| j <= below),
            (Some(_), _, _, Some(_)) => false,
        }
    }

    fn grundy(&mut self, set: u64) -> u32 {
        if let Some(&g) = self.known.get(&set) {
            return g;
        }
        let total = self.skeleton.len() + 2 * self.chain;
        let mut seen = Vec::new();
        for x in (0..total).filter(|&x| set >> x & 1 == 1) {
            let taken: u64 = (0..total).filter(|&y| x == y || self.less(x, y)).map(|y| 1 << y).sum();
            seen.push(self.grundy(set & !taken));
        }
        let g = (0..=u32::MAX).find(|g| !seen.contains(g)).unwrap();
        self.known.insert(set, g);
        g
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(96))]

    /// The plain engine is the definition.
    #[test]
    fn plain_recursion_is_the_definition(skeleton in skeletons(4)) {
        let game = ChainsGame::two_chains("random".into(), skeleton.clone());
        let chain = 5;
        let mut definition = Definition { skeleton: &skeleton, chain, known: HashMap::new() };
        let size = skeleton.len();
        for m in 0..=chain {
            for n in 0..=chain {
                let position = game.position(&format!("{m},{n}")).unwrap();
                // A ∪ C ∪ D without what is above c_{m+1} or d_{n+1}; elements above more of a chain
                // than is modelled are above c_{m+1} too.
                let keep: u64 = (0..size + 2 * chain)
                    .filter(|&x| {
                        let cut = |y: usize| x == y || definition.less(y, x);
                        (x >= size || (skeleton.meets_c(x).1 <= m as u64 && skeleton.meets_d(x).1 <= n as u64))
                            && (m == chain || !cut(size + m))
                            && (n == chain || !cut(size + chain + n))
                            && (x < size || x >= size + chain
                                || skeleton.cross().at((x - size + 1) as u64).is_some_and(|below| below <= n as u64))
                    })
                    .map(|x| 1 << x)
                    .sum();
                let g = grundy(&game, &position, &Unlimited).unwrap().value;
                prop_assert_eq!(g, BigUint::from(definition.grundy(keep)), "{},{}", m, n);
            }
        }
    }

    /// Every position up to m, n ≤ 60: value at most 4 exactly where the solution says so, for the
    /// whole of A and for every order ideal.
    #[test]
    fn solutions_agree_with_plain_recursion(skeleton in skeletons(6)) {
        let (values, size) = (4, 60);
        let game = ChainsGame::two_chains("random".into(), skeleton);
        let solution = Solution::new(game.clone(), values, &Unlimited).unwrap();
        let ideals = solution.ideals();
        let table = Table::new(ideals, &game.cross(), size, size, &Unlimited).unwrap();
        for b in 0..ideals.list().len() {
            for k in 0..=u32::try_from(values).unwrap() {
                let f = solution.branch(b, k);
                for m in 0..=size {
                    let n = (0..=size).find(|&n| table.grundy(b, m, n) == Some(k));
                    prop_assert_eq!(f.at(m).filter(|&n| n <= size), n, "ideal {:?}, k = {}, m = {}", &ideals.list()[b].key, k, m);
                }
            }
        }
    }

    /// Period and preperiod are the least ones, and the winning moves lead to the P-positions.
    #[test]
    fn least_periods_and_all_winning_moves(skeleton in skeletons(5)) {
        let game = ChainsGame::two_chains("random".into(), skeleton);
        let solution = Solution::new(game.clone(), 1, &Unlimited).unwrap();
        let ideals = solution.ideals();
        for (b, ideal) in ideals.list().iter().enumerate() {
            for k in 0..2 {
                let f = solution.branch(b, k);
                let offset = |m: u32| f.at(m).map(|n| i64::from(n) - i64::from(m));
                if f.period > 0 {
                    let from = f.preperiod();
                    for p in 1..f.period {
                        prop_assert!((from..from + 2 * f.period).any(|m| offset(m) != offset(m + p)));
                    }
                    if from > f.first {
                        prop_assert_ne!(offset(from - 1), offset(from - 1 + f.period));
                    }
                }
            }
            for (m, n) in [(3u32, 5u32), (7, 7), (12, 9), (9, 14), (4, 20)] {
                let legal = m >= ideal.m_lo && m < ideal.m_hi && n >= ideal.n_lo && n < ideal.n_hi
                    && game.cross().at(m.into()).is_some_and(|below| below <= n.into());
                if legal {
                    let position = impartial::poset::chains::Position { ideal: ideal.key.clone(), m: m.into(), n: n.into() };
                    let options = Solution::options(&game, ideals, &position, 1000).unwrap();
                    let expected: Vec<_> = options.into_iter().filter(|o| solution.outcome(o).is_p()).collect();
                    prop_assert_eq!(solution.outcome(&position).is_p(), expected.is_empty());
                    prop_assert_eq!(solution.winning_moves(&position), expected);
                }
            }
        }
    }

    /// The normal form has the same functions, moved: f(m) = v + f′(m − u).
    #[test]
    fn the_normal_form_is_the_same_game(skeleton in skeletons(3)) {
        let game = ChainsGame::two_chains("random".into(), skeleton);
        let Some(normal) = game.normal_form().unwrap() else { return Ok(()) };
        prop_assume!(normal.skeleton.len() <= 12);
        let types = normal.types();
        for a in 0..normal.skeleton.len() {
            let (c, d) = (normal.skeleton.meets_c(a), normal.skeleton.meets_d(a));
            prop_assert_eq!((c.1, d.1), (0, 0), "no element above an element of a chain");
            prop_assert!(matches!((c.0, d.0), (None | Some(1), None | Some(1))));
        }
        prop_assert_eq!(types.len(), normal.skeleton.len());
        let (one, other) = (
            Solution::new(game, 2, &Unlimited).unwrap(),
            Solution::new(normal.game("normal form".into()), 2, &Unlimited).unwrap(),
        );
        for k in 0..3 {
            let (f, g) = (one.pattern(k).unwrap(), other.pattern(k).unwrap());
            for m in 0..80u64 {
                let left = f.at(&(m + normal.u).into()).filter(|n| *n >= BigUint::from(normal.v));
                prop_assert_eq!(left, g.at(&m.into()).map(|n| n + normal.v), "k = {}, m = {}", k, m);
            }
        }
    }
}

/// Chomp's own list of ideals against the explicit poset of squares.
#[test]
fn chomp_is_the_explicit_poset() {
    for (rows, chains) in [(vec![3u64, 1], 2), (vec![2, 2], 2), (vec![3, 2], 1), (vec![4], 1), (vec![], 2)] {
        let make = if chains == 2 { ChainsGame::chomp } else { ChainsGame::chomp_row };
        let game = make(&rows).unwrap();
        let values = if chains == 2 { 3 } else { 0 };
        let explicit = ChainsGame::two_chains("explicit".into(), game.skeleton().unwrap());
        let (one, other) =
            (Solution::new(game, values, &Unlimited).unwrap(), Solution::new(explicit, values, &Unlimited).unwrap());
        for k in 0..=one.values() {
            assert_eq!(one.branch(one.ideals().whole(), k), other.branch(other.ideals().whole(), k), "{rows:?} {k}");
        }
    }
}

#[test]
fn positions_of_any_size() {
    let solution = chomp(&[5, 3], 0);
    let game = solution.game().clone();
    let big = "1".to_owned() + &"0".repeat(60);
    let m: BigUint = big.parse().unwrap();
    let n = solution.pattern(0).unwrap().at(&m).unwrap();
    let p = game.position(&format!("{n},{m},5,3")).unwrap();
    assert!(solution.outcome(&p).is_p());
    assert!(solution.winning_moves(&p).is_empty());
    let longer = game.position(&format!("{},{m},5,3", &n + 1u32)).unwrap();
    assert!(solution.winning_moves(&longer).contains(&p));
    for bad in ["", "0", "3,4", "9,8,6", "9,8,5,4", "-3", "9,,8", "9,8,5,3,1"] {
        assert!(game.position(bad).is_err(), "{bad}");
    }
}

/// Every way to describe no chains game has a message that names the place.
#[test]
fn bad_descriptions_are_refused() {
    let message = |text: &str| ChainsGame::from_toml(text).unwrap_err().to_string();
    for (text, word) in [
        ("elements = ['a', 'a']", "twice"),
        ("elements = ['a,b']", "cannot be a name"),
        ("elements = ['a']\nrelations = [['a', 'x']]", "\"x\" is not an element"),
        ("elements = ['a']\nc.first_above = { x = 1 }", "[c] first_above"),
        ("elements = ['a']\nd.below = { x = 1 }", "[d] below"),
        ("elements = ['a', 'b']\nrelations = [['a', 'b'], ['b', 'a']]", "below itself"),
        ("elements = ['a']\nc.below = { a = 2 }\nc.first_above = { a = 2 }", "below itself"),
        ("elements = ['a']\nc.below = { a = 1 }\nd.first_above = { a = 3 }", "condition (1)"),
        (
            "elements = ['a', 'b']\nrelations = [['a', 'b']]\nc.below = { a = 1 }\nd.first_above = { b = 2 }",
            "condition (1)",
        ),
        ("cross = { c_below_d = [1, 2] }", "condition (1)"),
        (
            "elements = ['a']\nd.below = { a = 4 }\nc.first_above = { a = 2 }\ncross = { d_below_c = [0], period = 1, step = 1 }",
            "raise that entry",
        ),
        ("cross = { d_below_c = [3, 1], period = 1, step = 1 }", "decreases"),
        ("cross = { d_below_c = [1], period = 2, step = 1 }", "fewer than its period"),
        ("cross = { d_below_c = [1], period = 0, step = 1 }", "period = 0"),
        ("cross = { d_below_c = [1] }", "`period` and `step` are missing"),
        ("cross = { d_below_c = [1], then_all = true, period = 1 }", "exclude each other"),
        ("cross = { d_below_c = [99999999], period = 1, step = 1 }", "largest number"),
        ("elements = ['a']\nc.first_above = { a = 0 }", "counted from 1"),
        ("elements = ['a']\nc.below = { a = 'some' }", "\"all\""),
        ("elements = ['a']\nc.below = { a = 5000000 }", "largest number"),
        ("chains = 3", "1 or 2 chains"),
        ("chains = 1\nelements = ['a']\nd.below = { a = 1 }", "only chain is C"),
        ("rows = [3, 5]", "at most as long"),
        ("rows = [3]\nelements = ['a']", "exclude each other"),
        ("colour = 'red'", "colour"),
        ("elements = 3", "elements"),
        ("rows = [-1]", "rows"),
    ] {
        assert!(message(text).contains(word), "{text}: {}", message(text));
    }
    // What lies above a whole chain is in no position, and is left out.
    let game = ChainsGame::from_toml("elements = ['a', 'b']\nc.below = { b = 'all' }").unwrap();
    assert_eq!(game.skeleton().unwrap().names(), ["a"]);
}

/// Sizes that no machine holds are given up at once.
#[test]
fn astronomical_sizes_are_stopped() {
    for (rows, values) in [(vec![5], 100_000u64), (vec![5], u64::MAX), (vec![1_000_000, 1_000_000], 0)] {
        let stopped = Solution::new(ChainsGame::chomp(&rows).unwrap(), values, &Unlimited);
        assert!(matches!(stopped, Err(semilinear::run::StopReason::Size { .. })), "{rows:?} {values}");
    }
    let game = ChainsGame::chomp(&[2]).unwrap();
    let far = game.position(&format!("1{},3,2", "0".repeat(50))).unwrap();
    assert!(grundy(&game, &far, &Unlimited).is_err());
    assert!(ChainsGame::chomp(&[u64::MAX]).is_err());
    // A monitor that says stop is heard.
    let monitor = semilinear::run::TickLimit::new(3);
    assert_eq!(
        Solution::new(ChainsGame::chomp(&[60]).unwrap(), 0, &monitor).unwrap_err(),
        semilinear::run::StopReason::Time
    );
}
