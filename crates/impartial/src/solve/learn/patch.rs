//! Labels on a box beside those of a region: computed when the learner asks for vectors that the region does not show.
//!
//! A hypothesis often fails at a vector a little outside the region. A region that holds it has many times the positions; the
//! box below the vector has few.

use std::cell::RefCell;

use super::oracle::{Data, Target};
use super::table::Oracle;
use crate::lattice::LatticeGame;
use crate::solve::recursion::Region;
use semilinear::run::{Monitor, StopReason};

/// Vectors of a box, at most: outcomes take a bit each, values two bytes.
const MOST_OUTCOMES: u64 = 1 << 28;
const MOST_VALUES: u64 = 1 << 25;

/// An oracle with a box beside it.
pub(super) struct Patched<'a> {
    game: &'a LatticeGame,
    target: Target,
    base: &'a dyn Oracle,
    /// The largest vector of the box, and the labels.
    patch: Option<(Vec<i64>, Data)>,
    /// The least box that holds all unknown vectors asked for since [`Patched::forget`].
    wanted: RefCell<Option<Vec<i64>>>,
}

impl<'a> Patched<'a> {
    pub fn new(game: &'a LatticeGame, target: Target, base: &'a dyn Oracle) -> Self {
        Self { game, target, base, patch: None, wanted: RefCell::new(None) }
    }

    /// Positions known in the box.
    pub fn positions(&self) -> u64 {
        self.patch.as_ref().map_or(0, |(_, data)| data.positions())
    }

    /// Forgets which vectors were asked for.
    pub fn forget(&self) {
        self.wanted.replace(None);
    }

    /// Enlarges the box to hold the unknown vectors that were asked for; `false` when that would be too large, or none were.
    pub fn grow(&mut self, most: u64, monitor: &dyn Monitor) -> Result<bool, StopReason> {
        let Some(mut corner) = self.wanted.take() else { return Ok(false) };
        if let Some((old, _)) = &self.patch {
            for (c, old) in corner.iter_mut().zip(old) {
                *c = (*c).max(*old);
            }
        }
        let most = most.min(if self.target == Target::Outcomes { MOST_OUTCOMES } else { MOST_VALUES });
        let points = corner.iter().try_fold(1u64, |n, c| n.checked_mul(c.unsigned_abs() + 1));
        if points.is_none_or(|points| points > most) {
            return Ok(false);
        }
        let Some(region) = Region::around_point(self.game, &corner) else { return Ok(false) };
        let bytes = if self.target == Target::Outcomes { most / 4 } else { 2 * most };
        match Data::new(self.game, &region, bytes.max(1 << 20), self.target, monitor) {
            Ok(data) => {
                monitor.trace(&|| format!("learner: a box up to {corner:?} beside the region"));
                self.patch = Some((corner, data));
                Ok(true)
            }
            Err(StopReason::Size { .. }) => Ok(false),
            Err(why) => Err(why),
        }
    }
}

impl Oracle for Patched<'_> {
    fn label(&self, y: &[i64]) -> Option<u8> {
        let known = self.base.label(y).or_else(|| self.patch.as_ref().and_then(|(_, data)| data.label(y)));
        if known.is_none() {
            let mut wanted = self.wanted.borrow_mut();
            let corner = wanted.get_or_insert_with(|| y.to_vec());
            for (c, y) in corner.iter_mut().zip(y) {
                *c = (*c).max(*y);
            }
        }
        known
    }
}
