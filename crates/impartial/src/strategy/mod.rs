//! What a solved game is: the forms of a strategy, and the file that holds one.

mod automaton;
mod board;
pub mod chains;
mod chains_set;
mod characters;
mod congruence;
mod counters;
mod envelope;
mod fibres;
mod grundy_automaton;
pub mod nim_sequence;
mod normal;
pub mod parity_kernel;
mod presentation;
mod quotient;
mod sectors;
mod series;
mod stratification;
mod table;

pub use automaton::{AutomatonError, AutomatonStrategy, table_from_json, table_json};
pub use board::board_proof;
pub use chains_set::ChainsSet;
pub use characters::{CharacterFileError, CharacterStrategy};
pub use congruence::Congruence;
pub use counters::{Accept, CountersStrategy, MOST_PAIRS, MisereStrategy};
pub use envelope::{Envelope, EnvelopeError, FORMAT, VERSION};
pub use fibres::{Fibres, FibresError};
pub use grundy_automaton::GrundyStrategy;
pub use normal::NormalQuotient;
pub use presentation::{PresentationError, PresentationStrategy};
pub use quotient::{FAR, Moves, QuotientError, QuotientStrategy, shape};
pub use sectors::SectorStrategy;
pub use series::{SeriesFileError, SeriesStrategy};
pub use stratification::{StratificationFileError, StratificationStrategy};
pub use table::{Table, TableError, poset_of};
