//! Found is not proved, and the types say so.

use std::ops::Deref;

use impartial_check::{Finding, Limits, check_within};
use semilinear::run::{Monitor, StopReason};
use serde::{Serialize, Serializer};

use super::Envelope;
use crate::error::{Error, Result};

/// A strategy whose certificate was checked: by the library's own check of the defining equation or theorem, or by
/// `impartial-check`. Only checks make one.
///
/// ```
/// use impartial::prelude::*;
/// use impartial::lattice::{Description, LatticeGame};
/// use impartial::strategy::{AutomatonStrategy, Proved};
/// use impartial::vectorset::{Effort, VectorSet};
/// let game = LatticeGame::new(&Description::from_toml("rules = [[1], [2], [3]]")?, &Unlimited)?;
/// let effort = Effort::unlimited();
/// // Multiples of 4 are the P-positions; multiples of 3 are not, and 3 shows it.
/// let strategy: Proved<AutomatonStrategy> =
///     AutomatonStrategy::proved(game.clone(), VectorSet::congruence(&[1], 0, 4, &effort)?, &effort)?;
/// let wrong = AutomatonStrategy::proved(game, VectorSet::congruence(&[1], 0, 3, &effort)?, &effort);
/// assert!(matches!(wrong, Err(Error::Refused { .. })));
/// # Ok::<(), Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Proved<T>(T);

impl<T> Proved<T> {
    /// For checks alone: what they accept.
    pub(crate) fn by_check(value: T) -> Self {
        Self(value)
    }

    /// The strategy without its standing.
    pub fn into_inner(self) -> T {
        self.0
    }
}

impl<T> Deref for Proved<T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.0
    }
}

/// A strategy as a file or a user claims it. Nothing is proved yet.
#[derive(Clone, Debug)]
pub struct Unchecked<T>(T);

impl<T> Unchecked<T> {
    pub(crate) fn new(value: T) -> Self {
        Self(value)
    }

    /// What is claimed.
    pub fn claim(&self) -> &T {
        &self.0
    }

    /// What is claimed, by value.
    pub fn into_claim(self) -> T {
        self.0
    }

    /// The strategy, if the independent checker accepts its file.
    pub(crate) fn checked(self, file: impl FnOnce(&T) -> Envelope, monitor: &dyn Monitor) -> Result<Proved<T>> {
        verdict(&file(&self.0), monitor)?;
        Ok(Proved(self.0))
    }
}

/// Asks the independent checker about a file: its claim in words, or [`Error::Refused`], or a stop.
pub fn verdict(file: &Envelope, monitor: &dyn Monitor) -> Result<String> {
    text_verdict(&file.to_text(), monitor)
}

/// [`verdict`] for the text of a file.
pub fn text_verdict(text: &str, monitor: &dyn Monitor) -> Result<String> {
    let stopped = std::cell::RefCell::new(None);
    let keep_going = || match monitor.check(0, None) {
        Ok(()) => true,
        Err(why) => {
            stopped.replace(Some(why));
            false
        }
    };
    // Time is the monitor's; what would take many hours is refused at once.
    let limits = Limits { steps: 60 * Limits::default().steps, ..Limits::default() };
    match check_within(text, &limits, &keep_going) {
        Finding::Valid { claim, game, tier } => Ok(format!("{claim}; the game: {game}; checked by {tier}")),
        Finding::Refused { reason, position } => {
            let entries = |x: Vec<i128>| x.iter().map(ToString::to_string).collect::<Vec<_>>().join(",");
            Err(Error::Refused { reason, position: position.map(|x| format!("({})", entries(x))) })
        }
        Finding::TooLarge { memory: true, .. } => Err(StopReason::Memory.into()),
        Finding::TooLarge { .. } => {
            Err(StopReason::Size { what: "steps of the independent check", limit: limits.steps }.into())
        }
        Finding::Stopped => Err(stopped.into_inner().unwrap_or(StopReason::Interrupted).into()),
    }
}

/// Whether an answer is proved; `"proved"` in every report. It is `true` only when it was taken from a [`Proved`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Standing(bool);

impl Standing {
    /// What is taken from a file that nobody checked, or was only seen.
    pub const CLAIMED: Self = Self(false);

    /// The standing of what a proved strategy says.
    pub fn of<T>(_: &Proved<T>) -> Self {
        Self(true)
    }

    /// Whether the answer is proved.
    pub fn is_proved(self) -> bool {
        self.0
    }

    /// `proved`, or `as the file claims`.
    pub fn in_words(self) -> &'static str {
        if self.0 { "proved" } else { "as the file claims" }
    }
}

impl Serialize for Standing {
    fn serialize<S: Serializer>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error> {
        serializer.serialize_bool(self.0)
    }
}
