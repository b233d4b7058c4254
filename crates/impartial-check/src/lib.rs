//! The independent checker of strategy files.
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
mod envelope;
mod grundy_automaton;
mod kernel;
mod lattice;
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
mod takeaway;

use envelope::File;

/// What the checker says of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// The certificate proves the claim.
    Valid {
        /// The proved claim in words, made from the certificate.
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

/// Why a check ended without proof.
#[derive(Clone, Debug)]
pub(crate) enum Failure {
    /// The file is wrong.
    Refused(String),
    /// The caller wants no more.
    Stopped,
}

/// Shorthand for a refusal.
pub(crate) fn refuse<T>(reason: impl Into<String>) -> Result<T, Failure> {
    Err(Failure::Refused(reason.into()))
}

/// Checks the text of a strategy file. `keep_going` is asked often; when it says no, the check stops.
pub fn check(text: &str, keep_going: &dyn Fn() -> bool) -> Verdict {
    match File::read(text).and_then(|file| dispatch(&file, keep_going)) {
        Ok(claim) => Verdict::Valid { claim },
        Err(Failure::Refused(reason)) => Verdict::Refused { reason },
        Err(Failure::Stopped) => Verdict::Stopped,
    }
}

fn dispatch(file: &File, keep_going: &dyn Fn() -> bool) -> Result<String, Failure> {
    let of_chains = file.game.get("kind").and_then(serde_json::Value::as_str) == Some("chains");
    match file.form.as_str() {
        "nim-sequence" => nim_sequence::check(file, keep_going),
        "counters" => counters::check(file, keep_going),
        "quotient" => quotient::check(file, keep_going),
        "automaton" | "stratification" | "series" if of_chains => chains::check_set(file, keep_going),
        "automaton" => automaton::check(file, keep_going),
        "grundy-automaton" => grundy_automaton::check(file, keep_going),
        "chains" => chains::check(file, keep_going),
        "series" if file.certificate.contains_key("characters") => {
            if file.misere {
                return refuse("\"play\" is not \"normal\": the sum over characters is for normal play only");
            }
            characters::check(file, keep_going)
        }
        "series" => series::check(file, keep_going),
        "parity-kernel" => parity_kernel::check(file, keep_going),
        "presentation" => presentation::check(file, keep_going),
        "sectors" => sectors::check(file, keep_going),
        "stratification" => stratification::check(file, keep_going),
        "table" => table::check(file, keep_going),
        other => refuse(format!("\"form\": no form is called \"{other}\"")),
    }
}
