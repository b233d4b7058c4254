//! How strategies are found.

pub mod poset;
