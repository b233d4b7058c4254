//! Poset games: a move chooses an element and removes it together with everything above it.
//!
//! A position is what is left: an order ideal (a down-set) of the board, held as an [`ElementSet`].

pub mod chains;
mod factor;
mod families;
mod game;
mod relations;
mod set;
mod young;

pub use factor::factorisation;
pub use families::{FamilyError, subset_name};
pub use game::{Board, GameError, PosetGame};
pub use relations::{MAX_ELEMENTS, Poset, PosetError};
pub use set::{ElementSet, Members, Words};
pub use young::{Diagram, DiagramError, MAX_COLUMNS, MAX_ROWS};
