//! The independent checker of strategy files.
//!
//! It has two tiers: a kernel (the forms automaton, grundy-automaton, stratification, series, parity-kernel, nim-sequence, quotient,
//! counters and table), and extensions for what needs a theorem of its own (clauses, induction, sectors, chains, presentation,
//! characters). A verdict names the tier that it rests on.
//!
//! It reads a strategy file, trusts nothing in it, and says whether the claim it makes follows from
//! the certificate it carries. It is written from `docs/strategy-files.md` and shares no code with
//! the programs that write such files.
//!
//! ```
//! use impartial_check::{check, Verdict};
//! assert!(matches!(check("{}", &|| true), Verdict::Refused { .. }));
//! ```

mod automaton;
mod chains;
mod characters;
mod clauses;
mod counters;
mod dominance;
mod envelope;
mod grundy_automaton;
mod heap;
mod json;
mod kernel;
mod lattice;
mod meter;
mod module;
mod nda;
mod nim_sequence;
mod parity_kernel;
mod presentation;
mod project;
mod quotient;
mod sectors;
mod series;
mod stratification;
mod table;

use envelope::File;
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
    /// The file is damaged, of no known form, or its certificate does not prove its claim.
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
    /// `keep_going` said no before the check was finished: nothing is known.
    Stopped,
}

impl From<Finding> for Verdict {
    fn from(finding: Finding) -> Self {
        match finding {
            Finding::Valid { claim, game, tier } => {
                Self::Valid { claim: format!("{claim}; the game: {game}; checked by {tier}") }
            }
            Finding::Refused { reason, .. } => Self::Refused { reason },
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
    /// The caller wants no more.
    Stopped,
}

/// Shorthand for a refusal.
pub(crate) fn refuse<T>(reason: impl Into<String>) -> Result<T, Failure> {
    Err(Failure::Refused(reason.into()))
}

/// Checks the text of a strategy file within the default memory. `keep_going` is asked often, and keeps the caller's time: when it
/// says no, the check stops. What would take more than ten hours is refused at once.
pub fn check(text: &str, keep_going: &dyn Fn() -> bool) -> Verdict {
    let default = Limits::default();
    check_within(text, &Limits { steps: 60 * default.steps, ..default }, keep_going).into()
}

/// [`check`] within other limits, and with all that was found: what would need more is refused, before it is spent.
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
    match File::read(text, &meter).and_then(|file| Ok((dispatch(&file, &meter)?, file.name()))) {
        Ok((claim, game)) => Finding::Valid { claim, game, tier: meter.tier() },
        Err(Failure::Refused(reason)) => Finding::Refused { reason, position: None },
        Err(Failure::At(reason, position)) => Finding::Refused { reason, position: Some(position) },
        Err(Failure::Stopped) => Finding::Stopped,
    }
}

/// The whole game of a file as compact JSON, whether or not its certificate is valid.
pub fn game(text: &str) -> Option<String> {
    let meter = Meter::new(&Limits::default(), &|| true);
    File::read(text, &meter).ok().map(|file| serde_json::Value::Object(file.game).to_string())
}

fn dispatch(file: &File, meter: &Meter<'_>) -> Result<String, Failure> {
    let of_chains = file.game.get("kind").and_then(serde_json::Value::as_str) == Some("chains");
    match file.form.as_str() {
        "nim-sequence" => nim_sequence::check(file, meter),
        "counters" => counters::check(file, meter),
        "dominance" => dominance::check(file, meter),
        "quotient" => quotient::check(file, meter),
        "automaton" | "stratification" | "series" if of_chains => chains::check_set(file, meter),
        "automaton" => automaton::check(file, meter),
        "grundy-automaton" => grundy_automaton::check(file, meter),
        "chains" => chains::check(file, meter),
        "series" if file.certificate.contains_key("characters") => {
            if file.misere {
                return refuse("\"play\" is not \"normal\": the sum over characters is for normal play only");
            }
            characters::check(file, meter)
        }
        "series" => series::check(file, meter),
        "parity-kernel" => parity_kernel::check(file, meter),
        "presentation" => presentation::check(file, meter),
        "sectors" => sectors::check(file, meter),
        "stratification" => stratification::check(file, meter),
        "table" => table::check(file, meter),
        other => refuse(format!("\"form\": no form is called \"{other}\"")),
    }
}
