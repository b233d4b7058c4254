//! Pictures of poset games: the P-positions of three-row Chomp, and Hasse diagrams.

use impartial::poset::{Board, Diagram};
use impartial::render::{Cell, Drawing, LatticeMap, hasse as hasse_diagram};
use impartial::solve::poset::chomp;
use impartial::strategy::poset_of;

use crate::args::PlotArgs;
use crate::context::Context;
use crate::report::{Failure, bad_input};

/// Elements that a Hasse diagram is drawn for.
const DRAWN_ELEMENTS: usize = 500;
/// The longest first row that a picture of three-row Chomp shows.
const DRAWN_ROW: u64 = 2_000;

/// The P-positions (p, q, r) with p at most the board's first row: q across, r up, p − q as colour. For a pair (q, r)
/// there is at most one p, so that no two of them share a cell.
pub fn three_rows(cx: &Context, board: &Diagram, args: &PlotArgs) -> Result<(Drawing, String), Failure> {
    if args.slice.is_some() || args.grundy {
        return Err(bad_input(
            "the picture of three-row Chomp shows all P-positions at once; leave --slice and --grundy out",
        ));
    }
    let longest = match &args.sizes {
        None => board.columns().min(DRAWN_ROW),
        Some(text) => crate::number::size(text)
            .map_err(|error| bad_input(format!("--box {text}: {error}; give the longest first row")))?
            .min(board.columns()),
    };
    if !(1..=DRAWN_ROW).contains(&longest) {
        return Err(bad_input(format!("a picture shows first rows from 1 to {DRAWN_ROW}; give another --box")));
    }
    let third = board.rows()[2].min(longest);
    let mut points = Vec::new();
    chomp::three_rows(longest, Some(third), cx, |p, q, r| {
        if q <= board.rows()[1] {
            points.push((p, q, r));
        }
    })?;
    // No point is drawn beyond the last q and r that occur.
    let side = |most: u64| usize::try_from(most).map_err(bad_input);
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
    };
    Ok((map.drawing(), format!("{} P-positions", points.len())))
}

/// The Hasse diagram of a board.
pub fn hasse(board: &Board, args: &PlotArgs) -> Result<(Drawing, String), Failure> {
    if args.slice.is_some() || args.grundy || args.sizes.is_some() {
        return Err(bad_input("a Hasse diagram shows the whole board; leave --box, --slice and --grundy out"));
    }
    let poset = poset_of(board).filter(|poset| poset.len() <= DRAWN_ELEMENTS).ok_or_else(|| {
        bad_input(format!("a Hasse diagram shows at most {DRAWN_ELEMENTS} elements; choose a smaller board"))
    })?;
    Ok((hasse_diagram(&args.game, &poset, &poset.all()), format!("the Hasse diagram of {} elements", poset.len())))
}
