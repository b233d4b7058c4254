//! Values as text, LaTeX, SVG and other systems' syntax.

mod digits;
mod drawing;
mod hasse;
mod lattice_map;
mod quotient;
mod series;
mod stratification;
mod syntax;

pub use digits::{walnut_digits, walnut_proof};
pub use drawing::Drawing;
pub use hasse::hasse;
pub use lattice_map::{Anchor, Cell, Colour, LatticeMap, MapModule, Shape};
pub use quotient::{generator_names, word_position, word_text};
pub use series::{characters, series};
pub use stratification::stratification;
pub use syntax::Syntax;
