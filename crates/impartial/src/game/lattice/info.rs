//! What a lattice game is; also for heap games in lattice form.

use crate::game::words::counted;
use serde_json::{Value, json};

use crate::error::{Error, Result};
use crate::game::Ask;
use crate::game::position::point_text;
use crate::game::report::InfoReport;
use crate::lattice::{Axioms, Description, LatticeGame, Squarefree};
use crate::solve::presentation::cone_basis;

/// Adds what there is to say of a lattice game; `lines` come after the first one.
pub(crate) fn describe(
    mut info: InfoReport,
    name: &str,
    description: &Description,
    lines: &[String],
    ask: &Ask,
) -> Result<InfoReport> {
    let failed = |error| Error::from(error).at(name);
    let axioms = LatticeGame::axioms(description, ask.monitor).map_err(failed)?;
    let squarefree = match description.board() {
        None => Squarefree::of(description.rules()),
        Some(_) => Squarefree::No,
    };
    let (d, rules) = (description.dimension(), description.rules().len());
    info.fact("name", name).fact("dimension", d).fact("rules", rules).fact("squarefree", squarefree.to_string());
    let kind = info.kind;
    info.line(format!("{name}: {kind} game"));
    for line in lines {
        info.line(line.clone());
    }
    let words = match squarefree {
        Squarefree::Squarefree => "squarefree",
        Squarefree::Weakly => "weakly squarefree (P need not be P0 + 2N^d)",
        Squarefree::No => "not squarefree",
    };
    let rules = counted(rules, "rule", "rules");
    info.line(format!("dimension {d}, {rules}, {words}")).fact("axioms", axioms_json(&axioms));
    match &axioms.positivity {
        Ok(functional) => info.line(format!("positivity: yes, functional {}", point_text(functional))),
        Err(violation) => info.line(format!("positivity: no: {violation}")),
    };
    match axioms.tangent_violations.as_slice() {
        [] => info.line("tangent cone axiom: yes"),
        [ray, ..] => info.line(format!(
            "tangent cone axiom: no: no rule lies in the negative tangent cone of the ray {} \
             (outcomes are defined all the same)",
            point_text(ray)
        )),
    };
    if axioms.positivity.is_ok() {
        let game = LatticeGame::new(description, ask.monitor).map_err(failed)?;
        let complexity = game.input_complexity();
        info.fact("input_complexity", (complexity * 1e6).round() / 1e6);
        info.fact("defeated", game.defeated().len()).fact("play", game.play());
        info.line(match game.defeated() {
            [] => "no defeated positions: normal play".into(),
            [point] if point.iter().all(|&x| x == 0) => "defeated: only the origin (misère play)".to_owned(),
            many => format!("{} defeated positions, the last {}", many.len(), point_text(&many[many.len() - 1])),
        });
        if let [point] = game.defeated()
            && point.iter().all(|&x| x == 0)
            && let Some(stuck) = stuck_beside_origin(&game, ask)?
        {
            info.fact("gamma_minimal", &stuck).line(format!(
                "warning: {0} has no move and is not the origin, so it is a P-position here; where the last player to move loses it is \
                 an N-position (thesis, Definition 3.4 and Example 3.5): put such positions into `defeated`",
                point_text(&stuck)
            ));
        }
        info.line(format!("input complexity {complexity:.3} bits"));
        if !game.chart().is_identity() {
            let rows: Vec<String> = game.chart().matrix().iter().map(|row| point_text(row)).collect();
            info.line(format!(
                "inner coordinates: y = M x + s with M = [{}], s = {}",
                rows.join(", "),
                point_text(game.chart().shift())
            ));
        }
    }
    Ok(info)
}

/// A position other than the origin from which no rule stays in the cone of the board: there misère play with the origin defeated is
/// not the play in which the last player to move loses. `None` also for boards that are no cones.
///
/// If every element of the Hilbert basis of the cone has a move, every sum of them has.
fn stuck_beside_origin(game: &LatticeGame, ask: &Ask) -> Result<Option<Vec<i64>>> {
    let d = game.dimension();
    let is_cone = game.inner_rows().iter().all(|row| row[d] == 0) && game.chart().shift().iter().all(|&s| s == 0);
    if !is_cone {
        return Ok(None);
    }
    let zero = vec![0; d];
    let basis = match game.board() {
        None => (0..d).map(|i| (0..d).map(|j| i64::from(i == j)).collect()).collect(),
        Some(_) => cone_basis(game, ask.monitor)?,
    };
    // The origin is defeated, and a move to it is a move all the same.
    let stuck = |y: &Vec<i64>| game.inner_options(y).is_empty() && !game.inner_rules().iter().any(|rule| rule == y);
    debug_assert!(!game.is_inner_position(&zero));
    Ok(basis.into_iter().find(stuck).and_then(|y| game.chart().outer(&y)))
}

fn axioms_json(axioms: &Axioms) -> Value {
    let mut json = json!({
        "positivity": axioms.positivity.is_ok(),
        "functional": axioms.positivity.as_ref().ok(),
        "tangent": axioms.tangent_violations.is_empty(),
    });
    if let Err(violation) = &axioms.positivity {
        let terms = |list: &[(Vec<i64>, String)]| -> Vec<Value> {
            list.iter().map(|(vector, factor)| json!({"vector": vector, "factor": factor})).collect()
        };
        json["violation"] = json!({"rules": terms(&violation.rules), "rays": terms(&violation.rays)});
    }
    if !axioms.tangent_violations.is_empty() {
        json["tangent_violations"] = json!(axioms.tangent_violations);
    }
    json
}
