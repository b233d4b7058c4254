//! `verify --proved`: asks proved-check, the checker extracted from the proofs in `proofs/`, when it is installed.

use std::ffi::OsString;
use std::io::{Read as _, Write as _};
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::Duration;

use impartial::Error;
use semilinear::run::Monitor as _;

use crate::context::Context;
use crate::report::{Answer, Report};

/// The environment variable that names the program; without it `proved-check` is looked for in PATH.
const PROGRAM: &str = "IMPARTIAL_PROVED_CHECK";

/// How often the limits are looked at while the program runs.
const GLANCE: Duration = Duration::from_millis(10);

/// What proved-check says of the text of a strategy file. The path is for messages.
pub fn verify(path: &str, text: &str, cx: &Context) -> Answer {
    let program = std::env::var_os(PROGRAM).unwrap_or_else(|| OsString::from("proved-check"));
    let name = program.to_string_lossy().into_owned();
    let mut child = Command::new(&program)
        .arg("-")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .map_err(|error| {
            Error::Input(format!(
                "--proved: {name}: {error}; build it with `make -C proofs`, and put proofs/proved-check into PATH or its path into {PROGRAM}"
            ))
        })?;
    let (said, code) = finished(&mut child, text, cx)?;
    // "-: valid: …", "-: refused: …", "-: not among the forms proved by machine: …"
    let said = said.trim_end().strip_prefix("-: ").unwrap_or_default();
    let report =
        |valid: bool| Report::default().with("valid", valid).with("file", path).with("checker", "proved-check");
    match (code, said.strip_prefix("valid: "), said.strip_prefix("refused: ")) {
        (Some(0), Some(claim), _) => {
            Ok(report(true).with("claim", claim).said(format!("valid: {claim}; checked by proved-check")))
        }
        (Some(1), _, Some(reason)) => {
            Ok(report(false).with("reason", reason).said(format!("refused: {reason}")).no_if(true))
        }
        (Some(2), _, _) if !said.is_empty() => {
            Err(Error::Input(format!("{path}: {said}; check it without --proved (docs/trust.md has the forms)")))
        }
        _ => Err(Error::Input(format!("--proved: {name} ended without a verdict; name proved-check in {PROGRAM}"))),
    }
}

/// What the program prints and its exit code; it is ended when a limit is reached.
fn finished(child: &mut Child, text: &str, cx: &Context) -> Result<(String, Option<i32>), Error> {
    let (mut input, mut output) = (child.stdin.take(), child.stdout.take());
    thread::scope(|scope| {
        scope.spawn(move || {
            // A program that ends early leaves its input unread.
            let _ = input.take().map(|mut input| input.write_all(text.as_bytes()));
        });
        let reader = scope.spawn(move || {
            let mut said = Vec::new();
            let _ = output.take().map(|mut output| output.read_to_end(&mut said));
            String::from_utf8_lossy(&said).into_owned()
        });
        let code = loop {
            match child.try_wait().map_err(Error::input)? {
                Some(status) => break status.code(),
                None => thread::sleep(GLANCE),
            }
            if let Err(why) = cx.check(0, None) {
                let _ = child.kill();
                let _ = child.wait();
                return Err(Error::Stopped { why, known: None });
            }
        };
        Ok((reader.join().unwrap_or_default(), code))
    })
}
