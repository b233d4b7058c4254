//! The quotient of a lattice game: a finite presentation from the automaton of its P-positions.

use std::time::Duration;

use semilinear::run::Run;
use semilinear::vectorset::Effort;

use crate::error::Result;
use crate::game::Ask;
use crate::game::report::QuotientReport;
use crate::game::strategy::{Quotient, Strategy};
use crate::strategy::{AutomatonStrategy, PresentationStrategy, Proved, Standing};

/// Automata on the way may have this many states.
const STATES: usize = 1 << 22;
/// Without a time limit of the caller the search takes no longer.
const PATIENCE: Duration = Duration::from_secs(120);

/// The quotient that a proved automaton has; its strategy is the presentation when the relations are complete, else the
/// automaton.
pub(crate) fn of_automaton(name: &str, automaton: Proved<AutomatonStrategy>, ask: &Ask) -> Result<Quotient> {
    let monitor = ask.patience(PATIENCE);
    let effort = Effort::new(STATES, &monitor);
    let (found, stopped) = match PresentationStrategy::search(automaton.clone(), &effort)? {
        Run::Finished(found) => (found, None),
        Run::Stopped(why, found) => (found, Some(why)),
    };
    let report = described(name, &found, Standing::of(&found), ask)?;
    let strategy = if found.is_complete() { Strategy::presentation(found) } else { Strategy::automaton(automaton) };
    Ok(Quotient { report, strategy, stopped })
}

/// The report of a presentation.
pub(crate) fn described(
    name: &str,
    strategy: &PresentationStrategy,
    standing: Standing,
    ask: &Ask,
) -> Result<QuotientReport> {
    let portion = if strategy.is_complete() && strategy.order().is_none() {
        strategy.p_portion(&Effort::new(STATES, ask.monitor))?
    } else {
        None
    };
    Ok(QuotientReport::of_presentation(name, strategy, portion, standing, ask.seconds()))
}
