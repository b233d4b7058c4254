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

/// Where a rule takes a coordinate: off the orthant, beyond the box, or to a place that adds this to the number of a vector.
#[derive(Clone, Copy)]
enum Step {
    Out,
    Far,
    To(usize),
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
        for point in self.game.inner_defeated() {
            if let Some(at) = self.index(point.iter().copied()) {
                self.labels[at] = 0;
            }
        }
        let steps = self.steps();
        let d = self.axes.len();
        let mut options: Vec<Option<u8>> = vec![None; self.game.inner_rules().len()];
        let mut x = vec![0usize; d];
        let divisors: Vec<u32> = sizes.iter().map(|&n| u32::try_from(n).unwrap_or(u32::MAX)).collect();
        for (done, &index) in order.iter().enumerate() {
            if done % 4096 == 0 {
                monitor.check(done as u64, Some(total as u64))?;
            }
            // Only defeated positions have a label already.
            if self.labels[index as usize] != UNKNOWN {
                continue;
            }
            let mut rest = index;
            for (x, n) in x.iter_mut().zip(&divisors) {
                *x = (rest % n) as usize;
                rest /= n;
            }
            let mut unknown = false;
            for (axes, option) in steps.chunks_exact(d).zip(&mut options) {
                *option = None;
                let (mut at, mut inside, mut known) = (0usize, true, true);
                for (axis, &x) in axes.iter().zip(&x) {
                    match axis[x] {
                        Step::Out => inside = false,
                        Step::Far => known = false,
                        Step::To(offset) => at += offset,
                    }
                }
                if !inside {
                    continue;
                }
                match self.labels[at] {
                    label if known && label != UNKNOWN => *option = Some(label),
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

    /// For every rule, axis and coordinate: where the rule takes the coordinate.
    fn steps(&self) -> Vec<Vec<Step>> {
        let step = |axis: &Axis, stride: usize, y: i64| match axis.fold(y) {
            _ if y < 0 => Step::Out,
            Some(y) => Step::To(usize::try_from(y).unwrap_or(0) * stride),
            None => Step::Far,
        };
        let rules = self.game.inner_rules().iter();
        let axes = rules.flat_map(|rule| rule.iter().zip(self.axes.iter().zip(&self.strides)));
        axes.map(|(g, (axis, &stride))| (0..axis.size).map(|x| step(axis, stride, x - g)).collect()).collect()
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
    let largest: i64 = functional.iter().zip(sizes).map(|(l, n)| l.saturating_mul(n - 1)).fold(0, i64::saturating_add);
    if largest > 1 << 28 || total > 1 << 30 {
        return Err(StopReason::Size { what: "vectors of a folded box", limit: 1 << 30 });
    }
    let mut starts = vec![0u32; usize::try_from(largest).unwrap_or(0) + 2];
    each_value(functional, sizes, total, 0, monitor, &mut |_, value| starts[value + 1] += 1)?;
    for k in 1..starts.len() {
        starts[k] += starts[k - 1];
    }
    let mut order = vec![0u32; total];
    each_value(functional, sizes, total, total, monitor, &mut |index, value| {
        let at = &mut starts[value];
        order[*at as usize] = u32::try_from(index).expect("at most 2^30 vectors");
        *at += 1;
    })?;
    Ok(order)
}

/// Gives the number of every vector of a box and the functional there, in order; `before` vectors count as done.
fn each_value(
    functional: &[i64],
    sizes: &[i64],
    total: usize,
    before: usize,
    monitor: &dyn Monitor,
    visit: &mut dyn FnMut(usize, usize),
) -> Result<(), StopReason> {
    let mut x = vec![0i64; sizes.len()];
    let mut value = 0i64;
    for index in 0..total {
        if index % (1 << 16) == 0 {
            monitor.check((before + index) as u64, Some(2 * total as u64))?;
        }
        visit(index, usize::try_from(value).unwrap_or(usize::MAX));
        for ((x, l), n) in x.iter_mut().zip(functional).zip(sizes) {
            *x += 1;
            value += l;
            if *x < *n {
                break;
            }
            value -= l * *x;
            *x = 0;
        }
    }
    Ok(())
}
