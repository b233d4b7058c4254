//! The envelope of a strategy file.

use serde_json::{Map, Value};
use sha2::{Digest, Sha256};

use crate::meter::{Held, Meter};
use crate::{Failure, json, refuse};

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

impl File {
    pub fn read(text: &str, meter: &Meter<'_>) -> Result<Self, Failure> {
        let (value, held) = json::read(text, meter)?;
        let Value::Object(mut map) = value else {
            return refuse("the text is not a JSON object");
        };
        let claimed = map.remove("digest");
        meter.steps(text.len())?;
        if claimed.as_ref().and_then(Value::as_str) != Some(&digest(&map)) {
            return refuse("\"digest\" does not belong to the content: the file is damaged");
        }
        let mut take = |key: &str| map.remove(key).ok_or_else(|| Failure::Refused(format!("\"{key}\" is missing")));
        if take("format")? != "impartial-strategy" {
            return refuse("\"format\" is not \"impartial-strategy\"");
        }
        if take("version")?.as_u64() != Some(1) {
            return refuse("\"version\" is not 1");
        }
        let Value::String(form) = take("form")? else {
            return refuse("\"form\" is not a string");
        };
        let misere = match take("play")?.as_str() {
            Some("normal") => false,
            Some("misere") => true,
            _ => return refuse("\"play\" is neither \"normal\" nor \"misere\""),
        };
        let Value::Object(game) = take("game")? else {
            return refuse("\"game\" is not an object");
        };
        let Value::Object(certificate) = take("certificate")? else {
            return refuse("\"certificate\" is not an object");
        };
        if let Some(key) = map.keys().next() {
            return refuse(format!("unknown key \"{key}\""));
        }
        Ok(Self { form, misere, game, certificate, _held: held })
    }

    /// The whole game, in the words of the file: nothing is left out. Long games are named by their digest.
    pub fn name(&self) -> String {
        let text = Value::Object(self.game.clone()).to_string();
        if text.len() <= LONGEST_NAME {
            return text;
        }
        format!(
            "SHA-256 {} of its {} bytes of JSON (impartial-check --game prints them)",
            digest(&self.game),
            text.len()
        )
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
    const DIGITS: [char; 16] = ['0', '1', '2', '3', '4', '5', '6', '7', '8', '9', 'a', 'b', 'c', 'd', 'e', 'f'];
    bytes.iter().flat_map(|b| [DIGITS[usize::from(b >> 4)], DIGITS[usize::from(b & 15)]]).collect()
}
