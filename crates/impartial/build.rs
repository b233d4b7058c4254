//! Embeds the catalogue: every `games/*.toml` becomes part of the library.

use std::fmt::Write as _;
use std::path::Path;
use std::{env, fs};

fn main() {
    let folder = Path::new(&env::var("CARGO_MANIFEST_DIR").expect("cargo sets it")).join("games");
    println!("cargo::rerun-if-changed={}", folder.display());
    let mut files: Vec<_> = fs::read_dir(&folder)
        .expect("the folder games/ is part of the package")
        .map(|entry| entry.expect("a readable folder").path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "toml"))
        .collect();
    files.sort();
    let mut code = String::from("[\n");
    for path in files {
        println!("cargo::rerun-if-changed={}", path.display());
        let name = path.file_stem().expect("a file").to_str().expect("catalogue names are ASCII");
        writeln!(code, "    ({name:?}, include_str!({:?})),", path.display().to_string()).expect("text");
    }
    code.push(']');
    let out = Path::new(&env::var("OUT_DIR").expect("cargo sets it")).join("catalogue.rs");
    fs::write(out, code).expect("the build folder is writable");
}
