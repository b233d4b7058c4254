//! Maps of stratifications: the modules in colours, with their generators as arrows.

use std::collections::HashMap;

use semilinear::run::{Monitor, StopReason};
use semilinear::semigroup::Module;

use super::lattice::{Slice, drawn, range};
use super::{PlotAsk, map};
use crate::error::{Error, Result};
use crate::game::Ask;
use crate::game::position::point_text;
use crate::game::report::Picture;
use crate::lattice::Chart;
use crate::render::{Cell, MapModule};
use crate::strategy::StratificationStrategy;

/// More points of strata than this are not walked through for a picture.
const MOST_POINTS: u64 = 50_000_000;

/// The strata of a strategy on a two-dimensional (slice of a) board.
pub(crate) fn picture(written: &str, strategy: &StratificationStrategy, plot: &PlotAsk, ask: &Ask) -> Result<Picture> {
    if plot.grundy {
        return Err(Error::input("a stratification knows no Grundy values; leave --grundy out, or plot the game"));
    }
    let game = strategy.game();
    let slice = Slice::new(plot.slice.as_deref(), game.dimension())?;
    let (from, to) = range(game, &slice, plot.sides()?);
    let too_far = || Error::input("the slice lies too far out; give smaller coordinates");
    // The module of every point of the window.
    let mut owners: HashMap<Vec<i64>, usize> = HashMap::new();
    let most = most(game.chart(), &from, &to).ok_or_else(too_far)?;
    let mut walk = Walk { monitor: ask.monitor, most, visited: 0 };
    for (number, module) in strategy.strata().modules().iter().enumerate() {
        let inner = |v: &Vec<i64>| game.chart().inner_vector(v).ok_or_else(too_far);
        let generators = module.generators.iter().map(inner).collect::<Result<Vec<_>, _>>()?;
        for base in &module.bases {
            let base = game.chart().inner(base).ok_or_else(too_far)?;
            walk.points(&base, &generators, &mut |y| {
                if let Some(x) = game.chart().outer(y)
                    && x.iter().zip(from.iter().zip(&to)).all(|(x, (from, to))| from <= x && x <= to)
                {
                    owners.insert(x, number);
                }
            })?;
        }
    }
    let name = std::path::Path::new(written).file_stem().and_then(|name| name.to_str()).unwrap_or("strategy");
    let mut picture = drawn(game, &slice, (&from, &to), (name, "strata"), ask, |x| match owners.get(x) {
        Some(&number) => Some(Cell::Module(number)),
        None => game.is_position_big(&x.iter().map(|&x| x.into()).collect::<Vec<_>>()).then_some(Cell::N),
    })?;
    let flat = |x: &[i64]| [x[slice.across], slice.up.map_or(0, |up| x[up])];
    let in_slice = |v: &[i64]| (0..v.len()).all(|i| v[i] == 0 || i == slice.across || Some(i) == slice.up);
    for (number, module) in strategy.strata().modules().iter().enumerate() {
        // Arrows begin at the first point of the module that is drawn, a base whenever there is one.
        let mut points: Vec<&Vec<i64>> = owners.iter().filter(|(_, owner)| **owner == number).map(|(x, _)| x).collect();
        points.sort_by_key(|x| (!module.bases.contains(x), x.iter().sum::<i64>(), (*x).clone()));
        let start = points.first().map(|x| flat(x));
        let arrow = |v: &Vec<i64>| {
            let ([x, y], [dx, dy]) = (start?, flat(v));
            Some([[x, y], [x.checked_add(dx)?, y.checked_add(dy)?]])
        };
        picture.modules.push(MapModule {
            label: label(number, module),
            bases: module.bases.iter().filter(|f| owners.contains_key(*f)).map(|f| flat(f)).collect(),
            arrows: module.generators.iter().filter(|v| in_slice(v)).filter_map(arrow).collect(),
        });
    }
    Ok(map(written, &picture))
}

/// `4 + N{(0,2),(6,6)}`: the number of translates, and the generators.
fn label(number: usize, module: &Module) -> String {
    let generators: Vec<String> = module.generators.iter().map(|v| point_text(v)).collect();
    let sort = if module.bases.len() == 1 { "base" } else { "bases" };
    let bases = format!("F{} ({} {sort})", number + 1, module.bases.len());
    if generators.is_empty() { bases } else { format!("{bases} + N{{{}}}", generators.join(",")) }
}

/// The greatest inner coordinates of points between two corners.
fn most(chart: &Chart, from: &[i64], to: &[i64]) -> Option<Vec<i64>> {
    let entry = |(row, shift): (&Vec<i64>, &i64)| {
        let sum: i128 = row
            .iter()
            .zip(from.iter().zip(to))
            .map(|(m, (from, to))| i128::from(*m) * i128::from(if *m > 0 { *to } else { *from }))
            .sum();
        i64::try_from(sum + i128::from(*shift)).ok()
    };
    chart.matrix().iter().zip(chart.shift()).map(entry).collect()
}

/// Walks through the points f + ℕV with bounded inner coordinates; there all vectors are non-negative.
struct Walk<'a> {
    monitor: &'a dyn Monitor,
    most: Vec<i64>,
    visited: u64,
}

impl Walk<'_> {
    fn points(&mut self, f: &[i64], generators: &[Vec<i64>], visit: &mut dyn FnMut(&[i64])) -> Result<()> {
        let Some((first, rest)) = generators.split_first() else {
            self.visited += 1;
            if self.visited > MOST_POINTS {
                return Err(StopReason::Size { what: "points of strata in the picture", limit: MOST_POINTS }.into());
            }
            if self.visited.is_multiple_of(4096) {
                self.monitor.check(self.visited, None)?;
            }
            if f.iter().zip(&self.most).all(|(x, most)| x <= most) {
                visit(f);
            }
            return Ok(());
        };
        let mut x = f.to_vec();
        let grows = first.iter().any(|&v| v > 0) && first.iter().all(|&v| v >= 0);
        while x.iter().zip(&self.most).all(|(x, most)| x <= most) {
            self.points(&x, rest, visit)?;
            if !grows {
                break; // no stratification: the checker refuses it
            }
            for (x, v) in x.iter_mut().zip(first) {
                *x = x.saturating_add(*v);
            }
        }
        Ok(())
    }
}
