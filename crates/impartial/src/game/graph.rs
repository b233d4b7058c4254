//! Games given as explicit graphs: `kind = "graph"`.

use crate::game::words::counted;
use num_bigint::{BigInt, BigUint};
use semilinear::vectorset::Effort;
use serde_json::{Map, Value, json};

use super::Ask;
use super::explain::{Reasons, by_options};
use super::kind::{Found, Moves, Playable};
use super::position::{Place, Position};
use super::report::{CongruenceReport, InfoReport};
use crate::error::{Error, Result};
use crate::graph::Graph;
use crate::lattice::{GraphLattice, LatticeGame};
use crate::outcome::{Outcome, Play};
use crate::solve::search::Search;
use crate::strategy::{Congruence, Standing};

/// A graph game.
#[derive(Clone, Debug)]
pub(crate) struct GraphGame {
    name: String,
    graph: Graph,
}

impl GraphGame {
    pub(crate) fn from_file(place: &str, text: &str) -> Result<Self> {
        let graph = Graph::from_toml(text).map_err(|error| Error::Input(format!("{place}: {error}")))?;
        Ok(Self { name: graph.title().unwrap_or(place).to_owned(), graph })
    }

    fn vertex(&self, position: &Position) -> Result<usize> {
        match position.place {
            Place::Vertex(vertex) if vertex < self.graph.len() && self.graph.name(vertex) == position.as_str() => {
                Ok(vertex)
            }
            _ => Err(position.of_another_kind("the names of its own positions")),
        }
    }

    fn written(&self, vertex: usize) -> Position {
        Position::new(Place::Vertex(vertex), self.graph.name(vertex).to_owned())
    }

    /// Whether two vertices are congruent in misère play: in sums of tokens, by way of the lattice game of the graph (Guo–Miller 2011, after
    /// Theorem 5.1 of the 2009 paper).
    pub(super) fn congruent(&self, written: &str, p: &Position, q: &Position, ask: &Ask) -> Result<CongruenceReport> {
        let lattice =
            GraphLattice::new(&self.graph, Some(Play::Misere)).map_err(|error| Error::from(error).at(&self.name))?;
        let game =
            LatticeGame::new(&lattice.description, ask.monitor).map_err(|error| Error::from(error).at(&self.name))?;
        // A vertex without moves has no coordinate: it is the origin.
        let point = |position: &Position| -> Result<Vec<BigInt>> {
            let name = self.graph.name(self.vertex(position)?);
            Ok(lattice.names.iter().map(|other| BigInt::from(u8::from(other == name))).collect())
        };
        let automaton = super::lattice::automaton(&game, ask)?;
        let effort = Effort::new(1 << 23, ask.monitor);
        let found = automaton.congruence(&point(p)?, &point(q)?, &effort)?;
        let witness = match &found {
            Congruence::Congruent => None,
            Congruence::Different { witness } => {
                let tokens = |(count, name): (&BigInt, &String)| match count.to_string().as_str() {
                    "0" => None,
                    "1" => Some(name.clone()),
                    many => Some(format!("{many}·{name}")),
                };
                let tokens: Vec<String> = witness.iter().zip(&lattice.names).filter_map(tokens).collect();
                Some(if tokens.is_empty() { "nothing".to_owned() } else { tokens.join(" + ") })
            }
        };
        let mut report =
            super::lattice::congruence(written, Play::Misere, &found, "automaton", Some(Standing::of(&automaton)));
        report.witness = witness;
        report.by = Some("the lattice game of the graph".into());
        Ok(report)
    }

    pub(crate) fn lattice_toml(&self, ask: &Ask) -> Result<String> {
        let play = Some(ask.play_of(self.graph.play()));
        let lattice = GraphLattice::new(&self.graph, play).map_err(|error| Error::from(error).at(&self.name))?;
        // Names may hold any character, line breaks included.
        let names: Vec<String> = lattice.names.iter().map(|name| format!("{name:?}")).collect();
        let text = lattice.description.named(self.name.clone()).to_toml();
        Ok(format!("# coordinates count tokens on {}\n{text}", names.join(", ")))
    }
}

impl Playable for GraphGame {
    fn kind(&self) -> &'static str {
        "graph"
    }

    fn name(&self) -> &str {
        &self.name
    }

    fn own_play(&self) -> Option<Play> {
        self.graph.play()
    }

    fn strategy_game(&self, ask: &Ask) -> Result<(Value, Play)> {
        let moves: Map<String, Value> = (0..self.graph.len())
            .map(|position| (self.graph.name(position).to_owned(), json!(self.graph.option_names(position))))
            .collect();
        Ok((json!({"kind": "graph", "moves": moves}), ask.play_of(self.graph.play())))
    }

    fn info(&self, _written: &str, _ask: &Ask) -> Result<InfoReport> {
        let (positions, moves) = (self.graph.len(), self.graph.moves());
        let ends = (0..positions).filter(|&position| self.graph.option_names(position).is_empty()).count();
        let mut info = InfoReport::new(&self.name, "graph");
        info.fact("positions", positions).fact("moves", moves).fact("ends", ends);
        info.line(format!(
            "{}: a graph of {}, {}, {}",
            self.name,
            counted(positions, "position", "positions"),
            counted(moves, "move", "moves"),
            counted(ends, "end", "ends")
        ));
        Ok(info)
    }

    fn position(&self, text: &str) -> Result<Position> {
        let vertex = self.graph.position(text.trim()).ok_or_else(|| {
            let names = self.graph.names();
            let some: Vec<&str> = names.iter().take(8).map(String::as_str).collect();
            let more = if names.len() > 8 { ", …" } else { "" };
            let text: String = text.chars().take(80).collect();
            Error::Input(format!("position \"{text}\": not in the graph; its positions are {}{more}", some.join(", ")))
        })?;
        Ok(self.written(vertex))
    }

    fn start(&self) -> Result<Position> {
        Ok(self.written(self.graph.start()))
    }

    fn options(&self, position: &Position) -> Result<Vec<Position>> {
        let names = self.graph.option_names(self.vertex(position)?);
        Ok(names.into_iter().filter_map(|name| self.graph.position(name)).map(|vertex| self.written(vertex)).collect())
    }

    fn drawing(&self, position: &Position) -> Result<String> {
        let vertex = self.vertex(position)?;
        let options = self.graph.option_names(vertex);
        let arrows = if options.is_empty() { "(no move)".to_owned() } else { options.join(", ") };
        Ok(format!("  {} -> {arrows}", self.graph.name(vertex)))
    }

    fn reasons<'a>(&'a self, position: &Position, ask: &Ask) -> Result<Reasons<'a>> {
        by_options(self, position, ask)
    }

    fn move_words(&self, _position: &Position, option: &Position) -> Result<String> {
        Ok(format!("go to {option}"))
    }

    fn rules_in_words(&self) -> String {
        "A move goes along an arrow of the graph.".into()
    }

    fn position_forms(&self) -> &'static str {
        "the name of a position of the graph"
    }

    fn outcome(&self, position: &Position, ask: &Ask) -> Result<Found<Outcome>> {
        let play = ask.play_of(self.graph.play());
        let outcome = Search::new(&self.graph, ask.monitor).outcome(play, &[self.vertex(position)?])?;
        Ok(Found::by(outcome, "search"))
    }

    fn grundy(&self, position: &Position, ask: &Ask) -> Result<Found<BigUint>> {
        let value = Search::new(&self.graph, ask.monitor).grundy(&[self.vertex(position)?])?;
        Ok(Found::by(value.into(), "search"))
    }

    fn winning_moves(&self, position: &Position, ask: &Ask) -> Result<Found<Moves>> {
        let play = ask.play_of(self.graph.play());
        let moves = Search::new(&self.graph, ask.monitor).winning_moves(play, &[self.vertex(position)?])?;
        Ok(Found::by(Moves::all(moves.iter().flatten().map(|&option| self.written(option)).collect()), "search"))
    }
}
