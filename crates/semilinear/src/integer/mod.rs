//! Exact integers, linear algebra and linear programming.
//!
//! Everything geometric stands on this room: [`Int`] and [`Rat`] never wrap or round, and every algorithm here is exact.
//!
//! ```
//! use semilinear::integer::{Matrix, hermite, kernel, smith, vector};
//! let a = Matrix::from_i64(&[&[2, 4, 4], &[-6, 6, 12]]);
//! assert_eq!(smith(&a).diagonal, vector(&[2, 6]));
//! assert_eq!(hermite(&a).form, Matrix::from_i64(&[&[2, 4, 4], &[0, 18, 24]]));
//! assert_eq!(kernel(&a).row(0), vector(&[2, -4, 3]));
//! ```

mod bareiss;
mod decimal;
mod hermite;
mod int;
mod lll;
mod lp;
mod matrix;
pub mod modular;
mod rat;
mod smith;

pub use bareiss::{Echelon, adjugate, determinant, echelon, rank, solve};
pub use decimal::from_decimal;
pub use hermite::{Hermite, IntegerSolutions, hermite, kernel, saturation, solve_integer};
pub use int::Int;
pub use lll::lll;
pub use lp::{Affine, LinearProgram, Multipliers, Optimum};
pub use matrix::{
    Matrix, Vector, add, add_multiple, content, dot, is_zero_vector, make_primitive, negated, primitive, scale, sub,
    unit_vector, vector, zero_vector,
};
pub use rat::{ParseRatError, Rat};
pub use smith::{Smith, smith};
