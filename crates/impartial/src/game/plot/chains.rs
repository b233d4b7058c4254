//! Maps of chains games: m across, n up. A cell is A_{m,n}; in Chomp only diagrams with the fixed rows are.

use super::{PlotAsk, PlotKind, drawn, map, not_here};
use crate::error::{Error, Result};
use crate::game::Ask;
use crate::game::report::Picture;
use crate::poset::chains::{Board, Position};
use crate::render::{Band, Cell, Chart, LatticeMap, Mark, Plotted};
use crate::solve::chains::plain::Table;
use crate::solve::chains::{Kind, Solution};

/// P and N, or Grundy values by plain recursion.
pub(crate) fn picture(written: &str, solution: &Solution, plot: &PlotAsk, ask: &Ask) -> Result<Picture> {
    match plot.kind {
        PlotKind::Function => return function(written, solution, plot),
        PlotKind::Auto | PlotKind::Map => {}
        other => return Err(not_here(other, "a chains game", "a map (leave --what out) and function")),
    }
    let game = solution.game();
    if game.chains() == 1 || plot.slice.is_some() {
        return Err(Error::input(
            "a map shows two chains, m across and n up; leave --slice out, and for one chain ask for --what function",
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
            let (ideal, left, legal) = match game.board() {
                Board::Chomp(_) => (whole, m, legal),
                Board::Poset(_) => {
                    let (ideal, left) = solution.reduced(m, n);
                    (ideal, left, true)
                }
            };
            let position = Position { ideal: solution.ideals().list()[ideal].key.clone(), m: left.into(), n: n.into() };
            cells.push(match &table {
                _ if !legal => Cell::Outside,
                Some(table) => {
                    let (m, n) = (u32::try_from(left).unwrap_or(0), u32::try_from(n).unwrap_or(0));
                    table.grundy(ideal, m, n).map_or(Cell::Outside, |value| Cell::Value(value.into()))
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
        lines: Vec::new(),
    };
    Ok(map(written, &picture))
}

/// m ↦ f(m) as dots, with the part before the rule holds.
pub(crate) fn function(written: &str, solution: &Solution, plot: &PlotAsk) -> Result<Picture> {
    let pattern = solution.pattern(0).ok_or_else(|| Error::input("the P-positions of this game are not known"))?;
    let period = match pattern.kind() {
        Kind::Periodic(period) => period,
        _ => 0,
    };
    let preperiod = pattern.preperiod();
    let enough = preperiod + 3 * period.max(1);
    let shown = plot.length()?.map_or(enough.clamp(20, 2_000), |n| u32::try_from(n).unwrap_or(u32::MAX));
    let points: Vec<[i64; 2]> =
        (0..shown).filter_map(|m| Some([i64::from(m), i64::try_from(pattern.at(&m.into())?).ok()?])).collect();
    let mut bands = Vec::new();
    if preperiod > 0 {
        let label = format!("preperiod: m below {preperiod}");
        bands.push(Band { from: 0, to: i64::from(preperiod) - 1, label, colour: [246, 236, 214] });
    }
    if period > 0 {
        let label = format!("first period: f(m + {period}) = f(m) + {period} from m = {preperiod} on, proved");
        let (from, to) = (i64::from(preperiod), i64::from(preperiod + period) - 1);
        bands.push(Band { from, to, label, colour: [224, 236, 246] });
    }
    let (across, up) = match solution.game().board() {
        Board::Chomp(_) => ("m: length of row 2", "n = f(m)"),
        Board::Poset(_) => ("m", "n = f(m)"),
    };
    let plotted =
        vec![Plotted { label: "P-positions (m, f(m))".into(), colour: [22, 66, 120], mark: Mark::Dots, points }];
    let chart =
        Chart { title: written.to_owned(), across: across.into(), up: up.into(), plotted, bands, strips: vec![] };
    Ok(drawn(written, format!("f(m) for m below {shown}"), chart.drawing()))
}
