//! Folded axes: labels at vectors that no region reaches, from a guess that the axes repeat.
//!
//! When the known labels look periodic along an axis from some coordinate on, the axis is cut there, and a vector
//! beyond is looked up where its coordinate falls in the period. The recursion then runs on a small box. That is a
//! heuristic for finding hypotheses in many dimensions and nothing else: only the certificate decides.

use std::ops::Range;

use super::oracle::{Known, Sample, Target};
use super::table::{Oracle, UNKNOWN};
use crate::game::InnerGame;
use semilinear::run::{Monitor, StopReason};

/// An axis: coordinates below `size` stand for themselves; those beyond repeat with the period, if there is one.
#[derive(Clone, Copy, Debug)]
struct Axis {
    size: i64,
    period: Option<i64>,
}

impl Axis {
    #[inline(always)]
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
    game: &'a InnerGame,
    axes: Vec<Axis>,
    strides: Vec<usize>,
    labels: Vec<u8>,
}

/// Where the rules lead on a box: a place is one of the first axes and one of the others, and a rule moves it along each part by a number that
/// a table has. One division finds both parts, where coordinates would take one each.
struct Steps {
    /// Places of the first axes.
    size: usize,
    /// For each place of the first axes, how far each rule leads, one after the other; and for each place of the others.
    parts: [Vec<i32>; 2],
    rules: usize,
    /// The place of all vectors beyond the box.
    unknown: usize,
}

/// An option's coordinate is negative: there is no such move.
const OFF_BOARD: i32 = i32::MAX;
/// An option's coordinate is beyond an axis that is not folded.
const BEYOND: i32 = i32::MAX - 1;

impl Steps {
    /// The places of the options of the vector at a place, in the order of the rules that may be used there.
    #[inline(always)]
    fn options(&self, place: usize) -> impl Iterator<Item = usize> {
        let high = place / self.size;
        let low = place.wrapping_sub(high.wrapping_mul(self.size));
        let row = |part: usize, at: usize| &self.parts[part][at * self.rules..][..self.rules];
        row(0, low).iter().zip(row(1, high)).filter_map(move |(&low, &high)| {
            if low == OFF_BOARD || high == OFF_BOARD {
                return None;
            }
            if low == BEYOND || high == BEYOND {
                return Some(self.unknown);
            }
            // One coordinate after the other is replaced, so every step ends in the box.
            Some(place.wrapping_add_signed(low as isize).wrapping_add_signed(high as isize))
        })
    }
}

/// The label of a defeated position before the recursion comes to it.
const DEFEATED: u8 = UNKNOWN - 1;
/// Periods and preperiods that are looked for.
const LONGEST: i64 = 6;
/// An axis is not folded on the word of fewer comparisons.
const FEWEST: usize = 40;
/// Sides of axes that are not folded: at least, at most.
const SHORTEST: i64 = 8;
const LARGEST: i64 = 1 << 12;
/// Labels between two looks at the monitor.
const BATCH: usize = 1 << 12;
/// Boxes with fewer vectors are not worth a round.
const FEW: u64 = 1 << 14;

/// Which axes look periodic, in a game that can be folded.
pub(super) struct Shape {
    functional: Vec<i64>,
    axes: Vec<Option<Axis>>,
}

impl Shape {
    /// The axes as the known labels show them; `None` when none looks periodic, or folding could make an option larger.
    pub fn new(
        game: &InnerGame,
        known: &Known<'_>,
        sample: &Sample,
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
        Ok(axes.iter().any(Option::is_some).then_some(Self { functional, axes }))
    }

    /// The sides of open axes that are worth a try, for boxes of at most `most` vectors: small ones are quick and often
    /// show enough.
    pub fn sides(&self, most: u64) -> Vec<i64> {
        let folded = self.axes.iter().flatten().try_fold(1u64, |n, a| n.checked_mul(a.size.unsigned_abs()));
        let open = u32::try_from(self.axes.iter().filter(|a| a.is_none()).count()).unwrap_or(u32::MAX);
        let points = |side: i64| side.unsigned_abs().checked_pow(open)?.checked_mul(folded?);
        let fits = |side: &i64| points(*side).is_some_and(|n| n <= most);
        let sides = (0..).map(|k| SHORTEST << k).take_while(|side| fits(side) && *side <= LARGEST);
        let sides: Vec<i64> = sides.take(if open == 0 { 1 } else { usize::MAX }).collect();
        let few = sides.iter().filter(|side| points(**side) < Some(FEW)).count();
        sides[few.min(sides.len().saturating_sub(1))..].to_vec()
    }
}

impl<'a> Folded<'a> {
    /// Labels on a box whose open axes have this side.
    pub fn new(
        game: &'a InnerGame,
        shape: &Shape,
        side: i64,
        target: Target,
        monitor: &dyn Monitor,
    ) -> Result<Self, StopReason> {
        let axes: Vec<Axis> = shape.axes.iter().map(|a| a.unwrap_or(Axis { size: side, period: None })).collect();
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
        this.recursion(&shape.functional, target, monitor)?;
        Ok(this)
    }

    /// The labels of the box, by increasing functional: folded options have a smaller one.
    fn recursion(&mut self, functional: &[i64], target: Target, monitor: &dyn Monitor) -> Result<(), StopReason> {
        let sizes: Vec<usize> = self.axes.iter().map(|a| usize::try_from(a.size).unwrap_or(usize::MAX)).collect();
        let total: usize = sizes.iter().product();
        let order = by_functional(functional, &sizes, total, monitor)?;
        // One entry more, which stays unknown, for options beyond the box.
        self.labels = vec![UNKNOWN; total + 1];
        for x in self.game.inner_defeated() {
            if let Some(at) = self.index(x) {
                self.labels[at] = DEFEATED;
            }
        }
        let steps = self.steps(&sizes, monitor)?;
        for (i, batch) in order.chunks(BATCH).enumerate() {
            monitor.check((i * BATCH) as u64, Some(total as u64))?;
            self.fill(batch, &steps, target);
        }
        Ok(())
    }

    /// The labels at these places, whose options have theirs. A function of its own: browsers compile what is called often.
    #[inline(never)]
    fn fill(&mut self, batch: &[u32], steps: &Steps, target: Target) {
        let mut options: Vec<Option<u8>> = Vec::with_capacity(steps.rules);
        for &index in batch {
            let index = index as usize;
            if self.labels[index] == DEFEATED {
                self.labels[index] = 0;
                continue;
            }
            self.labels[index] = match target {
                Target::Outcomes => self.outcome(index, steps),
                Target::Values => {
                    options.clear();
                    options.extend(steps.options(index).map(|at| Some(self.labels[at])));
                    if options.contains(&Some(UNKNOWN)) { UNKNOWN } else { super::oracle::excluded(&options) }
                }
            };
        }
    }

    /// Whether the vector at a place is a P-position, from the labels of its options.
    #[inline(always)]
    fn outcome(&self, place: usize, steps: &Steps) -> u8 {
        let mut label = 1;
        for at in steps.options(place) {
            match self.labels[at] {
                1 => return 0,
                UNKNOWN => label = UNKNOWN,
                _ => {}
            }
        }
        label
    }

    /// Where the rules lead, with axes that are cut in two parts of about as many places.
    fn steps(&self, sizes: &[usize], monitor: &dyn Monitor) -> Result<Steps, StopReason> {
        let places = |axes: &[usize]| -> usize { axes.iter().product() };
        let cut = (0..=sizes.len()).min_by_key(|&k| places(&sizes[..k]) + places(&sizes[k..])).unwrap_or(0);
        let rules = self.game.inner_rules();
        let part = |axes: Range<usize>| -> Result<Vec<i32>, StopReason> {
            let mut table = Vec::with_capacity(places(&sizes[axes.clone()]) * rules.len());
            for place in 0..places(&sizes[axes.clone()]) {
                if place % BATCH == 0 {
                    monitor.check(place as u64, None)?;
                }
                table.extend(rules.iter().map(|rule| self.way(rule, axes.clone(), place)));
            }
            Ok(table)
        };
        let parts = [part(0..cut)?, part(cut..sizes.len())?];
        Ok(Steps { size: places(&sizes[..cut]), parts, rules: rules.len(), unknown: self.labels.len() - 1 })
    }

    /// How far a rule leads from a place of some axes.
    fn way(&self, rule: &[i64], axes: Range<usize>, place: usize) -> i32 {
        let (mut rest, mut way, mut beyond) = (i64::try_from(place).expect("a box of labels"), 0, false);
        for i in axes {
            let (axis, stride) = (self.axes[i], i64::try_from(self.strides[i]).expect("a box of labels"));
            let x = rest % axis.size;
            rest /= axis.size;
            match x - rule[i] {
                y if y < 0 => return OFF_BOARD,
                y => match axis.fold(y) {
                    Some(y) => way += (y - x) * stride,
                    None => beyond = true,
                },
            }
        }
        if beyond { BEYOND } else { i32::try_from(way).expect("at most 2^30 vectors") }
    }

    #[inline(always)]
    fn index(&self, x: &[i64]) -> Option<usize> {
        let mut index = 0;
        for ((x, axis), stride) in x.iter().zip(&self.axes).zip(&self.strides) {
            index += usize::try_from(axis.fold(*x)?).ok()? * stride;
        }
        Some(index)
    }
}

impl Oracle for Folded<'_> {
    fn label(&self, y: &[i64]) -> Option<u8> {
        if !self.game.is_inner_position(y) {
            return Some(0);
        }
        self.index(y).map(|at| self.labels[at]).filter(|&label| label != UNKNOWN)
    }
}

/// The shortest axis that all known labels of the sample agree with.
fn axis(game: &InnerGame, known: &Known<'_>, sample: &Sample, i: usize) -> Option<Axis> {
    // Defeated positions and their neighbours are never folded onto others.
    let first = game.inner_defeated().iter().map(|p| p[i] + 1).max().unwrap_or(0);
    let mut shapes: Vec<(i64, i64)> =
        (1..=LONGEST).flat_map(|p| (first..=first + LONGEST).map(move |m| (m, p))).collect();
    shapes.sort_by_key(|(m, p)| (m + p, *p));
    let mut moved = Vec::new();
    shapes.into_iter().find_map(|(start, period)| {
        let mut compared = 0;
        for (y, label) in sample.iter().filter(|(y, _)| y[i] >= start) {
            moved.clear();
            moved.extend_from_slice(y);
            moved[i] += period;
            if let Some(other) = known.label(&moved) {
                if other != label {
                    return None;
                }
                compared += 1;
            }
        }
        (compared >= FEWEST).then_some(Axis { size: start + period, period: Some(period) })
    })
}

/// The vectors of a box in turn, with the value of a functional.
struct Counter {
    x: Vec<usize>,
    value: usize,
}

impl Counter {
    /// Goes through the next vectors. A function of its own: browsers compile what is called often.
    #[inline(never)]
    fn visit(&mut self, range: Range<usize>, weights: &[usize], sizes: &[usize], visit: &mut impl FnMut(usize, usize)) {
        for index in range {
            visit(index, self.value);
            for ((x, l), n) in self.x.iter_mut().zip(weights).zip(sizes) {
                *x += 1;
                self.value += l;
                if *x < *n {
                    break;
                }
                self.value -= l * n;
                *x = 0;
            }
        }
    }
}

/// All vectors of a box, by number, sorted by a functional with non-negative entries.
fn by_functional(
    functional: &[i64],
    sizes: &[usize],
    total: usize,
    monitor: &dyn Monitor,
) -> Result<Vec<u32>, StopReason> {
    let weights: Vec<usize> = functional.iter().map(|&l| usize::try_from(l).unwrap_or(usize::MAX)).collect();
    let largest = weights.iter().zip(sizes).map(|(l, n)| l.saturating_mul(n - 1)).fold(0, usize::saturating_add);
    if largest > 1 << 28 || total > 1 << 30 {
        return Err(StopReason::Size { what: "vectors of a folded box", limit: 1 << 30 });
    }
    let mut starts = vec![0u32; largest + 2];
    each(&weights, sizes, total, monitor, |_, value| starts[value + 1] += 1)?;
    for k in 1..starts.len() {
        starts[k] += starts[k - 1];
    }
    let mut order = vec![0u32; total];
    each(&weights, sizes, total, monitor, |index, value| {
        order[starts[value] as usize] = u32::try_from(index).expect("at most 2^30 vectors");
        starts[value] += 1;
    })?;
    Ok(order)
}

/// Calls `visit` with every vector of a box, by number, and the value of a functional there.
fn each(
    weights: &[usize],
    sizes: &[usize],
    total: usize,
    monitor: &dyn Monitor,
    mut visit: impl FnMut(usize, usize),
) -> Result<(), StopReason> {
    let mut counter = Counter { x: vec![0; sizes.len()], value: 0 };
    for first in (0..total).step_by(1 << 16) {
        monitor.check(first as u64, Some(total as u64))?;
        counter.visit(first..total.min(first + (1 << 16)), weights, sizes, &mut visit);
    }
    Ok(())
}
