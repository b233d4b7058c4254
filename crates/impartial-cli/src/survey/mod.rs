//! Censuses: many games solved, the results kept in a SQLite file and gone on with.

mod budget;
mod certificates;
mod chomp;
mod lattice;
mod merge;
mod misere;
mod shard;
mod store;

pub use shard::Shard;
pub use store::Store;

use std::time::Duration;

use crate::args::{EffortArgs, Survey};
use crate::context::Context;
use crate::report::Answer;

/// What made a row.
const VERSION: &str = env!("CARGO_PKG_VERSION");

/// How much is done, and of which part.
#[derive(Clone, Copy, Debug)]
pub struct Effort {
    /// Processor time for each game.
    pub per_game: Duration,
    /// Look again at games that a smaller budget did not solve.
    pub retry_stopped: bool,
    /// Which games.
    pub shard: Shard,
}

impl From<&EffortArgs> for Effort {
    fn from(args: &EffortArgs) -> Self {
        Self { per_game: args.per_game, retry_stopped: args.retry_stopped, shard: args.shard.unwrap_or(Shard::WHOLE) }
    }
}

/// Runs a census.
pub fn run(cx: &Context, what: &Survey) -> Answer {
    match what {
        Survey::Chomp { to, value, rows, output } => {
            chomp::run(cx, &chomp::Census { to: *to, value: *value, rows: *rows }, output)
        }
        Survey::Lattice { dimension, rules, min, max, effort, output } => {
            let effort = effort.into();
            let census = lattice::Census { dimension: *dimension, rules: *rules, min: *min, max: *max, effort };
            lattice::run(cx, &census, output)
        }
        Survey::Misere { digits, max_heap, odd, effort, output } => {
            let census = misere::Census { digits: *digits, max_heap: *max_heap, odd: *odd, effort: effort.into() };
            misere::run(cx, &census, output)
        }
        Survey::Merge { output, shards } => merge::run(cx, output, shards),
    }
}
