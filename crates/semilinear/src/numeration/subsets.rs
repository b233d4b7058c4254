//! Vectors that are related to no element of a set: the only place where an automaton is made deterministic.

use rustc_hash::FxHashMap;

use super::relation::Relation;
use super::table::{NOWHERE, Table};
use crate::run::StopReason;
use crate::vectorset::{Effort, id};

/// The pairs (state of the relation, state of the set) that are reachable and live, with their edges by letter of x.
struct Pairs {
    letters: usize,
    /// The edges of pair p by letter a are `targets[first[p · letters + a]..first[p · letters + a + 1]]`.
    first: Vec<u32>,
    targets: Vec<u32>,
    accepting: Vec<bool>,
    /// The pairs at which a word may begin: x may have leading zeros where x′ has digits.
    start: Vec<u32>,
}

impl Pairs {
    fn new(relation: &Relation, set: &Table, effort: &Effort<'_>) -> Result<Self, StopReason> {
        let letters = set.letters();
        let mut ids: FxHashMap<(u32, u32), u32> = FxHashMap::default();
        let mut pairs = vec![(0_u32, 0_u32)];
        ids.insert((0, 0), 0);
        let mut edges: Vec<Vec<u32>> = Vec::new();
        let mut at = 0;
        while at < pairs.len() {
            effort.allow(at + 1)?;
            let (r, q) = pairs[at];
            for a in 0..letters {
                let mut targets: Vec<u32> = Vec::new();
                for &(b, r) in &relation.next[r as usize * letters + a] {
                    let q = set.step(q, b as usize);
                    if q == NOWHERE {
                        continue;
                    }
                    let target = *ids.entry((r, q)).or_insert_with(|| {
                        pairs.push((r, q));
                        id(pairs.len() - 1)
                    });
                    targets.push(target);
                }
                edges.push(targets);
            }
            at += 1;
        }
        let accepting: Vec<bool> =
            pairs.iter().map(|&(r, q)| relation.accepting[r as usize] && set.accepts(q)).collect();
        let live = live(letters, &edges, &accepting);
        let mut number = vec![NOWHERE; pairs.len()];
        for (kept, (number, _)) in number.iter_mut().zip(&live).filter(|(_, live)| **live).enumerate() {
            *number = id(kept);
        }
        let (mut first, mut targets) = (vec![0], Vec::new());
        for p in (0..pairs.len()).filter(|&p| live[p]) {
            for a in 0..letters {
                let from = targets.len();
                targets.extend(edges[p * letters + a].iter().map(|&t| number[t as usize]).filter(|&t| t != NOWHERE));
                targets[from..].sort_unstable();
                first.push(id(targets.len()));
            }
        }
        let accepting = (0..pairs.len()).filter(|&p| live[p]).map(|p| accepting[p]).collect();
        let mut found = Self { letters, first, targets, accepting, start: Vec::new() };
        if live[0] {
            let mut start = vec![number[0]];
            let mut at = 0;
            while at < start.len() {
                for &t in found.after(start[at], 0) {
                    if !start.contains(&t) {
                        start.push(t);
                    }
                }
                at += 1;
            }
            start.sort_unstable();
            found.start = start;
        }
        Ok(found)
    }

    fn after(&self, pair: u32, letter: usize) -> &[u32] {
        let slot = pair as usize * self.letters + letter;
        &self.targets[self.first[slot] as usize..self.first[slot + 1] as usize]
    }
}

fn live(letters: usize, edges: &[Vec<u32>], accepting: &[bool]) -> Vec<bool> {
    let mut sources: Vec<Vec<u32>> = vec![vec![]; accepting.len()];
    for (i, targets) in edges.iter().enumerate() {
        for &t in targets {
            sources[t as usize].push(id(i / letters));
        }
    }
    let mut live = accepting.to_vec();
    let mut stack: Vec<usize> = (0..live.len()).filter(|&p| live[p]).collect();
    while let Some(p) = stack.pop() {
        for &source in &sources[p] {
            if !live[source as usize] {
                live[source as usize] = true;
                stack.push(source as usize);
            }
        }
    }
    live
}

/// The words of `domain` that are related to no word of `set`, by the subset construction on live pairs.
pub(super) fn unrelated(
    domain: &Table,
    relation: &Relation,
    set: &Table,
    effort: &Effort<'_>,
) -> Result<Table, StopReason> {
    let pairs = Pairs::new(relation, set, effort)?;
    Table::explore(
        domain.letters(),
        (0_u32, pairs.start.clone().into_boxed_slice()),
        effort,
        |(state, subset), letter| {
            let state = domain.step(*state, letter);
            if state == NOWHERE {
                return None;
            }
            let mut after: Vec<u32> = subset.iter().flat_map(|&p| pairs.after(p, letter)).copied().collect();
            after.sort_unstable();
            after.dedup();
            Some((state, after.into_boxed_slice()))
        },
        |(state, subset)| domain.accepts(*state) && !subset.iter().any(|&p| pairs.accepting[p as usize]),
    )
}

/// A word of `domain` that is related to a word of `set`, a shortest one.
pub(super) fn related(
    domain: &Table,
    relation: &Relation,
    set: &Table,
    effort: &Effort<'_>,
) -> Result<Option<Vec<usize>>, StopReason> {
    let pairs = Pairs::new(relation, set, effort)?;
    let mut ids: FxHashMap<(u32, u32), u32> = FxHashMap::default();
    let mut states: Vec<(u32, u32, u32, usize)> = Vec::new();
    for &p in &pairs.start {
        ids.insert((0, p), id(states.len()));
        states.push((0, p, NOWHERE, 0));
    }
    let mut at = 0;
    while at < states.len() {
        effort.allow(at + 1)?;
        let (state, p, mut back, letter) = states[at];
        if domain.accepts(state) && pairs.accepting[p as usize] {
            let mut word = vec![letter];
            while back != NOWHERE {
                let (_, _, before, letter) = states[back as usize];
                word.push(letter);
                back = before;
            }
            // The entry at which the walk began has no letter.
            word.pop();
            word.reverse();
            return Ok(Some(word));
        }
        for letter in 0..domain.letters() {
            let next = domain.step(state, letter);
            if next == NOWHERE {
                continue;
            }
            for &t in pairs.after(p, letter) {
                ids.entry((next, t)).or_insert_with(|| {
                    states.push((next, t, id(at), letter));
                    id(states.len() - 1)
                });
            }
        }
        at += 1;
    }
    Ok(None)
}

/// The words of `set` that are related to one word, at most `most` of them, and whether these are all.
pub(super) fn related_to(relation: &Relation, set: &Table, word: &[usize], most: usize) -> (Vec<Vec<usize>>, bool) {
    let letters = set.letters();
    // The pairs that are reached before each letter, then those of them from which the end is reached.
    let mut layers: Vec<Vec<(u32, u32)>> = vec![vec![(0, 0)]];
    let steps = |(r, q): (u32, u32), a: usize| {
        let edges = &relation.next[r as usize * letters + a];
        edges.iter().map(move |&(b, r)| (b as usize, (r, set.step(q, b as usize)))).filter(|(_, (_, q))| *q != NOWHERE)
    };
    for &a in word {
        let mut next: Vec<(u32, u32)> =
            layers[layers.len() - 1].iter().flat_map(|&pair| steps(pair, a).map(|(_, pair)| pair)).collect();
        next.sort_unstable();
        next.dedup();
        layers.push(next);
    }
    layers[word.len()].retain(|&(r, q)| relation.accepting[r as usize] && set.accepts(q));
    for i in (0..word.len()).rev() {
        let (before, after) = layers.split_at_mut(i + 1);
        before[i].retain(|&pair| steps(pair, word[i]).any(|(_, pair)| after[0].binary_search(&pair).is_ok()));
    }
    let mut found = Vec::new();
    let mut stack: Vec<((u32, u32), Vec<usize>)> = layers[0].iter().map(|&pair| (pair, Vec::new())).collect();
    while let Some((pair, read)) = stack.pop() {
        if found.len() == most {
            return (found, false);
        }
        let Some(&a) = word.get(read.len()) else {
            found.push(read);
            continue;
        };
        for (b, pair) in steps(pair, a).filter(|(_, pair)| layers[read.len() + 1].binary_search(pair).is_ok()) {
            let mut longer = read.clone();
            longer.push(b);
            stack.push((pair, longer));
        }
    }
    (found, true)
}
