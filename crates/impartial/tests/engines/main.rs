//! Engines against each other, against brute force and against published tables: one binary, one module a topic.

mod chains;
mod chains_notions;
mod dominance;
mod fink;
mod heap_periods;
mod lattice_boards;
mod lattice_games;
mod lattice_recursion;
mod learn_truth;
mod misere_quotients;
mod parity_kernel;
mod poset;
mod poset_long;
mod poset_properties;
mod ranks;
mod rays;
mod series_games;
