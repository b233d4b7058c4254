//! The table of misère quotients in `testdata/misere-quotients.json`, run against the search.
//!
//! The quick rows are part of the suite; all of them run with
//! `cargo test --release -p impartial --test engines -- misere_quotients --ignored`.

use impartial::heap::HeapRules;
use impartial::solve::quotient::{Builder, Shape, period};
use semilinear::run::Unlimited;
use serde_json::Value;

fn rows() -> Vec<Value> {
    let text = include_str!("../../../../testdata/misere-quotients.json");
    let value: Value = serde_json::from_str(text).unwrap();
    value["entries"].as_array().unwrap().clone()
}

fn number(value: &Value) -> Option<usize> {
    value.as_u64().map(|n| usize::try_from(n).unwrap())
}

/// Orders heap by heap, tameness, generators, presentation, pretending function, period.
fn run(row: &Value) {
    let code = row["code"].as_str().unwrap();
    let bound = number(&row["heap_bound"]).unwrap();
    let rules: HeapRules = code.parse().unwrap();
    let mut builder = Builder::new();
    builder.extend_to(&rules, bound, &Unlimited).unwrap();
    let changes: Vec<Vec<usize>> = row["changes"]
        .as_array()
        .map(|rows| rows.iter().map(|r| r.as_array().unwrap().iter().map(|n| number(n).unwrap()).collect()).collect())
        .unwrap_or_default();
    if changes.is_empty() {
        let last = (number(&row["quotient_order"]).unwrap(), number(&row["p_portion_size"]).unwrap());
        assert_eq!(builder.history().last(), Some(&last), "{code} at {bound}");
        return;
    }
    let mut expected = (1, 0);
    for heap in 1..=bound {
        if let Some(change) = changes.iter().find(|c| c[0] == heap) {
            expected = (change[1], change[2]);
        }
        assert_eq!(builder.history()[heap - 1], expected, "{code} at heap {heap}");
    }
    let quotient = builder.quotient();
    assert_eq!(quotient.is_tame(), row["tame"].as_bool().unwrap(), "{code}: tame");
    let letters: Vec<usize> = quotient.monoid().letters().iter().map(|&h| h as usize).collect();
    // The table lists all heaps that were generators at some stage.
    let listed: Vec<usize> = row["generator_heaps"].as_array().unwrap().iter().map(|h| number(h).unwrap()).collect();
    assert!(letters.iter().all(|h| listed.contains(h)), "{code}: {letters:?} among {listed:?}");
    if row["partial"] == false {
        let shape = {
            let code = rules.code().unwrap();
            Shape { taken: code.last().unwrap_or(0), parts: code.most_heaps() as usize }
        };
        let found = period(quotient.values(), shape).unwrap_or_else(|| panic!("{code}: no period to heap {bound}"));
        assert_eq!(Some(found.period), number(&row["period"]), "{code}: period");
        assert_eq!(Some(found.preperiod), number(&row["preperiod"]), "{code}: preperiod");
    }
    assert_eq!(quotient.verify(builder.table(), &Unlimited), Ok(Ok(())), "{code}");
}

fn is_quick(row: &Value) -> bool {
    let order = row["quotient_order"].as_u64();
    order.is_some_and(|order| order <= 120) && row["heap_bound"].as_u64().unwrap() <= 110
}

#[test]
fn quick_rows() {
    let mut count = 0;
    for row in rows().iter().filter(|row| is_quick(row)) {
        run(row);
        count += 1;
    }
    assert!(count > 100, "the table is there");
}

#[test]
#[ignore = "takes minutes without optimisation"]
fn all_finite_rows() {
    for row in rows().iter().filter(|row| row["quotient_order"].is_u64()) {
        let start = std::time::Instant::now();
        run(row);
        println!("{} to heap {}: {:.2} s", row["code"], row["heap_bound"], start.elapsed().as_secs_f64());
    }
}

#[test]
fn dawsons_kayles_to_heap_30() {
    let mut builder = Builder::new();
    builder.extend_to(&"0.07".parse().unwrap(), 30, &Unlimited).unwrap();
    assert_eq!((builder.order(), builder.p_portion()), (360, 65));
}
