//! Lattice games: rule sets, boards, defeated positions.
