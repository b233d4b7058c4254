//! The folder of the page: the engine as WebAssembly, the modules and styles as they are, and the list of all for the service worker.

use std::fs;
use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context as _, Result, bail};
use wasm_bindgen_cli_support::Bindgen;

use crate::{root, split, views};

const TARGET: &str = "wasm32-unknown-unknown";

/// What the engine is built for.
#[derive(Clone, Copy)]
pub enum Purpose {
    /// To be handed to people: small and fast.
    Hosting,
    /// To be tried in a browser: built soon.
    Trial,
}

impl Purpose {
    /// The profile of cargo.
    fn profile(self) -> &'static str {
        match self {
            Self::Hosting => "web",
            Self::Trial => "trial",
        }
    }
}

/// Builds the page into a folder; with the names of functions in the engine, for profiles, where they are wanted.
pub fn page(folder: &Path, purpose: Purpose, names: bool) -> Result<()> {
    if !has_target() {
        bail!("the toolchain has no {TARGET} and rustup could not add it; the page needs it");
    }
    let profile = purpose.profile();
    // Only what is a library for browsers and nothing else is optimised as a whole.
    let crate_type = ["--crate-type", "cdylib"];
    let arguments = ["rustc", "-p", "impartial-web", "--lib", "--profile", profile, "--target", TARGET, "--locked"];
    let arguments = [&arguments[..], &crate_type].concat();
    println!("== the engine: cargo {}", arguments.join(" "));
    let status = Command::new("cargo").args(&arguments).current_dir(root()).status().context("cargo does not start")?;
    if !status.success() {
        bail!("the engine could not be built for {TARGET}");
    }
    let engine = folder.join("engine");
    // Parts of an earlier build.
    let _ = fs::remove_dir_all(&engine);
    fs::create_dir_all(&engine).with_context(|| format!("{}", engine.display()))?;
    Bindgen::new()
        .input_path(built()?.join(TARGET).join(profile).join("impartial_web.wasm"))
        .web(true)?
        .typescript(false)
        .generate(&engine)?;
    let sizes = cut(&engine, names)?;
    // Data of an earlier build that is there no more.
    let _ = fs::remove_dir_all(folder.join("data"));
    copy(&root().join("crates/impartial-web/page"), folder)?;
    service_worker(folder)?;
    let later: Vec<&str> = sizes[1..].iter().map(|(name, _)| *name).collect();
    let sizes: Vec<String> = sizes.iter().map(|(name, bytes)| format!("{name} {} KB", bytes / 1024)).collect();
    println!("== the page: {} (parts of the engine: {})", folder.display(), sizes.join(", "));
    // With names nothing is as large as it will be.
    if matches!(purpose, Purpose::Hosting) && !names { views::weigh(&engine, &later) } else { Ok(()) }
}

/// Cuts the engine in parts, and tells their names and sizes. `parts.js` has the names of those after the first.
fn cut(engine: &Path, names: bool) -> Result<Vec<(&'static str, usize)>> {
    let first = engine.join("impartial_web_bg.wasm");
    let parts = split::split(&fs::read(&first)?, names)?;
    fs::write(&first, &parts.first)?;
    let later: Vec<&str> = parts.later.iter().map(|(name, _)| *name).collect();
    fs::write(engine.join("parts.js"), format!("export default {};\n", serde_json::to_string(&later)?))?;
    let mut sizes = vec![("first", parts.first.len())];
    for (name, bytes) in &parts.later {
        fs::write(engine.join(format!("{name}.wasm")), bytes)?;
        sizes.push((name, bytes.len()));
    }
    Ok(sizes)
}

/// Cargo's target folder.
fn built() -> Result<PathBuf> {
    match std::env::var_os("CARGO_TARGET_DIR") {
        Some(folder) => Ok(std::path::absolute(root().join(folder))?),
        None => Ok(root().join("target")),
    }
}

/// Whether the toolchain compiles for browsers; rustup adds the target where it can.
pub fn has_target() -> bool {
    let there = || {
        let found =
            Command::new("rustc").args(["--print", "target-libdir", "--target", TARGET]).current_dir(root()).output();
        found.is_ok_and(|output| Path::new(String::from_utf8_lossy(&output.stdout).trim()).is_dir())
    };
    if there() {
        return true;
    }
    println!("== installing {TARGET}: rustup target add {TARGET}");
    let added = Command::new("rustup").args(["target", "add", TARGET]).current_dir(root()).status();
    added.is_ok_and(|status| status.success()) && there()
}

fn copy(from: &Path, to: &Path) -> Result<()> {
    fs::create_dir_all(to)?;
    for entry in fs::read_dir(from).with_context(|| format!("{}", from.display()))? {
        let entry = entry?;
        let target = to.join(entry.file_name());
        if entry.file_type()?.is_dir() {
            copy(&entry.path(), &target)?;
        } else {
            fs::copy(entry.path(), target)?;
        }
    }
    Ok(())
}

/// Writes the list of files and a version that changes with any of them into `sw.js`.
fn service_worker(folder: &Path) -> Result<()> {
    let mut files = Vec::new();
    list(folder, folder, &mut files)?;
    files.retain(|name| name != "sw.js");
    files.sort();
    let mut version = DefaultHasher::new();
    for name in &files {
        (name, fs::read(folder.join(name))?).hash(&mut version);
    }
    files.retain(|name| !name.starts_with("data/certificates/"));
    let path = folder.join("sw.js");
    let text = fs::read_to_string(&path)?
        .replace("\"VERSION\"", &format!("\"{:016x}\"", version.finish()))
        .replace("[\"FILES\"]", &serde_json::to_string(&files)?);
    Ok(fs::write(path, text)?)
}

/// Every file below a folder, by its name from the top.
pub fn list(folder: &Path, top: &Path, found: &mut Vec<String>) -> Result<()> {
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            list(&path, top, found)?;
        } else {
            let name = path.strip_prefix(top)?.to_string_lossy().replace('\\', "/");
            found.push(name);
        }
    }
    Ok(())
}
