//! Pictures of misère quotients: the order against the largest heap, and the Cayley graph.

use serde_json::Value;

use super::sequence::name_of;
use super::{PlotAsk, PlotKind, drawn, not_here};
use crate::error::{Error, Result};
use crate::game::report::{Picture, QuotientReport};
use crate::render::{Chart, Mark, Plotted};

/// The picture of a quotient that is asked for: its Cayley graph, unless orders are.
pub(crate) fn picture(written: &str, report: &QuotientReport, plot: &PlotAsk) -> Result<Picture> {
    match plot.kind {
        PlotKind::Orders => orders(written, report),
        PlotKind::Auto | PlotKind::Cayley => cayley(written, report),
        other => Err(not_here(other, "a quotient", "cayley and orders")),
    }
}

/// The order of Q_n against n.
fn orders(written: &str, report: &QuotientReport) -> Result<Picture> {
    let steps = report.more.get("orders").and_then(Value::as_array);
    let entry = |step: &Value, i: usize| step.get(i).and_then(Value::as_i64).unwrap_or(0);
    let mut points: [Vec<[i64; 2]>; 2] = [Vec::new(), Vec::new()];
    for step in steps.into_iter().flatten() {
        for (i, points) in points.iter_mut().enumerate() {
            points.push([entry(step, 0), entry(step, i + 1)]);
        }
    }
    let Some(&[last, _]) = points[0].last() else {
        return Err(Error::input(
            "the orders are drawn of finite quotients; this one is infinite or not known: bound it with --max-heap",
        ));
    };
    // The last order holds up to the last heap that was looked at.
    let end = report.more.get("max_heap").and_then(Value::as_i64).unwrap_or(0);
    let end = end.max(last + 1).max(i64::try_from(report.pretending.len()).unwrap_or(0) - 1);
    for points in &mut points {
        if let Some(&[_, order]) = points.last() {
            points.push([end, order]);
        }
    }
    let [whole, portion] = points;
    let chart = Chart {
        title: format!("{}: misère quotients of heaps up to n", name_of(written)),
        across: "largest heap n".into(),
        up: "elements".into(),
        plotted: vec![
            Plotted { label: "order of Q_n".into(), colour: [22, 66, 120], mark: Mark::Steps, points: whole },
            Plotted { label: "its P-portion".into(), colour: [215, 110, 30], mark: Mark::Steps, points: portion },
        ],
        bands: Vec::new(),
        strips: Vec::new(),
    };
    Ok(drawn(written, format!("orders of the quotients up to heap {end}"), chart.drawing()))
}

fn cayley(written: &str, report: &QuotientReport) -> Result<Picture> {
    let graph = report.cayley().ok_or_else(|| {
        Error::input(
            "a Cayley graph is drawn of a finite quotient; this one is infinite or not known: bound it with --max-heap",
        )
    })?;
    let shows = format!("the Cayley graph of a quotient of order {}", graph.elements.len());
    Ok(drawn(written, shows, graph.drawing()?))
}
