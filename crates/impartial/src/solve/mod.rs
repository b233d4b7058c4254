//! How strategies are found.
