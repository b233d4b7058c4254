//! How strategies are found.

pub mod blocks;
pub mod chains;
pub mod congruence;
pub mod learn;
pub mod nim;
pub mod parity_kernel;
pub mod poset;
pub mod presentation;
pub mod quotient;
pub mod rays;
pub mod search;
pub mod sector;
pub mod sequence;
mod wide;
pub mod wythoff;

pub use impartial_lattice::recursion;
use impartial_lattice::threads;
