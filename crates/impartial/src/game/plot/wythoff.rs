//! Wythoff's game: P and N, or Grundy values, with the two rays of slope φ and 1/φ; and how far the pairs of the values 0, 1, 2 lie from the former.

use super::{PlotAsk, PlotKind, drawn, map, not_here};
use crate::error::{Error, Result};
use crate::game::Ask;
use crate::game::report::Picture;
use crate::heap::Wythoff;
use crate::lattice::RayGame;
use crate::outcome::Play;
use crate::render::{Band, Cell, Chart, Colour, LatticeMap, Mark, Plotted};
use crate::solve::rays::Pairs;

/// Grundy values are drawn for squares up to this side.
const MOST_VALUES: u64 = 200;
/// A value, the least and the largest offset of its pairs, and the colours of its dots and its strip.
type Offsets = (usize, [i64; 2], [Colour; 2]);
/// The values whose offsets are drawn. That no pair leaves the strip of its value is proved: `impartial pairs FILE --value G --offsets`
/// (`docs/results/wythoff.md`).
const OFFSETS: [Offsets; 3] = [
    (2, [-5, 3], [[196, 132, 36], [250, 239, 220]]),
    (1, [-4, 2], [[60, 130, 90], [222, 240, 228]]),
    (0, [0, 1], [[22, 66, 120], [208, 224, 244]]),
];
/// So many rows of them, unless more or fewer are asked for.
const ROWS: usize = 400;

/// The map.
pub(crate) fn picture(written: &str, plot: &PlotAsk, ask: &Ask) -> Result<Picture> {
    match plot.kind {
        PlotKind::Function => return offsets(written, plot, ask),
        PlotKind::Auto | PlotKind::Map => {}
        other => {
            let here = "a map (leave --what out), also with --grundy, and function";
            return Err(not_here(other, "Wythoff's game", here));
        }
    }
    let play = ask.play_of(None);
    let asked = PlotAsk { sizes: Some(plot.sizes.clone().unwrap_or_else(|| "40".into())), ..plot.clone() };
    let (width, height) = asked.sides()?;
    if plot.grundy && (play == Play::Misere || width.max(height) > MOST_VALUES) {
        return Err(Error::Input(format!(
            "Grundy values belong to normal play, and are drawn for up to {MOST_VALUES} beans a heap; leave --play misere out, \
             or give a smaller --box"
        )));
    }
    let values = if plot.grundy { grundy(width.max(height)) } else { Vec::new() };
    let mut cells = Vec::new();
    for b in 0..height {
        ask.monitor.check(b, Some(height))?;
        for a in 0..width {
            cells.push(
                match usize::try_from(a.max(b) * width.max(height) + a.min(b)).ok().and_then(|i| values.get(i)) {
                    Some(&value) => Cell::Value(value),
                    None if Wythoff::new(a.into(), b.into()).outcome(play).is_p() => Cell::P,
                    None => Cell::N,
                },
            );
        }
    }
    // Fibonacci numbers give the slope to more places than there are pixels.
    let (far, near) = (832_040, 514_229);
    let ray = |to: [i64; 2]| ("slopes phi and 1/phi".to_owned(), [[0, 0], to]);
    let picture = LatticeMap {
        title: format!("Wythoff's game: {}", if plot.grundy { "Grundy values" } else { "P and N" }),
        across: ("heap a".into(), 0),
        up: ("heap b".into(), 0),
        width: usize::try_from(width).unwrap_or(0),
        cells,
        modules: Vec::new(),
        lines: vec![ray([near, far]), ray([far, near])],
    };
    Ok(map(written, &picture))
}

/// x against y − ⌊φx⌋ for the positions x ≤ y of the values 0, 1, 2, each in a strip.
fn offsets(written: &str, plot: &PlotAsk, ask: &Ask) -> Result<Picture> {
    if ask.play_of(None) == Play::Misere {
        return Err(Error::input("the offsets drawn are those of normal play; leave --play misere out"));
    }
    let rows = plot.length()?.unwrap_or(ROWS);
    let none = || Error::input("Wythoff's game has rook moves");
    let pairs = Pairs::new(&RayGame::wythoff(None), rows, 2, ask.monitor)?.ok_or_else(none)?;
    let (mut plotted, mut strips) = (Vec::new(), Vec::new());
    for (value, [from, to], [colour, strip]) in OFFSETS {
        let offset = |x: usize| {
            let y = pairs.column_of(value, x).filter(|&y| y >= x)?;
            let floor = usize::midpoint(x, (5 * x * x).isqrt());
            Some([i64::try_from(x).ok()?, i64::try_from(y).ok()? - i64::try_from(floor).ok()?])
        };
        let points: Vec<[i64; 2]> = (0..rows).filter_map(offset).collect();
        plotted.push(Plotted { label: format!("value {value}"), colour, mark: Mark::Dots, points });
        let label = format!("from {from} to {to}: all pairs of value {value} are here");
        strips.push(Band { from, to, label, colour: strip });
    }
    let chart = Chart {
        title: "Wythoff's game: pairs x <= y near the golden ratio".into(),
        across: "x".into(),
        up: "y - floor(phi x)".into(),
        plotted,
        bands: Vec::new(),
        strips,
    };
    Ok(drawn(written, format!("offsets of the values 0, 1, 2 in {rows} rows"), chart.drawing()))
}

/// The Grundy values of (b, a) with a ≤ b, row by row: by their definition.
fn grundy(side: u64) -> Vec<u64> {
    let side = usize::try_from(side).unwrap_or(0);
    let mut values = vec![0_u64; side * side];
    for b in 0..side {
        for a in 0..=b {
            let at = |x: usize, y: usize| values[x.max(y) * side + x.min(y)];
            let options =
                (0..a).map(|x| at(x, b)).chain((0..b).map(|y| at(a, y))).chain((1..=a).map(|t| at(a - t, b - t)));
            let value = crate::nimber::mex(options);
            values[b * side + a] = value;
        }
    }
    values
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn strips_are_those_that_are_proved() {
        use semilinear::{numeration::System, run::Unlimited, vectorset::Effort};
        let limits = crate::solve::rays::Limits::default();
        let game = RayGame::wythoff(None);
        let strategy =
            crate::strategy::NumerationStrategy::learned(&game, &System::fibonacci(), 1, &limits, &Unlimited).unwrap();
        for (value, [from, to], _) in &OFFSETS[1..] {
            assert_eq!(strategy.offsets(*value, &Effort::unlimited()).unwrap(), Some((*from, *to)));
        }
    }

    #[test]
    fn values_agree_with_the_engine() {
        let side = 30;
        let values = grundy(side);
        for b in 0..side {
            for a in 0..=b {
                let value = crate::solve::wythoff::grundy(a, b, &semilinear::run::Unlimited).unwrap();
                assert_eq!(values[usize::try_from(b * side + a).unwrap()], value, "({a},{b})");
            }
        }
    }
}
