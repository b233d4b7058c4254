//! Games given as explicit graphs: `kind = "graph"`.

use impartial::graph::Graph;
use impartial::lattice::GraphLattice;
use impartial::outcome::{Outcome, Play};
use impartial::solve::search::Search;
use serde_json::{Map, Value, json};

use super::Family;
use crate::args;
use crate::context::Context;
use crate::report::{Answer, Failure, Report, bad_input};

/// A graph game on the command line.
pub struct GraphFamily {
    name: String,
    graph: Graph,
}

impl GraphFamily {
    /// A game by its file.
    pub fn from_file(path: &str, text: &str) -> Result<Self, Failure> {
        let graph = Graph::from_toml(text).map_err(|error| bad_input(format!("{path}: {error}")))?;
        Ok(Self { name: graph.title().unwrap_or(path).to_owned(), graph })
    }

    fn position(&self, text: &str) -> Result<usize, Failure> {
        self.graph.position(text.trim()).ok_or_else(|| {
            let names = self.graph.names();
            let some: Vec<&str> = names.iter().take(8).map(String::as_str).collect();
            let more = if names.len() > 8 { ", …" } else { "" };
            let text: String = text.chars().take(80).collect();
            bad_input(format!("position \"{text}\": not in the graph; its positions are {}{more}", some.join(", ")))
        })
    }
}

impl Family for GraphFamily {
    fn kind(&self) -> &'static str {
        "graph"
    }

    fn name(&self) -> String {
        self.name.clone()
    }

    fn own_play(&self) -> Option<Play> {
        self.graph.play()
    }

    fn game_json(&self) -> Value {
        let moves: Map<String, Value> = (0..self.graph.len())
            .map(|position| (self.graph.name(position).to_owned(), json!(self.graph.option_names(position))))
            .collect();
        json!({"kind": "graph", "moves": moves})
    }

    fn info(&self, _cx: &Context, _args: &args::InfoArgs) -> Answer {
        let (positions, moves) = (self.graph.len(), self.graph.moves());
        let ends = (0..positions).filter(|&position| self.graph.option_names(position).is_empty()).count();
        let json = json!({"game": self.name, "kind": "graph", "positions": positions, "moves": moves, "ends": ends});
        Ok(Report::new(json, format!("{}: a graph of {positions} positions, {moves} moves, {ends} ends", self.name)))
    }

    fn grundy(&self, cx: &Context, position: &str) -> Result<(String, String), Failure> {
        let value = Search::new(&self.graph, cx).grundy(&[self.position(position)?])?;
        Ok((value.to_string(), "search".into()))
    }

    fn outcome(&self, cx: &Context, position: &str) -> Result<(Outcome, String), Failure> {
        let play = cx.play(self.graph.play());
        Ok((Search::new(&self.graph, cx).outcome(play, &[self.position(position)?])?, "search".into()))
    }

    fn winning_moves(&self, cx: &Context, position: &str) -> Result<(Vec<String>, String), Failure> {
        let play = cx.play(self.graph.play());
        let moves = Search::new(&self.graph, cx).winning_moves(play, &[self.position(position)?])?;
        Ok((moves.iter().flatten().map(|&option| self.graph.name(option).to_owned()).collect(), "search".into()))
    }

    fn lattice_file(&self, cx: &Context, _max_heap: Option<u64>) -> Result<String, Failure> {
        let play = Some(cx.play(self.graph.play()));
        let mut lattice =
            GraphLattice::new(&self.graph, play).map_err(|error| super::lattice::failure(&self.name, error))?;
        lattice.description.name = Some(self.name.clone());
        // Names may hold any character, line breaks included.
        let names: Vec<String> = lattice.names.iter().map(|name| format!("{name:?}")).collect();
        Ok(format!("# coordinates count tokens on {}\n{}", names.join(", "), lattice.description.to_toml()))
    }

    fn options(&self, position: &str) -> Result<Vec<String>, Failure> {
        let position = self.position(position)?;
        Ok(self.graph.option_names(position).into_iter().map(ToOwned::to_owned).collect())
    }

    fn canonical(&self, position: &str) -> Result<String, Failure> {
        Ok(self.graph.name(self.position(position)?).to_owned())
    }

    fn drawing(&self, position: &str) -> Result<String, Failure> {
        let position = self.position(position)?;
        let options = self.graph.option_names(position);
        let arrows = if options.is_empty() { "(no move)".to_owned() } else { options.join(", ") };
        Ok(format!("  {} -> {arrows}", self.graph.name(position)))
    }

    fn start(&self) -> Result<String, Failure> {
        Ok(self.graph.name(self.graph.start()).to_owned())
    }
}
