//! Values on a box, in any dimension.

use semilinear::run::{Monitor, StopReason};

use crate::lattice::{RayGame, Region};

/// Not yet known, or larger than the values looked at.
const OPEN: u16 = u16::MAX;
/// Defeated.
const OFF: u16 = u16::MAX - 1;

/// The Grundy values 0, …, k of all positions of a box.
///
/// ```
/// use impartial::lattice::RayGame;
/// use impartial::run::Unlimited;
/// use impartial::solve::rays::Recursion;
/// let table = Recursion::new(&RayGame::wythoff(None), &[9, 9], 1 << 20, &Unlimited).unwrap();
/// let table = table.up_to(8, &Unlimited).unwrap();
/// assert_eq!((table.value(&[3, 5]), table.value(&[4, 4])), (Some(0), Some(7)));
/// ```
#[derive(Clone, Debug)]
pub struct Recursion {
    sizes: Vec<usize>,
    values: Vec<u16>,
    known: u16,
    /// For each ray and rule: its entries, and how far back it leads.
    steps: Vec<(Vec<usize>, usize)>,
    rays: usize,
    regions: Vec<Region>,
}

impl Recursion {
    /// The positions x < sizes, with no value known; a box of more than `most` cells is a stop.
    pub fn new(game: &RayGame, sizes: &[u64], most: usize, monitor: &dyn Monitor) -> Result<Self, StopReason> {
        let too_large = || StopReason::Size { what: "positions of a box", limit: most as u64 };
        let sizes: Vec<usize> =
            sizes.iter().map(|&n| usize::try_from(n)).collect::<Result<_, _>>().map_err(|_| too_large())?;
        let cells = sizes.iter().try_fold(1_usize, |all, &n| all.checked_mul(n)).filter(|&n| n <= most);
        let cells = cells.ok_or_else(too_large)?;
        monitor.check(0, None)?;
        let mut strides = vec![1; sizes.len()];
        for i in (1..sizes.len()).rev() {
            strides[i - 1] = strides[i] * sizes[i];
        }
        let step = |v: &Vec<i64>| -> Option<(Vec<usize>, usize)> {
            let v: Vec<usize> = v.iter().map(|&x| usize::try_from(x).ok()).collect::<Option<_>>()?;
            // A step that leaves the box from everywhere leads nowhere.
            let fits = v.iter().zip(&sizes).all(|(v, n)| v < n);
            fits.then(|| {
                let back = v.iter().zip(&strides).map(|(v, s)| v * s).sum();
                (v, back)
            })
        };
        let rays: Vec<_> = game.rays().iter().filter_map(step).collect();
        let rules: Vec<_> = game.rules().iter().filter_map(step).collect();
        let mut values = vec![OPEN; cells];
        // Who would have to move from a terminal position has lost: its value is 0, whatever could be reached from it.
        let special = game.defeated().iter().map(|p| (p, OFF)).chain(game.terminal().iter().map(|p| (p, 0)));
        for (point, value) in special {
            let inside = point.iter().zip(&sizes).all(|(&x, &n)| usize::try_from(x).is_ok_and(|x| x < n));
            if inside {
                let at: usize = point.iter().zip(&strides).map(|(&x, s)| usize::try_from(x).unwrap_or(0) * s).sum();
                values[at] = value;
            }
        }
        let count = rays.len();
        let steps = rays.into_iter().chain(rules).collect();
        Ok(Self { sizes, values, known: 0, steps, rays: count, regions: game.regions().to_vec() })
    }

    /// The same with the next value known: one pass over the box, with what was seen along each ray carried on.
    ///
    /// # Complexity
    /// O(cells · moves); with regions of moves O(cells · positions of the value).
    pub fn next_value(mut self, monitor: &dyn Monitor) -> Result<Self, StopReason> {
        let d = self.sizes.len();
        let mut seen = vec![vec![false; self.values.len()]; self.rays];
        let mut x = vec![0_usize; d];
        let mut elements: Vec<Vec<usize>> = Vec::new();
        for at in 0..self.values.len() {
            if at % 65536 == 0 {
                monitor.check(at as u64, Some(self.values.len() as u64))?;
            }
            let mut reaches = false;
            for (i, (step, back)) in self.steps.iter().enumerate() {
                if step.iter().zip(&x).any(|(s, x)| s > x) {
                    continue;
                }
                let here = self.values[at - back] == self.known || (i < self.rays && seen[i][at - back]);
                if i < self.rays {
                    seen[i][at] = here;
                }
                reaches |= here;
            }
            if self.values[at] == OPEN && !reaches && !elements.iter().any(|y| self.region_leads(&x, y)) {
                self.values[at] = self.known;
            }
            if self.values[at] == self.known && !self.regions.is_empty() {
                elements.push(x.clone());
            }
            for i in (0..d).rev() {
                x[i] += 1;
                if x[i] < self.sizes[i] {
                    break;
                }
                x[i] = 0;
            }
        }
        self.known += 1;
        Ok(self)
    }

    /// Whether a move of a region leads from x to y.
    fn region_leads(&self, x: &[usize], y: &[usize]) -> bool {
        let difference = |(x, y): (&usize, &usize)| x.checked_sub(*y).and_then(|m| i64::try_from(m).ok());
        let m: Option<Vec<i64>> = x.iter().zip(y).map(difference).collect();
        m.is_some_and(|m| self.regions.iter().any(|region| region.contains(&m)))
    }

    /// The same with the values 0, …, k known.
    pub fn up_to(mut self, k: u16, monitor: &dyn Monitor) -> Result<Self, StopReason> {
        while self.known <= k {
            self = self.next_value(monitor)?;
        }
        Ok(self)
    }

    /// The number of values known.
    pub fn known(&self) -> u16 {
        self.known
    }

    /// The sides of the box.
    pub fn sizes(&self) -> &[usize] {
        &self.sizes
    }

    /// The value of a position of the box, when it is one of those known; `None` also for what is no position of the box.
    pub fn value(&self, x: &[u64]) -> Option<u16> {
        let mut at = 0;
        for (&x, &n) in x.iter().zip(&self.sizes) {
            at = at * n + usize::try_from(x).ok().filter(|&x| x < n)?;
        }
        Some(self.values[at]).filter(|&value| value < OFF)
    }
}
