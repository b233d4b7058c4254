//! The automatic engine: chooses by the rules and by the values seen so far.

use super::plain::Plain;
use super::ring::Ring;
use super::scan::Scan;
use super::space::Space;
use super::sparse::Sparse;
use super::take::Take;
use super::{Engine, Moves};
use crate::heap::HeapRules;
use semilinear::run::{Monitor, StopReason};

/// Below this length no sparse space is looked for.
const SHORT: usize = 1 << 11;

/// What the scan takes for one heap, in passes over all splits.
const CANDIDATES: usize = 6;

/// The engine in use, chosen anew whenever the sequence has doubled.
pub(super) struct Chooser {
    wanted: Engine,
    rules: HeapRules,
    moves: Option<Moves>,
    current: Current,
    /// The current engine was chosen up to this length.
    until: usize,
}

enum Current {
    None,
    Plain(Plain),
    Take(Take),
    Scan(Box<Scan>),
    Sparse(Box<Sparse>),
    Ring(Box<Ring>),
}

impl Chooser {
    pub fn new(rules: &HeapRules, wanted: Engine) -> Self {
        Self { wanted, rules: rules.clone(), moves: Moves::new(rules), current: Current::None, until: 0 }
    }

    /// The engine in use.
    pub fn name(&self) -> &'static str {
        match &self.current {
            Current::None => "none",
            Current::Plain(_) => "plain",
            Current::Take(_) => "take",
            Current::Scan(_) => "scan",
            Current::Sparse(_) => "sparse",
            Current::Ring(_) => "ring",
        }
    }

    /// Appends values until there are `len` of them.
    pub fn extend(&mut self, values: &mut Vec<u32>, len: usize, monitor: &dyn Monitor) -> Result<(), StopReason> {
        while values.len() < len {
            let n = values.len();
            if n >= self.until {
                self.choose(values);
                monitor.trace(&|| format!("engine {} from heap {n} on", self.name()));
            }
            let end = len.min(self.until);
            match &mut self.current {
                Current::None => unreachable!("an engine has been chosen"),
                Current::Plain(engine) => engine.extend(values, end, monitor)?,
                Current::Take(engine) => engine.extend(values, end, monitor)?,
                Current::Scan(engine) => engine.extend(values, end, monitor)?,
                Current::Sparse(engine) => {
                    if !engine.extend(values, end, monitor)? {
                        self.scan();
                        self.until = usize::MAX;
                    }
                }
                Current::Ring(engine) => {
                    engine.extend(values, end, monitor)?;
                    if values.len() < end {
                        // One heap was beyond the ring; another may follow soon.
                        self.sparse(values);
                        self.until = values.len() + values.len() / 8;
                    }
                }
            }
        }
        Ok(())
    }

    fn choose(&mut self, values: &[u32]) {
        let n = values.len();
        self.until = usize::MAX;
        let Some(moves) = &self.moves else { return self.plain() };
        match self.wanted {
            Engine::Plain => self.plain(),
            _ if !Scan::applies(moves) => self.plain(),
            _ if moves.only_takes() => self.current = Current::Take(Take::new(moves)),
            Engine::Scan => self.scan(),
            _ if !moves.splits_in_two() => self.scan(),
            _ if n < SHORT => {
                self.scan();
                self.until = SHORT;
            }
            Engine::Sparse => {
                self.sparse(values);
            }
            Engine::Auto => {
                self.until = (n + 1).next_power_of_two();
                if let Some(ring) = Ring::new(moves, values) {
                    self.current = Current::Ring(Box::new(ring));
                    return;
                }
                // Steps a heap: the sparse engine looks at rare heaps and then for witnesses, a few for each
                // value; the scan compares all splits, 16 bytes or 8 shorts a step, for several candidates.
                // The factor is measured: with it the change comes where both take the same time.
                let largest = values.iter().max().map_or(0, |&v| v as usize);
                let compared = n / 2 / if largest < 256 { 16 } else { 8 };
                let sparse = Space::best(moves, values).map(|(_, rare)| rare + 4 * largest);
                if sparse.is_some_and(|steps| steps < CANDIDATES * compared) {
                    self.sparse(values);
                } else {
                    self.scan();
                }
            }
        }
    }

    fn plain(&mut self) {
        self.current = Current::Plain(Plain::new(&self.rules));
    }

    fn scan(&mut self) {
        if let Some(moves) = &self.moves
            && !matches!(self.current, Current::Scan(_))
        {
            self.current = Current::Scan(Box::new(Scan::new(moves)));
        }
    }

    fn sparse(&mut self, values: &[u32]) {
        if matches!(self.current, Current::Sparse(_)) {
            return;
        }
        match self.moves.as_ref().and_then(|moves| Sparse::new(moves, values)) {
            Some(engine) => self.current = Current::Sparse(Box::new(engine)),
            None => self.scan(),
        }
    }
}
