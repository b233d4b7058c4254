//! Extraction of stratifications from the automata of published games.
//!
//! `cargo bench -p impartial --bench stratification`

use divan::Bencher;
use semilinear::semigroup::{Module, Stratification, stratification_of};
use semilinear::vectorset::{Effort, VectorSet};
use serde_json::Value;

fn main() {
    divan::main();
}

/// The P-positions of a game of testdata/lattice-games.json.
fn p_positions(id: &str) -> VectorSet {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../testdata/lattice-games.json");
    let table: Value = serde_json::from_str(&std::fs::read_to_string(path).expect("the table")).expect("JSON");
    let row = table["games"].as_array().expect("games").iter().find(|g| g["id"] == id).expect("the game");
    let vectors = |v: &Value| serde_json::from_value::<Vec<Vec<i64>>>(v.clone()).expect("vectors");
    let modules: Vec<Module> = row["stratification"]
        .as_array()
        .expect("modules")
        .iter()
        .map(|m| Module { generators: vectors(&m["A"]), bases: vectors(&m["F"]) })
        .collect();
    let dimension = modules[0].bases[0].len();
    let strata = Stratification::new(dimension, modules).expect("a stratification");
    strata.vector_set(&Effort::unlimited()).expect("no limit")
}

#[divan::bench(args = ["exotic22", "erratum", "pairs3_misere", "dawson6_misere", "triple222", "diag30", "ex64"], sample_count = 10)]
fn extraction(bencher: Bencher, id: &str) {
    let set = p_positions(id);
    bencher.bench_local(|| stratification_of(divan::black_box(&set), &Effort::unlimited()).expect("no limit").strata());
}
