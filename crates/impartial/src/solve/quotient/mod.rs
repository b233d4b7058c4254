//! Misère quotients of heap games: found by least failures, proved by finite checks.

mod bits;
mod build;
mod candidate;
mod counters;
mod cousin;
mod finite;
mod kernel;
mod monoid;
mod options;
mod period;
mod shift;
mod silent;

pub use bits::Bits;
pub use build::Builder;
pub use counters::{Counters, Infinity};
pub use cousin::{first_cousin, first_cousins};
pub use finite::{Quotient, Structure, relations_of};
pub use kernel::NormalKernel;
pub use monoid::{Monoid, Word, colex};
pub use options::OptionTable;
pub use period::{Period, Shape, period};
