//! Maps of lattice games: a 2-D game, or a 2-D slice of a higher one.

use super::{PlotAsk, map};
use crate::error::{Error, Result};
use crate::game::Ask;
use crate::game::lattice::answer::budget;
use crate::game::report::Picture;
use crate::lattice::LatticeGame;
use crate::render::{BlockAutomaton, Cell, LatticeMap};
use crate::solve::recursion::{GrundyTable, Recursion, Region};
use semilinear::vectorset::{Label, Labelled};

/// A picture of P and N, or of Grundy values.
pub(crate) fn game(written: &str, name: &str, game: &LatticeGame, plot: &PlotAsk, ask: &Ask) -> Result<Picture> {
    Ok(map(written, &cells(name, game, plot, ask)?))
}

/// A map of P and N, or of Grundy values.
pub(crate) fn cells(name: &str, game: &LatticeGame, plot: &PlotAsk, ask: &Ask) -> Result<LatticeMap> {
    let slice = Slice::new(plot.slice.as_deref(), game.dimension())?;
    let (from, to) = range(game, &slice, plot.sides()?);
    let too_far = || Error::input("the slice lies too far out; give smaller coordinates");
    let region = Region::around_user_range(game, &from, &to).ok_or_else(too_far)?;
    let solved = if plot.grundy {
        Solved::Values(GrundyTable::new(game, &region, budget(ask), ask.monitor)?)
    } else {
        Solved::Outcomes(Recursion::new(game, &region, budget(ask), ask.monitor)?)
    };
    let what = if plot.grundy { "Grundy values" } else { "P and N" };
    let cells = |x: &[i64]| game.chart().inner(x).and_then(|y| solved.cell(&y));
    drawn(game, &slice, (&from, &to), (name, what), ask, cells)
}

/// The automaton as a graph.
pub(crate) fn automaton<L: Label>(written: &str, set: &Labelled<L>, game: &LatticeGame) -> Result<Picture> {
    let automaton = BlockAutomaton::of(set)?;
    let letter = if game.chart().is_identity() { "x" } else { "y" };
    let list: Vec<String> = (1..=game.dimension()).map(|i| format!("{letter}{i}")).collect();
    let title = format!("{}: reads binary digits of {}, lowest first", stem(written), list.join(", "));
    let shows = format!("an automaton of {} states that read digit blocks", automaton.labels.len());
    Ok(super::drawn(written, shows, automaton.drawing(&title)?))
}

/// The name of a file without folders and ending.
pub(crate) fn stem(written: &str) -> &str {
    std::path::Path::new(written).file_stem().and_then(|name| name.to_str()).unwrap_or("strategy")
}

/// Which coordinates are drawn (two, or one in 1-D games), and the values of the others.
pub(super) struct Slice {
    /// The values of the coordinates that are not drawn.
    pub(super) fixed: Vec<i64>,
    /// The coordinate on the horizontal axis.
    pub(super) across: usize,
    /// The coordinate on the vertical axis.
    pub(super) up: Option<usize>,
}

impl Slice {
    /// `(*,*,0,1)`; by default the first two coordinates, with 0 for the others.
    pub(super) fn new(text: Option<&str>, dimension: usize) -> Result<Self> {
        let Some(text) = text else {
            return Ok(Self { fixed: vec![0; dimension], across: 0, up: (dimension > 1).then_some(1) });
        };
        let remedy = || {
            Error::Input(format!(
                "--slice {text}: give {dimension} entries, * for the axes that are drawn (at most two) and integers for \
                 the others, e.g. (*,*,0)"
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
        Ok(Self { fixed, across: stars[0], up: stars.get(1).copied() })
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

/// The least and the greatest coordinates that are drawn.
pub(super) fn range(game: &LatticeGame, slice: &Slice, (width, height): (u64, u64)) -> (Vec<i64>, Vec<i64>) {
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
pub(super) fn drawn(
    game: &LatticeGame,
    slice: &Slice,
    (from, to): (&[i64], &[i64]),
    (name, what): (&str, &str),
    ask: &Ask,
    solved: impl Fn(&[i64]) -> Option<Cell>,
) -> Result<LatticeMap> {
    let mut rows: Vec<Vec<Cell>> = Vec::new();
    let vertical = slice.up.map_or(0..=0, |up| from[up]..=to[up]);
    for v in vertical {
        ask.monitor.check(0, None)?;
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
        return Err(Error::input("no position of the board lies in the slice; change --slice or --box"));
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
        lines: Vec::new(),
    })
}
