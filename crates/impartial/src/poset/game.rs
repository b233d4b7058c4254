//! A poset game as it is written: notations, files and positions.

use std::collections::HashMap;

use serde::Deserialize;
use serde_json::{Value, json};
use thiserror::Error;

use crate::outcome::Play;

use super::FamilyError;
use super::relations::{MAX_ELEMENTS, Poset, PosetError};
use super::set::{ElementSet, Words as _};
use super::young::{Diagram, DiagramError};

/// Why a text is no poset game, or no position of one.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum GameError {
    /// The part after the colon is not understood.
    #[error("\"{text}\": {remedy}")]
    Notation {
        /// The notation.
        text: String,
        /// How to write it.
        remedy: &'static str,
    },
    /// A family has no such member.
    #[error("\"{text}\": {error}")]
    Family {
        /// The notation.
        text: String,
        /// Why.
        error: FamilyError,
    },
    /// Rows that are no diagram.
    #[error("{0}")]
    Diagram(#[from] DiagramError),
    /// A poset file that is not understood.
    #[error("{0}")]
    File(String),
    /// Elements and relations that are no poset.
    #[error("{0}")]
    Poset(#[from] PosetError),
    /// A name that could not be written in a position.
    #[error(
        "elements: the name \"{0}\" cannot be written in a position; leave out commas, braces and spaces at its ends"
    )]
    Name(String),
    /// A Chomp position outside the board.
    #[error(
        "position {position} does not fit on the board {board}; its rows must not be longer or more than the board's"
    )]
    Outside {
        /// The position.
        position: String,
        /// The board.
        board: String,
    },
    /// A position without braces.
    #[error("\"{0}\" is no position of this game; write the elements still present in braces, {{a,b}}, or all")]
    Braces(String),
    /// An element that the board does not have.
    #[error("position: \"{0}\" is no element of the board; `impartial info GAME` lists them")]
    Element(String),
    /// A set that is no order ideal.
    #[error(
        "position: \"{present}\" is present but \"{missing}\" below it is not, which no play can reach; add it or leave out what is above it"
    )]
    NotAnIdeal {
        /// The element that is missing.
        missing: String,
        /// An element above it that is present.
        present: String,
    },
}

/// The board of a poset game.
#[derive(Clone, Debug)]
pub enum Board {
    /// Chomp in the plane: positions are Young diagrams, and the board may be of any size.
    Chomp(Diagram),
    /// Any other finite poset; its elements are in the order of a linear extension.
    Finite(Poset),
}

/// A poset game.
///
/// ```
/// use impartial::poset::PosetGame;
/// let game = PosetGame::from_notation("divisors:12").unwrap().unwrap();
/// assert!(PosetGame::from_notation("kayles").is_none());
/// assert!(PosetGame::from_notation("chomp:3,5").unwrap().is_err());
/// # let _ = game;
/// ```
#[derive(Clone, Debug)]
pub struct PosetGame {
    name: String,
    play: Option<Play>,
    board: Board,
}

/// A poset file.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct PosetFile {
    #[allow(dead_code)]
    kind: String,
    name: Option<String>,
    play: Option<Play>,
    elements: Vec<String>,
    #[serde(default)]
    relations: Vec<(String, String)>,
    #[serde(default, rename = "source")]
    _source: Option<String>,
    #[serde(default, rename = "words")]
    _words: Option<String>,
    #[serde(default, rename = "title")]
    _title: Option<String>,
}

const CHOMP: &str = "write rows × columns (chomp:4x7), a box of any dimension (chomp:2x3x3) or row lengths, longest first (chomp:5,3,1)";
const NUMBERS: &str = "write natural numbers, such as nim-poset:3,5";
const SUBSETS: &str =
    "write subsets:N for all non-empty subsets of {1..N}, or subsets:N,K for those with at most K members";
const DIVISORS: &str = "write divisors:N with N from 1 to 2^64 - 1";
const PARTS: &str = "write at least two poset games joined by semicolons, lowest first in a linear sum: linear-sum:nim-poset:2;divisors:12, with a part that is a union or a linear sum itself in parentheses";
/// How deep unions and linear sums may be nested.
const MOST_NESTED: usize = 16;
const FOREST: &str = "write the parent of every vertex from 1 on, 0 for a root: tree:0,1,1,2";

impl PosetGame {
    /// A game from its notation; `None` when the notation belongs to another kind of game.
    ///
    /// ```
    /// use impartial::poset::PosetGame;
    /// // A chain of two elements below the divisors of 12 except 1.
    /// assert!(PosetGame::from_notation("linear-sum:nim-poset:2;divisors:12").unwrap().is_ok());
    /// ```
    pub fn from_notation(text: &str) -> Option<Result<Self, GameError>> {
        let board = board(text, 0)?;
        Some(board.map(|board| Self { name: text.to_owned(), play: None, board: board.ordered() }))
    }

    /// A game from the text of a poset file; `path` is its name when the file gives none.
    pub fn from_toml(path: &str, text: &str) -> Result<Self, GameError> {
        let file: PosetFile = toml::from_str(text).map_err(|error| GameError::File(error.to_string()))?;
        if let Some(bad) = file
            .elements
            .iter()
            .find(|name| name.is_empty() || name.contains([',', '{', '}']) || name.trim() != name.as_str())
        {
            return Err(GameError::Name(bad.clone()));
        }
        let poset = Poset::new(file.elements, file.relations)?;
        Ok(Self {
            name: file.name.unwrap_or_else(|| path.to_owned()),
            play: file.play,
            board: Board::Finite(poset).ordered(),
        })
    }

    /// The game's name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The play that the file sets, if any.
    pub fn play(&self) -> Option<Play> {
        self.play
    }

    /// The board.
    pub fn board(&self) -> &Board {
        &self.board
    }
}

impl Board {
    /// The board with its elements in the order of a linear extension.
    fn ordered(self) -> Self {
        match self {
            Self::Finite(poset) if (0..poset.len()).any(|x| poset.down(x).members().any(|y| y > x)) => {
                Self::Finite(poset.in_linear_order())
            }
            other => other,
        }
    }

    /// The board in strategy files: `{"kind": "chomp", "rows": […]}`, or `{"kind": "poset"}` with
    /// `elements` in the order of a linear extension and `covers` as pairs of their numbers.
    pub fn to_json(&self) -> Value {
        match self {
            Self::Chomp(diagram) => json!({"kind": "chomp", "rows": diagram.rows()}),
            Self::Finite(poset) => json!({"kind": "poset", "elements": poset.names(), "covers": poset.covers()}),
        }
    }

    /// Reads what [`Board::to_json`] writes.
    pub fn from_json(value: &Value) -> Result<Self, GameError> {
        let bad = |what: &str| GameError::File(format!("strategy file, game: {what}; solve the game again"));
        let list = |key: &str| value.get(key).and_then(Value::as_array).ok_or_else(|| bad(&format!("no list `{key}`")));
        match value.get("kind").and_then(Value::as_str) {
            Some("chomp") => {
                let rows = list("rows")?.iter().map(Value::as_u64).collect::<Option<Vec<u64>>>();
                Ok(Self::Chomp(Diagram::new(rows.ok_or_else(|| bad("a row is no number"))?)?))
            }
            Some("poset") => {
                let names =
                    list("elements")?.iter().map(|name| name.as_str().map(str::to_owned)).collect::<Option<Vec<_>>>();
                let covers = list("covers")?
                    .iter()
                    .map(|pair| {
                        let at = |i: usize| usize::try_from(pair.get(i)?.as_u64()?).ok();
                        Some((at(0)?, at(1)?))
                    })
                    .collect::<Option<Vec<_>>>();
                let (Some(names), Some(covers)) = (names, covers) else {
                    return Err(bad("elements or covers are wrong"));
                };
                Ok(Self::Finite(Poset::from_relations(names, &covers)?))
            }
            _ => Err(bad("it is no poset game")),
        }
    }

    /// The Young diagram of a Chomp position on this board.
    pub fn diagram(board: &Diagram, text: &str) -> Result<Diagram, GameError> {
        if text.trim() == "all" {
            return Ok(board.clone());
        }
        let position: Diagram = text.trim().parse()?;
        if position.fits_in(board) {
            Ok(position)
        } else {
            Err(GameError::Outside { position: position.to_string(), board: short(board) })
        }
    }

    /// The order ideal that a position names, `{a,b}`; `all` is the whole board.
    pub fn ideal(poset: &Poset, text: &str) -> Result<ElementSet, GameError> {
        let text = text.trim();
        if text == "all" {
            return Ok(poset.all());
        }
        let Some(inside) = text.strip_prefix('{').and_then(|text| text.strip_suffix('}')) else {
            return Err(GameError::Braces(text.to_owned()));
        };
        let index: HashMap<&str, usize> =
            poset.names().iter().enumerate().map(|(x, name)| (name.as_str(), x)).collect();
        let mut set = poset.nothing();
        for part in split(inside, ',') {
            // Subsets may be written {1,3} instead of 13, and cells (1,3) instead of 1.3.
            let bare = part.trim_matches(['{', '}', '(', ')']).replace(' ', "");
            let x = index
                .get(part)
                .or_else(|| {
                    index
                        .get(bare.replace([',', '.'], "").as_str())
                        .filter(|_| bare.contains([',', '.']) || bare != part)
                })
                .or_else(|| index.get(bare.replace(',', ".").as_str()))
                .ok_or_else(|| GameError::Element(part.to_owned()))?;
            set.insert(*x);
        }
        match poset.check_ideal(&set) {
            Ok(()) => Ok(set),
            Err((x, y)) => {
                Err(GameError::NotAnIdeal { missing: poset.name(x).to_owned(), present: poset.name(y).to_owned() })
            }
        }
    }

    /// A position in the notation of [`Board::ideal`].
    pub fn notation(poset: &Poset, position: &ElementSet) -> String {
        let names: Vec<&str> = position.members().map(|x| poset.name(x)).collect();
        format!("{{{}}}", names.join(","))
    }
}

/// The board of a notation inside `depth` others; `None` when it belongs to another kind of game.
fn board(text: &str, depth: usize) -> Option<Result<Board, GameError>> {
    let (family, rest) = text.split_once(':')?;
    Some(match family {
        "chomp" => chomp(text, rest),
        "divisors" => rest
            .trim()
            .parse::<u64>()
            .map_err(|_| GameError::Notation { text: text.into(), remedy: DIVISORS })
            .and_then(|n| family_member(text, Poset::divisors(n))),
        "subsets" => numbers(text, rest, SUBSETS).and_then(|sizes| {
            let small = |n: usize| u32::try_from(n).unwrap_or(u32::MAX);
            match *sizes.as_slice() {
                [n] => family_member(text, Poset::subsets(small(n), small(n))),
                [n, k] => family_member(text, Poset::subsets(small(n), small(k))),
                _ => Err(GameError::Notation { text: text.into(), remedy: SUBSETS }),
            }
        }),
        "nim-poset" => numbers(text, rest, NUMBERS).and_then(|heaps| family_member(text, Poset::nim(&heaps))),
        "tree" | "hackendot" => numbers(text, rest, FOREST).and_then(|parents| {
            let parents: Vec<Option<usize>> = parents.iter().map(|p| p.checked_sub(1)).collect();
            let forest = Poset::forest(&parents, family == "tree");
            family_member(text, forest.map(|forest| forest.renamed(|x, _| (x + 1).to_string())))
        }),
        "union" | "linear-sum" => composed(text, rest, family == "linear-sum", depth),
        _ => return None,
    })
}

/// A disjoint union or linear sum of the parts between semicolons.
fn composed(text: &str, rest: &str, linear: bool, depth: usize) -> Result<Board, GameError> {
    let wrong = || GameError::Notation { text: text.into(), remedy: PARTS };
    if depth >= MOST_NESTED {
        return Err(GameError::Notation {
            text: text.into(),
            remedy: "unions and linear sums are nested too deep; write the poset as a file",
        });
    }
    let texts = split(rest, ';');
    if texts.len() < 2 {
        return Err(wrong());
    }
    let mut parts = Vec::new();
    for part in texts {
        let bare = part.strip_prefix('(').and_then(|part| part.strip_suffix(')')).unwrap_or(part).trim();
        let poset = match board(bare, depth + 1).ok_or_else(wrong)?? {
            Board::Finite(poset) => poset,
            Board::Chomp(diagram) => {
                let too_large = || GameError::Family { text: bare.into(), error: FamilyError::TooLarge };
                let rows: Option<Vec<usize>> = diagram.rows().iter().map(|&row| usize::try_from(row).ok()).collect();
                Poset::chomp(&rows.ok_or_else(too_large)?).map_err(|_| too_large())?
            }
        };
        parts.push(poset);
    }
    // Names of two parts that are the same get the number of their part before them.
    let mut seen = std::collections::HashSet::new();
    let clash = !parts.iter().flat_map(Poset::names).all(|name| seen.insert(name.clone()));
    let mut parts = parts
        .into_iter()
        .zip(1..)
        .map(|(part, i)| if clash { part.renamed(|_, name| format!("{i}:{name}")) } else { part });
    let first = parts.next().expect("at least two parts");
    let whole =
        parts.try_fold(first, |sum, part| if linear { sum.linear_sum(&part) } else { sum.disjoint_union(&part) });
    family_member(text, whole)
}

/// A board for messages: rectangles as rows × columns.
fn short(board: &Diagram) -> String {
    if board.is_rectangle() { format!("{}x{}", board.rows().len(), board.columns()) } else { board.to_string() }
}

/// The parts between separators that are not inside braces or parentheses.
fn split(text: &str, separator: char) -> Vec<&str> {
    let mut parts = Vec::new();
    let (mut depth, mut start) = (0_i32, 0);
    for (i, c) in text.char_indices() {
        match c {
            '{' | '(' => depth += 1,
            '}' | ')' => depth -= 1,
            c if c == separator && depth == 0 => {
                parts.push(text[start..i].trim());
                start = i + 1;
            }
            _ => {}
        }
    }
    let last = text[start..].trim();
    if !(parts.is_empty() && last.is_empty()) {
        parts.push(last);
    }
    parts
}

fn family_member(text: &str, poset: Result<Poset, FamilyError>) -> Result<Board, GameError> {
    poset.map(Board::Finite).map_err(|error| GameError::Family { text: text.into(), error })
}

fn numbers(text: &str, rest: &str, remedy: &'static str) -> Result<Vec<usize>, GameError> {
    rest.split(',')
        .map(|part| match part.trim() {
            digits if !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit()) => {
                // Anything beyond 2^64 is too large for every family.
                Ok(digits.parse().unwrap_or(usize::MAX))
            }
            _ => Err(GameError::Notation { text: text.into(), remedy }),
        })
        .collect()
}

fn chomp(text: &str, rest: &str) -> Result<Board, GameError> {
    let wrong = || GameError::Notation { text: text.into(), remedy: CHOMP };
    if !rest.contains(['x', '×']) {
        return match rest.parse() {
            Ok(diagram) => Ok(Board::Chomp(diagram)),
            Err(DiagramError::Syntax(_)) => Err(wrong()),
            Err(error) => Err(error.into()),
        };
    }
    let lengths = rest.split(['x', '×']).collect::<Vec<_>>().join(",");
    let lengths = numbers(text, &lengths, CHOMP)?;
    if lengths.contains(&0) {
        return Err(wrong());
    }
    if let [rows, columns] = *lengths.as_slice() {
        return Ok(Board::Chomp(Diagram::rectangle(rows, columns as u64)?));
    }
    let cells = lengths.iter().try_fold(1_usize, |product, &n| product.checked_mul(n));
    if cells.is_none_or(|cells| cells > MAX_ELEMENTS) {
        return Err(GameError::Family { text: text.into(), error: FamilyError::TooLarge });
    }
    family_member(text, Poset::chomp_box(&lengths))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn finite(text: &str) -> Poset {
        match PosetGame::from_notation(text).unwrap().unwrap().board {
            Board::Finite(poset) => poset,
            Board::Chomp(_) => panic!("{text} is Chomp"),
        }
    }

    #[test]
    fn notations() {
        assert_eq!(finite("divisors:360").len(), 23);
        assert_eq!(finite("subsets:4").len(), 15);
        assert_eq!(finite("subsets:4,2").len(), 10);
        assert_eq!(finite("nim-poset:3,5").len(), 8);
        assert_eq!(finite("chomp:2x2x3").len(), 11);
        assert_eq!(finite("tree:0,1,1").len(), 3);
        let sum = finite("linear-sum:nim-poset:1,1;chomp:2x2;(union:divisors:4;divisors:9)");
        assert_eq!(sum.len(), 2 + 3 + 4);
        assert_eq!(sum.covers().len(), 10);
        assert_eq!(finite("union:nim-poset:1;nim-poset:1").names(), ["1:a1", "2:a1"]);
        assert_eq!(finite("union:nim-poset:2;divisors:4").names(), ["a1", "a2", "2", "4"]);
        for bad in [
            "chomp:",
            "chomp:0x3",
            "chomp:3x",
            "chomp:axb",
            "chomp:3,5",
            "chomp:-1x2",
            "divisors:0",
            "divisors:-4",
            "divisors:x",
            "divisors:99999999999999999999",
            "subsets:60",
            "subsets:1,2,3",
            "subsets:",
            "nim-poset:1,a",
            "nim-poset:99999999999",
            "chomp:1000000x1000000",
            "chomp:99999999999999999999x3",
            "chomp:1000x1000x1000",
            "tree:5",
            "union:",
            "union:nim-poset:2",
            "union:nim-poset:2;kayles",
            "union:nim-poset:2;",
            "linear-sum:nim-poset:2;chomp:1000000x3",
            "union:nim-poset:5000;nim-poset:5000",
        ] {
            assert!(PosetGame::from_notation(bad).unwrap().is_err(), "{bad}");
        }
    }

    #[test]
    fn nesting_has_an_end() {
        let deep = (0..100).fold("nim-poset:1".to_owned(), |inner, _| format!("union:nim-poset:1;({inner})"));
        assert!(PosetGame::from_notation(&deep).unwrap().is_err());
    }

    #[test]
    fn positions() {
        let divisors = finite("divisors:12");
        let set = Board::ideal(&divisors, "{2, 3,4}").unwrap();
        assert_eq!(Board::notation(&divisors, &set), "{2,3,4}");
        assert_eq!(Board::notation(&divisors, &Board::ideal(&divisors, "{}").unwrap()), "{}");
        assert!(matches!(Board::ideal(&divisors, "{4}"), Err(GameError::NotAnIdeal { .. })));
        assert!(matches!(Board::ideal(&divisors, "{5}"), Err(GameError::Element(_))));
        assert!(matches!(Board::ideal(&divisors, "2,3"), Err(GameError::Braces(_))));
        let subsets = finite("subsets:3");
        for text in ["{1,2,12}", "{{1},{2},{1,2}}", "{1,2,1.2}", "{1,2,{1,2}}"] {
            assert_eq!(Board::notation(&subsets, &Board::ideal(&subsets, text).unwrap()), "{1,2,12}", "{text}");
        }
        let space = finite("chomp:2x2x2");
        assert_eq!(Board::notation(&space, &Board::ideal(&space, "{(1,1,2)}").unwrap()), "{1.1.2}");
    }

    #[test]
    fn files() {
        let game = PosetGame::from_toml(
            "n.toml",
            "kind = \"poset\"\nelements = [\"d\",\"c\",\"b\",\"a\"]\nrelations = [[\"a\",\"c\"],[\"b\",\"c\"],[\"b\",\"d\"]]",
        )
        .unwrap();
        let json = game.board.to_json();
        let Board::Finite(poset) = game.board else { panic!("a poset file is a finite poset") };
        assert_eq!(poset.names(), ["b", "a", "d", "c"]);
        let Board::Finite(back) = Board::from_json(&json).unwrap() else { panic!("a poset stays one") };
        assert_eq!(back, poset);
        for bad in [
            "kind = \"poset\"",
            "kind = \"poset\"\nelements = [\"a,b\"]",
            "kind = \"poset\"\nelements = [\"a\"]\nrelation = []",
            "kind = \"poset\"\nelements = [\"a\"]\nrelations = [[\"a\",\"z\"]]",
            "kind = \"poset\"\nelements = [\"a\",\"b\"]\nrelations = [[\"a\",\"b\"],[\"b\",\"a\"]]",
        ] {
            assert!(PosetGame::from_toml("f", bad).is_err(), "{bad}");
        }
    }
}
