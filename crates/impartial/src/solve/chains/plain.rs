//! Grundy values by plain recursion over all positions of a bounded part: the reference that the
//! solver is tested against, and the shortest road for small positions.

use super::ideals::{Ideals, NEVER};
use crate::nimber::mex;
use crate::poset::chains::Cross;
use semilinear::run::{Monitor, StopReason};

/// At most this many positions are tabulated.
pub const MOST_POSITIONS: u64 = 30_000_000;

/// g(B, m, n) for all order ideals B, all m ≤ `m_max` and all n ≤ `n_max`.
#[derive(Clone, Debug)]
pub struct Table {
    width: usize,
    height: usize,
    /// [`NEVER`] where (B, m, n) is no position.
    values: Vec<u32>,
}

/// How many positions a table would hold.
pub fn positions(ideals: &Ideals, m_max: u64, n_max: u64) -> Option<u64> {
    (ideals.list().len() as u64).checked_mul(m_max.checked_add(1)?)?.checked_mul(n_max.checked_add(1)?)
}

impl Table {
    /// Tabulates all positions.
    ///
    /// # Complexity
    /// O(positions · (|A| + m + n)).
    pub fn new(
        ideals: &Ideals,
        cross: &Cross,
        m_max: u32,
        n_max: u32,
        monitor: &dyn Monitor,
    ) -> Result<Self, StopReason> {
        if positions(ideals, m_max.into(), n_max.into()).is_none_or(|count| count > MOST_POSITIONS) {
            return Err(StopReason::Size { what: "positions in a table", limit: MOST_POSITIONS });
        }
        let (width, height) = (n_max as usize + 1, m_max as usize + 1);
        let mut table = Self { width, height, values: vec![NEVER; ideals.list().len() * width * height] };
        let last_c: Vec<u32> = (0..=n_max)
            .map(|n| cross.last_at_most(n.into()).and_then(|m| u32::try_from(m).ok()).unwrap_or(NEVER))
            .collect();
        let mut seen = Vec::new();
        for (b, ideal) in ideals.list().iter().enumerate() {
            for m in ideal.m_lo..=m_max.min(ideal.m_hi.saturating_sub(1)) {
                monitor.check(b as u64, Some(ideals.list().len() as u64))?;
                for n in ideal.n_lo..=n_max.min(ideal.n_hi.saturating_sub(1)) {
                    if m > last_c[n as usize] {
                        continue;
                    }
                    seen.clear();
                    for i in 0..m {
                        let to = ideal.cuts_c.get(i as usize).map_or(b, |&to| to as usize);
                        seen.push(table.at(to, i, n));
                    }
                    for j in 0..n {
                        let to = ideal.cuts_d.get(j as usize).map_or(b, |&to| to as usize);
                        seen.push(table.at(to, m.min(last_c[j as usize]), j));
                    }
                    for step in &ideal.moves {
                        seen.push(table.at(step.to as usize, m.min(step.c_first - 1), n.min(step.d_first - 1)));
                    }
                    let value = u32::try_from(mex(seen.iter().map(|&x| u64::from(x)))).expect("few options");
                    let at = table.index(b, m, n);
                    table.values[at] = value;
                }
            }
        }
        Ok(table)
    }

    fn index(&self, ideal: usize, m: u32, n: u32) -> usize {
        (ideal * self.height + m as usize) * self.width + n as usize
    }

    fn at(&self, ideal: usize, m: u32, n: u32) -> u32 {
        let value = self.values[self.index(ideal, m, n)];
        debug_assert_ne!(value, NEVER, "a move leads to a position");
        value
    }

    /// g(B, m, n), when that is a position of the table.
    pub fn grundy(&self, ideal: usize, m: u32, n: u32) -> Option<u32> {
        if m as usize >= self.height || n as usize >= self.width {
            return None;
        }
        self.values.get(self.index(ideal, m, n)).copied().filter(|&value| value != NEVER)
    }
}
