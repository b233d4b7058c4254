//! Solvers for poset games.

pub mod plain;
