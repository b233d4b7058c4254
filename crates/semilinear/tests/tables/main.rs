//! Published tables: Normaliz, LattE, integer matrices, semigroups.

mod common;
mod integer_tables;
mod polyhedral_tables;
mod series_tables;
