//! Censuses: many games solved, the results kept in a SQLite file and gone on with.

mod chomp;
mod lattice;
mod misere;
mod store;

pub use store::Store;

use crate::args::Survey;
use crate::context::Context;
use crate::report::Answer;

/// Runs a census.
pub fn run(cx: &Context, what: &Survey) -> Answer {
    match what {
        Survey::Chomp { to, value, rows, output } => {
            chomp::run(cx, &chomp::Census { to: *to, value: *value, rows: *rows }, output)
        }
        Survey::Lattice { dimension, rules, min, max, per_game, output } => lattice::run(
            cx,
            &lattice::Census { dimension: *dimension, rules: *rules, min: *min, max: *max },
            *per_game,
            output,
        ),
        Survey::Misere { digits, per_game, max_heap, odd, output } => {
            misere::run(cx, *digits, *per_game, *max_heap, *odd, output)
        }
    }
}
