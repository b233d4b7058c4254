//! The languages that values can be written in.

/// A language for [`super::stratification`] and its siblings.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Syntax {
    /// Plain text for people.
    Text,
    /// LaTeX for a paper.
    Latex,
    /// SageMath (Python) code.
    Sage,
    /// Mathematica (Wolfram Language) code.
    Mathematica,
    /// Macaulay2 code.
    Macaulay2,
}

/// `(1,2,3)`.
pub(super) fn point(x: &[i64]) -> String {
    format!("({})", join(x, ","))
}

/// The entries with a separator between them.
pub(super) fn join<T: ToString>(items: impl IntoIterator<Item = T>, separator: &str) -> String {
    items.into_iter().map(|item| item.to_string()).collect::<Vec<_>>().join(separator)
}
