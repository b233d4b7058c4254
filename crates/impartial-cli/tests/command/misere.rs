//! Misère strategies: found, written, checked independently; against brute force; mutated files are refused.

use std::process::Command;

use impartial::game::{misere_strategy, quotient_strategy};
use impartial::heap::{HeapFile, HeapRules};
use impartial::outcome::Play;
use impartial::solve::quotient::{Builder, HeapValue, NormalKernel, Quotient, period};
use impartial::solve::search::Search;
use impartial::solve::sequence::{Engine, Sequence};
use impartial::strategy::{CountersStrategy, Envelope, MisereStrategy, QuotientStrategy};
use impartial_check::{Verdict, check};
use num_bigint::BigUint;
use proptest::prelude::*;
use semilinear::run::{Run, TickLimit, Unlimited};
use serde_json::{Value, json};

use crate::found::{counters, quotient, valid};

fn big(heaps: &[u64]) -> Vec<BigUint> {
    heaps.iter().map(|&h| h.into()).collect()
}

#[test]
fn quotient_files_are_read_back_and_checked() {
    for (code, heaps) in [("0.123", 100), ("0.71", 100), ("0.77", 200), ("subtract:2,3", 100), ("0.07", 25)] {
        let strategy = quotient(code, heaps);
        let file = strategy.envelope();
        assert!(valid(&file), "{code}: {:?}", check(&file.to_text(), &|| true));
        let again = QuotientStrategy::from_envelope(&file).unwrap().into_claim();
        assert_eq!(again.envelope(), file);
    }
}

/// Every change of a number of the certificate that changes the claim is refused, with a right digest.
#[test]
fn mutated_quotients_are_refused() {
    let file = quotient("0.71", 100).envelope();
    let order = file.certificate["steps"][0].as_array().unwrap().len();
    let changed = |change: &dyn Fn(&mut Value)| {
        let mut copy = file.clone();
        change(&mut copy.certificate);
        copy
    };
    for x in 0..order {
        let flipped = changed(&|c| {
            let p = c["p"].as_array_mut().unwrap();
            match p.iter().position(|y| *y == json!(x)) {
                Some(i) => drop(p.remove(i)),
                None => p.push(json!(x)),
            }
        });
        assert!(!valid(&flipped), "element {x} of P");
    }
    let heaps = file.certificate["values"].as_array().unwrap().len();
    for heap in 0..heaps {
        let other = changed(&|c| {
            let value = c["values"][heap].as_u64().unwrap();
            c["values"][heap] = json!((value + 1) % order as u64);
        });
        assert!(!valid(&other), "value of heap {heap}");
    }
    for l in 0..file.certificate["steps"].as_array().unwrap().len() {
        for x in (0..order).step_by(5) {
            let other = changed(&|c| {
                let value = c["steps"][l][x].as_u64().unwrap();
                c["steps"][l][x] = json!((value + 1) % order as u64);
            });
            assert!(!valid(&other), "step {l} of {x}");
        }
    }
    for (key, by) in [("preperiod", -1), ("period", -1), ("period", 1)] {
        let other = changed(&|c| c["period"][key] = json!(c["period"][key].as_i64().unwrap() + by));
        assert!(!valid(&other), "{key} {by}");
    }
    let mut other = file.clone();
    other.game = json!({"kind": "heap", "code": "0.72"});
    assert!(!valid(&other), "another game");
    other = file.clone();
    other.play = Play::Normal;
    assert!(!valid(&other), "another play");
}

#[test]
fn an_infinite_quotient_is_found_and_proved() {
    let strategy = counters("0.3102", 12);
    let file = strategy.envelope();
    assert!(strategy.counters().infinity.is_some());
    assert_eq!(CountersStrategy::from_envelope(&file).unwrap().into_claim().envelope(), file);
    // All small sums with both counters, against the search.
    let rules: HeapRules = "0.3102".parse().unwrap();
    let mut search = Search::new(&rules, &Unlimited);
    for (a, b, h) in (0..4).flat_map(|a| (0..4).flat_map(move |b| (1..=11).map(move |h| (a, b, h)))) {
        let sum = [vec![7; a], vec![12; b], vec![h]].concat();
        assert_eq!(strategy.outcome(&big(&sum)).unwrap(), search.outcome(Play::Misere, &sum).unwrap(), "{sum:?}");
    }
    // Congruence is decided for any numbers of counters, and what tells apart does.
    let mut told_apart = 0;
    for (a, b) in [(0, 1), (3, 4), (40, 41), (40, 42), (1000, 1001), (64, 129)] {
        for (c, d) in [(0, 0), (0, 1), (50, 52), (33, 97)] {
            let sums = [[vec![7; a], vec![12; c]].concat(), [vec![7; b], vec![12; d], vec![1, 1]].concat()];
            let found = strategy.distinguishing(&big(&sums[0]), &big(&sums[1])).unwrap().expect("decided");
            if let Some(word) = found {
                let more: Vec<u64> = word.iter().flat_map(|&(h, n)| vec![u64::from(h); n as usize]).collect();
                let [x, y] = sums.map(|sum| strategy.outcome(&big(&[sum, more.clone()].concat())).unwrap());
                assert_ne!(x, y);
                told_apart += 1;
            }
        }
    }
    assert!(told_apart > 0);
    // Mutations: each element of each slice, the automaton, the values.
    let slices = file.certificate["slices"].as_array().unwrap().len();
    let order = strategy.counters().monoid.order();
    for s in 0..slices {
        for x in (0..order).step_by(7) {
            let mut copy = file.clone();
            let slice = copy.certificate["slices"][s].as_array_mut().unwrap();
            match slice.iter().position(|y| *y == json!(x)) {
                Some(i) => drop(slice.remove(i)),
                None => slice.push(json!(x)),
            }
            assert!(!valid(&copy), "element {x} of slice {s}");
        }
    }
    for state in 0..strategy.counters().next.len() {
        let mut copy = file.clone();
        let output = copy.certificate["output"][state].as_u64().unwrap();
        copy.certificate["output"][state] = json!((output + 1) % slices as u64);
        assert!(!valid(&copy), "output of state {state}");
    }
    let mut copy = file.clone();
    copy.certificate["infinite"]["at"] = json!([0, 0]);
    copy.certificate["infinite"]["from"] = json!([0, 0]);
    assert!(!valid(&copy), "the slices do not repeat from the start");
}

/// Dawson's Kayles to heap 38: the file that `impartial solve 0.07 --play misere --max-heap 38 -o FILE` writes.
#[test]
fn dawsons_kayles_to_heap_38_is_infinite() {
    let text = include_str!("../../../../testdata/misere-0.07-38.json");
    let Verdict::Valid { claim } = check(text, &|| true) else { panic!("{:?}", check(text, &|| true)) };
    assert!(claim.contains("at most 38") && claim.contains("infinite"), "{claim}");
    let strategy = CountersStrategy::from_envelope(&Envelope::from_text(text).unwrap()).unwrap().into_claim();
    for (sum, is_p) in [(&[2, 4, 25, 34, 34][..], true), (&[2, 4, 25, 34], false), (&[25, 34], true), (&[34, 34], true)]
    {
        assert_eq!(strategy.outcome(&big(sum)).unwrap().is_p(), is_p, "{sum:?}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]

    #[test]
    fn quotients_agree_with_the_search(
        digits in proptest::collection::vec(0..8_u8, 1..4),
        first in prop::sample::select(vec!['0', '4']),
        sums in proptest::collection::vec(proptest::collection::vec(1..=9_u64, 0..5), 12),
    ) {
        prop_assume!(digits.iter().any(|&d| d > 0));
        let code: String = format!("{first}.{}", digits.iter().map(ToString::to_string).collect::<String>());
        let rules: HeapRules = code.parse().unwrap();
        let monitor = TickLimit::new(200_000);
        let strategy = match quotient_strategy(rules.clone(), Some(9), &monitor) {
            Run::Finished(strategy) | Run::Stopped(_, strategy) => strategy,
        };
        let mut search = Search::new(&rules, &Unlimited);
        for sum in sums {
            if let Ok(outcome) = strategy.outcome(&big(&sum)) {
                prop_assert_eq!(outcome, search.outcome(Play::Misere, &sum).unwrap(), "{} {:?}", code, sum);
            }
        }
    }
}

/// Large heaps by their Grundy values: 0.56 has its period far beyond the heaps whose quotient is looked for, 0.77 and 0.123 do not.
#[test]
fn large_heaps_by_grundy_values() {
    let Run::Finished(strategy) = quotient_strategy("0.56".parse().unwrap(), None, &Unlimited) else { panic!() };
    assert_eq!((strategy.quotient().order(), strategy.quotient().is_tame()), (130, true));
    assert_eq!(strategy.period().map(|p| (p.preperiod, p.period)), Some((326_640, 144)));
    // The published orders.
    let orders = [(1, 2, 1), (3, 6, 2), (5, 10, 2), (19, 18, 2), (60, 34, 2), (256, 66, 2)];
    for (heap, order, portion) in orders {
        assert_eq!(strategy.orders()[heap - 1], (order, portion), "heap {heap}");
        assert_ne!(strategy.orders().get(heap.wrapping_sub(2)), Some(&(order, portion)), "heap {}", heap - 1);
    }
    let file = strategy.envelope();
    assert!(valid(&file), "{:?}", check(&file.to_text(), &|| true));
    let again = QuotientStrategy::from_envelope(&file).unwrap().into_claim();
    assert_eq!(again.quotient().values(), strategy.quotient().values());
    assert_eq!(again.envelope(), file);
    // Sums with heaps beyond those of the certificate, by the search.
    let rules: HeapRules = "0.56".parse().unwrap();
    let mut search = Search::new(&rules, &Unlimited);
    for heaps in
        [vec![1, 150], vec![2, 6, 150], vec![150, 151], vec![120, 131, 140], vec![3, 3, 6], vec![256, 300, 301]]
    {
        let outcome = search.outcome(Play::Misere, &heaps).unwrap();
        assert_eq!(strategy.outcome(&big(&heaps)).unwrap(), outcome, "{heaps:?}");
    }
    let far = |n: u64| 326_640 + 144 * 1_000_000_007 + n;
    let sum = strategy.winning_moves(&big(&[far(0), far(1)])).unwrap();
    assert!(sum.positions.iter().all(|p| strategy.outcome(p).unwrap().is_p()));

    let changed = |change: &dyn Fn(&mut Value)| {
        let mut copy = file.clone();
        change(&mut copy.certificate);
        copy
    };
    for at in [0, 5, 100, 5000, 326_783] {
        let other = changed(&|c| c["kernel"]["values"][at] = json!(c["kernel"]["values"][at].as_u64().unwrap() ^ 1));
        assert!(!valid(&other), "Grundy value of heap {at}");
    }
    for (key, value) in
        [("p", json!([1])), ("values", json!([0, 1, 0])), ("kernel", json!(null)), ("kernel", json!({}))]
    {
        assert!(!valid(&changed(&|c| c[key] = value.clone())), "{key}");
    }
    for heap in [1, 2, 6, 50, 100] {
        let other = changed(&|c| c["values"][heap] = json!((c["values"][heap].as_u64().unwrap() + 1) % 130));
        assert!(!valid(&other), "value of heap {heap}");
    }
    let shorter = changed(&|c| drop(c["values"].as_array_mut().unwrap().split_off(8)));
    assert!(!valid(&shorter), "too few heaps");
}

/// Both ways to reach all heaps agree: the kernel of the first heaps, and the period of the pretending function.
#[test]
fn kernels_agree_with_periods() {
    let mut compared = 0;
    for code in ["0.77", "0.123", "0.71", "0.115"] {
        let rules: HeapRules = code.parse().unwrap();
        let shape = impartial::strategy::shape(&rules).unwrap();
        let mut builder = Builder::new();
        let monitor = TickLimit::new(200_000);
        if builder.extend_to(&rules, 250, &monitor).is_err() {
            continue;
        }
        let Some(by_period) = period(builder.quotient_values(), shape) else { continue };
        let mut sequence = Sequence::new(rules.clone(), Engine::Auto);
        sequence.extend(251, &Unlimited).unwrap();
        for heaps in [60, 90] {
            let mut first = Builder::new();
            first.extend_to(&rules, heaps, &Unlimited).unwrap();
            let quotient = first.quotient();
            let Some(kernel) = NormalKernel::new(&quotient, shape, &sequence.values()[..=heaps]) else { continue };
            let extended = kernel.extended(&quotient, sequence.values()).unwrap();
            assert_eq!(extended.order(), builder.order(), "{code} from heap {heaps}");
            let words = |q: &Quotient| (0..251).map(|h| q.monoid().word(q.values()[h])).collect::<Vec<_>>();
            assert_eq!(words(&extended), words(&builder.quotient()), "{code} from heap {heaps}, {by_period:?}");
            compared += 1;
        }
    }
    assert!(compared >= 2, "{compared}");
}

/// Clauses: what a move takes and leaves, from heaps of which kind.
const CLAUSES: [(&str, usize); 9] = [
    ("take = 0\nleave = 2\nheaps = 'unequal'", 12),
    ("take = 'proper divisors'\nleave = 1", 11),
    ("heap = '>= 3'\ntake = 0\nleave = 2", 11),
    ("take = '1..'\nlimit = '< n/2+1'\nleave = '0..1'", 9),
    ("take = 'squares, fibonacci'\nleave = '0..2'\nheaps = 'unequal'", 6),
    ("take = '0, primes'\nleave = '1..3'\nheaps = 'equal'", 8),
    (
        "heap = 'odd'\ntake = 'coprime'\nleave = '1..2'\nleast = 2\n[[moves]]\nheap = 'even'\ntake = 'powers of 2'\nleave = 1",
        9,
    ),
    ("take = 'cubes, triangular, factorials'\nlimit = ['<= 2n/3', '>= 1']\nleave = 1", 10),
    ("heap = 'not multiple of 3'\ntake = 'divisors'\nleave = '0..1'", 9),
];

fn clauses(text: &str) -> HeapRules {
    HeapFile::from_toml(&format!("[[moves]]\n{text}")).unwrap().rules
}

/// Games by clauses have strategy files like any other; their outcomes are those of the search.
#[test]
fn games_by_clauses_have_files() {
    let mut seed = 7_u64;
    let mut draw = |most: u64| {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (seed >> 33) % most
    };
    for (text, heaps) in CLAUSES {
        let rules = clauses(text);
        let Run::Finished(strategy) = quotient_strategy(rules.clone(), Some(heaps), &TickLimit::new(20_000_000)) else {
            panic!("{text}: not found")
        };
        let file = strategy.envelope();
        assert!(valid(&file), "{text}: {:?}", check(&file.to_text(), &|| true));
        let again = QuotientStrategy::from_envelope(&file).unwrap().into_claim();
        assert_eq!(again.envelope(), file, "{text}");
        let mut search = Search::new(&rules, &Unlimited);
        for _ in 0..60 {
            let sum: Vec<u64> = (0..draw(6)).map(|_| 1 + draw(heaps as u64)).collect();
            let outcome = search.outcome(Play::Misere, &sum).unwrap();
            assert_eq!(again.outcome(&big(&sum)).unwrap(), outcome, "{text} {sum:?}");
            let moves = again.winning_moves(&big(&sum)).unwrap();
            let mut listed = search.winning_moves(Play::Misere, &sum).unwrap();
            for position in &mut listed {
                position.sort_unstable();
            }
            listed.sort();
            listed.dedup();
            let mut listed: Vec<Vec<BigUint>> = listed.iter().map(|position| big(position)).collect();
            listed.sort();
            assert_eq!(moves.positions, listed, "{text} {sum:?}");
        }
        // The strategy of one game is not that of another, nor with another value.
        for heap in 1..=heaps {
            let mut copy = file.clone();
            let order =
                copy.certificate["steps"].as_array().unwrap().first().map_or(1, |row| row.as_array().unwrap().len());
            let value = copy.certificate["values"][heap].as_u64().unwrap();
            copy.certificate["values"][heap] = json!((value + 1) % order as u64);
            assert!(order == 1 || !valid(&copy), "{text}: heap {heap}");
        }
        for (other, _) in CLAUSES {
            let mut copy = file.clone();
            copy.game["moves"] = clauses(other).to_json()["moves"].clone();
            assert!(other == text || !valid(&copy), "{text} as {other}");
        }
    }
}

/// Counters for a game by clauses: 0.76 written out.
#[test]
fn games_by_clauses_have_counters() {
    let rules = clauses("take = 1\nleave = '0..2'\n[[moves]]\ntake = 2\nleave = '1..2'");
    let Run::Finished(found) = misere_strategy(&rules, Some(12), &Unlimited) else { panic!("stopped") };
    let MisereStrategy::Counters(strategy) = found.into_inner() else { panic!("no counters") };
    let file = strategy.envelope();
    assert!(valid(&file));
    assert!(file.game["moves"].is_array() && file.certificate["infinite"].is_object());
    let again = CountersStrategy::from_envelope(&file).unwrap().into_claim();
    let code: HeapRules = "0.76".parse().unwrap();
    let mut search = Search::new(&code, &Unlimited);
    for sum in [&[7, 12][..], &[7, 7, 12, 12], &[1, 12, 12, 12], &[3, 5, 12], &[2, 7, 7, 11]] {
        assert_eq!(again.outcome(&big(sum)).unwrap(), search.outcome(Play::Misere, sum).unwrap(), "{sum:?}");
    }
    // A clause changed is another game.
    let mut copy = file.clone();
    copy.game["moves"][1]["leave"] = json!("0..2");
    assert!(!valid(&copy));
}

/// 0.3102 up to heap 12, with a heap 13 that has the options of heap 12: it follows that counter.
const TWIN: &str = r#"
kind = "heap"
name = "a twin of heap 12"
moves = [
  { take = 1, leave = "0..1", heap = "<= 12" },
  { take = 2, leave = 0, heap = "<= 12" },
  { take = 4, leave = 1, heap = "<= 12" },
  { take = 2, leave = 1, heap = ">= 13, <= 13" },
  { take = 5, leave = 1, heap = ">= 13, <= 13" },
]
"#;

#[test]
fn a_heap_may_follow_a_counter() {
    let rules = HeapFile::from_toml(TWIN).unwrap().rules;
    let plain: HeapRules = "0.3102".parse().unwrap();
    assert!((1..=12).all(|heap| rules.heap_options(heap) == plain.heap_options(heap)));
    assert_eq!(rules.heap_options(13), plain.heap_options(12));
    let Run::Finished(found) = misere_strategy(&rules, Some(13), &Unlimited) else { panic!("stopped") };
    let MisereStrategy::Counters(strategy) = found.into_inner() else { panic!("no counters") };
    let follower = |heap: usize| matches!(strategy.counters().values[heap], HeapValue::Follower { .. });
    assert!(follower(13) && !follower(12));
    let file = strategy.envelope();
    assert_eq!(CountersStrategy::from_envelope(&file).unwrap().into_claim().envelope(), file);
    let mut search = Search::new(&rules, &Unlimited);
    for (a, b, h) in (0..3).flat_map(|a| (0..3).flat_map(move |b| (1..=13).map(move |h| (a, b, h)))) {
        let sum = [vec![7; a], vec![13; b], vec![h]].concat();
        assert_eq!(strategy.outcome(&big(&sum)).unwrap(), search.outcome(Play::Misere, &sum).unwrap(), "{sum:?}");
    }
    // Another element, other counts, other words: none of them is right.
    for change in [
        json!({"element": 1, "counts": [0, 1], "like": [[[1, 1], [12, 1]]]}),
        json!({"element": 0, "counts": [0, 2], "like": [[[12, 2]]]}),
        json!({"element": 0, "counts": [1, 0], "like": [[[7, 1]]]}),
        json!({"element": 0, "counts": [0, 1], "like": [[[7, 1]]]}),
        json!({"element": 0, "counts": [0, 1], "like": []}),
        json!({"element": 0, "counts": [0, 1], "like": [[[13, 1]]]}),
        json!({"element": 0, "counts": [0, 1]}),
        json!(0),
        json!(null),
    ] {
        let mut copy = file.clone();
        copy.certificate["values"][13] = change.clone();
        assert!(!valid(&copy), "{change}");
    }
}

/// Repairs with counters: further heaps need a larger monoid and a third counter.
#[test]
fn larger_heaps_are_found_with_counters() {
    let strategy = counters("0.3102", 13);
    assert_eq!(strategy.counters().counters.len(), 3);
    let rules: HeapRules = "0.3102".parse().unwrap();
    let mut search = Search::new(&rules, &Unlimited);
    for (a, b, c) in (0..3).flat_map(|a| (0..3).flat_map(move |b| (0..4).map(move |c| (a, b, c)))) {
        let sum = [vec![7; a], vec![12; b], vec![13; c], vec![2]].concat();
        assert_eq!(strategy.outcome(&big(&sum)).unwrap(), search.outcome(Play::Misere, &sum).unwrap(), "{sum:?}");
    }
}

/// Four counters: the box has a word of bits for each element and vector of the other three.
#[test]
fn four_counters_are_found() {
    let strategy = counters("0.3102", 14);
    assert_eq!(strategy.counters().counters, [7, 12, 13, 14]);
    // Infinite since heap 13; its own file says nothing of that.
    let checked = (strategy.counters().infinity.is_some(), strategy.counters().infinite_to);
    assert_eq!(checked, (false, Some(13)));
    let again = CountersStrategy::from_envelope(&strategy.envelope()).unwrap().into_claim();
    assert_eq!(again.counters().infinite_to, None);
    let rules: HeapRules = "0.3102".parse().unwrap();
    let mut search = Search::new(&rules, &Unlimited);
    for (a, b, c, d) in (0..81).map(|n| (n % 3, n / 3 % 3, n / 9 % 3, n / 27)) {
        for rest in [vec![], vec![1], vec![2, 9], vec![4, 6]] {
            let sum = [vec![7; a], vec![12; b], vec![13; c], vec![14; d], rest].concat();
            assert_eq!(strategy.outcome(&big(&sum)).unwrap(), search.outcome(Play::Misere, &sum).unwrap(), "{sum:?}");
        }
    }
}

/// Where failures go on along two sets of heaps by turns, the heaps of both are counted.
#[test]
fn counters_come_from_several_failures() {
    let strategy = counters("0.3312", 14);
    assert_eq!(strategy.counters().counters, [8, 11, 14]);
    assert!(strategy.counters().infinity.is_some());
    let rules: HeapRules = "0.3312".parse().unwrap();
    let mut search = Search::new(&rules, &Unlimited);
    for (a, b, c) in (0..27).map(|n| (n % 3, n / 3 % 3, n / 9)) {
        for rest in [vec![], vec![2], vec![1, 12], vec![5, 13]] {
            let sum = [vec![8; a], vec![11; b], vec![14; c], rest].concat();
            assert_eq!(strategy.outcome(&big(&sum)).unwrap(), search.outcome(Play::Misere, &sum).unwrap(), "{sum:?}");
        }
    }
}

/// A sum that no search answers: the command finds the counters by itself.
#[test]
fn the_command_counts_by_itself() {
    let sum = [vec!["7"; 25], vec!["12"; 25]].concat().join("+");
    let output = Command::new(env!("CARGO_BIN_EXE_impartial"))
        .args(["outcome", "0.3102", &sum, "--play", "misere", "--json"])
        .output()
        .unwrap();
    let report: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(report["method"], "counters");
    let heaps: Vec<u64> = [vec![7; 25], vec![12; 25]].concat();
    let expected = counters("0.3102", 12).outcome(&big(&heaps)).unwrap();
    assert_eq!(report["outcome"], expected.to_string());
}

/// A forged file is shown as a claim, and its quotient is refused.
#[test]
fn files_are_not_called_proved_unchecked() {
    let folder = tempfile::tempdir().unwrap();
    let run = |args: &[&str]| Command::new(env!("CARGO_BIN_EXE_impartial")).args(args).output().unwrap();
    let mut forged = [quotient("0.71", 100).envelope(), counters("0.3102", 12).envelope()];
    forged[0].certificate["p"].as_array_mut().unwrap().pop();
    forged[1].certificate["slices"][1].as_array_mut().unwrap().pop();
    for file in forged {
        let path = folder.path().join("forged.json");
        std::fs::write(&path, file.to_text()).unwrap();
        let path = path.to_str().unwrap();
        let shown = run(&["show", path, "--trust"]);
        let text = String::from_utf8(shown.stdout).unwrap();
        assert!(shown.status.success() && text.contains("as the file claims") && !text.contains("proved"), "{text}");
        for command in ["show", "quotient"] {
            assert_eq!(run(&[command, path]).status.code(), Some(1), "{} {}", command, file.form);
        }
    }
}

/// 0.1455: the quotient of the heaps up to 20 is infinite, and all further heaps are worth earlier ones (Theorem 2b).
#[test]
fn an_infinite_quotient_of_all_heaps() {
    let rules: HeapRules = "0.1455".parse().unwrap();
    let Run::Finished(found) = misere_strategy(&rules, None, &Unlimited) else { panic!("stopped") };
    let MisereStrategy::Counters(strategy) = found.into_inner() else { panic!("no counters") };
    assert_eq!(strategy.period().map(|p| (p.preperiod, p.period)), Some((13, 10)));
    assert_eq!(strategy.reach(), None);
    let file = strategy.envelope();
    assert!(valid(&file));
    assert_eq!(CountersStrategy::from_envelope(&file).unwrap().into_claim().envelope(), file);

    let listed = strategy.counters().values.len() as u64 - 1;
    let agrees = |search: &mut Search<'_, HeapRules>, sum: &[u64]| {
        let expected = search.outcome(Play::Misere, sum).unwrap();
        assert_eq!(strategy.outcome(&big(sum)).unwrap(), expected, "{sum:?}");
    };
    let mut search = Search::new(&rules, &Unlimited);
    for sum in crate::found::sums(24) {
        agrees(&mut search, &sum);
    }
    // Heaps that no file lists; the second one is worth a counter.
    for heap in listed + 1..listed + 4 {
        for rest in [&[][..], &[1], &[9]] {
            agrees(&mut Search::new(&rules, &Unlimited), &[&[heap], rest].concat());
        }
    }
    let far: BigUint = "1000000000000000000000000".parse().unwrap();
    for rest in [vec![], big(&[9]), big(&[20, 20]), vec![far.clone(), 9u32.into()], vec![&far + 10u32, 1u32.into()]] {
        let sum = [vec![far.clone()], rest].concat();
        let moves = strategy.winning_moves(&sum).unwrap();
        assert_eq!(moves.positions.is_empty(), strategy.outcome(&sum).unwrap().is_p(), "{sum:?}");
        assert!(moves.positions.iter().all(|option| strategy.outcome(option).unwrap().is_p()));
    }

    for period in [
        json!({"preperiod": 12, "period": 10}),
        json!({"preperiod": 13, "period": 5}),
        json!({"preperiod": 13, "period": 20}),
        json!({"preperiod": 13, "period": 0}),
        json!({"preperiod": listed, "period": 10}),
        json!({"preperiod": u64::MAX, "period": u64::MAX}),
        json!({"period": 10}),
        json!(null),
        json!(10),
    ] {
        let mut copy = file.clone();
        copy.certificate["period"] = period.clone();
        assert!(!valid(&copy), "{period}");
    }
    // One value less than the theorem asks for.
    let mut short = file.clone();
    short.certificate["values"].as_array_mut().unwrap().pop();
    assert!(!valid(&short));
    short.certificate.as_object_mut().unwrap().remove("period");
    assert!(valid(&short));
}
