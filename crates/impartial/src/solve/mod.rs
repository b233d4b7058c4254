//! How strategies are found.

pub mod poset;
pub mod recursion;
pub mod search;
pub mod sequence;
