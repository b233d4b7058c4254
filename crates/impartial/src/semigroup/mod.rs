//! Affine semigroups, modules over them, stratified sets.

mod frame;
mod stratification;

pub use frame::Frame;
pub use stratification::{Module, Stratification, StratificationError};
