//! Pictures of chains games: m across, n up, for positions with all of the fixed part left.

use impartial::poset::chains::Position;
use impartial::render::{Cell, LatticeMap};
use impartial::solve::chains::Solution;
use impartial::solve::chains::plain::Table;
use semilinear::run::Monitor as _;
use serde_json::json;

use crate::args::PlotArgs;
use crate::context::Context;
use crate::files;
use crate::raster;
use crate::report::{Answer, Report, bad_input};

/// No side of a picture shows more positions than this.
const MOST: u64 = 4000;

/// Draws P and N, or with `--grundy` the values by plain recursion.
pub fn plot(cx: &Context, solution: &Solution, args: &PlotArgs) -> Answer {
    let game = solution.game();
    if game.chains() == 1 || args.slice.is_some() {
        return Err(bad_input(
            "a picture shows two chains, m across and n up; leave --slice out, and play with two chains",
        ));
    }
    let sizes: Result<Vec<u64>, String> =
        args.sizes.as_deref().unwrap_or("64").split(',').map(|size| crate::number::size(size.trim())).collect();
    let (width, height) = match *sizes.map_err(|error| bad_input(format!("--box: {error}")))?.as_slice() {
        [n @ 1..=MOST] => (n, n),
        [w @ 1..=MOST, h @ 1..=MOST] => (w, h),
        _ => return Err(bad_input(format!("--box: a picture shows between 1 and {MOST} positions on each axis"))),
    };
    let whole = solution.ideals().whole();
    let ideal = &solution.ideals().list()[whole];
    let cross = game.cross();
    let side = |size: u64| u32::try_from(size - 1).unwrap_or(u32::MAX);
    let table =
        if args.grundy { Some(Table::new(solution.ideals(), &cross, side(width), side(height), cx)?) } else { None };
    let mut cells = Vec::new();
    for n in 0..height {
        cx.check(n, Some(height))?;
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
        impartial::poset::chains::Board::Chomp(_) => ("row 2", "row 1", 1),
        impartial::poset::chains::Board::Poset(_) => ("m", "n", 0),
    };
    let picture = LatticeMap {
        title: game.name().into(),
        across: (across.into(), 0),
        up: (up.into(), first),
        width: usize::try_from(width).unwrap_or(0),
        cells,
        modules: Vec::new(),
    };
    let bytes = match std::path::Path::new(&args.output).extension().and_then(|e| e.to_str()) {
        Some("svg") => picture.svg().into_bytes(),
        Some("png") => raster::png(&picture)?,
        _ => return Err(bad_input(format!("-o {}: pictures are written as x.svg or x.png", args.output))),
    };
    files::write(&args.output, &bytes)?;
    let json = json!({"game": args.game, "file": args.output, "columns": width, "rows": height});
    Ok(Report::new(json, format!("wrote {} ({width} x {height} positions)", args.output)))
}
