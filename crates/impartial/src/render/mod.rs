//! Values as text, LaTeX, SVG and other systems' syntax.

mod stratification;
mod syntax;

pub use stratification::stratification;
pub use syntax::Syntax;
