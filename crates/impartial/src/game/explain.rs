//! Why a position has its outcome: the mex and the nim-sum written out, in misère play the product in the quotient.

use crate::game::words::counted;
use std::fmt;

use num_bigint::BigUint;
use serde::Serialize;

use super::kind::Playable;
use super::position::Position;
use super::report::Natural;
use super::{Ask, Game};
use crate::error::{Error, Result};
use crate::outcome::{Outcome, Play};
use crate::strategy::Standing;

/// More options than this are not written out.
const MOST_OPTIONS: usize = 40;
/// More winning moves than this are not explained one by one.
const MOST_MOVES: usize = 12;

/// Why a position has its outcome, and which moves win.
#[derive(Clone, Debug, Serialize)]
#[non_exhaustive]
pub struct Explanation {
    /// The game.
    pub game: String,
    /// The position.
    pub position: Position,
    /// The winning condition.
    pub play: Play,
    /// P or N.
    pub outcome: Outcome,
    /// The Grundy value, in normal play, where it is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub grundy: Option<Natural>,
    /// What found it.
    pub method: String,
    /// Whether it is proved, where it comes from a strategy.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub proved: Option<Standing>,
    /// The reasons, step by step.
    pub steps: Vec<String>,
    /// The winning moves.
    pub moves: Vec<ExplainedMove>,
}

/// A winning move with its reason.
#[derive(Clone, Debug, Serialize)]
#[non_exhaustive]
pub struct ExplainedMove {
    /// The position that results.
    pub to: Position,
    /// The move in words.
    pub words: String,
    /// Why it wins.
    pub why: String,
}

impl fmt::Display for Explanation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for step in &self.steps {
            writeln!(f, "{step}")?;
        }
        let winner = match self.outcome {
            Outcome::P => "P: the previous player wins; every move leads to an N-position",
            Outcome::N => "N: the next player wins",
        };
        f.write_str(winner)?;
        for ExplainedMove { to, words, why } in self.moves.iter().take(MOST_MOVES) {
            write!(f, "\n  {words}: {to}, {why}")?;
        }
        if self.moves.len() > MOST_MOVES {
            let more = counted(self.moves.len() - MOST_MOVES, "more winning move", "more winning moves");
            write!(f, "\n  and {more}")?;
        }
        Ok(())
    }
}

/// The reasons of an outcome, and of a P-position that a move leads to.
pub(crate) struct Reasons<'a> {
    pub(crate) steps: Vec<String>,
    /// Why an option is a P-position.
    pub(crate) why: Box<dyn Fn(&Position) -> String + 'a>,
}

impl<'a> Reasons<'a> {
    pub(crate) fn new(steps: Vec<String>, why: impl Fn(&Position) -> String + 'a) -> Self {
        Self { steps, why: Box::new(why) }
    }
}

/// Options with their values, and the mex of these; options with their outcomes where there are no values.
pub(crate) fn by_options<'a>(game: &dyn Playable, position: &Position, ask: &Ask) -> Result<Reasons<'a>> {
    let options = match game.options(position) {
        Ok(options) => options,
        Err(Error::Stopped { .. }) => return Ok(Reasons::new(Vec::new(), |_| "a P-position".to_owned())),
        Err(error) => return Err(error),
    };
    let plain = |steps: Vec<String>| Reasons::new(steps, |_| "a P-position".to_owned());
    if options.is_empty() {
        return Ok(plain(vec![match ask.play_of(game.own_play()) {
            Play::Normal => "there is no move, and who cannot move loses".to_owned(),
            Play::Misere => "there is no move, and who cannot move wins".to_owned(),
        }]));
    }
    if options.len() > MOST_OPTIONS {
        return Ok(plain(vec![format!("{} options; those that are P-positions win", options.len())]));
    }
    if ask.play_of(game.own_play()) == Play::Normal
        && let Ok(values) = game.option_values(position, ask)
    {
        let shown: Vec<String> = values.iter().map(|(option, value)| format!("{option} has {value}")).collect();
        let set: Vec<BigUint> = values.into_iter().map(|(_, value)| value).collect();
        return Ok(plain(vec![format!("values of the options: {}", shown.join(", ")), mex_line("g", position, &set)]));
    }
    let outcomes = options.iter().map(|option| Ok(format!("{option} is {}", game.outcome(option, ask)?.value)));
    Ok(plain(vec![format!("options: {}", outcomes.collect::<Result<Vec<_>>>()?.join(", "))]))
}

/// `g(5) = mex{0, 1, 3} = 2`.
pub(crate) fn mex_line(g: &str, of: impl fmt::Display, values: &[BigUint]) -> String {
    let mut set = values.to_vec();
    set.sort_unstable();
    set.dedup();
    let mut mex = BigUint::ZERO;
    for value in &set {
        if *value == mex {
            mex += 1_u32;
        }
    }
    let set: Vec<String> = set.iter().map(ToString::to_string).collect();
    format!("{g}({of}) = mex{{{}}} = {mex}", set.join(", "))
}

/// `3 ⊕ 5 = 6 (011 ⊕ 101 = 110)`.
pub(crate) fn nim_sum_line(values: &[BigUint]) -> String {
    let sum = values.iter().fold(BigUint::ZERO, |sum, value| sum ^ value);
    let joined = |texts: Vec<String>| texts.join(" ⊕ ");
    let plain = joined(values.iter().map(ToString::to_string).collect());
    let bits = values.iter().chain([&sum]).map(BigUint::bits).max().unwrap_or(1).max(1);
    if values.len() < 2 || bits > 16 {
        return format!("{plain} = {sum}");
    }
    let width = usize::try_from(bits).unwrap_or(16);
    let binary = |n: &BigUint| format!("{:0>width$}", n.to_str_radix(2));
    format!("{plain} = {sum} ({} = {})", joined(values.iter().map(binary).collect()), binary(&sum))
}

impl Game {
    /// Why a position has its outcome: values, mex and nim-sum written out, in misère play the product in the quotient; and
    /// the winning moves with their reasons.
    ///
    /// ```
    /// use impartial::prelude::*;
    /// let nim: Game = "nim".parse()?;
    /// let why = nim.explain(&nim.position("3+5")?, &Ask::new())?;
    /// assert!(why.to_string().contains("3 ⊕ 5 = 6 (011 ⊕ 101 = 110)"));
    /// assert_eq!(why.moves[0].words, "take 2 from the heap of 5");
    /// # Ok::<(), Error>(())
    /// ```
    pub fn explain(&self, position: &Position, ask: &Ask) -> Result<Explanation> {
        let game = self.kind.playable();
        let found = game.outcome(position, ask)?;
        let grundy = match self.play(ask) {
            Play::Normal => game.grundy(position, ask).ok().map(|found| found.value.into()),
            Play::Misere => None,
        };
        let Reasons { steps, why } = game.reasons(position, ask)?;
        let moves = if found.value.is_p() { Vec::new() } else { game.winning_moves(position, ask)?.value.positions };
        let names = self.move_names(position)?.zip(self.options(position).ok());
        let explained = |to: Position| {
            let name = names.as_ref().and_then(|(names, options)| {
                options.iter().position(|option| *option == to).and_then(|i| names.get(i))
            });
            let words = match name {
                Some(name) => format!("choose {name}"),
                None => game.move_words(position, &to)?,
            };
            Ok(ExplainedMove { words, why: why(&to), to })
        };
        Ok(Explanation {
            game: self.written.clone(),
            position: position.clone(),
            play: self.play(ask),
            outcome: found.value,
            grundy,
            method: found.method,
            proved: found.proved,
            steps,
            moves: moves.into_iter().map(explained).collect::<Result<_>>()?,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn explained(game: &str, position: &str, play: Play) -> Explanation {
        let game: Game = game.parse().unwrap();
        game.explain(&game.position(position).unwrap(), &Ask::new().play(play)).unwrap()
    }

    #[test]
    fn nim_and_kayles_write_out_mex_and_sum() {
        let kayles = explained("kayles", "3+5", Play::Normal).to_string();
        assert!(kayles.contains("g(3) = mex{0, 1, 2} = 3"), "{kayles}");
        assert!(kayles.contains("3 ⊕ 4 = 7 (011 ⊕ 100 = 111)"), "{kayles}");
        let even = explained("nim", "4+4", Play::Normal);
        assert!(even.moves.is_empty() && even.to_string().contains("every move leads to an N-position"));
    }

    #[test]
    fn misere_play_is_explained_by_the_quotient() {
        let game = explained("0.123", "3+8", Play::Misere).to_string();
        assert!(game.contains("quotient of order 20") && game.contains("b·c"), "{game}");
        let nim = explained("nim", "1+1+1", Play::Misere).to_string();
        assert!(nim.contains("odd number of heaps of 1"), "{nim}");
    }

    #[test]
    fn every_kind_explains_itself_and_agrees_with_its_winning_moves() {
        for (name, position) in [
            ("exotic", "(3,4)"),
            ("chomp:2x3", "3,3"),
            ("divisors:12", "{2,3,4,6,12}"),
            ("wythoff", "3+6"),
            ("chomp-chains:1", "4,3,1"),
            ("infinite-quotient", "(1,1,0,0,1)"),
        ] {
            let game: Game = name.parse().unwrap();
            let position = game.position(position).unwrap_or_else(|error| panic!("{name}: {error}"));
            let why = game.explain(&position, &Ask::new()).unwrap_or_else(|error| panic!("{name}: {error}"));
            let moves: Vec<Position> = why.moves.iter().map(|found| found.to.clone()).collect();
            assert_eq!(moves, game.winning_moves(&position, &Ask::new()).unwrap().moves, "{name}");
            assert_eq!(why.outcome.is_p(), moves.is_empty(), "{name}: {why}");
            assert!(!why.steps.is_empty(), "{name}");
        }
    }
}
