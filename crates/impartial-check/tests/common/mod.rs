//! The files of the suite, and how a file is sealed.

use serde_json::Value;
use sha2::{Digest, Sha256};

/// The files of one folder of the suite by name, sorted.
pub fn suite(folder: &str) -> Vec<(String, String)> {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/suite").join(folder);
    let mut files: Vec<(String, String)> = std::fs::read_dir(&folder)
        .expect("the folder")
        .map(|entry| entry.expect("an entry").path())
        .filter(|path| path.extension().is_some_and(|e| e == "json"))
        .map(|path| {
            let name = path.file_stem().expect("a name").to_string_lossy().into_owned();
            (name, std::fs::read_to_string(&path).expect("a file"))
        })
        .collect();
    files.sort();
    files
}

/// The text of a file with its digest.
pub fn sealed(mut file: Value) -> String {
    let map = file.as_object_mut().expect("an object");
    map.remove("digest");
    let digest = Sha256::digest(serde_json::to_string(map).expect("JSON").as_bytes());
    let digits: Vec<char> = "0123456789abcdef".chars().collect();
    let hex = digest.iter().flat_map(|byte| [digits[usize::from(byte / 16)], digits[usize::from(byte % 16)]]);
    map.insert("digest".into(), hex.collect::<String>().into());
    file.to_string()
}
