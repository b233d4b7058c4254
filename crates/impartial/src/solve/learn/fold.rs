//! Folded axes: labels at vectors that no region reaches, from a guess that the axes repeat.
//!
//! When the known labels look periodic along an axis from some coordinate on, the axis is cut there, and a vector
//! beyond is looked up where its coordinate falls in the period. The recursion then runs on a small box. That is a
//! heuristic for finding hypotheses in many dimensions and nothing else: only the certificate decides.

use super::oracle::{Known, Target};
use super::table::{Oracle, UNKNOWN};
use crate::lattice::LatticeGame;
use semilinear::run::{Monitor, StopReason};

/// An axis: coordinates below `size` stand for themselves; those beyond repeat with the period, if there is one.
#[derive(Clone, Copy, Debug)]
struct Axis {
    size: i64,
    period: Option<i64>,
}

impl Axis {
    fn fold(&self, x: i64) -> Option<i64> {
        if x < self.size {
            return Some(x);
        }
        let period = self.period?;
        let start = self.size - period;
        Some(start + (x - start) % period)
    }
}

/// Labels on a box with folded axes.
pub(super) struct Folded<'a> {
    game: &'a LatticeGame,
    axes: Vec<Axis>,
    strides: Vec<usize>,
    labels: Vec<u8>,
}

/// Periods and preperiods that are looked for.
const LONGEST: i64 = 6;
/// An axis is not folded on the word of fewer comparisons.
const FEWEST: usize = 40;
/// Sides of axes that are not folded, at least.
const SHORTEST: i64 = 8;

impl<'a> Folded<'a> {
    /// Labels on a box of at most `most` vectors; `None` when no axis looks periodic or the box is too large.
    pub fn new(
        game: &'a LatticeGame,
        known: &Known<'_>,
        sample: &[Vec<i64>],
        target: Target,
        most: u64,
        monitor: &dyn Monitor,
    ) -> Result<Option<Self>, StopReason> {
        // Folding must not raise the functional, and the board must not end a period.
        let Some(functional) = game.small_inner_functional() else { return Ok(None) };
        if !game.inner_rows().is_empty() || functional.iter().any(|&l| l < 0) {
            return Ok(None);
        }
        let d = game.dimension();
        let mut axes = Vec::with_capacity(d);
        for i in 0..d {
            monitor.check(i as u64, Some(d as u64))?;
            axes.push(axis(game, known, sample, i));
        }
        if axes.iter().all(Option::is_none) {
            return Ok(None);
        }
        let folded: u64 =
            axes.iter().flatten().try_fold(1u64, |n, a| n.checked_mul(a.size.unsigned_abs())).unwrap_or(u64::MAX);
        let open = u32::try_from(axes.iter().filter(|a| a.is_none()).count()).unwrap_or(u32::MAX);
        let mut side = SHORTEST;
        let points = |side: i64| side.unsigned_abs().checked_pow(open).and_then(|n| n.checked_mul(folded));
        if points(side).is_none_or(|n| n > most) {
            return Ok(None);
        }
        while open > 0 && points(side * 2).is_some_and(|n| n <= most) && side < 1 << 12 {
            side *= 2;
        }
        let axes: Vec<Axis> = axes.into_iter().map(|a| a.unwrap_or(Axis { size: side, period: None })).collect();
        monitor.trace(&|| {
            let axes: Vec<String> = axes
                .iter()
                .map(|a| a.period.map_or_else(|| format!("{} (not folded)", a.size), |p| format!("{}/{p}", a.size)))
                .collect();
            format!("folded axes (size/period): {}", axes.join(" "))
        });
        let strides: Vec<usize> = axes
            .iter()
            .scan(1usize, |stride, a| {
                let own = *stride;
                *stride *= usize::try_from(a.size).unwrap_or(usize::MAX);
                Some(own)
            })
            .collect();
        let mut this = Self { game, axes, strides, labels: Vec::new() };
        this.recursion(&functional, target, monitor)?;
        Ok(Some(this))
    }

    /// The labels of the box, by increasing functional: folded options have a smaller one.
    fn recursion(&mut self, functional: &[i64], target: Target, monitor: &dyn Monitor) -> Result<(), StopReason> {
        let sizes: Vec<i64> = self.axes.iter().map(|a| a.size).collect();
        let total: usize = sizes.iter().map(|&n| usize::try_from(n).unwrap_or(usize::MAX)).product();
        let order = by_functional(functional, &sizes, total, monitor)?;
        self.labels = vec![UNKNOWN; total];
        let defeated: Vec<Vec<i64>> = self.game.inner_defeated().to_vec();
        let mut options: Vec<Option<u8>> = vec![None; self.game.inner_rules().len()];
        for (done, &index) in order.iter().enumerate() {
            if done % 4096 == 0 {
                monitor.check(done as u64, Some(total as u64))?;
            }
            let x = self.vector(index);
            if defeated.contains(&x) {
                self.labels[index as usize] = 0;
                continue;
            }
            let mut unknown = false;
            for (rule, option) in self.game.inner_rules().iter().zip(&mut options) {
                *option = None;
                let inside = x.iter().zip(rule).all(|(x, g)| x - g >= 0);
                if !inside {
                    continue;
                }
                match self.index(x.iter().zip(rule).map(|(x, g)| x - g)).map(|at| self.labels[at]) {
                    Some(label) if label != UNKNOWN => *option = Some(label),
                    _ => unknown = true,
                }
            }
            self.labels[index as usize] = match target {
                Target::Outcomes if options.contains(&Some(1)) => 0,
                _ if unknown => UNKNOWN,
                Target::Outcomes => 1,
                Target::Values => super::oracle::excluded(&options),
            };
        }
        Ok(())
    }

    fn vector(&self, index: u32) -> Vec<i64> {
        let mut rest = i64::from(index);
        self.axes
            .iter()
            .map(|a| {
                let x = rest % a.size;
                rest /= a.size;
                x
            })
            .collect()
    }

    fn index(&self, x: impl Iterator<Item = i64>) -> Option<usize> {
        let mut index = 0;
        for ((x, axis), stride) in x.zip(&self.axes).zip(&self.strides) {
            index += usize::try_from(axis.fold(x)?).ok()? * stride;
        }
        Some(index)
    }
}

impl Oracle for Folded<'_> {
    fn label(&self, y: &[i64]) -> Option<u8> {
        if !self.game.is_inner_position(y) {
            return Some(0);
        }
        self.index(y.iter().copied()).map(|at| self.labels[at]).filter(|&label| label != UNKNOWN)
    }
}

/// The shortest axis that all known labels of the sample agree with.
fn axis(game: &LatticeGame, known: &Known<'_>, sample: &[Vec<i64>], i: usize) -> Option<Axis> {
    // Defeated positions and their neighbours are never folded onto others.
    let first = game.inner_defeated().iter().map(|p| p[i] + 1).max().unwrap_or(0);
    let mut shapes: Vec<(i64, i64)> =
        (1..=LONGEST).flat_map(|p| (first..=first + LONGEST).map(move |m| (m, p))).collect();
    shapes.sort_by_key(|(m, p)| (m + p, *p));
    shapes.into_iter().find_map(|(start, period)| {
        let mut compared = 0;
        for y in sample.iter().filter(|y| y[i] >= start) {
            let mut moved = y.clone();
            moved[i] += period;
            if let (Some(a), Some(b)) = (known.label(y), known.label(&moved)) {
                if a != b {
                    return None;
                }
                compared += 1;
            }
        }
        (compared >= FEWEST).then_some(Axis { size: start + period, period: Some(period) })
    })
}

/// All vectors of a box, by number, sorted by a functional with non-negative entries.
fn by_functional(
    functional: &[i64],
    sizes: &[i64],
    total: usize,
    monitor: &dyn Monitor,
) -> Result<Vec<u32>, StopReason> {
    let values = |index: usize| -> usize {
        let mut rest = i64::try_from(index).unwrap_or(i64::MAX);
        let mut value = 0i64;
        for (l, n) in functional.iter().zip(sizes) {
            value += l * (rest % n);
            rest /= n;
        }
        usize::try_from(value).unwrap_or(usize::MAX)
    };
    let largest: i64 = functional.iter().zip(sizes).map(|(l, n)| l.saturating_mul(n - 1)).fold(0, i64::saturating_add);
    if largest > 1 << 28 || total > 1 << 30 {
        return Err(StopReason::Size { what: "vectors of a folded box", limit: 1 << 30 });
    }
    let mut starts = vec![0u32; usize::try_from(largest).unwrap_or(0) + 2];
    for index in 0..total {
        if index % (1 << 16) == 0 {
            monitor.check(index as u64, Some(2 * total as u64))?;
        }
        starts[values(index) + 1] += 1;
    }
    for k in 1..starts.len() {
        starts[k] += starts[k - 1];
    }
    let mut order = vec![0u32; total];
    for index in 0..total {
        if index % (1 << 16) == 0 {
            monitor.check((total + index) as u64, Some(2 * total as u64))?;
        }
        let at = &mut starts[values(index)];
        order[*at as usize] = u32::try_from(index).expect("at most 2^30 vectors");
        *at += 1;
    }
    Ok(order)
}
