//! Runs that may be stopped: a stopped run is not an answer.
//!
//! Every long computation takes a [`Monitor`] and calls [`Monitor::tick`] often (at least every few
//! milliseconds of work). The monitor shows progress and says when to stop; the computation then
//! returns [`Run::Stopped`] with the reason and with what is known so far.

use std::fmt;
use std::ops::ControlFlow;
use std::time::Duration;

/// Why a run stopped before its answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum StopReason {
    /// The time limit was reached.
    Time,
    /// A time limit that nobody asked for: searches that may never end have one by default.
    Patience(Duration),
    /// The memory limit was reached.
    Memory,
    /// The user interrupted the run.
    Interrupted,
    /// An engine reached a limit of its own, such as the number of states of an automaton.
    Size {
        /// What grew too large, as a plural noun ("automaton states").
        what: &'static str,
        /// The limit it reached.
        limit: u64,
    },
}

impl fmt::Display for StopReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Time => write!(f, "the time limit was reached"),
            Self::Patience(limit) => {
                write!(f, "the default limit of {} s was reached; --time-limit sets another", limit.as_secs_f64())
            }
            Self::Memory => write!(f, "the memory limit was reached"),
            Self::Interrupted => write!(f, "interrupted"),
            Self::Size { what, limit } => write!(f, "the limit of {limit} {what} was reached"),
        }
    }
}

impl std::error::Error for StopReason {}

/// The result of a computation that may be stopped.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Run<T, Partial = ()> {
    /// The whole answer.
    Finished(T),
    /// No answer: why, and what is known so far.
    Stopped(StopReason, Partial),
}

impl<T, Partial> Run<T, Partial> {
    /// Applies `f` to a finished answer.
    pub fn map<U>(self, f: impl FnOnce(T) -> U) -> Run<U, Partial> {
        match self {
            Self::Finished(t) => Run::Finished(f(t)),
            Self::Stopped(why, partial) => Run::Stopped(why, partial),
        }
    }

    /// The answer, or the reason why there is none.
    pub fn finished(self) -> Result<T, StopReason> {
        match self {
            Self::Finished(t) => Ok(t),
            Self::Stopped(why, _) => Err(why),
        }
    }
}

impl<T> From<Result<T, StopReason>> for Run<T> {
    fn from(result: Result<T, StopReason>) -> Self {
        match result {
            Ok(t) => Self::Finished(t),
            Err(why) => Self::Stopped(why, ()),
        }
    }
}

/// Watches a run: shows progress, keeps limits, hears Ctrl-C. Shared by threads.
pub trait Monitor: Sync {
    /// Tells that `done` units of work out of `total` (when known) are behind us; says whether to go on.
    /// Must be cheap: engines call it thousands of times a second.
    fn tick(&self, done: u64, total: Option<u64>) -> ControlFlow<StopReason>;

    /// The time since the run began, where there is a clock. Parts of a run with a time of their own ask for it, so that
    /// the engines themselves know no clock and also run where there is none.
    fn elapsed(&self) -> Option<Duration> {
        None
    }

    /// What the ticks from here on count, in a few words: people see it beside the progress.
    fn phase(&self, name: &'static str) {
        let _ = name;
    }

    /// Something that people should know although the run goes on.
    fn warn(&self, message: &str) {
        let _ = message;
    }

    /// A line of trace for people who asked for it (`-v`); `message` is only built when it is shown.
    fn trace(&self, message: &dyn Fn() -> String) {
        let _ = message;
    }

    /// [`Monitor::tick`] as a `Result`, for use with `?` inside engines.
    fn check(&self, done: u64, total: Option<u64>) -> Result<(), StopReason> {
        match self.tick(done, total) {
            ControlFlow::Continue(()) => Ok(()),
            ControlFlow::Break(why) => Err(why),
        }
    }
}

/// The monitor that never stops a run.
///
/// ```
/// use semilinear::run::{Monitor, Unlimited};
/// assert!(Unlimited.check(1, Some(2)).is_ok());
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct Unlimited;

impl Monitor for Unlimited {
    fn tick(&self, _done: u64, _total: Option<u64>) -> ControlFlow<StopReason> {
        ControlFlow::Continue(())
    }
}

/// A monitor that gives a part of a run a time of its own: it stops with [`StopReason::Patience`] when that is over, and
/// earlier when the monitor behind it stops. Without a clock it never stops by itself.
pub struct Within<'a> {
    behind: &'a dyn Monitor,
    limit: Duration,
    end: Option<Duration>,
}

impl<'a> Within<'a> {
    /// At most `limit` from now on.
    pub fn new(behind: &'a dyn Monitor, limit: Duration) -> Self {
        Self { behind, limit, end: behind.elapsed().map(|now| now.saturating_add(limit)) }
    }

    /// No limit beside that of the monitor behind.
    pub fn unlimited(behind: &'a dyn Monitor) -> Self {
        Self { behind, limit: Duration::MAX, end: None }
    }
}

impl Monitor for Within<'_> {
    fn tick(&self, done: u64, total: Option<u64>) -> ControlFlow<StopReason> {
        if let (Some(end), Some(now)) = (self.end, self.behind.elapsed())
            && now >= end
        {
            return ControlFlow::Break(StopReason::Patience(self.limit));
        }
        self.behind.tick(done, total)
    }

    fn elapsed(&self) -> Option<Duration> {
        self.behind.elapsed()
    }

    fn phase(&self, name: &'static str) {
        self.behind.phase(name);
    }

    fn warn(&self, message: &str) {
        self.behind.warn(message);
    }

    fn trace(&self, message: &dyn Fn() -> String) {
        self.behind.trace(message);
    }
}

/// A monitor that stops a run after a number of ticks: limits that are the same on every machine.
#[derive(Debug)]
pub struct TickLimit {
    left: std::sync::atomic::AtomicU64,
}

impl TickLimit {
    /// Allows `ticks` calls of [`Monitor::tick`].
    pub fn new(ticks: u64) -> Self {
        Self { left: ticks.into() }
    }
}

impl Monitor for TickLimit {
    fn tick(&self, _done: u64, _total: Option<u64>) -> ControlFlow<StopReason> {
        use std::sync::atomic::Ordering::Relaxed;
        match self.left.fetch_update(Relaxed, Relaxed, |left| left.checked_sub(1)) {
            Ok(_) => ControlFlow::Continue(()),
            Err(_) => ControlFlow::Break(StopReason::Time),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tick_limit_stops_after_its_ticks() {
        let monitor = TickLimit::new(2);
        assert!(monitor.check(0, None).is_ok());
        assert!(monitor.check(0, None).is_ok());
        assert_eq!(monitor.check(0, None), Err(StopReason::Time));
        assert_eq!(monitor.check(0, None), Err(StopReason::Time));
    }
}
