//! Infinite lattice games: learned and proved by `impartial-lattice`, and hypotheses from misère quotients.

mod fibres;

pub use fibres::quotient_positions;
pub use impartial_lattice::learn::*;

#[cfg(test)]
mod tests;
