//! Solvers for poset games.

pub mod chomp;
mod decompose;
pub mod ideals;
pub mod misere;
pub mod nfree;
pub mod plain;
mod search;
mod solver;
pub mod symmetry;
mod values;

pub use solver::Solver;
pub use values::ValueSet;
