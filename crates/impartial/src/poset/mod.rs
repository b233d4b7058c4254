//! Poset games.
