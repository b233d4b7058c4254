//! Finite games given as explicit graphs of moves.

use std::collections::BTreeMap;

use serde::Deserialize;
use thiserror::Error;

use crate::outcome::Play;
use crate::ruleset::Ruleset;

/// A finite game as a directed graph without cycles: positions with names, and the options of each.
///
/// ```
/// use impartial::graph::Graph;
/// let game = Graph::from_toml(r#"
///     kind = "graph"
///     [moves]
///     a = ["b", "c"]
///     b = ["c"]
///     c = []
/// "#).unwrap();
/// let a = game.position("a").unwrap();
/// assert_eq!(game.option_names(a), ["b", "c"]);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Graph {
    title: Option<String>,
    play: Option<Play>,
    start: Option<usize>,
    names: Vec<String>,
    options: Vec<Vec<usize>>,
}

/// Why a text is no graph game.
#[derive(Debug, Error)]
pub enum GraphError {
    /// Not TOML, or a key that has no place.
    #[error("{0}")]
    Toml(#[from] toml::de::Error),
    /// No position at all.
    #[error("[moves] is empty; give every position a line such as a = [\"b\"], and b = [] for one without moves")]
    Empty,
    /// A name that cannot be written as a position.
    #[error("[moves]: the position name \"{0}\" is empty or contains |; choose another name")]
    Name(String),
    /// An option without a line of its own.
    #[error("[moves]: \"{option}\", an option of \"{position}\", is no position; add {option:?} = [] or its options")]
    Unknown {
        /// The position with the option.
        position: String,
        /// The name that is no position.
        option: String,
    },
    /// A start that is no position.
    #[error("start = \"{0}\" is no position of [moves]")]
    Start(String),
    /// Play could go on for ever.
    #[error("[moves] has a cycle: {}; every game must end, so remove one of these moves", .0.join(" -> "))]
    Cycle(Vec<String>),
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Raw {
    #[allow(dead_code)]
    kind: Option<String>,
    name: Option<String>,
    play: Option<Play>,
    start: Option<String>,
    moves: BTreeMap<String, Vec<String>>,
}

impl Graph {
    /// Reads the text of a file with `kind = "graph"`.
    ///
    /// # Complexity
    /// O((n + m) log n) for n positions and m moves.
    pub fn from_toml(text: &str) -> Result<Self, GraphError> {
        let raw: Raw = toml::from_str(text)?;
        let mut graph = Self::new(raw.moves)?;
        graph.title = raw.name;
        graph.play = raw.play;
        graph.start = match raw.start {
            None => None,
            Some(start) => Some(graph.position(&start).ok_or(GraphError::Start(start))?),
        };
        Ok(graph)
    }

    /// A graph from the options of every position.
    pub fn new(moves: BTreeMap<String, Vec<String>>) -> Result<Self, GraphError> {
        if moves.is_empty() {
            return Err(GraphError::Empty);
        }
        let names: Vec<String> = moves.keys().cloned().collect();
        if let Some(bad) = names.iter().find(|name| name.trim().is_empty() || name.contains('|')) {
            return Err(GraphError::Name(bad.clone()));
        }
        let mut options = Vec::with_capacity(names.len());
        for (position, list) in moves {
            let mut indices = Vec::with_capacity(list.len());
            for option in list {
                match names.binary_search(&option) {
                    Ok(index) => indices.push(index),
                    Err(_) => return Err(GraphError::Unknown { position, option }),
                }
            }
            indices.sort_unstable();
            indices.dedup();
            options.push(indices);
        }
        let graph = Self { title: None, play: None, start: None, names, options };
        match graph.cycle() {
            Some(cycle) => Err(GraphError::Cycle(cycle)),
            None => Ok(graph),
        }
    }

    /// The game's name in its file.
    pub fn title(&self) -> Option<&str> {
        self.title.as_deref()
    }

    /// The play its file sets.
    pub fn play(&self) -> Option<Play> {
        self.play
    }

    /// The number of positions.
    pub fn len(&self) -> usize {
        self.names.len()
    }

    /// Whether there is no position; never so for a graph that was read.
    pub fn is_empty(&self) -> bool {
        self.names.is_empty()
    }

    /// The number of moves.
    pub fn moves(&self) -> usize {
        self.options.iter().map(Vec::len).sum()
    }

    /// The position with a name.
    pub fn position(&self, name: &str) -> Option<usize> {
        self.names.binary_search_by(|known| known.as_str().cmp(name)).ok()
    }

    /// The name of a position.
    pub fn name(&self, position: usize) -> &str {
        &self.names[position]
    }

    /// The names of all positions, sorted.
    pub fn names(&self) -> &[String] {
        &self.names
    }

    /// The names of a position's options, sorted.
    pub fn option_names(&self, position: usize) -> Vec<&str> {
        self.options[position].iter().map(|&option| self.name(option)).collect()
    }

    /// Where to begin: the start that the file sets, else the first position that is nobody's option.
    pub fn start(&self) -> usize {
        let mut is_option = vec![false; self.len()];
        for &option in self.options.iter().flatten() {
            is_option[option] = true;
        }
        // A finite graph without cycles has a position that is nobody's option.
        self.start.or_else(|| is_option.iter().position(|&seen| !seen)).unwrap_or(0)
    }

    /// The names along a cycle, the first one repeated at the end.
    fn cycle(&self) -> Option<Vec<String>> {
        #[derive(Clone, Copy, PartialEq)]
        enum Colour {
            New,
            OnPath,
            Done,
        }
        let mut colour = vec![Colour::New; self.len()];
        for root in 0..self.len() {
            if colour[root] != Colour::New {
                continue;
            }
            colour[root] = Colour::OnPath;
            let mut path = vec![(root, 0)];
            while let Some((position, tried)) = path.last_mut() {
                let Some(&option) = self.options[*position].get(*tried) else {
                    colour[*position] = Colour::Done;
                    path.pop();
                    continue;
                };
                *tried += 1;
                match colour[option] {
                    Colour::New => {
                        colour[option] = Colour::OnPath;
                        path.push((option, 0));
                    }
                    Colour::OnPath => {
                        let from = path.iter().position(|&(on_path, _)| on_path == option)?;
                        let around = path[from..].iter().map(|&(on_path, _)| on_path).chain([option]);
                        return Some(around.map(|index| self.names[index].clone()).collect());
                    }
                    Colour::Done => {}
                }
            }
        }
        None
    }
}

impl Ruleset for Graph {
    type Component = usize;

    fn options(&self, position: &usize) -> Vec<Vec<usize>> {
        self.options[*position].iter().map(|&option| vec![option]).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bad_graphs_say_what_is_wrong() {
        for (text, words) in [
            ("kind = 'graph'", "missing field `moves`"),
            ("[moves]", "[moves] is empty"),
            ("[moves]\na = ['b']", "\"b\", an option of \"a\""),
            ("[moves]\na = ['b']\nb = ['c']\nc = ['b']", "b -> c -> b"),
            ("[moves]\na = ['a']", "a -> a"),
            ("[moves]\n'a|b' = []", "contains |"),
            ("start = 'z'\n[moves]\na = []", "start = \"z\""),
            ("[moves]\na = 3", "invalid type"),
            ("[moves]\na = []\na = []", "duplicate key"),
        ] {
            let message = Graph::from_toml(text).unwrap_err().to_string();
            assert!(message.contains(words), "{text}: {message}");
        }
    }

    #[test]
    fn a_long_path_is_no_cycle() {
        let name = |i: usize| format!("p{i:06}");
        let moves = (0..100_000).map(|i| (name(i), if i == 0 { vec![] } else { vec![name(i - 1)] })).collect();
        let graph = Graph::new(moves).unwrap();
        assert_eq!(graph.name(graph.start()), "p099999");
    }
}
