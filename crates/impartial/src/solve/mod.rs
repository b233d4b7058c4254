//! How strategies are found.

pub mod poset;
pub mod quotient;
pub mod recursion;
pub mod search;
