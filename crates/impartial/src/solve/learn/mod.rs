//! Learn and certify: the set of P-positions on an infinite board, found from finite data and then proved.
//!
//! 1. *Oracle*: the exact recursion on a finite region, which grows when the learner needs more.
//! 2. *Learner*: states are prefixes of digits told apart by suffixes; the closed table is an automaton S.
//! 3. *Comparison*: S against known data, then the exact [`certificate`]: if B∖S = (S + Γ) ∩ B holds, S **is** the set
//!    of P-positions (Guo–Miller 2011, Theorem 3.6), on the whole board.
//! 4. Otherwise a counterexample gives a suffix that tells two states apart, or asks for a larger region; go to 2.
//!
//! If the set of P-positions is semilinear (or just recognisable) this ends with a proof. It need not be (Fink 2012),
//! so there are limits; at a limit the answer is [`Run::Stopped`] with the measured growth of residuals.
//!
//! ```
//! use impartial::lattice::{Description, LatticeGame};
//! use impartial::run::{Run, Unlimited};
//! use impartial::solve::learn::{p_positions, Limits};
//! let game = Description::from_toml("rules = [[1, 0], [0, 1], [2, 2]]").unwrap();
//! let game = LatticeGame::new(&game, &Unlimited).unwrap();
//! let Run::Finished(set) = p_positions(&game, &Limits::default(), &Unlimited) else { panic!() };
//! assert!(set.contains_small(&[600_000_000_000, 600_000_000_002]));
//! assert_eq!(set.block_states(), 16);
//! ```

pub mod certificate;
mod growth;
mod machine;
mod oracle;
mod table;

use std::ops::ControlFlow;

use crate::lattice::LatticeGame;
use crate::run::{Monitor, Run, StopReason};
use crate::vectorset::{Effort, VectorSet};

pub use growth::{Growth, Outlook};

use machine::Machine;
use oracle::Known;
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
pub fn p_positions(game: &LatticeGame, limits: &Limits, monitor: &dyn Monitor) -> Run<VectorSet, Partial> {
    let mut session = Session { game, limits, monitor, partial: Partial::default() };
    match session.learn() {
        Ok(set) => Run::Finished(set),
        Err(why) => Run::Stopped(why, session.partial),
    }
}

struct Session<'a> {
    game: &'a LatticeGame,
    limits: &'a Limits,
    monitor: &'a dyn Monitor,
    partial: Partial,
}

/// How one round with a fixed region ended.
enum Round {
    Proved(VectorSet),
    /// The region shows too little; it must contain this vector, if one is named.
    TooSmall,
}

impl Session<'_> {
    fn learn(&mut self) -> Result<VectorSet, StopReason> {
        let effort = Effort::new(self.limits.combinations, self.monitor);
        let board = certificate::board(self.game, &effort)?;
        let weights = oracle::weights(self.game);
        let mut positions = 1u64 << 11;
        let mut table: Option<Table> = None;
        loop {
            let known = Known::new(self.game, &weights, positions, self.monitor)?;
            self.partial.positions = known.positions();
            let oracle = known.p_oracle();
            // The growth of residuals is measured first, so that a run that is stopped later can report it.
            self.partial.growth =
                Growth::measure(self.game.dimension(), &oracle, &weights, known.level(), self.monitor);
            let mut current = match table.take() {
                Some(mut table) => {
                    table.refresh(&oracle);
                    table
                }
                None => Table::new(self.game.dimension(), self.first_width(), &oracle),
            };
            match self.round(&mut current, &oracle, &board, &known)? {
                Round::Proved(set) => return Ok(set),
                Round::TooSmall => {}
            }
            // Guesses made from unknown entries are worth little with more data: begin anew, but keep the suffixes.
            table = Some(current.restarted(&oracle));
            if positions >= self.limits.positions {
                return Err(StopReason::Size { what: "positions of the region", limit: self.limits.positions });
            }
            positions = positions.saturating_mul(4).min(self.limits.positions);
        }
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
    ) -> Result<Round, StopReason> {
        let sample = known.sample();
        loop {
            let Some(machine) = table.close(self.limits.states, oracle, self.monitor)? else {
                return Ok(Round::TooSmall);
            };
            self.partial.states = table.states();
            // Only known data first: a wrong hypothesis is cheap to refute here.
            let mut refuted = false;
            let mut learned = 0;
            for y in &sample {
                let truth = oracle.label(y).expect("samples are known");
                if machine.label_from(0, &unsigned(y)) != truth {
                    refuted = true;
                    if let Some(q) = table.distinguishing_suffix(&machine, y, oracle) {
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
            match self.certify(&machine, board)? {
                ControlFlow::Break(set) => return Ok(Round::Proved(set)),
                ControlFlow::Continue(None) => return Ok(Round::TooSmall),
                ControlFlow::Continue(Some(x)) => {
                    // x or one of its options is misclassified: the oracle says which, if it knows.
                    let wrong = self
                        .around(&x)
                        .into_iter()
                        .find(|y| oracle.label(y).is_some_and(|truth| machine.label_from(0, &unsigned(y)) != truth));
                    let suffix = wrong.and_then(|y| table.distinguishing_suffix(&machine, &y, oracle));
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
        machine: &Machine,
        board: &VectorSet,
    ) -> Result<ControlFlow<VectorSet, Option<Vec<u64>>>, StopReason> {
        let effort = Effort::new(self.limits.combinations, self.monitor);
        let set = machine.set(1, &effort)?;
        let holds = |on_board: bool, label: u8, options: &[Option<u8>]| {
            let in_set = label == 1;
            if on_board { in_set != options.contains(&Some(1)) } else { !in_set }
        };
        match certificate::violation(&Machine::indicator(&set), board, self.game.inner_rules(), &holds, &effort) {
            Ok(None) => Ok(ControlFlow::Break(set)),
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

fn unsigned(y: &[i64]) -> Vec<u64> {
    y.iter().map(|&yi| u64::try_from(yi).expect("vectors asked for are not negative")).collect()
}

#[cfg(test)]
mod tests;
