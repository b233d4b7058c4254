//! Maps of chains games: m across, n up, for positions with all of the fixed part left.

use super::{PlotAsk, map};
use crate::error::{Error, Result};
use crate::game::Ask;
use crate::game::report::Picture;
use crate::poset::chains::{Board, Position};
use crate::render::{Cell, LatticeMap};
use crate::solve::chains::Solution;
use crate::solve::chains::plain::Table;

/// P and N, or Grundy values by plain recursion.
pub(crate) fn picture(written: &str, solution: &Solution, plot: &PlotAsk, ask: &Ask) -> Result<Picture> {
    let game = solution.game();
    if game.chains() == 1 || plot.slice.is_some() {
        return Err(Error::input(
            "a picture shows two chains, m across and n up; leave --slice out, and play with two chains",
        ));
    }
    let (width, height) = plot.sides()?;
    let whole = solution.ideals().whole();
    let ideal = &solution.ideals().list()[whole];
    let cross = game.cross();
    let side = |size: u64| u32::try_from(size - 1).unwrap_or(u32::MAX);
    let table = if plot.grundy {
        Some(Table::new(solution.ideals(), &cross, side(width), side(height), ask.monitor)?)
    } else {
        None
    };
    let mut cells = Vec::new();
    for n in 0..height {
        ask.monitor.check(n, Some(height))?;
        for m in 0..width {
            let legal = m >= ideal.m_lo.into() && n >= ideal.n_lo.into() && cross.at(m).is_some_and(|below| below <= n);
            let position = Position { ideal: ideal.key.clone(), m: m.into(), n: n.into() };
            cells.push(match &table {
                _ if !legal => Cell::Outside,
                Some(table) => {
                    let (m, n) = (u32::try_from(m).unwrap_or(0), u32::try_from(n).unwrap_or(0));
                    table.grundy(whole, m, n).map_or(Cell::Outside, |value| Cell::Value(value.into()))
                }
                None if solution.outcome(&position).is_p() => Cell::P,
                None => Cell::N,
            });
        }
    }
    let (across, up, first) = match game.board() {
        Board::Chomp(_) => ("row 2", "row 1", 1),
        Board::Poset(_) => ("m", "n", 0),
    };
    let picture = LatticeMap {
        title: game.name().into(),
        across: (across.into(), 0),
        up: (up.into(), first),
        width: usize::try_from(width).unwrap_or(0),
        cells,
        modules: Vec::new(),
    };
    Ok(map(written, &picture))
}
