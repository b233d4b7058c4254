//! Reading and writing files; `-` is standard input or output.

use std::io::{Read as _, Write as _};
use std::path::Path;

use crate::report::{Failure, bad_input};

/// Game and strategy files beyond this size are refused before they are read.
const LARGEST: u64 = 1 << 30;

/// The text of a file.
pub fn read(path: &str) -> Result<String, Failure> {
    if path == "-" {
        let mut text = String::new();
        return match std::io::stdin().take(LARGEST).read_to_string(&mut text) {
            Ok(_) => Ok(text),
            Err(error) => Err(bad_input(format!("standard input: {error}; send UTF-8 text"))),
        };
    }
    let size = std::fs::metadata(path).map_err(|error| bad_input(format!("{path}: {error}; check the path")))?.len();
    if size > LARGEST {
        return Err(bad_input(format!("{path}: larger than 1 GiB; this is no game or strategy file")));
    }
    std::fs::read_to_string(path).map_err(|error| bad_input(format!("{path}: {error}; give a UTF-8 text file")))
}

/// Writes a file whole or not at all: a temporary file in the same folder takes its place at the end.
pub fn write(path: &str, content: &[u8]) -> Result<(), Failure> {
    let failure = |error: std::io::Error| bad_input(format!("{path}: {error}; choose another place to write"));
    if path == "-" {
        return std::io::stdout().write_all(content).map_err(failure);
    }
    let folder = match Path::new(path).parent() {
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
            std::fs::metadata(path).map_or_else(|_| std::fs::Permissions::from_mode(0o644), |old| old.permissions());
        file.as_file().set_permissions(permissions).map_err(failure)?;
    }
    file.persist(path).map_err(|error| failure(error.error))?;
    Ok(())
}
