//! The folder of the page: the engine as WebAssembly, the modules and styles as they are, and the list of all for the service worker.

use std::fs;
use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context as _, Result, bail};
use wasm_bindgen_cli_support::Bindgen;

use crate::root;

const TARGET: &str = "wasm32-unknown-unknown";

/// Builds the page into a folder.
pub fn page(folder: &Path) -> Result<()> {
    target()?;
    let arguments = ["build", "-p", "impartial-web", "--lib", "--profile", "web", "--target", TARGET, "--locked"];
    println!("== the engine: cargo {}", arguments.join(" "));
    let status = Command::new("cargo").args(arguments).current_dir(root()).status().context("cargo does not start")?;
    if !status.success() {
        bail!("the engine could not be built for {TARGET}");
    }
    let engine = folder.join("engine");
    fs::create_dir_all(&engine).with_context(|| format!("{}", engine.display()))?;
    Bindgen::new()
        .input_path(built()?.join(TARGET).join("web/impartial_web.wasm"))
        .web(true)?
        .typescript(false)
        .remove_name_section(true)
        .remove_producers_section(true)
        .generate(&engine)?;
    copy(&root().join("crates/impartial-web/page"), folder)?;
    service_worker(folder)?;
    let size = fs::metadata(engine.join("impartial_web_bg.wasm"))?.len();
    println!("== the page: {} (engine {} KB)", folder.display(), size / 1024);
    Ok(())
}

/// Cargo's target folder.
fn built() -> Result<PathBuf> {
    match std::env::var_os("CARGO_TARGET_DIR") {
        Some(folder) => Ok(std::path::absolute(root().join(folder))?),
        None => Ok(root().join("target")),
    }
}

/// Adds the target where rustup can, and says what to do where it cannot.
fn target() -> Result<()> {
    let listed = Command::new("rustup").args(["target", "list", "--installed"]).current_dir(root()).output();
    match listed {
        Ok(output) if String::from_utf8_lossy(&output.stdout).lines().any(|line| line == TARGET) => Ok(()),
        Ok(_) => {
            println!("== installing {TARGET}: rustup target add {TARGET}");
            let status = Command::new("rustup").args(["target", "add", TARGET]).current_dir(root()).status()?;
            if status.success() { Ok(()) } else { bail!("rustup could not add {TARGET}; the page needs it") }
        }
        // No rustup: the toolchain may have the target all the same, and cargo says so if not.
        Err(_) => Ok(()),
    }
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
