//! Explicit finite games as lattice games (Guo–Miller 2009, Theorem 5.1: every finite impartial game is one).

use super::{Description, LatticeError};
use crate::graph::Graph;
use crate::outcome::Play;
use semilinear::run::StopReason;

/// The most entries of all rules together.
const MOST_ENTRIES: usize = 1 << 25;

/// A graph game as a lattice game: coordinate k counts tokens on the position `names[k]`, which has a move.
///
/// A move from v to w is the rule e_v − e_w, or e_v when w has no move (such positions have no coordinate, as dead heaps have
/// none). The position v of the graph is the point e_v; other points are sums of copies of the game.
///
/// ```
/// use impartial::graph::Graph;
/// use impartial::lattice::GraphLattice;
/// let graph = Graph::from_toml("kind = \"graph\"\n[moves]\na = [\"b\", \"end\"]\nb = [\"end\"]\nend = []").unwrap();
/// let lattice = GraphLattice::new(&graph, None).unwrap();
/// assert_eq!(lattice.names, ["a", "b"]);
/// assert_eq!(lattice.description.rules(), [[0, 1], [1, -1], [1, 0]]);
/// assert_eq!(lattice.point("b"), Some(vec![0, 1]));
/// ```
#[derive(Clone, Debug)]
pub struct GraphLattice {
    /// The positions that have a move: the meaning of the coordinates.
    pub names: Vec<String>,
    /// The lattice game.
    pub description: Description,
    ends: Vec<String>,
}

impl GraphLattice {
    /// The lattice form of a graph game.
    pub fn new(graph: &Graph, play: Option<Play>) -> Result<Self, LatticeError> {
        let has_move = |name: &str| graph.position(name).is_some_and(|v| !graph.option_names(v).is_empty());
        let (names, ends): (Vec<String>, Vec<String>) = graph.names().iter().cloned().partition(|name| has_move(name));
        if names.is_empty() {
            return Err(LatticeError::Syntax("no position has a move, so there is no lattice game; add moves".into()));
        }
        if graph.moves().saturating_mul(names.len()) > MOST_ENTRIES {
            return Err(StopReason::Size { what: "entries of rules", limit: MOST_ENTRIES as u64 }.into());
        }
        let coordinate = |name: &str| names.iter().position(|other| other == name);
        let mut rules = Vec::new();
        for (k, name) in names.iter().enumerate() {
            let position = graph.position(name).expect("a name of the graph");
            for option in graph.option_names(position) {
                let mut rule = vec![0i64; names.len()];
                rule[k] = 1;
                if let Some(i) = coordinate(option) {
                    rule[i] = -1;
                }
                rules.push(rule);
            }
        }
        let description = Description::new(None, rules, None, None, play)?;
        Ok(Self { names, description, ends })
    }

    /// The point of a position of the graph; positions without a move are the origin.
    pub fn point(&self, name: &str) -> Option<Vec<i64>> {
        let mut point = vec![0; self.names.len()];
        match self.names.iter().position(|other| other == name) {
            Some(k) => point[k] = 1,
            None if self.ends.iter().any(|end| end == name) => {}
            None => return None,
        }
        Some(point)
    }
}
