//! Pictures of games: which one is meant, and who draws it.

use super::kind::Kind;
use super::report::Picture;
use super::{Ask, Form, Game, PlotAsk, PlotKind, heap, plot, rays};
use crate::error::Result;
use crate::outcome::Play;

impl Game {
    /// A picture of the game.
    ///
    /// ```
    /// use impartial::prelude::*;
    /// let game: Game = "exotic".parse()?;
    /// let picture = game.plot(&impartial::PlotAsk::default(), &Ask::new())?;
    /// assert!(picture.drawing.svg().starts_with("<svg"));
    /// # Ok::<(), Error>(())
    /// ```
    pub fn plot(&self, plot: &PlotAsk, ask: &Ask) -> Result<Picture> {
        let written = &self.written;
        match &self.kind {
            Kind::Heap(game) => match plot.kind {
                // Misère play has no Grundy values: its picture is that of the quotients.
                PlotKind::Auto if self.play(ask) == Play::Misere && plot.slice.is_none() && !plot.grundy => {
                    self.plot(&PlotAsk { kind: PlotKind::Orders, ..plot.clone() }, ask)
                }
                PlotKind::Orders | PlotKind::Cayley => {
                    let ask = plot.max_heap.map_or(*ask, |heap| ask.max_heap(heap)).play(Play::Misere);
                    plot::quotient::picture(written, heap::misere::quotient(game, &ask)?.report(), plot)
                }
                PlotKind::Map => heap::as_lattice::plot(game, written, plot, ask),
                // A slice, or Grundy values as colours, have always meant numbers of heaps of each size.
                PlotKind::Auto if plot.slice.is_some() || plot.grundy => {
                    heap::as_lattice::plot(game, written, plot, ask)
                }
                PlotKind::Auto | PlotKind::Values => {
                    self.normal_play(ask)?;
                    plot::sequence::chart(game, written, plot, ask)
                }
                PlotKind::Sums => {
                    self.normal_play(ask)?;
                    plot::sequence::sums(game, written, plot, ask)
                }
                other => Err(plot::not_here(other, "a heap game", "values, sums, map, orders and cayley")),
            },
            Kind::Lattice(game) => match plot.kind {
                PlotKind::Auto | PlotKind::Map => {
                    plot::lattice::game(written, game.name_text(), &game.game(ask)?, plot, ask)
                }
                PlotKind::Automaton => self.solve(ask)?.convert(Form::Automaton, ask)?.plot(written, plot, ask),
                other => Err(plot::not_here(other, "a lattice game", "a map (leave --what out) and automaton")),
            },
            Kind::Rays(game) => rays::plot(&game.game(ask)?, written, plot, ask),
            Kind::Poset(game) => match plot.kind {
                PlotKind::Auto => plot::poset::picture(written, game.board(), plot, ask),
                other => Err(plot::not_here(other, "a poset game", "one picture; leave --what out")),
            },
            Kind::Chains(game) => {
                let solution = game.solution(0, ask)?;
                plot::chains::picture(written, &solution, plot, ask)
            }
            Kind::Wythoff(_) => plot::wythoff::picture(written, plot, ask),
            other => Err(other.unsupported("plot")),
        }
    }
}
