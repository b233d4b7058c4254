//! Proved periods against the table of published ones, and Grundy sequences against OEIS.
//!
//! All rows with preperiod + period ≤ 10⁶ run always (a few seconds). The next longer ones, 0.376 with preperiod
//! 2 268 248 and 0.354 with 10 061 916, run with `cargo test --release -p impartial --test engines -- heap_periods --ignored` (about half a minute).

use impartial::heap::{HeapFile, HeapRules};
use impartial::solve::sequence::{Engine, Sequence};
use semilinear::run::Unlimited;
use serde_json::Value;

fn table() -> Value {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../testdata/heap-periods.json");
    serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap()
}

fn number(row: &Value, key: &str) -> u64 {
    row[key].as_u64().unwrap_or_else(|| panic!("{key} of {row}"))
}

fn rules(code: &str) -> HeapRules {
    if code == "grundys-game" {
        let file = "kind = \"heap\"\n[[moves]]\ntake = 0\nleave = 2\nheaps = \"unequal\"\n";
        return HeapFile::from_toml(file).unwrap().rules;
    }
    code.parse().unwrap()
}

fn values(code: &str, len: usize) -> Vec<u32> {
    let mut sequence = Sequence::new(rules(code), Engine::Auto);
    sequence.extend(len, &Unlimited).unwrap();
    sequence.values().to_vec()
}

/// Finds and proves the period of each row with `low < preperiod + period ≤ high`; returns how many rows there were.
fn rows_agree(low: u64, high: u64) -> usize {
    let table = table();
    let rows = table["games"].as_array().unwrap().iter().filter(|row| {
        let sum = number(row, "preperiod") + number(row, "period");
        low < sum && sum <= high
    });
    let mut checked = 0;
    for row in rows {
        let code = row["code"].as_str().unwrap();
        let mut sequence = Sequence::new(rules(code), Engine::Auto);
        sequence.search(40_000_000, &Unlimited).unwrap();
        let proof = sequence.proof().unwrap_or_else(|| panic!("{code}: no proof"));
        let found = [proof.period.preperiod as u64, proof.period.period as u64, u64::from(proof.period.saltus)];
        let expected = ["preperiod", "period", "saltus"].map(|key| number(row, key));
        assert_eq!(found, expected, "{code}");
        if let Some(largest) = row["max_value"].as_u64() {
            assert_eq!(u64::from(*sequence.values().iter().max().unwrap()), largest, "{code}: largest value");
        }
        checked += 1;
    }
    checked
}

#[test]
fn all_rows_up_to_a_million() {
    assert_eq!(rows_agree(0, 1_000_000), 433);
}

#[test]
#[ignore = "half a minute in a release build"]
fn the_rows_up_to_twenty_million() {
    assert_eq!(rows_agree(1_000_000, 20_000_000), 2);
}

#[test]
fn sequences_of_the_encyclopedia() {
    for row in table()["sequences"].as_array().unwrap() {
        let expected: Vec<u32> = serde_json::from_value(row["values"].clone()).unwrap();
        assert_eq!(values(row["code"].as_str().unwrap(), expected.len()), expected, "{row}");
    }
}

/// Errors in print that a table must not repeat; see `published_errors` in the test data.
#[test]
fn errors_in_print() {
    let differ = |a: &str, b: &str| {
        let (a, b) = (values(a, 1300), values(b, 1300));
        (0..1300).find(|&n| a[n] != b[n])
    };
    assert_eq!(differ("0.161", "0.36"), Some(519));
    assert_eq!(differ("0.314", "0.31"), Some(5));
    assert_eq!(differ("0.27", "0.26"), None);
    assert!(differ("0.27", "0.06").is_some());
    // The last exception of 0.56 is 326639, not 326637: its period is 144.
    let values = values("0.56", 326_800);
    assert_eq!((values[326_639], values[326_783]), (26, 16));
    assert!((326_640..326_800 - 144).all(|n| values[n] == values[n + 144]));
}

/// Officers has 1583 rare heaps, the last of them 20627 (as far as anybody has looked).
#[test]
fn rare_heaps_of_officers() {
    let officers = values("0.6", 30_000);
    let even = |value: u32| (value & 0x1ee).count_ones().is_multiple_of(2);
    let rare: Vec<usize> = (1..officers.len()).filter(|&n| even(officers[n])).collect();
    assert_eq!((rare.len(), rare.last()), (1583, Some(&20_627)));
}
