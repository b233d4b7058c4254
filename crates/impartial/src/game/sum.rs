//! Disjunctive sums of different games: `kind = "sum"`. In a move a player moves in one part.

use std::sync::Mutex;

use num_bigint::BigUint;
use serde::Deserialize;
use serde_json::{Value, json};

use super::explain::{Reasons, by_options, nim_sum_line};
use super::file::{Opener, open_at};
use super::kind::{Found, Moves, Playable};
use super::position::{Place, Position};
use super::report::InfoReport;
use super::{Ask, Game};
use crate::error::{Error, Result};
use crate::outcome::{Outcome, Play};
use crate::ruleset::Ruleset;
use crate::solve::search::Search;

/// Sums inside sums deeper than this are taken for a file that contains itself.
const DEEPEST: usize = 16;

/// A sum of games.
#[derive(Clone, Debug)]
pub(crate) struct Sum {
    name: String,
    play: Option<Play>,
    parts: Vec<Game>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    #[expect(dead_code, reason = "the caller has read it")]
    kind: String,
    name: Option<String>,
    play: Option<Play>,
    parts: Vec<String>,
}

impl Sum {
    pub(crate) fn from_file(place: &str, text: &str, opener: Opener<'_>, depth: usize) -> Result<Self> {
        if depth >= DEEPEST {
            return Err(Error::Input(format!(
                "{place}: sums inside sums more than {DEEPEST} deep; does the file contain itself?"
            )));
        }
        let file: File = toml::from_str(text).map_err(|error| Error::Input(format!("{place}: {error}")))?;
        if file.parts.is_empty() {
            return Err(Error::Input(format!(
                "{place}: parts = [] is no game; write parts = [\"0.77\", \"chomp:3x4\"]"
            )));
        }
        let open = |(i, part): (usize, &String)| match open_at(place, part, opener, depth + 1) {
            // Further down the message names its own file already.
            Err(error) if depth == 0 => Err(error.at(&format!("{place}: part {} \"{part}\"", i + 1))),
            opened => opened,
        };
        let parts = file.parts.iter().enumerate().map(open).collect::<Result<_>>()?;
        Ok(Self { name: file.name.unwrap_or_else(|| place.to_owned()), play: file.play, parts })
    }

    fn part(&self, i: usize) -> &dyn Playable {
        self.parts[i].kind.playable()
    }

    /// Names the part in the message of a bad position.
    fn in_part<T>(&self, i: usize, result: Result<T>) -> Result<T> {
        result.map_err(|error| error.at(&format!("part {} ({})", i + 1, self.part(i).name())))
    }

    fn places<'a>(&self, position: &'a Position) -> Result<&'a [Position]> {
        position
            .parts()
            .filter(|parts| parts.len() == self.parts.len())
            .ok_or_else(|| position.of_another_kind("positions of its parts joined by |"))
    }

    fn values(&self, places: &[Position], ask: &Ask) -> Result<Vec<BigUint>> {
        let value = |(i, place): (usize, &Position)| Ok(self.in_part(i, self.part(i).grundy(place, ask))?.value);
        places.iter().enumerate().map(value).collect()
    }

    fn split(&self, places: &[Position]) -> Result<Vec<Component>> {
        let mut components = Vec::new();
        for (part, place) in places.iter().enumerate() {
            for position in self.in_part(part, self.part(part).components(place))? {
                components.push(Component { part, position });
            }
        }
        Ok(components)
    }

    /// The positions that differ from `places` in one part, which is an option there.
    fn replaced(places: &[Position], i: usize, option: Position) -> Position {
        let mut next = places.to_vec();
        next[i] = option;
        Position::of_parts(next)
    }
}

fn nim_sum<'a>(values: impl IntoIterator<Item = &'a BigUint>) -> BigUint {
    values.into_iter().fold(BigUint::ZERO, |sum, value| sum ^ value)
}

fn sorted(mut positions: Vec<Position>) -> Vec<Position> {
    positions.sort_by(|a, b| a.as_str().cmp(b.as_str()));
    positions.dedup();
    positions
}

/// A position of one part.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Component {
    part: usize,
    position: Position,
}

impl PartialOrd for Component {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Component {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        (self.part, self.position.as_str()).cmp(&(other.part, other.position.as_str()))
    }
}

/// The sum as a ruleset, for misère play. A part that fails to give its options leaves its error here.
struct Rules<'a> {
    sum: &'a Sum,
    failure: Mutex<Option<Error>>,
}

impl<'a> Rules<'a> {
    fn new(sum: &'a Sum) -> Self {
        Self { sum, failure: Mutex::new(None) }
    }

    fn list(&self, component: &Component) -> Result<Vec<Vec<Component>>> {
        let part = self.sum.part(component.part);
        let mut list = Vec::new();
        for option in part.options(&component.position)? {
            let parts = part.components(&option)?;
            list.push(parts.into_iter().map(|position| Component { part: component.part, position }).collect());
        }
        Ok(list)
    }

    /// The error of a part, else the search's own reason to stop.
    fn explain<T>(self, result: Result<T, semilinear::run::StopReason>) -> Result<T> {
        let failure = self.failure.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner);
        result.map_err(|why| failure.unwrap_or_else(|| why.into()))
    }
}

impl Ruleset for Rules<'_> {
    type Component = Component;

    fn options(&self, component: &Component) -> Vec<Vec<Component>> {
        self.options_within(component, u64::MAX).unwrap_or_default()
    }

    fn options_within(&self, component: &Component, _work: u64) -> Option<Vec<Vec<Component>>> {
        match self.list(component) {
            Ok(list) => Some(list),
            Err(failure) => {
                *self.failure.lock().unwrap_or_else(std::sync::PoisonError::into_inner) = Some(failure);
                None
            }
        }
    }
}

impl Playable for Sum {
    fn kind(&self) -> &'static str {
        "sum"
    }

    fn name(&self) -> &str {
        &self.name
    }

    fn own_play(&self) -> Option<Play> {
        self.play
    }

    fn strategy_game(&self, ask: &Ask) -> Result<(Value, Play)> {
        let parts =
            (0..self.parts.len()).map(|i| Ok(self.part(i).strategy_game(ask)?.0)).collect::<Result<Vec<_>>>()?;
        Ok((json!({"kind": "sum", "parts": parts}), ask.play_of(self.play)))
    }

    fn info(&self, _written: &str, _ask: &Ask) -> Result<InfoReport> {
        let parts: Vec<Value> =
            self.parts.iter().map(|part| json!({"game": part.name(), "kind": part.kind()})).collect();
        let mut info = InfoReport::new(&self.name, "sum");
        info.fact("parts", parts).line(format!("{}: the sum of", self.name));
        for part in &self.parts {
            info.line(format!("  {} ({})", part.name(), part.kind()));
        }
        Ok(info)
    }

    fn segments(&self) -> usize {
        (0..self.parts.len()).map(|i| self.part(i).segments()).sum()
    }

    /// A part that is a sum itself takes as many places as it has parts.
    fn position(&self, text: &str) -> Result<Position> {
        let places: Vec<&str> = text.split('|').map(str::trim).collect();
        if places.len() != self.segments() {
            let parts: Vec<&str> = (0..self.parts.len()).map(|i| self.part(i).name()).collect();
            return Err(Error::Input(format!(
                "position \"{text}\": {} positions for {}; join one position of each by | ({})",
                places.len(),
                self.segments(),
                parts.join(" | ")
            )));
        }
        let mut rest = places.as_slice();
        let mut parts = Vec::with_capacity(self.parts.len());
        for i in 0..self.parts.len() {
            let (own, others) = rest.split_at(self.part(i).segments());
            rest = others;
            parts.push(self.in_part(i, self.part(i).position(&own.join("|")))?);
        }
        Ok(Position::of_parts(parts))
    }

    fn start(&self) -> Result<Position> {
        let starts = (0..self.parts.len()).map(|i| self.in_part(i, self.part(i).start()));
        Ok(Position::of_parts(starts.collect::<Result<_>>()?))
    }

    fn options(&self, position: &Position) -> Result<Vec<Position>> {
        let places = self.places(position)?;
        let mut options = Vec::new();
        for (i, place) in places.iter().enumerate() {
            for option in self.in_part(i, self.part(i).options(place))? {
                options.push(Self::replaced(places, i, option));
            }
        }
        Ok(sorted(options))
    }

    fn drawing(&self, position: &Position) -> Result<String> {
        let part = |(i, place): (usize, &Position)| {
            Ok(format!("{}:\n{}", self.part(i).name(), self.in_part(i, self.part(i).drawing(place))?))
        };
        Ok(self.places(position)?.iter().enumerate().map(part).collect::<Result<Vec<_>>>()?.join("\n"))
    }

    fn move_words(&self, position: &Position, option: &Position) -> Result<String> {
        let (from, to) = (self.places(position)?, self.places(option)?);
        match (0..from.len()).find(|&i| from[i] != to[i]) {
            Some(i) => Ok(format!("{} in part {}", self.part(i).move_words(&from[i], &to[i])?, i + 1)),
            None => Ok(format!("move to {option}")),
        }
    }

    /// `part 2: take 1 from 3`, `take 1 from 3 in part 2`, or a move that only one part understands.
    fn meant(&self, position: &Position, text: &str) -> Result<Vec<Position>> {
        let places = self.places(position)?;
        let named = text.trim().strip_prefix("part ").and_then(|rest| rest.split_once([':', ',', ' ']));
        let named = named.or_else(|| text.trim().rsplit_once(" in part ").map(|(rest, number)| (number, rest)));
        let (only, text) = match named {
            Some((number, rest)) => (number.trim().parse::<usize>().ok(), rest.trim()),
            None => (None, text),
        };
        let mut meant = Vec::new();
        for (i, place) in places.iter().enumerate().filter(|(i, _)| only.is_none_or(|only| only == i + 1)) {
            let mut moves = self.part(i).meant(place, text)?;
            let own = self.part(i).position(text).ok().filter(|own| own != place);
            moves.extend(own.filter(|_| only.is_some()));
            meant.extend(moves.into_iter().map(|option| Self::replaced(places, i, option)));
        }
        Ok(meant)
    }

    fn move_forms(&self) -> &'static str {
        "a move in one part, such as part 1: take 2 from 5"
    }

    /// In normal play the nim-sum of the parts; else the options.
    fn reasons<'a>(&'a self, position: &Position, ask: &Ask) -> Result<Reasons<'a>> {
        if ask.play_of(self.play) == Play::Misere {
            return by_options(self, position, ask);
        }
        let places = self.places(position)?;
        let values = self.values(places, ask)?;
        let mut steps: Vec<String> = (0..places.len())
            .map(|i| format!("part {} ({}): g({}) = {}", i + 1, self.part(i).name(), places[i], values[i]))
            .collect();
        steps.push(format!("nim-sum {}", nim_sum_line(&values)));
        Ok(Reasons::new(steps, |_| "where the nim-sum is 0".to_owned()))
    }

    fn rules_in_words(&self) -> String {
        "A move is a move in one of the parts.".into()
    }

    fn position_forms(&self) -> &'static str {
        "positions of the parts joined by |"
    }

    fn outcome(&self, position: &Position, ask: &Ask) -> Result<Found<Outcome>> {
        let places = self.places(position)?;
        match ask.play_of(self.play) {
            Play::Normal => {
                Ok(Found::by(Outcome::p_if(nim_sum(&self.values(places, ask)?) == BigUint::ZERO), "nim-sum"))
            }
            Play::Misere => {
                let components = self.split(places)?;
                let rules = Rules::new(self);
                let outcome = Search::new(&rules, ask.monitor).outcome(Play::Misere, &components);
                Ok(Found::by(rules.explain(outcome)?, "search"))
            }
        }
    }

    fn grundy(&self, position: &Position, ask: &Ask) -> Result<Found<BigUint>> {
        Ok(Found::by(nim_sum(&self.values(self.places(position)?, ask)?), "nim-sum"))
    }

    fn winning_moves(&self, position: &Position, ask: &Ask) -> Result<Found<Moves>> {
        let places = self.places(position)?;
        let mut moves = Vec::new();
        let method = match ask.play_of(self.play) {
            Play::Normal => {
                let values = self.values(places, ask)?;
                let sum = nim_sum(&values);
                for (i, place) in places.iter().enumerate() {
                    let target = &sum ^ &values[i];
                    for (option, value) in self.in_part(i, self.part(i).option_values(place, ask))? {
                        if value == target {
                            moves.push(Self::replaced(places, i, option));
                        }
                    }
                }
                "nim-sum"
            }
            Play::Misere => {
                let rules = Rules::new(self);
                let mut search = Search::new(&rules, ask.monitor);
                let mut found = Ok(());
                'all: for (i, place) in places.iter().enumerate() {
                    for option in self.in_part(i, self.part(i).options(place))? {
                        let next = Self::replaced(places, i, option);
                        let Place::Parts(parts) = &next.place else { unreachable!("a sum has parts") };
                        match search.outcome(Play::Misere, &self.split(parts)?) {
                            Ok(Outcome::P) => moves.push(next),
                            Ok(Outcome::N) => {}
                            Err(why) => {
                                found = Err(why);
                                break 'all;
                            }
                        }
                    }
                }
                drop(search);
                rules.explain(found)?;
                "search"
            }
        };
        Ok(Found::by(Moves::all(sorted(moves)), method))
    }
}
