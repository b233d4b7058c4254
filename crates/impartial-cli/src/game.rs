//! GAME on the command line: from text to a [`Family`].

use std::path::Path;

use crate::catalogue;
use crate::families::Family;
use crate::families::chains::ChainsFamily;
use crate::families::graph::GraphFamily;
use crate::families::heap::HeapFamily;
use crate::families::lattice::LatticeFamily;
use crate::families::poset::PosetFamily;
use crate::families::sum::SumFamily;
use crate::families::wythoff::WythoffFamily;
use crate::files;
use crate::report::{Failure, bad_input};

/// A game opened by name, notation or path.
pub type Game = Box<dyn Family>;

/// Opens a GAME. A text that is the path of a file, ends in `.toml`, or is `-` is a game file.
pub fn open(text: &str) -> Result<Game, Failure> {
    open_inside(text, 0)
}

/// Opens a GAME that stands inside `depth` sums.
pub fn open_inside(text: &str, depth: usize) -> Result<Game, Failure> {
    let is_file = text == "-"
        || Path::new(text).extension().is_some_and(|extension| extension.eq_ignore_ascii_case("toml"))
        || text.contains('/');
    if is_file {
        return open_text(text, &files::read(text)?, depth);
    }
    if text.starts_with("subtract:") || looks_like_code(text) {
        return Ok(Box::new(HeapFamily::from_notation(text)?));
    }
    if let Some(game) = ChainsFamily::from_notation(text) {
        return Ok(Box::new(game?));
    }
    if let Some(game) = PosetFamily::from_notation(text) {
        return Ok(Box::new(game?));
    }
    let entry = catalogue::entry(text).ok_or_else(|| catalogue::unknown(text))?;
    match (entry.game, entry.file) {
        (Some(game), _) => open_notation(text, &game),
        (None, Some(mut file)) => {
            file.insert("name".into(), text.into());
            open_text(text, &file.to_string(), depth)
        }
        (None, None) => Err(catalogue::unknown(text)),
    }
}

/// Opens a notation of the catalogue under the catalogue's name.
fn open_notation(name: &str, notation: &str) -> Result<Game, Failure> {
    if notation == "wythoff" {
        return Ok(Box::new(WythoffFamily { name: name.to_owned() }));
    }
    if notation.starts_with("subtract:") || looks_like_code(notation) {
        let mut game = HeapFamily::from_notation(notation)?;
        name.clone_into(&mut game.name);
        return Ok(Box::new(game));
    }
    open(notation)
}

/// A point after at most one character, or one that begins the text: no name has it.
fn looks_like_code(text: &str) -> bool {
    text.find('.').is_some_and(|at| at <= 1 || text[..at].bytes().all(|b| b.is_ascii_digit()))
}

/// Opens the text of a game file; `path` is for messages.
pub fn open_file(path: &str, text: &str) -> Result<Game, Failure> {
    open_text(path, text, 0)
}

/// Brackets nested deeper than this are no game; the TOML reader would take many times the file's size in memory to say so.
const DEEPEST: usize = 64;

/// Whether brackets outside of strings and comments nest too deeply.
fn is_too_deep(text: &str) -> bool {
    let (mut depth, mut quote, mut comment, mut escaped) = (0usize, None, false, false);
    for byte in text.bytes() {
        if comment || quote.is_some() {
            comment = comment && byte != b'\n';
            if !escaped && (quote == Some(byte) || byte == b'\n') {
                quote = None;
            }
            escaped = !escaped && quote == Some(b'"') && byte == b'\\';
            continue;
        }
        match byte {
            b'#' => comment = true,
            b'"' | b'\'' => quote = Some(byte),
            b'[' | b'{' => depth += 1,
            b']' | b'}' => depth = depth.saturating_sub(1),
            _ => {}
        }
        if depth > DEEPEST {
            return true;
        }
    }
    false
}

fn open_text(path: &str, text: &str, depth: usize) -> Result<Game, Failure> {
    if is_too_deep(text) {
        return Err(bad_input(format!(
            "{path}: brackets are nested more than {DEEPEST} deep; write a TOML file with kind = \"…\""
        )));
    }
    let table: toml::Table = text.parse().map_err(|error: toml::de::Error| {
        // The error's own text quotes the line, which may be megabytes long.
        let line = error.span().map_or(1, |span| 1 + text[..span.start.min(text.len())].matches('\n').count());
        bad_input(format!("{path}: line {line}: {}; write a TOML file with kind = \"…\"", error.message()))
    })?;
    match table.get("kind").and_then(toml::Value::as_str) {
        Some("lattice") => Ok(Box::new(LatticeFamily::from_file(path, text)?)),
        Some("heap") => Ok(Box::new(HeapFamily::from_file(path, text)?)),
        Some("poset") => Ok(Box::new(PosetFamily::from_file(path, text)?)),
        Some("chains") => Ok(Box::new(ChainsFamily::from_file(path, text)?)),
        Some("graph") => Ok(Box::new(GraphFamily::from_file(path, text)?)),
        Some("sum") => Ok(Box::new(SumFamily::from_file(path, text, depth)?)),
        Some(other) => Err(bad_input(format!(
            "{path}: kind = \"{other}\" is not known; it is one of heap, lattice, poset, graph, sum, chains"
        ))),
        None => Err(bad_input(format!(
            "{path}: `kind` is missing; add a line such as kind = \"lattice\" (heap, lattice, poset, graph, sum, chains)"
        ))),
    }
}
