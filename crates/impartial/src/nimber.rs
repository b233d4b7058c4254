//! Mex and nim arithmetic.
