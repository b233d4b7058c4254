//! The Python package: its wheel, and its tests in an environment of their own.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::check::{Tally, root, step};

/// The folder of the package.
const PACKAGE: &str = "crates/impartial-py";
/// What building and testing needs from PyPI, besides the package's own `test` extra.
const TOOLS: [&str; 2] = ["pip", "maturin>=1.9,<2"];

/// A Python with the module `venv`, if the machine has one.
fn python() -> Option<&'static str> {
    ["python3", "python"].into_iter().find(|program| {
        let asked = Command::new(program)
            .args(["-c", "import sys, venv, ensurepip; sys.exit(sys.version_info < (3, 9))"])
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .status();
        asked.is_ok_and(|status| status.success())
    })
}

/// A program of a virtual environment.
fn program(environment: &Path, name: &str) -> String {
    let folder = if cfg!(windows) { "Scripts" } else { "bin" };
    environment.join(folder).join(name).display().to_string()
}

/// Makes a virtual environment with maturin, or says why there is none.
fn environment(place: &Path) -> Result<(), String> {
    let python = python().ok_or("there is no Python 3.9 or newer with the module venv")?;
    if place.join("ready").is_file() {
        return Ok(());
    }
    let text = place.display().to_string();
    if !step("a virtual environment", python, &["-m", "venv", "--clear", &text]) {
        return Err("no virtual environment could be made".into());
    }
    let arguments = [&["install", "--quiet", "--disable-pip-version-check", "--upgrade"][..], &TOOLS].concat();
    if !step("tools from PyPI", &program(place, "pip"), &arguments) {
        return Err("maturin could not be installed from PyPI".into());
    }
    std::fs::write(place.join("ready"), "").map_err(|error| error.to_string())
}

fn place() -> PathBuf {
    root().join("target/python")
}

/// Builds a wheel into a folder; `profile` is cargo's. A wheel that is handed out is built from the sources that are handed out, and is
/// linked for old systems where that can be done.
fn build(environment: &Path, folder: &Path, profile: &str, handed_out: bool) -> bool {
    let manifest = root().join(PACKAGE).join("Cargo.toml").display().to_string();
    let folder = folder.display().to_string();
    let old = if handed_out { OldSystems::new(environment) } else { None };
    let mut arguments = vec!["build", "--profile", profile, "--manifest-path", &manifest, "--out", &folder];
    // The packed sources are a part of the workspace: cargo drops the rest from their lock file, and takes the versions that it names.
    arguments.push(if handed_out { "--sdist" } else { "--locked" });
    if let Some(old) = &old {
        arguments.extend(["--compatibility", "manylinux2014", "--", "-C", &old.0]);
    }
    step("the wheel", &program(environment, "maturin"), &arguments)
}

/// The linker of zig, which links against the symbols of glibc 2.17 (of 2014), whatever this machine has: an option of rustc. Only the
/// last crate is linked, so that nothing else is built anew.
struct OldSystems(String);

impl OldSystems {
    #[cfg(target_os = "linux")]
    fn new(environment: &Path) -> Option<Self> {
        use std::os::unix::fs::PermissionsExt as _;
        let quiet = ["install", "--quiet", "--disable-pip-version-check", "ziglang"];
        if !step("the linker of zig", &program(environment, "pip"), &quiet) {
            return None;
        }
        let script = format!(
            "#!/bin/sh\n# zig has the unwinder of LLVM in place of GCC's.\n\
             for arg; do shift; [ \"$arg\" = -lgcc_s ] && arg=-lunwind; set -- \"$@\" \"$arg\"; done\n\
             exec '{}' -m ziglang cc -target {}-linux-gnu.2.17 \"$@\"\n",
            program(environment, "python"),
            std::env::consts::ARCH
        );
        let place = environment.join("zig-linker");
        std::fs::write(&place, script).ok()?;
        std::fs::set_permissions(&place, std::fs::Permissions::from_mode(0o755)).ok()?;
        Some(Self(format!("linker={}", place.display())))
    }

    #[cfg(not(target_os = "linux"))]
    fn new(_environment: &Path) -> Option<Self> {
        None
    }
}

/// `cargo xtask wheel -o DIR`: the sources, and the wheel for this platform built from them; it is tried in an environment of its own.
pub fn wheel(folder: &Path, profile: &str) -> Result<(), String> {
    let place = place();
    environment(&place)?;
    if !build(&place, folder, profile, true) {
        return Err("the wheel could not be built".into());
    }
    let wheel = built(folder).ok_or("the folder has no wheel")?;
    let clean = place.with_file_name("python-clean");
    let at = clean.display().to_string();
    let (python, pip) = (program(&clean, "python"), program(&clean, "pip"));
    let tried = step("an empty environment", &program(&place, "python"), &["-m", "venv", "--clear", &at])
        && step("the wheel in it", &pip, &["install", "--quiet", "--no-index", &wheel])
        && step("the first question", &python, &["-c", FIRST_QUESTION]);
    if !tried {
        return Err("the wheel does not work in an empty environment".into());
    }
    println!("{} holds the wheel and the sources", folder.display());
    Ok(())
}

/// What shows that a wheel works.
const FIRST_QUESTION: &str =
    "from impartial import Game; print(Game('kayles').period()); assert Game('exotic').solve().verify().proved";

/// The wheel in a folder.
fn built(folder: &Path) -> Option<String> {
    let mut files = std::fs::read_dir(folder).ok()?.filter_map(|entry| Some(entry.ok()?.path()));
    files.find(|file| file.extension().is_some_and(|end| end == "whl")).map(|file| file.display().to_string())
}

/// Builds the wheel, installs it, and runs types, doctests, tests and notebooks.
pub fn test(tally: &mut Tally) {
    let place = place();
    if let Err(why) = environment(&place) {
        return tally.leave_out(format!("the Python package: {why}"));
    }
    let wheels = place.join("wheels");
    let _ = std::fs::remove_dir_all(&wheels);
    let wheel = if build(&place, &wheels, "dev", false) { built(&wheels) } else { None };
    let Some(wheel) = wheel else { return tally.broke("the Python wheel") };
    let pip = program(&place, "pip");
    let quiet = ["install", "--quiet", "--disable-pip-version-check"];
    if !step("the wheel and what its tests need", &pip, &[&quiet[..], &[&format!("{wheel}[test]")]].concat()) {
        return tally.leave_out("the Python tests: what they need could not be installed from PyPI".into());
    }
    // The environment may hold a wheel of the same version from an earlier run.
    let again = [&quiet[..], &["--force-reinstall", "--no-deps", &wheel]].concat();
    if !step("this wheel", &pip, &again) {
        return tally.broke("the Python wheel");
    }
    let package = root().join(PACKAGE);
    let at = |path: &str| package.join(path).display().to_string();
    let python = program(&place, "python");
    tally.part(
        "Python types",
        &python,
        &["-m", "mypy", "--config-file", &at("pyproject.toml"), &at("python/impartial"), &at("tests/typed.py")],
        &[],
    );
    tally.part("Python tests", &python, &[&at("tests/run.py")], &[]);
}
