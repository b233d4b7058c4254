//! The engine for browsers: one question in, one answer out, both JSON.
//!
//! A [`desk::Desk`] answers with the library's own structures, and keeps the strategies that it has found. This file is the
//! counter that JavaScript comes to: it lends the desk a clock and a way to tell progress, nothing else.

pub mod desk;
mod question;
mod watch;

use wasm_bindgen::prelude::wasm_bindgen;

use desk::Desk;
use watch::Watch;

/// The engine of one worker.
#[wasm_bindgen]
#[derive(Default)]
pub struct Engine {
    desk: Desk,
}

#[wasm_bindgen]
impl Engine {
    /// An engine that knows no strategy yet.
    #[wasm_bindgen(constructor)]
    pub fn new() -> Self {
        watch::listen_to_panics();
        Self::default()
    }

    /// The answer to a question; both are JSON.
    pub fn answer(&mut self, question: &str) -> String {
        self.desk.answer(question, &Watch::start())
    }

    /// Loads a part of the engine before it is called for.
    pub fn load(&self, part: u32) {
        watch::load(part);
    }

    /// A map of positions as bytes: see [`Desk::map`].
    pub fn map(&mut self, question: &str) -> Vec<u8> {
        self.desk.map(question, &Watch::start())
    }
}
