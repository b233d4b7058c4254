//! What a command runs in: the chosen play, the limits, and the monitor that keeps them.

use std::io::IsTerminal as _;
use std::ops::ControlFlow;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::time::{Duration, Instant};

use impartial::outcome::Play;
use indicatif::{ProgressBar, ProgressStyle};
use semilinear::run::{Monitor, StopReason};

use crate::args::Global;
use crate::report::{Failure, bad_input};

/// How often the clock and the memory are looked at.
const GLANCE: Duration = Duration::from_millis(25);

static INTERRUPTED: AtomicBool = AtomicBool::new(false);

/// Play, limits and monitor of one command.
pub struct Context {
    play: Option<Play>,
    verbose: u8,
    json: bool,
    start: Instant,
    deadline: Option<Instant>,
    memory: Option<u64>,
    /// Milliseconds since `start` at which the next glance is due.
    next_glance: AtomicU64,
    bar: OnceLock<ProgressBar>,
    show_progress: bool,
}

impl Context {
    /// Reads the global options, sets the number of threads and listens to Ctrl-C.
    pub fn new(global: &Global) -> Result<Self, Failure> {
        if global.threads == Some(0) {
            return Err(bad_input("--threads 0: at least one thread is needed; give 1 or more"));
        }
        if let Some(threads) = global.threads {
            let threads = usize::try_from(threads).unwrap_or(usize::MAX).min(1024);
            rayon::ThreadPoolBuilder::new().num_threads(threads).build_global().map_err(bad_input)?;
        }
        // A second Ctrl-C ends the process at once, in case an engine is slow to hear the first.
        ctrlc::set_handler(|| {
            if INTERRUPTED.swap(true, Relaxed) {
                std::process::exit(130);
            }
        })
        .map_err(bad_input)?;
        let start = Instant::now();
        Ok(Self {
            play: global.play.map(Into::into),
            verbose: global.verbose,
            json: global.json,
            start,
            deadline: global.time_limit.and_then(|limit| start.checked_add(limit)),
            memory: global.memory_limit,
            next_glance: AtomicU64::new(0),
            bar: OnceLock::new(),
            show_progress: std::io::stderr().is_terminal(),
        })
    }

    /// The play asked for on the command line, else the game file's own, else normal play.
    pub fn play(&self, of_the_game: Option<Play>) -> Play {
        self.play.or(of_the_game).unwrap_or_default()
    }

    /// Whether standard output is for one JSON object alone.
    pub fn wants_json(&self) -> bool {
        self.json
    }

    /// The play asked for on the command line.
    pub fn asked_play(&self) -> Option<Play> {
        self.play
    }

    /// The memory limit asked for on the command line, in bytes.
    pub fn memory_limit(&self) -> Option<u64> {
        self.memory
    }

    /// Seconds since the command began.
    pub fn seconds(&self) -> f64 {
        self.start.elapsed().as_secs_f64()
    }

    /// This context with a time limit of its own, when the user has set none.
    pub fn patience(&self, limit: Duration) -> Patience<'_> {
        Patience {
            context: self,
            deadline: if self.deadline.is_none() { Instant::now().checked_add(limit) } else { None },
        }
    }

    /// A line on stderr that is no error (a warning, a hint); progress is moved out of its way.
    pub fn say(&self, line: &str) {
        match self.bar.get() {
            Some(bar) => bar.suspend(|| eprintln!("{line}")),
            None => eprintln!("{line}"),
        }
    }

    /// Removes the progress bar before data is printed.
    pub fn close(&self) {
        if let Some(bar) = self.bar.get() {
            bar.finish_and_clear();
        }
    }

    fn glance(&self, done: u64, total: Option<u64>) -> ControlFlow<StopReason> {
        if INTERRUPTED.load(Relaxed) {
            return ControlFlow::Break(StopReason::Interrupted);
        }
        let now = Instant::now();
        if self.deadline.is_some_and(|deadline| now >= deadline) {
            return ControlFlow::Break(StopReason::Time);
        }
        let due = Duration::from_millis(self.next_glance.load(Relaxed));
        let elapsed = now.duration_since(self.start);
        if elapsed < due {
            return ControlFlow::Continue(());
        }
        let next = u64::try_from((elapsed + GLANCE).as_millis()).unwrap_or(u64::MAX);
        self.next_glance.store(next, Relaxed);
        if let Some(limit) = self.memory
            && memory_stats::memory_stats().is_some_and(|used| used.physical_mem as u64 > limit)
        {
            return ControlFlow::Break(StopReason::Memory);
        }
        // Short commands show no bar: it would only flicker.
        if self.show_progress && elapsed > Duration::from_millis(500) {
            let bar = self.bar.get_or_init(progress_bar);
            if let Some(total) = total {
                bar.set_length(total);
            }
            bar.set_position(done);
        }
        ControlFlow::Continue(())
    }
}

impl Monitor for Context {
    fn tick(&self, done: u64, total: Option<u64>) -> ControlFlow<StopReason> {
        self.glance(done, total)
    }

    fn trace(&self, message: &dyn Fn() -> String) {
        if self.verbose > 0 {
            self.say(&message());
        }
    }
}

/// A context with an earlier deadline, for methods that are tried before others or may never end.
pub struct Patience<'a> {
    context: &'a Context,
    deadline: Option<Instant>,
}

impl Patience<'_> {
    /// Also stops after `limit`, whatever the user has set.
    #[must_use]
    pub fn at_most(mut self, limit: Duration) -> Self {
        let end = Instant::now().checked_add(limit);
        self.deadline = match (self.deadline, end) {
            (Some(a), Some(b)) => Some(a.min(b)),
            (a, b) => a.or(b),
        };
        self
    }
}

impl Monitor for Patience<'_> {
    fn tick(&self, done: u64, total: Option<u64>) -> ControlFlow<StopReason> {
        if self.deadline.is_some_and(|deadline| Instant::now() >= deadline) {
            return ControlFlow::Break(StopReason::Time);
        }
        self.context.tick(done, total)
    }

    fn trace(&self, message: &dyn Fn() -> String) {
        self.context.trace(message);
    }
}

fn progress_bar() -> ProgressBar {
    let bar = ProgressBar::new(0);
    if let Ok(style) =
        ProgressStyle::with_template("{spinner} {elapsed_precise} {human_pos}/{human_len} {wide_bar} eta {eta}")
    {
        bar.set_style(style);
    }
    bar
}
