//! What the page asks, as JSON.

use impartial::prelude::{Error, Form, Game, Play};
use impartial::render::Syntax;
use serde::Deserialize;

/// A question: its name, and what it needs.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Question {
    /// What is asked, by the name of the command where there is one.
    pub ask: String,
    /// A name, a notation, or the text of a game file.
    pub game: Option<String>,
    /// The play; the game's own when it is absent.
    pub play: Option<Play>,
    /// A position.
    pub position: Option<String>,
    /// Another position, to compare with.
    pub other: Option<String>,
    /// The last heap.
    pub to: Option<u64>,
    /// The largest heap of sums.
    pub max_heap: Option<u64>,
    /// The form of a strategy.
    pub form: Option<String>,
    /// The syntax of an export.
    pub syntax: Option<String>,
    /// The text of a strategy file or of a claim.
    pub text: Option<String>,
    /// The sizes of a box.
    pub sizes: Option<String>,
    /// A slice such as `(*,*,0)`.
    pub slice: Option<String>,
    /// Grundy values instead of P and N.
    #[serde(default)]
    pub grundy: bool,
    /// The Grundy value of a function of chains.
    pub value: Option<u64>,
    /// The argument of a function of chains, in decimal.
    pub at: Option<String>,
    /// A limit of time, in place of the engine's own.
    pub seconds: Option<u16>,
    /// Whether options are wanted with their outcomes.
    #[serde(default)]
    pub outcomes: bool,
}

impl Question {
    /// The game of the question.
    pub fn game(&self) -> Result<Game, Error> {
        needed(self.game.as_deref(), "game")?.trim().parse()
    }

    /// The text of the question.
    pub fn text(&self) -> Result<&str, Error> {
        needed(self.text.as_deref(), "text")
    }

    /// A position of the game.
    pub fn position(&self) -> Result<&str, Error> {
        needed(self.position.as_deref(), "position")
    }

    /// The other position.
    pub fn other(&self) -> Result<&str, Error> {
        needed(self.other.as_deref(), "other")
    }

    /// The form that is asked for.
    pub fn form(&self) -> Result<Option<Form>, Error> {
        self.form.as_deref().map(str::parse).transpose()
    }

    /// The syntax that is asked for; JSON is `None`.
    pub fn syntax(&self) -> Result<Option<Syntax>, Error> {
        match self.syntax.as_deref().unwrap_or("text") {
            "json" => Ok(None),
            name => name.parse().map(Some),
        }
    }
}

fn needed<'a>(what: Option<&'a str>, name: &str) -> Result<&'a str, Error> {
    what.ok_or_else(|| Error::Input(format!("the question needs `{name}`")))
}
