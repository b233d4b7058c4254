//! A server for one folder on this machine: enough to look at the page and to try it.

use std::fs;
use std::io::{BufRead as _, BufReader, Write as _};
use std::net::{TcpListener, TcpStream};
use std::path::{Component, Path, PathBuf};

use std::sync::atomic::{AtomicBool, Ordering};

use anyhow::{Context as _, Result};

/// Whether nothing is answered, as if there were no network: a browser that is told so by its tools still lets a service worker ask.
pub static SILENT: AtomicBool = AtomicBool::new(false);

/// Serves a folder until the process ends.
pub fn forever(folder: &Path) -> Result<()> {
    let listener = TcpListener::bind(("127.0.0.1", 8000)).or_else(|_| TcpListener::bind(("127.0.0.1", 0)))?;
    println!("== the page is at http://{}/ (Ctrl-C ends it)", listener.local_addr()?);
    answer_all(&listener, folder);
    Ok(())
}

/// Serves a folder in the background; the address.
pub fn in_background(folder: &Path) -> Result<String> {
    let listener = TcpListener::bind(("127.0.0.1", 0)).context("no port is free")?;
    let address = format!("http://{}/", listener.local_addr()?);
    let folder = folder.to_owned();
    std::thread::spawn(move || answer_all(&listener, &folder));
    Ok(address)
}

fn answer_all(listener: &TcpListener, folder: &Path) {
    for stream in listener.incoming().flatten() {
        let folder = folder.to_owned();
        // A browser that goes away in the middle is no matter.
        std::thread::spawn(move || answer(stream, &folder).ok());
    }
}

fn answer(stream: TcpStream, folder: &Path) -> Result<()> {
    let mut reader = BufReader::new(stream.try_clone()?);
    let mut out = stream;
    loop {
        let mut request = String::new();
        if reader.read_line(&mut request)? == 0 {
            return Ok(());
        }
        let mut header = String::new();
        while reader.read_line(&mut header)? > 2 {
            header.clear();
        }
        if SILENT.load(Ordering::Relaxed) {
            return Ok(());
        }
        let path = request.split_whitespace().nth(1).unwrap_or("/");
        let (status, kind, body) = match inside(folder, path).and_then(|path| Some((fs::read(&path).ok()?, path))) {
            Some((body, path)) => ("200 OK", kind(&path), body),
            None => ("404 Not Found", "text/plain", b"no such file\n".to_vec()),
        };
        write!(
            out,
            "HTTP/1.1 {status}\r\nContent-Type: {kind}\r\nContent-Length: {}\r\nCache-Control: no-cache\r\nX-Content-Type-Options: nosniff\r\n\r\n",
            body.len()
        )?;
        out.write_all(&body)?;
    }
}

/// The file of a path, if it lies inside the folder.
fn inside(folder: &Path, path: &str) -> Option<PathBuf> {
    let path = path.split(['?', '#']).next()?.trim_start_matches('/');
    let path = Path::new(if path.is_empty() { "index.html" } else { path });
    path.components().all(|part| matches!(part, Component::Normal(_))).then(|| folder.join(path))
}

fn kind(path: &Path) -> &'static str {
    match path.extension().and_then(|end| end.to_str()) {
        Some("html") => "text/html; charset=utf-8",
        Some("js") => "text/javascript; charset=utf-8",
        Some("css") => "text/css; charset=utf-8",
        Some("wasm") => "application/wasm",
        Some("svg") => "image/svg+xml",
        Some("json" | "webmanifest") => "application/json",
        _ => "application/octet-stream",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_outside_the_folder_is_served() {
        let folder = Path::new("page");
        assert_eq!(inside(folder, "/"), Some("page/index.html".into()));
        assert_eq!(inside(folder, "/views/play.js?x"), Some("page/views/play.js".into()));
        assert_eq!(inside(folder, "/../secret"), None);
        assert_eq!(inside(folder, "//etc/passwd").as_deref(), Some(Path::new("page/etc/passwd")));
    }
}
