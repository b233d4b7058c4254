//! The budget of one game: processor seconds, inside the limits of the command.

use std::ops::ControlFlow;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::time::{Duration, Instant};

use impartial::Error;
use semilinear::run::{Monitor, StopReason};

use crate::context::Context;

/// The monitor of one game. All its work is done in one thread, whose processor time it reads.
pub struct Budget<'a> {
    cx: &'a Context,
    limit: Duration,
    start: Instant,
    done: &'a AtomicU64,
    total: u64,
    used: AtomicU64,
}

/// The time that the calling thread has spent on a processor, where the system tells; else the time that has passed.
fn processor_time(start: Instant) -> Duration {
    #[cfg(unix)]
    {
        let _ = start;
        let time = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
        Duration::new(u64::try_from(time.tv_sec).unwrap_or(0), u32::try_from(time.tv_nsec).unwrap_or(0))
    }
    #[cfg(not(unix))]
    start.elapsed()
}

impl<'a> Budget<'a> {
    /// At most `limit` for a game; `done` of `total` games are behind.
    pub fn new(cx: &'a Context, limit: Duration, done: &'a AtomicU64, total: u64) -> Self {
        Self { cx, limit, start: Instant::now(), done, total, used: AtomicU64::new(0) }
    }

    /// Solves a game in a thread of its own.
    pub fn spend<T: Send>(&self, solve: impl FnOnce(&Self) -> T + Send) -> Result<T, Error> {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build().map_err(Error::input)?;
        Ok(pool.install(|| {
            let found = solve(self);
            self.used.store(u64::try_from(processor_time(self.start).as_micros()).unwrap_or(u64::MAX), Relaxed);
            found
        }))
    }

    /// Processor seconds that were spent.
    pub fn seconds(&self) -> f64 {
        Duration::from_micros(self.used.load(Relaxed)).as_secs_f64()
    }
}

impl Monitor for Budget<'_> {
    fn tick(&self, _done: u64, _total: Option<u64>) -> ControlFlow<StopReason> {
        self.cx.tick(self.done.load(Relaxed), Some(self.total))?;
        if processor_time(self.start) >= self.limit {
            return ControlFlow::Break(StopReason::Time);
        }
        ControlFlow::Continue(())
    }

    fn elapsed(&self) -> Option<Duration> {
        self.cx.elapsed()
    }
}
