//! `info` for lattice games and for heap games in lattice form.

use impartial::lattice::{Axioms, Description, LatticeGame, Squarefree};
use serde_json::{Value, json};

use super::{failure, position};
use crate::context::Context;
use crate::report::{Answer, Report};

/// What a lattice game is; `extra` are more keys, `lines` more lines, of a game that has a lattice form.
pub fn report(
    cx: &Context,
    game: &str,
    name: &str,
    description: &Description,
    mut json: Value,
    lines: &[String],
) -> Answer {
    let axioms = LatticeGame::axioms(description, cx).map_err(|error| failure(name, error))?;
    let squarefree = match description.board {
        None => Squarefree::of(&description.rules),
        Some(_) => Squarefree::No,
    };
    json["game"] = json!(game);
    json["name"] = json!(name);
    json["dimension"] = json!(description.dimension());
    json["rules"] = json!(description.rules.len());
    json["squarefree"] = json!(squarefree.to_string());
    let mut text: Vec<String> = vec![format!("{name}: {} game", json["kind"].as_str().unwrap_or("lattice"))];
    text.extend(lines.iter().cloned());
    text.push(format!(
        "dimension {}, {} rules, {squarefree_words}",
        description.dimension(),
        description.rules.len(),
        squarefree_words = match squarefree {
            Squarefree::Squarefree => "squarefree",
            Squarefree::Weakly => "weakly squarefree (P need not be P0 + 2N^d)",
            Squarefree::No => "not squarefree",
        }
    ));
    json["axioms"] = axioms_json(&axioms);
    match &axioms.positivity {
        Ok(functional) => text.push(format!("positivity: yes, functional {}", position::text(functional))),
        Err(violation) => text.push(format!("positivity: no: {violation}")),
    }
    match axioms.tangent_violations.as_slice() {
        [] => text.push("tangent cone axiom: yes".into()),
        [ray, ..] => text.push(format!(
            "tangent cone axiom: no: no rule lies in the negative tangent cone of the ray {} \
             (outcomes are defined all the same)",
            position::text(ray)
        )),
    }
    if axioms.positivity.is_ok() {
        let game = LatticeGame::new(description, cx).map_err(|error| failure(name, error))?;
        json["input_complexity"] = json!((game.input_complexity() * 1e6).round() / 1e6);
        json["defeated"] = json!(game.defeated().len());
        json["play"] = json!(game.play());
        text.push(match game.defeated() {
            [] => "no defeated positions: normal play".into(),
            [point] if point.iter().all(|&x| x == 0) => "defeated: only the origin (misère play)".to_owned(),
            many => format!("{} defeated positions, the last {}", many.len(), position::text(&many[many.len() - 1])),
        });
        text.push(format!("input complexity {:.3} bits", game.input_complexity()));
        if !game.chart().is_identity() {
            let rows: Vec<String> = game.chart().matrix().iter().map(|row| position::text(row)).collect();
            text.push(format!(
                "inner coordinates: y = M x + s with M = [{}], s = {}",
                rows.join(", "),
                position::text(game.chart().shift())
            ));
        }
    }
    Ok(Report::new(json, text.join("\n")))
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
