//! The form "chains": every f_{B,j} as finite data (`docs/strategy-files.md`).

use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};
use serde_json::json;
use thiserror::Error;

use super::{Envelope, Unchecked};
use crate::error::Error;
use crate::outcome::Play;
use crate::poset::chains::{ChainsError, ChainsGame};
use crate::solve::chains::{Branch, NONE, Solution};
use semilinear::run::{Monitor, StopReason};

/// The name of the form.
pub const CHAINS: &str = "chains";

/// Columns and values in a file stay below this.
const LARGEST: u32 = 1 << 30;

/// Why a strategy file of this form cannot be used.
#[derive(Debug, Error)]
pub enum ChainsFileError {
    /// The game is no chains game.
    #[error("strategy file: {0}")]
    Game(#[from] ChainsError),
    /// The certificate has another shape.
    #[error("strategy file: certificate: {0}; solve the game again")]
    Shape(#[from] serde_json::Error),
    /// The numbers do not fit each other.
    #[error("strategy file: certificate: {0}; solve the game again")]
    Content(&'static str),
    /// Reading was stopped by a limit.
    #[error("{0}")]
    Stopped(StopReason),
}

impl From<ChainsFileError> for Error {
    fn from(error: ChainsFileError) -> Self {
        match error {
            ChainsFileError::Stopped(why) => why.into(),
            error => Self::input(error),
        }
    }
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Certificate {
    values: u32,
    ideals: Vec<Entry>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Entry {
    ideal: Vec<u32>,
    functions: Vec<Function>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Function {
    first: u32,
    values: Vec<Option<u32>>,
    period: u32,
}

/// The strategy file of a solution.
///
/// ```
/// use impartial::{poset::chains::ChainsGame, run::Unlimited, solve::chains::Solution};
/// use impartial::strategy::chains::{from_envelope, to_envelope};
/// let solution = Solution::new(ChainsGame::chomp(&[2, 1]).unwrap(), 0, &Unlimited).unwrap();
/// let file = to_envelope(&solution);
/// let again = from_envelope(&file, &Unlimited).unwrap();
/// assert_eq!(again.claim().pattern(0), solution.pattern(0));
/// ```
pub fn to_envelope(solution: &Solution) -> Envelope {
    let function = |branch: &Branch| Function {
        first: branch.first,
        values: branch.values.iter().map(|&n| (n != NONE).then_some(n)).collect(),
        period: branch.period,
    };
    let ideals = solution.ideals().list().iter().enumerate().map(|(b, ideal)| Entry {
        ideal: ideal.key.clone(),
        functions: (0..=solution.values()).map(|j| function(solution.branch(b, j))).collect(),
    });
    let certificate = Certificate { values: solution.values(), ideals: ideals.collect() };
    Envelope {
        form: CHAINS.into(),
        play: Play::Normal,
        game: solution.game().to_json(),
        certificate: json!(certificate),
    }
}

/// The solution in a strategy file. Its claim is not checked here: `impartial-check` does that.
pub fn from_envelope(file: &Envelope, monitor: &dyn Monitor) -> Result<Unchecked<Solution>, ChainsFileError> {
    let game = ChainsGame::from_json(&file.game)?;
    if file.play != Play::Normal {
        return Err(ChainsFileError::Content("chains games are solved in normal play only"));
    }
    let certificate: Certificate = serde_json::from_value(file.certificate.clone())?;
    let mut entries: FxHashMap<Vec<u32>, Vec<Branch>> = FxHashMap::default();
    for entry in certificate.ideals {
        let branches: Result<Vec<Branch>, ChainsFileError> = entry.functions.into_iter().map(branch).collect();
        entries.insert(entry.ideal, branches?);
    }
    Solution::from_parts(game, certificate.values, |key| entries.remove(key), monitor)
        .map_err(ChainsFileError::Stopped)?
        .map(Unchecked::new)
        .ok_or(ChainsFileError::Content("an order ideal, or one of its functions, is missing"))
}

fn branch(function: Function) -> Result<Branch, ChainsFileError> {
    let Function { first, values, period } = function;
    let small = values.len() < LARGEST as usize && values.iter().flatten().all(|&n| n < LARGEST);
    if first >= LARGEST || !small || period as usize > values.len() {
        return Err(ChainsFileError::Content("a number is too large"));
    }
    Ok(Branch { first, values: values.into_iter().map(|n| n.unwrap_or(NONE)).collect(), period })
}
