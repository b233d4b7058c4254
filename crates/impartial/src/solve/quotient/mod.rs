//! Misère quotients of heap games: found by least failures, proved by finite checks.
//!
//! | file | what is in it |
//! | --- | --- |
//! | `build`, `candidate`, `silent` | the search heap by heap: candidates, their least failures, repairs, the N-check |
//! | `monoid`, `bits`, `options`, `finite` | finite commutative monoids by their generators, subsets, option tables; a quotient as a value |
//! | `period`, `kernel`, `cousin` | all heaps at once: a periodic pretending function, large heaps as in normal play; codes that are the same game |
//! | `counters`, `infinity` | infinite quotients: a monoid times counters, and why no power of a counter repeats |
//! | `dominance` | all heaps at once, when one heap may outweigh all others: weights read off a quotient |
//! | `ranks` | all heaps at once, when sizes are compared: an automaton learned from a quotient |
//! | `grid`, `guess`, `shift`, `digits` | guesses of them from a box: the outcomes in it, the slices, how they go on, the automaton |
//! | `counted_repair`, `more_heaps` | repairs of guesses, and larger heaps |

mod bits;
mod build;
mod candidate;
mod counted_repair;
mod counters;
mod cousin;
mod digits;
mod dominance;
mod finite;
mod grid;
mod guess;
mod infinity;
mod kernel;
mod monoid;
mod more_heaps;
mod options;
mod period;
mod ranks;
mod shift;
mod silent;

pub use bits::Bits;
pub use build::Builder;
pub use counters::{Counters, HeapValue};
pub use cousin::{first_cousin, first_cousins};
pub use dominance::{Dominance, State};
pub use finite::{Quotient, Structure, relations_of};
pub use infinity::Infinity;
pub use kernel::NormalKernel;
pub use monoid::{Monoid, Word, colex};
pub use options::OptionTable;
pub use period::{Period, Shape, period};
pub use ranks::Ranks;
