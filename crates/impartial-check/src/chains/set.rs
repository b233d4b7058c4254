//! Forms "automaton", "stratification" and "series" of a chains game: the functions, and their graph as a set.

use serde_json::Value;

use super::game::Game;
use super::{Function, verified};
use crate::automaton::table;
use crate::envelope::File;
use crate::lattice::{known_keys, matrix, vector};
use crate::meter::Meter;
use crate::module::Residuals;
use crate::nda::{Part, walk};
use crate::{Failure, refuse};

/// Verifies the functions as form "chains" does, then that the set is exactly the graph of F_{A,0}.
pub(crate) fn check(file: &File, meter: &Meter<'_>) -> Result<String, Failure> {
    let key = match file.form.as_str() {
        "automaton" => "automaton",
        "series" => "terms",
        _ => "modules",
    };
    let certificate = &file.certificate;
    let (Some(Value::Object(functions)), Some(claimed), 2) =
        (certificate.get("chains"), certificate.get(key), certificate.len())
    else {
        return refuse(format!("certificate: for a chains game it has the keys chains, {key} and no others"));
    };
    let (game, _, functions) = verified(file, functions, meter)?;
    let Some(function) = functions.get(&game.whole()).and_then(|list| list.first()) else {
        return refuse("certificate: the whole of A is not among the ideals");
    };
    let graph = graph(function, &game, meter)?;
    let count = graph.len();
    let automaton = if key == "automaton" { Some(table("certificate.automaton", Some(claimed), 2)?) } else { None };
    let mut parts: Vec<Part<'_>> = graph.into_iter().map(Part::Module).collect();
    if let Some(set) = &automaton {
        parts.push(Part::set(set));
    } else {
        let Value::Array(list) = claimed else { return refuse(format!("certificate.{key}: not a list")) };
        for (i, entry) in list.iter().enumerate() {
            let place = format!("certificate.{key}[{i}]");
            let part =
                if key == "terms" { read_term(&place, entry, meter)? } else { read_module(&place, entry, meter)? };
            parts.push(Part::Module(part));
        }
    }
    // The graph's modules are disjoint by construction; a vector is in one of them iff it is in one claimed part.
    let condition = |inside: &[bool]| {
        let claimed = inside[count..].iter().filter(|&&inside| inside).count();
        claimed == usize::from(inside[..count].contains(&true))
    };
    if let Some(x) = walk(2, &mut parts, &condition, meter)? {
        let x: Vec<String> = x.iter().map(ToString::to_string).collect();
        return refuse(format!("the set differs from the functions at ({})", x.join(",")));
    }
    Ok(format!("{}: the P-positions (m, n) with all of the fixed part left are exactly the given set", game.words()))
}

/// A term t^f/(1 − t^v), or t^f: with coefficient 1 and at most one denominator it counts every vector of
/// f + ℕv once.
fn read_term(place: &str, term: &Value, meter: &Meter<'_>) -> Result<Residuals, Failure> {
    let Value::Object(term) = term else { return refuse(format!("{place}: not an object")) };
    known_keys(place, term, &["coefficient", "exponent", "denominators"])?;
    if vector(&format!("{place}.coefficient"), term.get("coefficient"), Some(2))? != [1, 1] {
        return refuse(format!("{place}.coefficient: not [1, 1], as it is in the series of a chains game"));
    }
    let denominators = matrix(&format!("{place}.denominators"), term.get("denominators"), Some(2))?;
    if denominators.len() > 1 {
        return refuse(format!("{place}.denominators: more than one"));
    }
    Residuals::new(
        place,
        denominators,
        vec![vector(&format!("{place}.exponent"), term.get("exponent"), Some(2))?],
        meter,
    )
}

fn read_module(place: &str, module: &Value, meter: &Meter<'_>) -> Result<Residuals, Failure> {
    let Value::Object(module) = module else { return refuse(format!("{place}: not an object")) };
    let (Some(_), Some(_), 2) = (module.get("generators"), module.get("bases"), module.len()) else {
        return refuse(format!("{place}: it has the keys generators, bases and no others"));
    };
    let bases = matrix(&format!("{place}.bases"), module.get("bases"), Some(2))?;
    if bases.is_empty() {
        return refuse(format!("{place}.bases: a module without elements"));
    }
    Residuals::new(place, matrix(&format!("{place}.generators"), module.get("generators"), Some(2))?, bases, meter)
}

/// {(m, F(m))} in drawn coordinates: in Chomp the poisoned square counts in row 1.
fn graph(function: &Function, game: &Game, meter: &Meter<'_>) -> Result<Vec<Residuals>, Failure> {
    let (dm, dn) = match (game.is_chomp(), game.chains) {
        (true, 2) => (0, 1),
        (true, _) => (1, 0),
        (false, _) => (0, 0),
    };
    let points = |from: u64, to: u64| -> Vec<Vec<i128>> {
        (from..to).filter_map(|m| function.at(m).map(|n| vec![i128::from(m + dm), i128::from(n + dn)])).collect()
    };
    let period = i128::from(function.period);
    let mut modules = Vec::new();
    let first = points(function.first, function.settled());
    if !first.is_empty() {
        modules.push(Residuals::new("certificate.chains", Vec::new(), first, meter)?);
    }
    let cycle = points(function.settled(), function.end());
    if !cycle.is_empty() {
        modules.push(Residuals::new("certificate.chains", vec![vec![period, period]], cycle, meter)?);
    }
    Ok(modules)
}
