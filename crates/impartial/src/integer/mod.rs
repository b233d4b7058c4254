//! Exact integers, linear algebra and linear programming.
