//! Pictures of games and strategies.

pub(super) mod chains;
pub(super) mod lattice;
pub(super) mod poset;
pub(super) mod rays;
pub(super) mod stratification;

use num_traits::ToPrimitive as _;

use super::position::sizes;
use super::report::Picture;
use crate::error::{Error, Result};
use crate::render::LatticeMap;

/// No side of a map shows more positions than this.
const MOST: u64 = 4000;

/// What a picture is to show.
#[derive(Clone, Debug, Default)]
pub struct PlotAsk {
    /// How many positions on each axis: `n1,n2` or `n`.
    pub sizes: Option<String>,
    /// A 2-D slice of a higher game: `(*,*,0,1)`, with * for the two axes drawn.
    pub slice: Option<String>,
    /// Colours by Grundy value instead of P and N.
    pub grundy: bool,
}

impl PlotAsk {
    /// The sides of a map.
    fn sides(&self) -> Result<(u64, u64)> {
        let sizes = sizes(self.sizes.as_deref().unwrap_or("64"), 2)?;
        match (sizes[0].to_u64(), sizes[1].to_u64()) {
            (Some(w @ 1..=MOST), Some(h @ 1..=MOST)) => Ok((w, h)),
            _ => Err(Error::Input(format!("--box: a picture shows between 1 and {MOST} positions on each axis"))),
        }
    }
}

/// A map as a picture.
fn map(game: &str, map: &LatticeMap) -> Picture {
    let rows = map.cells.len() / map.width.max(1);
    Picture {
        game: game.to_owned(),
        shows: format!("{} x {rows} positions", map.width),
        columns: Some(map.width),
        rows: Some(rows),
        drawing: map.drawing(),
    }
}
