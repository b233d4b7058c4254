//! The envelope of strategy files: what every form has in common, and which game it is.

use serde_json::{Map, Value};
use sha2::{Digest, Sha256};

use crate::json::{self, objects, typed};
use crate::meter::{Held, Meter};
use crate::{Checked, refuse};

/// Games with a longer text are named by their digest.
const LONGEST_NAME: usize = 2000;

/// A strategy file with a sound envelope.
pub(crate) struct File {
    pub form: String,
    pub misere: bool,
    pub game: Map<String, Value>,
    pub certificate: Map<String, Value>,
    /// What the file takes up.
    _held: Held,
}

objects! {
    Envelope { format: String, version: u64, form: String, play: Play, game: Map<String, Value>, certificate: Map<String, Value> }
}

#[derive(serde::Deserialize, PartialEq)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Play {
    Normal,
    Misere,
}

impl File {
    pub fn read(text: &str, meter: &Meter<'_>) -> Checked<Self> {
        let (value, held) = json::read(text, meter)?;
        let Value::Object(mut map) = value else { return refuse("the text is not a JSON object") };
        let claimed = map.remove("digest");
        meter.steps(text.len())?;
        if claimed.as_ref().and_then(Value::as_str) != Some(&digest(&map)) {
            return refuse("\"digest\" does not belong to the content: the file is damaged");
        }
        if map.get("version").and_then(Value::as_u64) == Some(1) {
            return refuse("version 1 is no longer read: write the file anew with `impartial solve GAME -o FILE`");
        }
        let envelope: Envelope = typed("the file", Value::Object(map))?;
        if envelope.format != "impartial-strategy" || envelope.version != 2 {
            return refuse("not \"impartial-strategy\" of version 2");
        }
        let misere = envelope.play == Play::Misere;
        let Envelope { form, game, certificate, .. } = envelope;
        Ok(Self { form, misere, game, certificate, _held: held })
    }

    /// The whole game, in the words of the file: nothing is left out. Long games are named by their digest.
    pub fn name(&self) -> String {
        let text = Value::Object(self.game.clone()).to_string();
        if text.len() <= LONGEST_NAME {
            return text;
        }
        let digest = hex(&Sha256::digest(text.as_bytes()));
        format!("SHA-256 {digest} of its {} bytes of JSON (impartial-check --game prints them)", text.len())
    }
}

/// SHA-256 of the compact text of an object.
fn digest(map: &Map<String, Value>) -> String {
    let mut hash = Sha256::new();
    // Neither the hash nor a value that was read can fail to be written.
    serde_json::to_writer(&mut hash, map).expect("writing to a hash");
    hex(&hash.finalize())
}

fn hex(bytes: &[u8]) -> String {
    let digit = |x: u8| char::from_digit(u32::from(x), 16).expect("below 16");
    bytes.iter().flat_map(|b| [digit(b >> 4), digit(b & 15)]).collect()
}
