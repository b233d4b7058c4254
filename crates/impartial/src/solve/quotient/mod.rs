//! Misère quotients of heap games: found by least failures, proved by finite checks.

mod bits;
mod build;
mod candidate;
mod counted_repair;
mod counters;
mod cousin;
mod digits;
mod finite;
mod guess;
mod infinity;
mod kernel;
mod monoid;
mod more_heaps;
mod options;
mod period;
mod shift;
mod silent;

pub use bits::Bits;
pub use build::Builder;
pub use counters::{Counters, HeapValue};
pub use cousin::{first_cousin, first_cousins};
pub use finite::{Quotient, Structure, relations_of};
pub use infinity::Infinity;
pub use kernel::NormalKernel;
pub use monoid::{Monoid, Word, colex};
pub use options::OptionTable;
pub use period::{Period, Shape, period};
