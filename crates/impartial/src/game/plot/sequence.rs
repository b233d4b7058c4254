//! Charts of Grundy sequences, and tables of the nim-sums of two heaps.

use super::{PlotAsk, drawn, map};
use crate::error::{Error, Result};
use crate::game::Ask;
use crate::game::heap::HeapGame;
use crate::game::heap::sequence::{period, values};
use crate::game::report::{PeriodReport, Picture};
use crate::render::{Band, Cell, Chart, LatticeMap, Mark, Plotted};

const DOT: [u8; 3] = [22, 66, 120];
const EXCEPTION: [u8; 3] = [215, 70, 40];
const PREPERIOD: [u8; 3] = [246, 236, 214];
const PERIOD: [u8; 3] = [224, 236, 246];
/// A period is looked for up to this heap.
const NEAR: u64 = 20_000;
/// A chart shows at least and, without `--box`, at most so many heaps.
const FEWEST: usize = 60;
const MOST: usize = 1_200;

/// n ↦ g(n), with the preperiod, the first period, and the heaps that break the rule before it holds.
pub(crate) fn chart(game: &HeapGame, written: &str, plot: &PlotAsk, ask: &Ask) -> Result<Picture> {
    no_slices(plot)?;
    let found = match period(game, None, &ask.to(NEAR)) {
        Ok((found, _)) => Some(found).filter(|found| found.proved.is_proved()),
        Err(Error::Stopped { .. }) => None,
        Err(error) => return Err(error),
    };
    let shown = match (plot.length()?, &found) {
        (Some(n), _) => n,
        (None, Some(PeriodReport { preperiod: Some(n0), period: Some(p), .. })) => (n0 + 3 * p).clamp(FEWEST, MOST),
        (None, _) => 300,
    };
    let values = values(game, shown as u64, false, None, ask)?.values;
    let rule = found.and_then(|found| Some((found.preperiod?, found.period?, found.saltus?)));
    of_values(written, &values, rule, plot)
}

fn no_slices(plot: &PlotAsk) -> Result<()> {
    if plot.slice.is_some() {
        return Err(Error::input(
            "--slice belongs to maps; add --what map for numbers of heaps of each size, or leave it out",
        ));
    }
    Ok(())
}

/// The chart of values; `rule` is preperiod, period and saltus, where they are proved.
pub(crate) fn of_values(
    written: &str,
    values: &[u32],
    rule: Option<(usize, usize, u32)>,
    plot: &PlotAsk,
) -> Result<Picture> {
    no_slices(plot)?;
    let whole = |n: usize| i64::try_from(n).unwrap_or(i64::MAX);
    let point = |n: usize| [whole(n), i64::from(values[n])];
    // A heap is exceptional when the rule, carried back, gives another value.
    let exceptional = |n: usize| match rule {
        Some((n0, p, s)) if n < n0 => {
            let up = (n0 - n).div_ceil(p.max(1));
            match values.get(n + up * p) {
                Some(&later) => u64::from(later) != u64::from(values[n]) + up as u64 * u64::from(s),
                None => false,
            }
        }
        _ => false,
    };
    let (odd, even): (Vec<usize>, Vec<usize>) = (0..values.len()).partition(|&n| exceptional(n));
    let mut plotted = vec![Plotted {
        label: "Grundy value g(n) of a heap of n".into(),
        colour: DOT,
        mark: Mark::Dots,
        points: even.into_iter().map(point).collect(),
    }];
    let mut bands = Vec::new();
    let mut shows = format!("Grundy values of heaps 0 to {}", values.len().saturating_sub(1));
    if let Some((n0, p, s)) = rule {
        let step = if s == 0 { String::new() } else { format!(" + {s}") };
        if n0 > 0 {
            let label = format!("preperiod: heaps below {n0}");
            bands.push(Band { from: 0, to: whole(n0) - 1, label, colour: PREPERIOD });
        }
        let label = format!("first period: g(n + {p}) = g(n){step} from heap {n0} on, proved");
        bands.push(Band { from: whole(n0), to: whole(n0 + p) - 1, label, colour: PERIOD });
        if !odd.is_empty() {
            let last = odd.last().copied().unwrap_or(0);
            plotted.push(Plotted {
                label: format!("exceptional heaps: {}, the last is {last}", odd.len()),
                colour: EXCEPTION,
                mark: Mark::Dots,
                points: odd.into_iter().map(point).collect(),
            });
        }
        shows = format!("{shows}, period {p} from heap {n0} on");
    }
    let title = format!("{}: Grundy values", name_of(written));
    let chart = Chart { title, across: "heap n".into(), up: "g(n)".into(), plotted, bands, strips: vec![] };
    Ok(drawn(written, shows, chart.drawing()))
}

/// A name without the folders of a file.
pub(super) fn name_of(written: &str) -> &str {
    std::path::Path::new(written)
        .file_stem()
        .and_then(|name| name.to_str())
        .filter(|_| written.contains('/'))
        .unwrap_or(written)
}

/// The nim-sums g(a) ⊕ g(b) of two heaps.
pub(crate) fn sums(game: &HeapGame, written: &str, plot: &PlotAsk, ask: &Ask) -> Result<Picture> {
    no_slices(plot)?;
    let side = plot.length()?.unwrap_or(16);
    if side > 400 {
        return Err(Error::input("--box: a table of sums shows at most 400 heaps a side"));
    }
    let values = values(game, side as u64 - 1, false, None, ask)?.values;
    let cells = values.iter().flat_map(|b| values.iter().map(move |a| Cell::Value(u64::from(a ^ b)))).collect();
    let picture = LatticeMap {
        title: format!("{}: Grundy values of two heaps", name_of(written)),
        across: ("first heap".into(), 0),
        up: ("second".into(), 0),
        width: side,
        cells,
        modules: Vec::new(),
        lines: Vec::new(),
    };
    Ok(map(written, &picture))
}
