//! The front door: what is claimed is not proved, what cannot be is refused, and nothing panics.

mod claims;
mod conversions;
mod examples;
mod garbage;
mod longest;
mod prove;
mod rational;
mod sets;
