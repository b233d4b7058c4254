//! Sets that the checker makes itself, as minimal automata: those that a walk chooses, and projections {x : (x, r) ∈ S for some r} by the subset
//! construction. The outcome law rule by rule, for many coordinates.

use std::hash::Hash;

use crate::classes::classes;
use crate::hash::HashMap;
use crate::lattice::Inner;
use crate::laws::{board, on_board};
use crate::meter::Meter;
use crate::walk::{Explored, Label, Law, Part, Table, Walk, explore, fits, walk};
use crate::{Checked, refuse};

/// The set of the vectors that `choice` takes, if `law` holds at every vector; else a vector where it fails.
pub(crate) fn selection(
    dimension: usize,
    parts: &mut [Part<'_>],
    law: Law<'_>,
    choice: Law<'_>,
    meter: &Meter<'_>,
) -> Checked<Result<Table, Vec<i128>>> {
    let visit = &mut |labels: &[Label]| Ok(law(labels).then(|| choice(labels)));
    match explore(dimension, parts, visit, usize::MAX, meter)? {
        Walk::Holds(explored) => minimal(&explored, dimension, meter).map(Ok),
        Walk::Fails(vector) => Ok(Err(vector)),
        Walk::TooLong => refuse("the walk was given up"),
    }
}

/// The set of the vectors that `choice` takes.
pub(crate) fn chosen(d: usize, parts: &mut [Part<'_>], choice: Law<'_>, meter: &Meter<'_>) -> Checked<Table> {
    match selection(d, parts, &|_| true, choice, meter)? {
        Ok(table) => Ok(table),
        Err(_) => refuse("a law that always holds failed"),
    }
}

/// The chosen vectors with as few states as there can be, states of different tracks apart.
fn minimal(explored: &Explored, dimension: usize, meter: &Meter<'_>) -> Checked<Table> {
    let start =
        explored.track.iter().zip(&explored.chosen).map(|(&track, &chosen)| 2 * u32::from(track) + u32::from(chosen));
    let class = classes(start, 2, explored.next.as_flattened(), meter)?;
    let (mut next, mut accepting): (Vec<[u32; 2]>, Vec<Label>) = (Vec::new(), Vec::new());
    for (state, &own) in class.iter().enumerate() {
        if own as usize == next.len() {
            next.push(explored.next[state].map(|target| class[target as usize]));
            accepting.push(Label::from(explored.chosen[state]));
        }
    }
    Table::new(dimension, next.as_flattened(), accepting)
}

/// The outcome law with few combinations in many dimensions: for each rule that no x of S has x − γ in S, and what of
/// B∖S is left without an x − γ in S by the rules so far; in the end nothing may be left.
pub(crate) fn rule_by_rule(inner: &Inner, set: &Table, meter: &Meter<'_>) -> Checked<Option<Vec<i128>>> {
    meter.extension("rule by rule");
    let d = inner.dimension;
    let mut parts = board(inner);
    parts.push(Part::set(set));
    let last = parts.len() - 1;
    let positions = |labels: &[Label]| labels[last] == 0 || on_board(&labels[..last]);
    let others = |labels: &[Label]| labels[last] == 0 && on_board(&labels[..last]);
    let mut left = match selection(d, &mut parts, &positions, &others, meter)? {
        Ok(left) => left,
        Err(y) => return Ok(Some(y)),
    };
    for rule in &inner.rules {
        let mut parts = [Part::set(set), Part::moved(set, rule), Part::set(&left)];
        let never_both = |labels: &[Label]| labels[0] == 0 || labels[1] == 0;
        let without = |labels: &[Label]| labels[2] != 0 && labels[1] == 0;
        left = match selection(d, &mut parts, &never_both, &without, meter)? {
            Ok(left) => left,
            Err(y) => return Ok(Some(y)),
        };
    }
    // A vector that is left, with as few digits as possible.
    if left.is_empty() { Ok(None) } else { walk(d, &mut [Part::set(&left)], &|labels| labels[0] == 0, meter) }
}

/// All that is reached from a start, in the order in which it is met, and where each letter leads ([`NOWHERE`] where `step` says so).
pub(crate) fn reached<S: Clone + Eq + Hash>(
    letters: usize,
    start: S,
    meter: &Meter<'_>,
    size: impl Fn(&S) -> usize,
    mut step: impl FnMut(&S, usize) -> Checked<Option<S>>,
) -> Checked<(Vec<S>, Vec<u32>)> {
    let mut held = meter.hold(0)?;
    let mut numbers: HashMap<S, u32> = HashMap::from_iter([(start.clone(), 0)]);
    let (mut states, mut next) = (vec![start], Vec::new());
    let mut at = 0;
    while at < states.len() {
        meter.steps(8 * letters)?;
        held.grow(4 * letters as u64)?;
        for letter in 0..letters {
            let Some(target) = step(&states[at], letter)? else {
                next.push(NOWHERE);
                continue;
            };
            let fresh = fits(states.len())?;
            let number = *numbers.entry(target).or_insert_with_key(|target| {
                states.push(target.clone());
                fresh
            });
            if number == fresh {
                held.grow(2 * (size(&states[states.len() - 1]) + size_of::<S>()) as u64 + 64)?;
            }
            next.push(number);
        }
        at += 1;
    }
    Ok((states, next))
}

/// No state.
pub(crate) const NOWHERE: u32 = u32::MAX;

/// The states that lead to one of some states.
pub(crate) fn leading<I: Iterator<Item = u32>>(goals: Vec<bool>, after: impl Fn(usize) -> I) -> Vec<bool> {
    let mut before: Vec<Vec<usize>> = vec![vec![]; goals.len()];
    for s in 0..goals.len() {
        after(s).for_each(|target| before[target as usize].push(s));
    }
    let mut leads = goals;
    let mut queue: Vec<usize> = (0..leads.len()).filter(|&s| leads[s]).collect();
    while let Some(s) = queue.pop() {
        for &earlier in &before[s] {
            if !std::mem::replace(&mut leads[earlier], true) {
                queue.push(earlier);
            }
        }
    }
    leads
}

/// The set of the first `keep` coordinates (at least one, not all) of the vectors of a set, by the subset construction.
pub(crate) fn project(set: &Table, keep: usize, meter: &Meter<'_>) -> Checked<Table> {
    let accepting: Vec<bool> = set.labels.iter().map(|&label| label != 0).collect();
    let live = leading(accepting.clone(), |s| set.next[s].into_iter());
    // For each state at coordinate `keep`: the states at the end of the block, over all digits of the other coordinates.
    let mut held = meter.hold(100 * set.states() as u64)?;
    let mut spread: Vec<Vec<u32>> = vec![vec![]; set.states()];
    for s in (0..set.states()).filter(|&s| set.coordinate[s] == Some(keep)) {
        let mut level = vec![fits(s)?];
        for _ in keep..set.dimension {
            meter.steps(level.len())?;
            level = level.iter().flat_map(|&s| set.next[s as usize]).filter(|&s| live[s as usize]).collect();
            level.sort_unstable();
            level.dedup();
        }
        held.grow(4 * level.len() as u64)?;
        spread[s] = level;
    }
    // A state at coordinate 0 ends well when it accepts some (0, r).
    let padded = |s: usize| (0..keep).fold(s, |s, _| set.next[s][0] as usize);
    let after = |s: usize| if set.coordinate[s] == Some(0) { spread[padded(s)].as_slice() } else { &[] };
    let ends = leading(accepting, |s| after(s).iter().copied());
    let step = |(track, subset): &(u8, Vec<u32>), bit: usize| {
        let targets = subset.iter().map(|&s| set.next[s as usize][bit]);
        let last = usize::from(*track) + 1 == keep;
        let mut target: Vec<u32> = if last {
            targets.flat_map(|s| spread[s as usize].iter().copied()).collect()
        } else {
            targets.filter(|&s| live[s as usize]).collect()
        };
        target.sort_unstable();
        target.dedup();
        meter.steps(target.len())?;
        Ok(Some((if last { 0 } else { track + 1 }, target)))
    };
    let (states, next) = reached(2, (0, vec![0]), meter, |(_, subset)| 4 * subset.len(), step)?;
    let explored = Explored {
        next: next.chunks_exact(2).map(|pair| [pair[0], pair[1]]).collect(),
        track: states.iter().map(|state| state.0).collect(),
        chosen: states.iter().map(|(track, subset)| *track == 0 && subset.iter().any(|&s| ends[s as usize])).collect(),
    };
    minimal(&explored, keep, meter)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::meter::free_meter;

    fn taken(dimension: usize, mut parts: Vec<Part<'_>>, choice: Law<'_>) -> Table {
        chosen(dimension, &mut parts, choice, &free_meter()).unwrap()
    }

    #[test]
    fn selections_are_minimal() {
        // {x : x is even, x ≤ 6} and {(x, y) : x + y even} with superfluous states in between.
        let even = Table::new(1, &[1, 2, 1, 1, 2, 2], vec![1, 1, 0]).unwrap();
        let mut parts = [Part::set(&even), Part::half_space(&[-1], 6), Part::moved(&even, &[2])];
        let small = selection(1, &mut parts, &|_| true, &|inside| inside[0] == 1 && inside[1] == 1, &free_meter());
        let small = small.unwrap().unwrap();
        // 0, x ∈ {0, 2, 4, 6} by the rest after the digit 0 (≤ 3), then {0, 1} and {0}, and nothing.
        assert_eq!(small.states(), 5);
        for x in 0i128..40 {
            assert_eq!(small.label_from(0, &[x]) == 1, x % 2 == 0 && x <= 6, "{x}");
        }
        let rows = [Part::half_space(&[1, 1], -3), Part::half_space(&[2, 2], -6), Part::half_space(&[1, 1], -2)];
        let mut parts = rows;
        let select = |inside: &[Label]| inside[0] == 1 && inside[1] == 1 && inside[2] == 1;
        let half = selection(2, &mut parts, &|_| true, &select, &free_meter()).unwrap().unwrap();
        let mut alone = [Part::half_space(&[1, 1], -3)];
        let expected = selection(2, &mut alone, &|_| true, &|inside| inside[0] == 1, &free_meter()).unwrap().unwrap();
        assert_eq!(half.states(), expected.states());
        assert_eq!(half.next, expected.next);
        assert_eq!(half.labels, expected.labels);
    }

    #[test]
    fn projections_hold_what_some_rest_completes() {
        // {(x, r) : x = 3r + 1}, {(x, y, r) : x + r = 2y, r ≥ 5} and {(x, r, s) : x + r + s = 7}.
        let equal = |row: &[i128], b: i128| {
            let minus: Vec<i128> = row.iter().map(|a| -a).collect();
            taken(row.len(), vec![Part::half_space(row, b), Part::half_space(&minus, -b)], &|i| i[0] == 1 && i[1] == 1)
        };
        let thirds = project(&equal(&[1, -3], -1), 1, &free_meter()).unwrap();
        let line = equal(&[1, -2, 1], 0);
        let far = vec![Part::set(&line), Part::half_space(&[0, 0, 1], -5)];
        let far = project(&taken(3, far, &|i| i[0] == 1 && i[1] == 1), 2, &free_meter()).unwrap();
        let seven = project(&equal(&[1, 1, 1], -7), 1, &free_meter()).unwrap();
        for x in 0_i128..40 {
            assert_eq!(thirds.label_from(0, &[x]) == 1, x % 3 == 1, "{x}");
            assert_eq!(seven.label_from(0, &[x]) == 1, x <= 7, "{x}");
            for y in 0..40 {
                assert_eq!(far.label_from(0, &[x, y]) == 1, 2 * y - x >= 5, "{x} {y}");
            }
        }
    }
}
