//! Solvers for poset games.

pub mod chomp;
mod complex;
mod decompose;
mod dense;
pub mod ideals;
mod isomorphism;
mod memo;
pub mod misere;
pub mod nfree;
pub mod plain;
mod search;
mod solver;
pub mod symmetry;
mod values;
mod young;

pub use solver::Solver;
pub use values::ValueSet;
