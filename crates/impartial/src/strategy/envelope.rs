//! The envelope that every strategy file has, whatever its form (`docs/strategy-files.md`).

use serde_json::{Map, Value, json};
use sha2::{Digest, Sha256};
use thiserror::Error;

use crate::outcome::Play;

/// The value of `"format"` in every strategy file.
pub const FORMAT: &str = "impartial-strategy";
/// The version of the format that this library writes.
pub const VERSION: u64 = 2;

/// A strategy file as plain data: which game, which play, which form, and the certificate.
///
/// The text is one JSON object with exactly the keys `format`, `version`, `form`, `play`, `game`,
/// `certificate`, `digest`. All numbers are integers, and integers beyond 2⁵³ are decimal strings.
/// The digest guards against damage; it is the SHA-256, in lower-case hexadecimal, of the compact
/// JSON text (keys sorted) of the object without `digest`. It proves nothing: the certificate does.
///
/// ```
/// use impartial::{outcome::Play, strategy::Envelope};
/// use serde_json::json;
/// let file = Envelope {
///     form: "table".into(),
///     play: Play::Normal,
///     game: json!({"kind": "poset"}),
///     certificate: json!({"values": [0, 1]}),
/// };
/// assert_eq!(Envelope::from_text(&file.to_text()).unwrap(), file);
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Envelope {
    /// The form of the strategy: `"automaton"`, `"quotient"`, …
    pub form: String,
    /// The winning condition.
    pub play: Play,
    /// The whole game, by its rules: a strategy file stands alone.
    pub game: Value,
    /// What the form needs to answer, and the checker to verify.
    pub certificate: Value,
}

/// Why a text is not a strategy file.
#[derive(Debug, Error)]
pub enum EnvelopeError {
    /// Not JSON at all.
    #[error("not a strategy file: {0}; write one with `impartial solve GAME -o FILE`")]
    Json(#[from] serde_json::Error),
    /// JSON of another kind.
    #[error("not a strategy file: {0}; write one with `impartial solve GAME -o FILE`")]
    Shape(String),
    /// The version before this one.
    #[error("strategy file version 1 is no longer read: write the file anew with `impartial solve GAME -o FILE`")]
    Old,
    /// A newer version of the format.
    #[error("strategy file version {0} is not known here (this program reads version {VERSION}); update impartial")]
    Version(Value),
    /// The digest does not belong to the content.
    #[error("the strategy file is damaged: its digest does not belong to its content; solve the game again")]
    Digest,
}

impl Envelope {
    fn body(&self) -> Map<String, Value> {
        let Value::Object(map) = json!({
            "format": FORMAT,
            "version": VERSION,
            "form": self.form,
            "play": self.play,
            "game": self.game,
            "certificate": self.certificate,
        }) else {
            unreachable!("json! of an object is an object")
        };
        map
    }

    /// The file's text.
    pub fn to_text(&self) -> String {
        let mut body = self.body();
        body.insert("digest".into(), digest(&body).into());
        let mut text = Value::Object(body).to_string();
        text.push('\n');
        text
    }

    /// Reads a file's text; checks the shape of the envelope and its digest, not the claim.
    pub fn from_text(text: &str) -> Result<Self, EnvelopeError> {
        let Value::Object(mut map) = serde_json::from_str(text)? else {
            return Err(EnvelopeError::Shape("the text is not a JSON object".into()));
        };
        if map.get("format").and_then(Value::as_str) != Some(FORMAT) {
            return Err(EnvelopeError::Shape(format!("\"format\" is not \"{FORMAT}\"")));
        }
        match map.get("version") {
            Some(v) if v.as_u64() == Some(VERSION) => {}
            Some(v) if v.as_u64() == Some(1) => return Err(EnvelopeError::Old),
            Some(v) => return Err(EnvelopeError::Version(v.clone())),
            None => return Err(EnvelopeError::Shape("\"version\" is missing".into())),
        }
        let claimed = map.remove("digest");
        if claimed.as_ref().and_then(Value::as_str) != Some(digest(&map).as_str()) {
            return Err(EnvelopeError::Digest);
        }
        let mut take = |key: &str| map.remove(key).ok_or_else(|| EnvelopeError::Shape(format!("\"{key}\" is missing")));
        let form =
            take("form")?.as_str().ok_or_else(|| EnvelopeError::Shape("\"form\" is not a string".into()))?.to_owned();
        let play = serde_json::from_value(take("play")?)
            .map_err(|_| EnvelopeError::Shape("\"play\" is neither \"normal\" nor \"misere\"".into()))?;
        Ok(Self { form, play, game: take("game")?, certificate: take("certificate")? })
    }
}

/// SHA-256 of the compact text; `serde_json` keeps the keys of a map sorted.
fn digest(body: &Map<String, Value>) -> String {
    use std::fmt::Write as _;
    let text = serde_json::to_string(body).expect("a JSON value has a text");
    Sha256::digest(text.as_bytes()).iter().fold(String::new(), |mut hex, byte| {
        let _ = write!(hex, "{byte:02x}");
        hex
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_changed_byte_is_refused() {
        let file = Envelope {
            form: "table".into(),
            play: Play::Misere,
            game: json!({"kind": "poset", "name": "x"}),
            certificate: json!([1, 2, 3]),
        };
        let text = file.to_text();
        for (i, byte) in text.bytes().enumerate() {
            if byte.is_ascii_alphanumeric() {
                let mut bytes = text.clone().into_bytes();
                bytes[i] = if byte == b'1' { b'2' } else { b'1' };
                let changed = String::from_utf8(bytes).unwrap();
                assert!(Envelope::from_text(&changed).is_err(), "byte {i} of {text}");
            }
        }
    }
}
