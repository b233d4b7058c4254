//! Strategy files beside a census file, each named by its SHA-256: what two games or two runs share is kept once.

use std::path::PathBuf;

use impartial::Error;
use sha2::{Digest as _, Sha256};

use crate::files;

/// The folder `FILE.certificates`.
#[derive(Clone, Debug)]
pub struct Certificates(PathBuf);

impl Certificates {
    /// The certificates of a census file.
    pub fn of(census: &str) -> Self {
        Self(format!("{census}.certificates").into())
    }

    fn place(&self, digest: &str) -> String {
        self.0.join(format!("{digest}.json")).display().to_string()
    }

    /// Keeps a file; gives its name.
    pub fn keep(&self, text: &str) -> Result<String, Error> {
        let digest = digest(text);
        let place = self.place(&digest);
        if !std::path::Path::new(&place).is_file() {
            let failure = |error| Error::Input(format!("{}: {error}; choose another place to write", self.0.display()));
            std::fs::create_dir_all(&self.0).map_err(failure)?;
            files::write(&place, text.as_bytes())?;
        }
        Ok(digest)
    }

    /// The file of this name, if its content still belongs to the name.
    pub fn read(&self, name: &str) -> Result<String, Error> {
        if name.len() != 64 || !name.bytes().all(|byte| byte.is_ascii_hexdigit()) {
            return Err(Error::Input(format!("\"{name}\" is no SHA-256 of a certificate; run the survey anew")));
        }
        let text = files::read(&self.place(name))?;
        if digest(&text) == name {
            Ok(text)
        } else {
            Err(Error::Input(format!("{}: the file was changed; run the survey anew", self.place(name))))
        }
    }
}

fn digest(text: &str) -> String {
    format!("{:x}", Sha256::digest(text.as_bytes()))
}
