//! Form "automaton": the set of P-positions of a lattice game as an automaton over binary digits.

use serde_json::{Map, Value};

use crate::envelope::File;
use crate::lattice::{Inner, Lattice, known_keys};
use crate::meter::Meter;
use crate::nda::{Part, Short, Table, selection, short_walk, walk};
use crate::{Failure, refuse};

pub(crate) fn check(file: &File, meter: &Meter<'_>) -> Result<String, Failure> {
    let game = Lattice::read(&file.game, file.misere)?;
    known_keys("certificate", &file.certificate, &["functional", "chart", "automaton"])?;
    let inner = game.inner(&file.certificate, meter)?;
    let set = table("certificate.automaton", file.certificate.get("automaton"), game.dimension)?;
    equation(game.dimension, &inner, &set, meter)?;
    Ok(format!(
        "the P-positions of the lattice game with {} rules and {} defeated positions on {} are exactly the vectors \
         that the automaton with {} states accepts",
        game.rules.len(),
        game.defeated.len(),
        match &game.rows {
            None => format!("N^{}", game.dimension),
            Some(rows) => format!("the integer points of {} inequalities in dimension {}", rows.len(), game.dimension),
        },
        set.states()
    ))
}

/// Reads {"transitions": [t₀₀, t₀₁, t₁₀, t₁₁, …], "accepting": […]}.
pub(crate) fn table(place: &str, value: Option<&Value>, dimension: usize) -> Result<Table, Failure> {
    let Some(Value::Object(map)) = value else { return refuse(format!("{place}: not an object")) };
    known_keys(place, map, &["transitions", "accepting"])?;
    let transitions = states(place, map, "transitions")?;
    if transitions.len() % 2 != 0 {
        return refuse(format!("{place}.transitions: an odd number of entries"));
    }
    let next = transitions.chunks_exact(2).map(|pair| [pair[0], pair[1]]).collect();
    Table::new(dimension, next, &states(place, map, "accepting")?)
}

/// A list of states.
pub(crate) fn states(place: &str, map: &Map<String, Value>, key: &str) -> Result<Vec<u32>, Failure> {
    let Some(Value::Array(list)) = map.get(key) else { return refuse(format!("{place}.{key}: not a list")) };
    list.iter()
        .map(|x| match x.as_u64().and_then(|x| u32::try_from(x).ok()) {
            Some(state) => Ok(state),
            None => refuse(format!("{place}.{key}: {x} is not the number of a state")),
        })
        .collect()
}

/// Verifies that S is a set of positions, and that a position lies in S exactly when none of its options does:
/// then S is the set of P-positions, by induction along the functional.
pub(crate) fn equation(dimension: usize, inner: &Inner, set: &Table, meter: &Meter<'_>) -> Result<(), Failure> {
    let mut parts: Vec<Part<'_>> = vec![Part::set(set), Part::finite(&inner.defeated)];
    let rows = inner.rows.len();
    parts.extend(inner.rows.iter().map(|row| Part::half_space(&row[..dimension], row[dimension])));
    parts.extend(inner.rules.iter().map(|rule| Part::moved(set, rule)));
    let condition = |inside: &[bool]| {
        let (in_set, defeated) = (inside[0], inside[1]);
        let on_board = !defeated && inside[2..2 + rows].iter().all(|&satisfied| satisfied);
        let some_option_in_set = inside[2 + rows..].contains(&true);
        if on_board { in_set != some_option_in_set } else { !in_set }
    };
    let failure = match short_walk(dimension, &mut parts, &condition, meter)? {
        Short::Holds => None,
        Short::Fails(y) => Some(y),
        Short::TooLong if dimension < 3 => walk(dimension, &mut parts, &condition, meter)?,
        Short::TooLong => rule_by_rule(dimension, inner, set, meter)?,
    };
    match failure {
        None => Ok(()),
        Some(y) => {
            let y: Vec<i128> = y.iter().map(|&y| i128::try_from(y).unwrap_or(i128::MAX)).collect();
            Err(wrong(inner, set, &y))
        }
    }
}

/// A vector as people write it.
pub(crate) fn written(x: &[i128]) -> String {
    let x: Vec<String> = x.iter().map(ToString::to_string).collect();
    format!("({})", x.join(","))
}

/// Says how the equation fails at y.
fn wrong(inner: &Inner, set: &Table, y: &[i128]) -> Failure {
    let x = inner.own(y);
    let minus = |rule: &Vec<i128>| -> Vec<i128> { y.iter().zip(rule).map(|(y, g)| y.saturating_sub(*g)).collect() };
    let claimed = |y: &[i128]| y.iter().all(|&y| y >= 0) && set.contains_from(0, y);
    let option = inner.rules.iter().map(minus).find(|option| claimed(option));
    let at = written(&x);
    let how = match (claimed(y), option) {
        (true, Some(option)) => {
            format!(
                "{at} is claimed P, but a move from it reaches {}, which is claimed P",
                written(&inner.own(&option))
            )
        }
        (true, None) => format!("{at} is claimed P, but it is not on the board"),
        (false, _) => format!("{at} is claimed N, but no move from it reaches a claimed P-position"),
    };
    Failure::At(format!("these are not the P-positions: the equation fails at {at}: {how}"), x)
}

/// The same equation with few combinations in many dimensions: for each rule that no x of S has x − γ in S, and what of
/// B∖S is left without an x − γ in S by the rules so far; in the end nothing may be left.
fn rule_by_rule(dimension: usize, inner: &Inner, set: &Table, meter: &Meter<'_>) -> Result<Option<Vec<u128>>, Failure> {
    let mut parts: Vec<Part<'_>> = vec![Part::set(set), Part::finite(&inner.defeated)];
    parts.extend(inner.rows.iter().map(|row| Part::half_space(&row[..dimension], row[dimension])));
    let on_board = |inside: &[bool]| !inside[1] && inside[2..].iter().all(|&satisfied| satisfied);
    let positions = |inside: &[bool]| !inside[0] || on_board(inside);
    let others = |inside: &[bool]| !inside[0] && on_board(inside);
    let mut left = match selection(dimension, &mut parts, &positions, &others, meter)? {
        Ok(left) => left,
        Err(y) => return Ok(Some(y)),
    };
    for rule in &inner.rules {
        let mut parts = [Part::set(set), Part::moved(set, rule), Part::set(&left)];
        let never_both = |inside: &[bool]| !(inside[0] && inside[1]);
        let without = |inside: &[bool]| inside[2] && !inside[1];
        left = match selection(dimension, &mut parts, &never_both, &without, meter)? {
            Ok(left) => left,
            Err(y) => return Ok(Some(y)),
        };
    }
    if left.is_empty() {
        return Ok(None);
    }
    // A vector that is left, with as few digits as possible.
    walk(dimension, &mut [Part::set(&left)], &|inside| !inside[0], meter)
}
