//! The independent checker of strategy files.
//!
//! It has tiers: a reader without mathematics, a kernel (the forms automaton, grundy-automaton, stratification, series,
//! parity-kernel, nim-sequence, quotient, counters and table), and extensions for what needs a theorem of its own (clauses, induction, rare
//! heaps, long periods, followers of counters, kernels of quotients, charts, sectors, blocks, rule by rule, chains, presentation, characters, numeration, dominance, ranks). A
//! verdict names the extensions that it rests on.
//!
//! It reads a strategy file, trusts nothing in it, and says whether the claim it makes follows from
//! the certificate it carries. It is written from `docs/strategy-files.md` and shares no code with
//! the programs that write such files.
//!
//! ```
//! use impartial_check::{check, Verdict};
//! assert!(matches!(check("{}", &|| true), Verdict::Refused { .. }));
//! ```

/// Refuses on a condition, with a reason as in `format!`.
macro_rules! refuse_if {
    ($wrong:expr, $($reason:tt)+) => {
        if $wrong {
            return $crate::refuse(format!($($reason)+));
        }
    };
}

mod blocks;
mod chains;
mod characters;
mod chart;
mod classes;
mod clauses;
mod dominance;
mod file;
mod follow;
mod format;
mod forms;
mod hash;
mod heap;
mod induction;
mod json;
mod lattice;
mod laws;
mod meter;
mod mex;
mod misere;
mod monoid;
mod normal_play;
mod numeration;
mod period;
mod presentation;
mod ranks;
mod rare;
mod sectors;
mod series;
mod sets;
mod table;
mod walk;
mod words;

use blocks::Labels;
use file::File;
use format::Game;
use json::typed;
pub use meter::Limits;
use meter::Meter;

/// What the checker says of a file, in short.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// The certificate proves the claim.
    Valid {
        /// The proved claim in words, made from the certificate, with the whole game and the tier.
        claim: String,
    },
    /// The file is damaged, of no known form, larger than the limits, or its certificate does not prove its claim.
    Refused {
        /// What is wrong, and where.
        reason: String,
    },
    /// `keep_going` said no before the check was finished: nothing is known.
    Stopped,
}

/// What the checker says of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Finding {
    /// The certificate proves the claim.
    Valid {
        /// The proved claim in words, made from the certificate.
        claim: String,
        /// The whole game as compact JSON, or its digest when it is long.
        game: String,
        /// The tier of the checker that the proof rests on: the kernel, or the kernel and the extensions named.
        tier: String,
    },
    /// The file is damaged, of no known form, or its certificate does not prove its claim.
    Refused {
        /// What is wrong, and where.
        reason: String,
        /// A position at which the claim is wrong, in the game's own coordinates, where one was found.
        position: Option<Vec<i128>>,
    },
    /// The check needs more than the limits allow: nothing is known.
    TooLarge {
        /// Which limit.
        reason: String,
        /// Whether it is the limit of memory.
        memory: bool,
    },
    /// `keep_going` said no before the check was finished: nothing is known.
    Stopped,
}

impl From<Finding> for Verdict {
    fn from(finding: Finding) -> Self {
        match finding {
            Finding::Valid { claim, game, tier } => {
                Self::Valid { claim: format!("{claim}; the game: {game}; checked by {tier}") }
            }
            Finding::Refused { reason, .. } | Finding::TooLarge { reason, .. } => Self::Refused { reason },
            Finding::Stopped => Self::Stopped,
        }
    }
}

/// Why a check ended without proof.
#[derive(Clone, Debug)]
pub(crate) enum Failure {
    /// The file is wrong.
    Refused(String),
    /// The claim is wrong at a position.
    At(String, Vec<i128>),
    /// The check would exceed the limit of time or of the checker itself.
    TooLarge(String),
    /// The check would exceed the limit of memory.
    Memory(String),
    /// The caller wants no more.
    Stopped,
}

/// What was verified, or why not.
pub(crate) type Checked<T = ()> = Result<T, Failure>;

/// Shorthand for a refusal.
pub(crate) fn refuse<T>(reason: impl Into<String>) -> Checked<T> {
    Err(Failure::Refused(reason.into()))
}

/// Checks the text of a strategy file within the default memory. `keep_going` is asked often, and keeps the caller's time: when it
/// says no, the check stops. What would take more than ten hours is refused at once.
pub fn check(text: &str, keep_going: &dyn Fn() -> bool) -> Verdict {
    let default = Limits::default();
    check_within(text, &Limits { steps: 60 * default.steps, ..default }, keep_going).into()
}

/// [`check`] within other limits, and with all that was found: what would need more is not begun.
///
/// ```
/// use impartial_check::{Finding, Limits, check_within};
/// use std::time::Duration;
/// let limits = Limits::new(Duration::from_secs(5), 1 << 20);
/// assert!(matches!(check_within("{}", &limits, &|| true), Finding::Refused { .. }));
/// ```
pub fn check_within(text: &str, limits: &Limits, keep_going: &dyn Fn() -> bool) -> Finding {
    if !keep_going() {
        return Finding::Stopped;
    }
    let meter = Meter::new(limits, keep_going);
    let found = File::read(text, &meter).and_then(|file| {
        let name = file.name();
        Ok((dispatch(file, &meter)?, name))
    });
    match found {
        Ok((claim, game)) => Finding::Valid { claim, game, tier: meter.tier() },
        Err(Failure::Refused(reason)) => Finding::Refused { reason, position: None },
        Err(Failure::At(reason, position)) => Finding::Refused { reason, position: Some(position) },
        Err(Failure::TooLarge(reason)) => Finding::TooLarge { reason, memory: false },
        Err(Failure::Memory(reason)) => Finding::TooLarge { reason, memory: true },
        Err(Failure::Stopped) => Finding::Stopped,
    }
}

/// The whole game of a file as compact JSON, whether or not its certificate is valid.
pub fn game(text: &str) -> Option<String> {
    let meter = Meter::new(&Limits::default(), &|| true);
    File::read(text, &meter).ok().map(|file| serde_json::Value::Object(file.game).to_string())
}

fn dispatch(file: File, meter: &Meter<'_>) -> Checked<String> {
    if file.form == "numeration" {
        return numeration::check(file, meter);
    }
    let File { form, misere, game, certificate, .. } = file;
    let characters = certificate.contains_key("characters");
    let (place, file) = ("certificate", serde_json::Value::Object(certificate));
    match (form.as_str(), Game::read(game, misere, meter)?) {
        ("automaton", Game::Lattice(game)) => laws::automaton(&game, &typed(place, file)?, meter),
        ("grundy-automaton", Game::Lattice(game)) => laws::grundy(&game, &typed(place, file)?, meter),
        ("stratification", Game::Lattice(game)) => laws::stratification(&game, &typed(place, file)?, meter),
        ("series", Game::Lattice(game)) if !characters => series::series(&game, &typed(place, file)?, meter),
        (form, Game::Heap(game)) => forms::heaps(form, &game, misere, file, meter),
        (form, game) => others(form, game, misere, file, meter),
    }
}

// Not inlined, so that a program that is loaded in parts can leave this out where it asks for the forms above.
#[inline(never)]
fn others(form: &str, game: Game, misere: bool, file: serde_json::Value, meter: &Meter<'_>) -> Checked<String> {
    let place = "certificate";
    match (form, game) {
        ("sectors", Game::Lattice(game)) => sectors::check(&game, &typed(place, file)?, false, meter),
        ("grundy-sectors", Game::Lattice(game)) => sectors::check(&game, &typed(place, file)?, true, meter),
        ("blocks", Game::Lattice(game)) => blocks::check(&game, &typed(place, file)?, Labels::Outcomes, meter),
        ("grundy-blocks", Game::Lattice(game)) => blocks::check(&game, &typed(place, file)?, Labels::Values, meter),
        ("presentation", Game::Lattice(game)) => presentation::check(&game, &typed(place, file)?, meter),
        ("table", Game::Poset(game)) => table::poset(&game, misere, &typed(place, file)?, meter),
        ("table", Game::Chomp(game)) => table::chomp(&game, misere, &typed(place, file)?, meter),
        ("series", Game::Lattice(game)) if !misere => characters::check(&game, &typed(place, file)?, meter),
        ("parity-kernel", Game::Lattice(game)) if !misere => mex::lattice(&game, &typed(place, file)?, meter),
        ("chains", Game::Chains(game)) if !misere => chains::check(&game, &typed(place, file)?, meter),
        ("automaton" | "stratification" | "series", Game::Chains(game)) if !misere => {
            chains::check_set(&game, form, &typed(place, file)?, meter)
        }
        _ => forms::none(form, misere),
    }
}
