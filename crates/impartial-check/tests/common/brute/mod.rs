//! Claims of strategy files judged by plain recursion over small positions. Nothing here is shared with the checker or the library.
//!
//! Files come from the checker's "valid", so that their shape may be taken for granted.

use std::collections::BTreeSet;

use serde_json::Value;

mod heaps;
mod lattice;
mod posets;
mod rays;

/// What plain recursion says of a claim.
#[derive(Debug, PartialEq, Eq)]
pub enum Judgement {
    /// Right at every small position.
    Right,
    /// Wrong, and where.
    Wrong(String),
    /// Nothing was compared.
    Unjudged,
}

type Point = Vec<i64>;

fn int(value: &Value) -> i64 {
    value.as_i64().expect("an integer")
}

fn size(value: &Value) -> usize {
    usize::try_from(int(value)).expect("a natural number")
}

fn list(value: &Value) -> &[Value] {
    value.as_array().map_or(&[], Vec::as_slice)
}

fn ints(value: &Value) -> Vec<i64> {
    list(value).iter().map(int).collect()
}

fn rows(value: &Value) -> Vec<Point> {
    list(value).iter().map(ints).collect()
}

/// Judges the claim of a file.
pub fn judge(file: &Value) -> Judgement {
    let misere = file["play"] == "misere";
    let (game, certificate) = (&file["game"], &file["certificate"]);
    let form = file["form"].as_str().expect("a form");
    let result = match (game["kind"].as_str(), form) {
        (Some("heap"), "nim-sequence") => heaps::nim_sequence(game, certificate),
        (Some("heap"), "nim-period") => heaps::nim_period(game, certificate),
        (Some("heap"), "parity-kernel") => heaps::heap_values(game, certificate),
        (Some("heap"), "quotient") => heaps::quotient(game, certificate),
        (Some("heap"), "counters") => heaps::counters(game, certificate),
        (Some("heap"), "dominance") => heaps::dominance(game, certificate),
        (Some("heap"), "ranks") => heaps::ranks(game, certificate),
        (Some("lattice"), "numeration") => rays::numeration(game, certificate, misere),
        (Some("lattice"), _) => lattice::lattice(game, certificate, form, misere),
        (Some("poset" | "chomp"), "table") => posets::table(game, certificate, misere),
        (Some("chains"), _) => posets::chains(game, certificate, form),
        _ => Err("no such claim".into()),
    };
    match result {
        Ok(true) => Judgement::Right,
        Ok(false) => Judgement::Unjudged,
        Err(reason) => Judgement::Wrong(reason),
    }
}

fn mex(values: &BTreeSet<u64>) -> u64 {
    (0..=values.len() as u64).find(|v| !values.contains(v)).expect("one of them is missing")
}
