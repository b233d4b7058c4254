//! The monitor of a worker: the browser's clock, and progress a few times a second.

use std::ops::ControlFlow;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::time::Duration;

use impartial::prelude::{Monitor, StopReason};
use wasm_bindgen::prelude::wasm_bindgen;

/// Milliseconds between two messages.
const PAUSE: u64 = 100;

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
    next: AtomicU64,
}

impl Watch {
    /// Begins now.
    pub fn start() -> Self {
        Self { start: now(), next: AtomicU64::new(PAUSE) }
    }
}

#[expect(clippy::cast_precision_loss, reason = "a bar of a hundred pixels needs no 53 bits")]
impl Monitor for Watch {
    fn tick(&self, done: u64, total: Option<u64>) -> ControlFlow<StopReason> {
        let elapsed = now() - self.start;
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
        Some(Duration::from_secs_f64(((now() - self.start) / 1000.0).max(0.0)))
    }

    fn warn(&self, message: &str) {
        warning(message);
    }
}
