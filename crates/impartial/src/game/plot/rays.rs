//! Maps of games with rays: a 2-D game, or a 2-D slice of a higher one.

use num_bigint::BigUint;

use super::lattice::Slice;
use super::{PlotAsk, map};
use crate::error::{Error, Result};
use crate::game::Ask;
use crate::game::report::Picture;
use crate::lattice::RayGame;
use crate::render::{Cell, LatticeMap};

/// A box that holds all positions of the map.
pub(crate) fn sizes(game: &RayGame, plot: &PlotAsk) -> Result<Vec<u64>> {
    let slice = Slice::new(plot.slice.as_deref(), game.dimension())?;
    let (width, height) = plot.sides()?;
    let mut sizes: Vec<u64> =
        slice.fixed.iter().map(|&x| u64::try_from(x).map(|x| x + 1).map_err(|_| negative())).collect::<Result<_>>()?;
    sizes[slice.across] = width;
    if let Some(up) = slice.up {
        sizes[up] = height;
    }
    Ok(sizes)
}

fn negative() -> Error {
    Error::input("--slice: coordinates of a game with rays are not negative; give numbers from 0 on")
}

/// The map of what `cell` says of each position.
pub(crate) fn picture(
    written: &str,
    game: &RayGame,
    plot: &PlotAsk,
    ask: &Ask,
    cell: impl Fn(&[BigUint]) -> Cell,
) -> Result<Picture> {
    let slice = Slice::new(plot.slice.as_deref(), game.dimension())?;
    let (width, height) = plot.sides()?;
    let height = if slice.up.is_some() { height } else { 1 };
    let mut x: Vec<BigUint> = Vec::new();
    for &fixed in &slice.fixed {
        let fixed = u64::try_from(fixed).map_err(|_| negative())?;
        x.push(fixed.into());
    }
    let mut cells = Vec::new();
    for v in 0..height {
        ask.monitor.check(v, Some(height))?;
        if let Some(up) = slice.up {
            x[up] = v.into();
        }
        for u in 0..width {
            x[slice.across] = u.into();
            cells.push(cell(&x));
        }
    }
    let what = if plot.grundy { "Grundy values" } else { "P and N" };
    let axis = |i: usize| format!("x{}", i + 1);
    let drawn = LatticeMap {
        title: format!("{written}: {what}"),
        across: (axis(slice.across), 0),
        up: slice.up.map_or((String::new(), 0), |up| (axis(up), 0)),
        width: usize::try_from(width).unwrap_or(usize::MAX),
        cells,
        modules: Vec::new(),
        lines: Vec::new(),
    };
    Ok(map(written, &drawn))
}
