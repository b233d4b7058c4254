//! Censuses: many games solved, the results kept in a SQLite file and gone on with.

mod chomp;
mod store;

pub use store::Store;

use crate::args::Survey;
use crate::context::Context;
use crate::report::{Answer, bad_input};

/// Runs a census.
pub fn run(cx: &Context, what: &Survey) -> Answer {
    match what {
        Survey::Chomp { to, value, output } => chomp::run(cx, *to, *value, output),
        Survey::Lattice { .. } | Survey::Misere { .. } => {
            Err(bad_input("this census is not known here; `impartial help survey` lists them"))
        }
    }
}
