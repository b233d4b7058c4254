//! Pictures of lattice games: a 2-D game, or a 2-D slice of a higher one.

use impartial::lattice::LatticeGame;
use impartial::render::{Cell, LatticeMap};
use impartial::solve::recursion::{GrundyTable, Recursion, Region};
use num_traits::ToPrimitive as _;
use semilinear::run::Monitor as _;
use serde_json::json;

use super::{answer, position};
use crate::args::PlotArgs;
use crate::context::Context;
use crate::files;
use crate::raster;
use crate::report::{Answer, Failure, Report, bad_input};

/// No side of a picture shows more positions than this.
const MOST: u64 = 4000;

/// `plot`.
pub fn game(cx: &Context, game: &LatticeGame, name: &str, args: &PlotArgs) -> Answer {
    let slice = slice(args.slice.as_deref(), game.dimension())?;
    let sizes = sizes(args.sizes.as_deref())?;
    let picture = map(cx, game, name, &slice, sizes, args.grundy)?;
    written(&picture, args)
}

/// Writes a picture as SVG or PNG, by the name of the file.
pub fn written(picture: &LatticeMap, args: &PlotArgs) -> Answer {
    let bytes = match std::path::Path::new(&args.output).extension().and_then(|e| e.to_str()) {
        Some("svg") => picture.svg().into_bytes(),
        Some("png") => raster::png(picture)?,
        _ => return Err(bad_input(format!("-o {}: pictures are written as x.svg or x.png", args.output))),
    };
    files::write(&args.output, &bytes)?;
    let rows = picture.cells.len() / picture.width.max(1);
    let json = json!({"game": args.game, "file": args.output, "columns": picture.width, "rows": rows});
    Ok(Report::new(json, format!("wrote {} ({} x {rows} positions)", args.output, picture.width)))
}

/// Which coordinates are drawn (two, or one in 1-D games), and the values of the others.
pub struct Slice {
    /// The values of the coordinates that are not drawn.
    pub fixed: Vec<i64>,
    /// The coordinate on the horizontal axis.
    pub across: usize,
    /// The coordinate on the vertical axis.
    pub up: Option<usize>,
}

/// `--slice (*,*,0,1)`; by default the first two coordinates, with 0 for the others.
pub fn slice(text: Option<&str>, dimension: usize) -> Result<Slice, Failure> {
    let Some(text) = text else {
        return Ok(Slice { fixed: vec![0; dimension], across: 0, up: (dimension > 1).then_some(1) });
    };
    let remedy = || {
        bad_input(format!(
            "--slice {text}: give {dimension} entries, * for the axes that are drawn (at most two) and integers for the \
             others, e.g. (*,*,0)"
        ))
    };
    let inner = text.trim().trim_start_matches('(').trim_end_matches(')');
    let entries: Vec<&str> = inner.split(',').map(str::trim).collect();
    let stars: Vec<usize> = (0..entries.len()).filter(|&i| entries[i] == "*").collect();
    if entries.len() != dimension || !(1..=2).contains(&stars.len()) {
        return Err(remedy());
    }
    let fixed = entries
        .iter()
        .map(|entry| if *entry == "*" { Some(0) } else { entry.parse::<i64>().ok().filter(|x| x.abs() < 1 << 40) })
        .collect::<Option<_>>()
        .ok_or_else(remedy)?;
    Ok(Slice { fixed, across: stars[0], up: stars.get(1).copied() })
}

/// `--box n1,n2` or `--box n`.
pub fn sizes(text: Option<&str>) -> Result<(u64, u64), Failure> {
    let sizes = position::sizes(text.unwrap_or("64"), 2)?;
    match (sizes[0].to_u64(), sizes[1].to_u64()) {
        (Some(w @ 1..=MOST), Some(h @ 1..=MOST)) => Ok((w, h)),
        _ => Err(bad_input(format!("--box: a picture shows between 1 and {MOST} positions on each axis"))),
    }
}

/// What the cells come from.
enum Solved {
    Values(GrundyTable),
    Outcomes(Recursion),
}

impl Solved {
    fn cell(&self, y: &[i64]) -> Option<Cell> {
        match self {
            Self::Values(table) => table.grundy(y).map(Cell::Value),
            Self::Outcomes(recursion) => {
                recursion.outcome(y).map(|outcome| if outcome.is_p() { Cell::P } else { Cell::N })
            }
        }
    }
}

fn map(
    cx: &Context,
    game: &LatticeGame,
    name: &str,
    slice: &Slice,
    (width, height): (u64, u64),
    values: bool,
) -> Result<LatticeMap, Failure> {
    let (from, to) = range(game, slice, (width, height));
    let too_far = || bad_input("the slice lies too far out; give smaller coordinates");
    let region = Region::around_user_range(game, &from, &to).ok_or_else(too_far)?;
    let budget = answer::budget(cx);
    let solved = if values {
        Solved::Values(GrundyTable::new(game, &region, budget, cx)?)
    } else {
        Solved::Outcomes(Recursion::new(game, &region, budget, cx)?)
    };
    let what = if values { "Grundy values" } else { "P and N" };
    drawn(cx, game, slice, (&from, &to), (name, what), |x| game.chart().inner(x).and_then(|y| solved.cell(&y)))
}

/// The least and the greatest coordinates that are drawn.
pub fn range(game: &LatticeGame, slice: &Slice, (width, height): (u64, u64)) -> (Vec<i64>, Vec<i64>) {
    let (w, h) = (width.cast_signed(), if slice.up.is_some() { height.cast_signed() } else { 1 });
    // Boards may reach into negative coordinates; empty rows and columns are cut off below.
    let low = |n: i64| if game.board().is_some() { 1 - n } else { 0 };
    let (mut from, mut to) = (slice.fixed.clone(), slice.fixed.clone());
    (from[slice.across], to[slice.across]) = (low(w), w - 1);
    if let Some(up) = slice.up {
        (from[up], to[up]) = (low(h), h - 1);
    }
    (from, to)
}

/// The map of the positions between two corners; `solved` gives the cell of a position.
pub fn drawn(
    cx: &Context,
    game: &LatticeGame,
    slice: &Slice,
    (from, to): (&[i64], &[i64]),
    (name, what): (&str, &str),
    solved: impl Fn(&[i64]) -> Option<Cell>,
) -> Result<LatticeMap, Failure> {
    let mut rows: Vec<Vec<Cell>> = Vec::new();
    let vertical = slice.up.map_or(0..=0, |up| from[up]..=to[up]);
    for v in vertical {
        cx.check(0, None)?;
        let mut x = slice.fixed.clone();
        if let Some(up) = slice.up {
            x[up] = v;
        }
        let cell = |u: i64| {
            let mut x = x.clone();
            x[slice.across] = u;
            solved(&x).unwrap_or(if game.defeated().contains(&x) { Cell::Defeated } else { Cell::Outside })
        };
        rows.push((from[slice.across]..=to[slice.across]).map(cell).collect());
    }
    // Cut rows and columns that show nothing but the outside.
    let shows = |cell: &Cell| *cell != Cell::Outside;
    let first_row = rows.iter().position(|row| row.iter().any(shows));
    let last_row = rows.iter().rposition(|row| row.iter().any(shows));
    let first_column = rows.iter().filter_map(|row| row.iter().position(shows)).min();
    let last_column = rows.iter().filter_map(|row| row.iter().rposition(shows)).max();
    let (Some(r0), Some(r1), Some(c0), Some(c1)) = (first_row, last_row, first_column, last_column) else {
        return Err(bad_input("no position of the board lies in the slice; change --slice or --box"));
    };
    let cells: Vec<Cell> = rows[r0..=r1].iter().flat_map(|row| row[c0..=c1].to_vec()).collect();
    let axis = |i: usize| format!("x{}", i + 1);
    let fixed: Vec<String> = (0..game.dimension())
        .filter(|&i| i != slice.across && Some(i) != slice.up)
        .map(|i| format!("{} = {}", axis(i), slice.fixed[i]))
        .collect();
    let title =
        if fixed.is_empty() { format!("{name}: {what}") } else { format!("{name}: {what}, {}", fixed.join(", ")) };
    let start = |from: i64, cut: usize| from + i64::try_from(cut).unwrap_or(0);
    Ok(LatticeMap {
        title,
        across: (axis(slice.across), start(from[slice.across], c0)),
        up: slice.up.map_or((String::new(), 0), |up| (axis(up), start(from[up], r0))),
        width: c1 - c0 + 1,
        cells,
        modules: Vec::new(),
    })
}
