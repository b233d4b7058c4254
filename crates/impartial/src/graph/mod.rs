//! Finite games given as explicit graphs of moves.
