//! Heap games: take-and-break codes, subtraction sets, general rules.

mod code;

pub use code::Code;
