//! The kinds of games, each with the commands it understands.

pub mod chains;
pub mod chains_plot;
pub mod graph;
pub mod heap;
pub mod lattice;
pub mod poset;
pub mod poset_plot;
pub mod sum;
pub mod wythoff;

use impartial::outcome::{Outcome, Play};
use serde_json::Value;

use crate::args;
use crate::context::Context;
use crate::report::{Answer, Failure, bad_input};

/// A game on the command line. A command that makes no sense for a kind keeps its default here, which
/// says so; every method returns bad input as [`Failure::Input`] and limits as stopped reports.
pub trait Family: Sync {
    /// `"heap"`, `"lattice"`, `"poset"`, `"chains"`, `"graph"`, `"sum"` or `"wythoff"`.
    fn kind(&self) -> &'static str;

    /// The game's name as the user wrote it, or the name in its file.
    fn name(&self) -> String;

    /// The play a game file sets, if it sets one.
    fn own_play(&self) -> Option<Play> {
        None
    }

    /// The `"game"` value this game has in strategy files.
    fn game_json(&self) -> Value;

    /// The `"game"` value and the play that a strategy file for this game has, in the play asked for.
    fn strategy_game(&self, cx: &Context) -> Result<(Value, Play), Failure> {
        Ok((self.game_json(), cx.play(self.own_play())))
    }

    /// `info`.
    fn info(&self, _cx: &Context, _args: &args::InfoArgs) -> Answer {
        unsupported("info", self.kind())
    }

    /// `values`.
    fn values(&self, _cx: &Context, _args: &args::ValuesArgs) -> Answer {
        unsupported("values", self.kind())
    }

    /// `period`.
    fn period(&self, _cx: &Context, _args: &args::PeriodArgs) -> Answer {
        unsupported("period", self.kind())
    }

    /// The Grundy value of a position (normal play), as a decimal number, and the method used.
    fn grundy(&self, _cx: &Context, _position: &str) -> Result<(String, String), Failure> {
        unsupported("grundy", self.kind())
    }

    /// The outcome of a position and the method used.
    fn outcome(&self, _cx: &Context, _position: &str) -> Result<(Outcome, String), Failure> {
        unsupported("outcome", self.kind())
    }

    /// Every winning move of a position, as resulting positions, and the method used.
    fn winning_moves(&self, _cx: &Context, _position: &str) -> Result<(Vec<String>, String), Failure> {
        unsupported("move", self.kind())
    }

    /// Whether [`Family::winning_moves`] lists every winning move of a position, and not one of each kind.
    fn lists_every_move(&self, _cx: &Context, _position: &str) -> Result<bool, Failure> {
        Ok(true)
    }

    /// `solve`.
    fn solve(&self, _cx: &Context, _args: &args::SolveArgs) -> Answer {
        unsupported("solve", self.kind())
    }

    /// `convert GAME --to lattice`: the text of a lattice game file.
    fn lattice_file(&self, _cx: &Context, _max_heap: Option<u64>) -> Result<String, Failure> {
        unsupported("convert --to lattice", self.kind())
    }

    /// `count`.
    fn count(&self, _cx: &Context, _args: &args::CountArgs) -> Answer {
        unsupported("count", self.kind())
    }

    /// `congruent`.
    fn congruent(&self, _cx: &Context, _args: &args::CongruentArgs) -> Answer {
        unsupported("congruent", self.kind())
    }

    /// `quotient`.
    fn quotient(&self, _cx: &Context, _args: &args::QuotientArgs) -> Answer {
        unsupported("quotient", self.kind())
    }

    /// `chains`.
    fn chains(&self, _cx: &Context, _args: &args::ChainsArgs) -> Answer {
        unsupported("chains", self.kind())
    }

    /// `plot`: the picture is written by the method itself.
    fn plot(&self, _cx: &Context, _args: &args::PlotArgs) -> Answer {
        unsupported("plot", self.kind())
    }

    /// Every option of a position, as resulting positions without repeats: what `play` needs beside the strategy.
    fn options(&self, _position: &str) -> Result<Vec<String>, Failure> {
        unsupported("play", self.kind())
    }

    /// The names of the moves that lead to [`Family::options`], in the same order, where a move has a name: the element
    /// that is chosen, say.
    fn move_names(&self, _position: &str) -> Result<Option<Vec<String>>, Failure> {
        Ok(None)
    }

    /// A position written in the one way in which `options` and `winning_moves` write it.
    fn canonical(&self, position: &str) -> Result<String, Failure> {
        Ok(position.split_whitespace().collect())
    }

    /// How many positions joined by `|` a position of this game is: more than one only for sums.
    fn segments(&self) -> usize {
        1
    }

    /// The components of a position as positions of their own, where a position is a sum (of heaps, say):
    /// what keeps the search of sums in misère play small.
    fn components(&self, position: &str) -> Result<Vec<String>, Failure> {
        Ok(vec![position.to_owned()])
    }

    /// Every option of a position with its Grundy value.
    fn option_values(&self, cx: &Context, position: &str) -> Result<Vec<(String, String)>, Failure> {
        let valued = |option: String| self.grundy(cx, &option).map(|(value, _)| (option, value));
        self.options(position)?.into_iter().map(valued).collect()
    }

    /// A picture of a position in characters, for `play`.
    fn drawing(&self, position: &str) -> Result<String, Failure> {
        Ok(position.to_owned())
    }

    /// A position of moderate size to begin with, for `play` without POSITION.
    fn start(&self) -> Result<String, Failure> {
        unsupported("play without POSITION", self.kind())
    }
}

/// The failure of a command that a kind of game does not have.
pub fn unsupported<T>(command: &str, kind: &str) -> Result<T, Failure> {
    Err(bad_input(format!("`{command}` is not defined for {kind} games; `impartial help {command}` says what it does")))
}
