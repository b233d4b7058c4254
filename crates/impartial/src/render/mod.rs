//! Values as text, LaTeX, SVG and other systems' syntax.

mod quotient;
mod series;
mod stratification;
mod syntax;

pub use quotient::{generator_names, word_position, word_text};
pub use series::series;
pub use stratification::stratification;
pub use syntax::Syntax;
