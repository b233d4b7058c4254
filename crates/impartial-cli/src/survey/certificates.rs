//! Certificates of a census: strategy files beside the SQLite file, each under the SHA-256 of its text.

use std::path::PathBuf;

use impartial::{Ask, Error, Game, Strategy};
use sha2::{Digest as _, Sha256};

use crate::files;

/// The folder beside a census file.
pub struct Certificates(PathBuf);

/// The SHA-256 of a text.
fn digest(text: &str) -> String {
    Sha256::digest(text).iter().map(|byte| format!("{byte:02x}")).collect()
}

impl Certificates {
    /// Those of a census file.
    pub fn beside(census: &str) -> Self {
        Self(format!("{census}.certificates").into())
    }

    fn place(&self, digest: &str) -> PathBuf {
        self.0.join(format!("{digest}.json"))
    }

    /// Keeps a strategy file; the name it is found under.
    pub fn keep(&self, text: &str) -> Result<String, Error> {
        let digest = digest(text);
        let place = self.place(&digest);
        if !place.is_file() {
            let failure = |error| Error::Input(format!("{}: {error}; check the folder", self.0.display()));
            std::fs::create_dir_all(&self.0).map_err(failure)?;
            files::write(&place.display().to_string(), text.as_bytes())?;
        }
        Ok(digest)
    }

    /// A strategy file by its name.
    pub fn text(&self, name: &str) -> Result<String, Error> {
        let text = files::read(&self.place(name).display().to_string())?;
        if digest(&text) == name {
            return Ok(text);
        }
        Err(Error::Refused { reason: format!("certificate {name}: the file was changed"), position: None })
    }

    /// The strategy file of a game, when it is sound and one for this game.
    pub fn checked(&self, name: &str, game: &Game, ask: &Ask) -> Result<String, Error> {
        let text = self.text(name)?;
        let place = format!("the certificate of {game} ({name})");
        let claimed = Strategy::load(&text, ask).map_err(|error| error.at(&place))?;
        claimed.belongs_to(game, ask).map_err(|error| error.at(&place))?;
        claimed.verify(ask).map_err(|error| error.at(&place))?;
        Ok(text)
    }
}
