//! What a game is.

use std::fmt;

use serde::Serialize;
use serde_json::{Map, Value};

/// What a game is: kind, dimension, rules, axioms, as far as they apply.
#[derive(Clone, Debug, Serialize)]
#[non_exhaustive]
pub struct InfoReport {
    /// The game as it was written.
    pub game: String,
    /// Its kind.
    pub kind: &'static str,
    /// What there is to say of this kind of game.
    #[serde(flatten)]
    pub facts: Map<String, Value>,
    #[serde(skip)]
    lines: Vec<String>,
}

impl InfoReport {
    pub(crate) fn new(game: &str, kind: &'static str) -> Self {
        Self { game: game.to_owned(), kind, facts: Map::new(), lines: Vec::new() }
    }

    /// Adds a fact for programs.
    pub(crate) fn fact(&mut self, key: &str, value: impl Serialize) -> &mut Self {
        self.facts.insert(key.to_owned(), serde_json::to_value(value).unwrap_or(Value::Null));
        self
    }

    /// Adds a line for people.
    pub(crate) fn line(&mut self, line: impl Into<String>) -> &mut Self {
        self.lines.push(line.into());
        self
    }
}

impl fmt::Display for InfoReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.lines.join("\n"))
    }
}
