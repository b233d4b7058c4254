//! Sets of vectors read in a numeration system with a linear recurrence: Fibonacci, Pell, Tribonacci, and their kin.
//!
//! Binary automata ([`vectorset`](crate::vectorset)) hold what is semilinear. Sets that follow an irrational slope, such as Wythoff's pairs
//! (⌊kφ⌋, ⌊kφ²⌋), are held by automata that read other digits. A [`System`] says which digits; a [`DigitSet`] is a set
//! of vectors as its minimal automaton; a [`Relation`] joins two vectors by order, equality and linear equations. Statements and
//! proofs are in `docs/theory/numeration.md`.
//!
//! Digits come most significant first, those of all coordinates together: the order of numbers is then that of their
//! strings, and the sets that games give stay small.

mod count;
mod relation;
mod set;
mod subsets;
mod system;
mod table;
#[cfg(test)]
mod tests;

pub use relation::{Condition, Relation};
pub use set::DigitSet;
pub use system::{MAX_BASE, MAX_ORDER, System, SystemError};
pub use table::{NOWHERE, Table};
