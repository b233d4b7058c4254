//! Lattice games: rule sets, boards, defeated positions.
//!
//! A lattice game is played on the integer points Λ of a pointed polyhedron. A move subtracts one of finitely many
//! rules γ ∈ Γ and must land on the board B = Λ∖D, where D is a finite set of *defeated* positions. The defeated set
//! **is** the play: D = ∅ is normal play, D = {0} is misère play, and any other finite order ideal is "generalised
//! misère play" (Guo–Miller 2011). In every case who cannot move *on the board* loses.
//!
//! Everything here is about what a game is; `solve` finds strategies.
//!
//! ```
//! use impartial::lattice::{Description, LatticeGame};
//! use semilinear::run::Unlimited;
//! let text = "kind = \"lattice\"\nrules = [[1, 0], [0, 1], [-1, 1]]\nplay = \"misere\"\n";
//! let description = Description::from_toml(text).unwrap();
//! let game = LatticeGame::new(&description, &Unlimited).unwrap();
//! assert_eq!(game.defeated(), [[0, 0]]);
//! assert_eq!(game.functional(), [1, 2]); // positive on every rule: play ends
//! ```

mod axioms;
mod board;
mod defeated;
mod description;
mod error;
mod from_graph;
mod from_heap;
mod game;
mod positivity;
mod rays;
mod region;
mod squarefree;

pub use axioms::{Axioms, Violation};
pub use description::Description;
pub use error::LatticeError;
pub use from_graph::GraphLattice;
pub use from_heap::HeapLattice;
pub use game::LatticeGame;
pub use impartial_lattice::{Chart, InnerGame, Row};
pub use rays::RayGame;
pub use region::Region;
pub use squarefree::Squarefree;
