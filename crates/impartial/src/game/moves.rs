//! Moves as people say and type them: `take 2 from 4`, `4-2`, the position that results.

use num_bigint::BigUint;
use serde::Serialize;

use super::Game;
use super::position::Position;
use crate::error::{Error, Result};

/// A move of a position.
#[derive(Clone, Debug, Serialize)]
#[non_exhaustive]
pub struct Move {
    /// The name of the move, where it has one: the element that is chosen, say.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// The move in words.
    pub words: String,
    /// The position that results.
    pub to: Position,
}

impl Game {
    /// Every move of a position, in words.
    ///
    /// ```
    /// use impartial::prelude::*;
    /// let nim: Game = "nim".parse()?;
    /// let words: Vec<String> = nim.moves(&nim.position("2")?)?.into_iter().map(|found| found.words).collect();
    /// assert_eq!(words, ["take the whole heap of 2", "take 1 from the heap of 2"]);
    /// # Ok::<(), Error>(())
    /// ```
    pub fn moves(&self, position: &Position) -> Result<Vec<Move>> {
        let options = self.options(position)?;
        let names = match self.move_names(position)? {
            Some(names) if names.len() == options.len() => names.into_iter().map(Some).collect(),
            _ => vec![None; options.len()],
        };
        let found = |(to, name): (Position, Option<String>)| {
            let words = match &name {
                Some(name) => format!("choose {name}"),
                None => self.move_words(position, &to)?,
            };
            Ok(Move { name, words, to })
        };
        options.into_iter().zip(names).map(found).collect()
    }

    /// The move from a position to one of its options, in words.
    pub fn move_words(&self, position: &Position, option: &Position) -> Result<String> {
        self.kind.playable().move_words(position, option)
    }

    /// The option that a typed move means: its name, its number in the list as `#2`, the position that results, or words such as
    /// `take 2 from 4` and `4-2`.
    ///
    /// ```
    /// use impartial::prelude::*;
    /// let nim: Game = "nim".parse()?;
    /// let position = nim.position("3+4")?;
    /// for text in ["take 2 from 4", "4-2", "remove 2 from the heap of 4", "4 -> 2", "2+3"] {
    ///     assert_eq!(nim.read_move(&position, text)?.to_string(), "2+3");
    /// }
    /// assert!(nim.read_move(&position, "take 5 from 4").is_err());
    /// # Ok::<(), Error>(())
    /// ```
    pub fn read_move(&self, position: &Position, text: &str) -> Result<Position> {
        let moves = self.moves(position)?;
        let text = text.trim();
        let numbered = |digits: &str| {
            let place = digits.trim().parse::<usize>().ok().and_then(|i| i.checked_sub(1));
            place.and_then(|i| moves.get(i)).map(|found| found.to.clone())
        };
        if let Some(digits) = text.strip_prefix('#') {
            return numbered(digits)
                .ok_or_else(|| Error::Input(format!("There is no move {text}; the list has {}.", moves.len())));
        }
        let bare = without_verb(text);
        // The name of a move comes before the number of one: the divisor 6 is not the sixth move.
        let inside = bare.strip_prefix('(').and_then(|text| text.strip_suffix(')')).unwrap_or(bare);
        let square = inside.replace(' ', "").replace(',', ".");
        let by_name = |name: &String| name == bare || *name == square;
        if let Some(found) = moves.iter().find(|found| found.name.as_ref().is_some_and(by_name)) {
            return Ok(found.to.clone());
        }
        let read = self.position(bare);
        if let Ok(result) = &read
            && moves.iter().any(|found| found.to == *result)
        {
            return Ok(result.clone());
        }
        let mut meant = self.kind.playable().meant(position, text)?;
        meant.retain(|option| moves.iter().any(|found| found.to == *option));
        match meant.as_slice() {
            [one] => return Ok(one.clone()),
            [] => {}
            many => {
                let shown: Vec<String> = many.iter().take(6).map(ToString::to_string).collect();
                return Err(Error::Input(format!("\"{text}\" can mean {}; type the position.", shown.join(" or "))));
            }
        }
        let named = moves.iter().any(|found| found.name.is_some());
        if !named && let Some(option) = numbered(text) {
            return Ok(option);
        }
        Err(match read {
            Ok(result) if Words::read(text).is_none() => {
                Error::Input(format!("No move leads to {result}; type moves for the list."))
            }
            Err(error) if Words::read(text).is_none() => error,
            _ => Error::Input(format!(
                "\"{text}\" is no move here; type the position that results ({}), or {}.",
                self.position_forms(),
                self.move_forms()
            )),
        })
    }

    /// What else a typed move may be.
    pub fn move_forms(&self) -> &'static str {
        self.kind.playable().move_forms()
    }

    /// How positions of this game are written.
    pub fn position_forms(&self) -> &'static str {
        self.kind.playable().position_forms()
    }
}

/// A typed move without the verb that people put before a name or a position.
fn without_verb(text: &str) -> &str {
    let lower = text.to_lowercase();
    for verb in ["choose ", "take ", "bite ", "eat ", "remove ", "move to ", "go to ", "to "] {
        if lower.starts_with(verb) {
            return text.get(verb.len()..).unwrap_or(text).trim();
        }
    }
    text
}

/// A move of heaps in words, as far as they say it.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Words {
    /// How many beans are taken.
    pub(super) take: Option<BigUint>,
    /// All of the heap is taken.
    pub(super) all: bool,
    /// The heap that is changed.
    pub(super) from: Option<BigUint>,
    /// From both heaps (Wythoff).
    pub(super) both: bool,
    /// What is left of it.
    pub(super) left: Option<Vec<BigUint>>,
}

impl Words {
    /// Reads `take 2 from 5`, `from 5 take 2`, `5-2`, `split 5 into 2+3`, `5 -> 2+3`, `take 1 from 5 and leave 2+2`, `take 2`.
    pub(super) fn read(text: &str) -> Option<Self> {
        let text = text.to_lowercase().replace("->", " into ").replace('→', " into ").replace(['-', '−'], " minus ");
        let mut words = Self::default();
        let (mut slot, mut bare) = ("", None);
        for word in text.split_whitespace() {
            match word {
                "take" | "remove" | "takes" | "from" | "off" | "split" | "leave" | "leaving" | "leaves" | "into"
                | "to" | "minus" => {
                    // A number before the word is what the word says of it.
                    if let Some(number) = bare.take() {
                        match word {
                            "from" | "off" => words.take = Some(number),
                            _ => words.from = Some(number),
                        }
                    }
                    slot = match word {
                        "take" | "takes" | "remove" | "minus" => "take",
                        "from" | "off" | "split" => "from",
                        _ => "left",
                    };
                }
                "all" | "everything" | "whole" => words.all = true,
                "both" => words.both = true,
                "the" | "a" | "heap" | "heaps" | "of" | "and" | "bean" | "beans" | "pin" | "pins" | "each" | "i" => {}
                "nothing" if slot == "left" => words.left = Some(Vec::new()),
                sum => {
                    let number = |part: &str| {
                        let sound = !part.is_empty() && part.bytes().all(|b| b.is_ascii_digit());
                        sound.then(|| part.parse::<BigUint>().ok()).flatten()
                    };
                    let numbers: Vec<BigUint> = sum.split('+').map(number).collect::<Option<_>>()?;
                    match (slot, numbers.as_slice()) {
                        ("left", _) => {
                            let mut left = numbers;
                            left.retain(|heap| *heap != BigUint::ZERO);
                            left.sort_unstable();
                            words.left = Some(left);
                        }
                        ("take", [one]) => words.take = Some(one.clone()),
                        ("from", [one]) => words.from = Some(one.clone()),
                        ("", [one]) if bare.is_none() => bare = Some(one.clone()),
                        _ => return None,
                    }
                }
            }
        }
        (bare.is_none() && words != Self::default()).then_some(words)
    }

    /// Whether a heap that becomes these heaps (sorted) is what the words say.
    pub(super) fn fit(&self, heap: &BigUint, left: &[BigUint]) -> bool {
        let taken = heap - left.iter().sum::<BigUint>();
        self.from.as_ref().is_none_or(|from| from == heap)
            && self.take.as_ref().is_none_or(|take| *take == taken)
            && (!self.all || left.is_empty())
            && self.left.as_ref().is_none_or(|wanted| wanted == left)
    }
}

/// The heap that an option of a sum of heaps changes, and what is left of it: both lists are sorted.
pub(super) fn changed(heaps: &[BigUint], option: &[BigUint]) -> Option<(BigUint, Vec<BigUint>)> {
    let (mut gone, mut come) = (Vec::new(), Vec::new());
    let (mut i, mut j) = (0, 0);
    while i < heaps.len() || j < option.len() {
        match (heaps.get(i), option.get(j)) {
            (Some(a), Some(b)) if a == b => (i, j) = (i + 1, j + 1),
            (Some(a), b) if b.is_none_or(|b| a < b) => {
                gone.push(a.clone());
                i += 1;
            }
            (_, Some(b)) => {
                come.push(b.clone());
                j += 1;
            }
            _ => return None,
        }
    }
    match gone.as_slice() {
        [heap] => Some((heap.clone(), come)),
        _ => None,
    }
}

/// A heap that becomes these heaps, in words.
pub(super) fn in_words(heap: &BigUint, left: &[BigUint]) -> String {
    let taken = heap - left.iter().sum::<BigUint>();
    let sum = left.iter().map(ToString::to_string).collect::<Vec<_>>().join("+");
    match left {
        [] => format!("take the whole heap of {heap}"),
        [_] => format!("take {taken} from the heap of {heap}"),
        _ if taken == BigUint::ZERO => format!("split the heap of {heap} into {sum}"),
        _ => format!("take {taken} from the heap of {heap} and leave {sum}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moves_are_read_as_people_type_them() {
        let words = |take: Option<u32>, from: Option<u32>, left: Option<&[u32]>| Words {
            take: take.map(Into::into),
            from: from.map(Into::into),
            left: left.map(|left| left.iter().map(|&n| n.into()).collect()),
            ..Words::default()
        };
        for (text, expected) in [
            ("take 2 from 5", words(Some(2), Some(5), None)),
            ("Take 2 from the heap of 5", words(Some(2), Some(5), None)),
            ("from 5 take 2", words(Some(2), Some(5), None)),
            ("2 from 5", words(Some(2), Some(5), None)),
            ("5-2", words(Some(2), Some(5), None)),
            ("5 - 2", words(Some(2), Some(5), None)),
            ("split 5 into 3+2", words(None, Some(5), Some(&[2, 3]))),
            ("5->2+3", words(None, Some(5), Some(&[2, 3]))),
            ("5 → 4", words(None, Some(5), Some(&[4]))),
            ("take 1 from 5 and leave 2+2", words(Some(1), Some(5), Some(&[2, 2]))),
            ("take 2", words(Some(2), None, None)),
        ] {
            assert_eq!(Words::read(text), Some(expected), "{text}");
        }
        for text in ["", "5", "3+5", "hello", "take x from 5", "1 2 3"] {
            assert_eq!(Words::read(text), None, "{text}");
        }
    }

    #[test]
    fn words_and_moves_agree() {
        for (game, position) in [("kayles", "3+5"), ("laskers-nim", "2+4"), ("grundys-game", "7"), ("wythoff", "2+5")] {
            let game: Game = game.parse().unwrap();
            let position = game.position(position).unwrap();
            for found in game.moves(&position).unwrap() {
                assert_eq!(game.read_move(&position, &found.words).unwrap(), found.to, "{game}: {}", found.words);
            }
        }
    }

    #[test]
    fn what_is_ambiguous_or_no_move_is_said() {
        let kayles: Game = "kayles".parse().unwrap();
        let position = kayles.position("7").unwrap();
        // A plain take leaves one heap; where that is no move, the ways to break it are named.
        assert_eq!(kayles.read_move(&position, "take 2 from 7").unwrap().to_string(), "5");
        let officers: Game = "0.6".parse().unwrap();
        let position = officers.position("7").unwrap();
        assert_eq!(officers.read_move(&position, "7-1").unwrap().to_string(), "6");
        let grundy: Game = "grundys-game".parse().unwrap();
        let position = grundy.position("7").unwrap();
        let message = |text: &str| grundy.read_move(&position, text).unwrap_err().to_string();
        assert!(message("take 0 from 7").contains("can mean"), "{}", message("take 0 from 7"));
        assert!(message("take 1 from 7").contains("no move here"), "{}", message("take 1 from 7"));
        assert!(message("#9").contains("the list has 3"), "{}", message("#9"));
        assert!(message("8").contains("No move leads to 8"), "{}", message("8"));
    }
}
