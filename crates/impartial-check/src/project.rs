//! Projections: {x : (x, r) ∈ S for some r}, by the subset construction.

use std::collections::HashMap;

use crate::Failure;
use crate::meter::{Held, Meter};
use crate::walk::{Explored, Table, fits};

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
pub(crate) fn project(set: &Table, keep: usize, meter: &Meter<'_>) -> Result<Table, Failure> {
    let coordinate = coordinates(set);
    let fates = fates(set, &coordinate);
    let (spread, _held) = spread(set, keep, &coordinate, &fates, meter)?;
    let ends = ends(set, keep, &coordinate, &spread);
    let accepts = |subset: &[u32]| subset.iter().any(|&s| s == ALL || ends[s as usize]);
    let mut subsets: Vec<Vec<u32>> = vec![reduced(vec![0], &fates)];
    let mut numbers: HashMap<(u8, Vec<u32>), u32> = HashMap::from([((0, subsets[0].clone()), 0)]);
    let mut explored = Explored { next: Vec::new(), track: vec![0], some: Vec::new() };
    let mut held = meter.hold(0)?;
    let mut current = 0;
    while current < subsets.len() {
        meter.work(1)?;
        let track = explored.track[current];
        explored.some.push(track == 0 && accepts(&subsets[current]));
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
    explored.minimal(keep, meter)
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
    let refuses = leads_to(&|s| coordinate[s] == 0 && !set.labels[s] != 0);
    Fates { dead: accepts.iter().map(|x| !x).collect(), full: refuses.iter().map(|x| !x).collect() }
}

/// For each state at coordinate `keep`: the states at the end of the block, over all digits of the other coordinates.
fn spread(
    set: &Table,
    keep: usize,
    coordinate: &[usize],
    fates: &Fates,
    meter: &Meter<'_>,
) -> Result<(Vec<Vec<u32>>, Held), Failure> {
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
    use crate::walk::{Label, Part, selection};

    fn chosen(dimension: usize, mut parts: Vec<Part<'_>>, select: &dyn Fn(&[Label]) -> bool) -> Table {
        selection(dimension, &mut parts, &|_| true, select, &free_meter()).unwrap().unwrap()
    }

    #[test]
    fn projections_hold_what_some_rest_completes() {
        // {(x, r) : x = 3r + 1}, {(x, y, r) : x + r = 2y, r ≥ 5} and {(x, r, s) : x + r + s = 7}.
        let equal = |row: &[i128], b: i128| {
            let minus: Vec<i128> = row.iter().map(|a| -a).collect();
            chosen(row.len(), vec![Part::half_space(row, b), Part::half_space(&minus, -b)], &|i| i[0] == 1 && i[1] == 1)
        };
        let thirds = project(&equal(&[1, -3], -1), 1, &free_meter()).unwrap();
        let line = equal(&[1, -2, 1], 0);
        let far = vec![Part::set(&line), Part::half_space(&[0, 0, 1], -5)];
        let far = project(&chosen(3, far, &|i| i[0] == 1 && i[1] == 1), 2, &free_meter()).unwrap();
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
