//! The monitor of a worker: the browser's clock, and progress a few times a second.

use std::ops::ControlFlow;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering::Relaxed};
use std::time::Duration;

use impartial::prelude::{Monitor, StopReason};
use wasm_bindgen::prelude::wasm_bindgen;

/// Milliseconds between two messages.
const PAUSE: u64 = 100;
/// The time is asked for at most this often without a look at the clock.
const MOST_SKIPPED: u32 = 31;

#[wasm_bindgen]
extern "C" {
    /// Milliseconds.
    #[wasm_bindgen(js_namespace = performance)]
    fn now() -> f64;
    /// Told to the page; a total below zero is not known.
    #[wasm_bindgen(js_name = impartialProgress)]
    fn progress(done: f64, total: f64);
    /// Something that people should know.
    #[wasm_bindgen(js_name = impartialWarning)]
    fn warning(message: &str);
    /// Loads a part of the engine, counted from 1, before a function of it is called: `crates/impartial-page/src/split.rs` writes the calls.
    #[wasm_bindgen(js_name = impartialLoad)]
    pub fn load(part: u32);
    /// The message of a panic, which ends the engine.
    #[wasm_bindgen(js_name = impartialPanic)]
    fn panicked(message: &str);
}

/// Lets the page know why an engine ended: a panic is a bug, and its message says where.
pub fn listen_to_panics() {
    std::panic::set_hook(Box::new(|info| panicked(&info.to_string())));
}

/// Watches one question. The page stops a run by ending the worker.
pub struct Watch {
    start: f64,
    /// Milliseconds at which progress is told next.
    next: AtomicU64,
    /// The bits of the milliseconds at the last look at the clock.
    last: AtomicU64,
    /// How often the time is asked for between two looks, and how often it still is before the next one.
    skipped: AtomicU32,
    left: AtomicU32,
}

impl Watch {
    /// Begins now.
    pub fn start() -> Self {
        let (next, last) = (AtomicU64::new(PAUSE), AtomicU64::new(0));
        Self { start: now(), next, last, skipped: AtomicU32::new(0), left: AtomicU32::new(0) }
    }

    /// Milliseconds since the start. Looking at the clock is a call out of the engine: where the time is asked for many times in a
    /// millisecond, most answers are those of the last look.
    fn milliseconds(&self) -> f64 {
        let (last, left) = (f64::from_bits(self.last.load(Relaxed)), self.left.load(Relaxed));
        if left > 0 {
            self.left.store(left - 1, Relaxed);
            return last;
        }
        let time = now() - self.start;
        let skipped = if time < last + 1.0 { MOST_SKIPPED.min(2 * self.skipped.load(Relaxed) + 1) } else { 0 };
        self.skipped.store(skipped, Relaxed);
        self.left.store(skipped, Relaxed);
        self.last.store(time.to_bits(), Relaxed);
        time
    }
}

#[expect(clippy::cast_precision_loss, reason = "a bar of a hundred pixels needs no 53 bits")]
impl Monitor for Watch {
    fn tick(&self, done: u64, total: Option<u64>) -> ControlFlow<StopReason> {
        let elapsed = self.milliseconds();
        if elapsed >= self.next.load(Relaxed) as f64 {
            #[expect(
                clippy::cast_possible_truncation,
                clippy::cast_sign_loss,
                reason = "milliseconds since the start"
            )]
            self.next.store(elapsed as u64 + PAUSE, Relaxed);
            progress(done as f64, total.map_or(-1.0, |total| total as f64));
        }
        ControlFlow::Continue(())
    }

    fn elapsed(&self) -> Option<Duration> {
        Some(Duration::from_secs_f64((self.milliseconds() / 1000.0).max(0.0)))
    }

    fn warn(&self, message: &str) {
        warning(message);
    }
}
