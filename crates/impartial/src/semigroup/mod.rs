//! Affine semigroups, modules over them, stratified sets.
