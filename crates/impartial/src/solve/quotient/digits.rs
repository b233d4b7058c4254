//! Automata for functions of ℕʳ that read binary digits.

use rustc_hash::FxHashMap;

use super::guess::points;
use super::monoid::index;
use super::shift::Shift;
use semilinear::run::{Monitor, StopReason};

/// The following states, and the colour, of each state.
pub(super) type Automaton = (Vec<Vec<u32>>, Vec<u32>);

/// No automaton with more states is tried.
const MOST_STATES: usize = 4000;

/// An automaton for a function of ℕʳ: states are prefixes w of j digits, told apart by q ↦ f(w + 2ʲq) on a box.
pub(super) fn automaton(r: usize, f: &Shift, monitor: &dyn Monitor) -> Result<Option<Automaton>, StopReason> {
    let tests = points(
        r,
        match r {
            0 | 1 => 64,
            2 => 12,
            3 => 6,
            _ => 4,
        },
    );
    let key = |w: &[u64], j: u32| -> Vec<u32> {
        tests.iter().map(|q| f.at(&w.iter().zip(q).map(|(&w, &q)| w + ((q as u64) << j)).collect::<Vec<_>>())).collect()
    };
    let mut names: FxHashMap<Vec<u32>, u32> = FxHashMap::default();
    let mut states = vec![(vec![0_u64; r], 0_u32)];
    let first = key(&states[0].0, 0);
    let mut output = vec![first[0]];
    names.insert(first, 0);
    let mut next = Vec::new();
    while next.len() < states.len() {
        monitor.check(next.len() as u64, None)?;
        let (w, j) = states[next.len()].clone();
        if states.len() > MOST_STATES || j > 40 {
            return Ok(None);
        }
        let row = (0..1_u64 << r)
            .map(|d| {
                let longer: Vec<u64> = w.iter().enumerate().map(|(i, &w)| w + ((d >> i & 1) << j)).collect();
                let key = key(&longer, j + 1);
                let fresh = index(states.len());
                let colour = key[0];
                let name = *names.entry(key).or_insert(fresh);
                if name == fresh {
                    states.push((longer, j + 1));
                    output.push(colour);
                }
                name
            })
            .collect();
        next.push(row);
    }
    Ok(Some((next, output)))
}
