//! Short rational generating functions.
//!
//! A [`Series`] is a sum of terms `α t^p / Π (1 − t^a)`, the data structure of rational strategies (Guo–Miller 2011, Definition 3.2).
//! It carries a linear functional that is positive on all denominator exponents: so every term has one expansion, and sums and
//! Hadamard products of series mean sums and products of coefficients.
//!
//! ```
//! use semilinear::{integer::{Rat, vector}, run::Unlimited, series::Series};
//! // Even numbers and multiples of three: the Hadamard product lists the multiples of six.
//! let even = Series::of_module(1, &[vector(&[0])], &[vector(&[2])]).unwrap();
//! let three = Series::of_module(1, &[vector(&[0])], &[vector(&[3])]).unwrap();
//! let six = even.hadamard(&three, &Unlimited).unwrap();
//! assert_eq!(six.to_string(), "1/(1-t^6)");
//! assert_eq!(six.coefficient(&vector(&[600]), &Unlimited).unwrap(), Rat::ONE);
//! ```

mod characters;
mod coefficient;
mod evaluate;
mod functional;
mod hadamard;
mod polyhedral;
mod simplify;
mod substitution;
mod term;
mod zero;

#[cfg(test)]
mod tests;

pub use characters::CharacterSum;
pub use coefficient::Coefficients;
pub use functional::positive_functional;
pub use substitution::substitute;
pub use term::variable;
pub use term::{Series, SeriesError, Term};
