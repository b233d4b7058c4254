//! Questions with limits, Ctrl-C and progress, while other threads of Python go on.
//!
//! A long question runs in a thread of its own. The thread that asked waits without holding Python's lock, wakes a few times a
//! second to look for signals and to tell of progress, and takes the answer. A short one, such as the outcome by a strategy, is
//! answered at once in the thread that asks; it looks for signals itself, should it take longer than expected.

use std::cell::Cell;
use std::ops::ControlFlow;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::sync::{Condvar, Mutex, PoisonError};
use std::time::{Duration, Instant};

use impartial::outcome::Play;
use impartial::run::{Monitor, StopReason};
use impartial::{Ask, Error, Method};
use pyo3::exceptions::{PyRuntimeError, PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::error::{mistake, raised};

/// How often the waiting thread looks for signals.
const WAKE: Duration = Duration::from_millis(40);
/// How often the clocks and the memory are looked at.
const GLANCE: Duration = Duration::from_millis(20);
/// Engines go down with stacks of their own, but parsers of nested input recurse.
const STACK: usize = 64 << 20;

/// Counts calls of [`interrupt`].
static INTERRUPTS: AtomicU64 = AtomicU64::new(0);

thread_local! {
    /// Microseconds of processor time of the last question with a limit on it, by the thread that asked.
    static USED: Cell<u64> = const { Cell::new(0) };
}

/// The processor time in seconds that the last question of this thread with a `cpu_limit` took.
#[pyfunction]
pub(crate) fn cpu_seconds() -> f64 {
    Duration::from_micros(USED.get()).as_secs_f64()
}

/// Stops every question that is being answered, in whatever thread: each raises `KeyboardInterrupt`.
#[pyfunction]
pub(crate) fn interrupt() {
    INTERRUPTS.fetch_add(1, Relaxed);
}

/// How a question is asked, as keyword arguments of Python.
#[derive(Clone, Copy, Default)]
struct Options {
    play: Option<Play>,
    method: Option<Method>,
    max_heap: Option<u64>,
    to: Option<u64>,
    time: Option<Duration>,
    cpu: Option<Duration>,
    memory: Option<u64>,
}

const NAMES: &str = "play, method, max_heap, to, time_limit, cpu_limit, memory_limit, progress";

impl Options {
    /// The options, and whom to tell of progress.
    fn read(py: Python<'_>, given: Option<&Bound<'_, PyDict>>) -> PyResult<(Self, Option<Py<PyAny>>)> {
        let (mut options, mut progress) = (Self::default(), None);
        let Some(given) = given else { return Ok((options, progress)) };
        for (key, value) in given {
            if value.is_none() {
                continue;
            }
            let key: String = key.extract()?;
            match key.as_str() {
                "play" => {
                    options.play = Some(match value.extract::<String>().as_deref() {
                        Ok("normal") => Play::Normal,
                        Ok("misere" | "misère") => Play::Misere,
                        _ => return Err(PyValueError::new_err("play is \"normal\" or \"misere\"")),
                    });
                }
                "method" => {
                    let name: String = value.extract().map_err(|_| wrong(&key, "text such as \"learn\""))?;
                    options.method = Some(name.parse().map_err(|error| raised(py, error))?);
                }
                "max_heap" => options.max_heap = Some(natural(&key, &value)?),
                "to" => options.to = Some(natural(&key, &value)?),
                "time_limit" => options.time = Some(seconds(&key, &value)?),
                "cpu_limit" => options.cpu = Some(seconds(&key, &value)?),
                "memory_limit" => options.memory = Some(natural(&key, &value)?),
                "progress" => progress = Some(value.unbind()),
                other => {
                    return Err(PyTypeError::new_err(format!("\"{other}\" is no option; they are {NAMES}")));
                }
            }
        }
        Ok((options, progress))
    }

    fn ask<'a>(&self, watch: &'a Watch) -> Ask<'a> {
        let mut ask = Ask::new();
        if let Some(play) = self.play {
            ask = ask.play(play);
        }
        if let Some(method) = self.method {
            ask = ask.method(method);
        }
        if let Some(heap) = self.max_heap {
            ask = ask.max_heap(heap);
        }
        if let Some(heap) = self.to {
            ask = ask.to(heap);
        }
        if let Some(bytes) = self.memory {
            ask = ask.memory(bytes);
        }
        if self.time.is_some() || self.cpu.is_some() {
            ask = ask.without_default_limits();
        }
        ask.monitor(watch)
    }
}

fn wrong(key: &str, what: &str) -> PyErr {
    PyTypeError::new_err(format!("{key} is {what}"))
}

/// A natural number of 64 bits.
pub(crate) fn natural(key: &str, value: &Bound<'_, PyAny>) -> PyResult<u64> {
    if value.is_instance_of::<pyo3::types::PyBool>() {
        return Err(wrong(key, "an int, not a bool"));
    }
    value.extract().map_err(|error: PyErr| {
        if error.is_instance_of::<PyTypeError>(value.py()) {
            wrong(key, "an int such as 100")
        } else {
            PyValueError::new_err(format!("{key} is an int from 0 to 2**64 - 1"))
        }
    })
}

fn seconds(key: &str, value: &Bound<'_, PyAny>) -> PyResult<Duration> {
    let seconds: f64 = value.extract().map_err(|_| wrong(key, "a number of seconds such as 30"))?;
    Duration::try_from_secs_f64(seconds)
        .map_err(|_| PyValueError::new_err(format!("{key} = {seconds}: give seconds, 0 or more, such as 30")))
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

/// The monitor of one question.
struct Watch {
    start: Instant,
    time: Option<Duration>,
    cpu: Option<Duration>,
    memory: Option<u64>,
    interrupted: AtomicBool,
    interrupts: u64,
    /// What the handler of a signal raised.
    signal: Mutex<Option<PyErr>>,
    /// Whether ticks look for signals themselves: in the thread that asks.
    listens: bool,
    /// Microseconds since the start at which the next glance is due.
    next_glance: AtomicU64,
    /// Microseconds of processor time, when the question is answered.
    used: AtomicU64,
    done: AtomicU64,
    /// What there is to do in all; 0 when nobody knows.
    total: AtomicU64,
}

impl Watch {
    fn new(options: &Options, listens: bool) -> Self {
        Self {
            start: Instant::now(),
            time: options.time,
            cpu: options.cpu,
            memory: options.memory,
            interrupted: AtomicBool::new(false),
            interrupts: INTERRUPTS.load(Relaxed),
            signal: Mutex::new(None),
            listens,
            next_glance: AtomicU64::new(0),
            used: AtomicU64::new(0),
            done: AtomicU64::new(0),
            total: AtomicU64::new(0),
        }
    }

    fn glance(&self, elapsed: Duration) -> ControlFlow<StopReason> {
        if self.cpu.is_some_and(|limit| processor_time(self.start) >= limit) {
            return ControlFlow::Break(StopReason::Time);
        }
        if self
            .memory
            .is_some_and(|limit| memory_stats::memory_stats().is_some_and(|used| used.physical_mem as u64 > limit))
        {
            return ControlFlow::Break(StopReason::Memory);
        }
        if self.listens
            && elapsed > GLANCE
            && let Err(error) = Python::attach(|py| py.check_signals())
        {
            self.hear(error);
            return ControlFlow::Break(StopReason::Interrupted);
        }
        ControlFlow::Continue(())
    }

    /// Stops the run because of a signal.
    fn hear(&self, error: PyErr) {
        self.signal.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(error);
        self.interrupted.store(true, Relaxed);
    }

    /// What is raised in the end.
    fn answer<T>(&self, py: Python<'_>, found: std::thread::Result<Result<T, Error>>) -> PyResult<T> {
        if let Some(signal) = self.signal.lock().unwrap_or_else(PoisonError::into_inner).take() {
            return Err(signal);
        }
        match found {
            Ok(found) => found.map_err(|error| raised(py, error)),
            Err(panic) => Err(mistake(&*panic)),
        }
    }
}

impl Monitor for Watch {
    fn tick(&self, done: u64, total: Option<u64>) -> ControlFlow<StopReason> {
        self.done.store(done, Relaxed);
        self.total.store(total.unwrap_or(0), Relaxed);
        if self.interrupted.load(Relaxed) || INTERRUPTS.load(Relaxed) != self.interrupts {
            return ControlFlow::Break(StopReason::Interrupted);
        }
        let elapsed = self.start.elapsed();
        if self.time.is_some_and(|limit| elapsed >= limit) {
            return ControlFlow::Break(StopReason::Time);
        }
        if elapsed < Duration::from_micros(self.next_glance.load(Relaxed)) {
            return ControlFlow::Continue(());
        }
        let next = u64::try_from((elapsed + GLANCE).as_micros()).unwrap_or(u64::MAX);
        self.next_glance.store(next, Relaxed);
        self.glance(elapsed)
    }

    fn elapsed(&self) -> Option<Duration> {
        Some(self.start.elapsed())
    }
}

/// Where the answer is put by the thread that finds it.
struct Answer<T> {
    place: Mutex<Option<std::thread::Result<T>>>,
    there: Condvar,
}

impl<T> Answer<T> {
    fn put(&self, answer: std::thread::Result<T>) {
        *self.place.lock().unwrap_or_else(PoisonError::into_inner) = Some(answer);
        self.there.notify_all();
    }

    fn wait(&self, time: Duration) -> Option<std::thread::Result<T>> {
        let place = self.place.lock().unwrap_or_else(PoisonError::into_inner);
        let found = self.there.wait_timeout_while(place, time, |answer| answer.is_none());
        found.unwrap_or_else(PoisonError::into_inner).0.take()
    }
}

/// Asks a question that may take long: in a thread of its own, with limits, signals and progress.
pub(crate) fn long<T: Send>(
    py: Python<'_>,
    options: Option<&Bound<'_, PyDict>>,
    question: impl FnOnce(&Ask<'_>) -> Result<T, Error> + Send,
) -> PyResult<T> {
    let (options, progress) = Options::read(py, options)?;
    let watch = Watch::new(&options, false);
    let answer = Answer { place: Mutex::new(None), there: Condvar::new() };
    let (watch, answer) = (&watch, &answer);
    let work = move || {
        let ask = options.ask(watch);
        let question = AssertUnwindSafe(|| question(&ask));
        answer.put(match options.cpu {
            None => catch_unwind(question),
            // A limit on processor time wants all the work in one thread.
            Some(_) => match rayon::ThreadPoolBuilder::new().num_threads(1).stack_size(STACK).build() {
                Ok(pool) => catch_unwind(AssertUnwindSafe(|| {
                    pool.install(|| {
                        let found = question.0();
                        let used = processor_time(watch.start).as_micros();
                        watch.used.store(u64::try_from(used).unwrap_or(u64::MAX), Relaxed);
                        found
                    })
                })),
                Err(error) => Ok(Err(Error::input(error))),
            },
        });
    };
    let found = std::thread::scope(|scope| -> PyResult<_> {
        std::thread::Builder::new()
            .stack_size(STACK)
            .spawn_scoped(scope, work)
            .map_err(|error| PyRuntimeError::new_err(format!("no thread for the question: {error}")))?;
        loop {
            if let Some(found) = py.detach(|| answer.wait(WAKE)) {
                return Ok(found);
            }
            if let Err(error) = py.check_signals().and_then(|()| tell(py, progress.as_ref(), watch)) {
                watch.hear(error);
            }
        }
    })?;
    USED.set(watch.used.load(Relaxed));
    if let Some(progress) = &progress {
        // The end, whatever it was.
        let _ = progress.call1(py, (py.None(), py.None(), watch.start.elapsed().as_secs_f64()));
    }
    watch.answer(py, found)
}

/// Calls `progress(done, total, seconds)`, where it is asked for; `total` is `None` when nobody knows.
fn tell(py: Python<'_>, progress: Option<&Py<PyAny>>, watch: &Watch) -> PyResult<()> {
    let Some(progress) = progress else { return Ok(()) };
    let total = Some(watch.total.load(Relaxed)).filter(|&total| total > 0);
    progress.call1(py, (watch.done.load(Relaxed), total, watch.start.elapsed().as_secs_f64()))?;
    Ok(())
}

/// Asks a question that takes microseconds as a rule: at once, in this thread.
pub(crate) fn short<T: Send>(
    py: Python<'_>,
    options: Option<&Bound<'_, PyDict>>,
    question: impl FnOnce(&Ask<'_>) -> Result<T, Error> + Send,
) -> PyResult<T> {
    let (options, _) = Options::read(py, options)?;
    let watch = &Watch::new(&options, true);
    let found = py.detach(|| catch_unwind(AssertUnwindSafe(|| question(&options.ask(watch)))));
    watch.answer(py, found)
}

/// As [`short`], for a question that calls Python itself and so keeps its lock.
pub(crate) fn attached<T>(
    py: Python<'_>,
    options: Option<&Bound<'_, PyDict>>,
    question: impl FnOnce(&dyn Monitor, Play) -> PyResult<T>,
) -> PyResult<T> {
    let (options, _) = Options::read(py, options)?;
    let watch = Watch::new(&options, true);
    match catch_unwind(AssertUnwindSafe(|| question(&watch, options.play.unwrap_or_default()))) {
        Err(panic) => Err(mistake(&*panic)),
        Ok(found) => match watch.signal.into_inner().unwrap_or_else(PoisonError::into_inner) {
            Some(signal) => Err(signal),
            None => found,
        },
    }
}
