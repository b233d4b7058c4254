//! Reading and writing files; `-` is standard input or output.

use std::io::{Read as _, Write as _};
use std::path::{Path, PathBuf};

use impartial::Error;
use impartial::game::Keep;

/// Game and strategy files beyond this size are refused before they are read.
const LARGEST: u64 = 1 << 30;

/// The text of a file.
pub fn read(path: &str) -> Result<String, Error> {
    if path == "-" {
        let mut text = String::new();
        return match std::io::stdin().take(LARGEST).read_to_string(&mut text) {
            Ok(_) => Ok(text),
            Err(error) => Err(Error::Input(format!("standard input: {error}; send UTF-8 text"))),
        };
    }
    let size = std::fs::metadata(path).map_err(|error| Error::Input(format!("{path}: {error}; check the path")))?.len();
    if size > LARGEST {
        return Err(Error::Input(format!("{path}: larger than 1 GiB; this is no game or strategy file")));
    }
    std::fs::read_to_string(path).map_err(|error| Error::Input(format!("{path}: {error}; give a UTF-8 text file")))
}

/// Writes a file. A regular file is written whole or not at all: a temporary file in the same folder takes its place at the end.
/// Links are followed, and what is no regular file (a pipe, a device) is written into.
pub fn write(path: &str, content: &[u8]) -> Result<(), Error> {
    let failure = |error: std::io::Error| Error::Input(format!("{path}: {error}; choose another place to write"));
    if path == "-" {
        let written =
            crate::report::open_stdout().and_then(|mut out| out.write_all(content).and_then(|()| out.flush()));
        return match written {
            // The reader has seen what it wanted.
            Err(error) if error.kind() == std::io::ErrorKind::BrokenPipe => Ok(()),
            result => result.map_err(failure),
        };
    }
    let target = std::fs::canonicalize(path).unwrap_or_else(|_| beyond_links(path));
    if std::fs::metadata(&target).is_ok_and(|meta| !meta.is_file() && !meta.is_dir()) {
        let mut file = std::fs::OpenOptions::new().write(true).open(&target).map_err(failure)?;
        return file.write_all(content).and_then(|()| file.flush()).map_err(failure);
    }
    let folder = match target.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    };
    let mut file = tempfile::NamedTempFile::new_in(folder).map_err(failure)?;
    file.write_all(content).map_err(failure)?;
    file.as_file().sync_all().map_err(failure)?;
    // Temporary files are private; the finished one gets the permissions of its predecessor or the usual ones.
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        let permissions =
            std::fs::metadata(&target).map_or_else(|_| std::fs::Permissions::from_mode(0o644), |old| old.permissions());
        file.as_file().set_permissions(permissions).map_err(failure)?;
    }
    file.persist(&target).map_err(|error| failure(error.error))?;
    Ok(())
}

/// Where a link leads whose end is not there yet; other paths as they are.
fn beyond_links(path: &str) -> PathBuf {
    let mut path = PathBuf::from(path);
    // A ring of links is left as it is, and what is written then says so.
    for _ in 0..40 {
        let Ok(next) = std::fs::read_link(&path) else { break };
        path = path.parent().map_or_else(|| next.clone(), |folder| folder.join(&next));
    }
    path
}

/// Whether a text on the command line names a file: by its look, or because it is there.
fn is_path(text: &str) -> bool {
    text == "-"
        || text.contains('/')
        || Path::new(text).extension().is_some_and(|extension| extension.eq_ignore_ascii_case("toml"))
}

/// Opens game files for the library: the one that is named on the command line, and parts of sums, which are looked for beside
/// the file that names them first.
pub fn opener(base: &str, text: &str) -> Result<Option<(String, String)>, Error> {
    let beside =
        Path::new(base).parent().map(|folder| folder.join(text)).filter(|path| !base.is_empty() && path.is_file());
    match beside.as_deref().and_then(Path::to_str) {
        Some(path) => Ok(Some((path.to_owned(), read(path)?))),
        None if is_path(text) => Ok(Some((text.to_owned(), read(text)?))),
        None => Ok(None),
    }
}

/// A sequence kept in a file.
pub struct Checkpoint<'a>(pub &'a str);

impl Keep for Checkpoint<'_> {
    fn restore(&mut self) -> Result<Option<Vec<u8>>, Error> {
        if std::fs::symlink_metadata(self.0).is_err() {
            return Ok(None);
        }
        let bytes = std::fs::read(self.0);
        bytes.map(Some).map_err(|error| Error::Input(format!("{}: {error}; check the path", self.0)))
    }

    fn keep(&mut self, content: &[u8]) -> Result<(), Error> {
        write(self.0, content)
    }

    fn place(&self) -> String {
        self.0.to_owned()
    }
}
