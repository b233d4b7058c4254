//! The languages that values can be written in.

use std::str::FromStr;

use crate::error::Error;

/// A language for [`super::stratification`] and its siblings. Not every value has a meaning in every language; the front door
/// says which have.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Syntax {
    /// Plain text for people.
    Text,
    /// LaTeX for a paper.
    Latex,
    /// `SageMath` (Python) code.
    Sage,
    /// Mathematica (Wolfram Language) code.
    Mathematica,
    /// Macaulay2 code.
    Macaulay2,
    /// GAP code.
    Gap,
    /// An input file of Normaliz.
    Normaliz,
    /// An automaton of Walnut, lowest digits first.
    Walnut,
    /// A graph for Graphviz.
    Dot,
    /// A b-file of the OEIS: lines `n a(n)`.
    BFile,
    /// Lines of a draft for the OEIS.
    Oeis,
    /// A table with commas between the columns, under a heading.
    Csv,
    /// A JSON object a line.
    JsonLines,
}

impl Syntax {
    /// Every language.
    pub const ALL: [Self; 13] = [
        Self::Text,
        Self::Latex,
        Self::Sage,
        Self::Mathematica,
        Self::Macaulay2,
        Self::Gap,
        Self::Normaliz,
        Self::Walnut,
        Self::Dot,
        Self::BFile,
        Self::Oeis,
        Self::Csv,
        Self::JsonLines,
    ];

    /// The name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Self::Text => "text",
            Self::Latex => "latex",
            Self::Sage => "sage",
            Self::Mathematica => "mathematica",
            Self::Macaulay2 => "macaulay2",
            Self::Gap => "gap",
            Self::Normaliz => "normaliz",
            Self::Walnut => "walnut",
            Self::Dot => "dot",
            Self::BFile => "bfile",
            Self::Oeis => "oeis",
            Self::Csv => "csv",
            Self::JsonLines => "jsonl",
        }
    }
}

impl std::fmt::Display for Syntax {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Syntax {
    type Err = Error;

    /// By its name.
    ///
    /// ```
    /// use impartial::render::Syntax;
    /// assert_eq!("macaulay2".parse::<Syntax>()?, Syntax::Macaulay2);
    /// # Ok::<(), impartial::Error>(())
    /// ```
    fn from_str(text: &str) -> Result<Self, Error> {
        Self::ALL.into_iter().find(|syntax| syntax.name() == text).ok_or_else(|| {
            let names: Vec<&str> = Self::ALL.iter().map(|syntax| syntax.name()).collect();
            Error::Input(format!("\"{text}\" is no syntax; it is one of {}", names.join(", ")))
        })
    }
}

/// `(1,2,3)`.
pub(super) fn point(x: &[i64]) -> String {
    format!("({})", join(x, ","))
}

/// The entries with a separator between them.
pub(super) fn join<T: ToString>(items: impl IntoIterator<Item = T>, separator: &str) -> String {
    items.into_iter().map(|item| item.to_string()).collect::<Vec<_>>().join(separator)
}

/// A field of a CSV line: quoted where it holds a comma, a quote or a line break.
pub(crate) fn field(text: &str) -> String {
    if text.contains([',', '"', '\n']) { format!("\"{}\"", text.replace('"', "\"\"")) } else { text.to_owned() }
}
