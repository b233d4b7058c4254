//! Affine semigroups, modules over them, stratified sets.

mod algebra;
mod extract;
mod frame;
mod merge;
mod stratification;

pub use extract::stratification_of;
pub use frame::Frame;
pub use stratification::{Module, Stratification, StratificationError};
