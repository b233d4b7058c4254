//! The Chomp engine.

mod answer;
mod blocks;
mod first_rows;
mod four_rows;
mod grundy;
mod lists;
mod openings;
mod rank;
mod sieve;
mod three_rows;

pub use answer::Chomp;
pub use four_rows::{MAX_FIRST_ROW_OF_FOUR, four_rows};
pub use grundy::{GrundyTable, MAX_POSITIONS};
pub use openings::openings;
pub use rank::count as diagrams_in_box;
pub use sieve::{MAX_TAILS, Sieve};
pub use three_rows::{MAX_FIRST_ROW, three_rows};
