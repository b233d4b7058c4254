//! Pictures of poset games: the P-positions of three-row Chomp, and Hasse diagrams.

use num_traits::ToPrimitive as _;

use super::PlotAsk;
use crate::error::{Error, Result};
use crate::game::Ask;
use crate::game::position::sizes;
use crate::game::report::Picture;
use crate::poset::{Board, Diagram};
use crate::render::{Cell, LatticeMap, hasse as hasse_diagram};
use crate::solve::poset::chomp;
use crate::strategy::poset_of;

/// Elements that a Hasse diagram is drawn for.
const DRAWN_ELEMENTS: usize = 500;
/// The longest first row that a picture of three-row Chomp shows.
const DRAWN_ROW: u64 = 2_000;

/// The picture of a board.
pub(crate) fn picture(written: &str, board: &Board, plot: &PlotAsk, ask: &Ask) -> Result<Picture> {
    let (drawing, shows) = match board {
        Board::Chomp(board) if board.rows().len() == 3 => three_rows(board, plot, ask)?,
        board => hasse(written, board, plot)?,
    };
    Ok(Picture { game: written.to_owned(), shows, columns: None, rows: None, drawing })
}

/// The P-positions (p, q, r) with p at most the board's first row: q across, r up, p − q as colour. For a pair (q, r)
/// there is at most one p, so that no two of them share a cell.
fn three_rows(board: &Diagram, plot: &PlotAsk, ask: &Ask) -> Result<(crate::render::Drawing, String)> {
    if plot.slice.is_some() || plot.grundy {
        return Err(Error::input(
            "the picture of three-row Chomp shows all P-positions at once; leave --slice and --grundy out",
        ));
    }
    let longest = match &plot.sizes {
        None => board.columns().min(DRAWN_ROW),
        Some(text) => sizes(text, 1).map_err(|error| Error::Input(format!("{error}; give the longest first row")))?[0]
            .to_u64()
            .unwrap_or(u64::MAX)
            .min(board.columns()),
    };
    if !(1..=DRAWN_ROW).contains(&longest) {
        return Err(Error::Input(format!("a picture shows first rows from 1 to {DRAWN_ROW}; give another --box")));
    }
    let third = board.rows()[2].min(longest);
    let mut points = Vec::new();
    chomp::three_rows(longest, Some(third), ask.monitor, |p, q, r| {
        if q <= board.rows()[1] {
            points.push((p, q, r));
        }
    })?;
    // No point is drawn beyond the last q and r that occur.
    let side = |most: u64| usize::try_from(most).map_err(Error::input);
    let width = side(points.iter().map(|point| point.1).max().unwrap_or(0) + 1)?;
    let height = side(points.iter().map(|point| point.2).max().unwrap_or(0) + 1)?;
    let mut cells = vec![Cell::N; width * height];
    for r in 0..height {
        cells[r * width..][..r.min(width)].fill(Cell::Outside);
    }
    for &(p, q, r) in &points {
        cells[side(r)? * width + side(q)?] = Cell::Value(p - q);
    }
    let map = LatticeMap {
        title: format!("P-positions (p,q,r) of 3-row Chomp, p <= {longest}: colour p - q"),
        across: ("row 2".into(), 0),
        up: ("row 3".into(), 0),
        width,
        cells,
        modules: Vec::new(),
        lines: Vec::new(),
    };
    Ok((map.drawing(), format!("{} P-positions", points.len())))
}

/// The Hasse diagram of a board.
fn hasse(written: &str, board: &Board, plot: &PlotAsk) -> Result<(crate::render::Drawing, String)> {
    if plot.slice.is_some() || plot.grundy || plot.sizes.is_some() {
        return Err(Error::input("a Hasse diagram shows the whole board; leave --box, --slice and --grundy out"));
    }
    let poset = poset_of(board).filter(|poset| poset.len() <= DRAWN_ELEMENTS).ok_or_else(|| {
        Error::Input(format!("a Hasse diagram shows at most {DRAWN_ELEMENTS} elements; choose a smaller board"))
    })?;
    Ok((hasse_diagram(written, &poset, &poset.all()), format!("the Hasse diagram of {} elements", poset.len())))
}
