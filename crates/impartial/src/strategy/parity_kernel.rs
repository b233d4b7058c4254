//! The form "parity-kernel": the Grundy values of single heaps (`docs/strategy-files.md`).

use serde_json::{Value, json};
use thiserror::Error;

use super::Envelope;
use crate::heap::HeapRules;
use crate::lattice::LatticeGame;
use crate::outcome::Play;
use crate::solve::parity_kernel::ParityKernel;

/// The name of the form.
pub const PARITY_KERNEL: &str = "parity-kernel";

/// Why a strategy file of this form cannot be used.
#[derive(Debug, Error)]
pub enum ParityKernelFileError {
    /// The certificate has another shape.
    #[error("strategy file: certificate: {0}; solve the game again")]
    Certificate(&'static str),
}

/// The strategy file of a squarefree lattice game in normal play.
///
/// ```
/// use impartial::lattice::{Description, LatticeGame};
/// use semilinear::run::Unlimited;
/// use impartial::solve::parity_kernel::ParityKernel;
/// use impartial::strategy::parity_kernel::{lattice_envelope, values};
/// let game = Description::from_toml("rules = [[1, 0], [0, 1], [-1, 1]]").unwrap();
/// let game = LatticeGame::new(&game, &Unlimited).unwrap();
/// let file = lattice_envelope(&game, &ParityKernel::of_lattice(&game).unwrap());
/// assert_eq!(values(&file).unwrap(), [1, 2]);
/// ```
pub fn lattice_envelope(game: &LatticeGame, kernel: &ParityKernel) -> Envelope {
    Envelope {
        form: PARITY_KERNEL.into(),
        play: Play::Normal,
        game: game.to_json(),
        certificate: json!({"values": kernel.values(), "functional": game.functional()}),
    }
}

/// The strategy file of a heap game in normal play, for heaps up to the number of values.
pub fn heap_envelope(rules: &HeapRules, kernel: &ParityKernel) -> Envelope {
    let mut game = rules.to_json();
    game["kind"] = "heap".into();
    Envelope {
        form: PARITY_KERNEL.into(),
        play: Play::Normal,
        game,
        certificate: json!({"values": kernel.values(), "max_heap": kernel.values().len()}),
    }
}

/// The values of a file.
pub fn values(envelope: &Envelope) -> Result<Vec<u64>, ParityKernelFileError> {
    envelope
        .certificate
        .get("values")
        .and_then(Value::as_array)
        .and_then(|values| values.iter().map(Value::as_u64).collect::<Option<Vec<u64>>>())
        .ok_or(ParityKernelFileError::Certificate("\"values\" is not a list of natural numbers"))
}
