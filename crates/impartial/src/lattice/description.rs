//! Descriptions of lattice games: game files and the `game` object of strategy files.

use std::fmt::Write as _;

use serde::Deserialize;
use serde_json::{Value, json};

use super::error::LatticeError;
use super::{LatticeGame, Row};
use crate::outcome::Play;

/// Entries of rules, boards and defeated positions lie between −2⁴⁰ and 2⁴⁰: products with them stay exact in `i128`.
const LARGEST_ENTRY: i64 = 1 << 40;

/// A lattice game as it is written down: shapes and sizes are sound, axioms are not yet looked at.
///
/// ```
/// use impartial::lattice::Description;
/// let description = Description::from_toml("kind = \"lattice\"\nrules = [[2], [5]]\ndefeated = [[1]]").unwrap();
/// assert_eq!(description.dimension(), 1);
/// assert_eq!(description.defeated(), Some(&[vec![1]][..]));
/// assert!(Description::from_toml("kind = \"lattice\"\nrules = [[0, 0]]").is_err());
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Description {
    /// The game's name, if it has one.
    pub(crate) name: Option<String>,
    /// The rule set Γ, sorted and without repeats: a move subtracts one of these.
    pub(crate) rules: Vec<Vec<i64>>,
    /// Inequalities a·x + b ≥ 0 of the board; `None` is the orthant.
    pub(crate) board: Option<Vec<Row>>,
    /// Generators of the defeated order ideal; `None` leaves it to the play.
    pub(crate) defeated: Option<Vec<Vec<i64>>>,
    /// The play that is written down, if any: `misere` defeats 0 and what lies below it.
    pub(crate) play: Option<Play>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    #[allow(dead_code)]
    kind: Option<String>,
    name: Option<String>,
    /// Where the game comes from; for readers only.
    #[allow(dead_code)]
    source: Option<toml::Value>,
    #[allow(dead_code)]
    note: Option<toml::Value>,
    play: Option<String>,
    rules: Vec<Vec<i64>>,
    defeated: Option<Vec<Vec<i64>>>,
    board: Option<BoardTable>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct BoardTable {
    inequalities: Vec<Vec<i64>>,
}

impl Description {
    /// A description from its parts, with shapes checked.
    pub fn new(
        name: Option<String>,
        rules: Vec<Vec<i64>>,
        board: Option<Vec<Row>>,
        defeated: Option<Vec<Vec<i64>>>,
        play: Option<Play>,
    ) -> Result<Self, LatticeError> {
        let dimension = rules.first().ok_or(LatticeError::NoRules)?.len();
        if dimension == 0 {
            return Err(LatticeError::NoCoordinates);
        }
        let as_first = " (as many as in rules[0])";
        check_shape("rules", &rules, dimension, as_first)?;
        if let Some(index) = rules.iter().position(|rule| rule.iter().all(|&x| x == 0)) {
            return Err(LatticeError::ZeroRule { index });
        }
        if let Some(rows) = &board {
            check_shape("board.inequalities", rows, dimension + 1, " (a1, …, ad and b of a·x + b >= 0)")?;
            if rows.is_empty() {
                return Err(LatticeError::Board(
                    "there are no inequalities, so the board is not pointed; leave [board] out for the orthant".into(),
                ));
            }
        }
        if let Some(points) = &defeated {
            check_shape("defeated", points, dimension, as_first)?;
        }
        // Γ is a set: the order and repeats of the list mean nothing.
        let mut rules = rules;
        rules.sort();
        rules.dedup();
        Ok(Self { name, rules, board, defeated, play })
    }

    /// Reads the text of a lattice game file (`kind = "lattice"`).
    pub fn from_toml(text: &str) -> Result<Self, LatticeError> {
        let file: File = toml::from_str(text).map_err(|error| {
            let line = error.span().map_or(1, |span| 1 + text[..span.start.min(text.len())].matches('\n').count());
            LatticeError::Syntax(format!(
                "line {line}: {}; a lattice game file has rules = [[1, 0], …], optionally defeated, play, name, \
                 and [board] inequalities",
                error.message()
            ))
        })?;
        let play = match file.play.as_deref() {
            None => None,
            Some("normal") => Some(Play::Normal),
            Some("misere" | "misère") => Some(Play::Misere),
            Some(other) => {
                return Err(LatticeError::Play(format!("play = \"{other}\" is not known; it is normal or misere")));
            }
        };
        Self::new(file.name, file.rules, file.board.map(|board| board.inequalities), file.defeated, play)
    }

    /// The text of a lattice game file for this description.
    pub fn to_toml(&self) -> String {
        let mut text = String::from("kind = \"lattice\"\n");
        if let Some(name) = &self.name {
            let _ = writeln!(text, "name = {}", toml::Value::from(name.as_str()));
        }
        let _ = writeln!(text, "rules = {}", list(&self.rules));
        if let Some(play) = self.play {
            let _ = writeln!(text, "play = \"{play}\"");
        }
        if let Some(defeated) = &self.defeated {
            let _ = writeln!(text, "defeated = {}", list(defeated));
        }
        if let Some(rows) = &self.board {
            let _ = writeln!(text, "[board]\ninequalities = {}", list(rows));
        }
        text
    }

    /// Reads the `game` object of a strategy file (`"kind": "lattice"`): rules, board, all defeated positions.
    pub fn from_json(game: &Value) -> Result<Self, LatticeError> {
        let syntax = |what: &str| LatticeError::Syntax(format!("strategy file: game: {what}"));
        let object = game.as_object().ok_or_else(|| syntax("not an object"))?;
        if object.get("kind").and_then(Value::as_str) != Some("lattice") {
            return Err(syntax("\"kind\" is not \"lattice\""));
        }
        let vectors = |key: &str| -> Result<Option<Vec<Vec<i64>>>, LatticeError> {
            match object.get(key) {
                None => Ok(None),
                Some(value) => serde_json::from_value(value.clone())
                    .map(Some)
                    .map_err(|error| syntax(&format!("\"{key}\" is not a list of integer vectors ({error})"))),
            }
        };
        if let Some(key) = object.keys().find(|key| !["kind", "rules", "board", "defeated"].contains(&key.as_str())) {
            return Err(syntax(&format!("unknown key \"{key}\"")));
        }
        let rules = vectors("rules")?.ok_or_else(|| syntax("\"rules\" is missing"))?;
        Self::new(None, rules, vectors("board")?, vectors("defeated")?, None)
    }

    /// The game's name, if it has one.
    pub fn name(&self) -> Option<&str> {
        self.name.as_deref()
    }

    /// The rule set Γ, sorted and without repeats.
    pub fn rules(&self) -> &[Vec<i64>] {
        &self.rules
    }

    /// Inequalities a·x + b ≥ 0 of the board; `None` is the orthant.
    pub fn board(&self) -> Option<&[Row]> {
        self.board.as_deref()
    }

    /// Generators of the defeated order ideal; `None` leaves it to the play.
    pub fn defeated(&self) -> Option<&[Vec<i64>]> {
        self.defeated.as_deref()
    }

    /// The play that is written down, if any.
    pub fn play(&self) -> Option<Play> {
        self.play
    }

    /// The same game under another name.
    #[must_use]
    pub fn named(mut self, name: String) -> Self {
        self.name = Some(name);
        self
    }

    /// The number of coordinates.
    pub fn dimension(&self) -> usize {
        self.rules[0].len()
    }

    /// The same game with another play asked for (`--play`); [`LatticeGame::new`] refuses it when it contradicts the
    /// defeated set.
    #[must_use]
    pub fn with_play(mut self, play: Option<Play>) -> Self {
        if play.is_some() {
            self.play = play;
        }
        self
    }
}

impl LatticeGame {
    /// The `game` object of strategy files: rules, board and all defeated positions, in the user's coordinates.
    ///
    /// ```
    /// use impartial::lattice::{Description, LatticeGame};
    /// use semilinear::run::Unlimited;
    /// let description = Description::from_toml("rules = [[2], [5]]\ndefeated = [[3]]").unwrap();
    /// let game = LatticeGame::new(&description, &Unlimited).unwrap();
    /// assert_eq!(
    ///     game.to_json(),
    ///     serde_json::json!({"kind": "lattice", "rules": [[2], [5]], "defeated": [[1], [3]]})
    /// );
    /// ```
    pub fn to_json(&self) -> Value {
        let mut game = json!({"kind": "lattice", "rules": self.rules(), "defeated": self.defeated()});
        if let Some(rows) = self.board() {
            game["board"] = json!(rows);
        }
        game
    }
}

/// Checks the length and the entries of every vector in a list.
fn check_shape(key: &str, list: &[Vec<i64>], length: usize, why: &'static str) -> Result<(), LatticeError> {
    for (i, vector) in list.iter().enumerate() {
        let place = || format!("{key}[{i}]");
        if vector.len() != length {
            return Err(LatticeError::Length { place: place(), found: vector.len(), expected: length, why });
        }
        if let Some(&entry) = vector.iter().find(|x| x.unsigned_abs() > LARGEST_ENTRY.unsigned_abs()) {
            return Err(LatticeError::Entry { place: place(), entry });
        }
    }
    Ok(())
}

/// A TOML list of integer vectors, a vector a line when there are many.
fn list(vectors: &[Vec<i64>]) -> String {
    let rows: Vec<String> = vectors.iter().map(|v| format!("{v:?}")).collect();
    if rows.iter().map(String::len).sum::<usize>() < 90 {
        format!("[{}]", rows.join(", "))
    } else {
        format!("[\n    {},\n]", rows.join(",\n    "))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_game_file_is_read_back() {
        let text = "kind = \"lattice\"\nname = \"a \\\"b\\\"\"\nrules = [[1, 2], [1, -1], [2, 0]]\n\
                    defeated = [[0, 0]]\n[board]\ninequalities = [[1, -1, 0], [1, 1, 0]]\n";
        let description = Description::from_toml(text).unwrap();
        assert_eq!(Description::from_toml(&description.to_toml()).unwrap(), description);
        assert_eq!(description.rules, [[1, -1], [1, 2], [2, 0]]);
    }

    #[test]
    fn bad_files_name_the_place() {
        for (text, expected) in [
            ("rules = []", "`rules` is empty"),
            ("rules = [[]]", "no entries"),
            ("rules = [[1, 0], [1]]", "rules[1] has 1 entries, but 2"),
            ("rules = [[1, 0], [0, 0]]", "rules[1] is the zero vector"),
            ("rules = [[1, 0]]\ndefeated = [[0]]", "defeated[0] has 1"),
            ("rules = [[1, 0]]\n[board]\ninequalities = [[1, 0]]", "board.inequalities[0] has 2"),
            ("rules = [[1, 0]]\n[board]\ninequalities = []", "not pointed"),
            ("rules = [[1, 0.5]]", "line 1"),
            ("\nrules = [[1, \"x\"]]", "line 2"),
            ("rules = [[1, 9999999999999]]", "between -2^40 and 2^40"),
            ("rules = [[1, 99999999999999999999999]]", "line 1"),
            ("rules = [[1]]\ncolour = 3", "colour"),
            ("rules = [[1]]\nplay = \"odd\"", "play = \"odd\""),
        ] {
            let message = Description::from_toml(text).unwrap_err().to_string();
            assert!(message.contains(expected), "{text}: {message}");
        }
    }

    #[test]
    fn megabytes_of_brackets_are_refused_at_once() {
        let text = format!("rules = {}", "[".repeat(10 << 20));
        let message = Description::from_toml(&text).unwrap_err().to_string();
        assert!(message.len() < 1000, "{} bytes", message.len());
    }
}
