//! Canonical automata for sets of integer vectors.
