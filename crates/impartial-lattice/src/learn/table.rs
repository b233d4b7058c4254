//! The observation table: prefixes of digits told apart by suffixes (Angluin's L*, with counterexamples treated as by
//! Rivest and Schapire), when the labels of some vectors are not known.
//!
//! A *prefix* is some lowest digits of all coordinates, read track by track; the first tracks may have one digit more.
//! A *suffix* q is a vector of higher digits. The label of prefix w with suffix q is the label of the vector with the
//! lowest digits w and the rest q. Two prefixes that no suffix tells apart are taken for one state.

use rustc_hash::FxHashMap;

use super::hypothesis::Hypothesis;
use semilinear::run::{Monitor, StopReason};

/// Labels of vectors; `None` is unknown.
pub(super) trait Oracle {
    fn label(&self, y: &[i64]) -> Option<u8>;
}

/// What an entry says when the vector's label is not known.
pub(super) const UNKNOWN: u8 = u8::MAX - 1;

/// Vectors of so many coordinates are asked for without allocations.
const MOST_ON_STACK: usize = 8;

#[derive(Clone, Debug)]
struct Prefix {
    low: Vec<i64>,
    /// Digits read of the last coordinate.
    level: u32,
    track: usize,
}

impl Prefix {
    fn exponent(&self, i: usize) -> u32 {
        self.level + u32::from(i < self.track)
    }

    /// The label of the vector with these lowest digits and the rest q; `None` when it is unknown or too large to be asked for.
    fn label(&self, q: &[i64], oracle: &dyn Oracle) -> Option<u8> {
        let mut y = [0i64; MOST_ON_STACK];
        let mut long;
        let y = if q.len() <= MOST_ON_STACK {
            &mut y[..q.len()]
        } else {
            long = vec![0; q.len()];
            &mut long[..]
        };
        for (i, (y, (low, q))) in y.iter_mut().zip(self.low.iter().zip(q)).enumerate() {
            let exponent = self.exponent(i);
            if exponent >= 40 || *q >> (62 - exponent) != 0 {
                return None;
            }
            *y = (*q << exponent).checked_add(*low)?;
        }
        oracle.label(y)
    }

    fn child(&self, bit: usize) -> Self {
        let mut low = self.low.clone();
        if bit == 1 && self.exponent(self.track) < 62 {
            low[self.track] |= 1 << self.exponent(self.track);
        }
        if self.track + 1 == low.len() {
            Self { low, level: self.level + 1, track: 0 }
        } else {
            Self { low, level: self.level, track: self.track + 1 }
        }
    }
}

#[derive(Debug)]
struct State {
    prefix: Prefix,
    row: Vec<u8>,
    children: [(Prefix, Vec<u8>); 2],
}

/// The table, which only grows: states and suffixes are added, never removed.
#[derive(Debug)]
pub(super) struct Table {
    dimension: usize,
    suffixes: Vec<Vec<i64>>,
    states: Vec<State>,
    /// How many entries of rows are unknown, out of how many.
    pub unknown: (u64, u64),
}

impl Table {
    /// The table with the empty prefix and all suffixes with coordinate sum at most `width`.
    pub fn new(dimension: usize, width: i64, oracle: &dyn Oracle) -> Self {
        let mut suffixes = Vec::new();
        simplex(dimension, width, &mut vec![], &mut suffixes);
        suffixes.sort_by_key(|q| (q.iter().sum::<i64>(), q.clone()));
        let mut table = Self { dimension, suffixes, states: vec![], unknown: (0, 0) };
        table.add_state(Prefix { low: vec![0; dimension], level: 0, track: 0 }, oracle);
        table
    }

    pub fn states(&self) -> usize {
        self.states.len()
    }

    pub fn suffixes(&self) -> usize {
        self.suffixes.len()
    }

    /// Digits of the longest prefix.
    pub fn depth(&self) -> u32 {
        self.states.iter().map(|s| s.prefix.exponent(0)).max().unwrap_or(0)
    }

    fn entry(prefix: &Prefix, q: &[i64], oracle: &dyn Oracle) -> u8 {
        prefix.label(q, oracle).unwrap_or(UNKNOWN)
    }

    fn row(&self, prefix: &Prefix, oracle: &dyn Oracle) -> Vec<u8> {
        self.suffixes.iter().map(|q| Self::entry(prefix, q, oracle)).collect()
    }

    fn add_state(&mut self, prefix: Prefix, oracle: &dyn Oracle) {
        let row = self.row(&prefix, oracle);
        let children = [0, 1].map(|bit| {
            let child = prefix.child(bit);
            let row = self.row(&child, oracle);
            (child, row)
        });
        self.states.push(State { prefix, row, children });
    }

    /// Adds a suffix; says whether it is new.
    pub fn add_suffix(&mut self, q: Vec<i64>, oracle: &dyn Oracle) -> bool {
        if self.suffixes.contains(&q) {
            return false;
        }
        for state in &mut self.states {
            state.row.push(Self::entry(&state.prefix, &q, oracle));
            for (prefix, row) in &mut state.children {
                row.push(Self::entry(prefix, &q, oracle));
            }
        }
        self.suffixes.push(q);
        true
    }

    /// An empty table with the same suffixes.
    pub fn restarted(&self, oracle: &dyn Oracle) -> Self {
        let mut table =
            Self { dimension: self.dimension, suffixes: self.suffixes.clone(), states: vec![], unknown: (0, 0) };
        table.add_state(Prefix { low: vec![0; self.dimension], level: 0, track: 0 }, oracle);
        table
    }

    /// Asks again for all entries that were unknown: the oracle knows more now.
    pub fn refresh(&mut self, oracle: &dyn Oracle) {
        for state in &mut self.states {
            let own = std::iter::once((&state.prefix, &mut state.row));
            for (prefix, row) in own.chain(state.children.iter_mut().map(|(prefix, row)| (&*prefix, row))) {
                for (entry, q) in row.iter_mut().zip(&self.suffixes) {
                    if *entry == UNKNOWN {
                        *entry = Self::entry(prefix, q, oracle);
                    }
                }
            }
        }
    }

    /// Adds states until every child looks like a state, and makes the hypothesis. `Ok(None)` when more than `most` states
    /// are needed.
    pub fn close(
        &mut self,
        most: usize,
        oracle: &dyn Oracle,
        monitor: &dyn Monitor,
    ) -> Result<Option<Hypothesis>, StopReason> {
        // Rows without unknown entries are found by hash; others are compared where both are known.
        let mut by_row: Vec<FxHashMap<Vec<u8>, u32>> = vec![FxHashMap::default(); self.dimension];
        let mut by_track: Vec<Vec<u32>> = vec![vec![]; self.dimension];
        let mut partial: Vec<Vec<u32>> = vec![vec![]; self.dimension];
        let mut listed = 0;
        let mut next: Vec<[u32; 2]> = Vec::new();
        let mut current = 0;
        self.unknown = (0, 0);
        while current < self.states.len() {
            monitor.check(current as u64, None)?;
            let mut successors = [0; 2];
            for (bit, successor) in successors.iter_mut().enumerate() {
                while listed < self.states.len() {
                    let state = &self.states[listed];
                    let number = u32::try_from(listed).expect("limited number of states");
                    by_track[state.prefix.track].push(number);
                    if state.row.contains(&UNKNOWN) {
                        partial[state.prefix.track].push(number);
                    }
                    by_row[state.prefix.track].entry(state.row.clone()).or_insert(number);
                    listed += 1;
                }
                let (prefix, row) = &self.states[current].children[bit];
                let missing = row.iter().map(|&e| u64::from(e == UNKNOWN)).sum::<u64>();
                self.unknown.0 += missing;
                self.unknown.1 += row.len() as u64;
                let exact = by_row[prefix.track].get(row.as_slice()).copied();
                let found = match exact {
                    Some(number) => Some(number),
                    None if missing == 0 => best(&self.states, &partial[prefix.track], row),
                    None => best(&self.states, &by_track[prefix.track], row),
                };
                *successor = if let Some(number) = found {
                    number
                } else {
                    if self.states.len() >= most {
                        return Ok(None);
                    }
                    let prefix = prefix.clone();
                    self.add_state(prefix, oracle);
                    u32::try_from(self.states.len() - 1).expect("limited number of states")
                };
            }
            next.push(successors);
            current += 1;
        }
        let label = self.states.iter().map(|state| state.row[0]).collect();
        Ok(Some(Hypothesis { dimension: self.dimension, next, label }))
    }

    /// A suffix that tells apart what the hypothesis took for one state, from a vector whose known label is not the
    /// hypothesis's; `None` when the labels that would show it are unknown.
    pub fn distinguishing_suffix(&self, hypothesis: &Hypothesis, y: &[i64], oracle: &dyn Oracle) -> Option<Vec<i64>> {
        let bits = 64 - y.iter().fold(0, |all, yi| all | yi).leading_zeros();
        let digits = bits as usize * self.dimension;
        let mut state = 0u32;
        let mut rest = y.to_vec();
        let mut last: Option<u8> = None;
        for k in 0..=digits {
            let here = self.states[state as usize].prefix.label(&rest, oracle);
            match (last, here) {
                (Some(a), Some(b)) if a != b => return Some(rest),
                _ => last = here,
            }
            let track = k % self.dimension;
            let bit = rest[track] & 1;
            rest[track] >>= 1;
            state = hypothesis.next[state as usize][usize::from(bit == 1)];
        }
        None
    }
}

/// The state whose row agrees with `row` wherever both are known, at the most places.
fn best(states: &[State], candidates: &[u32], row: &[u8]) -> Option<u32> {
    candidates
        .iter()
        .filter_map(|&number| {
            let mut common = 0;
            for (a, b) in states[number as usize].row.iter().zip(row) {
                if *a != UNKNOWN && *b != UNKNOWN {
                    if a != b {
                        return None;
                    }
                    common += 1;
                }
            }
            Some((common, std::cmp::Reverse(number)))
        })
        .max()
        .map(|(_, std::cmp::Reverse(number))| number)
}

pub(super) fn simplex(dimension: usize, width: i64, prefix: &mut Vec<i64>, out: &mut Vec<Vec<i64>>) {
    if prefix.len() == dimension {
        out.push(prefix.clone());
        return;
    }
    for x in 0..=width {
        prefix.push(x);
        simplex(dimension, width - x, prefix, out);
        prefix.pop();
    }
}
