//! Misère strategies of heap games as sets of lattice points: the fibres of ℕᵈ → Q over the P-portion.

use rustc_hash::FxHashMap;
use thiserror::Error;

use super::{AutomatonStrategy, CountersStrategy, Proved, QuotientError, QuotientStrategy, StratificationStrategy};
use crate::error::{Error, Result};
use crate::lattice::{HeapLattice, LatticeError, LatticeGame};
use crate::outcome::Play;
use crate::solve::quotient::{Bits, Counters, HeapValue, Monoid};
use semilinear::run::{Monitor, StopReason};
use semilinear::semigroup::{Stratification, stratification_of};
use semilinear::vectorset::{Effort, MAX_DIMENSION, Relation, VectorSet};

/// What a coordinate is worth.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Part {
    Element(u32),
    Counter(usize),
}

/// How elements and counts give the outcome.
enum Rule<'a> {
    Portion(&'a Bits),
    Counters(&'a Counters),
}

/// A misère strategy of a heap game, for the lattice game of its heaps up to a bound: coordinate i counts the heaps
/// of the i-th size that has a move.
///
/// ```
/// use impartial::{game::quotient_strategy, run::{Run, Unlimited}, strategy::Fibres, vectorset::Effort};
/// let Run::Finished(kayles) = quotient_strategy("0.77".parse().unwrap(), Some(5), &Unlimited) else { panic!() };
/// let fibres = Fibres::of_quotient(&kayles, 5, &Unlimited).unwrap();
/// let strata = fibres.stratification(&Effort::unlimited()).unwrap();
/// assert!(strata.strata().contains(&[0.into(), 2.into(), 0.into(), 0.into(), 0.into()])); // 2 + 2 is a P-position
/// ```
pub struct Fibres<'a> {
    game: LatticeGame,
    monoid: &'a Monoid,
    parts: Vec<Part>,
    rule: Rule<'a>,
}

/// Why a strategy has no lattice form.
#[derive(Debug, Error)]
pub enum FibresError {
    /// A heap whose value is beside counters.
    #[error(
        "heap {0} follows counters, and such heaps are not converted yet; bound the heaps with --max-heap below it"
    )]
    Follower(u64),
    /// The heaps are not reached.
    #[error(transparent)]
    Quotient(#[from] QuotientError),
    /// The lattice game cannot be made.
    #[error(transparent)]
    Lattice(#[from] LatticeError),
    /// Too many coordinates for vector sets.
    #[error(
        "{0} heap sizes have a move, and sets of vectors have at most {MAX_DIMENSION} coordinates; give a smaller --max-heap"
    )]
    Dimension(usize),
}

impl From<FibresError> for Error {
    fn from(error: FibresError) -> Self {
        match error {
            FibresError::Lattice(LatticeError::Stopped(why)) => why.into(),
            other => Self::input(other),
        }
    }
}

/// A state of the automaton: level, track, element, state of the counters, digits of the counters in this block.
type Key = (usize, usize, u32, u32, usize);

/// More strata than this are not listed.
const MOST_STRATA: u64 = 200_000;

impl<'a> Fibres<'a> {
    /// Of a finite quotient.
    pub fn of_quotient(
        strategy: &'a QuotientStrategy,
        max_heap: u64,
        monitor: &dyn Monitor,
    ) -> Result<Self, FibresError> {
        let lattice = HeapLattice::new(strategy.rules(), max_heap, Some(Play::Misere), monitor)?;
        let quotient = strategy.quotient();
        let part = |&heap: &u64| Ok(Part::Element(quotient.values()[strategy.folded(&heap.into())?]));
        let parts = lattice.sizes.iter().map(part).collect::<Result<_, QuotientError>>()?;
        Self::new(&lattice, quotient.monoid(), parts, Rule::Portion(quotient.p()), monitor)
    }

    /// Of a monoid with counters.
    pub fn of_counters(
        strategy: &'a CountersStrategy,
        max_heap: u64,
        monitor: &dyn Monitor,
    ) -> Result<Self, FibresError> {
        let lattice = HeapLattice::new(strategy.rules(), max_heap, Some(Play::Misere), monitor)?;
        let counters = strategy.counters();
        let part = |&heap: &u64| {
            let listed = strategy.folded(&heap.into())?;
            match &counters.values[listed] {
                HeapValue::Element(element) => Ok(Part::Element(*element)),
                HeapValue::Counter(i) if listed as u64 == heap => Ok(Part::Counter(*i)),
                _ => Err(FibresError::Follower(heap)),
            }
        };
        let parts = lattice.sizes.iter().map(part).collect::<Result<_, FibresError>>()?;
        Self::new(&lattice, &counters.monoid, parts, Rule::Counters(counters), monitor)
    }

    fn new(
        lattice: &HeapLattice,
        monoid: &'a Monoid,
        parts: Vec<Part>,
        rule: Rule<'a>,
        monitor: &dyn Monitor,
    ) -> Result<Self, FibresError> {
        if parts.len() > MAX_DIMENSION {
            return Err(FibresError::Dimension(parts.len()));
        }
        Ok(Self { game: LatticeGame::new(&lattice.description, monitor)?, monoid, parts, rule })
    }

    /// The lattice game.
    pub fn game(&self) -> &LatticeGame {
        &self.game
    }

    /// The P-positions as an automaton: it multiplies by Φ(h)^(2ʲ) when digit j of a coordinate is 1, and reads the
    /// counters as the counter form does.
    ///
    /// # Complexity
    /// At most |Q|·d·l states before minimisation, l the number of different levels j (times the states of the counter form).
    pub fn vector_set(&self, effort: &Effort<'_>) -> Result<VectorSet, StopReason> {
        let d = self.parts.len();
        // The powers by level; after the last level the levels from `back` on come again.
        let first: Vec<u32> = self.parts.iter().map(|p| if let Part::Element(x) = p { *x } else { 0 }).collect();
        let mut levels = vec![first];
        let back = loop {
            let next: Vec<u32> = levels[levels.len() - 1].iter().map(|&x| self.monoid.product(x, x)).collect();
            match levels.iter().position(|level| *level == next) {
                Some(back) => break back,
                None => levels.push(next),
            }
        };
        let mut number: FxHashMap<Key, u32> = FxHashMap::default();
        let mut keys: Vec<Key> = vec![(0, 0, 0, 0, 0)];
        number.insert(keys[0], 0);
        let mut next: Vec<[u32; 2]> = Vec::new();
        while next.len() < keys.len() {
            effort.allow(keys.len())?;
            let (level, track, x, state, word) = keys[next.len()];
            let successors = [0_usize, 1].map(|digit| {
                let (x, word) = match self.parts[track] {
                    Part::Element(_) if digit == 1 => (self.monoid.product(x, levels[level][track]), word),
                    Part::Element(_) => (x, word),
                    Part::Counter(i) => (x, word | digit << i),
                };
                let key = if track + 1 < d {
                    (level, track + 1, x, state, word)
                } else {
                    let state = match &self.rule {
                        Rule::Portion(_) => 0,
                        Rule::Counters(c) => c.next[state as usize][word],
                    };
                    (if level + 1 < levels.len() { level + 1 } else { back }, 0, x, state, 0)
                };
                let fresh = u32::try_from(keys.len()).expect("the effort is smaller");
                *number.entry(key).or_insert_with(|| {
                    keys.push(key);
                    fresh
                })
            });
            next.push(successors);
        }
        let accepts = |&(_, track, x, state, _): &Key| {
            track == 0
                && match &self.rule {
                    Rule::Portion(p) => p.has(x as usize),
                    Rule::Counters(c) => c.slices[c.output[state as usize] as usize].has(x as usize),
                }
        };
        let accepting: Vec<u32> = (0..).zip(&keys).filter(|(_, key)| accepts(key)).map(|(i, _): (u32, _)| i).collect();
        let set = VectorSet::from_table(d, &next, &accepting, effort)?;
        Ok(set.expect("zeros after the last digit change neither the element nor the slice"))
    }

    /// The automaton, proved anew by the equation of the P-positions.
    pub fn automaton(&self, effort: &Effort<'_>) -> Result<Proved<AutomatonStrategy>> {
        AutomatonStrategy::proved(self.game.clone(), self.vector_set(effort)?, effort)
    }

    /// The P-positions as strata: coordinate by coordinate, each class of elements with the least index and period that its
    /// outcomes have there, and the strata of the sets S_g at the end; then merged.
    ///
    /// # Complexity
    /// |Q|·d·(index + period) for the classes; the number of strata is known, and limited, before they are listed.
    ///
    /// The strata are proved by comparison with the automaton.
    pub fn stratification(&self, effort: &Effort<'_>) -> Result<Proved<StratificationStrategy>> {
        let order = self.monoid.order();
        let d = self.parts.len();
        // The coordinate of a counter; none when the counter is a larger heap than all of them, so that there are no such heaps.
        let place = |i: usize| self.parts.iter().position(|part| matches!(part, Part::Counter(j) if *j == i));
        // Leaves: class 0 has no P-position.
        let mut leaves: Vec<Vec<Stratum>> = vec![vec![]];
        let mut class: Vec<u32> = match &self.rule {
            Rule::Portion(p) => {
                leaves.push(vec![(vec![0; d], vec![])]);
                (0..order).map(|x| u32::from(p.has(x))).collect()
            }
            Rule::Counters(counters) => {
                let mut known: FxHashMap<VectorSet, u32> = FxHashMap::default();
                let mut class = Vec::with_capacity(order);
                let r = counters.counters.len();
                let places: Vec<Option<usize>> = (0..r).map(place).collect();
                for x in 0..order {
                    let mut set = counters.set_of(x, effort)?;
                    for absent in (0..r).filter(|&i| places[i].is_none()) {
                        let count: Vec<i64> = (0..r).map(|i| i64::from(i == absent)).collect();
                        set = set.intersection(&VectorSet::linear(&count, 0, Relation::Zero, effort)?, effort)?;
                    }
                    if set.is_empty() {
                        class.push(0);
                    } else if let Some(&name) = known.get(&set) {
                        class.push(name);
                    } else {
                        let name = u32::try_from(leaves.len()).expect("few sets");
                        leaves.push(placed(&stratification_of(&set, effort)?, &places, d));
                        known.insert(set, name);
                        class.push(name);
                    }
                }
                class
            }
        };
        let mut counts: Vec<u64> = leaves.iter().map(|leaf| leaf.len() as u64).collect();
        let mut stages: Vec<(usize, Vec<Sequence>)> = Vec::new();
        for (track, part) in self.parts.iter().enumerate().rev() {
            let Part::Element(v) = *part else { continue };
            effort.monitor.check(track as u64, None)?;
            let row = self.monoid.row(v);
            let mut names: FxHashMap<Sequence, u32> = FxHashMap::default();
            let mut list = vec![Sequence { head: vec![], cycle: vec![0] }];
            names.insert(list[0].clone(), 0);
            let mut new = Vec::with_capacity(order);
            for x in 0..order {
                let sequence = Sequence::of(x, &row, &class);
                new.push(*names.entry(sequence).or_insert_with_key(|sequence| {
                    list.push(sequence.clone());
                    u32::try_from(list.len() - 1).expect("few classes")
                }));
            }
            let size =
                |s: &Sequence| s.head.iter().chain(&s.cycle).fold(0_u64, |n, &c| n.saturating_add(counts[c as usize]));
            counts = list.iter().map(size).collect();
            class = new;
            stages.push((track, list));
        }
        if counts[class[0] as usize] > MOST_STRATA {
            return Err(StopReason::Size { what: "strata", limit: MOST_STRATA }.into());
        }
        let mut strata = Vec::new();
        listed(&stages, &leaves, class[0], &mut (vec![0; d], vec![]), &mut strata, effort.monitor)?;
        let strata = Stratification::of_disjoint(d, strata).expect("strata of coordinates are strata");
        if strata.vector_set(effort)? != *self.automaton(effort)?.set() {
            return Err(Error::Refused { reason: "the strata are not the P-positions".into(), position: None });
        }
        Ok(Proved::by_check(StratificationStrategy::of_strata(self.game.clone(), strata, effort)?))
    }
}

/// A stratum f + ℕV.
type Stratum = (Vec<i64>, Vec<Vec<i64>>);

/// The classes of x, xv, xv², …
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Sequence {
    head: Vec<u32>,
    cycle: Vec<u32>,
}

impl Sequence {
    /// The shortest description of the classes of the orbit of x under `row`.
    fn of(x: usize, row: &[u32], class: &[u32]) -> Self {
        let mut seen: FxHashMap<usize, usize> = FxHashMap::default();
        let (mut at, mut classes) = (x, Vec::new());
        let start = loop {
            if let Some(&start) = seen.get(&at) {
                break start;
            }
            seen.insert(at, classes.len());
            classes.push(class[at]);
            at = row[at] as usize;
        };
        let mut cycle = classes.split_off(start);
        let n = cycle.len();
        let period = (1..=n).find(|p| n.is_multiple_of(*p) && (*p..n).all(|i| cycle[i] == cycle[i - p])).unwrap_or(n);
        cycle.truncate(period);
        while classes.last().is_some_and(|last| Some(last) == cycle.last()) {
            classes.pop();
            cycle.rotate_right(1);
        }
        Self { head: classes, cycle }
    }
}

/// The strata of a set of counts, in all coordinates. Counters without a place are zero in it.
fn placed(strata: &Stratification, places: &[Option<usize>], d: usize) -> Vec<Stratum> {
    let wide = |v: &Vec<i64>| {
        let mut wide = vec![0; d];
        for (place, &n) in places.iter().zip(v) {
            if let Some(place) = place {
                wide[*place] = n;
            }
        }
        wide
    };
    strata
        .modules()
        .iter()
        .flat_map(|module| {
            let generators: Vec<Vec<i64>> = module.generators.iter().map(wide).collect();
            module.bases.iter().map(move |base| (wide(base), generators.clone()))
        })
        .collect()
}

/// All strata of a class at the last stage of the list.
fn listed(
    stages: &[(usize, Vec<Sequence>)],
    leaves: &[Vec<Stratum>],
    class: u32,
    stratum: &mut Stratum,
    strata: &mut Vec<Stratum>,
    monitor: &dyn Monitor,
) -> Result<(), StopReason> {
    if class == 0 {
        return Ok(());
    }
    let Some(((track, list), rest)) = stages.split_last() else {
        monitor.check(strata.len() as u64, None)?;
        strata.extend(leaves[class as usize].iter().map(|(base, generators)| {
            let sum = stratum.0.iter().zip(base).map(|(a, b)| a + b).collect();
            (sum, [&stratum.1[..], &generators[..]].concat())
        }));
        return Ok(());
    };
    let sequence = &list[class as usize];
    let all = sequence.head.iter().chain(&sequence.cycle);
    for (n, &class) in (0_i64..).zip(all) {
        stratum.0[*track] = n;
        let cycles = n >= i64::try_from(sequence.head.len()).unwrap_or(i64::MAX);
        if cycles {
            let mut generator = vec![0; stratum.0.len()];
            generator[*track] = i64::try_from(sequence.cycle.len()).unwrap_or(i64::MAX);
            stratum.1.push(generator);
        }
        listed(rest, leaves, class, stratum, strata, monitor)?;
        if cycles {
            stratum.1.pop();
        }
    }
    stratum.0[*track] = 0;
    Ok(())
}
