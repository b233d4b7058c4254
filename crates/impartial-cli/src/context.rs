//! What a command runs in: the chosen play, the limits, and the monitor that keeps them.

use std::io::IsTerminal as _;
use std::ops::ControlFlow;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::time::{Duration, Instant};

use impartial::outcome::Play;
use impartial::{Ask, Error};
use semilinear::run::{Monitor, StopReason};

use crate::args::Global;
use crate::progress::{self, Phase};

/// How often the clock is looked at.
const GLANCE: Duration = Duration::from_millis(25);

/// How often the memory is looked at, when it is limited.
const WATCH: Duration = Duration::from_millis(2);

static INTERRUPTED: AtomicBool = AtomicBool::new(false);
/// More memory is in use than `--memory-limit` allows.
static OVER: AtomicBool = AtomicBool::new(false);
/// The answer is there: nothing is to be stopped any more.
static DONE: AtomicBool = AtomicBool::new(false);

/// Play, limits and monitor of one command.
pub struct Context {
    play: Option<Play>,
    verbose: u8,
    quiet: bool,
    json: bool,
    /// The command and its game.
    task: String,
    /// What the ticks count.
    phase: Mutex<Phase>,
    start: Instant,
    deadline: Option<Instant>,
    memory: Option<u64>,
    /// Milliseconds since `start` at which the next glance is due.
    next_glance: AtomicU64,
    show_progress: AtomicBool,
}

impl Context {
    /// Reads the global options, sets the number of threads and listens to Ctrl-C.
    /// `task` says what is being done, for the progress line.
    pub fn new(global: &Global, task: String) -> Result<Self, Error> {
        if global.threads == Some(0) {
            return Err(Error::input("--threads 0: at least one thread is needed; give 1 or more"));
        }
        if let Some(threads) = global.threads {
            let threads = usize::try_from(threads).unwrap_or(usize::MAX).min(1024);
            rayon::ThreadPoolBuilder::new().num_threads(threads).build_global().map_err(Error::input)?;
        }
        // A second Ctrl-C ends the process at once, in case an engine is slow to hear the first.
        ctrlc::set_handler(|| {
            progress::end();
            if INTERRUPTED.swap(true, Relaxed) {
                std::process::exit(130);
            }
        })
        .map_err(Error::input)?;
        if let Some(limit) = global.memory_limit {
            watch(limit, global.json, task.clone());
        }
        let start = Instant::now();
        Ok(Self {
            play: global.play.map(Into::into),
            verbose: global.verbose,
            quiet: global.quiet,
            task,
            phase: Mutex::new(Phase::new("")),
            json: global.json,
            start,
            deadline: global.time_limit.and_then(|limit| start.checked_add(limit)),
            memory: global.memory_limit,
            next_glance: AtomicU64::new(0),
            show_progress: AtomicBool::new(std::io::stderr().is_terminal() && !global.quiet),
        })
    }

    /// Whether standard output is for one JSON object alone.
    pub fn wants_json(&self) -> bool {
        self.json
    }

    /// The play that was chosen, if one was.
    pub fn play(&self) -> Option<Play> {
        self.play
    }

    /// A question as the global options want it asked.
    pub fn ask(&self) -> Ask<'_> {
        let mut ask = Ask::new();
        if let Some(play) = self.play {
            ask = ask.play(play);
        }
        if let Some(bytes) = self.memory {
            ask = ask.memory(bytes);
        }
        if self.deadline.is_some() {
            ask = ask.without_default_limits();
        }
        ask.monitor(self)
    }

    /// Shows no progress from now on: somebody types.
    pub fn hide_progress(&self) {
        self.show_progress.store(false, Relaxed);
    }

    /// A line on stderr that is no error (a warning, a hint); progress is moved out of its way.
    pub fn say(&self, line: &str) {
        if self.quiet {
            return;
        }
        progress::clear();
        eprintln!("{line}");
    }

    fn glance(&self, done: u64, total: Option<u64>) -> ControlFlow<StopReason> {
        if INTERRUPTED.load(Relaxed) {
            return ControlFlow::Break(StopReason::Interrupted);
        }
        if OVER.load(Relaxed) {
            return ControlFlow::Break(StopReason::Memory);
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
        // Short commands show no progress: it would only flicker.
        if self.show_progress.load(Relaxed)
            && elapsed > Duration::from_millis(500)
            && let Ok(mut phase) = self.phase.lock()
        {
            phase.reach(done, total);
            progress::draw(&phase.line(&self.task, elapsed));
        }
        ControlFlow::Continue(())
    }
}

/// Removes the progress line before data is printed; no limit stops the command any more.
pub fn close() {
    DONE.store(true, Relaxed);
    progress::end();
}

/// Looks at the memory in use all the time. Beyond the limit the engines hear of it at their next tick and say what they know; an
/// engine that takes a tenth more and 16 MiB before that is ended at once, with nothing known.
fn watch(limit: u64, json: bool, phase: String) {
    let most = limit.saturating_add(limit / 10).saturating_add(16 << 20);
    std::thread::spawn(move || {
        while !DONE.load(Relaxed) {
            let used = memory_stats::memory_stats().map_or(0, |used| used.physical_mem as u64);
            OVER.store(used > limit, Relaxed);
            if used > most && !DONE.swap(true, Relaxed) {
                let stopped = Error::Stopped { why: StopReason::Memory, known: None };
                progress::end();
                let game = phase.split_once(' ').map(|(_, game)| game);
                let _ = crate::report::finish(Err(stopped), &[("game", game)], json);
                std::process::exit(3);
            }
            std::thread::sleep(WATCH);
        }
    });
}

impl Monitor for Context {
    fn tick(&self, done: u64, total: Option<u64>) -> ControlFlow<StopReason> {
        self.glance(done, total)
    }

    fn elapsed(&self) -> Option<Duration> {
        Some(self.start.elapsed())
    }

    fn phase(&self, name: &'static str) {
        if let Ok(mut phase) = self.phase.lock() {
            *phase = Phase::new(name);
        }
    }

    fn warn(&self, message: &str) {
        self.say(&format!("impartial: warning: {message}"));
    }

    fn trace(&self, message: &dyn Fn() -> String) {
        if self.verbose > 0 {
            self.say(&message());
        }
    }
}
