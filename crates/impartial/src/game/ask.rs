//! How a question is asked: play, method, bounds, limits.

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

use semilinear::run::{Monitor, Unlimited, Within};

use crate::error::Error;
use crate::outcome::Play;
use crate::solve::sequence::Engine;

/// The way in which a game is solved, where the cheapest is not wanted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Method {
    /// The cheapest that works.
    #[default]
    Auto,
    /// Lattice games: the learner.
    Learn,
    /// Lattice games in the plane: the sector method.
    Sector,
    /// Lattice games on the orthant: blocks, most significant digits first.
    Blocks,
    /// Squarefree games in normal play: the parity kernel.
    Kernel,
    /// Poset games: the table of all positions.
    Table,
    /// Poset games with infinite chains: the periodicity theorem.
    Chains,
    /// Heap games in misère play: the quotient.
    Quotient,
    /// Heap games in normal play: the Grundy sequence.
    NimSequence,
    /// Claimed series: the sets of points where the coefficients have each of their values.
    Automaton,
    /// Claimed series: Hadamard products.
    Series,
}

const METHODS: [(Method, &str); 11] = [
    (Method::Auto, "auto"),
    (Method::Learn, "learn"),
    (Method::Sector, "sector"),
    (Method::Blocks, "blocks"),
    (Method::Kernel, "kernel"),
    (Method::Table, "table"),
    (Method::Chains, "chains"),
    (Method::Quotient, "quotient"),
    (Method::NimSequence, "nim-sequence"),
    (Method::Automaton, "automaton"),
    (Method::Series, "series"),
];

impl fmt::Display for Method {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(METHODS.iter().find(|(method, _)| method == self).map_or("", |(_, name)| name))
    }
}

impl FromStr for Method {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self, Error> {
        let name = match text {
            "sectors" => "sector",
            "parity-kernel" => "kernel",
            other => other,
        };
        METHODS.iter().find(|(_, known)| *known == name).map(|(method, _)| *method).ok_or_else(|| {
            let names: Vec<&str> = METHODS.iter().map(|(_, name)| *name).collect();
            Error::Input(format!("--method {text} is not known; it is one of {}", names.join(", ")))
        })
    }
}

/// How a question is asked.
///
/// ```
/// use impartial::prelude::*;
/// let game: Game = "0.77".parse()?;
/// let ask = Ask::new().play(Play::Misere).max_heap(12);
/// assert_eq!(game.quotient(&ask)?.report().order().map(|n| n.to_string()), Some("24".into()));
/// # Ok::<(), Error>(())
/// ```
#[derive(Clone, Copy)]
pub struct Ask<'a> {
    pub(crate) play: Option<Play>,
    pub(crate) method: Method,
    pub(crate) max_heap: Option<u64>,
    pub(crate) to: Option<u64>,
    pub(crate) up_to: Option<u64>,
    pub(crate) numeration: Option<&'a str>,
    pub(crate) engine: Engine,
    pub(crate) memory: Option<u64>,
    pub(crate) default_limits: bool,
    pub(crate) monitor: &'a dyn Monitor,
}

impl Default for Ask<'_> {
    fn default() -> Self {
        Self::new()
    }
}

impl fmt::Debug for Ask<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Ask")
            .field("play", &self.play)
            .field("method", &self.method)
            .field("max_heap", &self.max_heap)
            .field("to", &self.to)
            .field("memory", &self.memory)
            .finish_non_exhaustive()
    }
}

impl<'a> Ask<'a> {
    /// The game's own play, the cheapest method, no limits but the default ones.
    pub fn new() -> Self {
        Self {
            play: None,
            method: Method::Auto,
            max_heap: None,
            to: None,
            up_to: None,
            numeration: None,
            engine: Engine::Auto,
            memory: None,
            default_limits: true,
            monitor: &Unlimited,
        }
    }

    /// In this play, whatever the game's own is.
    #[must_use]
    pub fn play(mut self, play: Play) -> Self {
        self.play = Some(play);
        self
    }

    /// By this method.
    #[must_use]
    pub fn method(mut self, method: Method) -> Self {
        self.method = method;
        self
    }

    /// Heap games: with heaps of at most this size.
    #[must_use]
    pub fn max_heap(mut self, heap: u64) -> Self {
        self.max_heap = Some(heap);
        self
    }

    /// Periods: look no further than this heap.
    #[must_use]
    pub fn to(mut self, heap: u64) -> Self {
        self.to = Some(heap);
        self
    }

    /// Games with rays: the Grundy values 0, …, k.
    #[must_use]
    pub fn up_to(mut self, k: u64) -> Self {
        self.up_to = Some(k);
        self
    }

    /// Games with rays: in the digits of this numeration system, `auto` for one that the data suggest.
    #[must_use]
    pub fn numeration(mut self, name: &'a str) -> Self {
        self.numeration = Some(name);
        self
    }

    /// Grundy sequences: by this engine.
    #[must_use]
    pub fn engine(mut self, engine: Engine) -> Self {
        self.engine = engine;
        self
    }

    /// Tables take no more than about this many bytes.
    #[must_use]
    pub fn memory(mut self, bytes: u64) -> Self {
        self.memory = Some(bytes);
        self
    }

    /// Searches that may never end have a time limit by default; the caller keeps one of its own instead.
    #[must_use]
    pub fn without_default_limits(mut self) -> Self {
        self.default_limits = false;
        self
    }

    /// Watched by this monitor.
    #[must_use]
    pub fn monitor<'b>(self, monitor: &'b dyn Monitor) -> Ask<'b>
    where
        'a: 'b,
    {
        Ask { monitor, ..self }
    }

    /// The play of a game with this play of its own.
    pub(crate) fn play_of(&self, own: Option<Play>) -> Play {
        self.play.or(own).unwrap_or_default()
    }

    /// The monitor with a default time limit, unless the caller keeps one of its own.
    pub(crate) fn patience(&self, limit: Duration) -> Within<'a> {
        if self.default_limits { Within::new(self.monitor, limit) } else { Within::unlimited(self.monitor) }
    }

    /// Seconds since the run began, where there is a clock.
    pub(crate) fn seconds(&self) -> Option<f64> {
        self.monitor.elapsed().map(|elapsed| elapsed.as_secs_f64())
    }

    /// Refuses methods that are not among `known`; `what` is solved by them.
    pub(crate) fn method_among(&self, known: &[Method], what: &str) -> Result<Method, Error> {
        if self.method == Method::Auto || known.contains(&self.method) {
            return Ok(self.method);
        }
        let names: Vec<String> = known.iter().map(ToString::to_string).collect();
        Err(Error::Input(format!(
            "--method {} is not known for {what}; it is {}, or leave it out",
            self.method,
            names.join(" or ")
        )))
    }
}
