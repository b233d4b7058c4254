//! Values as text, LaTeX, SVG and other systems' syntax.

mod automaton;
mod chart;
mod digits;
mod drawing;
mod graph;
mod hasse;
mod lattice_map;
mod pdf;
mod presentation;
mod quotient;
mod series;
mod stratification;
mod syntax;

pub use automaton::{BlockAutomaton, periodic_walnut, set_from_walnut};
pub use chart::{Band, Chart, Mark, Plotted};
pub use digits::{walnut_digits, walnut_proof};
pub use drawing::Drawing;
pub use graph::CayleyGraph;
pub use hasse::{Levels, hasse};
pub use lattice_map::{Anchor, Cell, Colour, LatticeMap, MapModule, Shape};
pub use presentation::{Presented, heap_table};
pub use quotient::{generator_names, word_position, word_text};
pub use series::{characters, series};
pub use stratification::{normaliz, stratification};
pub use syntax::Syntax;
pub(crate) use syntax::field;
