//! Short rational generating functions.
