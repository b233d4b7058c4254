//! Form "grundy-automaton": the Grundy values of a lattice game as an automaton with a value on its states.

use serde_json::Value;

use crate::automaton::{states, written};
use crate::envelope::File;
use crate::lattice::{Lattice, known_keys};
use crate::meter::Meter;
use crate::nda::{Part, Table, walk};
use crate::{Failure, refuse};

pub(crate) fn check(file: &File, meter: &Meter<'_>) -> Result<String, Failure> {
    let game = Lattice::read(&file.game, file.misere)?;
    known_keys("certificate", &file.certificate, &["functional", "chart", "automaton"])?;
    let inner = game.inner(&file.certificate, meter)?;
    let sets = sets(file.certificate.get("automaton"), game.dimension, game.rules.len())?;
    // For each value the set itself, then for each rule and value the set moved by the rule.
    let values = sets.len();
    let mut parts: Vec<Part<'_>> = sets.iter().map(Part::set).collect();
    parts.push(Part::finite(&inner.defeated));
    parts.extend(inner.rows.iter().map(|row| Part::half_space(&row[..game.dimension], row[game.dimension])));
    let first_move = parts.len();
    parts.extend(inner.rules.iter().flat_map(|rule| sets.iter().map(|set| Part::moved(set, rule))));
    let condition = |inside: &[bool]| {
        let on_board = !inside[values] && inside[values + 1..first_move].iter().all(|&satisfied| satisfied);
        // The sets of different values have no state in common: at most one of them holds the vector.
        let value = inside[..values].iter().position(|&holds| holds);
        let reached = |k: usize| inside[first_move..].chunks_exact(values).any(|option| option[k]);
        match value {
            Some(k) => on_board && !reached(k) && (0..k).all(reached),
            None => !on_board,
        }
    };
    if let Some(y) = walk(game.dimension, &mut parts, &condition, meter)? {
        let y: Vec<i128> = y.iter().map(|&y| i128::try_from(y).unwrap_or(i128::MAX)).collect();
        let x = inner.own(&y);
        let reason = format!("these are not the Grundy values: the mex equation fails at {}", written(&x));
        return Err(Failure::At(reason, x));
    }
    Ok(format!(
        "the Grundy values of the lattice game with {} rules and {} defeated positions in dimension {} are exactly those \
         that the automaton with {} states gives; they are at most {}",
        game.rules.len(),
        game.defeated.len(),
        game.dimension,
        sets[0].states(),
        values - 1
    ))
}

/// Reads {"transitions": [t₀₀, t₀₁, t₁₀, t₁₁, …], "values": […]}: for each value the automaton that accepts there.
fn sets(value: Option<&Value>, dimension: usize, rules: usize) -> Result<Vec<Table>, Failure> {
    let place = "certificate.automaton";
    let Some(Value::Object(map)) = value else { return refuse(format!("{place}: not an object")) };
    known_keys(place, map, &["transitions", "values"])?;
    let transitions = states(place, map, "transitions")?;
    let Some(Value::Array(list)) = map.get("values") else { return refuse(format!("{place}.values: not a list")) };
    if transitions.len() != 2 * list.len() {
        return refuse(format!("{place}: not two transitions and one value for each state"));
    }
    let mut accepting: Vec<Vec<u32>> = vec![vec![]];
    for (state, value) in (0u32..).zip(list) {
        if value.is_null() {
            continue;
        }
        // No value exceeds the number of options.
        let Some(k) = value.as_u64().and_then(|k| usize::try_from(k).ok()).filter(|k| *k <= rules) else {
            return refuse(format!("{place}.values: {value} is neither null nor a value that {rules} rules can give"));
        };
        if accepting.len() <= k {
            accepting.resize(k + 1, vec![]);
        }
        accepting[k].push(state);
    }
    // One table a value, and one part a rule and value: bounded before they are made.
    if accepting.len().saturating_mul(list.len().saturating_add(rules)) > 1 << 26 {
        return refuse(format!("{place}: too many states and values to be checked"));
    }
    let next: Vec<[u32; 2]> = transitions.chunks_exact(2).map(|pair| [pair[0], pair[1]]).collect();
    accepting.iter().map(|accepting| Table::new(dimension, next.clone(), accepting)).collect()
}
