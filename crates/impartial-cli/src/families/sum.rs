//! Disjunctive sums of different games: `kind = "sum"`. In a move a player moves in one part.

use std::path::Path;
use std::sync::Mutex;

use impartial::outcome::{Outcome, Play};
use impartial::ruleset::Ruleset;
use impartial::solve::search::Search;
use num_bigint::BigUint;
use serde::Deserialize;
use serde_json::{Value, json};

use super::Family;
use crate::args;
use crate::context::Context;
use crate::game::{self, Game};
use crate::report::{Answer, Failure, Report, bad_input};

/// Sums inside sums deeper than this are taken for a file that contains itself.
const DEEPEST: usize = 16;

/// A sum on the command line.
pub struct SumFamily {
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

impl SumFamily {
    /// A game by its file. Paths among the parts are looked for beside the file first.
    pub fn from_file(path: &str, text: &str, depth: usize) -> Result<Self, Failure> {
        if depth >= DEEPEST {
            return Err(bad_input(format!(
                "{path}: sums inside sums more than {DEEPEST} deep; does the file contain itself?"
            )));
        }
        let file: File = toml::from_str(text).map_err(|error| bad_input(format!("{path}: {error}")))?;
        if file.parts.is_empty() {
            return Err(bad_input(format!("{path}: parts = [] is no game; write parts = [\"0.77\", \"chomp:3x4\"]")));
        }
        let mut parts = Vec::with_capacity(file.parts.len());
        for (i, part) in file.parts.iter().enumerate() {
            let beside = Path::new(path).parent().map(|folder| folder.join(part)).filter(|path| path.is_file());
            let place = beside.as_deref().and_then(Path::to_str).unwrap_or(part);
            let game = game::open_inside(place, depth + 1).map_err(|failure| match failure {
                Failure::Input(message) => bad_input(format!("{path}: part {} \"{part}\": {message}", i + 1)),
                stopped @ Failure::Stopped(_) => stopped,
            })?;
            parts.push(game);
        }
        Ok(Self { name: file.name.unwrap_or_else(|| path.to_owned()), play: file.play, parts })
    }

    /// The positions of the parts. A part that is a sum itself takes as many places as it has parts.
    fn split(&self, position: &str) -> Result<Vec<String>, Failure> {
        let places: Vec<&str> = position.split('|').map(str::trim).collect();
        if places.len() != self.segments() {
            let parts: Vec<String> = self.parts.iter().map(|part| part.name()).collect();
            return Err(bad_input(format!(
                "position \"{position}\": {} positions for {}; join one position of each by | ({})",
                places.len(),
                self.segments(),
                parts.join(" | ")
            )));
        }
        let mut rest = places.as_slice();
        Ok(self
            .parts
            .iter()
            .map(|part| {
                let (own, others) = rest.split_at(part.segments());
                rest = others;
                own.join("|")
            })
            .collect())
    }

    /// Names the part in the message of a bad position.
    fn in_part<T>(&self, i: usize, result: Result<T, Failure>) -> Result<T, Failure> {
        result.map_err(|failure| match failure {
            Failure::Input(message) => bad_input(format!("part {} ({}): {message}", i + 1, self.parts[i].name())),
            stopped @ Failure::Stopped(_) => stopped,
        })
    }

    fn values(&self, cx: &Context, places: &[String]) -> Result<Vec<BigUint>, Failure> {
        let value = |(i, place): (usize, &String)| {
            let (value, _) = self.in_part(i, self.parts[i].grundy(cx, place))?;
            number(&value)
        };
        places.iter().enumerate().map(value).collect()
    }

    fn components(&self, places: &[String]) -> Result<Vec<Component>, Failure> {
        let mut components = Vec::new();
        for (part, place) in places.iter().enumerate() {
            for position in self.in_part(part, self.parts[part].components(place))? {
                components.push(Component { part, position });
            }
        }
        Ok(components)
    }
}

/// A Grundy value as every family writes it.
fn number(text: &str) -> Result<BigUint, Failure> {
    text.parse().map_err(|_| bad_input(format!("the Grundy value \"{text}\" is no number")))
}

fn nim_sum<'a>(values: impl IntoIterator<Item = &'a BigUint>) -> BigUint {
    values.into_iter().fold(BigUint::ZERO, |sum, value| sum ^ value)
}

/// A position of one part.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
struct Component {
    part: usize,
    position: String,
}

/// The sum as a ruleset, for misère play. A part that fails to give its options leaves its failure here.
struct Rules<'a> {
    sum: &'a SumFamily,
    failure: Mutex<Option<Failure>>,
}

impl Rules<'_> {
    fn list(&self, component: &Component) -> Result<Vec<Vec<Component>>, Failure> {
        let part = &self.sum.parts[component.part];
        let mut list = Vec::new();
        for option in part.options(&component.position)? {
            let parts = part.components(&option)?;
            list.push(parts.into_iter().map(|position| Component { part: component.part, position }).collect());
        }
        Ok(list)
    }

    /// The failure of a part, else the search's own reason to stop.
    fn explain<T>(self, result: Result<T, semilinear::run::StopReason>) -> Result<T, Failure> {
        let failure = self.failure.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner);
        result.map_err(|why| failure.unwrap_or(Failure::Stopped(why)))
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

impl Family for SumFamily {
    fn kind(&self) -> &'static str {
        "sum"
    }

    fn name(&self) -> String {
        self.name.clone()
    }

    fn own_play(&self) -> Option<Play> {
        self.play
    }

    fn game_json(&self) -> Value {
        json!({"kind": "sum", "parts": self.parts.iter().map(|part| part.game_json()).collect::<Vec<_>>()})
    }

    fn segments(&self) -> usize {
        self.parts.iter().map(|part| part.segments()).sum()
    }

    fn info(&self, _cx: &Context, _args: &args::InfoArgs) -> Answer {
        let parts: Vec<Value> =
            self.parts.iter().map(|part| json!({"game": part.name(), "kind": part.kind()})).collect();
        let lines: Vec<String> = self.parts.iter().map(|part| format!("  {} ({})", part.name(), part.kind())).collect();
        let text = format!("{}: the sum of\n{}", self.name, lines.join("\n"));
        Ok(Report::new(json!({"game": self.name, "kind": "sum", "parts": parts}), text))
    }

    fn grundy(&self, cx: &Context, position: &str) -> Result<(String, String), Failure> {
        let values = self.values(cx, &self.split(position)?)?;
        Ok((nim_sum(&values).to_string(), "nim-sum".into()))
    }

    fn outcome(&self, cx: &Context, position: &str) -> Result<(Outcome, String), Failure> {
        let places = self.split(position)?;
        match cx.play(self.play) {
            Play::Normal => Ok((Outcome::p_if(nim_sum(&self.values(cx, &places)?) == BigUint::ZERO), "nim-sum".into())),
            Play::Misere => {
                let components = self.components(&places)?;
                let rules = Rules { sum: self, failure: Mutex::new(None) };
                let outcome = Search::new(&rules, cx).outcome(Play::Misere, &components);
                Ok((rules.explain(outcome)?, "search".into()))
            }
        }
    }

    fn winning_moves(&self, cx: &Context, position: &str) -> Result<(Vec<String>, String), Failure> {
        let places = self.split(&self.canonical(position)?)?;
        let mut moves = Vec::new();
        let replaced = |i: usize, option: &str| {
            let mut next = places.clone();
            option.clone_into(&mut next[i]);
            next
        };
        let method = match cx.play(self.play) {
            Play::Normal => {
                let values = self.values(cx, &places)?;
                let sum = nim_sum(&values);
                for (i, place) in places.iter().enumerate() {
                    let target = &sum ^ &values[i];
                    for (option, value) in self.in_part(i, self.parts[i].option_values(cx, place))? {
                        if number(&value)? == target {
                            moves.push(replaced(i, &option).join("|"));
                        }
                    }
                }
                "nim-sum"
            }
            Play::Misere => {
                let rules = Rules { sum: self, failure: Mutex::new(None) };
                let mut search = Search::new(&rules, cx);
                let mut found = Ok(());
                'all: for (i, place) in places.iter().enumerate() {
                    for option in self.in_part(i, self.parts[i].options(place))? {
                        let next = replaced(i, &option);
                        match search.outcome(Play::Misere, &self.components(&next)?) {
                            Ok(Outcome::P) => moves.push(next.join("|")),
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
        moves.sort();
        moves.dedup();
        Ok((moves, method.into()))
    }

    fn options(&self, position: &str) -> Result<Vec<String>, Failure> {
        let places = self.split(&self.canonical(position)?)?;
        let mut options = Vec::new();
        for (i, place) in places.iter().enumerate() {
            for option in self.in_part(i, self.parts[i].options(place))? {
                let mut next = places.clone();
                next[i] = option;
                options.push(next.join("|"));
            }
        }
        options.sort();
        options.dedup();
        Ok(options)
    }

    fn canonical(&self, position: &str) -> Result<String, Failure> {
        let places = self.split(position)?;
        let canonical = |(i, place): (usize, &String)| self.in_part(i, self.parts[i].canonical(place));
        Ok(places.iter().enumerate().map(canonical).collect::<Result<Vec<_>, _>>()?.join("|"))
    }

    fn drawing(&self, position: &str) -> Result<String, Failure> {
        let places = self.split(position)?;
        let part = |(i, place): (usize, &String)| {
            Ok(format!("{}:\n{}", self.parts[i].name(), self.in_part(i, self.parts[i].drawing(place))?))
        };
        Ok(places.iter().enumerate().map(part).collect::<Result<Vec<_>, Failure>>()?.join("\n"))
    }

    fn start(&self) -> Result<String, Failure> {
        let starts = self.parts.iter().enumerate().map(|(i, part)| self.in_part(i, part.start()));
        Ok(starts.collect::<Result<Vec<_>, _>>()?.join("|"))
    }
}
