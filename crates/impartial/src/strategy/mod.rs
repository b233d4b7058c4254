//! What a solved game is: the forms of a strategy, and the file that holds one.

pub mod chains;
mod envelope;

pub use envelope::{Envelope, EnvelopeError, FORMAT, VERSION};
