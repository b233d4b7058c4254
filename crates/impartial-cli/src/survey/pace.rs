//! Many independent games at once, each with a budget of processor time.

use std::ops::ControlFlow;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering::Relaxed};
use std::sync::mpsc;
use std::time::{Duration, Instant};

use impartial::Error;
use semilinear::run::{Monitor, StopReason};

use crate::context::Context;

/// How often the processor time is looked at: asking the system for it is slower than asking for the clock.
const GLANCE: Duration = Duration::from_millis(5);
const STACK: usize = 64 << 20;

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

/// The budget of one game inside the limits of the command; progress is that of the census. Time is processor time.
pub struct Budget<'a> {
    cx: &'a Context,
    limit: Duration,
    start: Instant,
    /// The processor time of this thread when the game began.
    before: Duration,
    /// Microseconds since the start at which the next glance is due.
    next_glance: AtomicU64,
    done: &'a AtomicU64,
    total: u64,
}

impl<'a> Budget<'a> {
    fn new(cx: &'a Context, limit: Duration, done: &'a AtomicU64, total: u64) -> Self {
        let start = Instant::now();
        Self { cx, limit, start, before: processor_time(start), next_glance: AtomicU64::new(0), done, total }
    }

    /// The processor time that the game may take.
    pub fn limit(&self) -> Duration {
        self.limit
    }

    /// The processor time of the game so far.
    pub fn used(&self) -> Duration {
        processor_time(self.start).saturating_sub(self.before)
    }

    /// Whether the command as a whole goes on: a game that its limits cut short has no result.
    pub fn command_goes_on(&self) -> Result<(), StopReason> {
        self.cx.check(self.done.load(Relaxed), Some(self.total))
    }
}

impl Monitor for Budget<'_> {
    fn tick(&self, _done: u64, _total: Option<u64>) -> ControlFlow<StopReason> {
        self.cx.tick(self.done.load(Relaxed), Some(self.total))?;
        let elapsed = self.start.elapsed();
        if elapsed < Duration::from_micros(self.next_glance.load(Relaxed)) {
            return ControlFlow::Continue(());
        }
        self.next_glance.store(u64::try_from((elapsed + GLANCE).as_micros()).unwrap_or(u64::MAX), Relaxed);
        if self.used() >= self.limit { ControlFlow::Break(StopReason::Time) } else { ControlFlow::Continue(()) }
    }

    fn elapsed(&self) -> Option<Duration> {
        Some(self.used())
    }
}

/// Solves games on all threads, one thread a game, and keeps each result as soon as it is there: a kill loses only the games in
/// progress. `before` games are done already. Gives the reason when the command's own limits end the run before all are done.
pub fn each<T: Sync, R: Send>(
    cx: &Context,
    tasks: &[T],
    before: usize,
    per_game: Duration,
    solve: impl Fn(&T, &Budget<'_>) -> Result<R, Error> + Sync,
    mut keep: impl FnMut(&T, R, Duration) -> Result<(), Error>,
) -> Result<Option<StopReason>, Error> {
    let done = &AtomicU64::new(before as u64);
    let total = (before + tasks.len()) as u64;
    let (next, solve) = (&AtomicUsize::new(0), &solve);
    // Little is in store: what is solved is kept before more is.
    let (sender, receiver) = mpsc::sync_channel::<Result<(usize, R, Duration), Error>>(16);
    let work = move |sender: mpsc::SyncSender<_>| {
        loop {
            let at = next.fetch_add(1, Relaxed);
            let Some(task) = tasks.get(at) else { return };
            let budget = Budget::new(cx, per_game, done, total);
            let found = budget.command_goes_on().map_err(Error::from).and_then(|()| solve(task, &budget));
            let stop = found.is_err();
            if sender.send(found.map(|result| (at, result, budget.used()))).is_err() || stop {
                return;
            }
        }
    };
    std::thread::scope(|scope| {
        for _ in 0..rayon::current_num_threads().clamp(1, tasks.len().max(1)) {
            let sender = sender.clone();
            // A pool of one thread: all the work on a game is counted, and no other game's is.
            let pool =
                rayon::ThreadPoolBuilder::new().num_threads(1).stack_size(STACK).build().map_err(Error::input)?;
            scope.spawn(move || pool.install(|| work(sender)));
        }
        drop(sender);
        let mut stopped = None;
        for found in receiver {
            match found {
                Ok((at, result, used)) => {
                    keep(&tasks[at], result, used)?;
                    done.fetch_add(1, Relaxed);
                }
                Err(Error::Stopped { why, .. }) => stopped = Some(why),
                Err(other) => return Err(other),
            }
        }
        Ok(stopped)
    })
}
