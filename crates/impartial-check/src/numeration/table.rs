//! Automata with missing transitions: products, subsets, minimisation.

use super::TableText;
use super::digits::Relation;
use crate::classes::classes;
use crate::hash::{HashMap, HashSet};
use crate::meter::{Held, Meter};
use crate::sets::{NOWHERE, leading, reached};
use crate::{Checked, refuse};

const MOST_STATES: usize = 1 << 23;

pub(super) fn number(n: usize) -> Checked<u32> {
    if n < MOST_STATES { Ok(u32::try_from(n).unwrap_or(NOWHERE)) } else { refuse("more states than can be checked") }
}

/// A deterministic automaton, from state 0, with missing transitions.
#[derive(Clone)]
pub(super) struct Table {
    pub(super) letters: usize,
    pub(super) next: Vec<u32>,
    pub(super) accepting: Vec<bool>,
}

/// The automaton of a deterministic walk.
pub(super) fn walk<S: Clone + Eq + std::hash::Hash>(
    letters: usize,
    start: S,
    meter: &Meter<'_>,
    size: impl Fn(&S) -> usize,
    step: impl FnMut(&S, usize) -> Checked<Option<S>>,
    accepts: impl Fn(&S) -> bool,
) -> Checked<Table> {
    let (states, next) = reached(letters, start, meter, size, step)?;
    let accepting = states.iter().map(accepts).collect();
    Ok(Table { letters, next, accepting })
}

impl Table {
    pub(super) fn new(place: &str, file: &TableText, letters: usize) -> Checked<Self> {
        let states = file.transitions.len() / letters;
        let known = |s: i64| s == -1 || usize::try_from(s).is_ok_and(|s| s < states);
        if states == 0
            || states > MOST_STATES
            || file.transitions.len() != states * letters
            || !file.transitions.iter().all(|&s| known(s))
        {
            return refuse(format!("{place}: not {letters} transitions to known states for each state"));
        }
        let mut accepting = vec![false; states];
        for &s in &file.accepting {
            refuse_if!(s >= states, "{place}: there is no state {s}");
            refuse_if!(std::mem::replace(&mut accepting[s], true), "{place}: \"accepting\" names state {s} twice");
        }
        let next = file.transitions.iter().map(|&s| u32::try_from(s).unwrap_or(NOWHERE)).collect();
        Ok(Self { letters, next, accepting })
    }

    pub(super) fn row(&self, state: usize) -> &[u32] {
        &self.next[state * self.letters..(state + 1) * self.letters]
    }

    pub(super) fn step(&self, state: u32, letter: usize) -> u32 {
        if state == NOWHERE { NOWHERE } else { self.next[state as usize * self.letters + letter] }
    }

    pub(super) fn accepts(&self, state: u32) -> bool {
        state != NOWHERE && self.accepting[state as usize]
    }

    /// The words of this table that are related to no word of a set: the pairs of the relation and the set that a word leads to decide.
    pub(super) fn without(&self, pairs: &Pairs, meter: &Meter<'_>) -> Checked<Self> {
        walk(
            self.letters,
            (0_u32, pairs.start.clone()),
            meter,
            |(_, subset)| 4 * subset.len(),
            |(state, subset), letter| {
                let state = self.step(*state, letter);
                if state == NOWHERE {
                    return Ok(None);
                }
                Ok(Some((state, pairs.after(subset, letter, meter)?)))
            },
            |(state, subset)| self.accepts(*state) && !pairs.accept(subset),
        )
    }

    /// The words of this table that a set does not have.
    pub(super) fn minus(&self, set: &Self, meter: &Meter<'_>) -> Checked<Self> {
        walk(
            self.letters,
            (0_u32, 0_u32),
            meter,
            |_| 0,
            |&(s, t), letter| {
                let s = self.step(s, letter);
                Ok((s != NOWHERE).then(|| (s, set.step(t, letter))))
            },
            |&(s, t)| self.accepts(s) && !set.accepts(t),
        )
    }

    /// A word that only one of two tables accepts, if there is one.
    pub(super) fn difference(&self, other: &Self, meter: &Meter<'_>) -> Checked<Option<Vec<usize>>> {
        search(
            vec![(0_u32, 0_u32)],
            self.letters,
            meter,
            usize::MAX,
            |_| 0,
            |&(s, t), letter| {
                let pair = (self.step(s, letter), other.step(t, letter));
                Ok(if pair == (NOWHERE, NOWHERE) { vec![] } else { vec![pair] })
            },
            |&(s, t)| self.accepts(s) != other.accepts(t),
        )
    }

    /// The same words with as few states as there can be, so that products stay small.
    pub(super) fn minimal(mut self, meter: &Meter<'_>) -> Checked<Self> {
        meter.steps(2 * self.next.len())?;
        let live = leading(self.accepting.clone(), |s| self.row(s).iter().copied().filter(|&t| t != NOWHERE));
        self.next.iter_mut().filter(|t| **t != NOWHERE && !live[**t as usize]).for_each(|t| *t = NOWHERE);
        let class = classes(self.accepting.iter().map(|&a| a.into()), self.letters, &self.next, meter)?;
        // A state of each class, in the order of first appearance: the initial state is the first.
        let (mut next, mut accepting) = (Vec::new(), Vec::new());
        for s in 0..class.len() {
            if class[s] as usize == accepting.len() {
                next.extend(self.row(s).iter().map(|&t| if t == NOWHERE { t } else { class[t as usize] }));
                accepting.push(self.accepting[s]);
            }
        }
        Ok(Self { letters: self.letters, next, accepting })
    }
}

/// The pairs (state of a relation, state of a set) that are reached together, with where each letter of x leads.
pub(super) struct Pairs {
    letters: usize,
    /// Pairs that can be accepted, for each pair and letter.
    edges: Vec<Vec<u32>>,
    accepting: Vec<bool>,
    /// Where words begin: x may have leading zeros where x′ has digits.
    pub(super) start: Vec<u32>,
    _held: Held,
}

impl Pairs {
    pub(super) fn new(relation: &Relation, set: &Table, meter: &Meter<'_>) -> Checked<Self> {
        let letters = set.letters;
        let mut held = meter.hold(0)?;
        let mut ids: HashMap<(u32, u32), u32> = HashMap::from_iter([((0, 0), 0)]);
        let mut pairs = vec![(0_u32, 0_u32)];
        let mut edges: Vec<Vec<u32>> = Vec::new();
        let mut at = 0;
        while at < pairs.len() {
            let (r, q) = pairs[at];
            for a in 0..letters {
                let options = &relation.next[r as usize * letters + a];
                meter.steps(1 + 4 * options.len())?;
                let mut targets = Vec::new();
                for &(b, r) in options {
                    let q = set.step(q, b as usize);
                    if q == NOWHERE {
                        continue;
                    }
                    let id = if let Some(&id) = ids.get(&(r, q)) {
                        id
                    } else {
                        let id = number(pairs.len())?;
                        held.grow(48 + 32 * letters as u64)?;
                        pairs.push((r, q));
                        ids.insert((r, q), id);
                        id
                    };
                    targets.push(id);
                }
                held.grow(12 * targets.len() as u64)?;
                edges.push(targets);
            }
            at += 1;
        }
        let accepting: Vec<bool> =
            pairs.iter().map(|&(r, q)| relation.accepting[r as usize] && set.accepts(q)).collect();
        let live = leading(accepting.clone(), |p| edges[p * letters..(p + 1) * letters].iter().flatten().copied());
        for targets in &mut edges {
            targets.retain(|&t| live[t as usize]);
        }
        let mut start = if live[0] { vec![0] } else { vec![] };
        let mut met = vec![false; pairs.len()];
        met[0] = true;
        let mut at = 0;
        while at < start.len() {
            for &t in &edges[start[at] as usize * letters] {
                if !std::mem::replace(&mut met[t as usize], true) {
                    start.push(t);
                }
            }
            at += 1;
        }
        start.sort_unstable();
        Ok(Self { letters, edges, accepting, start, _held: held })
    }

    pub(super) fn after(&self, subset: &[u32], letter: usize, meter: &Meter<'_>) -> Checked<Vec<u32>> {
        let targets = |&p: &u32| &self.edges[p as usize * self.letters + letter][..];
        let mut after = subset.iter().map(targets).collect::<Vec<_>>().concat();
        meter.steps(1 + 4 * after.len())?;
        after.sort_unstable();
        after.dedup();
        Ok(after)
    }

    pub(super) fn accept(&self, subset: &[u32]) -> bool {
        subset.iter().any(|&p| self.accepting[p as usize])
    }

    /// A word of the set with a move into the set, if there is one: no subsets are needed for it.
    pub(super) fn inside(&self, set: &Table, meter: &Meter<'_>) -> Checked<Option<Vec<usize>>> {
        let start: Vec<(u32, u32)> = self.start.iter().map(|&p| (0, p)).collect();
        search(
            start,
            self.letters,
            meter,
            usize::MAX,
            |_| 0,
            |&(t, p), letter| {
                let t = set.step(t, letter);
                let after = if t == NOWHERE { vec![] } else { self.after(&[p], letter, meter)? };
                Ok(after.into_iter().map(|p| (t, p)).collect())
            },
            |&(t, p)| set.accepts(t) && self.accepting[p as usize],
        )
    }
}

/// The word of a shortest way to a state that is sought, among the first `most` states; `None` when there is none.
pub(super) fn search<S: Clone + Eq + std::hash::Hash>(
    start: Vec<S>,
    letters: usize,
    meter: &Meter<'_>,
    most: usize,
    size: impl Fn(&S) -> usize,
    mut step: impl FnMut(&S, usize) -> Checked<Vec<S>>,
    sought: impl Fn(&S) -> bool,
) -> Checked<Option<Vec<usize>>> {
    let mut held = meter.hold(0)?;
    let mut seen: HashSet<S> = start.iter().cloned().collect();
    let mut states: Vec<(S, usize, usize)> = start.into_iter().map(|s| (s, usize::MAX, 0)).collect();
    let mut at = 0;
    while at < states.len() && at < most {
        meter.steps(4 * letters)?;
        if sought(&states[at].0) {
            let (mut word, mut here) = (Vec::new(), at);
            while states[here].1 != usize::MAX {
                word.push(states[here].2);
                here = states[here].1;
            }
            word.reverse();
            return Ok(Some(word));
        }
        for letter in 0..letters {
            for target in step(&states[at].0, letter)? {
                if seen.insert(target.clone()) {
                    held.grow(2 * (size(&target) + size_of::<S>()) as u64 + 64)?;
                    states.push((target, at, letter));
                }
            }
        }
        at += 1;
    }
    Ok(None)
}
