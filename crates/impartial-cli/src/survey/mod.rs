//! Censuses: many games solved, the results kept in a SQLite file and gone on with.
//!
//! | file | what it holds |
//! | --- | --- |
//! | `args` | the arguments; which games a shard has |
//! | `pace` | independent games on all threads, each with a budget of processor time |
//! | `store` | the SQLite file: tables, the stronger of two results, checkpoints |
//! | `certificates` | strategy files beside it, named by their content |
//! | `misere`, `octal`, `lattice`, `chomp`, `openings`, `subtraction` | the censuses |
//! | `merge` | shards into one file |

mod args;
mod certificates;
mod chomp;
mod lattice;
mod merge;
mod misere;
mod octal;
mod openings;
mod pace;
mod store;
mod subtraction;

pub use args::{Pace, Survey, SurveyArgs};
pub use store::Store;

use rusqlite::types::Value;

use crate::context::Context;
use crate::report::Answer;

/// Runs a census.
pub fn run(cx: &Context, what: &Survey) -> Answer {
    match what {
        Survey::Chomp { to, value, rows, output } => {
            chomp::run(cx, &chomp::Census { to: *to, value: *value, rows: *rows }, output)
        }
        Survey::Lattice { dimension, rules, min, max, any, normal, strata, grundy, pace } => {
            let (dimension, rules, any, normal) = (*dimension, *rules, *any, *normal);
            let census = lattice::Census {
                dimension,
                rules,
                min: *min,
                max: *max,
                any,
                normal,
                strata: *strata,
                grundy: *grundy,
            };
            lattice::run(cx, &census, pace)
        }
        Survey::Misere { digits, max_heap, odd, pace } => {
            misere::run(cx, &misere::Census { digits: *digits, max_heap: *max_heap, odd: *odd }, pace)
        }
        Survey::Octal { digits, to, sparse, unchecked, pace } => {
            let again = match (sparse, unchecked) {
                (true, _) => octal::Again::Sparse,
                (_, true) => octal::Again::Unchecked,
                _ => octal::Again::All,
            };
            octal::run(cx, &octal::Census { digits: *digits, to: *to, again }, pace)
        }
        Survey::Openings { rows, to, output } => openings::run(cx, *rows, *to, output),
        Survey::Subtraction { to, output } => subtraction::run(cx, *to, output),
        Survey::Merge { output, shards } => merge::run(cx, output, shards),
    }
}

/// The text in a column of a row.
fn cell(table: &store::Table, row: &[Value], name: &str) -> Option<String> {
    let at = table.all_columns().iter().position(|&column| column == name)?;
    if let Value::Text(text) = row.get(at)? { Some(text.clone()) } else { None }
}
