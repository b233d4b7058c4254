//! The automatic engine: chooses by the rules and by measuring the engines on the next heaps.

use super::plain::Plain;
use super::ring::Ring;
use super::scan::Scan;
use super::sparse::Sparse;
use super::take::Take;
use super::values::{Heaps, Lane, Ran, Values, in_lanes};
use super::{Engine, Moves};
use crate::heap::HeapRules;
use semilinear::run::{Monitor, StopReason};

/// Below this length no sparse space is looked for.
const SHORT: usize = 1 << 11;

/// Heaps on which an engine is measured.
const TRIAL: usize = 16;
/// A step of the sparse engine takes about so many times as long as one of the scan (measured on codes such as 0.04, 0.14, 0.37).
const SPARSE_STEP: u64 = 2;
/// All of them are measured only when this many heaps are wanted.
const TRIALS: usize = TRIAL * (Scan::SHARES.len() + 1);

/// The engine in use, chosen anew whenever the sequence has doubled.
pub(super) struct Chooser {
    wanted: Engine,
    rules: HeapRules,
    moves: Option<Moves>,
    current: Current,
    /// The current engine was chosen up to this length.
    until: usize,
    scan: Option<Box<Scan>>,
    sparse: Option<Box<Sparse>>,
    ring: Option<AnyRing>,
    /// No ring before this heap: it gave up at the one before.
    ring_from: usize,
    /// A value was beyond the sparse engine.
    outgrown: bool,
}

/// A ring whose sets are as narrow as the values allow.
enum AnyRing {
    Narrow(Box<Ring<u32>>),
    Wide(Box<Ring<u64>>),
}

impl Heaps for AnyRing {
    fn run<L: Lane>(&mut self, values: &mut Vec<L>, len: usize, monitor: &dyn Monitor) -> Result<Ran, StopReason> {
        match self {
            Self::Narrow(ring) => ring.run(values, len, monitor),
            Self::Wide(ring) => ring.run(values, len, monitor),
        }
    }
}

enum Current {
    None,
    Plain(Plain),
    Take(Take),
    Scan,
    Sparse,
    Ring,
}

impl Chooser {
    pub fn new(rules: &HeapRules, wanted: Engine) -> Self {
        let moves = Moves::new(rules);
        let (current, rules) = (Current::None, rules.clone());
        Self {
            wanted,
            rules,
            moves,
            current,
            until: 0,
            scan: None,
            sparse: None,
            ring: None,
            ring_from: 0,
            outgrown: false,
        }
    }

    /// The engine in use.
    pub fn name(&self) -> &'static str {
        match &self.current {
            Current::None => "none",
            Current::Plain(_) => "plain",
            Current::Take(_) => "take",
            Current::Scan => "scan",
            Current::Sparse => "sparse",
            Current::Ring => "ring",
        }
    }

    /// Appends values until there are `len` of them.
    pub fn extend(&mut self, values: &mut Values, len: usize, monitor: &dyn Monitor) -> Result<(), StopReason> {
        while values.len() < len {
            let n = values.len();
            if n >= self.until {
                self.choose(values, len, monitor)?;
                monitor.trace(&|| format!("engine {} from heap {n} on", self.name()));
            }
            let end = len.min(self.until);
            if values.len() >= end {
                continue;
            }
            let finished = match &mut self.current {
                Current::None => unreachable!("an engine has been chosen"),
                Current::Plain(engine) => values.extend_by(engine, end, monitor)?,
                Current::Take(engine) => values.extend_by(engine, end, monitor)?,
                Current::Scan => self.scan_values(values, end, monitor)?,
                Current::Sparse => self.sparse_values(values, end, monitor)?,
                Current::Ring => match &mut self.ring {
                    Some(ring) => values.extend_by(ring, end, monitor)?,
                    None => false,
                },
            };
            if !finished {
                // A value beyond the engine: the others do not mind it. A new ring that has not seen it would give up at once.
                self.ring = None;
                self.until = values.len();
                self.ring_from = values.len() + 1;
            }
        }
        Ok(())
    }

    fn choose(&mut self, values: &mut Values, len: usize, monitor: &dyn Monitor) -> Result<(), StopReason> {
        let n = values.len();
        self.until = usize::MAX;
        let plain = Current::Plain(Plain::new(&self.rules));
        let Some(moves) = &self.moves else {
            self.current = plain;
            return Ok(());
        };
        let measured = n >= SHORT && len - n >= TRIALS;
        let wanted = self.wanted;
        self.current = match wanted {
            Engine::Plain => plain,
            _ if !Scan::applies(moves) => plain,
            _ if moves.only_takes() => Current::Take(Take::new(moves)),
            _ if !moves.splits_in_two() => Current::Scan,
            Engine::Sparse if n >= SHORT && !self.outgrown => Current::Sparse,
            Engine::Auto if n >= SHORT && n < self.ring_from => {
                self.until = self.ring_from;
                if self.outgrown { Current::Scan } else { Current::Sparse }
            }
            Engine::Auto if n >= SHORT && self.find_ring(values) => Current::Ring,
            _ if measured => {
                self.until = (n + 1).next_power_of_two();
                self.measured(values, monitor)?
            }
            _ => {
                // Too few heaps to measure on: another time.
                self.until = if n < SHORT { SHORT } else { n + TRIALS };
                match self.current {
                    Current::Sparse if !self.outgrown => Current::Sparse,
                    _ => Current::Scan,
                }
            }
        };
        Ok(())
    }

    fn find_ring(&mut self, values: &Values) -> bool {
        let Some(moves) = &self.moves else { return false };
        let narrow = in_lanes!(values, list => Ring::new(moves, list)).map(|ring| AnyRing::Narrow(Box::new(ring)));
        let wide = || in_lanes!(values, list => Ring::new(moves, list)).map(|ring| AnyRing::Wide(Box::new(ring)));
        self.ring = narrow.or_else(wide);
        self.ring.is_some()
    }

    /// Lets the sparse engine compute the next heaps, then the scan with several shares of marking where it may be
    /// faster, and chooses what took the least work.
    fn measured(&mut self, values: &mut Values, monitor: &dyn Monitor) -> Result<Current, StopReason> {
        let per_heap = |work: u64, heaps: usize| work / heaps.max(1) as u64;
        let n = values.len();
        let before = self.sparse.as_ref().map_or(0, |engine| engine.work());
        let sparse = if self.outgrown || self.wanted != Engine::Auto {
            u64::MAX
        } else if self.sparse_values(values, n + TRIAL, monitor)? {
            per_heap(self.sparse.as_ref().map_or(0, |engine| engine.work()) - before, TRIAL).saturating_mul(SPARSE_STEP)
        } else {
            u64::MAX
        };
        // The scan compares every split with g(n) at least.
        let splits = self.moves.as_ref().map_or(0, |moves| moves.two.len() as u64 * n as u64 / 2);
        if sparse < splits * values.bytes_each() as u64 {
            return Ok(Current::Sparse);
        }
        let mut best: Option<(u64, u32)> = None;
        for share in Scan::SHARES {
            let scan = self.scan();
            scan.set_share(share);
            let n = values.len();
            self.scan_values(values, n + TRIAL, monitor)?;
            let work = per_heap(self.scan().work(), TRIAL);
            if best.is_none_or(|(least, _)| work < least) {
                best = Some((work, share));
            }
        }
        let (work, share) = best.expect("there are shares");
        self.scan().set_share(share);
        monitor.trace(&|| format!("work a heap: sparse {sparse}, scan {work} (share 2^-{share})"));
        Ok(if sparse <= work { Current::Sparse } else { Current::Scan })
    }

    fn scan(&mut self) -> &mut Scan {
        let moves = self.moves.as_ref().expect("the scan is for codes");
        self.scan.get_or_insert_with(|| Box::new(Scan::new(moves)))
    }

    fn scan_values(&mut self, values: &mut Values, end: usize, monitor: &dyn Monitor) -> Result<bool, StopReason> {
        values.extend_by(self.scan(), end, monitor)
    }

    fn sparse_values(&mut self, values: &mut Values, end: usize, monitor: &dyn Monitor) -> Result<bool, StopReason> {
        let moves = self.moves.as_ref().expect("the sparse engine is for codes");
        let engine = self.sparse.get_or_insert_with(|| Box::new(Sparse::new(moves)));
        let finished = values.extend_by(&mut **engine, end, monitor)?;
        self.outgrown |= !finished;
        Ok(finished)
    }
}
