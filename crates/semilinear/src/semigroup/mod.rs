//! Affine semigroups, modules over them, stratified sets.

mod affine;
mod algebra;
mod carve;
mod extract;
mod frame;
mod levels;
mod merge;
mod modules;
mod series_of;
mod stratification;
mod toric;

pub use affine::{AffineSemigroup, SemigroupError};
pub use carve::NormalSet;
pub use extract::stratification_of;
pub use frame::Frame;
pub use stratification::{Module, Stratification, StratificationError};
