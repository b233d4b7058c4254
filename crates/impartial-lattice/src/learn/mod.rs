//! Learn and certify: the set of P-positions on an infinite board, found from finite data and then proved.
//!
//! 1. *Oracle*: the exact recursion on a finite region, which grows when the learner needs more.
//! 2. *Learner*: states are prefixes of digits told apart by suffixes; the closed table is an automaton S.
//! 3. *Comparison*: S against known data, then the exact [`certificate`]: if B∖S = (S + Γ) ∩ B holds, S **is** the set
//!    of P-positions (thesis, Theorem 3.6), on the whole board.
//! 4. Otherwise a counterexample gives a suffix that tells two states apart, or asks for a larger region; go to 2.
//!
//! If the set of P-positions is semilinear (or just recognisable) this ends with a proof. It need not be (Fink 2012),
//! so there are limits; at a limit the answer is [`Run::Stopped`] with the measured growth of residuals.
//!
//! ```
//! use impartial_lattice::InnerGame;
//! use semilinear::run::{Run, Unlimited};
//! use impartial_lattice::learn::{p_positions, Limits};
//! let game = InnerGame::on_orthant(vec![vec![1, 0], vec![0, 1], vec![2, 2]], vec![], &[1, 1]).unwrap();
//! let Run::Finished(set) = p_positions(&game, &Limits::default(), &Unlimited) else { panic!() };
//! assert!(set.contains_small(&[600_000_000_000, 600_000_000_002]));
//! assert_eq!(set.block_states(), 16);
//! ```

pub mod certificate;
mod fold;
mod growth;
mod hypothesis;
mod oracle;
mod stepwise;
mod table;

use std::ops::ControlFlow;

use crate::game::InnerGame;
use semilinear::run::{Monitor, Run, StopReason};
use semilinear::vectorset::{Effort, Labelling, VectorSet};

pub use growth::{Growth, Outlook};

use fold::{Folded, Shape};
use hypothesis::Hypothesis;
use oracle::{Known, Sample, Target};
use table::{Oracle, Table};

/// How far the learner may go.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// States of the observation table (over all tracks).
    pub states: usize,
    /// Positions that the oracle may know at once.
    pub positions: u64,
    /// Combinations of states that the certificate's check may visit.
    pub combinations: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self { states: 200_000, positions: 1 << 32, combinations: 1 << 24 }
    }
}

/// What a stopped learner knows.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Partial {
    /// States of the last table.
    pub states: usize,
    /// Positions whose outcome was computed.
    pub positions: u64,
    /// New residuals a digit.
    pub growth: Growth,
}

/// The set of P-positions of a game in inner coordinates, proved for the whole board.
///
/// # Complexity
/// Polynomial in the size of the minimal automaton and of the region that shows all of its states.
pub fn p_positions(game: &InnerGame, limits: &Limits, monitor: &dyn Monitor) -> Run<VectorSet, Partial> {
    let set = |values: &Labelling| values.set(1, &Effort::new(limits.combinations, monitor));
    match learned(game, Target::Outcomes, limits, monitor) {
        Run::Finished(values) => match set(&values) {
            Ok(set) => Run::Finished(set),
            Err(why) => Run::Stopped(why, Partial::default()),
        },
        Run::Stopped(why, partial) => Run::Stopped(why, partial),
    }
}

/// The Grundy values of a game in inner coordinates, proved for the whole board: the function that is k + 1 at
/// positions of value k and 0 at vectors that are no positions. A value is at most the number of rules, so there are
/// finitely many; the sets {x : g(x) = k} need not be recognisable even when that of the P-positions (k = 0) is, and then
/// the run stops at a limit. Defeated positions are not on the board: moves to them do not count.
///
/// # Complexity
/// As [`p_positions`], with two bytes a position instead of a bit.
///
/// ```
/// use impartial_lattice::InnerGame;
/// use semilinear::run::{Run, Unlimited};
/// use impartial_lattice::learn::{grundy_values, Limits};
/// let game = InnerGame::on_orthant(vec![vec![1, 0], vec![0, 1], vec![1, 1]], vec![], &[1, 1]).unwrap();
/// let Run::Finished(values) = grundy_values(&game, &Limits::default(), &Unlimited) else { panic!() };
/// assert_eq!(values.labels(), [1, 2, 3, 4]); // values 0, 1, 2, 3
/// assert_eq!(values.label_small(&[600_000_000_002, 600_000_000_001]) - 1, 3);
/// ```
pub fn grundy_values(game: &InnerGame, limits: &Limits, monitor: &dyn Monitor) -> Run<Labelling, Partial> {
    learned(game, Target::Values, limits, monitor)
}

fn learned(game: &InnerGame, target: Target, limits: &Limits, monitor: &dyn Monitor) -> Run<Labelling, Partial> {
    let mut session = Session { game, target, limits, monitor, partial: Partial::default() };
    match session.learn() {
        Ok(function) => Run::Finished(function),
        Err(why) => Run::Stopped(why, session.partial),
    }
}

struct Session<'a> {
    game: &'a InnerGame,
    target: Target,
    limits: &'a Limits,
    monitor: &'a dyn Monitor,
    partial: Partial,
}

/// How one round with a fixed region ended.
enum Round {
    Proved(Labelling),
    /// The region shows too little; it must contain this vector, if one is named.
    TooSmall,
}

impl Session<'_> {
    fn learn(&mut self) -> Result<Labelling, StopReason> {
        let effort = Effort::new(self.limits.combinations, self.monitor);
        let board = certificate::board(self.game, &effort)?;
        let weights = oracle::weights(self.game, self.monitor)?;
        let mut positions = 1u64 << 11;
        let mut table: Option<Table> = None;
        loop {
            let known = Known::new(self.game, &weights, positions, self.target, self.monitor)?;
            self.partial.positions = known.positions();
            let oracle = &known;
            // The growth of residuals is measured first, so that a run that is stopped later can report it.
            self.partial.growth = Growth::measure(self.game.dimension(), oracle, &weights, known.level(), self.monitor);
            let mut current = match table.take() {
                Some(mut table) => {
                    table.refresh(oracle);
                    table
                }
                None => Table::new(self.game.dimension(), self.first_width(), oracle),
            };
            let sample = known.sample();
            if let Some(function) = self.folded_round(&sample, &board, &known)? {
                return Ok(function);
            }
            match self.round(&mut current, oracle, &board, &known, &sample)? {
                Round::Proved(function) => return Ok(function),
                Round::TooSmall => {}
            }
            // Guesses made from unknown entries are worth little with more data: begin anew, but keep the suffixes.
            table = Some(current.restarted(oracle));
            if positions >= self.limits.positions {
                return Err(StopReason::Size { what: "positions of the region", limit: self.limits.positions });
            }
            positions = positions.saturating_mul(4).min(self.limits.positions);
        }
    }

    /// A round with labels from axes that look periodic, in dimensions where regions show little of each axis.
    fn folded_round(
        &mut self,
        sample: &Sample,
        board: &VectorSet,
        known: &Known<'_>,
    ) -> Result<Option<Labelling>, StopReason> {
        let d = self.game.dimension();
        // A box takes 5 bytes a vector; it may be larger than the region that suggests it, but not by far.
        let most = known.positions().saturating_mul(64).min(self.limits.positions).min(1 << 27);
        if d < 3 {
            return Ok(None);
        }
        let Some(shape) = Shape::new(self.game, known, sample, self.monitor)? else { return Ok(None) };
        for side in shape.sides(most) {
            let folded = Folded::new(self.game, &shape, side, self.target, self.monitor)?;
            let mut table = Table::new(d, self.first_width(), &folded);
            if let Round::Proved(function) = self.round(&mut table, &folded, board, known, sample)? {
                return Ok(Some(function));
            }
            // When nearly all that was asked for is known, the axes are wrong, and a larger box would not help.
            if table.unknown.0 * 32 < table.unknown.1 {
                break;
            }
        }
        Ok(None)
    }

    /// The width of the first suffixes: larger in few dimensions, where they are few.
    fn first_width(&self) -> i64 {
        match self.game.dimension() {
            1 => 8,
            2 => 3,
            3..=6 => 2,
            _ => 1,
        }
    }

    fn round(
        &mut self,
        table: &mut Table,
        oracle: &dyn Oracle,
        board: &VectorSet,
        known: &Known<'_>,
        sample: &Sample,
    ) -> Result<Round, StopReason> {
        loop {
            let Some(hypothesis) = table.close(self.limits.states, oracle, self.monitor)? else {
                return Ok(Round::TooSmall);
            };
            self.partial.states = table.states();
            // Only known data first: a wrong hypothesis is cheap to refute here.
            let mut refuted = false;
            let mut learned = 0;
            for (y, label) in sample.iter() {
                if hypothesis.label(y) != label {
                    refuted = true;
                    if let Some(q) = table.distinguishing_suffix(&hypothesis, y, oracle) {
                        learned += usize::from(table.add_suffix(q, oracle));
                    }
                    if learned >= 4 {
                        break;
                    }
                }
            }
            self.monitor.trace(&|| {
                format!(
                    "learner: {} states, {} suffixes, depth {}, region {}, {} of {} entries unknown{}",
                    table.states(),
                    table.suffixes(),
                    table.depth(),
                    known.positions(),
                    table.unknown.0,
                    table.unknown.1,
                    if refuted { ", refuted by known data" } else { "" }
                )
            });
            if learned > 0 {
                continue;
            }
            if refuted || table.states() > known.trusted_states() {
                return Ok(Round::TooSmall);
            }
            match self.certify(&hypothesis, board)? {
                ControlFlow::Break(set) => return Ok(Round::Proved(set)),
                ControlFlow::Continue(None) => return Ok(Round::TooSmall),
                ControlFlow::Continue(Some(x)) => {
                    // x or one of its options is misclassified: the oracle says which, if it knows.
                    let wrong = self
                        .around(&x)
                        .into_iter()
                        .find(|y| oracle.label(y).is_some_and(|truth| hypothesis.label(y) != truth));
                    let suffix = wrong.and_then(|y| table.distinguishing_suffix(&hypothesis, &y, oracle));
                    match suffix {
                        Some(q) if table.add_suffix(q.clone(), oracle) => {}
                        _ => return Ok(Round::TooSmall),
                    }
                }
            }
        }
    }

    /// The exact check; `Continue(None)` when the hypothesis was too large to be checked.
    fn certify(
        &self,
        hypothesis: &Hypothesis,
        board: &VectorSet,
    ) -> Result<ControlFlow<Labelling, Option<Vec<u64>>>, StopReason> {
        let effort = Effort::new(self.limits.combinations, self.monitor);
        let Some(function) = hypothesis.function(&effort)? else { return Ok(ControlFlow::Continue(None)) };
        match certificate::failure(&function, board, self.game.inner_rules(), self.target, &effort) {
            Ok(None) => Ok(ControlFlow::Break(function)),
            Ok(Some(x)) => {
                self.monitor.trace(&|| format!("certificate: the equation fails at {x:?}"));
                Ok(ControlFlow::Continue(Some(x)))
            }
            Err(StopReason::Size { .. }) => {
                self.monitor.trace(&|| "certificate: too many combinations of states".into());
                Ok(ControlFlow::Continue(None))
            }
            Err(why) => Err(why),
        }
    }

    /// A vector and what the rules make of it.
    fn around(&self, x: &[u64]) -> Vec<Vec<i64>> {
        let Some(x) = x.iter().map(|&xi| i64::try_from(xi).ok()).collect::<Option<Vec<i64>>>() else {
            return vec![];
        };
        let mut all = vec![x.clone()];
        for rule in self.game.inner_rules() {
            let option: Option<Vec<i64>> = x.iter().zip(rule).map(|(x, g)| x.checked_sub(*g)).collect();
            all.extend(option.filter(|y| y.iter().all(|&yi| yi >= 0)));
        }
        all
    }
}
