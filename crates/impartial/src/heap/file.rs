//! Heap game files: `kind = "heap"`.

use serde::{Deserialize, Serialize};
use thiserror::Error;

use super::{Clause, HeapRules, Leave, RulesError, Shape, Take};
use crate::outcome::Play;

/// A heap game as a file: a code, a subtraction set, or clauses, and what people call it.
///
/// ```
/// use impartial::heap::HeapFile;
/// let file = HeapFile::from_toml(r#"
///     kind = "heap"
///     name = "Grundy's game"
///     [[moves]]
///     take = 0            # beans taken: a number, a list, or a text such as "1..3" or "squares"
///     leave = 2           # heaps left: a number, a list, or a text such as "1..2"
///     heaps = "unequal"   # or "equal", "any"
/// "#).unwrap();
/// assert_eq!(file.rules.heap_options(5), [[1, 4], [2, 3]]);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HeapFile {
    /// What people call the game.
    pub name: Option<String>,
    /// The play the file sets.
    pub play: Option<Play>,
    /// The rules.
    pub rules: HeapRules,
}

/// Why a text is no heap game file.
#[derive(Debug, Error)]
pub enum HeapFileError {
    /// Not TOML, or a key that is missing or has no place.
    #[error("line {line}: {message}; {remedy}")]
    Toml {
        /// The line, counted from 1.
        line: usize,
        /// What is wrong.
        message: String,
        /// What to write.
        remedy: &'static str,
    },
    /// Rules that are not understood.
    #[error(transparent)]
    Rules(#[from] RulesError),
    /// More or less than one way to give the rules.
    #[error("give exactly one of code = \"0.77\", subtract = [1, 2, 3] and [[moves]] tables; this file has {0}")]
    Ways(usize),
}

impl HeapFileError {
    fn toml(error: &toml::de::Error, text: &str) -> Self {
        let line = error.span().map_or(1, |span| 1 + text[..span.start.min(text.len())].matches('\n').count());
        let message = error.message().to_owned();
        // Keys of a clause are found inside a [[moves]] table, the others before the first one.
        let clause = text.lines().take(line).any(|line| line.trim_start().starts_with("[[moves"));
        let remedy = if clause {
            "a clause has take = 1 and leave = 1, and may have limit, heap, heaps and least"
        } else {
            "a heap file has kind, name, play, and exactly one of code = \"0.77\", subtract = [1, 2, 3] and [[moves]] tables"
        };
        Self::Toml { line, message, remedy }
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Raw {
    #[allow(dead_code)]
    kind: Option<String>,
    name: Option<String>,
    play: Option<Play>,
    code: Option<String>,
    subtract: Option<Vec<u64>>,
    moves: Option<Vec<RawClause>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawClause {
    heap: Option<String>,
    take: Spec,
    limit: Option<OneOrMore>,
    leave: Spec,
    #[serde(default)]
    heaps: Shape,
    least: Option<u64>,
}

#[derive(Deserialize, Serialize)]
#[serde(untagged, expecting = "expected a number, a list of numbers, or a text such as \"1..3\"")]
enum Spec {
    Number(u64),
    List(Vec<u64>),
    Text(String),
}

#[derive(Deserialize)]
#[serde(untagged, expecting = "expected a text such as \"< n/2+1\", or a list of such texts")]
enum OneOrMore {
    One(String),
    More(Vec<String>),
}

impl HeapFile {
    /// Reads the text of a file.
    pub fn from_toml(text: &str) -> Result<Self, HeapFileError> {
        let raw: Raw = toml::from_str(text).map_err(|error| HeapFileError::toml(&error, text))?;
        let ways =
            usize::from(raw.code.is_some()) + usize::from(raw.subtract.is_some()) + usize::from(raw.moves.is_some());
        let rules = match (raw.code, raw.subtract, raw.moves) {
            (Some(code), None, None) => HeapRules::Code(code.parse().map_err(RulesError::from)?),
            (None, Some(set), None) => HeapRules::subtraction(&set)?,
            (None, None, Some(moves)) => {
                HeapRules::clauses(moves.into_iter().map(RawClause::clause).collect::<Result<_, _>>()?)?
            }
            _ => return Err(HeapFileError::Ways(ways)),
        };
        Ok(Self { name: raw.name, play: raw.play, rules })
    }
}

impl RawClause {
    fn clause(self) -> Result<Clause, RulesError> {
        let take = match self.take {
            Spec::Number(n) => Take::these(&[n]),
            Spec::List(list) => Take::these(&list),
            Spec::Text(text) => text.parse()?,
        };
        let limits = match self.limit {
            None => Vec::new(),
            Some(OneOrMore::One(text)) => vec![text],
            Some(OneOrMore::More(texts)) => texts,
        };
        let leave = match self.leave {
            Spec::Number(n) => vec![Leave::exactly(n)],
            Spec::List(list) if list.is_empty() => return Err(RulesError::Leave("[]".into())),
            Spec::List(list) => list.into_iter().map(Leave::exactly).collect(),
            Spec::Text(text) => leave(&text)?,
        };
        Ok(Clause {
            heap: self.heap.map(|text| text.parse()).transpose()?,
            take,
            limits: limits.iter().map(|text| text.parse()).collect::<Result<_, _>>()?,
            leave,
            shape: self.heaps,
            least: self.least.unwrap_or(1).max(1),
        })
    }
}

fn leave(text: &str) -> Result<Vec<Leave>, RulesError> {
    let bad = || RulesError::Leave(format!("\"{text}\""));
    let number = |text: &str| text.trim().parse::<u64>().map_err(|_| bad());
    text.split(',')
        .map(|item| match item.trim().split_once("..") {
            None => Ok(Leave::exactly(number(item)?)),
            Some((first, "")) => Ok(Leave { first: number(first)?, last: None }),
            Some((first, last)) => {
                let (first, last) = (number(first)?, number(last)?);
                if first <= last { Ok(Leave { first, last: Some(last) }) } else { Err(bad()) }
            }
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rules(text: &str) -> HeapRules {
        HeapFile::from_toml(text).unwrap().rules
    }

    #[test]
    fn the_three_ways_to_give_rules() {
        assert_eq!(rules("code = '0.77'"), "0.77".parse().unwrap());
        assert_eq!(rules("subtract = [3, 1, 1]"), "subtract:1,3".parse().unwrap());
        let halves = rules("[[moves]]\ntake = '1..'\nlimit = '< n/2+1'\nleave = '0..1'");
        assert_eq!(halves.heap_options(2), [[1]]);
        assert_eq!(halves.heap_options(1), [[0_u64; 0]]);
        assert_eq!(halves.heap_options(5), [[2], [3], [4]]);
    }

    #[test]
    fn clauses_survive_their_own_text() {
        let text = "[[moves]]\nheap = 'odd, >= 3'\ntake = 'squares, 2..5'\nlimit = ['< n/2+1', '>= 2']\nleave = '1..2'\nheaps = 'unequal'\nleast = 2\n[[moves]]\ntake = 0\nleave = 3";
        let HeapRules::Clauses(clauses) = rules(text) else { panic!("clauses") };
        let json = serde_json::json!({"moves": clauses.iter().map(Clause::to_json).collect::<Vec<_>>()});
        let again = toml::to_string(&json).unwrap();
        assert_eq!(rules(&again), HeapRules::Clauses(clauses));
    }

    #[test]
    fn bad_files_say_what_is_wrong() {
        for (text, words) in [
            ("", "exactly one of"),
            ("code = '0.7'\nsubtract = [1]", "this file has 2"),
            ("code = '0.8z'", "character 4"),
            ("subtract = []", "no number"),
            ("subtract = [0]", "0 may not be taken"),
            ("moves = []", "no moves"),
            ("colour = 3", "line 1: unknown field"),
            ("kind = 'heap'\n[[moves]]\ntake = 1", "line 2: missing field `leave`; a clause has take"),
            ("kind = 'heap'\ncode = 77", "line 2"),
            ("[[moves]]\ntake = 0\nleave = 1", "clause 1"),
            ("[[moves]]\ntake = 'x'\nleave = 1", "take = \"x\""),
            ("[[moves]]\ntake = 1\nleave = 'x'", "leave = \"x\""),
            ("[[moves]]\ntake = 1\nleave = []", "leave = []"),
            ("[[moves]]\ntake = -1\nleave = 1", "a number, a list of numbers"),
            ("[[moves]]\ntake = 1\nlimit = 'n'\nleave = 1", "limit = \"n\""),
        ] {
            let message = HeapFile::from_toml(text).unwrap_err().to_string();
            assert!(message.contains(words), "{text}: {message}");
        }
    }
}
