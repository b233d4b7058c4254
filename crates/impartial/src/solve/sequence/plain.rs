//! The plain loop: the reference that every other engine must agree with.

use super::Moves;
use super::values::{Heaps, Lane, Ran};
use crate::heap::HeapRules;
use semilinear::run::{Monitor, StopReason};

/// Steps for the options of one heap of a general rule; beyond, the run stops instead of filling the memory.
const OPTION_WORK: u64 = 100_000_000;

/// Computes g(n) as the least value that no option has, option by option.
///
/// # Complexity
/// For a code with t digits that leaves up to h heaps, O(t·nʰ) for all heaps up to n (h ≥ 1).
pub(super) struct Plain {
    rules: HeapRules,
    moves: Option<Moves>,
    marks: Marks,
}

impl Plain {
    pub fn new(rules: &HeapRules) -> Self {
        Self { rules: rules.clone(), moves: Moves::new(rules), marks: Marks::default() }
    }
}

impl Heaps for Plain {
    fn run<L: Lane>(&mut self, values: &mut Vec<L>, len: usize, monitor: &dyn Monitor) -> Result<Ran, StopReason> {
        while values.len() < len {
            let n = values.len();
            monitor.check(n as u64, Some(len as u64))?;
            self.marks.clear();
            match &self.moves {
                Some(moves) => mark_code(&mut self.marks, moves, values, n, monitor)?,
                None => mark_options(&mut self.marks, &self.rules, values, n)?,
            }
            let value = self.marks.mex();
            let Ok(narrow) = L::try_from(value) else { return Ok(Ran::Wide(value)) };
            values.push(narrow);
        }
        Ok(Ran::Done)
    }
}

/// The set of the values of a heap's options: emptied in constant time.
#[derive(Default)]
struct Marks {
    /// `seen[v] == stamp`: v is in the set.
    seen: Vec<u64>,
    stamp: u64,
}

impl Marks {
    fn clear(&mut self) {
        self.stamp += 1;
    }

    #[inline]
    fn insert(&mut self, value: u32) {
        let value = value as usize;
        if value >= self.seen.len() {
            self.seen.resize(2 * (value + 1), 0);
        }
        self.seen[value] = self.stamp;
    }

    fn mex(&self) -> usize {
        self.seen.iter().position(|&at| at != self.stamp).unwrap_or(self.seen.len())
    }
}

fn mark_options<L: Lane>(marks: &mut Marks, rules: &HeapRules, values: &[L], n: usize) -> Result<(), StopReason> {
    let limit = StopReason::Size { what: "steps for the options of one heap", limit: OPTION_WORK };
    for option in rules.options_within(n as u64, OPTION_WORK).ok_or(limit)? {
        let value = |heap: u64| values[usize::try_from(heap).expect("an option has smaller heaps")].into();
        marks.insert(option.iter().fold(0_u32, |sum, &heap| sum ^ value(heap)));
    }
    Ok(())
}

fn mark_code<L: Lane>(
    marks: &mut Marks,
    moves: &Moves,
    values: &[L],
    n: usize,
    monitor: &dyn Monitor,
) -> Result<(), StopReason> {
    if moves.takes_all(n) {
        marks.insert(0);
    }
    for k in 0..n.min(moves.digits_before(n)) {
        let digit = moves.digit(k);
        let rest = n - k;
        if digit & 2 != 0 {
            marks.insert(values[rest].into());
        }
        if digit & 4 != 0 {
            let smaller = if moves.unequal { (rest - 1) / 2 } else { rest / 2 };
            for a in 1..=smaller {
                marks.insert((values[a] ^ values[rest - a]).into());
            }
        }
        for heaps in 3..8 {
            if digit >> heaps & 1 == 1 {
                mark_divisions(marks, values, rest, 1, heaps, L::default(), monitor)?;
            }
        }
    }
    Ok(())
}

/// Every division of `rest` into `heaps` heaps of at least `least` beans each.
fn mark_divisions<L: Lane>(
    marks: &mut Marks,
    values: &[L],
    rest: usize,
    least: usize,
    heaps: usize,
    sum: L,
    monitor: &dyn Monitor,
) -> Result<(), StopReason> {
    if heaps == 2 {
        for part in least..=rest / 2 {
            marks.insert((sum ^ values[part] ^ values[rest - part]).into());
        }
        return Ok(());
    }
    monitor.check(values.len() as u64, None)?;
    for part in least..=rest / heaps {
        mark_divisions(marks, values, rest - part, part, heaps - 1, sum ^ values[part], monitor)?;
    }
    Ok(())
}
