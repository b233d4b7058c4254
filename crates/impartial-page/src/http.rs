//! JSON over HTTP to a program on this machine.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpStream;
use std::time::Duration;

use anyhow::{Context as _, Result};
use serde_json::Value;

/// Asks, and reads the answer.
pub fn ask(port: u16, method: &str, path: &str, body: &Value) -> Result<Value> {
    let mut stream = TcpStream::connect(("127.0.0.1", port)).context("the driver does not listen")?;
    stream.set_read_timeout(Some(Duration::from_secs(180)))?;
    let body = if method == "POST" { body.to_string() } else { String::new() };
    write!(
        stream,
        "{method} {path} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nContent-Type: application/json\r\nContent-Length: {}\r\nConnection: close\r\n\r\n{body}",
        body.len()
    )?;
    let mut reader = BufReader::new(stream);
    let mut length = None;
    let mut line = String::new();
    loop {
        line.clear();
        if reader.read_line(&mut line)? <= 2 {
            break;
        }
        if let Some((name, value)) = line.split_once(':')
            && name.eq_ignore_ascii_case("content-length")
        {
            length = value.trim().parse::<usize>().ok();
        }
    }
    let mut text = Vec::new();
    match length {
        Some(length) => {
            text.resize(length, 0);
            reader.read_exact(&mut text)?;
        }
        None => {
            reader.read_to_end(&mut text)?;
        }
    }
    serde_json::from_slice(&text).context("the driver's answer is no JSON")
}
