//! Heap games: take-and-break codes, subtraction sets, general rules.
//!
//! Each knows its options and nothing of solving.

mod code;
mod divide;
mod file;
mod halving;
mod numbers;
mod position;
mod rules;
mod wythoff;

pub use code::{Code, CodeError};
pub use file::{HeapFile, HeapFileError};
pub use halving::Halving;
pub use numbers::{Bound, HeapCondition, NumbersError, Take};
pub use position::{HeapsError, heaps_from_text, heaps_to_text};
pub use rules::{Clause, HeapRules, Leave, RulesError, Shape};
pub use wythoff::Wythoff;
