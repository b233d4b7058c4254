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

/// Builds a wheel into a folder; `profile` is cargo's, `old` links for old systems.
fn build(environment: &Path, folder: &Path, profile: &str, old: Option<&OldSystems>) -> bool {
    let manifest = root().join(PACKAGE).join("Cargo.toml").display().to_string();
    let folder = folder.display().to_string();
    let mut arguments = vec!["build", "--profile", profile, "--locked", "--manifest-path", &manifest, "--out", &folder];
    if let Some(old) = old {
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

/// `cargo xtask wheel -o DIR`: the wheel for this platform, and the sources.
pub fn wheel(folder: &Path, profile: &str) -> Result<(), String> {
    let place = place();
    environment(&place)?;
    let old = OldSystems::new(&place);
    if !build(&place, folder, profile, old.as_ref()) {
        return Err("the wheel could not be built".into());
    }
    let manifest = root().join(PACKAGE).join("Cargo.toml").display().to_string();
    let folder = folder.display().to_string();
    if !step("the sources", &program(&place, "maturin"), &["sdist", "--manifest-path", &manifest, "--out", &folder]) {
        return Err("the sources could not be packed".into());
    }
    println!("{folder} holds the wheel and the sources");
    Ok(())
}

/// Builds the wheel, installs it, and runs types, doctests, tests and notebooks.
pub fn test(tally: &mut Tally) {
    let place = place();
    if let Err(why) = environment(&place) {
        return tally.leave_out(format!("the Python package: {why}"));
    }
    let wheels = place.join("wheels");
    let _ = std::fs::remove_dir_all(&wheels);
    if !build(&place, &wheels, "dev", None) {
        return tally.broke("the Python wheel");
    }
    let Some(wheel) = std::fs::read_dir(&wheels).ok().and_then(|mut list| {
        list.find_map(|entry| entry.ok().map(|e| e.path()).filter(|p| p.extension().is_some_and(|x| x == "whl")))
    }) else {
        return tally.broke("the Python wheel");
    };
    let pip = program(&place, "pip");
    let quiet = ["install", "--quiet", "--disable-pip-version-check"];
    let wheel = wheel.display().to_string();
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
