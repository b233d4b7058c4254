//! The arguments of the censuses.

use std::time::Duration;

use clap::{Args as ClapArgs, Subcommand};
use sha2::{Digest as _, Sha256};

use crate::number::{duration, size};

#[derive(Debug, ClapArgs)]
pub struct SurveyArgs {
    #[command(subcommand)]
    pub what: Survey,
}

/// The censuses.
#[derive(Debug, Subcommand)]
pub enum Survey {
    /// All small rule sets of lattice games
    Lattice {
        /// Dimension
        #[arg(long, value_parser = size, default_value_t = 2, allow_hyphen_values = true)]
        dimension: u64,
        /// At most this many rules
        #[arg(long, value_parser = size, default_value_t = 4, allow_hyphen_values = true)]
        rules: u64,
        /// Smallest entry of a rule
        #[arg(long, default_value_t = -1, allow_negative_numbers = true)]
        min: i64,
        /// Largest entry of a rule
        #[arg(long, default_value_t = 2, allow_negative_numbers = true)]
        max: i64,
        /// Exactly as many rules, and rule sets that break the tangent axiom too: play ends, no more is asked
        #[arg(long)]
        any: bool,
        /// Only normal play
        #[arg(long)]
        normal: bool,
        /// Stratifications as certificates, in the plane: an automaton alone does not show that a set is semilinear
        #[arg(long)]
        strata: bool,
        /// Grundy values besides outcomes
        #[arg(long)]
        grundy: bool,
        #[command(flatten)]
        pace: Pace,
    },
    /// Misère quotients of all octal codes with a number of digits
    Misere {
        /// Number of digits after the point
        #[arg(long, value_parser = size, default_value_t = 2, allow_hyphen_values = true)]
        digits: u64,
        /// Largest heap tried
        #[arg(long, value_parser = size, allow_hyphen_values = true)]
        max_heap: Option<u64>,
        /// Only codes 0.d1… with d1 odd: the others are first cousins of such codes
        #[arg(long)]
        odd: bool,
        #[command(flatten)]
        pace: Pace,
    },
    /// Grundy periods of all octal codes with at most so many digits, in normal play
    Octal {
        /// Number of digits after the point, at most
        #[arg(long, value_parser = size, default_value_t = 2, allow_hyphen_values = true)]
        digits: u64,
        /// The largest heap looked at; a heap takes a byte
        #[arg(long, value_name = "N", value_parser = size, default_value_t = 10_000_000, allow_hyphen_values = true)]
        to: u64,
        /// With --retry-stopped: only games with few rare heaps, where a heap costs the same however large it is
        #[arg(long, requires = "retry_stopped")]
        sparse: bool,
        /// With --retry-stopped: only games whose period was found and not checked in the time they had
        #[arg(long, requires = "retry_stopped", conflicts_with = "sparse")]
        unchecked: bool,
        #[command(flatten)]
        pace: Pace,
    },
    /// Periods of f for Chomp with two free rows above fixed ones: third row 1, 2, …, or more fixed rows
    Chomp {
        /// The longest fixed row
        #[arg(long, value_parser = size, default_value_t = 200, allow_hyphen_values = true)]
        to: u64,
        /// The Grundy value k of f_k
        #[arg(long, value_parser = size, default_value_t = 0, allow_hyphen_values = true)]
        value: u64,
        /// The number of fixed rows
        #[arg(long, value_parser = size, default_value_t = 1, allow_hyphen_values = true)]
        rows: u64,
        /// The SQLite file with the results; an existing one is gone on with
        #[arg(short, long, default_value = "survey.sqlite")]
        output: String,
    },
    /// All winning openings of Chomp on rectangles with so many rows and 1, 2, 3, … columns
    Openings {
        /// The number of rows
        #[arg(long, value_parser = size, default_value_t = 4, allow_hyphen_values = true)]
        rows: u64,
        /// The largest number of columns
        #[arg(long, value_parser = size, default_value_t = 100, allow_hyphen_values = true)]
        to: u64,
        /// The SQLite file with the results; an existing one grows
        #[arg(short, long, default_value = "survey.sqlite")]
        output: String,
    },
    /// Periods of all subtraction games with three moves
    Subtraction {
        /// The largest move
        #[arg(long, value_parser = size, default_value_t = 100, allow_hyphen_values = true)]
        to: u64,
        /// The SQLite file with the results; an existing one is gone on with
        #[arg(short, long, default_value = "survey.sqlite")]
        output: String,
    },
    /// Puts the results of shards into one file: certificates are checked again, the stronger of two results is kept
    Merge {
        /// The file that takes the results; an existing one grows
        #[arg(value_name = "OUT")]
        output: String,
        /// Files of `survey misere`, `survey octal` or `survey lattice`, all of one version
        #[arg(value_name = "SHARD", required = true)]
        shards: Vec<String>,
    },
}

/// How a census of independent games is run.
#[derive(Clone, Debug, ClapArgs)]
pub struct Pace {
    /// Processor time for each game
    #[arg(long, value_parser = duration, default_value = "10s", allow_hyphen_values = true)]
    pub per_game: Duration,
    /// Only the i-th of N parts, such as 3/16: which part a game is in depends on the game alone
    #[arg(long, value_name = "i/N", value_parser = shard, allow_hyphen_values = true)]
    pub shard: Option<Shard>,
    /// Try games again that a smaller --per-game did not settle
    #[arg(long)]
    pub retry_stopped: bool,
    /// The SQLite file with the results; an existing one is gone on with. Strategy files are kept in FILE.certificates
    #[arg(short, long, value_name = "FILE", default_value = "survey.sqlite")]
    pub output: String,
}

impl Pace {
    /// The processor seconds of one game.
    pub fn budget(&self) -> f64 {
        self.per_game.as_secs_f64()
    }

    /// Whether a canonical game is in the part that was asked for.
    pub fn holds(&self, game: &str) -> bool {
        self.shard.is_none_or(|shard| shard.holds(game))
    }
}

/// One of so many parts of a census, from 1 on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shard {
    part: u64,
    parts: u64,
}

impl Shard {
    /// Whether a game is in this part: the first eight bytes of the SHA-256 of its canonical text, modulo the number of parts.
    /// The Python package has the same rule.
    pub fn holds(self, game: &str) -> bool {
        let hash = Sha256::digest(game.as_bytes());
        let number = hash.iter().take(8).fold(0, |number, &byte| number << 8 | u64::from(byte));
        number % self.parts + 1 == self.part
    }
}

fn shard(text: &str) -> Result<Shard, String> {
    let wanted = || "expected i/N with 1 ≤ i ≤ N, such as 3/16".to_owned();
    let (part, parts) = text.split_once('/').ok_or_else(wanted)?;
    let (part, parts) = (size(part).map_err(|_| wanted())?, size(parts).map_err(|_| wanted())?);
    if (1..=parts).contains(&part) { Ok(Shard { part, parts }) } else { Err(wanted()) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_game_is_in_one_shard_and_the_same_one_as_in_python() {
        for (game, part) in [("0.07", 4), ("0.77", 11), ("0.137", 1)] {
            let parts = (1..=16).filter(|&part| Shard { part, parts: 16 }.holds(game)).collect::<Vec<_>>();
            assert_eq!(parts, [part]);
        }
    }

    #[test]
    fn shards_are_read() {
        assert_eq!(shard("3/16"), Ok(Shard { part: 3, parts: 16 }));
        for bad in ["", "3", "0/4", "5/4", "-1/4", "a/b", "1/0", "1/99999999999999999999"] {
            assert!(shard(bad).is_err(), "{bad}");
        }
    }
}
