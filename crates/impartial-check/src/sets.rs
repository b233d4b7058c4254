//! Sets that the checker makes itself, as minimal automata: those that a walk chooses, and projections {x : (x, r) ∈ S for some r} by the subset
//! construction. The outcome law rule by rule, for many coordinates.

use std::collections::HashMap;

use crate::lattice::Inner;
use crate::laws::{board, on_board};
use crate::meter::{Held, Meter};
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

/// Moore's partition refinement, states of different tracks apart. Each round goes from the last track to the first
/// with the classes refined so far, so that it sees a whole block of digits: any split it makes is one that some
/// word makes, and a round without a split leaves nothing to tell apart.
fn minimal(explored: &Explored, dimension: usize, meter: &Meter<'_>) -> Checked<Table> {
    let mut by_track: Vec<Vec<usize>> = vec![vec![]; dimension];
    for (state, &track) in explored.track.iter().enumerate() {
        by_track[usize::from(track)].push(state);
    }
    let _held = meter.hold(40 * explored.track.len() as u64)?;
    let mut class: Vec<u32> = explored.chosen.iter().map(|&chosen| u32::from(chosen)).collect();
    let mut classes = 0;
    loop {
        let mut found = 0;
        let mut numbers: HashMap<(u32, u32, u32), u32> = HashMap::new();
        for states in by_track.iter().rev() {
            meter.steps(states.len() + 1)?;
            numbers.clear();
            let mut refined = Vec::with_capacity(states.len());
            for &state in states {
                let [zero, one] = explored.next[state].map(|target| class[target as usize]);
                let number = fits(numbers.len())?;
                refined.push(*numbers.entry((class[state], zero, one)).or_insert(number));
            }
            // Only now: with one coordinate the successors are states of the same track.
            for (&state, number) in states.iter().zip(refined) {
                class[state] = number;
            }
            found += numbers.len();
        }
        if found == classes {
            break;
        }
        classes = found;
    }
    // Numbers that are one for all tracks, in the order of their first state: the initial one is 0.
    let mut numbers: HashMap<(u8, u32), u32> = HashMap::new();
    for (own, &track) in class.iter_mut().zip(&explored.track) {
        let number = fits(numbers.len())?;
        *own = *numbers.entry((track, *own)).or_insert(number);
    }
    let mut next = vec![[0; 2]; classes];
    let mut accepting: Vec<Label> = vec![0; classes];
    for (state, &own) in class.iter().enumerate() {
        next[own as usize] = explored.next[state].map(|target| class[target as usize]);
        accepting[own as usize] = Label::from(explored.chosen[state]);
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

/// Stands in a subset for "everything is accepted from here on".
const ALL: u32 = u32::MAX;

/// What the states of a table lead to.
struct Fates {
    /// No vector is accepted.
    dead: Vec<bool>,
    /// Every vector is accepted.
    full: Vec<bool>,
}

/// The set of the first `keep` coordinates (at least one, not all) of the vectors of a set.
pub(crate) fn project(set: &Table, keep: usize, meter: &Meter<'_>) -> Checked<Table> {
    let coordinate = coordinates(set);
    let fates = fates(set, &coordinate);
    let (spread, _held) = spread(set, keep, &coordinate, &fates, meter)?;
    let ends = ends(set, keep, &coordinate, &spread);
    let accepts = |subset: &[u32]| subset.iter().any(|&s| s == ALL || ends[s as usize]);
    let mut subsets: Vec<Vec<u32>> = vec![reduced(vec![0], &fates)];
    let mut numbers: HashMap<(u8, Vec<u32>), u32> = HashMap::from([((0, subsets[0].clone()), 0)]);
    let mut explored = Explored { next: Vec::new(), track: vec![0], chosen: Vec::new() };
    let mut held = meter.hold(0)?;
    let mut current = 0;
    while current < subsets.len() {
        meter.work(1)?;
        let track = explored.track[current];
        explored.chosen.push(track == 0 && accepts(&subsets[current]));
        let last = usize::from(track) + 1 == keep;
        let following = if last { 0 } else { track + 1 };
        let mut successors = [0; 2];
        for (bit, successor) in successors.iter_mut().enumerate() {
            let subset = &subsets[current];
            let mut target: Vec<u32> = Vec::new();
            for &s in subset {
                if s == ALL {
                    target.push(ALL);
                    continue;
                }
                let s = set.next[s as usize][bit];
                if last {
                    target.extend_from_slice(&spread[s as usize]);
                } else {
                    target.push(s);
                }
            }
            let target = reduced(target, &fates);
            meter.steps(target.len() + 1)?;
            held.grow(8 * target.len() as u64 + 150)?;
            let fresh = fits(subsets.len())?;
            *successor = *numbers.entry((following, target)).or_insert_with_key(|(_, target)| {
                subsets.push(target.clone());
                explored.track.push(following);
                fresh
            });
        }
        explored.next.push(successors);
        current += 1;
    }
    minimal(&explored, keep, meter)
}

/// A subset without what changes nothing, sorted.
fn reduced(mut subset: Vec<u32>, fates: &Fates) -> Vec<u32> {
    if subset.iter().any(|&s| s == ALL || fates.full[s as usize]) {
        return vec![ALL];
    }
    subset.retain(|&s| !fates.dead[s as usize]);
    subset.sort_unstable();
    subset.dedup();
    subset
}

/// The coordinate whose digit each state reads.
fn coordinates(set: &Table) -> Vec<usize> {
    let mut coordinate = vec![usize::MAX; set.next.len()];
    coordinate[0] = 0;
    let mut queue = vec![0_usize];
    while let Some(s) = queue.pop() {
        for target in set.next[s] {
            let target = target as usize;
            if coordinate[target] == usize::MAX {
                coordinate[target] = (coordinate[s] + 1) % set.dimension;
                queue.push(target);
            }
        }
    }
    coordinate
}

/// Which states lead to no accepting state, and which to accepting ones only.
fn fates(set: &Table, coordinate: &[usize]) -> Fates {
    let mut before: Vec<Vec<u32>> = vec![vec![]; set.next.len()];
    for (s, targets) in (0_u32..).zip(&set.next) {
        for &target in targets {
            before[target as usize].push(s);
        }
    }
    let leads_to = |goal: &dyn Fn(usize) -> bool| {
        let mut reaches: Vec<bool> = (0..set.next.len()).map(goal).collect();
        let mut queue: Vec<usize> = (0..reaches.len()).filter(|&s| reaches[s]).collect();
        while let Some(s) = queue.pop() {
            for &earlier in &before[s] {
                if !std::mem::replace(&mut reaches[earlier as usize], true) {
                    queue.push(earlier as usize);
                }
            }
        }
        reaches
    };
    let accepts = leads_to(&|s| set.labels[s] != 0);
    let refuses = leads_to(&|s| coordinate[s] == 0 && set.labels[s] == 0);
    Fates { dead: accepts.iter().map(|x| !x).collect(), full: refuses.iter().map(|x| !x).collect() }
}

/// For each state at coordinate `keep`: the states at the end of the block, over all digits of the other coordinates.
fn spread(
    set: &Table,
    keep: usize,
    coordinate: &[usize],
    fates: &Fates,
    meter: &Meter<'_>,
) -> Checked<(Vec<Vec<u32>>, Held)> {
    let mut spread = vec![vec![]; set.next.len()];
    let mut held = meter.hold(0)?;
    for s in 0..set.next.len() {
        if coordinate[s] != keep {
            continue;
        }
        let mut level = vec![fits(s)?];
        for _ in keep..set.dimension {
            meter.steps(level.len())?;
            level = level.iter().flat_map(|&s| set.next[s as usize]).collect();
            level.sort_unstable();
            level.dedup();
        }
        level.retain(|&s| !fates.dead[s as usize]);
        held.grow(4 * level.len() as u64)?;
        spread[s] = level;
    }
    Ok((spread, held))
}

/// Whether a state at coordinate 0 accepts some (0, r).
fn ends(set: &Table, keep: usize, coordinate: &[usize], spread: &[Vec<u32>]) -> Vec<bool> {
    let mut before: Vec<Vec<usize>> = vec![vec![]; set.next.len()];
    for s in (0..set.next.len()).filter(|&s| coordinate[s] == 0) {
        let padded = (0..keep).fold(s, |s, _| set.next[s][0] as usize);
        for &target in &spread[padded] {
            before[target as usize].push(s);
        }
    }
    let mut ends: Vec<bool> = set.labels.iter().map(|&label| label != 0).collect();
    let mut queue: Vec<usize> = (0..ends.len()).filter(|&s| ends[s]).collect();
    while let Some(s) = queue.pop() {
        for &earlier in &before[s] {
            if !std::mem::replace(&mut ends[earlier], true) {
                queue.push(earlier);
            }
        }
    }
    ends
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
